"""Plots of ranks: matrices of moves as small multiples, and how often each rank was reached."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from reports import style
from reports.picture import Picture
from reports.plots import cell_colours
from reports.rows import PAD, keep_edge_labels_inside, rows_layout

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Drawing

TITLES = ("President", "Vice-President", "Secretary", "Janitor")
LETTERS = "PVSJ"
MANY_COLUMNS, FEW_COLUMNS = 4, 2
"""Small multiples in a row on a desk and on a phone."""


def matrices(name: str, found: Mapping[str, NDArray[Any]], *, title: str) -> Picture:
    """A 4x4 matrix of moves for each label: row, the rank before; column, the rank after."""
    labels = list(found)

    def draw(narrow: bool) -> Drawing:
        from matplotlib.figure import Figure

        width = style.NARROW if narrow else style.WIDE
        columns = FEW_COLUMNS if narrow else MANY_COLUMNS
        rows = math.ceil(len(labels) / columns)
        side = (width - PAD) / columns
        inner, head = side - 0.14 - PAD, 0.34
        height = rows * (inner + head) + PAD / 2
        drawing = Figure(figsize=(width, height))
        for place, label in enumerate(labels):
            row, column = divmod(place, columns)
            left = PAD + column * side + 0.14
            top = height - row * (inner + head) - head
            axes = drawing.add_axes(
                (left / width, (top - inner) / height, inner / width, inner / height)
            )
            drawing.text(left / width, (top + 0.05) / height, label, size=style.SMALL, va="bottom")
            _draw_matrix(axes, found[label])
        return drawing

    told = "; ".join(
        f"{label}: "
        + ", ".join(
            f"{LETTERS[i]} to {LETTERS[j]} {found[label][i, j]:.2f}"
            for i in range(4)
            for j in range(4)
        )
        for label in labels
    )
    alt = f"Probabilities of moves between ranks, {', '.join(TITLES)} by their letters. {told}."
    return Picture(name, title, alt, draw)


def _draw_matrix(axes: Axes, matrix: NDArray[Any]) -> None:
    from matplotlib.patches import Rectangle

    axes.set_xlim(0, 4)
    axes.set_ylim(4, 0)
    axes.axis("off")
    for i in range(4):
        axes.text(-0.12, i + 0.5, LETTERS[i], ha="right", va="center", size=7, color=style.SOFT)
        for j in range(4):
            share = float(matrix[i, j])
            fill, colour = cell_colours(math.sqrt(share))
            axes.add_patch(Rectangle((j + 0.02, i + 0.02), 0.96, 0.96, facecolor=fill, lw=0))
            axes.text(j + 0.5, i + 0.52, f"{100 * share:.0f}", ha="center", va="center", size=8,
                      color=colour)  # fmt: skip


def rank_shares(
    name: str, found: Mapping[str, Sequence[float]], *, title: str, axis: str
) -> Picture:
    """For each label the shares of its rounds at each rank, as one bar in four parts."""
    labels = list(found)

    def draw(narrow: bool) -> Drawing:
        from matplotlib.patches import Rectangle

        # bars are read from left to right: no numbers beside them
        drawing, axes = rows_layout(labels, [], narrow, axis)
        axes.set_xlim(0, 1)
        axes.grid(visible=False)
        for place, label in enumerate(labels):
            left = 0.0
            for rank, share in enumerate(found[label]):
                fill, colour = cell_colours((0.95, 0.66, 0.38, 0.12)[rank])
                y = place - 0.3 + 0.16 * narrow
                axes.add_patch(Rectangle((left, y), share, 0.6 - 0.1 * narrow, facecolor=fill))
                if share > 0.05:
                    axes.text(left + share / 2, y + 0.3 - 0.05 * narrow, f"{100 * share:.0f}",
                              ha="center", va="center", size=8, color=colour)  # fmt: skip
                left += share
        ticks = (0, 0.25, 0.5, 0.75, 1)
        axes.set_xticks(ticks, ["0", "25 %", "50 %", "75 %", "100 %"])
        keep_edge_labels_inside(axes, ticks)
        return drawing

    told = "; ".join(
        f"{label}: "
        + ", ".join(f"{t} {100 * s:.1f} %" for t, s in zip(TITLES, shares, strict=True))
        for label, shares in found.items()
    )
    return Picture(name, title, f"{axis}. {told}.", draw)
