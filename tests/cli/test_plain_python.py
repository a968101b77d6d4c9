"""Strategies that are not compiled: the same results as compiled ones, and Python's own errors."""

import json
import re

import pytest

from tests.cli.calls import GAME, check_one_sentence

RANDOM = """from sim.rng import bounded
from sim.rulesets.shooting_party.legal import count_legal, nth_legal
from strategies import Param, strategy

@strategy("shooting-party", {}uses_chance=True, memory=("asked",), skip=Param(0, 0, 9))
def f(view, ctx):
    ctx.asked += 1
    if ctx.asked <= ctx.skip:
        return nth_legal(view, 0)
    return nth_legal(view, bounded(ctx, count_legal(view)))
"""
PLAIN = "compiled=False, "


@pytest.fixture
def file(tmp_path):
    """file(text, name) -> a spec of function f."""

    def make(text, name="mine.py"):
        (tmp_path / name).write_text(text)
        return f"{tmp_path / name}:f"

    return make


def result(call, spec, *args):
    said = call("run", GAME, "--strategy", spec, "--games", 150, "--format", "json", *args)
    assert said.status == 0, said
    return json.loads(said.out)["outcomes"], said.err


@pytest.mark.parametrize("arguments", ["", "(skip=4)"])
def test_the_same_as_compiled(call, file, arguments):
    """The stream, parameters and memory are the same; a notice says how slow it is."""
    compiled, quiet = result(call, file(RANDOM.format("")) + arguments)
    plain, notice = result(call, file(RANDOM.format(PLAIN), "slow.py") + arguments)
    assert plain == compiled
    assert quiet == ""
    assert re.search(
        r"slow\.py:f\S* runs as plain Python, about [\d,]+ times slower than tidy", notice
    )


def test_with_threads_and_processes(call, file):
    spec = file(RANDOM.format(PLAIN))
    one, _ = result(call, spec, "--jobs", 1)
    assert result(call, spec, "--jobs", 2)[0] == one
    assert result(call, spec, "--jobs", 2, "--backend", "processes")[0] == one


def test_what_numba_cannot_do(call, file):
    """A dictionary of tuples and a set, kept from one decision to the next."""
    text = """from strategies import strategy
from sim.rulesets.shooting_party.legal import count_legal, nth_legal
KNOWN = {}

@strategy("shooting-party", compiled=False)
def f(view, ctx):
    key = (int(view.hand), int(view.decisions))
    KNOWN.setdefault(key, set()).add(str(view.pile_size))
    return nth_legal(view, count_legal(view) - 1 if sorted(KNOWN[key]) else 0)
"""
    refused = call(
        "run", GAME, "--strategy", file(text.replace(", compiled=False", "")), "--games", 5
    )
    assert refused.status == 2
    outcomes, _ = result(call, file(text))
    assert sum(row["count"] for row in outcomes) == 150


def test_the_other_commands_take_them(call, file):
    spec = file(RANDOM.format(PLAIN))
    assert call("audit", GAME, "--strategy", spec, "--games", 2).out.startswith("No leak")
    assert call("show", GAME, "--strategy", spec).status == 0
    found = call("compare", GAME, "--strategy", spec, "--strategy", "random", "--games", 40,
                 "--format", "json")  # fmt: skip
    assert found.status == 0
    assert call("check", spec, "--format", "json").status == 0


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("return [1, 2][view.decisions + 2]", "IndexError: list index out of range"),
        ("return {}['x']", "KeyError: 'x'"),
        ("return 0.5", "TypeError: it must return a whole number, and returned float"),
        ("return None", "TypeError: it must return a whole number, and returned NoneType"),
        ("return 2**70", "OverflowError: it returned 1180591620717411303424"),
        ("return view.nothing", "AttributeError"),
        ("return 77", "chose an illegal action"),
    ],
)
def test_what_goes_wrong_in_play(call, file, body, words):
    """One sentence with the game, as for compiled ones."""
    head = f"from strategies import strategy\n@strategy('shooting-party', {PLAIN})\n"
    text = f"{head}def f(view, ctx):\n    {body}\n"
    said = call("run", GAME, "--strategy", file(text), "--games", 50)
    check_one_sentence(said, 1, "game 0 of seed 1, decision 1", words, "playout show")


def test_debug_shows_where_it_failed(call, file):
    """The traceback begins in the file and stands there once, before the sentence."""
    text = (
        "def g(x):\n    return [1, 2][x]\n\ndef f(view, ctx):\n    return g(view.decisions + 2)\n"
    )
    text = "from numba import njit\n" + text.replace("def g", "@njit\ndef g")
    spec = file(text.replace("@njit\n", ""))
    said = call("run", GAME, "--strategy", spec, "--games", 50, "--debug")
    assert said.status == 1
    assert said.err.count("Traceback") == 1
    assert 'mine.py", line 6, in f' in said.err
    assert "IndexError: list index out of range" in said.err
    assert "sim/" not in said.err.split("playout: strategy")[0]
    compiled = call("run", GAME, "--strategy", file(text), "--games", 50)
    assert "Traceback" not in compiled.err


def test_debug_plays_the_same_games(call, file):
    """And compiled ones again afterwards."""
    spec = file(RANDOM.format(""))
    before, _ = result(call, spec)
    debugged, notice = result(call, spec, "--debug")
    assert debugged == before
    assert "runs as plain Python" in notice
    assert result(call, spec) == (before, "")
