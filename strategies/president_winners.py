"""Players of President who look at what is unseen, and at the opponents' hands."""

from numba import njit

from sim.bits import EMPTY
from sim.rulesets.president.cards import (
    PASS,
    SEATS,
    count_of,
    from_place,
    highest_place,
    lowest_place,
    of_seat,
    play,
)
from strategies import Param, strategy
from strategies.president_groups import fewest_fillers, lead_low_group, take_trick
from strategies.president_hands import (
    count_turns,
    fewest_cards,
    finish,
    follow_with,
    is_sure,
    lead_whole,
    naturals_of,
)

GAME = "president"
HOUSE = "this project"


# --- winners and losers ---------------------------------------------------------------------------


@njit
def count_losers(v):
    """How many natural groups of the hand somebody may be able to beat."""
    losers = 0
    cards = naturals_of(v, v.hand)
    while cards != EMPTY:
        place = lowest_place(cards)
        if not is_sure(v, place, count_of(cards, place)):
            losers += 1
        cards = from_place(cards, place + 1)
    return losers


@njit
def sure_group(v):
    """The lowest whole group that nobody can beat, led or on the trick, or PASS."""
    cards = from_place(v.hand, v.trick_rank + 1)
    while cards != EMPTY:
        place = lowest_place(cards)
        count = count_of(cards, place)
        fits = v.trick_size == 0 or count == v.trick_size
        if fits and is_sure(v, place, count):
            return play(place, count, 0)
        cards = from_place(cards, place + 1)
    return PASS


@njit
def sure_follow(v):
    """The play on the trick that nobody can beat and that takes the lowest rank, or PASS."""
    cards = from_place(v.hand, v.trick_rank + 1)
    while cards != EMPTY:
        place = lowest_place(cards)
        action = follow_with(v, place)
        if action != PASS and is_sure(v, place, v.trick_size):
            return action
        cards = from_place(cards, place + 1)
    return PASS


@njit
def follow_with_loser(v, most_ranks):
    """The lowest natural group of just this size, unless it is among the highest; or PASS."""
    cards = from_place(naturals_of(v, v.hand), v.trick_rank + 1)
    while cards != EMPTY:
        place = lowest_place(cards)
        if count_of(cards, place) == v.trick_size and v.first_wild - place > most_ranks:
            return play(place, v.trick_size, 0)
        cards = from_place(cards, place + 1)
    return PASS


@strategy(
    GAME,
    kind="play",
    name="winners",
    summary="counts winners and losers by the unseen cards; few losers: takes the lead",
    source="winners and losers as in bridge, counted by the unseen cards",
    losers=Param(4, 0, 13, "losers from which tricks are taken with wild cards and high ranks"),
    keep=Param(1, 0, 11, "highest natural ranks that are kept until then"),
)
def winners(view, ctx):
    """A group is a loser while somebody may beat it. Losers are led low first.

    With few losers the tricks are taken, at best by what nobody can beat; with one the winners are
    led first, and the last loser goes out behind them.
    """
    action = finish(view)
    if action != PASS:
        return action
    losers = count_losers(view)
    if view.trick_size == 0:
        action = sure_group(view) if losers <= 1 else PASS
        return action if action != PASS else lead_low_group(view)
    action = follow_with_loser(view, 0 if losers <= ctx.losers else ctx.keep)
    if action == PASS and losers <= ctx.losers:
        action = sure_follow(view)
        if action == PASS:
            action = take_trick(view)
    return action


# --- danger ---------------------------------------------------------------------------------------


@njit
def safe_lead(v, few):
    """A whole group larger than the hands of those in danger of going out, or the highest single.

    The lowest rank among the groups that are large enough, with fillers where one is nearly so.
    """
    size = 0
    for seat in range(SEATS):
        cards = of_seat(v.sizes, seat)
        if seat != v.seat and cards <= few:
            size = max(size, cards)
    cards = naturals_of(v, v.hand)
    while cards != EMPTY:
        place = lowest_place(cards)
        if count_of(cards, place) > size:
            return lead_whole(v, place)
        cards = from_place(cards, place + 1)
    return play(highest_place(v.hand), 1, 0)


@strategy(
    GAME,
    kind="play",
    name="danger",
    summary="changes the size or plays high when an opponent has few cards",
    source="a common rule of climbing games: never let the last card go in cheaply",
    few=Param(1, 1, 6, "cards of an opponent that are few"),
    spare=Param(1, 0, 12, "most fillers spent to be rid of a group"),
    hurry=Param(1, 0, 13, "turns from which the trick is taken at any price"),
)
def danger(view, ctx):
    """As `fewest-turns`, until somebody is about to go out: then sizes that he cannot follow.

    On a trick that somebody with few cards could win, the highest play stands in the way.
    """
    action = finish(view)
    if action != PASS:
        return action
    threatened = fewest_cards(view) <= ctx.few
    if view.trick_size == 0:
        return safe_lead(view, ctx.few) if threatened else lead_low_group(view)
    if threatened or count_turns(view, view.hand) <= ctx.hurry:
        return take_trick(view)
    return fewest_fillers(view, ctx.spare)
