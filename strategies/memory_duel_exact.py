"""The memory duel solved exactly, for recall that nobody feels: backward induction.

Such a game has no secrets: the state is (pack, stack, mover, and for some questions what each has
claimed), a recital is chance with known odds, and a zero-sum game of turns has a value and an
optimal action in each state. Two questions are kept apart:

- cards: how many more cards a player claims than the other. What was claimed before makes no
  difference to what is best, so `solve_cards` needs only (pack, stack, mover).
- wins: the probability of winning, a draw being half a win. What is best depends on the lead, so
  `evaluate` also has the cards claimed so far. It answers both questions, for players who play
  best and for players who follow a given policy.

`recall` is always a pair of arrays: the probability with which seat 0 and seat 1 recite n cards.
Persistent memories, which their owner feels, are solved in `memory_duel_felt`.
"""

from dataclasses import dataclass

import numpy as np

#: A call must be better than not calling by this much: ties, and rounding, go to not calling.
CLEARLY = 1e-12


@dataclass(frozen=True)
class CardSolution:
    """The solution for cards. Arrays have the axes (mover, pack, stack).

    `value` is what the player to move gains on the other from here on; `calls` is whether a call is
    the best action. `last_calls`, with the axes (mover, stack), is that for the player to move with
    an empty pack after the other has declined.
    """

    value: np.ndarray
    calls: np.ndarray
    last_calls: np.ndarray

    @property
    def start(self) -> float:
        """What seat 0, who starts, gains on seat 1 in the whole game."""
        return float(self.value[0, -1, 0])


def solve_cards(recall, cards, *, beyond=True):
    """Solve the duel for the difference of claimed cards.

    With V(m, n, s) for the value to mover m of a pack of n and a stack of s, q being the other:
    a call gains s (1 - 2 recall_q(s)) - V(q, n, 0), raising gains -V(q, n - 1, s + 1). With
    `beyond` false they care for the stack on the table alone: V(q, n, 0) counts nothing.
    """
    stacks = np.arange(cards + 1)
    stakes = np.array([stacks * (1.0 - 2.0 * recall[1 - m][: cards + 1]) for m in (0, 1)])
    value = np.zeros((2, cards + 1, cards + 1))
    calls = np.zeros((2, cards + 1, cards + 1), bool)
    last_calls = stakes > CLEARLY  # MD-6: the last who may call, or leaves the cards
    for m in (0, 1):
        left = -np.maximum(stakes[1 - m], 0.0)
        calls[m, 0] = stakes[m] > left + CLEARLY
        value[m, 0] = np.maximum(stakes[m], left)
    for n in range(1, cards + 1):
        for m in (0, 1):
            value[m, n, 0] = -value[1 - m, n - 1, 1]  # an empty stack cannot be called, MD-4
        size = cards - n + 1
        for m in (0, 1):
            call = stakes[m, 1:size] - beyond * value[1 - m, n, 0]  # MD-5
            other = -value[1 - m, n - 1, 2 : size + 1]
            calls[m, n, 1:size] = call > other + CLEARLY
            value[m, n, 1:size] = np.maximum(call, other)
    return CardSolution(value, calls, last_calls)


@dataclass(frozen=True)
class Policy:
    """How a player plays: the probability of a call.

    `calls` has the axes (pack, stack, cards claimed by this player), `last` (stack, claimed) for an
    empty pack after the other has declined. An axis of length 1 means that it does not matter.
    """

    calls: np.ndarray
    last: np.ndarray

    @classmethod
    def of_solution(cls, solution, seat):
        """The optimal play of a seat for cards."""
        calls = solution.calls[seat, :, :, None].astype(float)
        return cls(calls, solution.last_calls[seat, :, None].astype(float))


@dataclass(frozen=True)
class Evaluation:
    """The worth of a game to seat 0, and the policies by which it was played.

    For a seat that plays best its policy is what was found best.
    """

    value: float
    policies: tuple


def cards_utility(first, second):
    """What the result is worth to seat 0 in cards."""
    return (first - second).astype(float)


def wins_utility(first, second):
    """What the result is worth to seat 0 in games won, a draw being half a win."""
    return (first > second) + 0.5 * (first == second)


UTILITIES = {"cards": cards_utility, "wins": wins_utility}


class _Layers:
    """Backward induction over the pack, all stacks and claims of a pack size at once.

    Arrays have the axes (stack, cards claimed by seat 0); entries with more cards than there are
    hold nonsense and are never used.
    """

    def __init__(self, recall, cards, objective, policies):
        self.cards, self.policies = cards, policies
        self.utility = UTILITIES[objective]
        self.stack, self.first = np.ogrid[: cards + 1, : cards + 1]
        self.recall = [curve[: cards + 1, None] for curve in recall]
        self.found = [
            None if policy else Policy(np.zeros((cards + 1,) * 3), np.zeros((cards + 1,) * 2))
            for policy in policies
        ]

    def own(self, seat, pack):
        """The number of cards that a seat has claimed, within the axis."""
        if seat == 0:
            return np.broadcast_to(self.first, (self.cards + 1,) * 2)
        return np.clip(self.cards - pack - self.stack - self.first, 0, self.cards)

    def choose(self, seat, pack, call, other, last=False):
        """The value to seat 0 of a decision of a seat, and note what was best."""
        policy = self.policies[seat]
        if policy is None:
            better = (call > other + CLEARLY) if seat == 0 else (call < other - CLEARLY)
            better = better & (self.stack > 0)
            where = self.found[seat].last if last else self.found[seat].calls[pack]
            valid = self.first <= self.cards - pack - self.stack
            rows, columns = np.nonzero(better & valid)
            where[rows, self.own(seat, pack)[rows, columns]] = 1.0
            return np.where(better, call, other)
        table = policy.last if last else policy.calls[pack]
        weight = table
        if table.shape[-1] > 1:
            weight = np.take_along_axis(table, self.own(seat, pack), 1)
        weight = np.where(self.stack > 0, weight, 0.0)
        return weight * call + (1.0 - weight) * other

    def call(self, seat, starts):
        """The value to seat 0 of a call by a seat; `starts` are values by cards of seat 0. MD-4"""
        more = np.minimum(self.first + self.stack, self.cards)
        right = self.recall[1 - seat]
        if seat == 0:
            return right * starts[self.first] + (1.0 - right) * starts[more]
        return right * starts[more] + (1.0 - right) * starts[self.first]

    def end(self):
        """Values with an empty pack, by mover. MD-6"""
        all_claimed = self.utility(
            np.arange(self.cards + 1), self.cards - np.arange(self.cards + 1)
        )
        unclaimed = self.utility(self.first, self.cards - self.stack - self.first)
        calls = [self.call(seat, all_claimed) for seat in (0, 1)]
        last = [self.choose(seat, 0, calls[seat], unclaimed, True) for seat in (0, 1)]
        values = [self.choose(seat, 0, calls[seat], last[1 - seat]) for seat in (0, 1)]
        for seat in (0, 1):
            values[seat][0] = all_claimed
        return values

    def before(self, pack, later):
        """Values with this pack, by mover, from those with a card less."""
        starts = [later[1 - seat][1] for seat in (0, 1)]
        raised = [np.vstack([later[1 - seat][1:], later[1 - seat][-1:]]) for seat in (0, 1)]
        calls = [self.call(seat, starts[1 - seat]) for seat in (0, 1)]  # MD-5
        values = [self.choose(seat, pack, calls[seat], raised[seat]) for seat in (0, 1)]
        for seat in (0, 1):
            values[seat][0] = starts[seat]
        return values


def evaluate(recall, cards, policies=(None, None), objective="cards"):
    """The worth to seat 0 of a duel of two policies; None for a seat that plays best.

    `objective` is `cards` or `wins`. With two Nones it is the value of the game, with one the best
    response to the other.
    """
    layers = _Layers(recall, cards, objective, policies)
    values = layers.end()
    for pack in range(1, cards + 1):
        values = layers.before(pack, values)
    played = tuple(p or f for p, f in zip(policies, layers.found, strict=True))
    return Evaluation(float(values[0][0, 0]), played)
