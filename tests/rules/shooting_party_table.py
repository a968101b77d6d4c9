"""The compiled Shooting Party on a table: hand-built positions, named cards, a trace of it all.

What the tests must know of the kernel's memory is in this file: the state's fields, the numbers of
cards and actions.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np
from numba import from_dtype, types

import sim.games
from sim.contract import Event
from sim.engine import LOG_TYPE, Seating, state_array
from sim.jit import compile_function
from sim.rng import output_of, roots, stream_dtype
from sim.rulesets.shooting_party import cards as c
from sim.stepper import Stepper
from tests.reference.shooting_party_cards import DECK, SUITS, Action, card_order, pack

RULES = sim.games.load("shooting-party")
CALM = "2C 3D 4H 5S"
"""A hand of four that no etiquette touches."""
NO_ETIQUETTE: dict[str, Any] = {"rivals": False, "secretaries": False, "husbands": False}
#: Rows that the events of one decision, or of a deal, may take.
LOG_ROWS = 4096
SERVICES = {"discard": c.FETCH, "ace": c.FETCH_ACE, "nothing": c.DISMISS}
PLAIN_KINDS = {"pair": c.PAIR, "leave": c.LEAVE, "seduce": c.SEDUCE}


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


def word(cards: Iterable[str]) -> int:
    """Cards as the kernel's set: one bit a card."""
    return sum(1 << DECK.index(card) for card in cards)


def cards_in(word: int) -> list[str]:
    """The cards of one of the kernel's sets, in canonical order; fails for a bit that is none."""
    assert int(word) < 1 << 33
    return [card for i, card in enumerate(DECK) if int(word) >> i & 1]


def encoded(action: Action) -> int:
    """An action as the kernel's number."""
    kind, payload = PLAIN_KINDS.get(action.do), 0
    if action.do == "discard":
        kind, payload = c.DISCARD, word(action.cards)
    elif action.do == "butler":
        kind = SERVICES[str(action.take)]
        payload = DECK.index(action.card) if action.card else 0
    elif action.do == "husband":
        takes_queen = any(card[0] == "Q" for card in action.cards)
        kind = c.QUEEN_AND_KING if takes_queen else c.KING_AND_JACK
    assert kind is not None
    return kind << c.KIND_SHIFT | payload


class Table(Stepper):
    """One game of the kernel, dealt from a seed; every decision is taken with and without a log."""

    def __init__(
        self, seed: int = 1, index: int = 0, seating: Seating | None = None, **options: Any
    ) -> None:
        """Deal game `index` of a seed."""
        super().__init__(RULES, RULES.options.from_mapping(options), seed, index, seating)
        self.events: list[Event] = []
        self.log = np.zeros((LOG_ROWS, 3), np.int64)
        without_log = self.states.tobytes()
        logged_steps().deal(self.states, self.streams, roots(seed)[0], index, self.log)
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
        logged_steps().apply(self.states, action, self.streams, self.log)
        assert self.states.tobytes() == twin.tobytes()
        self._read_log()
        self.decisions += 1
        self.look()

    # --- what lies on the table, by name --------------------------------------------------------

    @property
    def table(self) -> Any:
        """What is public of the state, also when the game is over."""
        return self.states[0]["table"]

    @property
    def hand(self) -> list[str]:
        """The hand, in canonical order."""
        return cards_in(self.table["hand"])

    @property
    def discards(self) -> list[str]:
        """The discard pile, in canonical order."""
        return cards_in(self.table["discards"])

    @property
    def display(self) -> list[str]:
        """The aces on display."""
        return cards_in(self.table["display"])

    @property
    def scored(self) -> list[str]:
        """The queens and aces scored."""
        return cards_in(self.table["scored"])

    @property
    def unseen(self) -> list[str]:
        """The set of cards in the draw pile, as the view tells it."""
        return cards_in(self.table["pile"])

    @property
    def pile(self) -> list[str]:
        """The draw pile, top first."""
        order = self.states[0]["order"][: int(self.table["pile_size"])]
        return [DECK[card] for card in reversed(order.tolist())]

    @property
    def queens(self) -> list[str]:
        """The queens in hand in the order of their arrival."""
        arrivals, queens = int(self.table["arrivals"]), []
        while arrivals:
            queens.append("Q" + SUITS[(arrivals & 15) - 1])
            arrivals >>= 4
        return queens

    @property
    def pending(self) -> str | None:
        """The suit of a choice of SP-10 that waits."""
        suit = int(self.table["husband_suit"])
        return SUITS[suit] if suit >= 0 else None

    @property
    def reshuffles_left(self) -> int:
        """How often the pile can still be made anew."""
        return int(self.table["reshuffles_left"])

    @property
    def played_out(self) -> bool:
        """Whether the last exhaustion has come and the last cards are being played."""
        return bool(self.table["last_cards"])

    # --- what is done ---------------------------------------------------------------------------

    def can(self, do: str, cards: str = "", take: str | None = None, card: str = "") -> bool:
        """Whether the kernel allows an action now."""
        return self.is_legal(encoded(Action(do, tuple(cards.split()), take, card or None)))

    def act(self, do: str, cards: str = "", take: str | None = None, card: str = "") -> list[str]:
        """Do something legal; returns the events that follow from it in short."""
        action = encoded(Action(do, tuple(cards.split()), take, card or None))
        told = RULES.action_text(self.view, action)
        assert self.is_legal(action), f"{told}: {self.refusal(action)}"
        assert action in self.legal_actions()
        before = len(self.events)
        self.apply(action)
        return story(self.events[before:])[1:]

    def refusal(self, action: int) -> str:
        """The clause that the kernel names against an illegal action."""
        return RULES.clause_of(self.view, action)

    def deeds(self) -> list[str]:
        """All legal actions in their order, in short."""
        return [RULES.action_text(self.view, action) for action in self.legal_actions()]

    def sets(self) -> list[str]:
        """The legal discards by conversation in their order, each as one text."""
        discards = (a for a in self.legal_actions() if a >> c.KIND_SHIFT == c.DISCARD)
        return [" ".join(cards_in(a & c.CARDS_MASK)) for a in discards]


def lay(
    hand: str = "",
    /,
    *,
    pile: str = "",
    scored: str = "",
    away: str = "",
    reshuffles_left: int | None = None,
    seed: int = 1,
    **options: Any,
) -> Table:
    """A table set to a position: the hand in order of arrival, `pile` top first.

    Aces that are not named are displayed, other cards discarded; `away` are not in the game.
    """
    table = Table(seed, **options)
    placed = f"{hand} {pile} {scored} {away}".split()
    assert len(set(placed)) == len(placed)
    rest = [card for card in pack(table.options.butler) if card not in placed]  # type: ignore[attr-defined]
    shown = [card for card in rest if card[0] == "A"]
    arrivals = [SUITS.index(card[1]) + 1 for card in hand.split() if card[0] == "Q"]
    state, public = table.states[0], table.table
    public["hand"], public["pile"] = word(hand.split()), word(pile.split())
    public["display"], public["scored"] = word(shown), word(scored.split())
    public["discards"] = word(card for card in rest if card not in shown)
    public["arrivals"] = sum(suit << 4 * place for place, suit in enumerate(arrivals))
    public["pile_size"] = len(pile.split())
    public["husband_suit"], public["last_cards"] = -1, 0
    left = public["reshuffles"] if reshuffles_left is None else reshuffles_left
    public["reshuffles_left"], state["reshuffles_made"] = left, public["reshuffles"] - left
    state["order"][: len(pile.split())] = [DECK.index(card) for card in reversed(pile.split())]
    state["over"] = 0
    table.events = []
    table.look()
    return table


def dealt(pile: str, **options: Any) -> Table:
    """A table whose first hand comes off this pile; what is not named lies below it."""
    butler = options.get("butler", 1)
    below = [card for card in pack(butler) if card not in pile.split()]
    table = lay("", pile=" ".join([*pile.split(), *below]), **options)
    table.act("leave")  # with an empty hand nothing is discarded: only the new hand comes
    table.events = table.events[1:]
    return table


def first_hands(**options: Any) -> dict[str, int]:
    """How many of all first hands (four cards that are no aces) meet what, by the kernel."""
    states, streams = state_array(RULES, RULES.options.from_mapping(options)), zeros(stream_dtype)
    found = np.zeros(6, np.int64)
    compiled_first_hands()(states, streams, found)
    names = ("hands", "choice", "forced", "nothing", "no queen", "joker")
    return dict(zip(names, found.tolist(), strict=True))


def zeros(dtype: Any) -> np.ndarray[Any, Any]:
    """One zeroed record."""
    return np.zeros(1, dtype)


@cache
def compiled_first_hands() -> Any:
    """A loop over all first hands: each is laid on top of a pile and drawn by an empty hand."""
    deal, apply, leave = RULES.deal, RULES.apply, c.LEAVE << c.KIND_SHIFT

    def play_first_hands(states, streams, found):  # type: ignore[no-untyped-def]
        s, t = states[0], states[0].table
        deal(s, streams[0], None)
        guests = np.array([card for card in range(33) if not 28 <= card < 32])
        for i in range(29):
            for j in range(i):
                for k in range(j):
                    for m in range(k):
                        size = 0
                        for n in range(29):
                            if n != i and n != j and n != k and n != m:
                                s.order[size] = guests[n]
                                size += 1
                        for n in (m, k, j, i):
                            s.order[size] = guests[n]
                            size += 1
                        t.pile = np.uint64((1 << 28) - 1 | 1 << 32)
                        t.pile_size = size
                        t.hand = t.discards = t.display = t.arrivals = np.uint64(0)
                        t.husband_suit = -1
                        apply(s, leave, streams[0], None)
                        found[0] += 1
                        found[1] += t.husband_suit >= 0
                        found[2] += t.discards != 0
                        found[3] += t.husband_suit < 0 and t.discards == 0
                        found[4] += (t.hand >> np.uint64(20)) & np.uint64(15) == 0
                        found[5] += (t.hand >> np.uint64(32)) == 1

    kinds = (array_type(RULES.state_dtype), array_type(stream_dtype), array_type(np.int64))
    return compile_function(play_first_hands, kinds)


def story(events: Sequence[Mapping[str, Any]]) -> list[str]:
    """Trace events in short: `draw 2C`, `SP-10 QC KC`, `shuffle`, `act pair`, `result`."""
    return [_short(event) for event in events]


def _short(event: Mapping[str, Any]) -> str:
    listed = " ".join(card_order(event.get("cards", [])))
    texts = {
        "draw": f"draw {event.get('card')}",
        "forced": f"{event.get('clause')} {listed}",
        "act": f"act {event.get('do')}",
    }
    return str(texts.get(event["ev"], event["ev"]))


def same_story(events: Iterable[Mapping[str, Any]]) -> list[Event]:
    """Trace events without the freedom of the format: cards in order, rivals one by one."""
    plain: list[Event] = []
    for event in events:
        told = {key: value for key, value in event.items() if key != "seat"}
        if told.get("clause") == "SP-11":
            plain += [{**told, "cards": [card]} for card in told["cards"]]
            continue
        if "cards" in told:
            told["cards"] = card_order(told["cards"])
        plain.append(told)
    return plain
