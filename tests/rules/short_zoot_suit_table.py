"""The compiled Short Zoot Suit on a table: hand-built positions, named cards, a trace of it all.

What the tests must know of the kernel's memory is in this file: the state's fields, the numbers of
cards and actions.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np
from numba import from_dtype, types

import sim.games
from sim.contract import Event
from sim.engine import LOG_TYPE, Seating
from sim.jit import compile_function
from sim.rng import output_of, roots, stream_dtype
from sim.rulesets.short_zoot_suit import rules
from sim.stepper import Stepper
from tests.reference.short_zoot_suit_cards import STAY, TAKE, Choice, Draft, Move
from tests.reference.short_zoot_suit_tables import story

RULES = sim.games.load("short-zoot-suit")
#: Rows that the events of one decision, or of a deal, may take.
LOG_ROWS = 256
#: Cards in each word of a stack.
IN_WORD = 10


def array_type(dtype: Any, dimensions: int = 1) -> Any:
    """numba's type of an array."""
    return types.Array(from_dtype(np.dtype(dtype)), dimensions, "C")


@cache
def logged_steps() -> SimpleNamespace:
    """The step functions that write events, compiled with an event log, and the rounds table's."""
    deal_, apply_, begin_phase_ = RULES.deal, RULES.apply, rules.begin_phase
    over_, outcome_ = RULES.round_over, RULES.round_outcome

    def logged_deal(states, streams, root, game, log):  # type: ignore[no-untyped-def]
        streams[0].key = output_of(root, game)
        deal_(states[0], streams[0], log)

    def logged_apply(states, action, streams, log):  # type: ignore[no-untyped-def]
        apply_(states[0], action, streams[0], log)

    def begin_phase(states, streams, log):  # type: ignore[no-untyped-def]
        begin_phase_(states[0], streams[0], log)

    def round_over(states):  # type: ignore[no-untyped-def]
        return over_(states[0])

    def round_outcome(states, rows):  # type: ignore[no-untyped-def]
        outcome_(states[0], rows[0])

    states, streams = array_type(RULES.state_dtype), array_type(stream_dtype)
    signatures = (
        (logged_deal, (states, streams, types.uint64, types.int64, LOG_TYPE)),
        (logged_apply, (states, types.int64, streams, LOG_TYPE)),
        (begin_phase, (states, streams, LOG_TYPE)),
        (round_over, (states,)),
        (round_outcome, (states, array_type(RULES.round_dtype()))),
    )
    return SimpleNamespace(**{f.__name__: compile_function(f, kinds) for f, kinds in signatures})


class Table(Stepper):
    """One game of the kernel, dealt from a seed; every decision is taken with and without a log."""

    def __init__(
        self, seed: int = 1, index: int = 0, seating: Seating | None = None, **options: Any
    ) -> None:
        """Deal game `index` of a seed."""
        super().__init__(RULES, RULES.options.from_mapping(options), seed, index, seating)
        checked: Any = self.options
        self.names: Sequence[str] = checked.names()
        self.players: int = checked.players
        self.events: list[Event] = []
        self.log = np.zeros((LOG_ROWS, 3), np.int64)
        without_log = self.states.tobytes()
        logged_steps().logged_deal(self.states, self.streams, roots(seed)[0], index, self.log)
        assert self.states.tobytes() == without_log
        self._read_log()
        self.look()

    def _read_log(self) -> None:
        count = int(self.log[0, 0])
        assert count < LOG_ROWS
        self.events += RULES.events(self.log[1 : count + 1], self.options)
        self.log[0, 0] = 0

    def apply(self, action: int) -> None:
        """Carry out a legal action with the log on; without it the same must come of it."""
        twin = self.states.view(np.uint8).copy().view(RULES.state_dtype)  # padding and all
        stream = self.streams.copy()
        self.steps.apply(twin, action, stream)
        logged_steps().logged_apply(self.states, action, self.streams, self.log)
        for name in RULES.state_dtype.names or ():
            if name != "choices":  # the kernel does not write down that nobody can draw
                assert self.states[name].tobytes() == twin[name].tobytes(), name
        self._read_log()
        self.decisions += 1
        self.look()

    # --- cards by name --------------------------------------------------------------------------

    def word(self, cards: Iterable[str]) -> int:
        """Cards as a set."""
        return sum(1 << self.names.index(card) for card in cards)

    def cards(self, word: Any) -> list[str]:
        """The cards of a set, from low to high."""
        assert int(word) >> len(self.names) == 0
        return [name for card, name in enumerate(self.names) if int(word) >> card & 1]

    def of_seats(self, word: Any) -> list[int]:
        """The numbers of the seats in a word with eight bits a seat."""
        return [int(word) >> 8 * seat & 255 for seat in range(self.players)]

    def before_tricks(self, word: Any) -> list[set[int]]:
        """The tricks of each seat in a word with sixteen bits a seat."""
        bits = [int(word) >> 16 * seat & 0xFFFF for seat in range(self.players)]
        return [{trick + 1 for trick in range(16) if seat >> trick & 1} for seat in bits]

    def stack(self, top: Any, below: Any, count: int) -> list[str]:
        """The cards of a stack, top first."""
        numbers = [int(top) >> 6 * place & 63 for place in range(IN_WORD)]
        numbers += [int(below) >> 6 * place & 63 for place in range(IN_WORD)]
        assert not any(numbers[count:])
        return [self.names[number] for number in numbers[:count]]

    # --- what lies on the table -----------------------------------------------------------------

    @property
    def hands(self) -> list[list[str]]:
        """All hands, from low to high."""
        return [self.cards(self.states[0]["hands"][seat]) for seat in range(self.players)]

    @property
    def decks(self) -> list[list[str]]:
        """All decks, top first."""
        state = self.states[0]
        found = []
        for seat in range(self.players):
            cards = self.cards(state["own_decks"][seat])
            found.append(self.stack(state["tops"][seat], state["belows"][seat], len(cards)))
            assert sorted(found[-1]) == sorted(cards)
        return found

    def outside(self, seat: int, suits: str) -> int:
        """How many cards of a hand at least have none of these suits, as the kernel knows it."""
        bits = sum(1 << "CDHS".index(suit) for suit in suits)
        return int(self.states[0]["outside"][seat]) >> 4 * bits & 15

    def round_row(self) -> Any | None:
        """The row of the rounds table, if the last action ended a round."""
        if not logged_steps().round_over(self.states):
            return None
        rows = np.zeros(1, RULES.round_dtype())
        logged_steps().round_outcome(self.states, rows)
        return rows[0]

    # --- what is done ---------------------------------------------------------------------------

    def encoded(self, choice: Choice) -> int:
        """A choice of the referee as the kernel's number."""
        if isinstance(choice, Draft):
            return self.word(choice.cards)
        if not isinstance(choice, Move):
            return self.names.index(choice.card)
        if choice.what in (STAY, TAKE):
            return int(choice.what == TAKE)
        return 2 + self.names.index(choice.what)

    def number(self, text: str) -> int:
        """The action in words: five cards, `take`, `stay`, or a card to play or to lay."""
        if self.kind == 0:
            return self.word(text.split())
        return self.encoded(Move(text)) if self.kind == 1 else self.names.index(text)

    def can(self, text: str) -> bool:
        """Whether the kernel allows this now, by its check and by its list."""
        action = self.number(text)
        legal = self.is_legal(action)
        assert legal == (action in self.legal_actions())
        return legal

    def refusal(self, text: str) -> str:
        """The clause that the kernel names against an illegal action."""
        assert not self.can(text)
        return RULES.clause_of(self.view, self.number(text))

    def act(self, *texts: str) -> list[str]:
        """Take actions one after the other; returns the events in short."""
        before = len(self.events)
        for text in texts:
            action = self.number(text)
            assert self.is_legal(action), f"{RULES.action_text(self.view, action)} is illegal"
            self.apply(action)
        return story(self.events[before:])

    def legal(self) -> list[str]:
        """The legal actions in words."""
        return [RULES.action_text(self.view, action) for action in self.legal_actions()]

    def play_out(self, last: bool = False) -> None:
        """Play to the end: everybody takes the first, or the last, legal action."""
        while not self.over:
            self.apply(self.legal_actions()[-1 if last else 0])


def position(
    hands: Sequence[str], decks: Sequence[str] = (), *, leader: int = 0, **options: Any
) -> Table:
    """A table set to the time before a trick: these hands and these decks, top first.

    There are as many players as hands. Who has a deck is asked whether to draw.
    """
    table = Table(**{"players": len(hands), "rounds": 1, **options})
    state, public = table.states[0], table.states[0]["table"]
    sizes = deck_sizes = 0
    for seat, hand in enumerate(hands):
        cards = decks[seat].split() if decks else []
        state["hands"][seat] = table.word(hand.split())
        state["own_decks"][seat] = table.word(cards)
        numbers = [table.names.index(card) for card in cards]
        stack = sum(number << 6 * place for place, number in enumerate(numbers))
        state["tops"][seat], state["belows"][seat] = stack & (1 << 60) - 1, stack >> 60
        sizes |= len(hand.split()) << 8 * seat
        deck_sizes |= len(cards) << 8 * seat
    public["sizes"], public["decks"], public["leader"] = sizes, deck_sizes, leader
    table.events = []
    logged_steps().begin_phase(table.states, table.streams, table.log)
    table._read_log()
    table.look()
    return table
