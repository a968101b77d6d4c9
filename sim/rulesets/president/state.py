"""President's state: the table, which is what the player to move knows, and what lies beside it."""

from typing import Any

import numpy as np
from numba import njit

from sim.bits import U64
from sim.rulesets.president.cards import (
    JANITOR,
    PRESIDENT,
    SEATS,
    SECRETARY,
    VICE_PRESIDENT,
    view_dtype,
)

_PARTS = np.dtype(
    [
        ("table", view_dtype),
        ("hands", np.uint64, (SEATS,)),
        ("given", np.uint64, (SEATS,)),
        ("received", np.uint64, (SEATS,)),
        ("points", np.int64, (SEATS,)),
        ("step", np.int64),
        ("plays", np.int64),
        ("last_plays", np.int64),
        ("closed", np.int64),
        ("over", np.int64),
        ("deck", np.uint8, (56,)),
    ],
    align=True,
)
_NAMES = _PARTS.names or ()


def _offset(record: Any, name: str) -> int:
    """Where a field of a record begins."""
    return int(record.fields[name][1])


#: `played` is once more what the table has as played_0 … played_3, to be had by seat.
state_dtype = np.dtype(
    {
        "names": [*_NAMES, "played"],
        "formats": [*(_PARTS[name] for name in _NAMES), (np.uint64, (SEATS,))],
        "offsets": [*(_offset(_PARTS, name) for name in _NAMES), _offset(view_dtype, "played_0")],
        "itemsize": _PARTS.itemsize,
    },
    align=True,
)

# --- events of the log (see `told.events` for the trace they become) ------------------------------

EV_DEAL, EV_HAND, EV_GIFT, EV_LEAD, EV_PLAY, EV_PASS, EV_TRICK, EV_OUT, EV_ROUND = range(9)
EV_POINTS, EV_RESULT = 9, 10

#: Purposes of the chance streams: the number of the round, and above it 0 for the shuffle, 1 for a
#: leader by chance, 1 + rank for the gift by chance of the player who had that rank.
MOST_ROUNDS = 1024
LEADER_STREAM, GIFT_STREAM = MOST_ROUNDS, MOST_ROUNDS

#: The gifts in their order: who gives (by rank), and who gets it. PR-12
GIVERS = (JANITOR, SECRETARY, PRESIDENT, VICE_PRESIDENT)
RECEIVERS = (PRESIDENT, VICE_PRESIDENT, JANITOR, SECRETARY)
LOW_STEPS = 2  # the first two are those of Janitor and Secretary


@njit
def give_turn(s, seat):
    """Let a player decide: from here on the table is what this player knows. PR-16"""
    t = s.table
    t.seat = seat
    t.hand = s.hands[U64(seat)]
    t.given = s.given[U64(seat)]
    t.received = s.received[U64(seat)]
