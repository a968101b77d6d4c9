"""Strategies of the Shooting Party that a person can play: each adds one idea to the one before.

greedy      clear what can be cleared
patient     hold the cards until everything but a queen can be cleared at once
thrifty     mind the parity: a lone queen needs an odd number of odd events
jeweller    wait until her ace is on the table
butler      plan the joker: an ace from the pile, a missing partner, a lost queen
planner     weigh what is kept before each pair, by a handful of weights
scout       count the pile: how likely is it that the next pair finishes the job?

The weights of `planner` and `scout` were found by random search on games of seeds from 1000 on.
"""

import numpy as np
from numba import njit

from sim.bits import EMPTY, ONE, U64, bit, count_bits, has, lowest_bit, without_lowest
from sim.rulesets.shooting_party.cards import (
    ACE,
    ACES,
    JACK,
    JACKS,
    JOKER_SET,
    KING,
    ONE_RANK,
    QUEEN,
    QUEENS,
    discard,
    dismiss,
    draw_pair,
    fetch,
    fetch_ace,
    king_and_jack,
    leave_room,
    seduce,
)
from strategies import Param, strategy
from strategies.shooting_party_odds import finish_odds
from strategies.shooting_party_sets import clears, next_discard, odd_parts

GAME = "shooting-party"
SOURCE = "this project"
ONE_STEP = U64(ACE - QUEEN)
NO_PLAN = np.int64(-1)
#: A kept set that is legal and empty must differ from no kept set at all.
FOUND = U64(1 << 40)


@njit
def can_clear(cards):
    """Whether legal discards remove exactly these cards."""
    return cards & JOKER_SET == EMPTY and (cards == EMPTY or clears(cards))


@njit
def clear_down_to(hand, kept):
    """The next discard on the way from a hand to the cards that are kept."""
    return discard(next_discard(hand & ~kept))


@njit
def next_smaller(hand, kept):
    """The next subset of a hand in descending order, after `kept`."""
    return (kept - ONE) & hand


@njit
def wearing_jewels(view):
    """The queens whose ace is on the table."""
    return (view.display >> ONE_STEP) & QUEENS


@njit
def lone_queen(hand, wanted):
    """One of the wanted queens with whom the player can be alone by discards now, or empty."""
    queens = hand & wanted
    while queens != EMPTY:
        queen = queens & (EMPTY - queens)
        if can_clear(hand & ~queen):
            return queen
        queens ^= queen
    return EMPTY


@njit
def approach(hand, queen):
    """Seduce the queen, or clear the others out of the room first."""
    return seduce() if hand == queen else clear_down_to(hand, queen)


@njit
def draw_or(view, kept):
    """Draw a pair when all are kept, clear when some are, leave when `kept` says no set fits."""
    if kept == EMPTY:
        return leave_room()
    kept &= ~FOUND
    return draw_pair() if kept == view.hand else clear_down_to(view.hand, kept)


@strategy(GAME, summary="clears as many cards as it can at every turn", source=SOURCE)
def greedy(view, ctx):
    """Clear as many cards as legal sets remove, queens apart; else draw, else leave."""
    if view.husband_suit >= 0:
        return king_and_jack()
    hand = view.hand
    best = kept = hand
    while kept != EMPTY:
        kept = next_smaller(hand, kept)
        gone = hand & ~kept
        if gone & QUEENS == EMPTY and count_bits(kept) < count_bits(best) and can_clear(gone):
            best = kept
    if best != hand:
        return clear_down_to(hand, best)
    if hand & QUEENS == hand and hand != EMPTY and without_lowest(hand) == EMPTY:
        return seduce()
    return draw_pair() if count_bits(hand) <= view.draw_limit else leave_room()


@njit
def make_room(view, wrong_parity, size):
    """What to keep of a full hand: queen and joker, and few cards without a partner.

    `wrong_parity` is the price of a hand from which no lone queen is in reach by pairs alone,
    `size` that of each kept card.
    """
    must = view.hand & (QUEENS | JOKER_SET)
    best, least = EMPTY, 10_000
    kept = view.hand
    while True:
        if count_bits(kept) <= view.draw_limit and kept & must == must:
            rest = kept & ~must
            wrong = (count_bits(rest) & 1) ^ (1 if kept & JOKER_SET != EMPTY else 0)
            price = 16 * odd_parts(rest) + size * count_bits(kept) + wrong_parity * wrong
            if price < least and can_clear(view.hand & ~kept):
                least, best = price, kept | FOUND
        if kept == EMPTY:
            return best
        kept = next_smaller(view.hand, kept)


@strategy(GAME, summary="holds the hand until all but a queen can be cleared", source=SOURCE)
def patient(view, ctx):
    """Draw pairs and discard nothing until the hand clears down to a queen or is full."""
    if view.husband_suit >= 0:
        return king_and_jack()
    queen = lone_queen(view.hand, QUEENS)
    if queen != EMPTY:
        return approach(view.hand, queen)
    if count_bits(view.hand) <= view.draw_limit:
        return draw_pair()
    return draw_or(view, make_room(view, 0, -1))


@njit
def mind_parity(view, wanted):
    """Patience with parity: the joker or a triple makes an odd hand even."""
    hand = view.hand
    queen = lone_queen(hand, wanted)
    if queen != EMPTY:
        return approach(hand, queen)
    if hand & JOKER_SET != EMPTY:
        queen = lone_queen(hand & ~JOKER_SET, wanted)
        if queen != EMPTY:
            rest = hand & ~(queen | JOKER_SET)
            return dismiss() if rest == EMPTY else discard(next_discard(rest))
    elif count_bits(hand & ~QUEENS) & 1 == 1:
        kept = make_room(view, 40, 4)
        if kept != EMPTY and count_bits(kept & ~FOUND) & 1 != count_bits(hand) & 1:
            return clear_down_to(hand, kept & ~FOUND)
    if count_bits(hand) <= view.draw_limit:
        return draw_pair()
    return draw_or(view, make_room(view, 40, 4))


@strategy(GAME, summary="patient, and spends triples and the joker on parity", source=SOURCE)
def thrifty(view, ctx):
    """Since pairs keep a hand odd or even, clear a triple or send the joker off when it is odd."""
    if view.husband_suit >= 0:
        return king_and_jack()
    return mind_parity(view, QUEENS)


@strategy(GAME, summary="thrifty, and waits until the queen's ace is on the table", source=SOURCE)
def jeweller(view, ctx):
    """Seduce only queens that wear their jewels."""
    if view.husband_suit >= 0:
        return king_and_jack()
    return mind_parity(view, wearing_jewels(view))


@njit
def etiquette_acts(view, hand, card):
    """Whether taking the card into the hand would set etiquette off. SP-10 to SP-12"""
    rank = card & ~3
    if view.husbands:
        if rank == QUEEN and has(hand, card + KING - QUEEN):
            return True
        if rank == KING and has(hand, card - (KING - QUEEN)):
            return True
    if view.rivals and rank == QUEEN and hand & QUEENS != EMPTY:
        return True
    return view.secretaries != 0 and rank == JACK and hand & JACKS != EMPTY


@njit
def butler_plan(view, wanted):
    """The first step of a plan by which the butler leads to a wanted queen now, or NO_PLAN."""
    hand = view.hand & ~JOKER_SET
    queen = lone_queen(hand, wanted)
    if queen != EMPTY:  # he is only in the way: let him bring another ace
        rest = hand & ~queen
        if rest != EMPTY:
            return discard(next_discard(rest))
        aces = view.pile & ACES
        matched = aces & ((view.pile & QUEENS) << ONE_STEP)
        if matched != EMPTY:
            aces = matched
        return fetch_ace(lowest_bit(aces) - ACE) if aces != EMPTY else dismiss()
    queen = lone_queen(hand, (view.pile & ACES) >> ONE_STEP)
    if queen != EMPTY:  # he brings her ace
        rest = hand & ~queen
        if rest != EMPTY:
            return discard(next_discard(rest))
        return fetch_ace(lowest_bit(queen) - QUEEN)
    cards = view.discards
    while cards != EMPTY:  # he brings a partner, or a queen
        card = lowest_bit(cards)
        cards = without_lowest(cards)
        queen = lone_queen(hand | bit(card), wanted)
        if queen != EMPTY:
            if not etiquette_acts(view, hand, card):
                return fetch(card)
            if queen == bit(card) and hand != EMPTY and can_clear(hand):
                return discard(next_discard(hand))
    return NO_PLAN


@njit
def with_butler(view):
    """What leads to a queen with jewels now, with the butler's help; or NO_PLAN."""
    wanted = wearing_jewels(view)
    queen = lone_queen(view.hand, wanted)
    if queen != EMPTY:
        return approach(view.hand, queen)
    if view.hand & JOKER_SET != EMPTY:
        return butler_plan(view, wanted)
    return NO_PLAN


@strategy(GAME, summary="jeweller, and plans the butler", source=SOURCE)
def butler(view, ctx):
    """Keep the joker until he fetches what is missing: her ace, a partner, or a lost queen."""
    if view.husband_suit >= 0:
        return king_and_jack()
    action = with_butler(view)
    if action != NO_PLAN:
        return action
    if count_bits(view.hand) <= view.draw_limit:
        return draw_pair()
    return draw_or(view, make_room(view, 40, 4))


@njit
def kept_worth(view, kept, ctx):
    """What a set of cards is worth when a pair is drawn to it, by the weights of `planner`."""
    queen = kept & QUEENS
    rest = kept & ~(queen | JOKER_SET)
    joker = kept & JOKER_SET != EMPTY
    worth = ctx.size * count_bits(kept) - ctx.odd * odd_parts(rest)
    others = count_bits(rest) + (1 if queen == EMPTY else 0)
    if not joker and others & 1 == 0:
        worth += ctx.parity
    if rest & JACKS != EMPTY and view.pile & JACKS != EMPTY:
        worth -= ctx.jack_with_joker if joker else ctx.jack
    worth -= ctx.king * count_bits((kept >> U64(KING - QUEEN)) & QUEENS & view.pile)
    for rank in range(0, ACE, 4):
        same = (rest >> U64(rank)) & ONE_RANK
        size = count_bits(same)
        if size >= 3:
            worth += ctx.triple
        elif size == 2 and rank != JACK and (view.pile >> U64(rank)) & ONE_RANK != EMPTY:
            worth += ctx.half_triple
    if queen != EMPTY:
        worth += ctx.jewels if queen & wearing_jewels(view) != EMPTY else ctx.queen
    return worth


@njit
def best_kept(view, ctx, odds_weight):
    """The set worth most of those to which the hand can be cleared; empty: better leave."""
    joker = view.hand & JOKER_SET
    best, most = EMPTY, np.float64(ctx.leave)
    kept = view.hand
    while True:
        small = count_bits(kept) <= view.draw_limit and kept & JOKER_SET == joker
        if small and can_clear(view.hand & ~kept):
            worth = np.float64(kept_worth(view, kept, ctx))
            if odds_weight != 0:
                discards = view.discards | (view.hand & ~kept)
                worth += odds_weight * finish_odds(
                    kept, view.pile, discards, view.display, view.scored
                )
            if worth > most:
                most, best = worth, kept | FOUND
        if kept == EMPTY:
            return best
        kept = next_smaller(view.hand, kept)


WEIGHTS = {
    "odd": Param(10, -400, 400, "price of each part of the hand that cannot be paired off"),
    "size": Param(9, -400, 400, "worth of each card kept"),
    "parity": Param(43, -400, 400, "worth of a hand that pairs alone can clear"),
    "jack": Param(106, -400, 400, "price of a jack while others are in the pile"),
    "jack_with_joker": Param(29, -400, 400, "the same with the joker in hand"),
    "king": Param(18, -400, 400, "price of a king whose queen is in the pile"),
    "half_triple": Param(6, -400, 400, "worth of two of a rank with a third in the pile"),
    "triple": Param(15, -400, 400, "worth of three of a rank"),
    "queen": Param(43, -400, 400, "worth of a queen without jewels"),
    "jewels": Param(115, -400, 400, "worth of a queen with jewels"),
    "leave": Param(-300, -999, 999, "leave the room when nothing kept is worth more"),
}


@njit
def plan(view, ctx, odds_weight):
    """Finish when it is possible, else draw to the best set, else leave."""
    action = with_butler(view)
    return action if action != NO_PLAN else draw_or(view, best_kept(view, ctx, odds_weight))


@strategy(GAME, summary="butler, and weighs which cards to keep", source=SOURCE, **WEIGHTS)
def planner(view, ctx):
    """Before each pair, keep the cards worth most by the weights; discard the others."""
    if view.husband_suit >= 0:
        return king_and_jack()
    return plan(view, ctx, 0)


@strategy(
    GAME,
    summary="planner, and counts the pairs in the pile that would finish the job",
    source=SOURCE,
    odds=Param(300, 0, 999, "worth of a pair that is certain to finish"),
    **WEIGHTS,
)
def scout(view, ctx):
    """What lies in the pile is known: of all pairs that could come, how many make a lone queen?"""
    if view.husband_suit >= 0:
        return king_and_jack()
    return plan(view, ctx, ctx.odds)
