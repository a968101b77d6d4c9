"""The exchange laboratory: how hard it is to get up from the bottom of President, rule by rule.

    python -m scripts.exchange_variants --out out --seed 1 --target 1.8 --tolerance 0.1

plays a grid of exchange variants, rules for the lead and strategies on the same deals, and writes a
page, plots and tables about the moves between ranks. `make reports` has it in its page too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import click

from reports.page import Page, Study, check_out, write_page
from reports.ranks import RankMoves, Together, together
from reports.words import Sentence
from scripts.calls import Command
from scripts.common_deals import Watch
from scripts.params import LARGEST_SEED, Count, Real
from sim.engine import StoppedError, play
from sim.experiment import Experiment
from sim.fault import describe
from sim.store import columns_of
from sim.tally import Tally

GAME = "president"
#: Games of a cell. A game takes 15 (lowest) to 60 (control) microseconds of one core.
GAMES = 4000
#: However small the scale, so many games are played: intervals need that many groups.
FEWEST_GAMES = 64
LEVEL = 0.95
TARGET, TOLERANCE = 1.8, 0.1
STRATEGIES = ("lowest", "fewest-turns", "control")
LEADS = ("rotate", "random", "rank1", "rank4")


@dataclass(frozen=True)
class Exchange:
    """An exchange variant: how it is called in tables, and its options."""

    label: str
    options: Mapping[str, str]


def exchange(size: str, words: str = "", **options: str) -> Exchange:
    """A variant with cards `size` and other options."""
    return Exchange(f"{size} {words}".strip(), {"exchange": size, **options})


#: The default `2/1` is among them. PR-12, PR-13
EXCHANGES = (
    exchange("none"),
    exchange("1/0"),
    exchange("1/1"),
    exchange("2/1"),
    exchange("3/2"),
    exchange("4/2"),
    exchange("2/1", "low random", low_gives="random"),
    exchange("2/1", "low lowest", low_gives="lowest"),
    exchange("2/1", "low choice", low_gives="choice"),
    exchange("2/1", "high random", high_gives="random"),
    exchange("2/1", "high highest", high_gives="highest"),
    exchange("2/1", "low first", exchange_order="low-first"),
)
DEFAULT, NONE = "2/1", "none"


@dataclass(frozen=True, eq=False)
class Cell:
    """One variant, lead rule and strategy: its games, and the moves between ranks in them."""

    exchange: Exchange
    lead: str
    experiment: Experiment
    games: int
    moves: RankMoves

    @property
    def strategy(self) -> str:
        """The strategy of all seats."""
        return self.experiment.seats[0].spec

    def command(self) -> str:
        """The command that plays the same games."""
        return self.experiment.command("run", "--games", str(self.games))


@dataclass(frozen=True, eq=False)
class Laboratory:
    """All cells, with figures whose intervals hold together for the whole grid."""

    cells: tuple[Cell, ...]
    target: float = TARGET
    tolerance: float = TOLERANCE

    @cached_property
    def figures(self) -> Together:
        """Escape time, passage and Prais-Shorrocks of every cell."""
        return together([cell.moves for cell in self.cells], LEVEL)

    def number(self, label: str, lead: str, strategy: str) -> int:
        """The place of a cell."""
        for place, cell in enumerate(self.cells):
            if (cell.exchange.label, cell.lead, cell.strategy) == (label, lead, strategy):
                return place
        raise KeyError((label, lead, strategy))

    @property
    def strategies(self) -> tuple[str, ...]:
        """The strategies, the strongest last."""
        return tuple(dict.fromkeys(cell.strategy for cell in self.cells))

    def verdict(self, place: int) -> str:
        """`hit` where the interval of the escape time lies inside target ± tolerance.

        `no` where it lies outside altogether, else `open`.
        """
        found = self.figures.interval(place, "escape")
        low, high = self.target - self.tolerance, self.target + self.tolerance
        if low <= found.low and found.high <= high:
            return "hit"
        return "no" if found.high < low or found.low > high else "open"


def rank_moves(experiment: Experiment, games: int) -> RankMoves:
    """The moves between ranks in games 0 … games - 1. Raises PlayError."""
    rules, options = experiment.rules, experiment.options
    try:
        played = play(rules, options, experiment.seating, experiment.seed, 0, games)
    except StoppedError as error:
        raise describe(experiment, error) from None
    assert rules.round_cells is not None
    cells = rules.round_cells(columns_of(played, rules, options)["rounds"])
    return RankMoves.of(Tally.of(cells, rules.round_tally))


def experiments(seed: int, strategies: Sequence[str]) -> list[tuple[Exchange, str, Experiment]]:
    """The grid, everything compiled."""
    return [
        (variant, lead, Experiment.make(
            GAME, [spec], options={**variant.options, "lead": lead}, seed=seed))
        for spec in strategies
        for variant in EXCHANGES
        for lead in LEADS
    ]  # fmt: skip


def explore(
    games: int,
    *,
    seed: int,
    jobs: int | None = None,
    watch: Watch | None = None,
    strategies: Sequence[str] = STRATEGIES,
    target: float = TARGET,
    tolerance: float = TOLERANCE,
) -> Laboratory:
    """Play the grid on the same deals."""
    from joblib import Parallel, cpu_count, delayed

    grid = experiments(seed, strategies)

    def cell(variant: Exchange, lead: str, experiment: Experiment) -> Cell:
        if watch is not None:
            watch(experiment, games)
        return Cell(variant, lead, experiment, games, rank_moves(experiment, games))

    found = Parallel(n_jobs=jobs or cpu_count(), backend="threading")(
        delayed(cell)(*one) for one in grid
    )
    return Laboratory(tuple(found), target, tolerance)


def planned(scale: float, games: int | None) -> int:
    """The number of games of a cell."""
    return max(FEWEST_GAMES, round(GAMES * scale) if games is None else games)


def study(
    *,
    seed: int = 1,
    scale: float = 1.0,
    games: int | None = None,
    jobs: int | None = None,
    watch: Watch | None = None,
    target: float = TARGET,
    tolerance: float = TOLERANCE,
) -> Study:
    """The laboratory as a study of its own."""
    from scripts.exchange_parts import laboratory_findings, laboratory_parts, laboratory_settings

    found = explore(
        planned(scale, games), seed=seed, jobs=jobs, watch=watch, target=target, tolerance=tolerance
    )
    command = f"python -m scripts.exchange_variants --out out --seed {seed}"
    if games is not None:
        command += f" --games {games}"
    elif scale != 1.0:
        command += f" --scale {scale}"
    if (target, tolerance) != (TARGET, TOLERANCE):
        command += f" --target {target} --tolerance {tolerance}"
    return Study(
        name="exchange-variants",
        title="President: the exchange laboratory",
        lead=Sentence.of(
            "After each round of President the ranks exchange cards: the bottom gives its best. "
            "How hard does that make it to get up, and which exchange is fair?"
        ),
        findings=laboratory_findings(found),
        parts=laboratory_parts(found, (command,)),
        settings=laboratory_settings(found, seed),
        commands=(command,),
    )


@click.command(
    "scripts.exchange_variants",
    cls=Command,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.option("--out", default="out", show_default=True, metavar="DIR", help="Where the files go.")
@click.option("--games", type=Count("games", FEWEST_GAMES), help="Games of each variant.")
@click.option(
    "--scale",
    type=Real("scale", 1e-6, 1000),
    default=1.0,
    show_default=True,
    help="Times the planned number of games.",
)
@click.option(
    "--seed",
    type=Count("seed", 0, LARGEST_SEED),
    default=1,
    show_default=True,
    help="The seed of all games.",
)
@click.option(
    "--target",
    type=Real("target", 1, 1000),
    default=TARGET,
    show_default=True,
    help="Rounds after which a Janitor should escape, on average.",
)
@click.option(
    "--tolerance",
    type=Real("tolerance", 1e-6, 1000),
    default=TOLERANCE,
    show_default=True,
    help="How far from the target still counts as a hit.",
)
@click.option("--jobs", type=Count("jobs", 1, 1024), help="Workers; the default is all cores.")
@click.option("--png", is_flag=True, help="Write each plot as PNG too.")
def main(
    out: str,
    games: int | None,
    scale: float,
    seed: int,
    target: float,
    tolerance: float,
    jobs: int | None,
    png: bool,
) -> None:
    """Play the grid of exchange variants and write a page, plots and tables."""
    from scripts.reports import on_terminal

    check_out(Path(out))
    made = study(
        seed=seed, scale=scale, games=games, jobs=jobs, watch=on_terminal(),
        target=target, tolerance=tolerance,
    )  # fmt: skip
    page = Page(
        title="playout: the exchange laboratory",
        lead="Every number on this page comes with its interval, the settings behind it and the "
        "command that makes it again.",
        studies=(made,),
        commands=made.commands,
    )
    for written in write_page(page, Path(out), png=png):
        click.echo(written.text())


if __name__ == "__main__":
    from scripts.reports import run_command

    run_command(main, "scripts.exchange_variants")
