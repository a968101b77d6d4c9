"""`playout selfcheck`."""

import sys

import click

from scripts.calls import Command
from scripts.params import Words


@click.command(cls=Command, epilog="\b\nExample:\n  playout selfcheck")
@click.option("--format", "style", type=Words("format", ["table", "json"]),
              default="table", show_default=True, help="What is printed.")  # fmt: skip
def selfcheck(style: str) -> None:
    """Check that games and statistics come out right here.

    Known answers, coverage and error rates by simulation, and for each game the same results
    however it is played, and no hidden cards known. Ends with status 1 if anything is wrong.
    """
    from scripts.selfcheck import selfcheck as run_checks

    if not run_checks(style):
        sys.exit(1)
