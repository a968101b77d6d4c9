"""Running an experiment: chunks of games on threads, processes or a cluster, saved as they finish.

The result does not depend on how the games are cut into chunks, on the number of jobs or on the
backend: every game is decided by the seed and its index alone.
"""

import contextlib
import threading
import time
import warnings
from collections.abc import Callable, Generator, Iterator
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import partial
from multiprocessing import resource_tracker
from pathlib import Path
from typing import Any

import sim.ranges as ranges
from sim.engine import StoppedError, compiled_loop
from sim.errors import FolderError, PlayoutError, StorageError, UsageError, one_of
from sim.experiment import Experiment, require_known_contents
from sim.fault import describe
from sim.interrupts import Interrupts, signals_held
from sim.store import RunFolder, tables_of
from sim.tally import Tally, tally_games
from sim.versions import versions
from sim.workers import ChunkResult, Fault, Parent, play_chunk, play_in_process

#: joblib's names for our backends.
BACKENDS = {"threads": "threading", "processes": "loky", "dask": "dask"}
KEEPS = ("games", "counts")
MOST_GAMES = 10**12

FIRST_CHUNK = 64
#: A chunk should take this long: short enough to stop soon, long enough to make overhead vanish.
CHUNK_SECONDS = 0.4
#: On a cluster a chunk costs some hundredths of a second on top.
FAR_CHUNK_SECONDS = 1.5
LARGEST_CHUNK = 1_000_000
#: Damaged files that are named one by one.
MOST_NOTICES = 5
#: With `keep counts` the counts are saved as often as this share of the time allows.
SAVE_SHARE = 0.05


@dataclass(frozen=True)
class Progress:
    """What is known while a run goes on."""

    games: int
    wanted: int
    played: int
    seconds: float
    tally: Tally


@dataclass(frozen=True)
class RunResult:
    """A finished (or interrupted) run: counts over its games, and where they are kept.

    `played` games were played by this call in `seconds`; the others were found in the folder.
    """

    experiment: Experiment
    games: int
    tally: Tally
    played: int
    seconds: float
    folder: Path | None
    complete: bool


class _Chunks:
    """Cuts what is missing into chunks whose size follows the measured speed."""

    def __init__(
        self, missing: list[ranges.Range], jobs: int, fixed: int | None, seconds: float
    ) -> None:
        self.missing = list(reversed(missing))
        self.jobs, self.fixed, self.seconds = jobs, fixed, seconds
        self.size = fixed or FIRST_CHUNK
        self.stopped = threading.Event()

    def __iter__(self) -> Iterator[ranges.Range]:
        while self.missing and not self.stopped.is_set():
            start, stop = self.missing.pop()
            # the last chunks are cut finer, so that all workers end together
            fair = max(-(-(stop - start) // self.jobs), 1)
            end = min(start + min(self.size, self.fixed or fair), stop)
            if end < stop:
                self.missing.append((end, stop))
            yield start, end

    def measured(self, games: int, seconds: float) -> None:
        """Learn from a finished chunk."""
        if self.fixed is None and games > 0:
            ideal = games * self.seconds / max(seconds, 1e-4)
            self.size = int(min(max(ideal, 1), self.size * 8, LARGEST_CHUNK))


def run(
    experiment: Experiment,
    games: int,
    *,
    out: str | Path | None = None,
    jobs: int | None = None,
    backend: str = "threads",
    scheduler: str | None = None,
    keep: str = "games",
    chunk: int | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    on_notice: Callable[[str], None] | None = None,
) -> RunResult:
    """Play `games` games of an experiment and count how they ended.

    With `out`, results are kept in that folder, and games that are there already are not played
    again. `keep` is `games` (a row for each game) or `counts`. `jobs` defaults to all cores;
    `scheduler` is the address of a dask cluster's, for the backend `dask`; without it a cluster of
    `jobs` workers is started here. `chunk` fixes the number of games a chunk. The first Ctrl-C
    finishes the chunks that are being played, saves them and returns a result that is not
    `complete`.

    Raises UsageError for wrong arguments, FolderError, StorageError and PlayError.
    """
    jobs = _check(games, jobs, backend, keep, chunk)
    folder = _folder(out) if out is not None else None
    notice = on_notice or (lambda text: None)
    if folder is not None:
        require_known_contents(experiment)
        folder.open(experiment.identity(), keep)  # what is wrong is said before anything is written
    compiled_loop(experiment.rules, logging=False)  # once, not in every worker
    with contextlib.ExitStack() as stack:
        if folder is not None:
            stack.enter_context(folder.lock())
            # another run may have begun it meanwhile
            if folder.open(experiment.identity(), keep) is None:
                _write_manifest(folder, experiment, keep, 0, games)
        work = _Work(experiment, games, folder, keep, notice)
        interrupts = Interrupts()
        stack.enter_context(interrupts.handled())
        began = time.perf_counter()
        try:
            played = work.play(jobs, backend, scheduler, chunk, on_progress, interrupts)
        except (KeyboardInterrupt, PlayoutError):
            # the disk may be what stopped us
            with contextlib.suppress(StorageError), interrupts.held():
                work.save()
            raise
        seconds = time.perf_counter() - began
        with interrupts.held():
            work.save()
    done = work.tally.games
    path = folder.path if folder is not None else None
    return RunResult(experiment, done, work.tally, played, seconds, path, done == games)


def _check(games: int, jobs: int | None, backend: str, keep: str, chunk: int | None) -> int:
    from joblib import cpu_count

    for name, value, most in (("games", games, MOST_GAMES), ("chunk", chunk or 1, MOST_GAMES)):
        if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
            raise UsageError(f"{name} {value!r} is not a whole number from 1 to {most:,}")
    if backend not in BACKENDS:
        raise UsageError(f"there is no backend {backend!r}; the backends are {one_of(BACKENDS)}")
    if keep not in KEEPS:
        raise UsageError(f"keep {keep!r} is not allowed: it is {one_of(KEEPS)}")
    jobs = cpu_count() if jobs is None else jobs
    if isinstance(jobs, bool) or not isinstance(jobs, int) or not 1 <= jobs <= 1024:
        raise UsageError(f"jobs {jobs!r} is not a whole number from 1 to 1024")
    return jobs


def _folder(out: str | Path) -> RunFolder:
    if not str(out).strip():
        raise UsageError("the folder for the results has no name; give one, such as runs/mine")
    return RunFolder(out)


def _write_manifest(
    folder: RunFolder, experiment: Experiment, keep: str, games: int, wanted: int
) -> None:
    keeping = ("--keep", keep) if keep != KEEPS[0] else ()
    folder.write_manifest(
        {
            "experiment": experiment.identity(),
            "keep": keep,
            "games": games,
            "command": experiment.command("run", "--games", str(wanted), *keeping),
            "versions": versions(),
        }
    )


class _Work:
    """The state of a run: what is done, what it came to."""

    def __init__(
        self,
        experiment: Experiment,
        games: int,
        folder: RunFolder | None,
        keep: str,
        notice: Callable[[str], None],
    ) -> None:
        self.experiment, self.games, self.folder, self.keep = experiment, games, folder, keep
        self.columns = experiment.rules.tally
        self.tally = Tally(self.columns)
        self.done: list[ranges.Range] = []
        self.saved, self.saving = time.monotonic(), 0.0
        if folder is not None:
            folder.drop_leftovers()
        if folder is not None and keep == "games":
            self._count_kept(folder, notice)
        elif folder is not None:
            self._read_counts(folder, notice)

    def _count_kept(self, folder: RunFolder, notice: Callable[[str], None]) -> None:
        damaged = folder.drop_damaged(tables_of(self.experiment.rules))
        for chunk in damaged[:MOST_NOTICES]:
            notice(f"{chunk.path} is damaged; its games are played again")
        if len(damaged) > MOST_NOTICES:
            notice(f"… and so are {len(damaged) - MOST_NOTICES} more files")
        for chunk in folder.chunks():
            self.done.append((chunk.start, chunk.stop))
            if chunk.start < self.games:
                tables = folder.read_tables(chunk, tables_of(self.experiment.rules))
                for table, rows in tables.items():
                    wanted = rows["index"] < self.games
                    tables[table] = {name: column[wanted] for name, column in rows.items()}
                self.tally.add(
                    tally_games(self.experiment.rules, tables["games"], tables.get("rounds"))
                )

    def _read_counts(self, folder: RunFolder, notice: Callable[[str], None]) -> None:
        self.tally, self.done, damaged = folder.read_counts(
            self.columns, self.experiment.rules.round_tally
        )
        for path in damaged:
            notice(f"{path} is damaged; its games are played again")
        if ranges.size(self.done) > self.games or (self.done and self.done[-1][1] > self.games):
            raise FolderError(
                f"{folder.path} counts {ranges.size(self.done):,} games together, from which "
                f"fewer cannot be taken; ask for at least {self.done[-1][1]:,} games"
            )

    def save(self) -> None:
        """Save what is not saved yet, and the number of games in the manifest."""
        if self.folder is not None:
            self.save_counts()
            done = ranges.size(self.done)
            _write_manifest(self.folder, self.experiment, self.keep, done, self.games)

    def save_counts(self) -> None:
        """Save the counts, where counts are kept."""
        if self.folder is not None and self.keep == "counts" and self.done:
            began = time.monotonic()
            self.folder.write_counts(self.tally, self.done)
            self.saved = time.monotonic()
            self.saving = self.saved - began

    def count(self, result: ChunkResult) -> None:
        """Count a finished chunk; save the counts, unless saving would take too much time."""
        self.tally.add(result.tally)
        self.done = ranges.merged([*self.done, (result.start, result.start + result.games)])
        if time.monotonic() - self.saved >= self.saving / SAVE_SHARE:
            self.save_counts()

    def play(
        self,
        jobs: int,
        backend: str,
        scheduler: str | None,
        fixed: int | None,
        on_progress: Callable[[Progress], None] | None,
        interrupts: Interrupts,
    ) -> int:
        """Play what is missing; returns the number of games played."""
        from joblib import Parallel, delayed

        missing = ranges.gaps(self.done, self.games)
        if not missing:
            return 0
        folder = self.folder if self.keep == "games" else None
        began, played = time.perf_counter(), 0
        stopped: StoppedError | None = None
        with contextlib.ExitStack() as stack:
            task: Callable[..., Any] = play_chunk
            where: dict[str, Any] = {"n_jobs": jobs, "backend": BACKENDS[backend]}
            if backend == "processes":
                task = partial(play_in_process, Parent.of(self.experiment))
                _start_helpers()
            if backend == "dask":
                from sim.cluster import Parcel, connected, play_far

                jobs = stack.enter_context(connected(scheduler, jobs))
                where = {"n_jobs": -1}  # the backend is the context's
                task = partial(play_far, Parcel.of(self.experiment), folder is not None)
            parallel = Parallel(
                **where,
                return_as="generator_unordered",
                pre_dispatch="2*n_jobs",
                batch_size=1,
            )
            length = FAR_CHUNK_SECONDS if backend == "dask" else CHUNK_SECONDS
            chunks = _Chunks(missing, jobs, fixed, length)
            interrupts.on_first(chunks.stopped.set)
            calls = (delayed(task)(self.experiment, start, stop, folder) for start, stop in chunks)
            results = stack.enter_context(contextlib.closing(_results(parallel, calls)))
            for result in results:
                if isinstance(result, Fault):
                    chunks.stopped.set()
                    # the lowest game, whichever chunk came first
                    if stopped is None or result.game < stopped.game:
                        stopped = StoppedError(result.game, result.cause)
                    continue
                with interrupts.held():
                    if folder is not None and result.tables is not None:
                        folder.write_tables(result.start, result.games, result.tables)
                    self.count(result)
                chunks.measured(result.games, result.seconds)
                played += result.games
                if on_progress is not None:
                    seconds = time.perf_counter() - began
                    on_progress(Progress(self.tally.games, self.games, played, seconds, self.tally))
        if stopped is not None:
            raise describe(self.experiment, stopped)
        return played


def _start_helpers() -> None:
    """Start the processes that look after those of a run.

    They let held signals through when they begin, so they must be there before the workers.
    """
    with contextlib.suppress(ImportError, AttributeError):
        from joblib.externals.loky.backend import resource_tracker as loky_tracker

        resource_tracker.ensure_running()
        loky_tracker.ensure_running()


def _results(parallel: Any, calls: Iterator[Any]) -> Generator[Any]:
    """The results of calls as they come; when anything stops us, the workers are stopped too."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", module="joblib")  # its advice about cancelled tasks
        with signals_held():
            results = parallel(calls)
        try:
            yield from results
        except BrokenProcessPool:
            raise PlayoutError(
                "a worker process was killed from outside, perhaps for lack of memory; what was "
                "saved before is complete, and the same command goes on from there"
            ) from None
        finally:
            results.close()
