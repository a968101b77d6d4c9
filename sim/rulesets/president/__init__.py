"""President: rounds of a climbing game, in which the ranks of one round weigh on the next."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from sim.contract import Column, Measure, Ruleset, Score, win_share
from sim.rulesets.president import hidden, legal, rules, told
from sim.rulesets.president.cards import SEATS, VIEW_FIELDS, Options, view_dtype
from sim.rulesets.president.state import state_dtype

COLUMNS = (
    *(
        Column(f"points_{seat}", f"points of seat {seat}", "int32", seat=seat)
        for seat in range(SEATS)
    ),
    Column("leaders", "the seats with most points, one bit a seat"),
)

ROUND_COLUMNS = (
    Column("round", "number of the round, from 1", "uint16"),
    *(
        Column(
            f"finish_{seat}", f"rank of seat {seat}: 1 President to 4 Janitor", "uint8", seat=seat
        )
        for seat in range(SEATS)
    ),
    Column("plays", "sets played in the round"),
)


#: Rounds are counted by groups of games, game number modulo so many: intervals resample groups.
GROUPS = 64


def round_cells(rounds: Mapping[str, Any]) -> Mapping[str, Any]:
    """For each seat in each round: the group of the game, the seat, its rank before and after.

    The rank before the first round of a game is 0.
    """
    index = np.asarray(rounds["index"])
    after = np.stack([rounds[f"finish_{seat}"] for seat in range(SEATS)])
    before = np.zeros_like(after)
    before[:, 1:] = np.where(index[1:] == index[:-1], after[:, :-1], 0)
    seats = np.arange(SEATS, dtype=np.uint8)
    return {
        "group": np.tile((index % GROUPS).astype(np.uint8), SEATS),
        "seat": np.repeat(seats, len(index)),
        "before": before.ravel(),
        "after": after.ravel(),
    }


def _first(seat: int) -> Measure:
    return Measure(
        f"seat {seat} wins",
        f"seat {seat} alone has most points",
        lambda games: games["leaders"] == 1 << seat,
    )


#: Every game has exactly one of these outcomes.
MEASURES = (
    *map(_first, range(SEATS)),
    Measure(
        "shared",
        "several seats have most points",
        lambda games: games["leaders"] & (games["leaders"] - 1) != 0,
    ),
)

SCORES = (
    Score(
        "points", "points of all rounds", "points a game",
        lambda games, seat: games[f"points_{seat}"],
        lambda options: (
            options.rounds * min(options.points_by_rank()),
            options.rounds * max(options.points_by_rank()),
        ),
    ),
    win_share(),
)  # fmt: skip

RULESET = Ruleset(
    name="president",
    title="President",
    summary="four players shed their cards; last round's ranks exchange cards in the next",
    clause_prefix="PR",
    options=Options,
    most_seats=SEATS,
    seats=lambda options: SEATS,
    yardsticks=("random", "lowest"),
    kinds=("gift", "play"),
    state_dtype=state_dtype,
    view_dtype=view_dtype,
    deal=rules.deal,
    done=rules.done,
    to_move=rules.to_move,
    decision=rules.decision,
    observe=rules.observe,
    legal=rules.legal,
    apply=rules.apply,
    outcome=rules.outcome,
    redeal=hidden.redeal,
    count_legal=legal.count_legal,
    nth_legal=legal.nth_legal,
    view_fields=VIEW_FIELDS,
    columns=COLUMNS,
    measures=MEASURES,
    scores=SCORES,
    tally=("leaders",),
    events=told.events,
    tell=told.tell,
    action_text=told.action_text,
    clause_of=told.clause_of,
    round_columns=ROUND_COLUMNS,
    round_over=rules.round_over,
    round_outcome=rules.round_outcome,
    round_cells=round_cells,
    round_tally=("group", "seat", "before", "after"),
    rounds=lambda options: options.rounds,
)
