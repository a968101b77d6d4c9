"""What a player of President cannot know, dealt again in a way that fits all the player knows.

Known are the own hand, the cards played, how many cards each hand has, and the own part in the
exchange (PR-16). From that follows, and is respected here:

- The partner in the exchange still has the cards that the player gave, less those of the same rank
  that the partner has played since.
- A partner who had to give the highest cards (or the lowest) has kept none that are higher (lower)
  than the lowest (highest) of them.
- Who took a strong wild card as a filler had no weaker one (PR-6; the field `lacks`).
- The other two exchanged cards by the rules too, although the player did not see which.

Every arrangement of the unseen cards in the hands of the others that fits is equally likely; then
every pair of gifts between the other two that fits the arrangement, as sets of different cards.
"""

import numpy as np
from numba import njit

from sim.bits import EMPTY
from sim.rng import bounded
from sim.rulesets.president.cards import (
    HIGHEST,
    JANITOR,
    LOW_FIRST,
    LOWEST,
    PLACES,
    PRESIDENT,
    SEATS,
    SECRETARY,
    VICE_PRESIDENT,
    below_place,
    cards_of,
    count_cards,
    count_of,
    from_place,
    highest_place,
    lowest_place,
    of_seat,
    seat_with,
    without,
)
from sim.rulesets.president.gifts import (
    MOST_GIVEN,
    gift_after,
    gift_by,
    lowest_cards,
    random_cards,
)
from sim.rulesets.president.known import (
    barred_to_partner,
    gives,
    known_of_partner,
    lacking,
    partner_of,
)

MOST_CARDS = 20  # that a gift is chosen from
#: CHOOSE[n, k]: sets of k out of n different cards.
CHOOSE = np.zeros((MOST_CARDS + 1, MOST_GIVEN + 1), np.int64)
CHOOSE[:, 0] = 1
for _n in range(1, MOST_CARDS + 1):
    CHOOSE[_n, 1:] = CHOOSE[_n - 1, 1:] + CHOOSE[_n - 1, :-1]

#: So many arrangements are tried before it is clear that none fits: the state is not of a game.
MOST_TRIES = 10_000_000


@njit
def redeal(s, seat, stream):
    """Deal again what the seat to move cannot know. PR-16"""
    partner, low, high = others_of(s, seat)
    collect_waiting(s, seat)
    known = known_of_partner(s.table, partner)
    barred = barred_to_partner(s.table, partner) | lacking(s.table, partner)
    unseen = s.hands[partner] + s.hands[low] + s.hands[high] - known
    sizes = (count_cards(s.hands[partner]), count_cards(s.hands[low]), count_cards(s.hands[high]))
    for _ in range(MOST_TRIES):
        first, second, third = arrange(
            unseen, barred, sizes[0] - count_cards(known), sizes[1], sizes[2], stream
        )
        if second & lacking(s.table, low) != EMPTY or third & lacking(s.table, high) != EMPTY:
            continue
        s.hands[partner] = first + known
        s.hands[low] = second
        s.hands[high] = third
        if redraw_gifts(s, low, high, stream):
            return_waiting(s, seat, stream)
            return
    raise ValueError("no deal fits what the player knows: the state is not that of a game")


@njit
def others_of(s, seat):
    """The player's partner in the exchange, and the other two, the one who gives first first."""
    rank = of_seat(s.table.ranks, seat)
    if rank == 0:
        return (seat + 1) & 3, (seat + 2) & 3, (seat + 3) & 3
    ranks = s.table.ranks
    partner = partner_of(s.table, seat)
    if rank == PRESIDENT or rank == JANITOR:
        return partner, seat_with(ranks, SECRETARY), seat_with(ranks, VICE_PRESIDENT)
    return partner, seat_with(ranks, JANITOR), seat_with(ranks, PRESIDENT)


# --- the hands ------------------------------------------------------------------------------------


@njit
def arrange(unseen, barred, size, second_size, third_size, stream):
    """Deal unseen cards to three hands, all ways equally likely that keep barred ranks out of the
    first hand: they go to the other two, then the rest to whoever has room.
    """
    first = second = third = EMPTY
    for place in range(PLACES):
        if count_of(barred, place) > 0:
            for _ in range(count_of(unseen, place)):
                if second_size + third_size == 0:
                    break  # only where nothing fits
                if bounded(stream, second_size + third_size) < second_size:
                    second += cards_of(place, 1)
                    second_size -= 1
                else:
                    third += cards_of(place, 1)
                    third_size -= 1
    for place in range(PLACES):
        if count_of(barred, place) == 0:
            for _ in range(count_of(unseen, place)):
                drawn = bounded(stream, size + second_size + third_size)
                if drawn < size:
                    first += cards_of(place, 1)
                    size -= 1
                elif drawn < size + second_size:
                    second += cards_of(place, 1)
                    second_size -= 1
                else:
                    third += cards_of(place, 1)
                    third_size -= 1
    return first, second, third


# --- gifts on their way ---------------------------------------------------------------------------


@njit
def waits(s, seat):
    """Whether a player has given cards that nobody has received yet. PR-13"""
    t = s.table
    return t.gift_size > 0 and t.exchange_order != LOW_FIRST and s.given[seat] != EMPTY


@njit
def collect_waiting(s, seat):
    """Put gifts on their way back into the hands they came from."""
    for other in range(SEATS):
        if other != seat and waits(s, other):
            s.hands[other] += s.given[other]


@njit
def return_waiting(s, seat, stream):
    """Take the gifts on their way out of the new hands."""
    for other in range(SEATS):
        if other != seat and waits(s, other):
            size = count_cards(s.given[other])
            s.given[other] = gift_by(gives(s.table, other), s.hands[other], size, stream)
            s.hands[other] -= s.given[other]


# --- the exchange of the other two ----------------------------------------------------------------


@njit
def redraw_gifts(s, low, high, stream):
    """Draw anew what the other two have given each other; False if the hands fit no such gifts.

    `low` gave first. Both hands are taken as they were after the exchange; the gift of `high` is
    empty if it is still to come.
    """
    size = count_cards(s.given[low])
    if size == 0 or waits(s, low):
        return True
    after_low = s.hands[low] + s.played[low]
    after_high = s.hands[high] + s.played[high]
    back = count_cards(s.given[high])
    ways = 0
    gift = lowest_cards(after_low, back)
    while True:
        ways += ways_of_return(after_low, gift) * ways_of_gift(s, low, after_low, after_high, gift)
        gift = gift_after(after_low, gift)
        if gift == EMPTY:
            break
    if ways == 0:
        return False
    drawn = bounded(stream, ways)
    gift = lowest_cards(after_low, back)
    while True:
        drawn -= ways_of_return(after_low, gift) * ways_of_gift(s, low, after_low, after_high, gift)
        if drawn < 0:
            break
        gift = gift_after(after_low, gift)
    open_to_gift, forced = limits_of_gift(s, low, after_low, after_high, gift)
    taken = random_cards(open_to_gift - forced, size - count_cards(forced), stream)
    s.given[low] = s.received[high] = taken + forced
    s.given[high] = s.received[low] = gift
    return True


@njit
def ways_of_return(hand, gift):
    """How many sets of different cards of a hand have these ranks."""
    ways = 1
    while gift != EMPTY:
        place = lowest_place(gift)
        ways *= CHOOSE[count_of(hand, place), count_of(gift, place)]
        gift = from_place(gift, place + 1)
    return ways


@njit
def ways_of_gift(s, low, after_low, after_high, gift):
    """How many sets of cards the lower player can have given, when `gift` came from the upper."""
    open_to_gift, forced = limits_of_gift(s, low, after_low, after_high, gift)
    wanted = count_cards(s.given[low]) - count_cards(forced)
    if wanted < 0 or without(forced, open_to_gift) != EMPTY:
        return 0
    if s.table.exchange_order == LOW_FIRST and forced != EMPTY:
        return 0
    return CHOOSE[count_cards(open_to_gift) - count_cards(forced), wanted]


@njit
def limits_of_gift(s, low, after_low, after_high, gift):
    """(cards that the lower player's gift was chosen from, cards that were surely in it).

    The first by the lower player's rule: nothing it kept is higher (or lower). The second by the
    upper player's: what lies beyond its own gift in its hand now, it did not have before. Where the
    upper player saw the gift first, it had those cards, so there may be none.
    """
    t = s.table
    pool = after_high
    if t.exchange_order == LOW_FIRST:
        pool += gift
    kept = after_low - gift
    if t.low_gives == HIGHEST:
        pool = from_place(pool, highest_place(kept))
    elif t.low_gives == LOWEST:
        pool = below_place(pool, lowest_place(kept) + 1)
    forced = EMPTY
    if gift != EMPTY:
        if t.high_gives == HIGHEST:
            forced = from_place(after_high, lowest_place(gift) + 1)
        elif t.high_gives == LOWEST:
            forced = below_place(after_high, highest_place(gift))
    return pool, forced
