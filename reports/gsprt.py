"""Generalised sequential probability ratio test on block values: yes or no with few games.

Two hypotheses about the mean block value, s0 and s1, and the two error rates that one accepts. The
test may be looked at after every block, in index order, and stops by itself. Its error rates are
those asked for in the limit of many blocks (close hypotheses). Source: Van den Bergh's notes for
chess engine tests; with five block values it is their pentanomial model.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Decision = Literal["h0", "h1", "continue"]

EMPTY_CELL = 1e-3
"""What a block value that has not occurred yet counts, so that any mean can be fitted."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Where a test stands: the log likelihood ratio, its bounds and what follows from them."""

    llr: float
    approximation: float
    lower: float
    upper: float
    decision: Decision
    blocks: int


def bounds(alpha: float = 0.05, beta: float = 0.05) -> tuple[float, float]:
    """The log likelihood ratios at which s0 and s1 are accepted.

    `alpha` is the chance of accepting s1 where s0 is true, `beta` that of accepting s0 where s1
    is. Source: Wald 1945.
    """
    if not (0 < alpha < 1 and 0 < beta < 1 and alpha + beta < 1):
        raise ValueError(f"error rates are above 0 and together below 1, not {alpha} and {beta}")
    return math.log(beta / (1.0 - alpha)), math.log((1.0 - beta) / alpha)


def _checked(values: ArrayLike, counts: ArrayLike, s0: float, s1: float) -> tuple[Floats, Floats]:
    """Block values (K,) and counts (..., K), empty cells filled; ValueError if they do not fit."""
    cells, table = np.asarray(values, float), np.asarray(counts, float)
    if cells.ndim != 1 or table.ndim < 1 or table.shape[-1] != cells.size:
        raise ValueError(f"one count a block value: {cells.shape} values, {table.shape} counts")
    if not np.all(np.isfinite(table) & (table >= 0)):
        raise ValueError("counts of block values must be 0 or more")
    for mean in (s0, s1):
        if not cells.min() < mean < cells.max():
            raise ValueError(f"no blocks from {cells.min()} to {cells.max()} have the mean {mean}")
    if s0 == s1:
        raise ValueError(f"the two hypotheses are the same: {s0}")
    return cells, np.where(table > 0, table, EMPTY_CELL)


def _tilt(shares: Floats, gaps: Floats) -> Floats:
    """The theta with sum of shares * gaps / (1 + theta * gaps) = 0, for shares (..., K).

    Newton's method, held inside the interval that is left by bisection: the sum falls from plus to
    minus infinity between its two poles.
    """
    low = np.full(shares.shape[:-1], -1.0 / gaps.max())
    high = np.full(shares.shape[:-1], -1.0 / gaps.min())
    theta = np.zeros(shares.shape[:-1])
    for _ in range(200):
        terms = gaps / (1.0 + theta[..., None] * gaps)
        value, slope = (shares * terms).sum(-1), -(shares * terms**2).sum(-1)
        low, high = np.where(value > 0, theta, low), np.where(value > 0, high, theta)
        newton = theta - value / slope
        inside = ((newton > low) & (newton < high)) | (newton == theta)
        after = np.where(inside, newton, (low + high) / 2.0)
        done = np.abs(after - theta) * np.abs(gaps).max() <= 1e-14
        theta = after
        if np.all(done):
            break
    return theta


def log_likelihood_ratio(values: ArrayLike, counts: ArrayLike, s0: float, s1: float) -> Floats:
    """N sum of p ln(p(s1) / p(s0)) for counts (..., K) of K block values; shape (...).

    p(s) is the distribution of largest likelihood among those with mean s. `values` lists every
    value that a block can have, whether seen or not.
    """
    cells, table = _checked(values, counts, s0, s1)
    shares = table / table.sum(-1, keepdims=True)
    gaps0, gaps1 = cells - s0, cells - s1
    tilt0, tilt1 = _tilt(shares, gaps0), _tilt(shares, gaps1)
    ratio = np.log1p(tilt0[..., None] * gaps0) - np.log1p(tilt1[..., None] * gaps1)
    return np.asarray((table * ratio).sum(-1))


def normal_approximation(values: ArrayLike, counts: ArrayLike, s0: float, s1: float) -> Floats:
    """N (s1 - s0)(2 mean - s0 - s1) / (2 variance) for counts (..., K); shape (...).

    Good where many blocks of several values were seen; no guide at the start of a test.
    """
    cells, table = _checked(values, counts, s0, s1)
    n = table.sum(-1)
    mean = (table * cells).sum(-1) / n
    variance = (table * (cells - mean[..., None]) ** 2).sum(-1) / n
    return np.asarray(n * (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * variance))


def gsprt(
    values: ArrayLike,
    counts: ArrayLike,
    s0: float,
    s1: float,
    alpha: float = 0.05,
    beta: float = 0.05,
) -> Verdict:
    """The test after blocks with these counts (K,) of the possible block values (K,)."""
    lower, upper = bounds(alpha, beta)
    llr = float(log_likelihood_ratio(values, counts, s0, s1))
    approximation = float(normal_approximation(values, counts, s0, s1))
    decision: Decision = "h0" if llr <= lower else "h1" if llr >= upper else "continue"
    return Verdict(llr, approximation, lower, upper, decision, int(np.sum(counts)))
