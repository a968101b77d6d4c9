"""Rule variants on the same deals: means, changes from the first, and which hit a target."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from reports.differing import exact_interval, few_differ
from reports.intervals import Interval, clopper_pearson
from reports.multiple import baseline_contrasts, max_t
from reports.paired import PairedSums
from sim.errors import UsageError, one_of

if TYPE_CHECKING:
    from sim.sweep import Sweep

Floats = NDArray[np.float64]
#: With as few hits, or misses, a share's interval is the exact one.
FEW_HITS = 10
TARGET = re.compile(r"(?P<name>[^=]+)=(?P<value>[^±+]+?)\s*(?:±|\+-|\+/-)\s*(?P<tolerance>.+)\Z")


@dataclass(frozen=True, eq=False)
class SweepSums:
    """Sums over n games: of values (traits, settings) and products (traits, settings, settings)."""

    n: int
    sums: Floats
    products: Floats

    @classmethod
    def of(cls, values: Floats) -> SweepSums:
        """The sums of values (traits, settings, games)."""
        products = np.einsum("tig,tjg->tij", values, values)
        return cls(values.shape[-1], values.sum(axis=-1), products)

    def __add__(self, other: SweepSums) -> SweepSums:
        """The sums of both sets of games."""
        return SweepSums(self.n + other.n, self.sums + other.sums, self.products + other.products)


@dataclass(frozen=True)
class Target:
    """A wish: a trait within value ± tolerance."""

    name: str
    value: float
    tolerance: float

    @classmethod
    def parse(cls, text: str, names: Sequence[str]) -> Target:
        """Read `escape time=1.8±0.1` (or `+-`). Raises UsageError."""
        match = TARGET.match(text.strip())
        try:
            if match is None:
                raise ValueError
            found = cls(match["name"].strip(), float(match["value"]), float(match["tolerance"]))
        except ValueError:
            raise UsageError(
                f"--target {text!r} is not of the form SCORE=VALUE±TOLERANCE, such as "
                f"'{names[0]}=0.5±0.05' (or +- for ±)"
            ) from None
        if found.name not in names:
            raise UsageError(f"--target {text!r}: the scores are {one_of(names)}")
        if not (math.isfinite(found.value) and found.tolerance > 0):
            raise UsageError(f"--target {text!r}: the tolerance is a number above 0")
        return found

    def verdict(self, interval: Interval) -> str:
        """`hit` only if the interval lies inside the tolerance, `miss` only if it lies outside."""
        low, high = self.value - self.tolerance, self.value + self.tolerance
        if math.isnan(interval.low) or math.isnan(interval.high):
            return "undefined"
        if low <= interval.low and interval.high <= high:
            return "hit"
        if interval.high < low or interval.low > high:
            return "miss"
        return "open"


@dataclass(frozen=True, eq=False)
class Swept:
    """What a sweep came to: simultaneous intervals over all settings, for each trait."""

    sweep: Sweep
    sums: SweepSums
    level: float = 0.95

    @cached_property
    def _moments(self) -> list[tuple[Floats, Floats]]:
        n, found = self.sums.n, []
        for total, products in zip(self.sums.sums, self.sums.products, strict=True):
            mean = total / n
            covariance = (products - n * np.outer(mean, mean)) / (n - 1)
            found.append((mean, covariance))
        return found

    def defined(self, trait: int, place: int | None = None) -> bool:
        """Whether every game of a setting (of all settings) has the trait."""
        finite = np.isfinite(self.sums.sums[trait])
        return bool(finite.all() if place is None else finite[place])

    def _places(self, trait: int) -> list[int]:
        """The settings that have the trait."""
        return [place for place in range(len(self.sweep.settings)) if self.defined(trait, place)]

    def _yes_no(self, trait: int) -> bool:
        """Whether every value is 0 or 1: their squares are themselves."""
        squares = np.einsum("ii->i", self.sums.products[trait])
        places = self._places(trait)
        return bool((squares[places] == self.sums.sums[trait][places]).all())

    def _everywhere(self, found: Mapping[int, Interval]) -> list[Interval]:
        """The intervals by place; nan where there is none."""
        none = Interval(math.nan, math.nan, self.level, "none")
        return [found.get(place, none) for place in range(len(self.sweep.settings))]

    def means(self, trait: int) -> list[Interval]:
        """Each setting's mean on the scale of the games, all intervals together.

        Max-T; shares with few hits or misses get exact limits with their part of the chance to miss
        (Bonferroni).
        """
        places, n, exact = self._places(trait), self.sums.n, {}
        if self._yes_no(trait):
            level = 1.0 - (1.0 - self.level) / max(len(places), 1)
            for row, place in enumerate(places):
                hits = round(float(self.sums.sums[trait][place]))
                if min(hits, n - hits) <= FEW_HITS:
                    exact[row] = clopper_pearson(hits, n, level)
        found = self._together(trait, places, np.eye(len(places)), exact)
        return self._everywhere(dict(zip(places, found, strict=True)))

    def changes(self, trait: int) -> list[Interval]:
        """Each setting's mean minus the first's, all intervals together (as `means`).

        nan for the first itself, and where one of both lacks the trait.
        """
        places, exact = self._places(trait), {}
        if len(places) < 2 or places[0] != 0:
            return self._everywhere({})
        if self._yes_no(trait):
            level = 1.0 - (1.0 - self.level) / (len(places) - 1)
            sums, products = self.sums.sums[trait], self.sums.products[trait]
            for row, i in enumerate(places[1:]):
                paired = PairedSums(
                    self.sums.n, *(round(float(x)) for x in (
                        sums[i], sums[0], products[i, i], products[0, 0], products[i, 0],
                    )),
                )  # fmt: skip
                if few_differ(paired):
                    exact[row] = exact_interval(paired, level)
        found = self._together(trait, places, baseline_contrasts(len(places)), exact)
        return self._everywhere(dict(zip(places[1:], found, strict=True)))

    def _together(
        self, trait: int, places: Sequence[int], contrasts: Floats, exact: Mapping[int, Interval]
    ) -> list[Interval]:
        """Max-T intervals of those that have no exact one, at what is left of the level."""
        mean, covariance = self._moments[trait]
        mean, covariance = mean[places], covariance[np.ix_(places, places)]
        rest = [i for i in range(len(contrasts)) if i not in exact]
        found = {
            i: Interval(one.low, one.high, self.level, f"{one.method}, Bonferroni")
            for i, one in exact.items()
        }
        if rest:
            level = 1.0 - (1.0 - self.level) * len(rest) / len(contrasts)
            together = max_t(mean, covariance, self.sums.n, contrasts[rest], level)
            for i, low, high in zip(rest, together.low, together.high, strict=True):
                found[i] = Interval(float(low), float(high), self.level, "max-T")
        return [found[i] for i in range(len(contrasts))]

    def shown(self, trait: int, place: int) -> tuple[float, Interval]:
        """A setting's mean and simultaneous interval as people speak of it."""
        if not self.defined(trait, place):
            return math.nan, Interval(math.nan, math.nan, self.level, "none")
        found = self._means[trait][place]
        turn = self.sweep.traits[trait].shown
        low, high = sorted((turn(found.low), turn(found.high)))
        value = turn(float(self._moments[trait][0][place]))
        return value, Interval(low, high, found.level, found.method)

    def change(self, trait: int, place: int) -> tuple[float, Interval] | None:
        """A setting's mean minus the first setting's; None for the first, and where undefined."""
        if place == 0 or not (self.defined(trait, 0) and self.defined(trait, place)):
            return None
        mean, _ = self._moments[trait]
        return float(mean[place] - mean[0]), self._changes[trait][place]

    @cached_property
    def _means(self) -> dict[int, list[Interval]]:
        return {t: self.means(t) for t in range(len(self.sweep.traits))}

    @cached_property
    def _changes(self) -> dict[int, list[Interval]]:
        return {t: self.changes(t) for t in range(len(self.sweep.traits))}

    def records(self, target: Target | None = None) -> list[dict[str, Any]]:
        """Long form: one row for each setting and trait, with everything that made it."""
        rows = []
        for place, setting in enumerate(self.sweep.settings):
            for number, trait in enumerate(self.sweep.traits):
                value, interval = self.shown(number, place)
                change = self.change(number, place)
                row: dict[str, Any] = {
                    "game": self.sweep.rules.name, "seed": self.sweep.seed,
                    **{f"option_{name}": text for name, text in self.sweep.fixed.items()},
                    **{f"option_{name}": text for name, text in setting.varied},
                    "strategy": setting.strategy, "score": trait.name, "unit": trait.unit,
                    "games": self.sums.n, "value": value, "low": interval.low,
                    "high": interval.high, "level": self.level, "method": interval.method,
                    "change": None, "change_low": None, "change_high": None,
                }  # fmt: skip
                if change is not None and trait.shown is float:
                    row |= {
                        "change": change[0], "change_low": change[1].low,
                        "change_high": change[1].high,
                    }  # fmt: skip
                if target is not None:
                    row["verdict"] = target.verdict(interval) if trait.name == target.name else None
                rows.append(row)
        return rows
