"""Each game's page: the table of its view is that of the record, and its examples play."""

import importlib
import re
from pathlib import Path

import pytest

import sim.games
from scripts.check import random_options
from scripts.view_table import view_table
from sim.audit import audit
from sim.engine import play
from sim.experiment import Experiment
from strategies.userfile import load_function

ROOT = Path(__file__).resolve().parents[2]
GAMES = sim.games.names()
BLOCK = re.compile(r"```py\n(.*?)```", re.DOTALL)
FUNCTION = re.compile(r"^def (\w+)\(view, ctx\):", re.MULTILINE)


def page_of(game):
    """The text of a game's page."""
    return (ROOT / "docs" / f"{game}.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def examples(tmp_path_factory):
    """The worked examples of each page as a file: {game: (path, names of strategies)}."""
    found = {}
    for game in GAMES:
        section = page_of(game).partition("## Two worked examples\n")[2].partition("\n## ")[0]
        text = "\n\n".join(BLOCK.findall(section))
        path = tmp_path_factory.mktemp("examples") / f"{sim.games.module_of(game)}.py"
        path.write_text(text)
        found[game] = path, FUNCTION.findall(text)
    return found


@pytest.mark.parametrize("game", GAMES)
def test_the_table_of_the_view_is_that_of_the_record(game):
    """Field by field with type, range and meaning; `python -m scripts.view_table` makes it."""
    assert view_table(sim.games.load(game)) in page_of(game)


@pytest.mark.parametrize("game", GAMES)
def test_the_actions_and_helpers_exist(game):
    """What the page names with its arguments, `name(view, …)`, is somewhere in the game's rules."""
    text = page_of(game)
    assert "`count_legal(view)`" in text
    assert "`nth_legal(view, n)`" in text
    package = f"sim.rulesets.{sim.games.module_of(game)}"
    modules = [importlib.import_module(name) for name in set(re.findall(rf"{package}\.\w+", text))]
    told = text.partition("## What a strategy sees")[2].partition("## The options")[0]
    called = set(re.findall(r"`(\w+)\([a-z_, ]*\)`", told))
    assert len(called) > 2
    assert [name for name in called if not any(hasattr(m, name) for m in modules)] == []


@pytest.mark.parametrize("game", GAMES)
def test_the_worked_examples_are_sound(game, examples):
    """Two strategies a page: each plays under many rules, and knows nothing that is hidden."""
    rules = sim.games.load(game)
    path, names = examples[game]
    assert len(names) == 2
    for name in names:
        info = load_function(str(path), name)
        assert info.game == game
        assert info.summary
        spec = f"{info.kind or rules.kinds[0]}={path}:{name}"
        experiment = Experiment.make(game, [spec])
        assert audit(experiment, 1).decisions > 0
        for options in random_options(rules, 15):
            experiment = Experiment.make(game, [spec], options=options)
            assert len(play(rules, options, experiment.seating, 1, 0, 20).rows) == 20
