"""Fingerprints of functions: a hash of everything that their compiled form depends on.

numba's own disk cache looks at the file of the function alone, so a changed helper or constant in
another file goes unnoticed and old results come back. A fingerprint follows the function instead:
its bytecode and constants, and recursively every global, closure cell and module attribute that it
names. Comments and line numbers do not count.
"""

import builtins
import hashlib
import types
from collections.abc import Iterator
from typing import Any

import numpy as np
from numba.core.dispatcher import Dispatcher
from numba.core.types import Type as NumbaType
from numba.extending import _Intrinsic

#: Packages whose contents are fixed by their version, which is part of every cache key.
PINNED_PACKAGES = ("numpy", "numba", "llvmlite", "math", "cmath", "operator", "builtins")

PLAIN = (int, float, complex, str, bytes, bool, type(None), type(Ellipsis), np.generic)


class UnknownObjectError(Exception):
    """A function depends on an object whose contents cannot be hashed."""


def fingerprint(function: Any, extra: str = "") -> str:
    """The SHA-256 (hex) of all that `function` depends on, and of `extra`.

    Raises UnknownObjectError when it names an object whose contents cannot be hashed; such a
    function must not be cached.
    """
    walker = _Walker()
    walker.text(extra)
    walker.value("", _plain_function(function))
    return walker.digest.hexdigest()


def _plain_function(thing: Any) -> Any:
    if isinstance(thing, Dispatcher):
        return thing.py_func
    if isinstance(thing, _Intrinsic):
        return thing._defn
    return thing


def _code_objects(code: types.CodeType) -> Iterator[types.CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _code_objects(constant)


def _package(name: str | None) -> str:
    return (name or "").split(".", 1)[0]


class _Walker:
    """Feeds one hash with a function and, depth first, with all it reaches."""

    def __init__(self) -> None:
        self.digest = hashlib.sha256()
        self.order: dict[int, int] = {}
        self.kept: list[Any] = []  # keeps ids unique while walking

    def text(self, text: str) -> None:
        data = text.encode()
        self.digest.update(len(data).to_bytes(8, "little"))
        self.digest.update(data)

    def value(self, name: str, thing: Any, attributes: frozenset[str] = frozenset()) -> None:
        self.text(name)
        if isinstance(thing, Dispatcher):
            self.text(repr(sorted((k, repr(v)) for k, v in thing.targetoptions.items())))
        thing = _plain_function(thing)
        if isinstance(thing, types.FunctionType):
            self.function(thing)
        elif isinstance(thing, types.ModuleType):
            self.module(thing, attributes)
        elif isinstance(thing, np.ndarray):
            if thing.dtype.hasobject:
                raise UnknownObjectError(f"{name} is an array of Python objects")
            self.text(f"{thing.dtype.descr} {thing.shape}")
            self.digest.update(np.ascontiguousarray(thing).tobytes())
        elif isinstance(thing, np.dtype):
            # not `descr`: a record whose fields overlap has none
            self.text(f"dtype {thing!r} {thing.itemsize} {thing.alignment}")
        elif isinstance(thing, PLAIN):
            self.text(f"{type(thing).__name__} {thing!r}")
        elif isinstance(thing, (tuple, list)):
            self.text(f"{type(thing).__qualname__} {len(thing)}")
            for item in thing:
                self.value("", item, attributes)
        elif isinstance(thing, NumbaType):
            self.text(f"numba {thing!r}")
        elif _package(getattr(thing, "__module__", None)) in PINNED_PACKAGES:
            self.text(f"{thing.__module__} {getattr(thing, '__qualname__', type(thing).__name__)}")
        else:
            raise UnknownObjectError(f"{name or 'a value'} is a {type(thing).__qualname__}")

    def function(self, function: types.FunctionType) -> None:
        if id(function) in self.order:
            self.text(f"seen {self.order[id(function)]}")
            return
        self.order[id(function)] = len(self.order)
        self.kept.append(function)
        names: set[str] = set()
        for code in _code_objects(function.__code__):
            names.update(code.co_names)
            self.text(f"{code.co_argcount} {code.co_kwonlyargcount} {code.co_flags}")
            self.text(f"{code.co_names} {code.co_varnames} {code.co_freevars} {code.co_cellvars}")
            self.digest.update(code.co_code + code.co_exceptiontable)
            for constant in code.co_consts:
                if isinstance(constant, types.CodeType):
                    continue
                # a frozenset (`x in {1, 2}`) has no order of its own
                if isinstance(constant, frozenset):
                    constant = ("frozenset", *sorted(map(repr, constant)))
                self.value("", constant)
        self.value("defaults", function.__defaults__)
        reached = frozenset(names)
        for name in sorted(names):
            if name in function.__globals__:
                self.value(name, function.__globals__[name], reached)
            elif hasattr(builtins, name):
                self.text(f"builtin {name}")
        cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
        for name, cell in cells:
            self.value(name, cell.cell_contents, reached)

    def module(self, module: types.ModuleType, attributes: frozenset[str]) -> None:
        self.text(f"module {module.__name__}")
        if _package(module.__name__) in PINNED_PACKAGES or id(module) in self.order:
            return
        self.order[id(module)] = len(self.order)
        for name in sorted(attributes):
            if hasattr(module, name):
                self.value(name, getattr(module, name), attributes)
        del self.order[id(module)]
