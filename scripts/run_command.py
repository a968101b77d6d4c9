"""`playout run`: many games of an experiment, given by options or by a file."""

from __future__ import annotations

import contextlib
import functools
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from scripts.calls import Command
from scripts.params import Count, Words, experiment_options, make_experiment
from scripts.saying import notice, say

if TYPE_CHECKING:
    from scripts.experiment_files import StudyFile
    from sim.experiment import Experiment

EPILOG = """\b
Examples:
  playout run shooting-party --strategy tidy --games 1M
  playout run shooting-party --strategy random --games 5M --seed 1 --format json
  playout run shooting-party --strategy tidy --option exhaustion=at-once --out runs/at-once
  playout run shooting-party --strategy my_file.py:my_function --games 100k
  playout run my_experiment.toml --out runs/mine

With --out, a run that was stopped goes on where it was, and more games of the same experiment play
only the new ones. Ctrl-C saves what is done. A file that ends with .toml says game, strategies,
options, seed, games and what to keep, or names a ready-made study, whose page goes to --out.
"""

#: What an experiment file says itself, by the names of the parameters.
OF_FILE = ("strategies", "models", "options", "seed", "games", "keep")
#: What means nothing for a study.
NOT_OF_STUDY = ("backend", "style", "chunk")


@click.command(cls=Command, epilog=EPILOG)
@functools.partial(experiment_options, required=False)
@click.option(
    "--games", type=Count("games"), default="100k", show_default=True, help="How many games."
)
@click.option("--jobs", type=Count("jobs", 1, 1024), help="Workers; the default is all cores.")
@click.option("--backend", metavar="NAME", default="threads", show_default=True,
              help="threads, processes or dask.")  # fmt: skip
@click.option("--scheduler", metavar="ADDRESS",
              help="With dask: the cluster's scheduler; else one is started here.")  # fmt: skip
@click.option("--out", metavar="DIR", help="Keep the results in this folder.")
@click.option(
    "--keep",
    metavar="WHAT",
    default="games",
    show_default=True,
    help="games: a row for each game; counts: only how many ended how (small and flat).",
)
@click.option(
    "--format", "style", type=Words("format", ["table", "json", "csv"]), default="table",
    show_default=True, help="What is printed.",
)  # fmt: skip
@click.option(
    "--chunk",
    type=Count("chunk", 1, 10_000_000),
    help="Games a chunk; the default follows the speed.",
)
@click.pass_context
def run(
    ctx: click.Context,
    game: str,
    strategies: tuple[str, ...],
    models: tuple[str, ...],
    options: tuple[str, ...],
    seed: int,
    games: int,
    jobs: int | None,
    backend: str,
    scheduler: str | None,
    out: str | None,
    keep: str,
    style: str,
    chunk: int | None,
) -> None:
    """Play many games of GAME and count how they ended.

    Each outcome is printed with its share of the games and a 95 % interval.
    """
    from reports.outcomes import outcome_table
    from scripts.output import print_run
    from scripts.progress import progress_on_stderr
    from sim.errors import UsageError
    from sim.run import run as run_games

    experiment: Experiment
    if game.endswith(".toml"):
        from scripts.experiment_files import StudyFile, load

        _refuse(ctx, game, OF_FILE, "the file says that itself")
        loaded = load(game)
        if isinstance(loaded, StudyFile):
            _refuse(ctx, game, NOT_OF_STUDY, "the file names a study")
            _run_study(loaded, out or "out", jobs)
            return
        experiment, games, keep = loaded.experiment, loaded.games, loaded.keep
    else:
        if not strategies:
            raise click.MissingParameter(ctx=ctx, param=_param(ctx, "strategies"))
        experiment = make_experiment(game, strategies, options, seed, models)
    if scheduler is not None and backend != "dask":
        raise UsageError("--scheduler is for --backend dask; give both, or neither")
    _tell_plain_python(experiment)
    goes_on = f"are kept in {out}, and the same command goes on"
    try:
        # the strategy's own prints are no result
        with progress_on_stderr(experiment) as on_progress, contextlib.redirect_stdout(sys.stderr):
            result = run_games(
                experiment,
                games,
                out=out,
                jobs=jobs,
                backend=backend,
                scheduler=scheduler,
                keep=keep,
                chunk=chunk,
                on_progress=on_progress,
                on_notice=notice,
            )
        if result.games:
            print_run(result, outcome_table(result.tally, experiment.measures), style)
    except KeyboardInterrupt:
        begun = out is not None and (Path(out) / "manifest.json").exists()
        saved = f"; the games saved so far {goes_on}" if begun else ""
        sys.exit(say(f"interrupted at once{saved}", 130))
    if not result.complete:
        saved = f"; they {goes_on}" if out else ""
        sys.exit(say(f"interrupted after {result.games:,} of {games:,} games{saved}", 130))


def _tell_plain_python(experiment: Experiment) -> None:
    """Say how slowly strategies run that are not compiled."""
    from sim.engine import play
    from sim.experiment import Experiment as Maker

    plain = {
        part.text()
        for seat in experiment.seats
        for part, function in zip(seat.parts, seat.compiled(experiment.rules), strict=True)
        if function.python is not None
    }
    if not plain:
        return
    yardstick = experiment.rules.yardsticks[-1]
    beside = Maker.make(
        experiment.game, [yardstick], options=experiment.options, models=experiment.models
    )

    def seconds_a_game(one: Experiment, games: int) -> float:
        play(one.rules, one.options, one.seating, one.seed, 0, 1)
        began = time.perf_counter()
        play(one.rules, one.options, one.seating, one.seed, 0, games)
        return (time.perf_counter() - began) / games

    with contextlib.suppress(Exception):  # what it does wrong is told by the run
        factor = seconds_a_game(experiment, 5) / max(seconds_a_game(beside, 500), 1e-9)
        notice(
            f"{', '.join(sorted(plain))} runs as plain Python, about {factor:,.0f} times slower "
            f"than {yardstick}"
        )


def _param(ctx: click.Context, name: str) -> click.Parameter:
    return next(param for param in ctx.command.params if param.name == name)


def _refuse(ctx: click.Context, file: str, names: tuple[str, ...], why: str) -> None:
    """Fail where an option was given that the file leaves no room for."""
    for name in names:
        if ctx.get_parameter_source(name) == ParameterSource.COMMANDLINE:
            raise click.UsageError(f"{file} is given with {_param(ctx, name).opts[0]}, but {why}")


def _run_study(study: StudyFile, out: str, jobs: int | None) -> None:
    """Play a ready-made study and write its page."""
    from reports.page import check_out, write_page
    from scripts.reports import on_terminal, page_of

    check_out(Path(out))
    page = page_of(
        [study.study], seed=study.seed, scale=study.scale, jobs=jobs, watch=on_terminal()
    )
    for written in write_page(page, Path(out)):
        click.echo(written.text())
