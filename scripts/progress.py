"""A progress line on stderr while games are played, with the running estimate and its interval."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sim.experiment import Experiment
    from sim.run import Progress

REFRESH_SECONDS = 0.25


@contextmanager
def progress_on_stderr(
    experiment: "Experiment",
) -> Iterator["Callable[[Progress], None] | None"]:
    """A callback that shows progress; None when stderr is not a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.live import Live
    from rich.text import Text

    from reports.outcomes import outcome_table

    headline = experiment.measures[:1]
    shown = time.monotonic()  # the first games say little about the speed
    with Live(console=Console(stderr=True), auto_refresh=False, transient=True) as live:

        def on_progress(progress: "Progress") -> None:
            nonlocal shown
            now = time.monotonic()
            if now - shown < REFRESH_SECONDS:
                return
            shown = now
            rate = progress.played / max(progress.seconds, 1e-9)
            left = (progress.wanted - progress.games) / max(rate, 1e-9)
            outcome = outcome_table(progress.tally, headline).headline
            live.update(
                Text(
                    f"{progress.games:,} of {progress.wanted:,} games "
                    f"({100 * progress.games / progress.wanted:.0f} %), {rate:,.0f} games/s, "
                    f"{duration(left)} left; {outcome.name}: {outcome.text()}"
                    f" ({outcome.interval.level:.0%} interval for this many games)"
                ),
                refresh=True,
            )

        yield on_progress


def duration(seconds: float) -> str:
    """Seconds as `45 s`, `3 min 20 s` or `2 h 5 min`."""
    whole = int(seconds + 0.5)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"
