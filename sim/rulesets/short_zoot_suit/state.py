"""Short Zoot Suit's state: the table, which is what the player to move knows, and the rest."""

from typing import Any

import numpy as np

from sim.bits import U64
from sim.rulesets.short_zoot_suit.cards import CARDS, MOST_SEATS, inlined
from sim.rulesets.short_zoot_suit.view import view_dtype

_PARTS = np.dtype(
    [
        ("table", view_dtype),
        ("hands", np.uint64, (MOST_SEATS,)),
        ("own_decks", np.uint64, (MOST_SEATS,)),
        ("tops", np.uint64, (MOST_SEATS,)),
        ("belows", np.uint64, (MOST_SEATS,)),
        ("choices", np.int64, (MOST_SEATS,)),
        ("asked", np.int64),
        ("turn", np.int64),
        ("led_suits", np.int64),
        ("closed", np.int64),
        ("over", np.int64),
        ("last_tricks", np.uint64),
        ("last_shorts", np.uint64),
        ("last_points", np.int64, (MOST_SEATS,)),
        ("shuffled", np.uint8, (CARDS,)),
    ],
    align=True,
)
_NAMES = _PARTS.names or ()

#: What the table has as `played_0` … `played_3`, once more as an array to be had by seat.
_BY_SEAT = {"played": np.uint64, "outside": np.uint64, "points": np.int32}


def _offset(record: Any, name: str) -> int:
    """Where a field of a record begins."""
    return int(record.fields[name][1])


state_dtype = np.dtype(
    {
        "names": [*_NAMES, *_BY_SEAT],
        "formats": [
            *(_PARTS[name] for name in _NAMES),
            *(np.dtype((number, (MOST_SEATS,))) for number in _BY_SEAT.values()),
        ],
        "offsets": [
            *(_offset(_PARTS, name) for name in _NAMES),
            *(_offset(view_dtype, f"{name}_0") for name in _BY_SEAT),
        ],
        "itemsize": _PARTS.itemsize,
    },
    align=True,
)

# --- events of the log (see `told.events` for the trace they become) ------------------------------

EV_DEAL, EV_HAND, EV_DRAFT, EV_DECK, EV_DRAW, EV_STAY, EV_LAY, EV_PLAY, EV_TRICK = range(9)
EV_ROUND, EV_POINTS, EV_RESULT = 9, 10, 11

#: Purposes of the chance streams: the number of the round for the deal, and above it 1 + seat for
#: the shuffle of a drafted deck.
MOST_ROUNDS = 128


@inlined
def give_turn(s, seat, kind):
    """Let a player decide: from here on the table is what this player knows. ZS-15"""
    t = s.table
    t.seat = seat
    t.kind = kind
    t.hand = s.hands[U64(seat)]
    t.deck = s.own_decks[U64(seat)]
    if t.short_shorts:
        t.stack_0 = s.tops[U64(seat)]
        t.stack_1 = s.belows[U64(seat)]
