"""Gifts of President: which cards to hand over where the player has the choice (PR-12, PR-13).

Each policy is an account of costs; the gift that costs least is given. Gifts of equal cost differ
by their cards' ranks alone, and then the first in the order of their numbers is given.
"""

from numba import njit

from sim.bits import EMPTY
from sim.rulesets.president.cards import (
    count_of,
    from_place,
    give,
    lowest_place,
)
from sim.rulesets.president.gifts import gift_after, lowest_cards
from strategies import strategy
from strategies.president_hands import count_turns, naturals_of
from strategies.president_params import table_of

GAME = "president"
HOUSE = "this project"
MUCH = 1000  # more than the ranks of a gift can weigh


@njit
def height(cards):
    """The sum of the ranks of cards, by their places."""
    total = 0
    while cards != EMPTY:
        place = lowest_place(cards)
        total += place * count_of(cards, place)
        cards = from_place(cards, place + 1)
    return total


def make_cheapest(cost):
    """A function (view, ctx) -> the gift with the least `cost(view, gift, ctx)`."""

    @njit
    def cheapest(v, ctx):
        best = gift = lowest_cards(v.hand, v.gift_size)
        least = cost(v, gift, ctx)
        while True:
            gift = gift_after(v.hand, gift)
            if gift == EMPTY:
                return give(best)
            price = cost(v, gift, ctx)
            if price < least:
                best, least = gift, price

    return cheapest


# --- keep pairs -----------------------------------------------------------------------------------


@njit
def count_broken(hand, gift):
    """How many groups of the hand lose some of their cards and keep some."""
    broken = 0
    while gift != EMPTY:
        place = lowest_place(gift)
        if count_of(gift, place) < count_of(hand, place):
            broken += 1
        gift = from_place(gift, place + 1)
    return broken


@njit
def cost_to_keeper(v, gift, ctx):
    """Broken groups first, then height."""
    return MUCH * count_broken(v.hand, gift) + height(gift)


keep_together = make_cheapest(cost_to_keeper)


@strategy(
    GAME,
    kind="gift",
    name="keep-pairs",
    summary="the lowest cards that break no group",
    source="a common rule of climbing games",
)
def keep_pairs_gift(view, ctx):
    """Whole groups or single cards, the lowest; a group is broken only where nothing else fits."""
    return keep_together(view, ctx)


# --- split ----------------------------------------------------------------------------------------


@njit
def count_twins(gift):
    """How many cards of a gift are not the first of their rank."""
    twins = 0
    while gift != EMPTY:
        place = lowest_place(gift)
        twins += count_of(gift, place) - 1
        gift = from_place(gift, place + 1)
    return twins


@njit
def cost_to_splitter(v, gift, ctx):
    """Cards of one rank first, then height."""
    return MUCH * count_twins(gift) + height(gift)


give_split = make_cheapest(cost_to_splitter)


@strategy(
    GAME,
    kind="gift",
    name="split",
    summary="the lowest cards of different ranks: never a pair",
    source="a common rule of climbing games: single cards are the worst to be given",
)
def split_gift(view, ctx):
    """Never give a pair while there are other cards: each card costs the receiver a turn."""
    return give_split(view, ctx)


# --- fewest turns ---------------------------------------------------------------------------------


@njit
def cost_to_counter(v, gift, ctx):
    """Turns that are left, in ranks that a turn is worth; wild cards weigh what they are."""
    left = v.hand - gift
    wilds = height(gift) - height(naturals_of(v, gift))
    return ctx.turn * count_turns(v, left) + height(gift) + ctx.wild * wilds


give_for_turns = make_cheapest(cost_to_counter)


TURNS = table_of(
    {
        "turn": "ranks that a card may be higher to save a turn",
        "wild": "how much more the rank of a wild card weighs",
    },
    (12, 10),
    *(0, 100),
)


@strategy(
    GAME,
    kind="gift",
    name="fewest-turns",
    summary="the cards whose loss saves most turns, low ones first",
    source="the shortest-hand heuristic of Dou Dizhu and Big Two programs",
    **TURNS,
)
def fewest_turns_gift(view, ctx):
    """Give single cards out of the way, so that the rest takes fewer turns."""
    return give_for_turns(view, ctx)


# --- middle ---------------------------------------------------------------------------------------


@njit
def cost_to_middle(v, gift, ctx):
    """The distance of the cards from the middle of the natural cards' ranks."""
    middle = v.first_wild // 2
    cost = 0
    while gift != EMPTY:
        place = lowest_place(gift)
        cost += abs(place - middle) * count_of(gift, place)
        gift = from_place(gift, place + 1)
    return cost


give_middle = make_cheapest(cost_to_middle)


@strategy(
    GAME,
    kind="gift",
    name="middle",
    summary="cards of middle rank: neither the low ones to lead nor the high ones",
    source=HOUSE,
)
def middle_gift(view, ctx):
    """Keep what leads and what wins; the middle does neither."""
    return give_middle(view, ctx)
