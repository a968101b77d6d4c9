"""Fixed-n confidence intervals: shares, joint tables and means of block values.

Every interval here is valid for one look at a number of blocks that was fixed beforehand. Whatever
looks again and again until it likes what it sees needs `reports.sequences` instead.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

Floats = NDArray[np.float64]
Number = int | float

EXACT_UP_TO = 10
"""A share with this many hits (or misses) or fewer gets the exact interval."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A confidence interval: both limits, the confidence level (0.95) and the method's name."""

    low: float
    high: float
    level: float
    method: str

    @property
    def half_width(self) -> float:
        """Half the distance between the limits, in the unit of the limits."""
        return (self.high - self.low) / 2

    def contains(self, value: float) -> bool:
        """Whether `value` lies between the limits or on one of them."""
        return self.low <= value <= self.high

    def scaled(self, factor: float) -> Interval:
        """The interval in another unit; `factor` is positive."""
        return Interval(self.low * factor, self.high * factor, self.level, self.method)


def check_level(level: float) -> float:
    """Return `level`, or raise ValueError unless it lies strictly between 0 and 1."""
    if not 0.0 < level < 1.0:
        raise ValueError(f"a confidence level lies between 0 and 1, for example 0.95, not {level}")
    return float(level)


def normal_quantile(level: float) -> float:
    """Two-sided standard normal quantile: 1.959964 for level 0.95."""
    return -float(special.ndtri((1.0 - check_level(level)) / 2.0))


def _checked_counts(count: ArrayLike, n: ArrayLike) -> tuple[Floats, Floats]:
    """Both as float arrays of one shape; ValueError unless whole numbers, 0 <= count <= n > 0."""
    hits, trials = np.broadcast_arrays(np.asarray(count, float), np.asarray(n, float))
    if not np.all(trials >= 1):
        raise ValueError(f"a share needs at least one trial, n is {n!r}")
    if not np.all((hits >= 0) & (hits <= trials)):
        raise ValueError(f"the hits must lie between 0 and n, got {count!r} of {n!r}")
    if not np.all((hits == np.floor(hits)) & (trials == np.floor(trials))):
        raise ValueError(f"hits and trials are whole numbers, got {count!r} of {n!r}")
    return hits, trials


def clopper_pearson_limits(
    count: ArrayLike, n: ArrayLike, level: float = 0.95
) -> tuple[Floats, Floats]:
    """Exact limits of shares `count` / `n` (any shapes that broadcast); covers at least `level`.

    Source: Clopper & Pearson 1934, by quantiles of the beta distribution.
    """
    hits, trials = _checked_counts(count, n)
    misses = trials - hits
    tail = (1.0 - check_level(level)) / 2.0
    low = special.betaincinv(np.maximum(hits, 1.0), misses + 1.0, tail)
    high = special.betainccinv(hits + 1.0, np.maximum(misses, 1.0), tail)
    return np.where(hits > 0, low, 0.0), np.where(misses > 0, high, 1.0)


def _score_limits(hits: Floats, trials: Floats, z_squared: float) -> tuple[Floats, Floats]:
    """Limits where the score test of a share reaches `z_squared` (Wilson 1927)."""
    misses = trials - hits
    centre = hits + z_squared / 2.0
    spread = np.sqrt(z_squared * (hits * (misses / trials) + z_squared / 4.0))
    total = trials + z_squared
    low = np.where(hits > 0, (centre - spread) / total, 0.0)
    high = np.where(misses > 0, (centre + spread) / total, 1.0)
    return np.maximum(low, 0.0), np.minimum(high, 1.0)


def wilson_limits(count: ArrayLike, n: ArrayLike, level: float = 0.95) -> tuple[Floats, Floats]:
    """Wilson score limits of shares `count` / `n` (any shapes that broadcast).

    Source: Wilson 1927. Covers about `level`, far less where few hits are expected.
    """
    hits, trials = _checked_counts(count, n)
    return _score_limits(hits, trials, normal_quantile(level) ** 2)


def proportion_limits(
    count: ArrayLike, n: ArrayLike, level: float = 0.95
) -> tuple[Floats, Floats, NDArray[np.str_]]:
    """Limits and method of each share: exact at 10 hits (or misses) or fewer, else Wilson."""
    hits, trials = _checked_counts(count, n)
    few = np.minimum(hits, trials - hits) <= EXACT_UP_TO
    exact, score = clopper_pearson_limits(count, n, level), wilson_limits(count, n, level)
    low, high = (np.where(few, e, s) for e, s in zip(exact, score, strict=True))
    return low, high, np.where(few, "Clopper-Pearson", "Wilson")


def clopper_pearson(count: int, n: int, level: float = 0.95) -> Interval:
    """Exact interval of the share `count` / `n`; covers at least `level`."""
    low, high = clopper_pearson_limits(count, n, level)
    return Interval(float(low), float(high), level, "Clopper-Pearson")


def wilson(count: int, n: int, level: float = 0.95) -> Interval:
    """Wilson score interval of the share `count` / `n`."""
    low, high = wilson_limits(count, n, level)
    return Interval(float(low), float(high), level, "Wilson")


def proportion(count: int, n: int, level: float = 0.95) -> Interval:
    """Interval of a share: Clopper-Pearson at 10 hits (or misses) or fewer, else Wilson."""
    low, high, method = proportion_limits(count, n, level)
    return Interval(float(low), float(high), level, str(method))


def _checked_cells(counts: Sequence[int] | NDArray[Any]) -> tuple[Floats, Floats]:
    """Cells and their total, for a table of two cells or more with at least one observation."""
    cells = np.asarray(counts, float)
    if cells.ndim != 1 or cells.size < 2:
        raise ValueError(f"a joint table is a list of two counts or more, not {counts}")
    return _checked_counts(cells, cells.sum())


def goodman(counts: Sequence[int] | NDArray[Any], level: float = 0.95) -> list[Interval]:
    """Simultaneous intervals of all cells of a multinomial table, one for each of `counts`.

    `counts` holds every cell that can occur, the empty ones too: their number sets the width.
    Source: Goodman 1965, Wilson's limits with the level shared out among the cells. Where a cell
    expects less than about one hit, all-cell coverage can fall below `level`: see `joint_table`.
    """
    cells, total = _checked_cells(counts)
    z_squared = float(special.chdtri(1.0, (1.0 - check_level(level)) / cells.size))
    low, high = _score_limits(cells, total, z_squared)
    return [Interval(float(a), float(b), level, "Goodman") for a, b in zip(low, high, strict=True)]


def joint_table(counts: Sequence[int] | NDArray[Any], level: float = 0.95) -> list[Interval]:
    """Goodman's intervals, but exact ones in the cells with 10 hits (or misses) or fewer.

    The exact ones are Clopper-Pearson at level 1 - (1 - level) / cells (Bonferroni), so that rare
    cells cannot pull the simultaneous coverage below `level`. `level` is that of the whole table.
    """
    table = goodman(counts, level)
    cells, total = _checked_cells(counts)
    low, high = clopper_pearson_limits(cells, total, 1.0 - (1.0 - level) / cells.size)
    few = np.minimum(cells, total - cells) <= EXACT_UP_TO
    for i in np.flatnonzero(few):
        table[i] = Interval(float(low[i]), float(high[i]), level, "Clopper-Pearson, Bonferroni")
    return table


def _exact(value: Number) -> Fraction:
    """The value as a fraction, without any rounding (numpy scalars too)."""
    return Fraction(int(value)) if isinstance(value, int | np.integer) else Fraction(float(value))


def sample_moments(n: int, total: Number, total_sq: Number) -> tuple[float, float]:
    """Mean and variance (divisor n - 1) of n >= 2 values from their sum and sum of squares.

    The arithmetic is exact, so that integer sums lose nothing however large n is. Raises
    ValueError where no values can have these sums.
    """
    _check_blocks(n)
    first, second, blocks = _exact(total), _exact(total_sq), int(n)
    squares = second - first * first / blocks
    if squares < -second / 10**9:
        raise ValueError(f"no {n} values have the sum {total} and the sum of squares {total_sq}")
    return float(first / blocks), float(max(squares, Fraction(0)) / (blocks - 1))


def _check_blocks(n: int) -> None:
    """ValueError unless there are the two blocks that a variance needs."""
    if n < 2:
        raise ValueError(f"a variance needs at least two blocks, got {n}")


def _t_interval(n: int, mean: float, variance: float, level: float) -> Interval:
    """Student's t interval; with variance 0 its width is 0 and its method says so."""
    tail = (1.0 - check_level(level)) / 2.0
    half_width = -float(special.stdtrit(n - 1.0, tail)) * math.sqrt(variance / n)
    method = "t" if variance > 0 else "t, no variation seen"
    return Interval(mean - half_width, mean + half_width, level, method)


def mean_t(n: int, total: Number, total_sq: Number, level: float = 0.95) -> Interval:
    """Student's t interval of a mean from n block values' sum and sum of squares.

    Where all values are equal the width is 0 and the method says so: that nothing varied in n
    blocks does not prove that nothing ever will.
    """
    return _t_interval(n, *sample_moments(n, total, total_sq), level)


def mean_t_of(values: ArrayLike, level: float = 0.95) -> Interval:
    """Student's t interval of the mean of `values`, one for each block."""
    blocks = np.asarray(values, float).ravel()
    n = blocks.size
    _check_blocks(n)
    if blocks.min() == blocks.max():
        return _t_interval(n, float(blocks[0]), 0.0, level)
    mean = math.fsum(blocks) / n
    return _t_interval(n, mean, math.fsum((blocks - mean) ** 2) / (n - 1), level)


def _hits_needed(r: float, level: float) -> float:
    """(1.96 / r)^2 at level 0.95, before rounding up."""
    if not r > 0:
        raise ValueError(f"a relative half-width is above 0, for example 0.1, not {r}")
    return (normal_quantile(level) / r) ** 2


def hits_for_relative_half_width(r: float, level: float = 0.95) -> int:
    """Hits after which a rare share's interval is about `r` (0.1 for 10 %) of it to each side."""
    return math.ceil(_hits_needed(r, level))


def games_for_relative_half_width(share: float, r: float, level: float = 0.95) -> int:
    """Games that bring (1.96 / r)^2 hits on average at this share: planning, before any game.

    On the safe side for shares that are not rare, which need (1 - share) of it.
    """
    if not 0.0 < share <= 1.0:
        raise ValueError(f"a share to plan for is above 0 and at most 1, not {share}")
    return math.ceil(_hits_needed(r, level) / share)
