"""A plot in its forms: SVG for desk and phone, a file of its own, PNG."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from reports.style import NARROW, look
from reports.svg import dressed, standalone, xml_text
from sim.store import write_atomically

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

PNG_DOTS = 200
NARROW_WIDTH = re.compile(r'<svg[^>]* width="([\d.]+)"')


@dataclass(frozen=True, eq=False)
class Picture:
    """A plot. `draw(narrow)` makes it anew; equal data give the same bytes.

    `name` is a file name without ending, `title` one line, `alt` what someone who cannot see the
    plot must know.
    """

    name: str
    title: str
    alt: str
    draw: Callable[[bool], Drawing]

    @cached_property
    def wide(self) -> str:
        """The <svg> element for a desk."""
        return self._svg(narrow=False)

    @cached_property
    def narrow(self) -> str:
        """The <svg> element for a phone."""
        return self._svg(narrow=True)

    @property
    def scrolls(self) -> bool:
        """Whether the drawing for a phone is wider than a phone."""
        width = NARROW_WIDTH.search(self.narrow)
        return width is not None and float(width[1]) > NARROW * 96 + 1

    def standalone(self) -> bytes:
        """A whole SVG file, light or dark as the reader's system is."""
        return standalone(self.wide).encode()

    def png(self) -> bytes:
        """A PNG file on white."""
        buffer = io.BytesIO()
        with look():
            drawing = self.draw(False)
            drawing.savefig(
                buffer, format="png", dpi=PNG_DOTS, facecolor="white", metadata={"Software": None}
            )
        return buffer.getvalue()

    def save_png(self, path: Path) -> None:
        """Write the PNG file, atomically."""
        write_atomically(path, self.png())

    def _svg(self, narrow: bool) -> str:
        buffer = io.StringIO()
        with look():
            self.draw(narrow).savefig(buffer, format="svg", metadata={"Date": None})
        prefix = f"{self.name}-{'narrow' if narrow else 'wide'}"
        # before parsing: matplotlib writes control characters of a name as they are
        return dressed(xml_text(buffer.getvalue()), prefix, self.title, self.alt)
