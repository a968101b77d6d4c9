"""A ranking of President's strategies: each alone against a common field, and against each other.

A block is one deal, a game of ten rounds, played four times with the strategy in each seat; its
value is the strategy's points in all of them. All strategies play the same deals.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from reports.intervals import Interval, mean_t
from reports.numbers import format_mean
from reports.page import Cell, Figure, Table
from reports.paired import PairedComparison, PairedSums, compare, exact_sum
from reports.parts import games_text, percent
from reports.plots import HeatCell, heat
from reports.rank_plots import TITLES, rank_shares
from reports.words import Name, Number, Sentence
from scripts.common_deals import Watch
from sim.contract import Ruleset
from sim.engine import StoppedError, play
from sim.experiment import Experiment
from sim.fault import describe
from strategies.registry import parse, registered

GAME = "president"
SEATS = 4
LEVEL = 0.95
#: Points a round that each of four equal players gets on average.
EVEN = 1.5


@dataclass(frozen=True, eq=False)
class Placed:
    """One strategy in each seat against three of the field: points a block, rounds at each rank."""

    spec: str
    field: str
    experiment: Experiment
    blocks: NDArray[np.int64]
    ranks: NDArray[np.int64]

    @property
    def games(self) -> int:
        """The number of deals."""
        return len(self.blocks)

    @property
    def rounds(self) -> int:
        """Rounds in a block."""
        return SEATS * int(self.experiment.options.as_dict()["rounds"])

    @property
    def mean(self) -> float:
        """Points a round."""
        return float(self.blocks.mean()) / self.rounds

    @property
    def limits(self) -> Interval:
        """The t interval of the points a round."""
        total, squares = exact_sum(self.blocks), exact_sum(self.blocks * self.blocks)
        return mean_t(self.games, total, squares, LEVEL).scaled(1 / self.rounds)

    def text(self) -> str:
        """Points a round with their interval."""
        return format_mean(self.mean, self.limits)

    @property
    def shares(self) -> list[float]:
        """Shares of its rounds at each rank."""
        return [float(n) / int(self.ranks.sum()) for n in self.ranks]

    def command(self) -> str:
        """The command that plays the games in which it has seat 0."""
        return self.experiment.command("run", "--games", str(self.games))


def place(spec: str, field: str, games: int, seed: int, jobs: int | None = None) -> Placed:
    """Play the strategy in all seats. Raises PlayError where one fails."""
    from joblib import Parallel, cpu_count, delayed

    tables = [
        Experiment.make(GAME, [spec if s == seat else field for s in range(SEATS)], seed=seed)
        for seat in range(SEATS)
    ]

    def one(seat: int) -> tuple[NDArray[np.int64], NDArray[np.int64]] | StoppedError:
        table = tables[seat]
        try:
            played = play(table.rules, table.options, table.seating, seed, 0, games)
        except StoppedError as error:
            return error
        points = played.rows[f"points_{seat}"].astype(np.int64)
        return points, np.bincount(played.rounds[f"finish_{seat}"], minlength=5)[1:]

    found = Parallel(n_jobs=jobs or cpu_count(), backend="threading")(
        delayed(one)(seat) for seat in range(SEATS)
    )
    for table, result in zip(tables, found, strict=True):
        if isinstance(result, StoppedError):
            raise describe(table, result)
    blocks = np.sum([points for points, _ in found], axis=0)
    return Placed(spec, field, tables[0], blocks, np.sum([ranks for _, ranks in found], axis=0))


@dataclass(frozen=True, eq=False)
class Ranking:
    """Strategies against a common field on the same deals, the best first."""

    placed: tuple[Placed, ...]

    def __getitem__(self, spec: str) -> Placed:
        """The result of a strategy."""
        return next(one for one in self.placed if one.spec == spec)

    @property
    def pair_level(self) -> float:
        """The level of one comparison when those of all pairs shall hold together (Bonferroni)."""
        pairs = len(self.placed) * (len(self.placed) - 1) // 2
        return 1.0 - (1.0 - LEVEL) / max(pairs, 1)

    def lead(self, first: Placed, second: Placed) -> PairedComparison:
        """First minus second on the deals that both played, in points a block."""
        n = min(first.games, second.games)
        return compare(PairedSums.of(first.blocks[:n], second.blocks[:n]), self.pair_level)

    @cached_property
    def leads(self) -> tuple[PairedComparison, ...]:
        """Each but the last against the next."""
        return tuple(self.lead(a, b) for a, b in zip(self.placed, self.placed[1:], strict=False))


def lead_text(lead: PairedComparison, rounds: int) -> str:
    """A lead in points a round, with its interval."""
    return format_mean(lead.difference / rounds, lead.interval.scaled(1 / rounds))


def is_clear(lead: PairedComparison) -> bool:
    """Whether the interval of a difference does not hold zero."""
    return not lead.interval.low <= 0.0 <= lead.interval.high


def rank_all(
    specs: Sequence[str],
    field: str,
    games_of: Callable[[str], int],
    *,
    seed: int,
    jobs: int | None = None,
    watch: Watch | None = None,
) -> Ranking:
    """Play every strategy against three of the field. Everything is compiled first."""
    for spec in specs:
        Experiment.make(GAME, [spec], seed=seed)
    found = []
    for spec in specs:
        games = games_of(spec)
        if watch is not None:
            watch(Experiment.make(GAME, [spec, *[field] * (SEATS - 1)], seed=seed), games)
        found.append(place(spec, field, games, seed, jobs))
    return Ranking(tuple(sorted(found, key=lambda one: (-one.mean, one.spec))))


def idea_of(rules: Ruleset, spec: str, kind: str) -> str:
    """The one-line description of the function that a strategy has for a kind of decision."""
    part = parse(spec, rules).parts[rules.kinds.index(kind)]
    return registered(rules)[kind, part.info.name].summary


def ranking_table(name: str, title: str, ranking: Ranking, kind: str) -> Table:
    """The ranking in numbers, with the lead of each strategy over the next."""
    import pandas as pd

    rows, records = [], []
    rules = ranking.placed[0].experiment.rules
    for number, one in enumerate(ranking.placed):
        lead = ranking.leads[number] if number < len(ranking.leads) else None
        scale = 1 / one.rounds
        text = lead_text(lead, one.rounds) if lead else ""
        shares = [Cell.number(f"{100 * share:.1f} %", share) for share in one.shares]
        rows.append(
            (
                Cell.name(one.spec),
                Cell.number(one.text(), one.mean),
                Cell.number(text, lead.difference * scale) if lead else Cell.missing(),
                *shares,
                Cell.count(one.games),
                Cell.words(idea_of(rules, one.spec, kind)),
            )
        )
        limits = one.limits
        records.append(
            {
                "strategy": one.spec,
                "field": one.field,
                "deals": one.games,
                "points_a_round": one.mean,
                "low": limits.low,
                "high": limits.high,
                "level": LEVEL,
                "method": limits.method,
                **{f"share_rank_{k + 1}": share for k, share in enumerate(one.shares)},
                "lead": lead.difference * scale if lead else None,
                "lead_low": lead.interval.low * scale if lead else None,
                "lead_high": lead.interval.high * scale if lead else None,
                "lead_deals": lead.n if lead else None,
                "variance_ratio": lead.variance_ratio if lead else None,
            }
        )
    first = ranking.placed[0]
    note = Sentence.of(
        "Points a round (3, 2, 1, 0 for the ranks) of one player against three that play {field}; "
        "equal players get 1.5. A block is a deal of ten rounds with the player in each of the "
        "four seats; " + percent(LEVEL) + " intervals by Student’s t over blocks. The lead over "
        "the next row is taken block by block on the deals that both played; its intervals hold "
        "together for all {pairs} pairs (Bonferroni). Common deals need between {low} and {high} "
        "times fewer blocks for that than deals of their own. The commands play the games in which "
        "it has seat 0.",
        field=Name(first.field),
        pairs=Number(str(len(ranking.placed) * (len(ranking.placed) - 1) // 2)),
        **_gains(ranking),
    )
    columns = ("strategy", "points a round", "lead over the next", *TITLES, "deals", "idea")
    data = pd.DataFrame(records).astype({"lead_deals": "Int64"})
    return Table(name, title, columns, tuple(rows), data, note,
                 tuple(one.command() for one in ranking.placed))  # fmt: skip


def _gains(ranking: Ranking) -> dict[str, Number]:
    ratios = [lead.variance_ratio for lead in ranking.leads if np.isfinite(lead.variance_ratio)]
    low, high = (min(ratios), max(ratios)) if ratios else (1.0, 1.0)
    return {"low": Number(f"{low:.1f}"), "high": Number(f"{high:.1f}")}


def shares_figure(name: str, title: str, ranking: Ranking) -> Figure:
    """The shares of rounds at each rank by strategy."""
    first = ranking.placed[0]
    picture = rank_shares(
        name,
        {one.spec: one.shares for one in ranking.placed},
        title=title,
        axis="share of rounds as President, Vice-President, Secretary, Janitor (from left)",
    )
    note = Sentence.of(
        "One player against three that play {field}, in all seats. Dark to light: President, "
        "Vice-President, Secretary, Janitor, in percent of the rounds. Equal players would have "
        "25 of each.",
        field=Name(first.field),
    )
    return Figure(picture, note, tuple(one.command() for one in ranking.placed))


# --- against each other ---------------------------------------------------------------------------


def payoff_figure(
    name: str,
    title: str,
    specs: Sequence[str],
    fields: Sequence[str],
    games_of: Callable[[str], int],
    *,
    seed: int,
    jobs: int | None = None,
    watch: Watch | None = None,
) -> tuple[Figure, Table]:
    """One of each strategy against three of each field: a picture and its table."""
    import pandas as pd

    cells, records, rows = {}, [], []
    for y, spec in enumerate(specs):
        texts, games = [], games_of(spec)
        for x, field in enumerate(fields):
            if watch is not None:
                watch(Experiment.make(GAME, [spec, *[field] * (SEATS - 1)], seed=seed), games)
            one = place(spec, field, games, seed, jobs)
            limits = one.limits
            same = spec == field
            shown = "" if same else f"{limits.low:.2f} to {limits.high:.2f}"
            cells[y, x] = HeatCell(one.mean / 3, f"{one.mean:.2f}", shown)
            texts.append(Cell.number(f"{one.mean:.2f}" if same else one.text(), one.mean))
            records.append(
                {
                    "strategy": spec,
                    "field": field,
                    "deals": games,
                    "points_a_round": one.mean,
                    "low": limits.low,
                    "high": limits.high,
                    "level": LEVEL,
                    "method": limits.method,
                }
            )
        rows.append((Cell.name(spec), *texts))
    picture = heat(
        name,
        cells,
        rows=list(enumerate(specs)),
        columns=list(enumerate(fields)),
        title=title,
        row_axis="one player",
        column_axis="against three",
        what="Points a round",
    )
    note = Sentence.of(
        "Points a round of one player (row) against three of another strategy (column), all seats, "
        "{games} deals; 1.5 is even. " + percent(LEVEL) + " intervals by Student’s t over "
        "blocks, each cell for itself.",
        games=Number(games_text([games_of(spec) for spec in specs])),
    )  # fmt: skip
    table = Table(
        f"{name}-table", f"{title}, in numbers", ("one against three", *fields), tuple(rows),
        pd.DataFrame(records), note,
    )  # fmt: skip
    return Figure(picture, note), table
