"""Strategies from a person's own Python file.

The file is read afresh in every process, and so are the modules that it imports from its own
folder: Python's compiled files are trusted only to the second and the size, so an edit made within
a second of the last one would go unnoticed.
"""

import hashlib
import importlib.machinery
import sys
import types
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from sim.errors import StrategyError, one_of
from sim.strategy import StrategyInfo, info_of


class _FreshLoader(importlib.machinery.SourceFileLoader):
    """Reads sources and never compiled files."""

    def path_stats(self, path: str) -> Any:
        raise OSError("compiled files are not used")

    def set_data(self, path: str, data: Any, *, _mode: int = 0o666) -> None:
        """Write no compiled file."""


@contextmanager
def _imports_from(folder: Path) -> Iterator[None]:
    """Let imports find modules of `folder` first, and forget those modules afterwards."""
    hook = importlib.machinery.FileFinder.path_hook(
        (_FreshLoader, importlib.machinery.SOURCE_SUFFIXES)
    )
    entry = str(folder)

    def only_this_folder(path: str) -> Any:
        if path == entry or path.startswith(entry + "/"):
            return hook(path)
        raise ImportError

    before = set(sys.modules)
    cached = {path: sys.path_importer_cache.pop(path, None) for path in [entry]}
    sys.path.insert(0, entry)
    sys.path_hooks.insert(0, only_this_folder)
    try:
        yield
    finally:
        sys.path.remove(entry)
        sys.path_hooks.remove(only_this_folder)
        for path, finder in cached.items():
            sys.path_importer_cache.pop(path, None)
            if finder is not None:
                sys.path_importer_cache[path] = finder
        for name in set(sys.modules) - before:
            file = getattr(sys.modules[name], "__file__", None) or ""
            # two files may each have a `helper` beside them
            if Path(file).parent.is_relative_to(folder):
                del sys.modules[name]


@cache
def _load_module(path: str) -> types.ModuleType:
    file = Path(path)
    shown = file.name
    try:
        source = file.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise StrategyError(f"the strategy file {path} does not exist") from None
    except IsADirectoryError:
        raise StrategyError(f"the strategy file {path} is a folder") from None
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise StrategyError(f"the strategy file {path} cannot be read: {reason}") from None
    absolute = str(file.resolve())
    name = f"playout_file_{hashlib.sha256(absolute.encode()).hexdigest()[:16]}"
    module = types.ModuleType(name)
    module.__file__ = absolute
    try:
        code = compile(source, absolute, "exec")
    except (SyntaxError, ValueError) as error:
        line = getattr(error, "lineno", None)
        reason = getattr(error, "msg", None) or str(error)
        place = f" line {line}" if line else ""
        raise StrategyError(f"{shown}{place}: the file is not valid Python: {reason}") from None
    sys.modules[name] = module
    try:
        with _imports_from(file.resolve().parent):
            exec(code, module.__dict__)
    except StrategyError:
        raise
    except (Exception, SystemExit) as error:
        reason = f"{type(error).__name__}: {error}".splitlines()[0]
        raise StrategyError(
            f"{shown}{_raised_at(error, absolute)}: running the file failed: {reason}"
        ) from None
    return module


def _raised_at(error: BaseException, path: str) -> str:
    line = None
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == path:
            line = trace.tb_lineno
        trace = trace.tb_next
    return f" line {line}" if line else ""


def load_function(path: str, name: str) -> StrategyInfo:
    """The strategy function `name` of the file at `path`, named `path:name`."""
    module = _load_module(path)
    function = module.__dict__.get(name)
    plain = getattr(function, "py_func", function)
    if function is None or not isinstance(plain, types.FunctionType):
        own = [
            key
            for key, value in module.__dict__.items()
            if isinstance(getattr(value, "py_func", value), types.FunctionType)
            and getattr(value, "py_func", value).__module__ == module.__name__
        ]
        known = f"its functions are {one_of(own)}" if own else "it has no functions"
        what = (
            "has no function" if function is None else "has something else than a function called"
        )
        raise StrategyError(f"{Path(path).name} {what} {name!r}; {known}")
    info = info_of(function)
    return StrategyInfo(
        f"{path}:{name}",
        function,
        info.game,
        info.kind,
        info.summary,
        info.source,
        info.uses_chance,
        info.params,
        info.memory,
    )
