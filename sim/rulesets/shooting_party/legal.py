"""What the player may do: the legal actions of a view or of the public part of a state."""

import numpy as np
from numba import njit

from sim.bits import EMPTY, ONE, U64, bit, count_bits, has, lowest_bit, nth_bit, without_lowest
from sim.rulesets.shooting_party.cards import (
    ACE,
    ACES,
    DISCARD,
    DISMISS,
    FETCH,
    FETCH_ACE,
    JOKER,
    JOKER_SET,
    KING_AND_JACK,
    LEAVE,
    ONE_RANK,
    ONE_SUIT,
    PAIR,
    QUEEN_AND_KING,
    QUEENS,
    SEDUCE,
    action_card,
    action_cards,
    action_kind,
    discard,
    dismiss,
    draw_pair,
    fetch,
    fetch_ace,
    king_and_jack,
    leave_room,
    queen_and_king,
    seduce,
)


@njit
def is_set(cards):
    """Whether cards may be discarded together by conversation. SP-9"""
    low = lowest_bit(cards)
    rest = without_lowest(cards)
    one_rank = (cards >> U64(low & 28)) <= ONE_RANK
    two_of_suit = (rest & ~(ONE_SUIT << U64(low & 3)) == EMPTY) & (without_lowest(rest) == EMPTY)
    return (rest != EMPTY) & (one_rank | two_of_suit)  # the joker is beyond all ranks and suits


@njit(forceinline=True)
def legal_for(t, action):
    """Whether the player may do this, by what is on the table."""
    kind = action_kind(action)
    cards = action_cards(action)
    if t.husband_suit >= 0:
        return (kind == QUEEN_AND_KING or kind == KING_AND_JACK) and cards == EMPTY  # SP-10
    if kind == DISCARD:
        return cards & ~t.hand == EMPTY and is_set(cards)  # SP-9
    if kind == FETCH or kind == FETCH_ACE:
        card = action_card(action)
        if card >= JOKER or not has(t.hand, JOKER):
            return False
        if kind == FETCH:
            return has(t.discards, card)  # SP-14 (a)
        return card >= ACE and has(t.pile, card)  # SP-14 (b)
    if cards != EMPTY:
        return False
    if kind == PAIR:
        return count_bits(t.hand) <= t.draw_limit  # SP-4
    if kind == SEDUCE:
        return without_lowest(t.hand) == EMPTY and t.hand & QUEENS != EMPTY  # SP-15
    if kind == DISMISS:
        return has(t.hand, JOKER)  # SP-14 (c)
    return kind == LEAVE  # SP-8


# --- counting and numbering the legal actions ----------------------------------------------------


@njit
def count_same_suit(cards):
    """Number of pairs of one suit among cards without the joker. SP-9"""
    squares = 0
    for suit in range(4):
        size = count_bits(cards & (ONE_SUIT << U64(suit)))
        squares += size * size
    return (squares - count_bits(cards)) >> 1


@njit
def rank_counts(cards):
    """How many cards there are of each rank, 4 bits a rank, for cards without the joker."""
    halves = cards - ((cards >> ONE) & U64(0x55555555))
    return (halves & U64(0x33333333)) + ((halves >> U64(2)) & U64(0x33333333))


@njit
def count_same_rank(cards):
    """Number of sets of two or more cards of one rank among cards without the joker. SP-9

    Two, three or four cards of a rank have 1, 4 or 11 such sets.
    """
    counts = rank_counts(cards)
    two_or_more = (counts | (counts >> U64(1))) & U64(0x22222222)
    three = counts & (counts >> U64(1)) & ONE_SUIT
    four = counts & U64(0x44444444)
    return count_bits(two_or_more) + 3 * count_bits(three) + 10 * count_bits(four)


@njit(forceinline=True)
def choices(v):
    """How many legal actions there are of each kind when no choice of SP-10 is pending: pair,
    pairs of a suit, sets of a rank, butler for a discard, for an ace, for nothing, seduce.
    """
    cards = v.hand & ~JOKER_SET
    joker = np.int64(v.hand >> U64(JOKER))
    return (
        np.int64(count_bits(v.hand) <= v.draw_limit),
        count_same_suit(cards),
        count_same_rank(cards),
        joker * count_bits(v.discards),
        joker * count_bits(v.pile & ACES),
        joker,
        np.int64((without_lowest(v.hand) == EMPTY) & (v.hand & QUEENS != EMPTY)),
    )


@njit(forceinline=True)
def total(counts):
    """The number of legal actions; to leave is always one."""
    pair, same_suit, same_rank, fetched, aces, dismissed, seduced = counts
    return 1 + pair + same_suit + same_rank + fetched + aces + dismissed + seduced


@njit
def count_legal(v):
    """How many legal actions the player has."""
    return 2 if v.husband_suit >= 0 else total(choices(v))


@njit
def nth_pair(cards, n):
    """The n-th pair of cards of a set: by the lower card, then by the higher one."""
    while True:
        low = cards & (EMPTY - cards)
        cards ^= low
        partners = count_bits(cards)
        if n < partners:
            return low | bit(nth_bit(cards, n))
        n -= partners


@njit
def nth_same_suit(cards, n):
    """The n-th pair of one suit: by suit, then by the ranks."""
    for suit in range(4):
        of_suit = cards & (ONE_SUIT << U64(suit))
        size = count_bits(of_suit)
        here = (size * (size - 1)) >> 1
        if n < here:
            return nth_pair(of_suit, n)
        n -= here
    return EMPTY


#: Number of subsets with two or more cards, for each set of suits of one rank.
SETS_OF_RANK = tuple(2 ** k.bit_count() - 1 - k.bit_count() for k in range(16))


@njit
def nth_same_rank(cards, n):
    """The n-th set of one rank: by rank, then by the suits as a binary number."""
    while cards != EMPTY:
        rank = U64(lowest_bit(cards) & ~3)
        suits = (cards >> rank) & ONE_RANK
        here = SETS_OF_RANK[suits]
        if n < here:
            subset = EMPTY
            while True:
                subset = (subset - suits) & suits  # the next subset as a binary number
                if without_lowest(subset) != EMPTY:
                    if n == 0:
                        return subset << rank
                    n -= 1
        n -= here
        cards &= ~(ONE_RANK << rank)
    return EMPTY


@njit(forceinline=True)
def nth_choice(v, counts, n):
    """The n-th legal action when there are `counts` of each kind (see `choices`)."""
    pair, same_suit, same_rank, fetched, aces, dismissed, _ = counts
    cards = v.hand & ~JOKER_SET
    n -= pair
    if n < 0:
        return draw_pair()
    if n == 0:
        return leave_room()
    n -= 1
    if n < same_suit:
        return discard(nth_same_suit(cards, n))
    n -= same_suit
    if n < same_rank:
        return discard(nth_same_rank(cards, n))
    n -= same_rank
    if n < fetched:
        return fetch(nth_bit(v.discards, n))
    n -= fetched
    if n < aces:
        return fetch_ace(nth_bit(v.pile & ACES, n) - ACE)
    return dismiss() if n - aces < dismissed else seduce()


@njit
def nth_legal(v, n):
    """The n-th legal action, in the order: pair, leave, pairs of a suit, sets of a rank, butler
    for a discard, butler for an ace, butler for nothing, seduce; a choice of SP-10: queen and king,
    king and jack.
    """
    if v.husband_suit >= 0:
        return queen_and_king() if n == 0 else king_and_jack()
    return nth_choice(v, choices(v), n)
