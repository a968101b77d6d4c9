"""A run folder: the manifest, and the results in Parquet.

    manifest.json                      the experiment, the number of games, versions
    games/START-STOP-CHECKSUM.parquet  one row a game, chunks of consecutive games
    rounds/…                           one row a round, for games with rounds
    counts-GAMES-CHECKSUM.parquet      with `keep counts`: cells with their counts

Each file is written under a temporary name and renamed when it is complete, so a killed run leaves
whole chunks only. A chunk's name holds a checksum of its bytes: damage is found before it counts.
"""

import contextlib
import fcntl
import hashlib
import io
import json
import os
import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from sim.contract import Ruleset
from sim.engine import Played
from sim.errors import FolderError, StorageError
from sim.manifests import differences, is_whole
from sim.options import RuleOptions
from sim.ranges import Range, merged
from sim.tally import Tally

CHUNK_NAME = re.compile(r"(\d{15})-(\d{15})-([0-9a-f]{16})\.parquet\Z")
COUNTS_NAME = re.compile(r"counts-\d{15}-([0-9a-f]{16})\.parquet\Z")
FORMAT = 1
#: In a counts file of a game with rounds: 1 for the cells of rounds, 0 for those of games.
IN_ROUNDS = "in_rounds"
#: Files that are being written begin so.
TEMPORARY = ".writing-"
Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Chunk:
    """A file with the results of games start … stop - 1."""

    path: Path
    start: int
    stop: int
    checksum: str

    def intact(self) -> bool:
        """Whether the file still holds the bytes that were written."""
        return _checksum(_bytes_of(self.path)) == self.checksum


class RunFolder:
    """One run's folder on disk."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self.manifest_path = self.path / "manifest.json"

    # --- opening ---

    def open(self, identity: Mapping[str, Any], keep: str) -> dict[str, Any] | None:
        """The manifest of a folder that belongs to this experiment, None for a new folder.

        Raises FolderError for a file, a folder of something else or of another experiment.
        """
        with _folder_errors(self.path):
            if self.path.exists() and not self.path.is_dir():
                raise FolderError(f"{self.path} is a file; give a folder for the results")
            names = sorted(p.name for p in self.path.iterdir()) if self.path.exists() else []
        # what a run leaves that was killed before its first manifest
        strange = [n for n in names if n != ".lock" and not n.startswith(TEMPORARY)]
        if not strange:
            self._check_writable()
            return None
        if "manifest.json" not in names:
            raise FolderError(
                f"{self.path} holds other things ({', '.join(strange[:3])}) and no "
                f"manifest.json; give a new or empty folder"
            )
        manifest = self.manifest()
        found = differences(manifest, identity)
        if found:
            raise FolderError(
                f"{self.path} belongs to another experiment: {'; '.join(found)}. Give "
                f"another folder"
            )
        if manifest["keep"] != keep:
            raise FolderError(
                f"{self.path} was begun with --keep {manifest['keep']}; go on with that"
            )
        self._check_writable()
        return manifest

    def _check_writable(self) -> None:
        place = self.path
        while not place.exists():
            place = place.parent
        if not place.is_dir() or not os.access(place, os.W_OK | os.X_OK):
            raise FolderError(f"{self.path} cannot be written: {place} is not a writable folder")

    def manifest(self) -> dict[str, Any]:
        """The manifest as a dictionary. Raises FolderError when it is missing or damaged."""
        try:
            manifest = json.loads(_bytes_of(self.manifest_path))
        except FileNotFoundError:
            raise FolderError(f"{self.path} has no manifest.json: it is no run folder") from None
        except (ValueError, RecursionError):
            manifest = None
        if isinstance(manifest, dict) and manifest.get("format", FORMAT) != FORMAT:
            raise FolderError(
                f"{self.path} was written by another version of playout (its format is "
                f"{manifest['format']}, this one's is {FORMAT}); give another folder"
            )
        if not is_whole(manifest):
            raise FolderError(
                f"{self.manifest_path} is damaged, so nothing says which games the folder holds; "
                f"give another folder"
            )
        return dict(manifest)

    def write_manifest(self, manifest: Mapping[str, Any]) -> None:
        """Write the manifest, atomically."""
        text = json.dumps({"format": FORMAT, **manifest}, indent=2, ensure_ascii=False)
        write_atomically(self.manifest_path, (text + "\n").encode())

    @contextlib.contextmanager
    def lock(self) -> Iterator[None]:
        """Keep a second run out of this folder. Raises FolderError when there is one."""
        with _folder_errors(self.path):
            self.path.mkdir(parents=True, exist_ok=True)
            file = open(self.path / ".lock", "w")  # noqa: SIM115
        try:
            try:
                with _folder_errors(self.path, passing=BlockingIOError):
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise FolderError(f"another run is writing to {self.path}; wait for it") from None
            yield
        finally:
            file.close()

    # --- games kept one by one ---

    def chunks(self, table: str = "games") -> list[Chunk]:
        """The chunks of a table, by index, without those that repeat games of others."""
        found: list[Chunk] = []
        for chunk in self._chunk_files(table):
            if not found or chunk.start >= found[-1].stop:
                found.append(chunk)
        return found

    def _chunk_files(self, table: str) -> list[Chunk]:
        """All files of a table by index; files of other names are not ours."""
        found = []
        folder = self.path / table
        for path in sorted(folder.iterdir()) if folder.is_dir() else ():
            match = CHUNK_NAME.match(path.name)
            if match:
                found.append(Chunk(path, int(match[1]), int(match[2]), match[3]))
        return found

    def write_chunk(self, table: str, start: int, stop: int, columns: Mapping[str, Array]) -> None:
        """Write the rows of games start … stop - 1 of a table."""
        data = parquet_bytes(columns)
        name = f"{start:015d}-{stop:015d}-{_checksum(data)}.parquet"
        write_atomically(self.path / table / name, data)

    def write_tables(
        self, start: int, games: int, tables: Mapping[str, Mapping[str, Array]]
    ) -> None:
        """Write a chunk of every table; that of games, which makes it complete, comes last."""
        for table in sorted(tables, key=lambda name: name == "games"):
            self.write_chunk(table, start, start + games, tables[table])

    def read_chunk(self, chunk: Chunk) -> dict[str, Array]:
        """The columns of a chunk."""
        import pyarrow.parquet

        table = pyarrow.parquet.read_table(chunk.path)
        return {name: table[name].to_numpy() for name in table.column_names}

    def read_tables(self, chunk: Chunk, tables: Iterable[str]) -> dict[str, dict[str, Array]]:
        """The columns of each of these tables for the games of a chunk of the games table."""
        found = {}
        for table in tables:
            same = [chunk] if table == "games" else self._chunk_files(table)
            spans = {(one.start, one.stop): one for one in same}
            found[table] = self.read_chunk(spans[chunk.start, chunk.stop])
        return found

    def drop_damaged(self, tables: Iterable[str]) -> list[Chunk]:
        """Delete chunks that are damaged, overlap others or lack their other table.

        Returns the damaged ones, for a notice; their games are played again.
        """
        tables = list(tables)
        damaged, good = [], {}
        for table in tables:
            intact, at = {}, 0
            for chunk in self._chunk_files(table):
                if not chunk.intact():
                    damaged.append(chunk)
                    chunk.path.unlink(missing_ok=True)
                elif chunk.start < at:
                    chunk.path.unlink(missing_ok=True)
                else:
                    at = chunk.stop
                    intact[(chunk.start, chunk.stop)] = chunk
            good[table] = intact
        complete = set.intersection(*(set(good[table]) for table in tables))
        for table in tables:
            for span, chunk in good[table].items():
                if span not in complete:
                    chunk.path.unlink(missing_ok=True)
        return damaged

    def drop_leftovers(self) -> None:
        """Delete files that a killed run did not finish writing."""
        for leftover in self.path.glob(f"**/{TEMPORARY}*"):
            leftover.unlink(missing_ok=True)

    # --- games kept as counts ---

    def _counts_files(self) -> list[tuple[Path, str]]:
        """The counts files with their checksums, the one with most games first."""
        files = []
        for path in self.path.iterdir() if self.path.is_dir() else ():
            match = COUNTS_NAME.match(path.name)
            if match:
                files.append((path, match[1]))
        return sorted(files, reverse=True)

    def write_counts(self, tally: Tally, done: Iterable[Range]) -> None:
        """Write the counts of all games in `done`; only then the file before goes."""
        columns, counts = tally.table()
        if tally.rounds is not None:
            columns, counts = _stacked(columns, counts, *tally.rounds.table())
        ranges = json.dumps(merged(done))
        data = parquet_bytes({**columns, "count": counts}, {"playout.games": ranges})
        path = self.path / f"counts-{tally.games:015d}-{_checksum(data)}.parquet"
        write_atomically(path, data)
        for older, _ in self._counts_files():
            if older != path:
                older.unlink(missing_ok=True)

    def read_counts(
        self, columns: tuple[str, ...], round_columns: tuple[str, ...] = ()
    ) -> tuple[Tally, list[Range], list[Path]]:
        """The counts, the games they are of, and files that are damaged and were left out."""
        import pyarrow.parquet

        damaged = []
        for path, checksum in self._counts_files():
            data = _bytes_of(path)
            if _checksum(data) != checksum:
                damaged.append(path)
                continue
            table = pyarrow.parquet.read_table(io.BytesIO(data))
            told = {name: table[name].to_numpy() for name in table.column_names}
            tally = _cells_of(told, columns, told.get(IN_ROUNDS, 0) == 0)
            if round_columns:
                tally.rounds = _cells_of(told, round_columns, told[IN_ROUNDS] == 1)
            ranges = json.loads(table.schema.metadata[b"playout.games"])
            return tally, [(a, b) for a, b in ranges], damaged
        return Tally(columns), [], damaged


def _stacked(
    columns: dict[str, Array], counts: Array, round_columns: dict[str, Array], round_counts: Array
) -> tuple[dict[str, Array], Array]:
    """Cells of games and of rounds in one table: what the other kind lacks is 0."""
    games, rounds = np.zeros(len(counts), np.int64), np.zeros(len(round_counts), np.int64)
    stacked = {name: np.concatenate([column, rounds]) for name, column in columns.items()}
    for name, column in round_columns.items():
        stacked[name] = np.concatenate([games, column])
    stacked[IN_ROUNDS] = np.concatenate([games, rounds + 1])
    return stacked, np.concatenate([counts, round_counts])


def _cells_of(table: Mapping[str, Array], columns: tuple[str, ...], which: Any) -> Tally:
    """The tally of some columns in some rows of a counts table."""
    counts = np.where(which, table["count"], -1).tolist()
    values = zip(*(table[name].tolist() for name in columns), strict=True)
    cells = {cell: count for cell, count in zip(values, counts, strict=True) if count >= 0}
    return Tally(columns, cells)


def tables_of(rules: Ruleset) -> tuple[str, ...]:
    """The tables of a game; the one written last makes a chunk complete."""
    return ("rounds", "games") if rules.round_columns else ("games",)


def columns_of(played: Played, rules: Ruleset, options: RuleOptions) -> dict[str, dict[str, Array]]:
    """The columns of each table for the results of a chunk."""
    seats = rules.seats(options)

    def own(columns: Iterable[Any], rows: Array) -> dict[str, Array]:
        return {
            c.name: np.ascontiguousarray(rows[c.name])
            for c in columns
            if c.seat is None or c.seat < seats
        }

    index = np.arange(played.first, played.first + len(played.rows), dtype=np.int64)
    tables = {"games": {"index": index, **own(rules.columns, played.rows)}}
    if rules.round_columns:
        game = np.ascontiguousarray(played.rounds["game"])
        tables["rounds"] = {"index": game, **own(rules.round_columns, played.rounds)}
    return tables


def parquet_bytes(columns: Mapping[str, Array], metadata: Mapping[str, str] | None = None) -> bytes:
    """A Parquet file with these columns as bytes."""
    import pyarrow
    import pyarrow.parquet

    table = pyarrow.table(dict(columns))
    if metadata:
        table = table.replace_schema_metadata(metadata)
    buffer = io.BytesIO()
    pyarrow.parquet.write_table(table, buffer, compression="zstd")
    return buffer.getvalue()


def _checksum(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]


def _bytes_of(path: Path) -> bytes:
    """The contents of a file. Raises FileNotFoundError, and FolderError when it cannot be read."""
    with _folder_errors(path, passing=FileNotFoundError):
        return path.read_bytes()


@contextlib.contextmanager
def _folder_errors(path: Path, passing: type[OSError] | tuple[()] = ()) -> Iterator[None]:
    """What the system refuses, as a FolderError; `passing` is the caller's business."""
    try:
        yield
    except OSError as error:
        if isinstance(error, passing):
            raise
        raise FolderError(f"{path} cannot be used: {error.strerror or error}") from None


@contextlib.contextmanager
def _storage_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise StorageError(
            f"{path} cannot be written: {error.strerror or error}; what was written before is "
            f"complete, and the same command goes on from there"
        ) from None


def write_atomically(path: Path, data: bytes) -> None:
    """Write a file so that it appears complete or not at all. Raises StorageError."""
    with _storage_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=TEMPORARY)
        try:
            with os.fdopen(handle, "wb") as file:
                with contextlib.suppress(OSError):  # some network drives have no locks
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)  # see drop_leftovers
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            os.chmod(temporary, 0o644)
            os.replace(temporary, path)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
            raise


def drop_leftovers(folder: Path) -> None:
    """Delete what a killed process did not finish writing here; what is being written stays."""
    for leftover in folder.glob(f"{TEMPORARY}*"):
        # the lock of a file goes with the process that writes it
        with contextlib.suppress(OSError), open(leftover, "rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            leftover.unlink()
