"""The compiled memory duel on a table: positions, named actions, a trace of it all."""

from collections.abc import Sequence
from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np
from hypothesis import strategies as st
from numba import from_dtype, types

import sim.games
from sim.contract import Event
from sim.engine import LOG_TYPE, Seating
from sim.jit import compile_function
from sim.rng import output_of, roots, stream_dtype
from sim.stepper import Stepper
from strategies.models import parse_model

RULES = sim.games.load("memory-duel")
LOG_ROWS = 1024
#: Actions by the names of the referee.
NUMBERS = {"raise": 0, "call": 1, "decline": 2}
NAMES = {number: name for name, number in NUMBERS.items()}
SURE, LOST = "iid(1)", "iid(0)"


@cache
def logged_steps() -> SimpleNamespace:
    """The step functions that write events, compiled with an event log."""
    deal_, apply_ = RULES.deal, RULES.apply

    def logged_deal(states, streams, root, game, log):  # type: ignore[no-untyped-def]
        streams[0].key = output_of(root, game)
        deal_(states[0], streams[0], log)

    def logged_apply(states, action, streams, log):  # type: ignore[no-untyped-def]
        apply_(states[0], action, streams[0], log)

    states = types.Array(from_dtype(RULES.state_dtype), 1, "C")
    streams = types.Array(from_dtype(stream_dtype), 1, "C")
    deal_types = (states, streams, types.uint64, types.int64, LOG_TYPE)
    apply_types = (states, types.int64, streams, LOG_TYPE)
    return SimpleNamespace(
        deal=compile_function(logged_deal, deal_types),
        apply=compile_function(logged_apply, apply_types),
    )


def story(events: Sequence[Event]) -> list[str]:
    """Events in short: `0 lays`, `1 calls 7: 0 claims`, `0 declines`, `end 7-0, 2 left`."""
    return [_short(event) for event in events]


def _short(event: Event) -> str:
    if event["ev"] == "raise":
        return f"{event['seat']} lays"
    if event["ev"] == "call":
        return f"{event['seat']} calls {event['cards']}: {event['claimed_by']} claims"
    if event["ev"] == "decline":
        return f"{event['seat']} declines"
    first, second = event["claimed"]
    return f"end {first}-{second}, {event['unclaimed']} left"


class Table(Stepper):
    """One game of the kernel, dealt from a seed; every decision is taken with and without a log."""

    def __init__(
        self,
        *models: str,
        seed: int = 1,
        index: int = 0,
        seating: Seating | None = None,
        **options: Any,
    ) -> None:
        """Deal game `index` of a seed, for seats with these recall models (one: for both)."""
        checked = RULES.options.from_mapping(options)
        specs = models * 2 if len(models) == 1 else models or ("logistic", "logistic")
        memories = tuple(parse_model(spec, RULES, checked) for spec in specs)
        super().__init__(RULES, checked, seed, index, seating or Seating((), (), memories))
        without_log = self.states.tobytes()
        self.log = np.zeros((LOG_ROWS, 3), np.int64)
        logged_steps().deal(self.states, self.streams, roots(seed)[0], index, self.log)
        assert self.states.tobytes() == without_log
        self.look()

    @property
    def events(self) -> list[Event]:
        """All events so far."""
        count = int(self.log[0, 0])
        assert count < LOG_ROWS
        return list(RULES.events(self.log[1 : count + 1], self.options))

    def apply(self, action: int) -> None:
        """Carry out a legal action with the log on; without it the same must come of it."""
        twin = self.states.view(np.uint8).copy().view(RULES.state_dtype)
        self.steps.apply(twin, action, self.streams.copy())
        logged_steps().apply(self.states, action, self.streams, self.log)
        assert self.states.tobytes() == twin.tobytes()
        self.decisions += 1
        self.look()

    def legal(self) -> list[str]:
        """The legal actions by name; the kernel's check and its list must agree."""
        listed = [NAMES[action] for action in self.legal_actions()]
        assert sorted(listed) == sorted(n for n, a in NUMBERS.items() if self.is_legal(a))
        return listed

    def act(self, names: str) -> list[str]:
        """Take actions, as `raise raise call`; `raise*5` is five of them. Returns the story."""
        before = len(self.events)
        for word in names.split():
            name, _, times = word.partition("*")
            for _ in range(int(times or 1)):
                action = NUMBERS[name]
                assert self.is_legal(action), f"{name} is illegal"
                self.apply(action)
        return story(self.events[before:])

    def refusal(self, name: str) -> str:
        """The clause that the kernel names against an illegal action."""
        action = NUMBERS[name]
        assert not self.is_legal(action)
        return RULES.clause_of(self.view, action)


#: Recall models of all kinds, certain ones among them.
MODEL_SPECS = st.one_of(
    st.builds("iid({})".format, st.sampled_from([0, 0.3, 0.8, 0.95, 1])),
    st.builds("persistent({})".format, st.sampled_from([0, 0.6, 0.9, 0.97, 1])),
    st.builds(
        "logistic(k={},s={},lapse={})".format,
        st.sampled_from([0, 4.65, 20]),
        st.sampled_from([0.01, 0.535, 3]),
        st.sampled_from([0, 0.027, 1]),
    ),
    st.builds(
        "capacity(k={},sd={})".format, st.sampled_from([1, 4.5, 60]), st.sampled_from([0.5, 1.23])
    ),
)

OPTION_DICTS = st.fixed_dictionaries(
    {
        "cards": st.one_of(st.integers(1, 12), st.sampled_from([52, 53, 104, 208])),
        "order": st.sampled_from(["in-order", "any-order"]),
        "known_opponent": st.booleans(),
    }
)
