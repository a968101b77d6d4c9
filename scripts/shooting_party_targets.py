"""What the plans of the Shooting Party are worth one draw later: targets for the learned player.

A draw decides so much that the value after a single one says little. Here the cards to come are
shuffled again and again: the average over some draws of the best plan's value afterwards is a far
calmer target, for the plan that is followed and for one of the others.
"""

import numpy as np
from numba import njit

from scripts.shooting_party_td import (
    EXPLORATION,
    LOWEST,
    after_choice,
    best_plan,
    forward,
    learn,
    settle_husband,
    sigmoid,
    start,
    take_step,
)
from sim.bits import copy_record
from sim.rng import bounded, next_word, output_of, uniform
from sim.rulesets.shooting_party import rules
from strategies.shooting_party_plans import MOST_NOTES
from strategies.shooting_party_trials import make_trial, take_note

try_plan = make_trial(best_plan, after_choice, LOWEST, sigmoid, 1.0)


@njit
def average_value(net, noted, samples, states, works, copies, streams):
    """The average value of a noted plan over so many orders of the draw pile."""
    base, s = states[0], states[1]
    work, inner, plan, stream = works[0], works[1], works[2], streams[1]
    total = 0.0
    for _ in range(samples):
        copy_record(base, s)
        stream.key = next_word(work)
        stream.state = next_word(work)
        rules.redeal(s, 0, stream)
        take_note(noted, plan)
        total += try_plan(net, plan, s, stream, inner, copies[0])
    return total / samples


@njit
def collect(
    net, states, works, copies, streams, deal_root, chance_root, first, samples,
    explore, heat, rows, targets,
):  # fmt: skip
    """Play games from `first` on until `rows` (n, SLOTS) and `targets` (n,) are full.

    Each decision gives two positions: that of the plan which looks best, and that of one of the
    next best. A share `explore` of the decisions is made with noise of `heat` in log-odds. Returns
    the number of games.
    """
    s, work, copy, stream = states[0], works[0], copies[0], streams[0]
    t = s.table
    filled = games = 0
    while filled < len(targets):
        stream.key = output_of(deal_root, first + games)
        work.state = output_of(output_of(chance_root, first + games), EXPLORATION)
        games += 1
        start(s, 0, stream)
        following = False
        while s.over == 0 and filled < len(targets):
            if t.husband_suit >= 0:
                settle_husband(net, s, work, copy, stream)
                following = False
                continue
            if not following or t.hand != work.hand:
                work.noise = heat if uniform(work) < explore else 0.0
                work.wide = MOST_NOTES
                work.noted = 0
                best_plan(net, work, LOWEST, t)
                if work.certain != 0:
                    break
                other = 1 + bounded(work, MOST_NOTES - 1)
                for k in (0, other):
                    if k < work.noted and filled < len(targets):
                        rows[filled] = work.notes[k].rows
                        targets[filled] = average_value(
                            net, work.notes[k], samples, states, works, copies, streams
                        )
                        filled += 1
            following = take_step(s, work, stream)
    return games


@njit
def learn_positions(net, slopes, works, rows, targets, chosen):
    """Add what the positions `chosen` (numbers of rows) teach to `slopes`."""
    for k in chosen:
        learn(net, slopes, rows[k], works[0], targets[k])


@njit
def squared_error(net, works, rows, targets):
    """The sum over positions of the squared difference between value and target."""
    work = works[0]
    total = 0.0
    for k in range(len(targets)):
        value = forward(net, rows[k], work.real_sums, work.real_active, work.real_second)
        total += (sigmoid(np.float64(value)) - targets[k]) ** 2
    return total
