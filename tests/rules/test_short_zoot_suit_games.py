"""Whole games of the yardsticks by seed: playout's engine and traces beside referee and judge.

Everything here is exact: the same seed must give the same game.
"""

import json
import shutil
import subprocess
from collections import Counter
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.engine import play
from sim.experiment import Experiment
from sim.trace import events, lines
from tests.reference.short_zoot_suit_cards import ALLOWED
from tests.reference.short_zoot_suit_judge import judge
from tests.reference.short_zoot_suit_tables import option_dicts
from tests.reference.short_zoot_suit_yardsticks import play as play_reference
from tests.reference.short_zoot_suit_yardsticks import trace
from tests.rules.short_zoot_suit_table import RULES
from tests.rules.test_short_zoot_suit_against_reference import random_options

YARDSTICKS = ("random", "plain")
#: Every combination of the options that are a choice.
COMBINATIONS = [
    dict(zip(("players", "ace", "draws", "doubles", "short_shorts", "bonus"), values, strict=True))
    for values in product(
        (2, 3, 4),
        ALLOWED["ace"],
        ALLOWED["draws"],
        ALLOWED["doubles"],
        (False, True),
        ("none", "stars", "1,0,0,2,9"),
    )
    if values[0] > 2 or values[3] == "off"
]


def experiment(names: list[str], seed: int, options: dict[str, Any] | None = None) -> Experiment:
    """Yardsticks at the table."""
    return Experiment.make("short-zoot-suit", names, options=options or {}, seed=seed)


@pytest.mark.parametrize("name", YARDSTICKS)
def test_traces_equal_the_referees_under_all_options(name: str) -> None:
    """ZS-1 to ZS-15: a game under each of 168 combinations, line by line, heads included."""
    assert len(COMBINATIONS) == 168
    for index, options in enumerate(COMBINATIONS):
        told = list(events(experiment([name], index, options), index))
        assert told == [json.loads(line) for line in trace(options, name, index, index)]


def test_traces_of_all_option_combinations_are_judged() -> None:
    """ZS-1 to ZS-15: what `playout trace` writes under each combination is complete and right."""
    written = [
        line
        for index, options in enumerate(COMBINATIONS)
        for line in lines(experiment(["random"], 7, options), index, 1)
    ]
    assert judge(written) == len(COMBINATIONS)


@settings(max_examples=25, deadline=None, database=None)
@given(option_dicts(), st.data(), st.integers(0, 2**63 - 1), st.integers(0, 10**12))
def test_fresh_traces_equal_the_referees(
    options: dict[str, Any], data: st.DataObject, seed: int, index: int
) -> None:
    """ZS-1 to ZS-15: other games and seatings in every run of the tests; the judge agrees."""
    players = options["players"]
    seating = st.lists(st.sampled_from(YARDSTICKS), min_size=players, max_size=players)
    names = data.draw(seating)
    told = list(events(experiment(names, seed, options), index))
    assert told == [json.loads(line) for line in trace(options, names, seed, index)]
    assert judge(list(lines(experiment(names, seed, options), index, 1))) == 1


def test_long_games_and_combined_strategies() -> None:
    """ZS-3: 80 rounds outgrow the first log; a combination is named in the head."""
    spec = "draft=random,draw=plain,play=random"
    mixed = experiment([spec], 5, {"rounds": 20})
    written = list(lines(mixed, 0, 1))
    assert judge(written) == 1
    assert json.loads(written[0])["seats"] == [spec] * 4
    assert len(written) > 4096


@pytest.mark.parametrize("name", YARDSTICKS)
def test_results_equal_the_referees(name: str) -> None:
    """ZS-9, ZS-10: the tables, without any log, hold the referee's results."""
    chance = Random(99)
    for _ in range(4):
        options, seed = random_options(chance), chance.randrange(2**63)
        setting = experiment([name], seed, options)
        played = play(RULES, setting.options, setting.seating, seed, 1000, 5)
        rounds = iter(played.rounds)
        seats = range(options["players"])
        for index, row in enumerate(played.rows, 1000):
            game = play_reference(options, name, seed, index)
            assert [row[f"points_{seat}"] for seat in seats] == game.points
            for number, event in enumerate(game.rounds, 1):
                told = next(rounds)
                assert (told["game"], told["round"]) == (index, number)
                for field in ("tricks", "shorts", "points"):
                    assert [told[f"{field}_{seat}"] for seat in seats] == event[field]
        assert next(rounds, None) is None


@pytest.mark.parametrize("players", [2, 3, 4])
def test_outcomes_are_those_of_the_seats_there_are(players: int) -> None:
    """ZS-9: each seat wins alone, or several share; every game is one of these."""
    setting = experiment(["plain"], 6, {"players": players})
    names = [measure.name for measure in setting.measures]
    assert names == [*(f"seat {seat} wins" for seat in range(players)), "shared"]
    rows = play(RULES, setting.options, setting.seating, 6, 0, 200).rows
    columns = {name: rows[name] for name in rows.dtype.names}
    hits = sum(measure.where(columns).astype(int) for measure in setting.measures)
    assert (hits == 1).all()


COMPILER = shutil.which("gcc") or shutil.which("cc")


@pytest.mark.skipif(COMPILER is None, reason="there is no C compiler")
def test_twin_in_c_counts_the_same(tmp_path: Path) -> None:
    """ZS-9: the C program that `playout bench` measures ends 1000 games as the engine does."""
    source = Path(__file__).parents[1] / "reference" / "short_zoot_suit.c"
    program = tmp_path / "twin"
    subprocess.run([str(COMPILER), "-O1", "-o", str(program), str(source)], check=True)
    for name, players in product(YARDSTICKS, (2, 3, 4)):
        call = [str(program), name, "5", "1000", *([str(players)] if players < 4 else [])]
        told = subprocess.run(call, capture_output=True, check=True)
        cells = {leaders: count for leaders, count in json.loads(told.stdout)["cells"] if count}
        setting = experiment([name], 5, {"players": players})
        rows = play(RULES, setting.options, setting.seating, 5, 0, 1000).rows
        assert cells == Counter(rows["leaders"].tolist())
