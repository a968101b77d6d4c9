"""Strategies from a person's own Python file.

The file is read afresh in every process, and so are the modules that it imports from its own
folder: Python's compiled files are trusted only to the second and the size, so an edit made within
a second of the last one would go unnoticed.

Functions of such files run with bounds checks: an index past the end of an array is an error with
a sentence, where without them it would be a wrong result or a crash.
"""

import contextlib
import dataclasses
import hashlib
import importlib.machinery
import linecache
import sys
import types
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from numba import njit
from numba.core.caching import NullCache
from numba.core.dispatcher import Dispatcher

from sim.errors import StrategyError, one_of
from sim.strategy import StrategyInfo, info_of

#: Our own packages are never looked for beside a strategy file.
OWN_PACKAGES = ("sim", "strategies", "reports", "scripts", "seeds")


class _FreshLoader(importlib.machinery.SourceFileLoader):
    """Reads sources and never compiled files."""

    def path_stats(self, path: str) -> Any:
        raise OSError("compiled files are not used")

    def set_data(self, path: str, data: Any, *, _mode: int = 0o666) -> None:
        """Write no compiled file."""


class _Beside:
    """Finds the modules that lie in one folder, and remembers which it found."""

    def __init__(self, folder: Path) -> None:
        self.folder = str(folder)
        self.found: dict[str, types.ModuleType | None] = {}

    def find_spec(self, name: str, path: Sequence[str] | None = None, target: Any = None) -> Any:
        """Where a module is; None for modules of elsewhere."""
        package = name.partition(".")[0]
        if package in OWN_PACKAGES or (path is not None and package not in self.found):
            return None
        for place in [self.folder] if path is None else list(path):
            finder = importlib.machinery.FileFinder(
                place, (_FreshLoader, importlib.machinery.SOURCE_SUFFIXES)
            )
            spec = finder.find_spec(name)
            if spec is None:
                continue
            # a folder without __init__.py gives way to a package of that name elsewhere
            if spec.loader is None and importlib.machinery.PathFinder.find_spec(name, path):
                continue
            self.found[name] = None
            return spec
        return None


@contextmanager
def _imports_from(folder: Path) -> Iterator[_Beside]:
    """Let imports find modules of `folder` first, and forget those modules afterwards."""
    finder = _Beside(folder)
    sys.meta_path.insert(0, finder)
    try:
        yield finder
    finally:
        sys.meta_path.remove(finder)
        for name in finder.found:
            # two files may each have a `helper` beside them
            finder.found[name] = sys.modules.pop(name, None)


@dataclass(frozen=True)
class _Loaded:
    """A module, and the text of each file that it was made of."""

    module: types.ModuleType
    texts: dict[str, str]

    def is_current(self) -> bool:
        """Whether the files are still the same; a notebook lives longer than a version of them."""
        return all(_text_of(path) == text for path, text in self.texts.items())


_loaded: dict[str, _Loaded] = {}


def _text_of(path: str) -> str | None:
    try:
        return Path(path).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError):
        return None


def _load_module(path: str) -> types.ModuleType:
    """The module of a strategy file. Raises StrategyError with one sentence."""
    source = _read(path)
    absolute = str(Path(path).resolve())
    loaded = _loaded.get(absolute)
    if loaded is None or not loaded.is_current():
        loaded = _run_file(source, absolute, Path(path).name)
        _loaded[absolute] = loaded
    return loaded.module


def _run_file(source: str, absolute: str, shown: str) -> _Loaded:
    """Run a strategy file as a module of its own."""
    name = f"playout_file_{hashlib.sha256(absolute.encode()).hexdigest()[:16]}"
    module = types.ModuleType(name)
    module.__file__ = absolute
    try:
        code = compile(source, absolute, "exec")
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line = getattr(error, "lineno", None)
        reason = getattr(error, "msg", None) or str(error) or type(error).__name__
        place = f" line {line}" if line else ""
        raise StrategyError(f"{shown}{place}: the file is not valid Python: {reason}") from None
    sys.modules[name] = module
    linecache.checkcache(absolute)
    try:
        # what a file prints is no result
        with _imports_from(Path(absolute).parent) as beside, contextlib.redirect_stdout(sys.stderr):
            exec(code, module.__dict__)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        place = _raised_at(error, absolute)
        reason = f"{type(error).__name__}: {error}".splitlines()[0]
        if isinstance(error, StrategyError):
            raise StrategyError(f"{place}: {error}") from None
        raise StrategyError(f"{place}: running the file failed: {reason}") from None
    texts = {absolute: source}
    for own in [module, *beside.found.values()]:
        make_safe(own)
        file = getattr(own, "__file__", None)
        text = _text_of(file) if file else None
        if file and text is not None:
            texts[file] = text
    return _Loaded(module, texts)


def _read(path: str) -> str:
    """The text of a strategy file. Raises StrategyError with one sentence."""
    try:
        path.encode()  # manifests and messages name it
        return Path(path).read_text(encoding="utf-8-sig")
    except UnicodeEncodeError:
        raise StrategyError(
            f"the strategy file {path!a} has a name that is not UTF-8 text; rename it"
        ) from None
    except FileNotFoundError:
        raise StrategyError(f"the strategy file {path} does not exist") from None
    except IsADirectoryError:
        raise StrategyError(f"the strategy file {path} is a folder") from None
    except OSError as error:
        raise StrategyError(
            f"the strategy file {path} cannot be read: {error.strerror or error}"
        ) from None
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise StrategyError(
            f"the strategy file {path} cannot be read: line {line} is not UTF-8 text"
        ) from None
    except ValueError as error:  # a zero byte in the name
        raise StrategyError(f"the strategy file {path!r} cannot be read: {error}") from None


def _raised_at(error: BaseException, path: str) -> str:
    """Where in the file, or in a module beside it, running it failed."""
    folder = Path(path).parent
    place = Path(path).name
    trace = error.__traceback__
    while trace is not None:
        file = Path(trace.tb_frame.f_code.co_filename)
        if file.parent == folder:
            place = f"{file.name} line {trace.tb_lineno}"
        trace = trace.tb_next
    return place


def make_safe(module: types.ModuleType | None) -> None:
    """Change the njit functions that a module defines, before they are compiled.

    They get bounds checks, unless they refuse (`@njit(boundscheck=False)`), and lose numba's disk
    cache (`@njit(cache=True)`): it looks at one file alone, so that a constant changed in another
    would go unnoticed, and it would write into the person's folder. What they are part of is
    cached by `sim.jit`.
    """
    for value in list(vars(module).values()) if module is not None else ():
        if isinstance(value, Dispatcher) and value.py_func.__module__ == vars(module)["__name__"]:
            value._cache = NullCache()  # type: ignore[attr-defined]
            if value.targetoptions.get("boundscheck") is None:
                value.targetoptions["boundscheck"] = True


def load_function(path: str, name: str) -> StrategyInfo:
    """The strategy function `name` of the file at `path`, named `path:name`."""
    module = _load_module(path)
    function: Any = module.__dict__.get(name)
    plain = getattr(function, "py_func", function)
    if not isinstance(plain, types.FunctionType):
        file = Path(path).name
        what = f"{file} has no function {name!r}"
        if function is not None:
            what = f"{name!r} in {file} is no function but a {type(function).__name__}"
        raise StrategyError(f"{what}; {_functions_text(module)}")
    info = info_of(function)
    if function is plain:
        function = checked(plain)
    return dataclasses.replace(info, name=f"{path}:{name}", function=function)


@cache
def checked(function: types.FunctionType) -> Any:
    """A plain function as an njit function with bounds checks, always the same one."""
    return njit(boundscheck=True)(function)


def _functions_text(module: types.ModuleType) -> str:
    own = [
        key
        for key, value in module.__dict__.items()
        if isinstance(getattr(value, "py_func", value), types.FunctionType)
        and getattr(value, "py_func", value).__module__ == module.__name__
    ]
    return f"its functions are {one_of(own)}" if own else "it has no functions"


def texts_of(path: str) -> dict[str, str]:
    """The texts of a strategy file and of the modules beside it that it imports, by full path."""
    _load_module(path)
    return dict(_loaded[str(Path(path).resolve())].texts)


def functions_of(path: str) -> str:
    """What a strategy file offers, in words. Raises StrategyError when it cannot be read."""
    return _functions_text(_load_module(path))
