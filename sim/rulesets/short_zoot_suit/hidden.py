"""What a player of Short Zoot Suit cannot know, dealt again so that it fits what the player knows.

Known are the own hand and deck (of a drafted deck not the order), the cards played, the sizes of
hands and decks, and what the plays of the others have shown of their hands (`shown`). Every way to
spread the unseen cards over the others' hands, their decks in order and the cards left out that
fits is equally likely. Choices that the others have made but nobody has seen are made again, all
legal ones equally likely. ZS-5, ZS-15

Deals are tried until one fits. Late in a round, when all are short of much, none of many may: then
cards are exchanged between the hands as they are, step by step, which is uniform in the limit.
"""

import numpy as np
from numba import njit

from sim.bits import EMPTY, ONE, U64, count_bits, nth_bit
from sim.rng import bounded, shuffle
from sim.rulesets.short_zoot_suit.cards import (
    DRAW,
    DRAW_ACTION,
    IN_TURN,
    MOST_SEATS,
    STAY_ACTION,
    lay,
    of_seat,
    push,
)
from sim.rulesets.short_zoot_suit.legal import random_cards
from sim.rulesets.short_zoot_suit.shown import hand_fits

#: So many deals are tried; where none fits, cards are exchanged so many times instead.
MOST_TRIES = 1_000
MOST_EXCHANGES = 3_000


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
    hands = np.zeros(MOST_SEATS, np.uint64)
    for _ in range(MOST_TRIES):
        rest, fits = unseen, True
        for other in range(t.players):
            if other != seat and fits:
                hands[other] = random_cards(rest, count_bits(s.hands[other]), stream)
                rest &= ~hands[other]
                fits = hand_fits(t, s.outside[other], hands[other])
        if fits:
            for other in range(t.players):
                if other != seat:
                    s.hands[other] = hands[other]
            return rest
    return exchange_cards(s, seat, unseen, stream)


@njit
def exchange_cards(s, seat, unseen, stream):
    """Make the others' hands new by exchanges that fit; returns the cards that are left.

    A step picks two or more holders of unseen cards (the others' hands, and all the rest as one),
    a card of each, and hands them on in a circle if what was shown allows it. A step and its
    reverse are equally likely, so the arrangements come to be equally likely (Metropolis et al.
    1953). Circles of three and four are needed: where each of three players lacks another suit, no
    two can exchange anything.
    """
    t = s.table
    holders = np.zeros(MOST_SEATS, np.uint64)  # place `seat` holds what is in no hand
    holders[seat] = unseen
    for other in range(t.players):
        if other != seat:
            holders[other] = s.hands[other]
            holders[seat] &= ~s.hands[other]
    order = np.arange(t.players)
    cards = np.zeros(MOST_SEATS, np.uint64)
    for _ in range(MOST_EXCHANGES):
        shuffle(stream, order, np.int64(t.players))
        count = 2 + bounded(stream, t.players - 1)
        fits = True
        for place in range(count):
            held = holders[order[place]]
            if held == EMPTY:
                fits = False
                break
            cards[place] = ONE << U64(nth_bit(held, bounded(stream, count_bits(held))))
        if not fits:
            continue
        for place in range(count):
            holder = order[place]
            new = (holders[holder] & ~cards[place]) | cards[(place + 1) % count]
            fits = fits and (holder == seat or hand_fits(t, s.outside[holder], new))
        if fits:
            for place in range(count):
                holder = order[place]
                holders[holder] = (holders[holder] & ~cards[place]) | cards[(place + 1) % count]
    for other in range(t.players):
        if other != seat:
            s.hands[other] = holders[other]
    return holders[seat]


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
