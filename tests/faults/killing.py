"""Commands that are killed (kill -9): after a while, or at a chosen step of what they write."""

import itertools
import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

#: Victims are forked from a server that has loaded everything: a start takes no time.
SERVER = multiprocessing.get_context("forkserver")
SERVER.set_forkserver_preload(["tests.faults.warm"])
#: Audit events of Python around files, of which the path comes first.
STEPS = ("open", "os.mkdir", "os.chmod", "os.rename", "os.remove", "os.scandir", "tempfile.mkstemp")
PATIENCE = 120


@dataclass(frozen=True)
class Moment:
    """When a victim is killed: after some seconds, or before its n-th step in a folder.

    The seconds begin when `once` is true, or at the start.
    """

    seconds: float | None = None
    step: int | None = None
    once: Callable[[], bool] = lambda: True


def live(args: list[str], folder: str, step: int | None) -> None:
    """The victim: a command in a process group of its own, which may kill itself at a step."""
    import scripts.cli

    os.setsid()
    for number in (1, 2):
        os.dup2(os.open(os.devnull, os.O_WRONLY), number)
    if step is not None:
        steps = itertools.count(1)

        def watch(event: str, values: tuple) -> None:
            if event in STEPS and str(values[0]).startswith(folder) and next(steps) == step:
                os.kill(os.getpid(), signal.SIGKILL)

        sys.addaudithook(watch)
    sys.exit(scripts.cli.call(args))


def kill(moment: Moment, folder: Path, *args, group: bool = True) -> bool:
    """Start a command and kill it at a moment; whether it was killed before it had ended.

    `group`: its worker processes are killed with it. A command that ends by itself must succeed.
    """
    victim = SERVER.Process(target=live, args=([str(a) for a in args], str(folder), moment.step))
    victim.start()
    if moment.seconds is not None:
        end = time.monotonic() + PATIENCE
        while victim.is_alive() and not moment.once():
            assert time.monotonic() < end
            time.sleep(0.01)
        victim.join(moment.seconds)
        if victim.is_alive():
            (os.killpg if group else os.kill)(victim.pid, signal.SIGKILL)
    victim.join(PATIENCE)
    status = victim.exitcode
    victim.close()
    assert status in (0, -signal.SIGKILL), (args, status)
    return status != 0


def wait_for_workers(folder: Path, seconds: float = 20) -> None:
    """Wait until no process writes to a folder whose run was killed alone."""
    end = time.monotonic() + seconds
    before = None
    while time.monotonic() < end:
        now = sorted(str(path) for path in folder.rglob("*"))
        if now == before:
            return
        before = now
        time.sleep(0.5)
    raise AssertionError(f"somebody still writes to {folder}")
