"""Compilation with a disk cache that is never stale.

`compile_function` compiles one function for one signature. The machine code is kept in the cache
folder under a name made from the function's fingerprint, so an edited helper simply has another
name. A cache that is missing, read-only or damaged costs time and nothing else.
"""

import contextlib
import hashlib
import os
import pickle
import sys
import tempfile
import threading
import time
import types
from pathlib import Path
from typing import Any

import llvmlite
import numba
from numba import njit
from numba.core import config
from numba.core.caching import _Cache
from numba.core.compiler import CompileResult
from numba.core.dispatcher import Dispatcher
from numba.core.serialize import dumps

from sim.fingerprint import UnknownObjectError, fingerprint

CHECKSUM_BYTES = 32
#: Files that are being written begin so.
TEMPORARY = ".writing-"
#: Cached files are deleted, oldest use first, when the folder holds more than this many.
MOST_CACHED_FILES = 2000
#: A file that is being written is not older than this: seconds.
LONGEST_WRITE = 3600.0

_compiled: dict[tuple[Any, ...], Any] = {}
#: numba compiles one function at a time; the lock also keeps two threads from doing it twice.
_lock = threading.RLock()


def cache_folder() -> Path:
    """Where compiled code is kept: $PLAYOUT_CACHE, else the user's cache folder."""
    chosen = os.environ.get("PLAYOUT_CACHE")
    if chosen:
        return Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME")
    return Path(base) / "playout" if base else Path(os.path.expanduser("~/.cache/playout"))


def environment_key() -> str:
    """All of the environment that changes the machine code numba makes for the same bytecode."""
    return f"{numba.__version__} {llvmlite.__version__} {sys.version} {config.BOUNDSCHECK}"


class _FileCache(_Cache):
    """numba's cache interface over one checked file for each compiled signature."""

    def __init__(self, folder: Path, name: str, key: str) -> None:
        self.folder, self.name, self.key = folder, name, key
        self.hits = 0

    @property
    def cache_path(self) -> str:
        return str(self.folder)

    def enable(self) -> None:
        """Always enabled."""

    def disable(self) -> None:
        """Always enabled."""

    def flush(self) -> None:
        """Nothing is held back."""

    def _path(self, signature: Any, codegen: Any) -> Path:
        text = repr((self.key, signature, codegen.magic_tuple()))
        return self.folder / f"{self.name}-{hashlib.sha256(text.encode()).hexdigest()[:40]}.bin"

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        target_context.refresh()
        path = self._path(sig, target_context.codegen())
        try:
            data = path.read_bytes()
            body = data[CHECKSUM_BYTES:]
            if hashlib.sha256(body).digest() != data[:CHECKSUM_BYTES]:
                return None
            result = CompileResult._rebuild(target_context, *pickle.loads(body))
        except OSError:
            return None
        except Exception:  # written by something else or half compatible: compile again
            return None
        with contextlib.suppress(OSError):
            os.utime(path)  # the date of last use, for pruning
        self.hits += 1
        return result

    def save_overload(self, sig: Any, data: Any) -> None:
        if data.lifted or data.library.has_dynamic_globals:
            return  # holds addresses of this process
        path = self._path(sig, data.codegen)
        body = dumps(data._reduce())
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            _write_atomically(path, hashlib.sha256(body).digest() + body)
            _prune(self.folder)
        except OSError:
            pass  # a cache that cannot be written only costs time


def _write_atomically(path: Path, data: bytes) -> None:
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=TEMPORARY)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _prune(folder: Path) -> None:
    for leftover in folder.glob(f"{TEMPORARY}*"):  # of a process that was killed
        with contextlib.suppress(OSError):
            if time.time() - leftover.stat().st_mtime > LONGEST_WRITE:
                leftover.unlink()
    files = list(folder.glob("*.bin"))
    if len(files) <= MOST_CACHED_FILES:
        return
    dated = []
    for file in files:
        try:
            dated.append((file.stat().st_mtime, file))
        except OSError:
            continue
    for _, file in sorted(dated)[: len(dated) - MOST_CACHED_FILES * 3 // 4]:
        file.unlink(missing_ok=True)


def _renamed(function: types.FunctionType, key: str) -> types.FunctionType:
    """A copy of `function` whose qualified name is its own.

    Machine code found in the cache comes from several earlier processes, and the linker knows
    functions by name alone: two different functions of one name would be taken for each other.
    """
    name = f"{function.__name__}_{key[:24]}"
    copy = types.FunctionType(
        function.__code__, function.__globals__, name, function.__defaults__, function.__closure__
    )
    copy.__qualname__ = name
    copy.__module__ = function.__module__
    return copy


def compile_function(function: Any, signature: tuple[Any, ...]) -> Any:
    """Compile `function` (plain or an njit dispatcher) for one tuple of argument types.

    Returns a dispatcher with exactly that signature, the same object for the same function and
    signature. The GIL is released while it runs; an njit function with `boundscheck` keeps it.
    Raises numba's errors.
    """
    python_function = function.py_func if isinstance(function, Dispatcher) else function
    checked = isinstance(function, Dispatcher) and function.targetoptions.get("boundscheck")
    try:
        key = fingerprint(python_function, environment_key() + " boundscheck" * bool(checked))
    except UnknownObjectError:
        key = ""
    with _lock:
        memo = (key or id(python_function), signature)
        if memo not in _compiled:
            options = {"boundscheck": True} if checked else {}
            compiled = _compile(python_function, signature, key, options)
            _compiled[memo] = (compiled, python_function)
        return _compiled[memo][0]


def _compile(
    function: types.FunctionType, signature: tuple[Any, ...], key: str, options: dict[str, Any]
) -> Any:
    dispatcher = njit(nogil=True, **options)(_renamed(function, key) if key else function)
    if key:
        dispatcher._cache = _FileCache(cache_folder(), function.__name__, key)
    dispatcher.compile(signature)
    dispatcher.disable_compile()
    return dispatcher


def address_of(dispatcher: Any, signature: tuple[Any, ...]) -> int:
    """The address of the machine code of a compiled function, in numba's calling convention."""
    result = dispatcher.overloads[signature]
    return int(result.library.get_pointer_to_function(result.fndesc.llvm_func_name))


def was_cached(dispatcher: Any) -> bool:
    """Whether the code of a compiled function came from the disk cache."""
    return isinstance(dispatcher._cache, _FileCache) and dispatcher._cache.hits > 0
