"""The memory duel: two gunslingers, a growing stack, and a nerve for when to say “Draw!”."""

import numpy as np

from sim.contract import Column, Measure, Ruleset, Score, Trait
from sim.rulesets.memory_duel import legal, rules, state, told
from sim.rulesets.memory_duel.cards import SEATS, VIEW_FIELDS, VIEW_RANGES, Options, view_dtype

COLUMNS = (
    *(
        Column(f"claimed_{seat}", f"cards claimed by seat {seat}", seat=seat)
        for seat in range(SEATS)
    ),
    Column("unclaimed", "cards that nobody claimed"),
    Column("calls", "how often a player called"),
)

#: Every game has exactly one of these outcomes.
MEASURES = (
    Measure(
        "seat 0 wins",
        "seat 0, who starts, claims more cards",
        lambda games: games["claimed_0"] > games["claimed_1"],
    ),
    Measure(
        "seat 1 wins",
        "seat 1 claims more cards",
        lambda games: games["claimed_0"] < games["claimed_1"],
    ),
    Measure(
        "draw",
        "both claim equally many cards",
        lambda games: games["claimed_0"] == games["claimed_1"],
    ),
)


def _difference(games, seat):
    """The cards that a seat claims more than the other."""
    own, other = (games[f"claimed_{one}"].astype(np.int64) for one in (seat, 1 - seat))
    return own - other


#: The two objectives: more cards, and winning, where a draw is half a win.
SCORES = (
    Score(
        "cards",
        "cards claimed more than the opponent",
        "cards a game",
        _difference,
        lambda options: (-options.cards, options.cards),
    ),
    Score(
        "win share",
        "wins; a draw is half a win",
        "wins a game",
        lambda games, seat: 1 + np.sign(_difference(games, seat)),
        lambda options: (0, 2),
        2,
    ),
)

TRAITS = (
    Trait(
        "first player", "cards that seat 0 claims more than seat 1", "cards a game",
        lambda games, rounds, options: _difference(games, 0),
    ),
    Trait(
        "unclaimed", "cards that nobody claimed", "cards a game",
        lambda games, rounds, options: games["unclaimed"],
    ),
    Trait(
        "calls", "how often a player called", "calls a game",
        lambda games, rounds, options: games["calls"],
    ),
)  # fmt: skip

RULESET = Ruleset(
    name="memory-duel",
    title="The Memory Duel",
    summary="two players raise a stack of cards until one calls and the other must recite it",
    clause_prefix="MD",
    options=Options,
    most_seats=SEATS,
    seats=lambda options: SEATS,
    yardsticks=("random", "threshold"),
    kinds=("play",),
    state_dtype=state.state_dtype,
    prepare=state.prepare,
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
    tally=("claimed_0", "claimed_1"),
    events=told.events,
    tell=told.tell,
    action_text=told.action_text,
    clause_of=told.clause_of,
    default_model="logistic",
)
