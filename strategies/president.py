"""The yardsticks of President: `random` and `lowest`, as the rules define them."""

from sim.bits import EMPTY
from sim.rng import bounded
from sim.rulesets.president.cards import (
    PASS,
    count_of,
    from_place,
    give,
    lowest_place,
    play,
    with_at_least,
)
from sim.rulesets.president.gifts import lowest_cards, random_cards
from sim.rulesets.president.legal import count_legal, nth_legal
from strategies import strategy

GAME = "president"
YARDSTICK = "the yardstick of the rules"


@strategy(
    GAME,
    kind="gift",
    name="random",
    summary="any cards, all sets of them equally likely",
    source=YARDSTICK,
    uses_chance=True,
)
def random_gift(view, ctx):
    """The yardstick `random`: cards of one rank count as different cards."""
    return give(random_cards(view.hand, view.gift_size, ctx))


@strategy(
    GAME,
    kind="play",
    name="random",
    summary="any legal play, passing too, all equally likely",
    source=YARDSTICK,
    uses_chance=True,
)
def random_play(view, ctx):
    """The yardstick `random` of the rules."""
    return nth_legal(view, bounded(ctx, count_legal(view)))


@strategy(GAME, kind="gift", name="lowest", summary="the lowest cards", source=YARDSTICK)
def lowest_gift(view, ctx):
    """The yardstick `lowest` of the rules."""
    return give(lowest_cards(view.hand, view.gift_size))


@strategy(
    GAME,
    kind="play",
    name="lowest",
    summary="the lowest rank that will do, never a filler; passes if there is none",
    source=YARDSTICK,
)
def lowest_play(view, ctx):
    """The yardstick `lowest`: leads all cards of its lowest rank."""
    if view.trick_size == 0:
        place = lowest_place(view.hand)
        return play(place, count_of(view.hand, place), 0)
    enough = from_place(with_at_least(view.hand, min(view.trick_size, 5)), view.trick_rank + 1)
    if enough == EMPTY:
        return PASS
    return play(lowest_place(enough), view.trick_size, 0)
