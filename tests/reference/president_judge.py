"""An independent judge of President traces: it plays each game again beside the trace.

The judge takes from the trace only what the rules leave open, the cards dealt, leaders and gifts by
chance, and what the players chose, and demands that everything else stands there as it must.
"""

from collections.abc import Iterable, Mapping
from dataclasses import fields

from .president import Event, Game
from .president_cards import PASS, SEATS, Choice, Gift, Options, Play, check_options
from .trace_reader import Reader, texts, told

CLAUSE_OF = {
    "deal": "PR-1",
    "gift": "PR-12, PR-13",
    "lead": "PR-14",
    "play": "PR-4 to PR-8",
    "pass": "PR-7",
    "trick": "PR-9, PR-10",
    "out": "PR-11",
    "round": "PR-11",
    "result": "PR-15",
}


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
        """Return a deck that, dealt one by one, gives the hands of the trace."""
        hands = self._event("deal").get("hands")
        listed = [texts(hand) or [] for hand in hands] if isinstance(hands, list) else []
        if sorted(card for hand in listed for card in hand) != sorted(cards):
            self._reader.fail(f"the hands must be all {len(cards)} cards of the pack (PR-1).")
        deck, first = [], (number - 1) % 4
        left = [list(hand) for hand in listed]
        for place in range(len(cards)):
            seat = (first + place) % 4
            if len(left) != 4 or not left[seat]:
                self._reader.fail(f"the cards go round one by one from seat {first} on (PR-1).")
            deck.append(left[seat].pop())
        return deck

    def leader(self, number: int) -> int:
        """Return the seat that leads."""
        seat = self._event("lead").get("seat")
        if type(seat) is not int or seat not in SEATS:
            self._reader.fail(f"a seat must lead (PR-14), not {seat!r}.")
        return seat

    def gift(self, number: int, rank: int, hand: list[str], size: int) -> list[str]:
        """Return the cards that were given, if the hand has them."""
        cards = texts(self._event("gift").get("cards")) or []
        if len(cards) != size or any(cards.count(card) > hand.count(card) for card in cards):
            self._reader.fail(f"{size} cards of the hand {' '.join(hand)} must be given (PR-12).")
        return list(cards)


class _JudgedGame(Game):
    """A game whose chance comes from a trace and whose every event must stand in it."""

    def __init__(self, options: Mapping[str, object], reader: Reader) -> None:
        self._reader = reader
        super().__init__(options, _TraceChance(reader))

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
    names = [field.name for field in fields(Options)]
    options = reader.open_game("president", names, 4)["options"]
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
    wanted = ("gift",) if game.gift_size else ("play", "pass")
    if event is None or event["ev"] not in wanted:
        clause = CLAUSE_OF[wanted[0]]
        reader.fail(f"a {' or '.join(wanted)} must stand here ({clause}), not {told(event)}.")
    actor = event.get("from" if game.gift_size else "seat")
    if type(actor) is not int or actor != game.seat:
        reader.fail(f"it is the turn of seat {game.seat} (PR-7, PR-12), not of {actor!r}.")
    if event["ev"] == "pass":
        return PASS
    cards, rank = texts(event.get("cards")), event.get("rank")
    if cards is None or any(card not in game.options.order for card in cards):
        reader.fail("cards must be a list of cards (trace format).")
    if game.gift_size:
        return Gift(tuple(game.table.sorted(cards)))
    if not isinstance(rank, str) or rank not in game.options.order:
        reader.fail(f"rank must be that of a card, not {rank!r} (trace format).")
    return Play(rank, cards.count(rank), len(cards) - cards.count(rank))


def _same_event(found: Event, wanted: Event) -> bool:
    """Tell whether an event of the trace is the wanted one."""
    return set(found) == set(wanted) and all(
        _plain(key, found[key]) == _plain(key, wanted[key]) for key in wanted
    )


def _plain(key: str, value: object) -> object:
    """Return a value without the freedom of the format, each part with its type."""
    if isinstance(value, list):
        parts = [_plain(key, part) for part in value]
        is_cards = key == "cards" or (key == "hands" and texts(value) is not None)
        return sorted(parts, key=repr) if is_cards else parts
    return type(value), value
