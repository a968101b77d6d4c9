"""Short Zoot Suit: tricks and shorts, with a draw deck that each player drafts."""

from sim.contract import Column, Measure, Ruleset
from sim.rulesets.short_zoot_suit import hidden, legal, results, rules, told
from sim.rulesets.short_zoot_suit.cards import MOST_SEATS, Options
from sim.rulesets.short_zoot_suit.state import state_dtype
from sim.rulesets.short_zoot_suit.view import VIEW_FIELDS, view_dtype


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
    columns=COLUMNS,
    measures=MEASURES,
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
