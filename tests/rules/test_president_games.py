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
from tests.reference.president_cards import SEATS
from tests.reference.president_judge import judge
from tests.reference.president_tables import option_dicts
from tests.reference.president_yardsticks import play as play_reference
from tests.reference.president_yardsticks import trace
from tests.rules.president_table import RULES
from tests.rules.test_president_against_reference import random_options

YARDSTICKS = ("random", "lowest")
SEATINGS = st.lists(st.sampled_from(YARDSTICKS), min_size=4, max_size=4)


def experiment(names: list[str], seed: int, options: dict[str, Any] | None = None) -> Experiment:
    """Yardsticks at the table."""
    return Experiment.make("president", names, options=options or {}, seed=seed)


@pytest.mark.parametrize("name", YARDSTICKS)
def test_traces_equal_the_referees(name: str) -> None:
    """PR-1 to PR-16: 40 games under random options, line by line, heads included."""
    chance = Random(YARDSTICKS.index(name))
    for index in range(40):
        options = random_options(chance) if index % 5 else {"rounds": 3}
        seed = chance.randrange(2**63)
        told = list(events(experiment([name] * 4, seed, options), index))
        assert told == [json.loads(line) for line in trace(options, name, seed, index)]


@settings(max_examples=30, deadline=None, database=None)
@given(option_dicts(), SEATINGS, st.integers(0, 2**63 - 1), st.integers(0, 10**12))
def test_fresh_traces_equal_the_referees(
    options: dict[str, Any], names: list[str], seed: int, index: int
) -> None:
    """PR-1 to PR-16: other games and seatings in every run of the tests."""
    told = list(events(experiment(names, seed, options), index))
    assert told == [json.loads(line) for line in trace(options, names, seed, index)]


@settings(max_examples=30, deadline=None, database=None)
@given(option_dicts(), SEATINGS, st.integers(0, 2**63 - 1), st.integers(0, 10**12))
def test_traces_are_accepted_by_the_judge(
    options: dict[str, Any], names: list[str], seed: int, first: int
) -> None:
    """PR-1 to PR-16: what `playout trace` writes, several games in a stream, is right."""
    written = list(lines(experiment(names, seed, options), first, 2))
    assert judge(written) == 2


def test_combined_strategies_are_judged_too() -> None:
    """PR-12: a gift by one strategy and plays by another; 1000 rounds outgrow the first log."""
    mixed = experiment(["gift=random,play=lowest"], 5, {"low_gives": "choice", "rounds": 100})
    written = list(lines(mixed, 0, 1))
    assert judge(written) == 1
    assert json.loads(written[0])["seats"] == ["gift=random,play=lowest"] * 4
    assert len(written) > 4096


@pytest.mark.parametrize("names", [["random"] * 4, ["lowest"] * 4, ["lowest", "random"] * 2])
def test_results_equal_the_referees(names: list[str]) -> None:
    """PR-11, PR-15: the tables, without any log, hold the referee's results."""
    chance = Random(99)
    for _ in range(4):
        options, seed = random_options(chance), chance.randrange(2**63)
        setting = experiment(names, seed, options)
        played = play(RULES, setting.options, setting.seating, seed, 1000, 6)
        rounds = iter(played.rounds)
        for index, row in enumerate(played.rows, 1000):
            game = play_reference(options, names, seed, index)
            assert [row[f"points_{seat}"] for seat in SEATS] == game.points
            for number, finish in enumerate(game.finishes, 1):
                told = next(rounds)
                assert (told["game"], told["round"]) == (index, number)
                assert [told[f"finish_{seat}"] for seat in SEATS] == finish
                assert told["plays"] == game.plays[number - 1]
        assert next(rounds, None) is None


#: Of games 0 to 59 of seed 1 with the default options, counted once with the plain-Python referee:
#: points of the seats, games in which each seat alone had most points, sets played.
COUNTS: dict[str, tuple[list[int], list[int], int]] = {
    "random": ([937, 909, 823, 931], [22, 13, 6, 16], 23120),
    "lowest": ([940, 944, 902, 814], [14, 12, 17, 13], 23929),
}


def counted(games: list[list[int]], plays: int) -> tuple[list[int], list[int], int]:
    """What `COUNTS` holds of the points of games."""
    wins: Counter[int] = Counter()
    for points in games:
        ahead = [seat for seat in SEATS if points[seat] == max(points)]
        if len(ahead) == 1:
            wins[ahead[0]] += 1
    sums = [sum(points[seat] for points in games) for seat in SEATS]
    return sums, [wins[seat] for seat in SEATS], plays


@pytest.mark.parametrize("name", YARDSTICKS)
def test_known_counts(name: str) -> None:
    """PR-15: 60 games of seed 1 end as they ended for the referee."""
    setting = experiment([name], 1)
    played = play(RULES, setting.options, setting.seating, 1, 0, 60)
    points = [[int(row[f"points_{seat}"]) for seat in SEATS] for row in played.rows]
    assert counted(points, int(played.rounds["plays"].sum())) == COUNTS[name]
    assert sum(COUNTS[name][0]) == 60 * 10 * (3 + 2 + 1)
    wins = [int((played.rows["leaders"] == 1 << seat).sum()) for seat in SEATS]
    assert wins == COUNTS[name][1]
