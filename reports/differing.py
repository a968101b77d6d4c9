"""Shares of yes/no blocks on common deals: the interval of their difference, for few hits too.

Where many blocks differ, Student's t holds. Where few do, it is far too sure of itself: with none
its width is 0. Then the blocks that only the first hit, and those that only the second hit, get
exact limits each.
"""

from __future__ import annotations

from dataclasses import dataclass

from scipy import special

from reports.intervals import Interval, check_level, clopper_pearson
from reports.numbers import format_mean
from reports.paired import PairedComparison, PairedSums, compare

FEW = 25
"""With fewer differing blocks the interval is the exact one."""


@dataclass(frozen=True, slots=True)
class ShareDifference:
    """First share minus second share. `differing` blocks were hit by one of the two alone."""

    n: int
    difference: float
    interval: Interval
    differing: int
    variance_ratio: float

    @property
    def clear(self) -> bool:
        """Whether the interval leaves out 0."""
        return not self.interval.contains(0.0)

    def text(self) -> str:
        """The difference with its interval."""
        return format_mean(self.difference, self.interval)


def few_differ(sums: PairedSums) -> bool:
    """Whether so few blocks differ that only the exact interval holds."""
    return int(sums.x + sums.y - 2 * sums.xy) < FEW


def exact_interval(sums: PairedSums, level: float = 0.95) -> Interval:
    """Limits of the difference from exact limits of both kinds of differing blocks.

    Each side spends half of 1 - level, so the two hold together: conservative, at any counts.
    """
    half = 1.0 - (1.0 - check_level(level)) / 2.0
    first = clopper_pearson(int(sums.x - sums.xy), sums.n, half)
    second = clopper_pearson(int(sums.y - sums.xy), sums.n, half)
    return Interval(
        first.low - second.high, first.high - second.low, level, "Clopper-Pearson, both sides"
    )


def unvaried_interval(difference: float, n: int, reach: float, level: float = 0.95) -> Interval:
    """Limits of a mean difference where all n blocks differed by the same.

    Differences lie in -reach … reach. Of all blocks at most an exact share differs otherwise, and
    those by anything: conservative, at any n.
    """
    share = clopper_pearson(0, n, level).high
    return Interval(
        difference - share * (difference + reach), difference + share * (reach - difference),
        level, "Clopper-Pearson, range",
    )  # fmt: skip


def exact_p_value(sums: PairedSums) -> float:
    """Two-sided p value of the sign test that blocks hit by one alone favour neither."""
    first, second = int(sums.x - sums.xy), int(sums.y - sums.xy)
    return min(2.0 * float(special.bdtr(min(first, second), first + second, 0.5)), 1.0)


def share_difference(
    sums: PairedSums, level: float = 0.95, interval: Interval | None = None
) -> ShareDifference:
    """First share minus second, from paired sums of 0 and 1; `interval` if it is known already."""
    comparison: PairedComparison = compare(sums, level)
    if interval is None:
        interval = exact_interval(sums, level) if few_differ(sums) else comparison.interval
    return ShareDifference(
        n=sums.n,
        difference=comparison.difference,
        interval=interval,
        differing=int(sums.x + sums.y - 2 * sums.xy),
        variance_ratio=comparison.variance_ratio,
    )
