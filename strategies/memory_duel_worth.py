"""What strategies of the memory duel are worth, exactly: against each other, and at the worst.

A strategy whose choice depends on the public state, the lead and on whether the stack is whole in
mind is asked about every such state, and the table of its answers is evaluated by induction. A
strategy that remembers, or that draws random numbers in a way only it knows, has no such table.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np
from numba import from_dtype, types

import sim.games
from sim.engine import call_address, context_dtype
from sim.errors import StrategyError
from sim.experiment import Experiment
from sim.jit import compile_function
from strategies.memory_duel_exact import Policy, evaluate
from strategies.memory_duel_felt import FeltPolicy, Memory, felt_value
from strategies.memory_duel_optimal import solution_for, wins_solution_for

GAME = "memory-duel"
#: Fields of the view that tell of earlier recitals; a table knows nothing of them.
HISTORY = ({"last_caller": -1}, {"calls": 3, "last_call": 4, "last_caller": 1, "last_recited": 1})


def _ask_all(views, contexts, address, actions):
    for i in range(len(views)):
        actions[i] = call_address(address, views[i], contexts[0])


@cache
def _asker():
    rules = sim.games.load(GAME)

    def array(dtype):
        return types.Array(from_dtype(dtype), 1, "C")

    signature = (
        array(rules.view_dtype),
        array(context_dtype),
        types.uint64,
        types.Array(types.int64, 1, "C"),
    )
    return compile_function(_ask_all, signature)


def _answers(experiment, seat, views):
    """The actions of a seat's strategy for an array of views."""
    seating = experiment.seating
    contexts = np.zeros(1, context_dtype)
    words = seating.words[seat]
    contexts["words"][0, : len(words)] = words
    actions = np.zeros(len(views), np.int64)
    _asker()(views.copy(), contexts, seating.strategies[seat].address, actions)
    return actions


def states_of(cards, *, with_lead):
    """(pack, stack, claimed, declined) of all decisions, as four arrays; one claim without lead."""
    found = []
    for pack in range(cards):
        for stack in range(1, cards - pack + 1):
            for claimed in range(cards - pack - stack + 1) if with_lead else (0,):
                found.append((pack, stack, claimed, 0))
                if pack == 0:
                    found.append((pack, stack, claimed, 1))
    return np.array(found).T


def views_of(experiment, seat, states, whole, history):
    """What a seat sees in these states; `whole`: it is sure of the stack, where that is felt."""
    rules, options = experiment.rules, experiment.options
    own, other = experiment.recall[seat], experiment.recall[1 - seat]
    pack, stack, claimed, declined = states
    views = np.zeros(len(pack), rules.view_dtype)
    views["pack"], views["stack"], views["declined"] = pack, stack, declined
    views["claimed"] = claimed
    views["opponent_claimed"] = options.cards - pack - stack - claimed
    views["cards"], views["seat"] = options.cards, seat
    views["any_order"] = options.order == "any-order"
    views["known_opponent"] = options.known_opponent
    views["opponent_recall"] = other.recall[stack] if options.known_opponent else -1.0
    later = np.where(pack > 0, stack + 1, stack)
    if own.persistent:
        views["sure"] = stack if whole else stack - 1
        views["own_recall"] = float(whole)
        views["own_recall_next"] = np.where(pack > 0, own.hold[later], 0.0) if whole else 0.0
    else:
        views["sure"] = -1
        views["own_recall"] = own.recall[stack]
        views["own_recall_next"] = np.where(pack > 0, own.recall[later], 0.0)
    for name, value in history.items():
        views[name] = value
    return views


def is_felt(experiment):
    """Whether a player of this experiment has a persistent memory."""
    return any(model.persistent for model in experiment.recall)


def policy_of(experiment, seat):
    """The table of a seat's strategy: a Policy, or a FeltPolicy when a memory is felt.

    Raises StrategyError for a strategy without one.
    """
    part = experiment.seats[seat].parts[0]
    name, cards = part.info.name, experiment.options.cards
    felt = is_felt(experiment)
    if name == "random":
        half = np.full((1, 1, 2), 0.5) if felt else np.full((1, 1, 1), 0.5)
        shape = (cards + 1, cards + 1, half.shape[2])
        kind = FeltPolicy if felt else Policy
        return kind(np.broadcast_to(half, shape), np.broadcast_to(half[0], shape[1:]))
    if name == "optimal":
        policy = solution_for(experiment.recall, cards)[0][seat]
        return policy if felt else Policy(policy.calls[:, :, 1:], policy.last[:, 1:])
    if part.info.memory:
        raise StrategyError(f"strategy {part.text()} remembers, so no table tells how it plays")
    if part.info.uses_chance:
        raise StrategyError(f"strategy {part.text()} draws, so no table tells how it plays")
    return _asked_felt(experiment, seat) if felt else _asked(experiment, seat)


def _called(experiment, seat, states, whole):
    """Whether a seat's strategy calls in each state. Raises StrategyError where history matters."""
    calls = [
        _answers(experiment, seat, views_of(experiment, seat, states, whole, told)) == 1
        for told in HISTORY
    ]
    if not np.array_equal(*calls):
        text = experiment.seats[seat].spec
        raise StrategyError(
            f"strategy {text} looks at earlier recitals, so no table tells how it plays"
        )
    return calls[0]


def _asked(experiment, seat):
    cards = experiment.options.cards
    states = states_of(cards, with_lead=True)
    called = _called(experiment, seat, states, True)
    pack, stack, claimed, declined = states
    calls, last = np.zeros((cards + 1,) * 3), np.zeros((cards + 1,) * 2)
    early = declined == 0
    calls[pack[early], stack[early], claimed[early]] = called[early]
    last[stack[~early], claimed[~early]] = called[~early]
    return Policy(calls, last)


def _asked_felt(experiment, seat):
    cards = experiment.options.cards
    policy = FeltPolicy.empty(cards)
    states = states_of(cards, with_lead=False)
    pack, stack, _, declined = states
    early = declined == 0
    for whole in (0, 1):
        called = _called(experiment, seat, states, bool(whole))
        ahead = np.array([pack, stack, cards - pack - stack, declined])
        if not np.array_equal(called, _called(experiment, seat, ahead, bool(whole))):
            text = experiment.seats[seat].spec
            raise StrategyError(
                f"strategy {text} looks at the lead, which the solution for persistent memories "
                f"does not"
            )
        policy.calls[pack[early], stack[early], whole] = called[early]
        policy.last[stack[~early], whole] = called[~early]
    return policy


def worth(experiment, objective="cards", policies=None):
    """What a game is worth to seat 0: cards more than seat 1, or (`wins`) games won.

    `policies` are those of the strategies unless given; None for a seat that responds best.
    """
    if policies is None:
        policies = tuple(policy_of(experiment, seat) for seat in (0, 1))
    cards = experiment.options.cards
    if is_felt(experiment):
        if objective != "cards":
            raise StrategyError("the win rate with persistent memories is not solved")
        return felt_value(tuple(map(Memory.of, experiment.recall)), cards, policies)
    recall = [model.recall for model in experiment.recall]
    return evaluate(recall, cards, policies, objective).value


def game_value(experiment, objective="cards"):
    """What a game is worth to seat 0 when both play best."""
    if objective == "wins":
        return wins_solution_for(experiment.recall, experiment.options.cards).value
    return solution_for(experiment.recall, experiment.options.cards)[1]


@dataclass(frozen=True)
class Weakness:
    """How much a strategy gives away to an opponent who knows it, in each seat."""

    as_first: float
    as_second: float

    @property
    def mean(self):
        """The mean over the two seats."""
        return (self.as_first + self.as_second) / 2


def exploitability(experiment, objective="cards"):
    """What a best response to the strategy of each seat gains beyond the value of the game.

    The strategy of seat 0 is taken for `as_first`, that of seat 1 for `as_second`. Never negative,
    and 0 exactly for optimal play. Raises StrategyError for a strategy without a table.
    """
    value = game_value(experiment, objective)
    first, second = (policy_of(experiment, seat) for seat in (0, 1))
    against_first = worth(experiment, objective, (first, None))
    against_second = worth(experiment, objective, (None, second))
    return Weakness(value - against_first, against_second - value)


def experiment_of(spec, models=(), *, other=None, seed=1, **options):
    """The duel of a strategy against another, or itself."""
    specs = [spec] if other is None else [spec, other]
    return Experiment.make(GAME, specs, options=options, seed=seed, models=models)
