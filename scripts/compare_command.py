"""`playout compare`: strategies on the same deals, until the answer is known."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from scripts.calls import Command
from scripts.params import Count, Real, Words, experiment_options

if TYPE_CHECKING:
    from reports.stopping import Watched
    from scripts.compare import Watch
    from sim.blocks import Match

EPILOG = """\b
Examples:
  playout compare shooting-party --strategy tidy --strategy random --games 100k
  playout compare shooting-party --strategy tidy --strategy random --decide 0.05
  playout compare president --strategy lowest --strategy random --until 0.5
  playout compare president --strategy lowest --strategy random --against random

Every strategy meets the same deals. A deal in all its seatings is a block, and intervals are over
blocks. --games fixes their number. --until and --decide look at the blocks in their order, stop as
soon as they may, and what they print holds in spite of the looking.
"""


@click.command(cls=Command, epilog=EPILOG)
@experiment_options
@click.option("--against", metavar="SPEC", help="The strategy of all other seats; else one table.")
@click.option("--games", type=Count("games", 2), help="Deals: how many, or with a rule at most.")
@click.option("--until", "half_width", type=Real("until", 0, 1e9), help="Stop within ± this.")
@click.option(
    "--decide",
    "effect",
    type=Real("decide", -1e9, 1e9),
    help="Stop when it is plainly 0, or plainly this.",
)
@click.option("--alpha", type=Real("alpha", 0, 1), default=0.05, show_default=True,
              help="With --decide: how often 0 may be taken for the effect.")  # fmt: skip
@click.option("--beta", type=Real("beta", 0, 1), default=0.05, show_default=True,
              help="With --decide: how often the effect may be taken for 0.")  # fmt: skip
@click.option("--score", metavar="NAME", help="What decides; the game's first score if not given.")
@click.option("--design", metavar="NAME", help="The seatings of a block; auto: by a pilot.")
@click.option("--level", type=Real("level", 0.5, 0.9999), default=0.95, show_default=True,
              help="The level of all intervals.")  # fmt: skip
@click.option("--ratings", is_flag=True, help="Add Bradley-Terry ratings from win shares.")
@click.option("--jobs", type=Count("jobs", 1, 1024), help="Workers; the default is all cores.")
@click.option("--format", "style", type=Words("format", ["table", "json", "csv"]),
              default="table", show_default=True, help="What is printed.")  # fmt: skip
def compare(
    game: str,
    strategies: tuple[str, ...],
    models: tuple[str, ...],
    options: tuple[str, ...],
    seed: int,
    against: str | None,
    games: int | None,
    half_width: float | None,
    effect: float | None,
    alpha: float,
    beta: float,
    score: str | None,
    design: str | None,
    level: float,
    ratings: bool,
    jobs: int | None,
    style: str,
) -> None:
    """Compare strategies of GAME on the same deals.

    Two strategies: every score, with intervals, or one score until a rule is content. More: who
    beats whom, and the places that are open to each.
    """
    from scripts.compare import (
        DEFAULT_GAMES,
        MOST_GAMES,
        choose_design,
        decide,
        make_match,
        play_match,
        until,
    )
    from scripts.compare_output import print_comparison
    from sim.errors import UsageError

    auto = design == "auto"
    match = make_match(
        game, strategies, options=options, seed=seed, against=against, score=score,
        design=None if auto else design, models=models,
    )  # fmt: skip
    if half_width is not None and effect is not None:
        raise UsageError("--until and --decide are two rules to stop by; give one of them")
    stops = half_width is not None or effect is not None
    if stops and len(strategies) != 2:
        raise UsageError("--until and --decide compare two strategies; for more give --games")
    if ratings and (against is not None or "win share" not in [s.name for s in match.scores]):
        raise UsageError(
            "--ratings needs tables at which strategies meet (no --against) and a score win share"
        )
    if ratings and stops:
        raise UsageError("--ratings needs a fixed number of deals: no --until, no --decide")

    def rule_for(match: Match) -> Watched | None:
        if half_width is not None:
            return until(match, half_width, level)
        return decide(match, effect, level, alpha, beta) if effect is not None else None

    rule_for(match)  # what it refuses is said before the pilot
    with contextlib.redirect_stdout(sys.stderr):  # a strategy's own prints are no result
        match, pilot = choose_design(match, jobs) if auto else (match, ())
        limit = games or (MOST_GAMES if stops else DEFAULT_GAMES)
        with _progress() as watch:
            compared = play_match(
                match, limit, level=level, rule=rule_for(match), jobs=jobs, watch=watch
            )
    print_comparison(replace(compared, pilot=pilot), style, ratings)


@contextlib.contextmanager
def _progress() -> Iterator[Watch | None]:
    """A line on stderr with the blocks so far; None when stderr is no terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.live import Live
    from rich.text import Text

    with Live(console=Console(stderr=True), refresh_per_second=4, transient=True) as live:
        yield lambda done, most, sums: live.update(Text(f"{done:,} of at most {most:,} deals"))
