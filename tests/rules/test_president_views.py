"""What a player of President can know: the view and the leak audit. PR-16

What is dealt again is looked at in test_president_hidden.py.
"""

from typing import Any

import pytest

import strategies.registry
from sim.audit import audit
from sim.errors import PlayError
from sim.experiment import Experiment
from sim.run import run
from strategies import strategy
from tests.rules.president_table import RULES, Table, exchanging

STRATEGIES = strategies.registry.names(RULES)


def test_every_view_field_is_described() -> None:
    """PR-16: the fields of the view and their meanings are the same list; all are plain numbers."""
    assert list(RULES.view_fields) == list(RULES.view_dtype.names or ())
    assert all(meaning.strip() for meaning in RULES.view_fields.values())
    for name in RULES.view_dtype.names or ():
        assert RULES.view_dtype[name].shape == ()
        assert RULES.view_dtype[name].kind in "iu"


def test_every_option_is_in_the_view() -> None:
    """PR-16: the rules of the day are known to the player."""
    options: dict[str, Any] = {"jokers": 3, "wild": "3", "mixed_wilds": "forbid", "lead": "rank4"}
    options |= {"joker_beats_all": True, "pass_locks": True, "one_play": True, "exchange": "5/4"}
    options |= {"low_gives": "lowest", "high_gives": "random", "exchange_order": "low-first"}
    options |= {"points": "9,-8,7,-1000", "rounds": 1000}
    view = Table(**options).view
    encoded = RULES.options.from_mapping(options).encode()
    for field, value in encoded.items():
        assert view[field] == value
        assert field == "first_wild" or "option" in RULES.view_fields[field]
    assert encoded["first_wild"] == 12
    assert set(options) == set(RULES.options.specs())


@pytest.mark.parametrize("spec", STRATEGIES)
def test_no_strategy_sees_other_hands(spec: str) -> None:
    """PR-16: views and choices stay the same when what is hidden is dealt again."""
    experiment = Experiment.make("president", [spec], options={"rounds": 3}, seed=31)
    result = audit(experiment, games=3, redeals=2)
    assert result.games == 3
    assert result.changed > result.redeals / 2


@pytest.mark.parametrize("order", ["simultaneous", "low-first"])
@pytest.mark.parametrize("low", ["choice", "lowest"])
def test_no_leak_under_other_options(order: str, low: str) -> None:
    """PR-16: nor do views leak with other rules, when everybody is asked for gifts."""
    options = {"exchange_order": order, "low_gives": low, "jokers": 3, "rounds": 4, "wild": "2"}
    options |= {"exchange": "3/2", "lead": "random", "joker_beats_all": True}
    experiment = Experiment.make("president", ["random"], options=options, seed=32)
    assert audit(experiment, games=3, redeals=2).changed > 0


@pytest.mark.parametrize("spec", STRATEGIES)
def test_strategies_say_whether_they_draw(spec: str) -> None:
    """What a strategy declares of chance is true for each of its functions."""
    experiment = Experiment.make("president", [spec], options={"rounds": 3}, seed=33)
    game = Table(33, 0, experiment.seating, rounds=3)
    before = [context["state"].copy() for context in game.contexts]
    while not game.over:
        game.apply(game.ask())
    for slot, (kind, part) in enumerate(zip(RULES.kinds, experiment.seats[0].parts, strict=True)):
        moved = any(
            game.contexts[4 * slot + seat]["state"] != before[4 * slot + seat] for seat in range(4)
        )
        assert moved == part.info.uses_chance, kind


@strategy("president", kind="play", name="greedy-giver")
def all_the_wrong_cards(view, ctx):  # type: ignore[no-untyped-def]
    """Plays a joker that it does not have."""
    return 13 << 8 | 1 << 4


@strategy("president", kind="gift", name="greedy-giver")
def one_card_too_few(view, ctx):  # type: ignore[no-untyped-def]
    """Gives one card instead of two."""
    return 1


@pytest.fixture
def _own_strategies():  # type: ignore[no-untyped-def]
    """Strategies of these tests, known to the registry while they run."""
    for function in (all_the_wrong_cards, one_card_too_few):
        strategies.registry.register(function)
    yield
    strategies.registry._registered.pop("president")


@pytest.mark.usefixtures("_own_strategies")
def test_illegal_actions_are_named() -> None:
    """PR-6, PR-12: the message says who did what, which clause forbids it, and what was legal."""
    play = Experiment.make("president", ["gift=lowest,play=greedy-giver"], options={"rounds": 1})
    with pytest.raises(
        PlayError, match=r"\(seat 0\).*\(play\): play X \(PR-6\)\. Legal are: play 4;"
    ):
        run(play, 1)
    gift = Experiment.make("president", ["gift=greedy-giver,play=lowest"], options={"rounds": 2})
    with pytest.raises(PlayError, match=r"\(gift\): give 4 \(PR-12\)\. Legal are: give "):
        run(gift, 1)


def test_texts_of_actions() -> None:
    """PR-6, PR-12: actions in words, numbers that are none too."""
    table = Table(1, 0)
    told = [RULES.action_text(table.view, number) for number in (0, 2 << 8 | 2 << 4 | 1, 1 << 8)]
    assert told == ["pass", "play 6 6 with 1 wild card", "play no 5"]
    assert "no action" in RULES.action_text(table.view, -5)
    assert "no action" in RULES.action_text(table.view, 15 << 8 | 1 << 4)
    gift = exchanging(["4 5 6 7 8 9 T J Q K A 2 3"] * 4)
    assert RULES.action_text(gift.view, 1 << 48 | 1) == "give 4 3"
    assert RULES.action_text(gift.view, 0) == "give nothing"
    assert "no action" in RULES.action_text(gift.view, -1)
