"""Short Zoot Suit's kernel, clause by clause: scoring, variants, knowledge (ZS-9 to ZS-15)."""

from functools import cache
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from numba import types

from sim.engine import state_array
from sim.errors import OptionError
from sim.jit import compile_function
from sim.rulesets.short_zoot_suit.cards import round_points
from tests.reference.short_zoot_suit_cards import DOUBLES, Options, pack
from tests.rules.short_zoot_suit_table import RULES, Table, array_type, position

SINGLES = ("2C", "3C", "4C", "5C", "2D", "2H", "2S")


@cache
def compiled_points() -> Any:
    """The points of a round, as a function of arrays."""

    def points(states, tricks, shorts):  # type: ignore[no-untyped-def]
        return round_points(states[0].table, tricks, np.uint64(shorts))

    return compile_function(points, (array_type(RULES.state_dtype), types.int64, types.int64))


def score(tricks: int, *shorts: str, **options: Any) -> int:
    """The points for so many tricks and these cards in the shorts pile."""
    checked: Any = RULES.options.from_mapping(options)
    names = checked.names()
    pile = sum(1 << names.index(card) for card in shorts)
    return int(compiled_points()(state_array(RULES, checked), tricks, pile))


@pytest.mark.parametrize(
    ("tricks", "shorts", "points"),
    [(1, 1, 6), (3, 3, 18), (3, 2, 9), (1, 6, 4), (4, 0, 4), (0, 2, 0), (4, 3, 13), (0, 0, 0)],
)
def test_zs_09_examples(tricks: int, shorts: int, points: int) -> None:
    """ZS-9: 1 a trick and 3 a pair, or 5 a pair where tricks and shorts are equal."""
    assert score(tricks, *SINGLES[:shorts]) == points
    assert score(tricks, *SINGLES[:shorts], bonus="none") == points


def test_zs_09_all_counts() -> None:
    """ZS-9: t + 3 min(t, s), or t + 5 t where they are equal."""
    for tricks in range(14):
        for shorts in range(8):
            cards = SINGLES[:shorts] if shorts < 8 else ()
            wanted = tricks + 3 * min(tricks, len(cards)) + 2 * tricks * (tricks == len(cards))
            assert score(tricks, *cards) == wanted


def test_zs_09_points_are_summed_and_wins_are_shared() -> None:
    """ZS-9: rounds add up; most points win, and k winners have 1/k each."""
    shares = set()
    for index in range(40):
        table = Table(4, index, players=3)
        table.play_out(last=index % 2 == 1)
        rounds = [event["points"] for event in table.events if event["ev"] == "round"]
        total = [sum(points) for points in zip(*rounds, strict=True)]
        result = table.events[-1]
        assert result["points"] == total
        assert result["winners"] == [s for s in range(3) if total[s] == max(total)]
        row = table.outcome()
        assert [row[f"points_{seat}"] for seat in range(3)] == total
        assert sum(row[f"share_{seat}"] for seat in range(4)) == pytest.approx(1)
        shares |= {float(row[f"share_{seat}"]) for seat in range(3)}
    assert {0.0, 0.5, 1.0} <= shares


@pytest.mark.parametrize(
    ("bonus", "points"),
    [("none", (0,) * 5), ("stars", (0, 1, 2, 4, 8)), ("3,0,1000,2,7", (3, 0, 1000, 2, 7))],
)
def test_zs_10_bonus(bonus: str, points: tuple[int, ...]) -> None:
    """ZS-10: points for the number of different suits in the shorts pile."""
    piles = [[], ["2D"], ["2S", "3S", "5H"], ["4C", "5C", "2D", "2H"], ["2C", "2D", "2H", "2S"]]
    for suits, pile in enumerate(piles):
        assert score(0, *pile, bonus=bonus) == points[suits]
    # the rulebook's examples: two spades and a heart; all four suits
    assert score(0, "2S", "3S", "5H", bonus="stars") == 2
    assert score(0, "2S", "3D", "5H", "2C", "3C", "4C", bonus="stars") == 8


@pytest.mark.parametrize("bonus", ["1,2,3,4", "1,2,3,4,5,6", "0,0,0,0,-1", "0,0,0,0,1001", "star"])
def test_zs_10_bonus_is_five_numbers(bonus: str) -> None:
    """ZS-10: any other text is refused with what is allowed."""
    with pytest.raises(OptionError, match="none, stars, or five whole numbers from 0 to 1000"):
        RULES.options.from_mapping({"bonus": bonus})


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("ace", ["low", "high"])
def test_zs_11_packs_with_doubles(players: int, ace: str) -> None:
    """ZS-11: six doubles replace both their single cards, or the one of their first suit."""
    for doubles, gone in (("replace-both", (1, 2)), ("replace-one", (1,))):
        cards = pack(Options(players=players))
        for double in DOUBLES:
            for letter in gone:
                cards.remove(double[0] + double[letter])
        cards += DOUBLES
        event = Table(2, 1, players=players, doubles=doubles, ace=ace).events[0]
        dealt = [card for hand in [*event["hands"], event["out"]] for card in hand]
        assert sorted(dealt) == sorted(cards)
    assert len(set(map(frozenset, (card[1:] for card in DOUBLES)))) == len(
        list(combinations("CDHS", 2))
    )


@pytest.mark.parametrize("doubles", ["replace-both", "replace-one"])
def test_zs_11_not_for_two_players(doubles: str) -> None:
    """ZS-11: two players have no face cards, and are told so."""
    with pytest.raises(OptionError, match=f"doubles={doubles} needs face cards.*players to 3 or 4"):
        RULES.options.from_mapping({"doubles": doubles, "players": 2})


def test_zs_11_order_of_doubles() -> None:
    """ZS-11: by number, then by the first letter: JCD stands between TS and JD, JHS before JS."""
    table = position(["TS JCD JD JHS JS QCH QDS QH KDH", "2C", "3C"], doubles="replace-one")
    wanted = ["TS", "JCD", "JD", "JHS", "JS", "QCH", "QDS", "QH", "KDH"]
    assert table.legal() == [f"play {card}" for card in wanted]


DOUBLES_ON: dict[str, Any] = {"doubles": "replace-one"}


def test_zs_12_a_led_double() -> None:
    """ZS-12: cards of either suit follow, and one who has such a card must play one."""
    table = position(["JHS 2C", "3H 4S 5C", "6C 7D"], **DOUBLES_ON)
    table.act("JHS")
    assert table.legal() == ["play 3H", "play 4S"]
    assert table.refusal("5C") == "ZS-7, ZS-12, ZS-13"
    table.act("4S")
    assert table.legal() == ["play 6C", "play 7D"]
    assert table.act("7D")[1] == "0 takes, 2 short 7D"


def test_zs_12_the_highest_of_either_suit_wins() -> None:
    """ZS-12: numbers are compared across the two suits."""
    table = position(["JHS 2C", "QH 4S", "KH 5S"], **DOUBLES_ON)
    assert table.act("JHS", "QH", "KH")[3] == "2 takes"
    table = position(["JHS 2C", "QH 4S", "5S 3D"], **DOUBLES_ON)
    assert table.act("JHS", "QH", "5S")[3] == "1 takes"


@pytest.mark.parametrize(
    ("first", "second", "winner"),
    [("QH", "QS", 2), ("QS", "QH", 2), ("QDS", "QCH", 2), ("KH", "QS", 1), ("2H", "JS", 2)],
)
def test_zs_12_equal_numbers(first: str, second: str, winner: int) -> None:
    """ZS-12: of equal numbers that follow, the later card wins, the led one's equals too."""
    table = position(["JHS 2C", f"{first} 3C", f"{second} 4C"], **DOUBLES_ON)
    assert table.act("JHS", first, second)[3] == f"{winner} takes"


def test_zs_12_only_led_suits_count_for_ties() -> None:
    """ZS-12: an equal number of another suit is a short."""
    table = position(["JHS 2C", "JD 3C", "2H 4C"], **DOUBLES_ON)
    assert table.act("JHS", "JD", "2H")[3] == "0 takes, 1 short JD"
    assert table.cards(table.view["shorts"]) == ["JD"]


def test_zs_13_a_double_follows_a_single_suit() -> None:
    """ZS-13: it follows either suit, and must be played by one who has no other of the suit."""
    table = position(["5H 2C", "JHS 4C", "6S KDH"], **DOUBLES_ON)
    table.act("5H")
    assert table.legal() == ["play JHS"]
    table.act("JHS")
    assert table.legal() == ["play KDH"]
    assert table.act("KDH")[1] == "2 takes"
    table = position(["5S 2C", "JHS 4C", "6D KDH"], **DOUBLES_ON)
    table.act("5S", "JHS")
    assert table.legal() == ["play 6D", "play KDH"]  # KDH is no spade


def test_zs_13_a_double_that_is_short() -> None:
    """ZS-13: it is short if it shares no suit; one short, with both suits for the bonus."""
    table = position(["5H 2C", "6H 3C", "KCS 4D"], **DOUBLES_ON)
    assert table.act("5H", "6H", "KCS")[3] == "1 takes, 2 short KCS"
    assert score(1, "KCS", **DOUBLES_ON) == 6
    assert score(1, "KCS", bonus="0,100,200,0,0", **DOUBLES_ON) == 206
    assert score(0, "KCS", "JCD", bonus="stars", **DOUBLES_ON) == 4


@pytest.mark.parametrize(
    ("led", "card", "told"),
    [("QDS", "KCS", "1 takes"), ("KDH", "JCD", "0 takes"), ("QCH", "QDS", "0 takes, 1 short QDS")],
)
def test_zs_13_a_double_on_a_double(led: str, card: str, told: str) -> None:
    """ZS-13: one common suit is enough to follow; without one the double is short."""
    third = "2D 3D" if led == "KDH" else "2S 3S"
    if "short" in told:
        third = "2C 3C"
    table = position([f"{led} 9C", f"{card} 8S", third], **DOUBLES_ON)
    assert table.act(led, card, third[:2])[3] == told


SHORT_SHORTS: dict[str, Any] = {"short_shorts": True}


def test_zs_14_no_draft() -> None:
    """ZS-14: decks are empty at first, and the leader is asked before the first trick."""
    table = Table(1, 0, **SHORT_SHORTS)
    assert (table.seat, table.kind, len(table.legal_actions())) == (0, 1, 14)
    assert [len(hand) for hand in table.hands] == [13] * 4
    assert not any(table.decks)
    assert table.can("stay")
    assert not table.can("take")


def test_zs_14_lay_and_take() -> None:
    """ZS-14: a card goes on top of the deck, or the top card comes back; the owner knows both."""
    table = position(["2C 3C 4C", "2D 3D 4D"], **SHORT_SHORTS)
    assert table.legal() == ["stay", "lay 2C", "lay 3C", "lay 4C"]
    assert table.refusal("2D") == "ZS-14"
    assert table.refusal("take") == "ZS-14"
    assert table.act("3C") == []
    assert table.of_seats(table.view["decks"]) == [0, 0]  # nobody sees it yet. ZS-5
    assert table.act("stay") == ["0 lays 3C", "1 stays"]
    assert table.act("2C", "2D")[2] == "0 takes, 1 short 2D"
    view = table.view
    assert table.before_tricks(view["laid"]) == [{1}, set()]
    assert table.stack(view["stack_0"], view["stack_1"], 1) == ["3C"]
    assert table.legal() == ["stay", "take", "lay 4C"]
    assert table.act("take", "3D")[:2] == ["0 draws 3C", "1 lays 3D"]
    assert table.hands == [["3C", "4C"], ["4D"]]


def test_zs_14_the_deck_is_a_stack() -> None:
    """ZS-14: last laid, first taken, through both words in which the kernel keeps a deck."""
    deck = "3C 2D 5C 4D 7C 6D 9C 8D 2C 3D 4C 5D 6C"
    table = position(["7D 8C", "2H 3H"], [deck, ""], **SHORT_SHORTS)
    table.act("7D", "stay")
    assert table.decks[0] == ["7D", *deck.split()]
    table.act("8C", "2H", "take", "stay")
    assert table.hands[0] == ["7D"]
    assert table.decks[0] == deck.split()
    for number, card in enumerate(deck.split()):
        table = position(["7D 8C", "2H 3H"], [" ".join(deck.split()[number:]), ""], **SHORT_SHORTS)
        assert table.act("take", "stay")[0] == f"0 draws {card}"


@pytest.mark.parametrize("draws", ["simultaneous", "in-turn"])
def test_zs_14_the_last_card_may_be_laid(draws: str) -> None:
    """ZS-14: which ends the round by ZS-6, though the card could come back later."""
    table = position(["2C", "2D 3D"], draws=draws, **SHORT_SHORTS)
    told = table.act("2C", "stay")
    assert told[:3] == ["0 lays 2C", "1 stays", "round [0, 0]"]


def test_zs_15_the_own_deck_has_no_order() -> None:
    """ZS-15: a drafted deck is known as a set; in short shorts its order is in the view."""
    hands, decks = ["2C 3C", "2D 3D"], ["5C 4C", "4D 5D"]
    views = []
    for own in ("5C 4C", "4C 5C"):
        table = position(hands, [own, decks[1]])
        views.append(table.view.tobytes())
        assert table.cards(table.view["deck"]) == ["4C", "5C"]
    assert views[0] == views[1]
    ordered = {position(hands, [own, ""], **SHORT_SHORTS).view.tobytes() for own in decks}
    assert len(ordered) == 2


def test_zs_15_who_is_short_is_sure_until_the_next_draw() -> None:
    """ZS-15: all cards of the hand are outside the suit; after a draw all but one."""
    table = position(["2H 3H 4H", "2C 3C 4C", "2H 5D 6D"], ["", "5H", ""])
    table.act("stay", "2H", "2C", "2H")
    assert table.outside(1, "H") == 2 == len(table.hands[1])
    table.act("take")
    assert table.hands[1] == ["3C", "4C", "5H"]
    assert table.outside(1, "H") == 2
    assert table.outside(1, "CH") == 0
    assert table.seat == 2  # of two Twos of hearts, the later one
    table.act("5D", "3H")
    assert table.outside(0, "D") == 1
    assert table.outside(1, "H") == 2
    table.act("5H")
    assert table.outside(1, "H") == 2 == len(table.hands[1])  # the card drawn was the heart
    assert table.outside(1, "DH") == 2
