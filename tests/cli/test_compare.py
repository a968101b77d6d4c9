"""`playout compare`: what it prints, that all formats say the same, and what it refuses."""

import csv
import io
import json
import re

import pytest

from tests.cli.calls import GAME, check_one_sentence

TIDY_RANDOM = ("compare", GAME, "--strategy", "tidy", "--strategy", "random")
PRESIDENT = ("compare", "president", "--strategy", "lowest", "--strategy", "random")
FEW = ("--games", "40")


@pytest.fixture
def compare(call):
    """A comparison as JSON, without the time it took."""

    def make_call(*args):
        said = call(*args, "--format", "json")
        assert said.status == 0, said
        found = json.loads(said.out)
        assert found.pop("seconds") > 0
        found.pop("games_per_second")
        return found

    return make_call


def test_all_formats_say_the_same(call, compare):
    """Numbers of JSON and CSV are equal, and the table shows them."""
    args = (*TIDY_RANDOM, "--games", "300")
    found = compare(*args)
    rows = list(csv.DictReader(io.StringIO(call(*args, "--format", "csv").out)))
    shown = call(*args).out
    assert [row["score"] for row in rows] == [e["score"] for e in found["effects"]]
    for row, effect in zip(rows, found["effects"], strict=True):
        assert float(row["difference"]) == effect["difference"]
        assert float(row["low"]) == effect["low"]
        assert f"{effect['difference']:.2f}" in shown
    assert "300 deals, 600 games, seed 1" in shown
    assert "tidy is better, almost certainly" in re.sub(r"\s+", " ", shown)


@pytest.mark.parametrize(
    "args",
    [
        (*TIDY_RANDOM, "--games", "200"),
        (*TIDY_RANDOM, "--until", "0.1", "--score", "queens"),
        (*TIDY_RANDOM, "--decide", "0.05", "--score", "common rake"),
        (*PRESIDENT, *FEW, "--design", "auto"),
    ],
)
def test_the_same_with_any_number_of_workers(compare, args):
    """Also where it stops by looking: looks happen in the order of the deals."""
    assert compare(*args, "--jobs", "1") == compare(*args, "--jobs", "3")


def test_the_means_are_those_of_run(call, compare):
    """Deals are the games of `run`."""
    found = compare(*TIDY_RANDOM, "--games", "400", "--score", "impecunious boor")["effects"][0]
    ran = json.loads(
        call("run", GAME, "--strategy", "tidy", "--games", "400", "--format", "json").out
    )
    shares = {outcome["outcome"]: outcome["share"] for outcome in ran["outcomes"]}
    assert found["mean_first"] == shares["impecunious boor"]


def test_until_stops_when_it_is_narrow(compare):
    found = compare(*TIDY_RANDOM, "--score", "queens", "--until", "0.2")
    [row] = found["effects"]
    assert (row["high"] - row["low"]) / 2 <= 0.2
    assert row["content"] is True
    assert found["deals"] < row["limit"]


def test_until_says_when_the_limit_came_first(compare):
    found = compare(*TIDY_RANDOM, "--score", "queens", "--until", "0.01", "--games", "300")
    assert found["effects"][0]["content"] is False
    assert "300 deals, the limit, were not enough" in found["said"][0]


@pytest.mark.parametrize(
    ("score", "effect", "limit", "decision"),
    [
        ("queens", "1", "1M", "the effect"),
        ("queens", "-1", "1M", "neither"),
        ("filthy scoundrel", "0.05", "1M", "no difference"),
        ("filthy scoundrel", "0.003", "60", "undecided"),
    ],
)
def test_decide(compare, score, effect, limit, decision):
    """Tidy scores some 1.7 queens more than random."""
    found = compare(*TIDY_RANDOM, "--score", score, f"--decide={effect}", "--games", limit)
    assert found["effects"][0]["decision"] == decision
    assert ("Undecided" if decision == "undecided" else "Decided") in found["said"][0]


def test_many_strategies_at_tables(call, compare):
    """Standing, pairs and ratings; the pair of two does not depend on the third."""
    args = (*PRESIDENT, "--strategy", "play=lowest,gift=random", *FEW)
    found = compare(*args)
    assert {row["strategy"] for row in found["standing"]} == set(found["strategies"])
    assert found["standing"][-1]["strategy"] == "random"
    assert len(found["pairs"]) == 3
    assert found["pairs"][0]["difference"] == compare(*PRESIDENT, *FEW)["effects"][0]["difference"]
    shown = call(*args).out
    assert "Who beats whom" in shown
    assert "No cycle" in shown


def test_ratings(compare):
    """They are a summary of win shares, and there are none where one side never wins."""
    specs = ("--strategy", "lowest", "--strategy", "play=lowest,gift=random")
    found = compare("compare", "president", *specs, *FEW, "--ratings")
    [best, worst] = found["ratings"]
    assert best["strategy"] == "lowest"
    assert best["elo"] == pytest.approx(-worst["elo"])
    assert best["elo"] > 0
    found = compare(*PRESIDENT, *FEW, "--ratings")
    assert "ratings" not in found
    assert found["said"][0].startswith("No ratings: some strategies never took")


def test_against_a_field(compare):
    """Each alone among others: four seats each, and one game in common where all play the same."""
    found = compare(*PRESIDENT, "--against", "random", *FEW)
    assert (found["against"], found["design"], found["games"]) == ("random", "all-seats", 200)
    assert found["effects"][0]["mean_second"] == 15.0


def test_identical_strategies(compare):
    found = compare("compare", GAME, "--strategy", "tidy", "--strategy", "tidy", *FEW)
    for row in found["effects"]:
        assert (row["difference"], row["verdict"]) == (0.0, "the same in every block")


def test_rules_and_seed_are_kept(compare):
    found = compare(*TIDY_RANDOM, *FEW, "--seed", "5", "--option", "hand=5")
    assert (found["seed"], found["options"]["hand"]) == (5, 5)
    assert found["effects"] != compare(*TIDY_RANDOM, *FEW)["effects"]


@pytest.mark.parametrize(
    ("args", "parts"),
    [
        (("compare", GAME, "--strategy", "tidy"), ["needs 2 to 24 strategies, not 1"]),
        ((*TIDY_RANDOM, "--against", "tidy"), ["is played alone"]),
        ((*TIDY_RANDOM, "--score", "x"), ["has no score 'x'", "filthy scoundrel", "queens"]),
        ((*TIDY_RANDOM, "--design", "swap"), ["no design 'swap' for 1 seat", "solo"]),
        ((*PRESIDENT, "--design", "one-seat"), ["4 seats at one table", "swap, all"]),
        ((*TIDY_RANDOM, "--until", "2"), ["--until 2 is not allowed", "between -1 and 1"]),
        ((*TIDY_RANDOM, "--until", "0"), ["--until 0 is not allowed"]),
        ((*TIDY_RANDOM, "--decide", "0"), ["--decide 0 is not allowed", "not 0"]),
        ((*TIDY_RANDOM, "--decide", "0.1", "--until", "0.1"), ["give one of them"]),
        ((*TIDY_RANDOM, "--decide", "0.1", "--alpha", "0.6", "--beta", "0.5"), ["below 1"]),
        ((*TIDY_RANDOM, "--strategy", "greedy", "--until", "0.1"), ["compare two strategies"]),
        ((*TIDY_RANDOM, "--ratings"), ["--ratings needs tables"]),
        ((*PRESIDENT, "--ratings", "--until", "1"), ["--ratings needs a fixed number"]),
        ((*TIDY_RANDOM, "--games", "1"), ["--games '1' is not allowed", "from 2"]),
        ((*TIDY_RANDOM, "--level", "1"), ["--level '1' is not allowed", "0.5 to 0.9999"]),
        ((*PRESIDENT, "--option", "wild=4"), ["wild"]),
        (("compare", "whist", "--strategy", "a", "--strategy", "b"), ["no game 'whist'"]),
    ],
)
def test_what_is_refused(refused, args, parts):
    refused(args, *parts)


def test_a_strategy_that_fails(call, tmp_path):
    """The lowest game is named, with the command that replays it."""
    path = tmp_path / "mine.py"
    path.write_text("def f(view, ctx):\n    return 77\n")
    said = call("compare", GAME, "--strategy", "tidy", "--strategy", f"{path}:f")
    check_one_sentence(said, 1, "game 0", "playout show")
