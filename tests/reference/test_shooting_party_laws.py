"""What holds for every game of The Shooting Party: exact first hands, parity, all cards there."""

from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import comb

from hypothesis import given, settings
from hypothesis import strategies as st

from .shooting_party import Event, Game
from .shooting_party_cards import DECK, Action, pack
from .shooting_party_tables import CALM, Script, option_dicts
from .shooting_party_yardsticks import YARDSTICKS, random, stream_shuffler
from .splitmix import Stream, strategy_stream

GUESTS = [card for card in DECK if card[0] != "A"]


def first_etiquette(hand: tuple[str, ...]) -> str:
    """Return the first etiquette that a first hand meets: a clause, `choice` or `none`."""
    pile = [*hand, *(card for card in GUESTS if card not in hand)]
    game = Game({}, lambda cards, kind, number: pile)
    if len(game.events) == 5:
        return "choice" if game.pending else "none"
    return str(game.events[5]["clause"])


def test_exact_first_hands() -> None:
    """All 23,751 first hands of four have the known numbers of each kind."""
    hands = list(combinations(GUESTS, 4))
    assert len(hands) == comb(29, 4) == 23751
    met = Counter(first_etiquette(hand) for hand in hands)
    assert met["none"] == 18905
    assert met["choice"] == 104  # queen, king and jack of one suit
    assert met["choice"] + met["SP-10"] == 3 * 466  # a queen with her own king
    ranks = [Counter(card[0] for card in hand) for hand in hands]
    assert sum(count["J"] >= 2 for count in ranks) == 1901
    assert sum(count["Q"] == 0 for count in ranks) == 12650
    assert Fraction(sum(count["X"] for count in ranks), 23751) == Fraction(4, 29)


def test_exact_aces_of_the_first_hand() -> None:
    """The first hand displays 8/15 aces on average: all places of aces on top, weighted."""
    total = 0
    for aces in range(5):
        for spots in combinations(range(8), aces):  # a hand of four is done within 8 cards
            guests, jewels = iter([*CALM.split(), "2D", "3H", "4S", "5C"]), iter("CDHS")
            top = ["A" + next(jewels) if i in spots else next(guests) for i in range(8)]
            game = Game({}, Script(" ".join(top)))
            total += len(game.display) * comb(25, 4 - aces)
    assert Fraction(total, comb(33, 4)) == Fraction(8, 15)


def odd_events(event: Event) -> int:
    """Return how many odd events one event counts for."""
    cards = event.get("cards")
    count = len(cards) if isinstance(cards, list) else 0
    if event.get("do") == "discard":
        return int(count == 3)
    if event.get("do") == "butler":
        return int(event["take"] != "discard")
    return count if event.get("clause") == "SP-11" else 0


def starts_new_hand(event: Event) -> bool:
    """Tell whether a new hand of four follows an event."""
    return event.get("do") in ("leave", "seduce") or event.get("clause") == "SP-12"


def test_parity_law() -> None:
    """The hand is odd exactly when the odd events since the last hand of four are odd."""
    checked = 0
    for index in range(60):
        for strategy in YARDSTICKS.values():
            game, stream = Game({}, stream_shuffler(2, index)), strategy_stream(2, index)
            while not game.over:
                hands = [i for i, event in enumerate(game.events) if starts_new_hand(event)]
                since = game.events[hands[-1] + 1 if hands else 0 :]
                assert len(game.hand) % 2 == sum(map(odd_events, since)) % 2
                game.apply(strategy(game, stream))
                checked += 1
    assert checked > 3000


def check_position(game: Game) -> None:
    """Check what holds at every decision (SP-1, SP-3, SP-4, SP-10 to SP-12, SP-17)."""
    scored = game.scored_queens + game.scored_aces
    everything = game.pile + game.hand + game.discards + game.display + scored
    assert sorted(everything) == sorted(pack(game.options.butler))
    assert all(card[0] != "A" for card in game.hand + game.discards)
    assert all(card[0] == "A" for card in game.display)
    assert sorted(game.unseen()) == sorted(game.pile)
    assert {ace[1] for ace in game.scored_aces} <= {queen[1] for queen in game.scored_queens}
    assert len(game.hand) <= 7
    assert 0 <= game.reshuffles_left <= game.options.reshuffles
    if not game.over and not game.pending:
        check_etiquette(game)


def check_etiquette(game: Game) -> None:
    """Check that no etiquette is left undone."""
    ranks = Counter(card[0] for card in game.hand)
    couples = [q for q in game.hand if q[0] == "Q" and "K" + q[1] in game.hand]
    assert not (game.options.husbands and couples)
    assert not (game.options.rivals and ranks["Q"] > 1)
    assert not (game.options.secretaries and ranks["J"] > 1)


def check_choices(game: Game) -> None:
    """Check that the list of legal actions and the refusals agree."""
    actions = game.legal_actions()
    assert len(set(actions)) == len(actions)
    assert all(game.refusal(action) is None for action in actions)
    if game.over:
        return
    named = [(), *(c for size in range(1, 8) for c in combinations(game.hand, size))]
    for do in ("pair", "leave", "discard", "seduce", "husband"):
        allowed = {frozenset(a.cards) for a in actions if a.do == do}
        accepted = {frozenset(c) for c in named if game.refusal(Action(do, c)) is None}
        assert accepted == allowed
    spent = [Action("butler", ("X",), t, c) for t in ("discard", "ace") for c in DECK]
    spent.append(Action("butler", ("X",), "nothing"))
    butlers = {a for a in spent if game.refusal(a) is None}
    assert butlers == {a for a in actions if a.do == "butler"}


@settings(max_examples=120, deadline=None, database=None)
@given(option_dicts(), st.integers(0, 2**64 - 1), st.sampled_from(sorted(YARDSTICKS)))
def test_all_cards_all_options(options: dict[str, object], seed: int, name: str) -> None:
    """Under random options every position of a whole game is sound, and the game ends."""
    game, stream = Game(options, stream_shuffler(seed, 0)), Stream(seed)
    while not game.over:
        check_position(game)
        if game.decisions % 8 == 0:
            check_choices(game)
        before = (game.hand.copy(), len(game.events), game.pending)
        action = YARDSTICKS[name](game, stream)
        game.clone().apply(action)
        assert before == (game.hand, len(game.events), game.pending)
        game.apply(action)
        assert game.decisions < 3000
    check_position(game)
    assert game.events[-1] == game.result()
    assert game.decisions == sum(event["ev"] == "act" for event in game.events)


@settings(max_examples=40, deadline=None, database=None)
@given(option_dicts(), st.integers(0, 2**32))
def test_reshuffles_are_counted(options: dict[str, object], seed: int) -> None:
    """A game has one deal, at most the allowed reshuffles, and one shuffle for each ace fetched."""
    game, stream = Game(options, stream_shuffler(seed, 1)), Stream(seed)
    while not game.over:
        game.apply(random(game, stream))
    shuffles = sum(event["ev"] == "shuffle" for event in game.events)
    fetched = sum(event.get("take") == "ace" for event in game.events)
    done = game.options.reshuffles - game.reshuffles_left
    assert shuffles == 1 + done + fetched
    assert game.butler_shuffles == fetched
    assert game.reshuffles_left == 0 or len(game.scored_queens) == 4
