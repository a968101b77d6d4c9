"""How a run is interrupted: Ctrl-C, a terminal that closes, a job that is ended.

The first interrupt lets the chunks that are being played end and be saved; the next ones end the
run at once. No interrupt falls between two things that belong together on the disk.
"""

import contextlib
import signal
import threading
from collections.abc import Callable, Iterator
from typing import Any

INTERRUPTS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@contextlib.contextmanager
def signals_held() -> Iterator[None]:
    """Hold interrupts back; worker processes that begin meanwhile never get them.

    Ctrl-C goes to every process of a terminal, and the parent alone decides what to do.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, INTERRUPTS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class Interrupts:
    """While a run goes on: the first interrupt asks it to stop, the next raise KeyboardInterrupt.

    None is raised while they are `held`, so that games are counted and saved as a whole.
    """

    def __init__(self) -> None:
        self._stop: Callable[[], None] = lambda: None
        self.stopping = self.busy = self.waiting = False

    def on_first(self, stop: Callable[[], None]) -> None:
        """Have `stop` called by the first interrupt, or now when it has come already."""
        self._stop = stop
        if self.stopping:
            stop()

    def handle(self, number: int, frame: Any) -> None:
        """Called by Python in the main thread."""
        if not self.stopping:
            self.stopping = True
            self._stop()
        elif self.busy:
            self.waiting = True
        else:
            raise KeyboardInterrupt

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        """What is done here is done as a whole; a waiting interrupt is raised after it."""
        self.busy = True
        try:
            yield
        finally:
            self.busy = False
        if self.waiting:
            raise KeyboardInterrupt

    @contextlib.contextmanager
    def handled(self) -> Iterator[None]:
        """Handle interrupts here; only the main thread can."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {number: signal.getsignal(number) for number in INTERRUPTS}
        # what is ignored (`nohup`, a background job of a script) stays so
        before = {n: h for n, h in before.items() if h not in (signal.SIG_IGN, None)}
        for number in before:
            signal.signal(number, self.handle)
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
