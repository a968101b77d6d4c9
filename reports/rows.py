"""The frame of plots with one row a label: where names, numbers and ticks go, wide and narrow."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from reports import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Drawing

PAD = 0.12
"""Inches between labels and what they stand beside."""


def rows_layout(
    labels: Sequence[str], numbers: Sequence[str], narrow: bool, axis: str, tick_lines: int = 1
) -> tuple[Drawing, Axes]:
    """Axes with one row a label, the first on top: names to the left, numbers to the right.

    On a narrow drawing both stand above the row's own line instead.
    """
    from matplotlib.figure import Figure

    width = style.NARROW if narrow else style.WIDE
    row = 0.46 if narrow else 0.3
    if narrow:
        axis = wrapped(axis, width - 2 * PAD, style.SMALL)
    below, above = 0.4 + 0.15 * tick_lines + 0.15 * axis.count("\n"), 0.1
    size = style.TEXT if narrow else style.SMALL
    right = max((style.text_width(text, size) for text in numbers), default=0.0)
    left = max(style.text_width(label) for label in labels)
    height = below + above + row * len(labels)
    drawing = Figure(figsize=(width, height))
    if narrow:
        first, last = PAD, width - PAD
    else:
        left = min(left, 0.26 * width if numbers else 0.4 * width)
        first, last = left + 2 * PAD, width - right - 2 * PAD
    axes = drawing.add_axes(
        (first / width, below / height, (last - first) / width, row * len(labels) / height)
    )
    axes.set_ylim(len(labels) - 0.5, -0.5)
    axes.yaxis.set_visible(False)
    axes.grid(axis="x")
    axes.set_xlabel(axis, loc="left", fontsize=style.SMALL if narrow else style.TEXT)
    for place in range(len(labels)):
        room = (last - first) - (right + PAD) if narrow else left
        label = style.shortened(labels[place], room)
        y = place - 0.36 if narrow else place
        at: dict[str, Any] = {"va": "center", "transform": axes.get_yaxis_transform()}
        if narrow:  # lines of the grid must not run through words
            at["bbox"] = {"facecolor": style.PAPER, "edgecolor": "none", "pad": 1.5}
        axes.text(0 if narrow else -PAD / (last - first), y, label,
                  ha="left" if narrow else "right", **at)  # fmt: skip
        if numbers:
            axes.text(1 if narrow else 1 + PAD / (last - first), y, numbers[place], size=size,
                      ha="right" if narrow else "left", **at)  # fmt: skip
    return drawing, axes


def wrapped(text: str, inches: float, size: float) -> str:
    """A text on as many lines as it needs."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and style.text_width(longer, size) > inches:
            lines.append(word)
        else:
            lines[-1] = longer
    return "\n".join(lines)


def share_ticks(axes: Axes, limits: tuple[float, float], logarithmic: bool) -> None:
    """Ticks of shares; on a logarithmic axis each is also told as one game in so many."""
    from matplotlib.ticker import NullLocator

    if not logarithmic:
        even_ticks(axes, limits, lambda tick: f"{tick:.6g}")
        return
    first, last = (round(math.log10(limit)) for limit in limits)
    texts = {e: f"{10.0**e:.{max(0, -e)}f}\n{_one_in(10**-e)}" for e in range(first, last + 1)}
    widest = max(style.text_width(text, style.SMALL) for text in texts.values()) + PAD
    # a label at the end of the axis lies all to one side: it and the next need 1.5 widths
    step = max(1, math.ceil(1.5 * widest * (last - first) / _inches(axes)))
    shown = range(last, first - 1, -step)
    axes.xaxis.set_minor_locator(NullLocator())
    axes.set_xticks([10.0**e for e in texts], [texts[e] if e in shown else "" for e in texts])
    keep_edge_labels_inside(axes, [(e - first) / (last - first) for e in texts])


def _inches(axes: Axes) -> float:
    """The width of the axes."""
    drawing: Any = axes.figure
    return float(axes.get_position().width * drawing.get_size_inches()[0])


def even_ticks(
    axes: Axes, limits: tuple[float, float], text: Callable[[float], str], most: int = 8
) -> None:
    """Ticks at round numbers, as many as have room."""
    from matplotlib.ticker import MaxNLocator

    for count in range(most, 1, -1):
        found = MaxNLocator(nbins=count, steps=[1, 2, 2.5, 5, 10]).tick_values(*limits)
        ticks = [t for t in found if limits[0] <= t <= limits[1] + 1e-12]
        texts = [text(tick) for tick in ticks]
        needed = sum(style.text_width(one, style.SMALL) + PAD for one in texts)
        if needed <= _inches(axes):
            break
    axes.set_xticks(ticks, texts)
    keep_edge_labels_inside(axes, [(t - limits[0]) / (limits[1] - limits[0]) for t in ticks])


def keep_edge_labels_inside(axes: Axes, places: Sequence[float]) -> None:
    """Labels of ticks at an end of the axis begin or end there, not to run out of the drawing."""
    for label, place in zip(axes.get_xticklabels(), places, strict=True):
        label.set_horizontalalignment(
            "left" if place < 0.02 else "right" if place > 0.98 else "center"
        )


def _one_in(games: int) -> str:
    if games == 1:
        return "every game"
    for unit, letter in ((10**6, " million"), (10**3, ",000")):
        if games >= unit and games % unit == 0:
            return f"1 in {games // unit}{letter}"
    return f"1 in {games}"
