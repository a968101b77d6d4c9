"""Strategy files that do play: helpers, odd paths, parameters; and what fails in the middle."""

import json
import re
import shlex
import subprocess
import sys

import numba
import numpy as np
import pytest

import sim.games
import strategies.registry
from sim.strategy import compile_strategy
from strategies.userfile import load_function
from tests.cli.calls import GAME, check_one_sentence, environment, program, spawn

HEAD = """\
import numpy as np
from numba import njit
from sim.rng import bounded
from sim.rulesets.shooting_party.cards import seduce
from sim.rulesets.shooting_party.legal import count_legal, nth_legal
"""


def write(file, text):
    """A strategy file at a path, whose folder is made."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(HEAD + text)
    return file


def counts(said):
    """The counts of a run's JSON."""
    assert said.status == 0, said
    return [outcome["count"] for outcome in json.loads(said.out)["outcomes"]]


@pytest.fixture
def play(call):
    """The counts of 300 games of a strategy."""

    def make_call(spec, *more):
        return counts(call("run", GAME, "--strategy", spec, "--games", 300, "--format", "json",
                           "--jobs", 1, *more))  # fmt: skip

    return make_call


FIRST = "def f(view, ctx):\n    return nth_legal(view, 0)\n"
LAST = "def f(view, ctx):\n    return nth_legal(view, count_legal(view) - 1)\n"


# --- files that play ---


def test_a_helper_beside_the_file(play, tmp_path, monkeypatch):
    """A module and a package beside the file, and modules of elsewhere."""
    write(tmp_path / "helper.py", "@njit\ndef pick(view):\n    return nth_legal(view, 0)\n")
    write(tmp_path / "tools" / "deep.py", "ZERO = 0\n")
    monkeypatch.delitem(sys.modules, "wave", raising=False)
    (tmp_path / "wave").mkdir()  # a folder without Python in it does not hide Python's own
    mine = write(
        tmp_path / "mine.py",
        "import helper\nfrom tools.deep import ZERO\nfrom wave import Error\n"
        "def f(view, ctx):\n    return helper.pick(view) + ZERO\n",
    )
    assert play(f"{mine}:f") == play(f"{write(tmp_path / 'plain.py', FIRST)}:f")


def test_helpers_of_the_same_name(play, tmp_path):
    """Two files in different folders, each with a `helper` of its own."""
    specs = []
    for folder, n in (("one", "0"), ("two", "count_legal(view) - 1")):
        helper = f"@njit\ndef pick(view):\n    return nth_legal(view, {n})\n"
        write(tmp_path / folder / "helper.py", helper)
        text = "import helper\ndef f(view, ctx):\n    return helper.pick(view)\n"
        specs.append(f"{write(tmp_path / folder / 'mine.py', text)}:f")
    plain = [f"{write(tmp_path / n, text)}:f" for n, text in (("a.py", FIRST), ("b.py", LAST))]
    assert [play(spec) for spec in specs] == [play(spec) for spec in plain]
    assert play(specs[0]) != play(specs[1])


def test_an_edited_file_plays_as_edited(play, tmp_path):
    """The file and its helper are read again, also within a second and in one process."""
    mine = write(tmp_path / "mine.py", "from helper import f\n")
    write(tmp_path / "helper.py", FIRST)
    before = play(f"{mine}:f")
    write(tmp_path / "helper.py", LAST)
    assert play(f"{mine}:f") != before
    write(tmp_path / "helper.py", FIRST)
    assert play(f"{mine}:f") == before


def test_numbas_own_cache_is_not_used(play, tmp_path):
    """It looks at one file alone, and would play on with constants that have changed."""
    mine = write(
        tmp_path / "mine.py",
        "from constants import WHICH\n"
        "@njit(cache=True)\ndef pick(view):\n"
        "    return nth_legal(view, WHICH * (count_legal(view) - 1))\n"
        "def f(view, ctx):\n    return pick(view)\n",
    )
    write(tmp_path / "constants.py", "WHICH = 0\n")
    before = play(f"{mine}:f")
    write(tmp_path / "constants.py", "WHICH = 1\n")
    assert play(f"{mine}:f") != before
    assert not [path for path in tmp_path.rglob("*") if path.suffix in (".nbi", ".nbc")]


PARAMETERS = """\
from strategies import Param, strategy

@njit
def one_of_the_last(view, ctx, n):
    return nth_legal(view, count_legal(view) - 1 - bounded(ctx, 1 + min(n, count_legal(view) - 1)))

@strategy("shooting-party", n=Param(0, 0, 9, "how many"), p=Param(0.5, 0.0, 1.0, "how often"))
def f(view, ctx):
    return one_of_the_last(view, ctx, 0 if ctx.p < 0.25 else ctx.n)

@njit
@strategy("shooting-party", n=Param(0, 0, 9))
def inside(view, ctx):
    return one_of_the_last(view, ctx, ctx.n)

@strategy("shooting-party", n=Param(0, 0, 9))
@njit
def outside(view, ctx):
    return one_of_the_last(view, ctx, ctx.n)
"""


@pytest.mark.parametrize("name", ["with space.py", "a (1), b=c.py", "x,play=y.py", "é.py"])
def test_a_path_with_odd_letters(call, play, tmp_path, name):
    """Spaces, parentheses, commas and equals signs, with parameters and without."""
    mine = write(tmp_path / "folder (2)" / name, PARAMETERS)
    assert play(f"{mine}:f(n=1)") == play(f"{mine}:inside(n=1)") == play(f"{mine}:outside(n=1)")
    assert play(f"{mine}:f(n=1,p=0.1)") == play(f"{mine}:f") != play(f"{mine}:f(n=1)")
    said = call("run", GAME, "--strategy", f"{mine}:f(n=2)", "--games", 5, "--format", "json")
    assert json.loads(said.out)["strategies"] == [f"{mine}:f(n=2)"]


@pytest.mark.parametrize(
    ("spec", "pairs"),
    [
        ("tidy", []),
        ("play=tidy", [("play", "tidy")]),
        (" draft = low , play = b(k=2)", [("draft", "low"), ("play", "b(k=2)")]),
        ("draft=f(a=1,play=3),play=g", [("draft", "f(a=1,play=3)"), ("play", "g")]),
        ("play=my, own (1)=x.py:f(a=1,b=2)", [("play", "my, own (1)=x.py:f(a=1,b=2)")]),
        ("draft=a,b.py:f,play=c", [("draft", "a,b.py:f"), ("play", "c")]),
        ("my draft=1.py:f", []),
    ],
)
def test_one_strategy_for_each_decision(spec, pairs):
    """Where a combination is parted: paths and parameters hold commas and equals signs, too."""
    assert strategies.registry._split(spec, ("draft", "play")) == pairs


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("n=10", "n=10 is not allowed: it is a whole number from 0 to 9"),
        ("n=1.0", "n=1.0 is not allowed: it is a whole number from 0 to 9"),
        ("n=", "n='' is not allowed"),
        ("p=1.5", "p=1.5 is not allowed: it is a number from 0.0 to 1.0"),
        ("p=nan", "p=nan is not allowed"),
        ("m=1", "has no parameter 'm'; its parameters are n, p"),
        ("n=1,n=2", "parameter 'n' is given twice"),
        ("n=1,", "a parameter is missing between commas"),
        ("n", "'n' is not parameter=value"),
    ],
)
def test_a_wrong_parameter_of_a_file(refused, tmp_path, arguments, words):
    """Out of range, unknown, twice, not a number."""
    mine = write(tmp_path / "mine.py", PARAMETERS)
    refused(("run", GAME, "--strategy", f"{mine}:f({arguments})"), words)


PRINTS = """\
print("on import")
def f(view, ctx):
    if view.decisions == 0:
        print("deciding", view.pile_size)
    return nth_legal(view, 0)
"""


@pytest.mark.parametrize("backend", ["threads", "processes"])
def test_what_a_strategy_prints_is_no_result(tmp_path, backend):
    """Prints go to stderr: stdout stays JSON."""
    mine = write(tmp_path / "mine.py", PRINTS)
    said = spawn("run", GAME, "--strategy", f"{mine}:f", "--games", 20, "--format", "json",
                 "--backend", backend, "--jobs", 2)  # fmt: skip
    assert sum(counts(said)) == 20
    assert said.err.count("on import") == (3 if backend == "processes" else 1)
    assert said.err.count("deciding") == 20


def test_what_a_strategy_prints_is_no_trace(call, tmp_path):
    """The same for trace, show and audit."""
    mine = write(tmp_path / "mine.py", PRINTS)
    for command in ("trace", "show", "audit"):
        said = call(command, GAME, "--strategy", f"{mine}:f", *("--games", 1) * (command != "show"))
        assert said.status == 0
        assert "deciding" not in said.out
        assert "deciding" in said.err


# --- files that fail in the middle ---

FAILING = """\
def raises(view, ctx):
    if view.decisions == 2:
        raise ValueError("a hand of no use")
    return nth_legal(view, 0)

def divides(view, ctx):
    return nth_legal(view, 1 // (2 - view.decisions))

def reads_past_the_end(view, ctx):
    a = np.zeros(3, np.int64)
    return nth_legal(view, a[view.decisions])

def writes_past_the_end(view, ctx):
    a = np.zeros(3, np.int64)
    a[view.decisions] = 1
    return nth_legal(view, 0)

@njit
def look_up(n):
    return np.zeros(3, np.int64)[n]

def helper_reads_past_the_end(view, ctx):
    return nth_legal(view, look_up(view.decisions))

def illegal(view, ctx):
    return seduce() if view.decisions == 2 else nth_legal(view, 0)

def no_action(view, ctx):
    return -7

def sometimes(view, ctx):
    if bounded(ctx, 3000) == 0:
        return seduce()
    return nth_legal(view, bounded(ctx, count_legal(view)))
"""


@pytest.fixture
def failing(tmp_path):
    """The file above, at a path that needs quotes."""
    return write(tmp_path / "my files" / "mine.py", FAILING)


@pytest.mark.parametrize(
    ("name", "words"),
    [("raises", "ValueError: a hand of no use. "), ("divides", "ZeroDivisionError: ")],
)
def test_an_error_while_playing(call, failing, name, words):
    """Status 1, with strategy, game, seed, decision, the error and how to see it."""
    spec = f"{failing}:{name}"
    said = call("run", GAME, "--strategy", spec, "--games", 20, "--seed", 5)
    place = f"failed in game 0 of seed 5, decision 3: {words}"
    check_one_sentence(said, 1, f"strategy {spec!r} {place}", "See it with: playout show")


@pytest.mark.parametrize(
    "name", ["reads_past_the_end", "writes_past_the_end", "helper_reads_past_the_end"]
)
def test_an_index_past_the_end(failing, monkeypatch, name):
    """A person's functions check indices, where others are left to the tests."""
    rules = sim.games.load(GAME)
    monkeypatch.setattr(numba.core.config, "BOUNDSCHECK", None)  # what these tests run with
    strategy = compile_strategy(load_function(str(failing), name), rules)
    views, contexts = np.zeros(1, rules.view_dtype), np.zeros(1, strategy.info.context_dtype())
    strategy.dispatcher(views[0], contexts[0])
    views["decisions"] = 3
    with pytest.raises(IndexError, match="index is out of bounds"):
        strategy.dispatcher(views[0], contexts[0])


@pytest.mark.parametrize("backend", ["threads", "processes"])
def test_an_illegal_action(call, failing, backend):
    """Status 1, with what was chosen, its clause and what was legal."""
    spec = f"{failing}:illegal"
    said = call("run", GAME, "--strategy", spec, "--games", 20, "--backend", backend, "--jobs", 2)
    check_one_sentence(
        said, 1, f"strategy {spec!r} chose an illegal action in game 0 of seed 1, decision 3: sed",
        "uce (SP-15). Legal are: ", "leave the room", "See it with: ",
    )  # fmt: skip
    check_one_sentence(
        call("run", GAME, "--strategy", f"{failing}:no_action"), 1,
        "the number -7, which is no action", "(SP-",
    )  # fmt: skip


def test_the_first_of_several_faults_is_told(call, failing):
    """Whatever the chunks, the lowest game: the message is the same."""
    spec = f"{failing}:sometimes"
    said = [
        call("run", GAME, "--strategy", spec, "--games", 2000, "--jobs", jobs, "--chunk", chunk)
        for jobs, chunk in ((1, 2000), (2, 7), (2, 300))
    ]
    check_one_sentence(said[0], 1, "chose an illegal action in game ")
    assert said[0] == said[1] == said[2]


def test_the_replay_command_tells_the_story_up_to_the_fault(failing, tmp_path):
    """The command in the message, given to a shell, ends with the same sentence."""
    said = spawn("run", GAME, "--strategy", "my files/mine.py:illegal", "--games", 20, "--seed", 4,
                 "--option", "hand=5", cwd=tmp_path)  # fmt: skip
    assert said.status == 1
    command = re.search(r"See it with: (playout .*)", said.err)[1]
    replay = command.replace("playout", shlex.join(program()), 1)
    shown = subprocess.run(["sh", "-c", replay], capture_output=True, text=True, cwd=tmp_path,
                           env=environment())  # fmt: skip
    assert shown.returncode == 1
    assert shown.stderr == said.err
    lines = shown.stdout.splitlines()
    assert lines[0].startswith("The Shooting Party, game 0")
    assert [line[:4] for line in lines if line[:3].strip().isdigit()] == ["  1.", "  2."]


def test_a_trace_stops_at_the_fault(call, failing):
    """The events until then, then the sentence."""
    said = call("trace", GAME, "--strategy", f"{failing}:illegal", "--games", 3)
    assert said.status == 1
    assert said.err.count("\n") == 1
    events = [json.loads(line) for line in said.out.splitlines()]
    assert [event["ev"] for event in events].count("act") == 2
    assert events[-1]["ev"] != "result"
