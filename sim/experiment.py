"""An experiment: a checked description of games to play. It can be sent to another process."""

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import sim.games
from sim.contract import Measure, Ruleset
from sim.engine import Seating, default_models, table_digest
from sim.errors import StrategyError, UsageError
from sim.fingerprint import fingerprint
from sim.options import RuleOptions, shown
from sim.recall import Model
from sim.strategy import Outlook, prepared
from strategies.models import parse_model
from strategies.registry import Strategy, parse

LARGEST_SEED = 2**63 - 1
#: What an experiment states, besides its recall models.
STATED = ("game", "options", "specs", "seed")
PLAIN_WORD = re.compile(r"[\w@%+=:,./-]+\Z", re.ASCII)


@dataclass(frozen=True)
class Experiment:
    """Which game, under which options and strategies, from which seed; not how many games."""

    game: str
    options: RuleOptions
    specs: tuple[str, ...]
    seed: int
    #: The recall model of each seat, in games of memory.
    models: tuple[str, ...] = ()

    @classmethod
    def make(
        cls,
        game: str,
        strategies: Sequence[str],
        *,
        options: Sequence[str] | Mapping[str, Any] | RuleOptions = (),
        seed: int = 1,
        models: Sequence[str] = (),
    ) -> "Experiment":
        """A checked experiment. One strategy is for every seat, else there is one for each seat.

        So it is with the recall models of a game of memory; without any it has its default model.
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
        specs = tuple(strategies) * (seats // len(strategies))
        experiment = cls(game, checked, specs, seed, _models_of(rules, models, seats))
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
    def recall(self) -> tuple[Model, ...]:
        """The recall model of each seat; none in games without memory."""
        given = tuple(parse_model(spec, self.rules, self.options) for spec in self.models)
        return given or default_models(self.rules, self.options)

    def _outlook(self, seat: int, values: Mapping[str, int | float]) -> Outlook:
        """What a seat knows before the first game."""
        if not self.recall:
            return Outlook(self.options, seat, values)
        # hidden where the rules have such an option and it is off
        known = self.options.as_dict().get("known_opponent", True)
        opponent = self.recall[1 - seat] if known else None
        return Outlook(self.options, seat, values, self.recall[seat], opponent)

    @cached_property
    def seating(self) -> Seating:
        """The compiled strategy functions, by kind of decision and then by seat."""
        seats = [(seat, seat.compiled(self.rules)) for seat in self.seats]
        compiled, words, tables = [], [], []
        for kind in range(len(self.rules.kinds)):
            for place, (seat, functions) in enumerate(seats):
                info, values = functions[kind].info, seat.parts[kind].values
                table = prepared(info, self._outlook(place, values))
                compiled.append(functions[kind])
                words.append(tuple(info.words(values, table)))
                tables.append(table)
        return Seating(tuple(compiled), tuple(words), self.recall, tuple(tables))

    def __getstate__(self) -> dict[str, Any]:
        """Only the description travels; the other side compiles for itself."""
        return {name: getattr(self, name) for name in (*STATED, "models")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restore the description."""
        self.__dict__.update(state)

    def identity(self) -> dict[str, Any]:
        """Everything that decides the results, as plain values for a manifest."""
        told: dict[str, Any] = {
            "game": self.game,
            "options": self.options.as_dict(),
            "seed": self.seed,
            "rules": rules_digest(self.rules),
            "strategies": [self._described(place) for place in range(len(self.seats))],
        }
        if self.recall:
            told["models"] = [{"spec": m.spec, "digest": m.digest} for m in self.recall]
        return told

    def _described(self, place: int) -> dict[str, Any]:
        """What a manifest says of a seat's strategy, its tables included."""
        told = self.seats[place].description(self.rules)
        functions: Any = told["functions"]
        for kind, function in enumerate(functions):
            table = self.seating.tables[kind * len(self.seats) + place]
            if table is not None:
                function["table"] = table_digest(table)
        return told

    def model_words(self) -> list[str]:
        """The recall models as options of a command line; nothing without memory."""
        given = self.models[:1] if len(set(self.models)) == 1 else self.models
        return [word for model in given for word in ("--model", quoted(model))]

    def models_told(self) -> dict[str, list[str]]:
        """The recall models as a part of a JSON object; an empty one without memory."""
        return {"models": [model.spec for model in self.recall]} if self.recall else {}

    def command(self, verb: str, *more: str) -> str:
        """The command line that does `verb` with this experiment."""
        words = ["playout", verb, self.game]
        distinct = [self.specs[0]] if len(set(self.specs)) == 1 else list(self.specs)
        for spec in distinct:
            words += ["--strategy", quoted(spec)]
        words += self.model_words()
        words += ["--seed", str(self.seed)]
        for name, value in self.options.changed().items():
            words += ["--option", quoted(f"{name}={shown(value)}")]
        return " ".join([*words, *more])


def _models_of(rules: Ruleset, models: Sequence[str], seats: int) -> tuple[str, ...]:
    """A recall model for each seat, from those that are given. Raises UsageError."""
    if rules.default_model is None:
        if models:
            raise UsageError(f"{rules.name} is no game of memory: it takes no recall models")
        return ()
    if len(models) not in (0, 1, seats):
        raise UsageError(
            f"{len(models)} recall models are given for {seats} seats; give one for all seats or "
            f"one for each"
        )
    given = models or [rules.default_model]
    return tuple(given) * (seats // len(given))


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


def models_text(experiment: Experiment) -> str:
    """The recall models in one line: one when all seats have the same; empty without memory."""
    specs = [model.spec for model in experiment.recall]
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
