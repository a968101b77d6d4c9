import json
import re
from pathlib import Path

import numpy as np
import pytest

from reports.folders import notices, read_run, read_runs, report_folders
from reports.outcomes import outcome_table
from sim.errors import FolderError, UsageError
from sim.experiment import Experiment, rules_digest
from sim.run import run
from sim.store import RunFolder
from sim.tally import Tally
from tests.reports.report_pages import NASTY, RULES, files_in, rows_of

DIGEST = rules_digest(RULES)


def columns(start: int, stop: int) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(start)
    queens = rng.integers(0, 5, stop - start).astype(np.uint8)
    aces = np.minimum(queens, rng.integers(0, 5, stop - start)).astype(np.uint8)
    index = np.arange(start, stop)
    return {"index": index, "queens": queens, "aces": aces, "reshuffles": aces, "decisions": aces}


def make_folder(
    path: Path,
    *spans: tuple[int, int],
    spec: str = "tidy",
    games: int | None = None,
    keep: str = "games",
    seed: int = 1,
    **changes: object,
) -> Path:
    """A run folder with made-up games, as `run` leaves them."""
    folder = RunFolder(path)
    told = {
        "game": RULES.name,
        "options": RULES.options().as_dict(),
        "seed": seed,
        "rules": DIGEST,
        "strategies": [{"spec": spec, "functions": []}],
    }
    number = sum(b - a for a, b in spans) if games is None else games
    folder.write_manifest(
        {"experiment": {**told, **changes}, "keep": keep, "games": number, "command": "",
         "versions": {"numba": "1.2.3"}}
    )  # fmt: skip
    if keep == "games":
        for start, stop in spans:
            folder.write_chunk("games", start, stop, columns(start, stop))
    else:
        tally = Tally(RULES.tally)
        for start, stop in spans:
            tally.add(Tally.of(columns(start, stop), RULES.tally))
        folder.write_counts(tally, spans)
    return path


def chunk_of(folder: Path) -> Path:
    return next(iter(sorted((folder / "games").iterdir())))


def table_of(*spans: tuple[int, int]):
    tally = Tally(RULES.tally)
    for start, stop in spans:
        tally.add(Tally.of(columns(start, stop), RULES.tally))
    return outcome_table(tally, RULES.measures)


@pytest.mark.parametrize("keep", ["games", "counts"])
def test_a_folder_is_read_whole(tmp_path, keep):
    stored = read_run(make_folder(tmp_path / "r", (0, 400), (400, 1000), keep=keep))
    assert stored.table == table_of((0, 400), (400, 1000))
    assert stored.missing == ()
    assert notices(stored) == []
    assert stored.command() == ("playout run shooting-party --strategy tidy --seed 1 --games 1000")


def test_a_real_run_is_reported_as_it_counted(tmp_path):
    experiment = Experiment.make("shooting-party", ["tidy"], options=["hand=5"], seed=3)
    result = run(experiment, 300, out=tmp_path / "run", chunk=100)
    stored = read_run(tmp_path / "run")
    assert stored.table == outcome_table(result.tally, RULES.measures)
    assert stored.command() == experiment.command("run", "--games", "300")
    assert notices(stored) == []


def test_the_page_and_the_csv_have_the_numbers(tmp_path):
    make_folder(tmp_path / "r", (0, 700))
    written = report_folders([tmp_path / "r"], tmp_path / "out")
    assert written[-1] == tmp_path / "out" / "index.html"
    assert {path.name for path in written} == set(files_in(tmp_path / "out"))
    page = written[-1].read_text("utf-8")
    rows = rows_of((tmp_path / "out" / "run-1-outcomes.csv").read_text("utf-8"))
    outcomes = table_of((0, 700))
    assert rows == [{k: str(v) for k, v in one.items()} for one in outcomes.as_dicts()]
    assert f">{outcomes.headline.count}</span>" in page
    assert "numba 1.2.3" in page
    assert (tmp_path / "out" / "run-1-heat.svg").exists()


def test_folders_of_one_game_stand_side_by_side(tmp_path):
    make_folder(tmp_path / "a", (0, 500))
    make_folder(tmp_path / "b", (0, 500), spec="wait(k=2)")
    options = {**RULES.options().as_dict(), "hand": 5}
    make_folder(tmp_path / "c", (0, 500), options=options)
    notes: list[str] = []
    dirs = [tmp_path / name for name in "abc"]
    written = report_folders(dirs, tmp_path / "out", notes.append)
    assert notes == []
    names = [path.name for path in written]
    assert names[0] == "shooting-party-runs.svg"
    assert {f"run-{n}-outcomes.csv" for n in (1, 2, 3)} <= set(names)
    plot = written[0].read_text("utf-8")
    for label in ("tidy", "tidy [hand=5]", "wait(k=2)"):
        assert f">{label}</text>" in plot
    page = written[-1].read_text("utf-8")
    assert "--option hand=5" in page
    assert "hand=5" in page


def test_reports_are_the_same_every_time_and_name_no_place(tmp_path):
    make_folder(tmp_path / "deep" / "er" / "r", (0, 200))
    for name in ("one", "two"):
        report_folders([tmp_path / "deep" / "er" / "r"], tmp_path / name)
    assert files_in(tmp_path / "one") == files_in(tmp_path / "two")
    page = (tmp_path / "one" / "index.html").read_text("utf-8")
    assert str(tmp_path) not in page
    assert "deep" not in page


def test_missing_games_are_told(tmp_path):
    make_folder(tmp_path / "r", (0, 100), (300, 400), games=1000)
    notes: list[str] = []
    report_folders([tmp_path / "r"], tmp_path / "out", notes.append)
    assert len(notes) == 1
    assert "800 games are missing (100 to 299, 400 to 999)" in notes[0]
    assert notes[0] in (tmp_path / "out" / "index.html").read_text("utf-8")


def test_more_games_than_the_manifest_says_are_counted(tmp_path):
    # a killed run: the manifest was written at the start
    stored = read_run(make_folder(tmp_path / "r", (0, 100), (100, 200), games=0))
    assert stored.table.games == 200
    assert stored.missing == ()


def test_overlapping_chunks_count_once(tmp_path):
    stored = read_run(make_folder(tmp_path / "r", (0, 100), (50, 150), (100, 200), games=200))
    assert stored.table == table_of((0, 100), (100, 200))


def test_other_rules_are_told(tmp_path):
    stored = read_run(make_folder(tmp_path / "r", (0, 100), rules="f" * 64))
    assert any("other code of the rules" in note for note in notices(stored))


def test_folders_of_one_name_are_told_apart(tmp_path):
    first = make_folder(tmp_path / "a" / "run", (0, 100))
    second = make_folder(tmp_path / "b" / "run", (0, 100), seed=2)
    assert [one.name for one in read_runs([first, second, first])] == ["run", "run (2)"]


def test_names_from_a_manifest_are_only_text(tmp_path):
    spec = NASTY.replace("\x00", "").replace("\x1b", "")
    make_folder(tmp_path / "r", (0, 100), spec=spec)
    report_folders([tmp_path / "r"], tmp_path / "out")
    page = (tmp_path / "out" / "index.html").read_text("utf-8")
    assert page.count("<script") == 1
    assert "&lt;script&gt;alert(1)" in page


# --- what cannot be trusted is refused in one sentence, and nothing is written --------------------


def damage(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def no_manifest(path: Path) -> None:
    (path / "manifest.json").unlink()


def broken_manifest(path: Path) -> None:
    (path / "manifest.json").write_text("{")


def damaged_chunk(path: Path) -> None:
    damage(chunk_of(path))


def foreign_chunk(path: Path) -> None:
    folder = RunFolder(path)
    folder.write_chunk("games", 100, 200, {"something": np.arange(100)})


def no_games(path: Path) -> None:
    for chunk in (path / "games").iterdir():
        chunk.unlink()


def edited(**changes: object):
    def edit(path: Path) -> None:
        manifest = json.loads((path / "manifest.json").read_text())
        manifest["experiment"].update(changes)
        (path / "manifest.json").write_text(json.dumps(manifest))

    return edit


def unknown_keep(path: Path) -> None:
    manifest = json.loads((path / "manifest.json").read_text())
    manifest["keep"] = "everything"
    (path / "manifest.json").write_text(json.dumps(manifest))


TROUBLES = [
    (no_manifest, "no manifest.json"),
    (broken_manifest, "is damaged"),
    (damaged_chunk, "is damaged"),
    (foreign_chunk, "cannot be read as those of shooting-party"),
    (no_games, "no finished games"),
    (unknown_keep, "is damaged|'everything'"),
    (edited(game="bridge"), "there is no game 'bridge'"),
    (edited(options={"hand": 99}), "hand='99' is not allowed"),
    (edited(options={"wind": 1}), "no option 'wind'"),
    (edited(options=3), "is damaged|does not describe a run"),
    (edited(strategies=[{}]), "is damaged|does not describe a run"),
    (edited(strategies=[]), "names no strategy"),
    (edited(seed="x"), "does not describe a run"),
]


@pytest.mark.parametrize(("spoil", "sentence"), TROUBLES)
def test_what_cannot_be_trusted_is_refused(tmp_path, spoil, sentence):
    good = make_folder(tmp_path / "good", (0, 100))
    bad = make_folder(tmp_path / "bad", (0, 100))
    spoil(bad)
    before = {path: path.read_bytes() for path in bad.rglob("*") if path.is_file()}
    with pytest.raises(FolderError) as caught:
        report_folders([good, bad], tmp_path / "out")
    message = str(caught.value)
    assert re.search(sentence, message)
    assert "bad" in message
    assert "\n" not in message
    assert not (tmp_path / "out").exists()
    assert {p: p.read_bytes() for p in bad.rglob("*") if p.is_file()} == before


def test_damaged_counts_are_refused(tmp_path):
    path = make_folder(tmp_path / "r", (0, 100), keep="counts")
    damage(next(path.glob("counts-*")))
    with pytest.raises(FolderError, match="is damaged"):
        read_run(path)


def test_what_is_no_folder_is_refused(tmp_path):
    (tmp_path / "file").write_text("")
    for path in (tmp_path / "file", tmp_path / "nothing"):
        with pytest.raises(FolderError):
            read_run(path)
    with pytest.raises(UsageError, match="no run folder"):
        report_folders([], tmp_path / "out")
