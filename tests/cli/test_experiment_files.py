"""`playout run FILE.toml`: the same as the options, and what it refuses."""

import json

import pytest

import sim.games
from scripts.experiment_files import ExperimentFile, StudyFile, load
from tests.cli.calls import GAME, ROOT, check_one_sentence

FILES = sorted((ROOT / "seeds" / "experiments").glob("*.toml"))
TEXT = """title = "mine"
game = "shooting-party"
strategies = ["tidy"]
seed = 3
games = 400
keep = "counts"

[options]
hand = 5
rivals = false
"""


@pytest.fixture
def file(tmp_path):
    """file(text) -> its path."""

    def make(text):
        path = tmp_path / "mine.toml"
        path.write_text(text)
        return path

    return make


def test_a_file_is_the_same_as_its_options(call, file, tmp_path):
    """Options, seed, games, and what is kept."""
    by_file = call("run", file(TEXT), "--out", tmp_path / "a", "--format", "json")
    by_hand = call("run", GAME, "--strategy", "tidy", "--seed", 3, "--games", 400, "--option",
                   "hand=5", "--option", "rivals=off", "--format", "json")  # fmt: skip
    found, wanted = (json.loads(said.out) for said in (by_file, by_hand))
    assert found["outcomes"] == wanted["outcomes"]
    assert found["options"] == wanted["options"]
    assert (found["games"], found["seed"]) == (400, 3)
    assert json.loads((tmp_path / "a" / "manifest.json").read_text())["keep"] == "counts"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_file_that_comes_along_is_read(path):
    loaded = load(path)
    assert loaded.title
    assert isinstance(loaded, ExperimentFile | StudyFile)


def test_every_game_has_a_study_file():
    """Its published figures come from there."""
    studies = [loaded.study for loaded in map(load, FILES) if isinstance(loaded, StudyFile)]
    assert sorted(studies) == sim.games.names()


def test_a_study_writes_its_page(call, file, tmp_path):
    text = 'study = "shooting-party"\nscale = 0.00001\n'
    said = call("run", file(text), "--out", tmp_path / "page")
    assert said.status == 0, said.err
    assert (tmp_path / "page" / "index.html").exists()
    assert "index.html" in said.out


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("", ["game is missing"]),
        ("game = 1\n", ["strategies is missing"]),
        (TEXT.replace('"tidy"', "1"), ["strategies is a list of texts"]),
        (TEXT.replace('["tidy"]', '"tidy"'), ["strategies is a list of texts"]),
        (TEXT.replace("tidy", "tdy"), ["no strategy 'tdy'"]),
        (TEXT.replace("shooting-party", "whist"), ["no game 'whist'"]),
        (TEXT.replace("games = 400", "games = 0"), ["games 0 is not allowed"]),
        (TEXT.replace("games = 400", 'games = "400"'), ["games '400' is not allowed"]),
        (TEXT.replace("seed = 3", "seed = -1"), ["seed -1 is not allowed"]),
        (TEXT.replace("counts", "all"), ["keep 'all' is not allowed", "games"]),
        (TEXT.replace("hand = 5", "hand = 9"), ["option hand='9' is not allowed"]),
        (TEXT.replace("hand", "hnd"), ["no option 'hnd'"]),
        (TEXT.replace("title", "titel"), ["'titel' is not known here"]),
        (TEXT + "[x\n", ["cannot be read"]),
        ('study = "whist"\n', ["no study of 'whist'"]),
        ('study = "president"\nscale = 0\n', ["scale 0 is not allowed"]),
        ('study = "president"\ngames = 5\n', ["'games' is not known here"]),
    ],
)
def test_what_is_refused(call, file, text, parts):
    said = call("run", file(text))
    check_one_sentence(said, 2, "mine.toml", *parts)


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("--strategy", "tidy"), "is given with --strategy, but the file says that itself"),
        (("--games", "5"), "is given with --games, but"),
        (("--seed", "5"), "is given with --seed, but"),
        (("--option", "hand=5"), "is given with --option, but"),
        (("--keep", "games"), "is given with --keep, but"),
    ],
)
def test_what_the_file_says_is_not_said_twice(call, file, args, words):
    check_one_sentence(call("run", file(TEXT), *args), 2, words)


def test_a_study_has_no_format(call, file):
    said = call("run", file('study = "shooting-party"\n'), "--format", "json")
    check_one_sentence(said, 2, "--format", "the file names a study")


def test_files_that_are_not_there(call, tmp_path):
    check_one_sentence(call("run", tmp_path / "no.toml"), 2, "does not exist")
    (tmp_path / "dir.toml").mkdir()
    check_one_sentence(call("run", tmp_path / "dir.toml"), 2, "is no file")
    (tmp_path / "big.toml").write_text("#" * 200_000)
    check_one_sentence(call("run", tmp_path / "big.toml"), 2, "larger than 100,000 bytes")
