"""`playout sweep`: rule variants on the same deals."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from scripts.calls import Command
from scripts.params import LARGEST_SEED, MODEL_HELP, STRATEGY_HELP, Count, Real, Words

if TYPE_CHECKING:
    from scripts.sweep import Watch

EPILOG = """\b
Examples:
  playout sweep shooting-party --vary exhaustion=on-need,at-once --vary hand=3,4 --strategy tidy
  playout sweep president --vary exchange=none,1/0,2/1 --vary lead=rotate,rank1 --strategy lowest
  playout sweep president --vary exchange=none,2/1 --strategy lowest --score prais

Every setting plays the same deals, so changes are taken game by game. Values are parted by commas,
or by semicolons where a value holds a comma itself: --vary 'wild=2;2,3'.
"""


@click.command(cls=Command, epilog=EPILOG)
@click.argument("game")
@click.option("--vary", multiple=True, required=True, metavar="OPTION=VALUE,VALUE…",
              help="A rule option and its values; may be repeated.")  # fmt: skip
@click.option("--strategy", "strategies", multiple=True, required=True, metavar="SPEC",
              help=STRATEGY_HELP.replace("Once for every seat, or once for each seat.",
                                         "It plays every seat; may be repeated."))  # fmt: skip
@click.option("--model", "models", multiple=True, metavar="SPEC", help=MODEL_HELP)
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE",
              help="A rule option that is the same in all settings.")  # fmt: skip
@click.option("--seed", type=Count("seed", 0, LARGEST_SEED), default=1, show_default=True,
              help="The seed of all games.")  # fmt: skip
@click.option("--games", type=Count("games", 2), default="2000", show_default=True,
              help="Games of each setting.")  # fmt: skip
@click.option("--score", metavar="NAME", help="The score that comes first; see the table's head.")
@click.option("--target", metavar="SCORE=VALUE±TOLERANCE",
              help="Order by the distance to it, and say which settings hit it.")  # fmt: skip
@click.option("--level", type=Real("level", 0.5, 0.9999), default=0.95, show_default=True,
              help="The level of all intervals.")  # fmt: skip
@click.option("--out", metavar="DIR", help="Write sweep.csv, sweep.parquet and a heat map there.")
@click.option("--jobs", type=Count("jobs", 1, 1024), help="Workers; the default is all cores.")
@click.option("--format", "style", type=Words("format", ["table", "json", "csv"]),
              default="table", show_default=True, help="What is printed.")  # fmt: skip
def sweep(
    game: str,
    vary: tuple[str, ...],
    strategies: tuple[str, ...],
    models: tuple[str, ...],
    options: tuple[str, ...],
    seed: int,
    games: int,
    score: str | None,
    target: str | None,
    level: float,
    out: str | None,
    jobs: int | None,
    style: str,
) -> None:
    """Play variants of the rules of GAME on the same deals."""
    from reports.page import check_out
    from reports.sweep import Target
    from scripts.sweep import parse_vary, play_sweep, print_sweep, write_sweep
    from sim.sweep import Sweep

    if out is not None:
        check_out(Path(out))
    grid = Sweep.make(
        game, strategies, parse_vary(vary), options=options, seed=seed, score=score, models=models
    )
    wish = None
    if target is not None:
        wish = Target.parse(target, [trait.name for trait in grid.traits])
    with contextlib.redirect_stdout(sys.stderr), _progress() as watch:  # strategies' own prints
        result = play_sweep(grid, games, level=level, target=wish, jobs=jobs, watch=watch)
    if out is not None:
        for path in write_sweep(result, Path(out)):
            click.echo(str(path), err=True)
    print_sweep(result, style)


@contextlib.contextmanager
def _progress() -> Iterator[Watch | None]:
    """A line on stderr with the games so far; None when stderr is no terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.live import Live
    from rich.text import Text

    with Live(console=Console(stderr=True), refresh_per_second=4, transient=True) as live:
        yield lambda done, most: live.update(Text(f"{done:,} of {most:,} games of each setting"))
