"""The Shooting Party: the rules as step functions. Clauses: seeds/rules/shooting-party.md.

The draw pile is an array whose last card is the top; everything else is a set. See `sim.contract`
for what each step function must do.

`forceinline` marks what happens at every decision: as one machine function without calls, a game
takes four fifths to three quarters of the time.
"""

import numpy as np
from numba import njit

from sim.bits import EMPTY, U64, bit, copy_record, count_bits, has, lowest_bit, without_lowest
from sim.contract import emit
from sim.rng import open_stream, shuffle
from sim.rulesets.shooting_party.cards import (
    ACE,
    ACES,
    AT_ONCE,
    DISCARD,
    FETCH,
    FETCH_ACE,
    FULL_PACK,
    JACK,
    JACKS,
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

#: What `act` returns when no card is drawn and etiquette need not be looked at.
NOTHING_FOLLOWS = -1

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
        order[size] = lowest_bit(cards)
        cards = without_lowest(cards)
        size += 1
    t.pile_size = size
    open_stream(stream, purpose)
    shuffle(stream, order, size)
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


@njit(forceinline=True)
def draw_cards(s, wanted, stream, log):
    """Draw until `wanted` cards have come into the hand, or the pile ends the draw or the game."""
    t = s.table
    while wanted > 0:
        if t.pile_size == 0 and not refill_pile(s, stream, log):  # SP-5 on need
            return
        wanted = take_cards(s, wanted, log)
        exhausted = t.pile_size == 0 and t.exhaustion == AT_ONCE
        if exhausted and not refill_pile(s, stream, log):  # SP-5 at once
            return


@njit(forceinline=True)
def take_cards(s, wanted, log):
    """Take cards off the pile until `wanted` have come into the hand or the pile is empty.

    Returns how many are still wanted.
    """
    t = s.table
    size, hand, arrivals, taken = t.pile_size, t.hand, t.arrivals, EMPTY
    while True:
        size -= 1
        card = np.int64(s.order[U64(size)])
        emit(log, EV_DRAW, card, 0)
        arrivals |= arrival(hand | taken, card)
        taken |= bit(card)
        wanted -= np.int64(bit(card) & ACES == EMPTY)
        if wanted == 0 or size == 0:
            break
    t.pile_size = size
    t.pile ^= taken
    t.arrivals = arrivals
    t.display |= taken & ACES  # SP-3
    t.hand = hand | (taken & ~ACES)
    return wanted


@njit
def arrival(hand, card):
    """What a card that comes into a hand adds to the order of arrival; none if no queen. SP-11"""
    mark = U64((card & 3) + 1) * U64(card & ~3 == QUEEN)
    return mark << U64(4 * count_bits(hand & QUEENS))


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
    old = t.arrivals if t.hand & QUEENS != EMPTY else EMPTY
    kept = EMPTY
    place = U64(0)
    while old != EMPTY:
        suit = np.int64(old & U64(15)) - 1
        if has(t.hand, QUEEN + suit):
            kept |= U64(suit + 1) << place
            place += U64(4)
        old >>= U64(4)
    t.arrivals = kept


@njit(forceinline=True)
def draw_and_settle(s, wanted, stream, log):
    """Draw `wanted` cards, then etiquette, until it is at rest or the game is over."""
    while True:
        draw_cards(s, wanted, stream, log)
        if s.over or settle(s, log):
            return
        force(s, 12, s.table.hand, log)  # SP-12
        wanted = np.int64(s.table.hand_size)


@njit(forceinline=True)
def settle(s, log):
    """Etiquette until it is at rest, which it returns, or demands a new hand (SP-12)."""
    t = s.table  # SP-13: in this order
    if t.husbands:
        couples = (t.hand >> U64(QUEEN)) & (t.hand >> U64(KING)) & ONE_RANK
        while couples != EMPTY:  # SP-10, suit by suit
            suit = lowest_bit(couples)
            if has(t.hand, JACK + suit):
                t.husband_suit = suit  # the player's choice
                return True
            force(s, 10, bit(QUEEN + suit) | bit(KING + suit), log)
            couples = without_lowest(couples)
    if t.rivals:
        while count_bits(t.hand & QUEENS) > 1:
            longest = QUEEN + np.int64(t.arrivals & U64(15)) - 1
            force(s, 11, bit(longest), log)  # SP-11
    return not t.secretaries or count_bits(t.hand & JACKS) < 2


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
    shuffle_pile(s, np.int64(0), stream, log)  # a literal 0 would be compiled apart: 1.5 s
    new_hand(s, stream, log)


@njit
def new_hand(s, stream, log):
    """Draw a new hand, then etiquette. SP-2"""
    draw_and_settle(s, np.int64(s.table.hand_size), stream, log)


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


@njit(forceinline=True)
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


@njit(forceinline=True)
def apply(s, action, stream, log):
    """Carry out an action and all that follows from it by force."""
    s.table.decisions += 1
    if log is not None:
        emit(log, EV_ACT, action, np.int64(cards_of(s.table, action)))
    wanted = act(s, action, stream, log)
    if wanted != NOTHING_FOLLOWS:
        draw_and_settle(s, wanted, stream, log)
    if s.over:
        emit(log, EV_RESULT, np.int64(s.table.scored), 0)


@njit(forceinline=True)
def act(s, action, stream, log):
    """Carry out the action itself; returns how many cards are drawn then, before etiquette."""
    t = s.table
    kind = action_kind(action)
    if kind == DISCARD:
        drop(t, action_cards(action))  # SP-9
        return NOTHING_FOLLOWS
    if kind == PAIR:
        return np.int64(2)  # SP-4
    if kind == LEAVE:
        drop(t, t.hand)  # SP-8
        return np.int64(t.hand_size)
    if kind == SEDUCE:
        score_queen(s)
        return NOTHING_FOLLOWS if s.over else np.int64(t.hand_size)
    if kind == QUEEN_AND_KING or kind == KING_AND_JACK:
        couple = cards_of(t, action)
        t.husband_suit = -1
        drop(t, couple)  # SP-10
        return 0
    drop(t, JOKER_SET)  # SP-14
    card = action_card(action)
    if kind == FETCH:
        t.discards &= ~bit(card)
        t.arrivals |= arrival(t.hand, card)
        t.hand |= bit(card)  # SP-14 (a)
        return 0
    if kind == FETCH_ACE:
        t.pile &= ~bit(card)
        t.display |= bit(card)  # SP-14 (b)
        shuffle_pile(s, FIRST_BUTLER_SHUFFLE + s.butler_shuffles, stream, log)
        s.butler_shuffles += 1
    return NOTHING_FOLLOWS  # a DISMISS does no more, SP-14 (c)


@njit
def score_queen(s):
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
    shuffle(stream, s.order, s.table.pile_size)
