"""A game played one decision at a time from Python, with the same compiled step functions.

Slower than the engine's loop by far; it serves whatever must look at a game in the middle: the leak
audit, messages about a failed decision, and tests.
"""

from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np
from numba import from_dtype, types

from sim.contract import Ruleset
from sim.engine import SEATS_A_KIND, Seating, state_array
from sim.jit import compile_function
from sim.options import RuleOptions
from sim.rng import output_of, roots, stream_dtype


@cache
def compiled_steps(rules: Ruleset) -> SimpleNamespace:
    """The step functions as functions of arrays, compiled."""
    deal_, done_, to_move_, decision_ = rules.deal, rules.done, rules.to_move, rules.decision
    observe_, legal_, apply_, redeal_ = rules.observe, rules.legal, rules.apply, rules.redeal
    count_legal_, nth_legal_, outcome_ = rules.count_legal, rules.nth_legal, rules.outcome

    def deal(states, streams, root, game):
        streams[0].key = output_of(root, game)
        deal_(states[0], streams[0], None)

    def look(states, views):
        """(seat, kind) of the player to move, whose view is filled; seat -1: the game is over."""
        if done_(states[0]):
            return -1, -1
        seat = to_move_(states[0])
        observe_(states[0], seat, views[0])
        return seat, decision_(states[0])

    def legal(states, action):
        return legal_(states[0], action)

    def apply(states, action, streams):
        apply_(states[0], action, streams[0], None)

    def redeal(states, seat, streams):
        redeal_(states[0], seat, streams[0])

    def outcome(states, rows):
        outcome_(states[0], rows[0])

    def count_legal(views):
        return count_legal_(views[0])

    def nth_legal(views, n):
        return nth_legal_(views[0], n)

    def array(dtype: Any) -> Any:
        return types.Array(from_dtype(dtype), 1, "C")

    states, views = array(rules.state_dtype), array(rules.view_dtype)
    streams, rows, number = array(stream_dtype), array(rules.row_dtype()), types.int64
    signatures = [
        (deal, (states, streams, types.uint64, number)),
        (look, (states, views)),
        (legal, (states, number)),
        (apply, (states, number, streams)),
        (redeal, (states, number, streams)),
        (outcome, (states, rows)),
        (count_legal, (views,)),
        (nth_legal, (views, number)),
    ]
    return SimpleNamespace(
        **{f.__name__: compile_function(f, signature) for f, signature in signatures}
    )


class Stepper:
    """One game of a seed. `seat` and `kind` say who decides what; seat -1 when the game is over."""

    def __init__(
        self, rules: Ruleset, options: RuleOptions, seed: int, game: int, seating: Seating | None
    ) -> None:
        self.rules, self.options, self.seating = rules, options, seating
        self.steps = compiled_steps(rules)
        self.states = state_array(rules, options, seating.models if seating else ())
        self.views = np.zeros(1, rules.view_dtype)
        self.streams = np.zeros(1, stream_dtype)
        deal_root, strategy_root = roots(seed)
        self.contexts = self._fresh_contexts(strategy_root, game)
        self.decisions = 0
        self.steps.deal(self.states, self.streams, deal_root, game)
        self.look()

    def _fresh_contexts(self, root: int, game: int) -> list[np.ndarray[Any, Any]]:
        if self.seating is None:
            return []
        seats = self.rules.seats(self.options)
        contexts = []
        game_key = output_of(np.uint64(root), game)
        for slot, compiled in enumerate(self.seating.strategies):
            context = np.zeros(1, compiled.info.context_dtype())
            purpose = slot % seats + SEATS_A_KIND * (slot // seats)
            context["state"] = output_of(np.uint64(game_key), purpose)
            words = np.array(self.seating.words[slot], np.int64)
            context.view(np.int64)[1:] = words
            contexts.append(context)
        return contexts

    def look(self) -> None:
        """Fill the view afresh from the state."""
        self.views.view(np.uint8)[:] = 0
        self.seat, self.kind = self.steps.look(self.states, self.views)

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return bool(self.seat < 0)

    @property
    def view(self) -> Any:
        """The view of the player to move."""
        return self.views[0]

    @property
    def slot(self) -> int:
        """The place of the player to move among the seating's functions."""
        return int(self.kind * self.rules.seats(self.options) + self.seat)

    def legal_actions(self) -> list[int]:
        """All legal actions in their documented order."""
        count = self.steps.count_legal(self.views)
        return [int(self.steps.nth_legal(self.views, n)) for n in range(count)]

    def is_legal(self, action: int) -> bool:
        """Whether the rules allow the action now."""
        return bool(self.steps.legal(self.states, action))

    def ask(self) -> int:
        """The action that the strategy to move chooses; its random stream moves on."""
        assert self.seating is not None
        compiled = self.seating.strategies[self.slot]
        view = self.views.copy()  # a strategy may write to its view
        return compiled.decide(view, self.contexts[self.slot])

    def apply(self, action: int) -> None:
        """Carry out a legal action."""
        self.steps.apply(self.states, action, self.streams)
        self.decisions += 1
        self.look()

    def outcome(self) -> Any:
        """The row of the games table."""
        rows = np.zeros(1, self.rules.row_dtype())
        self.steps.outcome(self.states, rows)
        return rows[0]
