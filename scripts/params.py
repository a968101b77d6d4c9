"""What the commands have in common: parameter types and the options that name an experiment.

Nothing heavy is imported here: `playout --help` must answer at once.
"""

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import click

from sim.quantity import parse_count

if TYPE_CHECKING:
    from sim.experiment import Experiment

MOST = 10**12
LARGEST_SEED = 2**63 - 1
#: A wrong value is quoted up to this length.
MOST_QUOTED = 40


class Count(click.ParamType):  # type: ignore[type-arg]
    """A whole number of things, 1 or more (or from `low`): 1000, 1_000_000, 1e6, 5M."""

    name = "number"

    def __init__(self, what: str, low: int = 1, high: int = MOST) -> None:
        self.what, self.low, self.high = what, low, high

    def convert(self, value: Any, param: Any, ctx: Any) -> int:
        """Read the number; fails with a sentence."""
        try:
            number = value if isinstance(value, int) else parse_count(str(value))
        except ValueError:
            number = -1
        if not self.low <= number <= self.high:
            examples = ", such as 1000, 1_000_000, 1e6 or 5M" if self.high >= 10**7 else ""
            raise click.UsageError(
                f"--{self.what} {quoted_value(value)} is not allowed: it is a whole number from "
                f"{self.low} to {self.high:,}{examples}"
            )
        return number


class Real(click.ParamType):  # type: ignore[type-arg]
    """A number from `low` to `high`, with or without a fraction."""

    name = "number"

    def __init__(self, what: str, low: float, high: float) -> None:
        self.what, self.low, self.high = what, low, high

    def convert(self, value: Any, param: Any, ctx: Any) -> float:
        """Read the number; fails with a sentence."""
        try:
            number = float(value)
        except ValueError:
            number = math.nan
        if not self.low <= number <= self.high:
            raise click.UsageError(
                f"--{self.what} {quoted_value(value)} is not allowed: it is a number from "
                f"{self.low:g} to {self.high:g}"
            )
        return number


class Words(click.ParamType):  # type: ignore[type-arg]
    """One of some words."""

    name = "word"

    def __init__(self, what: str, allowed: Sequence[str]) -> None:
        self.what, self.allowed = what, tuple(allowed)

    def get_metavar(self, param: Any, ctx: Any = None) -> str:
        """What the help page shows."""
        return f"[{'|'.join(self.allowed)}]"

    def convert(self, value: Any, param: Any, ctx: Any) -> str:
        """Read the word; fails with a sentence."""
        if value not in self.allowed:
            raise click.UsageError(
                f"--{self.what} {quoted_value(value)} is not allowed: it is one of "
                f"{', '.join(self.allowed)}"
            )
        return str(value)


def quoted_value(value: Any) -> str:
    """A wrong value as a message shows it: quoted, and not longer than a line."""
    text = str(value)
    return repr(text if len(text) <= MOST_QUOTED else text[: MOST_QUOTED - 1] + "…")


STRATEGY_HELP = (
    "A strategy: a name (see `playout strategies GAME`), NAME(parameter=value), or "
    "FILE.py:FUNCTION. Once for every seat, or once for each seat."
)


MODEL_HELP = (
    "A recall model, in games of memory: NAME(parameters) or FILE.py:FUNCTION (see `playout "
    "strategies GAME`). Once for every seat, or once for each seat."
)


def experiment_options(function: Callable[..., Any], required: bool = True) -> Callable[..., Any]:
    """Add GAME, --strategy (perhaps not required), --model, --option and --seed to a command."""
    for decorate in (
        click.option(
            "--debug",
            is_flag=True,
            expose_value=False,
            is_eager=True,
            callback=_set_debugging,
            help="Run your own files as plain Python, and show where they fail.",
        ),
        click.option(
            "--seed",
            type=Count("seed", 0, LARGEST_SEED),
            default=1,
            show_default=True,
            help="The seed of all games.",
        ),
        click.option(
            "--option",
            "options",
            multiple=True,
            metavar="NAME=VALUE",
            help="A rule option (see `playout rules GAME`); may be repeated.",
        ),
        click.option(
            "--model",
            "models",
            multiple=True,
            metavar="SPEC",
            help=MODEL_HELP,
        ),
        click.option(
            "--strategy",
            "strategies",
            multiple=True,
            metavar="SPEC",
            required=required,
            help=STRATEGY_HELP,
        ),
        click.argument("game"),
    ):
        function = decorate(function)
    return function


def _set_debugging(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    """Let strategies of files run as plain Python from here on."""
    if value:
        import sim.interpreted

        sim.interpreted.debugging = True
        ctx.call_on_close(lambda: setattr(sim.interpreted, "debugging", False))


def make_experiment(
    game: str,
    strategies: tuple[str, ...],
    options: tuple[str, ...],
    seed: int,
    models: tuple[str, ...] = (),
) -> "Experiment":
    """The checked experiment of a command's arguments."""
    from sim.experiment import Experiment

    return Experiment.make(game, strategies, options=options, seed=seed, models=models)
