"""The memory duel solved exactly when memories are felt: a game of private knowledge.

A player with a persistent memory knows whether the stack is still whole in mind. A card lost stays
lost, so that is one private bit, `whole` or `broken`, and nothing else of what is felt can matter:
a broken stack cannot be recited, however little is missing. The bits change only when a card is
laid, whoever lays it, and are forgotten with the stack. All that is public about a stack is that
everybody has raised so far. Two consequences make the game small:

- A call ends the stack, claims it, and begins the next with a smaller pack: for the difference of
  cards the value of what follows is a number, found first. So each (pack, mover) with an empty
  stack is a game of its own.
- Within it a behaviour is a probability of calling for each (stack, bit), and the probability that
  a player has come to a stack with a bit and has not called is linear in the sequence form (Koller,
  Megiddo, von Stengel 1996). The game is one small linear program, solved for both players at once.

`solve_felt` does that; `felt_value` computes, apart from it and by plain induction, what a
behaviour is worth against another or against a best response, which bounds every claim of
optimality. Players whose recall is drawn at the call (all models but persistent ones) have a bit
that never breaks.

What this does not cover: the probability of winning (it needs the lead), unknown models, and
players whose memories are not independent.
"""

from dataclasses import dataclass

import numpy as np

#: Realisation weights below this are rounding.
TINY = 1e-9


@dataclass(frozen=True)
class Memory:
    """A memory as the solver sees it, by number of cards: axis (cards,).

    `hold[n]` is the probability that a whole stack stays whole when the n-th card is laid; `right`
    the probability of reciting n cards while whole; a broken one is never recited.
    """

    hold: np.ndarray
    right: np.ndarray

    @classmethod
    def of(cls, model):
        """The memory of a recall model (`sim.recall.Model`)."""
        if model.persistent:
            return cls(model.hold, np.ones(len(model.table)))
        return cls(np.ones(len(model.table)), model.table)


@dataclass(frozen=True)
class FeltPolicy:
    """The probability of a call: `calls` by (pack, stack, whole), `last` by (stack, whole).

    `whole` is 0 or 1; `last` is for an empty pack after the other has declined.
    """

    calls: np.ndarray
    last: np.ndarray

    @classmethod
    def empty(cls, cards):
        """A policy that never calls."""
        return cls(np.zeros((cards + 1, cards + 1, 2)), np.zeros((cards + 1, 2)))


@dataclass(frozen=True)
class FeltSolution:
    """`start[m, n]` is what mover m gains from a pack of n and an empty stack; the policies."""

    start: np.ndarray
    policies: tuple


def turns_of(size, mover):
    """The decisions of a stack that begins with a pack of `size`: (seat, stack, is last)."""
    found = [((mover + stack) % 2, stack, False) for stack in range(1, size + 1)]
    seat, stack, _ = found[-1]
    return [*found, (1 - seat, stack, True)]  # MD-6: after a decline


class _Side:
    """One seat's sequence form: weights of (root, then for each turn call and not, whole, broken).

    `flow(stack)` gives the rows that make the weights of coming to a stack whole and broken.
    """

    def __init__(self, seat, memory, turns):
        self.memory = memory
        self.own = [place for place, turn in enumerate(turns) if turn[0] == seat]
        self.size = 1 + 4 * len(self.own)
        self.flows = np.zeros((len(turns), 2, self.size))  # (turn, [broken, whole], weights)
        self.equations = np.zeros((1 + 2 * len(self.own), self.size))
        self.equations[0, 0] = 1.0
        rows = np.zeros((2, self.size))
        rows[1, 0] = 1.0  # nothing is laid yet: whole
        at = 0
        for place, (mover, stack, _) in enumerate(turns):
            if stack > at:
                lost = (1.0 - memory.hold[stack]) * rows[1]
                rows = np.array([rows[0] + lost, rows[1] - lost])
                at = stack
            self.flows[place] = rows
            if mover == seat:
                first = self.call(place)
                rows = np.zeros((2, self.size))
                for bit in (0, 1):
                    rows[bit, first + 2 + bit] = 1.0  # who calls does not come further
                    row = 1 + 2 * self.own.index(place) + bit
                    self.equations[row] = self.flows[place, bit]
                    self.equations[row, [first + bit, first + 2 + bit]] -= 1.0

    def call(self, place):
        """Where the weights of a call at a turn begin: broken, whole; those of no call follow."""
        return 1 + 4 * self.own.index(place)


def _payoffs(turns, size, sides, next_value):
    """The payoff to seat 0 as a matrix: weights of seat 0 times matrix times weights of seat 1."""
    matrix = np.zeros((sides[0].size, sides[1].size))
    for place, (seat, stack, _) in enumerate(turns):
        other = sides[1 - seat]
        gain = stack - 2.0 * stack * np.array([0.0, other.memory.right[stack]])
        gain = gain - next_value[1 - seat, size - stack]  # MD-5: the other moves next
        first = sides[seat].call(place)
        columns = gain @ other.flows[place]
        for bit in (0, 1):
            if seat == 0:
                matrix[first + bit] += columns
            else:
                matrix[:, first + bit] -= columns
    return matrix


def _solve_stack(turns, size, memories, next_value):
    """(value to seat 0, weights of seat 0, weights of seat 1) of the game of one stack."""
    from scipy.optimize import linprog

    sides = [_Side(seat, memories[seat], turns) for seat in (0, 1)]
    matrix = _payoffs(turns, size, sides, next_value)
    first, second = sides
    # max u_root: second's equations' u <= first's weights' payoffs, first's weights are consistent
    limits = np.hstack([-matrix.T, second.equations.T])
    equal = np.hstack([first.equations, np.zeros((len(first.equations), len(second.equations)))])
    target = np.zeros(len(first.equations))
    target[0] = 1.0
    cost = np.zeros(first.size + len(second.equations))
    cost[first.size] = -1.0
    bounds = [(0.0, None)] * first.size + [(None, None)] * len(second.equations)
    solved = linprog(
        cost, limits, np.zeros(second.size), equal, target, bounds=bounds, method="highs"
    )
    if solved.status != 0:
        raise ArithmeticError(f"the linear program of a stack was not solved: {solved.message}")
    weights = solved.x[: first.size], -solved.ineqlin.marginals
    return -solved.fun, weights, sides


def solve_felt(memories, cards):
    """Minimax behaviours of both seats for the difference of cards, and the values. See above."""
    start = np.zeros((2, cards + 1))
    policies = tuple(FeltPolicy.empty(cards) for _ in (0, 1))
    for size in range(1, cards + 1):
        for mover in (0, 1):
            turns = turns_of(size, mover)
            value, weights, sides = _solve_stack(turns, size, memories, start)
            start[mover, size] = value if mover == 0 else -value
            for place, (seat, stack, is_last) in enumerate(turns):
                at = sides[seat].call(place)
                called, not_called = weights[seat][at : at + 2], weights[seat][at + 2 : at + 4]
                chance = _chances(called, not_called, memories[1 - seat], stack)
                if is_last:
                    policies[seat].last[stack] = chance
                else:
                    policies[seat].calls[size - stack, stack] = chance
    return FeltSolution(start, policies)


def _chances(called, not_called, other, stack):
    """Probabilities of a call; where a player never comes, call what more likely fails."""
    reached = np.maximum(called, 0.0) + np.maximum(not_called, 0.0)
    likely = np.prod(other.hold[1 : stack + 1]) * other.right[stack]
    resort = float(likely < 0.5)
    safe = np.where(reached > TINY, reached, 1.0)
    return np.clip(np.where(reached > TINY, np.maximum(called, 0.0) / safe, resort), 0.0, 1.0)


def felt_value(memories, cards, policies):
    """What seat 0 gains when both follow behaviours; None for a seat that responds best.

    At most one may be None. By induction over the pack, and within a stack over (stack, own bit),
    the other's bits weighed by how likely they have come this far without calling.
    """
    me = 1 if policies[1] is None else 0
    start = np.zeros((2, cards + 1))  # what I gain, by mover
    for size in range(1, cards + 1):
        for mover in (0, 1):
            start[mover, size] = _stack_value(
                turns_of(size, mover), size, memories, policies, me, start
            )
    gained = float(start[0, cards])
    return gained if me == 0 else -gained


def _stack_value(turns, size, memories, policies, me, start):
    """What I gain from a stack that begins now; arrays by bit: broken, whole."""
    reach, calls = _others_reach(turns, size, memories[1 - me], policies[1 - me], me)
    later = np.zeros(2)  # my gain from the next turn on, by my bit, weighed by the other's reach
    for place in range(len(turns) - 1, -1, -1):
        seat, stack, is_last = turns[place]
        next_gain = start[1 - seat, size - stack]
        if seat == me:
            right = memories[1 - me].right[stack] * np.array([0.0, 1.0])
            call = float(reach[place] @ (stack * (1.0 - 2.0 * right) + next_gain))
            own = policies[me]
            if own is None:
                later = np.maximum(call, later)
            else:
                chance = own.last[stack] if is_last else own.calls[size - stack, stack]
                later = chance * call + (1.0 - chance) * later
        else:
            right = memories[me].right[stack] * np.array([0.0, 1.0])
            lost = stack * (1.0 - 2.0 * right) - next_gain
            later = later - calls[place].sum() * lost
        if not is_last:  # before this turn a card was laid
            hold = memories[me].hold[stack]
            later = np.array([later[0], hold * later[1] + (1.0 - hold) * later[0]])
    return float(later[1])


def _others_reach(turns, size, memory, policy, me):
    """Weights, by bit, of the other coming to each turn without calling, and of calling there."""
    reach, calls = np.zeros((len(turns), 2)), np.zeros((len(turns), 2))
    now = np.array([0.0, 1.0])
    for place, (seat, stack, is_last) in enumerate(turns):
        if not is_last:
            hold = memory.hold[stack]
            now = np.array([now[0] + (1.0 - hold) * now[1], hold * now[1]])
        reach[place] = now
        if seat != me:
            chance = policy.last[stack] if is_last else policy.calls[size - stack, stack]
            calls[place] = now * chance
            now = now - calls[place]
    return reach, calls
