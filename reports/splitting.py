"""Very rare events by fixed-level splitting: a rare chance as a product of less rare ones.

Trials start from states in which a level was first reached and succeed if they reach the next one.
The levels are fixed beforehand (the number of scored cards); levels chosen from the same run are
inconsistent where scores are whole numbers.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from numpy.typing import ArrayLike

from reports.intervals import (
    EXACT_UP_TO,
    Interval,
    check_level,
    clopper_pearson,
    mean_t_of,
    normal_quantile,
)


@dataclass(frozen=True, slots=True)
class Splitting:
    """The estimated chance with its interval and its relative standard error (0.1 for 10 %)."""

    estimate: float
    relative_error: float
    interval: Interval


def _log_normal(shares: list[float], trials: Sequence[int], level: float) -> tuple[float, Interval]:
    """Relative standard error, and limits that are symmetrical for the logarithm."""
    error = math.sqrt(sum((1.0 - p) / (n * p) for p, n in zip(shares, trials, strict=True)))
    estimate, factor = math.prod(shares), math.exp(normal_quantile(level) * error)
    high = min(1.0, estimate * factor)
    return error, Interval(estimate / factor, high, level, "splitting, log-normal")


def _exact_product(trials: Sequence[int], successes: Sequence[int], level: float) -> Interval:
    """Product of exact limits whose levels are shared out (Bonferroni): covers at least `level`."""
    each = 1.0 - (1.0 - level) / len(trials)
    limits = [clopper_pearson(k, n, each) for k, n in zip(successes, trials, strict=True) if n]
    low = math.prod(limit.low for limit in limits) if all(trials) else 0.0
    high = math.prod(limit.high for limit in limits)
    return Interval(low, high, level, "splitting, Clopper-Pearson product")


def splitting(trials: Sequence[int], successes: Sequence[int], level: float = 0.95) -> Splitting:
    """Product of successes / trials over the levels, and its interval.

    The interval treats trials as independent within and between levels. That is so where all
    entrance states of a level are alike; else trials that share an ancestor are alike too, the
    interval is too narrow, and `replicated` must be used. A level without success makes the
    estimate 0 with an upper limit; levels behind it have 0 trials. With 10 successes or fewer at a
    level, or 10 failures or fewer in all, the interval is exact. Sources: Kahn & Harris 1951;
    Garvels 2000.
    """
    check_level(level)
    if not trials or len(trials) != len(successes):
        raise ValueError(f"{len(trials)} levels of trials, {len(successes)} of successes")
    for i, (n, k) in enumerate(zip(trials, successes, strict=True)):
        if not 0 <= k <= n or (n == 0 and (i == 0 or successes[i - 1] > 0)):
            raise ValueError(f"level {i} has {k} successes in {n} trials")
    if min(successes) <= EXACT_UP_TO or sum(trials) - sum(successes) <= EXACT_UP_TO:
        interval = _exact_product(trials, successes, level)
        shares = [k / n if n else 0.0 for k, n in zip(successes, trials, strict=True)]
        if min(successes) == 0:
            return Splitting(0.0, math.inf, interval)
        error, _ = _log_normal(shares, trials, level)
        return Splitting(math.prod(shares), error, interval)
    shares = [k / n for k, n in zip(successes, trials, strict=True)]
    error, interval = _log_normal(shares, trials, level)
    return Splitting(math.prod(shares), error, interval)


def replicated(estimates: ArrayLike, level: float = 0.95) -> Interval:
    """The t interval of the mean of independent runs' estimates, each of them unbiased.

    The lower limit is not cut at 0: one below it says that there were too few runs.
    """
    return mean_t_of(estimates, level)
