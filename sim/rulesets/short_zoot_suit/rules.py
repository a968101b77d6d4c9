"""Short Zoot Suit: the rules as step functions. Clauses: seeds/rules/short-zoot-suit.md.

`table` is what the player to move knows; hands, decks and choices that nobody has seen yet lie
beside it. Who has nothing to choose before a trick is not asked. See `sim.contract` for what each
step function must do.
"""

import numpy as np
from numba import njit

from sim.bits import EMPTY, ONE, U64, copy_record, count_bits
from sim.contract import emit
from sim.rulesets.short_zoot_suit.cards import (
    DECK_SIZE,
    DRAFT,
    DRAW,
    DRAW_ACTION,
    IN_TURN,
    LAY_ACTIONS,
    MOST_SEATS,
    PLAY,
    STAY_ACTION,
    cards_that_follow,
    inlined,
    number_of,
    of_seat,
    pop,
    push,
    round_points,
    suit_bits,
)
from sim.rulesets.short_zoot_suit.dealing import deal_cards, shuffle_deck
from sim.rulesets.short_zoot_suit.legal import legal_for
from sim.rulesets.short_zoot_suit.results import leaders
from sim.rulesets.short_zoot_suit.shown import after_lay, after_not_following, after_play
from sim.rulesets.short_zoot_suit.state import (
    EV_DEAL,
    EV_DECK,
    EV_DRAFT,
    EV_DRAW,
    EV_HAND,
    EV_LAY,
    EV_PLAY,
    EV_POINTS,
    EV_RESULT,
    EV_ROUND,
    EV_STAY,
    EV_TRICK,
    give_turn,
)


@inlined
def after(t, seat):
    """The next seat clockwise."""
    return seat + 1 if seat + 1 < t.players else 0


@njit
def begin_round(s, stream, log):
    """Deal a round and go on to the first decision in it. ZS-3"""
    t = s.table
    t.round += 1
    deal_cards(s, stream)
    t.start = (t.round - 1) % t.players  # ZS-3
    t.leader = t.start
    for seat in range(MOST_SEATS):
        s.played[U64(seat)] = EMPTY
        s.outside[U64(seat)] = EMPTY
        s.own_decks[U64(seat)] = EMPTY
        s.tops[U64(seat)] = EMPTY
        s.belows[U64(seat)] = EMPTY
    t.shorts = EMPTY
    t.decks = EMPTY
    t.tricks = EMPTY
    t.drew = EMPTY
    t.laid = EMPTY
    t.number = 1
    clear_trick(t)
    if log is not None:
        log_deal(s, log)
    if t.short_shorts:
        s.asked = 0
        give_turn(s, t.leader, DRAW)  # ZS-14: no draft
    else:
        give_turn(s, 0, DRAFT)


@njit
def log_deal(s, log):
    """Write down what was dealt."""
    t = s.table
    rest = t.pack
    for seat in range(t.players):
        rest &= ~s.hands[U64(seat)]
    emit(log, EV_DEAL, np.int64(t.start), np.int64(rest))
    for seat in range(t.players):
        emit(log, EV_HAND, seat, np.int64(s.hands[U64(seat)]))


@njit
def clear_trick(t):
    """No card lies on the table."""
    t.led = EMPTY
    t.trick = EMPTY
    t.best = -1
    t.winner = -1


# --- the draft ------------------------------------------------------------------------------------


@njit
def choose_deck(s, cards, stream, log):
    """Put five cards into the own deck; nobody else sees a difference until all have. ZS-4"""
    t = s.table
    seat = t.seat
    s.hands[U64(seat)] = t.hand & ~cards
    s.own_decks[U64(seat)] = cards
    s.tops[U64(seat)] = shuffle_deck(cards, seat, np.int64(t.round), stream)
    emit(log, EV_DRAFT, seat, np.int64(cards))
    emit(log, EV_DECK, seat, np.int64(s.tops[U64(seat)]))
    if seat + 1 < t.players:
        give_turn(s, seat + 1, DRAFT)
        return
    for each in range(t.players):
        t.decks |= U64(DECK_SIZE) << U64(8 * each)
    t.sizes -= t.decks
    begin_phase(s, stream, log)


# --- before a trick -------------------------------------------------------------------------------


@inlined
def begin_phase(s, stream, log):
    """Ask everybody, from the leader on, whether to draw. ZS-5, ZS-14"""
    s.asked = 0
    ask_next(s, stream, log)


@inlined
def ask_next(s, stream, log):
    """Let the next player decide who has a choice; when there is none, play the trick."""
    t = s.table
    players = np.int64(t.players)
    if t.decks == EMPTY and not t.short_shorts and log is None:
        s.asked = players  # nobody has a deck
        end_phase(s, stream, log)
        return
    while s.asked < players:
        seat = t.leader + s.asked
        if seat >= players:
            seat -= players
        if s.own_decks[U64(seat)] != EMPTY or (t.short_shorts and s.hands[U64(seat)] != EMPTY):
            give_turn(s, seat, DRAW)
            return
        choose(s, seat, STAY_ACTION, log)
    if t.draws != IN_TURN:
        seat = t.leader
        for _ in range(players):
            carry_out(s, seat, s.choices[U64(seat)], log)
            seat = after(t, seat)
    end_phase(s, stream, log)


@inlined
def choose(s, seat, choice, log):
    """Note what a player chose: carried out at once, or when all have chosen. ZS-5"""
    s.asked += 1
    s.choices[U64(seat)] = choice
    if s.table.draws == IN_TURN:
        carry_out(s, seat, choice, log)


@inlined
def carry_out(s, seat, choice, log):
    """Draw (or take) the top card of a deck, lay a card on it, or do neither. ZS-5, ZS-14"""
    t = s.table
    if choice == STAY_ACTION:
        emit(log, EV_STAY, seat, 0)
        return
    at = U64(8 * seat)
    when = ONE << U64(16 * seat + t.number - 1)
    if choice == DRAW_ACTION:
        card, s.tops[U64(seat)], s.belows[U64(seat)] = pop(s.tops[U64(seat)], s.belows[U64(seat)])
        bit = ONE << U64(card)
        s.hands[U64(seat)] |= bit
        s.own_decks[U64(seat)] &= ~bit
        t.sizes += ONE << at
        t.decks -= ONE << at
        t.drew |= when
        emit(log, EV_DRAW, seat, card)
    else:
        card = choice - LAY_ACTIONS
        bit = ONE << U64(card)
        s.tops[U64(seat)], s.belows[U64(seat)] = push(s.tops[U64(seat)], s.belows[U64(seat)], card)
        s.hands[U64(seat)] &= ~bit
        s.own_decks[U64(seat)] |= bit
        t.sizes -= ONE << at
        t.decks += ONE << at
        t.laid |= when
        s.outside[U64(seat)] = after_lay(s.outside[U64(seat)])
        emit(log, EV_LAY, seat, card)


@inlined
def end_phase(s, stream, log):
    """End the round if a hand is empty, else let the leader play. ZS-6"""
    t = s.table
    hands, rest = s.hands, np.int64(t.players)
    while rest > 0:
        rest -= 1
        if hands[U64(rest)] == EMPTY:
            end_round(s, stream, log)
            return
    s.turn = 0
    give_turn(s, t.leader, PLAY)


# --- tricks ---------------------------------------------------------------------------------------


@inlined
def play_card(s, card, stream, log):
    """Play a card to the trick. ZS-7, ZS-8, ZS-12, ZS-13"""
    t = s.table
    seat = t.seat
    bit = ONE << U64(card)
    at = U64(8 * seat)
    s.hands[U64(seat)] = t.hand & ~bit
    s.played[U64(seat)] |= bit
    t.sizes -= ONE << at
    t.trick |= U64(card + 1) << at
    emit(log, EV_PLAY, seat, card)
    if s.outside[U64(seat)] != EMPTY:
        s.outside[U64(seat)] = after_play(s.outside[U64(seat)], suit_bits(t, card))
    if s.turn == 0:
        t.led = cards_that_follow(t, card)
        s.led_suits = suit_bits(t, card)
        t.best = card
        t.winner = seat
    elif t.led & bit == EMPTY:  # ZS-13: no suit in common
        t.shorts |= bit
        size = of_seat(t.sizes, seat)
        s.outside[U64(seat)] = after_not_following(s.outside[U64(seat)], s.led_suits, size)
    elif number_of(card) >= number_of(t.best):  # ZS-8; equal numbers: the later card. ZS-12
        t.best = card
        t.winner = seat
    s.turn += 1
    if s.turn < t.players:
        give_turn(s, after(t, seat), PLAY)
    else:
        end_trick(s, stream, log)


@inlined
def end_trick(s, stream, log):
    """Give the trick to its winner, who leads the next one. ZS-7, ZS-8"""
    t = s.table
    t.tricks += ONE << U64(8 * t.winner)
    t.leader = t.winner
    if log is not None:
        emit(log, EV_TRICK, t.winner, np.int64(cards_short(t)))
    clear_trick(t)
    t.number += 1
    begin_phase(s, stream, log)


@njit
def cards_short(t):
    """The cards of the trick that do not follow, eight bits a seat: the card plus 1, or 0. ZS-8"""
    word = EMPTY
    for seat in range(t.players):
        card = of_seat(t.trick, seat)
        if (t.led >> U64(card - 1)) & ONE == EMPTY:
            word |= U64(card) << U64(8 * seat)
    return word


@njit
def end_round(s, stream, log):
    """Book the points of the round; deal the next one, or end the game. ZS-3, ZS-6, ZS-9"""
    t = s.table
    s.last_tricks = t.tricks
    s.last_shorts = EMPTY
    for seat in range(t.players):
        shorts = s.played[U64(seat)] & t.shorts
        points = round_points(t, of_seat(t.tricks, seat), shorts)
        s.last_points[U64(seat)] = points
        s.points[U64(seat)] += points
        s.last_shorts |= U64(count_bits(shorts)) << U64(8 * seat)
    if log is not None:
        emit(log, EV_ROUND, np.int64(s.last_tricks), np.int64(s.last_shorts))
        for seat in range(t.players):
            emit(log, EV_POINTS, seat, s.last_points[U64(seat)])
    s.closed = 1
    if t.round < t.rounds * t.players:  # ZS-3
        begin_round(s, stream, log)
        return
    s.over = 1
    if log is not None:
        for seat in range(t.players):
            emit(log, EV_POINTS, seat, np.int64(s.points[U64(seat)]))
        emit(log, EV_RESULT, leaders(s), 0)


# --- the contract ---------------------------------------------------------------------------------


@njit
def deal(s, stream, log):
    """Start a game. ZS-2"""
    t = s.table
    s.over = 0
    s.closed = 0
    s.asked = 0
    s.turn = 0
    s.led_suits = 0
    s.last_tricks = EMPTY
    s.last_shorts = EMPTY
    for seat in range(MOST_SEATS):
        s.points[U64(seat)] = 0
        s.last_points[U64(seat)] = 0
        s.choices[U64(seat)] = STAY_ACTION
        s.hands[U64(seat)] = EMPTY
    t.round = 0
    t.stack_0 = EMPTY
    t.stack_1 = EMPTY
    begin_round(s, stream, log)


@njit
def done(s):
    """Whether the last round is over. ZS-3"""
    return s.over != 0


@njit
def to_move(s):
    """The seat that decides."""
    return s.table.seat


@njit
def decision(s):
    """0: the draft; 1: to draw or not; 2: a card to play."""
    return s.table.kind


@njit
def observe(s, seat, v):
    """The table is kept as the player to move knows it. ZS-15"""
    copy_record(s.table, v)


@inlined
def legal(s, action):
    """Whether the action is legal in this state."""
    return legal_for(s.table, action)


@inlined
def apply(s, action, stream, log):
    """Carry out an action and all that follows from it by force."""
    t = s.table
    s.closed = 0
    if t.kind == PLAY:
        play_card(s, action, stream, log)
    elif t.kind == DRAW:
        choose(s, t.seat, action, log)
        ask_next(s, stream, log)
    else:
        choose_deck(s, U64(action), stream, log)


@njit
def round_over(s):
    """Whether the last action ended a round."""
    return s.closed != 0
