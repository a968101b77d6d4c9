"""The games there are: every module of `sim.rulesets` that has a `RULESET`, and registered ones."""

import importlib
import pkgutil

import sim.rulesets
from sim.contract import Ruleset
from sim.errors import UsageError, one_of

_registered: dict[str, Ruleset] = {}


def module_of(game: str) -> str:
    """The module name of a game: `shooting-party` -> `shooting_party`."""
    return game.replace("-", "_")


def names() -> list[str]:
    """The names of all games, without importing their rules."""
    found = [info.name.replace("_", "-") for info in pkgutil.iter_modules(sim.rulesets.__path__)]
    return sorted({*found, *_registered})


def register(rules: Ruleset) -> Ruleset:
    """Add a ruleset that lives outside `sim.rulesets`; returns it."""
    _registered[rules.name] = rules
    return rules


def load(game: str) -> Ruleset:
    """The ruleset of a game. Raises UsageError for an unknown name."""
    if game in _registered:
        return _registered[game]
    if game not in names():
        raise UsageError(f"there is no game {game!r}; the games are {one_of(names())}")
    module = importlib.import_module(f"sim.rulesets.{module_of(game)}")
    rules: Ruleset = module.RULESET
    return rules
