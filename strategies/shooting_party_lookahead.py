"""The learned player of the Shooting Party with its eyes open: two steps ahead.

The value function picks the most promising plans; each is then tried on sampled orders of the draw
pile (whose cards are known, SP-17), the same orders for every plan, and judged by the average value
of the best plan after the draw. That is policy improvement by rollouts of one draw (Tesauro and
Galperin, On-line policy improvement using Monte-Carlo search, 1996).
"""

import numpy as np
from numba import njit

from sim.bits import EMPTY, copy_record, lowest_bit, without_lowest
from sim.rng import next_word, stream_dtype
from sim.rulesets.shooting_party import rules
from sim.rulesets.shooting_party.cards import seduce, view_dtype
from strategies import Param, strategy
from strategies.shooting_party_learned import (
    LOWEST,
    WORK,
    after_choice,
    best_plan,
    choose_husband,
    following,
    is_lone_queen,
    take_step,
)
from strategies.shooting_party_plans import MOST_NOTES
from strategies.shooting_party_trials import make_trial, take_note
from strategies.shooting_party_weights import FIRST, OUTPUT

STATE = rules.state_dtype
#: Probabilities in units of 2**-16 by log-odds in steps of 1/64, from -12 to 12: averages have to
#: be whole numbers too. Rounding makes the last digit of `exp` immaterial.
STEP = FIRST * OUTPUT // 64
HALF = 12 * 64
PROBABILITY = np.rint(65536 / (1 + np.exp(-np.arange(-HALF, HALF + 1) / 64))).astype(np.int64)
CERTAIN = 65536


@njit
def probability(value):
    """The probability, in units of 2**-16, that belongs to a value of the learned player."""
    return PROBABILITY[min(max(value // STEP, -HALF), HALF) + HALF]


try_plan = make_trial(best_plan, after_choice, LOWEST, probability, CERTAIN)


@njit
def lay_out(view, s):
    """A state that looks like the view; the order of its pile is for `redeal` to settle."""
    copy_record(view, s.table)
    s.over = 0
    s.reshuffles_made = 0
    s.butler_shuffles = 0
    cards = view.pile
    n = 0
    while cards != EMPTY:
        s.order[n] = np.uint8(lowest_bit(cards))
        cards = without_lowest(cards)
        n += 1


@njit
def better_plan(view, ctx, work, works, copies, states, streams):
    """The number of the noted plan with the best average over the sampled orders."""
    base, s = states[0], states[1]
    inner, plan, stream = works[1], works[2], streams[0]
    inner.without = 0
    inner.wide = 0
    totals = np.zeros(MOST_NOTES, np.int64)
    lay_out(view, base)
    for _ in range(ctx.samples):
        stream.key = next_word(ctx)
        stream.state = next_word(ctx)
        rules.redeal(base, 0, stream)
        for k in range(work.noted):
            copy_record(base, s)
            take_note(work.notes[k], plan)
            totals[k] += try_plan(0, plan, s, stream, inner, copies[0])
    best = 0
    for k in range(1, work.noted):
        if totals[k] > totals[best]:
            best = k
    return best


@njit
def decide(view, ctx, works, copies, states, streams):
    """The action; works: the search's record, one for sampled positions, one for plans tried."""
    work = works[0]
    work.without = 0
    work.wide = 0
    if view.husband_suit >= 0:
        return choose_husband(view, ctx, work, copies[0])
    if not following(view, ctx, work):
        work.wide = ctx.plans
        work.noted = 0
        best_plan(0, work, LOWEST, view)
        if work.certain < 0 and is_lone_queen(view.hand):
            return seduce()  # the four aces are lost; a queen is still a queen
        if work.certain == 0 and work.noted > 1:
            k = better_plan(view, ctx, work, works, copies, states, streams)
            take_note(work.notes[k], work)
    return take_step(view, ctx, work)


@strategy(
    "shooting-party",
    summary="tries the learned player's best plans on sampled draws: two steps ahead",
    source="one-step rollouts after Tesauro and Galperin 1996, values as in `learned`",
    uses_chance=True,
    memory=("butler", "hand", "cards", "end", "following"),
    samples=Param(32, 1, 10000, "orders of the pile to try each plan on"),
    plans=Param(4, 1, MOST_NOTES, "how many of the best plans to try"),
)
def lookahead(view, ctx):
    """The best of the most promising plans by sampled draws."""
    return decide(
        view,
        ctx,
        np.empty(3, WORK),
        np.empty(1, view_dtype),
        np.empty(2, STATE),
        np.empty(1, stream_dtype),
    )
