"""Strategies on the same deals: what sets them apart in each score, and who is better.

The unit is the block, one deal in all the seatings of a design; workers return whole-number sums
over blocks, which add up exactly.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from scipy import special

from reports.differing import exact_interval, exact_p_value, few_differ, unvaried_interval
from reports.intervals import Interval, mean_t, proportion
from reports.multiple import (
    MaxT,
    clearly_better,
    max_t,
    moments_from_sums,
    pair_contrasts,
    places,
)
from reports.numbers import format_mean, format_share
from reports.paired import PairedSums, compare
from reports.ratings import Ratings, bradley_terry, preference_cycles

if TYPE_CHECKING:
    from sim.blocks import BlockValues, Match

Counts = NDArray[np.int64]
Floats = NDArray[np.float64]

MIXED = "max-T, exact where few blocks differ"


@dataclass(frozen=True, eq=False)
class Sums:
    """Sums over n blocks.

    Of values (scores, columns); of their products (scores, columns, columns); and n times the
    variance that a difference would have if each game had its own deal (scores, pairs).
    """

    n: int
    sums: Counts
    products: Counts
    apart: NDArray[np.float64]

    @classmethod
    def of(cls, blocks: BlockValues) -> Sums:
        """The sums of some blocks."""
        values, n = blocks.values, blocks.values.shape[-1]
        products = np.einsum("sib,sjb->sij", values, values)
        return cls(n, values.sum(axis=-1), products, blocks.apart * n)

    def __add__(self, other: Sums) -> Sums:
        """The sums of both sets of blocks."""
        return Sums(
            self.n + other.n,
            self.sums + other.sums,
            self.products + other.products,
            self.apart + other.apart,
        )


@dataclass(frozen=True)
class Effect:
    """One strategy minus another in one score, in the score's unit, from blocks on common deals.

    `deviation` is the standard deviation of one block's difference, `effect` the difference in
    standard deviations of a block's value. `variance_ratio` is the
    variance that the same games would have had if each had a deal of its own, over that of the
    blocks: as many times fewer games were needed. `superiority` is the chance that the first is
    better, seen from a flat prior (Student's t).
    """

    score: str
    unit: str
    first: str
    second: str
    blocks: int
    mean_first: Estimate
    mean_second: Estimate
    difference: float
    interval: Interval
    deviation: float
    effect: float
    variance_ratio: float
    superiority: float
    verb: str = "is better"

    @property
    def words(self) -> str:
        """Who is better, in words."""
        if self.difference == self.deviation == 0.0:
            return "the same in every block"
        sure = max(self.superiority, 1.0 - self.superiority)
        name = self.first if self.superiority > 0.5 else self.second
        if sure >= 0.999:
            return f"{name} {self.verb}, almost certainly"
        if sure >= 0.975:
            return f"{name} {self.verb}, very probably"
        if sure >= 0.8:
            return f"perhaps {name} {self.verb}; too close to call"
        return "too close to call"


@dataclass(frozen=True)
class Estimate:
    """A mean with its interval; `hits` of `n` where every value is 0 or 1."""

    value: float
    interval: Interval
    hits: int | None = None
    n: int = 0

    def text(self) -> str:
        """The mean with its interval to the digits it supports."""
        if self.hits is not None:
            return format_share(self.hits, self.n, self.interval)
        return format_mean(self.value, self.interval)


@dataclass(frozen=True, eq=False)
class Comparison:
    """All pairs of a match after some blocks."""

    match: Match
    sums: Sums
    level: float = 0.95

    @cached_property
    def effects(self) -> list[Effect]:
        """Each score of each pair; every interval for itself."""
        return [
            self.effect(score, pair)
            for pair in range(len(self.match.pairs))
            for score in range(len(self.match.scores))
        ]

    def _unit(self, score: int) -> int:
        """How many of the whole numbers of a block make one unit of a seat."""
        return self.match.scores[score].scale * self.match.design.places

    def _estimate(self, score: int, column: int) -> Estimate:
        n, unit = self.sums.n, self._unit(score)
        total = int(self.sums.sums[score, column])
        if self._yes_no(score):
            return Estimate(total / n, proportion(total, n, self.level), total, n)
        squares = int(self.sums.products[score, column, column])
        return Estimate(total / n / unit, _scaled(mean_t(n, total, squares, self.level), unit))

    def _paired(self, score: int, pair: int) -> PairedSums:
        """The six sums of a pair."""
        a, b = self.match.column_pairs[pair]
        sums, products = self.sums.sums[score], self.sums.products[score]
        return PairedSums(
            self.sums.n, int(sums[a]), int(sums[b]),
            int(products[a, a]), int(products[b, b]), int(products[a, b]),
        )  # fmt: skip

    def _yes_no(self, score: int) -> bool:
        """Whether every block is 0 or 1."""
        span = self.match.scores[score].span(self.match.options)
        return self._unit(score) == 1 and span == (0, 1)

    def _exact(self, score: int, pair: int, level: float) -> Interval | None:
        """The interval of a pair of whose blocks few or none vary; None where Student's t holds.

        Who plays the same cannot differ at all.
        """
        first, second = (self.match.specs[i] for i in self.match.pairs[pair])
        paired, n = self._paired(score, pair), self.sums.n
        if first == second:
            return None
        if self._yes_no(score):
            return exact_interval(paired, level) if few_differ(paired) else None
        total, squares = paired.x - paired.y, paired.xx + paired.yy - 2 * paired.xy
        if n * squares > total * total:
            return None
        low, high = self.match.scores[score].span(self.match.options)
        reach = (high - low) * self.match.design.places
        return _scaled(unvaried_interval(total / n, n, reach, level), self._unit(score))

    def effect(self, score: int, pair: int) -> Effect:
        """One score of one pair."""
        a, b = self.match.column_pairs[pair]
        n, unit = self.sums.n, self._unit(score)
        paired = self._paired(score, pair)
        found = compare(paired, self.level)
        first, second = (self.match.specs[i] for i in self.match.pairs[pair])
        variance = found.deviation**2
        alone = float(self.sums.apart[score, pair]) / n
        return Effect(
            score=self.match.scores[score].name,
            unit=self.match.scores[score].unit,
            first=first,
            second=second,
            blocks=n,
            mean_first=self._estimate(score, a),
            mean_second=self._estimate(score, b),
            difference=found.difference / unit,
            interval=self._exact(score, pair, self.level) or _scaled(found.interval, unit),
            deviation=found.deviation / unit,
            effect=found.effect,
            variance_ratio=alone / variance if variance > 0.0 else math.nan,
            superiority=_superiority(found.difference, math.sqrt(variance / n), n),
            verb="is better" if self.match.scores[score].better else "has more",
        )

    # --- many strategies --------------------------------------------------------------------------

    def _moments(self, score: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        mean, covariance = moments_from_sums(
            self.sums.n, self.sums.sums[score].tolist(), self.sums.products[score].tolist()
        )
        unit = self._unit(score)
        return mean / unit, covariance / unit**2

    def matrix(self, score: int = 0) -> MaxT:
        """Simultaneous intervals of all pairs' differences, in the order of `match.pairs`."""
        rows = np.zeros((len(self.match.pairs), self.sums.sums.shape[1]))
        for row, (a, b) in zip(rows, self.match.column_pairs, strict=True):
            row[a], row[b] = 1.0, -1.0
        level = 1.0 - (1.0 - self.level) / len(rows)
        exact = {}
        for pair in range(len(rows)):
            interval = self._exact(score, pair, level)
            if interval is not None:
                exact[pair] = interval, self._sign_test(score, pair)
        return self._together(score, rows, exact)

    def _leads(self, score: int, weights: Floats) -> MaxT:
        """Simultaneous intervals of the differences of mean leads at tables (rows of weights)."""
        mean, covariance = self._moments(score)
        pairs, n = self.match.pairs, self.sums.n
        rows = pair_contrasts(len(weights)) @ weights
        found = max_t(mean, covariance, n, rows, self.level, p_values=False)
        low, high = self.match.scores[score].span(self.match.options)
        reach = 2.0 * (high - low) / self.match.scores[score].scale  # of two leads
        level, exact = 1.0 - (1.0 - self.level) / len(rows), {}
        for pair in np.flatnonzero(found.standard_error == 0.0):
            first, second = (self.match.specs[i] for i in pairs[pair])
            difference = float(found.difference[pair])
            if first != second:
                interval = unvaried_interval(difference, n, reach, level)
                exact[int(pair)] = interval, 0.5 ** (n - 1) if difference else 1.0
        return self._together(score, rows, exact)

    def _together(
        self, score: int, rows: Floats, exact: Mapping[int, tuple[Interval, float]]
    ) -> MaxT:
        """Max-T intervals of all pairs (rows) but those that have exact ones, with p values.

        Each exact interval takes its part of the chance to miss (Bonferroni), the others share what
        is left of it.
        """
        mean, covariance = self._moments(score)
        found = max_t(mean, covariance, self.sums.n, rows, self.level)
        if not exact:
            return found
        low, high, p_value = found.low.copy(), found.high.copy(), found.p_value.copy()
        others = [pair for pair in range(len(rows)) if pair not in exact]
        if others:
            left = len(others) / len(rows)
            level = 1.0 - (1.0 - self.level) * left
            rest = max_t(mean, covariance, self.sums.n, rows[others], level)
            low[others], high[others] = rest.low, rest.high
            p_value[others] = np.minimum(rest.p_value / left, 1.0)
        for pair, (one, chance) in exact.items():
            low[pair], high[pair] = one.low, one.high
            p_value[pair] = min(chance * len(rows), 1.0)
        return replace(found, low=low, high=high, p_value=p_value, method=MIXED)

    def _sign_test(self, score: int, pair: int) -> float:
        paired = self._paired(score, pair)
        if self._yes_no(score):
            return exact_p_value(paired)
        return 1.0 if paired.x == paired.y else 0.5 ** (self.sums.n - 1)

    def standing(self, score: int = 0) -> Standing:
        """The strategies by their mean score against the field, or by their mean lead at tables."""
        mean, covariance = self._moments(score)
        k = len(self.match.specs)
        if self.match.design.apart:
            weights = np.eye(k)
        else:
            weights = np.zeros((k, len(mean)))
            for (i, j), (a, b) in zip(self.match.pairs, self.match.column_pairs, strict=True):
                weights[i, [a, b]] += np.array([1.0, -1.0]) / (k - 1)
                weights[j, [a, b]] += np.array([-1.0, 1.0]) / (k - 1)
        together = self.matrix(score) if self.match.design.apart else self._leads(score, weights)
        best, worst = places(clearly_better(together, k))
        values = weights @ mean
        variances = np.einsum("ki,ij,kj->k", weights, covariance, weights)
        deviations = np.sqrt(np.maximum(variances, 0.0))
        half = special.stdtrit(self.sums.n - 1.0, (1.0 + self.level) / 2.0) / math.sqrt(self.sums.n)
        estimates = tuple(
            Estimate(float(v), Interval(float(v - half * d), float(v + half * d), self.level, "t"))
            for v, d in zip(values, deviations, strict=True)
        )
        if self.match.design.apart:
            estimates = tuple(self._estimate(score, column) for column in range(k))
        return Standing(self.match.specs, estimates, best, worst, together)

    def cycles(self, score: int = 0) -> list[tuple[str, ...]]:
        """Cycles of strategies each of which clearly beats the next, by the matrix."""
        k = len(self.match.specs)
        return preference_cycles(clearly_better(self.matrix(score), k), self.match.specs)

    def ratings(self, score: int) -> Ratings:
        """Bradley-Terry ratings from win shares at common tables.

        Raises ValueError with a sentence where there are none.
        """
        if self.match.design.apart:
            raise ValueError("ratings need tables at which the strategies meet each other")
        k, unit = len(self.match.specs), self.match.scores[score].scale
        wins = np.zeros((k, k))
        for (i, j), (a, b) in zip(self.match.pairs, self.match.column_pairs, strict=True):
            wins[i, j], wins[j, i] = self.sums.sums[score, [a, b]] / unit
        return bradley_terry(wins)


@dataclass(frozen=True, eq=False)
class Standing:
    """Strategies with their means, the best and worst place that is open to each, and all pairs."""

    specs: tuple[str, ...]
    means: tuple[Estimate, ...]
    best: NDArray[np.int64]
    worst: NDArray[np.int64]
    together: MaxT

    @property
    def order(self) -> list[int]:
        """Strategies, the highest mean first."""
        return sorted(range(len(self.specs)), key=lambda i: (-self.means[i].value, self.specs[i]))

    def place(self, i: int) -> str:
        """`1` or, where several places are open, `1–3`."""
        best, worst = int(self.best[i]), int(self.worst[i])
        return str(best) if best == worst else f"{best}–{worst}"


def _scaled(interval: Interval, unit: int) -> Interval:
    return Interval(interval.low / unit, interval.high / unit, interval.level, interval.method)


def _superiority(difference: float, error: float, n: int) -> float:
    """The chance that the true difference is above 0, from a flat prior.

    Student's t; where n blocks all differed by the same, the share of blocks that do so has a flat
    prior, and is above one half with chance 1 - 2^-(n + 1).
    """
    if difference == 0.0:
        return 0.5
    if error == 0.0:
        wrong = 0.5 ** (n + 1)
        return 1.0 - wrong if difference > 0.0 else wrong
    return float(special.stdtr(n - 1.0, difference / error))
