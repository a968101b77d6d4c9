"""The plots: a ladder of shares, a heat table of a joint distribution, effects against a baseline.

Each function takes plain data and returns a Picture, which draws itself for a desk and a phone.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from reports import style
from reports.outcomes import Outcome
from reports.picture import Picture
from reports.plain import plain_number
from reports.rows import PAD, even_ticks, rows_layout, share_ticks

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Drawing

LOG_FROM = 20.0
"""Shares that are this many times apart are drawn on a logarithmic axis."""

TINY = 7.5
NARROWEST_CELL = 0.53
"""Inches that a cell needs to be read; more columns make a drawing that is wider than a phone."""
"""Size of the intervals in the cells of a heat table."""


# --- the ladder ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Rung:
    """A share with its interval: one row of a ladder. `text` is the number as it is shown."""

    label: str
    share: float
    low: float
    high: float
    text: str

    @classmethod
    def of(cls, label: str, outcome: Outcome) -> Rung:
        """The rung of an outcome, with the number as every table shows it."""
        limits = outcome.interval
        return cls(label, outcome.share, limits.low, limits.high, plain_number(outcome.text()))


def ladder(name: str, rungs: Sequence[Rung], *, title: str, axis: str) -> Picture:
    """A dot with its interval for each share, the largest on top; zero hits are upper limits."""
    ordered = sorted(rungs, key=lambda rung: (-rung.share, rung.high, rung.label))
    # one with no hits has no place on the axis but its upper limit
    ends = [end for r in ordered for end in ((r.low, r.high) if r.share > 0 else (r.high,))]
    centres = [r.share if r.share > 0 else r.high for r in ordered]
    logarithmic = max(centres) > LOG_FROM * min(centres)
    if logarithmic:
        first = math.floor(math.log10(min(e for e in ends if e > 0) / 1.3))
        limits = (10.0**first, 10.0 ** math.ceil(math.log10(max(ends))))
    else:
        limits = (0.0, min(1.0, max(ends) * 1.05))

    def draw(narrow: bool) -> Drawing:
        drawing, axes = rows_layout(
            [r.label for r in ordered],
            [r.text for r in ordered],
            narrow,
            axis,
            tick_lines=2 if logarithmic else 1,
        )
        for place, rung in enumerate(ordered):
            _draw_rung(axes, place, rung, limits[0])
        if logarithmic:
            axes.set_xscale("log")
        axes.set_xlim(*limits)
        share_ticks(axes, limits, logarithmic)
        return drawing

    alt = f"{axis}, from most to least: " + "; ".join(f"{r.label} {r.text}" for r in ordered) + "."
    return Picture(name, title, alt, draw)


def _draw_rung(axes: Axes, place: int, rung: Rung, left: float) -> None:
    if rung.share > 0:
        axes.plot([rung.low, rung.high], [place, place], color=style.BLUE, lw=2.2, alpha=0.9)
        axes.plot([rung.share], [place], "o", color=style.BLUE, ms=6)
        return
    # anything below the upper limit is possible: an arrow from there to the edge
    axes.annotate(
        "",
        xy=(left, place),
        xytext=(rung.high, place),
        arrowprops={"arrowstyle": "->", "color": style.VERMILLION, "lw": 1.6, "shrinkA": 0},
        annotation_clip=False,
    )
    axes.plot([rung.high], [place], "|", color=style.VERMILLION, ms=10, mew=2)


# --- the heat table -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class HeatCell:
    """A cell of a joint distribution: its share, the simultaneous interval, the number as shown.

    `warmth`, from 0 to 1, colours the cell in place of its share.
    """

    share: float
    text: str
    limits: str
    warmth: float | None = None


def heat(
    name: str,
    cells: Mapping[tuple[int, int], HeatCell],
    *,
    rows: Sequence[tuple[int, str]],
    columns: Sequence[tuple[int, str]],
    title: str,
    row_axis: str,
    column_axis: str,
    what: str = "Shares",
) -> Picture:
    """A table of shares, each cell coloured by its share; cells that cannot occur stay blank.

    `cells` maps (row value, column value) to cells; `rows`, the top one first, and `columns` are
    values with their labels; `what` the cells hold.
    """
    most = max(cell.share for cell in cells.values()) or 1.0

    def draw(narrow: bool) -> Drawing:
        drawing, axes, cell_width = _heat_layout(rows, columns, narrow, row_axis, column_axis)
        for y, (row, _) in enumerate(rows):
            for x, (column, _) in enumerate(columns):
                if (row, column) in cells:
                    cell = cells[row, column]
                    warmth = cell.warmth
                    if (
                        warmth is None
                    ):  # square root: rare cells should still differ from empty ones
                        warmth = math.sqrt(cell.share / most)
                    _draw_cell(axes, x, y, cell, warmth, cell_width)
        return drawing

    told = [
        f"{row_label}, {column_label}: {cells[row, column].text}"
        for row, row_label in rows
        for column, column_label in columns
        if (row, column) in cells
    ]
    return Picture(name, title, f"{what} by {row_axis} and {column_axis}. {'; '.join(told)}.", draw)


def _heat_layout(
    rows: Sequence[tuple[int, str]],
    columns: Sequence[tuple[int, str]],
    narrow: bool,
    row_axis: str,
    column_axis: str,
) -> tuple[Drawing, Axes, float]:
    """Axes with one unit a cell, and the width of a cell in inches."""
    from matplotlib.figure import Figure

    width, size = (style.NARROW, 7.0) if narrow else (style.WIDE, style.TEXT)
    row_labels = [_stacked(label) if narrow else label for _, label in rows]
    left = max(style.text_width(label, size) for label in row_labels) + 2 * PAD
    width = max(width, left + PAD / 2 + NARROWEST_CELL * len(columns))
    room = width - left - PAD / 2
    cell_width = room / len(columns)
    column_labels = [_stacked(label, size, cell_width) for _, label in columns]
    above = 0.62 if any("\n" in label for label in column_labels) else 0.48
    row_height, below = 0.62 if narrow else 0.56, 0.06
    height = above + below + row_height * len(rows)
    drawing = Figure(figsize=(width, height))
    axes = drawing.add_axes(
        (left / width, below / height, room / width, row_height * len(rows) / height)
    )
    axes.set_xlim(0, len(columns))
    axes.set_ylim(len(rows), 0)
    axes.axis("off")
    column_size = min(_fitting(label, size, cell_width - 0.02) for label in column_labels)
    for y, label in enumerate(row_labels):
        axes.text(-PAD / cell_width, y + 0.5, label, ha="right", va="center", size=size)
    for x, label in enumerate(column_labels):
        axes.text(x + 0.5, -0.1, label, ha="center", va="bottom", size=column_size)
    corner: dict[str, Any] = {"size": style.SMALL, "color": style.SOFT, "va": "top"}
    drawing.text(0.01, 1 - 0.04 / height, f"{row_axis} ↓", ha="left", **corner)
    drawing.text(1 - PAD / 2 / width, 1 - 0.04 / height, f"{column_axis} →", ha="right", **corner)
    return drawing, axes, cell_width


def _stacked(label: str, size: float = 0.0, room: float = math.inf) -> str:
    """`4 scoundrel` on two lines, and `save-wilds` where it is wider than its room."""
    if " " not in label and "-" in label and style.text_width(label, size) > room:
        head, _, tail = label.rpartition("-")
        return f"{head}-\n{tail}"
    return label.replace(" ", "\n", 1)


def _draw_cell(axes: Axes, x: int, y: int, cell: HeatCell, warmth: float, width: float) -> None:
    from matplotlib.patches import Rectangle

    fill, colour = cell_colours(warmth)
    gap = 0.015 / width
    edge = {"edgecolor": style.GRID, "lw": 0.8} if cell.share == 0 else {"lw": 0}
    axes.add_patch(Rectangle((x + gap, y + 0.03), 1 - 2 * gap, 0.94, facecolor=fill, **edge))
    limits, room = cell.limits, width - 0.06
    stacked = style.text_width(limits, TINY) > room
    if stacked:
        # `place 1 to 9` after its first word, intervals before their upper limit
        parts = ("place ", "below ") if limits.startswith("place ") else (" to ", "below ")
        for part in parts:
            limits = limits.replace(part, part.rstrip() + "\n")
    at: dict[str, Any] = {"ha": "center", "va": "center", "color": colour}
    y_share, y_limits = (0.24, 0.65) if stacked else (0.33, 0.7)
    size = _fitting(cell.text, style.TEXT, room - 0.04, bold=True)
    axes.text(x + 0.5, y + y_share, cell.text, size=size, weight="bold", **at)
    axes.text(x + 0.5, y + y_limits, limits, size=_fitting(limits, TINY, room), **at)


def cell_colours(warmth: float) -> tuple[Any, str]:
    """Colours of a cell and of the text on it.

    Cells keep their colours on dark pages, so the text is black or white for good; empty ones are
    the page's own.
    """
    from matplotlib.colors import LinearSegmentedColormap

    if warmth == 0.0:
        return "none", style.SOFT
    red, green, blue, _ = LinearSegmentedColormap.from_list("heat", style.HEAT)(warmth)
    brightness = 0.2126 * red**2.2 + 0.7152 * green**2.2 + 0.0722 * blue**2.2
    return (red, green, blue), "#ffffff" if brightness < 0.22 else "#000000"


def _fitting(text: str, size: float, room: float, bold: bool = False) -> float:
    """The size of a text, made smaller where it is wider than `room` inches."""
    return size * min(1.0, room / max(style.text_width(text, size, bold), 0.01))


# --- effects ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Effect:
    """A difference against a baseline with its interval, in the unit of the axis."""

    difference: float
    low: float
    high: float


@dataclass(frozen=True, eq=False)
class EffectRow:
    """A row of an effect plot: one effect for each series, by the name of the series."""

    group: str
    label: str
    effects: Mapping[str, Effect]


def effects(
    name: str,
    rows: Sequence[EffectRow],
    *,
    title: str,
    axis: str,
) -> Picture:
    """Differences with intervals around a line at zero; each row holds an effect a series.

    A series keeps its colour and shape in all rows; rows and series keep their order, and a line
    parts the groups of rows.
    """
    series = list(dict.fromkeys(name for row in rows for name in row.effects))
    ends = [end for row in rows for e in row.effects.values() for end in (e.low, e.high, 0.0)]
    margin = 0.03 * (max(ends) - min(ends) or 1.0)
    limits = min(ends) - margin, max(ends) + margin

    def draw(narrow: bool) -> Drawing:
        drawing, axes = rows_layout([row.label for row in rows], [], narrow, axis)
        axes.axvline(0, color=style.INK, lw=1.2)
        axes.set_xlim(*limits)
        spread = 0.24 if narrow else 0.36
        for place, row in enumerate(rows):
            if place and row.group != rows[place - 1].group:
                axes.axhline(place - 0.5 - 0.08 * narrow, color=style.GRID, lw=0.8)
            for n, one in enumerate(series):
                if one in row.effects:
                    shift = spread * (n - (len(series) - 1) / 2) / max(len(series) - 1, 1)
                    _draw_effect(axes, place + shift + 0.1 * narrow, row.effects[one], n)
        even_ticks(axes, limits, _signed)
        if len(series) > 1:
            _series_legend(drawing, axes, series, narrow)
        return drawing

    told = "; ".join(
        f"{row.label}: " + ", ".join(f"{one} {e.difference:+.4g}" for one, e in row.effects.items())
        for row in rows
    )
    return Picture(name, title, f"{axis}. {told}.", draw)


def _draw_effect(axes: Axes, y: float, effect: Effect, series: int) -> None:
    colour = style.SERIES[series % len(style.SERIES)]
    mark = style.MARKS[series % len(style.MARKS)]
    axes.plot([effect.low, effect.high], [y, y], color=colour, lw=2, alpha=0.9)
    axes.plot([effect.difference], [y], mark, color=colour, ms=5.5)


def _signed(tick: float) -> str:
    return "0" if abs(tick) < 1e-12 else f"{tick:+.6g}".replace("-", "−")


def _series_legend(drawing: Drawing, axes: Axes, series: Sequence[str], narrow: bool) -> None:
    """The names of the series above the rows: beside each other, on a phone one below the other."""
    from matplotlib.lines import Line2D

    lines = len(series) if narrow else 1
    width, height = drawing.get_size_inches()
    extra = 0.1 + 0.22 * lines
    box = axes.get_position()
    drawing.set_size_inches(width, height + extra)
    scale = height / (height + extra)
    axes.set_position((box.x0, box.y0 * scale, box.width, box.height * scale))
    handles = [
        Line2D([], [], color=style.SERIES[n % len(style.SERIES)], marker=style.MARKS[n % 5], ms=5.5,
               lw=2, label=style.shortened(one, width / (1 if narrow else len(series)) - 0.6))
        for n, one in enumerate(series)
    ]  # fmt: skip
    drawing.legend(
        handles=handles, loc="upper left", ncols=1 if narrow else len(series), borderaxespad=0,
        bbox_to_anchor=(PAD / width, 1 - 0.06 / (height + extra)),
    )  # fmt: skip
