"""Rank mobility: how quickly places change from round to round (President).

Counts of transitions from the place of one round (row) to that of the next (column), m places
(m = 4). Rounds within a game depend on each other, so intervals resample whole games.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from reports.graphs import reachable
from reports.intervals import check_level

Floats = NDArray[np.float64]


def _check_square(matrix: Floats) -> None:
    """ValueError unless the last two axes are equal, two places or more."""
    if matrix.ndim < 2 or matrix.shape[-1] != matrix.shape[-2] or matrix.shape[-1] < 2:
        raise ValueError(f"transitions come as a square matrix of places, not as {matrix.shape}")


def _check_chances(chances: Floats) -> None:
    """ValueError unless rows are probabilities: not counts by mistake."""
    _check_square(chances)
    if not np.all(chances >= 0) or not np.all(np.abs(chances.sum(axis=-1) - 1.0) <= 1e-9):
        raise ValueError("each row of transition probabilities must be 0 or more and sum to 1")


def transition_probabilities(counts: ArrayLike) -> Floats:
    """Rows of counts (..., m, m) as probabilities; ValueError where a place was never left."""
    table = np.asarray(counts, float)
    _check_square(table)
    if not np.all(np.isfinite(table) & (table >= 0)):
        raise ValueError("counts of transitions must be 0 or more")
    totals = table.sum(axis=-1, keepdims=True)
    if not np.all(totals > 0):
        raise ValueError("a place has no transition out of it: play more games")
    return np.asarray(table / totals)


def escape_time(chances: ArrayLike, place: int = -1) -> float:
    """Mean rounds spent in a place once there, 1 / (1 - p_mm); the last place unless told."""
    p = np.asarray(chances, float)
    _check_chances(p)
    leaving = float(np.delete(p[place], place).sum())
    return 1.0 / leaving if leaving > 0 else float("inf")


def mean_first_passage(chances: ArrayLike) -> Floats:
    """(m, m): mean rounds from place i to the next time in place j; on the diagonal, the return.

    Infinite where j may never be reached. Source: Kemeny & Snell 1960, one linear system a column.
    """
    p = np.asarray(chances, float)
    _check_chances(p)
    return np.column_stack([_passage_to(p, j) for j in range(len(p))])


def _passage_to(p: Floats, j: int) -> Floats:
    """Mean rounds from each place to place j, from which the chain does not go on."""
    stopped = p > 0
    stopped[j] = False
    reach = reachable(stopped)
    # A place is lost if some way from it leads to where j is out of reach.
    sure = np.asarray(~(reach & ~reach[:, j]).any(axis=1))
    sure[j] = False
    times = np.full(len(p), np.inf)
    inner = np.eye(int(sure.sum())) - p[np.ix_(sure, sure)]
    times[sure] = np.linalg.solve(inner, np.ones(int(sure.sum())))
    others = np.delete(np.arange(len(p)), j)
    ways = others[p[j, others] > 0]
    times[j] = 1.0 + float(p[j, ways] @ times[ways])
    return times


def prais_shorrocks(chances: ArrayLike) -> float:
    """(m - trace) / (m - 1): 0 where nobody moves, 1 where places are drawn anew each round."""
    p = np.asarray(chances, float)
    _check_chances(p)
    return float((len(p) - np.trace(p)) / (len(p) - 1))


@dataclass(frozen=True, slots=True)
class Bootstrap:
    """A statistic with its limits, all of the statistic's shape; `level` holds for each alone."""

    estimate: Floats
    low: Floats
    high: Floats
    level: float
    resamples: int
    method: str = "bootstrap by games"


def resampled_counts(game_counts: ArrayLike, resamples: int, seed: int) -> Floats:
    """Total counts (resamples, m, m) of as many games, drawn with replacement from (n, m, m)."""
    games = np.asarray(game_counts, float)
    n = len(games)
    rng = np.random.default_rng(seed)
    flat = games.reshape(n, -1)
    drawn = (np.bincount(rng.integers(n, size=n), minlength=n) for _ in range(resamples))
    return np.stack([times @ flat for times in drawn]).reshape(resamples, *games.shape[1:])


def bootstrap(
    game_counts: ArrayLike,
    statistic: Callable[[Floats], float | Floats],
    level: float = 0.95,
    resamples: int = 2000,
    seed: int = 0,
) -> Bootstrap:
    """Percentile interval of statistic(transition probabilities) from counts a game (n, m, m).

    Whole games are drawn anew, `resamples` times, so that rounds of one game stay together. With
    very many games, sum them in groups first: groups of games may be drawn in their place. Raises
    ValueError for fewer than 30 games or groups. Source: Efron 1979.
    """
    check_level(level)
    games = np.asarray(game_counts, float)
    if games.ndim != 3 or len(games) < 30:
        raise ValueError(f"a bootstrap needs 30 games or more, (games, m, m), not {games.shape}")
    estimate = np.asarray(statistic(transition_probabilities(games.sum(axis=0))), float)
    chances = transition_probabilities(resampled_counts(games, resamples, seed))
    values = np.stack([np.asarray(statistic(p), float) for p in chances])
    tail = (1.0 - level) / 2.0
    low = np.quantile(values, tail, axis=0, method="lower")
    high = np.quantile(values, 1.0 - tail, axis=0, method="higher")
    return Bootstrap(estimate, np.asarray(low), np.asarray(high), level, resamples)
