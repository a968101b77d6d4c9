"""Strategy functions: what they declare, and their compiled form.

A strategy function takes `(view, ctx)` and returns an action as an integer. `view` is what the
player may know; `ctx` carries the function's own random stream (pass it to `bounded`, `uniform`),
its parameters as `ctx.NAME`, and its memory fields, which start at 0 in every game.
"""

import inspect
import re
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from dataclasses import field as dataclass_field
from typing import Any

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.core.errors import NumbaWarning
from numba.extending import intrinsic

import sim.interpreted as interpreted
from sim.compile_errors import explain, foreign_chance, place_of, returns
from sim.compile_words import type_words
from sim.contract import Ruleset
from sim.errors import StrategyError, UsageError
from sim.fingerprint import UnknownObjectError, fingerprint
from sim.interpreted import PythonFunction, caller_of, signature_of
from sim.jit import address_of, compile_function

#: 8-byte words for parameters and memory in a context; the engine keeps one context a slot.
CONTEXT_WORDS = 24
NAME = re.compile(r"[^\W\d_][\w-]*\Z", re.ASCII)


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
    #: False: it runs as plain Python, slowly.
    compiled: bool = True
    #: Plain Python: what the player may know before the first game -> numbers for `look_up`.
    table: "Callable[[Outlook], Any] | None" = None

    def context_dtype(self) -> np.dtype[Any]:
        """The record that the function sees as `ctx`."""
        fields: list[tuple[str, Any]] = [("state", np.uint64)]
        for name, param in self.params.items():
            fields.append((name, np.float64 if param.is_float else np.int64))
        fields += [(name, np.int64) for name in (*self.memory, *self.table_fields)]
        return np.dtype(fields)

    @property
    def table_fields(self) -> tuple[str, ...]:
        """The fields of a context that say where its table is."""
        return ("table", "table_size") if self.table is not None else ()

    def words(
        self, values: Mapping[str, int | float], table: np.ndarray[Any, Any] | None = None
    ) -> list[int]:
        """Parameters, zeroed memory and the place of the table: a fresh context in 8-byte words."""
        words = []
        for name, param in self.params.items():
            value = values.get(name, param.default)
            number = np.float64(value) if param.is_float else np.int64(value)
            words.append(int(number.view(np.int64)))
        words += [0] * len(self.memory)
        return words if table is None else [*words, table.ctypes.data, len(table)]


@dataclass(frozen=True)
class Outlook:
    """What a player knows before the first game, for a strategy that prepares a table.

    `own` and `opponent` are recall models (see `sim.recall`) in games that have them; the
    opponent's is None where the rules hide it.
    """

    options: Any
    seat: int
    values: Mapping[str, int | float]
    own: Any = None
    opponent: Any = None


def prepared(info: StrategyInfo, outlook: Outlook) -> np.ndarray[Any, Any] | None:
    """The table of a strategy, None where it has none.

    Raises StrategyError with one sentence when its function fails or makes no numbers.
    """
    if info.table is None:
        return None
    try:
        table = np.ascontiguousarray(info.table(outlook), np.float64).ravel()
    except UsageError:
        raise
    except Exception as error:
        reason = f"{type(error).__name__}: {error}".splitlines()[0].rstrip(".")
        raise StrategyError(f"strategy {info.name}: its table cannot be made: {reason}") from None
    return table


@intrinsic
def _number_at(typingctx, address, place):  # type: ignore[no-untyped-def]
    """The float64 number `place` of an array at an address."""
    signature = types.float64(types.int64, types.int64)

    def generate(context, builder, sig, args):  # type: ignore[no-untyped-def]
        start = builder.inttoptr(args[0], ir.DoubleType().as_pointer())
        return builder.load(builder.gep(start, [args[1]]))

    return signature, generate


@njit
def look_up(ctx, place):  # type: ignore[no-untyped-def]
    """Number `place` of the table that the strategy of `ctx` has prepared."""
    if place < 0 or place >= ctx.table_size:
        raise IndexError("look_up is asked for a place that the table does not have")
    return _number_at(ctx.table, place)


def strategy(
    game: str,
    *,
    kind: str | None = None,
    name: str | None = None,
    summary: str = "",
    source: str = "",
    uses_chance: bool = False,
    compiled: bool = True,
    memory: tuple[str, ...] = (),
    table: Callable[[Outlook], Any] | None = None,
    **params: Param,
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Declare a strategy function; it stays an ordinary function.

    `game` and `kind` say which decision it takes (a game with one kind of decision needs none);
    `summary` and `source` are one line each; `uses_chance` is true when it draws random numbers;
    `compiled=False` lets it run as plain Python, slowly, where numba cannot compile it;
    `memory` names whole-number fields of `ctx` that last for one game; `table` is a Python function
    that makes, once and from an `Outlook`, the numbers that `look_up(ctx, place)` reads; every
    other keyword is a parameter: `wait=Param(3, 0, 9, "pairs to wait for")`.
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
            compiled,
            table,
        )
        _check_declaration(info)
        function.__dict__["__playout__"] = info
        return function

    if not isinstance(game, str):
        raise StrategyError('@strategy needs the name of a game: @strategy("shooting-party")')
    return declare


def _check_declaration(info: StrategyInfo) -> None:
    """Raise StrategyError for a declaration that contradicts itself."""
    if not NAME.match(info.name):
        raise StrategyError(f"strategy {info.name!r}: a name is of letters, digits and hyphens")
    if isinstance(info.memory, str):
        raise StrategyError(f"strategy {info.name!r}: memory is a tuple: ({info.memory!r},)")
    fields = ["state", *info.params, *info.memory, *info.table_fields]
    for name in fields[1:]:
        if not isinstance(name, str) or not name.isidentifier() or fields.count(name) > 1:
            raise StrategyError(
                f"strategy {info.name!r}: {name!r} cannot be a parameter or memory field; each "
                f"is a name of its own, and `state` is taken by the random stream"
            )
    if len(fields) - 1 > CONTEXT_WORDS:
        raise StrategyError(
            f"strategy {info.name!r} declares {len(fields) - 1} parameters and memory fields; at "
            f"most {CONTEXT_WORDS} are allowed"
        )
    check_params(f"strategy {info.name!r}", info.params)


def check_params(label: str, params: Mapping[str, Any]) -> None:
    """Raise StrategyError for parameters that are declared wrongly; `label` says whose they are."""
    for name, param in params.items():
        if not isinstance(param, Param):
            raise StrategyError(
                f"{label}: {name}={param!r} is no parameter; write "
                f'{name}=Param(DEFAULT, LOWEST, HIGHEST, "its meaning")'
            )
        numbers = (param.default, param.low, param.high)
        if any(isinstance(n, bool) or not isinstance(n, (int, float)) for n in numbers):
            raise StrategyError(f"{label}: {name}={param!r} is not of numbers")
        if not param.low <= param.default <= param.high:
            raise StrategyError(
                f"{label}: the default of {name} is {param.default}, which is not {param.allowed()}"
            )


def info_of(function: Any) -> StrategyInfo:
    """What a function declares; a bare function declares nothing but its name."""
    plain = getattr(function, "py_func", function)
    info: StrategyInfo | None = getattr(plain, "__playout__", None)
    info = getattr(function, "__playout__", None) or info
    if info is None:
        return StrategyInfo(plain.__name__, function)
    # an njit function keeps its own settings
    return info if function is plain else replace(info, function=function)


@dataclass(frozen=True)
class CompiledStrategy:
    """The machine code of one strategy function for one game.

    `python` is set where it only calls plain Python back.
    """

    info: StrategyInfo
    dispatcher: Any
    address: int
    digest: str
    python: PythonFunction | None = None

    def decide(self, views: np.ndarray[Any, Any], contexts: np.ndarray[Any, Any]) -> int:
        """The action for the first view with the first context; raises what it raises."""
        if self.python is not None:
            return self.python(views.ctypes.data, contexts.ctypes.data)
        return int(self.dispatcher(views[0], contexts[0]))


def compile_strategy(info: StrategyInfo, rules: Ruleset, where: str = "") -> CompiledStrategy:
    """Compile a strategy function for a game.

    Raises StrategyError with one sentence when the function does not fit. `where` names the place
    it comes from (its spec) for that sentence.
    """
    function = getattr(info.function, "py_func", info.function)
    label = where or f"strategy {info.name!r}"
    _check_arguments(function, label)
    chance = foreign_chance(function)
    if chance:
        raise StrategyError(
            f"{label}: {chance}: it draws from numpy's or Python's random numbers, which cannot "
            f"be repeated; draw with bounded(ctx, n) or uniform(ctx) of sim.rng"
        )
    signature = signature_of(rules, info.context_dtype())
    if not info.compiled or (interpreted.debugging and ":" in where):
        python = PythonFunction(function, rules.view_dtype, info.context_dtype())
        dispatcher = caller_of(python, signature)
        address = address_of(dispatcher, signature)
        return CompiledStrategy(info, dispatcher, address, _digest(info), python)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", NumbaWarning)  # advice about speed, not for players
            dispatcher = compile_function(info.function, signature)
    except UsageError:
        raise
    except Exception as error:
        raise StrategyError(f"{label}: {explain(error, function, rules, info)}") from None
    result = dispatcher.overloads[signature].signature.return_type
    if not isinstance(result, types.Integer) or isinstance(result, types.Boolean):
        what = "nothing" if isinstance(result, types.Optional) else type_words(str(result))
        raise StrategyError(
            f"{label}: {returns(what, function)}: it must return a whole number on every path, "
            f"and returns {what}{' on some' * isinstance(result, types.Optional)}"
        )
    if result != types.int64:
        dispatcher = compile_function(_as_int64(dispatcher, info.function), signature)
    return CompiledStrategy(info, dispatcher, address_of(dispatcher, signature), _digest(info))


def _digest(info: StrategyInfo) -> str:
    """A digest of the code; empty where it cannot be told apart from other versions of itself."""
    try:
        return fingerprint(info.function)
    except UnknownObjectError:
        return ""


def _as_int64(dispatcher: Any, function: Any) -> Callable[..., Any]:
    """A function that returns another's result as int64."""
    from numba import njit

    inner = function if hasattr(function, "py_func") else njit(function)

    def action(view: Any, ctx: Any) -> Any:
        return np.int64(inner(view, ctx))

    action.__name__ = f"{dispatcher.py_func.__name__}_int64"
    return action


def _check_arguments(function: Any, label: str) -> None:
    """Raise StrategyError when a function does not take (view, ctx), or is no ordinary one."""
    parameters = inspect.signature(function).parameters.values()
    required = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    if len(required) != 2 or len(required) != len(parameters):
        taken = ", ".join(str(p) for p in parameters)
        raise StrategyError(
            f"{label}: {place_of(function)}: it must take two arguments (view, ctx), and takes "
            f"{len(parameters)}: ({taken})"
        )
    if inspect.iscoroutinefunction(function) or inspect.isgeneratorfunction(function):
        raise StrategyError(
            f"{label}: {place_of(function)}: it must return an action, so it can be neither a "
            f"generator (`yield`) nor `async`"
        )
