"""A clock that is set back or forward while a run goes on: the games do not care."""

import json
import random
import time

import pytest

import sim.run
from sim.experiment import Experiment
from tests.cli.calls import TIDY, table
from tests.cli.conftest import call  # noqa: F401


@pytest.fixture
def jumping(monkeypatch):
    """The clock jumps, up to years, at a third of all looks; monotonic ones cannot."""
    chance, jumps = random.Random(8), [0.0]

    def jump(clock):
        def now():
            if chance.random() < 1 / 3:
                jumps.append(chance.choice((-1e8, -3600.0, -0.2, 0.2, 3600.0, 1e8)))
            return clock() + jumps[-1]

        return now

    monkeypatch.setattr(time, "time", jump(time.time))
    return jumps


@pytest.mark.parametrize("keep", ["games", "counts"])
def test_clocks_that_jump(call, tmp_path, jumping, keep):  # noqa: F811
    """Chunks follow the measured speed: that is only a matter of pace."""
    args = ("run", *TIDY, "--keep", keep, "--jobs", "2", "--format", "json")
    said = call(*args, "--games", 9000, "--out", tmp_path / "a")
    assert said.status == 0, said
    more = call(*args, "--games", 20_000, "--out", tmp_path / "a")
    whole = call(*args, "--games", 20_000, "--chunk", 1000, "--out", tmp_path / "b")
    found, wanted = json.loads(more.out), json.loads(whole.out)
    assert (found["games"], found["played"]) == (20_000, 11_000)
    assert found["outcomes"] == wanted["outcomes"]
    assert found["seconds"] >= 0
    if keep == "games":
        assert table(tmp_path / "a").equals(table(tmp_path / "b"))


def test_a_report_while_clocks_jump(call, tmp_path, jumping):  # noqa: F811
    """No time is in a page, so it is the same at any time."""
    assert call("run", *TIDY, "--games", 500, "--out", tmp_path / "a").status == 0
    pages = []
    for out in ("x", "y"):
        assert call("report", tmp_path / "a", "--out", tmp_path / out).status == 0
        pages.append((tmp_path / out / "index.html").read_bytes())
    assert pages[0] == pages[1]


@pytest.mark.parametrize("seconds", [-5.0, 0.0, float("inf")])
def test_chunks_of_no_or_endless_time(seconds):
    """The next chunk has a size all the same."""
    chunks = sim.run._Chunks([(0, 10**9)], 2, None, sim.run.CHUNK_SECONDS)
    for _ in range(50):
        chunks.measured(64, seconds)
        assert 1 <= chunks.size <= sim.run.LARGEST_CHUNK


def test_progress_while_clocks_jump(jumping):
    """Its numbers stay numbers."""
    seen = []
    sim.run.run(Experiment.make(TIDY[0], ["tidy"]), 5000, jobs=2, on_progress=seen.append)
    assert seen[-1].games == seen[-1].played == 5000
    assert all(progress.seconds >= 0 for progress in seen)
