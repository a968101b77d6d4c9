"""Facts about hands that President's strategies share: turns, plays that go out, sure winners."""

from numba import njit

from sim.bits import EMPTY, count_bits
from sim.rulesets.president.cards import (
    JOKER,
    PASS,
    PLACES,
    SEATS,
    below_place,
    cards_of,
    count_cards,
    count_of,
    from_place,
    lowest_place,
    of_seat,
    play,
    play_fillers,
    play_naturals,
    play_place,
    with_at_least,
)
from sim.rulesets.president.known import possible_cards
from sim.rulesets.president.legal import can_beat, count_fillers, legal_for, may_beat_all


@njit
def naturals_of(v, hand):
    """The cards of a hand that are not wild."""
    return below_place(hand, v.first_wild)


@njit
def wilds_of(v, hand):
    """The wild cards of a hand."""
    return from_place(hand, v.first_wild)


@njit
def count_ranks(cards):
    """How many different ranks there are among cards."""
    return count_bits(with_at_least(cards, 1))


@njit
def count_turns(v, hand):
    """The least number of turns to play a hand if nobody else played: one for each natural rank.

    The wild cards go with any of them, for sets have no limit but the hand (PR-6). Wild cards alone
    are one set, or one for each kind where mixed sets are forbidden (PR-5).
    """
    naturals = count_ranks(naturals_of(v, hand))
    if naturals > 0 or hand == EMPTY:
        return naturals
    return count_ranks(hand) if v.mixed_wilds else 1


@njit
def fillers_of(v, place, count):
    """The fillers that a set of this rank would take from the hand: the weakest. PR-6"""
    fillers = EMPTY
    wilds = from_place(v.hand, max(place + 1, v.first_wild))
    while count > 0:
        lowest = lowest_place(wilds)
        taken = min(count_of(wilds, lowest), count)
        fillers |= cards_of(lowest, taken)
        count -= taken
        wilds = from_place(wilds, lowest + 1)
    return fillers


@njit
def hand_after(v, action):
    """The hand that is left after a play."""
    if action == PASS:
        return v.hand
    place = play_place(action)
    gone = cards_of(place, play_naturals(action))
    return v.hand - gone - fillers_of(v, place, play_fillers(action))


@njit
def follow_with(v, place):
    """The set of this rank with as few fillers as will do on the set to beat, or PASS."""
    naturals = min(count_of(v.hand, place), v.trick_size)
    if place <= v.trick_rank or naturals == 0:
        return PASS
    fillers = v.trick_size - naturals
    return play(place, naturals, fillers) if fillers <= count_fillers(v, place) else PASS


@njit
def follow_whole(v, place):
    """The whole natural group of a rank with the fillers it needs on the set to beat, or PASS."""
    if count_of(v.hand, place) > v.trick_size:
        return PASS
    return follow_with(v, place)


@njit
def joker_on_all(v):
    """The single joker that beats a larger set (PR-8), or PASS."""
    return play(JOKER, 1, 0) if v.trick_size > 1 and may_beat_all(v) else PASS


@njit
def lead_whole(v, place):
    """The set of all cards of one rank, without fillers."""
    return play(place, count_of(v.hand, place), 0)


@njit
def play_out(v):
    """The play that empties the hand at once, or PASS if there is none."""
    place = lowest_place(v.hand)
    naturals = count_of(v.hand, place)
    action = play(place, naturals, count_cards(v.hand) - naturals)
    return action if legal_for(v, action) else PASS


@njit
def is_in(v, seat):
    """Whether a seat still has cards."""
    return of_seat(v.sizes, seat) > 0


@njit
def fewest_cards(v):
    """The size of the smallest hand among the opponents that are still in."""
    fewest = 99
    for seat in range(SEATS):
        size = of_seat(v.sizes, seat)
        if seat != v.seat and 0 < size < fewest:
            fewest = size
    return fewest


@njit
def count_opponents(v):
    """How many opponents are still in."""
    count = 0
    for seat in range(SEATS):
        if seat != v.seat and is_in(v, seat):
            count += 1
    return count


@njit
def is_sure(v, place, size):
    """Whether no opponent can have anything to play on a set, by all that is known."""
    for seat in range(SEATS):
        if seat == v.seat:
            continue
        cards = of_seat(v.sizes, seat)
        if cards >= size or (cards > 0 and v.joker_beats_all):
            possible = possible_cards(v, seat)
            if can_beat(v, possible, place, size):
                return False
    return True


@njit
def beats_all(v, action):
    """Whether nobody can beat a play of the player."""
    size = play_naturals(action) + play_fillers(action)
    if v.trick_size > 1 and size == 1:
        return True  # the joker of PR-8
    return is_sure(v, play_place(action), size)


@njit
def set_in_one_turn(v, hand):
    """Whether a hand is one set that can be led."""
    return count_turns(v, hand) <= 1


@njit
def sure_finish(v):
    """A play that nobody can beat and that leaves one set to go out with, or PASS.

    Looked for among the sets of each rank, all its naturals with every number of fillers that the
    trick allows.
    """
    cards = from_place(v.hand, v.trick_rank + 1)
    while cards != EMPTY:
        place = lowest_place(cards)
        naturals = count_of(v.hand, place)
        fewest, most = 0, count_fillers(v, place)
        if v.trick_size > 0:
            naturals = min(naturals, v.trick_size)
            fewest = v.trick_size - naturals
            most = min(most, fewest)
        for fillers in range(fewest, most + 1):
            action = play(place, naturals, fillers)
            if set_in_one_turn(v, hand_after(v, action)) and beats_all(v, action):
                return action
        cards = from_place(cards, place + 1)
    joker = joker_on_all(v)
    if joker != PASS and set_in_one_turn(v, hand_after(v, joker)):
        return joker
    return PASS


@njit
def finish(v):
    """The play that goes out at once, or one after which nothing can stop the player, or PASS."""
    action = play_out(v)
    if action != PASS or count_turns(v, v.hand) > 2:
        return action
    return sure_finish(v)


@njit
def rank_above(v, place):
    """How many ranks lie above a place, up to the joker."""
    return PLACES - 1 - place
