"""`playout sweep`: the grid, its files, and what it refuses."""

import csv
import io
import json

import pandas as pd
import pytest

import sim.games
from sim.sweep import Sweep
from tests.cli.calls import GAME

TIDY = ("sweep", GAME, "--strategy", "tidy")
GRID = (*TIDY, "--vary", "exhaustion=on-need,at-once", "--vary", "hand=3,4,5", "--games", "300")
PRESIDENT = ("sweep", "president", "--strategy", "lowest", "--option", "rounds=5")


@pytest.fixture
def sweep(call):
    """The JSON of a sweep, without its time."""

    def make_call(*args):
        said = call(*args, "--format", "json")
        assert said.status == 0, said
        found = json.loads(said.out)
        assert found.pop("seconds") > 0
        return found

    return make_call


def test_each_setting_counts_as_run_does(call, sweep):
    """The mean of the headline is the share that `run` prints."""
    rows = [row for row in sweep(*GRID)["rows"] if row["score"] == "filthy scoundrel"]
    assert [(row["option_exhaustion"], row["option_hand"]) for row in rows] == [
        (e, h) for e in ("on-need", "at-once") for h in ("3", "4", "5")
    ]
    last = json.loads(
        call("run", GAME, "--strategy", "tidy", "--games", "300", "--option", "exhaustion=at-once",
             "--option", "hand=5", "--format", "json").out
    )  # fmt: skip
    assert rows[-1]["value"] == last["outcomes"][0]["share"]
    assert rows[0]["change"] is None
    assert rows[-1]["change"] == pytest.approx(rows[-1]["value"] - rows[0]["value"])


@pytest.mark.parametrize(
    "args", [GRID, (*PRESIDENT, "--vary", "lead=rotate,rank4", "--games", "70")]
)
def test_the_same_with_any_number_of_workers(sweep, args):
    assert sweep(*args, "--jobs", "1") == sweep(*args, "--jobs", "3")


def test_all_formats_say_the_same(call, sweep, tmp_path):
    """JSON, CSV and Parquet hold the same rows; the table shows them."""
    found = sweep(*GRID)["rows"]
    rows = list(csv.DictReader(io.StringIO(call(*GRID, "--format", "csv").out)))
    said = call(*GRID, "--out", tmp_path / "out")
    frame = pd.read_parquet(tmp_path / "out" / "sweep.parquet")
    assert len(rows) == len(frame) == len(found) == 6 * 4
    for row, stored, told in zip(rows, frame.to_dict("records"), found, strict=True):
        assert float(row["value"]) == stored["value"] == told["value"]
        assert row["option_hand"] == stored["option_hand"] == told["option_hand"]
    assert (tmp_path / "out" / "sweep.csv").read_text() == call(*GRID, "--format", "csv").out
    assert "exhaustion" in said.out
    assert "300 games each on the same deals, seed 1" in said.out
    assert len(said.err.splitlines()) == 3


def test_the_heat_map(call, tmp_path):
    """With two things that vary; none with one or three."""
    call(*GRID, "--out", tmp_path / "two")
    picture = (tmp_path / "two" / "sweep.svg").read_text()
    assert "filthy scoundrel" in picture
    assert "at-once" in picture
    one = (*TIDY, "--vary", "hand=3,4", "--games", "50", "--out", tmp_path / "one")
    assert call(*one).status == 0
    assert not (tmp_path / "one" / "sweep.svg").exists()
    call(*one[:-1], tmp_path / "both", "--strategy", "random")
    assert (tmp_path / "both" / "sweep.svg").exists()


def test_a_target_orders_and_judges(call, sweep):
    """The nearest first; a hit only with the interval inside."""
    args = (*PRESIDENT, "--vary", "exchange=none,2/1,6/6", "--games", "400")
    plain = {r["option_exchange"]: r for r in sweep(*args)["rows"] if r["score"] == "escape time"}
    middle = plain["2/1"]["value"]
    target = f"escape time={middle:.3f}±0.15"
    rows = [r for r in sweep(*args, "--target", target)["rows"] if r["score"] == "escape time"]
    verdicts = {row["option_exchange"]: row["verdict"] for row in rows}
    assert verdicts["2/1"] == "hit"
    assert verdicts["none"] == "miss"
    table = call(*args, "--target", target).out.splitlines()
    first = next(line for line in table if line.strip().startswith(("none", "2/1", "6/6")))
    assert first.split()[0] == "2/1"
    assert "Target: escape time within" in "".join(table)


def test_values_with_commas_are_parted_by_semicolons(sweep):
    found = sweep(*PRESIDENT, "--vary", "wild=2;2,3;none", "--games", "20")
    assert list(dict.fromkeys(row["option_wild"] for row in found["rows"])) == ["2", "2,3", "none"]
    assert "--vary 'wild=2;2,3;none'" in found["command"]


def test_one_round_has_no_moves(call):
    """What cannot be is undefined, not 0."""
    said = call(*PRESIDENT[:-1], "rounds=1", "--vary", "lead=rotate,rank4", "--games", "20")
    assert said.status == 0
    assert "undefined" in said.out


def test_one_round_beside_two(sweep):
    """Only the setting of one round lacks moves."""
    found = sweep(*PRESIDENT[:-1], "jokers=0", "--vary", "rounds=1,2", "--games", "20")
    values = {
        row["option_rounds"]: row["value"] for row in found["rows"] if row["score"] == "prais"
    }
    assert values["1"] is None
    assert 0 < values["2"] < 4 / 3


def test_equal_players_without_exchange_move_as_if_at_random(sweep):
    """A random lead and no exchange: a Janitor stays with chance 1/4, in each of two settings.

    At a level of 99.99 % this fails by chance less than once in 10,000.
    """
    found = sweep(*PRESIDENT, "--option", "lead=random", "--vary", "pass_locks=on,off",
                  "--option", "exchange=none", "--games", "3000", "--level", "0.9999")  # fmt: skip
    for row in found["rows"]:
        if row["score"] in ("janitor stays", "president stays"):
            assert row["low"] < 0.25 < row["high"], row


@pytest.mark.parametrize("game", sim.games.names())
def test_every_game_has_traits(game):
    """What `sweep` shows, with a meaning and a unit, under the default rules."""
    rules = sim.games.load(game)
    name = next(n for n, spec in rules.options.specs().items() if len(spec.examples) > 1)
    values = list(map(str, rules.options.specs()[name].examples))[:2]
    values = [{"True": "on", "False": "off"}.get(value, value) for value in values]
    grid = Sweep.make(game, [rules.yardsticks[-1]], {name: values})
    assert rules.traits
    assert all(trait.meaning and trait.unit for trait in rules.traits)
    assert grid.play(0, 10).shape == (len(rules.traits), 2, 10)


@pytest.mark.parametrize(
    ("args", "parts"),
    [
        (("--vary", "hands=3,4"), ["no option 'hands'", "hand"]),
        (("--vary", "hand=3,9"), ["option hand='9' is not allowed", "from 1 to 7"]),
        (("--vary", "hand"), ["--vary 'hand' is not of the form"]),
        (("--vary", "hand=3,,4"), ["is not of the form"]),
        (("--vary", "hand=3,3"), ["a value is given twice"]),
        (("--vary", "hand=3"), ["a sweep has 2 to 200 settings, not 1"]),
        (("--vary", "hand=3,4", "--vary", "hand=5"), ["--vary hand is given twice"]),
        (("--vary", "hand=3,4", "--option", "hand=5"), ["given by --option and varied"]),
        (("--vary", "hand=3,4", "--score", "x"), ["no score 'x'", "queens"]),
        (("--vary", "hand=3,4", "--target", "x=1±1"), ["the scores are", "queens"]),
        (("--vary", "hand=3,4", "--games", "1"), ["--games '1' is not allowed"]),
        ((), ["needs --vary"]),
    ],
)
def test_what_is_refused(refused, args, parts):
    refused((*TIDY, *args), *parts)


def test_a_folder_that_is_a_file(call, tmp_path):
    """Said before any game is played."""
    (tmp_path / "file").write_text("x")
    said = call(*GRID, "--out", tmp_path / "file")
    assert said.status == 2
    assert "is a file" in said.err
