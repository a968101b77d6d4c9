"""The Shooting Party's kernel, clause by clause: what the player may do, the end, the options.

SP-8, SP-9, SP-14 to SP-17. All of it is exact.
"""

from itertools import combinations

import numpy as np
import pytest

from sim.errors import OptionError
from tests.reference.shooting_party_cards import ALLOWED, DECK, Action, card_order, title
from tests.rules.shooting_party_table import (
    CALM,
    RULES,
    Table,
    encoded,
    lay,
    word,
)


def test_sp_08_leave_the_room_at_any_time() -> None:
    """SP-8: the whole hand goes, queen and joker too, whatever its size; then a new hand."""
    for hand in ("", "QC", "X", "2S 3S", "QC X 2C 3C KD 4D 5H"):
        table = lay(hand, pile="2D 3H 4H 5S")
        told = table.act("leave")
        assert told == ["draw 2D", "draw 3H", "draw 4H", "draw 5S"]
        assert card_order(table.events[0]["cards"]) == card_order(hand.split())
        assert set(hand.split()) <= set(table.discards)
        assert (table.hand, table.queens) == (["2D", "3H", "4H", "5S"], [])
    for size in range(1, 8):
        table = lay("2C", pile="2D 2H 2S 3C 3D 3H 3S", hand=size)
        table.act("leave")
        assert len(table.hand) == size


def conversation(cards: tuple[str, ...]) -> bool:
    """Whether cards are two of one suit, or two or more of one rank."""
    if "X" in cards or len(cards) < 2:
        return False
    ranks, suits = {card[0] for card in cards}, {card[1] for card in cards}
    return len(ranks) == 1 or (len(cards) == 2 and len(suits) == 1)


def test_sp_09_all_sets_and_no_others() -> None:
    """SP-9: of all subsets of a hand and of cards outside it, exactly the sets are legal."""
    for hand in ("2C 3C 4C 2D 2H X 5S", "KC KD KH KS JC 5C X", "QC QD QH 2C 2D X", "4S", ""):
        table = lay(hand, pile="AC 4D 4H", rivals=False)
        named = [*hand.split(), "5C" if "5C" not in hand else "3S", "AC"]
        subsets = [s for size in range(9) for s in combinations(named, size)]
        for cards in subsets:
            legal = conversation(cards) and set(cards) <= set(hand.split())
            assert table.can("discard", " ".join(cards)) == legal, cards
        assert len(table.sets()) == sum(
            conversation(cards) and set(cards) <= set(hand.split()) for cards in subsets
        )
        assert table.refusal(encoded(Action("discard", ("2C",)))) == "SP-9"


def test_sp_09_canonical_order() -> None:
    """SP-9: pairs of a suit by suit and ranks, then sets of a rank by the suits as a number."""
    assert lay("2S 3C 2C QC X").sets() == ["2C 3C", "2C QC", "3C QC", "2C 2S"]
    assert lay("4S 4H 4D 4C").sets() == [
        *("4C 4D", "4C 4H", "4D 4H", "4C 4D 4H", "4C 4S", "4D 4S", "4C 4D 4S"),
        *("4H 4S", "4C 4H 4S", "4D 4H 4S", "4C 4D 4H 4S"),
    ]
    assert lay("KD JD KC 5D").sets() == ["5D JD", "5D KD", "JD KD", "KC KD"]
    assert lay("3H 2H 3D 2D").sets() == ["2D 3D", "2H 3H", "2D 2H", "3D 3H"]


def test_sp_09_discard_draws_nothing() -> None:
    """SP-9: the cards go to the discard pile and nothing follows."""
    table = lay("2C 2D 2H 3S QC", pile="4C")
    assert table.act("discard", "2C 2D 2H") == []
    assert (table.hand, table.queens, table.pile) == (["3S", "QC"], ["QC"], ["4C"])
    assert {"2C", "2D", "2H"} <= set(table.discards)
    assert table.events == [{"ev": "act", "do": "discard", "cards": ["2C", "2D", "2H"]}]
    ladies = lay("QC QD QH", rivals=False)
    ladies.act("discard", "QC QD")
    assert (ladies.hand, ladies.queens) == (["QH"], ["QH"])


def offers(table: Table, take: str) -> list[str]:
    """The cards that the butler may take, in the order of the legal actions."""
    by_number = {encoded(Action("butler", ("X",), take, card)): card for card in DECK}
    return [by_number[action] for action in table.legal_actions() if action in by_number]


def test_sp_14_a_card_of_the_discard_pile() -> None:
    """SP-14: (a) any discarded card but the joker comes into the hand; nothing is drawn."""
    table = lay("2C X", pile="3D 4D AC", scored="QS AS")
    assert offers(table, "discard") == table.discards
    assert len(table.discards) == 33 - 9
    for card in DECK:
        assert table.can("butler", take="discard", card=card) == (card in table.discards)
    assert table.act("butler", take="discard", card="KD") == []
    assert (table.hand, table.pile) == (["2C", "KD"], ["3D", "4D", "AC"])
    assert ("X" in table.discards, "KD" in table.discards) == (True, False)
    told = {"ev": "act", "do": "butler", "cards": ["X"], "take": "discard", "card": "KD"}
    assert table.events == [told]


def test_sp_14_b_ace_of_the_draw_pile() -> None:
    """SP-14: (b) exactly the aces of the pile may be displayed; the pile is shuffled."""
    table = lay("2C X", pile="3D AH AC 4D 5D 5H KS")
    assert offers(table, "ace") == ["AC", "AH"]
    for card in DECK:
        assert table.can("butler", take="ace", card=card) == (card in ("AC", "AH"))
    assert table.act("butler", take="ace", card="AH") == ["shuffle"]
    assert (table.hand, table.display) == (["2C"], ["AD", "AH", "AS"])
    assert sorted(table.pile) == sorted(["3D", "AC", "4D", "5D", "5H", "KS"])
    assert table.events[-1]["pile"] == table.pile
    assert (table.unseen, table.reshuffles_left) == (card_order(table.pile), 2)
    assert table.outcome()["reshuffles"] == 0
    piles = set()
    for seed in range(20):
        again = lay("2C X", pile="3D AH AC 4D 5D 5H KS", seed=seed)
        again.act("butler", take="ace", card="AH")
        piles.add(tuple(again.pile))
    assert len(piles) > 15


@pytest.mark.parametrize("exhaustion", ["on-need", "at-once"])
def test_sp_14_b_the_only_card_of_the_pile(exhaustion: str) -> None:
    """SP-14 settled: that is no draw, so nothing is reshuffled until a card is needed."""
    table = lay("QC X", pile="AC", exhaustion=exhaustion)
    assert table.act("butler", take="ace", card="AC") == ["shuffle"]
    assert (table.events[-1]["pile"], table.pile, table.reshuffles_left) == ([], [], 2)
    assert table.act("seduce")[0] == "shuffle"
    assert (table.scored, table.reshuffles_left) == (["QC", "AC"], 1)
    last = lay("QC X", pile="AC", exhaustion=exhaustion, reshuffles_left=0)
    last.act("butler", take="ace", card="AC")
    assert not last.over
    assert last.act("pair") == ["result"]
    played = lay("QC X", pile="AC", exhaustion=exhaustion, reshuffles_left=0, last_draw="played")
    played.act("butler", take="ace", card="AC")
    assert played.act("pair") == []
    assert played.act("seduce") == ["result"]


def test_sp_14_c_nothing() -> None:
    """SP-14: (c) the joker may go for nothing; without him there is no butler."""
    table = lay("2C X", pile="AC 3D")
    assert table.act("butler", take="nothing") == []
    assert (table.hand, "X" in table.discards) == (["2C"], True)
    told = {"ev": "act", "do": "butler", "cards": ["X"], "take": "nothing", "card": None}
    assert table.events == [told]
    for take, card in (("nothing", ""), ("discard", "KD"), ("discard", "X"), ("ace", "AC")):
        assert not table.can("butler", take=take, card=card)
        action = encoded(Action("butler", ("X",), take, card or None))
        assert table.refusal(action) == "SP-14"


def test_sp_14_nothing_to_take() -> None:
    """SP-14: without other discards (a), and without aces in the pile (b), is not offered."""
    pile = " ".join(card for card in DECK if card not in ("X", "2C") and card[0] != "A")
    table = lay("X 2C", pile=pile)
    assert (table.discards, len(table.display)) == ([], 4)
    assert table.deeds() == ["draw a pair", "leave the room", "butler for nothing"]
    without = Table(butler=0)
    assert not without.can("butler", take="nothing")


@pytest.mark.parametrize("suit", "CDHS")
def test_sp_15_seduction(suit: str) -> None:
    """SP-15: a lone queen is scored, always with her ace if it is displayed; a new hand comes."""
    with_ace = lay(f"Q{suit}", pile=f"{CALM} KC")
    assert with_ace.act("seduce") == ["draw 2C", "draw 3D", "draw 4H", "draw 5S"]
    assert with_ace.events[0] == {"ev": "act", "do": "seduce", "cards": [f"Q{suit}"]}
    assert with_ace.scored == [f"Q{suit}", f"A{suit}"]
    assert with_ace.display == [f"A{other}" for other in "CDHS" if other != suit]
    assert (with_ace.hand, with_ace.pile, with_ace.queens) == (CALM.split(), ["KC"], [])
    without = lay(f"Q{suit}", pile=f"A{suit} {CALM}")
    without.act("seduce")
    assert (without.scored, len(without.display)) == ([f"Q{suit}"], 4)  # it came too late


def test_sp_15_only_a_lone_queen_and_only_if_the_player_wants() -> None:
    """SP-15: not with company, not another rank; who declines goes on."""
    for hand in ("QD 2C", "QD X", "KD", "JD", "X", "2D", ""):
        table = lay(hand, pile="3H AC")
        assert not table.can("seduce")
        assert "seduce" not in table.deeds()
        assert table.refusal(encoded(Action("seduce"))) == "SP-15"
    table = lay("QD", pile="2C AD 3H")
    assert table.deeds() == ["draw a pair", "leave the room", "seduce"]
    table.act("pair")  # to wait for the ace
    assert (table.hand, "AD" in table.display) == (["2C", "3H", "QD"], True)


def test_sp_15_new_hand_meets_etiquette() -> None:
    """SP-15: the new hand is drawn like any other, or ends the game."""
    table = lay("QD", pile="JC 2C JH 3D 2D 3H 4H 5S")
    assert table.act("seduce")[4] == "SP-12 2C 3D JC JH"
    lovers = lay("QD", pile="QH 2C KH 3D")
    assert lovers.act("seduce")[-1] == "SP-10 QH KH"
    last = lay("QD", reshuffles_left=0)
    assert last.act("seduce") == ["result"]
    assert last.events[-1]["title"] == "common cad"


@pytest.mark.parametrize("last", "CDHS")
def test_sp_16_fourth_seduction_ends_the_game(last: str) -> None:
    """SP-16: after the fourth queen no hand is drawn and the game is over."""
    others = [f"Q{suit}" for suit in "CDHS" if suit != last]
    table = lay(f"Q{last}", pile=CALM, scored=" ".join(others))
    assert table.act("seduce") == ["result"]
    assert (table.over, table.pile, table.hand) == (True, CALM.split(), [])
    assert table.events[-1] == {
        **{"ev": "result", "queens": ["C", "D", "H", "S"], "aces": [last]},
        "title": "common scoundrel",
    }
    third = lay(f"Q{last}", pile=CALM, scored=" ".join(others[:2]))
    assert third.act("seduce")[-1] == "draw 5S"


def test_sp_16_result_and_titles() -> None:
    """SP-16: what counts is the scored queens and aces; fifteen titles, in small letters."""
    for queens in range(5):
        for aces in range(queens + 1):
            scored = [f"Q{s}" for s in "CDHS"[:queens]] + [f"A{s}" for s in "CDHS"[:aces]]
            table = lay("2C", scored=" ".join(scored), reshuffles_left=0)
            table.act("leave")
            result, row = table.events[-1], table.outcome()
            assert (len(result["queens"]), len(result["aces"])) == (queens, aces)
            assert result["title"] == title(queens, aces)
            assert (row["queens"], row["aces"]) == (queens, aces)
            named = [measure.name for measure in RULES.measures if measure.where(row)]
            assert named == [title(queens, aces)]
    assert RULES.measures[0].name == "filthy scoundrel"


def test_sp_16_decisions_are_counted() -> None:
    """SP-16: each choice of the player counts as a decision, that of SP-10 too; nothing else."""
    table = lay("2C 2D JH X", pile="KH QH AC 3D")
    table.act("discard", "2C 2D")
    table.act("pair")
    assert table.view["decisions"] == 2
    table.act("husband", "JH KH")
    table.act("butler", take="ace", card="AC")
    table.act("seduce")
    while not table.over:
        table.apply(table.legal_actions()[0])
    assert table.outcome()["decisions"] == sum(event["ev"] == "act" for event in table.events)
    assert table.decisions == table.outcome()["decisions"] > 5


def test_sp_17_what_the_player_knows() -> None:
    """SP-17: hand and arrivals, discards, display, scored, the pile's size and cards."""
    hand, pile = "QS 2C X QC", "3D AH 4D 5D"
    table = lay(hand, pile=pile, scored="QH AD", rivals=False)
    view = table.view
    assert view["hand"] == word(hand.split())
    assert view["arrivals"] == 1 << 4 | 4  # spades first, then clubs
    assert (view["pile"], view["pile_size"]) == (word(pile.split()), 4)
    assert view["scored"] == word(["QH", "AD"])
    assert view["display"] == word(["AC", "AS"])
    assert view["discards"] == word(table.discards)
    assert len(table.discards) == 33 - 4 - 4 - 2 - 2
    assert (view["reshuffles_left"], view["husband_suit"], view["last_cards"]) == (2, -1, 0)
    assert (view["rivals"], view["hand_size"], view["draw_limit"]) == (0, 4, 5)


def test_sp_17_not_the_order_of_the_pile() -> None:
    """SP-17: whatever the order of the pile, the player sees the same."""
    seen = {lay("QS X", pile=pile).views.tobytes() for pile in ("3D AH 4D", "4D AH 3D")}
    assert len(seen) == 1


def test_sp_17_every_field_is_observed() -> None:
    """SP-17: the view is the same whatever the buffer held before."""
    table = Table(4, 2)
    expected = table.views.copy()
    table.views.view(np.uint8)[:] = 0xA5
    table.steps.look(table.states, table.views)
    for name in RULES.view_dtype.names or ():
        assert table.views[name] == expected[name], name


def test_options_and_what_is_allowed() -> None:
    """Options: the defaults are the rules'; a wrong name or value is told what is allowed."""
    options = RULES.options()
    assert options.as_dict() == {
        **{"exhaustion": "on-need", "last_draw": "lost", "reshuffles": 2, "hand": 4},
        **{"draw_limit": 5, "butler": 1, "rivals": True, "secretaries": True, "husbands": True},
    }
    for name, allowed in ALLOWED.items():
        for value in allowed:
            assert RULES.options.from_mapping({name: value}).as_dict()[name] == value
    wrong = {"exhaustion": "never", "last_draw": "won", "rivals": "maybe"}
    wrong |= {"reshuffles": "10", "hand": "0", "draw_limit": "6", "butler": "2"}
    told = {"exhaustion": "on-need, at-once", "last_draw": "lost, played", "rivals": "on, off"}
    told |= {"reshuffles": "from 0 to 9", "hand": "from 1 to 7", "draw_limit": "from 0 to 5"}
    told |= {"butler": "from 0 to 1"}
    for name, value in wrong.items():
        with pytest.raises(OptionError, match=f"option {name}='{value}' .*{told[name]}"):
            RULES.options.parse([f"{name}={value}"])
    with pytest.raises(OptionError, match="there is no option 'jokers'; the options are exhaust"):
        RULES.options.from_mapping({"jokers": 1})
    assert RULES.options.parse(["rivals=off", "hand=7"]).changed() == {"rivals": False, "hand": 7}
