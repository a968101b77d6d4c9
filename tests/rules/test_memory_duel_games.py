"""Whole games of the yardsticks by seed: playout's engine and traces beside referee and judge.

Everything here is exact: the same seed must give the same game.
"""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.engine import play
from sim.experiment import Experiment
from sim.trace import events, lines
from tests.reference.memory_duel_judge import judge
from tests.reference.memory_duel_yardsticks import play as play_reference
from tests.reference.memory_duel_yardsticks import trace
from tests.rules.memory_duel_table import LOST, MODEL_SPECS, OPTION_DICTS, RULES, SURE

SPECS = st.lists(
    st.sampled_from(["random", "threshold", "threshold(k=1)", "threshold(k=7)"]),
    min_size=2,
    max_size=2,
)
MODELS = st.lists(MODEL_SPECS, min_size=2, max_size=2)


def experiment(
    specs: list[str], seed: int = 1, options: dict[str, Any] | None = None, models: Any = ()
) -> Experiment:
    """Yardsticks at the table."""
    return Experiment.make("memory-duel", specs, options=options or {}, seed=seed, models=models)


def rows_of(setting: Experiment, games: int) -> Any:
    """Games 0 to games - 1."""
    return play(RULES, setting.options, setting.seating, setting.seed, 0, games).rows


@settings(max_examples=60, deadline=None, database=None)
@given(OPTION_DICTS, SPECS, MODELS, st.integers(0, 2**63 - 1), st.integers(0, 10**12))
def test_fresh_traces_equal_the_referees(
    options: dict[str, Any], specs: list[str], models: list[str], seed: int, index: int
) -> None:
    """MD-1 to MD-8: traces line by line, heads included."""
    told = list(events(experiment(specs, seed, options, models), index))
    assert told == [json.loads(line) for line in trace(options, specs, seed, index, models)]


@settings(max_examples=40, deadline=None, database=None)
@given(OPTION_DICTS, SPECS, MODELS, st.integers(0, 2**63 - 1))
def test_traces_are_accepted_by_the_judge(
    options: dict[str, Any], specs: list[str], models: list[str], seed: int
) -> None:
    """MD-1 to MD-8: what `playout trace` writes, several games in a stream, is right."""
    assert judge(list(lines(experiment(specs, seed, options, models), 3, 2))) == 2


@pytest.mark.parametrize("spec", ["random", "threshold"])
def test_results_equal_the_referees(spec: str) -> None:
    """MD-6: the games table, without any log, holds the referee's results."""
    rows = rows_of(experiment([spec]), 60)
    for index, row in enumerate(rows):
        game = play_reference({}, spec, 1, index)
        assert [row["claimed_0"], row["claimed_1"]] == [len(cards) for cards in game.claimed]
        assert (row["unclaimed"], row["calls"]) == (len(game.stack), len(game.recitals))


def test_exact_facts() -> None:
    """MD-4 to MD-6: what the rules' own examples say, in every game."""
    for models, spec, result in (
        ([LOST], "threshold(1)", (0, 52, 0)),
        ([SURE], "threshold(1)", (52, 0, 0)),
        (["iid(0.9)"], "threshold(53)", (0, 0, 52)),
    ):
        rows = rows_of(experiment([spec], models=models), 50)
        for row in rows:
            assert (row["claimed_0"], row["claimed_1"], row["unclaimed"]) == result


def test_cards_add_up() -> None:
    """MD-6: claimed and unclaimed cards are the pack."""
    rows = rows_of(experiment(["random", "threshold(4)"], models=["persistent"]), 2000)
    total = rows["claimed_0"].astype(int) + rows["claimed_1"] + rows["unclaimed"]
    assert (total == 52).all()


def test_same_recitals_for_all_strategies() -> None:
    """MD-8: a seat called on the same cards at the same card of the pack meets the same luck."""
    luck: dict[tuple[int, int, int, int], bool] = {}
    met = 0
    for spec in ("random", "threshold(3)", "threshold(4)", "threshold(5)"):
        for index in range(150):
            laid = 0
            for event in events(experiment([spec], 9), index):
                laid += event["ev"] == "raise"
                if event["ev"] == "call":
                    place = (index, laid, event["seat"], event["cards"])
                    met += place in luck
                    assert luck.setdefault(place, event["recited"]) == event["recited"]
    assert met > 100
