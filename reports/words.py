"""Sentences of a report: words, names that people chose, and numbers, each to be shown in its way.

A name is shown letter by letter as it was typed, a number with a true minus sign and powers of ten.
They are kept apart until the page is written, so that a strategy called `x(k=-1e-05)` stays one.
"""

from __future__ import annotations

from dataclasses import dataclass
from string import Formatter

from reports.plain import plain_number


@dataclass(frozen=True, slots=True)
class Name:
    """A name from outside the report: a strategy, an option with its value, a file."""

    text: str


@dataclass(frozen=True, slots=True)
class Number:
    """A formatted number, as `reports.numbers` writes it."""

    text: str


Piece = str | Name | Number


@dataclass(frozen=True, slots=True)
class Sentence:
    """One or more sentences, in pieces."""

    pieces: tuple[Piece, ...]

    @classmethod
    def of(cls, template: str, **values: Piece | Sentence) -> Sentence:
        """Words with {places} for pieces: Sentence.of("{who} won", who=Name("tidy"))."""
        pieces: list[Piece] = []
        for words, field, _, _ in Formatter().parse(template):
            if words:
                pieces.append(words)
            if field is not None:
                value = values[field]
                pieces += value.pieces if isinstance(value, Sentence) else [value]
        return cls(tuple(pieces))

    def __add__(self, other: Sentence) -> Sentence:
        """Both, one after the other."""
        return Sentence((*self.pieces, *other.pieces))

    def plain(self) -> str:
        """The sentence as plain text."""
        return "".join(
            piece if isinstance(piece, str)
            else plain_number(piece.text) if isinstance(piece, Number)
            else piece.text
            for piece in self.pieces
        )  # fmt: skip


def listed(items: list[Sentence], last: str = "and") -> Sentence:
    """`a, b and c`."""
    pieces: list[Piece] = []
    for place, item in enumerate(items):
        if place:
            pieces.append(f" {last} " if place == len(items) - 1 else ", ")
        pieces += item.pieces
    return Sentence(tuple(pieces))
