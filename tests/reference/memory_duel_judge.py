"""Judges traces of the memory duel by the referee's rules.

Whether a recital succeeds is told by the trace, and judged only where the recall model leaves no
choice; what a player with a persistent memory has lost is not told at all.
"""

from collections.abc import Iterable, Mapping, Sequence

from .memory_duel import DEFAULTS, Event, Game, check_options, pack
from .memory_duel_memory import Memory
from .trace_reader import Reader, texts, told

CLAUSE_OF = {"raise": "MD-3", "call": "MD-4", "decline": "MD-6", "result": "MD-6"}


class _TraceChance:
    """The chance of a game as its trace tells it."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._left: list[str] = []

    def shuffle(self, cards: list[str]) -> list[str]:
        """Return the pack as it lies: its cards are seen as they are laid."""
        self._left = list(cards)
        return list(cards)

    def recital(self, seat: int, laid: int, chance: float) -> bool:
        """Return how the trace says that a recital ended."""
        event = self._reader.peek() or {}
        right = event.get("recited")
        if event.get("ev") != "call" or type(right) is not bool:
            self._reader.fail(
                f"a call that was recited or not must stand here (MD-4), not {told(event)}."
            )
        return bool(right)

    def keeps(self, seat: int, laid: int, known: list[str], chance: float) -> list[str]:
        """Return nothing that a trace would tell."""
        return known


class _JudgedGame(Game):
    """A game whose chance comes from a trace and whose every event must stand in it."""

    def __init__(
        self, options: Mapping[str, object], models: Sequence[str], reader: Reader
    ) -> None:
        self._reader = reader
        self._seen: set[str] = set()
        super().__init__(options, models, _TraceChance(reader))

    def _recites(self, seat: int) -> bool:
        right = self.chance.recital(seat, self.laid, 0.5)
        memory = self.memories[seat]
        if right not in memory.can_end(len(self.stack)):
            self._reader.fail(f"{memory.name} can only end otherwise here (MD-8).")
        return right

    def record(self, event: Event) -> None:
        """Compare an event with the one that stands in the trace."""
        found = self._reader.peek() or {}
        if event["ev"] == "raise":  # the pack was hidden: any card that has not been seen
            card = found.get("card")
            if card in self._seen or type(card) is not str:
                self._reader.fail(f"{card!r} is no card that could be laid here (MD-1).")
            if self.size <= 52 and card not in pack(52):
                self._reader.fail(f"{card!r} is no card (trace format).")
            self._seen.add(card)
            self.stack[-1] = card
            event = {**event, "card": card}
        if _plain(found) != _plain(event):
            clause = CLAUSE_OF[str(event["ev"])]
            self._reader.fail(f"{told(event)} must stand here ({clause}), not {told(found)}.")
        self._reader.advance()
        super().record(event)


def _plain(event: Mapping[str, object]) -> list[tuple[str, str, str]]:
    return sorted((key, type(value).__name__, repr(value)) for key, value in event.items())


def judge(lines: Iterable[str]) -> int:
    """Judge a stream of games and return their number; raise TraceError at the first fault."""
    reader = Reader(lines)
    games = 0
    while reader.peek() is not None:
        _judge_game(reader)
        games += 1
    return games


def _judge_game(reader: Reader) -> None:
    head = reader.open_game("memory-duel", list(DEFAULTS), 2, more=("models",))
    options, models = head["options"], texts(head["models"])
    assert isinstance(options, dict)
    try:
        checked = check_options(options)
        memories = [Memory.read(spec, str(checked["order"])) for spec in models or []]
    except ValueError as error:
        reader.fail(f"{error}.")
    if models is None or len(memories) != 2:
        reader.fail("models must be a list with the recall models of 2 seats.")
    game = _JudgedGame(options, models, reader)
    while not game.over:
        event = reader.peek() or {}
        action = event.get("ev")
        if action not in ("raise", "call", "decline"):
            reader.fail(f"a raise, call or decline must stand here (MD-2), not {told(event)}.")
        if type(event.get("seat")) is not int or event["seat"] != game.seat:
            reader.fail(
                f"it is the turn of seat {game.seat} (MD-2, MD-5), not of {event.get('seat')!r}."
            )
        problem = game.refusal(str(action))
        if problem is not None:
            reader.fail(problem)
        game.apply(str(action))
