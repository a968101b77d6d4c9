"""The cache of compiled code is never stale: real edits, in new processes."""

import os
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

PROGRAM = """
import sys
from numba import types
from sim.jit import compile_function, was_cached
from top import total
compiled = compile_function(total, (types.int64,))
print(compiled(10), was_cached(compiled))
"""

FILES = {
    "constants.py": "BASE = 100\nTABLE = (1, 2, 3)\n",
    "deep.py": """
        from numba import njit
        import constants

        @njit
        def deepest(x):
            # a comment
            return x + constants.BASE + constants.TABLE[1]
        """,
    "helper.py": """
        from numba import njit
        from deep import deepest

        SCALE = 2

        def make(k):
            @njit
            def closed(x):
                return x * k
            return closed

        closed = make(5)

        @njit
        def helper(x):
            return deepest(x) * SCALE + closed(x)
        """,
    "top.py": """
        import numpy as np
        from helper import helper

        WEIGHTS = np.array([1, 2, 3])

        def total(x):
            return helper(x) + WEIGHTS[2]
        """,
}


def write(folder, name, text):
    """Write a module and leave no compiled form of an older one."""
    (folder / name).write_text(textwrap.dedent(text))
    shutil.rmtree(folder / "__pycache__", ignore_errors=True)


@pytest.fixture
def project(tmp_path):
    """A folder with modules that call each other, and a way to run them in a new process."""
    for name, text in FILES.items():
        write(tmp_path, name, text)
    (tmp_path / "program.py").write_text(PROGRAM)
    return tmp_path


def run(folder, cache=None):
    """(result, whether it came from the cache) of a new process."""
    environment = dict(os.environ, PYTHONPATH=f"{folder}{os.pathsep}{ROOT}")
    environment["PLAYOUT_CACHE"] = str(cache or folder / "cache")
    done = subprocess.run(
        [sys.executable, "program.py"],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
    value, cached = done.stdout.split()
    return int(value), cached == "True"


def test_edits_anywhere_change_the_next_process(project):
    """A constant, a tuple, a helper two files away, a closure, an array, the function itself."""
    expected = (10 + 100 + 2) * 2 + 50 + 3
    assert run(project) == (expected, False)
    assert run(project) == (expected, True)
    edits = [
        ("constants.py", "BASE = 100", "BASE = 101", (10 + 101 + 2) * 2 + 50 + 3),
        ("constants.py", "(1, 2, 3)", "(1, 7, 3)", (10 + 101 + 7) * 2 + 50 + 3),
        ("deep.py", "return x +", "return x + 1 +", (11 + 101 + 7) * 2 + 50 + 3),
        ("helper.py", "SCALE = 2", "SCALE = 3", (11 + 101 + 7) * 3 + 50 + 3),
        ("helper.py", "make(5)", "make(6)", (11 + 101 + 7) * 3 + 60 + 3),
        ("top.py", "[1, 2, 3]", "[1, 2, 4]", (11 + 101 + 7) * 3 + 60 + 4),
        ("top.py", "+ WEIGHTS", "- WEIGHTS", (11 + 101 + 7) * 3 + 60 - 4),
    ]
    for name, old, new, expected in edits:
        text = (project / name).read_text()
        assert old in text
        write(project, name, text.replace(old, new))
        assert run(project) == (expected, False), (name, new)
    # back to the beginning: the first machine code is still there, and right
    for name, text in FILES.items():
        write(project, name, text)
    assert run(project) == ((10 + 100 + 2) * 2 + 50 + 3, True)


def test_comments_keep_the_cache(project):
    """Comments and blank lines are not code."""
    value, _ = run(project)
    for name in ("deep.py", "helper.py", "top.py"):
        text = (project / name).read_text()
        write(project, name, "# one more line\n\n" + text.replace("# a comment", "# another one"))
    assert run(project) == (value, True)


def test_a_bad_cache_only_costs_time(project):
    """A folder that cannot be made, and files that are cut or garbled."""
    value, _ = run(project)
    blocked = project / "file"
    blocked.write_text("in the way")
    assert run(project, cache=blocked / "cache") == (value, False)
    files = list((project / "cache").glob("*.bin"))
    assert files
    for damage in (
        lambda data: data[: len(data) // 2],
        lambda data: data[:100] + b"?" + data[101:],
    ):
        for file in files:
            file.write_bytes(damage(file.read_bytes()))
        assert run(project) == (value, False)
        assert run(project) == (value, True)


def test_an_edited_rule_changes_the_game(tmp_path):
    """The whole engine, from a copy of the project: an edited rule and an edited user file."""
    for package in ("sim", "strategies", "reports", "scripts", "seeds"):
        shutil.copytree(
            ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__")
        )
    (tmp_path / "wish.py").write_text("LUCKY = 1\n")
    mine = """
        from numba import njit
        from sim.rulesets.shooting_party.legal import count_legal, nth_legal
        from wish import LUCKY

        @njit
        def pick(view):
            return nth_legal(view, LUCKY % count_legal(view))

        def mine(view, ctx):
            return pick(view)
        """
    (tmp_path / "mine.py").write_text(textwrap.dedent(mine))
    program = """
        from sim.experiment import Experiment
        from sim.run import run
        for spec in ("random", "mine.py:mine"):
            tally = run(Experiment.make("shooting-party", [spec]), 3000, jobs=1).tally
            print(sorted(tally.cells.items()))
        """
    (tmp_path / "program.py").write_text(textwrap.dedent(program))

    def results():
        environment = dict(os.environ, PYTHONPATH=str(tmp_path))
        environment["PLAYOUT_CACHE"] = str(tmp_path / "cache")
        done = subprocess.run(
            [sys.executable, "program.py"], cwd=tmp_path, env=environment,
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        return done.stdout.splitlines()

    first = results()
    assert results() == first
    (tmp_path / "wish.py").write_text("LUCKY = 2\n")  # same length, perhaps the same second
    second = results()
    assert second[0] == first[0]
    assert second[1] != first[1]
    rules = tmp_path / "sim" / "rulesets" / "shooting_party" / "rules.py"
    text = rules.read_text()
    assert "count_bits(t.hand & JACKS) < 2" in text
    rules.write_text(
        text.replace("count_bits(t.hand & JACKS) < 2", "count_bits(t.hand & JACKS) < 3")
    )
    third = results()
    assert third[0] != second[0]
