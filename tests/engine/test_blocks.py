"""Blocks: one deal in all the seatings of a design."""

from collections import Counter

import numpy as np
import pytest

from sim.blocks import FIELD, Match, designs, in_order
from sim.engine import play
from sim.errors import PlayError, UsageError
from sim.experiment import Experiment
from tests.engine.tiny_game import GAME, RULES

SEED = 3


def match(specs, *, players=2, design="swap", field=None):
    chosen = designs(players, field is not None)[design]
    options = RULES.options.parse([f"players={players}"])
    return Match(GAME, options, SEED, tuple(specs), chosen, RULES.scores, field)


def rows(specs, players=2, count=30):
    experiment = Experiment.make(GAME, specs, options=[f"players={players}"], seed=SEED)
    return play(experiment.rules, experiment.options, experiment.seating, SEED, 0, count).rows


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
@pytest.mark.parametrize("against", [False, True])
def test_designs_are_balanced(seats, against):
    """Both players have equally many seats; with `all` and `all-seats` every seat equally often."""
    for name, design in designs(seats, against and seats > 1).items():
        own = Counter(seat for row in design.seatings for seat, who in enumerate(row) if who == 0)
        other = Counter(seat for row in design.seatings for seat, who in enumerate(row) if who == 1)
        assert sum(own.values()) == design.places
        assert all(len(row) == seats for row in design.seatings)
        if not design.apart:
            assert sum(other.values()) == design.places
            assert FIELD not in {who for row in design.seatings for who in row}
        if name in ("all", "all-seats"):
            assert len({own[seat] for seat in range(seats)}) == 1
        if name == "all":
            assert own == other


def test_values_at_one_table_are_sums_over_seatings():
    """Against the games themselves, played one seating at a time."""
    found = match(["random", "stubborn"]).play(0, 30).values
    there, back = rows(["random", "stubborn"]), rows(["stubborn", "random"])
    for score in range(2):
        assert found[score, 0].tolist() == (there["points_0"] + back["points_1"]).tolist()
        assert found[score, 1].tolist() == (there["points_1"] + back["points_0"]).tolist()


def test_values_against_a_field():
    """Each strategy in every seat in turn."""
    specs = ["random", "stubborn"]
    found = match(specs, players=3, design="all-seats", field="random").play(0, 30).values
    for column, spec in enumerate(specs):
        games = [rows([spec if s == own else "random" for s in range(3)], 3) for own in range(3)]
        expected = sum(game[f"points_{own}"].astype(int) for own, game in enumerate(games))
        assert found[0, column].tolist() == expected.tolist()


def test_variance_of_lone_games():
    """What the difference would vary by if each game of a block had a deal of its own."""
    apart = match(["random", "stubborn"]).play(0, 30).apart
    there, back = rows(["random", "stubborn"]), rows(["stubborn", "random"])
    one = there["points_0"].astype(int) - there["points_1"]
    two = back["points_1"].astype(int) - back["points_0"]
    assert apart[0, 0] == pytest.approx(one.var(ddof=1) + two.var(ddof=1))


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("field", [None, "random"])
def test_identical_strategies_never_differ(players, field):
    """In every block of every design, exactly."""
    for design in designs(players, field is not None):
        values = match(["stubborn"] * 2, players=players, design=design, field=field).play(0, 50)
        assert (values.values[:, 0] == values.values[:, 1]).all()


def test_three_strategies_have_a_table_for_each_pair():
    """Pairs keep tables of their own, and a pair's blocks do not depend on who else plays."""
    three = match(["random", "stubborn", "random"]).play(0, 30).values
    assert three.shape == (2, 6, 30)
    assert (three[:, :2] == match(["random", "stubborn"]).play(0, 30).values).all()


@pytest.mark.parametrize("jobs", [1, 3])
def test_spans_come_in_index_order(jobs):
    """Whatever the number of workers, the same numbers in the same order."""
    two = match(["random", "stubborn"])
    spans = [(0, 40), (40, 3), (43, 30), (73, 1)]
    parts = list(in_order(two.play, spans, lambda blocks: blocks.values, jobs))
    assert [part.shape[-1] for part in parts] == [40, 3, 30, 1]
    assert (np.concatenate(parts, axis=-1) == two.play(0, 74).values).all()


def test_the_first_fault_is_told(tmp_path):
    """The lowest game's, though a later span fails sooner."""
    path = tmp_path / "mine.py"
    path.write_text("def f(view, ctx):\n    return 77\n")
    spec = f"play={path}:f,swap=stubborn"
    with pytest.raises(PlayError, match="game 5 "):
        list(in_order(match(["random", spec]).play, [(5, 400), (405, 1)], lambda b: b, 2))


def test_one_strategy_is_no_comparison():
    with pytest.raises(UsageError, match="at least two"):
        match(["random"])
