"""The help pages: quick, complete, readable, with examples that run."""

import re
import shlex
import subprocess
import sys

import pytest

import scripts.bench
import scripts.cli
from tests.cli.calls import GAME, ROOT, environment

COMMANDS = sorted(scripts.cli.main.commands)
HEAVY = ("numba", "numpy", "pandas", "matplotlib", "scipy", "pyarrow", "joblib", "rich", "jinja2")
MOST_GAMES = "300"


@pytest.mark.parametrize(
    "args", [["--help"], ["-h"], ["run", "--help"], ["--version"]], ids=" ".join
)
def test_help_imports_nothing_heavy(args):
    """`playout --help` must answer at once."""
    program = (
        "import sys, scripts.cli\n"
        f"status = scripts.cli.call({args!r})\n"
        f"found = [name for name in {HEAVY!r} if name in sys.modules]\n"
        "sys.exit(f'{status} {found}' if status or found else 0)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, env=environment(), cwd=ROOT
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout


def test_the_first_page(call):
    """What it is for, and each command in a line that is not cut off."""
    page = call("--help").out
    assert "playing millions of games" in page
    for name in COMMANDS:
        (line,) = [line for line in page.splitlines() if line.startswith(f"  {name} ")]
        assert re.fullmatch(rf"  {name} +[A-Z].*[.]", line), "the summary is cut off"
        assert not line.endswith("..."), line
    assert "playout run" in page
    assert call("-h").out == page


@pytest.mark.parametrize("name", COMMANDS)
def test_the_page_of_a_command(call, name):
    """A summary, every option with a sentence, and an example."""
    said = call(name, "--help")
    assert (said.status, said.err) == (0, "")
    assert said.out.startswith(f"Usage: playout {name}")
    for param in scripts.cli.main.commands[name].params:
        if param.param_type_name == "option":
            assert param.opts[0] in said.out
            assert param.help
            assert param.help.endswith(".")
    if name != "games":
        assert re.search(r"Examples?:\n    playout ", said.out)
    assert max(map(len, said.out.splitlines())) <= 100


def examples():
    """Every example of every help page."""
    pages = [scripts.cli.main.epilog, *(c.epilog for c in scripts.cli.main.commands.values())]
    lines = [line.strip() for page in pages if page for line in page.splitlines()]
    return list(dict.fromkeys(line for line in lines if line.startswith("playout ")))


@pytest.mark.parametrize("example", examples())
def test_an_example_runs(call, tmp_path, monkeypatch, example):
    """As it stands there, with fewer games, in a folder with the file that it names."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my_file.py").write_text(
        "from strategies.shooting_party import tidy as my_function\n"
    )
    (tmp_path / "my_experiment.toml").write_text(
        'game = "shooting-party"\nstrategies = ["tidy"]\ngames = 300\n'
    )
    words = shlex.split(example)[1:]
    if "--games" in words:
        words[words.index("--games") + 1] = MOST_GAMES
    if words[0] == "audit":
        words += ["--games", "3"]
    if words[0] == "run" and "--games" not in words and "my_experiment.toml" not in words:
        words += ["--games", MOST_GAMES]
    if words[0] == "bench":  # what it measures, and for how long, is tested elsewhere
        monkeypatch.setattr(scripts.bench, "bench", lambda *args: print(*args))
    if words[0] in ("report", "reproduce"):
        for folder in [word for word in words if word.startswith("runs/")]:
            assert call("run", GAME, "--strategy", "tidy", "--games", "500", "--out", folder,
                        "--option", "exhaustion=at-once").status == 0  # fmt: skip
    said = call(*words)
    assert said.status == 0, said.err
    assert said.out


def test_the_lists(call):
    """Games, strategies and rules say what a newcomer needs to go on."""
    assert GAME in call("games").out
    page = call("strategies", GAME).out
    assert "tidy" in page
    assert "random" in page
    assert "FILE.py:FUNCTION" in page
    rules = call("rules", GAME).out
    for clause in ("SP-1", "SP-17", "exhaustion", "last_draw", "husbands"):
        assert clause in rules


def test_the_story_of_a_game(call):
    """`show` says who plays what, and ends with the result; the same game every time."""
    args = ("show", GAME, "--strategy", "tidy", "--index", 7, "--option", "hand=5")
    story = call(*args).out
    assert story.startswith("The Shooting Party, game 7: tidy (seed 1, rule options: hand=5)\n")
    assert story.splitlines()[-1].startswith("The end: ")
    assert story == call(*args).out


def test_the_version(call):
    """One line."""
    assert re.fullmatch(r"playout, version \d+\.\d+\.\d+\n", call("--version").out)
