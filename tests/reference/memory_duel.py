"""The referee of the memory duel: the rules in plain Python, one clause at a time.

Written from the clauses (seeds/rules/memory-duel.md), not from the kernel.
"""

from collections.abc import Mapping, Sequence
from typing import Protocol

from .memory_duel_memory import Memory

Event = dict[str, object]
DEFAULTS: dict[str, object] = {"cards": 52, "order": "in-order", "known_opponent": True}
ACTIONS = ("raise", "call", "decline")


class Chance(Protocol):
    """Where everything that is not decided by the players comes from."""

    def shuffle(self, cards: list[str]) -> list[str]:
        """Return the shuffled pack, top first."""

    def recital(self, seat: int, laid: int, chance: float) -> bool:
        """Tell whether a seat recites, `laid` cards having been laid in the game."""

    def keeps(self, seat: int, laid: int, known: list[str], chance: float) -> list[str]:
        """Return which of the known cards stay known when one was laid."""


def pack(size: int) -> list[str]:
    """Return the cards of a pack (MD-1): beyond 52 with the number of the pack."""
    ranks, suits = "23456789TJQKA", "CDHS"
    names = []
    for number in range(1, 6):
        mark = "" if number == 1 else f"/{number}"
        names += [rank + suit + mark for rank in ranks for suit in suits]
    return names[:size]


def check_options(values: Mapping[str, object]) -> dict[str, object]:
    """Return all options; raise ValueError for one that does not exist or is not allowed."""
    for name, value in values.items():
        if name not in DEFAULTS:
            raise ValueError(f"there is no option {name!r}")
        allowed = {
            "cards": type(value) is int and 1 <= value <= 208,
            "order": value in ("in-order", "any-order"),
            "known_opponent": type(value) is bool,
        }
        if not allowed[name]:
            raise ValueError(f"option {name} cannot be {value!r}")
    return {**DEFAULTS, **values}


class Game:
    """One game at a table, with all that is hidden."""

    def __init__(
        self, options: Mapping[str, object], models: Sequence[str], chance: Chance
    ) -> None:
        """Shuffle the pack (MD-1)."""
        self.options = check_options(options)
        order = str(self.options["order"])
        self.memories = [Memory.read(spec, order) for spec in models]
        self.chance = chance
        self.pack = chance.shuffle(pack(int(str(self.options["cards"]))))
        self.size = len(self.pack)
        self.stack: list[str] = []
        self.known: list[list[str]] = [[], []]  # of the stack, by seats with persistent memory
        self.claimed: list[list[str]] = [[], []]
        self.recitals: list[tuple[int, int, bool]] = []  # (seat, cards, right)
        self.seat = 0  # MD-2
        self.declined: list[int] = []
        self.over = False
        self.events: list[Event] = []

    @property
    def laid(self) -> int:
        """Return how many cards have left the pack."""
        return self.size - len(self.pack)

    def record(self, event: Event) -> None:
        """Write an event down."""
        self.events.append(event)

    def refusal(self, action: str) -> str | None:
        """Return why the player to move may not do this, or None."""
        if self.over:
            return "MD-6: the game is over."
        if action not in ACTIONS:
            return "MD-2: one can raise, call, or decline at the end."
        if action == "raise" and not self.pack:
            return "MD-3: the pack is empty."
        if action == "call" and not self.stack:
            return "MD-4: there is no stack to call."
        if action == "decline" and self.pack:
            return "MD-6: only with an empty pack one can decline."
        return None

    def legal(self) -> list[str]:
        """Return what the player to move may do: first what is no call."""
        return [one for one in ("raise", "decline", "call") if self.refusal(one) is None]

    def apply(self, action: str) -> None:
        """Carry out an action; raise ValueError when it is not legal."""
        problem = self.refusal(action)
        if problem is not None:
            raise ValueError(problem)
        if action == "raise":
            self._raise()
        elif action == "call":
            self._call()
        else:
            self.record({"ev": "decline", "seat": self.seat})
            self.declined.append(self.seat)
            self.seat = 1 - self.seat
        self._end()

    def _raise(self) -> None:
        card = self.pack.pop(0)  # MD-3
        self.stack.append(card)
        for seat, memory in enumerate(self.memories):
            if memory.is_persistent:  # MD-8
                known = [*self.known[seat], card]
                self.known[seat] = self.chance.keeps(seat, self.laid, known, memory.values["p"])
        self.record({"ev": "raise", "seat": self.seat, "card": card})
        self.seat = 1 - self.seat

    def _recites(self, seat: int) -> bool:
        memory = self.memories[seat]
        if memory.is_persistent:
            return self.known[seat] == self.stack  # MD-8
        return self.chance.recital(seat, self.laid, memory.chance(len(self.stack)))

    def _call(self) -> None:
        caller, other = self.seat, 1 - self.seat
        right = self._recites(other)
        claimant = other if right else caller  # MD-4
        self.record(
            {
                "ev": "call", "seat": caller, "cards": len(self.stack), "recited": right,
                "claimed_by": claimant,
            }
        )  # fmt: skip
        self.recitals.append((other, len(self.stack), right))
        self.claimed[claimant] += self.stack
        self.stack = []
        self.known = [[], []]
        self.seat = other  # MD-5

    def _end(self) -> None:
        if not self.pack and (not self.stack or len(self.declined) == 2):  # MD-6
            self.over = True
            claimed = [len(cards) for cards in self.claimed]
            self.record({"ev": "result", "claimed": claimed, "unclaimed": len(self.stack)})
