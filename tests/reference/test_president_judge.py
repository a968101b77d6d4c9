"""The judge of President traces: it accepts the referee's own and sees every tampering."""

import json
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from .president import Event
from .president_cards import check_options, option_values
from .president_judge import judge
from .president_tables import option_dicts
from .president_yardsticks import trace
from .trace_reader import TraceError

Events = list[Event]
OPTIONS: dict[str, object] = {
    "rounds": 3,
    "jokers": 2,
    "low_gives": "random",
    "high_gives": "choice",
    "lead": "random",
}


def lines(events: Events) -> list[str]:
    """Return events as JSON lines."""
    return [json.dumps(event) for event in events]


def staged(**options: object) -> Events:
    """Return a game with gifts by chance and by choice, and every other event."""
    return [json.loads(line) for line in trace({**OPTIONS, **options}, "random", 3, 7)]


def find(events: Events, nth: int = 0, **fields: object) -> int:
    """Return the place of the n-th event that has these fields."""
    fitting = [i for i, e in enumerate(events) if all(e.get(k) == v for k, v in fields.items())]
    return fitting[nth]


@settings(max_examples=25, deadline=None, database=None)
@given(
    option_dicts(most_rounds=3),
    st.integers(0, 2**32),
    st.lists(st.sampled_from(["random", "lowest"]), min_size=4, max_size=4),
)
def test_accepts_the_referee(options: dict[str, object], seed: int, names: list[str]) -> None:
    """Traces of whole games under random options are accepted and counted."""
    games = [trace(options, names, seed, index) for index in range(2)]
    assert judge(games[0] + games[1]) == 2


def test_accepts_nothing_and_several_games() -> None:
    """No line is no game."""
    assert judge([]) == 0
    assert judge(lines(staged() * 3)) == 3


def test_accepts_what_the_format_leaves_free() -> None:
    """The order of cards in a hand, a gift and a play is free; that of seats is not."""
    events = staged()
    for event in events:
        if isinstance(cards := event.get("cards"), list):
            cards.reverse()
        if isinstance(hands := event.get("hands"), list):
            for hand in hands:
                hand.reverse()
    assert judge(lines(events)) == 1
    events[find(events, ev="round")]["finish"].reverse()  # type: ignore[attr-defined]
    with pytest.raises(TraceError, match="must stand here"):
        judge(lines(events))


Tampering = Callable[[Events, int], None]


def edit(**changes: object) -> Tampering:
    """Return a tampering that changes fields of the event."""

    def change(events: Events, place: int) -> None:
        events[place] = {**events[place], **changes}

    return change


def options(**changes: object) -> Tampering:
    """Return a tampering that changes options of the game line."""

    def change(events: Events, place: int) -> None:
        values = {**option_values(check_options(OPTIONS)), **changes}
        events[place]["options"] = {k: v for k, v in values.items() if v is not None}

    return change


def drop(events: Events, place: int) -> None:
    """Leave the event out."""
    del events[place]


def double(events: Events, place: int) -> None:
    """Write the event twice."""
    events.insert(place, events[place])


def swap(events: Events, place: int) -> None:
    """Exchange the event with the next one."""
    events[place : place + 2] = events[place : place + 2][::-1]


def swap_hands(events: Events, place: int) -> None:
    """Give the first two hands to each other's seats."""
    hands = events[place]["hands"]
    assert isinstance(hands, list)
    hands[:2] = hands[1::-1]


def other_card(events: Events, place: int) -> None:
    """Replace the first card of the first hand by a fifth Ace."""
    hands = events[place]["hands"]
    assert isinstance(hands, list)
    hands[0][0] = "4" if hands[0][0] == "A" else "A"


HEAD: Event = {"ev": "game"}
DEAL: Event = {"ev": "deal"}
GIFT: Event = {"ev": "gift"}
LEAD: Event = {"ev": "lead"}
PLAY: Event = {"ev": "play"}
PASSING: Event = {"ev": "pass"}
TRICK: Event = {"ev": "trick"}
OUT: Event = {"ev": "out"}
ROUND: Event = {"ev": "round"}
RESULT: Event = {"ev": "result"}

TAMPERINGS: list[tuple[Event, Tampering, str]] = [
    (HEAD, drop, "must open the next game"),
    (HEAD, edit(game="presidents"), "must be 'president', not 'presidents'"),
    (HEAD, edit(index=-1), "index must be a whole number from 0 up"),
    (HEAD, edit(seed="1"), "seed a whole number"),
    (HEAD, edit(seats=["a"]), "seats must be a list with the names of 4 strategies"),
    (HEAD, edit(models=[]), "exactly the keys"),
    (HEAD, options(wild="4"), "option wild cannot be '4'"),
    (HEAD, options(pass_locks=0), "option pass_locks cannot be 0"),
    (HEAD, options(points="3,2,1"), "option points cannot be"),
    (HEAD, options(joker_beats_all=True, jokers=0), "joker_beats_all needs jokers"),
    (HEAD, options(lead=None), "options must have exactly these: jokers"),
    (HEAD, options(cards=1), "options must have exactly these: jokers"),
    (HEAD, options(jokers=3), "must be all 55 cards of the pack (PR-1)"),
    (HEAD, options(rounds=2), "must stand here (PR-15)"),
    (HEAD, options(points="4,2,1,0"), "must stand here (PR-15)"),
    (HEAD, options(exchange="1/2"), "1 cards of the hand"),
    (HEAD, options(lead="rank1"), "must stand here (PR-14)"),
    (DEAL, drop, "a deal must stand here (PR-1)"),
    (DEAL, edit(round=2), "must stand here (PR-1)"),
    (DEAL, other_card, "all 54 cards of the pack (PR-1)"),
    (DEAL, edit(hands=[[], [], [], []]), "all 54 cards of the pack (PR-1)"),
    (DEAL, edit(hands=None), "all 54 cards of the pack (PR-1)"),
    (GIFT, drop, "must be given (PR-12)"),
    (GIFT, double, "must be given (PR-12)"),
    (GIFT, edit(cards=["A"]), "2 cards of the hand"),
    (GIFT, edit(cards=["A", "A", "A"]), "2 cards of the hand"),
    (GIFT, edit(**{"from": 9}), "must stand here (PR-12, PR-13)"),
    (GIFT, edit(to=9), "must stand here (PR-12, PR-13)"),
    (LEAD, drop, "a lead must stand here (PR-14)"),
    (LEAD, edit(seat=4), "a seat must lead (PR-14), not 4"),
    (LEAD, edit(seat=True), "a seat must lead (PR-14), not True"),
    (PLAY, edit(cards=[]), "PR-6"),
    (PLAY, edit(cards=["X", "X", "X"], rank="X"), "PR-6"),
    (PLAY, edit(cards=["B"]), "cards must be a list of cards"),
    (PLAY, edit(cards="6"), "cards must be a list of cards"),
    (PLAY, edit(rank=None), "rank must be that of a card"),
    (PLAY, edit(seat="0"), "it is the turn of seat"),
    (PLAY, edit(hidden=True), "must stand here (PR-4 to PR-8)"),
    (PASSING, edit(seat=7), "seat"),
    (PASSING, edit(cards=[]), "must stand here (PR-7)"),
    (TRICK, drop, "must stand here (PR-9, PR-10)"),
    (TRICK, double, "a play or pass must stand here"),
    (TRICK, edit(winner=5), "must stand here (PR-9, PR-10)"),
    (OUT, drop, "must stand here (PR-11)"),
    (OUT, edit(rank=2), "must stand here (PR-11)"),
    (ROUND, drop, "must stand here (PR-11)"),
    (ROUND, edit(finish=[1, 2, 3, 3]), "must stand here (PR-11)"),
    (ROUND, edit(finish=[True, 2, 3, 4]), "must stand here (PR-11)"),
    (RESULT, drop, "not the end of the trace"),
    (RESULT, double, "must open the next game here"),
    (RESULT, edit(points=[0, 0, 0, 0]), "must stand here (PR-15)"),
    (RESULT, edit(finishes=[]), "must stand here (PR-15)"),
]


@pytest.mark.parametrize(("fields", "tamper", "sentence"), TAMPERINGS)
def test_rejects_tampering(fields: Event, tamper: Tampering, sentence: str) -> None:
    """Each tampering is found, and the sentence tells what is wrong."""
    events = staged()
    tamper(events, find(events, 0, **fields))
    with pytest.raises(TraceError) as error:
        judge(lines(events))
    assert sentence in str(error.value)
    assert str(error.value).startswith("game ")


def test_rejects_hands_of_the_wrong_seats() -> None:
    """PR-1: with 54 cards the longer hands go round with the dealer."""
    events = staged()
    place = find(events, ev="deal", round=2)  # seats 1 and 2 have 14 cards
    swap_hands(events, place)
    with pytest.raises(TraceError, match=r"one by one from seat 1 on \(PR-1\)"):
        judge(lines(events))


def test_rejects_choices_that_are_not_legal() -> None:
    """PR-6, PR-7, PR-12: gifts and plays of the players are held against the rules."""
    events = staged(low_gives="highest", lead="rotate")
    gift = find(events, 2, ev="gift")  # the President's, by choice
    first = events[find(events, ev="gift")]
    edit(cards=["X", "X"])(events, gift)
    assert first["to"] == events[gift]["from"]
    with pytest.raises(TraceError, match=r"PR-12: X X are not all in the hand"):
        judge(lines(events))
    events = staged(low_gives="highest")
    edit(cards=["2"])(events, find(events, ev="gift"))
    with pytest.raises(TraceError, match=r"must stand here \(PR-12, PR-13\)"):
        judge(lines(events))
    events = staged()
    lead = find(events, ev="play")
    events[lead] = {"ev": "pass", "seat": events[lead]["seat"]}
    with pytest.raises(TraceError, match="PR-7: the leader of a trick must play"):
        judge(lines(events))


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("", "not one JSON object"),
        ('{"ev": "pass", "seat": 1} {}', "not one JSON object"),
        ('{"ev": "pass", "seat": 1, "seat": 1}', "a key stands there twice"),
        ("[]", "not a JSON object with a text 'ev'"),
        ('{"seat": 1}', "not a JSON object with a text 'ev'"),
    ],
)
def test_rejects_lines_that_are_no_events(line: str, sentence: str) -> None:
    """Anything but one JSON object a line is refused, with its place."""
    written = lines(staged())
    with pytest.raises(TraceError, match=r"^game 7, event 2: .*" + sentence):
        judge([*written[:2], line, *written[3:]])


@settings(max_examples=40, deadline=None, database=None)
@given(
    option_dicts(most_rounds=2), st.integers(0, 2**32), st.sampled_from([drop, double]), st.data()
)
def test_everything_but_choices_is_forced(
    values: dict[str, object], seed: int, tamper: Tampering, data: st.DataObject
) -> None:
    """Leaving out or doubling any event that is no choice is found, wherever it stands."""
    events: Events = [json.loads(line) for line in trace(values, "random", seed, 0)]
    free = ("play", "pass", "gift")
    places = [i for i, event in enumerate(events) if event["ev"] not in free]
    tamper(events, data.draw(st.sampled_from(places)))
    with pytest.raises(TraceError):
        judge(lines(events))


def test_every_option_is_in_the_trace() -> None:
    """The opening line has every option once, switches as true or false."""
    assert list(staged()[0]["options"]) == list(option_values(check_options({})))  # type: ignore[call-overload]
