"""What a hand has shown of itself: who is short of a suit, for certain or in part. ZS-15

Who does not follow has no card of the led suits. From then on each card drawn may be of them, and
each card played tells what a drawn card was, or was not. All of that is kept as one word a seat,
`outside`: for each set of suits, how many cards of the hand at least have none of these suits.

    hand of 6, does not follow hearts    all 6 are outside of hearts
    draws a card                         6 of 7: the player may have one heart
    plays a heart                        6 of 6: the card drawn was the heart

As a matroid, the hands that fit have the rank function `size - outside`; not following deletes the
suits, a card drawn is a free extension, a card played a contraction, a card laid a truncation.
"""

import numpy as np
from numba import njit

from sim.bits import EMPTY, ONE, U64, count_bits
from sim.rulesets.short_zoot_suit.cards import inlined, union_of_suits

NIBBLE = U64(15)
#: The sets of suits (four bits each) that lack suit 0, 1, 2, 3.
LACKING_0, LACKING_1 = U64(0x0F0F0F0F0F0F0F0F), U64(0x00FF00FF00FF00FF)
LACKING_2, LACKING_3 = U64(0x0000FFFF0000FFFF), U64(0x00000000FFFFFFFF)
#: The lowest bit of each set but the empty one.
LOWEST_BITS = U64(0x1111111111111110)


@inlined
def sets_lacking(suit):
    """All bits of the sets that lack a suit."""
    if suit == 0:
        return LACKING_0
    if suit == 1:
        return LACKING_1
    return LACKING_2 if suit == 2 else LACKING_3


@inlined
def positive(word):
    """One bit for each set but the empty one whose number is not 0."""
    word |= word >> U64(2)
    word |= word >> ONE
    return word & LOWEST_BITS


@njit
def after_not_following(outside, suits, size):
    """Note that none of the `size` cards of a hand is of these suits (bits)."""
    for suit in range(4):
        if suits >> suit & 1:
            known = ((outside & ~NIBBLE) | U64(size)) & sets_lacking(suit)
            outside = known | known << (U64(4) << U64(suit))
    return outside & ~NIBBLE


@njit
def after_play(outside, suits):
    """Note that a card of these suits (bits) has left the hand."""
    lacking, shift = ~NIBBLE, 0
    for suit in range(4):
        if suits >> suit & 1:
            lacking &= sets_lacking(suit)
            shift += 4 << suit
    # sets whose number differs from that of the set with these suits added
    differing = positive((outside ^ (outside >> U64(shift))) & lacking)
    return outside - differing


@njit
def after_lay(outside):
    """Note that some card has left the hand, face down. ZS-14"""
    return outside - positive(outside)


@njit
def at_least_outside(outside, suits):
    """How many cards of a hand at least have none of these suits (bits, at least one)."""
    return np.int64((outside >> U64(4 * suits)) & NIBBLE)


@njit
def surely_void(outside, suits, size):
    """Whether a hand of so many cards has, for certain, no card of these suits (bits)."""
    return at_least_outside(outside, suits) >= size


@njit
def hand_fits(v, outside, hand):
    """Whether a hand is one of those that fit what has been shown."""
    if outside == EMPTY:
        return True
    size = count_bits(hand)
    for suits in range(1, 16):
        outer = at_least_outside(outside, suits)
        if outer > 0 and count_bits(hand & union_of_suits(v, suits)) > size - outer:
            return False
    return True
