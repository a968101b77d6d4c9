"""Which outcomes are the cells of a two-way table, found from the outcomes themselves.

A ruleset tallies two columns and names measures. Where each measure is exactly one pair of values,
the measures are cells, and the table can be drawn: queens by jewels in the Shooting Party.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sim.contract import Ruleset

LARGEST = 12
"""Values of a column are looked for from 0 to this."""


@dataclass(frozen=True)
class Grid:
    """Two columns and the measure (by its place) of each pair of values that can occur.

    `rows` and `columns` are (value, label), labels such as `4 scoundrel` where the names of the
    measures hold a word for each value.
    """

    row_name: str
    column_name: str
    cells: dict[tuple[int, int], int]
    rows: tuple[tuple[int, str], ...]
    columns: tuple[tuple[int, str], ...]


def grid_of(rules: Ruleset) -> Grid | None:
    """The two-way table of a game's measures, or None where they are none."""
    if len(rules.tally) != 2 or len(rules.measures) < 4:
        return None
    values = np.indices((LARGEST + 1, LARGEST + 1)).reshape(2, -1)
    pairs = dict(zip(rules.tally, values, strict=True))
    cells: dict[tuple[int, int], int] = {}
    for place, measure in enumerate(rules.measures):
        try:
            hits = np.flatnonzero(np.asarray(measure.where(pairs)))
        except KeyError:  # it looks at a column that is not tallied
            return None
        if len(hits) != 1:
            return None
        cells[int(values[0, hits[0]]), int(values[1, hits[0]])] = place
    if len(cells) != len(rules.measures):
        return None
    rows, columns = (_labels(rules, cells, axis) for axis in (0, 1))
    return Grid(*rules.tally, cells, rows[::-1], columns)


def _labels(
    rules: Ruleset, cells: dict[tuple[int, int], int], axis: int
) -> tuple[tuple[int, str], ...]:
    """The values of an axis with the word that all names with that value, and no others, share."""
    values = sorted({pair[axis] for pair in cells})
    words = {pair: rules.measures[place].name.split() for pair, place in cells.items()}
    if all(len(name) == 2 for name in words.values()):
        for at in (0, 1):
            found = {v: {words[pair][at] for pair in cells if pair[axis] == v} for v in values}
            if all(len(one) == 1 for one in found.values()):
                labels = {value: one.pop() for value, one in found.items()}
                if len(set(labels.values())) == len(values):
                    return tuple((value, f"{value} {labels[value]}") for value in values)
    return tuple((value, str(value)) for value in values)
