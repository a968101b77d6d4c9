"""A tiny game that only the tests know: it proves that the engine is generic.

Two or three seats, a pack of eight cards 0…7. Each round every player is dealt two cards. In turn
each player may `swap` one card for the top of the stock (action 0 keeps, 1 and 2 swap the lower and
the higher card); then each in turn will `play` one card of the hand (the action is the card), face
up. The highest card wins the round (the lowest with option `low_wins`); the winner leads the next
one. The stock's order and the other hands are hidden.
"""

from dataclasses import dataclass

import numpy as np
from numba import njit

from sim.bits import EMPTY, bit, count_bits, has, lowest_bit, nth_bit, without_lowest
from sim.contract import Column, Measure, Ruleset, Score, emit
from sim.options import RuleOptions, switch, whole
from sim.rng import bounded, open_stream
from sim.strategy import Param, strategy

GAME = "tiny-duel"
SWAP, PLAY = 0, 1
EV_DEAL, EV_SWAP, EV_PLAY, EV_ROUND = range(4)
MOST_ROUNDS = 9


@dataclass(frozen=True)
class Options(RuleOptions):
    players: int = whole(2, 2, 3, "seats")
    rounds: int = whole(2, 1, MOST_ROUNDS, "rounds a game")
    low_wins: bool = switch(False, "the lowest card wins")


view_dtype = np.dtype(
    [
        ("hand", np.uint64),
        ("table", np.uint64),
        ("seat", np.int64),
        ("stock_size", np.int64),
        ("round", np.int64),
        ("kind", np.int64),
        ("players", np.int64),
    ],
    align=True,
)
state_dtype = np.dtype(
    [
        ("hands", np.uint64, (3,)),
        ("table", np.uint64),
        ("played", np.int64, (3,)),
        ("points", np.int64, (3,)),
        ("stock", np.int64, (8,)),
        ("stock_size", np.int64),
        ("round", np.int64),
        ("turn", np.int64),
        ("leader", np.int64),
        ("kind", np.int64),
        ("closed", np.int64),
        ("last_winner", np.int64),
        ("players", np.int64),
        ("rounds", np.int64),
        ("low_wins", np.int64),
    ],
    align=True,
)


@njit
def deal_round(s, stream, log):
    for i in range(8):
        s.stock[i] = i
    open_stream(stream, s.round)
    for i in range(7, 0, -1):
        j = bounded(stream, i + 1)
        s.stock[i], s.stock[j] = s.stock[j], s.stock[i]
    s.stock_size = 8
    for p in range(s.players):
        s.hands[p] = EMPTY
        for _ in range(2):
            s.stock_size -= 1
            s.hands[p] |= bit(s.stock[s.stock_size])
        emit(log, EV_DEAL, p, np.int64(s.hands[p]))
    s.table = EMPTY
    s.turn = 0
    s.kind = SWAP


@njit
def deal(s, stream, log):
    s.round = 0
    s.leader = 0
    s.closed = 0
    for p in range(3):
        s.points[p] = 0
    deal_round(s, stream, log)


@njit
def done(s):
    return s.round == s.rounds


@njit
def to_move(s):
    return (s.leader + s.turn) % s.players


@njit
def decision(s):
    return s.kind


@njit
def observe(s, seat, v):
    v.hand = s.hands[seat]
    v.table = s.table
    v.seat = seat
    v.stock_size = s.stock_size
    v.round = s.round
    v.kind = s.kind
    v.players = s.players


@njit
def legal(s, action):
    if s.kind == SWAP:
        return 0 <= action <= 2
    return 0 <= action < 8 and has(s.hands[to_move(s)], action)


@njit
def count_legal(v):
    return 3 if v.kind == SWAP else count_bits(v.hand)


@njit
def nth_legal(v, n):
    return n if v.kind == SWAP else nth_bit(v.hand, n)


@njit
def apply(s, action, stream, log):
    seat = to_move(s)
    s.closed = 0
    if s.kind == SWAP:
        if action > 0:
            given = nth_bit(s.hands[seat], action - 1)
            s.hands[seat] &= ~bit(given)
            s.stock_size -= 1
            s.hands[seat] |= bit(s.stock[s.stock_size])
        emit(log, EV_SWAP, seat, action)
    else:
        s.hands[seat] &= ~bit(action)
        s.table |= bit(action)
        s.played[seat] = action
        emit(log, EV_PLAY, seat, action)
    s.turn += 1
    if s.turn == s.players:
        s.turn = 0
        if s.kind == SWAP:
            s.kind = PLAY
        else:
            close_round(s, stream, log)


@njit
def close_round(s, stream, log):
    winner = 0
    for p in range(1, s.players):
        higher = s.played[p] > s.played[winner]
        if higher != (s.low_wins != 0):
            winner = p
    s.points[winner] += 1
    s.last_winner = winner
    s.leader = winner
    s.round += 1
    s.closed = 1
    emit(log, EV_ROUND, winner, 0)
    if s.round < s.rounds:
        deal_round(s, stream, log)


@njit
def round_over(s):
    return s.closed != 0


@njit
def round_outcome(s, row):
    row.round = s.round
    row.winner = s.last_winner


@njit
def outcome(s, row):
    row.points_0 = s.points[0]
    row.points_1 = s.points[1]
    row.points_2 = s.points[2] if s.players > 2 else 0


@njit
def redeal(s, seat, stream):
    """Deal the stock and the other hands again, sizes kept."""
    hidden = np.empty(8, np.int64)
    n = 0
    for i in range(s.stock_size):
        hidden[n] = s.stock[i]
        n += 1
    for p in range(s.players):
        if p != seat:
            cards = s.hands[p]
            while cards != EMPTY:
                hidden[n] = lowest_bit(cards)
                cards = without_lowest(cards)
                n += 1
    for i in range(n - 1, 0, -1):
        j = bounded(stream, i + 1)
        hidden[i], hidden[j] = hidden[j], hidden[i]
    for i in range(s.stock_size):
        s.stock[i] = hidden[i]
    at = s.stock_size
    for p in range(s.players):
        if p != seat:
            size = count_bits(s.hands[p])
            s.hands[p] = EMPTY
            for _ in range(size):
                s.hands[p] |= bit(hidden[at])
                at += 1


def events(log, options):
    for code, a, b in log.tolist():
        if code == EV_DEAL:
            yield {"ev": "deal", "seat": a, "hand": [c for c in range(8) if b >> c & 1]}
        elif code == EV_ROUND:
            yield {"ev": "round", "winner": a}
        else:
            yield {"ev": "swap" if code == EV_SWAP else "play", "seat": a, "action": b}


RULES = Ruleset(
    name=GAME,
    title="Tiny duel",
    summary="a game of the tests",
    clause_prefix="TD",
    options=Options,
    most_seats=3,
    seats=lambda options: options.players,
    yardsticks=("random",),
    kinds=("swap", "play"),
    state_dtype=state_dtype,
    view_dtype=view_dtype,
    deal=deal,
    done=done,
    to_move=to_move,
    decision=decision,
    observe=observe,
    legal=legal,
    apply=apply,
    outcome=outcome,
    redeal=redeal,
    count_legal=count_legal,
    nth_legal=nth_legal,
    view_fields={name: name for name in view_dtype.names},
    columns=tuple(Column(f"points_{p}", "rounds won", seat=p) for p in range(3)),
    measures=(Measure("seat 0 wins all", "", lambda g: g["points_1"] == 0),),
    scores=(
        Score(
            "points",
            "rounds won",
            "points a game",
            lambda games, seat: games[f"points_{seat}"],
            lambda options: (0, options.rounds),
        ),
        Score(
            "half points",
            "the same, two to a point",
            "half points a game",
            lambda games, seat: games[f"points_{seat}"],
            lambda options: (0, options.rounds),
            2,
        ),
    ),
    tally=("points_0", "points_1"),
    events=events,
    tell=lambda event, telling: str(event),
    action_text=lambda view, action: f"action {action}",
    clause_of=lambda view, action: "TD-1",
    round_columns=(Column("round", "from 1"), Column("winner", "seat")),
    round_over=round_over,
    round_outcome=round_outcome,
    rounds=lambda options: options.rounds,
)


@strategy(GAME, kind="swap", name="random", uses_chance=True)
def random_swap(view, ctx):
    return bounded(ctx, 3)


@strategy(GAME, kind="play", name="random", uses_chance=True)
def random_play(view, ctx):
    return nth_bit(view.hand, bounded(ctx, count_bits(view.hand)))


@strategy(GAME, kind="swap", name="stubborn")
def keep(view, ctx):
    return 0


@strategy(GAME, kind="play", name="stubborn")
def highest(view, ctx):
    return nth_bit(view.hand, count_bits(view.hand) - 1)


@strategy(GAME, kind="swap", below=Param(4, 0, 8, "swap the lower card if it is below this"))
def swap_below(view, ctx):
    return 1 if lowest_bit(view.hand) < ctx.below else 0


@strategy(GAME, kind="play", memory=("plays",), every=Param(2.0, 1.0, 9.0, "how often"))
def alternating(view, ctx):
    """Plays its highest card once in `every` times; counts in a memory field."""
    ctx.plays += 1
    if ctx.plays % np.int64(ctx.every) == 0:
        return nth_bit(view.hand, count_bits(view.hand) - 1)
    return lowest_bit(view.hand)


STRATEGIES = (random_swap, random_play, keep, highest, swap_below, alternating)
