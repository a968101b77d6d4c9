"""`playout reproduce`."""

from __future__ import annotations

import contextlib
import json
import sys
from pathlib import Path

import click

from scripts.calls import Command
from scripts.params import Count, Words

EPILOG = """\b
Example:
  playout reproduce runs/at-once

The folder's manifest says what to play. Its games are compared row by row, or count by count where
only counts were kept.
"""


@click.command(cls=Command, epilog=EPILOG)
@click.argument("folder", metavar="DIR")
@click.option("--jobs", type=Count("jobs", 1, 1024), help="Workers; the default is all cores.")
@click.option("--format", "style", type=Words("format", ["table", "json"]),
              default="table", show_default=True, help="What is printed.")  # fmt: skip
def reproduce(folder: str, jobs: int | None, style: str) -> None:
    """Play a run folder again and say whether it is the same.

    Ends with status 1 if it is not.
    """
    from scripts.output import clean
    from scripts.reproduce import reproduce as play_again

    with contextlib.redirect_stdout(sys.stderr):  # strategies' own prints
        found = play_again(Path(folder), jobs)
    for text in found.notices():
        click.echo(clean(f"playout: {text}"), err=True)
    if style == "json":
        click.echo(json.dumps(found.as_dict(), ensure_ascii=False, indent=2))
    else:
        click.echo(clean(found.sentence()))
    if not found.identical:
        sys.exit(1)
