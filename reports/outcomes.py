"""How games ended: the one table that terminal, JSON, CSV and page all print."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from reports.intervals import Interval, joint_table, proportion
from reports.numbers import format_share
from sim.contract import Measure
from sim.tally import Tally

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Outcome:
    """A named outcome: how many of the games had it.

    `interval` is for this outcome alone; `joint` holds for all outcomes of the table at once, and
    is None where the outcomes are not the cells of one distribution.
    """

    name: str
    meaning: str
    count: int
    games: int
    interval: Interval
    joint: Interval | None

    @property
    def share(self) -> float:
        """The share of games with this outcome."""
        return self.count / self.games

    def as_dict(self) -> dict[str, Any]:
        """The outcome as the JSON of `playout run` has it."""
        found = {
            "outcome": self.name,
            "count": self.count,
            "share": self.share,
            "low": self.interval.low,
            "high": self.interval.high,
            "level": self.interval.level,
            "method": self.interval.method,
        }
        if self.joint is not None:
            found |= {
                "joint_low": self.joint.low,
                "joint_high": self.joint.high,
                "joint_method": self.joint.method,
            }
        return found

    def text(self) -> str:
        """The share with its interval, to the digits that the interval supports."""
        return format_share(self.count, self.games, self.interval)


@dataclass(frozen=True)
class OutcomeTable:
    """The outcomes of a run of `games` games, the headline first."""

    games: int
    level: float
    outcomes: tuple[Outcome, ...]

    @property
    def headline(self) -> Outcome:
        """The outcome that the game is about."""
        return self.outcomes[0]

    def __getitem__(self, name: str) -> Outcome:
        """The outcome of a name."""
        return next(outcome for outcome in self.outcomes if outcome.name == name)

    def as_dicts(self) -> list[dict[str, Any]]:
        """One dictionary an outcome."""
        return [outcome.as_dict() for outcome in self.outcomes]

    def to_frame(self) -> "pd.DataFrame":
        """The table as a data frame with the columns of `Outcome.as_dict`."""
        import pandas as pd

        return pd.DataFrame(self.as_dicts())


def count_measures(tally: Tally, measures: Sequence[Measure]) -> list[int]:
    """How many of the tallied games have each measure."""
    if not tally.cells:
        return [0] * len(measures)
    columns, counts = tally.table()
    return [int(counts[np.asarray(measure.where(columns))].sum()) for measure in measures]


def outcome_table(
    tally: Tally, measures: Sequence[Measure], level: float = 0.95, joint: bool | None = None
) -> OutcomeTable:
    """The outcomes of tallied games.

    Each has an interval of its own (Clopper-Pearson or Wilson); when every game has exactly one of
    the measures they also get simultaneous intervals (Goodman, exact in rare cells). Raises
    ValueError without games.
    """
    games = tally.games
    if games == 0:
        raise ValueError("there are no games to report on")
    counts = count_measures(tally, measures)
    is_partition = sum(counts) == games and len(measures) > 1 if joint is None else joint
    together = joint_table(counts, level) if is_partition else [None] * len(counts)
    outcomes = tuple(
        Outcome(m.name, m.meaning, count, games, proportion(count, games, level), limits)
        for m, count, limits in zip(measures, counts, together, strict=True)
    )
    return OutcomeTable(games, level, outcomes)
