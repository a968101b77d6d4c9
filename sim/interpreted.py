"""Strategies that run as plain Python: the compiled loop calls back for each decision.

For what numba cannot compile (dictionaries of objects, any library), and for looking into a
strategy with Python's own errors. Everything else is as for compiled ones: the same views, random
streams, parameters, checks and results, only slower.
"""

import ctypes
import operator
import sys
import traceback
from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba import from_dtype, njit, types
from numba.extending import intrinsic

from sim.contract import Ruleset

#: What is returned for a decision that raised: no game has such an action.
NO_ACTION = -(2**63)

#: `--debug`: functions of a person's own files run as plain Python, and errors show where.
debugging = False

_CALLBACK = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p)
#: Callbacks live as long as the machine code that calls them.
_callbacks: list[Any] = []


@intrinsic  # type: ignore[untyped-decorator]
def address_of_record(typingctx: Any, record: Any) -> Any:
    """The address of a record."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ptrtoint(args[0], ir.IntType(64))

    return types.uint64(record), generate


@intrinsic  # type: ignore[untyped-decorator]
def call_back(typingctx: Any, function: Any, view: Any, ctx: Any) -> Any:
    """Call a C function at an address with two addresses."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        word = ir.IntType(64)
        pointer = builder.inttoptr(args[0], ir.PointerType(ir.FunctionType(word, [word, word])))
        return builder.call(pointer, args[1:])

    return types.int64(types.uint64, types.uint64, types.uint64), generate


class PythonFunction:
    """A strategy function on records in memory."""

    def __init__(self, function: Callable[..., Any], view: Any, context: Any) -> None:
        self.function = function
        # elements of such arrays have their fields as attributes, and share the memory
        self.view_dtype = np.dtype((np.record, view))
        self.context_dtype = np.dtype((np.record, context))

    def __call__(self, view_address: int, context_address: int) -> int:
        """The action; raises what the function raises."""
        view = _record_at(view_address, self.view_dtype)
        context = _record_at(context_address, self.context_dtype)
        with np.errstate(over="ignore"):  # words of cards wrap around, as in compiled code
            return _whole(self.function(view, context))

    def quietly(self, view_address: int, context_address: int) -> int:
        """The same for the compiled loop: what is raised comes again when the game is described."""
        try:
            return self(view_address, context_address)
        except Exception:
            return NO_ACTION


def _record_at(address: int, dtype: np.dtype[Any]) -> Any:
    buffer: Any = (ctypes.c_char * dtype.itemsize).from_address(address)
    return np.frombuffer(buffer, dtype, 1)[0]


def _whole(action: Any) -> int:
    try:
        number = operator.index(action)
    except TypeError:
        raise TypeError(
            f"it must return a whole number, and returned {type(action).__name__}"
        ) from None
    if not -(2**63) <= number < 2**63:
        raise OverflowError(f"it returned {number}, which no action can be")
    return number


def show_traceback(error: BaseException, function: Callable[..., Any]) -> None:
    """The traceback on stderr, from the strategy on, without what is around it."""
    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_code is not function.__code__:
        trace = trace.tb_next
    traceback.print_exception(type(error), error, trace or error.__traceback__, file=sys.stderr)


def caller_of(function: PythonFunction, signature: tuple[Any, ...]) -> Any:
    """A compiled function of records that calls `function` back; never cached on disk."""
    callback = _CALLBACK(function.quietly)
    _callbacks.append(callback)
    address = np.uint64(ctypes.cast(callback, ctypes.c_void_p).value or 0)

    def ask(view: Any, ctx: Any) -> Any:
        return call_back(address, address_of_record(view), address_of_record(ctx))

    dispatcher = njit(nogil=True)(ask)
    dispatcher.compile(signature)
    return dispatcher


def signature_of(rules: Ruleset, context: np.dtype[Any]) -> tuple[Any, ...]:
    """The types that a strategy function of a game is compiled for."""
    return rules.view_type(), from_dtype(context)
