"""Draft policies of Short Zoot Suit: which five cards go into the draw deck, by rules of thumb.

The one that weighs all choices is in short_zoot_suit_balance.py; `random` and `plain`, which is
the same as `bury-low`, are yardsticks.
"""

from numba import njit

from sim.bits import EMPTY, U64, count_bits, lowest_bit
from sim.rulesets.short_zoot_suit.cards import DECK_SIZE, draft, suit_set
from sim.rulesets.short_zoot_suit.legal import lowest_cards
from strategies import strategy
from strategies.short_zoot_suit_hands import (
    GAME,
    OWN,
    highest_cards,
    longest_suit,
    shortest_suit,
)


@strategy(GAME, kind="draft", name="bury-low", summary="the five lowest cards", source=OWN)
def bury_low(view, ctx):
    """Keep high cards to win tricks with."""
    return draft(lowest_cards(view.hand, DECK_SIZE))


@strategy(GAME, kind="draft", name="bury-high", summary="the five highest cards", source=OWN)
def bury_high(view, ctx):
    """Keep low cards to duck with; the high ones come later."""
    return draft(highest_cards(view.hand, DECK_SIZE))


@strategy(
    GAME,
    kind="draft",
    name="bury-middle",
    summary="the five cards in the middle of the hand, by number",
    source=OWN,
)
def bury_middle(view, ctx):
    """Keep the cards that surely win and those that surely lose."""
    below = (count_bits(view.hand) - DECK_SIZE) // 2
    return draft(lowest_cards(view.hand & ~lowest_cards(view.hand, below), DECK_SIZE))


@njit
def filled(hand, cards):
    """These cards, and the lowest others of the hand up to five."""
    return cards | lowest_cards(hand & ~cards, DECK_SIZE - count_bits(cards))


@strategy(
    GAME,
    kind="draft",
    name="void-shortest",
    summary="all of the shortest suit, then the lowest of the other cards",
    source=OWN,
)
def void_shortest(view, ctx):
    """Be short of one suit from the first trick on, and keep the rest as strong as it is."""
    suit = shortest_suit(view, view.hand)
    return draft(filled(view.hand, lowest_cards_up_to(view.hand & suit_set(view, suit), DECK_SIZE)))


@njit
def lowest_cards_up_to(cards, count):
    """So many of the lowest cards, or all of them."""
    return lowest_cards(cards, min(count, count_bits(cards)))


@strategy(
    GAME,
    kind="draft",
    name="void-two",
    summary="all of the shortest suit, then of the next one, its highest cards first",
    source=OWN,
)
def void_two(view, ctx):
    """Be short of two suits as soon as possible."""
    cards = EMPTY
    while count_bits(cards) < DECK_SIZE:
        rest = view.hand & ~cards
        suit = rest & suit_set(view, shortest_suit(view, rest))
        cards |= highest_cards(suit, DECK_SIZE - count_bits(cards))
    return draft(cards)


@strategy(
    GAME,
    kind="draft",
    name="longest",
    summary="the five lowest cards of the longest suit, then of the next one",
    source=OWN,
)
def longest(view, ctx):
    """Even out the hand: all suits stay, so that shorts come late."""
    cards = EMPTY
    while count_bits(cards) < DECK_SIZE:
        rest = view.hand & ~cards
        suit = rest & suit_set(view, longest_suit(view, rest))
        cards |= lowest_cards_up_to(suit, DECK_SIZE - count_bits(cards))
    return draft(cards)


@strategy(
    GAME,
    kind="draft",
    name="spread",
    summary="the lowest card of each suit in turn, from the longest suit to the shortest",
    source=OWN,
)
def spread(view, ctx):
    """Every suit will come back to be thrown as a short, which is what the stars pay for. ZS-10"""
    cards = EMPTY
    while count_bits(cards) < DECK_SIZE:
        turn = view.hand & ~cards  # what this round of suits has not taken from yet
        while turn != EMPTY and count_bits(cards) < DECK_SIZE:
            suit = suit_set(view, longest_suit(view, turn))
            cards |= U64(1) << U64(lowest_bit(turn & suit))
            turn &= ~suit
    return draft(cards)
