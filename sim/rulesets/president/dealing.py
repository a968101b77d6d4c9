"""The shuffled pack of President, dealt to four hands."""

import numpy as np
from numba import njit

from sim.bits import EMPTY, ONE, U64
from sim.rng import bounded, open_stream
from sim.rulesets.president.cards import SEATS, WILD_BOTH, WILD_NONE, WILD_TWOS

#: The eleven ranks from Four to Ace in the pack, where the Twos and Threes lie below them.
MIDDLE = U64(0xFFFFFFFFFFF00)


@njit
def draw_card(deck, last, stream):
    """Draw one of the cards 0 … `last` of a deck; the last one takes its place. PR-1"""
    drawn = bounded(stream, last + 1)
    rank = deck[drawn]
    deck[drawn] = deck[last]
    return ONE << (U64(rank) << U64(2))


@njit
def in_order(cards, wild):
    """Cards counted from the Two up to the joker, put into the order of the option. PR-2, PR-3"""
    if wild == WILD_NONE:
        return cards
    twos, threes = cards & U64(0xF), (cards >> U64(4)) & U64(0xF)
    middle, jokers = cards & MIDDLE, (cards >> U64(52)) << U64(52)
    if wild == WILD_BOTH:
        return middle >> U64(8) | twos << U64(44) | threes << U64(48) | jokers
    if wild == WILD_TWOS:
        return threes | middle >> U64(4) | twos << U64(48) | jokers
    return twos | middle >> U64(4) | threes << U64(48) | jokers


@njit
def deal_cards(s, stream):
    """Shuffle the pack and deal all of it, one by one, from seat (round - 1) mod 4 on. PR-1

    A shuffle from the end finds the cards in the order in which they come off the top.
    """
    t = s.table
    deck = s.deck
    size = 52 + np.int64(t.jokers)
    for card in range(size):
        deck[card] = np.uint8(card >> 2)  # the jokers are 13
    open_stream(stream, np.int64(t.round))
    first = second = third = fourth = EMPTY
    last = size - 1
    while last > 2:
        first += draw_card(deck, last, stream)
        second += draw_card(deck, last - 1, stream)
        third += draw_card(deck, last - 2, stream)
        fourth += draw_card(deck, last - 3, stream)
        last -= 4
    if last >= 0:
        first += draw_card(deck, last, stream)
    if last >= 1:
        second += draw_card(deck, last - 1, stream)
    if last >= 2:
        third += draw_card(deck, last - 2, stream)
    eldest = np.int64(t.round) - 1
    s.hands[U64(eldest & 3)] = in_order(first, t.wild)
    s.hands[U64((eldest + 1) & 3)] = in_order(second, t.wild)
    s.hands[U64((eldest + 2) & 3)] = in_order(third, t.wild)
    s.hands[U64((eldest + 3) & 3)] = in_order(fourth, t.wild)
    t.sizes = EMPTY
    for place in range(SEATS):
        count = (size + 3 - place) >> 2
        t.sizes |= U64(count) << U64(8 * ((eldest + place) & 3))
