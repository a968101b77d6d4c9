"""Exact odds of the next pair in the Shooting Party, from what is known about the pile. SP-17

All odds are whole numbers in thousandths, so that no rounding of a processor decides an action.
Aces do not count: one that is drawn is laid on the table and replaced.
"""

import numpy as np
from numba import njit

from sim.bits import EMPTY, U64, bit, count_bits, has, lowest_bit, without_lowest
from sim.rulesets.shooting_party.cards import (
    ACES,
    JACK,
    JACKS,
    JOKER,
    JOKER_SET,
    KING,
    ONE_RANK,
    QUEEN,
    QUEENS,
)
from strategies.shooting_party_hands import same_rank, talking_queen
from strategies.shooting_party_sets import JOINED, ODD, RANKS_IN_HAND, clears, odd_parts

CERTAIN = 1000


@njit
def per_mille(hits, total):
    """`hits` of `total` in thousandths; nothing out of nothing is nothing."""
    return CERTAIN * hits // total if total > 0 else 0


@njit
def odds_of_any(v, cards):
    """The odds that the next pair brings one of `cards` or two."""
    comers = v.pile & ~ACES
    size = count_bits(comers)
    others = size - count_bits(comers & cards)
    return CERTAIN - per_mille(others * (others - 1), size * (size - 1)) if size > 1 else 0


@njit
def links(cards):
    """How a hand hangs together: (the partition of suits, the suits with an odd number)."""
    partition = 0
    odd_suits = 0
    for _ in range(RANKS_IN_HAND):
        suits = np.int64(cards & ONE_RANK)
        partition = np.int64(JOINED[partition, suits])
        odd_suits ^= suits
        cards >>= U64(4)
    return partition, odd_suits


@njit
def suits_of_rank(cards, card):
    """The suits in which `cards` hold this card's rank, and the card's own."""
    return np.int64((cards | bit(card)) >> U64(card & ~3) & ONE_RANK)


@njit
def goes(odd, spare, cards):
    """Whether `cards` with so many odd circles can be cleared, `spare` of which the butler helps.

    A set of three turns one odd circle even.
    """
    return odd <= spare or (odd == 1 and clears(cards))


@njit
def pairs_that_clear(guests, comers, spare, secretaries):
    """How many pairs of `comers` can be cleared with the guests; the butler helps `spare` odd."""
    partition, odd_suits = links(guests)
    hits = 0
    while comers != EMPTY:
        a = lowest_bit(comers)
        comers = without_lowest(comers)
        partition_a = np.int64(JOINED[partition, suits_of_rank(guests, a)])
        odd_a = odd_suits ^ (1 << (a & 3))
        company = guests | bit(a)
        others = comers
        if secretaries and a & ~3 == JACK:
            others &= ~JACKS
        while others != EMPTY:
            b = lowest_bit(others)
            others = without_lowest(others)
            partition_b = JOINED[partition_a, suits_of_rank(company, b)]
            hits += goes(ODD[partition_b, odd_a ^ (1 << (b & 3))], spare, company | bit(b))
    return hits


@njit
def singles_that_clear(guests, comers, spare):
    """How many of `comers` can be cleared with the guests; the butler helps `spare` odd."""
    partition, odd_suits = links(guests)
    hits = 0
    while comers != EMPTY:
        a = lowest_bit(comers)
        comers = without_lowest(comers)
        joined = JOINED[partition, suits_of_rank(guests, a)]
        hits += goes(ODD[joined, odd_suits ^ (1 << (a & 3))], spare, guests | bit(a))
    return hits


@njit
def harmless(v, hand, queen):
    """The cards of the pile that call no etiquette into this hand beside this queen."""
    cards = v.pile & ~(ACES | JOKER_SET | QUEENS)
    if v.husbands:
        cards &= ~(queen << U64(KING - QUEEN))
    if v.secretaries and hand & JACKS != EMPTY:
        cards &= ~JACKS
    return cards


@njit
def odds_of_clearing(v, hand, wanted):
    """The odds that after the next pair one can be alone with a queen of `wanted`.

    The queen may be in this hand, come with the pair or, if the hand holds the butler, be fetched.
    The butler fetches the partner of one odd card.
    """
    size = count_bits(v.pile & ~ACES)
    queen = talking_queen(hand)
    butler = hand & JOKER_SET != EMPTY
    guests = hand & ~(queen | JOKER_SET)
    spare = 1 if butler else 0
    hits = 0
    if queen & wanted != EMPTY:
        comers = harmless(v, guests, queen)
        hits += pairs_that_clear(guests, comers, spare, v.secretaries)
        if has(v.pile, JOKER):
            hits += singles_that_clear(guests, comers, 1)
    elif queen == EMPTY and butler and v.discards & wanted != EMPTY:
        hits += pairs_that_clear(guests, harmless(v, guests, queen), 0, v.secretaries)
    coming = v.pile & wanted
    while coming != EMPTY:
        queen = coming & (EMPTY - coming)
        coming ^= queen
        if v.husbands and guests & (queen << U64(KING - QUEEN)) != EMPTY:
            continue
        hits += singles_that_clear(guests, harmless(v, guests, queen), spare)
        hits += has(v.pile, JOKER) and odd_parts(guests) <= 1
    return per_mille(2 * hits, size * (size - 1))


@njit
def odds_of_triple(v, guests):
    """The odds that the next pair makes three of a rank out of two."""
    thirds = EMPTY
    rest = guests & ~(JACKS | QUEENS) if v.secretaries else guests & ~QUEENS
    while rest != EMPTY:
        rank = same_rank(lowest_bit(rest))
        if count_bits(rest & rank) == 2:
            thirds |= rank
        rest &= ~rank
    return odds_of_any(v, thirds)
