"""President: the rules as step functions. Clauses: seeds/rules/president.md.

`table` is what the player to move knows, hands and gifts of the others lie beside it. A player who
can play nothing passes without being asked. See `sim.contract` for what each step function must do.
"""

import numpy as np
from numba import njit

from sim.bits import EMPTY, U64, copy_record, has
from sim.contract import emit
from sim.rng import bounded, open_stream
from sim.rulesets.president.cards import (
    CHOICE,
    JANITOR,
    LOW_FIRST,
    PASS,
    PRESIDENT,
    RANDOM_LEAD,
    RANK_1,
    ROTATE,
    SEATS,
    SECRETARY,
    VICE_PRESIDENT,
    cards_of,
    count_of,
    inlined,
    of_seat,
    play_fillers,
    play_naturals,
    play_place,
    seat_with,
)
from sim.rulesets.president.dealing import deal_cards
from sim.rulesets.president.gifts import gift_by
from sim.rulesets.president.legal import can_follow, legal_for
from sim.rulesets.president.state import (
    EV_DEAL,
    EV_GIFT,
    EV_HAND,
    EV_LEAD,
    EV_OUT,
    EV_PASS,
    EV_PLAY,
    EV_POINTS,
    EV_RESULT,
    EV_ROUND,
    EV_TRICK,
    GIFT_STREAM,
    GIVERS,
    LEADER_STREAM,
    LOW_STEPS,
    RECEIVERS,
    give_turn,
)


@njit
def begin_round(s, stream, log):
    """Deal a round and go on to the first decision in it."""
    t = s.table
    t.round += 1
    deal_cards(s, stream)
    if log is not None:
        emit(log, EV_DEAL, np.int64(t.round), 0)
        for seat in range(SEATS):
            emit(log, EV_HAND, seat, np.int64(s.hands[seat]))
    for seat in range(SEATS):
        s.played[seat] = EMPTY
        s.given[seat] = EMPTY
        s.received[seat] = EMPTY
    t.finishes = np.uint32(0)
    t.lacks = 0
    t.trick_leader = -1
    clear_trick(t)
    s.plays = 0
    choose_leader(s)
    s.step = SEATS if t.round == 1 else 0  # PR-12
    exchange(s, stream, log)


@njit
def choose_leader(s):
    """Say who leads the round, unless that is left to chance. PR-14"""
    t = s.table
    if t.lead == RANDOM_LEAD:
        t.leader = -1
    elif t.round == 1:
        t.leader = 0
    elif t.lead == ROTATE:
        t.leader = (t.leader + 1) & 3
    else:
        t.leader = seat_with(t.ranks, PRESIDENT if t.lead == RANK_1 else JANITOR)


# --- the exchange ---------------------------------------------------------------------------------


@njit
def exchange(s, stream, log):
    """Make the gifts from `step` on that leave no choice, then lead the round. PR-12, PR-13"""
    t = s.table
    while s.step < SEATS:
        size = t.exchange_2 if s.step & 1 else t.exchange_1
        if size == 0:
            s.step += 1
            continue
        giver = seat_with(t.ranks, GIVERS[s.step])
        how = t.low_gives if s.step < LOW_STEPS else t.high_gives
        if how == CHOICE:
            t.gift_size = size
            give_turn(s, giver)
            return
        open_stream(stream, GIFT_STREAM * (1 + GIVERS[s.step]) + np.int64(t.round))
        hand_over(s, giver, gift_by(how, s.hands[giver], np.int64(size), stream), log)
    t.gift_size = 0
    if t.exchange_order != LOW_FIRST:
        for seat in range(SEATS):
            take_in(s, seat)  # only now that everybody has chosen. PR-13
    lead_round(s, stream, log)


@njit
def hand_over(s, giver, cards, log):
    """Make the gift of this step."""
    t = s.table
    receiver = seat_with(t.ranks, RECEIVERS[s.step])
    s.hands[giver] -= cards
    s.given[giver] = cards
    emit(log, EV_GIFT, giver | receiver << 2, np.int64(cards))
    if t.exchange_order == LOW_FIRST:
        take_in(s, receiver)  # seen before choosing, and may be given back. PR-13
    s.step += 1


@njit
def take_in(s, seat):
    """Put what a player's partner in the exchange gave, if anything, into the player's hand."""
    rank = of_seat(s.table.ranks, seat)
    if rank > 0:
        partner = seat_with(s.table.ranks, JANITOR + PRESIDENT - rank)
        s.received[seat] = s.given[partner]
        s.hands[seat] += s.given[partner]


# --- tricks ---------------------------------------------------------------------------------------


@njit
def lead_round(s, stream, log):
    """Give the first lead. PR-14"""
    t = s.table
    if t.lead == RANDOM_LEAD:
        open_stream(stream, LEADER_STREAM + np.int64(t.round))
        t.leader = bounded(stream, SEATS)
    emit(log, EV_LEAD, np.int64(t.leader), 0)
    lead_trick(s, np.int64(t.leader))


@njit
def clear_trick(t):
    """There is no set to beat."""
    t.trick_rank = -1
    t.trick_size = 0
    t.trick_player = -1
    t.passed = 0


@njit
def lead_trick(s, seat):
    """Let a player lead a new trick. PR-7"""
    clear_trick(s.table)
    s.table.trick_leader = seat
    give_turn(s, seat)


@njit
def weakest_fillers(t, place, count):
    """So many fillers of the hand for a set of a rank, the weakest ones. PR-6

    What is weaker than the strongest of them is used up, and everybody knows that.
    """
    fillers = EMPTY
    at = max(place + 1, np.int64(t.first_wild))
    while True:
        taken = min(count_of(t.hand, at), count)
        fillers |= cards_of(at, taken)
        count -= taken
        if count == 0:
            return fillers
        t.lacks |= 1 << (4 * t.seat + at - 11)
        at += 1


@inlined
def play_set(s, action, stream, log):
    """Carry out a play. PR-4 to PR-8"""
    t = s.table
    seat, place = t.seat, play_place(action)
    naturals, fillers = play_naturals(action), play_fillers(action)
    cards = cards_of(place, naturals)
    if fillers > 0:
        cards |= weakest_fillers(t, place, fillers)
    hand = t.hand - cards
    s.hands[U64(seat)] = hand
    s.played[U64(seat)] += cards
    s.plays += 1
    t.sizes -= U64(naturals + fillers) << U64(8 * seat)
    t.trick_rank = place
    t.trick_size = naturals + fillers
    t.trick_player = seat
    t.passed &= ~(1 << seat)
    emit(log, EV_PLAY, seat | place << 2, np.int64(cards))
    if hand == EMPTY and go_out(s, seat, log):
        end_round(s, stream, log)
    else:
        next_turn(s, log)


@njit
def go_out(s, seat, log):
    """Note that a player is out; whether the round ends with it. PR-11"""
    t = s.table
    rank = 1
    while seat_with(t.finishes, rank) < SEATS:
        rank += 1
    t.finishes |= np.uint32(rank << 8 * seat)
    emit(log, EV_OUT, seat, rank)
    if rank < SECRETARY:
        return False
    t.finishes |= np.uint32(JANITOR << 8 * seat_with(t.finishes, 0))
    return True


@inlined
def next_turn(s, log):
    """Let the next player clockwise decide who can play something, or end the trick. PR-7"""
    t = s.table
    seat = t.seat
    stop = t.trick_leader if t.one_play else t.trick_player
    while True:
        seat = (seat + 1) & 3
        if seat == stop:  # all others have passed, or have had their turn. PR-9, PR-10
            end_trick(s, log)
            return
        hand = s.hands[U64(seat)]
        if hand == EMPTY or (t.pass_locks and has(U64(t.passed), seat)):
            continue  # out of the round, out of the trick. PR-9
        if can_follow(t, hand):
            give_turn(s, seat)
            return
        pass_by(t, seat, log)  # nothing to decide


@njit
def pass_by(t, seat, log):
    """Note that a player passes. PR-7"""
    t.passed |= 1 << seat
    emit(log, EV_PASS, seat, 0)


@njit
def end_trick(s, log):
    """The last play wins; its player leads, or the next one who is still in. PR-9, PR-11"""
    winner = s.table.trick_player
    emit(log, EV_TRICK, winner, 0)
    while s.hands[U64(winner)] == EMPTY:
        winner = (winner + 1) & 3
    lead_trick(s, winner)


@njit
def end_round(s, stream, log):
    """Book the ranks and their points; deal the next round, or end the game. PR-15"""
    t = s.table
    t.ranks = t.finishes
    emit(log, EV_ROUND, np.int64(t.ranks), 0)
    for seat in range(SEATS):
        s.points[seat] += points_of(t, of_seat(t.ranks, seat))
    s.closed = 1
    s.last_plays = s.plays
    if t.round < t.rounds:
        begin_round(s, stream, log)
        return
    s.over = 1
    if log is not None:
        for seat in range(SEATS):
            emit(log, EV_POINTS, seat, s.points[seat])
        emit(log, EV_RESULT, 0, 0)


@njit
def points_of(t, rank):
    """The points of a rank. PR-15"""
    if rank == PRESIDENT:
        return np.int64(t.points_first)
    if rank == VICE_PRESIDENT:
        return np.int64(t.points_second)
    return np.int64(t.points_third) if rank == SECRETARY else np.int64(t.points_fourth)


# --- the contract ---------------------------------------------------------------------------------


@njit
def deal(s, stream, log):
    """Start a game. PR-1"""
    t = s.table
    s.over = 0
    s.closed = 0
    s.last_plays = 0
    for seat in range(SEATS):
        s.points[seat] = 0
    t.round = 0
    t.ranks = np.uint32(0)
    t.gift_size = 0
    begin_round(s, stream, log)


@njit
def done(s):
    """Whether the last round is over. PR-15"""
    return s.over != 0


@njit
def to_move(s):
    """The seat that decides."""
    return s.table.seat


@njit
def decision(s):
    """0: a gift; 1: a play."""
    return 0 if s.table.gift_size > 0 else 1


@njit
def observe(s, seat, v):
    """The table is kept as the player to move knows it. PR-16"""
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
    if t.gift_size > 0:
        hand_over(s, t.seat, U64(action), log)
        exchange(s, stream, log)
    elif action == PASS:
        pass_by(t, t.seat, log)
        next_turn(s, log)
    else:
        play_set(s, action, stream, log)


@njit
def round_over(s):
    """Whether the last action ended a round."""
    return s.closed != 0


@njit
def round_outcome(s, row):
    """Fill the row of the rounds table."""
    t = s.table
    row.round = t.round - (0 if s.over else 1)
    row.finish_0 = of_seat(t.ranks, 0)
    row.finish_1 = of_seat(t.ranks, 1)
    row.finish_2 = of_seat(t.ranks, 2)
    row.finish_3 = of_seat(t.ranks, 3)
    row.plays = s.last_plays


@njit
def outcome(s, row):
    """Fill the row of the games table."""
    points = s.points
    row.points_0, row.points_1 = points[0], points[1]
    row.points_2, row.points_3 = points[2], points[3]
    most = max(max(points[0], points[1]), max(points[2], points[3]))
    leaders = 0
    for seat in range(SEATS):
        if points[seat] == most:
            leaders |= 1 << seat
    row.leaders = leaders
