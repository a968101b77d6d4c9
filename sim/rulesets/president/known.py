"""What follows from a view about the hands of the others. PR-16

Each function takes a view, or the table of a state, which is the view of the player to move.
"""

from numba import njit

from sim.bits import EMPTY, U64
from sim.rulesets.president.cards import (
    EVERYTHING,
    HIGHEST,
    JANITOR,
    JOKER,
    LOW_FIRST,
    LOWEST,
    ONE_OF_EACH,
    PRESIDENT,
    SEATS,
    SECRETARY,
    below_place,
    cards_of,
    from_place,
    highest_place,
    lowest_place,
    of_seat,
    played_by,
    seat_with,
    without,
)

#: Four cards of each rank but the joker. PR-1
NATURAL_PACK = below_place(U64(4) * ONE_OF_EACH, JOKER)


@njit
def unseen_cards(v):
    """The cards that are in the hands of the others. PR-1"""
    pack = NATURAL_PACK + cards_of(JOKER, v.jokers)
    return pack - v.hand - v.played_0 - v.played_1 - v.played_2 - v.played_3


@njit
def partner_of(v, seat):
    """The seat with which a seat exchanges cards in this round, or 4 in the first one. PR-12"""
    rank = of_seat(v.ranks, seat)
    return seat_with(v.ranks, JANITOR + PRESIDENT - rank) if rank > 0 else SEATS


@njit
def gives(v, seat):
    """How a player's gift is chosen. PR-13"""
    return v.low_gives if of_seat(v.ranks, seat) >= SECRETARY else v.high_gives


@njit
def known_of_partner(v, partner):
    """The cards that the partner must have got from the player and still has."""
    known = v.given
    if v.exchange_order == LOW_FIRST and of_seat(v.ranks, partner) < SECRETARY:
        known = without(known, v.received)  # may have come back
    return without(known, played_by(v, partner))


@njit
def barred_to_partner(v, partner):
    """Ranks of which the partner has no other cards, since its gift was the highest or lowest."""
    gift = v.received
    if gift == EMPTY:
        return EMPTY
    how = gives(v, partner)
    if how == HIGHEST:
        return from_place(EVERYTHING, lowest_place(gift) + 1)
    if how == LOWEST:
        return below_place(EVERYTHING, highest_place(gift))
    return EMPTY


@njit
def lacking(v, seat):
    """All cards of the wild ranks that a seat cannot have. PR-6"""
    bits = U64(v.lacks) >> U64(4 * seat)
    cards = EMPTY
    for i in range(3):
        if (bits >> U64(i)) & U64(1) != EMPTY:
            cards |= cards_of(11 + i, 15)
    return cards


@njit
def possible_cards(v, seat):
    """The cards, of those that are unseen, that another seat may have.

    Each alone: a seat has no more cards than `sizes` says, and each card is in one hand.
    """
    unseen = unseen_cards(v)
    partner = partner_of(v, v.seat)
    if partner < SEATS:
        known = known_of_partner(v, partner)
        if seat == partner:
            return (unseen & ~(barred_to_partner(v, seat) | lacking(v, seat))) | known
        unseen -= known
    return unseen & ~lacking(v, seat)
