"""Strategies of the memory duel that a person could play: what to look at before saying “Draw!”.

Each takes the odds as the view tells them; where the opponent's memory is unknown
(`known_opponent=off`) it takes the opponent for its own equal, but for `student`, which learns.
How much each gives away to a perfect opponent is computed exactly by `memory_duel_worth`.
"""

import math

import numpy as np
from numba import njit

from sim.recall import MOST_CARDS
from sim.rulesets.memory_duel.cards import CALL
from sim.rulesets.memory_duel.legal import pass_on
from strategies import Param, look_up, strategy
from strategies.memory_duel_models import SPAN_MEAN, SPAN_SD

GAME = "memory-duel"
HALF = 0.5
#: A whole number of `ctx` memory stands for a real one in millionths.
MILLION = 1_000_000


@njit
def odds(view):
    """The probability that the opponent recites the stack; an unknown opponent is an equal."""
    return view.opponent_recall if view.opponent_recall >= 0.0 else view.own_recall


@njit
def act(view, wants_to_call):
    """Call if that is wanted and possible. MD-4"""
    return CALL if wants_to_call and view.stack > 0 else pass_on(view)


@strategy(
    GAME,
    summary="calls when the opponent more likely fails than not",
    source="the obvious rule",
    p=Param(0.5, 0.0, 1.0, "calls below this probability of a right recital"),
)
def doubter(view, ctx):
    """Call when the opponent recites the stack with a probability below p."""
    return act(view, odds(view) < ctx.p)


@njit
def is_careful(view):
    """Whether the opponent more likely fails now, or this player would with one more card."""
    return odds(view) < HALF or (view.pack > 0 and view.own_recall_next < HALF)


@strategy(
    GAME,
    summary="calls before its own memory fails: earlier the weaker it is",
    source="this project: who raises beyond the own capacity is called and loses the stack",
)
def careful(view, ctx):
    """Call like `doubter`, and also when one card more would be too much for the own memory."""
    return act(view, is_careful(view))


@strategy(
    GAME,
    summary="weighs a call against being called on the next card",
    source="one step of lookahead",
)
def weigher(view, ctx):
    """Call when that gains more cards than raising does if the opponent then calls when it pays."""
    call = view.stack * (1.0 - 2.0 * odds(view))
    if view.pack == 0:
        return act(view, call > 0.0)
    called = (view.stack + 1) * (1.0 - 2.0 * view.own_recall_next)
    return act(view, call > -max(called, 0.0))


def first_failing(recall):
    """The smallest stack that is more likely failed than recited."""
    failing = np.flatnonzero(recall < HALF)
    return int(failing[0]) if len(failing) else len(recall)


def first_met(parity, at_least):
    """The smallest stack of this parity that has so many cards, and at least one."""
    stack = max(at_least, 1)
    return stack + (stack + parity) % 2


def stacks_to_call(own, other, *, cheap=True):
    """Which stacks `tempo` calls: an array by number of cards. `own` and `other` are recall curves.

    Whoever began the stack meets it even, the other meets it odd. Each calls the first stack that
    the opponent more likely fails. Who is called before that is in danger; if it helps to change who
    begins, that player calls the stack that is cheapest to lose before the danger, without `cheap` the last.
    """
    calls = other < HALF
    danger = [first_met(1 - p, first_failing(own)) for p in (0, 1)]
    is_late = [danger[p] < first_met(p, first_failing(other)) for p in (0, 1)]
    for parity in (0, 1):
        # who is called begins the next stack: that is no loss unless the beginner is the one in danger
        if is_late[parity] and is_late[0]:
            before = np.arange(2 - parity, danger[parity], 2)
            cost = before * (2.0 * other[before] - 1.0)
            first = before[np.argmin(cost)] if cheap else before[-1]
            calls[first : danger[parity] : 2] = True
    return calls


def curves(outlook):
    """The recall curves of a player and the opponent; an unknown opponent is an equal."""
    own = outlook.own.recall
    return own, own if outlook.opponent is None else outlook.opponent.recall


def tempo_table(outlook):
    """The stacks that `tempo` calls."""
    return stacks_to_call(*curves(outlook))


def banker_table(outlook):
    """The stacks that `banker` calls when it is not ahead, then those when it is."""
    own, other = curves(outlook)
    return np.concatenate([stacks_to_call(own, other, cheap=cheap) for cheap in (False, True)])


@strategy(
    GAME,
    summary="knows who meets the stack that fails, and gives a cheap one away not to be there",
    source="read off the exact solution: who begins a stack meets it even, the other odd",
    table=tempo_table,
    last=Param(5, 0, 208, "with fewer cards in the pack it only doubts: there is no next stack"),
)
def tempo(view, ctx):
    """Call the stacks of `stacks_to_call`; near the end those that the opponent more likely fails."""
    if view.pack < ctx.last:
        return act(view, odds(view) < HALF)
    return act(view, look_up(ctx, view.stack) > 0.5)


@strategy(
    GAME,
    summary="gives cheap stacks away like tempo only with a lead, else it risks the large ones",
    source="read off the exact solution for winning",
    table=banker_table,
    last=Param(3, 0, 208, "with fewer cards in the pack it only doubts: there is no next stack"),
    lead=Param(3, -208, 208, "the lead from which on it gives stacks away"),
)
def banker(view, ctx):
    """A lead is protected by small stakes: what is given away is little, what it avoids is not."""
    if view.pack < ctx.last:
        return act(view, odds(view) < HALF)
    is_ahead = view.claimed - view.opponent_claimed >= ctx.lead
    return act(view, look_up(ctx, view.stack + is_ahead * (MOST_CARDS + 1)) > 0.5)


def feeler_table(outlook):
    """How likely an opponent is sure of the stack who was sure of it one card ago, by its size."""
    opponent = outlook.own if outlook.opponent is None else outlook.opponent
    if not opponent.persistent:
        return opponent.recall
    return opponent.table ** np.arange(MOST_CARDS + 1)


@strategy(
    GAME,
    summary="calls at once when it has lost a card; an opponent who raised had not lost any",
    source="this project, for persistent memories: a raise tells that a player is still sure",
    table=feeler_table,
    p=Param(0.5, 0.0, 1.0, "sure of the stack, it calls below this probability"),
)
def feeler(view, ctx):
    """Who has lost a card cannot recite any more and calls before being called; so do others.

    So an opponent who laid the last card was sure of all before it, and the odds are those of one
    more card. Models that do not tell what is sure are played like `doubter` does.
    """
    has_lost = view.sure >= 0 and view.sure < view.stack
    return act(view, has_lost or look_up(ctx, view.stack) < ctx.p)


@strategy(
    GAME,
    summary="learns the opponent's capacity from past recitals",
    source="extended Kalman filter on a logistic recall curve; it begins at the spans of people",
    memory=("called", "before", "shift", "gain"),
    mean=Param(SPAN_MEAN, 0.0, 208.0, "the capacity it begins with"),
    sd=Param(SPAN_SD, 0.0, 100.0, "how unsure of it, one standard deviation"),
    s=Param(0.535, 0.05, 100.0, "how gradually recall fades around a capacity"),
)
def student(view, ctx):
    """Call like `careful`, with the opponent's odds from an estimate of the capacity.

    After each recital of n cards the estimate of the capacity k moves by variance * (right - P) / s,
    and the precision 1 / variance grows by P (1 - P) / s^2, P = 1 / (1 + exp((n - k) / s)) being what
    was expected. Memory: `called` the stack last called, `before` the own cards then, `shift` the
    estimate minus `mean` and `gain` the precision beyond the first, in millionths.
    """
    mean = ctx.mean + ctx.shift / MILLION
    precision = 1.0 / max(ctx.sd, 1e-6) ** 2 + ctx.gain / MILLION
    if ctx.called > 0:
        right = 1.0 if view.claimed == ctx.before else 0.0
        expected = 1.0 / (1.0 + math.exp((ctx.called - mean) / ctx.s))
        precision += expected * (1.0 - expected) / ctx.s**2
        mean += (right - expected) / ctx.s / precision
        ctx.shift = int((mean - ctx.mean) * MILLION)
        ctx.gain = int((precision - 1.0 / max(ctx.sd, 1e-6) ** 2) * MILLION)
        ctx.called = 0
    right = 1.0 / (1.0 + math.exp((view.stack - mean) / ctx.s))
    wants = right < HALF or (view.pack > 0 and view.own_recall_next < HALF)
    if wants and view.stack > 0:
        ctx.called = view.stack
        ctx.before = view.claimed
    return act(view, wants)
