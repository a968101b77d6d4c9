"""Kill -9 at random moments: the same command goes on, and nothing tells that it was killed.

Half of the victims die after a random time, half before a random step of their writing: making,
filling, renaming or deleting a file. More than fifty in all; seeds are fixed.
"""

import json
import random
from dataclasses import replace
from functools import partial

import pytest

from reports.folders import read_run
from sim.manifests import is_whole
from sim.store import CHUNK_NAME, COUNTS_NAME, TEMPORARY, RunFolder, tables_of
from tests.cli.calls import TIDY, files, table
from tests.faults.killing import Moment, kill, wait_for_workers

PRESIDENT = ("president", "--strategy", "lowest", "--option", "rounds=4")
ENDLESS = ("--games", "1e9", "--jobs", "2")
TABLES = {"shooting-party": ("games",), "president": ("rounds", "games")}


def check_what_is_left(folder):
    """After a kill: whole files under their checksums, unfinished ones under temporary names."""
    for path in folder.rglob("*"):
        if path.is_dir() or path.name == ".lock" or path.name.startswith(TEMPORARY):
            continue
        if path.name == "manifest.json":
            assert is_whole(json.loads(path.read_bytes()))
        else:
            assert CHUNK_NAME.match(path.name) or COUNTS_NAME.match(path.name), path
    run = RunFolder(folder)
    for name in ("games", "rounds"):
        assert all(chunk.intact() for chunk in run.chunks(name))
    # games that count have their rounds
    if (folder / "rounds").exists():
        spans = [{(c.start, c.stop) for c in run.chunks(name)} for name in ("games", "rounds")]
        assert spans[0] <= spans[1]


def results(folder):
    """The files with results in a run folder."""
    return [*folder.glob("games/0*"), *folder.glob("counts-*")]


def has_grown(folder, before):
    """Whether there are results that were not there before."""
    return not before.issuperset(results(folder))


def games_in(folder):
    """The largest index of a game in a folder, and one; the number of games."""
    if not (folder / "manifest.json").exists():
        return 0, 0
    try:
        stored = read_run(folder)
    except Exception:
        return 0, 0
    missing = sum(stop - start for start, stop in stored.missing)
    return stored.tally.games + missing, stored.tally.games


def finish(call, folder, args, games):
    """Let a killed run end at so many games: it is what a run without kills comes to."""
    told = []
    whole = folder.with_name("whole")
    for out in (folder, whole):
        said = call("run", *args, "--games", games, "--out", out, "--format", "json")
        assert said.status == 0
        assert said.err == ""  # nothing was damaged
        told.append(json.loads(said.out))
    assert told[0]["games"] == told[1]["games"] == games
    assert told[0]["outcomes"] == told[1]["outcomes"]
    assert read_run(folder).tally == read_run(whole).tally
    assert read_run(folder).missing == ()
    if "counts" in args:
        assert len(list(folder.glob("counts-*"))) == 1
    else:
        for name in TABLES[args[0]]:
            assert table(folder, name).equals(table(whole, name))
    assert not [name for name in files(folder) if TEMPORARY in name]
    assert call("reproduce", folder).status == 0
    return told[0]["played"]


@pytest.mark.parametrize(
    ("kills", "longest", "args"),
    [
        (10, 0.6, (*TIDY, "--chunk", "300")),
        (10, 0.6, (*TIDY, "--chunk", "300", "--keep", "counts")),
        (3, 0.3, (*TIDY, "--chunk", "300", "--backend", "processes")),
        (2, 0.3, (*TIDY, "--chunk", "300", "--backend", "processes", "--keep", "counts")),
    ],
    ids=["threads", "threads-counts", "processes", "processes-counts"],
)
def test_a_run_killed_after_a_while(call, tmp_path, kills, longest, args):
    """What was saved stays, kill after kill."""
    folder, chance = tmp_path / "a", random.Random(longest * kills)
    before = 0
    for n in range(kills):
        moment = Moment(seconds=chance.uniform(0.05, longest))
        alone = False
        if "processes" in args:  # which take long to begin
            moment = replace(moment, once=partial(has_grown, folder, set(results(folder))))
            alone = n == 1  # then its workers must follow it
        assert kill(moment, folder, "run", *args, *ENDLESS, "--out", folder, group=not alone)
        if alone:
            wait_for_workers(folder)
        check_what_is_left(folder)
        now = games_in(folder)[1]
        assert now >= before
        before = now
    last, kept = games_in(folder)
    assert kept > 0
    assert finish(call, folder, args, last + 500) == last + 500 - kept


@pytest.mark.parametrize("keep", ["games", "counts"])
@pytest.mark.parametrize("args", [TIDY, PRESIDENT], ids=["one-table", "two-tables"])
def test_a_run_killed_while_it_writes(call, tmp_path, args, keep):
    """Before any step: the lock, the manifest, rounds, games, counts, what is deleted after."""
    folder, chance = tmp_path / "a", random.Random(f"{args[0]} {keep}")
    args = (*args, "--keep", keep)
    command = ("run", *args, "--games", "600", "--chunk", "40", "--jobs", "2", "--out", folder)
    steps, kills = {"games": 45, "counts": 16}[keep], 0
    while kills < 8 and kill(Moment(step=chance.randint(1, steps)), folder, *command):
        kills += 1
        check_what_is_left(folder)
    assert kills >= 4
    finish(call, folder, args, 600)


def made(call, tmp_path):
    """A finished run folder with rounds."""
    folder = tmp_path / "run"
    said = call("run", *PRESIDENT, "--games", 300, "--chunk", 100, "--out", folder)
    assert said.status == 0
    return folder


def kill_a_writer(call, tmp_path, args, moments):
    """Kill a command that fills a folder; each file is old, new or absent, never half."""
    out, whole = tmp_path / "out", tmp_path / "all"
    assert call(*args, "--out", whole).status == 0
    wanted = files(whole)
    killed = 0
    for moment in moments:
        killed += kill(moment, out, *args, "--out", out)
        left = files(out) if out.exists() else {}
        for name, data in left.items():
            assert name.startswith(TEMPORARY) or data == wanted[name], name
    assert call(*args, "--out", out).status == 0
    assert files(out) == wanted
    return killed


def test_a_report_that_is_killed(call, tmp_path):
    """The run folder stays as it is, and the next report is whole and leaves nothing else."""
    run, chance = made(call, tmp_path), random.Random(3)
    before = files(run)
    moments = [Moment(step=chance.randint(1, 40)) for _ in range(5)]
    moments += [Moment(seconds=chance.uniform(0.05, 0.6)) for _ in range(4)]
    assert kill_a_writer(call, tmp_path, ("report", run), moments) >= 5
    assert files(run) == before


def test_a_sweep_that_is_killed(call, tmp_path):
    """Its table, its Parquet file and its picture appear whole or not at all."""
    chance = random.Random(4)
    args = ("sweep", *TIDY, "--vary", "hand=3,4", "--vary", "rivals=on,off", "--games", "400")
    moments = [Moment(step=chance.randint(1, 14)) for _ in range(5)]
    moments += [Moment(seconds=chance.uniform(0.02, 0.2)) for _ in range(3)]
    assert kill_a_writer(call, tmp_path, args, moments) >= 5


def test_a_reproduction_that_is_killed(call, tmp_path):
    """It only reads: nothing in the folder changes."""
    run, chance = made(call, tmp_path), random.Random(5)
    before = files(run)
    for _ in range(3):
        kill(Moment(step=chance.randint(1, 8)), run, "reproduce", run)
        assert files(run) == before
    assert call("reproduce", run).status == 0


def test_tables_are_what_the_games_have():
    """The test's own list of tables."""
    import sim.games

    assert {game: tables_of(sim.games.load(game)) for game in TABLES} == TABLES
