"""The judge of Shooting Party traces: it accepts the referee's own and sees every tampering."""

import json
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from .shooting_party import Event, Game
from .shooting_party_cards import ALLOWED, check_options, option_values
from .shooting_party_judge import TraceError, judge
from .shooting_party_tables import Script, act, option_dicts
from .shooting_party_yardsticks import trace

Events = list[Event]


def lines(events: Events) -> list[str]:
    """Return events as JSON lines."""
    return [json.dumps(event) for event in events]


def staged() -> Events:
    """Return a game with every kind of event: rivals, a seduction, secretaries, a husband."""
    script = Script("QH QD 2C 3C QS QC JC AC JD 4H 5H X JH KH 3H")
    game = Game({"reshuffles": 1}, script)  # SP-11: QH leaves
    act(game, "pair")  # SP-11: QD and QS leave
    act(game, "discard", "2C 3C")
    act(game, "seduce", "QC")  # SP-12: JC JD 4H 5H leave
    act(game, "butler", take="discard", card="QH")
    act(game, "husband", "JH KH")
    while not game.over:
        act(game, "leave")
    head: Event = {"ev": "game", "game": "shooting-party", "index": 7, "seed": 1}
    head |= {"options": option_values(game.options), "seats": ["tidy"]}
    return [head, *game.events]


def find(events: Events, nth: int = 0, **fields: object) -> int:
    """Return the place of the n-th event that has these fields."""
    fitting = [i for i, e in enumerate(events) if all(e.get(k) == v for k, v in fields.items())]
    return fitting[nth]


@settings(max_examples=40, deadline=None, database=None)
@given(option_dicts(), st.integers(0, 2**32), st.sampled_from(["random", "tidy"]))
def test_accepts_the_referee(options: dict[str, object], seed: int, name: str) -> None:
    """Traces of whole games under random options are accepted and counted."""
    games = [trace(options, name, seed, index) for index in range(2)]
    assert judge(games[0] + games[1]) == 2


def test_accepts_nothing_and_several_games() -> None:
    """No line is no game."""
    assert judge([]) == 0
    assert judge(lines(staged() * 3)) == 3


def test_accepts_what_the_format_leaves_free() -> None:
    """The order of cards in lists, seat 0, and SP-11 in one event or in several are free."""
    events = staged()
    for event in events[1:]:
        event["seat"] = 0
        if isinstance(cards := event.get("cards"), list):
            cards.reverse()
    rivals = find(events, cards=["QS", "QD"])
    first: Event = {"ev": "forced", "clause": "SP-11", "cards": ["QD"]}
    second: Event = {"ev": "forced", "clause": "SP-11", "cards": ["QS"]}
    assert judge(lines(events)) == 1
    assert judge(lines([*events[:rivals], first, second, *events[rivals + 1 :]])) == 1
    with pytest.raises(TraceError, match=rf"^game 7, event {rivals}: .*SP-11"):
        judge(lines([*events[:rivals], second, first, *events[rivals + 1 :]]))


def edit(**changes: object) -> Callable[[Events, int], None]:
    """Return a tampering that changes fields of the event."""

    def change(events: Events, place: int) -> None:
        events[place] = {**events[place], **changes}

    return change


def options(**changes: object) -> Callable[[Events, int], None]:
    """Return a tampering that changes options of the game line."""

    def change(events: Events, place: int) -> None:
        values = {**option_values(check_options({"reshuffles": 1})), **changes}
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


def turn_pile(events: Events, place: int) -> None:
    """Turn the pile upside down."""
    pile = events[place]["pile"]
    assert isinstance(pile, list)
    pile.reverse()


def exchange_card(events: Events, place: int) -> None:
    """Put a second 2C in the place of the last card of the pile."""
    pile = events[place]["pile"]
    assert isinstance(pile, list)
    pile[-1] = "2C"


HEAD: Event = {"ev": "game"}
DEAL: Event = {"ev": "shuffle"}
DRAW: Event = {"ev": "draw"}
PAIR: Event = {"do": "pair"}
DISCARD: Event = {"do": "discard"}
BUTLER: Event = {"do": "butler"}
HUSBAND: Event = {"do": "husband"}
SEDUCE: Event = {"do": "seduce"}
LEAVE: Event = {"do": "leave"}
RIVALS: Event = {"clause": "SP-11"}
SECRETARIES: Event = {"clause": "SP-12"}
RESULT: Event = {"ev": "result"}

TAMPERINGS: list[tuple[Event, Callable[[Events, int], None], str]] = [
    (HEAD, drop, "must open the next game"),
    (HEAD, edit(game="shooting"), "must be 'shooting-party', not 'shooting'"),
    (HEAD, edit(index=-1), "index must be a whole number from 0 up"),
    (HEAD, edit(seed="1"), "seed a whole number"),
    (HEAD, edit(seats=["a", "b"]), "seats must be a list with the name of one strategy"),
    (HEAD, edit(models=[]), "exactly the keys"),
    (HEAD, options(rivals=1), "option rivals cannot be 1; allowed: True, False"),
    (HEAD, options(hand=9), "option hand cannot be 9"),
    (HEAD, options(hand=5), "must stand here"),
    (HEAD, options(rivals=None), "options must have exactly these: exhaustion"),
    (HEAD, options(jokers=1), "options must have exactly these: exhaustion"),
    (DEAL, drop, "a shuffle must stand here (SP-1)"),
    (DEAL, turn_pile, '"card": "AS"} must stand here'),
    (DEAL, exchange_card, "exactly these cards: 2C 2D"),
    (DEAL, edit(pile=None), "exactly these cards: 2C 2D"),
    (DRAW, drop, '"card": "QH"} must stand here (SP-2 to SP-5)'),
    (DRAW, swap, '"card": "QH"} must stand here (SP-2 to SP-5)'),
    (DRAW, double, '"card": "QD"} must stand here (SP-2 to SP-5)'),
    (DRAW, edit(seat=1), '"seat": 1}'),
    (DRAW, edit(seat=False), '"seat": false}'),
    (DRAW, edit(hidden=True), '"hidden": true}'),
    (PAIR, edit(do="draw"), "no action 'draw'"),
    (PAIR, edit(cards=["QS", "QC"]), "SP-4: a pair is drawn unseen"),
    (PAIR, edit(take=None), '"take": null}'),
    (PAIR, double, "must stand here (SP-2 to SP-5)"),
    (DISCARD, edit(cards=["2C", "QH"]), "SP-9"),
    (DISCARD, edit(cards=["2C", 3]), "a list of cards"),
    (DISCARD, drop, "SP-15: only a hand of one card, a queen, allows a seduction."),
    (BUTLER, edit(card="X"), "SP-14: the butler cannot take 'X'"),
    (BUTLER, edit(card="4S"), "SP-14: the butler cannot take '4S'"),
    (BUTLER, edit(take="nothing"), "SP-14: the butler cannot take 'QH' as 'nothing'"),
    (BUTLER, edit(cards=[]), "SP-14: the butler is called by discarding the joker"),
    (HUSBAND, edit(cards=["QH", "JH"]), "SP-10: discard queen and king, or king and jack"),
    (HUSBAND, drop, "SP-10: the husband in suit H must be settled first"),
    (SEDUCE, edit(cards=["QD"]), "SP-15: the lady in the hand is QC, not 'QD'"),
    (LEAVE, edit(cards=[]), "SP-8: who leaves discards the whole hand"),
    (RIVALS, drop, '"cards": ["QH"]} must stand here (SP-11)'),
    (RIVALS, double, "an act of the player must stand here"),
    (RIVALS, edit(cards=["QD"]), '"cards": ["QH"]} must stand here (SP-11)'),
    (RIVALS, edit(clause="SP-10"), "must stand here (SP-11)"),
    (SECRETARIES, edit(cards=["JC", "JD"]), "must stand here (SP-12)"),
    (RESULT, drop, "not the end of the trace"),
    (RESULT, double, "must open the next game here"),
    (RESULT, edit(aces=["C"]), "must stand here (SP-6, SP-16)"),
    (RESULT, edit(title="Impecunious cad"), "must stand here (SP-6, SP-16)"),
]


@pytest.mark.parametrize(("fields", "tamper", "sentence"), TAMPERINGS)
def test_rejects_tampering(
    fields: Event, tamper: Callable[[Events, int], None], sentence: str
) -> None:
    """Each tampering is found, and the sentence tells what is wrong."""
    events = staged()
    tamper(events, find(events, 0, **fields))
    with pytest.raises(TraceError) as error:
        judge(lines(events))
    assert sentence in str(error.value)
    assert str(error.value).startswith("game ")


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("", "not one JSON object"),
        ("# a comment", "not one JSON object"),
        ('{"ev": "draw", "card": "QH"} {}', "not one JSON object"),
        ('{"ev": "draw", "card": "2C", "card": "QH"}', "a key stands there twice"),
        ("[]", "not a JSON object with a text 'ev'"),
        ('{"card": "QH"}', "not a JSON object with a text 'ev'"),
    ],
)
def test_rejects_lines_that_are_no_events(line: str, sentence: str) -> None:
    """Anything but one JSON object a line is refused, with its place."""
    written = lines(staged())
    with pytest.raises(TraceError, match=r"^game 7, event 2: .*" + sentence):
        judge([*written[:2], line, *written[3:]])


@settings(max_examples=60, deadline=None, database=None)
@given(option_dicts(), st.integers(0, 2**32), st.sampled_from([drop, double]), st.data())
def test_everything_but_choices_is_forced(
    values: dict[str, object],
    seed: int,
    tamper: Callable[[Events, int], None],
    data: st.DataObject,
) -> None:
    """Leaving out or doubling any event that is no choice is found, wherever it stands."""
    events: Events = [json.loads(line) for line in trace(values, "random", seed, 0)]
    places = [i for i, event in enumerate(events) if event["ev"] != "act"]
    tamper(events, data.draw(st.sampled_from(places)))
    with pytest.raises(TraceError):
        judge(lines(events))


def test_every_option_is_in_the_trace() -> None:
    """The opening line has every option once, switches as true or false."""
    head = staged()[0]
    assert list(head["options"]) == list(ALLOWED)  # type: ignore[call-overload]
