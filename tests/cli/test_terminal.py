"""In a terminal: progress while a run goes on, and a Ctrl-C that is typed."""

import fcntl
import json
import os
import re
import select
import struct
import termios
import time

import pytest

from scripts.output import clean
from scripts.progress import duration
from tests.cli.calls import TIDY, environment, start, usual_signals


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "0 s"), (0.4, "0 s"), (45.2, "45 s"), (59.6, "1 min 0 s"), (200, "3 min 20 s"),
     (3600, "1 h 0 min"), (7500, "2 h 5 min")],
)  # fmt: skip
def test_durations(seconds, text):
    """As one would say them."""
    assert duration(seconds) == text


def test_control_characters_are_shown_as_such():
    """A file name can hold anything."""
    assert clean("a\x1b[31mb\x00c\x9b\x7f") == "a�[31mb�c��"
    assert clean("♥ – é\ttab\nline") == "♥ – é\ttab\nline"


@pytest.fixture
def terminal():
    """(our end, the program's end) of a terminal of 200 columns."""
    ours, theirs = os.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 200, 0, 0))
    yield ours, theirs
    os.close(ours)


def read_until(terminal, found, seconds=120):
    """What a terminal shows until `found` says that it is enough, or until nobody writes."""
    text, end = "", time.monotonic() + seconds
    while not found(text) and time.monotonic() < end:
        if select.select([terminal], [], [], 0.1)[0]:
            try:
                text += os.read(terminal, 65536).decode()
            except OSError:  # the other side is closed
                break
    return text


def test_progress_and_a_typed_interrupt(terminal):
    """Games, rate, time left and the estimate with its interval; Ctrl-C ends it, state and all."""
    ours, theirs = terminal

    def own_this_terminal():
        usual_signals()  # a worker of pytest-xdist may ignore Ctrl-C, and hands that on
        fcntl.ioctl(theirs, termios.TIOCSCTTY, 0)

    process = start("run", *TIDY, "--games", "1e9", "--jobs", 2, "--format", "json", stdin=theirs,
                    stderr=theirs, env=environment(COLUMNS="200", TERM="xterm"),
                    preexec_fn=own_this_terminal)  # fmt: skip
    os.close(theirs)
    line = r"([\d,]+) of 1,000,000,000 games \(\d+ %\), [\d,]+ games/s, [\d a-z]+ left; "
    shown = read_until(ours, lambda text: len(re.findall(line, text)) >= 2)
    assert re.search(line + r"filthy scoundrel: .*\(95% interval for this many games\)", shown)
    os.write(ours, b"\x03")
    rest = read_until(ours, lambda text: False)
    result = json.loads(process.stdout.read())
    process.stdout.close()
    assert process.wait() == 130
    assert result["complete"] is False
    assert rest.rstrip().endswith(
        f"playout: interrupted after {result['games']:,} of 1,000,000,000 games"
    )
    assert (shown + rest).count("\x1b[?25h") == 1  # the cursor is back
    assert "Traceback" not in rest
