"""However a run is cut, spread and kept, and whatever is printed, the numbers are the same."""

import csv
import io
import json
import math
from decimal import Decimal

import pytest

from sim.quantity import parse_count
from tests.cli.calls import GAME, TIDY, table

GAMES = 3000
RUN = ("run", *TIDY, "--seed", "5", "--games", str(GAMES))


def read_json(said):
    """The JSON of a run."""
    assert said.status == 0, said
    assert said.err == ""
    return json.loads(said.out)


@pytest.fixture(scope="module")
def reference():
    """The run that every other one must equal."""
    import contextlib

    import scripts.cli

    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        assert scripts.cli.call([*RUN, "--format", "json", "--jobs", "1"]) == 0
    return json.loads(text.getvalue())


@pytest.mark.parametrize(
    "settings",
    [
        ("--jobs", "2"),
        ("--jobs", "3", "--chunk", "7"),
        ("--jobs", "1", "--chunk", "1000"),
        ("--jobs", "2", "--chunk", "77_777"),
        ("--jobs", "2", "--backend", "processes"),
        ("--jobs", "1", "--backend", "processes"),
        ("--keep", "counts"),
        ("--strategy", "play=tidy"),
    ],
    ids=" ".join,
)
def test_the_same_games(call, reference, settings):
    """Jobs, chunks, backends and what is kept do not decide anything."""
    args = [word for word in RUN if word not in ("--strategy", "tidy")]
    args += settings if "--strategy" in settings else ("--strategy", "tidy", *settings)
    found = read_json(call(*args, "--format", "json"))
    timed = ("seconds", "games_per_second")
    assert [what for what in found if found[what] != reference[what] and what not in timed] == []


def test_the_same_tables(call, tmp_path):
    """Games kept one by one are the same rows, and add up to the counts that are printed."""
    cuts = [("1", "1000", "threads"), ("2", "77777", "threads"), ("2", "123", "processes")]
    results = []
    for n, (jobs, chunk, backend) in enumerate(cuts):
        args = ("--jobs", jobs, "--chunk", chunk, "--backend", backend, "--out", tmp_path / str(n))
        results.append(read_json(call(*RUN, *args, "--format", "json")))
    tables = [table(tmp_path / str(n)) for n in range(len(cuts))]
    assert all(found.equals(tables[0]) for found in tables)
    assert list(tables[0]) == ["index", "queens", "aces", "reshuffles", "decisions"]
    assert tables[0]["index"].tolist() == list(range(GAMES))
    counts = {o["outcome"]: o["count"] for o in results[0]["outcomes"]}
    best = (tables[0]["queens"] == 4) & (tables[0]["aces"] == 4)
    assert counts["filthy scoundrel"] == best.sum()
    assert counts["impecunious boor"] == (tables[0]["queens"] == 0).sum()


def test_kept_counts_are_the_counts(call, tmp_path):
    """The cells of `--keep counts` are those of the games."""
    import pandas as pd

    read_json(call(*RUN, "--out", tmp_path / "games", "--format", "json"))
    read_json(call(*RUN, "--out", tmp_path / "counts", "--keep", "counts", "--format", "json"))
    (file,) = (tmp_path / "counts").glob("counts-*")
    cells = pd.read_parquet(file).set_index(["queens", "aces"])["count"]
    games = table(tmp_path / "games").groupby(["queens", "aces"]).size()
    assert cells.to_dict() == games.to_dict()


# --- what is printed ---

OUTCOME = {
    "outcome": str, "count": int, "share": float, "low": float, "high": float, "level": float,
    "method": str,
}  # fmt: skip
JOINT = {"joint_low": float, "joint_high": float, "joint_method": str}
OPTIONS = {
    "exhaustion": "on-need", "last_draw": "lost", "reshuffles": 2, "hand": 4, "draw_limit": 5,
    "butler": 1, "rivals": True, "secretaries": True, "husbands": True,
}  # fmt: skip


def test_the_json(reference):
    """The object that the design promises, and nothing unknown beside it."""
    assert {name: type(value) for name, value in reference.items()} == {
        "game": str, "options": dict, "strategies": list, "seed": int, "games": int, "played": int,
        "seconds": float, "games_per_second": float, "complete": bool, "outcomes": list,
    }  # fmt: skip
    assert reference["game"] == GAME
    assert reference["options"] == OPTIONS
    assert reference["strategies"] == ["tidy"]
    assert (reference["seed"], reference["games"], reference["played"]) == (5, GAMES, GAMES)
    assert reference["complete"] is True
    rate = reference["played"] / reference["seconds"]
    assert math.isclose(reference["games_per_second"], rate, rel_tol=0.01)
    for outcome in reference["outcomes"]:
        assert {name: type(value) for name, value in outcome.items()} == OUTCOME | JOINT
        assert outcome["share"] == outcome["count"] / GAMES
        assert 0 <= outcome["low"] <= outcome["share"] <= outcome["high"] <= 1
        assert outcome["joint_low"] <= outcome["low"]
        assert outcome["high"] <= outcome["joint_high"]
        assert outcome["level"] == 0.95
    assert sum(outcome["count"] for outcome in reference["outcomes"]) == GAMES


def test_the_csv_is_the_json(call, reference):
    """Row for row and number for number; what it was played with is in every row."""
    rows = list(csv.DictReader(io.StringIO(call(*RUN, "--format", "csv").out)))
    assert len(rows) == len(reference["outcomes"])
    for row, outcome in zip(rows, reference["outcomes"], strict=True):
        settings = [row.pop(name) for name in ("game", "options", "strategies", "seed", "games")]
        assert settings == [GAME, "", "tidy", "5", str(GAMES)]
        assert list(row) == list(outcome)
        for name, value in outcome.items():
            assert type(value)(row[name]) == value


def test_the_csv_names_changed_options(call):
    """As they are written on the command line."""
    said = call("run", *TIDY, "--games", 10, "--option", "hand=5", "--option", "rivals=off",
                "--format", "csv")  # fmt: skip
    assert next(csv.DictReader(io.StringIO(said.out)))["options"] == "hand=5 rivals=off"


def test_the_table_is_the_json(call, reference):
    """Counts, shares and limits to the digits that are shown."""
    said = call(*RUN, "--format", "table")
    lines = said.out.splitlines()
    assert lines[0] == "The Shooting Party: tidy, 3,000 games (seed 5, rule options: all default)"
    for outcome in reference["outcomes"]:
        (line,) = [line for line in lines if line.startswith(f" {outcome['outcome']} ")]
        cells = [cell for cell in line.split("  ") if cell.strip()]
        assert int(cells[1].replace(",", "")) == outcome["count"]
        share = Decimal(cells[2].split()[0])
        last_digit = 10.0 ** share.as_tuple().exponent
        assert math.isclose(share, outcome["share"], abs_tol=0.501 * last_digit)
        low, _, high = cells[3].partition(" to ")
        assert math.isclose(float(low), outcome["joint_low"], rel_tol=0.006, abs_tol=1e-9)
        assert math.isclose(float(high), outcome["joint_high"], rel_tol=0.006)
    assert "Fixed number of games." in said.out
    assert f"Played {GAMES:,} games in " in lines[-1]


# --- numbers ---


@pytest.mark.parametrize(
    ("text", "number"),
    [("1000000", 10**6), ("1_000_000", 10**6), ("1e6", 10**6), ("1E6", 10**6), ("1e+6", 10**6),
     ("1M", 10**6), ("5M", 5 * 10**6), ("5m", 5 * 10**6), ("2.5M", 2_500_000), ("20k", 20_000),
     ("1.5e3", 1500), ("3g", 3 * 10**9), ("3B", 3 * 10**9), (" 7 ", 7), ("007", 7), ("0", 0),
     ("9223372036854775807", 2**63 - 1)],
)  # fmt: skip
def test_numbers_as_people_write_them(text, number):
    """Underscores, exponents and suffixes."""
    assert parse_count(text) == number


@pytest.mark.parametrize("text", ["1_000", "1e3", "1k", "1000", "0.001M"])
def test_numbers_on_the_command_line(call, text):
    """They reach the run, and a seed may be written so, too."""
    found = read_json(call("run", *TIDY, "--games", text, "--seed", text, "--format", "json"))
    assert (found["games"], found["seed"]) == (1000, 1000)


def test_another_seed_is_another_deal(call):
    """And the same seed the same: what is printed is only about its own seed."""
    traces = [call("trace", *TIDY, "--seed", seed, "--games", 2).out for seed in (1, 2, 1)]
    assert traces[0] == traces[2]
    assert traces[0] != traces[1]


def test_a_trace_is_the_run(call, tmp_path):
    """Games I … of a trace end as the run's rows say, wherever the trace begins."""
    read_json(call(*RUN, "--out", tmp_path / "a", "--format", "json"))
    rows = table(tmp_path / "a").set_index("index")
    said = call("trace", *TIDY, "--seed", 5, "--first", 1990, "--games", 12)
    events = [json.loads(line) for line in said.out.splitlines()]
    games = [event for event in events if event["ev"] == "game"]
    results = [event for event in events if event["ev"] == "result"]
    assert [game["index"] for game in games] == list(range(1990, 2002))
    for game, result in zip(games, results, strict=True):
        assert (game["options"], game["seats"]) == (OPTIONS, ["tidy"])
        row = rows.loc[game["index"]]
        assert (len(result["queens"]), len(result["aces"])) == (row["queens"], row["aces"])
