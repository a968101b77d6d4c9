"""The play policy that deals the unseen cards again and plays the round out for each legal card.

Hands are dealt so that they fit what was shown (`sim.rulesets.short_zoot_suit.shown`). In the
imagined rest of the round everybody draws whenever possible and plays `duck-or-win`; in short
shorts nobody lays another card.
"""

import numpy as np
from numba import njit

from sim.bits import EMPTY, ONE, U64, count_bits, lowest_bit, nth_bit
from sim.rng import bounded
from sim.rulesets.short_zoot_suit.cards import (
    CARDS,
    MOST_SEATS,
    cards_that_follow,
    number_of,
    of_seat,
    round_points,
    union_of_suits,
)
from sim.rulesets.short_zoot_suit.legal import playable, random_cards
from sim.rulesets.short_zoot_suit.shown import hand_fits, surely_void
from strategies import Param, strategy
from strategies.short_zoot_suit_hands import (
    GAME,
    duck_or_win,
    outside_of,
    played_by,
    shorts_of,
    tricks_of,
)
from strategies.short_zoot_suit_play import AHEAD

#: Deals that are tried before one is taken that does not fit.
TRIES = 40


@strategy(
    GAME,
    kind="play",
    name="monte-carlo",
    summary="plays the round out from re-dealt hands that fit what was shown, for each legal card",
    source="Ginsberg 2001 (GIB), with rules of thumb in place of double-dummy play",
    uses_chance=True,
    samples=Param(10, 1, 1000, "re-dealt hands for each decision"),
    rivals=Param(0.5, 0.0, 2.0, "weight of the mean points of the others against the own"),
)
def monte_carlo(view, ctx):
    """The card with the best mean of own points less those of the others, on the same deals."""
    cards = playable(view)
    if count_bits(cards) == 1:
        return lowest_bit(cards)
    hands = np.zeros(MOST_SEATS, np.uint64)
    decks = np.zeros(MOST_SEATS, np.uint64)
    values = np.zeros(CARDS)
    for _ in range(ctx.samples):
        imagine(view, hands, decks, ctx)
        start, end = ctx.state, ctx.state
        left = cards
        while left != EMPTY:
            card = lowest_bit(left)
            left &= left - ONE
            ctx.state = start  # the same cards are drawn, whichever card is tried
            values[card] += worth(view, card, hands, decks, ctx)
            end = ctx.state
        ctx.state = end
    best = lowest_bit(cards)
    left = cards
    while left != EMPTY:
        card = lowest_bit(left)
        left &= left - ONE
        if values[card] > values[best]:
            best = card
    return best


@njit
def imagine(view, hands, decks, stream):
    """Deal the unseen cards to the others, so that hands fit what was shown if that is found."""
    unseen = view.pack & ~(view.hand | view.deck)
    for seat in range(view.players):
        unseen &= ~played_by(view, seat)
    rest = unseen
    for attempt in range(TRIES):
        rest, fits = unseen, True
        for seat in range(view.players):
            if seat != view.seat and fits:
                size = of_seat(view.sizes, seat)
                outside = outside_of(view, seat)
                allowed = rest & ~surely_missing(view, outside, size)
                if count_bits(allowed) < size or attempt == TRIES - 1:
                    allowed = rest
                hands[seat] = random_cards(allowed, size, stream)
                rest &= ~hands[seat]
                fits = attempt == TRIES - 1 or hand_fits(view, outside, hands[seat])
        if fits:
            break
    for seat in range(view.players):
        if seat != view.seat:
            decks[seat] = random_cards(rest, of_seat(view.decks, seat), stream)
            rest &= ~decks[seat]
    hands[view.seat] = view.hand
    decks[view.seat] = view.deck


@njit
def surely_missing(view, outside, size):
    """All cards of the suits that a hand has, for certain, none of."""
    suits = 0
    for suit in range(4):
        if outside != EMPTY and surely_void(outside, 1 << suit, size):
            suits |= 1 << suit
    return union_of_suits(view, suits)


@njit
def worth(view, first_card, dealt_hands, dealt_decks, stream):
    """Own points in the round less the weighed mean of the others', if this card is played now."""
    hands, decks = dealt_hands.copy(), dealt_decks.copy()
    piles, tricks = np.zeros(MOST_SEATS, np.uint64), np.zeros(MOST_SEATS, np.int64)
    players = np.int64(view.players)
    played = 0
    for seat in range(players):
        piles[seat] = shorts_of(view, seat)
        tricks[seat] = tricks_of(view, seat)
        played += of_seat(view.trick, seat) > 0
    seat, card = view.seat, np.int64(first_card)
    led, best, winner = view.led, view.best, view.winner
    while True:
        bit = ONE << U64(card)
        hands[seat] &= ~bit
        if led == EMPTY:
            led, best, winner = cards_that_follow(view, card), card, seat
        elif led & bit == EMPTY:
            piles[seat] |= bit
        elif number_of(card) >= number_of(best):
            best, winner = card, seat
        played += 1
        seat = seat + 1 if seat + 1 < players else 0
        if played == players:
            tricks[winner] += 1
            seat, led, best, played = winner, EMPTY, np.int64(-1), 0
            if not draw_all(hands, decks, players, stream):
                break
        wants = tricks[seat] - count_bits(piles[seat]) < AHEAD
        is_last = played == players - 1
        card = duck_or_win(hands[seat], led, best, wants, is_last, lowest_bit(hands[seat]))
    own, others = 0.0, 0.0
    for each in range(players):
        points = round_points(view, tricks[each], piles[each])
        if each == view.seat:
            own = points
        else:
            others += points
    return own - stream.rivals * others / (players - 1)


@njit
def draw_all(hands, decks, players, stream):
    """Everybody with a deck draws any card of it; False if a hand is empty then. ZS-5, ZS-6"""
    goes_on = True
    for seat in range(players):
        deck = decks[seat]
        if deck != EMPTY:
            bit = ONE << U64(nth_bit(deck, bounded(stream, count_bits(deck))))
            hands[seat] |= bit
            decks[seat] = deck & ~bit
        goes_on = goes_on and hands[seat] != EMPTY
    return goes_on
