"""The heat map of a sweep, where two things vary."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from reports.numbers import format_limits
from reports.picture import Picture
from reports.plain import plain_number
from reports.plots import HeatCell, heat

if TYPE_CHECKING:
    from scripts.sweep import SweepResult

#: Wider or higher grids cannot be read.
MOST_ROWS, MOST_COLUMNS = 12, 8


def heat_map(result: SweepResult) -> Picture | None:
    """The first score over the two things that vary (two options, or one and the strategies).

    None where other than two vary, where the grid is too large, or where a cell is undefined.
    """
    sweep, swept = result.sweep, result.swept
    axes: dict[str, list[str]] = {}
    for setting in sweep.settings:
        for name, told in (*setting.varied, ("strategy", setting.strategy)):
            values = axes.setdefault(name, [])
            if told not in values:
                values.append(told)
    varied = {name: values for name, values in axes.items() if len(values) > 1}
    if len(varied) != 2 or not swept.defined(0):
        return None
    (row_axis, rows), (column_axis, columns) = varied.items()
    if len(columns) > MOST_COLUMNS:
        row_axis, rows, column_axis, columns = column_axis, columns, row_axis, rows
    if len(rows) > MOST_ROWS or len(columns) > MOST_COLUMNS:
        return None
    found = [swept.shown(0, place) for place in range(len(sweep.settings))]
    means = [value for value, _ in found]
    if not all(map(math.isfinite, means)):
        return None
    low, span = min(means), (max(means) - min(means)) or 1.0
    cells = {}
    for (value, interval), setting in zip(found, sweep.settings, strict=True):
        here = dict((*setting.varied, ("strategy", setting.strategy)))
        place = rows.index(here[row_axis]), columns.index(here[column_axis])
        text = plain_number(f"{value:.4g}")
        limits = plain_number(format_limits(interval))
        cells[place] = HeatCell(abs(value), text, limits, 0.08 + 0.92 * (value - low) / span)
    trait = sweep.traits[0]
    return heat(
        "sweep", cells,
        rows=list(enumerate(rows)), columns=list(enumerate(columns)),
        title=f"{sweep.rules.title}: {trait.name} ({trait.unit})",
        row_axis=row_axis, column_axis=column_axis, what=trait.name,
    )  # fmt: skip
