"""An independent judge of Short Zoot Suit traces: it plays each game again beside the trace.

The judge takes from the trace only what the rules leave open, the cards dealt, the order of decks
and what the players chose, and demands that everything else stands there as it must.
"""

from collections.abc import Iterable, Mapping
from dataclasses import fields

from .short_zoot_suit import Event, Game
from .short_zoot_suit_cards import (
    STAY,
    TAKE,
    Choice,
    Draft,
    Move,
    Options,
    Play,
    check_options,
)
from .trace_reader import Reader, texts, told

CLAUSE_OF = {
    "deal": "ZS-2, ZS-3",
    "draft": "ZS-4",
    "deck": "ZS-4",
    "draw": "ZS-5, ZS-14",
    "stay": "ZS-5, ZS-14",
    "lay": "ZS-14",
    "play": "ZS-7",
    "trick": "ZS-8, ZS-12, ZS-13",
    "round": "ZS-6, ZS-9, ZS-10",
    "result": "ZS-9",
}
WANTED = (("draft",), ("draw", "stay", "lay"), ("play",))
"""The events of each kind of decision."""


class _TraceChance:
    """What chance decided, as the trace tells it."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    def _event(self, name: str) -> Event:
        event = self._reader.peek()
        if event is None or event["ev"] != name:
            self._reader.fail(f"a {name} must stand here ({CLAUSE_OF[name]}), not {told(event)}.")
        return event

    def shuffle(self, number: int, cards: list[str]) -> list[str]:
        """Return a deck that, dealt out, gives the hands of the trace and the cards left out."""
        event = self._event("deal")
        hands, out = event.get("hands"), texts(event.get("out"))
        listed = [texts(hand) or [] for hand in hands] if isinstance(hands, list) else []
        deck = [card for hand in [*listed, out or []] for card in hand]
        if sorted(deck) != sorted(cards):
            self._reader.fail(f"hands and out must be the {len(cards)} cards of the pack (ZS-1).")
        return deck

    def deck(self, number: int, seat: int, cards: list[str]) -> list[str]:
        """Return the order of a deck."""
        deck = texts(self._event("deck").get("cards")) or []
        if sorted(deck) != sorted(cards):
            self._reader.fail(f"the deck must be the cards drafted, {' '.join(cards)} (ZS-4).")
        return list(deck)


class _JudgedGame(Game):
    """A game whose chance comes from a trace and whose every event must stand in it.

    Choices of one phase stand in seat order, so each is carried out as it is read; that does not
    change what the next player may do.
    """

    def __init__(self, options: Mapping[str, object], reader: Reader) -> None:
        self._reader = reader
        super().__init__(options, _TraceChance(reader))

    def _choose(self, what: str) -> None:
        self.at_once = True
        super()._choose(what)

    def _record(self, event: Event) -> None:
        super()._record(event)
        found = self._reader.peek()
        if found is None or not _same_event(found, event):
            clause = CLAUSE_OF[str(event["ev"])]
            self._reader.fail(f"{told(event)} must stand here ({clause}), not {told(found)}.")
        self._reader.advance()


def judge(lines: Iterable[str]) -> int:
    """Judge a stream of games and return their number; raise TraceError at the first fault."""
    reader = Reader(lines)
    games = 0
    while reader.peek() is not None:
        _judge_game(reader)
        games += 1
    return games


def _judge_game(reader: Reader) -> None:
    head = reader.peek() or {}
    options = head.get("options")
    players = options.get("players") if isinstance(options, dict) else None
    names = [field.name for field in fields(Options)]
    seats = players if type(players) is int else 4
    options = reader.open_game("short-zoot-suit", names, seats)["options"]
    assert isinstance(options, dict)
    try:
        check_options(options)
    except ValueError as error:
        reader.fail(f"{error}.")
    game = _JudgedGame(options, reader)
    while not game.over:
        choice = _read_choice(reader, game)
        problem = game.refusal(choice)
        if problem is not None:
            reader.fail(problem)
        game.apply(choice)


def _read_choice(reader: Reader, game: Game) -> Choice:
    """Return the choice that must stand at hand; whether it is legal comes later."""
    event = reader.peek()
    wanted = WANTED[game.kind]
    if event is None or event["ev"] not in wanted:
        clause = CLAUSE_OF[wanted[0]]
        reader.fail(f"a {' or '.join(wanted)} must stand here ({clause}), not {told(event)}.")
    actor = event.get("seat")
    if type(actor) is not int or actor != game.seat:
        reader.fail(f"it is the turn of seat {game.seat} (ZS-5, ZS-7), not of {actor!r}.")
    if event["ev"] == "draft":
        return Draft(tuple(texts(event.get("cards")) or ()))
    if event["ev"] in ("draw", "stay"):
        return Move(TAKE if event["ev"] == "draw" else STAY)
    card = event.get("card")
    if not isinstance(card, str):
        reader.fail(f"card must be the name of a card, not {card!r} (trace format).")
    return Play(card) if event["ev"] == "play" else Move(card)


def _same_event(found: Event, wanted: Event) -> bool:
    """Tell whether an event of the trace is the wanted one."""
    free = {"draft": ("cards",), "deal": ("hands", "out"), "result": ("winners",)}
    unordered = free.get(str(wanted["ev"]), ())
    return set(found) == set(wanted) and all(
        _plain(found[key], key in unordered) == _plain(wanted[key], key in unordered)
        for key in wanted
    )


def _plain(value: object, unordered: bool) -> object:
    """Return a value without the freedom of the format, each part with its type."""
    if isinstance(value, list):
        parts = [_plain(part, unordered) for part in value]
        nested = any(isinstance(part, list) for part in value)
        return sorted(parts, key=repr) if unordered and not nested else parts
    if isinstance(value, dict):
        return {key: _plain(part, unordered) for key, part in value.items()}
    return type(value), value
