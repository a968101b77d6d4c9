"""The Shooting Party: the rules as step functions. Clauses: seeds/rules/shooting-party.md.

The draw pile is an array whose last card is the top; everything else is a set. See `sim.contract`
for what each step function must do.
"""

import numpy as np
from numba import njit

from sim.bits import EMPTY, U64, bit, copy_record, count_bits, has, lowest_bit, without_lowest
from sim.contract import emit
from sim.rng import bounded, open_stream
from sim.rulesets.shooting_party.cards import (
    ACE,
    ACES,
    AT_ONCE,
    DISCARD,
    DISMISS,
    FETCH,
    FETCH_ACE,
    FULL_PACK,
    JACK,
    JACKS,
    JOKER,
    JOKER_SET,
    KING,
    KING_AND_JACK,
    LEAVE,
    ONE_RANK,
    PAIR,
    PLAYED,
    QUEEN,
    QUEEN_AND_KING,
    QUEENS,
    SEDUCE,
    action_card,
    action_cards,
    action_kind,
    view_dtype,
)
from sim.rulesets.shooting_party.legal import legal_for

state_dtype = np.dtype(
    [
        ("table", view_dtype),
        ("over", np.int64),
        ("reshuffles_made", np.int64),
        ("butler_shuffles", np.int64),
        ("order", np.uint8, (40,)),
    ],
    align=True,
)

# --- events of the log (see `events` for the trace they become) ---------------------------------

EV_SHUFFLE, EV_PILE_CARD, EV_ACT, EV_DRAW, EV_FORCED, EV_RESULT = range(6)

#: Purposes of the chance streams: 0 the first shuffle, n the n-th reshuffle, 16 + k the butler's.
FIRST_BUTLER_SHUFFLE = 16


@njit
def shuffle_pile(s, purpose, stream, log):
    """Put the cards of the pile in order, then shuffle them with a stream of their own. SP-1"""
    t = s.table
    order = s.order
    size = 0
    cards = t.pile
    while cards != EMPTY:
        order[size] = np.uint8(lowest_bit(cards))
        cards = without_lowest(cards)
        size += 1
    t.pile_size = size
    open_stream(stream, purpose)
    for i in range(size - 1, 0, -1):
        j = bounded(stream, i + 1)
        order[i], order[j] = order[j], order[i]
    if log is not None:
        emit(log, EV_SHUFFLE, size, 0)
        for i in range(size - 1, -1, -1):
            emit(log, EV_PILE_CARD, np.int64(order[i]), 0)


@njit
def refill_pile(s, stream, log):
    """The draw pile is exhausted: make a new one or come to the end; whether there is a new one."""
    t = s.table
    if t.last_cards == 0 and t.reshuffles_left > 0 and t.discards | t.display != EMPTY:  # SP-6
        t.reshuffles_left -= 1
        s.reshuffles_made += 1
        t.pile = t.discards | t.display  # SP-7
        t.discards = EMPTY
        t.display = EMPTY
        shuffle_pile(s, s.reshuffles_made, stream, log)
        return True
    if t.last_draw == PLAYED and t.last_cards == 0:
        t.last_cards = 1  # SP-6: play on until a card is needed again
    else:
        s.over = 1  # SP-6
    return False


@njit
def draw_cards(s, wanted, stream, log):
    """Draw until `wanted` cards have come into the hand, or the pile ends the draw or the game."""
    t = s.table
    while wanted > 0:
        if t.pile_size == 0 and not refill_pile(s, stream, log):  # SP-5 on need
            return
        t.pile_size -= 1
        card = np.int64(s.order[t.pile_size])
        t.pile ^= bit(card)
        emit(log, EV_DRAW, card, 0)
        if card >= ACE and card != JOKER:
            t.display |= bit(card)  # SP-3
        else:
            if card & ~3 == QUEEN:
                arrive(t, card & 3)
            t.hand |= bit(card)
            wanted -= 1
        if t.pile_size == 0 and t.exhaustion == AT_ONCE:  # SP-5 at once
            if not refill_pile(s, stream, log):
                return


@njit
def arrive(t, suit):
    """Note that the queen of `suit`, not yet in the hand, comes into it. SP-11"""
    place = U64(4 * count_bits(t.hand & QUEENS))
    t.arrivals |= U64(suit + 1) << place


@njit
def drop(t, cards):
    """Move cards from the hand to the discard pile."""
    t.hand &= ~cards
    t.discards |= cards
    if cards & QUEENS != EMPTY:
        forget_arrivals(t)


@njit
def forget_arrivals(t):
    """Strike the queens that have left the hand from the order of arrival."""
    old = t.arrivals
    kept = EMPTY
    place = U64(0)
    while old != EMPTY:
        suit = np.int64(old & U64(15)) - 1
        if has(t.hand, QUEEN + suit):
            kept |= U64(suit + 1) << place
            place += U64(4)
        old >>= U64(4)
    t.arrivals = kept


@njit
def settle(s, stream, log):
    """Etiquette, repeated until none applies, a choice is the player's or the game is over."""
    t = s.table
    while s.over == 0:  # SP-13: in this order
        # SP-10, suit by suit; the only step that can stop for a choice
        if t.husbands:
            couples = (t.hand >> U64(QUEEN)) & (t.hand >> U64(KING)) & ONE_RANK
            while couples != EMPTY:
                suit = lowest_bit(couples)
                if has(t.hand, JACK + suit):
                    t.husband_suit = suit
                    return
                force(s, 10, bit(QUEEN + suit) | bit(KING + suit), log)
                couples = without_lowest(couples)
        if t.rivals:
            while count_bits(t.hand & QUEENS) > 1:
                longest = QUEEN + np.int64(t.arrivals & U64(15)) - 1
                force(s, 11, bit(longest), log)  # SP-11
        if not t.secretaries or count_bits(t.hand & JACKS) < 2:
            return
        force(s, 12, t.hand, log)  # SP-12
        draw_cards(s, np.int64(t.hand_size), stream, log)


@njit
def force(s, clause, cards, log):
    """Discard what etiquette removes without a choice."""
    drop(s.table, cards)
    emit(log, EV_FORCED, clause, np.int64(cards))


# --- the contract -------------------------------------------------------------------------------


@njit
def deal(s, stream, log):
    """Shuffle the pack and draw the first hand. SP-1, SP-2"""
    t = s.table
    t.hand = EMPTY
    t.discards = EMPTY
    t.display = EMPTY
    t.scored = EMPTY
    t.arrivals = EMPTY
    t.decisions = 0
    t.reshuffles_left = t.reshuffles
    t.husband_suit = -1
    t.last_cards = 0
    s.over = 0
    s.reshuffles_made = 0
    s.butler_shuffles = 0
    t.pile = FULL_PACK if t.butler else FULL_PACK & ~JOKER_SET
    shuffle_pile(s, 0, stream, log)
    new_hand(s, stream, log)


@njit
def new_hand(s, stream, log):
    """Draw a new hand, then etiquette."""
    draw_cards(s, np.int64(s.table.hand_size), stream, log)
    settle(s, stream, log)


@njit
def done(s):
    """Whether the game is over. SP-16"""
    return s.over != 0


@njit
def to_move(s):
    """Solitaire: always seat 0."""
    return 0


@njit
def decision(s):
    """There is one kind of decision."""
    return 0


@njit
def observe(s, seat, v):
    """All that is public is all that the player knows. SP-17"""
    copy_record(s.table, v)


@njit
def legal(s, action):
    """Whether the action is legal in this state."""
    return legal_for(s.table, action)


@njit
def cards_of(t, action):
    """The set of cards that leave the hand by an action itself."""
    kind = action_kind(action)
    if kind == PAIR:
        return EMPTY
    if kind == LEAVE or kind == SEDUCE:
        return t.hand
    if kind == DISCARD:
        return action_cards(action)
    if kind == QUEEN_AND_KING:
        return bit(QUEEN + t.husband_suit) | bit(KING + t.husband_suit)
    if kind == KING_AND_JACK:
        return bit(JACK + t.husband_suit) | bit(KING + t.husband_suit)
    return JOKER_SET


@njit
def apply(s, action, stream, log):
    """Carry out an action and all that follows from it by force."""
    t = s.table
    t.decisions += 1
    if log is not None:
        emit(log, EV_ACT, action, np.int64(cards_of(t, action)))
    kind = action_kind(action)
    if kind == PAIR:
        draw_cards(s, 2, stream, log)  # SP-4
        settle(s, stream, log)
    elif kind == DISCARD:
        drop(t, action_cards(action))  # SP-9
    elif kind == LEAVE:
        drop(t, t.hand)  # SP-8
        new_hand(s, stream, log)
    elif kind == SEDUCE:
        score_queen(s, stream, log)
    elif kind == FETCH:
        drop(t, JOKER_SET)
        card = action_card(action)
        t.discards &= ~bit(card)
        if card & ~3 == QUEEN:
            arrive(t, card & 3)
        t.hand |= bit(card)  # SP-14 (a)
        settle(s, stream, log)
    elif kind == FETCH_ACE:
        drop(t, JOKER_SET)
        card = action_card(action)
        t.pile &= ~bit(card)
        t.display |= bit(card)  # SP-14 (b)
        shuffle_pile(s, FIRST_BUTLER_SHUFFLE + s.butler_shuffles, stream, log)
        s.butler_shuffles += 1
    elif kind == DISMISS:
        drop(t, JOKER_SET)  # SP-14 (c)
    else:
        couple = cards_of(t, action)
        t.husband_suit = -1
        drop(t, couple)  # SP-10
        settle(s, stream, log)
    if s.over:
        emit(log, EV_RESULT, np.int64(t.scored), 0)


@njit
def score_queen(s, stream, log):
    """Score the lone queen, and her ace when it is displayed. SP-15"""
    t = s.table
    queen = t.hand
    ace = t.display & (queen << U64(ACE - QUEEN))
    t.scored |= queen | ace
    t.display &= ~ace
    t.hand = EMPTY
    t.arrivals = EMPTY
    if t.scored & QUEENS == QUEENS:
        s.over = 1  # SP-16
    else:
        new_hand(s, stream, log)


@njit
def outcome(s, row):
    """Fill the row of the games table."""
    t = s.table
    row.queens = count_bits(t.scored & QUEENS)
    row.aces = count_bits(t.scored & ACES)
    row.reshuffles = s.reshuffles_made
    row.decisions = t.decisions


@njit
def redeal(s, seat, stream):
    """Only the order of the draw pile is hidden: every order is possible. SP-17"""
    order = s.order
    for i in range(s.table.pile_size - 1, 0, -1):
        j = bounded(stream, i + 1)
        order[i], order[j] = order[j], order[i]
