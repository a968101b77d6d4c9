"""The Shooting Party's kernel, clause by clause: etiquette (SP-10 to SP-13). All of it is exact."""

from itertools import permutations
from typing import Any

from tests.reference.shooting_party_cards import Action, card_order
from tests.rules.shooting_party_table import CALM, RULES, dealt, encoded, lay, story

#: Four cards for a new hand, none of them in `CALM`.
NEXT = "2D 3H 4S 5C"


def test_sp_10_husband_takes_his_wife_away() -> None:
    """SP-10: queen and king of one suit go, however they meet; other kings do nothing."""
    for suit in "CDHS":
        table = dealt(f"Q{suit} 2C K{suit} 3D")
        assert story(table.events)[-1] == f"SP-10 Q{suit} K{suit}"
        assert (table.hand, table.discards) == (["2C", "3D"], [f"Q{suit}", f"K{suit}"])
        assert table.queens == []
        for other in set("CDHS") - {suit}:
            assert len(dealt(f"Q{suit} 2C K{other} 3D").hand) == 4
    joined = lay("QH", pile="KH 2C")
    assert joined.act("pair") == ["draw KH", "draw 2C", "SP-10 QH KH"]
    fetched = lay("KH X", pile=CALM)
    assert fetched.act("butler", take="discard", card="QH") == ["SP-10 QH KH"]
    assert fetched.hand == []
    left = lay("QS", pile="KS 2C 3D 4H")
    left.act("leave")
    assert left.hand == ["2C", "3D", "4H", "KS"]  # she had gone before he came


def test_sp_10_option_off() -> None:
    """SP-10: with `husbands` off couples stay, jack or no jack."""
    for pile in ("QH 2C KH 3D", "QH JH KH 3D"):
        table = dealt(pile, husbands=False)
        assert (table.pending, table.hand) == (None, card_order(pile.split()))


def test_sp_10_jack_of_the_suit_gives_a_choice() -> None:
    """SP-10: queen and king, or king and jack; nothing else is legal until that is settled."""
    for suit in "CDHS":
        start = f"Q{suit} J{suit} K{suit} X"
        keep, lose = dealt(start), dealt(start)
        assert (keep.pending, len(keep.hand)) == (suit, 4)
        assert keep.deeds() == ["discard queen and king", "discard king and jack"]
        for do in ("pair", "leave", "seduce"):
            assert not keep.can(do)
        assert not keep.can("discard", f"Q{suit} J{suit}")
        assert not keep.can("butler", take="nothing")
        assert keep.refusal(encoded(Action("leave"))) == "SP-10"
        assert keep.act("husband", f"J{suit} K{suit}") == []
        assert keep.events[-1]["cards"] == [f"J{suit}", f"K{suit}"]
        assert lose.act("husband", f"Q{suit} K{suit}") == []
        assert lose.events[-1]["cards"] == [f"Q{suit}", f"K{suit}"]
        assert (keep.hand, keep.queens) == ([f"Q{suit}", "X"], [f"Q{suit}"])
        assert (lose.hand, lose.queens) == ([f"J{suit}", "X"], [])
        assert (keep.pending, lose.pending) == (None, None)
        assert not keep.can("husband", f"J{suit} K{suit}")
    assert dealt("QH JD KH 3D").hand == ["3D", "JD"]  # another suit's jack gives no choice


def test_sp_10_choice_after_the_butler() -> None:
    """SP-10: the third of the three may be brought by the butler."""
    for missing in ("JH", "QH", "KH"):
        held = [card for card in ("JH", "QH", "KH") if card != missing]
        table = lay(" ".join([*held, "X"]))
        assert table.act("butler", take="discard", card=missing) == []
        assert (table.pending, table.hand) == ("H", ["JH", "QH", "KH"])


def test_sp_10_suit_by_suit() -> None:
    """SP-10: several suits are settled in the order C D H S, the choices among them."""
    table = dealt("QS KS QD JD KD KC QC", hand=7)
    assert story(table.events)[-1] == "SP-10 QC KC"  # clubs are first, spades wait
    assert table.pending == "D"
    assert table.act("husband", "JD KD") == ["SP-10 QS KS"]
    assert table.hand == ["QD"]
    both = dealt("QS KS JS QD JD KD 2C", hand=7)
    assert both.pending == "D"
    assert both.act("husband", "JD KD") == []
    assert both.pending == "S"
    assert both.act("husband", "JS KS") == ["SP-11 QS"]
    assert both.hand == ["2C", "QD"]
    forced = dealt("KS QS KH QH KC QC 2D", hand=7)
    assert story(forced.events)[-3:] == ["SP-10 QC KC", "SP-10 QH KH", "SP-10 QS KS"]


def test_sp_11_order_of_arrival() -> None:
    """SP-11: of two queens the one longest in the hand goes; of one draw, the upper card."""
    table = lay("QH 2C", pile="3D QD")
    assert table.act("pair") == ["draw 3D", "draw QD", "SP-11 QH"]
    assert (table.hand, table.queens) == (["2C", "3D", "QD"], ["QD"])
    assert "QH" in table.discards
    for first, second in permutations(["QC", "QD", "QH", "QS"], 2):
        hand = dealt(f"{first} 2C {second} 3D")
        assert story(hand.events)[-1] == f"SP-11 {first}"
        assert hand.queens == [second]


def test_sp_11_until_one_is_left() -> None:
    """SP-11: all but the newest go, the oldest first, for every order of four queens."""
    for queens in permutations(["QC", "QD", "QH", "QS"]):
        table = lay(f"2C {queens[0]}", pile=f"{queens[1]} {queens[2]}")
        table.act("pair")
        assert story(table.events)[-2:] == [f"SP-11 {queens[0]}", f"SP-11 {queens[1]}"]
        assert (table.hand, table.queens) == (["2C", queens[2]], [queens[2]])
        hand = dealt(" ".join(queens))
        assert story(hand.events)[-3:] == [f"SP-11 {queen}" for queen in queens[:3]]
        assert hand.hand == [queens[3]]


def test_sp_11_queen_of_the_butler_is_the_newest() -> None:
    """SP-11: so the queen that was in the hand leaves."""
    table = lay("QH X 2C")
    assert table.act("butler", take="discard", card="QC") == ["SP-11 QH"]
    assert (table.hand, table.queens) == (["2C", "QC"], ["QC"])


def test_sp_11_order_survives_departures() -> None:
    """SP-11: queens that leave are forgotten, and one who comes back is the newest."""
    table = lay("QS QC X QH QD 2D", rivals=False)
    assert table.queens == ["QS", "QC", "QH", "QD"]
    table.act("discard", "QC QH")
    assert table.queens == ["QS", "QD"]
    table.act("butler", take="discard", card="QC")
    assert table.queens == ["QS", "QD", "QC"]
    table.act("discard", "QD 2D")
    assert table.queens == ["QS", "QC"]


def test_sp_11_option_off() -> None:
    """SP-11: with `rivals` off they share the room."""
    table = dealt("QS 2C QC 3D", rivals=False)
    assert (table.hand, table.queens) == (["2C", "3D", "QC", "QS"], ["QS", "QC"])


def test_sp_12_secretaries_empty_the_room() -> None:
    """SP-12: with two jacks or more the whole hand goes and a new one meets etiquette again."""
    table = dealt("JC 2C X JD 3C JH JS 4C QC 4D KC 5H")
    assert story(table.events) == [
        *("draw JC", "draw 2C", "draw X", "draw JD", "SP-12 2C JC JD X"),
        *("draw 3C", "draw JH", "draw JS", "draw 4C", "SP-12 3C 4C JH JS"),
        *("draw QC", "draw 4D", "draw KC", "draw 5H", "SP-10 QC KC"),
    ]
    assert table.hand == ["4D", "5H"]
    for jacks in ("JC JD JH 2C", "JS JH JD JC"):
        assert dealt(f"{jacks} {NEXT}").hand == ["2D", "3H", "4S", "5C"]
    assert dealt("JC 2C 3D 4H").hand == ["2C", "3D", "4H", "JC"]


def test_sp_12_option_off() -> None:
    """SP-12: with `secretaries` off they keep company."""
    for pile in ("JC 2C X JD", "JC JD JH JS"):
        table = dealt(pile, secretaries=False)
        assert story(table.events) == [f"draw {card}" for card in pile.split()]
        assert (table.hand, table.discards) == (card_order(pile.split()), [])


def test_sp_12_new_hand_of_the_size_of_the_option() -> None:
    """SP-12: the new hand has as many cards as `hand` says, whatever the old one had."""
    table = lay("JC 2C 3C", pile="JD 4C 5C 2D 3D 4D 5D 2H 3H", hand=7)
    assert len(table.act("pair")) == 2 + 1 + 7
    assert len(table.hand) == 7
    assert {"JC", "2C", "3C", "JD", "4C"} <= set(table.discards)


def test_sp_12_after_pair_butler_and_husband() -> None:
    """SP-12: it is looked for after every draw, card of the butler and choice of SP-10."""
    pair = lay("JH QS 2C", pile=f"3C JC {NEXT}")
    assert pair.act("pair")[2] == "SP-12 2C 3C JC JH QS"
    assert (pair.hand, pair.queens) == (["2D", "3H", "4S", "5C"], [])
    butler = lay("JH X", pile=NEXT)
    told = butler.act("butler", take="discard", card="JC")
    assert told == ["SP-12 JC JH", "draw 2D", "draw 3H", "draw 4S", "draw 5C"]
    choice = lay("JD QC KC", pile=f"JC 3C {NEXT}")
    assert choice.act("pair")[-1] == "draw 3C"
    assert choice.act("husband", "QC KC")[0] == "SP-12 3C JC JD"


def test_sp_13_precedence() -> None:
    """SP-13: husbands before rivals before secretaries, and each may spare the next."""
    spared = lay("JD QC", pile="JC KC")
    spared.act("pair")
    assert spared.act("husband", "JC KC") == []
    assert spared.hand == ["JD", "QC"]  # one jack is left when SP-12 looks
    alone = lay("QC QD", pile="KC 2H")
    assert alone.act("pair")[2:] == ["SP-10 QC KC"]
    assert alone.hand == ["2H", "QD"]  # one queen is left when SP-11 looks
    rivals_first = lay("QC JC", pile=f"JD QD {NEXT}")
    assert rivals_first.act("pair")[2:4] == ["SP-11 QC", "SP-12 JC JD QD"]
    husband_first = lay("JC JD", pile=f"QH KH {NEXT}")
    assert husband_first.act("pair")[2:4] == ["SP-10 QH KH", "SP-12 JC JD"]


def test_sp_13_seven_is_the_limit() -> None:
    """SP-13: five and a pair make seven, and nothing makes more."""
    table = lay("2C 3D 4H 5S KC", pile="KD KH KS")
    table.act("pair")
    assert (len(table.hand), table.can("pair")) == (7, False)
    full = lay("2C 3D 4H 5S KC KD X", hand=7)
    assert not full.can("pair")
    full.act("butler", take="discard", card="KS")
    assert len(full.hand) == 7


def test_forced_steps_are_told_with_their_clause() -> None:
    """SP-10, SP-11, SP-12: a game told in words names the clause of each forced step."""
    for pile, clause in (
        ("QH 2C KH 3D", "SP-10"),
        ("QH 2C QS 3D", "SP-11"),
        (f"JC JD 2C 3D {NEXT}", "SP-12"),
    ):
        telling: dict[str, Any] = {}
        table = dealt(pile)
        told = [RULES.tell(event, telling) or "" for event in table.events]
        assert sum(clause in line for line in told) == 1
        assert card_order(telling["hand"]) == table.hand
