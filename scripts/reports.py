"""All ready-made studies as one page: `python -m scripts.reports --out out`.

A study is a module of this package named after its game that has a function `study`; a new one
needs no entry here.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import click

from reports.page import Page, Study
from scripts.calls import Command, sentence
from scripts.common_deals import Watch
from scripts.params import LARGEST_SEED, Count, Real
from scripts.saying import NO_MEMORY, is_short_of_memory
from sim.errors import PlayoutError, UsageError, one_of
from sim.experiment import Experiment, seats_text


class MakeStudy(Protocol):
    """What a module with a study offers."""

    def __call__(
        self,
        *,
        seed: int = 1,
        scale: float = 1.0,
        games: int | None = None,
        jobs: int | None = None,
        watch: Watch | None = None,
    ) -> Study:
        """Play and report."""


def studies() -> dict[str, str]:
    """The modules with a study, by game."""
    import sim.games

    modules = {game: f"scripts.{sim.games.module_of(game)}" for game in sim.games.names()}
    return {game: name for game, name in modules.items() if importlib.util.find_spec(name)}


def study_of(game: str) -> MakeStudy:
    """The study of a game. Raises UsageError where there is none."""
    known = studies()
    if game not in known:
        raise UsageError(f"there is no study of {game!r}; there are studies of {one_of(known)}")
    make: MakeStudy = importlib.import_module(known[game]).study
    return make


def page_of(
    games: Sequence[str],
    *,
    seed: int = 1,
    scale: float = 1.0,
    number: int | None = None,
    jobs: int | None = None,
    watch: Watch | None = None,
) -> Page:
    """The page with the studies of these games; none or all of them: `make reports` itself."""
    chosen = list(games) or list(studies())
    makers = [study_of(game) for game in chosen]
    made = [make(seed=seed, scale=scale, games=number, jobs=jobs, watch=watch) for make in makers]
    words = ["python -m scripts.reports --out out", *(f"--only {game}" for game in games)]
    words += [f"--seed {seed}"]
    if number is not None:
        words.append(f"--games {number}")
    elif scale != 1.0:
        words.append(f"--scale {scale}")
    return Page(
        title="playout: what the games came to",
        lead="Strategies and rules of card games, measured by playing many games by computer. "
        "Every number on this page comes with its interval, the settings behind it and the "
        "command that makes it again.",
        studies=tuple(made),
        commands=(" ".join(words),),
    )


@click.command(
    "scripts.reports", cls=Command, context_settings={"help_option_names": ["-h", "--help"]}
)
@click.option("--out", default="out", show_default=True, metavar="DIR", help="Where the files go.")
@click.option("--only", multiple=True, metavar="GAME", help="The study of this game; repeatable.")
@click.option(
    "--scale",
    type=Real("scale", 1e-6, 1000),
    default=1.0,
    show_default=True,
    help="Times the planned number of games of each run.",
)
@click.option("--games", type=Count("games", 2), help="This many games in every run instead.")
@click.option(
    "--seed",
    type=Count("seed", 0, LARGEST_SEED),
    default=1,
    show_default=True,
    help="The seed of all games.",
)
@click.option("--jobs", type=Count("jobs", 1, 1024), help="Workers; the default is all cores.")
@click.option("--png", is_flag=True, help="Write each plot as PNG too.")
def main(
    out: str,
    only: tuple[str, ...],
    scale: float,
    games: int | None,
    seed: int,
    jobs: int | None,
    png: bool,
) -> None:
    """Run the ready-made studies and write a page, plots and tables."""
    from reports.page import check_out, write_page

    check_out(Path(out))
    page = page_of(only, seed=seed, scale=scale, number=games, jobs=jobs, watch=on_terminal())
    for written in write_page(page, Path(out), png=png):
        click.echo(written.text())


def on_terminal() -> Watch | None:
    """Tell on a terminal what is being played."""
    if not sys.stderr.isatty():
        return None

    def watch(experiment: Experiment, games: int) -> None:
        changed = ",".join(f"{k}={v}" for k, v in experiment.options.changed().items())
        line = f"{experiment.game}: {games:,} games of {seats_text(experiment)} {changed}"
        click.echo(f"\r\x1b[K{line[:78]}", nl=False, err=True)

    return watch


def entry(arguments: Sequence[str] | None = None) -> None:
    """Run `main`: errors are one sentence on stderr."""
    run_command(main, "scripts.reports", arguments)


def run_command(command: click.Command, name: str, arguments: Sequence[str] | None = None) -> None:
    """Run the command of a study: errors are one sentence on stderr."""
    try:
        command.main(arguments, prog_name=name, standalone_mode=False)
    except click.ClickException as error:
        _say(sentence(error))
        sys.exit(error.exit_code)
    except PlayoutError as error:
        _say(str(error))
        sys.exit(error.exit_status)
    except (KeyboardInterrupt, click.Abort):
        _say("interrupted; nothing was written")
        sys.exit(130)
    except Exception as error:
        if not is_short_of_memory(error):
            raise
        _say(NO_MEMORY)
        sys.exit(1)
    finally:
        if sys.stderr.isatty():
            click.echo("\r\x1b[K", nl=False, err=True)


def _say(message: str) -> None:
    from scripts.output import clean

    click.echo(f"playout: {clean(' '.join(message.split()))}", err=True)


if __name__ == "__main__":
    entry()
