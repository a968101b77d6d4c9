"""What scores can come to: sequential intervals rest on it, and break where a span is too small.

Everything here is exact: the false-alarm rate is 0.
"""

import numpy as np
import pytest

import sim.games
from scripts.compare import make_match, reach_of
from sim.blocks import designs, score_columns
from sim.engine import play
from sim.experiment import Experiment

#: Options and strategies that push scores to their ends.
EXTREMES = [
    ("shooting-party", "tidy", (), ()),
    ("short-zoot-suit", "random", ("bonus=0,0,0,0,1000", "rounds=3"), ()),
    ("short-zoot-suit", "random", ("bonus=1000,0,0,0,0", "players=2"), ()),
    ("short-zoot-suit", "plain", ("bonus=1000,1000,1000,1000,1000", "players=3"), ()),
    ("short-zoot-suit", "random", ("short_shorts=on", "players=3", "doubles=replace-one"), ()),
    ("president", "random", ("points=10,0,0,-7", "rounds=1"), ()),
    ("president", "random", ("points=-7,-3,-2,-1", "rounds=2"), ()),
    ("president", "lowest", ("points=-1000,1000,-1000,1000",), ()),
    ("memory-duel", "threshold(1)", (), ("iid(1)",)),
    ("memory-duel", "threshold(1)", ("cards=208",), ("iid(0)",)),
    ("memory-duel", "random", ("cards=1",), ("iid(0.5)",)),
]


@pytest.mark.parametrize(("game", "spec", "options", "models"), EXTREMES)
def test_no_score_leaves_its_span(game, spec, options, models):
    """In every seat of 200 games; and a score that is the same in all games is inside as well."""
    made = Experiment.make(game, [spec], options=options, seed=4, models=models)
    games = score_columns(play(made.rules, made.options, made.seating, 4, 0, 200))
    for score in made.rules.scores:
        low, high = score.span(made.options)
        for seat in range(made.rules.seats(made.options)):
            values = np.asarray(score.of(games, seat))
            assert low <= values.min()
            assert values.max() <= high


@pytest.mark.parametrize(
    ("game", "options", "models", "expected"),
    [
        ("memory-duel", ("cards=208",), ("iid(1)",), 208),
        ("memory-duel", ("cards=1",), ("iid(0)",), 1),
    ],
)
def test_spans_that_are_met(game, options, models, expected):
    """Recall that never fails, or always: one seat claims all, so the span is no wider."""
    made = Experiment.make(game, ["threshold(1)"], options=options, seed=4, models=models)
    games = score_columns(play(made.rules, made.options, made.seating, 4, 0, 3))
    [score] = [one for one in made.rules.scores if one.name == "cards"]
    assert abs(score.of(games, 0)).tolist() == [expected] * 3
    assert score.span(made.options) == (-expected, expected)


@pytest.mark.parametrize(
    ("game", "spec", "options"),
    [
        ("shooting-party", "random", ()),
        ("short-zoot-suit", "random", ("players=3",)),
        ("short-zoot-suit", "random", ("players=4", "bonus=stars")),
        ("president", "random", ("rounds=2",)),
        ("memory-duel", "random", ("cards=9",)),
    ],
)
def test_the_same_strategy_twice_never_differs(game, spec, options):
    """A coin of its own for each seat, yet the blocks of both are equal: every score and design."""
    rules = sim.games.load(game)
    seats = rules.seats(rules.options.parse(list(options)))
    for against in {None, None if seats == 1 else "random"}:
        for design in designs(seats, against is not None):
            match = make_match(game, [spec, spec], options=options, against=against, design=design)
            values = match.play(0, 60).values
            assert (values[:, 0] == values[:, 1]).all()
            reach, _ = reach_of(match)
            assert reach > 0
