"""One sentence for each way in which a strategy cannot be compiled: where it is, and what helps."""

import ast
import inspect
import os
import re
import textwrap
import types
from collections.abc import Iterator
from difflib import get_close_matches
from typing import Any

import numpy

from sim.compile_words import reason_of
from sim.errors import one_of

#: The two ways in which numba names a place.
LINE = re.compile(r'File "([^"]+)", line (\d+)|(?:at|from) (/\S.*?) \((\d+)\)')
NOT_DEFINED = re.compile(r"NameError: name '(\w+)' is not defined")
NO_ATTRIBUTE = re.compile(r"module '([\w.]+)' has no attribute '(\w+)'")
CALLED = re.compile(r"CPUDispatcher\(<function (\w+) at")
MOST_LETTERS = 300


def explain(error: BaseException, function: Any, rules: Any, info: Any) -> str:
    """What is wrong and where, for an error that numba raised while compiling `function`."""
    if isinstance(error, KeyError):  # a field of a record
        return _missing_field(str(error.args[0]), function, rules, info)
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    missing = NO_ATTRIBUTE.fullmatch(text)
    if missing:
        place, _ = _use_of(missing.group(2), function)
        return f"{place}: {missing.group(1)} has no {missing.group(2)!r}"
    missing = NOT_DEFINED.search(text)
    if missing:
        place, _ = _use_of(missing.group(1), function)
        return f"{place}: the name {missing.group(1)!r} is not defined"
    place, called = _place(text, function)
    given = f"{called}() is given something it cannot use: " if called else ""
    return f"{place}: {given}{reason_of(text, function)[:MOST_LETTERS]}"


def foreign_chance(function: Any) -> str | None:
    """Where a function draws from numpy's or Python's random numbers, which nothing can repeat."""
    for own in _functions(function):
        names = own.__code__.co_names
        for name in names:
            thing = own.__globals__.get(name)
            source = getattr(thing, "__module__", None) or getattr(thing, "__name__", None)
            if str(source).startswith(("random", "numpy.random")) or (
                thing is numpy and "random" in names
            ):
                return _use_of("random", own)[0]
    return None


def place_of(function: Any, line: int | None = None) -> str:
    """`file.py line 3`: where a function begins, or a line of its file."""
    code = function.__code__
    return f"{os.path.basename(code.co_filename)} line {line or code.co_firstlineno}"


def returns(result: str, function: Any) -> str:
    """Where a function returns `result` (the word for what is no whole number), as best one sees.

    The compiler says what comes back, and not from which `return`.
    """
    node = _tree(function)
    if node is None:
        return place_of(function)
    found = [n for n in ast.walk(node) if isinstance(n, ast.Return)]
    suspects = [n for n in found if _looks_like(result, n.value)] or found
    if result == "nothing" and not any(_looks_like(result, n.value) for n in found):
        return place_of(function, node.end_lineno)
    return place_of(function, suspects[0].lineno if suspects else None)


def _looks_like(result: str, value: ast.expr | None) -> bool:
    if result == "nothing":
        return value is None or (isinstance(value, ast.Constant) and value.value is None)
    if result == "true or false":
        return isinstance(value, (ast.Compare, ast.BoolOp)) or (
            isinstance(value, ast.Constant) and isinstance(value.value, bool)
        )
    if result == "a number with a fraction":
        return value is not None and any(
            isinstance(n, ast.Div) or (isinstance(n, ast.Constant) and isinstance(n.value, float))
            for n in ast.walk(value)
        )
    return isinstance(value, (ast.Tuple, ast.List, ast.Dict, ast.JoinedStr)) or (
        isinstance(value, ast.Constant) and isinstance(value.value, str)
    )


def _missing_field(name: str, function: Any, rules: Any, info: Any) -> str:
    view, context = inspect.signature(function).parameters
    place, owner = _use_of(name, function)
    if name == "state" and owner is None:
        return f"{place}: random numbers are drawn from {context}, as in bounded({context}, n)"
    fields = list(rules.view_dtype.names)
    whole = f"the {view}" if view == "view" else f"the view {view!r}"
    if owner == context:
        fields = [field for field in info.context_dtype().names if field != "state"]
        whole = context
    close = get_close_matches(name, fields, 1)
    meant = f" (did you mean {close[0]!r}?)" if close else ""
    known = f"it has {one_of(fields)}" if fields else "it has no parameters and no memory"
    return f"{place}: {whole} has no field {name!r}{meant}; {known}"


def _use_of(name: str, function: Any) -> tuple[str, str | None]:
    """(place, owner) where a name or an attribute is used, in the function or in what it calls."""
    for own in _functions(function):
        node = _tree(own)
        for part in ast.walk(node) if node is not None else ():
            if isinstance(part, ast.Name) and part.id == name:
                return place_of(own, part.lineno), None
            if isinstance(part, ast.Attribute) and part.attr == name:
                owner = part.value.id if isinstance(part.value, ast.Name) else None
                return place_of(own, part.lineno), owner
    return place_of(function), None


def _functions(function: Any) -> Iterator[Any]:
    """A function, then the compiled functions of its folder that it calls, each once."""
    folder = _folder(function)
    waiting, seen = [function], set()
    while waiting:
        function = waiting.pop(0)
        if function in seen or _folder(function) != folder:
            continue
        seen.add(function)
        yield function
        names = function.__code__.co_names
        things = [function.__globals__.get(name) for name in names]
        for module in [thing for thing in things if isinstance(thing, types.ModuleType)]:
            things += [getattr(module, name, None) for name in names]
        waiting += [thing.py_func for thing in things if hasattr(thing, "py_func")]


def _tree(function: Any) -> ast.stmt | None:
    """The parsed source of a function with its line numbers in the file, None without source."""
    try:
        lines, first = inspect.getsourcelines(function)
        node = ast.parse(textwrap.dedent("".join(lines))).body[0]
    except (OSError, TypeError, SyntaxError, IndexError):
        return None
    return ast.increment_lineno(node, max(first, 1) - 1)


def _folder(function: Any) -> str:
    return os.path.dirname(str(function.__code__.co_filename))


def _place(text: str, function: Any) -> tuple[str, str | None]:
    """The innermost place of a message in the strategy's own folder, and what is called there.

    The second is None when the fault is not inside a function of elsewhere, such as `bounded`.
    """
    elsewhere = False
    for match in LINE.finditer(text):
        path = os.path.abspath(match.group(1) or match.group(3))
        if os.path.dirname(path) == _folder(function) and path.endswith(".py"):
            called = CALLED.findall(text[: match.start()]) if elsewhere else []
            place = f"{os.path.basename(path)} line {match.group(2) or match.group(4)}"
            return place, called[-1] if called else None
        elsewhere = elsewhere or "site-packages" not in path
    return place_of(function), None
