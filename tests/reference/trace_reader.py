"""Reads a trace event by event, for the judges of games; checks its form and knows the place."""

import json
from collections.abc import Iterable, Mapping
from typing import NoReturn

Event = dict[str, object]
HEAD_KEYS = {"ev", "game", "index", "seed", "options", "seats"}


class TraceError(ValueError):
    """A trace that breaks the rules or the trace format, with the place and the clause."""


class Reader:
    """The events of a trace, one at a time, with the place for error messages."""

    def __init__(self, lines: Iterable[str]) -> None:
        """Read the first event."""
        self._lines = iter(lines)
        self._event: Event | None = None
        self.game: object = "?"
        self.number = -1
        self.advance()

    def peek(self) -> Event | None:
        """Return the event at hand, or None at the end of the trace."""
        return self._event

    def advance(self) -> None:
        """Go on to the next event; the line that opens a game has the number 0."""
        self.number += 1
        line = next(self._lines, None)
        self._event = None if line is None else self._parse(line)

    def open_game(
        self, name: str, option_names: Iterable[str], seats: int, more: Iterable[str] = ()
    ) -> Event:
        """Return the line that opens a game, once its form is right, and go on.

        `more` are keys that the lines of this game have besides those of every game.
        """
        keys = HEAD_KEYS | set(more)
        head = self._event or {}
        if head.get("ev") != "game":
            self.fail(f"a line with 'ev': 'game' must open the next game here, not {told(head)}.")
        self.game, self.number = head.get("index"), 0
        if set(head) != keys:
            self.fail(f"the line must have exactly the keys {', '.join(sorted(keys))}.")
        if head["game"] != name:
            self.fail(f"the game must be {name!r}, not {head['game']!r}.")
        index, named, options = head["index"], head["seats"], head["options"]
        if type(index) is not int or index < 0 or type(head["seed"]) is not int:
            self.fail("index must be a whole number from 0 up and seed a whole number.")
        if not isinstance(named, list) or [type(seat) for seat in named] != [str] * seats:
            self.fail(f"seats must be a list with the names of {seats} strategies.")
        if not isinstance(options, dict) or set(options) != set(option_names):
            self.fail(f"options must have exactly these: {', '.join(option_names)}.")
        self.advance()
        return head

    def fail(self, sentence: str) -> NoReturn:
        """Raise a TraceError that names the place."""
        raise TraceError(f"game {self.game}, event {self.number}: {sentence}")

    def _parse(self, line: str) -> Event:
        try:
            event = json.loads(line, object_pairs_hook=_without_doubles)
        except ValueError as error:
            self.fail(f"the line is not one JSON object ({error}; trace format).")
        if not isinstance(event, dict) or not isinstance(event.get("ev"), str):
            self.fail("the line is not a JSON object with a text 'ev' (trace format).")
        return event


def _without_doubles(pairs: list[tuple[str, object]]) -> Event:
    event = dict(pairs)
    if len(event) != len(pairs):
        raise ValueError("a key stands there twice")
    return event


def texts(value: object) -> list[str] | None:
    """Return a list of texts as it is, and None for anything else."""
    if isinstance(value, list) and all(isinstance(text, str) for text in value):
        return value
    return None


def told(event: Mapping[str, object] | None) -> str:
    """Return an event in the words of an error message."""
    return "the end of the trace" if not event else json.dumps(event)
