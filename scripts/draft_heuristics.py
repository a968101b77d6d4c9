"""The study of Short Zoot Suit: which five cards should go into the draw deck?

It is run by `python -m scripts.draft_heuristics --out out`. Every draft policy plays the same deals
in every seat: against a fixed field and at one table with the other drafts, with draw and play held
equal; then every draft with every draw policy, and with several play policies.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sim.games
from reports.numbers import format_count
from reports.page import Figure, Study, Table
from reports.words import Name, Number, Sentence
from scripts.common_deals import Watch
from scripts.draft_deals import GAME, Blocks, against_field, at_one_table
from scripts.draft_findings import findings
from scripts.draft_parts import (
    cross_figure,
    crossed_table,
    drafts_table,
    measures_table,
    places_table,
    played_against_figure,
    players_figure,
)

DRAFTS = (
    *("random", "bury-low", "bury-middle", "bury-high", "void-shortest", "void-two"),
    *("longest", "spread", "balance"),
)
DRAWS = ("never", "when-empty", "end-when-ahead", "equalizer", "always")
PLAYS = ("lowest", "duck-or-win", "short-choice", "freeze", "deny")
#: Policies for short shorts, where who never lays has nothing to take; the field plays the second.
LAYS = ("never", "plain", "random", "lay-high", "lay-shortest", "lay-equalizer")
LAY_FIELD = "plain"
#: What is held equal while drafts are compared.
DRAW, PLAY = "always", "short-choice"
FIELD_DRAFT = "random"

Rules = Mapping[str, Any]
#: The rules under which drafts are compared, the plain ones of each number of players first.
CONDITIONS: tuple[Rules, ...] = tuple(
    {"players": players, **({"bonus": bonus} if bonus != "none" else {}),
     **({"doubles": doubles} if doubles != "off" else {})}
    for players in (4, 3, 2)
    for doubles in ("off", "replace-both", "replace-one")
    for bonus in ("none", "stars")
    if players > 2 or doubles == "off"
)  # fmt: skip

#: Deals of each comparison, by what they cost and never by results: against the field, in a
#: crossed design, at one table, and with strong play.
FIELD_GAMES, CROSS_GAMES, TABLE_GAMES, STRONG_GAMES = 1000, 700, 150, 200
#: Deals of a crossed design under rules other than the plain ones.
OTHER_CROSS_GAMES = 150
#: How the player under study plays when play is strong; the field does as ever.
STRONG_PLAY = "monte-carlo"
FEWEST_GAMES = 20


@dataclass(frozen=True, eq=False)
class Laboratory:
    """All that was played: by rules, and crossed by the number of players."""

    field: tuple[Blocks, ...]
    table: tuple[Blocks, ...]
    draws: tuple[Blocks, ...]
    plays: Blocks
    lays: tuple[Blocks, ...]
    strong: Blocks


def spec_of(draft: str, draw: str = DRAW, play: str = PLAY) -> str:
    """The strategy of three policies."""
    return f"draft={draft},draw={draw},play={play}"


def study(
    *,
    seed: int = 1,
    scale: float = 1.0,
    games: int | None = None,
    jobs: int | None = None,
    watch: Watch | None = None,
    drafts: Sequence[str] = DRAFTS,
    conditions: Sequence[Rules] = CONDITIONS,
) -> Study:
    """Play and report on all draft policies, or on these.

    `games` is the number of deals of every comparison, else each has its own.
    """

    def count(planned: int) -> int:
        return games if games is not None else max(FEWEST_GAMES, round(planned * scale))

    how: dict[str, Any] = {"seed": seed, "jobs": jobs, "watch": watch}
    policies = {draft: spec_of(draft) for draft in drafts}
    field = spec_of(FIELD_DRAFT)
    plain = [rules for rules in conditions if set(rules) == {"players"}]

    def crossed(rules: Rules, kind: str, others: Sequence[str]) -> Blocks:
        cells = {f"{d}, {o}": spec_of(d, **{kind: o}) for d in drafts for o in others}
        planned = CROSS_GAMES if rules in plain else OTHER_CROSS_GAMES
        return against_field(cells, field, rules, count(planned), **how)

    def laying(rules: Rules) -> Blocks:
        lays = {lay: spec_of(FIELD_DRAFT, draw=lay) for lay in LAYS}
        others = spec_of(FIELD_DRAFT, draw=LAY_FIELD)
        return against_field(
            lays, others, {**rules, "short_shorts": True}, count(CROSS_GAMES), **how
        )

    made = Laboratory(
        tuple(
            against_field(policies, field, rules, count(FIELD_GAMES), **how)
            for rules in conditions
        ),
        tuple(at_one_table(policies, rules, count(TABLE_GAMES), **how) for rules in conditions),
        tuple(crossed(rules, "draw", DRAWS) for rules in conditions),
        crossed(plain[0], "play", PLAYS),
        tuple(laying(rules) for rules in plain),
        against_field(
            {draft: spec_of(draft, play=STRONG_PLAY) for draft in drafts},
            field, plain[0], count(STRONG_GAMES), **how,
        ),
    )  # fmt: skip
    amount = f" --games {games}" if games is not None else f" --scale {scale}" * (scale != 1.0)
    command = f"python -m scripts.draft_heuristics --out out --seed {seed}{amount}"
    return Study(
        name=GAME,
        title=sim.games.load(GAME).title,
        lead=Sentence.of(
            "A trick-taking game in which each player hides five cards of the hand in a draw deck. "
            "A trick brings 1 point, and 3 more with a short beside it; as many shorts as tricks "
            "bring 5 instead of 3. Which five cards should go into the deck?"
        ),
        findings=findings(made.field, made.table, _plain(made.draws), DRAWS, made.strong),
        parts=_parts(made, drafts, (command,)),
        settings=_settings(made, seed),
        commands=(command,),
    )


def _plain(compared: Sequence[Blocks]) -> tuple[Blocks, ...]:
    """The comparisons under default rules but for the number of players."""
    return tuple(blocks for blocks in compared if set(blocks.options) == {"players"})


def _parts(
    made: Laboratory, drafts: Sequence[str], command: tuple[str, ...]
) -> tuple[Figure | Table, ...]:
    return (
        players_figure(
            f"{GAME}-drafts", "Which five cards to draft", "draft", _plain(made.field), command
        ),
        *(
            cross_figure(
                f"{GAME}-draft-draw-{blocks.options['players']}",
                blocks,
                drafts,
                DRAWS,
                "draw",
                command,
            )
            for blocks in _plain(made.draws)
        ),
        measures_table(f"{GAME}-measures", made.field[0]),
        played_against_figure(
            f"{GAME}-field-table",
            {
                "against a fixed field": made.field[0],
                "at one table": made.table[0],
                f"with {STRONG_PLAY} play": made.strong,
            },
            command,
        ),
        places_table(f"{GAME}-rules", made.field, made.table),
        cross_figure(f"{GAME}-draft-play", made.plays, drafts, PLAYS, "play", command),
        players_figure(
            f"{GAME}-lay", "Short shorts: when to lay and to take", "draw", made.lays, command
        ),
        crossed_table(f"{GAME}-crossed", made.draws, drafts, DRAWS),
        drafts_table(f"{GAME}-numbers", made.field, made.table),
    )


def _settings(made: Laboratory, seed: int) -> tuple[tuple[str, Sentence], ...]:
    deals = Sentence.of(
        "{field} against the field, {table} at one table, {crossed} crossed ({fewer} under other "
        "rules than the plain ones), {strong} with strong play; each is one block: all its "
        "seatings together",
        field=Number(format_count(made.field[0].blocks)),
        table=Number(format_count(made.table[0].blocks)),
        crossed=Number(format_count(made.draws[0].blocks)),
        fewer=Number(format_count(min(blocks.blocks for blocks in made.draws))),
        strong=Number(format_count(made.strong.blocks)),
    )
    return (
        ("Game", Sentence.of("{game}", game=Name(GAME))),
        ("Seed", Sentence((f"{seed}; game number i has the same deals in every run",))),
        (
            "Held equal",
            Sentence.of(
                "{held}, but for the policy under study",
                held=Name(f"draw={DRAW},play={PLAY}"),
            ),
        ),
        ("The field", Sentence.of("{field} in all other seats", field=Name(spec_of(FIELD_DRAFT)))),
        (
            "Short shorts",
            Sentence.of("the field takes and lays by {plain}", plain=Name(f"draw={LAY_FIELD}")),
        ),
        ("Deals", deals),
        ("One table", Sentence(("every two drafts meet at equally many tables",))),
        (
            "When to stop",
            Sentence(("the number of deals was fixed beforehand, by cost and never by results",)),
        ),
    )  # fmt: skip


if __name__ == "__main__":
    from scripts.reports import entry

    entry(["--only", GAME, *sys.argv[1:]])
