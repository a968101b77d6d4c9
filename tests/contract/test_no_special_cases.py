"""The house knows no game: what serves all games names none and imports none."""

import ast
from pathlib import Path

import sim.games

ROOT = Path(__file__).resolve().parents[2]
GAMES = sim.games.names()
PACKAGES = ("sim", "strategies", "reports", "scripts")


def module_file(name):
    """The file of a module of this project, or None."""
    path = ROOT.joinpath(*name.split("."))
    for file in (path.with_suffix(".py"), path / "__init__.py"):
        if name.partition(".")[0] in PACKAGES and file.is_file():
            return file
    return None


def imports(tree):
    """The modules that a file may import, also inside its functions."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def house():
    """What the command line is made of, by module: everything that it imports by name."""
    found, left = {}, ["scripts.cli", "scripts.reports"]
    while left:
        name = left.pop()
        file = module_file(name)
        if name not in found and file is not None:
            found[name] = ast.parse(file.read_text(encoding="utf-8"))
            left += imports(found[name])
    return found


def test_the_house_is_all_there():
    """The walk through the imports finds what it should."""
    known = {"sim.engine", "sim.trace", "sim.audit", "strategies.registry", "reports.folders"}
    assert known | {"scripts.compare", "scripts.sweep", "scripts.check"} <= set(house())


def test_no_module_of_the_house_belongs_to_a_game():
    """Games are found in their folder, never imported by name."""
    own = {sim.games.module_of(game) for game in GAMES}
    assert [name for name in house() if any(part in own for part in name.split("."))] == []
    starts = tuple(f"{package}.{game}" for package in PACKAGES for game in own)
    assert [name for name in house() if name.startswith(starts)] == []


def test_no_module_of_the_house_names_a_game():
    """No branch for a game: its name is no string there (examples in help are longer strings)."""
    named = [
        f"{name} line {node.lineno}: {node.value!r}"
        for name, tree in house().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant)
        and node.value in (*GAMES, *map(sim.games.module_of, GAMES))
    ]
    assert named == []
