"""The memory duel: the rules as step functions. Clauses: seeds/rules/memory-duel.md.

Which card lies where decides nothing, so a game keeps numbers of cards; only an event log learns
the cards. See `sim.contract` for what each step function must do.
"""

import numpy as np
from numba import njit

from sim.bits import ONE, U64, opaque
from sim.contract import emit
from sim.recall import MOST_CARDS
from sim.rng import open_stream, shuffle, uniform
from sim.rulesets.memory_duel.cards import CALL, DECLINE, RAISE, SEATS

_models = np.dtype((np.float64, (SEATS, MOST_CARDS + 1)))

state_dtype = np.dtype(
    [
        ("pack", np.int64),
        ("mover", np.int64),
        ("stack", np.int64),
        ("over", np.int64),
        ("claimed", np.int64, (SEATS,)),
        ("declined", np.int64),
        ("calls", np.int64),
        ("last_call", np.int64),
        ("last_caller", np.int64),
        ("last_recited", np.int64),
        ("sure_0", np.int64),
        ("sure_1", np.int64),
        ("felt", np.int64),
        # options
        ("cards", np.int64),
        ("order", np.int64),
        ("known_opponent", np.int64),
        # recall models
        ("persistent", np.int64, (SEATS,)),
        ("recall", _models),
        ("keep", _models),
        ("hold", _models),
    ],
    align=True,
)

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
    if s.persistent[0]:
        s.sure_0 = still_sure(stream, purpose, s.sure_0 + 1, s.keep[0, s.stack])
    if s.persistent[1]:
        purpose += PURPOSES_A_SEAT
        s.sure_1 = still_sure(stream, purpose, s.sure_1 + 1, s.keep[1, s.stack])


@njit
def recites(s, seat, stream):
    """Whether a seat recites the whole stack. MD-4, MD-8"""
    if s.persistent[seat]:
        return (s.sure_1 if seat else s.sure_0) == s.stack
    open_stream(stream, FIRST_RECITAL + PURPOSES_A_SEAT * seat + s.cards - s.pack)
    return uniform(stream) < s.recall[seat, s.stack]


@njit
def call(s, stream, log):
    """The player to move calls, and the other recites. MD-4"""
    caller = s.mover
    size = s.stack
    recited = recites(s, 1 - caller, stream)
    s.claimed[U64(caller ^ np.int64(recited))] += size
    s.stack = 0
    s.sure_0 = 0
    s.sure_1 = 0
    s.calls += 1
    s.last_call = size
    s.last_caller = caller
    s.last_recited = np.int64(recited)
    emit(log, EV_CALL, caller, size * 2 + np.int64(recited))


# --- the contract -------------------------------------------------------------------------------


@njit
def deal(s, stream, log):
    """Shuffle the pack; seat 0 starts. MD-1, MD-2"""
    s.pack = s.cards
    s.stack = 0
    s.mover = 0
    s.claimed[0] = 0
    s.claimed[1] = 0
    s.declined = 0
    s.over = 0
    s.calls = 0
    s.last_call = 0
    s.last_caller = -1
    s.last_recited = 0
    s.sure_0 = 0
    s.sure_1 = 0
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
    own, place = U64(seat), U64(stack)
    v.claimed = s.claimed[own]
    v.opponent_claimed = s.claimed[ONE - own]
    v.declined = s.declined
    v.calls = s.calls
    v.last_call = s.last_call
    v.last_caller = s.last_caller
    v.last_recited = s.last_recited
    if s.persistent[own]:
        feel(s, seat, v)
    else:
        v.sure = -1
        v.own_recall = s.recall[own, place]
        v.own_recall_next = s.recall[own, place + ONE] if pack > 0 else 0.0
    v.opponent_recall = s.recall[ONE - own, place] if s.known_opponent else -1.0
    v.cards = s.cards
    v.any_order = s.order
    v.known_opponent = s.known_opponent
    v.seat = seat


@njit
def feel(s, seat, v):
    """What a player with a persistent memory knows of it. MD-9"""
    sure = s.sure_1 if seat else s.sure_0
    is_whole = sure == s.stack
    v.sure = sure
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
    s.mover = 1 - seat
    if action == RAISE:
        s.pack -= 1  # MD-3
        s.stack += 1
        if s.felt:
            lay_in_memory(s, stream)
        emit(log, EV_RAISE, seat, 0)
        return
    if action == CALL:
        s.mover = seat
        call(s, stream, log)
        s.mover = 1 - seat  # MD-5
    else:
        s.declined += 1  # MD-6
        emit(log, EV_DECLINE, seat, 0)
    if s.pack == 0 and (s.stack == 0 or s.declined == SEATS):
        s.over = 1  # MD-6
        emit(log, EV_RESULT, s.claimed[0], s.claimed[1])


@njit
def outcome(s, row):
    """Fill the row of the games table."""
    row.claimed_0 = s.claimed[0]
    row.claimed_1 = s.claimed[1]
    row.unclaimed = s.stack
    row.calls = s.calls


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
    if s.persistent[other]:
        sure = 0
        for n in range(1, s.stack + 1):
            kept = 0
            for _ in range(sure + 1):
                kept += np.int64(uniform(stream) < s.keep[other, n])
            sure = kept
        if other:
            s.sure_1 = sure
        else:
            s.sure_0 = sure
