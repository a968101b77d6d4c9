"""Temporal-difference learning for the Shooting Party: the network in real numbers.

Games are played in small batches with the network as it is; every position adds its gradient to a
sum, and one step of Adam (Kingma and Ba 2015) follows a batch. Some decisions carry noise: without
it the player never again met positions that it once underrated, and stayed weaker.
"""

import numpy as np
from numba import njit

from sim.bits import EMPTY, bit
from sim.rng import bounded, open_stream, output_of, uniform
from sim.rulesets.shooting_party import rules
from sim.rulesets.shooting_party.cards import (
    ACE,
    LEAVE,
    QUEEN,
    king_and_jack,
    queen_and_king,
)
from strategies.shooting_party_features import SLOTS, describe
from strategies.shooting_party_plans import first_step, make_search

CLIP = np.float32(4.0)
ZERO = np.float32(0.0)
LOWEST = -1e9
#: Positions of one game that are learned from; games are much shorter.
LONGEST = 400
#: Purposes of the random streams that are no shuffles.
CURRICULUM, EXPLORATION = 60, 61
#: What `train` counts: wins and games without a head start, with one, and positions learned from.
WINS, GAMES, HELPED_WINS, HELPED_GAMES, POSITIONS = range(5)


@njit
def add_rows(first_rows, rows, sums):
    """The sum of SLOTS rows, six at a time: one pass over `sums` costs as much as six additions."""
    width = len(sums)
    for i in range(width):
        sums[i] = ZERO
    for k in range(0, SLOTS, 6):
        a, b, c = first_rows[rows[k]], first_rows[rows[k + 1]], first_rows[rows[k + 2]]
        d, e, f = first_rows[rows[k + 3]], first_rows[rows[k + 4]], first_rows[rows[k + 5]]
        for i in range(width):
            sums[i] += ((a[i] + b[i]) + (c[i] + d[i])) + (e[i] + f[i])


# lets the compiler use vector sums; a dict, since a set has no order for the cache to recognise
@njit(fastmath={"reassoc": True, "contract": True, "nsz": True})
def forward(net, rows, sums, active, second):
    """The value of a position in log-odds; fills the layers' sums and activations."""
    first_rows, second_weights, second_bias, out_weights, out_bias = net
    narrow, width = second_weights.shape
    add_rows(first_rows, rows, sums)
    for i in range(width):
        active[i] = min(max(sums[i], ZERO), CLIP)
    total = out_bias[0]
    for j in range(narrow):
        row = second_weights[j]
        x = second_bias[j]
        for i in range(width):
            x += active[i] * row[i]
        second[j] = x
        total += min(max(x, ZERO), CLIP) * out_weights[j]
    return total


@njit
def evaluate(net, work, hand, pile, display, scored, reshuffles_left, coming):
    """The value in log-odds, with some noise when the step explores."""
    describe(hand, pile, display, scored, reshuffles_left, coming, work.weight, work.rows)
    value = np.float64(forward(net, work.rows, work.real_sums, work.real_active, work.real_second))
    work.greedy = max(work.greedy, value)
    if work.noise > 0.0:
        value -= work.noise * np.log(-np.log(uniform(work) + 1e-300))
    return value


best_plan, keeps_queen, after_choice = make_search(evaluate)


@njit
def sigmoid(x):
    """The probability that belongs to log-odds."""
    return 1.0 / (1.0 + np.exp(-x))


@njit(fastmath={"reassoc": True, "contract": True, "nsz": True})
def learn(net, slopes, rows, work, target):
    """Add the negative gradient of the cross-entropy between the value and `target` to `slopes`."""
    _, second_weights, _, out_weights, _ = net
    first_slopes, second_slopes, bias_slopes, out_slopes, last_slope = slopes
    narrow, width = second_weights.shape
    sums, active, second, back = work.real_sums, work.real_active, work.real_second, work.real_back
    value = forward(net, rows, sums, active, second)
    step = np.float32(target - sigmoid(np.float64(value)))
    for i in range(width):
        back[i] = ZERO
    last_slope[0] += step
    for j in range(narrow):
        x = second[j]
        out_slopes[j] += step * min(max(x, ZERO), CLIP)
        if x > ZERO and x < CLIP:
            slope = step * out_weights[j]
            row, row_slopes = second_weights[j], second_slopes[j]
            bias_slopes[j] += slope
            for i in range(width):
                back[i] += slope * row[i]
                row_slopes[i] += slope * active[i]
    for i in range(width):
        back[i] = back[i] if sums[i] > ZERO and sums[i] < CLIP else ZERO
    for k in range(SLOTS):
        row = first_slopes[rows[k]]
        for i in range(width):
            row[i] += back[i]


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
def settle_husband(net, s, work, copy, stream):
    """Take the better choice of SP-10."""
    work.noise = 0.0
    work.wide = 0
    keep = keeps_queen(net, work, LOWEST, s.table, copy)
    rules.apply(s, king_and_jack() if keep else queen_and_king(), stream, None)


@njit
def take_step(s, work, stream):
    """Take the first action of the plan in `work`; whether the rest is to be followed."""
    # a fetched card that sends everybody away is followed by a draw
    following = not (work.end == LEAVE and work.butler >= 0 and work.butler < ACE)
    rules.apply(s, first_step(work, s.table.hand), stream, None)
    return following


@njit
def play_game(net, s, work, copy, stream, explore, heat, trail, values, explored):
    """Play one game; returns (positions in the trail, final value: 1 for a certain win, else 0).

    For each position chosen the trail holds its rows, `values` the best value known at that
    decision and `explored` how much chance had a part in the choice: in a share `explore` of them
    plans are compared with noise of `heat` in log-odds.
    """
    n = 0
    following = False
    t = s.table
    while s.over == 0 and n < LONGEST:
        if t.husband_suit >= 0:
            settle_husband(net, s, work, copy, stream)
            following = False
            continue
        if not following or t.hand != work.hand:
            work.greedy = LOWEST
            work.noise = heat if uniform(work) < explore else 0.0
            best_plan(net, work, LOWEST, t)
            if work.certain != 0:
                return n, max(work.certain, 0)
            trail[n] = work.best_rows
            values[n] = sigmoid(work.greedy)
            explored[n] = work.noise
            n += 1
        following = take_step(s, work, stream)
    return n, 0


@njit
def train(
    net, slopes, states, works, copies, streams, deal_root, chance_root, first, count,
    explore, heat, trace, head_start, trail, values, explored, counts,
):  # fmt: skip
    """Play `count` games and add what they teach to `slopes`; `counts`: see WINS ….

    A share `head_start` of the games begins with one to three suits already scored: a player that
    knows nothing never wins a whole game and would have nothing to learn from.
    """
    s, work, copy, stream = states[0], works[0], copies[0], streams[0]
    for i in range(count):
        game = first + i
        stream.key = output_of(deal_root, game)
        work.state = output_of(output_of(chance_root, game), EXPLORATION)
        helped = 1 + bounded(work, 3) if uniform(work) < head_start else 0
        start(s, helped, stream)
        n, last = play_game(net, s, work, copy, stream, explore, heat, trail, values, explored)
        place = WINS if helped == 0 else HELPED_WINS
        counts[place] += last
        counts[place + 1] += 1
        counts[POSITIONS] += n
        learn_game(net, slopes, work, n, np.float64(last), trace, trail, values, explored)


@njit
def learn_game(net, slopes, work, n, last, trace, trail, values, explored):
    """TD(lambda): from the last position back, each learns a mix of what came and what was hoped.

    Where chance had a part in the choice, only the best value known there counts.
    """
    target = last
    for k in range(n - 1, -1, -1):
        learn(net, slopes, trail[k], work, target)
        target = values[k] if explored[k] > 0.0 else trace * target + (1.0 - trace) * values[k]
