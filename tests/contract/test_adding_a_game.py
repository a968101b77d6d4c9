"""docs/add-a-game.md keeps its word: its two files, put into a copy of the tree, are a game."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "add-a-game.md"
BLOCK = re.compile(r"```(\w+)\n(.*?)```", re.DOTALL)
FEWER = re.compile(r"--games (\d+k|1M)")


def files():
    """The files of the page by their path, which is in their first line."""
    blocks = [text for kind, text in BLOCK.findall(PAGE.read_text()) if kind == "py"]
    return {text.split("\n", 1)[0].removeprefix("# "): text for text in blocks}


def commands():
    """The commands of the page, with their words."""
    blocks = [text for kind, text in BLOCK.findall(PAGE.read_text()) if kind == "text"]
    lines = [line for text in blocks for line in text.splitlines() if line.startswith("playout ")]
    return [shlex.split(FEWER.sub("--games 500", line))[1:] for line in lines]


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """A copy of the project with the page's files in it."""
    folder = tmp_path_factory.mktemp("tree")
    for package in ("sim", "strategies", "reports", "scripts", "seeds", "tests"):
        shutil.copytree(
            ROOT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__")
        )
    shutil.copy(ROOT / "pyproject.toml", folder)
    for path, text in files().items():
        assert not (folder / path).exists()
        (folder / path).write_text(text)
    return folder


def call(tree, *words):
    """A Python command in the copy."""
    return subprocess.run(
        [sys.executable, "-m", *words],
        cwd=tree,
        env=dict(os.environ, PYTHONPATH=str(tree), PYTHONDONTWRITEBYTECODE="1"),
        capture_output=True,
        text=True,
        timeout=300,
    )


def test_one_rules_file_and_one_strategies_file():
    """That is all there is on the page, besides commands for all that one wants to do."""
    assert list(files()) == ["sim/rulesets/high_card.py", "strategies/high_card.py"]
    assert {words[0] for words in commands()} == {
        "games", "strategies", "run", "trace", "show", "audit", "compare", "sweep", "report",
    }  # fmt: skip


def test_the_commands_of_the_page(tree):
    """Each ends well and says what it should, in the order of the page."""
    said = {}
    for words in commands():
        done = call(tree, "scripts.cli", *words)
        assert done.returncode == 0, f"{words}\n{done.stderr}"
        said[words[0]] = done.stdout
    assert "high-card" in said["games"]
    assert "thrifty" in said["strategies"]
    events = [json.loads(line) for line in said["trace"].splitlines()]
    assert [e["index"] for e in events if e["ev"] == "game"] == [0, 1]
    for result in (event for event in events if event["ev"] == "result"):
        assert sum(result["points"]) == 3
    assert said["show"].count("takes the trick (HC-3)") == 3
    assert said["audit"].startswith("No leak: 50 games, 450 decisions")
    assert "thrifty" in said["compare"]
    assert "shared" in said["sweep"]
    page = (tree / "out" / "high-card" / "index.html").read_text()
    assert "High card" in page


def test_the_contract_holds(tree):
    """The contract tests find the game by themselves."""
    done = call(
        tree, "pytest", "-q", "-p", "no:cacheprovider", "tests/contract/test_every_game.py",
        "-k", "high-card",
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-3000:]
    assert " passed" in done.stdout
