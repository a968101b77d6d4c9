"""Runs on a dask cluster: workers on other machines get the experiment, and the files it names.

The scheduler has a killed worker's chunks played again elsewhere; game i is the same game on any
worker, so the result is the same to the last count. Rows come back to the client, who alone writes
the run folder. A worker whose versions or rules differ is refused.
"""

import contextlib
import logging
import os
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from sim.errors import PlayoutError, UsageError
from sim.experiment import Experiment, rules_digest
from sim.versions import versions
from sim.workers import ChunkResult, Fault, play_chunk

#: Seconds to wait for a scheduler, and for its first worker.
PATIENCE = 20


@contextlib.contextmanager
def connected(scheduler: str | None, jobs: int) -> Iterator[int]:
    """Let joblib use a cluster; yields the number of its cores. Raises PlayoutError."""
    try:
        from distributed import Client, LocalCluster
        from joblib import parallel_config
    except ModuleNotFoundError:
        raise UsageError(
            "--backend dask needs the packages dask and distributed: pip install playout[cluster]"
        ) from None
    with contextlib.ExitStack() as stack:
        if scheduler is None:
            start: Any = LocalCluster  # it has no types
            cluster = stack.enter_context(
                start(
                    n_workers=jobs,
                    threads_per_worker=1,
                    dashboard_address="127.0.0.1:0",
                    silence_logs=logging.CRITICAL,
                )
            )
            scheduler = cluster.scheduler_address
        try:
            connect: Any = Client
            client = stack.enter_context(connect(scheduler, timeout=PATIENCE, set_as_default=False))
            client.wait_for_workers(1, timeout=PATIENCE)
        except (OSError, TimeoutError, ValueError) as error:
            reason = " ".join(str(error).split())[:120]
            raise PlayoutError(
                f"no workers can be reached by the scheduler {scheduler}: {reason}"
            ) from None
        stack.enter_context(parallel_config(backend="dask", client=client))
        yield sum(client.ncores().values())


@dataclass(frozen=True)
class Parcel:
    """What a worker needs beside the experiment: the files it names, and what must be equal.

    `files` has, for each path in a spec, the texts of the file and of the modules beside it by
    their names relative to its folder.
    """

    game: str
    options: Any
    specs: tuple[str, ...]
    seed: int
    models: tuple[str, ...]
    files: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]
    digests: tuple[str, ...]
    rules: str
    versions: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, experiment: Experiment) -> "Parcel":
        """The parcel of an experiment that has been read here."""
        return cls(
            experiment.game,
            experiment.options,
            experiment.specs,
            experiment.seed,
            experiment.models,
            _files(experiment),
            experiment.seating.digests,
            rules_digest(experiment.rules),
            tuple(versions().items()),
        )


def _files(experiment: Experiment) -> tuple[tuple[str, tuple[tuple[str, str], ...]], ...]:
    from strategies.userfile import texts_of

    named = {part.info.name for seat in experiment.seats for part in seat.parts}
    named |= {spec.partition("(")[0] for spec in experiment.models}
    found = []
    for path in sorted({name.rpartition(":")[0] for name in named if ":" in name}):
        folder = Path(path).resolve().parent
        texts = texts_of(path).items()
        found.append(
            (path, tuple((os.path.relpath(file, folder), text) for file, text in sorted(texts)))
        )
    return tuple(found)


@lru_cache(maxsize=8)
def _arrived(parcel: Parcel) -> Experiment:
    """The experiment on a worker, read and compiled once. Raises PlayoutError if it differs."""
    here, there = versions(), dict(parcel.versions)
    differing = [f"{n} {here.get(n)} (here {v})" for n, v in there.items() if here.get(n) != v]
    if differing:
        raise PlayoutError(
            f"a worker of the cluster has {', '.join(differing)}; use equal versions"
        )
    specs, models = parcel.specs, parcel.models
    for number, (path, texts) in enumerate(parcel.files):
        # kept as long as the process: messages and the cache name the file
        folder = Path(tempfile.mkdtemp(prefix="playout-")) / str(number)
        for name, text in texts:
            file = folder / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        moved = str(folder / Path(path).name)
        specs = tuple(spec.replace(f"{path}:", f"{moved}:") for spec in specs)
        models = tuple(spec.replace(f"{path}:", f"{moved}:") for spec in models)
    experiment = Experiment(parcel.game, parcel.options, specs, parcel.seed, models)
    if rules_digest(experiment.rules) != parcel.rules:
        raise PlayoutError(
            f"a worker of the cluster has other rules of {parcel.game} than this machine; install "
            f"the same version of playout on all"
        )
    if experiment.seating.digests != parcel.digests:
        raise PlayoutError(
            "a worker of the cluster has other code for a strategy than this machine; install the "
            "same version of playout on all"
        )
    return experiment


def play_far(
    parcel: Parcel, rows: bool, experiment: Experiment, start: int, stop: int, folder: Any
) -> ChunkResult | Fault:
    """`play_chunk` on a worker: nothing is written there, rows are sent back when wanted."""
    return play_chunk(_arrived(parcel), start, stop, None, rows)
