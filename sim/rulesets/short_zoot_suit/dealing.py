"""The shuffled pack of Short Zoot Suit, dealt to its hands, and the shuffle of a drafted deck."""

import numpy as np
from numba import njit

from sim.bits import EMPTY, ONE, U64, lowest_bit, nth_bit
from sim.rng import bounded, bounded_from, open_stream
from sim.rulesets.short_zoot_suit.cards import (
    ALL_CARDS,
    CARD_BITS,
    DECK_SIZE,
    HIGH,
    inlined,
)
from sim.rulesets.short_zoot_suit.state import MOST_ROUNDS

ACES = U64(15)


@njit
def dealt_each(players, pack_size):
    """How many cards each player gets. ZS-2: two players leave out two cards."""
    return 15 if players == 2 else pack_size // players


@inlined
def ace_low(cards, ace):
    """Cards as they are numbered with the ace as the lowest card."""
    return cards << U64(4) & ALL_CARDS | cards >> U64(48) if ace == HIGH else cards


@inlined
def by_option(cards, ace):
    """Cards with the ace as the lowest card, numbered as the option says. ZS-1"""
    return cards >> U64(4) | (cards & ACES) << U64(48) if ace == HIGH else cards


@njit
def deal_cards(s, stream):
    """Shuffle the pack and deal it out evenly; what is left stays out. ZS-1, ZS-2

    The pack is laid out with the ace as the lowest card, so that `ace` does not change the deals.
    """
    t = s.table
    shuffled = s.shuffled
    pack, size = ace_low(t.pack, t.ace), 0
    while pack != EMPTY:
        shuffled[size] = np.uint8(lowest_bit(pack))
        pack &= pack - ONE
        size += 1
    players = np.int64(t.players)
    each = dealt_each(players, size)
    open_stream(stream, np.int64(t.round))
    state, left = stream.state, U64(size)
    t.sizes = EMPTY
    for seat in range(players):
        hand = EMPTY
        for _ in range(each):
            state, drawn = bounded_from(state, left)
            left -= ONE
            hand |= ONE << U64(shuffled[drawn])
            shuffled[drawn] = shuffled[left]
        s.hands[seat] = by_option(hand, t.ace)
        t.sizes |= U64(each) << U64(8 * seat)
    stream.state = state


@njit
def shuffle_deck(cards, seat, number, stream):
    """The drafted cards of a seat in round `number` as a stack, in any order. ZS-4

    The lowest word is the top card; it is the last one drawn from the sorted cards.
    """
    open_stream(stream, MOST_ROUNDS * (1 + seat) + number)
    stack = EMPTY
    for left in range(DECK_SIZE, 1, -1):
        card = nth_bit(cards, bounded(stream, left))
        cards &= ~(ONE << U64(card))
        stack = stack << CARD_BITS | U64(card)
    return stack << CARD_BITS | U64(lowest_bit(cards))
