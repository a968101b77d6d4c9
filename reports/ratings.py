"""Bradley-Terry ratings: one number a strategy, as a summary beside the payoff matrix.

The model says that i beats j with chance 1 / (1 + exp(rating_j - rating_i)). It cannot express
cycles (A beats B beats C beats A), so these are listed beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from reports.graphs import cycles, reachable

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Ratings:
    """Ratings (k,) on the log-odds scale, mean 0, with standard errors and covariance (k, k).

    A difference of ratings d means a win chance of 1 / (1 + exp(-d)); 400 d / ln 10 is its size in
    Elo points. The standard errors hold for independent results.
    """

    rating: Floats
    standard_error: Floats
    covariance: Floats

    def difference(self, i: int, j: int) -> tuple[float, float]:
        """Rating of i minus that of j, and its standard error."""
        cov = self.covariance
        variance = cov[i, i] + cov[j, j] - 2.0 * cov[i, j]
        return float(self.rating[i] - self.rating[j]), float(np.sqrt(max(variance, 0.0)))


def _checked_wins(wins: ArrayLike) -> Floats:
    """The wins matrix; ValueError unless it has finite ratings."""
    table = np.asarray(wins, float)
    if table.ndim != 2 or table.shape[0] != table.shape[1] or len(table) < 2:
        raise ValueError(f"wins come as a square matrix of two strategies or more: {table.shape}")
    if not np.all(np.isfinite(table) & (table >= 0)) or np.diag(table).any():
        raise ValueError("wins are 0 or more, and none against oneself")
    reach = reachable(table > 0)
    if not reach.all():
        strong, weak = np.argwhere(~reach)[0][::-1]
        raise ValueError(
            f"no finite ratings: no chain of wins leads from strategy {weak} to strategy {strong}; "
            "ratings need one from each to each"
        )
    return table


def _score_and_information(rating: Floats, wins: Floats) -> tuple[Floats, Floats]:
    """First derivatives (k,) and Fisher information (k, k) of the log likelihood."""
    chance = special.expit(rating[:, None] - rating[None, :])
    games = wins + wins.T
    weight = games * chance * (1.0 - chance)
    information = np.diag(weight.sum(axis=1)) - weight
    return (wins - games * chance).sum(axis=1), information


def _log_likelihood(rating: Floats, wins: Floats) -> float:
    """Log likelihood of the wins."""
    return float((wins * special.log_expit(rating[:, None] - rating[None, :])).sum())


def bradley_terry(wins: ArrayLike) -> Ratings:
    """Maximum likelihood ratings from wins (k, k): wins[i, j] times i beat j; a tie is half each.

    Newton's method with step halving on the concave likelihood. Raises ValueError where no finite
    ratings exist (some strategies never lost to the others). Sources: Bradley & Terry 1952; Ford
    1957 for the condition.
    """
    table = _checked_wins(wins)
    k = len(table)
    rating = np.zeros(k)
    for _ in range(100):
        score, information = _score_and_information(rating, table)
        step = np.linalg.solve(information + 1.0 / k, score)
        size = 1.0
        here = _log_likelihood(rating, table)
        while size > 1e-9 and _log_likelihood(rating + size * step, table) < here:
            size /= 2.0
        rating = rating + size * step
        if np.abs(step).max() < 1e-12:
            break
    rating -= rating.mean()
    _, information = _score_and_information(rating, table)
    covariance = np.asarray(np.linalg.pinv(information, hermitian=True), float)
    return Ratings(rating, np.sqrt(np.diag(covariance)), covariance)


def preference_cycles(
    better: NDArray[np.bool_], names: Sequence[str], limit: int = 100
) -> list[tuple[str, ...]]:
    """Cycles in better[i, j] (i's interval against j excludes 0, above it), the shortest first.

    ('a', 'b', 'c') reads: a beats b, b beats c, c beats a. At most `limit` are listed; a result
    of that length may be cut off.
    """
    if better.shape != (len(names), len(names)):
        raise ValueError(f"{len(names)} names for comparisons of shape {better.shape}")
    found = islice(cycles(np.asarray(better, bool)), limit)
    return [tuple(names[i] for i in cycle) for cycle in found]
