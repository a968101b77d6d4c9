"""Short Zoot Suit: tricks and shorts, with a draw deck that each player drafts."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from sim.contract import Column, Measure, Ruleset, Score, Trait, win_share
from sim.rulesets.short_zoot_suit import hidden, legal, results, rules, told
from sim.rulesets.short_zoot_suit.cards import MOST_SEATS, Options
from sim.rulesets.short_zoot_suit.state import state_dtype
from sim.rulesets.short_zoot_suit.view import VIEW_FIELDS, VIEW_RANGES, view_dtype


def _columns(name: str, meaning: str, dtype: str) -> tuple[Column, ...]:
    """A column for each seat."""
    return tuple(
        Column(f"{name}_{seat}", f"{meaning} of seat {seat}", dtype, seat=seat)
        for seat in range(MOST_SEATS)
    )


COLUMNS = (
    *_columns("points", "points", "int32"),
    *_columns("share", "share in the win: 1/k where k seats have most points", "float64"),
    Column("leaders", "the seats with most points, one bit a seat"),
)

ROUND_COLUMNS = (
    Column("round", "number of the round, from 1"),
    *_columns("tricks", "tricks", "uint8"),
    *_columns("shorts", "cards in the shorts pile", "uint8"),
    *_columns("points", "points in this round", "int16"),
)


def _wins(seat: int) -> Measure:
    return Measure(
        f"seat {seat} wins",
        f"seat {seat} alone has most points",
        lambda games: games["leaders"] == 1 << seat,
        seat=seat,
    )


#: Every game has exactly one of these outcomes.
MEASURES = (
    *map(_wins, range(MOST_SEATS)),
    Measure(
        "shared",
        "several seats have most points",
        lambda games: games["leaders"] & (games["leaders"] - 1) != 0,
    ),
)


def _points_span(options: Options) -> tuple[int, int]:
    """The least and most points of a seat in a game.

    Tricks won and shorts are different cards of the seat's own, so with c cards six points a pair
    of them are the most (ZS-9), or a point a trick. Bonuses come on top (ZS-10).
    """
    cards = options.pack().bit_count() // options.players
    bonus = options.bonus_points()
    rounds = int(options.rounds * options.players)
    return rounds * min(0, *bonus), rounds * (max(6 * (cards // 2), cards) + max(bonus))


def _cards_span(options: Options) -> tuple[int, int]:
    """The least and most tricks, or shorts, of a seat in a game: each takes a card of its own."""
    cards = options.pack().bit_count() // options.players
    return 0, int(options.rounds * options.players) * cards


def _summed(name: str, meaning: str) -> Score:
    """A column of the rounds table, summed over the rounds of a game."""

    def of(games: Mapping[str, Any], seat: int) -> Any:
        values = np.asarray(games["rounds"][f"{name}_{seat}"]).astype(np.int64)
        return values.reshape(len(games["leaders"]), -1).sum(axis=1)

    return Score(name, meaning, f"{name} a game", of, _cards_span, better=False)


SCORES = (
    Score(
        "points", "points of all rounds", "points a game",
        lambda games, seat: games[f"points_{seat}"], _points_span,
    ),
    win_share(),
    _summed("tricks", "tricks won"),
    _summed("shorts", "cards in the shorts pile"),
)  # fmt: skip


def _by_seat(rounds: Any, name: str, options: Options) -> Any:
    """A column of the rounds table for all seats: (seats, rounds of all games)."""
    return np.stack([rounds[f"{name}_{seat}"] for seat in range(options.players)]).astype(np.int64)


def _a_round(values: Any, options: Options) -> Any:
    """The mean over seats and rounds of each game."""
    rounds = int(options.rounds * options.players)
    return values.reshape(len(values), -1, rounds).mean(axis=(0, 2))


def _trait(name: str, meaning: str, unit: str, of: Any) -> Trait:
    def each(games: Any, rounds: Any, options: Options) -> Any:
        return _a_round(of(rounds, options), options)

    return Trait(name, meaning, unit, each)


def _equal(rounds: Any, options: Options) -> Any:
    tricks, shorts = (_by_seat(rounds, name, options) for name in ("tricks", "shorts"))
    return (tricks == shorts) & (tricks > 0)


def _length(rounds: Any, options: Options) -> Any:
    """The tricks of a round, as one row."""
    return _by_seat(rounds, "tricks", options).sum(axis=0, keepdims=True)


#: With the same strategy in every seat: what the rules do to the game.
TRAITS = (
    _trait("points", "points of a seat in a round", "points a round",
           lambda rounds, options: _by_seat(rounds, "points", options)),
    _trait("equal", "share of rounds with tricks = shorts above 0", "share of rounds", _equal),
    _trait("length", "tricks of a round", "tricks a round", _length),
    _trait("shorts", "cards in the shorts pile of a seat", "cards a round",
           lambda rounds, options: _by_seat(rounds, "shorts", options)),
)  # fmt: skip

RULESET = Ruleset(
    name="short-zoot-suit",
    title="Short Zoot Suit",
    summary="two to four players try to be short of a suit as often as they win a trick",
    clause_prefix="ZS",
    options=Options,
    most_seats=MOST_SEATS,
    seats=lambda options: int(options.players),
    yardsticks=("random", "plain"),
    kinds=("draft", "draw", "play"),
    state_dtype=state_dtype,
    view_dtype=view_dtype,
    deal=rules.deal,
    done=rules.done,
    to_move=rules.to_move,
    decision=rules.decision,
    observe=rules.observe,
    legal=rules.legal,
    apply=rules.apply,
    outcome=results.outcome,
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
    round_outcome=results.round_outcome,
    rounds=lambda options: int(options.rounds * options.players),
)
