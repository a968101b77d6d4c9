"""Recall models: how well a player remembers a stack of cards, for games that test memory.

A recall model is a function `(n, ctx)` that returns a probability, `n` being a number of cards and
`ctx` holding the model's parameters as `ctx.NAME` and `ctx.any_order` (1 when the order is free).
It is asked once for each n before the first game; the games read a table.

- A plain model returns the probability of reciting a whole stack of n cards. Whether it succeeds is
  drawn at the moment of the recital.
- A model declared with `persistent=True` returns the probability with which each card that is still
  known stays known when the n-th card is laid, that card included. A card once lost stays lost, so
  the player feels how many cards are still sure.
"""

import hashlib
import inspect
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from dataclasses import field as dataclass_field
from functools import cached_property
from types import SimpleNamespace
from typing import Any

import numpy as np
from numba import from_dtype, types
from numba.core.errors import NumbaWarning

from sim.compile_errors import explain, foreign_chance, place_of
from sim.errors import StrategyError
from sim.jit import compile_function
from sim.strategy import NAME, Param, check_params

#: The longest stack a model is asked about.
MOST_CARDS = 208
Array = np.ndarray[Any, Any]
#: A model sees no view; messages about missing fields ask for its fields.
NO_VIEW = SimpleNamespace(view_dtype=np.dtype([]))


@dataclass(frozen=True)
class RecallInfo:
    """What a recall model declares. `unordered` are the defaults when the order is free."""

    name: str
    function: Callable[..., Any]
    summary: str = ""
    source: str = ""
    persistent: bool = False
    params: Mapping[str, Param] = dataclass_field(default_factory=dict)
    unordered: Mapping[str, float] = dataclass_field(default_factory=dict)

    def context_dtype(self) -> np.dtype[Any]:
        """The record that the function sees as `ctx`."""
        fields: list[tuple[str, Any]] = [("any_order", np.int64)]
        for name, param in self.params.items():
            fields.append((name, np.float64 if param.is_float else np.int64))
        return np.dtype(fields)

    def defaults(self, any_order: bool) -> dict[str, int | float]:
        """The parameters of a model that is given none."""
        found = {name: param.default for name, param in self.params.items()}
        return {**found, **(self.unordered if any_order else {})}


def recall_model(
    *,
    name: str | None = None,
    summary: str = "",
    source: str = "",
    persistent: bool = False,
    unordered: Mapping[str, float] | None = None,
    **params: Param,
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Declare a recall model; it stays an ordinary function.

    `persistent` says what the function returns (see the module's text), `unordered` are the
    defaults that differ when the order of the recital is free; every other keyword is a parameter:
    `k=Param(4.5, 0.0, 52.0, "the capacity")`. Raises StrategyError for a wrong declaration.
    """

    def declare(function: Callable[..., Any]) -> Callable[..., Any]:
        own = name or function.__name__.replace("_", "-")
        label = f"recall model {own!r}"
        if not NAME.match(own):
            raise StrategyError(f"{label}: a name is of letters, digits and hyphens")
        if "any_order" in params:
            raise StrategyError(f"{label}: `any_order` is taken, it says whether the order is free")
        check_params(label, params)
        for given in unordered or {}:
            if given not in params:
                raise StrategyError(f"{label}: `unordered` names {given!r}, which is no parameter")
        function.__dict__["__playout_model__"] = RecallInfo(
            own, function, summary, source, persistent, params, unordered or {}
        )
        return function

    return declare


def model_info_of(function: Any) -> RecallInfo:
    """What a function declares as a recall model; a bare function declares nothing but its name."""
    plain = getattr(function, "py_func", function)
    info: RecallInfo | None = plain.__dict__.get("__playout_model__")
    if info is None:
        return RecallInfo(plain.__name__, function)
    return info if function is plain else replace(info, function=function)


@dataclass(frozen=True, eq=False)
class Model:
    """A recall model with its parameters: `table[n]` is what it returns for n cards (0 to 208).

    Models are equal when they play alike, whatever they are called.
    """

    spec: str
    persistent: bool
    table: Array

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Model) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    @cached_property
    def recall(self) -> Array:
        """The probability of reciting a stack of n cards, before anything is felt, for n = 0…208.

        A persistent player must not have lost any: n cards outlive the n-th, n - 1 the one before…
        """
        return np.cumprod(self.hold) if self.persistent else self.table

    @cached_property
    def hold(self) -> Array:
        """The probability that no card of a whole stack is lost when its n-th is laid."""
        if not self.persistent:
            return np.ones(len(self.table))
        held: Array = self.table ** np.arange(len(self.table))
        return held

    @cached_property
    def digest(self) -> str:
        """A digest of all that decides how this model plays."""
        return hashlib.sha256(bytes([self.persistent]) + self.table.tobytes()).hexdigest()


def tabulate(info: RecallInfo, spec: str, values: Mapping[str, Any], any_order: bool) -> Model:
    """Ask a model about 1 to 208 cards.

    Raises StrategyError with one sentence when it cannot be compiled, fails, or returns what is no
    probability. `spec` names the model.
    """
    function = getattr(info.function, "py_func", info.function)
    label = f"recall model {info.name}"
    parameters = inspect.signature(function).parameters
    if len(parameters) != 2 or any(
        p.kind is not p.POSITIONAL_OR_KEYWORD for p in parameters.values()
    ):
        taken = ", ".join(str(p) for p in parameters.values())
        raise StrategyError(
            f"{label}: {place_of(function)}: it must take two arguments (n, ctx), and takes "
            f"{len(parameters)}: ({taken})"
        )
    chance = foreign_chance(function)
    if chance:
        raise StrategyError(
            f"{label}: {chance}: it draws random numbers; it must return the probability, and the "
            f"game draws"
        )
    ask = _compiled(info, function, label)
    context = np.zeros(1, info.context_dtype())
    context["any_order"] = any_order
    for name, value in values.items():
        context[name] = value
    table = np.ones(MOST_CARDS + 1)
    for n in range(1, MOST_CARDS + 1):
        try:
            table[n] = ask(n, context[0])
        except Exception as error:
            reason = f"{type(error).__name__}: {error}".splitlines()[0].rstrip(".")
            raise StrategyError(f"{label} fails for {_cards(n)}: {reason}") from None
        if not 0.0 <= table[n] <= 1.0:
            raise StrategyError(
                f"{label} returns {table[n]:.6g} for {_cards(n)}; it must return a probability, "
                f"from 0 to 1"
            )
    table.flags.writeable = False
    return Model(spec, info.persistent, table)


def _cards(n: int) -> str:
    return f"{n} card{'s' * (n != 1)}"


def _compiled(info: RecallInfo, function: Any, label: str) -> Any:
    signature = (types.int64, from_dtype(info.context_dtype()))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", NumbaWarning)
            dispatcher = compile_function(info.function, signature)
    except Exception as error:
        raise StrategyError(f"{label}: {explain(error, function, NO_VIEW, info)}") from None
    result = dispatcher.overloads[signature].signature.return_type
    if not isinstance(result, (types.Float, types.Integer)):
        raise StrategyError(
            f"{label}: {place_of(function)}: it must return a number from 0 to 1 on every path"
        )
    return dispatcher
