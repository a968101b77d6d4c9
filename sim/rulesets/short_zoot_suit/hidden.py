"""What a player of Short Zoot Suit cannot know, dealt again so that it fits what the player knows.

Known are the own hand and deck (of a drafted deck not the order), the cards played, the sizes of
hands and decks, and what the plays of the others have shown of their hands (`shown`). Every way to
spread the unseen cards over the others' hands, their decks in order and the cards left out that
fits is equally likely. Choices that the others have made but nobody has seen are made again, all
legal ones equally likely. ZS-5, ZS-15
"""

import numpy as np
from numba import njit

from sim.bits import EMPTY, ONE, U64, count_bits, nth_bit
from sim.rng import bounded
from sim.rulesets.short_zoot_suit.cards import (
    DRAW,
    DRAW_ACTION,
    IN_TURN,
    STAY_ACTION,
    lay,
    of_seat,
    push,
)
from sim.rulesets.short_zoot_suit.legal import random_cards
from sim.rulesets.short_zoot_suit.shown import hand_fits

#: So many deals are tried before it is clear that none fits: the state is not of a game.
MOST_TRIES = 10_000_000


@njit
def redeal(s, seat, stream):
    """Deal again what the seat to move cannot know. ZS-15"""
    t = s.table
    unseen = t.pack & ~(s.hands[seat] | s.own_decks[seat])
    for other in range(t.players):
        unseen &= ~s.played[other]
    rest = redeal_hands(s, seat, unseen, stream)
    for other in range(t.players):
        if other != seat:
            deck = random_cards(rest, count_bits(s.own_decks[other]), stream)
            rest &= ~deck
            s.own_decks[other] = deck
        if other != seat or not t.short_shorts:
            s.tops[other], s.belows[other] = any_order(s.own_decks[other], stream)
    if t.kind == DRAW and t.draws != IN_TURN:
        choose_again(s, stream)


@njit
def redeal_hands(s, seat, unseen, stream):
    """Deal the others' hands from the unseen cards; returns the cards that are left."""
    t = s.table
    for _ in range(MOST_TRIES):
        rest, fits = unseen, True
        for other in range(t.players):
            if other != seat and fits:
                hand = random_cards(rest, count_bits(s.hands[other]), stream)
                rest &= ~hand
                fits = hand_fits(t, s.outside[other], hand)
                s.choices[other] = np.int64(hand)  # kept until all fit
        if fits:
            for other in range(t.players):
                if other != seat:
                    s.hands[other] = U64(s.choices[other])
                    s.choices[other] = STAY_ACTION
            return rest
    raise ValueError("no deal fits what the player knows: the state is not that of a game")


@njit
def any_order(cards, stream):
    """(upper, lower) word of a stack of these cards in any order."""
    top, below = EMPTY, EMPTY
    for left in range(count_bits(cards), 0, -1):
        card = nth_bit(cards, bounded(stream, left))
        cards &= ~(ONE << U64(card))
        top, below = push(top, below, card)
    return top, below


@njit
def choose_again(s, stream):
    """Make the choices of this phase again that have been made. ZS-5"""
    t = s.table
    other = np.int64(t.leader)
    for _ in range(s.asked):
        deck = 1 if of_seat(t.decks, other) > 0 else 0
        hand = count_bits(s.hands[other]) if t.short_shorts else 0
        drawn = bounded(stream, 1 + deck + hand)
        if drawn == 0:
            s.choices[other] = STAY_ACTION
        elif drawn <= deck:
            s.choices[other] = DRAW_ACTION
        else:
            s.choices[other] = lay(nth_bit(s.hands[other], drawn - deck - 1))
        other = (other + 1) % t.players
