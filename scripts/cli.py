"""The command line `playout`. Heavy modules are imported by the commands that need them."""

import contextlib
import io
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from scripts.author_commands import check, new_strategy
from scripts.calls import Commands, ReaderGoneError, sentence
from scripts.compare_command import compare
from scripts.params import Count, Real, Words, experiment_options, make_experiment
from scripts.reproduce_command import reproduce
from scripts.run_command import run
from scripts.saying import NO_MEMORY, is_short_of_memory, notice, say, too_little_memory
from scripts.selfcheck_command import selfcheck
from scripts.sweep_command import sweep

EPILOG = """\b
Examples:
  playout games
  playout strategies shooting-party
  playout run shooting-party --strategy tidy --games 1M
  playout show shooting-party --strategy tidy --index 7
"""


@click.group(
    cls=Commands,
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
    """List the strategies of GAME, and its recall models."""
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
    if rules.default_model is not None:
        _list_models(rules)


def _list_models(rules: Any) -> None:
    """The recall models of a game of memory."""
    from scripts.output import print_table
    from strategies.models import registered_models

    rows = []
    for name, info in registered_models(rules.name).items():
        free = info.defaults(any_order=True)
        parameters = [
            f"{p}={param.default}{f' (any order: {free[p]})' * (free[p] != param.default)}: "
            f"{param.meaning}"
            for p, param in info.params.items()
        ]
        rows.append([name, info.summary, ", ".join(parameters), info.source])
    print_table(
        f"Recall models of {rules.title}, {rules.default_model} unless --model says "
        f"otherwise; your "
        f"own: --model FILE.py:FUNCTION",
        ["model", "idea", "parameters", "source"],
        rows,
    )


@main.command(epilog="\b\nExample:\n  playout rules shooting-party")
@click.argument("game")
def rules(game: str) -> None:
    """Print the rules of GAME in numbered clauses."""
    from importlib.resources import files

    import sim.games
    from sim.errors import PlayoutError

    name = sim.games.load(game).name
    text = files("seeds").joinpath("rules", f"{name}.md")
    if not text.is_file():
        raise PlayoutError(f"the rules of {name} are not part of this installation")
    click.echo(text.read_text(encoding="utf-8"), nl=False)


main.add_command(run)

INDEX_HELP = "The index of the first game."


@main.command(epilog="\b\nExample:\n  playout trace shooting-party --strategy tidy --games 10")
@experiment_options
@click.option("--first", type=Count("first", 0), default="0", show_default=True, help=INDEX_HELP)
@click.option("--games", type=Count("games"), default="1", show_default=True, help="How many.")
def trace(
    game: str,
    strategies: tuple[str, ...],
    models: tuple[str, ...],
    options: tuple[str, ...],
    seed: int,
    first: int,
    games: int,
) -> None:
    """Write games of GAME as JSON lines, hidden cards included.

    One line an event: every shuffle, every card drawn, every action, and how the game ended.
    """
    from scripts.output import prints_aside
    from sim.trace import lines

    experiment = make_experiment(game, strategies, options, seed, models)
    for line in prints_aside(lines(experiment, first, games)):
        sys.stdout.write(line + "\n")


@main.command(epilog="\b\nExample:\n  playout show shooting-party --strategy tidy --index 7")
@experiment_options
@click.option("--index", type=Count("index", 0), default="0", show_default=True, help="The game.")
def show(
    game: str,
    strategies: tuple[str, ...],
    models: tuple[str, ...],
    options: tuple[str, ...],
    seed: int,
    index: int,
) -> None:
    """Tell one game of GAME in words, with its clauses."""
    from scripts.output import clean, prints_aside, settings_text
    from sim.experiment import seats_text
    from sim.trace import events

    experiment = make_experiment(game, strategies, options, seed, models)
    telling: dict[str, Any] = {}
    title = f"{experiment.rules.title}, game {index}: {seats_text(experiment)}"
    click.echo(f"{clean(title)} ({settings_text(experiment)})")
    for event in prints_aside(events(experiment, index)):
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
    models: tuple[str, ...],
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

    experiment = make_experiment(game, strategies, options, seed, models)
    with contextlib.redirect_stdout(sys.stderr):  # the strategy's own prints
        result = audit_games(experiment, games, redeals)
    click.echo(
        f"No leak: {result.games:,} games, {result.decisions:,} decisions, {result.redeals:,} "
        f"re-deals, of which {result.changed:,} changed hidden cards."
    )


@main.command(epilog="\b\nExample:\n  playout bench shooting-party")
@click.argument("game", required=False)
@click.option(
    "--seconds",
    type=Real("seconds", 0.01, 600),
    default=1.0,
    show_default=True,
    help="How long each measurement lasts.",
)
@click.option(
    "--format",
    "style",
    type=Words("format", ["table", "json"]),
    default="table",
    show_default=True,
    help="What is printed.",
)
def bench(game: str | None, seconds: float, style: str) -> None:
    """Measure the speed here, beside the plain-Python reference."""
    from scripts.bench import bench as run_bench

    run_bench(game, seconds, style)


@main.command(epilog="\b\nExample:\n  playout report runs/at-once --out out")
@click.argument("folders", nargs=-1, required=True, metavar="DIR…")
@click.option("--out", default="out", show_default=True, metavar="DIR", help="Where the page goes.")
def report(folders: tuple[str, ...], out: str) -> None:
    """Make a page with plots and tables from run folders."""
    from reports.folders import report_folders

    for path in report_folders([Path(folder) for folder in folders], Path(out), notice):
        click.echo(str(path))


for command in (compare, sweep, reproduce, new_strategy, check, selfcheck):
    main.add_command(command)


def entry() -> None:
    """Run the command line of this process and leave with its status."""
    _make_streams_safe()
    sys.unraisablehook = _leave_if_interrupted
    refusal = too_little_memory()
    status = call() if refusal is None else say(refusal, 1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # all is said, and Python's end is not to be seen
    try:
        sys.stdout.flush()
    except OSError:
        # Python flushes once more at exit and would complain
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = status or 1
    sys.exit(status)


def call(args: Sequence[str] | None = None) -> int:
    """Run a command line and return its exit status.

    Errors are one sentence on stderr, never a traceback; $PLAYOUT_DEBUG shows where a fault of
    playout itself is.
    """
    from sim.errors import PlayoutError

    try:
        status = main(args, prog_name="playout", standalone_mode=False)
        sys.stdout.flush()
        return status if isinstance(status, int) else 0
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else 1
    except click.Abort:
        return say("interrupted", 130)
    except click.ClickException as error:
        return say(sentence(error), 2 if isinstance(error, click.UsageError) else 1)
    except PlayoutError as error:
        return say(str(error), error.exit_status)
    except KeyboardInterrupt:
        return say("interrupted", 130)
    except (ReaderGoneError, BrokenPipeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        if is_short_of_memory(error):
            return say(NO_MEMORY, 1)
        return say(f"{error.filename or 'output'}: {error.strerror or error}", 1)
    except ModuleNotFoundError as error:
        return say(f"this command needs the package {error.name}, which is not installed here", 1)
    except Exception as error:
        if os.environ.get("PLAYOUT_DEBUG"):
            raise
        if is_short_of_memory(error):
            return say(NO_MEMORY, 1)
        return say(
            f"a fault of playout itself, not of your call: {type(error).__name__}: {error}; please "
            f"report it with your command (PLAYOUT_DEBUG=1 shows where it happened)",
            1,
        )


def _leave_if_interrupted(error: Any) -> None:
    """Ctrl-C inside the compiler, where Python cannot raise it and would go on with a traceback."""
    if error.exc_type is not KeyboardInterrupt:
        sys.__unraisablehook__(error)
        return
    os._exit(say("interrupted", 130))


def _make_streams_safe() -> None:
    """Let no closed stream and no narrow encoding of a terminal stop a command."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w"))  # noqa: SIM115
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


if __name__ == "__main__":
    entry()
