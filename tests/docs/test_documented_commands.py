"""Every command of the README and the docs is run, with fewer games, and every example compiles."""

import contextlib
import io
import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import scripts.cli
import sim.games

ROOT = Path(__file__).resolve().parents[2]
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    *sorted((ROOT / "docs").glob("*.md")),
]
BLOCK = re.compile(r"```(\w+)\n(.*?)```", re.DOTALL)
MOST_GAMES = 2000
FEWER = re.compile(r"--games \S+")
SMALLER = re.compile(r"--scale \S+")


def blocks(page, language):
    """The code blocks of a language in a page."""
    return [text for kind, text in BLOCK.findall(page.read_text()) if kind == language]


def commands(page):
    """The shell commands of a page, one string a line (continued lines joined)."""
    found = []
    for text in blocks(page, "sh"):
        for line in text.replace("\\\n", " ").splitlines():
            line = line.partition(" #")[0].strip()
            if line and not line.startswith("#"):
                found.append(line)
    return found


CASES = [(page, commands(page)) for page in PAGES if page.exists() and commands(page)]


def run(command, folder, monkeypatch):
    """Run one documented command in a folder: (status, what it said of errors)."""
    words = shlex.split(command)
    if words[0] in ("playout", ".venv/bin/playout"):
        # in this process: most of a short command's time would go into starting Python
        monkeypatch.chdir(folder)
        errors = io.StringIO()
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(errors):
            status = scripts.cli.call(words[1:])
        return status, errors.getvalue()
    environment = dict(os.environ, PYTHONPATH=str(ROOT))
    if words[0].startswith("python"):
        words = [sys.executable, *words[1:]]
    elif words[0] == "make":
        # what the targets run is run by tests of its own; here the target must exist
        words = ["make", "-n", "-C", str(ROOT), *words[1:]]
    elif words[0] == "cd" or words[:2] == ["git", "clone"]:
        return 0, ""
    else:
        pytest.fail(f"the docs hold a command that is not tested: {command}")
    done = subprocess.run(
        words, cwd=folder, env=environment, capture_output=True, text=True, timeout=300
    )
    return done.returncode, done.stderr


STUDIES_RUN = set()


def is_known(line):
    """Whether a study was run for another page: it takes long, and depends on nothing there."""
    study = re.sub(r" --out \S+", "", line)
    known = study in STUDIES_RUN
    STUDIES_RUN.add(study)
    return known


@pytest.mark.parametrize(("page", "lines"), CASES, ids=[page.name for page, _ in CASES])
def test_commands_run(page, lines, tmp_path, monkeypatch):
    """All commands of a page, in order, in one folder that also holds its examples."""
    example = "\n\n".join(blocks(ROOT / "docs" / "strategies.md", "python"))
    (tmp_path / "my_file.py").write_text(example)
    for line in lines:
        line = SMALLER.sub("--scale 0.0001", FEWER.sub(f"--games {MOST_GAMES}", line))
        if line.startswith("python -m scripts.") and is_known(line):
            continue
        status, errors = run(line, tmp_path, monkeypatch)
        assert status == 0, f"{line}\n{errors}"


def test_the_example_strategies_are_sound(tmp_path):
    """The strategies of the docs compile, play and know no hidden cards."""
    from sim.audit import audit
    from sim.experiment import Experiment

    page = ROOT / "docs" / "strategies.md"
    file = tmp_path / "my_file.py"
    file.write_text("\n\n".join(blocks(page, "python")))
    for spec in ("hopeful", "restless", "restless(wait=3)"):
        experiment = Experiment.make("shooting-party", [f"{file}:{spec}"])
        assert audit(experiment, 5).decisions > 0


def test_links_lead_somewhere():
    """Links between pages and to pictures name files that exist."""
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#]+)\)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_json_examples_are_json():
    """The trace page's example is what it says."""
    for text in blocks(ROOT / "docs" / "trace.md", "json"):
        assert json.loads(text)["ev"] == "game"


@pytest.mark.parametrize("game", sim.games.names())
def test_the_game_page_lists_every_view_field(game):
    """Each view field, option and registered strategy stands on the game's page."""
    from strategies.registry import registered

    text = (ROOT / "docs" / f"{game}.md").read_text()
    rules = sim.games.load(game)
    for name in [*rules.view_dtype.names, *rules.options.specs()]:
        assert f"`{name}`" in text, name
    for _, name in registered(rules):
        assert f"`{name}`" in text, name


@pytest.mark.parametrize(
    "page",
    [p for p in PAGES if p.name != "strategies.md" and p.exists() and blocks(p, "python")],
    ids=lambda page: page.name,
)
def test_python_examples_run(page, tmp_path):
    """The other pages' Python runs as it stands, in one process."""
    environment = dict(os.environ, PYTHONPATH=str(ROOT))
    done = subprocess.run(
        [sys.executable, "-c", "\n".join(blocks(page, "python"))],
        cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout
