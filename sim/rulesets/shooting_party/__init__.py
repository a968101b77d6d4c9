"""The Shooting Party: a solitaire of queens, jewels and etiquette."""

from sim.contract import Column, Measure, Ruleset, Score, Trait
from sim.rulesets.shooting_party import legal, rules, told
from sim.rulesets.shooting_party.cards import VIEW_FIELDS, VIEW_RANGES, Options, view_dtype

COLUMNS = (
    Column("queens", "queens scored, 0 to 4"),
    Column("aces", "aces scored with their queens, 0 to 4"),
    Column("reshuffles", "how often the draw pile was made anew"),
    Column("decisions", "decisions the player took", "uint16"),
)


def _title(queens: int, aces: int) -> Measure:
    return Measure(
        told.title(queens, aces),
        f"exactly {queens} queens and {aces} aces scored",
        lambda games: (games["queens"] == queens) & (games["aces"] == aces),
    )


#: The fifteen titles, the filthy scoundrel first.
MEASURES = tuple(
    _title(queens, aces) for queens in range(4, -1, -1) for aces in range(queens, -1, -1)
)

SCORES = (
    Score(
        "filthy scoundrel", MEASURES[0].meaning, "share of games",
        lambda games, seat: MEASURES[0].where(games), lambda options: (0, 1),
    ),
    Score(
        "queens", "queens scored", "queens a game",
        lambda games, seat: games["queens"], lambda options: (0, 4),
    ),
    Score(
        "jewels", "aces scored with their queens", "aces a game",
        lambda games, seat: games["aces"], lambda options: (0, 4),
    ),
)  # fmt: skip


def _trait(score: Score) -> Trait:
    return Trait(
        score.name, score.meaning, score.unit, lambda games, rounds, options: score.of(games, 0)
    )


TRAITS = (
    *map(_trait, SCORES),
    Trait(
        "decisions", "decisions the player took", "decisions a game",
        lambda games, rounds, options: games["decisions"],
    ),
)  # fmt: skip

RULESET = Ruleset(
    name="shooting-party",
    title="The Shooting Party",
    summary="solitaire: be alone with each of four queens, and pocket their jewels",
    clause_prefix="SP",
    options=Options,
    most_seats=1,
    seats=lambda options: 1,
    yardsticks=("random", "tidy"),
    kinds=("play",),
    state_dtype=rules.state_dtype,
    view_dtype=view_dtype,
    deal=rules.deal,
    done=rules.done,
    to_move=rules.to_move,
    decision=rules.decision,
    observe=rules.observe,
    legal=rules.legal,
    apply=rules.apply,
    outcome=rules.outcome,
    redeal=rules.redeal,
    count_legal=legal.count_legal,
    nth_legal=legal.nth_legal,
    view_fields=VIEW_FIELDS,
    view_ranges=VIEW_RANGES,
    columns=COLUMNS,
    measures=MEASURES,
    scores=SCORES,
    traits=TRAITS,
    tally=("queens", "aces"),
    events=told.events,
    tell=told.tell,
    action_text=told.action_text,
    clause_of=told.clause_of,
)
