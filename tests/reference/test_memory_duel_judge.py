"""The referee and the judge of the memory duel: what they know, and that tampering is seen."""

import json
import math
from typing import Any

import pytest

from .memory_duel import Game, check_options, pack
from .memory_duel_judge import judge
from .memory_duel_memory import Memory
from .memory_duel_yardsticks import StreamChance, play, threshold, trace
from .trace_reader import TraceError

SPECS, MODELS = ["threshold(k=7)", "random"], ["iid(0.9)", "persistent(0.9)"]
Events = list[dict[str, Any]]


def staged(cards: int = 12, models: list[str] = MODELS, seed: int = 3) -> Events:
    """A game with every kind of event."""
    for index in range(1000):
        told = [json.loads(line) for line in trace({"cards": cards}, SPECS, seed, index, models)]
        if {event["ev"] for event in told} >= {"raise", "call", "decline", "result"}:
            return told
    raise AssertionError("no game has every kind of event")


def check(events: Events) -> int:
    """Judge events."""
    return judge([json.dumps(event) for event in events])


def find(events: Events, kind: str, nth: int = 0) -> int:
    """The place of the n-th event of a kind."""
    return [place for place, event in enumerate(events) if event["ev"] == kind][nth]


def test_accepts_the_referee_and_several_games() -> None:
    """No line is no game; a stream may hold many."""
    assert check([]) == 0
    assert check(staged() * 3) == 3
    assert check(staged(cards=9, models=["logistic(k=4.65,s=0.535,lapse=0.027)"] * 2)) == 1


@pytest.mark.parametrize(
    ("kind", "change", "says"),
    [
        ("game", {"models": ["iid(0.9)"]}, "recall models of 2 seats"),
        ("game", {"models": ["iid(0.9)", "eidetic(1)"]}, "no recall model"),
        ("game", {"options": {"cards": 12}}, "options must have exactly"),
        ("game", {"seats": ["random"]}, "2 strategies"),
        ("raise", {"seat": 1}, "turn of seat 0"),
        ("raise", {"card": "ZZ"}, "no card"),
        ("call", {"cards": 99}, "MD-4"),
        ("call", {"claimed_by": 7}, "MD-4"),
        ("call", {"recited": "yes"}, "recited or not"),
        ("decline", {"ev": "raise"}, "MD-3"),
        ("decline", {"note": "x"}, "MD-6"),
        ("result", {"unclaimed": 11}, "MD-6"),
        ("result", {"claimed": [0, 99]}, "MD-6"),
    ],
)
def test_sees_tampering(kind: str, change: dict[str, Any], says: str) -> None:
    """A changed event is found, with the clause."""
    events = staged()
    place = find(events, kind)
    events[place] = {**events[place], **change}
    with pytest.raises(TraceError, match=says):
        check(events)


def test_sees_what_is_missing_or_double() -> None:
    """Left-out events, a card laid twice, a call without a stack, an end that does not come."""
    events = staged()
    for kind in ("raise", "call", "decline", "result"):
        without = [*events]
        del without[find(events, kind)]
        with pytest.raises(TraceError):
            check(without)
    double = staged()
    first, second = find(double, "raise"), find(double, "raise", 1)
    double[second] = {**double[second], "card": double[first]["card"]}
    with pytest.raises(TraceError, match="MD-1"):
        check(double)
    early = staged()
    early.insert(1, early[find(early, "call")])
    early[1] = {**early[1], "seat": 0}
    with pytest.raises(TraceError, match="MD-4"):
        check(early)
    with pytest.raises(TraceError):
        check(staged()[:-1])


def test_recitals_that_cannot_be() -> None:
    """MD-8: who knows all cards cannot fail, and who knows none cannot recite."""
    for model, wrong in (("iid(1)", False), ("iid(0)", True), ("persistent(1)", False)):
        events = staged(models=[model, model])
        place = find(events, "call")
        caller = events[place]["seat"]
        events[place] |= {"recited": wrong, "claimed_by": 1 - caller if wrong else caller}
        with pytest.raises(TraceError, match="MD-8"):
            check(events)


def test_memories() -> None:
    """MD-8: the models' formulas at points worked out by hand."""
    assert Memory.read("iid(0.5)").chance(3) == 0.125
    assert Memory.read("logistic(k=3,s=1,lapse=0.2)").chance(3) == 0.4
    assert Memory.read("capacity(4,2)").chance(4) == 0.5
    assert math.isclose(Memory.read("capacity(k=4,sd=2)").chance(6), 0.158655, abs_tol=1e-6)
    assert Memory.read("logistic").values == {"k": 4.65, "s": 0.535, "lapse": 0.027}
    assert Memory.read("capacity", "any-order").values == {"k": 4.65, "sd": 1.07}
    for wrong in ("eidetic", "iid(q=1)", ""):
        with pytest.raises(ValueError, match=r"no recall model|no parameter"):
            Memory.read(wrong)


def test_facts() -> None:
    """The rules' own examples: who claims what, and the worth of a call under iid(0.9)."""
    results = {}
    for models, k in ((["iid(0)"] * 2, 1), (["iid(1)"] * 2, 1), (["iid(0.9)"] * 2, 53)):
        game = play({}, [f"threshold({k})"] * 2, 1, 0, models)
        results[models[0]] = [len(cards) for cards in game.claimed] + [len(game.stack)]
    assert results == {"iid(0)": [0, 52, 0], "iid(1)": [52, 0, 0], "iid(0.9)": [0, 0, 52]}
    memory = Memory.read("iid(0.9)")
    assert round(7 * (1 - 2 * memory.chance(7)), 3) == 0.304
    assert round(6 * (1 - 2 * memory.chance(6)), 3) == -0.377


def test_options_and_refusals() -> None:
    """Wrong options and actions are named."""
    assert len(set(pack(208))) == 208
    for wrong in ({"cards": 0}, {"cards": 209}, {"order": "x"}, {"known_opponent": 1}, {"deck": 1}):
        with pytest.raises(ValueError, match="option"):
            check_options(wrong)
    game = Game({"cards": 1}, MODELS, StreamChance(1, 0))
    for action, clause in (("call", "MD-4"), ("decline", "MD-6"), ("fold", "MD-2")):
        assert (game.refusal(action) or "").startswith(clause)
    game.apply("raise")
    assert (game.refusal("raise") or "").startswith("MD-3")
    game.apply("call")
    with pytest.raises(ValueError, match="MD-6: the game is over"):
        game.apply("raise")
    assert threshold(1)(Game({}, MODELS, StreamChance(1, 0)), None) == "raise"  # type: ignore[arg-type]
