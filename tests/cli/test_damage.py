"""A run folder that was damaged: what is damaged is named, and only that is played again."""

import itertools
import json
import random
import shutil

import pytest

from sim.store import RunFolder
from tests.cli.calls import TIDY, check_one_sentence, files, table

RUN = ("run", *TIDY, "--chunk", "50", "--format", "json", "--jobs", "1")
GAMES = 400
COUNTS = ("--keep", "counts")


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A folder with 8 chunks of 50 games."""
    import scripts.cli

    folder = tmp_path_factory.mktemp("runs") / "whole"
    args = [*RUN, "--games", str(GAMES), "--out", str(folder)]
    assert scripts.cli.call(args) == 0
    return folder


@pytest.fixture
def folder(whole, tmp_path):
    """A copy of that folder to damage."""
    return shutil.copytree(whole, tmp_path / "copy")


@pytest.fixture
def mend(call, whole, folder):
    """Run again; check that the result is the same, and that nothing else was played."""

    def run_again(damaged, played):
        intact = {name: data for name, data in files(whole).items() if name not in damaged}
        said = call(*RUN, "--games", GAMES, "--out", folder)
        assert said.status == 0
        notices = said.err.splitlines()
        assert len(notices) == len(damaged)
        for name in damaged:
            assert f"playout: {folder / name} is damaged; its games are played again" in notices
        result = json.loads(said.out)
        assert (result["games"], result["played"]) == (GAMES, played)
        assert table(folder).equals(table(whole))
        after = files(folder)
        assert {name: after[name] for name in intact} == intact
        assert call(*RUN, "--games", GAMES, "--out", folder).err == ""

    return run_again


def chunk_names(folder):
    """The names of the chunks, by index."""
    return sorted(name for name in files(folder) if name.startswith("games/"))


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data[: len(data) // 2],
        lambda data: b"",
        lambda data: data + b"\0",
        lambda data: bytes([data[0] ^ 1]) + data[1:],
        lambda data: data[:-1] + bytes([data[-1] ^ 128]),
        lambda data: b"x" * len(data),
    ],
    ids=["half", "empty", "longer", "first-bit", "last-bit", "garbage"],
)
def test_a_damaged_chunk(folder, mend, damage):
    """Cut, emptied, lengthened, with one other bit."""
    name = chunk_names(folder)[3]
    (folder / name).write_bytes(damage((folder / name).read_bytes()))
    mend([name], 50)


def test_any_bit_of_a_chunk_counts(whole, folder, call):
    """A hundred random bits, one at a time: each one is noticed."""
    chunk = RunFolder(folder).chunks()[2]
    data = bytearray(chunk.path.read_bytes())
    assert chunk.intact()
    chance = random.Random(1)
    for _ in range(100):
        place, bit = chance.randrange(len(data)), 1 << chance.randrange(8)
        data[place] ^= bit
        chunk.path.write_bytes(data)
        assert not chunk.intact()
        data[place] ^= bit


def test_a_chunk_under_another_chunks_name(folder, mend):
    """Two chunks whose names were exchanged: both are noticed."""
    first, second = chunk_names(folder)[1:3]
    a, b = (folder / first).read_bytes(), (folder / second).read_bytes()
    (folder / first).write_bytes(b)
    (folder / second).write_bytes(a)
    mend([first, second], 100)


def test_a_chunk_that_was_deleted(folder, mend):
    """What is missing in the middle is played."""
    (folder / chunk_names(folder)[5]).unlink()
    mend([], 50)


def test_a_report_says_which_games_are_missing(call, folder, tmp_path):
    """The page is made, and stderr says what its numbers lack."""
    (folder / chunk_names(folder)[5]).unlink()
    said = call("report", folder, "--out", tmp_path / "page")
    assert said.status == 0
    assert said.err.startswith("playout: copy: 50 games are missing (250 to 299)")
    assert str(tmp_path / "page" / "index.html") in said.out


def test_many_damaged_chunks_are_counted(call, folder):
    """Five are named."""
    for name in chunk_names(folder):
        (folder / name).write_bytes(b"")
    lines = call(*RUN, "--games", GAMES, "--out", folder).err.splitlines()
    assert len(lines) == 6
    assert lines[-1] == "playout: … and so are 3 more files"


def test_overlapping_chunks_count_once(call, folder, whole):
    """What two runs left in one folder (a copy of a copy, say) is no doubled game."""
    said = call("run", *TIDY, "--games", GAMES, "--chunk", 80, "--out", folder.parent / "other")
    assert said.status == 0
    for path in (folder.parent / "other" / "games").iterdir():
        shutil.copy(path, folder / "games")
    spans = [(chunk.start, chunk.stop) for chunk in RunFolder(folder).chunks()]
    assert all(stop <= start for (_, stop), (start, _) in itertools.pairwise(spans))
    result = json.loads(call(*RUN, "--games", GAMES, "--out", folder).out)
    assert result["games"] == GAMES
    assert table(folder).equals(table(whole))


def test_leftovers_go_and_foreign_files_stay(folder, mend):
    """Half-written files of a killed run are deleted; a person's own files are not touched."""
    (folder / "games" / ".writing-abc").write_bytes(b"half")
    (folder / ".writing-def").write_bytes(b"half")
    (folder / "notes.txt").write_text("mine")
    (folder / "games" / "notes.parquet").write_text("mine")
    # pandas would not read that one
    mine = (folder / "games" / "notes.parquet").rename(folder / "games" / "notes.txt")
    mend([], 0)
    assert not [name for name in files(folder) if "writing" in name]
    assert mine.read_text() == (folder / "notes.txt").read_text() == "mine"


def test_a_run_killed_before_its_first_manifest(call, tmp_path):
    """Its lock and a half-written manifest do not make the folder a stranger's."""
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / ".lock").write_text("")
    (tmp_path / "a" / ".writing-abc").write_text('{"form')
    assert call(*RUN, "--games", 50, "--out", tmp_path / "a").status == 0
    assert ".writing-abc" not in files(tmp_path / "a")


# --- the manifest ---


@pytest.mark.parametrize(
    "text",
    ["", "{", "null", "[]", "3", "\0\xff", "[" * 5000, '"' + "1" * 5000, "1" * 5000, "{}",
     '{"format": 1}', '{"format": 1, "keep": "games", "games": 3, "experiment": []}'],
)  # fmt: skip
def test_a_manifest_of_garbage(call, folder, text):
    """Nothing says which games the folder holds, so it is not used and not changed."""
    (folder / "manifest.json").write_text(text, encoding="latin-1")
    before = files(folder)
    said = call(*RUN, "--games", GAMES, "--out", folder)
    check_one_sentence(said, 2, f"{folder / 'manifest.json'} is damaged", "give another folder")
    assert files(folder) == before


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (("experiment",), []),
        (("experiment", "options"), None),
        (("experiment", "options"), [1]),
        (("experiment", "strategies"), {}),
        (("experiment", "strategies"), ["tidy"]),
        (("experiment", "strategies", 0, "functions"), 3),
        (("keep",), "everything"),
        (("keep",), None),
        (("games",), "many"),
    ],
)
def test_a_manifest_of_wrong_types(call, folder, place, value):
    """The same for one whose parts are of another type."""
    manifest = json.loads((folder / "manifest.json").read_text())
    inner = manifest
    for key in place[:-1]:
        inner = inner[key]
    inner[place[-1]] = value
    (folder / "manifest.json").write_text(json.dumps(manifest))
    before = files(folder)
    said = call(*RUN, "--games", GAMES, "--out", folder)
    check_one_sentence(said, 2, "manifest.json is damaged", "give another folder")
    assert files(folder) == before


@pytest.mark.parametrize(
    ("place", "value", "words"),
    [
        (("format",), 2, "was written by another version of playout (its format is 2"),
        (("experiment", "game"), None, "its game is None, not 'shooting-party'"),
        (("experiment", "seed"), "1", "its seed is '1', not 1"),
        (("experiment", "options"), {}, "its option hand is unset, not 4"),
        (("experiment", "strategies"), [], "it has 0 seats, not 1"),
        (("experiment", "strategies", 0, "functions"), [], "the code of strategy tidy has changed"),
        (("experiment", "rules"), "0", "the code of the rules has changed since"),
    ],
)
def test_a_manifest_that_says_something_else(call, folder, place, value, words):
    """Well-formed and wrong: what differs is named."""
    manifest = json.loads((folder / "manifest.json").read_text())
    inner = manifest
    for key in place[:-1]:
        inner = inner[key]
    inner[place[-1]] = value
    (folder / "manifest.json").write_text(json.dumps(manifest))
    check_one_sentence(call(*RUN, "--games", GAMES, "--out", folder), 2, words)


def test_a_missing_manifest(call, folder):
    """Chunks alone belong to nobody."""
    (folder / "manifest.json").unlink()
    said = call(*RUN, "--games", GAMES, "--out", folder)
    check_one_sentence(said, 2, "holds other things (games) and no manifest.json")


# --- counts ---


def test_damaged_counts(call, tmp_path):
    """The counts are made anew, with a notice; an older file that is whole goes on."""
    folder = tmp_path / "a"
    result = json.loads(call(*RUN, *COUNTS, "--games", 200, "--out", folder).out)
    (older,) = folder.glob("counts-*")
    kept = older.read_bytes()
    more = json.loads(call(*RUN, *COUNTS, "--games", 300, "--out", folder).out)
    (newer,) = folder.glob("counts-*")
    newer.write_bytes(newer.read_bytes()[:-40])
    said = call(*RUN, *COUNTS, "--games", 300, "--out", folder)
    assert said.err == f"playout: {newer} is damaged; its games are played again\n"
    assert json.loads(said.out)["played"] == 300
    assert json.loads(said.out)["outcomes"] == more["outcomes"]
    # a kill between writing the new file and deleting the old one leaves both
    (newer,) = folder.glob("counts-*")
    newer.write_bytes(b"")
    older.write_bytes(kept)
    again = call(*RUN, *COUNTS, "--games", 300, "--out", folder)
    assert json.loads(again.out)["played"] == 100
    assert json.loads(again.out)["outcomes"] == more["outcomes"]
    assert result["played"] == 200
    assert len(list(folder.glob("counts-*"))) == 1
