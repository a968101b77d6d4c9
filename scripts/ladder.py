"""A ladder: strategies on the same deals, sorted by how often they have the headline outcome."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from reports.differing import ShareDifference, share_difference
from reports.numbers import format_count
from reports.outcomes import Outcome
from reports.page import Cell, Table
from reports.parts import method_note, percent
from reports.words import Number, Sentence
from scripts.common_deals import DealtGames, Watch, deal_games, paired_hits
from sim.contract import Ruleset
from sim.experiment import Experiment
from strategies.registry import registered

LEVEL = 0.95


@dataclass(frozen=True, eq=False)
class Ladder:
    """Runs of different strategies on the same deals, the best first."""

    rules: Ruleset
    runs: tuple[DealtGames, ...]

    @property
    def best(self) -> DealtGames:
        """The run with the largest share."""
        return self.runs[0]

    def __getitem__(self, spec: str) -> DealtGames:
        """The run of a strategy."""
        return next(run for run in self.runs if spec_of(run) == spec)

    def __contains__(self, spec: str) -> bool:
        """Whether a strategy is on the ladder."""
        return any(spec_of(run) == spec for run in self.runs)

    @property
    def pair_level(self) -> float:
        """The level of one comparison when those of all pairs shall hold together (Bonferroni)."""
        pairs = len(self.runs) * (len(self.runs) - 1) // 2
        return 1.0 - (1.0 - LEVEL) / max(pairs, 1)

    def lead(self, first: DealtGames, second: DealtGames) -> ShareDifference:
        """First minus second on the deals that both played, simultaneous for all pairs."""
        return share_difference(paired_hits(first, second), self.pair_level)

    @cached_property
    def leads(self) -> tuple[ShareDifference, ...]:
        """Each run but the last against the next."""
        return tuple(self.lead(a, b) for a, b in zip(self.runs, self.runs[1:], strict=False))

    @cached_property
    def level_with_best(self) -> tuple[DealtGames, ...]:
        """The runs that the best one cannot be told from."""
        return tuple(run for run in self.runs[1:] if not self.lead(self.best, run).clear)


def spec_of(run: DealtGames) -> str:
    """The strategy of a run in which every seat plays the same."""
    return run.experiment.seats[0].spec


def headline(run: DealtGames) -> Outcome:
    """The headline outcome of a run."""
    return run.table.headline


def climb(
    game: str,
    specs: Sequence[str],
    games_of: Callable[[str], int],
    *,
    seed: int,
    jobs: int | None = None,
    watch: Watch | None = None,
) -> Ladder:
    """Play all strategies. Everything is compiled before the first game."""
    experiments = [Experiment.make(game, [spec], seed=seed) for spec in specs]
    runs = []
    for experiment in experiments:
        games = games_of(experiment.specs[0])
        if watch is not None:
            watch(experiment, games)
        runs.append(deal_games(experiment, games, jobs))
    runs.sort(key=lambda run: (-headline(run).share, headline(run).interval.high, spec_of(run)))
    return Ladder(experiments[0].rules, tuple(runs))


def idea_of(rules: Ruleset, spec: str) -> str:
    """The one-line description of a registered strategy."""
    known = registered(rules)
    name = spec.partition("(")[0]
    ideas = [known[kind, name].summary for kind in rules.kinds if (kind, name) in known]
    return "; ".join(dict.fromkeys(idea for idea in ideas if idea))


def ladder_table(name: str, title: str, ladder: Ladder) -> Table:
    """The ladder in numbers, with the lead of each strategy over the next."""
    import pandas as pd

    rows, records = [], []
    for place, run in enumerate(ladder.runs):
        outcome, spec = headline(run), spec_of(run)
        lead = ladder.leads[place] if place < len(ladder.leads) else None
        rows.append(
            (
                Cell.name(spec),
                Cell.share(outcome),
                Cell.number(lead.text(), lead.difference) if lead else Cell.missing(),
                Cell.count(outcome.count),
                Cell.count(run.games),
                Cell.words(idea_of(ladder.rules, spec)),
            )
        )
        records.append(
            {
                "strategy": spec,
                "games": run.games,
                **outcome.as_dict(),
                "lead": lead.difference if lead else None,
                "lead_low": lead.interval.low if lead else None,
                "lead_high": lead.interval.high if lead else None,
                "lead_games": lead.n if lead else None,
                "lead_differing": lead.differing if lead else None,
                "lead_method": lead.interval.method if lead else None,
                "lead_level": LEVEL if lead else None,
                "variance_ratio": lead.variance_ratio if lead else None,
            }
        )
    what = headline(ladder.best).name
    note = Sentence.of(
        "All strategies play the same deals. The shares have "
        + method_note(headline(run).interval for run in ladder.runs)
        + ", each for itself. The lead over the next row is taken game by game on the deals that "
        "both played; its intervals (Student’s t, exact where fewer than 25 games differ) hold "
        "together for all {pairs} pairs of strategies at "
        + percent(LEVEL) + " (Bonferroni).",
        pairs=Number(format_count(len(ladder.runs) * (len(ladder.runs) - 1) // 2)),
    )  # fmt: skip
    columns = ("strategy", "share", "lead over the next", what, "games", "idea")
    whole = {"lead_games": "Int64", "lead_differing": "Int64"}  # whole numbers, some missing
    return Table(
        name, title, columns, tuple(rows), pd.DataFrame(records).astype(whole), note,
        tuple(run.command() for run in ladder.runs),
    )  # fmt: skip
