"""President's cards, options, actions and view: the words that rules and strategies share.

Suits do not matter, so cards are counted. A rank is a place in the order of PR-3, from 0; the
places from `first_wild` on are wild, and the joker is place 13. Cards are a uint64 with four bits
a place: how many of that rank there are. That leaves one bit of each four free for comparing all
places at once.
"""

import re
from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import njit

from sim.bits import EMPTY, U64, leading_zeros, lowest_bit
from sim.errors import OptionError
from sim.options import RuleOptions, choice, switch, whole, words

SEATS = 4
PRESIDENT, VICE_PRESIDENT, SECRETARY, JANITOR = 1, 2, 3, 4

PLACES = 14
JOKER = 13  # the place of the joker, always the highest
#: The ranks from low to high, by the option `wild`. PR-3
UPWARDS = {
    "none": "23456789TJQKAX",
    "2": "3456789TJQKA2X",
    "3": "2456789TJQKA3X",
    "2,3": "456789TJQKA23X",
}
WILD_NONE, WILD_TWOS, WILD_THREES, WILD_BOTH = range(4)  # option wild

LOWEST_KIND, FORBID = range(2)  # option mixed_wilds
ROTATE, RANK_1, RANK_4, RANDOM_LEAD = range(4)  # option lead
#: How a gift is chosen: options low_gives and high_gives.
GIVES = ("highest", "lowest", "random", "choice")
HIGHEST, LOWEST, RANDOM, CHOICE = range(4)
SIMULTANEOUS, LOW_FIRST = range(2)  # option exchange_order

EXCHANGE = re.compile(r"([0-6])/([0-6])\Z")
MOST_POINTS = 1000


def _read_wild(value: Any) -> str:
    text = str(value).strip()
    if text not in UPWARDS:
        raise ValueError
    return text


def _read_exchange(value: Any) -> str:
    text = str(value).strip()
    if text != "none" and not EXCHANGE.match(text):
        raise ValueError
    return text


def _read_points(value: Any) -> str:
    numbers = [int(number) for number in str(value).split(",")]
    if len(numbers) != SEATS or any(abs(number) > MOST_POINTS for number in numbers):
        raise ValueError
    return ",".join(map(str, numbers))


@dataclass(frozen=True)
class Options(RuleOptions):
    """The options of President."""

    jokers: int = whole(0, 0, 4, "jokers in the pack (PR-1)")
    wild: str = words(
        "2,3",
        "none, 2, 3, or 2,3 for both",
        _read_wild,
        "which ranks are wild beside the joker (PR-2)",
        ("none", "2", "3", "2,3"),
    )
    mixed_wilds: str = choice(
        "lowest", ("lowest", "forbid"), "what different wild cards alone count as (PR-5)"
    )
    joker_beats_all: bool = switch(False, "a single joker beats any set (PR-8)")
    pass_locks: bool = switch(False, "who passes is out of the trick (PR-9)")
    one_play: bool = switch(False, "each player has one turn in a trick (PR-10)")
    lead: str = choice(
        "rotate", ("rotate", "rank1", "rank4", "random"), "who leads a round (PR-14)"
    )
    exchange: str = words(
        "2/1",
        "none, or n1/n2 with whole numbers from 0 to 6",
        _read_exchange,
        "cards exchanged by President and Janitor / Vice-President and Secretary (PR-12)",
        ("none", "1/0", "2/1", "0/3", "6/6"),
    )
    low_gives: str = choice("highest", GIVES, "what Janitor and Secretary give (PR-13)")
    high_gives: str = choice("choice", GIVES, "what President and Vice-President give (PR-13)")
    exchange_order: str = choice(
        "simultaneous",
        ("simultaneous", "low-first"),
        "whether the upper player sees the gift before choosing (PR-13)",
    )
    points: str = words(
        "3,2,1,0",
        f"four whole numbers from -{MOST_POINTS} to {MOST_POINTS} with commas between them",
        _read_points,
        "points of the ranks 1 to 4 in each round (PR-15)",
        ("3,2,1,0", "10,0,0,-7"),
    )
    rounds: int = whole(10, 1, 1000, "rounds of a game (PR-15)")

    def check(self) -> None:
        """Refuse what cannot be meant together."""
        if self.joker_beats_all and self.jokers == 0:
            raise OptionError(
                "option joker_beats_all=on needs jokers in the pack: set jokers to 1, 2, 3 or 4"
            )

    def exchange_sizes(self) -> tuple[int, int]:
        """The two numbers of the exchange. PR-12"""
        found = EXCHANGE.match(self.exchange)
        return (int(found[1]), int(found[2])) if found else (0, 0)

    def points_by_rank(self) -> list[int]:
        """The points of the ranks 1 to 4. PR-15"""
        return [int(number) for number in self.points.split(",")]

    def encode(self) -> dict[str, int]:
        """The kernel has a field for each number of `exchange` and `points`, and `first_wild`."""
        first, second = self.exchange_sizes()
        points = zip(POINTS_FIELDS, self.points_by_rank(), strict=True)
        return super().encode() | {
            "wild": list(UPWARDS).index(self.wild),
            "exchange_1": first,
            "exchange_2": second,
            **dict(points),
            "first_wild": JOKER - sum(rank in self.wild for rank in "23"),
        }


POINTS_FIELDS = ("points_first", "points_second", "points_third", "points_fourth")

#: For what every decision needs: as calls, these functions took a tenth of a game's time.
inlined = njit(forceinline=True)

# --- counted cards --------------------------------------------------------------------------------

ONE_OF_EACH = U64(0x11111111111111)
FOUR_BITS = U64(15)
HIGH_BITS = U64(0x88888888888888)
EVERYTHING = U64(0xFFFFFFFFFFFFFFFF)
LOW_HALVES = U64(0x0F0F0F0F0F0F0F0F)
ONES_OF_BYTES = U64(0x0101010101010101)


@njit
def cards_of(place, count):
    """So many cards of one rank."""
    return U64(count) << U64(4 * place)


@njit
def count_of(cards, place):
    """How many cards of a rank there are."""
    return np.int64((cards >> U64(4 * place)) & FOUR_BITS)


@njit
def count_cards(cards):
    """How many cards there are."""
    pairs = (cards & LOW_HALVES) + ((cards >> U64(4)) & LOW_HALVES)
    return np.int64((pairs * ONES_OF_BYTES) >> U64(56))


@njit
def count_highest(cards, place):
    """How many cards there are from a place on, of the three highest places. PR-2"""
    high = cards >> U64(4 * place)
    total = (high & FOUR_BITS) + ((high >> U64(4)) & FOUR_BITS) + ((high >> U64(8)) & FOUR_BITS)
    return np.int64(total)


@njit
def with_at_least(cards, count):
    """A bit (the fourth of a place) for each rank with at least 1 … 5 cards."""
    return (cards + U64(8 - count) * ONE_OF_EACH) & HIGH_BITS


@njit
def from_place(cards, place):
    """The cards of a rank and of those above it; place 0 … 14."""
    return cards & (EVERYTHING << U64(4 * place))


@njit
def below_place(cards, place):
    """The cards of the ranks below one; place 0 … 14."""
    return cards & ~(EVERYTHING << U64(4 * place))


@njit
def lowest_place(cards):
    """The lowest rank among cards, of which there must be some."""
    return lowest_bit(cards) >> 2


@njit
def highest_place(cards):
    """The highest rank among cards, of which there must be some."""
    return (63 - leading_zeros(cards)) >> 2


@njit
def holds(hand, cards):
    """Whether a hand has all these cards, of which there are at most seven a rank."""
    return ((hand | HIGH_BITS) - cards) & HIGH_BITS == HIGH_BITS


@njit
def without(cards, others):
    """Cards less others, as far as they are there: no rank goes below zero."""
    rest = EMPTY
    while cards != EMPTY:
        place = lowest_place(cards)
        left = count_of(cards, place) - count_of(others, place)
        if left > 0:
            rest |= cards_of(place, left)
        cards = from_place(cards, place + 1)
    return rest


@njit
def of_seat(word, seat):
    """The number of a seat in a word with eight bits a seat: `of_seat(view.sizes, 2)`."""
    return np.int64((U64(word) >> U64(8 * seat)) & U64(255))


@njit
def seat_with(word, number):
    """The first seat that has a number in a word with eight bits a seat, or 4."""
    for seat in range(SEATS):
        if of_seat(word, seat) == number:
            return seat
    return SEATS


# --- actions --------------------------------------------------------------------------------------

#: Of the kind `play`: rank, naturals and fillers, four bits each from the third on; 0 is to pass.
PASS = 0


@njit
def play(place, naturals, fillers):
    """Play a set: `naturals` cards of a rank and so many wild cards as fillers. PR-6"""
    return np.int64(place << 8 | naturals << 4 | fillers)


@njit
def play_place(action):
    """The rank of a play."""
    return action >> 8


@njit
def play_naturals(action):
    """The number of cards of its rank in a play."""
    return (action >> 4) & 15


@njit
def play_fillers(action):
    """The number of fillers in a play."""
    return action & 15


@njit
def give(cards):
    """Of the kind `gift`: give these cards. PR-12"""
    return np.int64(cards)


# --- the view -------------------------------------------------------------------------------------

_OPTION_FIELDS = {
    **{name: name for name, spec in Options.specs().items() if spec.encode is not None},
    "wild": "wild",
    "exchange_1": "exchange",
    "exchange_2": "exchange",
    **dict.fromkeys(POINTS_FIELDS, "points"),
}
_WIDE = {"rounds": np.int16, **dict.fromkeys(POINTS_FIELDS, np.int16)}

#: What the player to move knows. PR-16. What changes with every play is a word of its own: a word
#: that was just written in pieces is slow to copy.
view_dtype = np.dtype(
    [
        ("hand", np.uint64),
        ("played_0", np.uint64),
        ("played_1", np.uint64),
        ("played_2", np.uint64),
        ("played_3", np.uint64),
        ("given", np.uint64),
        ("received", np.uint64),
        ("sizes", np.uint64),
        ("seat", np.int64),
        ("trick_rank", np.int64),
        ("trick_size", np.int64),
        ("trick_player", np.int64),
        ("trick_leader", np.int64),
        ("passed", np.int64),
        ("finishes", np.uint32),
        ("ranks", np.uint32),
        ("round", np.int16),
        ("lacks", np.int16),
        *((field, _WIDE[field]) for field in _WIDE),
        ("leader", np.int8),
        ("gift_size", np.int8),
        ("first_wild", np.int8),
        *((field, np.int8) for field in _OPTION_FIELDS if field not in _WIDE),
    ],
    align=True,
)

_WHICH = dict(zip(POINTS_FIELDS, ("1", "2", "3", "4"), strict=True)) | {
    "exchange_1": "the first number",
    "exchange_2": "the second number",
}

_MEANINGS = {
    "hand": "cards in hand: four bits a rank, how many there are of it, lowest rank first",
    **{f"played_{p}": f"cards that seat {p} has played in this round" for p in range(SEATS)},
    "given": "cards that the player gave in the exchange of this round",
    "received": "cards that the player received in the exchange of this round",
    "sizes": "cards in each hand, eight bits a seat; during the exchange, as dealt",
    "seat": "the player's seat",
    "trick_rank": "rank of the set to beat (its place in the order, from 0); -1: lead a trick",
    "trick_size": "number of cards of the set to beat; 0: lead a trick",
    "trick_player": "the seat that played it, -1 before the lead",
    "trick_leader": "the seat that led the trick (-1 during the exchange)",
    "passed": "seats whose last turn in this trick was a pass, one bit a seat",
    "finishes": "rank (1 to 4) of each player that is out in this round, eight bits a seat",
    "ranks": "rank of each player in the round before, eight bits a seat; 0 in the first round",
    "round": "number of the round, from 1",
    "lacks": "wild ranks that a seat cannot have, since it took stronger fillers (PR-6): four bits "
    "a seat, bit i for rank 11 + i",
    "leader": "the seat that leads this round; -1 while it is not decided",
    "gift_size": "number of cards to give now; 0: it is time to play",
    "first_wild": "the lowest wild rank (its place in the order)",
    **{
        field: f"option {name}: "
        + (f"{_WHICH[field]} of " if field in _WHICH else "")
        + Options.specs()[name].allowed
        for field, name in _OPTION_FIELDS.items()
    },
}
VIEW_FIELDS = {field: _MEANINGS[field] for field in view_dtype.names or ()}
VIEW_RANGES = {
    "seat": (0, SEATS - 1),
    "trick_rank": (-1, 13),
    "trick_size": (0, 14),
    "trick_player": (-1, SEATS - 1),
    "trick_leader": (-1, SEATS - 1),
    "passed": (0, 15),
    "round": (1, 1000),
    "lacks": (0, 0x7777),
    "leader": (-1, SEATS - 1),
    "gift_size": (0, 6),
    "first_wild": (11, 13),
    **dict.fromkeys(POINTS_FIELDS, (-MOST_POINTS, MOST_POINTS)),
    "exchange_1": (0, 6),
    "exchange_2": (0, 6),
    "wild": (0, 3),
}


@njit
def played_by(view, seat):
    """The cards that a seat has played in this round."""
    if seat == 0:
        return view.played_0
    if seat == 1:
        return view.played_1
    return view.played_2 if seat == 2 else view.played_3
