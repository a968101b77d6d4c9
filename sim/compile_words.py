"""numba's messages in words: the first rule whose pattern is found says what is wrong."""

import re
from collections.abc import Callable
from typing import Any

Meaning = Callable[[re.Match[str], Any], str]

#: numba's type names, and what they are to a person who writes a strategy.
TYPE_WORDS = (
    (r"(u?int\d+|Literal\[int\])", "a whole number"),
    (r"float\d+", "a number with a fraction"),
    (r"(bool|boolean|Literal\[bool\])", "true or false"),
    (r"(unicode_type|Literal\[str\])", "text"),
    (r"none", "nothing"),
    (r"(Uni)?Tuple", "a tuple"),
    (r"(reflected )?list", "a list"),
    (r"(Reflected)?Set|set\b|reflected set", "a set"),
    (r"(Dict|DictType|LiteralStrKeyDict)\b", "a dictionary"),
    (r"array", "an array"),
    (r"Record", "a record"),
    (r"range_", "a range"),
    (r".* generator\(", "a generator (`yield`)"),
    (r"type\(CPUDispatcher", "a function"),
)

OPERATORS = {
    "add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**",
    "and_": "&", "or_": "|", "xor": "^", "lshift": "<<", "rshift": ">>",
    "iadd": "+=", "isub": "-=", "imul": "*=", "iand": "&=", "ior": "|=", "ixor": "^=",
    "eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "contains": "in",
}  # fmt: skip

IMPORT = ("an import inside a function", "; put it at the top of the file")
GLOBAL = ("a change of a global variable", "; what must last is a memory field of ctx")
#: What Python does there, and what helps.
OPCODES = {
    "LOAD_BUILD_CLASS": ("a class inside a function", ""),
    "IMPORT_NAME": IMPORT,
    "IMPORT_FROM": IMPORT,
    "STORE_GLOBAL": GLOBAL,
    "DELETE_GLOBAL": GLOBAL,
    "DELETE_FAST": ("`del`", ""),
}


def type_words(name: str) -> str:
    """A numba type in words."""
    for pattern, word in TYPE_WORDS:
        if re.match(pattern, name.strip()):
            return word
    return name.strip()[:40]


def split_types(text: str) -> list[str]:
    """The types of `int64, Tuple(int64, int64)`: split at the outer commas."""
    pieces, depth, piece = [], 0, ""
    for letter in text:
        depth += (letter in "([{") - (letter in ")]}")
        if letter == "," and depth == 0:
            pieces.append(piece)
            piece = ""
        else:
            piece += letter
    return [p for p in [*pieces, piece] if p.strip()]


def _untyped(match: re.Match[str], function: Any) -> str:
    name = match[1]
    thing = function.__globals__.get(name)
    if name == function.__name__:
        return f"{name}() calls itself, which cannot be compiled; use a loop"
    if callable(thing) and hasattr(thing, "__code__"):
        return f"{name}() is a plain Python function; put @njit above it"
    if isinstance(thing, type):
        return f"the class {name!r} cannot be compiled; use numbers, tuples and numpy arrays"
    if thing is None:
        return f"Python's {name}() cannot be compiled"
    return (
        f"{name!r} is a {type(thing).__name__}, which compiled code cannot use; use a number, a "
        f"tuple or a numpy array"
    )


def _unknown_attribute(match: re.Match[str], function: Any) -> str:
    module = re.match(r"Module\(<module '([\w.]+)'", match[2])
    if module:
        return f"{module[1]}.{match[1]} cannot be compiled"
    return f"{type_words(match[2])} has no {match[1]!r} in compiled code"


def _no_implementation(match: re.Match[str], function: Any) -> str:
    name, arguments = match[1], [type_words(t) for t in split_types(match[2])]
    if name == "exception_match":
        return "only `except Exception` and a bare `except` can be compiled"
    if name.startswith("<"):
        return f"{' and '.join(arguments)} cannot be used so"
    if name in OPERATORS and len(arguments) == 2:
        return f"`{OPERATORS[name]}` of {arguments[0]} and {arguments[1]} cannot be compiled"
    if name in ("getitem", "static_getitem", "setitem") and len(arguments) >= 2:
        what = "gives nothing" if "get" in name else f"cannot take {arguments[-1]}"
        return f"{arguments[0]} {what} at [{arguments[1]}] in compiled code"
    return f"{name}({', '.join(arguments)}) cannot be compiled"


def _bad_call(match: re.Match[str], function: Any) -> str:
    called = re.search(r"CPUDispatcher\(<function (\w+) at", match.string)
    name = called[1] if called else "the function"
    return f"{name}{match[1]} is called with other arguments: {match[2]}"


def _unsupported(match: re.Match[str], function: Any) -> str:
    what, help_ = OPCODES.get(match[1], (f"a statement ({match[1]})", ""))
    return f"{what} cannot be compiled{help_}"


def _different_returns(match: re.Match[str], function: Any) -> str:
    words = sorted({type_words(t) for t in split_types(match[1])})
    return f"it returns different things on different paths: {', '.join(words)}"


def _two_types(match: re.Match[str], function: Any) -> str:
    first, second = sorted([type_words(match[1]), type_words(match[2])])
    return f"{match[3]!r} is {first} in one place and {second} in another"


def _holds_nothing(match: re.Match[str], function: Any) -> str:
    return f"{match[1]!r} is {type_words(match[2])} that begins empty; begin it with a value"


def _looped_over(match: re.Match[str], function: Any) -> str:
    return f"a loop (`for … in`) over {type_words(match[1])} cannot be compiled"


def _called(match: re.Match[str], function: Any) -> str:
    return f"{type_words(match[1])} is called as if it were a function"


NAME = r"'(\w+)[^']*'"
SIGNATURE = r"found for signature:\s*>>> ([\w ]+|<unknown function>)\((.*)\)"
#: (pattern, its meaning): a text, in which {0} is the first group, or a function.
RULES: tuple[tuple[str, str | Meaning], ...] = (
    (r"Untyped global name '(\w+)'", _untyped),
    (
        r"Use of unsupported NumPy function '([\w.]+)'",
        "{0} cannot be compiled (numba does not know it, or not used so)",
    ),
    (r"Unknown attribute '(\w+)' of type ([^\n]+)", _unknown_attribute),
    (r"Use of unsupported opcode \((\w+)\)", _unsupported),
    (
        r"Exception object cannot be stored into variable",
        "`except … as …` cannot be compiled; leave out `as …`",
    ),
    (r"with \(?context manager", "`with` cannot be compiled"),
    (r"Illegal IR, del found", "`del` cannot be compiled"),
    (r"format spec in f-strings", "an f-string with a format (`:…`) cannot be compiled"),
    (
        rf"reflected list\(.*assigned to variable {NAME} in globals",
        "the global list {0!r} cannot be compiled; make it a tuple or a numpy array",
    ),
    (rf"Cannot infer the type of variable {NAME}, have imprecise type: (\w+)", _holds_nothing),
    (r"Can't unify return type from the following types: ([^\n]+)", _different_returns),
    (rf"Cannot unify (.+?) and (.+?) for {NAME}", _two_types),
    (r"Cannot bind .*? to signature '(\(.*?\))' due to \"TypeError: (.*?)\"", _bad_call),
    (
        r"cannot type infer runaway recursion|recursive function",
        "a function calls itself, which cannot be compiled; use a loop",
    ),
    (r"Invalid use of getiter with parameters \((.+?)\)", _looped_over),
    (r"No type info available for ([^\n]+?) as a callable", _called),
    (
        r"use of yield in a closure",
        "a generator (`… for … in …` as an argument) cannot be compiled; use a loop",
    ),
    (
        r"Unsupported use of cell variable",
        "an inner function that calls itself or changes an outer variable cannot be compiled",
    ),
    (rf"No implementation of function [^\n]*{SIGNATURE}", _no_implementation),
    (
        r"Type of variable '[^']*' cannot be determined",
        "the compiler cannot tell what a value is; write it in simpler steps, without `:=`",
    ),
)

#: Lines of numba's messages that say nothing about the strategy.
EMPTY = ("Failed in", "During:", 'File "', "There are ", "- Of which", "Overload", "No match")


def reason_of(text: str, function: Any) -> str:
    """What numba's message means for `function`."""
    for pattern, meaning in RULES:
        match = re.search(pattern, text)
        if match:
            if isinstance(meaning, str):
                return meaning.format(*match.groups())
            return meaning(match, function)
    for line in text.splitlines():
        line = line.strip(" >-*")
        if line and not line.startswith(EMPTY):
            line = re.sub(r"Record\(\[.*?\], \d+, \w+\)", "a record", line)
            return f"it cannot be compiled: {line.rstrip('.')}"
    return "it cannot be compiled, and the compiler gives no reason"
