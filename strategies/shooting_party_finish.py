"""How likely the next pair of the Shooting Party makes the player able to be alone with a queen.

The pile's cards are known, their order is not (SP-17), so every pair of its cards that are no aces
is equally likely to come into the hand.
"""

import numpy as np
from numba import njit

from sim.bits import EMPTY, U64, bit, count_bits, lowest_bit, without_lowest
from sim.rulesets.shooting_party.cards import (
    ACE,
    ACES,
    JACK,
    JACKS,
    JOKER_SET,
    KING,
    QUEEN,
    QUEENS,
)
from strategies.shooting_party_sets import clears, odd_parts

TO_KING = U64(KING - QUEEN)
TO_QUEEN = U64(QUEEN - JACK)


@njit
def finishes(hand, pair, waiting, lost):
    """Whether a hand and a pair (sets without aces) can be cleared to a queen of `waiting` now.

    With the joker one odd part may be left over, since he fetches its partner or goes himself;
    `lost` are waiting queens in the discard pile, which he fetches into an empty room. Etiquette of
    the default rules counts: couples leave, of two queens the newer stays, two jacks end it.
    """
    everybody = hand | pair
    couples = everybody & QUEENS & (everybody >> TO_KING)
    if couples >> TO_QUEEN & everybody != EMPTY:
        return False  # a jack gives a choice; count it as lost
    everybody &= ~(couples | couples << TO_KING)
    queens = everybody & pair & QUEENS
    if queens == EMPTY:
        queens = everybody & QUEENS
    if without_lowest(queens) != EMPTY:
        return False  # two queens at once: their order is not known
    rest = everybody & ~(QUEENS | JOKER_SET)
    if count_bits(rest & JACKS) > 1:
        return False
    joker = everybody & JOKER_SET != EMPTY
    if queens & waiting == EMPTY:
        return joker and queens == EMPTY and lost != EMPTY and clears(rest)
    odd = odd_parts(rest)
    if odd <= 1 and joker:
        return True
    return odd == 0 or (odd == 1 and clears(rest))


@njit
def finish_odds(hand, pile, discards, display, scored):
    """The share of the pairs in the pile after which a queen with jewels can be had at once."""
    waiting = (display >> U64(ACE - QUEEN)) & QUEENS & ~scored
    if waiting == EMPTY:
        return 0.0
    cards = pile & ~ACES
    size = count_bits(cards)
    if size < 2:
        return 0.0
    lost = discards & waiting
    hits = 0
    while cards != EMPTY:
        first = bit(lowest_bit(cards))
        cards = without_lowest(cards)
        others = cards
        while others != EMPTY:
            second = others & (EMPTY - others)
            others ^= second
            if finishes(hand, first | second, waiting, lost):
                hits += 1
    return np.float64(hits) * 2.0 / (size * (size - 1))
