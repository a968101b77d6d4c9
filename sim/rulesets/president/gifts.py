"""Gifts: sets of cards of a hand, chosen by rule or by chance, counted and listed."""

import numpy as np
from numba import njit

from sim.bits import EMPTY, ONE, U64
from sim.rng import bounded
from sim.rulesets.president.cards import (
    HIGHEST,
    LOWEST,
    PLACES,
    below_place,
    cards_of,
    count_cards,
    count_of,
    from_place,
    give,
    highest_place,
    lowest_place,
)

MOST_GIVEN = 6  # cards in a gift


@njit
def lowest_cards(hand, size):
    """The lowest cards of a hand that has so many."""
    taken = EMPTY
    while size > 0:
        place = lowest_place(hand)
        count = min(count_of(hand, place), size)
        taken |= cards_of(place, count)
        hand &= ~cards_of(place, 15)
        size -= count
    return taken


@njit
def highest_cards(hand, size):
    """The highest cards of a hand that has so many. PR-12"""
    taken = EMPTY
    while size > 0:
        place = highest_place(hand)
        count = min(count_of(hand, place), size)
        taken |= cards_of(place, count)
        hand &= ~cards_of(place, 15)
        size -= count
    return taken


@njit
def nth_card(cards, n):
    """The rank of the n-th card (0 = lowest)."""
    place = 0
    while True:
        count = count_of(cards, place)
        if n < count:
            return place
        n -= count
        place += 1


@njit
def random_cards(hand, size, stream):
    """Any set of different cards of a hand, all equally likely.

    One card after another is drawn by its number among those that are left, lowest first.
    """
    taken = EMPTY
    left = count_cards(hand)
    for _ in range(size):
        card = ONE << U64(4 * nth_card(hand, bounded(stream, left)))
        hand -= card
        taken += card
        left -= 1
    return taken


@njit
def gift_by(how, hand, size, stream):
    """The gift that a rule takes from a hand: the highest, the lowest, or else any. PR-13"""
    if how == HIGHEST:
        return highest_cards(hand, size)
    if how == LOWEST:
        return lowest_cards(hand, size)
    return random_cards(hand, size, stream)


@njit
def ways_below(hand, size):
    """A table: how many gifts of 0 … `size` cards there are from the ranks below each place."""
    ways = np.zeros((PLACES + 1, MOST_GIVEN + 1), np.int64)
    ways[0, 0] = 1
    for place in range(PLACES):
        for total in range(size + 1):
            for count in range(min(count_of(hand, place), total) + 1):
                ways[place + 1, total] += ways[place, total - count]
    return ways


@njit
def count_gifts(hand, size):
    """How many different gifts of so many cards a hand allows; cards of one rank are alike."""
    return ways_below(hand, size)[PLACES, size]


@njit
def nth_gift(hand, size, n):
    """The n-th gift in the order of their numbers: the highest rank weighs most."""
    ways = ways_below(hand, size)
    cards = EMPTY
    for place in range(PLACES - 1, -1, -1):
        count = 0
        while n >= ways[place, size - count]:
            n -= ways[place, size - count]
            count += 1
        cards |= cards_of(place, count)
        size -= count
    return give(cards)


@njit
def gift_after(hand, gift):
    """The gift that comes next in the order of `nth_gift`, empty after the last."""
    lower = 0
    for place in range(PLACES):
        count = count_of(gift, place)
        if lower > 0 and count < count_of(hand, place):
            kept = from_place(gift, place)
            return kept + cards_of(place, 1) + lowest_cards(below_place(hand, place), lower - 1)
        lower += count
    return EMPTY
