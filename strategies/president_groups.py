"""Players of President who look at their own hand alone: keep groups together, count turns."""

from numba import njit

from sim.bits import EMPTY
from sim.rulesets.president.cards import (
    PASS,
    count_of,
    from_place,
    lowest_place,
    play,
    play_fillers,
)
from strategies import Param, strategy
from strategies.president_hands import (
    count_turns,
    finish,
    follow_whole,
    follow_with,
    hand_after,
    joker_on_all,
    lead_whole,
    naturals_of,
    play_out,
)

GAME = "president"
HOUSE = "this project"


@njit
def lead_low_group(v):
    """All cards of the lowest rank; wild ranks come last."""
    return lead_whole(v, lowest_place(v.hand))


@njit
def follow_with_group(v):
    """The lowest rank of which the player has just so many cards, or PASS."""
    cards = from_place(v.hand, v.trick_rank + 1)
    while cards != EMPTY:
        place = lowest_place(cards)
        if count_of(cards, place) == v.trick_size:
            return play(place, v.trick_size, 0)
        cards = from_place(cards, place + 1)
    return PASS


@strategy(
    GAME,
    kind="play",
    name="groups",
    summary="leads whole low groups and never breaks one",
    source="the advice that rule pages of climbing games give beginners",
)
def groups(view, ctx):
    """Lead all cards of the lowest rank; follow only with a group of just that size."""
    action = play_out(view)
    if action != PASS:
        return action
    return lead_low_group(view) if view.trick_size == 0 else follow_with_group(view)


# --- fewest turns ---------------------------------------------------------------------------------


@njit
def fewest_fillers(v, spare):
    """The follow that shortens the hand by a turn, with fewest fillers, then the lowest; or PASS.

    Fillers beyond `spare` are too many.
    """
    best, best_fillers = PASS, spare + 1
    before = count_turns(v, v.hand)
    cards = from_place(v.hand, v.trick_rank + 1)
    while cards != EMPTY:
        place = lowest_place(cards)
        action = follow_whole(v, place)
        if action != PASS and play_fillers(action) < best_fillers:
            if count_turns(v, hand_after(v, action)) < before:
                best, best_fillers = action, play_fillers(action)
        cards = from_place(cards, place + 1)
    return best


@njit
def take_trick(v):
    """The highest set that follows with as few fillers as will do, or PASS."""
    best = joker_on_all(v)
    cards = from_place(v.hand, v.trick_rank + 1)
    while cards != EMPTY:
        place = lowest_place(cards)
        action = follow_with(v, place)
        if action != PASS:
            best = action
        cards = from_place(cards, place + 1)
    return best


@strategy(
    GAME,
    kind="play",
    name="fewest-turns",
    summary="needs the least number of turns for the hand, wild cards where they save most",
    source="the shortest-hand heuristic of Dou Dizhu and Big Two programs",
    spare=Param(1, 0, 12, "most fillers spent to be rid of a group"),
    close=Param(2, 0, 13, "turns from which the trick is taken at any price"),
)
def fewest_turns(view, ctx):
    """Play what shortens the hand by a turn, at the least cost of wild cards.

    A hand takes one turn for each natural rank, because wild cards go with any set. Near the end a
    lead is worth a high card: whoever leads gets rid of a group of any size.
    """
    action = play_out(view)
    if action != PASS:
        return action
    if view.trick_size == 0:
        return lead_low_group(view)
    action = fewest_fillers(view, ctx.spare)
    if action == PASS and count_turns(view, view.hand) <= ctx.close:
        action = take_trick(view)
    return action


# --- saving wild cards ----------------------------------------------------------------------------


@strategy(
    GAME,
    kind="play",
    name="save-wilds",
    summary="keeps wild cards until they win for certain or go out",
    source=HOUSE,
    broken=Param(0, 0, 3, "cards of a group that may be left behind by a follow"),
)
def save_wilds(view, ctx):
    """Follow with natural cards alone; wild cards only for a play that nothing can stop.

    The lowest natural rank that is high enough follows, even out of a group that leaves no more
    than `broken` cards behind.
    """
    action = finish(view)
    if action != PASS:
        return action
    if view.trick_size == 0:
        return lead_low_group(view)
    cards = from_place(naturals_of(view, view.hand), view.trick_rank + 1)
    while cards != EMPTY:
        place = lowest_place(cards)
        left = count_of(cards, place) - view.trick_size
        if 0 <= left <= ctx.broken:
            return play(place, view.trick_size, 0)
        cards = from_place(cards, place + 1)
    return PASS
