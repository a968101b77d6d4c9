"""`new-strategy` and `check`: a stranger's first five minutes."""

import json

import pytest

import sim.games
from scripts.check import random_options
from sim.options import RuleOptions
from tests.cli.calls import GAME, check_one_sentence

PLAIN = "def f(view, ctx):\n    return nth_legal(view, 0)\n"
IMPORT = "from sim.rulesets.shooting_party.legal import count_legal, nth_legal\n"


@pytest.mark.parametrize("game", sim.games.names())
def test_a_starting_point_works_as_it_stands(call, tmp_path, monkeypatch, game):
    """It is written, its commands are told, it passes the check, and it plays."""
    monkeypatch.chdir(tmp_path)
    said = call("new-strategy", game, "mine.py")
    assert said.status == 0, said
    commands = [line.strip() for line in said.out.splitlines()[1:]]
    assert {command.split()[1] for command in commands} >= {"check", "run", "show"}
    assert "FILE" not in (tmp_path / "mine.py").read_text()
    for command in commands:
        words = command.split()[1:]
        if "--games" in words:
            words[words.index("--games") + 1] = "200"
        done = call(*words)
        assert done.status == 0, done.err
    again = call("new-strategy", game, "mine.py")
    check_one_sentence(again, 2, "mine.py is there already")


@pytest.mark.parametrize(
    ("args", "parts"),
    [
        (("new-strategy", "whist", "a.py"), ["no game 'whist'"]),
        (("new-strategy", GAME, "a.txt"), ["'a.txt' is no name for a strategy file"]),
        (("new-strategy", GAME, "no/a.py"), ["the folder no does not exist"]),
        (("new-strategy", GAME), ["needs"]),
        (("check", "tidy"), ["'tidy' names no function of a file"]),
        (("check", "no.py:f"), ["no.py does not exist"]),
    ],
)
def test_what_is_refused(refused, args, parts):
    refused(args, *parts)


@pytest.fixture
def check(call, tmp_path):
    """check(text, ...) -> (what `check --format json` says of function f, its status)."""

    def make_call(text, *args, game=GAME):
        path = tmp_path / "mine.py"
        path.write_text(IMPORT + text)
        more = ("--game", game) if game else ()
        said = call("check", f"{path}:f", *more, *args, "--format", "json")
        assert said.status in (0, 1), said
        return json.loads(said.out), said.status

    return make_call


def test_a_sound_strategy(check):
    """Every look is reported, and the strength is set beside each yardstick."""
    found, status = check(PLAIN)
    assert (status, found["sound"], found["faults"]) == (0, True, [])
    assert found["legal_games"] > 0
    assert found["rule_sets"] == 20
    assert "re-deals" in found["hidden_cards"]
    assert found["declared"] == ["it draws no random numbers"]
    assert found["games_per_second"] > 0
    assert [row["against"] for row in found["strength"]] == ["random", "tidy"]
    assert all(row["low"] <= row["difference"] <= row["high"] for row in found["strength"])


def test_an_illegal_action(check):
    found, status = check("def f(view, ctx):\n    return 77\n")
    assert status == 1
    assert "game 0" in found["faults"][0]
    assert found["strength"] == []


def test_an_action_that_only_other_rules_forbid(check):
    """It draws a pair whenever the default draw limit allows it."""
    found, status = check(
        "from sim.rulesets.shooting_party.cards import draw_pair, king_and_jack, leave_room\n"
        "from sim.bits import count_bits\n"
        "def f(view, ctx):\n"
        "    if view.husband_suit >= 0:\n        return king_and_jack()\n"
        "    return draw_pair() if count_bits(view.hand) <= 5 else leave_room()\n"
    )
    assert status == 1
    assert found["faults"][0].startswith("under other rules (")
    assert "draw_limit" in found["faults"][0]


DECLARED = (
    "from sim.rng import bounded\nfrom strategies import Param, strategy\n"
    "@strategy('shooting-party', {})\ndef f(view, ctx):\n"
)
DRAWS = "    return nth_legal(view, bounded(ctx, count_legal(view)))\n"


def test_chance_that_is_not_declared(check):
    found, status = check(DECLARED.format("summary='x'") + DRAWS, game=None)
    assert status == 1
    assert found["faults"] == ["it draws random numbers, but declares no uses_chance=True"]


def test_chance_that_is_declared_in_vain(check):
    text = DECLARED.format("uses_chance=True") + "    return nth_legal(view, 0)\n"
    found, status = check(text, game=None)
    assert status == 0
    assert found["declared"][0].startswith("uses_chance=True, yet it drew no number in ")


def test_a_parameter_that_does_nothing(check):
    text = DECLARED.format("uses_chance=True, a=Param(1, 0, 9), b=Param(0, 0, 1)")
    text += "    if ctx.b > 0:\n        return nth_legal(view, 0)\n" + DRAWS
    found, _ = check(text, game=None)
    notes = [text for text in found["declared"] if "parameter" in text]
    assert len(notes) == 1
    assert notes[0].startswith("parameter a changed nothing")


def test_a_peeking_view_is_told(check, monkeypatch):
    """What the audit finds is a fault; the strategy itself cannot peek, so the audit is made to."""
    import scripts.check
    from sim.audit import LeakError

    def leak(experiment, games):
        raise LeakError("the strategy knows hidden cards")

    monkeypatch.setattr(scripts.check, "audit", leak)
    found, status = check(PLAIN)
    assert (status, found["faults"]) == (1, ["the strategy knows hidden cards"])


def test_the_game_and_the_decision_must_be_known(call, tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(PLAIN)
    said = call("check", f"{path}:f")
    check_one_sentence(said, 2, "does not say which game it is for", GAME)
    said = call("check", f"{path}:f", "--game", "president")
    check_one_sentence(said, 2, "does not say which decision", "gift", "play")
    said = call("check", f"{path}:f", "--game", "president", "--kind", "x")
    check_one_sentence(said, 2, "has no decision 'x'", "gift")


@pytest.mark.parametrize("game", sim.games.names())
def test_random_rule_sets_cover_every_option(game):
    """Each option takes several values, and no set contradicts itself."""
    rules = sim.games.load(game)
    found = [options.as_dict() for options in random_options(rules, 60)]
    for name in rules.options.specs():
        assert len({options[name] for options in found}) > 1, name
    assert isinstance(next(random_options(rules, 1)), RuleOptions)
