"""What the player may do: the legal actions of a view or of the public part of a state."""

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
    if cards & JOKER_SET != EMPTY or cards & (cards - ONE) == EMPTY:
        return False
    low = lowest_bit(cards)
    if (cards >> U64(low & ~3)) <= ONE_RANK:
        return True
    rest = without_lowest(cards)
    return without_lowest(rest) == EMPTY and (lowest_bit(rest) - low) & 3 == 0


@njit
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


#: Number of subsets with two or more cards, for each set of suits of one rank.
SETS_OF_RANK = tuple(2 ** k.bit_count() - 1 - k.bit_count() for k in range(16))


@njit
def count_same_suit(hand):
    """Number of pairs of one suit in a hand (the joker has no suit). SP-9"""
    total = 0
    for suit in range(4):
        size = count_bits(hand & (ONE_SUIT << U64(suit)))
        total += size * (size - 1) // 2
    return total


@njit
def count_same_rank(hand):
    """Number of sets of two or more cards of one rank in a hand. SP-9"""
    total = 0
    cards = hand & ~JOKER_SET
    while cards != EMPTY:
        rank = lowest_bit(cards) & ~3
        suits = (cards >> U64(rank)) & ONE_RANK
        total += SETS_OF_RANK[suits]
        cards &= ~(ONE_RANK << U64(rank))
    return total


@njit
def count_legal(v):
    """How many legal actions the player has."""
    if v.husband_suit >= 0:
        return 2
    total = 1 + count_same_suit(v.hand) + count_same_rank(v.hand)
    if count_bits(v.hand) <= v.draw_limit:
        total += 1
    if has(v.hand, JOKER):
        total += count_bits(v.discards) + count_bits(v.pile & ACES) + 1
    if without_lowest(v.hand) == EMPTY and v.hand & QUEENS != EMPTY:
        total += 1
    return total


@njit
def nth_same_suit(hand, n):
    """The n-th pair of one suit: by suit, then by the ranks."""
    for suit in range(4):
        cards = hand & (ONE_SUIT << U64(suit))
        while cards != EMPTY:
            low = cards & (EMPTY - cards)
            cards ^= low
            partners = count_bits(cards)
            if n < partners:
                return low | bit(nth_bit(cards, n))
            n -= partners
    return EMPTY


@njit
def nth_same_rank(hand, n):
    """The n-th set of one rank: by rank, then by the suits as a binary number."""
    cards = hand & ~JOKER_SET
    while cards != EMPTY:
        rank = lowest_bit(cards) & ~3
        suits = (cards >> U64(rank)) & ONE_RANK
        here = SETS_OF_RANK[suits]
        if n < here:
            subset = EMPTY
            while True:
                subset = (subset - suits) & suits  # the next subset as a binary number
                if without_lowest(subset) != EMPTY:
                    if n == 0:
                        return subset << U64(rank)
                    n -= 1
        n -= here
        cards &= ~(ONE_RANK << U64(rank))
    return EMPTY


@njit
def nth_legal(v, n):
    """The n-th legal action, in the order: pair, leave, pairs of a suit, sets of a rank, butler
    for a discard, butler for an ace, butler for nothing, seduce; a choice of SP-10: queen and king,
    king and jack.
    """
    if v.husband_suit >= 0:
        return queen_and_king() if n == 0 else king_and_jack()
    if count_bits(v.hand) <= v.draw_limit:
        if n == 0:
            return draw_pair()
        n -= 1
    if n == 0:
        return leave_room()
    n -= 1
    here = count_same_suit(v.hand)
    if n < here:
        return discard(nth_same_suit(v.hand, n))
    n -= here
    here = count_same_rank(v.hand)
    if n < here:
        return discard(nth_same_rank(v.hand, n))
    n -= here
    if has(v.hand, JOKER):
        here = count_bits(v.discards)
        if n < here:
            return fetch(nth_bit(v.discards, n))
        n -= here
        aces = v.pile & ACES
        here = count_bits(aces)
        if n < here:
            return fetch_ace(nth_bit(aces, n) - ACE)
        n -= here
        if n == 0:
            return dismiss()
    return seduce()
