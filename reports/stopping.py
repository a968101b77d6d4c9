"""Rules that say when enough blocks were played: they look at blocks in index order only.

A rule is fed the whole-number block differences of one score, `unit` of which make one unit, and
may be asked after every batch whether it is content. Both kinds also carry an interval that holds
at every look together, so what is reported at the stop is not spoilt by having stopped there.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from reports.gsprt import Verdict, gsprt
from reports.intervals import Interval
from reports.sequences import EmpiricalBernstein

Differences = NDArray[np.int64]


@dataclass
class Watched:
    """Blocks watched in index order; differences lie in -reach … reach whole numbers."""

    reach: int
    unit: int
    level: float = 0.95
    blocks: int = 0
    total: int = 0
    sequence: EmpiricalBernstein = field(init=False)

    def __post_init__(self) -> None:
        """Start the interval."""
        self.sequence = EmpiricalBernstein(-self.reach, self.reach, self.level)

    def feed(self, differences: Differences) -> None:
        """Take the next blocks."""
        self.sequence.update(differences)
        self.blocks += len(differences)
        self.total += int(differences.sum())

    @property
    def content(self) -> bool:
        """Whether enough was played: never, for who only watches."""
        return False

    @property
    def mean(self) -> float:
        """The mean difference so far, in units."""
        return self.total / max(self.blocks, 1) / self.unit

    @property
    def interval(self) -> Interval:
        """The interval of the mean difference, in units; it holds at all looks together."""
        found = self.sequence.interval()
        return Interval(found.low / self.unit, found.high / self.unit, found.level, found.method)


@dataclass
class Until(Watched):
    """Stop when the interval is no wider than ± `half_width` units."""

    half_width: float = 0.01

    @property
    def content(self) -> bool:
        """Whether the interval is narrow enough."""
        return self.interval.half_width <= self.half_width


@dataclass
class Decide(Watched):
    """Stop when a difference of `effect` units fits so much better, or worse, than none (GSPRT).

    `alpha` is the chance to accept the effect where there is none, `beta` that to accept none where
    the effect is there; see `reports.gsprt`.
    """

    effect: float = 0.05
    alpha: float = 0.05
    beta: float = 0.05
    seen: Counter[int] = field(default_factory=Counter)

    def feed(self, differences: Differences) -> None:
        """Take the next blocks."""
        super().feed(differences)
        values, counts = np.unique(differences, return_counts=True)
        self.seen.update(dict(zip(values.tolist(), counts.tolist(), strict=True)))

    @property
    def verdict(self) -> Verdict:
        """Where the test stands.

        The values a block can have are those seen and the two furthest: a cell that was never seen
        counts next to nothing, and many of them would count something.
        """
        values = sorted({*self.seen, -self.reach, self.reach})
        counts = [self.seen.get(value, 0) for value in values]
        cells = np.array(values) / self.unit
        return gsprt(cells, counts, 0.0, self.effect, self.alpha, self.beta)

    @property
    def content(self) -> bool:
        """Whether the test has decided."""
        return self.blocks > 0 and self.verdict.decision != "continue"
