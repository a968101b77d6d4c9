"""The calls for notebooks: the same numbers as the commands."""

import json
import shlex

import pandas as pd
import pytest

from scripts import lab
from sim.errors import PlayoutError, UsageError

GAME = "shooting-party"


def same(call, frame, key):
    """What the frame's own command prints, as records."""
    words = shlex.split(frame.attrs["command"])[1:]
    said = call(*words, "--format", "json")
    assert said.status == 0, said
    return json.loads(said.out)[key]


def test_outcomes(call):
    frame = lab.outcomes(GAME, "tidy", games=300, options={"hand": 5, "rivals": False})
    told = same(call, frame, "outcomes")
    assert frame["count"].tolist() == [row["count"] for row in told]
    assert frame["low"].tolist() == [row["low"] for row in told]


def test_tables():
    games = lab.games_table("president", "lowest", games=20, options={"rounds": 4})
    rounds = lab.games_table("president", "lowest", games=20, options={"rounds": 4}, table="rounds")
    assert (len(games), len(rounds)) == (20, 80)
    points = sum(rounds.finish_0.map({1: 3, 2: 2, 3: 1, 4: 0}))
    assert points == games.points_0.sum()
    with pytest.raises(UsageError, match="has no table 'rounds'"):
        lab.games_table(GAME, "tidy", table="rounds")


@pytest.mark.parametrize("more", [{"games": 60}, {"until": 0.3, "score": "queens"},
                                  {"decide": 0.5, "score": "queens"}])  # fmt: skip
def test_compare(call, more):
    frame = lab.compare(GAME, "tidy", "random", **more)
    told = same(call, frame, "effects")
    assert frame["difference"].tolist() == [row["difference"] for row in told]
    assert frame["low"].tolist() == pytest.approx([row["low"] for row in told])


def test_many(call):
    names = ["lowest", "random", "play=lowest,gift=random"]
    pairs = lab.compare("president", *names, games=20)
    standing = lab.standing("president", *names, games=20)
    assert len(pairs) == 3
    assert pairs["difference"].tolist() == [r["difference"] for r in same(call, pairs, "pairs")]
    assert standing["mean"].tolist() == [r["mean"] for r in same(call, standing, "standing")]
    assert standing["strategy"].iloc[-1] == "random"


def test_sweep(call):
    frame = lab.sweep(GAME, "tidy", vary={"hand": [3, 4], "rivals": [True, False]}, games=100,
                      target="queens=2±0.5")  # fmt: skip
    told = same(call, frame, "rows")
    assert frame["value"].tolist() == [row["value"] for row in told]
    assert frame["option_rivals"].unique().tolist() == ["on", "off"]
    assert set(frame.verdict.dropna()) <= {"hit", "miss", "open"}


def test_memory():
    frame = lab.outcomes("memory-duel", "threshold(4)", games=50, models=["iid(0.9)"])
    assert frame["count"].sum() == 50


def test_events():
    events = lab.events(GAME, "tidy", index=3)
    assert events[0]["ev"] == "game"
    assert events[-1]["ev"] == "result"


@pytest.mark.parametrize(
    ("function", "args", "more", "words"),
    [
        (lab.outcomes, ("whist", "tidy"), {}, "no game"),
        (lab.outcomes, (GAME, "tdy"), {}, "no strategy"),
        (lab.outcomes, (GAME, "tidy"), {"games": 0}, "games 0"),
        (lab.outcomes, (GAME, "tidy"), {"options": {"hand": 9}}, "hand"),
        (lab.compare, (GAME, "tidy"), {}, "2 to 24 strategies"),
        (lab.compare, (GAME, "tidy", "random"), {"until": 0.1, "decide": 0.1}, "one of them"),
        (lab.compare, (GAME, "tidy", "random", "greedy"), {"until": 0.1}, "two strategies"),
        (lab.compare, (GAME, "tidy", "random"), {"games": -1}, "games -1"),
        (lab.compare, (GAME, "tidy", "random"), {"games": 9, "level": 7}, "level 7"),
        (lab.games_table, (GAME, "tidy"), {"games": -5}, "games -5"),
        (lab.games_table, (GAME, "tidy"), {"games": 1.5}, "games 1.5"),
        (lab.standing, (GAME, "tidy", "random", "greedy"), {"games": 0}, "games 0"),
        (lab.events, (GAME, "tidy"), {"index": -1}, "index -1"),
        (lab.sweep, (GAME, "tidy"), {"vary": {"hand": [4, 3]}, "level": "x"}, "level 'x'"),
        (lab.sweep, (GAME, "tidy"), {"vary": {"hand": [9, 3]}}, "hand"),
        (lab.sweep, (GAME, "tidy"), {"vary": {"hand": [4, 3]}, "target": "x"}, "--target"),
    ],
)
def test_wrong_calls(function, args, more, words):
    with pytest.raises(PlayoutError, match=words):
        function(*args, **more)


def test_frames_are_frames():
    assert isinstance(lab.standing(GAME, "tidy", "random", "greedy", games=20), pd.DataFrame)
