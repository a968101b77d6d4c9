"""`playout reproduce`: the same folder again, and what it says when something is not the same."""

import json
import shutil

import numpy as np
import pytest

from sim.store import RunFolder
from tests.cli.calls import TIDY, check_one_sentence

GAMES = 300


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """A folder of each kind."""
    import scripts.cli

    place = tmp_path_factory.mktemp("runs")
    for name, args in {
        "games": TIDY,
        "counts": (*TIDY, "--keep", "counts"),
        "rounds": ("president", "--strategy", "lowest", "--option", "rounds=3"),
    }.items():
        more = ("--games", str(GAMES), "--chunk", "60", "--out", str(place / name))
        assert scripts.cli.call(["run", *args, *more]) == 0
    return place


@pytest.fixture
def folder(runs, tmp_path):
    """A copy of one of them."""
    return lambda name: shutil.copytree(runs / name, tmp_path / name)


@pytest.mark.parametrize("name", ["games", "counts", "rounds"])
def test_it_is_identical(call, folder, name):
    """On the same versions; the folder is not touched."""
    path = folder(name)
    said = call("reproduce", path, "--format", "json")
    found = json.loads(said.out)
    assert (said.status, said.err) == (0, "")
    assert (found["identical"], found["games"]) == (True, GAMES)
    assert call("reproduce", path).out.startswith("Identical: 300 games")


def change_game(path, table, number, column):
    """Change one number of one chunk, and its checksum with it, as a forger would."""
    store = RunFolder(path)
    chunk = store.chunks(table)[2]
    rows = {name: values.copy() for name, values in store.read_chunk(chunk).items()}
    rows[column][number] ^= np.uint8(1)
    chunk.path.unlink()
    store.write_chunk(table, chunk.start, chunk.stop, rows)
    return int(rows["index"][number])


@pytest.mark.parametrize(
    ("name", "table", "column"),
    [
        ("games", "games", "reshuffles"),
        ("rounds", "rounds", "plays"),
        ("rounds", "games", "leaders"),
    ],
)
def test_one_other_number_is_found(call, folder, name, table, column):
    path = folder(name)
    game = change_game(path, table, 17, column)
    said = call("reproduce", path)
    assert said.status == 1
    assert said.out.endswith(f"row by row, first in game {game}.\n")
    assert said.out.startswith("Different: ")


def test_another_seed_counts_otherwise(call, folder):
    """A manifest that tells of another seed than was played."""
    path = folder("counts")
    manifest = json.loads((path / "manifest.json").read_text())
    manifest["experiment"]["seed"] = 2
    (path / "manifest.json").write_text(json.dumps(manifest))
    said = call("reproduce", path)
    assert said.status == 1
    assert said.out.startswith("Different: ")


def test_what_has_changed_since_is_said(call, folder):
    """Code of the rules, and versions."""
    path = folder("games")
    manifest = json.loads((path / "manifest.json").read_text())
    manifest["experiment"]["rules"] = "0" * 64
    manifest["versions"]["numba"] = "0.1"
    (path / "manifest.json").write_text(json.dumps(manifest))
    said = call("reproduce", path)
    assert said.status == 0
    assert "since then, the code of the rules has changed" in said.err
    assert "numba was 0.1, is " in said.err


def test_an_unfinished_folder(call, folder):
    path = folder("games")
    RunFolder(path).chunks()[1].path.unlink()
    said = call("reproduce", path)
    check_one_sentence(said, 2, "lacks 60 games")


def test_what_is_refused(refused, tmp_path):
    (tmp_path / "file").write_text("x")
    (tmp_path / "empty").mkdir()
    refused(("reproduce", tmp_path / "empty"), "no manifest.json")
    refused(("reproduce", tmp_path / "none"), "no manifest.json")
    refused(("reproduce",), "needs")


def test_a_strategy_that_is_gone(call, tmp_path):
    """Its file was removed."""
    path = tmp_path / "mine.py"
    path.write_text("from strategies.shooting_party import tidy as f\n")
    assert call("run", "shooting-party", "--strategy", f"{path}:f", "--games", "50",
                "--out", tmp_path / "a").status == 0  # fmt: skip
    path.unlink()
    said = call("reproduce", tmp_path / "a")
    check_one_sentence(said, 2, "cannot be played again", "does not exist")
