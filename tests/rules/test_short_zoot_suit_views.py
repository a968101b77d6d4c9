"""What a player of Short Zoot Suit can know: the view and the leak audit. ZS-15

What is dealt again is looked at in test_short_zoot_suit_hidden.py.
"""

from typing import Any

import pytest

import strategies.registry
from sim.audit import LeakError, audit
from sim.errors import PlayError
from sim.experiment import Experiment
from sim.run import run
from strategies import strategy
from tests.rules.short_zoot_suit_table import RULES, Table, position


def test_every_view_field_is_described() -> None:
    """ZS-15: the fields of the view and their meanings are the same list; all are plain numbers."""
    assert list(RULES.view_fields) == list(RULES.view_dtype.names or ())
    assert all(meaning.strip() for meaning in RULES.view_fields.values())
    for name in RULES.view_dtype.names or ():
        assert RULES.view_dtype[name].shape == ()
        assert RULES.view_dtype[name].kind in "iu"


def test_every_option_is_in_the_view() -> None:
    """ZS-15: the rules of the day are known to the player."""
    options: dict[str, Any] = {"players": 3, "rounds": 20, "ace": "high", "draws": "in-turn"}
    options |= {"bonus": "9,8,7,6,1000", "doubles": "replace-one", "short_shorts": True}
    view = Table(**options).view
    encoded = RULES.options.from_mapping(options).encode()
    for field, value in encoded.items():
        assert view[field] == value
    assert set(options) == set(RULES.options.specs())


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"players": 2, "draws": "in-turn"},
        {"players": 3, "doubles": "replace-both", "ace": "high", "bonus": "stars"},
        {"doubles": "replace-one", "draws": "in-turn"},
        {"short_shorts": True},
        {"players": 2, "short_shorts": True, "draws": "in-turn"},
        {"players": 3, "short_shorts": True, "doubles": "replace-one"},
    ],
)
@pytest.mark.parametrize("spec", ["random", "plain"])
def test_no_leak_under_any_option(spec: str, options: dict[str, Any]) -> None:
    """ZS-15: views and choices stay the same when what is hidden is dealt again."""
    experiment = Experiment.make("short-zoot-suit", [spec], options=options, seed=31)
    result = audit(experiment, games=2, redeals=2)
    assert result.games == 2
    assert result.changed > result.redeals / 2


@strategy("short-zoot-suit", kind="play", name="too-clever")
def plays_anything(view, ctx):  # type: ignore[no-untyped-def]
    """Plays a card that it does not have."""
    return 51 if view.hand >> 51 == 0 else 0


@strategy("short-zoot-suit", kind="draft", name="too-clever")
def drafts_four(view, ctx):  # type: ignore[no-untyped-def]
    """Drafts one card."""
    return view.hand & (~view.hand + 1)


@strategy("short-zoot-suit", kind="draw", name="too-clever")
def draws_twice(view, ctx):  # type: ignore[no-untyped-def]
    """Draws two cards."""
    return 2


@pytest.fixture
def _own_strategies():  # type: ignore[no-untyped-def]
    """Strategies of these tests, known to the registry while they run."""
    for function in (plays_anything, drafts_four, draws_twice):
        strategies.registry.register(function)
    yield
    strategies.registry._registered.pop("short-zoot-suit")


@pytest.mark.usefixtures("_own_strategies")
@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("draft", r"\(draft\): draft \w\w \(ZS-4\)\. Legal are: draft "),
        ("draw", r"\(draw\): lay AC \(ZS-5\)\. Legal are: stay; draw\."),
        ("play", r"\(play\): play \w\w \(ZS-7\)\. Legal are: play "),
    ],
)
def test_illegal_actions_are_named(kind: str, message: str) -> None:
    """ZS-4, ZS-5, ZS-7: the message says who did what, which clause forbids it, what was legal."""
    game = Experiment.make("short-zoot-suit", [f"{kind}=too-clever"])
    with pytest.raises(PlayError, match=rf"\(seat 0\).*{message}"):
        run(game, 1)


def test_texts_of_actions() -> None:
    """ZS-4, ZS-5, ZS-7, ZS-14: actions in words, numbers that are none too."""
    draft = Table(1, 0)
    assert RULES.action_text(draft.view, 0b11) == "draft AC AD"
    assert RULES.action_text(draft.view, 0) == "draft nothing"
    draw = position(["2C 3C", "2D"], ["4C", ""])
    told = [RULES.action_text(draw.view, number) for number in (0, 1, 2, 54)]
    assert told == ["stay", "draw", "lay AC", "the number 54, which is no action"]
    shorts = position(["2C 3C", "2D"], short_shorts=True, ace="high")
    assert [RULES.action_text(shorts.view, n) for n in (1, 2, 53)] == ["take", "lay 2C", "lay AS"]
    play = position(["2C JHS", "2D", "3D"], doubles="replace-one")
    numbers = [play.names.index("JHS"), -1, 52]
    told = [RULES.action_text(play.view, number) for number in numbers]
    assert told[0] == "play JHS"
    assert all("no action" in text for text in told[1:])


def test_the_audit_sees_a_view_that_shows_a_choice_too_early(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """ZS-5: if sizes of decks changed while others still choose, the audit would say so."""
    experiment = Experiment.make("short-zoot-suit", ["random"], options={"players": 3}, seed=4)
    steps = Table(4, 0, players=3).steps

    class Leaky:
        """The compiled steps, with pending choices copied into the view."""

        def __getattr__(self, name: str) -> Any:
            return getattr(steps, name)

        def look(self, states: Any, views: Any) -> Any:
            found = steps.look(states, views)
            if found[1] == 1:
                views["laid"] = states["choices"][0, :3].sum()
            return found

    monkeypatch.setattr("sim.stepper.compiled_steps", lambda rules: Leaky())
    with pytest.raises(LeakError, match=r"view of short-zoot-suit leaks.*laid"):
        audit(experiment, games=3, redeals=3)
