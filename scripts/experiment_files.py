"""Experiments as files: what `playout run FILE.toml` plays.

    title = "How often tidy makes a filthy scoundrel"
    game = "shooting-party"
    strategies = ["tidy"]      # one for all seats, or one for each
    seed = 1
    games = 100000
    keep = "counts"            # or "games", the default
    models = ["iid(0.9)"]      # in games of memory: one for all seats, or one for each

    [options]                  # those that differ from the defaults
    exhaustion = "at-once"

or, for a ready-made study,

    study = "shooting-party"
    seed = 1

Nothing in such a file is run but the strategy files that it names.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sim.errors import UsageError, one_of
from sim.experiment import Experiment
from sim.run import KEEPS

MOST_BYTES = 100_000
MOST_GAMES = 10**12
KEYS = ("title", "game", "strategies", "seed", "games", "keep", "options", "models")
STUDY_KEYS = ("title", "study", "seed", "scale")


@dataclass(frozen=True)
class ExperimentFile:
    """A checked experiment file: what to play, how many games, what to keep."""

    title: str
    experiment: Experiment
    games: int
    keep: str


@dataclass(frozen=True)
class StudyFile:
    """A checked file of a ready-made study."""

    title: str
    study: str
    seed: int
    scale: float


def load(path: str | Path) -> ExperimentFile | StudyFile:
    """Read and check a file. Raises UsageError with one sentence."""
    told = _parse(Path(path))
    if "study" in told:
        return _study(told, Path(path))
    _only(told, KEYS, path)
    for name in ("game", "strategies", "games"):
        if name not in told:
            raise UsageError(f"{path}: {name} is missing; a file needs game, strategies and games")
    strategies = told["strategies"]
    if not isinstance(strategies, list) or not all(isinstance(s, str) for s in strategies):
        raise UsageError(f'{path}: strategies is a list of texts, such as ["tidy"]')
    models = told.get("models", [])
    if not isinstance(models, list) or not all(isinstance(m, str) for m in models):
        raise UsageError(f'{path}: models is a list of texts, such as ["iid(0.9)"]')
    options = told.get("options", {})
    if not isinstance(options, dict):
        raise UsageError(f"{path}: options is a table: [options], then a line for each")
    games = _whole(told, "games", 1, MOST_GAMES, path)
    keep = told.get("keep", KEEPS[0])
    if keep not in KEEPS:
        raise UsageError(f"{path}: keep {keep!r} is not allowed: it is {one_of(KEEPS)}")
    try:
        experiment = Experiment.make(
            _text(told, "game", path), strategies, options=options,
            seed=_whole(told, "seed", 0, 2**63 - 1, path, 1), models=models,
        )  # fmt: skip
    except UsageError as error:
        raise UsageError(f"{path}: {error}") from None
    return ExperimentFile(_text(told, "title", path, ""), experiment, games, keep)


def _parse(path: Path) -> dict[str, Any]:
    try:
        size = path.stat().st_size
        if not path.is_file():
            raise UsageError(f"the experiment file {path} is no file")
        if size > MOST_BYTES:
            raise UsageError(f"the experiment file {path} is larger than {MOST_BYTES:,} bytes")
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise UsageError(f"the experiment file {path} does not exist") from None
    except (OSError, ValueError, RecursionError) as error:  # TOML errors are ValueErrors
        reason = " ".join(str(error).split())[:120]
        raise UsageError(f"the experiment file {path} cannot be read: {reason}") from None


def _study(told: Mapping[str, Any], path: Path) -> StudyFile:
    from scripts.reports import studies

    _only(told, STUDY_KEYS, path)
    study = _text(told, "study", path)
    if study not in studies():
        raise UsageError(f"{path}: there is no study of {study!r}; there are {one_of(studies())}")
    scale = told.get("scale", 1.0)
    if isinstance(scale, bool) or not isinstance(scale, (int, float)) or not 0 < scale <= 1000:
        raise UsageError(f"{path}: scale {scale!r} is not allowed: a number above 0, at most 1000")
    seed = _whole(told, "seed", 0, 2**63 - 1, path, 1)
    return StudyFile(_text(told, "title", path, ""), study, seed, float(scale))


def _only(told: Mapping[str, Any], keys: tuple[str, ...], path: str | Path) -> None:
    for name in told:
        if name not in keys:
            raise UsageError(f"{path}: {name!r} is not known here; known are {one_of(keys)}")


def _text(told: Mapping[str, Any], name: str, path: str | Path, default: str | None = None) -> str:
    value = told.get(name, default)
    if not isinstance(value, str):
        raise UsageError(f"{path}: {name} is a text in quotes")
    return value


def _whole(
    told: Mapping[str, Any], name: str, low: int, high: int, path: str | Path,
    default: int | None = None,
) -> int:  # fmt: skip
    value = told.get(name, default)
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise UsageError(
            f"{path}: {name} {value!r} is not allowed: a whole number from {low} to {high:,}"
        )
    return value
