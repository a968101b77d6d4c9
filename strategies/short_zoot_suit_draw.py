"""Draw policies of Short Zoot Suit, and laying policies for short shorts.

A draw policy never lays: in short shorts it takes where it would draw. A laying policy always
draws where there is nothing to lay, that is, without short shorts.
"""

import numpy as np
from numba import njit

from sim.bits import EMPTY, count_bits, lowest_bit
from sim.rulesets.short_zoot_suit.cards import (
    DRAW_ACTION,
    STAY_ACTION,
    lay,
    of_seat,
    round_points,
    suit_set,
)
from strategies import Param, strategy
from strategies.short_zoot_suit_hands import (
    GAME,
    OWN,
    highest_bit,
    is_equal,
    points_of,
    shortest_suit,
    shorts_of,
    tricks_of,
)


@njit
def draw_if(view, wanted):
    """Draw if that is wanted and possible, else stay."""
    return np.int64(DRAW_ACTION if wanted and view.deck != EMPTY else STAY_ACTION)


@strategy(GAME, kind="draw", summary="never draws", source=OWN)
def never(view, ctx):
    """The round ends as soon as the shortest hand is played out."""
    return draw_if(view, False)


@strategy(GAME, kind="draw", summary="draws whenever it can", source=OWN)
def always(view, ctx):
    """All cards come to hand as early as possible."""
    return draw_if(view, True)


@strategy(GAME, kind="draw", summary="draws only with an empty hand", source=OWN)
def when_empty(view, ctx):
    """Keep short of suits as long as possible, yet see the round through."""
    return draw_if(view, view.hand == EMPTY)


@strategy(
    GAME,
    kind="draw",
    summary="draws while tricks and shorts differ, stays while they are equal and positive",
    source=OWN,
)
def equalizer(view, ctx):
    """Fewer cards in hand bring the end of the round nearer, which suits one who is equal."""
    return draw_if(view, not is_equal(view, view.seat))


@strategy(
    GAME,
    kind="draw",
    summary="stays when ahead in points, this round's as they stand, and draws when behind",
    source=OWN,
    margin=Param(0, -50, 50, "points by which one must be ahead"),
)
def end_when_ahead(view, ctx):
    """Whoever is ahead wants the round to end, whoever is behind wants it to go on."""
    own = standing(view, view.seat)
    best = -1
    for seat in range(view.players):
        if seat != view.seat:
            best = max(best, standing(view, seat))
    return draw_if(view, own < best + ctx.margin)


@njit
def standing(view, seat):
    """A seat's points if the round ended now."""
    return points_of(view, seat) + round_points(view, tricks_of(view, seat), shorts_of(view, seat))


# --- short shorts ---------------------------------------------------------------------------------


@njit
def lay_or_take(view, card, before):
    """Lay a card before the first tricks of a round unless it is the last; later take. ZS-14"""
    if view.short_shorts and view.number <= before:
        if of_seat(view.sizes, view.seat) > 1:
            return lay(card)
        return np.int64(STAY_ACTION)
    return draw_if(view, True)


@strategy(
    GAME,
    kind="draw",
    name="lay-shortest",
    summary="short shorts: lays cards of its shortest suit before the first tricks, later takes",
    source=OWN,
    before=Param(5, 0, 16, "so many tricks"),
)
def lay_shortest(view, ctx):
    """Be short of a suit soon."""
    card = lowest_bit(view.hand & suit_set(view, shortest_suit(view, view.hand)))
    return lay_or_take(view, card, ctx.before)


@strategy(
    GAME,
    kind="draw",
    name="lay-high",
    summary="short shorts: lays its highest cards before the first tricks, later takes",
    source=OWN,
    before=Param(3, 0, 16, "so many tricks"),
)
def lay_high(view, ctx):
    """Keep high cards for the end."""
    return lay_or_take(view, highest_bit(view.hand), ctx.before)


@strategy(
    GAME,
    kind="draw",
    name="lay-equalizer",
    summary="short shorts: lays while tricks and shorts are equal, its last card too, else takes",
    source=OWN,
)
def lay_equalizer(view, ctx):
    """Shorten the hand while the score is good, and end the round with the last card. ZS-14"""
    if view.short_shorts and is_equal(view, view.seat) and count_bits(view.hand) > 0:
        return lay(lowest_bit(view.hand))
    return draw_if(view, not is_equal(view, view.seat))
