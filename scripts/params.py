"""What the commands have in common: parameter types and the options that name an experiment.

Nothing heavy is imported here: `playout --help` must answer at once.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from sim.quantity import parse_count

if TYPE_CHECKING:
    from sim.experiment import Experiment

MOST = 10**12


class Count(click.ParamType):
    """A whole number of things, 1 or more (or from `low`): 1000, 1_000_000, 1e6, 5M."""

    name = "number"

    def __init__(self, what: str, low: int = 1, high: int = MOST) -> None:
        self.what, self.low, self.high = what, low, high

    def convert(self, value: Any, param: Any, ctx: Any) -> int:
        """Read the number; fails with a sentence."""
        if isinstance(value, int):
            return value
        try:
            number = parse_count(str(value))
        except ValueError:
            number = None
        if number is None or not self.low <= number <= self.high:
            self.fail(
                f"{self.what} {value!r} is not allowed: it is a whole number from {self.low} to "
                f"{self.high:,}, such as 1000, 1_000_000, 1e6 or 5M"
            )
        return number


class Seed(click.ParamType):
    """A seed: a whole number from 0."""

    name = "number"

    def convert(self, value: Any, param: Any, ctx: Any) -> int:
        """Read the seed; fails with a sentence."""
        text = str(value).replace("_", "")
        if not (text.isascii() and text.isdigit() and int(text) < 2**63):
            self.fail(f"seed {value!r} is not allowed: it is a whole number from 0 to {2**63 - 1}")
        return int(text)


STRATEGY_HELP = (
    "A strategy: a name (see `playout strategies GAME`), NAME(parameter=value), or "
    "FILE.py:FUNCTION. Once for every seat, or once for each seat."
)


def experiment_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add GAME, --strategy, --option and --seed to a command."""
    for decorate in (
        click.option(
            "--seed", type=Seed(), default=1, show_default=True, help="The seed of all games."
        ),
        click.option(
            "--option",
            "options",
            multiple=True,
            metavar="NAME=VALUE",
            help="A rule option (see `playout rules GAME`); may be repeated.",
        ),
        click.option(
            "--strategy",
            "strategies",
            multiple=True,
            metavar="SPEC",
            required=True,
            help=STRATEGY_HELP,
        ),
        click.argument("game"),
    ):
        function = decorate(function)
    return function


def make_experiment(
    game: str, strategies: tuple[str, ...], options: tuple[str, ...], seed: int
) -> "Experiment":
    """The checked experiment of a command's arguments."""
    from sim.experiment import Experiment

    return Experiment.make(game, strategies, options=options, seed=seed)
