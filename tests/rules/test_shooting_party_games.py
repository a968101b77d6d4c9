"""Whole games of the yardsticks by seed: playout's engine and traces beside referee and judge.

Everything here is exact: the same seed must give the same game.
"""

import json
from collections import Counter
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.engine import play
from sim.experiment import Experiment
from sim.trace import events, lines
from tests.reference.shooting_party_cards import ALLOWED
from tests.reference.shooting_party_judge import judge
from tests.reference.shooting_party_tables import option_dicts
from tests.reference.shooting_party_yardsticks import play as play_reference
from tests.reference.shooting_party_yardsticks import trace
from tests.rules.shooting_party_table import RULES, same_story

YARDSTICKS = ("random", "tidy")


def experiment(name: str, seed: int, options: dict[str, Any] | None = None) -> Experiment:
    """A yardstick at the table."""
    return Experiment.make("shooting-party", [name], options=options or {}, seed=seed)


def random_options(chance: Random) -> dict[str, Any]:
    """Every option, each with a random value."""
    return {name: chance.choice(allowed) for name, allowed in ALLOWED.items()}


@pytest.mark.parametrize("name", YARDSTICKS)
def test_traces_equal_the_referees(name: str) -> None:
    """SP-1 to SP-17: 150 games under random options, line by line, heads included."""
    chance = Random(YARDSTICKS.index(name))
    for index in range(150):
        options = random_options(chance) if index % 5 else {}
        seed = chance.randrange(2**63)
        told = list(events(experiment(name, seed, options), index))
        expected = [json.loads(line) for line in trace(options, name, seed, index)]
        assert told[0] == expected[0]
        assert same_story(told[1:]) == same_story(expected[1:])


@settings(max_examples=60, deadline=None, database=None)
@given(option_dicts(), st.integers(0, 2**63 - 1), st.integers(0, 10**12))
def test_fresh_traces_equal_the_referees(options: dict[str, Any], seed: int, index: int) -> None:
    """SP-1 to SP-17: other games in every run of the tests."""
    for name in YARDSTICKS:
        told = list(events(experiment(name, seed, options), index))
        expected = [json.loads(line) for line in trace(options, name, seed, index)]
        assert same_story(told) == same_story(expected)


@settings(max_examples=60, deadline=None, database=None)
@given(option_dicts(), st.integers(0, 2**63 - 1), st.integers(0, 10**12), st.integers(1, 3))
def test_traces_are_accepted_by_the_judge(
    options: dict[str, Any], seed: int, first: int, games: int
) -> None:
    """SP-1 to SP-17: what `playout trace` writes, several games in a stream, is right."""
    for name in YARDSTICKS:
        written = list(lines(experiment(name, seed, options), first, games))
        assert judge(written) == games


@pytest.mark.parametrize("name", YARDSTICKS)
def test_results_equal_the_referees(name: str) -> None:
    """SP-16: the games table, without any log, holds the referee's results."""
    chance = Random(99)
    for _ in range(6):
        options, seed = random_options(chance), chance.randrange(2**63)
        setting = experiment(name, seed, options)
        rows = play(RULES, setting.options, setting.seating, seed, 1000, 25).rows
        for index, row in enumerate(rows, 1000):
            game = play_reference(options, name, seed, index)
            assert (row["queens"], row["aces"], row["reshuffles"], row["decisions"]) == (
                len(game.scored_queens),
                len(game.scored_aces),
                game.options.reshuffles - game.reshuffles_left,
                game.decisions,
            )


#: (queens, aces) -> games, of games 0 to 1999 of seed 1 with the default options, and all their
#: decisions; counted once with the plain-Python referee.
COUNTS = {
    "random": {(0, 0): 1856, (1, 0): 76, (1, 1): 64, (2, 0): 1, (2, 1): 1, (2, 2): 2},
    "tidy": {
        **{(0, 0): 179, (1, 0): 121, (1, 1): 450, (2, 0): 33, (2, 1): 319, (2, 2): 477},
        **{(3, 0): 1, (3, 1): 49, (3, 2): 181, (3, 3): 153, (4, 2): 7, (4, 3): 21, (4, 4): 9},
    },
}
DECISIONS = {"random": 77454, "tidy": 115865}


@pytest.mark.parametrize("name", YARDSTICKS)
def test_known_counts(name: str) -> None:
    """SP-16: 2000 games of seed 1 end as they ended for the referee."""
    setting = experiment(name, 1)
    rows = play(RULES, setting.options, setting.seating, 1, 0, 2000).rows
    pairs = zip(rows["queens"].tolist(), rows["aces"].tolist(), strict=True)
    assert Counter(pairs) == COUNTS[name]
    assert sum(COUNTS[name].values()) == 2000
    assert int(rows["decisions"].sum()) == DECISIONS[name]
    assert set(rows["reshuffles"].tolist()) <= {0, 1, 2}
