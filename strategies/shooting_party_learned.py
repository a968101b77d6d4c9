"""The learned player of the Shooting Party.

A value function of public knowledge, learned by playing against nothing but the cards with temporal
differences (Tesauro, TD-Gammon, 1995; Sutton and Barto, Reinforcement Learning, 2nd ed., ch. 6 and
12), estimates the probability of ending as a filthy scoundrel. The player looks through everything
that can be done up to the next draw (`strategies.shooting_party_plans`) and does what leads to the
best position. How the weights were made: `scripts/train_shooting_party.py`, then
`scripts/sharpen_shooting_party.py`.
"""

from pathlib import Path

import numpy as np
from numba import njit

from sim.bits import EMPTY, U64, without_lowest
from sim.rulesets.shooting_party.cards import (
    ACE,
    LEAVE,
    QUEENS,
    king_and_jack,
    queen_and_king,
    seduce,
    view_dtype,
)
from strategies import Param, strategy
from strategies.shooting_party_features import SLOTS, describe
from strategies.shooting_party_plans import first_step, make_search, work_dtype
from strategies.shooting_party_weights import SHIFT, TOP, load

WEIGHTS = load(Path(__file__).parent / "weights" / "shooting_party.npz")
FIRST_ROWS, SECOND_WEIGHTS, SECOND_BIAS, OUT_WEIGHTS, OUT_BIAS, _ = WEIGHTS
NARROW, WIDTH = SECOND_WEIGHTS.shape
WORK = work_dtype(WIDTH, NARROW)
#: Below every value.
LOWEST = -(2**62)


@njit
def value_of(rows, sums, active):
    """The value of a position, given as rows, in whole numbers. `sums`, `active`: scratch space."""
    for i in range(WIDTH):
        sums[i] = 0
    for k in range(0, SLOTS, 6):
        a, b, c = FIRST_ROWS[rows[k]], FIRST_ROWS[rows[k + 1]], FIRST_ROWS[rows[k + 2]]
        d, e, f = FIRST_ROWS[rows[k + 3]], FIRST_ROWS[rows[k + 4]], FIRST_ROWS[rows[k + 5]]
        for i in range(WIDTH):
            sums[i] += ((a[i] + b[i]) + (c[i] + d[i])) + (e[i] + f[i])
    for i in range(WIDTH):
        active[i] = min(max(sums[i], 0), TOP)
    total = np.int64(OUT_BIAS[0])
    for j in range(NARROW):
        row = SECOND_WEIGHTS[j]
        x = SECOND_BIAS[j]
        for i in range(WIDTH):
            x += np.int32(active[i]) * np.int32(row[i])
        total += np.int64(min(max(x >> SHIFT, 0), TOP)) * np.int64(OUT_WEIGHTS[j])
    return total


@njit
def evaluate(net, work, hand, pile, display, scored, reshuffles_left, coming):
    """The value of a position before a draw."""
    describe(hand, pile, display, scored, reshuffles_left, coming, work.weight, work.rows)
    return value_of(work.rows, work.sums, work.active)


best_plan, keeps_queen, after_choice = make_search(evaluate)


@njit
def following(view, ctx, work):
    """Whether the plan in `ctx` is still to be followed; it is put into `work`."""
    work.butler = ctx.butler
    work.hand = U64(ctx.hand)
    work.cards = U64(ctx.cards)
    work.end = ctx.end
    return ctx.following and view.hand == work.hand


@njit
def take_step(view, ctx, work):
    """The first action of the plan in `work`; the rest of it goes to `ctx`."""
    # a fetched card that sends everybody away is followed by a draw
    ctx.following = not (work.end == LEAVE and work.butler >= 0 and work.butler < ACE)
    action = first_step(work, view.hand)
    ctx.butler = work.butler
    ctx.hand = np.int64(work.hand)
    ctx.cards = np.int64(work.cards)
    ctx.end = work.end
    return action


@njit
def choose_husband(view, ctx, work, copy):
    """The choice of SP-10."""
    ctx.following = 0
    keep = keeps_queen(0, work, LOWEST, view, copy)
    return king_and_jack() if keep else queen_and_king()


@njit
def is_lone_queen(hand):
    """Whether the hand is one queen."""
    return without_lowest(hand) == EMPTY and hand & QUEENS != EMPTY


@njit
def decide(view, ctx, works, copies):
    """The action. Records are taken out of arrays here: a record alone does not keep them alive."""
    work = works[0]
    work.without = ctx.without
    work.wide = 0
    if view.husband_suit >= 0:
        return choose_husband(view, ctx, work, copies[0])
    if not following(view, ctx, work):
        best_plan(0, work, LOWEST, view)
        if work.certain < 0 and is_lone_queen(view.hand):
            return seduce()  # the four aces are lost; a queen is still a queen
    return take_step(view, ctx, work)


@strategy(
    "shooting-party",
    summary="compares all plans up to the next draw by a value function learned from its own games",
    source="TD learning after Tesauro 1995, fitted value iteration after Gordon 1995; weights: "
    "scripts/train_shooting_party.py and scripts/sharpen_shooting_party.py",
    memory=("butler", "hand", "cards", "end", "following"),
    without=Param(
        0,
        0,
        15,
        "abilities to do without, added up: 1 fetch a discard, 2 fetch an ace, "
        "4 talk a queen out of the room, 8 leave with fewer than six cards",
    ),
)
def learned(view, ctx):
    """The best plan by the learned value; a plan is followed until cards are drawn."""
    return decide(view, ctx, np.empty(1, WORK), np.empty(1, view_dtype))
