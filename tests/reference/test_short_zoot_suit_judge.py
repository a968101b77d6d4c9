"""The judge of Short Zoot Suit traces: it accepts the referee's own and sees every tampering."""

import json
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from .short_zoot_suit import Event
from .short_zoot_suit_judge import judge
from .short_zoot_suit_tables import option_dicts
from .short_zoot_suit_yardsticks import trace
from .trace_reader import TraceError

Events = list[Event]
Tampering = Callable[[Events], None]


def staged(**options: object) -> Events:
    """Return a game of `random`."""
    return [json.loads(line) for line in trace({"players": 3, **options}, "random", 3, 7)]


def lines(events: Events) -> list[str]:
    """Return events as JSON lines."""
    return [json.dumps(event) for event in events]


def first(events: Events, name: str, at: int = 0) -> Event:
    """Return an event of a name."""
    return [event for event in events if event["ev"] == name][at]


@settings(max_examples=25, deadline=None, database=None)
@given(option_dicts(), st.integers(0, 2**32), st.sampled_from(["random", "plain"]))
def test_accepts_the_referee(options: dict[str, object], seed: int, name: str) -> None:
    """Traces of whole games under random options are accepted and counted."""
    games = [trace(options, name, seed, index) for index in range(2)]
    assert judge(games[0] + games[1]) == 2


def test_accepts_what_the_format_leaves_free() -> None:
    """The order of cards in a hand and a draft is free; that of a deck and of seats is not."""
    assert judge([]) == 0
    events = staged()
    for event in events:
        if event["ev"] == "draft":
            event["cards"].reverse()  # type: ignore[attr-defined]
        if event["ev"] == "deal":
            for hand in event["hands"]:  # type: ignore[attr-defined]
                hand.reverse()
    assert judge(lines(events)) == 1
    first(events, "round")["tricks"].reverse()  # type: ignore[attr-defined]
    with pytest.raises(TraceError, match="must stand here"):
        judge(lines(events))


def drop(name: str, at: int = 0) -> Tampering:
    """Return a tampering that leaves out an event."""
    return lambda events: events.remove(first(events, name, at))


def edit(name: str, **changes: object) -> Tampering:
    """Return a tampering that changes fields of an event."""
    return lambda events: first(events, name).update(changes)


def swap_decks(events: Events) -> None:
    """Give one player's deck to another."""
    one, other = first(events, "deck"), first(events, "deck", 1)
    one["cards"], other["cards"] = other["cards"], one["cards"]


def swap_hands(events: Events) -> None:
    """Deal to other seats: the drafts do not fit."""
    first(events, "deal")["hands"].reverse()  # type: ignore[attr-defined]


def double_card(events: Events) -> None:
    """Deal a card twice."""
    hands: list[list[str]] = first(events, "deal")["hands"]  # type: ignore[assignment]
    hands[0][0] = hands[1][0]


@pytest.mark.parametrize(
    "tampering",
    [
        *(drop(name) for name in ("deal", "draft", "deck", "draw", "stay", "play", "trick")),
        *(drop(name) for name in ("round", "result")),
        edit("deal", start=1),
        edit("draft", cards=["2C"] * 5),
        edit("draw", card="2C"),
        edit("stay", ev="lay", card="2C"),
        edit("play", card="AC"),
        edit("trick", winner=3),
        edit("trick", shorts={"0": "2C", "1": "3C", "2": "4C"}),
        edit("round", points=[0, 0, 0]),
        edit("round", tricks=[True, 0, 0]),
        edit("result", winners=[0, 1, 2]),
        edit("result", points=[0, 0, 0], extra=1),
        edit("game", options={}),
        edit("game", seats=["random"]),
        swap_decks,
        swap_hands,
        double_card,
    ],
)
def test_sees_tampering(tampering: Tampering) -> None:
    """Whatever is changed, left out or added is found, with the game and the event."""
    events = staged()
    tampering(events)
    with pytest.raises(TraceError, match=r"game \S+, event \d+: "):
        judge(lines(events))


@pytest.mark.parametrize("draws", ["simultaneous", "in-turn"])
def test_sees_tampering_in_short_shorts(draws: str) -> None:
    """ZS-14: what is laid must be in the hand, and what is taken must be on top."""
    for name in ("lay", "draw"):
        events = staged(short_shorts=True, draws=draws)
        assert judge(lines(events)) == 1
        seat = first(events, name)["seat"]
        hands: list[list[str]] = first(events, "deal")["hands"]  # type: ignore[assignment]
        assert isinstance(seat, int)
        first(events, name)["card"] = hands[(seat + 1) % 3][0]
        with pytest.raises(TraceError, match="ZS-14"):
            judge(lines(events))
