"""One sentence for each way in which a strategy cannot be compiled."""

import re
from typing import Any

from sim.errors import one_of

LINE = re.compile(r'File "([^"]+)", line (\d+)')
NO_FIELD = re.compile(r"(?:Unknown attribute|Field) '(\w+)'")
UNTYPED_NAME = re.compile(r"Untyped global name '(\w+)'")
NOT_DEFINED = re.compile(r"NameError: name '(\w+)' is not defined")


def explain(error: BaseException, function: Any, rules: Any, info: Any) -> str:
    """What is wrong and where, for an error that numba raised while compiling `function`."""
    text = _strip_colours(str(error))
    place = _place(text, function)
    if isinstance(error, KeyError):
        missing = error.args[0]
    else:
        match = NO_FIELD.search(text)
        missing = match.group(1) if match else None
    if missing is not None:
        return _missing_field(str(missing), function, rules, info, place)
    match = NOT_DEFINED.search(text)
    if match:
        return f"{place}: the name {match.group(1)!r} is not defined"
    match = UNTYPED_NAME.search(text)
    if match:
        return _untyped(match.group(1), function, place)
    return f"{place}: it cannot be compiled: {_first_reason(text)}"


def _missing_field(name: str, function: Any, rules: Any, info: Any, place: str) -> str:
    view, context = list(function.__code__.co_varnames[:2])
    used = _attribute_line(function, name)
    if used is not None:
        place = used
    if _is_attribute_of(function, context, name):
        own = [field for field in info.context_dtype().names if field != "state"]
        return f"{place}: {context} has no field {name!r}; it has {one_of(own) or 'no parameters'}"
    return f"{place}: the {view} has no field {name!r}; it has {one_of(rules.view_dtype.names)}"


def _source(function: Any) -> tuple[list[str], int]:
    import inspect

    try:
        return inspect.getsourcelines(function)
    except (OSError, TypeError):
        return [], 0


def _attribute_line(function: Any, name: str) -> str | None:
    lines, first = _source(function)
    for offset, line in enumerate(lines):
        if re.search(rf"\.{re.escape(name)}\b", line):
            return f"{_file(function)} line {first + offset}"
    return None


def _is_attribute_of(function: Any, variable: str, name: str) -> bool:
    lines, _ = _source(function)
    return any(re.search(rf"\b{re.escape(variable)}\.{re.escape(name)}\b", line) for line in lines)


def _file(function: Any) -> str:
    return str(function.__code__.co_filename).rsplit("/", 1)[-1]


def _untyped(name: str, function: Any, place: str) -> str:
    thing = function.__globals__.get(name)
    if callable(thing) and hasattr(thing, "__code__"):
        return f"{place}: {name}() is a plain Python function; put @njit above it"
    return f"{place}: {name!r} is a {type(thing).__name__}, which compiled code cannot use"


def _place(text: str, function: Any) -> str:
    own = function.__code__.co_filename
    lines = [m.group(2) for m in LINE.finditer(text) if own.endswith(m.group(1).lstrip("./"))]
    line = lines[-1] if lines else str(function.__code__.co_firstlineno)
    return f"{_file(function)} line {line}"


def _strip_colours(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


BORING = (
    "Failed in nopython",
    "During:",
    'File "',
    "There are ",
    "- Of which",
    "Overload",
    "No match",
    "This error",
    "Traceback",
)


def _first_reason(text: str) -> str:
    """The first line of numba's message that says something about the user's code."""
    for line in text.splitlines():
        line = line.strip(" >-*")
        if line and not line.startswith(BORING):
            return line.rstrip(".")[:300]
    return "the compiler gives no reason"
