"""The yardsticks of Short Zoot Suit: `random` and `plain`, as the rules define them."""

import numpy as np

from sim.bits import EMPTY, count_bits, lowest_bit, nth_bit
from sim.rng import bounded
from sim.rulesets.short_zoot_suit.cards import (
    DECK_SIZE,
    DRAW_ACTION,
    STAY_ACTION,
    draft,
    lay,
    of_seat,
)
from sim.rulesets.short_zoot_suit.legal import (
    count_legal,
    lowest_cards,
    nth_legal,
    playable,
    random_cards,
)
from strategies import strategy

GAME = "short-zoot-suit"
YARDSTICK = "the yardstick of the rules"
#: In short shorts `plain` lays a card before each of the first tricks of a round.
TRICKS_WITH_LAY = 3


@strategy(
    GAME,
    kind="draft",
    name="random",
    summary="any five cards, all sets of them equally likely",
    source=YARDSTICK,
    uses_chance=True,
)
def random_draft(view, ctx):
    """The yardstick `random` of the rules."""
    return draft(random_cards(view.hand, DECK_SIZE, ctx))


@strategy(
    GAME,
    kind="draw",
    name="random",
    summary="draws every other time; in short shorts anything that is allowed, equally likely",
    source=YARDSTICK,
    uses_chance=True,
)
def random_draw(view, ctx):
    """The yardstick `random` of the rules; without short shorts both answers are legal."""
    if not view.short_shorts:
        return bounded(ctx, 2)
    return nth_legal(view, bounded(ctx, count_legal(view)))


@strategy(
    GAME,
    kind="play",
    name="random",
    summary="any legal card, all equally likely",
    source=YARDSTICK,
    uses_chance=True,
)
def random_play(view, ctx):
    """The yardstick `random` of the rules."""
    cards = playable(view)
    return nth_bit(cards, bounded(ctx, count_bits(cards)))


@strategy(GAME, kind="draft", name="plain", summary="the five lowest cards", source=YARDSTICK)
def plain_draft(view, ctx):
    """The yardstick `plain` of the rules."""
    return draft(lowest_cards(view.hand, DECK_SIZE))


@strategy(
    GAME,
    kind="draw",
    name="plain",
    summary="always draws; in short shorts lays the lowest card before the first three tricks",
    source=YARDSTICK,
)
def plain_draw(view, ctx):
    """The yardstick `plain` of the rules."""
    if not view.short_shorts:
        return DRAW_ACTION
    if view.number <= TRICKS_WITH_LAY:
        if of_seat(view.sizes, view.seat) > 1:
            return lay(lowest_bit(view.hand))
        return np.int64(STAY_ACTION)
    return np.int64(DRAW_ACTION if view.deck != EMPTY else STAY_ACTION)


@strategy(GAME, kind="play", name="plain", summary="the lowest legal card", source=YARDSTICK)
def plain_play(view, ctx):
    """The yardstick `plain` of the rules."""
    return lowest_bit(playable(view))
