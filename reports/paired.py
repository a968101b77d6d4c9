"""Two strategies on the same deals: the mean block difference and what common deals gained.

Workers return six sums and no block values; sums of chunks add up. With integer block values
every figure comes from exact arithmetic: identical strategies differ by exactly 0.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from reports.intervals import Interval, Number, check_level, clopper_pearson, mean_t, sample_moments


def exact_sum(values: NDArray[Any]) -> Number:
    """Sum of the values: an exact int for whole-number types, else the correctly rounded float."""
    if values.dtype.kind in "iubO":
        whole: int = sum(values.tolist())
        return whole
    return math.fsum(values)


@dataclass(frozen=True, slots=True)
class PairedSums:
    """Sums over n blocks of x (first strategy), y (second), their squares and their product."""

    n: int
    x: Number
    y: Number
    xx: Number
    yy: Number
    xy: Number

    @classmethod
    def of(cls, first: ArrayLike, second: ArrayLike) -> PairedSums:
        """Sums of two equally long lists of block values, on the same deals in the same order."""
        x, y = np.asarray(first), np.asarray(second)
        if x.ndim != 1 or x.shape != y.shape:
            raise ValueError(f"paired blocks need two equal lists, not {x.shape} and {y.shape}")
        if x.dtype.kind in "iub" and y.dtype.kind in "iub":
            x, y = x.astype(object), y.astype(object)
        columns = (x, y, x * x, y * y, x * y)
        return cls(x.size, *(exact_sum(column) for column in columns))

    def __add__(self, other: PairedSums) -> PairedSums:
        """The sums of both sets of blocks."""
        return PairedSums(
            self.n + other.n,
            self.x + other.x,
            self.y + other.y,
            self.xx + other.xx,
            self.yy + other.yy,
            self.xy + other.xy,
        )


@dataclass(frozen=True, slots=True)
class PairedComparison:
    """First strategy minus second strategy, in the unit of the block values.

    `deviation` is the standard deviation of one block's difference. `variance_ratio` is the
    variance of a difference from independent deals over that on common deals: as many times fewer
    blocks were needed (infinite where the strategies never differed, nan where nothing varied).
    `effect` is the difference in standard deviations of a block value (root mean square of the
    two). `differing_limit` is given where no block differed from the mean difference: the share of
    blocks that do so is below it, at the interval's level.
    """

    n: int
    mean_first: float
    mean_second: float
    difference: float
    interval: Interval
    deviation: float
    variance_ratio: float
    effect: float
    p_value: float
    differing_limit: float | None


def _ratio(numerator: float, denominator: float) -> float:
    """The quotient; infinite over 0, nan for 0 / 0."""
    if denominator == 0.0:
        return math.copysign(math.inf, numerator) if numerator else math.nan
    return numerator / denominator


def _p_value(n: int, difference: float, variance: float) -> float:
    """Two-sided p value of Student's t test that the mean difference is 0."""
    if difference == 0.0:
        return 1.0
    t = abs(_ratio(difference, math.sqrt(variance / n)))
    return 0.0 if math.isinf(t) else 2.0 * float(special.stdtr(n - 1.0, -t))


def compare(sums: PairedSums, level: float = 0.95) -> PairedComparison:
    """Compare two strategies from the sums of at least two blocks, a number fixed beforehand.

    A t interval of the mean difference. Raises ValueError for fewer than two blocks or for sums
    that no blocks can have.
    """
    total, total_sq = sums.x - sums.y, sums.xx + sums.yy - 2 * sums.xy
    mean_x, var_x = sample_moments(sums.n, sums.x, sums.xx)
    mean_y, var_y = sample_moments(sums.n, sums.y, sums.yy)
    difference, variance = sample_moments(sums.n, total, total_sq)
    unvaried = variance == 0.0
    return PairedComparison(
        n=sums.n,
        mean_first=mean_x,
        mean_second=mean_y,
        difference=difference,
        interval=mean_t(sums.n, total, total_sq, check_level(level)),
        deviation=math.sqrt(variance),
        variance_ratio=_ratio(var_x + var_y, variance),
        effect=_ratio(difference, math.sqrt((var_x + var_y) / 2.0)),
        p_value=_p_value(sums.n, difference, variance),
        differing_limit=clopper_pearson(0, sums.n, level).high if unvaried else None,
    )
