"""Temporal-difference learning for the Shooting Party: the network in real numbers, and one game."""

import numpy as np
from numba import njit

from sim.bits import EMPTY, bit
from sim.rng import bounded, open_stream, output_of, uniform
from sim.rulesets.shooting_party import rules
from sim.rulesets.shooting_party.cards import (
    ACE,
    QUEEN,
    king_and_jack,
    queen_and_king,
)
from strategies.shooting_party_features import describe
from strategies.shooting_party_plans import first_step, make_search

CLIP = np.float32(4.0)
ZERO = np.float32(0.0)
LONGEST = 400
#: Purposes of the random streams that are no shuffles.
CURRICULUM, EXPLORATION = 60, 61


@njit
def forward(net, rows, sums, second):
    """The value of a position in log-odds; fills the layers' activations."""
    first_rows, second_weights, second_bias, out_weights, out_bias = net
    width, narrow = second_weights.shape
    sums[:] = first_rows[rows[0]]
    for k in range(1, len(rows)):
        row = first_rows[rows[k]]
        for i in range(width):
            sums[i] += row[i]
    for j in range(narrow):
        second[j] = second_bias[j]
    for i in range(width):
        x = min(max(sums[i], ZERO), CLIP)
        if x > ZERO:
            row = second_weights[i]
            for j in range(narrow):
                second[j] += x * row[j]
    total = out_bias[0]
    for j in range(narrow):
        total += min(max(second[j], ZERO), CLIP) * out_weights[j]
    return total


@njit
def evaluate(net, work, hand, pile, display, scored, reshuffles_left, coming):
    """The value in log-odds, with some noise when the step explores."""
    describe(hand, pile, display, scored, reshuffles_left, coming, work.weight, work.rows)
    value = np.float64(forward(net, work.rows, work.real_sums, work.real_second))
    work.greedy = max(work.greedy, value)
    if work.noise > 0.0:
        value -= work.noise * np.log(-np.log(uniform(work) + 1e-300))
    return value


best_plan, keeps_queen = make_search(evaluate)


@njit
def sigmoid(x):
    return 1.0 / (1.0 + np.exp(-x))


@njit
def learn(net, rows, sums, second, target, rate):
    """One gradient step of the cross-entropy between the value and `target`."""
    first_rows, second_weights, second_bias, out_weights, out_bias = net
    width, narrow = second_weights.shape
    value = forward(net, rows, sums, second)
    error = np.float32(target - sigmoid(np.float64(value)))
    step = np.float32(rate) * error
    out_bias[0] += step
    for j in range(narrow):
        x = second[j]
        slope = step * out_weights[j] if ZERO < x < CLIP else ZERO
        out_weights[j] += step * min(max(x, ZERO), CLIP)
        second[j] = slope
        second_bias[j] += slope
    for i in range(width):
        x = sums[i]
        back = ZERO
        if x > ZERO:
            row = second_weights[i]
            if x < CLIP:
                for j in range(narrow):
                    back += second[j] * row[j]
            else:
                x = CLIP
            for j in range(narrow):
                row[j] += second[j] * x
        sums[i] = back
    for k in range(len(rows)):
        row = first_rows[rows[k]]
        for i in range(width):
            row[i] += sums[i]


@njit
def start(s, head_start, stream):
    """Deal; with a head start of n, n suits are already scored."""
    rules.deal(s, stream, None)
    if head_start == 0:
        return
    open_stream(stream, CURRICULUM)
    t = s.table
    scored = EMPTY
    while head_start > 0:
        suit = bounded(stream, 4)
        pair = bit(QUEEN + suit) | bit(ACE + suit)
        if scored & pair == EMPTY:
            scored |= pair
            head_start -= 1
    t.pile = (t.pile | t.hand | t.discards | t.display) & ~scored
    t.hand = EMPTY
    t.discards = EMPTY
    t.display = EMPTY
    t.arrivals = EMPTY
    t.scored = scored
    t.husband_suit = -1
    t.reshuffles_left = t.reshuffles - bounded(stream, 3)
    s.over = 0
    rules.shuffle_pile(s, CURRICULUM + 2, stream, None)
    rules.new_hand(s, stream, None)


@njit
def play_game(net, s, work, copy, stream, explore, noise, trail, values, targets):
    """Play one game; returns (number of positions in the trail, whether it was won)."""
    n = 0
    following = False
    t = s.table
    while s.over == 0:
        if t.husband_suit >= 0:
            work.noise = 0.0
            action = queen_and_king()
            if keeps_queen(net, work, -1e9, t, copy):
                action = king_and_jack()
            following = False
        else:
            if not following or t.hand != work.hand:
                work.greedy = -1e9
                exploring = uniform(work) < explore
                work.noise = noise if exploring else 0.0
                value = best_plan(net, work, -1e9, t)
                if work.certain < 0:
                    return n, 0, 0.0
                if work.certain > 0:
                    return n, 1, 1.0
                greedy = sigmoid(work.greedy)
                # the value of what is done, and the best known at this decision
                for k in range(len(work.best_rows)):
                    trail[n, k] = work.best_rows[k]
                values[n] = greedy
                targets[n] = 1.0 if exploring else 0.0
                n += 1
                if n == LONGEST:
                    return n, 0, greedy
            following = not (work.butler >= 0 and work.end == 1)
            action = first_step(work, t.hand)
        rules.apply(s, action, stream, None)
    return n, 0, 0.0


@njit
def train(
    net, states, works, copies, streams, root, key_root, first, count,
    rate0, rate1, explore, noise, trace, head, trail, values, targets, won,
):  # fmt: skip
    """Play and learn from `count` games; the rate goes from `rate0` to `rate1`."""
    s, work, copy, stream = states[0], works[0], copies[0], streams[0]
    full = 0
    wins = 0
    won_head = 0
    for i in range(count):
        game = first + i
        rate = rate0 + (rate1 - rate0) * i / count
        stream.key = output_of(root, game)
        work.state = output_of(output_of(key_root, game), EXPLORATION)
        head_start = 0
        if uniform(work) < head:
            head_start = 1 + bounded(work, 3)
        start(s, head_start, stream)
        n, win, last = play_game(net, s, work, copy, stream, explore, noise, trail, values, targets)
        if head_start == 0:
            full += 1
            wins += win
        else:
            won_head += win
        # lambda-returns, last position first
        target = last
        explored_after = False
        for k in range(n - 1, -1, -1):
            explored = targets[k] > 0.5
            if rate > 0.0:
                learn(net, trail[k], work.real_sums, work.real_second, target, rate)
            # what the position before learns: the best value at this decision, mixed with what came
            target = values[k] if explored else trace * target + (1.0 - trace) * values[k]
    won[2] += won_head
    won[3] += count - full
    won[0] += wins
    won[1] += full
