"""What the player may do: the legal actions of a view, or of the table in a state."""

import numpy as np
from numba import njit

from sim.bits import EMPTY, U64, count_bits, has, nth_bit
from sim.rng import bounded
from sim.rulesets.short_zoot_suit.cards import (
    CARDS,
    DECK_SIZE,
    DRAFT,
    DRAW,
    DRAW_ACTION,
    LAY_ACTIONS,
    MOST_CARDS,
    STAY_ACTION,
    draft,
    inlined,
    lay,
)

#: WAYS[n, k]: sets of k out of n cards.
WAYS = np.zeros((MOST_CARDS + 1, DECK_SIZE + 1), np.int64)
WAYS[:, 0] = 1
for _n in range(1, MOST_CARDS + 1):
    WAYS[_n, 1:] = WAYS[_n - 1, 1:] + WAYS[_n - 1, :-1]


@inlined
def playable(v):
    """The cards that the player may play to the trick, as a set. ZS-7, ZS-12, ZS-13"""
    following = v.hand & v.led
    return v.hand if following == EMPTY else following


@inlined
def legal_for(v, action):
    """Whether the player may do this, by what is on the table."""
    if v.kind == DRAFT:  # ZS-4
        cards = U64(action)
        return cards & ~v.hand == EMPTY and count_bits(cards) == DECK_SIZE
    if v.kind == DRAW:  # ZS-5, ZS-14
        if action == STAY_ACTION:
            return True
        if action == DRAW_ACTION:
            return v.deck != EMPTY
        card = action - LAY_ACTIONS
        return v.short_shorts != 0 and 0 <= card < CARDS and has(v.hand, card)
    return 0 <= action < CARDS and has(playable(v), action)


@njit
def count_legal(v):
    """How many legal actions the player has."""
    if v.kind == DRAFT:
        return WAYS[count_bits(v.hand), DECK_SIZE]
    if v.kind == DRAW:
        deck = 1 if v.deck != EMPTY else 0
        return 1 + deck + (count_bits(v.hand) if v.short_shorts else 0)
    return count_bits(playable(v))


@njit
def nth_legal(v, n):
    """The n-th legal action. Drafts come in the order of their numbers (the highest card weighs
    most); then to stay, to draw or take, to lay a card, lowest first; plays lowest first.
    """
    if v.kind == DRAFT:
        return draft(nth_draft(v.hand, n))
    if v.kind == DRAW:
        if n == 0:
            return np.int64(STAY_ACTION)
        if v.deck != EMPTY:
            if n == 1:
                return np.int64(DRAW_ACTION)
            n -= 1
        return lay(nth_bit(v.hand, n - 1))
    return nth_bit(playable(v), n)


@njit
def nth_draft(hand, n):
    """The n-th set of five cards of a hand, in the order of their numbers."""
    cards = EMPTY
    place = count_bits(hand)
    for wanted in range(DECK_SIZE, 0, -1):
        place -= 1
        while WAYS[place, wanted] > n:
            place -= 1
        n -= WAYS[place, wanted]
        cards |= U64(1) << U64(nth_bit(hand, place))
    return cards


@njit
def lowest_cards(hand, count):
    """The lowest cards of a hand that has so many."""
    rest = hand
    for _ in range(count):
        rest &= rest - U64(1)
    return hand & ~rest


@njit
def random_cards(hand, count, stream):
    """Any set of so many cards of a hand, all equally likely, drawn one by one."""
    left, cards = hand, EMPTY
    size = count_bits(hand)
    for drawn in range(count):
        card = U64(1) << U64(nth_bit(left, bounded(stream, size - drawn)))
        left &= ~card
        cards |= card
    return cards
