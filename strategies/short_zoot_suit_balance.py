"""The draft that weighs every choice of five cards by the tricks and shorts it should bring.

The estimates are crude on purpose, additive over cards and suits, so that all 1287 to 4368 choices
take a fraction of a millisecond. The score they are put into is the true one, ZS-9, for tricks and
shorts that scatter normally about their estimates.
"""

import math

import numpy as np
from numba import njit

from sim.bits import EMPTY, ONE, U64, count_bits
from sim.rulesets.short_zoot_suit.cards import (
    CARDS,
    DECK_SIZE,
    MOST_CARDS,
    draft,
    number_of,
    suit_set,
)
from strategies import Param, strategy
from strategies.short_zoot_suit_hands import FULL, GAME, OWN

SQRT_2 = math.sqrt(2.0)
SQRT_2_PI = math.sqrt(2.0 * math.pi)


@njit
def chance_to_win(view, card, follow):
    """How likely a card is to take a trick of its suit.

    Each of the others who follows plays any card of the suit that the player does not hold, and
    `follow` is the share of the others who do.
    """
    suit = suit_set(view, card & 3) & view.pack & ~view.hand
    above = count_bits(suit & (FULL << U64(4 * number_of(card) + 4)))
    unseen = count_bits(suit)
    below = (unseen - above) / unseen if unseen > 0 else 1.0
    return below ** (follow * (view.players - 1))


@njit
def expected_points(tricks, shorts, spread):
    """The mean of ZS-9 where tricks and shorts are normal with these means.

    `spread` is the standard deviation of their difference. The mean of the smaller one is exact
    (Clark 1961); equal counts have the density of the difference at 0.
    """
    apart = (tricks - shorts) / spread
    density = math.exp(-0.5 * apart * apart) / SQRT_2_PI
    below = 0.5 * (1.0 + math.erf(-apart / SQRT_2))
    smaller = tricks * below + shorts * (1.0 - below) - spread * density
    return tricks + 3.0 * smaller + tricks * 2.0 * density / spread


@strategy(
    GAME,
    kind="draft",
    name="balance",
    summary="the five cards that leave the best balance of expected tricks and shorts",
    source=OWN + "; the mean of the smaller of two normal numbers: Clark 1961",
    follow=Param(0.7, 0.0, 1.0, "share of the others who follow suit"),
    drawn=Param(0.9, 0.0, 1.0, "what a card in the deck counts beside one in hand"),
    scatter=Param(1.8, 0.1, 10.0, "standard deviation of tricks less shorts"),
)
def balance(view, ctx):
    """Estimate tricks and shorts of every choice, and take the best by ZS-9.

    A suit is led in a quarter of the tricks; the player is short in those that come after the cards
    of the suit are gone. A card in the deck counts in part, since it comes late or not at all.
    """
    cards = np.empty(MOST_CARDS, np.int64)
    wins = np.empty(MOST_CARDS, np.float64)
    suits = np.zeros(MOST_CARDS, np.int64)  # eight bits a suit: whether the card is of it
    size, all_wins = 0, 0.0
    for card in range(CARDS):
        if (view.hand >> U64(card)) & ONE != EMPTY:
            cards[size] = card
            wins[size] = chance_to_win(view, card, ctx.follow)
            all_wins += wins[size]
            for suit in range(4):
                if (suit_set(view, suit) >> U64(card)) & ONE != EMPTY:
                    suits[size] |= 1 << 8 * suit
            size += 1
    shorts = shorts_by_suit(view, size / 4.0, 1.0 - ctx.drawn)
    best, best_value = EMPTY, -1.0
    chosen = np.arange(DECK_SIZE)
    while True:
        lost, gone = 0.0, 0
        for place in chosen:
            lost += wins[place]
            gone += suits[place]
        short = shorts[0, gone & 255] + shorts[1, gone >> 8 & 255]
        short += shorts[2, gone >> 16 & 255] + shorts[3, gone >> 24]
        value = expected_points(all_wins - lost * (1.0 - ctx.drawn), short, ctx.scatter)
        if value > best_value:
            best, best_value = EMPTY, value
            for place in chosen:
                best |= ONE << U64(cards[place])
        if not next_choice(chosen, size):
            return draft(best)


@njit
def shorts_by_suit(view, leads, missing):
    """Expected shorts in each suit, (4, 6), when 0 to 5 of its cards are buried.

    The suit is led `leads` times; a buried card is `missing` to that part.
    """
    shorts = np.empty((4, DECK_SIZE + 1))
    for suit in range(4):
        length = count_bits(view.hand & suit_set(view, suit))
        for buried in range(DECK_SIZE + 1):
            shorts[suit, buried] = max(leads - (length - buried * missing), 0.0)
    return shorts


@njit
def next_choice(chosen, size):
    """Move on to the next five places of `size`, in lexical order; False after the last."""
    at = DECK_SIZE - 1
    while at >= 0 and chosen[at] == size - DECK_SIZE + at:
        at -= 1
    if at < 0:
        return False
    chosen[at] += 1
    for place in range(at + 1, DECK_SIZE):
        chosen[place] = chosen[place - 1] + 1
    return True
