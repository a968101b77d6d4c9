"""The Shooting Party's cards, options, actions and view: the words that rules and strategies share.

A card is a number: rank * 4 + suit, ranks 2 3 4 5 J Q K A and suits C D H S counted from 0; the
joker is 32. A set of cards is a uint64 with one bit a card.
"""

from dataclasses import dataclass

import numpy as np
from numba import njit

from sim.bits import U64
from sim.options import RuleOptions, choice, switch, whole

RANKS, SUITS = "2345JQKA", "CDHS"
JOKER = 32
CARD_NAMES = [rank + suit for rank in RANKS for suit in SUITS] + ["X"]

JACK, QUEEN, KING, ACE = 16, 20, 24, 28  # the club of each rank
JACKS = U64(0xF << JACK)
QUEENS = U64(0xF << QUEEN)
KINGS = U64(0xF << KING)
ACES = U64(0xF << ACE)
JOKER_SET = U64(1 << JOKER)
ONE_SUIT = U64(0x11111111)  # the clubs; shifted by s, the cards of suit s
ONE_RANK = U64(0xF)
FULL_PACK = U64((1 << 33) - 1)

AT_ONCE = 1  # option exhaustion
PLAYED = 1  # option last_draw


@dataclass(frozen=True)
class Options(RuleOptions):
    """The options of the Shooting Party."""

    exhaustion: str = choice(
        "on-need", ("on-need", "at-once"), "when an empty pile is made anew (SP-5)"
    )
    last_draw: str = choice(
        "lost", ("lost", "played"), "what happens to the cards of the last draw (SP-6)"
    )
    reshuffles: int = whole(2, 0, 9, "how often the pile is made anew (SP-6)")
    hand: int = whole(4, 1, 7, "cards in a new hand (SP-2)")
    draw_limit: int = whole(5, 0, 5, "the largest hand that may draw a pair (SP-4)")
    butler: int = whole(1, 0, 1, "jokers in the pack (SP-14)")
    rivals: bool = switch(True, "at most one queen stays in hand (SP-11)")
    secretaries: bool = switch(True, "two jacks end the conversation (SP-12)")
    husbands: bool = switch(True, "a king takes his queen away (SP-10)")

    def encode(self) -> dict[str, int]:
        """The kernel calls option `hand` `hand_size`, since the hand itself is a set."""
        return {FIELD_OF.get(name, name): value for name, value in super().encode().items()}


FIELD_OF = {"hand": "hand_size"}


# --- actions: the kind in the bits from 40 up, a set of cards or a card below --------------------

PAIR, LEAVE, DISCARD, FETCH, FETCH_ACE, DISMISS, SEDUCE, QUEEN_AND_KING, KING_AND_JACK = range(9)
KIND_SHIFT = 40
CARDS_MASK = (1 << KIND_SHIFT) - 1


@njit
def action_kind(action):
    """What is done: one of the constants PAIR … KING_AND_JACK."""
    return action >> KIND_SHIFT


@njit
def action_cards(action):
    """The set of cards of a DISCARD."""
    return U64(action & CARDS_MASK)


@njit
def action_card(action):
    """The card of a FETCH or FETCH_ACE."""
    return action & CARDS_MASK


@njit
def draw_pair():
    """Draw two more cards. SP-4"""
    return np.int64(PAIR << KIND_SHIFT)


@njit
def leave_room():
    """Discard the whole hand and draw a new one. SP-8"""
    return np.int64(LEAVE << KIND_SHIFT)


@njit
def discard(cards):
    """Discard a set by conversation. SP-9"""
    return np.int64(DISCARD << KIND_SHIFT) | np.int64(cards)


@njit
def fetch(card):
    """Spend the butler to take `card` out of the discard pile. SP-14"""
    return np.int64(FETCH << KIND_SHIFT) | np.int64(card)


@njit
def fetch_ace(suit):
    """Spend the butler to display the ace of `suit` out of the draw pile. SP-14"""
    return np.int64(FETCH_ACE << KIND_SHIFT) | np.int64(ACE + suit)


@njit
def dismiss():
    """Discard the butler for nothing. SP-14"""
    return np.int64(DISMISS << KIND_SHIFT)


@njit
def seduce():
    """Score the lone queen. SP-15"""
    return np.int64(SEDUCE << KIND_SHIFT)


@njit
def queen_and_king():
    """Let the husband take his queen away, although the jack is there. SP-10"""
    return np.int64(QUEEN_AND_KING << KIND_SHIFT)


@njit
def king_and_jack():
    """Send the husband off with his secretary. SP-10"""
    return np.int64(KING_AND_JACK << KIND_SHIFT)


# --- records ------------------------------------------------------------------------------------

_OPTION_FIELDS = {FIELD_OF.get(name, name): name for name in Options.specs()}

#: What the player knows. SP-17
view_dtype = np.dtype(
    [
        ("hand", np.uint64),
        ("discards", np.uint64),
        ("display", np.uint64),
        ("scored", np.uint64),
        ("pile", np.uint64),
        ("arrivals", np.uint64),
        ("pile_size", np.int64),
        ("decisions", np.int64),
        ("reshuffles_left", np.int8),
        ("husband_suit", np.int8),
        ("last_cards", np.int8),
        *((field, np.int8) for field in _OPTION_FIELDS),
    ],
    align=True,
)

VIEW_FIELDS = {
    "hand": "set of the cards in hand",
    "discards": "set of the cards in the discard pile",
    "display": "set of the aces on the table",
    "scored": "set of the queens and aces scored",
    "pile": "set of the cards in the draw pile (known by elimination; their order is not)",
    "arrivals": "suit + 1 of each queen in hand, 4 bits each, longest in hand lowest",
    "pile_size": "number of cards in the draw pile",
    "decisions": "decisions taken so far in this game",
    "reshuffles_left": "how often the pile can still be made anew",
    "husband_suit": "the suit of a pending choice of SP-10, else -1",
    "last_cards": "1 after the last exhaustion (option last_draw=played), else 0",
    **{
        field: f"option {name}: {Options.specs()[name].allowed}"
        for field, name in _OPTION_FIELDS.items()
    },
}

VIEW_RANGES = {
    "pile_size": (0, 33),
    "decisions": (0, None),
    "reshuffles_left": (0, 9),
    "husband_suit": (-1, 3),
    "last_cards": (0, 1),
}
