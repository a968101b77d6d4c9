"""Counts of what games ended with: memory that does not grow with the number of games."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from sim.contract import Ruleset

Array = np.ndarray[Any, Any]


@dataclass
class Tally:
    """How many games ended in each cell: a tuple of values of the ruleset's tally columns.

    `rounds` counts the cells of `Ruleset.round_cells`, in games that have them.
    """

    columns: tuple[str, ...]
    cells: dict[tuple[int, ...], int] = field(default_factory=dict)
    rounds: "Tally | None" = None

    @property
    def games(self) -> int:
        """The number of games counted."""
        return sum(self.cells.values())

    @classmethod
    def of(cls, rows: Mapping[str, Array] | Array, columns: tuple[str, ...]) -> "Tally":
        """Count the rows of a games table."""
        values = [np.asarray(rows[name]) for name in columns]
        if not values or len(values[0]) == 0:
            return cls(columns)
        lows = [int(v.min()) for v in values]
        sizes = [int(v.max()) - low + 1 for v, low in zip(values, lows, strict=True)]
        if np.prod(sizes, dtype=float) < 2**20:
            codes = np.zeros(len(values[0]), np.int64)
            for v, low, size in zip(values, lows, sizes, strict=True):
                codes *= size
                codes += v.astype(np.int64) - low
            counts = np.bincount(codes)
            codes = np.flatnonzero(counts)
            places = np.unravel_index(codes, sizes)
            keys = np.stack([p + low for p, low in zip(places, lows, strict=True)], axis=1)
            found = counts[codes]
        else:
            whole = np.stack([v.astype(np.int64) for v in values], axis=1)
            keys, found = np.unique(whole, axis=0, return_counts=True)
        cells = {
            tuple(key): count for key, count in zip(keys.tolist(), found.tolist(), strict=True)
        }
        return cls(columns, cells)

    def add(self, other: "Tally") -> None:
        """Add the counts of another tally with the same columns."""
        for cell, count in other.cells.items():
            self.cells[cell] = self.cells.get(cell, 0) + count
        if other.rounds is not None:
            self.rounds = self.rounds or Tally(other.rounds.columns)
            self.rounds.add(other.rounds)

    def table(self) -> tuple[dict[str, Array], Array]:
        """(columns as arrays, counts), one entry a cell, in the order of the cells."""
        ordered = sorted(self.cells)
        values = np.array(ordered, np.int64).reshape(len(ordered), len(self.columns))
        columns = {name: values[:, i] for i, name in enumerate(self.columns)}
        return columns, np.array([self.cells[cell] for cell in ordered], np.int64)


def tally_games(
    rules: Ruleset, games: Mapping[str, Array] | Array, rounds: Mapping[str, Array] | None
) -> Tally:
    """The tally of games and their rounds; `rounds` has `index` for the game, then its columns."""
    tally = Tally.of(games, rules.tally)
    if rules.round_cells is not None and rounds is not None:
        tally.rounds = Tally.of(rules.round_cells(rounds), rules.round_tally)
    return tally


def total(tallies: Iterable[Tally], columns: tuple[str, ...]) -> Tally:
    """The sum of tallies."""
    result = Tally(columns)
    for tally in tallies:
        result.add(tally)
    return result
