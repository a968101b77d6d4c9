"""Strategies of the memory duel that look up the exact solution in a table made beforehand."""

from functools import lru_cache

import numpy as np

from sim.errors import StrategyError
from sim.rng import uniform
from sim.rulesets.memory_duel.cards import CALL
from sim.rulesets.memory_duel.legal import pass_on
from strategies import look_up, strategy
from strategies.memory_duel_exact import evaluate, solve_cards
from strategies.memory_duel_felt import FeltPolicy, Memory, solve_felt

GAME = "memory-duel"


def models_of(outlook, name):
    """The recall models of seat 0 and seat 1. Raises StrategyError where one is hidden."""
    if outlook.opponent is None:
        raise StrategyError(
            f"strategy {name} needs the opponent's recall model, which known_opponent=off hides"
        )
    pair = (outlook.own, outlook.opponent)
    return pair if outlook.seat == 0 else pair[::-1]


@lru_cache(maxsize=32)
def solution_for(models, cards):
    """The policies, as FeltPolicy, that are optimal for the difference of cards, and its value.

    By backward induction, and by linear programs where a memory is felt.
    """
    if any(model.persistent for model in models):
        solved = solve_felt(tuple(map(Memory.of, models)), cards)
        return solved.policies, float(solved.start[0, cards])
    solution = solve_cards([model.recall for model in models], cards)
    return tuple(felt_form(solution, seat) for seat in (0, 1)), solution.start


def felt_form(solution, seat):
    """The play of a seat by a CardSolution, whatever is felt."""
    calls = np.repeat(solution.calls[seat, :, :, None].astype(float), 2, axis=2)
    return FeltPolicy(calls, np.repeat(solution.last_calls[seat, :, None].astype(float), 2, axis=1))


@lru_cache(maxsize=4)
def wins_solution_for(models, cards):
    """The duel in which both play to win. Raises StrategyError where that is not solved."""
    if any(model.persistent for model in models):
        raise StrategyError(
            "strategy optimal-wins has no solution for persistent recall models; `optimal` has one "
            "for the difference of cards"
        )
    return evaluate([model.recall for model in models], cards, objective="wins")


def flat(policy):
    """A policy as the numbers of a table: those for an empty pack after a decline come last."""
    return np.concatenate([policy.calls.ravel(), policy.last.ravel()])


def card_table(outlook):
    """The table of `optimal`: by (pack, stack, whole), then by (stack, whole)."""
    models = models_of(outlook, "optimal")
    policies, _ = solution_for(models, outlook.options.cards)
    return flat(policies[outlook.seat])


def stack_table(outlook):
    """The table of `endgame`: its owner solves the stack on the table alone."""
    models = models_of(outlook, "endgame")
    recall = [model.recall for model in models]
    solution = solve_cards(recall, outlook.options.cards, beyond=False)
    return flat(felt_form(solution, outlook.seat))


def wins_table(outlook):
    """The table of `optimal-wins`: by (pack, stack, claimed), then by (stack, claimed)."""
    models = models_of(outlook, "optimal-wins")
    solved = wins_solution_for(models, outlook.options.cards)
    return flat(solved.policies[outlook.seat])


@strategy(
    GAME,
    summary="plays the exact solution for the difference of cards",
    source="backward induction; with persistent memories a linear program in sequence form",
    uses_chance=True,
    table=card_table,
)
def optimal(view, ctx):
    """Call with the probability of the solution; only with persistent memories is it not 0 or 1."""
    whole = np.int64(view.sure < 0 or view.sure == view.stack)
    size = view.cards + 1
    place = (view.pack * size + view.stack) * 2 + whole
    if view.declined:
        place = (size * size + view.stack) * 2 + whole
    return CALL if uniform(ctx) < look_up(ctx, place) and view.stack > 0 else pass_on(view)


@strategy(
    GAME,
    name="optimal-wins",
    summary="plays the exact solution for winning, which depends on the lead",
    source="backward induction over pack, stack, mover and lead",
    table=wins_table,
)
def optimal_wins(view, ctx):
    """Call where that wins more games, a draw being half a win."""
    size = view.cards + 1
    place = (view.pack * size + view.stack) * size + view.claimed
    if view.declined:
        place = (size * size + view.stack) * size + view.claimed
    return CALL if look_up(ctx, place) > 0.5 else pass_on(view)


@strategy(
    GAME,
    summary="solves the stack on the table to the last card, and forgets what comes after it",
    source="backward induction without what follows: who has the last chance to call",
    table=stack_table,
)
def endgame(view, ctx):
    """Care for this stack alone: the parity of the cards left decides who calls at the end."""
    size = view.cards + 1
    place = (view.pack * size + view.stack) * 2 + 1
    if view.declined:
        place = (size * size + view.stack) * 2 + 1
    return CALL if look_up(ctx, place) > 0.5 else pass_on(view)
