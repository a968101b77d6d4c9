"""The Shooting Party's kernel, clause by clause: the pack and the draw (SP-1 to SP-7).

SP-8 to SP-17 are in test_shooting_party_clauses_play.py and …_etiquette.py. All of it is exact.
"""

from typing import Any

import pytest

from tests.reference.shooting_party_cards import ALLOWED, DECK, Action, card_order
from tests.rules.shooting_party_table import (
    NO_ETIQUETTE,
    Table,
    dealt,
    encoded,
    lay,
    story,
)

ACES = ["AC", "AD", "AH", "AS"]
PLAYED: dict[str, Any] = {"last_draw": "played", "reshuffles_left": 0}


def as_drawn(pile: list[str], wanted: int) -> list[str]:
    """The cards that come off a pile, top first, until `wanted` of them are no aces."""
    drawn: list[str] = []
    for card in pile:
        if wanted == 0:
            break
        drawn.append(card)
        wanted -= card[0] != "A"
    assert wanted == 0
    return drawn


def draws(events: list[dict[str, Any]]) -> list[str]:
    """The cards of the `draw` events."""
    return [event["card"] for event in events if event["ev"] == "draw"]


def new_piles(table: Table) -> list[list[str]]:
    """The piles of the `shuffle` events, each top first."""
    return [event["pile"] for event in table.events if event["ev"] == "shuffle"]


def test_sp_01_pack_of_33_is_shuffled() -> None:
    """SP-1: eight ranks in four suits and one joker are the draw pile; without butler, 32 cards."""
    table = Table()
    pile = table.events[0]["pile"]
    assert sorted(pile) == sorted(DECK)
    assert len(DECK) == 33
    assert sorted(Table(butler=0).events[0]["pile"]) == sorted(set(DECK) - {"X"})
    piles = [tuple(Table(seed, index).events[0]["pile"]) for seed in (1, 2) for index in range(20)]
    assert len(set(piles)) == 40
    assert len({pile[0] for pile in piles}) > 10


def test_sp_01_same_deal_under_all_rules() -> None:
    """SP-1: options other than the joker's change what is done with the pile, not the pile."""
    first = Table(7, 3).events[0]
    for name, allowed in ALLOWED.items():
        for value in allowed:
            if name != "butler":
                options: dict[str, Any] = {name: value}
                assert Table(7, 3, **options).events[0] == first


@pytest.mark.parametrize("size", range(1, 8))
def test_sp_02_first_hand(size: int) -> None:
    """SP-2: the game opens with cards off the top of the pile, as many as `hand` says."""
    for index in range(20):
        table = Table(3, index, hand=size, **NO_ETIQUETTE)
        drawn = as_drawn(table.events[0]["pile"], size)
        assert draws(table.events) == drawn
        assert len(table.events) == 1 + len(drawn)
        assert table.hand == card_order(card for card in drawn if card[0] != "A")
        assert table.pile == table.events[0]["pile"][len(drawn) :]
        assert table.queens == [card for card in drawn if card[0] == "Q"]
        assert (table.view["decisions"], table.discards, table.scored) == (0, [], [])
    assert Table().options.as_dict()["hand"] == 4


def test_sp_03_first_hand_without_aces() -> None:
    """SP-3: an ace is displayed and replaced, one in its place too; the joker is none."""
    table = dealt("AC AD 2C X AH 4H 5S AS 2D 2H")
    assert story(table.events) == [
        *("draw AC", "draw AD", "draw 2C", "draw X", "draw AH", "draw 4H", "draw 5S")
    ]
    assert (table.hand, table.display) == (["2C", "4H", "5S", "X"], ["AC", "AD", "AH"])


def test_sp_03_pair_without_aces() -> None:
    """SP-3: a pair is two cards that are no aces."""
    table = lay("2C", pile="AS 2D AH AC 3H 4C")
    assert table.act("pair") == ["draw AS", "draw 2D", "draw AH", "draw AC", "draw 3H"]
    assert (table.hand, table.display, table.pile) == (["2C", "2D", "3H"], ACES, ["4C"])


def test_sp_03_every_new_hand_without_aces() -> None:
    """SP-3: so is a new hand, whether the player left, seduced or was found out (SP-12)."""
    pile = "AC 2D AD 3H 4S 5C 5D"
    leaver = lay("2C", pile=pile)
    leaver.act("leave")
    lover = lay("QH", pile=pile)
    lover.act("seduce")
    found_out = lay("JC", pile=f"JD KC {pile}")
    assert found_out.act("pair")[2] == "SP-12 JC JD KC"
    for table in (leaver, lover, found_out):
        assert draws(table.events)[-6:] == ["AC", "2D", "AD", "3H", "4S", "5C"]
        assert table.hand == ["2D", "3H", "4S", "5C"]
        assert {"AC", "AD"} <= set(table.display)
        assert table.pile == ["5D"]


@pytest.mark.parametrize("limit", range(6))
def test_sp_04_pair_up_to_the_limit(limit: int) -> None:
    """SP-4: a pair may be drawn with `draw_limit` cards or fewer, with none at all too."""
    for size in range(8):
        hand = " ".join(["2C", "3D", "4H", "5S", "2D", "3H", "4S"][:size])
        table = lay(hand, pile="KC KD KH", draw_limit=limit)
        assert table.can("pair") == (size <= limit)
        assert ("draw a pair" in table.deeds()) == (size <= limit)
        if table.can("pair"):
            assert table.act("pair") == ["draw KC", "draw KD"]
            assert len(table.hand) == size + 2
        else:
            assert table.refusal(encoded(Action("pair"))) == "SP-4"
    assert Table().options.as_dict()["draw_limit"] == 5


def test_sp_04_whole_draw_before_etiquette() -> None:
    """SP-4: both cards of a pair, and all of a new hand, are there before etiquette looks."""
    pair = lay("QC", pile="KC JC")
    assert pair.act("pair") == ["draw KC", "draw JC"]  # the jack makes it a choice
    assert pair.pending == "C"
    hand = dealt("QC KC 2D JC")
    assert (hand.pending, len(hand.hand)) == ("C", 4)
    rivals = lay("2C", pile="QD QS")
    assert rivals.act("pair") == ["draw QD", "draw QS", "SP-11 QD"]


def test_sp_05_on_need_waits_for_a_need() -> None:
    """SP-5: an empty pile stays empty until a card is needed; then all but the hand is shuffled."""
    table = lay("2C 3D", pile="4H 5S", scored="QH QS AH AS")
    assert table.act("pair") == ["draw 4H", "draw 5S"]
    assert (table.pile, table.display, table.reshuffles_left) == ([], ["AC", "AD"], 2)
    before, hand = table.discards + table.display, table.hand
    told = table.act("pair")
    assert sorted(new_piles(table)[-1]) == sorted(before)
    drawn = as_drawn(new_piles(table)[-1], 2)
    assert told == ["shuffle", *(f"draw {card}" for card in drawn)]
    assert set(hand) < set(table.hand)
    assert table.reshuffles_left == 1


def test_sp_05_on_need_hand_left_is_shuffled_too() -> None:
    """SP-5: who leaves has discarded the hand before the new pile is made."""
    table = lay("2C 3D X", pile="")
    table.act("leave")
    assert sorted(new_piles(table)[0]) == sorted(DECK)


@pytest.mark.parametrize("exhaustion", ["on-need", "at-once"])
def test_sp_05_reshuffle_in_the_middle_of_a_draw(exhaustion: str) -> None:
    """SP-5: the hand is kept, the draw goes on; an ace drawn last is in the new pile."""
    table = lay("2C 3D", pile="4H AC", exhaustion=exhaustion)
    told = table.act("pair")
    pile = new_piles(table)[0]
    assert sorted(pile) == sorted(card for card in DECK if card not in ("2C", "3D", "4H"))
    drawn = as_drawn(pile, 1)
    assert told == ["draw 4H", "draw AC", "shuffle", *(f"draw {card}" for card in drawn)]
    assert table.hand == card_order(["2C", "3D", "4H", drawn[-1]])
    assert (table.discards, table.display) == ([], card_order(drawn[:-1]))
    assert table.pile == pile[len(drawn) :]
    assert table.reshuffles_left == 1


def test_sp_05_at_once_before_etiquette() -> None:
    """SP-5: at-once, the last card is in the hand, then the pile is new, then etiquette looks."""
    table = lay("QC 3D", pile="4H KC", exhaustion="at-once")
    told = table.act("pair")
    assert told == ["draw 4H", "draw KC", "shuffle", "SP-10 QC KC"]
    assert not {"QC", "KC", "3D", "4H"} & set(new_piles(table)[0])
    assert (table.hand, table.discards, table.display) == (["3D", "4H"], ["QC", "KC"], [])
    assert (len(table.pile), table.reshuffles_left) == (29, 1)


def test_sp_05_at_once_draw_goes_on_from_the_new_pile() -> None:
    """SP-5: at-once, a draw that needs more cards takes them from the new pile."""
    table = lay("", pile="4H", exhaustion="at-once", **NO_ETIQUETTE)
    told = table.act("leave")
    drawn = as_drawn(new_piles(table)[0], 3)
    assert told == ["draw 4H", "shuffle", *(f"draw {card}" for card in drawn)]


def test_sp_05_at_once_last_card_an_ace() -> None:
    """SP-5 settled: at-once, a last ace is displayed and goes straight into the new pile."""
    table = lay("2C", pile="4H 5S AC", exhaustion="at-once", **NO_ETIQUETTE)
    table.act("pair")
    assert table.pile == ["AC"]
    told = table.act("pair")
    assert told[:2] == ["draw AC", "shuffle"]
    assert "AC" in new_piles(table)[0]
    shown = [card for card in draws(table.events)[3:] if card[0] == "A"]
    assert table.display == card_order(shown)


@pytest.mark.parametrize("reshuffles", range(10))
def test_sp_06_as_many_reshuffles_as_the_option_says(reshuffles: int) -> None:
    """SP-6: who only leaves sees exactly `reshuffles` new piles, then the game is over."""
    for exhaustion in ("on-need", "at-once"):
        table = Table(5, 0, reshuffles=reshuffles, exhaustion=exhaustion, husbands=False)
        while not table.over:
            table.act("leave")
        assert len(new_piles(table)) == 1 + reshuffles
        assert table.outcome()["reshuffles"] == reshuffles
        assert table.events[-1]["ev"] == "result"
    assert Table().options.as_dict()["reshuffles"] == 2


def test_sp_06_lost_on_need_ends_when_a_card_is_missing() -> None:
    """SP-6: on-need, the missing card ends the game; what was drawn resolves nothing."""
    table = lay("QC JD", pile="KC", reshuffles_left=0)
    assert table.act("pair") == ["draw KC", "result"]
    assert (table.over, table.hand) == (True, ["JD", "QC", "KC"])
    exact = lay("2C 3D", pile="4H 5S", reshuffles_left=0)
    assert exact.act("pair") == ["draw 4H", "draw 5S"]  # no card is missing yet
    assert (exact.over, exact.pile) == (False, [])
    assert exact.act("leave") == ["result"]
    assert (exact.over, exact.hand, exact.pile) == (True, [], [])
    ace = lay("2C 3D", pile="4H AS", reshuffles_left=0)
    assert ace.act("pair") == ["draw 4H", "draw AS", "result"]


def test_sp_06_lost_at_once_ends_with_the_last_card() -> None:
    """SP-6 settled: at-once and lost, the game ends even if the last card completed the draw."""
    table = lay("QC 3D", pile="4H KC", reshuffles_left=0, exhaustion="at-once")
    assert table.act("pair") == ["draw 4H", "draw KC", "result"]
    assert (table.over, table.hand) == (True, ["3D", "4H", "QC", "KC"])
    ace = lay("2C 3D", pile="4H AS", reshuffles_left=0, exhaustion="at-once")
    assert "AS" not in ace.display
    assert ace.act("pair") == ["draw 4H", "draw AS", "result"]
    assert ace.display == ACES


@pytest.mark.parametrize("exhaustion", ["on-need", "at-once"])
def test_sp_06_played_resolves_what_was_drawn(exhaustion: str) -> None:
    """SP-6: played, a draw cut short meets etiquette, and the player goes on without drawing."""
    table = lay("QC 3D 3H X", pile="KC", exhaustion=exhaustion, **PLAYED)
    assert not table.played_out
    assert table.act("pair") == ["draw KC", "SP-10 QC KC"]
    assert (table.over, table.played_out) == (False, True)
    assert {"draw a pair", "leave the room", "discard 3D 3H"} <= set(table.deeds())
    assert table.act("butler", take="discard", card="QH") == []
    assert table.act("discard", "3D 3H") == []
    assert table.act("seduce") == ["result"]
    assert (table.over, table.scored) == (True, ["QH", "AH"])


@pytest.mark.parametrize("exhaustion", ["on-need", "at-once"])
@pytest.mark.parametrize("deed", ["pair", "leave"])
def test_sp_06_played_pair_and_leave_end_the_game(exhaustion: str, deed: str) -> None:
    """SP-6 settled: played, after the last exhaustion they stay legal and end the game."""
    table = lay("2C 3D", pile="4H", exhaustion=exhaustion, **PLAYED)
    assert table.act("pair") == ["draw 4H"]
    assert table.act(deed) == ["result"]
    assert table.over


def test_sp_06_played_draw_without_any_card() -> None:
    """SP-6 settled: a draw that got no card leaves the decision until the next need."""
    table = lay("2C 3D", **PLAYED)
    assert table.act("leave") == []
    assert (table.over, table.hand, table.played_out) == (False, [], True)
    assert table.deeds() == ["draw a pair", "leave the room"]
    assert table.act("pair") == ["result"]
    lover = lay("QH", **PLAYED)
    assert lover.act("seduce") == []  # her new hand is the draw that finds nothing
    assert (lover.over, lover.scored) == (False, ["QH", "AH"])


def test_sp_06_played_at_once_after_a_complete_draw() -> None:
    """SP-6: at-once, the last card is the last exhaustion, whether or not more were needed."""
    table = lay("2C 3D", pile="4H 5S", exhaustion="at-once", **PLAYED)
    assert table.act("pair") == ["draw 4H", "draw 5S"]
    assert table.played_out
    assert table.act("leave") == ["result"]
    waits = lay("2C 3D", pile="4H 5S", **PLAYED)
    waits.act("pair")
    assert not waits.played_out
    assert waits.act("leave") == []


@pytest.mark.parametrize("exhaustion", ["on-need", "at-once"])
def test_sp_06_played_secretaries_need_cards(exhaustion: str) -> None:
    """SP-6: played, a new hand that SP-12 asks for after the last exhaustion ends the game."""
    table = lay("JC", pile="JD", exhaustion=exhaustion, **PLAYED)
    assert table.act("pair") == ["draw JD", "SP-12 JC JD", "result"]
    in_time = lay("JC", pile="JD KC 5H", exhaustion=exhaustion, **PLAYED)
    assert in_time.act("pair") == ["draw JD", "draw KC", "SP-12 JC JD KC", "draw 5H"]
    assert in_time.hand == ["5H"]


@pytest.mark.parametrize("exhaustion", ["on-need", "at-once"])
def test_sp_06_nothing_to_shuffle_is_the_end(exhaustion: str) -> None:
    """SP-6: a new pile without cards is none, whatever number of reshuffles is left."""
    away = " ".join(card for card in DECK if card not in ("2C", "3D"))
    options: dict[str, Any] = {"away": away, "exhaustion": exhaustion}
    lost = lay("2C", pile="3D", **options)
    assert lost.act("pair") == ["draw 3D", "result"]
    assert (lost.reshuffles_left, lost.outcome()["reshuffles"]) == (2, 0)
    played = lay("2C", pile="3D", last_draw="played", **options)
    assert played.act("pair") == ["draw 3D"]
    assert played.played_out
    assert played.act("leave") == ["result"]  # the hand just left is no new pile any more


def test_sp_07_display_holds_until_the_reshuffle() -> None:
    """SP-7: then every displayed ace leaves, that of a scored queen too; scored cards stay out."""
    table = lay("2D", pile="4H", scored="QC QH AH")
    assert table.display == ["AC", "AD", "AS"]
    assert table.act("pair")[:2] == ["draw 4H", "shuffle"]
    assert {"AC", "AD", "AS"} <= set(new_piles(table)[0])
    assert not {"QC", "QH", "AH"} & set(new_piles(table)[0])
    assert len(new_piles(table)[0]) == 33 - 3 - 2
    assert set(table.display) <= set(draws(table.events))
    assert table.scored == ["QC", "QH", "AH"]


def test_dealt_is_a_deal() -> None:
    """The tests' own short cut: a hand dealt off a pile is what the real deal makes of it."""
    for index in range(40):
        real = Table(9, index)
        again = dealt(" ".join(real.events[0]["pile"]))
        if not any(event["ev"] == "shuffle" for event in real.events[1:]):
            assert again.events == real.events[1:]
            assert (again.hand, again.pile, again.queens) == (real.hand, real.pile, real.queens)
