"""Ctrl-C, kill and kill -9: what was finished is kept, and the run goes on to the same result."""

import contextlib
import json
import os
import random
import signal
import subprocess
import time

import pytest

from tests.cli.calls import TIDY, files, finish, spawn, start, table

ENDLESS = ("run", *TIDY, "--games", "1e9", "--jobs", "2")
JSON = ("--format", "json")
ONCE, TWICE = (signal.SIGINT,), (signal.SIGINT, signal.SIGINT)


@pytest.fixture
def begin():
    """Start endless runs; what is left of them ends with the test."""
    started = []

    def make_start(*args, **settings):
        started.append(start(*args, **settings))
        return started[-1]

    yield make_start
    for process in started:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        for stream in (process.stdout, process.stderr):
            if stream is not None:
                stream.close()
        process.wait()


def chunks(folder):
    """How many chunks a run folder holds."""
    return len(list(folder.glob("games/0*")))


def wait_for(condition, process, seconds=120):
    """Wait until something is true while a process runs."""
    end = time.monotonic() + seconds
    while not condition():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < end
        time.sleep(0.01)


def interrupt(process, signals, gap=0.1):
    """Send signals to the whole process group, as a terminal does with Ctrl-C."""
    for number in signals:
        os.killpg(process.pid, number)
        time.sleep(gap)
    return finish(process)


def wait_until_empty(group, seconds=20):
    """Wait until no process of a group is left.

    The helpers of multiprocessing see that the run is gone by its end of a pipe, a moment later.
    """
    end = time.monotonic() + seconds
    while not group_is_empty(group):
        assert time.monotonic() < end
        time.sleep(0.05)


def group_is_empty(group):
    """Whether no process of a group is left."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return True
    # killed processes stay until someone asks for them
    found = subprocess.run(["ps", "-o", "stat=", "-g", str(group)], capture_output=True, text=True)
    return not [state for state in found.stdout.split() if not state.startswith("Z")]


def play_on(call, folder, games, *more):
    """Finish an interrupted run with so many games, and the same games in a new folder."""
    results = []
    for out in (folder, f"{folder}-whole"):
        said = call("run", *TIDY, *JSON, "--games", games, "--out", out, *more)
        assert said.status == 0
        results.append(json.loads(said.out))
    resumed, whole = results
    assert resumed["outcomes"] == whole["outcomes"]
    assert resumed["games"] == whole["games"] == whole["played"] == games
    return resumed, whole


@pytest.mark.parametrize(
    ("backend", "signals", "words"),
    [
        ("threads", ONCE, "interrupted after "),
        ("threads", TWICE, "interrupted a"),
        ("threads", (signal.SIGTERM,), "interrupted after "),
        ("threads", (signal.SIGHUP,), "interrupted after "),
        ("processes", ONCE, "interrupted after "),
        ("processes", (signal.SIGTERM, signal.SIGINT), "interrupted a"),
    ],
    ids=["once", "twice", "term", "hangup", "processes-once", "processes-twice"],
)
def test_an_interrupted_run_is_saved(begin, call, tmp_path, backend, signals, words):
    """Status 130, one sentence, no process left; then it goes on to the result of one run."""
    folder = tmp_path / "a"
    process = begin(*ENDLESS, *JSON, "--out", folder, "--chunk", 200, "--backend", backend)
    wait_for(lambda: chunks(folder) >= 3, process)
    said = interrupt(process, signals)
    assert said.status == 130
    assert said.err.startswith(f"playout: {words}")
    assert said.err.endswith(f" are kept in {folder}, and the same command goes on\n")
    assert said.err.count("\n") == 1
    if said.out:
        assert json.loads(said.out)["complete"] is False
    wait_until_empty(process.pid)
    kept = table(folder)
    assert json.loads((folder / "manifest.json").read_text())["games"] <= len(kept)
    assert len(kept) % 200 == 0
    resumed, _ = play_on(call, folder, len(kept) + 500)
    assert resumed["played"] == 500
    assert table(folder).equals(table(f"{folder}-whole"))


@pytest.mark.parametrize("signals", [ONCE, TWICE], ids=["once", "twice"])
def test_interrupted_counts_are_saved(begin, call, tmp_path, signals):
    """No finished chunk is lost, although counts are saved from time to time only."""
    folder = tmp_path / "a"
    process = begin(*ENDLESS, *JSON, "--keep", "counts", "--chunk", 300, "--out", folder)
    wait_for(lambda: list(folder.glob("counts-*")), process)
    time.sleep(0.3)
    said = interrupt(process, signals, gap=0.002)
    assert said.status == 130
    assert said.err.count("\n") == 1
    games = json.loads((folder / "manifest.json").read_text())["games"]
    (counts,) = folder.glob("counts-*")
    assert games > 0
    assert counts.name.startswith(f"counts-{games:015d}-")
    if said.out:
        assert json.loads(said.out)["games"] == games
    resumed, _ = play_on(call, folder, games + 1000, "--keep", "counts")
    assert resumed["played"] == 1000


def test_interrupted_before_the_first_game(begin, tmp_path):
    """While strategies are read: one sentence, and nothing is written."""
    fifo = tmp_path / "slow.py"
    os.mkfifo(fifo)  # reading it waits for a writer that never comes
    args = ("run", TIDY[0], "--strategy", f"{fifo}:f", "--out", tmp_path / "a")
    process = begin(*args)
    time.sleep(0.2)
    writer = os.open(fifo, os.O_RDWR)
    wait_for(lambda: is_reading(process, fifo), process)
    said = interrupt(process, ONCE)
    os.close(writer)
    assert (said.status, said.out, said.err) == (130, "", "playout: interrupted\n")
    assert not (tmp_path / "a").exists()


def is_reading(process, path):
    """Whether a process has a file open."""
    folder = f"/proc/{process.pid}/fd"
    try:
        return str(path) in [os.readlink(f"{folder}/{fd}") for fd in os.listdir(folder)]
    except OSError:
        return False


def test_interrupted_without_a_folder(begin):
    """The games so far are printed; nothing is said of a folder."""
    process = begin(*ENDLESS, *JSON, "--chunk", 200)
    time.sleep(0.5)
    wait_for(lambda: handles(process, signal.SIGINT, of_run=True), process)
    said = interrupt(process, ONCE)
    assert said.status == 130
    assert said.err.startswith("playout: interrupted a")
    assert "folder" not in said.err
    assert "kept" not in said.err


def handles(process, number, of_run=False):
    """Whether a process catches a signal; `run` also catches SIGTERM while it plays."""
    with open(f"/proc/{process.pid}/status") as file:
        caught = next(int(line.split()[1], 16) for line in file if line.startswith("SigCgt"))
    wanted = [number, signal.SIGTERM] if of_run else [number]
    return all(caught >> (n - 1) & 1 for n in wanted)


def test_what_is_ignored_stays_ignored(begin, tmp_path):
    """`nohup playout run … &`: a hang-up and Ctrl-C of others are none of its business."""
    folder = tmp_path / "a"
    process = begin(*ENDLESS, "--out", folder, "--chunk", 200, preexec_fn=ignore_signals)
    wait_for(lambda: chunks(folder) >= 2, process)
    os.killpg(process.pid, signal.SIGHUP)
    os.killpg(process.pid, signal.SIGINT)
    before = chunks(folder)
    wait_for(lambda: chunks(folder) > before + 3, process)
    assert interrupt(process, (signal.SIGTERM,)).status == 130


def ignore_signals():
    """As `nohup` and the background of a script do."""
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def test_killed_again_and_again(begin, call, tmp_path):
    """Ten times kill -9 at random moments: whole chunks only, and the same result in the end."""
    folder, chance = tmp_path / "a", random.Random(20)
    for n in range(10):
        before = chunks(folder)
        backend = "processes" if n == 4 else "threads"
        process = begin(*ENDLESS, "--chunk", 40 + 3 * n, "--out", folder, "--backend", backend)
        wait_for(lambda: chunks(folder) > before, process)  # noqa: B023
        time.sleep(chance.uniform(0, 0.15))
        os.killpg(process.pid, signal.SIGKILL)
        assert finish(process).status == -signal.SIGKILL
        for name in files(folder):
            assert name == ".lock" or name == "manifest.json" or "/0" in name or "writing" in name
    kept = table(folder)["index"]
    assert kept.is_unique
    last = int(kept.max()) + 1000
    resumed, _ = play_on(call, folder, last)
    assert resumed["played"] == last - len(kept)
    assert table(folder).equals(table(f"{folder}-whole"))
    assert not [name for name in files(folder) if "writing" in name]


def test_workers_follow_a_killed_parent(begin, tmp_path):
    """kill -9 of the run alone: its worker processes end too, and write nothing any more."""
    folder = tmp_path / "a"
    process = begin(*ENDLESS, "--out", folder, "--chunk", 200, "--backend", "processes",
                    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # fmt: skip
    wait_for(lambda: chunks(folder) >= 3, process)
    process.kill()
    process.wait()
    wait_until_empty(process.pid)


def test_a_worker_that_is_killed(begin, call, tmp_path):
    """As the system does when memory is short: status 1, one sentence, and it goes on."""
    folder = tmp_path / "a"
    process = begin(*ENDLESS, "--out", folder, "--chunk", 200, "--backend", "processes")
    wait_for(lambda: chunks(folder) >= 3, process)
    found = subprocess.run(["ps", "-ww", "-o", "pid=,args=", "--ppid", str(process.pid)],
                           capture_output=True, text=True)  # fmt: skip
    workers = [line.split()[0] for line in found.stdout.splitlines() if "LokyProcess" in line]
    os.kill(int(workers[0]), signal.SIGKILL)
    said = finish(process)
    assert said.status == 1
    assert said.err.startswith("playout: a worker process was killed from outside, perhaps for")
    assert said.err.count("\n") == 1
    play_on(call, folder, len(table(folder)) + 100)


def test_a_reader_that_goes_away(begin):
    """`| head -1`: no complaint, status 0."""
    for args in (("trace", *TIDY, "--games", 3000), ("games",), ("run", "--help")):
        process = begin(*args, stdout=subprocess.PIPE)
        if args[0] == "trace":
            assert process.stdout.readline().startswith("{")
        process.stdout.close()
        said = process.stderr.read()
        assert (process.wait(), said) == (0, "")


def test_two_runs_at_once(begin, tmp_path):
    """A second run in the same folder is refused while the first goes on."""
    folder = tmp_path / "a"
    process = begin(*ENDLESS, "--out", folder, "--chunk", 200)
    wait_for(lambda: chunks(folder) >= 1, process)
    said = spawn("run", *TIDY, "--games", 100, "--out", folder)
    assert (said.status, said.out) == (2, "")
    assert f"another run is writing to {folder}; wait for it" in said.err
    assert interrupt(process, ONCE).status == 130
