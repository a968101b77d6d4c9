"""The commands for people who write strategies: `new-strategy` and `check`."""

from __future__ import annotations

import contextlib
import json
import sys
from pathlib import Path

import click

from scripts.calls import Command
from scripts.params import Words

NEW_EPILOG = """\b
Example:
  playout new-strategy shooting-party mine.py
"""

CHECK_EPILOG = """\b
Examples:
  playout check my_file.py:my_function --game shooting-party
  playout check my_file.py:my_function --game shooting-party --format json

The game and the kind of decision are those that the function declares with @strategy; where it
declares none, --game and --kind say them.
"""


@click.command("new-strategy", cls=Command, epilog=NEW_EPILOG)
@click.argument("game")
@click.argument("file")
def new_strategy(game: str, file: str) -> None:
    """Write a working strategy for GAME into FILE."""
    from importlib.resources import files

    import sim.games
    from sim.errors import PlayoutError, UsageError
    from sim.store import write_atomically

    rules = sim.games.load(game)
    path = Path(file)
    if path.suffix != ".py" or not path.stem.isidentifier():
        raise UsageError(
            f"{file!r} is no name for a strategy file: it ends with .py, and is of letters, "
            f"digits and _"
        )
    if path.exists():
        raise UsageError(f"{file} is there already; give the name of a new file")
    if not path.parent.is_dir():
        raise UsageError(f"the folder {path.parent} does not exist")
    point = files("strategies.starting_points").joinpath(f"{sim.games.module_of(game)}.py")
    if not point.is_file():
        raise PlayoutError(f"there is no starting point for {rules.name}")
    text = point.read_text(encoding="utf-8").replace("FILE:", f"{file}:")
    write_atomically(path, text.encode())
    commands = [line.strip() for line in text.splitlines() if line.strip().startswith("playout ")]
    click.echo(f"{file} is a strategy for {rules.title}. It works as it stands:")
    for command in commands:
        click.echo(f"  {command}")


@click.command(cls=Command, epilog=CHECK_EPILOG)
@click.argument("target", metavar="FILE.py:FUNCTION")
@click.option("--game", metavar="GAME", help="The game, where the function does not declare it.")
@click.option("--kind", metavar="NAME", help="The decision, where the function declares none.")
@click.option("--format", "style", type=Words("format", ["table", "json"]),
              default="table", show_default=True, help="What is printed.")  # fmt: skip
def check(target: str, game: str | None, kind: str | None, style: str) -> None:
    """Compile, audit and measure your own strategy.

    Ends with status 1 if it does what a strategy must not do.
    """
    from scripts.check import check as check_strategy
    from scripts.check import lines_of
    from scripts.output import clean

    with contextlib.redirect_stdout(sys.stderr):  # the strategy's own prints
        found = check_strategy(target, game, kind)
    if style == "json":
        click.echo(json.dumps(found.as_dict(), ensure_ascii=False, indent=2))
    else:
        click.echo(clean(f"{found.spec} for {found.game}"))
        lines = lines_of(found)
        width = max(len(what) for what, _ in lines)
        for what, how in lines:
            click.echo(clean(f"  {what:<{width}}  {how}"))
    if found.faults:
        sys.exit(1)
