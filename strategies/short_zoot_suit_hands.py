"""Hands of Short Zoot Suit: what several strategies count in them, and the card they choose."""

import numpy as np
from numba import njit

from sim.bits import EMPTY, U64, count_bits, leading_zeros, lowest_bit
from sim.rulesets.short_zoot_suit.cards import of_seat, suit_set

GAME = "short-zoot-suit"
OWN = "this project"
FULL = U64(0xFFFFFFFFFFFFF)


@njit
def highest_bit(cards):
    """The highest card of a set that has some."""
    return 63 - leading_zeros(cards)


@njit
def highest_cards(cards, count):
    """So many of the highest cards of a set, or all of it."""
    taken = EMPTY
    while count > 0 and cards != EMPTY:
        bit = U64(1) << U64(highest_bit(cards))
        taken |= bit
        cards &= ~bit
        count -= 1
    return taken


@njit
def played_by(view, seat):
    """The cards that a seat has played in this round."""
    if seat == 0:
        return view.played_0
    if seat == 1:
        return view.played_1
    return view.played_2 if seat == 2 else view.played_3


@njit
def outside_of(view, seat):
    """What the plays of a seat have shown (see `view_fields`)."""
    if seat == 0:
        return view.outside_0
    if seat == 1:
        return view.outside_1
    return view.outside_2 if seat == 2 else view.outside_3


@njit
def tricks_of(view, seat):
    """The tricks that a seat has won in this round."""
    return of_seat(view.tricks, seat)


@njit
def shorts_of(view, seat):
    """The cards in a seat's shorts pile."""
    return played_by(view, seat) & view.shorts


@njit
def count_shorts(view, seat):
    """The number of cards in a seat's shorts pile."""
    return count_bits(shorts_of(view, seat))


@njit
def is_equal(view, seat):
    """Whether a seat has as many shorts as tricks, and at least one of each."""
    tricks = tricks_of(view, seat)
    return tricks > 0 and tricks == count_shorts(view, seat)


@njit
def points_of(view, seat):
    """The points of a seat in the rounds before."""
    if seat == 0:
        return np.int64(view.points_0)
    if seat == 1:
        return np.int64(view.points_1)
    return np.int64(view.points_2) if seat == 2 else np.int64(view.points_3)


@njit
def shortest_suit(view, cards):
    """The suit of which some cards hold fewest, but at least one; of equal ones the first."""
    best, fewest = -1, 99
    for suit in range(4):
        count = count_bits(cards & suit_set(view, suit))
        if 0 < count < fewest:
            best, fewest = suit, count
    return best


@njit
def longest_suit(view, cards):
    """The suit of which some cards hold most; of equal ones the first."""
    best, most = 0, -1
    for suit in range(4):
        count = count_bits(cards & suit_set(view, suit))
        if count > most:
            best, most = suit, count
    return best


@njit
def beating(cards, best):
    """Those of some cards that follow which take the trick from the best one. ZS-8, ZS-12"""
    return cards & (FULL << U64(best & ~3))


@njit
def duck_or_win(hand, led, best, wants, is_last, thrown):
    """A card for one who wants the trick or does not.

    Who wants it leads the highest card, follows with the highest that takes the trick (the last
    player with the lowest), and with the lowest card if none does. Who does not want it leads the
    lowest card and follows with the highest that does not take the trick; if all do, with the
    lowest (the last player with the highest). Who is short plays `thrown`.
    """
    if led == EMPTY:
        return highest_bit(hand) if wants else lowest_bit(hand)
    following = hand & led
    if following == EMPTY:
        return thrown
    winning = beating(following, best)
    if wants:
        if winning == EMPTY:
            return lowest_bit(following)
        return lowest_bit(winning) if is_last else highest_bit(winning)
    losing = following & ~winning
    if losing != EMPTY:
        return highest_bit(losing)
    return highest_bit(winning) if is_last else lowest_bit(winning)


@njit
def plays_last(view):
    """Whether all others have played to the trick."""
    played = 0
    for seat in range(view.players):
        if of_seat(view.trick, seat) > 0:
            played += 1
    return played == view.players - 1
