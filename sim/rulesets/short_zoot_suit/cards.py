"""Short Zoot Suit's options, cards and actions: the words that rules and strategies share.

A card is a number from 0 to 51: four times its place in the order of numbers, plus its suit
(C 0, D 1, H 2, S 3). So the order of cards is the order of their numbers, and a set of cards is a
uint64 whose lowest bit is its lowest card. A double has the number of the single card that it
replaces: that of its first suit. No pack has both.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import njit

from sim.bits import EMPTY, ONE, U64, count_bits
from sim.errors import OptionError
from sim.options import RuleOptions, choice, switch, whole, words

MOST_SEATS = 4
CARDS = 52
SUITS = "CDHS"
DECK_SIZE = 5  # cards of a drafted deck. ZS-4
MOST_CARDS = 16  # that a player is dealt

LOW, HIGH = range(2)  # option ace
SIMULTANEOUS, IN_TURN = range(2)  # option draws
DOUBLES_OFF, REPLACE_BOTH, REPLACE_ONE = range(3)  # option doubles

#: The numbers upwards, by the option `ace`. ZS-1
UPWARDS = ("A23456789TJQK", "23456789TJQKA")
#: The double-suited cards. ZS-11
DOUBLES = ("JCD", "JHS", "QCH", "QDS", "KCS", "KDH")
#: The lowest and the highest number of the pack, by the number of players. ZS-1
NUMBERS = {2: (2, 9), 3: (2, 13), 4: (1, 13)}

BONUS_SUITS = 5  # 0 to 4 different suits
STARS = "0,1,2,4,8"  # ZS-10
MOST_BONUS = 1000


def _read_bonus(value: Any) -> str:
    text = str(value).strip()
    if text in ("none", "stars"):
        return text
    numbers = [int(number) for number in text.split(",")]
    if len(numbers) != BONUS_SUITS or not all(0 <= number <= MOST_BONUS for number in numbers):
        raise ValueError
    return ",".join(map(str, numbers))


def card_names(ace_high: bool, doubles: bool) -> tuple[str, ...]:
    """The names of the cards 0 to 51; a double stands where its first suit's card would. ZS-11"""
    double = {name[:2]: name for name in DOUBLES} if doubles else {}
    single = [number + suit for number in UPWARDS[ace_high] for suit in SUITS]
    return tuple(double.get(name, name) for name in single)


@dataclass(frozen=True)
class Options(RuleOptions):
    """The options of Short Zoot Suit."""

    players: int = whole(4, 2, MOST_SEATS, "number of players (ZS-1)")
    rounds: int = whole(1, 1, 20, "rounds for each player (ZS-3)")
    ace: str = choice("low", ("low", "high"), "whether the ace is the lowest card (ZS-1)")
    draws: str = choice(
        "simultaneous",
        ("simultaneous", "in-turn"),
        "whether all decide at once whether to draw, or see who drew before them (ZS-5)",
    )
    bonus: str = words(
        "none",
        f"none, stars, or five whole numbers from 0 to {MOST_BONUS} with commas between them",
        _read_bonus,
        "points for 0 to 4 different suits in the shorts pile (ZS-10)",
        ("none", "stars", "5,0,1,1000,2"),
    )
    doubles: str = choice(
        "off",
        ("off", "replace-both", "replace-one"),
        "double-suited cards, and which single cards they replace (ZS-11)",
    )
    short_shorts: bool = switch(False, "no draft: decks are built during the round (ZS-14)")

    def check(self) -> None:
        """Refuse doubles where the pack has no face cards. ZS-11"""
        if self.doubles != "off" and self.players == 2:
            raise OptionError(
                f"option doubles={self.doubles} needs face cards, and 2 players have none "
                f"(ZS-11): set players to 3 or 4"
            )

    def bonus_points(self) -> list[int]:
        """The points for 0 to 4 suits in the shorts pile. ZS-10"""
        text = {"none": "0,0,0,0,0", "stars": STARS}.get(self.bonus, self.bonus)
        return [int(number) for number in text.split(",")]

    def names(self) -> tuple[str, ...]:
        """The names of the cards 0 to 51."""
        return card_names(self.ace == "high", self.doubles != "off")

    def pack(self) -> int:
        """The cards of the pack as a set. ZS-1, ZS-11"""
        low, high = NUMBERS[self.players]
        upwards = UPWARDS[0][low - 1 : high]
        replaced = {name[0] + name[2] for name in DOUBLES}
        cards = 0
        for card, name in enumerate(self.names()):
            gone = self.doubles == "replace-both" and name in replaced
            if name[0] in upwards and not gone:
                cards |= 1 << card
        return cards

    def suit_sets(self) -> list[int]:
        """The cards of each suit as sets; a double is in two of them. ZS-12"""
        return [
            sum(1 << card for card, name in enumerate(self.names()) if suit in name[1:])
            for suit in SUITS
        ]

    def encode(self) -> dict[str, int]:
        """The kernel has a field for each number of `bonus`, the pack and each suit."""
        bonus = zip(BONUS_FIELDS, self.bonus_points(), strict=True)
        suits = zip(SUIT_FIELDS, self.suit_sets(), strict=True)
        return super().encode() | dict(bonus) | dict(suits) | {"pack": self.pack()}


BONUS_FIELDS = tuple(f"bonus_{suits}" for suits in range(BONUS_SUITS))
SUIT_FIELDS = ("clubs", "diamonds", "hearts", "spades")

#: For what every decision needs: as calls, these functions took a tenth of a game's time.
inlined = njit(forceinline=True)

# --- cards ----------------------------------------------------------------------------------------

#: The cards of the suit C with doubles off; the other suits are this set moved up.
COLUMN = U64(0x1111111111111)
ALL_CARDS = U64(0xFFFFFFFFFFFFF)


@inlined
def number_of(card):
    """The place of a card's number in the order of numbers, from 0."""
    return card >> 2


@njit
def suit_set(v, suit):
    """All cards of a suit, doubles among them. ZS-12"""
    if suit == 0:
        return v.clubs
    if suit == 1:
        return v.diamonds
    return v.hearts if suit == 2 else v.spades


@inlined
def suit_bits(v, card):
    """The suits of a card, one bit a suit; a double has two. ZS-12"""
    if v.doubles == DOUBLES_OFF:
        return 1 << (card & 3)
    at = U64(card)
    bits = ((v.clubs >> at) & ONE) | ((v.diamonds >> at) & ONE) << ONE
    bits |= ((v.hearts >> at) & ONE) << U64(2) | ((v.spades >> at) & ONE) << U64(3)
    return np.int64(bits)


@inlined
def cards_that_follow(v, card):
    """All cards that follow a led card. ZS-7; a led double: those of both its suits. ZS-12"""
    if v.doubles == DOUBLES_OFF:
        return COLUMN << U64(card & 3)
    return union_of_suits(v, suit_bits(v, card))


@njit
def union_of_suits(v, bits):
    """All cards of the suits that have a bit."""
    cards = EMPTY
    if bits & 1:
        cards |= v.clubs
    if bits & 2:
        cards |= v.diamonds
    if bits & 4:
        cards |= v.hearts
    if bits & 8:
        cards |= v.spades
    return cards


@inlined
def of_seat(word, seat):
    """The number of a seat in a word with eight bits a seat: `of_seat(view.tricks, 2)`."""
    return np.int64((U64(word) >> U64(8 * seat)) & U64(255))


@njit
def count_suits(v, cards):
    """How many different suits cards have. ZS-10, ZS-13"""
    count = 0
    for suit in range(4):
        if cards & suit_set(v, suit) != EMPTY:
            count += 1
    return count


@njit
def round_points(v, tricks, shorts):
    """The points for so many tricks and the cards of a shorts pile. ZS-9, ZS-10"""
    count = count_bits(shorts)
    points = tricks + 5 * tricks if tricks == count else tricks + 3 * min(tricks, count)  # ZS-9
    return points + bonus_for(v, count_suits(v, shorts))


@njit
def bonus_for(v, suits):
    """The points for so many suits in a shorts pile. ZS-10"""
    if suits == 0:
        return np.int64(v.bonus_0)
    if suits == 1:
        return np.int64(v.bonus_1)
    if suits == 2:
        return np.int64(v.bonus_2)
    return np.int64(v.bonus_3) if suits == 3 else np.int64(v.bonus_4)


# --- a deck as a stack ----------------------------------------------------------------------------

CARD_BITS = U64(6)
IN_TOP = 10  # cards in the upper word
TOP_BITS = U64(0xFFFFFFFFFFFFFFF)


@inlined
def push(top, below, card):
    """(upper, lower) word of a stack with one more card on it; the top card has the lowest bits."""
    spilled = top >> U64(6 * (IN_TOP - 1))
    return ((top << CARD_BITS) | U64(card)) & TOP_BITS, (below << CARD_BITS) | spilled


@inlined
def pop(top, below):
    """(card, upper, lower) word of a stack without its top card."""
    card = np.int64(top & U64(63))
    fallen = (below & U64(63)) << U64(6 * (IN_TOP - 1))
    return card, (top >> CARD_BITS) | fallen, below >> CARD_BITS


# --- actions --------------------------------------------------------------------------------------

DRAFT, DRAW, PLAY = range(3)  # the kinds of decision

#: Of the kind `draw`: 0 to stay, 1 to draw (in short shorts: to take), from 2 on to lay a card.
STAY_ACTION, DRAW_ACTION, LAY_ACTIONS = 0, 1, 2


@njit
def lay(card):
    """Of the kind `draw` in short shorts: lay this card on the own deck. ZS-14"""
    return np.int64(card + LAY_ACTIONS)


@njit
def draft(cards):
    """Of the kind `draft`: put these five cards into the own deck. ZS-4"""
    return np.int64(cards)
