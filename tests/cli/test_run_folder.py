"""A run folder: it goes on, it grows, and it refuses what does not belong to it."""

import ctypes
import json
import os
import resource

import pytest

from sim.experiment import Experiment
from sim.run import run
from sim.store import RunFolder
from tests.cli.calls import GAME, TIDY, check_one_sentence, files, spawn, table, usual_signals

RUN = ("run", *TIDY, "--chunk", "50", "--format", "json")


@pytest.fixture
def play(call):
    """A run's JSON: play("--games", 100, "--out", folder)."""

    def make_call(*args):
        said = call(*RUN, *args)
        assert said.status == 0, said
        return json.loads(said.out)

    return make_call


def same_outcomes(a, b):
    """Whether two runs came to the same counts."""
    return (a["games"], a["outcomes"]) == (b["games"], b["outcomes"])


# --- going on ---


@pytest.mark.parametrize("keep", ["games", "counts"])
def test_more_games_play_only_the_new_ones(play, tmp_path, keep):
    """200, then 430: 230 are played, and the result is that of 430 at once."""
    keeping = ("--keep", keep)
    first = play("--games", 200, "--out", tmp_path / "a", *keeping)
    more = play("--games", 430, "--out", tmp_path / "a", *keeping)
    again = play("--games", 430, "--out", tmp_path / "a", *keeping)
    whole = play("--games", 430, "--out", tmp_path / "b", *keeping)
    assert [r["played"] for r in (first, more, again, whole)] == [200, 230, 0, 430]
    assert same_outcomes(more, whole)
    assert same_outcomes(again, whole)
    manifest = json.loads((tmp_path / "a" / "manifest.json").read_text())
    assert manifest["games"] == 430
    if keep == "games":
        assert table(tmp_path / "a").equals(table(tmp_path / "b"))


def test_fewer_games_than_there_are(play, tmp_path):
    """They are counted out of the stored ones, and none is lost."""
    play("--games", 200, "--out", tmp_path / "a")
    fewer = play("--games", 120, "--out", tmp_path / "a")
    assert fewer["played"] == 0
    assert same_outcomes(fewer, play("--games", 120))
    assert len(table(tmp_path / "a")) == 200
    assert json.loads((tmp_path / "a" / "manifest.json").read_text())["games"] == 200


def test_fewer_games_than_were_counted_together(play, call, tmp_path):
    """Counts cannot be taken apart: that is said."""
    play("--games", 200, "--out", tmp_path / "a", "--keep", "counts")
    before = files(tmp_path / "a")
    said = call(*RUN, "--games", 120, "--out", tmp_path / "a", "--keep", "counts")
    check_one_sentence(said, 2, "counts 200 games together", "ask for at least 200 games")
    assert files(tmp_path / "a") == before


def test_counts_stay_small(play, tmp_path):
    """One file, whose size does not follow the games."""
    sizes = []
    for games in (1000, 5000):
        play("--games", games, "--out", tmp_path / "a", "--keep", "counts")
        (file,) = (tmp_path / "a").glob("counts-*")
        sizes.append(file.stat().st_size)
    assert sizes[1] < 1.2 * sizes[0]
    assert not (tmp_path / "a" / "games").exists()


def test_the_manifest_holds_the_command(play, call, tmp_path):
    """Its command plays the same games again."""
    play("--games", 100, "--option", "hand=5", "--seed", 9, "--out", tmp_path / "a")
    command = json.loads((tmp_path / "a" / "manifest.json").read_text())["command"].split()
    said = call(*command[1:], "--out", tmp_path / "a", "--format", "json")
    assert [json.loads(said.out)[key] for key in ("games", "played", "seed")] == [100, 0, 9]


def test_another_path_to_the_same_strategy_goes_on(call, tmp_path, monkeypatch):
    """The code decides, not the name of the file; a stranger's folder does not matter."""
    text = "from strategies.shooting_party import tidy\n"
    (tmp_path / "mine.py").write_text(text)
    (tmp_path / "copy.py").write_text(text)
    monkeypatch.chdir(tmp_path)
    played = []
    for file in ("mine.py", tmp_path / "mine.py", "copy.py"):
        said = call("run", GAME, "--strategy", f"{file}:tidy", "--games", 60, "--out", "a",
                    "--format", "json")  # fmt: skip
        played.append(json.loads(said.out)["played"])
    assert played == [60, 0, 0]


# --- refusing ---


def refuse(call, folder, args, *parts):
    """The call is refused, and the folder stays as it was."""
    before = files(folder)
    check_one_sentence(call("run", *args, "--games", 100, "--out", folder), 2, *parts)
    assert files(folder) == before


def test_a_folder_of_another_experiment(play, call, tmp_path):
    """What differs is named: seed, option, strategy, keep; all of them at once."""
    folder = tmp_path / "a"
    play("--games", 100, "--out", folder)
    refuse(
        call, folder, (*TIDY, "--seed", 2), "belongs to another experiment: its seed is 1, not 2"
    )
    refuse(call, folder, (*TIDY, "--option", "hand=5"), "its option hand is 4, not 5")
    refuse(call, folder, (*TIDY, "--option", "rivals=off"), "its option rivals is on, not off")
    refuse(call, folder, (GAME, "--strategy", "random"),
           "its strategy of seat 0 is tidy, not random. Give another folder")  # fmt: skip
    refuse(call, folder, (GAME, "--strategy", "random", "--seed", 3, "--option", "hand=5"),
           "seed is 1, not 3; its option hand is 4, not 5; its strategy of seat 0")  # fmt: skip
    refuse(call, folder, (*TIDY, "--keep", "counts"), "was begun with --keep games")


def test_a_strategy_whose_code_has_changed(call, tmp_path):
    """The file, or a helper that it imports."""
    head = "from sim.rulesets.shooting_party.legal import nth_legal\n"
    (tmp_path / "helper.py").write_text("ZERO = 0\n")
    mine = tmp_path / "mine.py"
    mine.write_text(f"{head}from helper import ZERO\ndef f(v, c): return nth_legal(v, ZERO)\n")
    args = (GAME, "--strategy", f"{mine}:f")
    assert call("run", *args, "--games", 50, "--out", tmp_path / "a").status == 0
    changed = f"the code of strategy {mine}:f has changed since"
    (tmp_path / "helper.py").write_text("ZERO = 1\n")
    refuse(call, tmp_path / "a", args, changed)
    (tmp_path / "helper.py").write_text("# the same\nZERO = 0\n")
    mine.write_text(f"{head}def f(v, c): return nth_legal(v, 0) + 0 * v.hand_size\n")
    refuse(call, tmp_path / "a", args, changed)


def test_changed_code_may_only_be_another_python(play, call, tmp_path):
    """Another Python compiles the same source to other code; the message says so."""
    play("--games", 100, "--out", tmp_path / "a")
    path = tmp_path / "a" / "manifest.json"
    manifest = json.loads(path.read_text())
    manifest["versions"]["python"] = "3.9.1"
    manifest["experiment"]["strategies"][0]["functions"][0]["digest"] = "0"
    path.write_text(json.dumps(manifest))
    refuse(call, tmp_path / "a", TIDY, "the code of strategy tidy has changed since, or only looks "
           "so because Python was 3.9.1")  # fmt: skip


def test_a_folder_of_other_things(call, tmp_path):
    """Foreign files are not touched; a file is no folder; nor is a name below a file."""
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "thesis.txt").write_text("years of work")
    refuse(call, tmp_path / "a", TIDY, "holds other things (thesis.txt) and no manifest.json")
    file = tmp_path / "file"
    file.write_text("")
    for out, words in {
        file: "is a file; give a folder for the results",
        file / "deeper": "cannot be written",
        "": "the folder for the results has no name",
        "/proc/none": "/proc/none cannot be",
        tmp_path / ("x" * 300): "File name too long",
    }.items():
        said = call("run", *TIDY, "--games", 20, "--out", out)
        check_one_sentence(said, 2, words)
    assert set(files(tmp_path)) == {"a/thesis.txt", "file"}


def without_rights_of_root():
    """Give up root's right to write everywhere (nothing happens to others)."""
    for capability in (1, 2):  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH
        ctypes.CDLL(None).prctl(24, capability, 0, 0, 0)  # PR_CAPBSET_DROP


def test_a_folder_that_may_not_be_written(play, tmp_path):
    """Read-only, new or begun, and one that may not even be read."""
    play("--games", 50, "--out", tmp_path / "begun")
    (tmp_path / "empty").mkdir()
    for folder, mode in (("begun", 0o555), ("empty", 0o555), ("empty", 0o000)):
        os.chmod(tmp_path / folder, mode)
        said = spawn("run", *TIDY, "--games", 60, "--out", folder, cwd=tmp_path,
                     preexec_fn=without_rights_of_root)  # fmt: skip
        os.chmod(tmp_path / folder, 0o755)
        check_one_sentence(said, 2, f"{folder} cannot be ")
    assert len(table(tmp_path / "begun")) == 50


def test_two_runs_in_one_folder(play, call, tmp_path):
    """The second is told to wait."""
    play("--games", 50, "--out", tmp_path / "a")
    with RunFolder(tmp_path / "a").lock():
        said = call(*RUN, "--games", 60, "--out", tmp_path / "a")
    check_one_sentence(said, 2, "another run is writing to ", "a; wait for it")
    assert play("--games", 60, "--out", tmp_path / "a")["played"] == 10


def test_a_run_that_was_a_moment_quicker(call, tmp_path, monkeypatch):
    """Between looking at a new folder and locking it, another experiment began there."""
    lock, done = RunFolder.lock, []

    def lock_late(folder):
        if not done:
            done.append(folder)
            run(Experiment.make(GAME, ["tidy"], seed=77), 20, out=tmp_path / "a")
        return lock(folder)

    monkeypatch.setattr(RunFolder, "lock", lock_late)
    said = call("run", *TIDY, "--games", 20, "--out", tmp_path / "a")
    check_one_sentence(said, 2, "belongs to another experiment: its seed is 77, not 1")


# --- a full disk ---


def run_with_largest_file(size, *args):
    """A call that can let no file grow beyond so many bytes, as on a full disk."""

    def limited():
        usual_signals()
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    return spawn(*args, preexec_fn=limited)


@pytest.mark.parametrize("backend", ["threads", "processes"])
def test_a_full_disk(play, call, tmp_path, backend):
    """Status 1 and one sentence; then the same command goes on and ends as if nothing was."""
    folder = tmp_path / "a"
    started = play("--games", 200, "--out", folder)
    args = ("run", *TIDY, "--games", 6000, "--chunk", 5800, "--out", folder, "--jobs", 2)
    largest = max(path.stat().st_size for path in folder.rglob("*.*") if path.is_file())
    said = run_with_largest_file(largest, *args, "--backend", backend)
    check_one_sentence(said, 1, "cannot be written: File too large", "the same command goes on")
    assert not [name for name in files(folder) if "writing" in name]
    done = call(*args, "--format", "json")
    assert started["played"] + json.loads(done.out)["played"] == 6000
    assert table(folder)["index"].tolist() == list(range(6000))
    assert same_outcomes(json.loads(done.out), play("--games", 6000))


def test_a_full_disk_at_the_first_file(play, tmp_path):
    """Not even the manifest could be written; then it goes on from there."""
    said = run_with_largest_file(600, "run", *TIDY, "--games", 100, "--out", tmp_path / "a")
    check_one_sentence(said, 1, "manifest.json cannot be written")
    assert play("--games", 100, "--out", tmp_path / "a")["played"] == 100


def test_no_place_for_what_is_printed():
    """A full disk behind stdout is one sentence, too; a closed one is nobody's fault."""
    with open("/dev/full", "w") as full:
        said = spawn("run", *TIDY, "--games", 10, stdout=full)
    check_one_sentence(said, 1, "output: No space left on device")
    said = spawn("games", stdout=None, preexec_fn=lambda: os.close(1))
    assert (said.status, said.err) == (0, "")
