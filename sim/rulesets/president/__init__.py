"""President: rounds of a climbing game, in which the ranks of one round weigh on the next."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from sim.contract import Column, Measure, Ruleset, Score, Trait, win_share
from sim.rulesets.president import hidden, legal, rules, told
from sim.rulesets.president.cards import SEATS, VIEW_FIELDS, VIEW_RANGES, Options, view_dtype
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


def _left_behind(games: Mapping[str, Any], seat: int) -> Any:
    """How many players a seat left behind, summed over the rounds of each game."""
    behind = SEATS - np.asarray(games["rounds"][f"finish_{seat}"]).astype(np.int64)
    return behind.reshape(len(games["leaders"]), -1).sum(axis=1)


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
    Score(
        "rank", "players who finish behind, 3 for the President, over all rounds",
        "players a game", _left_behind,
        lambda options: (0, (SEATS - 1) * options.rounds),
    ),
)  # fmt: skip


def _stays(rounds: Any, options: Options, ranks: Sequence[int]) -> Any:
    """In each game, how often a player keeps one of these ranks in the next round, per round.

    nan in games of one round.
    """
    moves = options.rounds - 1
    if moves == 0:
        return np.full(len(rounds["round"]), np.nan)
    finish = np.stack([rounds[f"finish_{seat}"] for seat in range(SEATS)])
    finish = finish.reshape(SEATS, -1, options.rounds)
    kept = (finish[:, :, 1:] == finish[:, :, :-1]) & np.isin(finish[:, :, 1:], ranks)
    return kept.sum(axis=(0, 2)) / moves


def _staying(name: str, meaning: str, unit: str, ranks: Sequence[int], shown: Any = float) -> Trait:
    return Trait(
        name, meaning, unit,
        lambda games, rounds, options: _stays(rounds, options, ranks), shown,
    )  # fmt: skip


def _plays(games: Any, rounds: Any, options: Options) -> Any:
    return rounds["plays"].reshape(-1, options.rounds).mean(axis=1)


def _escape_time(stays: float) -> float:
    return 1.0 / (1.0 - stays) if stays < 1.0 else math.inf


TRAITS = (
    _staying(
        "escape time", "rounds until a Janitor is one no more: 1 / (1 - share that stay)", "rounds",
        (4,), _escape_time,
    ),
    _staying("janitor stays", "share of Janitors that are Janitor again", "share", (4,)),
    _staying("president stays", "share of Presidents that are President again", "share", (1,)),
    _staying(
        "prais", "Prais-Shorrocks index of mobility: (4 - trace of the rank matrix) / 3", "index",
        (1, 2, 3, 4), lambda trace: (4.0 - trace) / 3.0,
    ),
    Trait("plays", "sets played in a round", "plays a round", _plays),
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
    view_ranges=VIEW_RANGES,
    columns=COLUMNS,
    measures=MEASURES,
    scores=SCORES,
    traits=TRAITS,
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
