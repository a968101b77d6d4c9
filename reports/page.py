"""The page: what a report consists of, and how it becomes one HTML file that needs nothing else.

    Page > Study > findings, then parts (Figure, Table), then settings

Everything is plain data that someone else has computed; nothing is counted or estimated here.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from reports.csvtable import csv_text
from reports.numbers import html_number
from reports.outcomes import Outcome
from reports.picture import Picture
from reports.svg import DARK, THEMED, theme_rules, xml_text
from reports.words import Name, Number, Piece, Sentence
from sim.errors import UsageError
from sim.store import drop_leftovers, write_atomically

if TYPE_CHECKING:
    import pandas as pd
    from markupsafe import Markup

PAGE_NAME = "index.html"
FILE_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*\Z")


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a table: what is shown, and what it is sorted by (numbers before texts)."""

    piece: Piece
    value: float | str

    @property
    def key(self) -> str:
        """The value as the page's script reads it."""
        if isinstance(self.value, str):
            return xml_text(self.value)
        if math.isinf(self.value):
            return "Infinity" if self.value > 0 else "-Infinity"
        return repr(self.value)

    @classmethod
    def missing(cls) -> Cell:
        """Nothing to show; sorted last."""
        return cls(Number("–"), math.nan)

    @classmethod
    def name(cls, text: str) -> Cell:
        """A name."""
        return cls(Name(text), text)

    @classmethod
    def number(cls, text: str, value: float) -> Cell:
        """A number with its text."""
        return cls(Number(text), value)

    @classmethod
    def count(cls, count: int) -> Cell:
        """A whole number."""
        return cls(Number(f"{count:,}"), count)

    @classmethod
    def share(cls, outcome: Outcome) -> Cell:
        """An outcome's share with its interval."""
        return cls(Number(outcome.text()), outcome.share)

    @classmethod
    def words(cls, text: str) -> Cell:
        """Plain words."""
        return cls(text, text)


@dataclass(frozen=True, eq=False)
class Table:
    """A table: `rows` as people read them, `data` in full precision for the CSV file.

    `name` is the file name without ending; `note` says method, level and games; `commands` make
    its numbers again.
    """

    name: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    data: pd.DataFrame
    note: Sentence
    commands: tuple[str, ...] = ()

    @cached_property
    def csv(self) -> str:
        """The CSV file's text."""
        return csv_text(self.data)

    @property
    def numeric(self) -> tuple[bool, ...]:
        """Which columns hold numbers only, and are set to the right."""
        return tuple(
            bool(self.rows) and all(isinstance(row[i].piece, Number) for row in self.rows)
            for i in range(len(self.columns))
        )


@dataclass(frozen=True, eq=False)
class Figure:
    """A plot with what must be said under it."""

    picture: Picture
    note: Sentence
    commands: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The file name without ending."""
        return self.picture.name

    @property
    def title(self) -> str:
        """One line."""
        return self.picture.title


@dataclass(frozen=True, eq=False)
class Study:
    """What is reported on one game or one run."""

    name: str
    title: str
    lead: Sentence
    findings: tuple[Sentence, ...]
    parts: tuple[Figure | Table, ...]
    settings: tuple[tuple[str, Sentence], ...]
    commands: tuple[str, ...]

    @property
    def tables(self) -> tuple[Table, ...]:
        """The tables among the parts."""
        return tuple(part for part in self.parts if isinstance(part, Table))

    @property
    def figures(self) -> tuple[Figure, ...]:
        """The plots among the parts."""
        return tuple(part for part in self.parts if isinstance(part, Figure))


@dataclass(frozen=True, eq=False)
class Page:
    """A whole page."""

    title: str
    lead: str
    studies: tuple[Study, ...]
    commands: tuple[str, ...]
    versions: tuple[tuple[str, str], ...] = field(default_factory=lambda: report_versions())

    def __post_init__(self) -> None:
        """Names become files and anchors: each must be fit for that, and be there once."""
        names = [s.name for s in self.studies] + [p.name for s in self.studies for p in s.parts]
        for name in names:
            if not FILE_NAME.match(name):
                raise ValueError(f"{name!r} is no name for a file: small letters, digits, hyphens")
        tables = [t.name for s in self.studies for t in s.tables]
        figures = [f.name for s in self.studies for f in s.figures]
        for group in (tables, figures, [s.name for s in self.studies]):
            if len(set(group)) != len(group):
                raise ValueError(f"a name is used twice among {', '.join(group)}")


def report_versions() -> tuple[tuple[str, str], ...]:
    """The versions that the numbers and the plots depend on."""
    from importlib.metadata import version

    from sim.versions import versions

    found = {**versions(), **{name: version(name) for name in ("scipy", "pandas", "matplotlib")}}
    return tuple(found.items())


# --- rendering ----------------------------------------------------------------------------------


def _html(content: Piece | Sentence) -> Markup:
    """A piece of text for the page: everything escaped, names in <code>, numbers typeset."""
    from markupsafe import Markup, escape

    if isinstance(content, Sentence):
        return Markup("").join(_html(piece) for piece in content.pieces)
    if isinstance(content, Number):
        return Markup('<span class="number">{}</span>').format(Markup(html_number(content.text)))
    if isinstance(content, Name):
        return Markup("<code>{}</code>").format(xml_text(content.text))
    return escape(xml_text(content))


def _data_uri(text: str) -> str:
    return "data:text/csv;charset=utf-8;base64," + base64.b64encode(text.encode()).decode()


def render(page: Page) -> str:
    """The page as one HTML file; equal pages give the same text."""
    from jinja2 import Environment, StrictUndefined
    from markupsafe import Markup

    folder = files("reports").joinpath("templates")
    script = folder.joinpath("page.js").read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    environment = Environment(
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=lambda value: xml_text(value) if type(value) is str else value,
    )
    environment.filters["html"] = _html
    environment.filters["data_uri"] = _data_uri
    template = environment.from_string(folder.joinpath("page.html.j2").read_text(encoding="utf-8"))
    light = ";".join(f"--{name}:{colour}" for colour, name in THEMED.items())
    dark = ";".join(f"--{name}:{colour}" for name, colour in DARK.items())
    return template.render(
        page=page,
        style=Markup(folder.joinpath("page.css").read_text(encoding="utf-8")),
        light=Markup(light),
        dark=Markup(dark),
        plot_rules=Markup(theme_rules(".plot ")),
        script=Markup(script),
        script_digest=digest,
        svg=Markup,
        is_table=lambda part: isinstance(part, Table),
    )


# --- writing ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Written:
    """A file that was written, and what it is."""

    path: Path
    what: str
    size: int

    def text(self) -> str:
        """One line for the terminal."""
        return f"{self.path}  {self.what} ({max(1, round(self.size / 1024)):,} kB)"


def check_out(out: Path) -> None:
    """Raise UsageError where no page can be written, before any game is played."""
    import os

    place = out
    while not place.exists() and place != place.parent:
        place = place.parent
    if not place.is_dir():
        raise UsageError(f"{place} is a file; give a folder for the page")
    if not os.access(place, os.W_OK | os.X_OK):
        raise UsageError(f"{out} cannot be written: {place} is not a writable folder")


def _contents(page: Page, png: bool) -> Iterator[tuple[str, str, bytes]]:
    """(file name, what it is, bytes) of everything that goes with a page, the page last."""
    for study in page.studies:
        for part in study.parts:
            if isinstance(part, Table):
                yield f"{part.name}.csv", f"table: {part.title}", part.csv.encode()
                continue
            yield f"{part.name}.svg", f"plot: {part.title}", part.picture.standalone()
            if png:
                yield f"{part.name}.png", f"plot: {part.title}", part.picture.png()
    counts: Sequence[tuple[int, str]] = (
        (sum(len(s.figures) for s in page.studies), "plot"),
        (sum(len(s.tables) for s in page.studies), "table"),
    )
    what = " and ".join(f"{n} {word}{'s' * (n != 1)}" for n, word in counts)
    yield PAGE_NAME, f"the page, with {what}", render(page).encode()


def write_page(page: Page, out: Path, *, png: bool = False) -> list[Written]:
    """Write index.html, the CSV and SVG files (and PNG for a README) into a folder.

    Nothing is written before everything is there; each file appears complete, the page last. An
    older page goes first: whoever is stopped on the way must not leave it beside newer tables.
    """
    check_out(out)
    written = []
    contents = list(_contents(page, png))
    drop_leftovers(out)
    with contextlib.suppress(OSError):  # what stands in the way is told when the page is written
        (out / PAGE_NAME).unlink()
    for name, what, data in contents:
        write_atomically(out / name, data)
        written.append(Written(out / name, what, len(data)))
    return written
