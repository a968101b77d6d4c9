"""Strategies of installed packages: the entry points of the group `playout.strategies`.

A package declares in its pyproject.toml

    [project.entry-points."playout.strategies"]
    mine = "my_package.strategies"            every strategy of a module
    best = "my_package.others:best"           one function

Packages are loaded only when a name is asked for that is not ours, or all are listed. Their
functions run with bounds checks, like those of a person's own file.
"""

import contextlib
import dataclasses
import sys
import types
from collections.abc import Collection, Iterator
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from sim.contract import Ruleset
from sim.errors import StrategyError, one_of
from sim.strategy import StrategyInfo, info_of
from strategies.userfile import checked, make_safe

GROUP = "playout.strategies"
Key = tuple[str, str]


def _place(entry: EntryPoint) -> str:
    """An entry point in words."""
    package = f" of the package {entry.dist.name}" if entry.dist is not None else ""
    return f"the entry point {entry.name} = {entry.value!r}{package}"


@cache
def _loaded() -> tuple[tuple[str, StrategyInfo], ...]:
    """(where it is from, its declaration) of every strategy that packages declare."""
    found = []
    for entry in sorted(entry_points(group=GROUP), key=lambda e: (e.name, e.value)):
        place, package = _place(entry), entry.dist.name if entry.dist is not None else ""
        for info in _strategies_of(entry, place):
            found.append((place, dataclasses.replace(info, source=info.source or package)))
    return tuple(found)


def _strategies_of(entry: EntryPoint, place: str) -> Iterator[StrategyInfo]:
    """The strategies that one entry point names. Raises StrategyError with one sentence."""
    try:
        with contextlib.redirect_stdout(sys.stderr):  # what a package prints is no result
            thing = entry.load()
    except (Exception, SystemExit) as error:
        reason = f"{type(error).__name__}: {error}".splitlines()[0]
        raise StrategyError(f"{place} cannot be loaded: {reason}") from None
    package = entry.module.partition(".")[0]
    for name, module in list(sys.modules.items()):
        if name == package or name.startswith(f"{package}."):
            make_safe(module)
    # what a module has from elsewhere is declared there
    values = vars(thing).values() if isinstance(thing, types.ModuleType) else [thing]
    declared = [
        value
        for value in values
        if isinstance(getattr(value, "__playout__", None), StrategyInfo)
        and _plain(value).__module__.partition(".")[0] == package
    ]
    if not declared:
        raise StrategyError(f"{place} names no function that is declared with @strategy")
    for function in declared:
        info = info_of(function)
        if function is _plain(function):
            function = checked(function)
        yield dataclasses.replace(info, function=function)


def _plain(function: Any) -> Any:
    """The Python function of a function, also where it is compiled."""
    return getattr(function, "py_func", function)


def installed(rules: Ruleset, ours: Collection[Key]) -> dict[Key, StrategyInfo]:
    """The strategies that packages declare for a game, by (kind of decision, name).

    Raises StrategyError where a package cannot be loaded, takes a name that is `ours` or that of
    another package, or names no decision of the game.
    """
    found: dict[Key, StrategyInfo] = {}
    places = dict.fromkeys(ours, "playout itself")
    for place, info in _loaded():
        if info.game != rules.name:
            continue
        kind = info.kind or (rules.kinds[0] if len(rules.kinds) == 1 else "")
        if kind not in rules.kinds:
            raise StrategyError(
                f"{place}: strategy {info.name!r} decides {info.kind!r}; the decisions of "
                f"{rules.name} are {one_of(rules.kinds)}"
            )
        key = (kind, info.name)
        if key in places and (key in ours or found[key].function is not info.function):
            raise StrategyError(
                f"{place}: {rules.name} has a strategy {info.name!r} already, by {places[key]}; it "
                f"needs a name of its own"
            )
        found[key], places[key] = info, place
    return found
