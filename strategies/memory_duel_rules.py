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


@njit
def first_met(parity, at_least):
    """The smallest stack of this parity that has so many cards, and at least one."""
    stack = max(at_least, 1)
    return stack + (stack + parity) % 2


@njit
def is_called_first(parity, own, other):
    """Whether the player who meets these stacks is called before the opponent fails one. MD-5"""
    return first_met(1 - parity, own) < first_met(parity, other)


def stacks_to_call(own, other, *, cheap=True):
    """Which stacks `tempo` calls: an array by number of cards. `own` and `other` are recall curves.

    Whoever began the stack meets it even, the other meets it odd. Each calls the first stack that
    the opponent more likely fails. Where the beginner would be called before that, and would not as
    the other, the beginner calls an earlier stack, so that the opponent begins the next: the stack
    that is cheapest to lose, without `cheap` the last. The other one in danger need do nothing: to
    be called is to begin the next stack.
    """
    calls = other < HALF
    mine, theirs = first_failing(own), first_failing(other)
    if is_called_first(0, mine, theirs) and not is_called_first(1, mine, theirs):
        danger = first_met(1, mine)
        before = np.arange(2, danger, 2)
        if len(before):
            cost = before * (2.0 * other[before] - 1.0)
            first = before[np.argmin(cost)] if cheap else before[-1]
            calls[first:danger:2] = True
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
    """Call the stacks of `stacks_to_call`; near the end those more likely failed than recited."""
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
    return opponent.hold if opponent.persistent else opponent.recall


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


def student_table(outlook):
    """The first stack that the student itself more likely fails."""
    return [first_failing(outlook.own.recall)]


@strategy(
    GAME,
    summary="learns the opponent's capacity from past recitals, and plays by it like tempo",
    source="extended Kalman filter on a logistic recall curve; it begins at the spans of people",
    table=student_table,
    memory=("called", "before", "shift", "gain"),
    mean=Param(SPAN_MEAN, 0.0, 208.0, "the capacity it begins with"),
    sd=Param(SPAN_SD, 0.05, 100.0, "how unsure of it, one standard deviation"),
    s=Param(0.535, 0.05, 100.0, "how gradually recall fades around a capacity"),
    last=Param(5, 0, 208, "with fewer cards in the pack it only doubts: there is no next stack"),
)
def student(view, ctx):
    """Call the stack that the opponent more likely fails by the estimate of the capacity k so far.

    After each recital of n cards k moves by variance * (right - P) / s, and the precision, which is
    1 / variance, grows by P (1 - P) / s^2, P = 1 / (1 + exp((n - k) / s)) being what was expected.
    Memory: `called` the stack last called, `before` the own cards then; in millionths `shift`, by
    which the estimate has left `mean`, and `gain`, what the precision has grown by.
    """
    mean = ctx.mean + ctx.shift / MILLION
    if ctx.called > 0:
        right = 1.0 if view.claimed == ctx.before else 0.0
        expected = 1.0 / (1.0 + math.exp((ctx.called - mean) / ctx.s))
        growth = expected * (1.0 - expected) / ctx.s**2
        precision = 1.0 / ctx.sd**2 + ctx.gain / MILLION + growth
        mean += (right - expected) / ctx.s / precision
        ctx.shift = np.int64((mean - ctx.mean) * MILLION)
        ctx.gain += np.int64(growth * MILLION)
        ctx.called = 0
    other = max(np.int64(math.floor(mean)) + 1, 1)
    own = np.int64(look_up(ctx, 0))
    wants = view.stack >= other
    if view.pack >= ctx.last and not wants:
        in_danger = is_called_first(0, own, other) and not is_called_first(1, own, other)
        wants = in_danger and view.stack == first_met(1, own) - 1
    if wants and view.stack > 0:
        ctx.called = view.stack
        ctx.before = view.claimed
    return act(view, wants)
