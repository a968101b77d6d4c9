"""Rule variants on the same deals: the traits of each game under each of many settings.

Game i of a seed is dealt the same cards under every option that changes only rules, so settings are
compared game by game.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

import sim.games
from sim.contract import Ruleset, Trait
from sim.engine import StoppedError, play
from sim.errors import OptionError, UsageError, one_of
from sim.experiment import Experiment
from sim.fault import describe
from sim.options import shown

#: Covariances grow with the square of the number of settings.
MOST_SETTINGS = 200


@dataclass(frozen=True)
class Setting:
    """One cell of the grid: the varied options as they are written, and the strategies."""

    varied: tuple[tuple[str, str], ...]
    experiment: Experiment
    strategy: str

    @property
    def label(self) -> str:
        """`exchange=2/1, lead=rotate`; empty where no option is varied."""
        return ", ".join(f"{name}={value}" for name, value in self.varied)


@dataclass(frozen=True, eq=False)
class Sweep:
    """A grid of settings, the first of which the others are compared with."""

    rules: Ruleset
    settings: tuple[Setting, ...]
    traits: tuple[Trait, ...]
    seed: int
    fixed: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def make(
        cls,
        game: str,
        strategies: Sequence[str],
        vary: Mapping[str, Sequence[str]],
        *,
        options: Sequence[str] = (),
        seed: int = 1,
        score: str | None = None,
        models: Sequence[str] = (),
    ) -> "Sweep":
        """The grid of all values of the varied options with all strategies (at every seat).

        `score` comes first among the traits. Raises UsageError.
        """
        rules = sim.games.load(game)
        fixed = dict(text.partition("=")[::2] for text in options)
        rules.options.parse(options)
        for name, values in vary.items():
            _check_varied(rules, name, values, fixed)
        cells = list(product(*vary.values()))
        if not 1 < len(cells) * len(strategies) <= MOST_SETTINGS:
            raise UsageError(
                f"a sweep has 2 to {MOST_SETTINGS} settings, not {len(cells) * len(strategies)}"
            )
        settings = []
        for cell in cells:
            varied = tuple(zip(vary, cell, strict=True))
            texts = [*options, *(f"{name}={value}" for name, value in varied)]
            for spec in strategies:
                experiment = Experiment.make(game, [spec], options=texts, seed=seed, models=models)
                settings.append(Setting(varied, experiment, experiment.seats[0].spec))
        return cls(rules, tuple(settings), _traits(rules, score), seed, fixed)

    def play(self, start: int, count: int) -> NDArray[np.float64]:
        """Traits of games `start` … `start + count - 1`: shape (traits, settings, count).

        Raises PlayError where a strategy fails.
        """
        values = np.empty((len(self.traits), len(self.settings), count))
        for place, setting in enumerate(self.settings):
            experiment = setting.experiment
            try:
                played = play(
                    self.rules, experiment.options, experiment.seating, self.seed, start, count
                )
            except StoppedError as error:
                raise describe(experiment, error) from None
            games = _columns(played.rows)
            rounds = _columns(played.rounds) if self.rules.round_columns else None
            for number, trait in enumerate(self.traits):
                values[number, place] = trait.of(games, rounds, experiment.options)
        return values


def _columns(rows: NDArray[Any]) -> dict[str, Any]:
    return {name: rows[name] for name in rows.dtype.names or ()}


def _traits(rules: Ruleset, score: str | None) -> tuple[Trait, ...]:
    known = {trait.name: trait for trait in rules.traits}
    if score is None:
        return rules.traits
    if score not in known:
        raise UsageError(
            f"{rules.name} has no score {score!r} of whole games; it has {one_of(known)}"
        )
    return (known[score], *(trait for trait in rules.traits if trait.name != score))


def _check_varied(
    rules: Ruleset, name: str, values: Sequence[str], fixed: Mapping[str, str]
) -> None:
    """Raise UsageError for an option that cannot be varied so."""
    specs = rules.options.specs()
    if name not in specs:
        raise OptionError(f"there is no option {name!r}; the options are {one_of(specs)}")
    if name in fixed:
        raise UsageError(f"option {name} is given by --option and varied, too; do one of them")
    read = []
    for value in values:
        try:
            read.append(shown(specs[name].read(value)))
        except (ValueError, TypeError):
            raise OptionError(
                f"option {name}={value!r} is not allowed: it is {specs[name].allowed}"
            ) from None
    if len(set(read)) < len(read):
        raise UsageError(f"--vary {name}: a value is given twice: {', '.join(values)}")
