"""Moves between ranks: counts from tallies, figures, and intervals that hold together."""

import numpy as np
import pytest

import reports.ranks
from reports.mobility import escape_time, mean_first_passage, prais_shorrocks
from reports.ranks import COLUMNS, RankMoves, figures_of, together
from sim.tally import Tally

STICKY = np.array(
    [[0.6, 0.2, 0.1, 0.1], [0.2, 0.4, 0.3, 0.1], [0.1, 0.3, 0.3, 0.3], [0.1, 0.1, 0.3, 0.5]]
)


def test_counts_come_from_the_tally():
    """Two seats' rounds in two groups: rank 0 is before the first round."""
    tally = Tally(COLUMNS, {(0, 0, 0, 4): 3, (0, 0, 4, 1): 2, (1, 3, 4, 4): 5, (1, 3, 0, 4): 1})
    moves = RankMoves.of(tally)
    assert moves.groups.shape == (2, 4, 4)
    assert moves.moves[3].tolist() == [2, 0, 0, 5]
    assert moves.places[0].tolist() == [2, 0, 0, 3]
    assert moves.places[3].tolist() == [0, 0, 0, 6]
    assert moves.rounds == 5
    assert not moves.has_matrix
    with pytest.raises(ValueError, match="counts"):
        RankMoves.of(Tally(("leaders",)))


def test_figures_are_those_of_mobility():
    """All at once or one by one: the same numbers."""
    random = np.random.default_rng(3)
    matrices = random.dirichlet([1.0] * 4, size=(50, 4))
    found = figures_of(matrices)
    for matrix, figures in zip(matrices, found, strict=True):
        expected = [escape_time(matrix), mean_first_passage(matrix)[3, 0], prais_shorrocks(matrix)]
        assert figures == pytest.approx(expected)
    still = np.eye(4)[None]
    assert figures_of(still)[0].tolist() == [np.inf, np.inf, 0.0]
    drawn = np.full((1, 4, 4), 0.25)
    assert figures_of(drawn)[0] == pytest.approx([4 / 3, 4, 1])


def simulated(random: np.random.Generator, groups: int, games: int) -> RankMoves:
    """Chains of ten rounds of one player each, by the sticky matrix."""
    counts = np.zeros((groups, 4, 4), np.int64)
    cumulated = STICKY.cumsum(axis=1)
    for group in range(groups):
        rank = random.integers(4, size=games)
        for _ in range(10):
            after = (random.random(games)[:, None] > cumulated[rank]).sum(axis=1)
            np.add.at(counts[group], (rank, after), 1)
            rank = after
    return RankMoves(counts, np.zeros((4, 4), np.int64))


def test_intervals_hold_together(monkeypatch):
    """All four runs' intervals cover the truth in 95 of 100 experiments.

    150 experiments: fewer than 133 covers would be 3.6 standard errors below that, for each of
    three figures: a false alarm once in 2,000 sets of fresh seeds; the seeds are fixed.
    """
    monkeypatch.setattr(reports.ranks, "RESAMPLES", 300)
    random = np.random.default_rng(8)
    truth = figures_of(STICKY[None])[0]
    covered = np.zeros(3, int)
    for _ in range(150):
        runs = [simulated(random, 64, 10) for _ in range(4)]
        found = together(runs)
        covered += np.all((found.low <= truth) & (truth <= found.high), axis=0)
    assert np.all(covered >= 133)


def test_equal_runs_have_equal_intervals():
    """The same groups are drawn for all runs."""
    run = simulated(np.random.default_rng(1), 64, 5)
    found = together([run, run])
    assert np.array_equal(found.low[0], found.low[1])
    assert found.interval(1, "escape").contains(float(run.figures[0]))
    with pytest.raises(ValueError, match="30 groups"):
        together([RankMoves(run.groups[:20], run.places)])
