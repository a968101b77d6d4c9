"""Calls of the command line, in this process (fast) or in one of their own (as people do)."""

import os
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
GAME = "shooting-party"
#: What every command leaves out when a test does not care.
TIDY = (GAME, "--strategy", "tidy")


@dataclass(frozen=True)
class Said:
    """What a call printed, and its exit status."""

    status: int
    out: str
    err: str


def environment(**more):
    """The environment of a call; like these tests with bounds checks, to share compiled code."""
    unusual = ("PLAYOUT_DEBUG", "PYTHONUNBUFFERED")
    env = {name: value for name, value in os.environ.items() if name not in unusual}
    env.setdefault("PYTHONPATH", str(ROOT))
    return {**env, "PYTHONDONTWRITEBYTECODE": "1", **more}


def program(*args):
    """The words that start `playout` in a process of its own."""
    return [sys.executable, "-m", "scripts.cli", *map(str, args)]


def start(*args, **settings):
    """`playout ARGS` in a process and a process group of its own, not waited for."""
    settings = {
        "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "env": environment(),
        "start_new_session": True, "stdin": subprocess.DEVNULL,
        "preexec_fn": usual_signals, **settings,
    }  # fmt: skip
    return subprocess.Popen(program(*args), **settings)


def usual_signals():
    """Start with the usual signals, also when the tests run under `nohup`."""
    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)


def finish(process, timeout=120):
    """Wait for a started call."""
    out, err = process.communicate(timeout=timeout)
    return Said(process.returncode, out or "", err or "")


def spawn(*args, **settings):
    """`playout ARGS` in a process of its own."""
    return finish(start(*args, **settings))


def check_one_sentence(said, status, *parts):
    """A failed call says one sentence on stderr, with these parts, and nothing on stdout."""
    assert said.status == status, said
    lines = said.err.splitlines()
    assert len(lines) == 1, said.err
    assert lines[0].startswith("playout: ")
    assert "Traceback" not in lines[0]
    assert not lines[0].startswith("playout: a fault of playout")
    for part in parts:
        assert part in lines[0]
    assert said.out == ""


def table(folder, name="games"):
    """All rows that a run folder keeps, by index."""
    import pandas as pd

    chunks = [pd.read_parquet(path) for path in sorted(Path(folder, name).glob("*.parquet"))]
    return pd.concat(chunks).sort_values("index", ignore_index=True)


def files(folder):
    """The names of all files in a folder, and their bytes."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in Path(folder).rglob("*")
        if path.is_file()
    }
