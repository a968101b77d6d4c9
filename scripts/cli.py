"""The command line `playout`. Heavy modules are imported by the commands that need them."""

import os
import sys
from pathlib import Path
from typing import Any

import click

from scripts.params import Count, experiment_options, make_experiment

EPILOG = """\b
Examples:
  playout games
  playout strategies shooting-party
  playout run shooting-party --strategy tidy --games 1M
  playout show shooting-party --strategy tidy --index 7
"""


@click.group(
    epilog=EPILOG,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    no_args_is_help=False,
)
@click.version_option(package_name="playout")
def main() -> None:
    """Find out, by playing millions of games, how good a strategy or a rule of a card game is."""


@main.command()
def games() -> None:
    """List the games."""
    import sim.games
    from scripts.output import print_table

    rows = []
    for name in sim.games.names():
        rules = sim.games.load(name)
        rows.append([name, rules.title, rules.summary])
    print_table("", ["game", "title", "what it is about"], rows)


@main.command(epilog="\b\nExample:\n  playout strategies shooting-party")
@click.argument("game")
def strategies(game: str) -> None:
    """List the strategies of GAME with their parameters."""
    import sim.games
    from scripts.output import print_table
    from strategies.registry import registered

    rules = sim.games.load(game)
    rows = []
    for (kind, name), info in registered(rules).items():
        parameters = ", ".join(
            f"{p}={param.default} ({param.low} to {param.high}: {param.meaning})"
            for p, param in info.params.items()
        )
        label = name if len(rules.kinds) == 1 else f"{kind}={name}"
        rows.append([label, info.summary, parameters or "none", info.source or "this project"])
    print_table(
        f"Strategies of {rules.title}; your own: --strategy FILE.py:FUNCTION",
        ["strategy", "idea", "parameters", "source"],
        rows,
    )


@main.command(epilog="\b\nExample:\n  playout rules shooting-party")
@click.argument("game")
def rules(game: str) -> None:
    """Print the rules of GAME in numbered clauses, with every option."""
    from importlib.resources import files

    import sim.games
    from sim.errors import PlayoutError

    name = sim.games.load(game).name
    text = files("seeds").joinpath("rules", f"{name}.md")
    if not text.is_file():
        raise PlayoutError(f"the rules of {name} are not part of this installation")
    click.echo(text.read_text(encoding="utf-8"), nl=False)


RUN_EPILOG = """\b
Examples:
  playout run shooting-party --strategy tidy --games 1M
  playout run shooting-party --strategy random --games 5M --seed 1 --format json
  playout run shooting-party --strategy tidy --games 1e6 --option exhaustion=at-once --out runs/at-once
  playout run shooting-party --strategy my_file.py:my_function --games 100k

With --out, a run that was stopped goes on where it was, and more games of the same experiment play
only the new ones. Ctrl-C saves what is done.
"""


@main.command(epilog=RUN_EPILOG)
@experiment_options
@click.option(
    "--games", type=Count("games"), default="100k", show_default=True, help="How many games."
)
@click.option("--jobs", type=Count("jobs", 1, 1024), help="Workers; the default is all cores.")
@click.option("--backend", default="threads", show_default=True, help="threads or processes.")
@click.option("--out", metavar="DIR", help="Keep the results in this folder.")
@click.option(
    "--keep",
    default="games",
    show_default=True,
    help="games: a row for each game; counts: only how many ended how (small and flat).",
)
@click.option(
    "--format", "style", type=click.Choice(["table", "json", "csv"]), default="table",
    show_default=True, help="What is printed.",
)  # fmt: skip
@click.option("--chunk", type=Count("chunk"), help="Games a chunk; the default follows the speed.")
def run(
    game: str,
    strategies: tuple[str, ...],
    options: tuple[str, ...],
    seed: int,
    games: int,
    jobs: int | None,
    backend: str,
    out: str | None,
    keep: str,
    style: str,
    chunk: int | None,
) -> None:
    """Play many games of GAME and say how they ended, with intervals."""
    from reports.outcomes import outcome_table
    from scripts.output import clean, print_run
    from scripts.progress import progress_on_stderr
    from sim.run import run as run_games

    experiment = make_experiment(game, strategies, options, seed)

    def notice(text: str) -> None:
        click.echo(f"playout: {clean(text)}", err=True)

    with progress_on_stderr(experiment) as on_progress:
        result = run_games(
            experiment,
            games,
            out=out,
            jobs=jobs,
            backend=backend,
            keep=keep,
            chunk=chunk,
            on_progress=on_progress,
            on_notice=notice,
        )
    if result.games:
        print_run(result, outcome_table(result.tally, experiment.rules.measures), style)
    if not result.complete:
        saved = f"; they are kept in {out}, and the same command goes on" if out else ""
        notice(f"interrupted after {result.games:,} of {games:,} games{saved}")
        sys.exit(130)


INDEX_HELP = "The index of the first game."


@main.command(epilog="\b\nExample:\n  playout trace shooting-party --strategy tidy --games 10")
@experiment_options
@click.option("--first", type=Count("first", 0), default="0", show_default=True, help=INDEX_HELP)
@click.option("--games", type=Count("games"), default="1", show_default=True, help="How many.")
def trace(
    game: str,
    strategies: tuple[str, ...],
    options: tuple[str, ...],
    seed: int,
    first: int,
    games: int,
) -> None:
    """Write games of GAME as JSON lines: everything that happened, hidden cards included."""
    from sim.trace import lines

    experiment = make_experiment(game, strategies, options, seed)
    for line in lines(experiment, first, games):
        sys.stdout.write(line + "\n")


@main.command(epilog="\b\nExample:\n  playout show shooting-party --strategy tidy --index 7")
@experiment_options
@click.option("--index", type=Count("index", 0), default="0", show_default=True, help="The game.")
def show(
    game: str, strategies: tuple[str, ...], options: tuple[str, ...], seed: int, index: int
) -> None:
    """Tell one game of GAME in words, with the clause beside each forced step."""
    from scripts.output import clean, settings_text
    from sim.experiment import seats_text
    from sim.trace import events

    experiment = make_experiment(game, strategies, options, seed)
    telling: dict[str, Any] = {}
    title = f"{experiment.rules.title}, game {index}: {seats_text(experiment)}"
    click.echo(f"{clean(title)} ({settings_text(experiment)})")
    for event in events(experiment, index):
        if event["ev"] == "game":
            continue
        text = experiment.rules.tell(event, telling)
        if text is not None:
            click.echo(text)


AUDIT_EPILOG = """\b
Example:
  playout audit shooting-party --strategy my_file.py:my_function
"""


@main.command(epilog=AUDIT_EPILOG)
@experiment_options
@click.option("--games", type=Count("games"), default="200", show_default=True, help="How many.")
@click.option(
    "--redeals",
    type=Count("redeals", 1, 1000),
    default="3",
    show_default=True,
    help="How often the hidden cards are dealt again at each decision.",
)
def audit(
    game: str,
    strategies: tuple[str, ...],
    options: tuple[str, ...],
    seed: int,
    games: int,
    redeals: int,
) -> None:
    """Check that a strategy, and its view, know no hidden cards.

    At each decision the hidden cards are dealt again in ways that the player could not tell apart:
    the view must not change, nor the action. Ends with status 1 at the first leak.
    """
    from sim.audit import audit as audit_games

    experiment = make_experiment(game, strategies, options, seed)
    result = audit_games(experiment, games, redeals)
    click.echo(
        f"No leak: {result.games:,} games, {result.decisions:,} decisions, {result.redeals:,} "
        f"re-deals, of which {result.changed:,} changed hidden cards."
    )


@main.command(epilog="\b\nExample:\n  playout bench shooting-party")
@click.argument("game", required=False)
@click.option(
    "--seconds",
    type=float,
    default=1.0,
    show_default=True,
    help="How long each measurement lasts.",
)
def bench(game: str | None, seconds: float) -> None:
    """Measure the speed here, beside the plain-Python reference."""
    from scripts.bench import bench as run_bench

    run_bench(game, seconds)


@main.command(epilog="\b\nExample:\n  playout report runs/at-once --out out")
@click.argument("folders", nargs=-1, required=True, metavar="DIR…")
@click.option("--out", default="out", show_default=True, metavar="DIR", help="Where the page goes.")
def report(folders: tuple[str, ...], out: str) -> None:
    """Make a page with plots and tables from run folders."""
    from reports.folders import report_folders

    for path in report_folders([Path(folder) for folder in folders], Path(out)):
        click.echo(str(path))


def entry() -> None:
    """Run the command line: errors are one sentence on stderr, never a traceback."""
    from sim.errors import PlayoutError

    try:
        status = main(standalone_mode=False)
        sys.stdout.flush()
        sys.exit(status if isinstance(status, int) else 0)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.ctx.get_help(), err=True)
        sys.exit(2)
    except click.ClickException as error:
        say(error.format_message())
        sys.exit(2 if isinstance(error, click.UsageError) else 1)
    except PlayoutError as error:
        say(str(error))
        sys.exit(error.exit_status)
    except (KeyboardInterrupt, click.Abort):
        say("interrupted")
        sys.exit(130)
    except BrokenPipeError:
        # the reader of a pipe has gone; leave quietly, and keep Python from complaining at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except MemoryError:
        say("there is not enough memory for this; ask for fewer games or use --keep counts")
        sys.exit(1)
    except OSError as error:
        say(f"{error.filename or 'output'}: {error.strerror or error}")
        sys.exit(1)


def say(message: str) -> None:
    """One line on stderr; control characters of the user's own text are taken out."""
    from scripts.output import clean

    click.echo(f"playout: {clean(' '.join(message.split()))}", err=True)


if __name__ == "__main__":
    entry()
