"""Finds recall models: spec strings, registered names, parameters, a person's own file.

A spec is one of

    logistic                            a registered model; its defaults follow the order option
    logistic(k=5,lapse=0)               with parameters
    iid(0.9)                            the first parameters may be given without their names
    my_file.py:my_function(k=2)         a function of a file
"""

import importlib
import pkgutil
from collections.abc import Mapping
from difflib import get_close_matches
from functools import cache
from typing import Any

import strategies
from sim.contract import Ruleset
from sim.errors import StrategyError, one_of
from sim.games import module_of
from sim.recall import Model, RecallInfo, model_info_of, tabulate
from strategies.registry import ENTRY, read_parameters
from strategies.userfile import load_function


@cache
def registered_models(game: str) -> dict[str, RecallInfo]:
    """The recall models of the modules `strategies/GAME*.py`, by name."""
    found = {}
    for module_info in pkgutil.iter_modules(strategies.__path__):
        if module_info.name.startswith(module_of(game)):
            module = importlib.import_module(f"strategies.{module_info.name}")
            for value in vars(module).values():
                info = getattr(value, "__playout_model__", None)
                if isinstance(info, RecallInfo):
                    found[info.name] = info
    return found


def parse_model(spec: str, rules: Ruleset, options: Any = None) -> Model:
    """The recall model that a spec names, as a table of probabilities.

    With the option `order=any-order` a model may have other defaults. Raises StrategyError with one
    sentence.
    """
    match = ENTRY.match(spec.strip())
    if not match:
        raise StrategyError(
            f"recall model {spec!r} cannot be read; write NAME, NAME(parameters), or "
            f"FILE.py:FUNCTION; {_known(rules)}"
        )
    if match["file"]:
        info = _of_file(match["file"].strip(), match["function"])
    else:
        info = _find(match["name"], rules)
    any_order = options is not None and options.as_dict().get("order") == "any-order"
    given = read_parameters(f"recall model {info.name}", info.params, match["arguments"])
    values = info.defaults(any_order) | given
    return tabulate(info, spec_of(info, values), values, any_order)


def spec_of(info: RecallInfo, values: Mapping[str, int | float]) -> str:
    """The spec with all parameters: a single one is written without its name."""
    texts = {name: _number(values[name]) for name in info.params}
    if len(texts) == 1:
        return f"{info.name}({next(iter(texts.values()))})"
    inner = ",".join(f"{name}={text}" for name, text in texts.items())
    return info.name + (f"({inner})" if inner else "")


def _number(value: int | float) -> str:
    """A number as briefly as it can be read back."""
    short = f"{value:g}"
    return short if float(short) == value else repr(value)


def _known(rules: Ruleset) -> str:
    return f"the recall models of {rules.name} are {one_of(registered_models(rules.name))}"


def _find(name: str, rules: Ruleset) -> RecallInfo:
    known = registered_models(rules.name)
    if name in known:
        return known[name]
    close = get_close_matches(name, known, 1)
    meant = f" (did you mean {close[0]}?)" if close else ""
    raise StrategyError(
        f"{rules.name} has no recall model {name!r}{meant}; there are {one_of(known)}, or your own "
        f"as FILE.py:FUNCTION"
    )


def _of_file(path: str, name: str) -> RecallInfo:
    """The recall model `name` of a person's file."""
    try:
        found = load_function(path, name)
    except StrategyError as error:
        raise StrategyError(str(error).replace("the strategy file", "the model file")) from None
    if found.game is not None:
        raise StrategyError(
            f"recall model {found.name} is a strategy for {found.game}; a recall model is a "
            f"function (n, ctx) that returns a probability"
        )
    declared = model_info_of(found.function)
    return RecallInfo(
        found.name,
        found.function,
        declared.summary,
        declared.source,
        declared.persistent,
        declared.params,
        declared.unordered,
    )
