"""Strategy functions: what they declare, and their compiled form.

A strategy function takes `(view, ctx)` and returns an action as an integer. `view` is what the
player may know; `ctx` carries the function's own random stream (pass it to `bounded`, `uniform`),
its parameters as `ctx.NAME`, and its memory fields, which start at 0 in every game.
"""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from typing import Any

import numpy as np
from numba import from_dtype, types

from sim.compile_errors import explain
from sim.contract import Ruleset
from sim.errors import StrategyError, UsageError
from sim.fingerprint import UnknownObjectError, fingerprint
from sim.jit import address_of, compile_function

#: 8-byte words for parameters and memory in a context; the engine keeps one context a slot.
CONTEXT_WORDS = 24


@dataclass(frozen=True)
class Param:
    """A parameter: its default (int or float says which it is), its range and its meaning."""

    default: int | float
    low: int | float
    high: int | float
    meaning: str = ""

    @property
    def is_float(self) -> bool:
        """Whether the parameter is a real number."""
        return isinstance(self.default, float)

    def allowed(self) -> str:
        """The range in words."""
        return f"a {'number' if self.is_float else 'whole number'} from {self.low} to {self.high}"


@dataclass(frozen=True)
class StrategyInfo:
    """What a strategy function declares."""

    name: str
    function: Callable[..., Any]
    game: str | None = None
    kind: str | None = None
    summary: str = ""
    source: str = ""
    uses_chance: bool | None = None
    params: Mapping[str, Param] = dataclass_field(default_factory=dict)
    memory: tuple[str, ...] = ()

    def context_dtype(self) -> np.dtype[Any]:
        """The record that the function sees as `ctx`."""
        fields: list[tuple[str, Any]] = [("state", np.uint64)]
        for name, param in self.params.items():
            fields.append((name, np.float64 if param.is_float else np.int64))
        fields += [(name, np.int64) for name in self.memory]
        return np.dtype(fields)

    def words(self, values: Mapping[str, int | float]) -> list[int]:
        """Parameters and zeroed memory as the 8-byte words of a fresh context."""
        words = []
        for name, param in self.params.items():
            value = values.get(name, param.default)
            number = np.float64(value) if param.is_float else np.int64(value)
            words.append(int(number.view(np.int64)))
        return words + [0] * len(self.memory)


def strategy(
    game: str,
    *,
    kind: str | None = None,
    name: str | None = None,
    summary: str = "",
    source: str = "",
    uses_chance: bool = False,
    memory: tuple[str, ...] = (),
    **params: Param,
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Declare a strategy function; it stays an ordinary function.

    `game` and `kind` say which decision it takes (a game with one kind of decision needs none);
    `summary` and `source` are one line each; `uses_chance` is true when it draws random numbers;
    `memory` names whole-number fields of `ctx` that last for one game; every other keyword is a
    parameter: `wait=Param(3, 0, 9, "pairs to wait for")`.
    """

    def declare(function: Callable[..., Any]) -> Callable[..., Any]:
        info = StrategyInfo(
            name or function.__name__.replace("_", "-"),
            function,
            game,
            kind,
            summary,
            source,
            uses_chance,
            params,
            memory,
        )
        if len(params) + len(memory) > CONTEXT_WORDS:
            raise StrategyError(
                f"strategy {info.name!r} declares {len(params) + len(memory)} parameters and "
                f"memory fields; at most {CONTEXT_WORDS} are allowed"
            )
        function.__dict__["__playout__"] = info
        return function

    return declare


def info_of(function: Any) -> StrategyInfo:
    """What a function declares; a bare function declares nothing but its name."""
    plain = getattr(function, "py_func", function)
    info = getattr(function, "__playout__", None) or getattr(plain, "__playout__", None)
    return info or StrategyInfo(plain.__name__, plain)


@dataclass(frozen=True)
class CompiledStrategy:
    """The machine code of one strategy function for one game."""

    info: StrategyInfo
    dispatcher: Any
    address: int
    digest: str


def compile_strategy(info: StrategyInfo, rules: Ruleset, where: str = "") -> CompiledStrategy:
    """Compile a strategy function for a game.

    Raises StrategyError with one sentence when the function does not fit. `where` names the place
    it comes from (its spec) for that sentence.
    """
    function = getattr(info.function, "py_func", info.function)
    label = where or f"strategy {info.name!r}"
    _check_arguments(function, label)
    signature = (rules.view_type(), from_dtype(info.context_dtype()))
    try:
        dispatcher = compile_function(info.function, signature)
    except UsageError:
        raise
    except Exception as error:
        raise StrategyError(f"{label}: {explain(error, function, rules, info)}") from None
    result = dispatcher.overloads[signature].signature.return_type
    if not isinstance(result, types.Integer) or isinstance(result, types.Boolean):
        raise StrategyError(f"{label} must return a whole number on every path: {_returns(result)}")
    if result != types.int64:
        dispatcher = compile_function(_as_int64(dispatcher, info.function), signature)
    try:
        digest = fingerprint(info.function)
    except UnknownObjectError:
        digest = ""  # cannot be told apart from other versions of itself
    return CompiledStrategy(info, dispatcher, address_of(dispatcher, signature), digest)


def _as_int64(dispatcher: Any, function: Any) -> Callable[..., Any]:
    """A function that returns another's result as int64."""
    from numba import njit

    inner = njit(getattr(function, "py_func", function))

    def action(view: Any, ctx: Any) -> Any:
        return np.int64(inner(view, ctx))

    action.__name__ = f"{dispatcher.py_func.__name__}_int64"
    return action


def _returns(result: Any) -> str:
    if isinstance(result, types.Optional) or result == types.none:
        return "on some path it returns nothing"
    if isinstance(result, types.Float):
        return "it returns a number with a fraction (float)"
    if isinstance(result, types.Boolean):
        return "it returns true or false"
    return f"it returns {result}"


def _check_arguments(function: Any, label: str) -> None:
    parameters = inspect.signature(function).parameters.values()
    required = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    if len(required) != 2 or len(required) != len(parameters):
        raise StrategyError(
            f"{label} must take two arguments (view, ctx); it takes {len(parameters)}: "
            f"({', '.join(p.name for p in parameters) or 'none'})"
        )
