"""The state of a memory duel, and what is worked out once for all games of a run.

Most of a view is one of two blocks that lie ready in the state, in the order of the view: what a
seat knows of the game so far, which changes with a call, and its outlook on a stack of some size,
which never changes. `observe` copies both (`sim.bits.copy_fields`).
"""

from typing import Any

import numpy as np

from sim.recall import MOST_CARDS
from sim.rulesets.memory_duel.cards import SEATS, view_dtype


def part_of_view(first: str, last: str) -> np.dtype[Any]:
    """A record of the fields of the view from `first` to `last`."""
    names = list(view_dtype.names or ())
    chosen = names[names.index(first) : names.index(last) + 1]
    return np.dtype([(name, view_dtype[name]) for name in chosen], align=True)


known_dtype = part_of_view("claimed", "sure")
outlook_dtype = part_of_view("own_recall", "seat")
#: The outlooks lie in one row: that of a seat on a stack is at `SEATS * stack + seat`.
OUTLOOKS = SEATS * (MOST_CARDS + 1)

_models = np.dtype((np.float64, (SEATS, MOST_CARDS + 1)))

state_dtype = np.dtype(
    [
        ("pack", np.int64),
        ("mover", np.int64),
        ("stack", np.int64),
        ("over", np.int64),
        ("known", known_dtype, (SEATS,)),
        ("felt", np.int64),
        # options
        ("cards", np.int64),
        ("order", np.int64),
        ("known_opponent", np.int64),
        # recall models
        ("persistent", np.int64, (SEATS,)),
        ("recall", _models),
        ("keep", _models),
        ("hold", _models),
        # what follows from both
        ("outlook", outlook_dtype, (OUTLOOKS,)),
    ],
    align=True,
)


def prepare(states: np.ndarray[Any, Any]) -> None:
    """Work out the outlooks from the options and the recall models, in plain Python. MD-9"""
    for state in states:
        outlooks = state["outlook"].reshape(MOST_CARDS + 1, SEATS)
        for seat in range(SEATS):
            mine, own, other = outlooks[:, seat], state["recall"][seat], state["recall"][1 - seat]
            mine["own_recall"] = own
            mine["own_recall_next"] = [*own[1:], 0.0]
            mine["opponent_recall"] = other if state["known_opponent"] else -1.0
            mine["cards"] = state["cards"]
            mine["any_order"] = state["order"]
            mine["known_opponent"] = state["known_opponent"]
            mine["seat"] = seat
