"""States of President built from a view alone, for strategies that look ahead.

The view is laid out as a state in which the unseen cards lie in the other hands in any order; the
game ends with the round. With two players left that is the true state; with more, `hidden.redeal`
of the rules deals the hands anew, in a way that fits all that is known (PR-16).
"""

from numba import njit

from sim.bits import EMPTY, U64, copy_record
from sim.rulesets.president.cards import (
    JANITOR,
    PRESIDENT,
    SEATS,
    cards_of,
    count_of,
    lowest_place,
    of_seat,
)
from sim.rulesets.president.known import partner_of, unseen_cards

#: Compiled as part of their caller: functions that call much more take seconds for each level.
inlined = njit(inline="always")


@njit
def take_cards(cards, count):
    """The lowest `count` of some cards."""
    taken = EMPTY
    while count > 0:
        place = lowest_place(cards)
        some = min(count_of(cards, place), count)
        taken += cards_of(place, some)
        cards -= cards_of(place, some)
        count -= some
    return taken


@njit
def lay_out(view, s):
    """Fill a state with what the view says, for a decision to play; the round is its last."""
    copy_record(view, s.table)
    s.table.rounds = view.round
    s.over = 0
    s.closed = 0
    s.step = SEATS
    s.plays = 0
    s.last_plays = 0
    unseen = unseen_cards(view)
    for seat in range(SEATS):
        s.points[seat] = 0
        s.hands[seat] = view.hand
        if seat != view.seat:
            s.hands[seat] = take_cards(unseen, of_seat(view.sizes, seat))
            unseen -= s.hands[seat]
    lay_out_gifts(view, s)


@njit
def lay_out_gifts(view, s):
    """The player's own gifts; those of the other two are only counted, `redeal` finds cards."""
    for seat in range(SEATS):
        rank = of_seat(view.ranks, seat)
        size = 0
        if rank > 0:
            top = rank == PRESIDENT or rank == JANITOR
            size = view.exchange_1 if top else view.exchange_2
        s.given[seat] = s.received[seat] = cards_of(0, size)
    s.given[view.seat] = view.given
    s.received[view.seat] = view.received
    partner = partner_of(view, view.seat)
    if partner < SEATS:
        s.given[partner] = view.received
        s.received[partner] = view.given


@njit
def rank_of(s, seat):
    """The rank with which a seat is out, 0 while it is in."""
    return of_seat(s.table.finishes, seat)


@njit
def has_cards(s, seat):
    """Whether a seat of a state is still in."""
    return s.hands[U64(seat)] != EMPTY
