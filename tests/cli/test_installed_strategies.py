"""Strategies of installed packages, by entry point: found, played, checked, never in our place."""

import json

import pytest

from tests.cli.calls import GAME, check_one_sentence, environment, spawn

HEAD = """\
from numba import njit
from sim.rulesets.shooting_party.legal import count_legal, nth_legal
from strategies import Param, strategy
from strategies.shooting_party import tidy

print("loaded")
"""
MINE = (
    HEAD
    + """
@njit(cache=True)
def last(view):
    return nth_legal(view, count_legal(view) - 1)

@strategy("shooting-party", summary="the last action", n=Param(0, 0, 3, "of no use"))
def hindmost(view, ctx):
    return last(view) + 0 * ctx.n

@strategy("president", kind="gift", summary="the first gift", source="an old book")
def first_gift(view, ctx):
    return 0
"""
)
ONE = "def {}(view, ctx):\n    return nth_legal(view, 0)\n"


@pytest.fixture
def package(tmp_path):
    """package(text, entries): a distribution on the path; gives the environment to play in."""

    def make(text, entries="mine = far_away.players", name="far-away"):
        folder = tmp_path / "site"
        (folder / "far_away").mkdir(parents=True, exist_ok=True)
        (folder / "far_away" / "__init__.py").write_text("")
        (folder / "far_away" / "players.py").write_text(text)
        info = folder / f"{name.replace('-', '_')}-1.0.dist-info"
        info.mkdir(exist_ok=True)
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(f"[playout.strategies]\n{entries}\n")
        path = environment()["PYTHONPATH"]
        return environment(PYTHONPATH=f"{path}:{folder}")

    return make


def run(env, spec, *more):
    """A small run in a process of its own."""
    return spawn(
        "run", GAME, "--strategy", spec, "--games", 200, "--format", "json", *more, env=env
    )


def test_a_package_is_found_and_played(package, tmp_path):
    """By name, with parameters, in worker processes; it is listed with the package's name."""
    env = package(MINE)
    said = run(env, "hindmost")
    assert said.status == 0, said.err
    assert "loaded" in said.err
    found = json.loads(said.out)
    assert found["strategies"] == ["hindmost"]
    again = run(env, "hindmost(n=2)", "--backend", "processes", "--jobs", 2)
    assert json.loads(again.out)["outcomes"] == found["outcomes"]
    listed = spawn("strategies", GAME, env=env | {"COLUMNS": "200"})
    assert listed.status == 0
    line = next(line for line in listed.out.splitlines() if line.strip().startswith("hindmost"))
    assert "the last action" in line
    assert "far-away" in line
    assert "an old book" in spawn("strategies", "president", env=env | {"COLUMNS": "200"}).out
    # numba's own cache, which may go stale, is not used
    assert not [path for path in tmp_path.rglob("*") if path.suffix in (".nbi", ".nbc")]


def test_no_package_is_loaded_for_our_own(package):
    """Even a broken one does no harm to who does not ask for it."""
    said = run(package("1 / 0\n"), "tidy")
    assert said.status == 0
    assert said.err == "" or "loaded" not in said.err


WRONG = {
    "broken": (
        "1 / 0\n", "mine = far_away.players",
        ["the entry point mine = 'far_away.players' of the package far-away can", ": ZeroDiv"],
    ),
    "missing": (
        "", "mine = far_away.players:no_such",
        ["far_away.players:no_such", "cannot be loaded: AttributeError"],
    ),
    "empty": (HEAD, "mine = far_away.players", ["names no function that is declared with @s"]),
    "ours": (
        HEAD + "@strategy('shooting-party', name='tidy')\n" + ONE.format("f"),
        "mine = far_away.players",
        ["far-away", "has a strategy 'tidy' already, by playout itself; it needs a name of"],
    ),
    "twice": (
        HEAD + "@strategy('shooting-party', name='x')\n" + ONE.format("f")
        + "@strategy('shooting-party', name='x')\n" + ONE.format("g"),
        "mine = far_away.players",
        ["shooting-party has a strategy 'x' already, by the entry point mine = 'far_away.players'"],
    ),
    "kind": (
        HEAD + "@strategy('shooting-party', kind='draw')\n" + ONE.format("f"),
        "mine = far_away.players:f",
        ["strategy 'f' decides 'draw'; the decisions of shooting-party are play"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_with_a_package(package, name):
    """One sentence with the entry point and the package."""
    text, entries, parts = WRONG[name]
    env = package(text, entries)
    said = spawn("run", GAME, "--strategy", "hindmost", env=env)
    lines = [line for line in said.err.splitlines() if line != "loaded"]
    assert said.out == ""
    check_one_sentence(type(said)(said.status, "", "\n".join(lines) + "\n"), 2, *parts)
