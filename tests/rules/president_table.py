"""The compiled President on a table: hand-built positions, named cards, a trace of it all.

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
from sim.rulesets.president import rules
from sim.stepper import Stepper
from tests.reference.president_cards import PASS, SEATS, UPWARDS, Choice, Gift, Play
from tests.reference.president_tables import story

RULES = sim.games.load("president")
#: Rows that the events of one decision, or of a deal, may take.
LOG_ROWS = 4096


def array_type(dtype: Any, dimensions: int = 1) -> Any:
    """numba's type of an array."""
    return types.Array(from_dtype(np.dtype(dtype)), dimensions, "C")


@cache
def logged_steps() -> SimpleNamespace:
    """The step functions that write events, compiled with an event log."""
    deal_, apply_ = RULES.deal, RULES.apply

    def logged_deal(states, streams, root, game, log):  # type: ignore[no-untyped-def]
        streams[0].key = output_of(root, game)
        deal_(states[0], streams[0], log)

    def logged_apply(states, action, streams, log):  # type: ignore[no-untyped-def]
        apply_(states[0], action, streams[0], log)

    states, streams = array_type(RULES.state_dtype), array_type(stream_dtype)
    deal_types = (states, streams, types.uint64, types.int64, LOG_TYPE)
    apply_types = (states, types.int64, streams, LOG_TYPE)
    return SimpleNamespace(
        deal=compile_function(logged_deal, deal_types),
        apply=compile_function(logged_apply, apply_types),
    )


@cache
def compiled_rounds() -> SimpleNamespace:
    """`round_over` and `round_outcome` as functions of arrays."""
    over_, outcome_ = RULES.round_over, RULES.round_outcome

    def is_over(states):  # type: ignore[no-untyped-def]
        return over_(states[0])

    def outcome(states, rows):  # type: ignore[no-untyped-def]
        outcome_(states[0], rows[0])

    states, rows = array_type(RULES.state_dtype), array_type(RULES.round_dtype())
    return SimpleNamespace(
        over=compile_function(is_over, (states,)),
        outcome=compile_function(outcome, (states, rows)),
    )


def word(cards: Iterable[str], order: str) -> int:
    """Cards as the kernel counts them: four bits a rank."""
    return sum(1 << 4 * order.index(card) for card in cards)


def cards_in(word: int, order: str) -> list[str]:
    """The cards that the kernel has counted, from low to high."""
    word = int(word)
    assert word >> 4 * len(order) == 0
    return [rank for place, rank in enumerate(order) for _ in range(word >> 4 * place & 15)]


def encoded(choice: Choice, order: str) -> int:
    """A choice as the kernel's number."""
    if isinstance(choice, Gift):
        return word(choice.cards, order)
    if choice == PASS:
        return 0
    return order.index(choice.rank) << 8 | choice.naturals << 4 | choice.fillers


def of_seats(word: int) -> list[int]:
    """The numbers of the seats in a word with eight bits a seat."""
    return [int(word) >> 8 * seat & 255 for seat in SEATS]


class Table(Stepper):
    """One game of the kernel, dealt from a seed; every decision is taken with and without a log."""

    def __init__(
        self, seed: int = 1, index: int = 0, seating: Seating | None = None, **options: Any
    ) -> None:
        """Deal game `index` of a seed."""
        super().__init__(RULES, RULES.options.from_mapping(options), seed, index, seating)
        self.order = UPWARDS[self.options.as_dict()["wild"]]
        self.events: list[Event] = []
        self.finishes: list[list[int]] = []
        self.log = np.zeros((LOG_ROWS, 3), np.int64)
        without_log = self.states.tobytes()
        logged_steps().deal(self.states, self.streams, roots(seed)[0], index, self.log)
        assert self.states.tobytes() == without_log
        self._read_log()
        self.look()

    def _read_log(self) -> None:
        count = int(self.log[0, 0])
        assert count < LOG_ROWS
        for event in RULES.events(self.log[1 : count + 1], self.options):
            if event["ev"] == "round":
                self.finishes.append(event["finish"])
            if event["ev"] == "result":  # of the log since the last decision only
                assert event["finishes"] == self.finishes[-1:]
                event["finishes"] = self.finishes
            self.events.append(event)
        self.log[0, 0] = 0

    def apply(self, action: int) -> None:
        """Carry out a legal action with the log on; without it the same must come of it."""
        twin = self.states.view(np.uint8).copy().view(RULES.state_dtype)  # padding and all
        stream = self.streams.copy()
        self.steps.apply(twin, action, stream)
        logged_steps().apply(self.states, action, self.streams, self.log)
        assert self.states.tobytes() == twin.tobytes()
        self._read_log()
        self.decisions += 1
        self.look()

    # --- what lies on the table, by name --------------------------------------------------------

    @property
    def table(self) -> Any:
        """What the player to move knows, also when the game is over."""
        return self.states[0]["table"]

    def cards(self, field: str, seat: int | None = None) -> list[str]:
        """The cards of a field of the table, or of one of the state's for a seat."""
        counted = self.table[field] if seat is None else self.states[0][field][seat]
        return cards_in(counted, self.order)

    @property
    def hands(self) -> list[list[str]]:
        """All hands, from low to high."""
        return [self.cards("hands", seat) for seat in SEATS]

    @property
    def sizes(self) -> list[int]:
        """What the table says of the size of each hand."""
        return of_seats(self.table["sizes"])

    @property
    def trick(self) -> tuple[str, int, int]:
        """Rank, size and player of the set to beat; no rank before the lead."""
        t = self.table
        rank = self.order[t["trick_rank"]] if t["trick_size"] else ""
        return rank, int(t["trick_size"]), int(t["trick_player"])

    @property
    def passed(self) -> set[int]:
        """The seats whose last turn in the trick was a pass."""
        return {seat for seat in SEATS if int(self.table["passed"]) >> seat & 1}

    @property
    def lacks(self) -> list[set[str]]:
        """The wild ranks that each seat is known not to have."""
        bits = int(self.table["lacks"]) & 0xFFFF
        return [
            {self.order[11 + i] for i in range(3) if bits >> 4 * seat + i & 1} for seat in SEATS
        ]

    def round_row(self) -> Any | None:
        """The row of the rounds table, if the last action ended a round."""
        if not compiled_rounds().over(self.states):
            return None
        rows = np.zeros(1, RULES.round_dtype())
        compiled_rounds().outcome(self.states, rows)
        return rows[0]

    # --- what is done ---------------------------------------------------------------------------

    def laid(self, action: int) -> str:
        """The cards of a legal action, or `pass`."""
        if self.view["gift_size"]:
            return " ".join(cards_in(action, self.order))
        if action == 0:
            return "pass"
        before = len(self.events)
        saved = self.states.tobytes(), self.views.tobytes(), self.seat, self.kind, self.decisions
        self.apply(action)
        told = self.events[before]
        del self.events[before:]
        self.states.view(np.uint8)[:] = np.frombuffer(saved[0], np.uint8)
        self.views.view(np.uint8)[:] = np.frombuffer(saved[1], np.uint8)
        self.seat, self.kind, self.decisions = saved[2:]
        return " ".join(told["cards"])

    def sets(self) -> list[str]:
        """The cards of all legal actions, in their order."""
        return [self.laid(action) for action in self.legal_actions()]

    def number(self, cards: str, rank: str = "") -> int:
        """The action that lays or gives these cards; of the lowest rank unless it is told."""
        listed = sorted(cards.split(), key=self.order.index)
        if self.view["gift_size"]:
            return word(listed, self.order)
        if not listed:
            return 0
        rank = rank or listed[0]
        count = listed.count(rank)
        return encoded(Play(rank, count, len(listed) - count), self.order)

    def can(self, cards: str, rank: str = "") -> bool:
        """Whether the kernel allows these cards now, by its check and by its list."""
        action = self.number(cards, rank)
        legal = self.is_legal(action)
        assert legal == (action in self.legal_actions())
        if not legal:
            return False
        return cards in ("", "pass") or self.laid(action).split() == sorted(
            cards.split(), key=self.order.index
        )

    def act(self, cards: str = "", rank: str = "") -> list[str]:
        """Lay or give cards, or pass; returns the events in short."""
        action = self.number(cards, rank)
        assert self.is_legal(action), f"{RULES.action_text(self.view, action)} is illegal"
        before = len(self.events)
        self.apply(action)
        return story(self.events[before:])

    def refusal(self, cards: str, rank: str = "") -> str:
        """The clause that the kernel names against an illegal action."""
        action = self.number(cards, rank)
        assert not self.is_legal(action)
        return RULES.clause_of(self.view, action)

    def play_out(self) -> None:
        """Play to the end: everybody takes the last legal action."""
        while not self.over:
            self.apply(self.legal_actions()[-1])


def lay(
    hands: Sequence[str],
    *,
    seat: int = 0,
    trick: str = "",
    player: int = 3,
    leader: int | None = None,
    seed: int = 1,
    **options: Any,
) -> Table:
    """A table set to a position of the only round; `trick` is the set to beat, as `6 6 X`."""
    table = Table(seed, **{"rounds": 1, **options})
    state, public = table.states[0], table.table
    finishes = rank = 0
    for place, hand in enumerate(hands):
        state["hands"][place] = word(hand.split(), table.order)
        if not hand:
            rank += 1
            finishes |= rank << 8 * place
    public["finishes"] = finishes
    public["sizes"] = sum(len(hand.split()) << 8 * p for p, hand in enumerate(hands))
    state["played"] = 0
    public["passed"] = public["lacks"] = 0
    public["trick_rank"], public["trick_size"], public["trick_player"] = -1, 0, -1
    public["trick_leader"] = seat if leader is None else leader
    if trick:
        cards = sorted(trick.split(), key=table.order.index)
        public["trick_rank"] = table.order.index(cards[0])
        public["trick_size"], public["trick_player"] = len(cards), player
        public["trick_leader"] = player if leader is None else leader
    public["seat"], public["hand"] = seat, state["hands"][seat]
    table.events = []
    table.look()
    return table


@cache
def compiled_exchange() -> Any:
    """The exchange of a round, with an event log."""

    def exchange(states, streams, log):  # type: ignore[no-untyped-def]
        rules.exchange(states[0], streams[0], log)

    kinds = (array_type(RULES.state_dtype), array_type(stream_dtype), LOG_TYPE)
    return compile_function(exchange, kinds)


def exchanging(
    hands: Sequence[str],
    ranks: Sequence[int] = (1, 2, 3, 4),
    *,
    leader: int = 1,
    seed: int = 1,
    **options: Any,
) -> Table:
    """A table in the second round, dealt these hands after a round that ended with these ranks.

    Gifts that leave no choice have been made.
    """
    table = Table(seed, **{"rounds": 2, **options})
    state, public = table.states[0], table.table
    for place, hand in enumerate(hands):
        state["hands"][place] = word(hand.split(), table.order)
    public["sizes"] = sum(len(hand.split()) << 8 * p for p, hand in enumerate(hands))
    public["ranks"] = sum(rank << 8 * p for p, rank in enumerate(ranks))
    public["round"], public["leader"], public["trick_leader"] = 2, leader, -1
    state["step"] = 0
    table.events = []
    compiled_exchange()(table.states, table.streams, table.log)
    table._read_log()
    table.look()
    return table
