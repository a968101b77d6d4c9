"""Many strategies on the same deals: simultaneous intervals, Holm's p values, shared places.

All k strategies play the same deals, so their block values are correlated; the covariance of the
block values says how much. The max-T intervals use it: together they cover with chance `level`,
and they are narrower than those that know nothing of the correlation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import optimize, special

from reports.intervals import check_level

Floats = NDArray[np.float64]

UNVARIED = 1e-12
"""Relative variance, or size, of a difference below which it is rounding, hence 0."""

LARGE = 10**7
"""Degrees of freedom from which Student's t counts as the normal distribution."""


@dataclass(frozen=True, slots=True)
class MaxT:
    """Simultaneous intervals of c comparisons, each array of shape (c,).

    `quantile` is what the largest |difference| / standard error exceeds with chance 1 - level;
    `tail_error` is the standard error of that chance, from the random directions it was computed
    with. A `standard_error` of 0 means that the difference was the same in every block.
    """

    difference: Floats
    standard_error: Floats
    low: Floats
    high: Floats
    p_value: Floats
    quantile: float
    tail_error: float
    level: float
    method: str = "max-T"


def moments(blocks: ArrayLike) -> tuple[int, Floats, Floats]:
    """Number of blocks, means (k,) and covariance (k, k), divisor n - 1, of block values (n, k)."""
    values = np.asarray(blocks, float)
    if values.ndim != 2 or values.shape[0] < 2:
        raise ValueError(f"block values come as (blocks, strategies), not as {values.shape}")
    mean = values.mean(axis=0)
    centred = values - mean
    return len(values), mean, centred.T @ centred / (len(values) - 1)


def moments_from_sums(
    n: int, sums: Sequence[int], products: Sequence[Sequence[int]]
) -> tuple[Floats, Floats]:
    """Means (k,) and covariance (k, k) from integer sums (k,) and sums of products (k, k).

    Exact arithmetic: the covariance loses nothing however large n is.
    """
    if n < 2:
        raise ValueError(f"a covariance needs at least two blocks, got {n}")
    k = len(sums)
    totals = [int(total) for total in sums]
    mean = np.array([float(Fraction(total, int(n))) for total in totals])
    scale = int(n) * (int(n) - 1)
    covariance = [
        [float(Fraction(int(n) * int(products[i][j]) - totals[i] * totals[j], scale))
         for j in range(k)]
        for i in range(k)
    ]  # fmt: skip
    return mean, np.array(covariance)


def pairs(k: int) -> list[tuple[int, int]]:
    """The pairs (i, j), i < j, of k strategies in the order of `pair_contrasts`."""
    return list(combinations(range(k), 2))


def pair_contrasts(k: int) -> Floats:
    """One row a pair, (k (k-1) / 2, k): strategy i minus strategy j."""
    rows = np.zeros((len(pairs(k)), k))
    for row, (i, j) in zip(rows, pairs(k), strict=True):
        row[i], row[j] = 1.0, -1.0
    return rows


def baseline_contrasts(k: int, baseline: int = 0) -> Floats:
    """One row for each other strategy, (k - 1, k): that strategy minus the baseline."""
    rows = np.delete(np.eye(k), baseline, axis=0)
    rows[:, baseline] = -1.0
    return rows


def _directions(contrasts: Floats, covariance: Floats) -> Floats:
    """Rows (c, r) of unit length: comparison c as a function of r independent normal variables."""
    weights, axes = np.linalg.eigh(covariance)
    rows = contrasts @ (axes * np.sqrt(np.maximum(weights, 0.0)))
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    left, sizes, _ = np.linalg.svd(rows, full_matrices=False)
    rank = int((sizes > 1e-9 * sizes[0]).sum())
    return np.asarray(left[:, :rank] * sizes[:rank])


def _largest(directions: Floats, draws: int, seed: int) -> Floats:
    """Largest |comparison| in each of `draws` random directions of unit length, shape (draws,)."""
    rng = np.random.default_rng(seed)
    points = rng.standard_normal((draws, directions.shape[1]))
    points /= np.linalg.norm(points, axis=1, keepdims=True)
    chunks = np.array_split(points, 1 + draws * len(directions) // 2_000_000)
    return np.concatenate([np.abs(chunk @ directions.T).max(axis=1) for chunk in chunks])


def _tails(q: float, largest: Floats, rank: int, freedom: int) -> Floats:
    """Chance in each direction that the largest |T| exceeds q, over its length (r times an F)."""
    squared = (q / largest) ** 2
    if freedom >= LARGE:
        return np.asarray(special.chdtrc(float(rank), squared))
    return np.asarray(special.fdtrc(float(rank), float(freedom), squared / rank))


def _student_quantile(tail: float, freedom: int) -> float:
    """The t value that is exceeded with chance `tail`."""
    return -float(special.ndtri(tail) if freedom >= LARGE else special.stdtrit(freedom, tail))


def _quantile(level: float, largest: Floats, rank: int, freedom: int, count: int) -> float:
    """The q that the largest of `count` |T| stays below with chance `level`."""
    alpha = 1.0 - level
    single = _student_quantile(alpha / 2.0, freedom)
    if count == 1 or rank == 1:
        return single
    bonferroni = _student_quantile(alpha / (2.0 * count), freedom)

    def excess(q: float) -> float:
        return float(_tails(q, largest, rank, freedom).mean()) - alpha

    if excess(bonferroni) >= 0.0:  # by chance of the directions only: Bonferroni always holds
        return bonferroni
    return max(single, float(optimize.brentq(excess, 0.0, bonferroni, xtol=1e-7)))


def _single_tail(t: float, freedom: int) -> float:
    """Chance that one |T| exceeds t."""
    return 2.0 * float(special.ndtr(-t) if freedom >= LARGE else special.stdtr(freedom, -t))


def _p_value(t: float, alpha: float, largest: Floats, rank: int, freedom: int, count: int) -> float:
    """Chance that the largest of `count` |T| exceeds t.

    Far out too few directions count, so below alpha / 10 it is Bonferroni's bound, which is never
    too small and nearly exact there.
    """
    single = _single_tail(t, freedom)
    if count == 1 or rank == 1:
        return single
    chance = float(_tails(t, largest, rank, freedom).mean())
    bonferroni = single * count
    if chance < alpha / 10.0:
        return min(bonferroni, alpha / 10.0)
    return max(single, min(chance, bonferroni))


def max_t(
    mean: ArrayLike,
    covariance: ArrayLike,
    n: int,
    contrasts: ArrayLike,
    level: float = 0.95,
    draws: int = 20_000,
    seed: int = 0,
    p_values: bool = True,
) -> MaxT:
    """Simultaneous intervals and p values of the differences contrasts (c, k) @ mean (k,).

    `covariance` (k, k) is that of one block's values, over n blocks. The quantile of the largest
    |T| is that of a multivariate t with n - 1 degrees of freedom: its length is integrated
    exactly, its direction by `draws` seeded random ones (`tail_error` says how well: usually a few
    hundredths of a percentage point of coverage). p values take half of the time; without
    `p_values` they are nan. Sources: Hothorn, Bretz & Westfall 2008 for the method, Genz & Bretz
    2009 for the radial form.
    """
    check_level(level)
    means, cov, rows = (np.asarray(a, float) for a in (mean, covariance, contrasts))
    if n < 2 or cov.shape != (means.size, means.size) or rows.shape[1:] != means.shape:
        raise ValueError(f"{n} blocks, means {means.shape}, {cov.shape}, contrasts {rows.shape}")
    difference = rows @ means
    # means that cancel leave rounding, which must not count as a difference
    rounding = np.abs(difference) <= UNVARIED * (np.abs(rows) @ np.abs(means))
    difference = np.where(rounding, 0.0, difference)
    variance = np.einsum("ci,ij,cj->c", rows, cov, rows)
    varied = variance > UNVARIED * (np.abs(rows) @ np.diag(cov))
    error = np.sqrt(np.where(varied, variance, 0.0) / n)
    p_value = np.where(difference == 0.0, 1.0, 0.0) if p_values else np.full(len(rows), np.nan)
    quantile, tail_error = 0.0, 0.0
    if varied.any():
        directions = _directions(rows[varied], cov)
        shape = _largest(directions, draws, seed), directions.shape[1], n - 1
        count = len(directions)
        quantile = _quantile(level, *shape, count)
        tail_error = float(_tails(quantile, *shape).std() / np.sqrt(draws))
        if p_values:
            ratios = np.abs(difference[varied]) / error[varied]
            p_value[varied] = [_p_value(t, 1.0 - level, *shape, count) for t in ratios]
    half = quantile * error
    return MaxT(
        difference, error, difference - half, difference + half, p_value,
        quantile, tail_error, level,
    )  # fmt: skip


def holm(p_values: ArrayLike) -> Floats:
    """Holm's adjusted p values (c,): reject those at or below alpha. Source: Holm 1979.

    Holds for any dependence, at any number of comparisons.
    """
    raw = np.asarray(p_values, float)
    if raw.ndim != 1 or not np.all((raw >= 0) & (raw <= 1)):
        raise ValueError(f"p values are a list of numbers from 0 to 1, not {raw}")
    order = np.argsort(raw, kind="stable")
    stepped = np.maximum.accumulate(raw[order] * np.arange(raw.size, 0, -1.0))
    adjusted = np.empty(raw.size)
    adjusted[order] = np.minimum(stepped, 1.0)
    return adjusted


def clearly_better(result: MaxT, k: int) -> NDArray[np.bool_]:
    """(k, k): whether strategy i's interval against strategy j lies above 0, from all pairs."""
    if len(result.low) != len(pairs(k)):
        raise ValueError(f"{k} strategies have {len(pairs(k))} pairs, not {len(result.low)}")
    better = np.zeros((k, k), bool)
    for (i, j), low, high in zip(pairs(k), result.low, result.high, strict=True):
        better[i, j], better[j, i] = low > 0, high < 0
    return better


def places(better: NDArray[np.bool_]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Best and worst place (1 = first) of each strategy that the comparisons leave open.

    The best place is one behind all that are clearly better: strategies that cannot be told apart
    from the first share place 1. With simultaneous intervals every strategy's true place lies
    between its two with chance `level`.
    """
    k = len(better)
    return 1 + better.sum(axis=0), k - better.sum(axis=1)
