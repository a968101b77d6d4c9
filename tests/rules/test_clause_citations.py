"""Every clause is cited by its kernel and named by a test, and nobody cites a clause there is not.

A game's clauses are the points `- **SP-5** …` of seeds/rules/GAME.md. They are cited as `SP-5`, and
a test of clause 5 is called `test_sp_05_…` and cites it in its docstring.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import sim.games

ROOT = Path(__file__).resolve().parents[2]
#: Asked for while tests are collected: later some tests register games of their own.
GAMES = sim.games.names()


def clauses(game: str) -> list[str]:
    """The clauses of a game in the order of its rules."""
    prefix = sim.games.load(game).clause_prefix
    path = ROOT / "seeds" / "rules" / f"{game}.md"
    assert path.is_file(), f"{game} has no rules: {path.relative_to(ROOT)} is missing"
    text = path.read_text(encoding="utf-8")
    return re.findall(rf"^\s*- \*\*({prefix}-\d+)\*\*", text, re.MULTILINE)


def kernel_files(game: str) -> list[Path]:
    """The files of a game's ruleset: a module or a folder of modules."""
    folder, module = ROOT / "sim" / "rulesets", sim.games.module_of(game)
    return [*folder.glob(f"{module}*.py"), *folder.glob(f"{module}/**/*.py")]


def citing_files(game: str) -> list[Path]:
    """All files that may cite clauses: kernels, strategies, referees and the tests of rules."""
    folders = ("strategies", "tests/reference", "tests/rules")
    return kernel_files(game) + [path for name in folders for path in (ROOT / name).glob("*.py")]


def citations(path: Path, prefix: str) -> Iterator[tuple[int, str]]:
    """(line, clause) of every citation in a file, the names of tests included."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        for clause in re.findall(rf"\b{prefix}-\d+", line):
            yield number, clause
        for digits in re.findall(rf"def test_{prefix}_(\d+)", line, re.IGNORECASE):
            yield number, f"{prefix}-{int(digits)}"


def clause_tests(game: str) -> Iterator[tuple[str, str, str]]:
    """(clause, name, docstring) of the tests of a game's kernel that are named after a clause."""
    prefix = sim.games.load(game).clause_prefix
    for path in (ROOT / "tests" / "rules").glob(f"test_{sim.games.module_of(game)}*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                match = re.match(rf"test_{prefix}_(\d+)_", node.name, re.IGNORECASE)
                if match:
                    clause = f"{prefix}-{int(match[1])}"
                    yield clause, node.name, ast.get_docstring(node) or ""


@pytest.mark.parametrize("game", GAMES)
def test_clauses_are_numbered(game: str) -> None:
    """The clauses are the numbers from 1 on, each once, in whatever order suits the reader."""
    prefix = sim.games.load(game).clause_prefix
    numbered = [f"{prefix}-{number}" for number in range(1, len(clauses(game)) + 1)]
    assert sorted(clauses(game)) == sorted(numbered)
    assert len(numbered) > 5


@pytest.mark.parametrize("game", GAMES)
def test_every_citation_is_a_clause(game: str) -> None:
    """What kernels, strategies, referees and tests cite stands in the rules."""
    prefix, known = sim.games.load(game).clause_prefix, set(clauses(game))
    unknown = [
        f"{path.relative_to(ROOT)}:{line}: {clause}"
        for path in citing_files(game)
        for line, clause in citations(path, prefix)
        if clause not in known
    ]
    assert unknown == []


@pytest.mark.parametrize("game", GAMES)
def test_every_clause_is_cited_by_the_kernel(game: str) -> None:
    """The line that carries out a clause has its number beside it."""
    prefix = sim.games.load(game).clause_prefix
    cited = {clause for path in kernel_files(game) for _, clause in citations(path, prefix)}
    assert [clause for clause in clauses(game) if clause not in cited] == []


@pytest.mark.parametrize("game", GAMES)
def test_every_clause_has_a_test(game: str) -> None:
    """A test of the kernel bears the clause's number in its name and cites it in its docstring."""
    tests = list(clause_tests(game))
    named = {clause for clause, _, _ in tests}
    assert [clause for clause in clauses(game) if clause not in named] == []
    silent = [name for clause, name, text in tests if not re.search(rf"\b{clause}\b", text)]
    assert silent == []
