"""Two more plots: curves over a number, and maps of two kinds of cells.

Panels stand beside each other on a desk and below each other on a phone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from reports import style
from reports.picture import Picture
from reports.rows import PAD

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Drawing

#: Line styles of the series, so that colour is never needed alone.
DASHES: tuple[Any, ...] = ("-", (0, (5, 2)), (0, (1.5, 1.5)), (0, (6, 2, 1.5, 2)), (0, (3, 1)))


@dataclass(frozen=True, eq=False)
class Line:
    """A series: `x` and `y` are numbers; with `dots` they are measured points, not a curve."""

    label: str
    x: Sequence[float]
    y: Sequence[float]
    dots: bool = False


@dataclass(frozen=True, eq=False)
class Panel:
    """One set of axes with its lines."""

    title: str
    lines: tuple[Line, ...]


def curves(
    name: str,
    panels: Sequence[Panel],
    *,
    title: str,
    x_axis: str,
    y_axis: str,
    alt: str,
    zero: bool = False,
) -> Picture:
    """Curves in one or more panels, each with a scale of its own; `zero` draws a line at zero.

    A label has the same colour in all panels.
    """
    named = {line.label: line for panel in panels for line in panel.lines}
    labels = list(named)

    def draw(narrow: bool) -> Drawing:
        drawing, all_axes = _panels(len(panels), list(named.values()), narrow)
        for panel, axes in zip(panels, all_axes, strict=True):
            axes.set_title(panel.title, fontsize=style.TEXT, loc="left", color=style.INK)
            if zero:
                axes.axhline(0, color=style.SOFT, lw=1)
            for line in panel.lines:
                _draw_line(axes, line, labels.index(line.label))
            axes.margins(y=0.04)
            axes.grid(True)
            axes.tick_params(axis="y", labelsize=style.SMALL, color=style.SOFT)
            axes.set_xlabel(x_axis, fontsize=style.SMALL)
        for axes in all_axes if narrow else all_axes[:1]:
            axes.set_ylabel(y_axis, fontsize=style.SMALL)
        return drawing

    return Picture(name, title, alt, draw)


def _draw_line(axes: Axes, line: Line, place: int) -> None:
    colour = style.SERIES[place % len(style.SERIES)]
    if line.dots:
        axes.plot(line.x, line.y, style.MARKS[place % len(style.MARKS)], ms=6, mfc=style.PAPER,
                  mec=colour, mew=1.6, label=line.label)  # fmt: skip
    else:
        axes.plot(line.x, line.y, color=colour, lw=2, ls=DASHES[place % len(DASHES)],
                  label=line.label)  # fmt: skip


def _panels(count: int, named: Sequence[Line], narrow: bool) -> tuple[Drawing, list[Any]]:
    """A drawing with the legend above, and its axes."""
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

    width = style.NARROW if narrow else style.WIDE
    columns = 1 if narrow else min(3, max(1, len(named)))
    above = 0.12 + 0.2 * -(-len(named) // columns)
    rows = count if narrow else 1
    each, left, below, gap = 2.5, 0.62, 0.5, 0.72
    height = above + rows * each + (rows - 1) * gap + below + 0.25
    drawing = Figure(figsize=(width, height))
    across = 1 if narrow else count
    room = (width - left - PAD - (across - 1) * 0.45) / across
    axes = []
    for place in range(count):
        x = left + (0 if narrow else place) * (room + 0.45)
        y = below + ((rows - 1 - place) * (each + gap) if narrow else 0)
        axes.append(drawing.add_axes((x / width, y / height, room / width, each / height)))
    handles = []
    for place, line in enumerate(named):
        colour = style.SERIES[place % len(style.SERIES)]
        mark = style.MARKS[place % len(style.MARKS)] if line.dots else ""
        dash = "" if line.dots else DASHES[place % len(DASHES)]
        handles.append(
            Line2D([], [], color=colour, lw=2, ls=dash, marker=mark, mfc=style.PAPER, mew=1.6)
        )
    drawing.legend(
        handles, [line.label for line in named], loc="upper left", ncols=columns, borderaxespad=0,
        handlelength=2.6, bbox_to_anchor=(PAD / width, 1 - 0.05 / height),
    )  # fmt: skip
    return drawing, axes


# --- maps ---------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class TileMap:
    """A map: `cells[y, x]` is 1 for the marked kind, 0 for the other, -1 where there is none."""

    title: str
    cells: NDArray[np.int_]


def tiles(
    name: str,
    maps: Sequence[TileMap],
    *,
    title: str,
    kinds: tuple[str, str],
    x_axis: str,
    y_axis: str,
    first_y: int,
    alt: str,
) -> Picture:
    """Maps below each other, marked cells coloured; rows from `first_y` on, upwards."""

    def draw(narrow: bool) -> Drawing:
        from matplotlib.figure import Figure
        from matplotlib.patches import Patch

        width = style.NARROW if narrow else style.WIDE
        rows = [len(one.cells) for one in maps]
        cell, left, gap, above, below = 0.13 if narrow else 0.17, 0.62, 0.78, 0.66, 0.5
        height = above + sum(rows) * cell + gap * (len(maps) - 1) + below
        drawing = Figure(figsize=(width, height))
        top = height - above
        for one, count in zip(maps, rows, strict=True):
            top -= count * cell
            axes = drawing.add_axes(
                (left / width, top / height, (width - left - PAD) / width, count * cell / height)
            )
            _draw_map(axes, one, first_y)
            axes.set_xlabel(x_axis, fontsize=style.SMALL)
            axes.set_ylabel(y_axis, fontsize=style.SMALL)
            top -= gap
        handles = [Patch(facecolor=style.BLUE), Patch(facecolor=style.GRID)]
        drawing.legend(
            handles, kinds, loc="upper left", ncols=2, borderaxespad=0,
            bbox_to_anchor=(PAD / width, 1 - 0.05 / height),
        )  # fmt: skip
        return drawing

    return Picture(name, title, alt, draw)


def _draw_map(axes: Axes, one: TileMap, first_y: int) -> None:
    rows, columns = one.cells.shape
    for kind, colour in ((1, style.BLUE), (0, style.GRID)):
        for y in range(rows):
            runs = _runs(one.cells[y] == kind)
            if runs:
                axes.broken_barh(runs, (first_y + y - 0.45, 0.9), facecolors=colour, lw=0)
    axes.set_title(one.title, fontsize=style.TEXT, loc="left", color=style.INK)
    axes.set_xlim(-0.5, columns - 0.5)
    axes.set_ylim(first_y - 0.5, first_y + rows - 0.5)
    axes.set_yticks(range(first_y + 1, first_y + rows, 2))
    axes.tick_params(axis="y", labelsize=style.SMALL, color=style.SOFT)


def _runs(marked: NDArray[np.bool_]) -> list[tuple[float, float]]:
    """(start, width) of each run of marked cells; cells are one wide around their number."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], marked.astype(int), [0]])))
    return [
        (float(a) - 0.45, float(b - a) - 0.1) for a, b in zip(edges[::2], edges[1::2], strict=True)
    ]
