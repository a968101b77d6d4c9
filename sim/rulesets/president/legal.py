"""What the player may do: the legal actions of a view, or of the table in a state."""

import numpy as np
from numba import njit

from sim.bits import EMPTY, U64, count_bits
from sim.rulesets.president.cards import (
    FORBID,
    HIGH_BITS,
    JOKER,
    PASS,
    PLACES,
    below_place,
    count_cards,
    count_highest,
    count_of,
    from_place,
    holds,
    inlined,
    lowest_place,
    play,
    play_fillers,
    play_naturals,
    play_place,
    with_at_least,
)
from sim.rulesets.president.gifts import count_gifts, nth_gift


@inlined
def count_fillers(v, place):
    """How many cards of the hand may fill up a set of a rank. PR-4, PR-5"""
    if place < v.first_wild:
        return count_highest(v.hand, v.first_wild)
    return 0 if v.mixed_wilds == FORBID else count_highest(v.hand, place + 1)


@njit
def may_beat_all(v):
    """Whether a single joker may be played on the set to beat, whatever it is. PR-8"""
    return v.joker_beats_all != 0 and v.trick_rank != JOKER and count_of(v.hand, JOKER) > 0


@inlined
def legal_for(v, action):
    """Whether the player may do this, by what is on the table."""
    if v.gift_size > 0:  # PR-12
        cards = U64(action)
        small = action >= 0 and cards & HIGH_BITS == EMPTY and from_place(cards, PLACES) == EMPTY
        return small and holds(v.hand, cards) and count_cards(cards) == v.gift_size
    if action == PASS:
        return v.trick_size > 0  # PR-7
    place, naturals, fillers = play_place(action), play_naturals(action), play_fillers(action)
    if place < 0 or place >= PLACES or naturals == 0 or naturals > count_of(v.hand, place):
        return False  # PR-6
    if fillers > count_fillers(v, place):
        return False  # PR-6
    if v.trick_size == 0:
        return True  # PR-7: any set
    if naturals + fillers == v.trick_size and place > v.trick_rank:
        return True  # PR-7
    return place == JOKER and naturals == 1 and may_beat_all(v)  # PR-8


@inlined
def can_beat(t, hand, place, size):
    """Whether a hand has anything to play on a set of this rank and size."""
    first_wild = np.int64(t.first_wild)
    above = place + 1
    naturals = size - count_highest(hand, first_wild)  # as few as the fillers allow
    if naturals <= 4:
        enough = below_place(with_at_least(hand, max(naturals, 1)), first_wild)
        if from_place(enough, above) != EMPTY:
            return True
    if from_place(hand, max(above, first_wild)) == EMPTY:
        return False
    if t.mixed_wilds == FORBID:
        if from_place(with_at_least(hand, min(size, 5)), max(above, first_wild)) != EMPTY:
            return True
    elif count_highest(hand, max(above, first_wild)) >= size:
        return True  # all of them, as a set of the lowest
    return t.joker_beats_all != 0 and place != JOKER and count_of(hand, JOKER) > 0


@inlined
def can_follow(t, hand):
    """Whether a hand has anything to play on the set to beat."""
    return can_beat(t, hand, t.trick_rank, t.trick_size)


@inlined
def count_legal(v):
    """How many legal actions the player has."""
    if v.gift_size > 0:
        return count_gifts(v.hand, v.gift_size)
    hand, size, first_wild = v.hand, v.trick_size, np.int64(v.first_wild)
    fillers = count_highest(hand, first_wild)
    naturals = from_place(below_place(hand, first_wild), v.trick_rank + 1)
    if size == 0:
        total = count_cards(naturals) * (fillers + 1)
    else:
        total = 1  # to pass
        for count in range(max(size - fillers, 1), min(size, 4) + 1):
            total += count_bits(with_at_least(naturals, count))
    wilds = from_place(hand, max(v.trick_rank + 1, first_wild))
    while wilds != EMPTY:
        place = lowest_place(wilds)
        total += count_sets(v, place)
        wilds = from_place(wilds, place + 1)
    if size > 1 and may_beat_all(v):
        total += 1
    return total


@inlined
def count_sets(v, place):
    """How many sets of a rank, which is high enough, the player may play. PR-6, PR-7"""
    count, fillers, size = count_of(v.hand, place), count_fillers(v, place), v.trick_size
    if size == 0:
        return count * (fillers + 1)
    return max(min(count, size) - max(size - fillers, 1) + 1, 0)


@inlined
def nth_set(v, place, n):
    """The n-th of these sets: by the number of cards of the rank, then of fillers."""
    fillers, size = count_fillers(v, place), v.trick_size
    if size == 0:
        return play(place, n // (fillers + 1) + 1, n % (fillers + 1))
    naturals = max(size - fillers, 1) + n
    return play(place, naturals, size - naturals)


@inlined
def nth_legal(v, n):
    """The n-th legal action, in the order: pass; sets by rank, then by the number of cards of that
    rank, then by that of fillers; the single joker of PR-8. Gifts come in the order of their
    numbers.
    """
    if v.gift_size > 0:
        return nth_gift(v.hand, v.gift_size, n)
    if v.trick_size > 0:
        if n == 0:
            return np.int64(PASS)
        n -= 1
    cards = from_place(v.hand, v.trick_rank + 1)
    while cards != EMPTY:
        place = lowest_place(cards)
        here = count_sets(v, place)
        if n < here:
            return nth_set(v, place, n)
        n -= here
        cards = from_place(cards, place + 1)
    return play(JOKER, 1, 0)
