"""The look of all plots: colours that colour-blind readers can tell apart, sizes, and two widths.

Plots are drawn without pyplot, so no figure stays open and no display is needed. Ink, grid and
paper have fixed colours in the drawing; `reports.svg` marks them, so that a page can give them the
colours of its light or dark form.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache

INK, SOFT, GRID, PAPER = "#1b1f24", "#59626d", "#d4d9df", "#fefefe"
"""Text and axes, lesser text, grid lines, and what shines through hollow marks."""

BLUE, VERMILLION, GREEN, PURPLE, ORANGE = "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00"
"""Colours of Okabe and Ito (2008) that stand out from white and from nearly black alike."""

SERIES = (BLUE, VERMILLION, GREEN, PURPLE, ORANGE)
MARKS = ("o", "s", "D", "^", "v")
"""Each series has a colour and a shape: either alone tells them apart."""

HEAT = ("#e3eff7", "#a9cfe6", "#3d94c6", "#0070b0", "#003f66")
"""From an empty cell of a heat table to the fullest."""

WIDE, NARROW = 7.2, 3.7
"""Widths in inches: a plot for a desk and one for a phone, both to be shown at about that size."""

TEXT, SMALL = 9.5, 8.5
"""Sizes of labels and of what stands beside them, in points."""

FONT = "DejaVu Sans"
"""It comes with matplotlib, so a drawing is laid out alike on every machine."""

SETTINGS: dict[str, object] = {
    "svg.fonttype": "none",  # text stays text: sharp, small, can be searched
    "svg.hashsalt": "playout",
    "font.family": [FONT],
    "font.size": TEXT,
    "text.parse_math": False,  # a strategy's name may hold a dollar sign
    "text.color": INK,
    "axes.edgecolor": SOFT,
    "axes.facecolor": "none",
    "axes.labelcolor": INK,
    "axes.labelsize": TEXT,
    "axes.linewidth": 0.8,
    "axes.axisbelow": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.spines.left": False,
    "axes.unicode_minus": True,
    "figure.facecolor": "none",
    "figure.edgecolor": "none",
    "grid.color": GRID,
    "grid.linewidth": 0.8,
    "legend.frameon": False,
    "legend.fontsize": SMALL,
    "xtick.color": SOFT,
    "xtick.labelcolor": INK,
    "xtick.labelsize": SMALL,
    "ytick.color": SOFT,
    "ytick.labelcolor": INK,
    "ytick.labelsize": TEXT,
    "path.simplify": False,
}


@contextmanager
def look() -> Iterator[None]:
    """matplotlib with the settings of this module, whatever the user's own are."""
    import matplotlib
    from matplotlib.style import context

    with (
        context(["default", SETTINGS]),
        matplotlib.rc_context(),
        warnings.catch_warnings(),
    ):
        # a name in a script that the font lacks: the reader's browser has another font for it
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        yield


@lru_cache(maxsize=4096)
def text_width(text: str, size: float = TEXT, bold: bool = False) -> float:
    """The width of a text in inches, for one line or the longest of several."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import TextPath

    font = FontProperties(family=FONT, weight="bold" if bold else "normal")
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        extents = [
            TextPath((0, 0), line, size=size, prop=font, usetex=False).get_extents()
            for line in text.split("\n")
            if line.strip()
        ]
    return max((float(box.x1) for box in extents), default=0.0) / 72.0


def shortened(text: str, inches: float, size: float = TEXT) -> str:
    """The text, or its beginning with … where it is wider than that."""
    if text_width(text, size) <= inches:
        return text
    while text and text_width(text + "…", size) > inches:
        text = text[:-1]
    return text.rstrip() + "…"
