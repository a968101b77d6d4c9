"""Playing one chunk of games: in a thread, or in a process of its own."""

import contextlib
import os
import sys
import threading
import time
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from sim.engine import StoppedError, play
from sim.errors import StrategyError
from sim.experiment import Experiment
from sim.store import RunFolder, columns_of
from sim.tally import Tally, tally_games

#: A worker process looks this often whether its parent is alive.
WATCH_SECONDS = 0.2


@dataclass(frozen=True)
class ChunkResult:
    """What some games came to; `tables` are their rows, where they could not be kept over there."""

    start: int
    games: int
    tally: Tally
    seconds: float
    tables: dict[str, dict[str, Any]] | None = None


@dataclass(frozen=True)
class Fault:
    """A game that stopped on an error, None for an illegal action."""

    game: int
    cause: BaseException | None


def play_chunk(
    experiment: Experiment,
    start: int,
    stop: int,
    folder: RunFolder | None,
    send_rows: bool = False,
) -> ChunkResult | Fault:
    """Play games start … stop - 1, keep them in the folder if there is one, and count them.

    `send_rows`: the rows come back with the result, for the caller to keep.
    """
    began = time.perf_counter()
    rules, options = experiment.rules, experiment.options
    try:
        played = play(rules, options, experiment.seating, experiment.seed, start, stop - start)
    except StoppedError as error:
        return Fault(error.game, _sendable(error.cause))
    tables = columns_of(played, rules, options)
    if folder is not None:
        folder.write_tables(start, stop - start, tables)
    tally = tally_games(rules, tables["games"], tables.get("rounds"))
    seconds = time.perf_counter() - began
    return ChunkResult(start, stop - start, tally, seconds, tables if send_rows else None)


def _sendable(cause: BaseException | None) -> BaseException | None:
    """An exception that survives the way to another process."""
    return None if cause is None else RuntimeError(f"{type(cause).__name__}: {cause}")


@dataclass(frozen=True)
class Parent:
    """The process that started a run: who it is, where it works, which code its strategies are."""

    pid: int
    folder: str
    digests: tuple[str, ...]

    @classmethod
    def of(cls, experiment: Experiment) -> "Parent":
        """This process, about to play an experiment."""
        return cls(os.getpid(), os.getcwd(), experiment.seating.digests)

    def watch(self) -> None:
        """End this worker soon after its parent was killed: another run may own the folder."""

        def wait() -> None:
            while os.getppid() == self.pid:
                time.sleep(WATCH_SECONDS)
            os._exit(1)

        threading.Thread(target=wait, daemon=True).start()


@lru_cache(maxsize=8)
def _here(
    game: str,
    options: Any,
    specs: tuple[str, ...],
    seed: int,
    models: tuple[str, ...],
    parent: Parent,
) -> Experiment:
    """The experiment in a worker process, read and compiled once."""
    parent.watch()
    os.chdir(parent.folder)
    experiment = Experiment(game, options, specs, seed, models)
    if experiment.seating.digests != parent.digests:
        raise StrategyError(
            "the code of a strategy, or of the rules, has changed while its run was beginning; "
            "start the run again"
        )
    return experiment


def play_in_process(
    parent: Parent, experiment: Experiment, start: int, stop: int, folder: RunFolder | None
) -> ChunkResult | Fault:
    """`play_chunk` in a worker process; what a strategy prints goes to stderr there, too."""
    if os.getpid() == parent.pid:  # joblib starts no process for one job
        return play_chunk(experiment, start, stop, folder)
    with contextlib.redirect_stdout(sys.stderr):
        local = _here(
            experiment.game,
            experiment.options,
            experiment.specs,
            experiment.seed,
            experiment.models,
            parent,
        )
        return play_chunk(local, start, stop, folder)
