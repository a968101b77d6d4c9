"""Moves between ranks, of one run or of many on the same deals, with intervals by resampling.

The unit that is drawn is a group of whole games, so rounds of one game stay together; all runs of a
comparison draw the same groups, because group i of each has the same deals.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy import special

from reports.intervals import Interval, check_level
from reports.mobility import (
    escape_time,
    mean_first_passage,
    prais_shorrocks,
    resampled_counts,
    transition_probabilities,
)
from sim.tally import Tally

Floats = NDArray[np.float64]

COLUMNS = ("group", "seat", "before", "after")
"""The round tally of a game with ranks; the rank before the first round is 0."""

RANKS = 4
FEWEST_GROUPS = 30
RESAMPLES = 1000


@dataclass(frozen=True, eq=False)
class RankMoves:
    """Counts (groups, 4, 4) of moves from rank to rank, and (4 seats, 4) of finishing ranks."""

    groups: NDArray[np.int64]
    places: NDArray[np.int64]

    @classmethod
    def of(cls, tally: Tally) -> RankMoves:
        """From the round tally of a run."""
        if tally.columns != COLUMNS:
            raise ValueError(f"a tally of rank moves counts {COLUMNS}, not {tally.columns}")
        table, counts = tally.table()
        size = int(table["group"].max(initial=0)) + 1
        groups = np.zeros((size, RANKS + 1, RANKS), np.int64)
        places = np.zeros((RANKS, RANKS), np.int64)
        np.add.at(groups, (table["group"], table["before"], table["after"] - 1), counts)
        np.add.at(places, (table["seat"], table["after"] - 1), counts)
        return cls(groups[:, 1:], places)

    @property
    def rounds(self) -> int:
        """The number of rounds that were counted."""
        return int(self.places[0].sum())

    @property
    def moves(self) -> NDArray[np.int64]:
        """All moves (4, 4)."""
        return np.asarray(self.groups.sum(axis=0))

    @property
    def has_matrix(self) -> bool:
        """Whether every rank was left at least once, so that there are probabilities."""
        return bool(np.all(self.moves.sum(axis=1) > 0))

    @cached_property
    def matrix(self) -> Floats:
        """The probabilities of moves; row: rank before."""
        return transition_probabilities(self.moves)

    @cached_property
    def figures(self) -> Floats:
        """The figures of the matrix, in the order of `FIGURES`."""
        return np.asarray(figures_of(self.matrix[None])[0])

    @property
    def has_intervals(self) -> bool:
        """Whether there are enough groups to be resampled."""
        return self.has_matrix and len(self.groups) >= FEWEST_GROUPS

    def limits(self, level: float = 0.95) -> tuple[Floats, Floats, Floats, Floats]:
        """Percentile limits, each number alone: low and high of the matrix, then of the figures."""
        return *percentiles(self.drawn, level), *percentiles(figures_of(self.drawn), level)

    @cached_property
    def drawn(self) -> Floats:
        """Probabilities (RESAMPLES, 4, 4) of matrices of groups drawn anew, the same each time."""
        return self.resampled(RESAMPLES, 0)

    def resampled(self, resamples: int, seed: int) -> Floats:
        """Probabilities (resamples, 4, 4) of matrices of groups drawn anew."""
        return transition_probabilities(resampled_counts(self.groups, resamples, seed))


def percentiles(values: Floats, level: float) -> tuple[Floats, Floats]:
    """Low and high percentile limits over the first axis."""
    tail = (1.0 - level) / 2.0
    low = np.quantile(values, tail, axis=0, method="lower")
    return low, np.quantile(values, 1.0 - tail, axis=0, method="higher")


def ranks_of(tally: Tally) -> RankMoves | None:
    """The moves between ranks that a run counted, if its game has ranks."""
    rounds = tally.rounds
    return RankMoves.of(rounds) if rounds is not None and rounds.columns == COLUMNS else None


FIGURES = ("escape", "passage", "prais")
"""Escape time of the Janitor; mean first passage from Janitor to President; Prais-Shorrocks."""


def figures_of(matrices: Floats) -> Floats:
    """(n, 3): the figures of each of (n, 4, 4) matrices.

    All at once where every move is possible, as in nearly all resamples; else one by one.
    """
    if np.all(matrices > 0):
        stay = np.diagonal(matrices, axis1=1, axis2=2)
        inner = np.eye(RANKS - 1) - matrices[:, 1:, 1:]
        passage = np.linalg.solve(inner, np.ones((len(matrices), RANKS - 1, 1)))
        prais = (RANKS - stay.sum(axis=1)) / (RANKS - 1)
        return np.stack([1.0 / (1.0 - stay[:, -1]), passage[:, -1, 0], prais], axis=1)
    return np.array(
        [[escape_time(p), mean_first_passage(p)[-1, 0], prais_shorrocks(p)] for p in matrices]
    )


@dataclass(frozen=True, eq=False)
class Together:
    """Estimates (runs, figures) of many runs with simultaneous limits, one column a figure."""

    estimate: Floats
    error: Floats
    low: Floats
    high: Floats
    level: float

    def interval(self, run: int, figure: str) -> Interval:
        """The interval of one figure of one run."""
        column = FIGURES.index(figure)
        return Interval(
            float(self.low[run, column]), float(self.high[run, column]), self.level, METHOD
        )


METHOD = "max-T, games resampled"


def together(runs: Sequence[RankMoves], level: float = 0.95) -> Together:
    """The figures of runs on the same deals, with intervals that hold together for each figure.

    max-T by resampling: each run's figure is estimate ± q standard errors, where q is what the
    largest deviation of a resample, in standard errors over all runs, stays below with chance
    `level`; q is taken from the normal distribution to Student's t with one degree of freedom less
    than there are groups, because the errors are estimated from so many. The same groups are drawn
    for all runs. Source: Westfall & Young 1993 for max-T by resampling. Raises ValueError for fewer
    than 30 groups.
    """
    check_level(level)
    if any(len(run.groups) < FEWEST_GROUPS for run in runs):
        raise ValueError(f"intervals need {FEWEST_GROUPS} groups of games or more in each run")
    estimate = np.stack([run.figures for run in runs])
    drawn = np.stack([figures_of(run.drawn) for run in runs])
    error = drawn.std(axis=1, ddof=1)
    deviation = np.abs(drawn - estimate[:, None]) / np.where(error > 0, error, 1.0)[:, None]
    normal = np.quantile(deviation.max(axis=0), level, axis=0, method="higher")
    freedom = min(len(run.groups) for run in runs) - 1
    quantile = -special.stdtrit(float(freedom), special.ndtr(-normal))
    return Together(
        estimate, error, estimate - quantile * error, estimate + quantile * error, level
    )
