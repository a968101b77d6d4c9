"""President: rounds of a climbing game, in which the ranks of one round weigh on the next."""

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
    rounds=lambda options: options.rounds,
)
