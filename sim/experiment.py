"""An experiment: a checked description of games to play. It can be sent to another process."""

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import sim.games
from sim.contract import Measure, Ruleset
from sim.engine import Seating
from sim.errors import StrategyError, UsageError
from sim.fingerprint import fingerprint
from sim.options import RuleOptions, shown
from strategies.registry import Strategy, parse

LARGEST_SEED = 2**63 - 1
PLAIN_WORD = re.compile(r"[\w@%+=:,./-]+\Z", re.ASCII)


@dataclass(frozen=True)
class Experiment:
    """Which game, under which options and strategies, from which seed; not how many games."""

    game: str
    options: RuleOptions
    specs: tuple[str, ...]
    seed: int

    @classmethod
    def make(
        cls,
        game: str,
        strategies: Sequence[str],
        *,
        options: Sequence[str] | Mapping[str, Any] | RuleOptions = (),
        seed: int = 1,
    ) -> "Experiment":
        """A checked experiment. One strategy is for every seat, else there is one for each seat.

        `options` are texts `name=value`, a mapping or an options object. Raises UsageError.
        """
        rules = sim.games.load(game)
        if isinstance(options, RuleOptions):
            checked = options
        elif isinstance(options, Mapping):
            checked = rules.options.from_mapping(options)
        else:
            checked = rules.options.parse(options)
        if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed <= LARGEST_SEED:
            raise UsageError(f"seed {seed!r} is not a whole number from 0 to {LARGEST_SEED}")
        seats = rules.seats(checked)
        if len(strategies) not in (1, seats):
            raise UsageError(
                f"{len(strategies)} strategies are given for {seats} seat{'s' * (seats > 1)}; "
                f"give one for all seats or one for each"
            )
        experiment = cls(game, checked, tuple(strategies) * (seats // len(strategies)), seed)
        experiment.check_seats()
        return experiment

    def check_seats(self) -> None:
        """Read and compile every strategy, so that what is wrong is said before the first game."""
        _ = self.seating

    @cached_property
    def rules(self) -> Ruleset:
        """The ruleset."""
        return sim.games.load(self.game)

    @property
    def measures(self) -> tuple[Measure, ...]:
        """The named outcomes of its games, the headline first."""
        return self.rules.measures_for(self.options)

    @cached_property
    def seats(self) -> tuple[Strategy, ...]:
        """The strategy of each seat."""
        return tuple(parse(spec, self.rules) for spec in self.specs)

    @cached_property
    def seating(self) -> Seating:
        """The compiled strategy functions, by kind of decision and then by seat."""
        seats = [(seat, seat.compiled(self.rules)) for seat in self.seats]
        compiled, words = [], []
        for kind in range(len(self.rules.kinds)):
            for seat, functions in seats:
                compiled.append(functions[kind])
                words.append(tuple(functions[kind].info.words(seat.parts[kind].values)))
        return Seating(tuple(compiled), tuple(words))

    def __getstate__(self) -> dict[str, Any]:
        """Only the description travels; the other side compiles for itself."""
        return {name: getattr(self, name) for name in ("game", "options", "specs", "seed")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restore the description."""
        self.__dict__.update(state)

    def identity(self) -> dict[str, Any]:
        """Everything that decides the results, as plain values for a manifest."""
        return {
            "game": self.game,
            "options": self.options.as_dict(),
            "seed": self.seed,
            "rules": rules_digest(self.rules),
            "strategies": [seat.description(self.rules) for seat in self.seats],
        }

    def command(self, verb: str, *more: str) -> str:
        """The command line that does `verb` with this experiment."""
        words = ["playout", verb, self.game]
        distinct = [self.specs[0]] if len(set(self.specs)) == 1 else list(self.specs)
        for spec in distinct:
            words += ["--strategy", quoted(spec)]
        words += ["--seed", str(self.seed)]
        for name, value in self.options.changed().items():
            words += ["--option", quoted(f"{name}={shown(value)}")]
        return " ".join([*words, *more])


def rules_digest(rules: Ruleset) -> str:
    """A digest of the code of a game's rules."""
    parts = (rules.deal, rules.observe, rules.legal, rules.apply, rules.outcome)
    return hashlib.sha256("".join(fingerprint(part) for part in parts).encode()).hexdigest()


def quoted(word: str) -> str:
    """A word as a shell needs it."""
    return word if PLAIN_WORD.match(word) else "'" + word.replace("'", "'\"'\"'") + "'"


def seats_text(experiment: Experiment) -> str:
    """The strategies in one line: one name when all seats play the same."""
    specs = [seat.spec for seat in experiment.seats]
    return specs[0] if len(set(specs)) == 1 else " / ".join(specs)


def require_known_contents(experiment: Experiment) -> None:
    """Raise StrategyError when a strategy cannot be told from its later versions."""
    for seat in experiment.seats:
        for function in seat.compiled(experiment.rules):
            if not function.digest:
                raise StrategyError(
                    f"strategy {seat.spec} uses an object whose contents cannot be recorded, so "
                    f"its results cannot be kept in a folder; use numbers, tuples and numpy arrays"
                )
