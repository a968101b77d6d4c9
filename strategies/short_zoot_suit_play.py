"""Play policies of Short Zoot Suit: which card goes to the trick.

The one that plays hands out is in short_zoot_suit_montecarlo.py.
"""

from numba import njit

from sim.bits import EMPTY, lowest_bit
from sim.rulesets.short_zoot_suit.cards import of_seat, suit_set
from sim.rulesets.short_zoot_suit.legal import playable
from sim.rulesets.short_zoot_suit.shown import surely_void
from strategies import Param, strategy
from strategies.short_zoot_suit_hands import (
    GAME,
    OWN,
    count_shorts,
    duck_or_win,
    highest_bit,
    is_equal,
    outside_of,
    plays_last,
    shortest_suit,
    shorts_of,
    tricks_of,
)

#: What to throw when short.
LOWEST, HIGHEST, SHORTEST, NEW_SUIT = range(4)
#: Wants tricks while they are less than so many more than shorts: what served best at four seats.
AHEAD = 3


@strategy(GAME, kind="play", summary="the lowest legal card", source=OWN)
def lowest(view, ctx):
    """The yardstick `plain` by its own name."""
    return lowest_bit(playable(view))


@strategy(GAME, kind="play", summary="the highest legal card", source=OWN)
def highest(view, ctx):
    """Win what can be won."""
    return highest_bit(playable(view))


@njit
def wants_trick(view, ahead):
    """Whether the player wants the trick: tricks are less than `ahead` more than shorts."""
    return tricks_of(view, view.seat) - count_shorts(view, view.seat) < ahead


@njit
def follow_wish(view, wants, thrown):
    """The card of `duck_or_win` for this view."""
    return duck_or_win(view.hand, view.led, view.best, wants, plays_last(view), thrown)


@strategy(
    GAME,
    kind="play",
    name="duck-or-win",
    summary="wins while it has no more tricks than shorts, else ducks",
    source=OWN,
    ahead=Param(1, -3, 5, "wants tricks while they are less than so many more than shorts"),
)
def duck_or_win_play(view, ctx):
    """The sign of tricks less shorts decides; the lowest card is thrown when short."""
    return follow_wish(view, wants_trick(view, ctx.ahead), lowest_bit(view.hand))


@njit
def to_throw(view, how):
    """The card to throw when short."""
    hand = view.hand
    if how == HIGHEST:
        return highest_bit(hand)
    if how == SHORTEST:
        hand = hand & suit_set(view, shortest_suit(view, hand))
    elif how == NEW_SUIT:
        missing, pile = EMPTY, shorts_of(view, view.seat)
        for suit in range(4):
            if pile & suit_set(view, suit) == EMPTY:
                missing |= hand & suit_set(view, suit)
        if missing != EMPTY:
            hand = missing
    return lowest_bit(hand)


@strategy(
    GAME,
    kind="play",
    name="short-choice",
    summary="as duck-or-win, with a choice of what to throw when short",
    source=OWN,
    throw=Param(
        2, 0, 3, "0 lowest, 1 highest, 2 of the shortest suit, 3 of a suit new to the pile"
    ),
    ahead=Param(AHEAD, -3, 5, "wants tricks while they are less than so many more than shorts"),
)
def short_choice(view, ctx):
    """A card of the shortest suit makes room for the next short; a new suit is for the stars."""
    return follow_wish(view, wants_trick(view, ctx.ahead), to_throw(view, ctx.throw))


@strategy(
    GAME,
    kind="play",
    summary="as short-choice, but near the end an equal count is left as it is",
    source=OWN,
    near=Param(3, 0, 16, "so many cards in the shortest hand count as the end"),
    ahead=Param(AHEAD, -3, 5, "wants tricks while they are less than so many more than shorts"),
)
def freeze(view, ctx):
    """With as many shorts as tricks in the last tricks, win nothing more."""
    shortest = 99
    for seat in range(view.players):
        shortest = min(shortest, of_seat(view.sizes, seat))
    wants = wants_trick(view, ctx.ahead)
    if shortest <= ctx.near and is_equal(view, view.seat):
        wants = False
    return follow_wish(view, wants, to_throw(view, SHORTEST))


@strategy(
    GAME,
    kind="play",
    summary="as short-choice, but disturbs an opponent whose tricks and shorts are equal",
    source=OWN,
    least=Param(2, 1, 8, "tricks from which on an equal opponent is worth it"),
    ahead=Param(AHEAD, -3, 5, "wants tricks while they are less than so many more than shorts"),
)
def deny(view, ctx):
    """Leave the trick to one who is equal; lead what such a one is surely short of. ZS-15"""
    wants = wants_trick(view, ctx.ahead)
    if view.led != EMPTY:
        if worth_denying(view, view.winner, ctx.least):
            wants = False
        return follow_wish(view, wants, to_throw(view, SHORTEST))
    for seat in range(view.players):
        if worth_denying(view, seat, ctx.least):
            for suit in range(4):
                cards = view.hand & suit_set(view, suit)
                size = of_seat(view.sizes, seat)
                if cards != EMPTY and surely_void(outside_of(view, seat), 1 << suit, size):
                    return highest_bit(cards) if wants else lowest_bit(cards)
    return follow_wish(view, wants, to_throw(view, SHORTEST))


@njit
def worth_denying(view, seat, least):
    """Whether a seat is an opponent with equal counts, at least so many tricks."""
    return seat != view.seat and is_equal(view, seat) and tricks_of(view, seat) >= least
