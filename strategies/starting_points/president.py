"""A strategy for President. Change it, then play it:

playout check FILE:mine_play
playout run president --strategy play=FILE:mine_play,gift=FILE:mine_gift --games 10k
playout show president --strategy play=FILE:mine_play,gift=FILE:mine_gift --index 7
"""

from sim.bits import EMPTY
from sim.rulesets.president.cards import (
    PASS,
    count_of,
    from_place,
    give,
    lowest_place,
    play,
    with_at_least,
)
from sim.rulesets.president.gifts import lowest_cards
from strategies import Param, strategy


@strategy("president", kind="gift", summary="the lowest cards", source="me")
def mine_gift(view, ctx):
    """Which `view.gift_size` cards to give, where the rules leave the choice (PR-12, PR-13)."""
    return give(lowest_cards(view.hand, view.gift_size))


@strategy(
    "president",
    kind="play",
    summary="the lowest rank that will do; keeps aces and wilds for later",  # one line: the idea
    source="me",
    keep=Param(13, 0, 13, "the lowest place in the order of ranks (PR-3) that is kept while full"),
)
def mine_play(view, ctx):
    """`view` is what the player may know; the value returned is what the player does.

    A hand is a word with four bits for the number of cards of each place in the order of PR-3.
    Every field of the view, every action and every helper stands in docs/president.md.
    """
    # Leading: all cards of the lowest rank, so that no single one stays behind.
    if view.trick_size == 0:
        place = lowest_place(view.hand)
        return play(place, count_of(view.hand, place), 0)
    # Following: the lowest rank above the trick of which there are enough.
    if view.trick_size > 4:
        return PASS
    enough = from_place(with_at_least(view.hand, view.trick_size), view.trick_rank + 1)
    if enough == EMPTY:
        return PASS
    place = lowest_place(enough)
    # High cards are for later, unless the hand is nearly empty.
    own_size = (view.sizes >> (8 * view.seat)) & 255
    if place >= ctx.keep and own_size > 6:
        return PASS
    return play(place, view.trick_size, 0)
