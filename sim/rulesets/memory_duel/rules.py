"""The memory duel: the rules as step functions. Clauses: seeds/rules/memory-duel.md.

Which card lies where decides nothing, so a game keeps numbers of cards; only an event log learns
the cards. See `sim.contract` for what each step function must do.
"""

import numpy as np
from numba import njit

from sim.bits import U64, copy_fields, opaque
from sim.contract import emit
from sim.recall import MOST_CARDS
from sim.rng import open_stream, shuffle, uniform
from sim.rulesets.memory_duel.cards import CALL, DECLINE, RAISE, SEATS

EV_PACK_CARD, EV_RAISE, EV_CALL, EV_DECLINE, EV_RESULT = range(5)

#: Purposes of the chance streams: 0 the shuffle; then, by the number of cards laid so far, the
#: recitals of either seat, and what either seat forgets. So a seat that is called at the same card
#: meets the same luck, whoever plays.
FIRST_RECITAL, FIRST_FORGETTING = 1024, 4096
PURPOSES_A_SEAT = 1024


@njit
def shuffle_pack(cards, stream, log):
    """Shuffle the pack and tell the log its cards, top first. MD-1"""
    order = np.arange(cards)
    open_stream(stream, np.int64(0))
    shuffle(stream, order, cards)
    for place in range(cards - 1, -1, -1):
        emit(log, EV_PACK_CARD, order[place], 0)


@njit
def still_sure(stream, purpose, sure, keep):
    """How many of `sure` cards stay known, each with probability `keep`. MD-8"""
    open_stream(stream, purpose)
    kept = 0
    for _ in range(sure):
        kept = opaque(kept + np.int64(uniform(stream) < keep))
    return kept


@njit
def lay_in_memory(s, stream):
    """A card was laid: each player with a persistent memory keeps or loses cards. MD-8"""
    purpose = FIRST_FORGETTING + s.cards - s.pack
    for seat in range(SEATS):
        if s.persistent[seat]:
            known = s.known[seat]
            known.sure = still_sure(stream, purpose, known.sure + 1, s.keep[seat, s.stack])
        purpose += PURPOSES_A_SEAT


@njit
def recites(s, seat, stream):
    """Whether a seat recites the whole stack. MD-4, MD-8"""
    if s.felt and s.persistent[U64(seat)]:
        return s.known[seat].sure == s.stack
    open_stream(stream, FIRST_RECITAL + PURPOSES_A_SEAT * seat + s.cards - s.pack)
    return uniform(stream) < s.recall[U64(seat), U64(s.stack)]


@njit
def call(s, caller, stream, log):
    """A seat calls, and the other recites. MD-4"""
    size = s.stack
    recited = np.int64(recites(s, 1 - caller, stream))
    # sums, not `claimed[winner] += size`: where that goes is known late, and all later loads wait
    to_one = size * (caller ^ recited)
    zero, one = s.known[0], s.known[1]
    claimed_0, claimed_1 = zero.claimed + size - to_one, one.claimed + to_one
    zero.claimed, zero.opponent_claimed = claimed_0, claimed_1
    one.claimed, one.opponent_claimed = claimed_1, claimed_0
    for seat in range(SEATS):
        known = s.known[seat]
        known.calls += 1
        known.last_call = size
        known.last_caller = caller
        known.last_recited = recited
        if s.persistent[seat]:
            known.sure = 0
    s.stack = 0
    emit(log, EV_CALL, caller, size * 2 + recited)


# --- the contract -------------------------------------------------------------------------------


@njit
def deal(s, stream, log):
    """Shuffle the pack; seat 0 starts. MD-1, MD-2"""
    s.pack = s.cards
    s.stack = 0
    s.mover = 0
    s.over = 0
    for seat in range(SEATS):
        known = s.known[seat]
        known.claimed = 0
        known.opponent_claimed = 0
        known.declined = 0
        known.calls = 0
        known.last_call = 0
        known.last_caller = -1
        known.last_recited = 0
        known.sure = 0 if s.persistent[seat] else -1
    s.felt = s.persistent[0] | s.persistent[1]
    if log is not None:
        shuffle_pack(s.cards, stream, log)


@njit
def done(s):
    """Whether the game is over. MD-6"""
    return s.over != 0


@njit
def to_move(s):
    """The seat that raises, calls or declines."""
    return s.mover


@njit
def decision(s):
    """There is one kind of decision."""
    return 0


@njit(forceinline=True)
def observe(s, seat, v):
    """What a player knows. MD-9"""
    stack, pack = s.stack, s.pack
    v.pack = pack
    v.stack = stack
    copy_fields(s.known[U64(seat)], v)
    copy_fields(s.outlook[U64(SEATS * stack + seat)], v)
    if pack == 0:
        v.own_recall_next = 0.0
    if s.felt and s.persistent[U64(seat)]:
        feel(s, seat, v)


@njit
def feel(s, seat, v):
    """What a player with a persistent memory knows of it. MD-9"""
    is_whole = v.sure == s.stack
    v.own_recall = np.float64(is_whole)
    v.own_recall_next = 0.0
    if is_whole and s.pack > 0:
        v.own_recall_next = s.hold[seat, s.stack + 1]


@njit(forceinline=True)
def legal(s, action):
    """Whether the action is legal in this state."""
    if action == RAISE:
        return s.pack > 0  # MD-3
    if action == CALL:
        return s.stack > 0  # MD-4
    return action == DECLINE and s.pack == 0  # MD-6


@njit(forceinline=True)
def apply(s, action, stream, log):
    """Carry out an action and pass the move; a call passes it to whoever did not call. MD-5"""
    seat = s.mover
    s.mover = 1 - seat  # MD-5
    if action == RAISE:
        s.pack -= 1  # MD-3
        s.stack += 1
        if s.felt:
            lay_in_memory(s, stream)
        emit(log, EV_RAISE, seat, 0)
        return
    if action == CALL:
        call(s, seat, stream, log)
    else:
        s.known[0].declined += 1  # MD-6
        s.known[1].declined += 1
        emit(log, EV_DECLINE, seat, 0)
    if s.pack == 0 and (s.stack == 0 or s.known[0].declined == SEATS):
        s.over = 1  # MD-6
        emit(log, EV_RESULT, s.known[0].claimed, s.known[1].claimed)


@njit
def outcome(s, row):
    """Fill the row of the games table."""
    known = s.known[0]
    row.claimed_0 = known.claimed
    row.claimed_1 = known.opponent_claimed
    row.unclaimed = s.stack
    row.calls = known.calls


@njit
def redeal(s, seat, stream):
    """Draw anew what the seat cannot know: how sure the other is, and a model that is hidden. MD-9

    There is no distribution of models to draw a hidden one from: any other one will do.
    """
    other = 1 - seat
    if not s.known_opponent:
        for n in range(1, MOST_CARDS + 1):
            s.recall[other, n] = uniform(stream)
            s.keep[other, n] = uniform(stream)
            s.hold[other, n] = s.keep[other, n] ** n
            s.outlook[SEATS * n + other].own_recall = s.recall[other, n]
            s.outlook[SEATS * (n - 1) + other].own_recall_next = s.recall[other, n]
    if s.persistent[other]:
        sure = 0
        for n in range(1, s.stack + 1):
            kept = 0
            for _ in range(sure + 1):
                kept += np.int64(uniform(stream) < s.keep[other, n])
            sure = kept
        s.known[other].sure = sure
