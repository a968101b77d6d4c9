"""`--backend dask`: a scheduler and two workers in processes of their own, on loopback."""

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace

import pytest

from sim.cluster import Parcel, _arrived
from sim.errors import PlayoutError
from sim.experiment import Experiment
from tests.cli.calls import GAME, ROOT, TIDY, check_one_sentence, environment, finish, start

pytest.importorskip("distributed")

QUIET = ("--no-dashboard",)


class Cluster:
    """A scheduler and workers, each a process."""

    def __init__(self, folder):
        self.file = folder / "scheduler.json"
        self.folder = folder
        self.scheduler = self.begin("dask_scheduler", "--host", "127.0.0.1", "--port", "0",
                                    "--scheduler-file", str(self.file), *QUIET)  # fmt: skip
        until(self.file.exists)
        self.address = json.loads(self.file.read_text())["address"]
        self.workers = [self.add_worker(n) for n in range(2)]

    def begin(self, module, *args):
        return subprocess.Popen(
            [sys.executable, "-m", f"distributed.cli.{module}", *args],
            cwd=self.folder, env=environment(PYTHONPATH=str(ROOT)),
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
        )  # fmt: skip

    def add_worker(self, number):
        place = self.folder / f"worker-{number}"
        place.mkdir()
        return self.begin("dask_worker", self.address, "--nthreads", "1", "--no-nanny",
                          "--local-directory", str(place), *QUIET)  # fmt: skip

    def end(self):
        for process in [*self.workers, self.scheduler]:
            process.kill()
            process.wait()


def until(done, seconds=60):
    limit = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < limit, "it did not happen in time"
        time.sleep(0.1)


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    made = Cluster(tmp_path_factory.mktemp("cluster"))
    yield made
    made.end()


def outcomes(said):
    assert said.status == 0, said
    return [(row["outcome"], row["count"]) for row in json.loads(said.out)["outcomes"]]


def far(cluster):
    return ("--backend", "dask", "--scheduler", cluster.address)


@pytest.mark.parametrize("keep", ["games", "counts"])
def test_the_same_to_the_last_count(call, cluster, tmp_path, keep):
    """And row by row: the client writes the folder."""
    args = ("run", *TIDY, "--games", 3000, "--chunk", 400, "--keep", keep, "--format", "json")
    there = call(*args, *far(cluster), "--out", tmp_path / "a")
    assert outcomes(there) == outcomes(call(*args))
    assert call("reproduce", tmp_path / "a").out.startswith("Identical: 3,000 games")


def test_games_with_rounds(call, cluster, tmp_path):
    args = ("run", "president", "--strategy", "lowest", "--games", 60, "--format", "json")
    there = call(*args, *far(cluster), "--out", tmp_path / "a")
    assert outcomes(there) == outcomes(call(*args))
    assert call("reproduce", tmp_path / "a").status == 0


def test_a_strategy_file_is_sent_along(call, cluster, tmp_path, monkeypatch):
    """With the module beside it; the workers have neither."""
    (tmp_path / "helper.py").write_text("WHICH = 0\n")
    (tmp_path / "mine.py").write_text(
        "from helper import WHICH\nfrom sim.rulesets.shooting_party.legal import nth_legal\n"
        "def f(view, ctx):\n    return nth_legal(view, WHICH)\n"
    )
    monkeypatch.chdir(tmp_path)
    args = ("run", GAME, "--strategy", "mine.py:f", "--games", 300, "--format", "json")
    assert outcomes(call(*args, *far(cluster))) == outcomes(call(*args))


def test_an_illegal_action_is_told_as_here(call, cluster, tmp_path):
    (tmp_path / "mine.py").write_text("def f(view, ctx):\n    return 77\n")
    args = ("run", GAME, "--strategy", f"{tmp_path}/mine.py:f", "--games", 300)
    there, here = call(*args, *far(cluster)), call(*args)
    check_one_sentence(there, 1, "game 0", "playout show")
    assert there.err == here.err


def test_a_killed_worker(cluster, call):
    """Its chunks are played by the other one, and nothing is lost or counted twice."""
    args = ("run", *TIDY, "--games", 300_000, "--chunk", 5000, "--format", "json")
    victim = cluster.add_worker(9)
    process = start(*args, *far(cluster))
    time.sleep(4)
    os.kill(victim.pid, signal.SIGKILL)
    victim.wait()
    assert outcomes(finish(process)) == outcomes(call(*args))


def test_a_cluster_of_its_own(call):
    """Without a scheduler's address one is started, and ended."""
    args = ("run", *TIDY, "--games", 500, "--format", "json")
    assert outcomes(call(*args, "--backend", "dask", "--jobs", 2)) == outcomes(call(*args))


def parcel():
    return Parcel.of(Experiment.make(GAME, ["tidy"]))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"versions": (("numba", "0.1"),)}, r"has numba .* \(here 0.1\); use equal versions"),
        ({"rules": "0" * 64}, "other rules of shooting-party"),
        ({"digests": ("0" * 64,)}, "other code for a strategy"),
    ],
)
def test_a_worker_that_differs_is_refused(change, words):
    with pytest.raises(PlayoutError, match=words):
        _arrived(replace(parcel(), **change))


def test_what_is_refused(refused, monkeypatch):
    import sim.cluster

    monkeypatch.setattr(sim.cluster, "PATIENCE", 1)
    refused(("run", *TIDY, "--scheduler", "tcp://127.0.0.1:1"), "--scheduler is for --backend dask")
    refused(("run", *TIDY, "--backend", "spark"), "the backends are threads, processes, dask")


def test_no_scheduler_there(call, monkeypatch):
    import sim.cluster

    monkeypatch.setattr(sim.cluster, "PATIENCE", 1)
    said = call("run", *TIDY, "--backend", "dask", "--scheduler", "tcp://127.0.0.1:1")
    check_one_sentence(said, 1, "no workers can be reached by the scheduler tcp://127.0.0.1:1")
