"""A strategy for Short Zoot Suit. Change it, then play it:

playout check FILE:mine_draft
playout run short-zoot-suit --strategy draft=FILE:mine_draft,draw=FILE:mine_draw,play=FILE:mine_play --games 10k
playout show short-zoot-suit --strategy draft=FILE:mine_draft,draw=FILE:mine_draw,play=FILE:mine_play --index 7
"""  # noqa: E501

from sim.bits import EMPTY, count_bits, lowest_bit
from sim.rulesets.short_zoot_suit.cards import (
    DECK_SIZE,
    DRAW_ACTION,
    STAY_ACTION,
    draft,
    of_seat,
    suit_set,
)
from sim.rulesets.short_zoot_suit.legal import lowest_cards, playable
from strategies import Param, strategy


@strategy("short-zoot-suit", kind="draft", summary="buries the shortest suit", source="me")
def mine_draft(view, ctx):
    """Which five cards go into the draw deck (ZS-3): the shortest suit's, then the lowest.

    A set of cards is a 64-bit word, one bit a card. Every field of the view, every action and every
    helper stands in docs/short-zoot-suit.md.
    """
    shortest, fewest = EMPTY, 99
    for suit in range(4):
        cards = view.hand & suit_set(view, suit)
        if cards != EMPTY and count_bits(cards) < fewest:
            shortest, fewest = cards, count_bits(cards)
    if fewest > DECK_SIZE:
        shortest = lowest_cards(shortest, DECK_SIZE)
    rest = view.hand & ~shortest
    return draft(shortest | lowest_cards(rest, DECK_SIZE - count_bits(shortest)))


@strategy(
    "short-zoot-suit",
    kind="draw",
    summary="draws when the hand is small",
    source="me",
    few=Param(1, 0, 13, "draws with so many cards in hand or fewer"),
)
def mine_draw(view, ctx):
    """Whether to take a card from the own deck before the trick (ZS-5)."""
    if of_seat(view.decks, view.seat) == 0:
        return STAY_ACTION
    return DRAW_ACTION if count_bits(view.hand) <= ctx.few else STAY_ACTION


@strategy("short-zoot-suit", kind="play", summary="the lowest card that is allowed", source="me")
def mine_play(view, ctx):
    """Which card to play (ZS-7)."""
    return lowest_bit(playable(view))
