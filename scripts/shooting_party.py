"""The study of the Shooting Party: a ladder of strategies, how the best one ends, what rules do.

It is run by `python -m scripts.shooting_party --out out`.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass

import sim.games
from reports.numbers import format_count
from reports.page import Figure, Study, Table
from reports.parts import heat_part, ladder_part, outcome_part
from reports.words import Name, Number, Sentence
from scripts.common_deals import DealtGames, Watch
from scripts.ladder import Ladder, climb, headline, ladder_table, spec_of
from scripts.shooting_party_findings import findings
from scripts.variants import Change, Variants, effects_part, variants_table, vary
from strategies.registry import names

GAME = "shooting-party"


@dataclass(frozen=True)
class Plan:
    """How many games a strategy plays on the ladder, and under each rule; 0: it is too slow."""

    ladder: int
    rules: int


#: By what a game costs, never by results, and decided once rather than measured at each run, so
#: that the same command gives the same figures everywhere. A game of a quick strategy takes 2 to 5
#: microseconds of one core, one of the ladder 10 to 25, one of `gambler` 100, one of `learned` 150
#: to 250, one of `lookahead` some 20,000.
QUICK, MIDDLE = Plan(1_000_000, 200_000), Plan(200_000, 10_000)
COUNTING, SLOW, SLOWEST = Plan(100_000, 6_000), Plan(40_000, 4_000), Plan(2_000, 0)
PLANS = {"gambler": COUNTING, "learned": SLOW, "lookahead": SLOWEST} | dict.fromkeys(
    ("patient", "jeweller", "discreet", "odd-one-out", "butler", "hostess"), MIDDLE
)

#: Strategies that no one can play by heart.
NOT_READABLE = frozenset({"learned", "lookahead"})

#: However small the scale, so many games (or all that are planned) are played.
FEWEST_GAMES = 200

CHANGES: tuple[Change, ...] = (
    ("exhaustion", "at-once"),
    ("last_draw", "played"),
    *(("reshuffles", str(n)) for n in (0, 1, 3, 4)),
    ("butler", "0"),
    *(("hand", str(n)) for n in (1, 2, 3, 5, 6, 7)),
    *(("draw_limit", str(n)) for n in range(5)),
    ("rivals", "off"),
    ("secretaries", "off"),
    ("husbands", "off"),
)


def study(
    *,
    seed: int = 1,
    scale: float = 1.0,
    games: int | None = None,
    jobs: int | None = None,
    watch: Watch | None = None,
    strategies: Sequence[str] | None = None,
) -> Study:
    """Play and report on all registered strategies, or on these.

    `games` is the number for every run, else each strategy has its own.
    """

    def count(planned: int) -> int:
        fewest = min(planned, FEWEST_GAMES)
        return games if games is not None else max(fewest, round(planned * scale))

    rules = sim.games.load(GAME)
    ladder = climb(
        GAME,
        strategies or names(rules),
        lambda spec: count(plan_of(spec).ladder),
        seed=seed,
        jobs=jobs,
        watch=watch,
    )
    varied = [
        vary(GAME, spec, CHANGES, count(plan_of(spec).rules), seed=seed, jobs=jobs, watch=watch)
        for spec in worth_varying(ladder)
    ]
    amount = f" --games {games}" if games is not None else f" --scale {scale}" * (scale != 1.0)
    command = f"python -m scripts.shooting_party --out out --seed {seed}{amount}"
    return Study(
        name=GAME,
        title=rules.title,
        lead=Sentence.of(
            "A solitaire of queens, jewels and etiquette: be alone with each of the four queens "
            "while her ace, her jewels, lies on the table. All four queens with all four jewels "
            "make a {best}; that is what the strategies are measured by.",
            best=rules.measures[0].name,
        ),
        findings=findings(ladder, varied, shown=affordable(ladder)[0], readable=readable(ladder)),
        parts=_parts(ladder, varied, command),
        settings=_settings(ladder, varied, seed),
        commands=(command,),
    )


def plan_of(spec: str) -> Plan:
    """The plan of a strategy, whatever its parameters."""
    return PLANS.get(spec.partition("(")[0], QUICK)


def readable(ladder: Ladder) -> str | None:
    """The best strategy that a person could play by heart."""
    specs = [spec_of(run) for run in ladder.runs]
    return next((spec for spec in specs if spec not in NOT_READABLE), None)


def affordable(ladder: Ladder) -> list[DealtGames]:
    """The runs of strategies that are quick enough for many games, the best first."""
    return [run for run in ladder.runs if plan_of(spec_of(run)).rules > 0] or list(ladder.runs)


def worth_varying(ladder: Ladder) -> list[str]:
    """The best that can be read and the best of all; if they are one, the runner-up too."""
    first = [spec_of(run) for run in affordable(ladder)[:2]]
    own = readable(ladder)
    if own is None or own == first[0]:
        return first
    return [own, first[0]]


def _parts(ladder: Ladder, varied: list[Variants], command: str) -> tuple[Figure | Table, ...]:
    best = affordable(ladder)[0]
    name, commands = spec_of(best), (best.command(),)
    ladder_figure = ladder_part(
        f"{GAME}-ladder",
        "How often each strategy makes a filthy scoundrel",
        [(spec_of(run), headline(run)) for run in ladder.runs],
        commands=[run.command() for run in ladder.runs],
    )
    heat = heat_part(
        f"{GAME}-titles",
        f"How {name} ends: queens and jewels",
        best.table,
        ladder.rules,
        column_axis="jewels",
        commands=commands,
    )
    return (
        ladder_figure,
        ladder_table(f"{GAME}-strategies", "The ladder in numbers", ladder),
        *([heat] if heat is not None else []),
        outcome_part(f"{GAME}-endings", f"The fifteen titles under {name}", best.table, commands),
        effects_part(f"{GAME}-rules", "What each rule does to the odds", varied, (command,)),
        variants_table(f"{GAME}-variants", "The rule variants in numbers", varied),
    )


def _settings(
    ladder: Ladder, varied: list[Variants], seed: int
) -> tuple[tuple[str, Sentence], ...]:
    def several(run_games: list[tuple[str, int]]) -> Sentence:
        by_games: dict[int, list[str]] = {}
        for spec, number in run_games:
            by_games.setdefault(number, []).append(spec)
        parts = []
        for number, specs in sorted(by_games.items(), reverse=True):
            shown = [Sentence.of("{name}", name=Name(spec)) for spec in specs]
            listed = Sentence.of("{games} games: ", games=Number(format_count(number)))
            for place, one in enumerate(shown):
                listed += Sentence((", ",)) + one if place else one
            parts.append(listed)
        total = parts[0]
        for part in parts[1:]:
            total += Sentence(("; ",)) + part
        return total

    return (
        ("Game", Sentence.of("{game}", game=Name(GAME))),
        ("Seed", Sentence((f"{seed}; game number i has the same deal in every run",))),
        ("Rule options", Sentence(("all at their defaults, except where a rule is varied",))),
        ("Games on the ladder", several([(spec_of(r), r.games) for r in ladder.runs])),
        ("Games under each rule", several([(v.spec, v.default.games) for v in varied])),
        (
            "When to stop",
            Sentence((
                "the number of games of each run was fixed beforehand, by what a game of the "
                "strategy costs and never by results",
            )),
        ),
    )  # fmt: skip


if __name__ == "__main__":
    from scripts.reports import entry

    entry(["--only", GAME, *sys.argv[1:]])
