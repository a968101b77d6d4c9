"""An independent judge of Shooting Party traces: it plays each game again beside the trace.

The judge takes from the trace only what the rules leave open, the order of each shuffled pile
and what the player chose, and demands that everything else stands there as it must.
"""

import json
from collections.abc import Iterable, Mapping
from typing import NoReturn

from .shooting_party import Event, Game
from .shooting_party_cards import ALLOWED, Action, check_options

HEAD_KEYS = {"ev", "game", "index", "seed", "options", "seats"}

CLAUSE_OF = {
    "shuffle": "SP-1, SP-5, SP-14",
    "draw": "SP-2 to SP-5",
    "result": "SP-6, SP-16",
}


class TraceError(ValueError):
    """A trace that breaks the rules or the trace format, with the place and the clause."""


class _Reader:
    """The events of a trace, one at a time, with the place for error messages."""

    def __init__(self, lines: Iterable[str]) -> None:
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

    def open_game(self, index: object) -> None:
        """Say that the event at hand opens the game with this index."""
        self.game, self.number = index, 0

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


class _JudgedGame(Game):
    """A game whose piles come from a trace and whose every event must stand in it."""

    def __init__(self, options: Mapping[str, object], reader: _Reader) -> None:
        self._reader = reader
        super().__init__(options, self._pile_of_trace)

    def _pile_of_trace(self, cards: list[str], kind: str, number: int) -> list[str]:
        event = self._reader.peek()
        if event is None or event["ev"] != "shuffle":
            clause = {"deal": "SP-1", "reshuffle": "SP-5", "butler": "SP-14"}[kind]
            self._reader.fail(f"a shuffle must stand here ({clause}), not {_told(event)}.")
        pile = _cards(event.get("pile"))
        if pile is None or sorted(pile) != sorted(cards):
            wanted = " ".join(cards) or "none"
            self._reader.fail(f"the shuffled pile must have exactly these cards: {wanted} (SP-7).")
        return pile

    def _record(self, event: Event) -> None:
        super()._record(event)
        if event.get("clause") == "SP-11":
            self._expect_rivals(event)
        else:
            self._expect(event)

    def _expect(self, wanted: Event) -> None:
        found = self._reader.peek()
        if found is None or not _same_event(found, wanted):
            clause = wanted.get("clause", CLAUSE_OF.get(str(wanted["ev"]), "SP-8 to SP-15"))
            self._reader.fail(f"{_told(wanted)} must stand here ({clause}), not {_told(found)}.")
        self._reader.advance()

    def _expect_rivals(self, wanted: Event) -> None:
        """Several queens may leave in one event or in several, those longest there first."""
        rivals = _cards(wanted["cards"]) or []
        while rivals:
            found = self._reader.peek() or {}
            count = max(1, len(_cards(found.get("cards")) or []))
            self._expect({**wanted, "cards": rivals[:count]})  # SP-11
            rivals = rivals[count:]


def judge(lines: Iterable[str]) -> int:
    """Judge a stream of games and return their number; raise TraceError at the first fault."""
    reader = _Reader(lines)
    games = 0
    while reader.peek() is not None:
        _judge_game(reader)
        games += 1
    return games


def _judge_game(reader: _Reader) -> None:
    options = _read_head(reader)
    reader.advance()
    game = _JudgedGame(options, reader)
    while not game.over:
        game.apply(_read_action(reader, game))


def _read_head(reader: _Reader) -> Mapping[str, object]:
    """Check the line that opens a game and return its options."""
    head = reader.peek() or {}
    if head.get("ev") != "game":
        reader.fail(f"a line with 'ev': 'game' must open the next game here, not {_told(head)}.")
    reader.open_game(head.get("index"))
    if set(head) != HEAD_KEYS:
        reader.fail(f"the line must have exactly the keys {', '.join(sorted(HEAD_KEYS))}.")
    if head["game"] != "shooting-party":
        reader.fail(f"the game must be 'shooting-party', not {head['game']!r}.")
    index, seats, options = head["index"], head["seats"], head["options"]
    if type(index) is not int or index < 0 or type(head["seed"]) is not int:
        reader.fail("index must be a whole number from 0 up and seed a whole number.")
    if not isinstance(seats, list) or [type(seat) for seat in seats] != [str]:
        reader.fail("seats must be a list with the name of one strategy.")
    if not isinstance(options, dict) or set(options) != set(ALLOWED):
        reader.fail(f"options must have exactly these: {', '.join(ALLOWED)}.")
    try:
        check_options(options)
    except ValueError as error:
        reader.fail(f"{error}.")
    return options


def _read_action(reader: _Reader, game: Game) -> Action:
    """Return the choice that must stand at hand, once it is known to be legal."""
    event = reader.peek()
    if event is None or event["ev"] != "act":
        reader.fail(f"an act of the player must stand here (SP-8 to SP-15), not {_told(event)}.")
    cards = _cards(event.get("cards"))
    take, card = event.get("take"), event.get("card")
    if cards is None or not isinstance(take, str | None) or not isinstance(card, str | None):
        reader.fail("an act needs a list of cards, and the butler texts or null (trace format).")
    action = Action(str(event.get("do")), tuple(cards), take, card)
    problem = game.refusal(action)
    if problem is not None:
        reader.fail(problem)
    return action


def _same_event(found: Event, wanted: Event) -> bool:
    """Tell whether an event of the trace is the wanted one; a seat, if there, must be 0."""
    if set(found) - {"seat"} != set(wanted):
        return False
    seat = found.get("seat", 0)
    if type(seat) is not int or seat != 0:
        return False
    return all(_same_value(key, found[key], wanted[key]) for key in wanted)


def _same_value(key: str, found: object, wanted: object) -> bool:
    """Compare one field; the order of a list is free, save that of the pile."""
    if isinstance(wanted, list) and key != "pile":
        cards = _cards(found)
        return cards is not None and sorted(cards) == sorted(wanted)
    return type(found) is type(wanted) and found == wanted


def _cards(value: object) -> list[str] | None:
    """Return a list of texts as it is, and None for anything else."""
    if isinstance(value, list) and all(isinstance(card, str) for card in value):
        return value
    return None


def _told(event: Event | None) -> str:
    """Return an event in the words of an error message."""
    return "the end of the trace" if not event else json.dumps(event)
