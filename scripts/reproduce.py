"""`playout reproduce`: play a finished run folder again and say whether it comes out the same.

Games kept one by one are compared row by row in every table, counts cell by cell. On the same
versions they must be identical; where the code of the rules or of a strategy has changed since,
that is said, for then they may differ.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import sim.ranges as ranges
from reports.folders import read_run
from sim.engine import StoppedError, play
from sim.errors import FolderError, PlayoutError
from sim.experiment import Experiment
from sim.fault import describe
from sim.manifests import differences
from sim.run import run
from sim.store import Chunk, RunFolder, columns_of, tables_of
from sim.versions import versions

#: Told the games compared so far, and all there are.
Watch = Callable[[int, int], None]


@dataclass(frozen=True)
class Reproduced:
    """What came of it: `first` is the first game that differs, where games were kept."""

    folder: Path
    games: int
    kept: str
    identical: bool
    first: int | None
    changed: tuple[str, ...]
    versions: tuple[str, ...]

    def as_dict(self) -> dict[str, Any]:
        """All of it as plain values."""
        return {
            "folder": str(self.folder), "games": self.games, "keep": self.kept,
            "identical": self.identical, "first_game_that_differs": self.first,
            "changed_since": list(self.changed), "other_versions": list(self.versions),
        }  # fmt: skip

    def sentence(self) -> str:
        """The answer in a sentence or two."""
        what = "row by row" if self.kept == "games" else "count by count"
        if self.identical:
            return f"Identical: {self.games:,} games of {self.folder}, compared {what}."
        where = f", first in game {self.first}" if self.first is not None else ""
        return f"Different: {self.games:,} games of {self.folder}, compared {what}{where}."

    def notices(self) -> list[str]:
        """What the reader must know beside it."""
        found = [f"since then, {text}" for text in self.changed]
        return found + [f"versions: {text}" for text in self.versions]


def reproduce(path: Path, jobs: int | None = None, watch: Watch | None = None) -> Reproduced:
    """Play a folder's games again and compare.

    Raises FolderError for a folder that is unfinished, damaged or not ours, PlayError where a
    strategy fails now.
    """
    stored, folder = read_run(path), RunFolder(path)
    if stored.missing:
        raise FolderError(
            f"{path} lacks {ranges.size(stored.missing):,} games; let the command that made it "
            f"finish first"
        )
    manifest = folder.manifest()
    experiment = _experiment(path, manifest)
    changed = tuple(differences(manifest, experiment.identity()))
    told = dict(manifest.get("versions", {}))
    other = tuple(
        f"{name} was {told[name]}, is {now}"
        for name, now in versions().items()
        if name in told and told[name] != now
    )
    games = stored.tally.games
    if manifest["keep"] == "counts":
        again = run(experiment, games, jobs=jobs).tally
        return Reproduced(path, games, "counts", again == stored.tally, None, changed, other)
    first = _first_difference(experiment, folder, jobs, watch, games)
    return Reproduced(path, games, "games", first is None, first, changed, other)


def _experiment(path: Path, manifest: Mapping[str, Any]) -> Experiment:
    told = manifest["experiment"]
    specs = [str(seat["spec"]) for seat in told["strategies"]]
    models = [str(model["spec"]) for model in told.get("models", [])]
    try:
        return Experiment.make(
            str(told["game"]), specs, options=dict(told["options"]), seed=int(told["seed"]),
            models=models,
        )  # fmt: skip
    except PlayoutError as error:
        raise FolderError(f"{path} cannot be played again: {error}") from None


def _first_difference(
    experiment: Experiment, folder: RunFolder, jobs: int | None, watch: Watch | None, games: int
) -> int | None:
    """The first game of which a row of any table differs."""
    from joblib import Parallel, cpu_count, delayed

    rules, options = experiment.rules, experiment.options
    tables = tables_of(rules)
    chunks: dict[str, dict[tuple[int, int], Chunk]] = {
        table: {(chunk.start, chunk.stop): chunk for chunk in folder.chunks(table)}
        for table in tables
    }

    def compare(start: int, stop: int) -> tuple[int, int | None] | PlayoutError:
        try:
            played = play(rules, options, experiment.seating, experiment.seed, start, stop - start)
        except StoppedError as error:
            return describe(experiment, error)
        found = [
            _first_row(folder.read_chunk(chunks[table][start, stop]), again)
            for table, again in columns_of(played, rules, options).items()
        ]
        return stop - start, min((game for game in found if game is not None), default=None)

    parallel = Parallel(n_jobs=jobs or cpu_count(), backend="threading", return_as="generator")
    done, first = 0, None
    for result in parallel(delayed(compare)(*span) for span in sorted(chunks["games"])):
        if isinstance(result, PlayoutError):
            raise result
        done += result[0]
        first = result[1] if first is None else first
        if watch is not None:
            watch(done, games)
    return first


def _first_row(stored: Mapping[str, Any], again: Mapping[str, Any]) -> int | None:
    """The game of the first row that differs; the first game where columns or lengths do."""
    index = stored.get("index", np.zeros(1, np.int64))
    if set(stored) != set(again) or len(index) != len(again["index"]):
        return int(index[0]) if len(index) else 0
    differs = np.zeros(len(index), bool)
    for name, column in again.items():
        differs |= stored[name] != column
    return int(index[differs.argmax()]) if differs.any() else None
