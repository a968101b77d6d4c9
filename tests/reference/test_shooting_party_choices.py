"""The referee of The Shooting Party, clause by clause (choices and etiquette: SP-8 to SP-17)."""

import pytest

from .shooting_party_cards import Action, card_order, check_options
from .shooting_party_tables import CALM, Script, act, dealt, deeds, sets, story, table


def test_sp_08_leave_the_room_at_any_time() -> None:
    """SP-8: the whole hand goes, queen and joker too, whatever its size; then a new hand."""
    for hand in ("", "QC", "X", "QC X 2C 3C KD 4D 5H"):
        game = table(hand, pile=CALM.replace("2C 3D", "2D 3H"))
        act(game, "leave")
        assert set(hand.split()) <= set(game.discards)
        assert game.hand == ["2D", "3H", "4H", "5S"]
        assert game.events[0]["cards"] == card_order(hand.split())
    with pytest.raises(ValueError, match="SP-8"):
        game.apply(Action("leave", ("2D",)))


def test_sp_09_sets_of_conversation_in_canonical_order() -> None:
    """SP-9: two of one suit, two or more of one rank, queens included, the joker never."""
    assert sets(table("2S 3C 2C QC X")) == ["2C 3C", "2C QC", "3C QC", "2C 2S"]
    assert sets(table("4S 4H 4D 4C")) == [
        *("4C 4D", "4C 4H", "4D 4H", "4C 4D 4H", "4C 4S", "4D 4S", "4C 4D 4S"),
        *("4H 4S", "4C 4H 4S", "4D 4H 4S", "4C 4D 4H 4S"),
    ]
    assert sets(table("KD JD KC 5D")) == ["5D JD", "5D KD", "JD KD", "KC KD"]
    assert sets(table("QC QD", rivals=False)) == ["QC QD"]
    assert sets(table("2C X")) == []


@pytest.mark.parametrize("cards", ["2C", "2C 3D", "2C 3C 4C", "2C X", "2C 2C", "2C 2S", ""])
def test_sp_09_other_discards_are_refused(cards: str) -> None:
    """SP-9: one card, three of a suit, the joker, a card twice or one not held: refused."""
    game = table("2C 3C 4C 3D X")
    with pytest.raises(ValueError, match="SP-9"):
        act(game, "discard", cards)
    assert (game.decisions, len(game.hand), game.events) == (0, 5, [])


def test_sp_09_discard_draws_nothing() -> None:
    """SP-9: the discard is all that happens."""
    game = table("2C 2D 2H 3S", pile="4C")
    act(game, "discard", "2C 2D 2H")
    assert (game.hand, story(game), game.decisions) == (["3S"], ["act discard"], 1)


def test_sp_10_husband_takes_his_wife_away() -> None:
    """SP-10: queen and king of one suit go; a king of another suit does nothing."""
    game = dealt("QH 2C KH 3D")
    assert (game.hand, story(game)[-1]) == (["2C", "3D"], "SP-10 QH KH")
    assert dealt("QH 2C KD 3S").hand == ["QH", "2C", "KD", "3S"]
    assert len(dealt("QH 2C KH 3D", husbands=False).hand) == 4


def test_sp_10_jack_of_the_suit_gives_a_choice() -> None:
    """SP-10: queen and king, or king and jack; nothing else until that is settled."""
    game = dealt("QH JH KH 3D")
    assert (game.pending, game.legal_actions()) == (
        "H",
        [Action("husband", ("QH", "KH")), Action("husband", ("JH", "KH"))],
    )
    with pytest.raises(ValueError, match="SP-10: the husband in suit H must be settled first"):
        act(game, "leave")
    with pytest.raises(ValueError, match="SP-10: discard queen and king, or king and jack"):
        act(game, "husband", "QH JH")
    keep = game.clone()
    act(keep, "husband", "JH KH")
    act(game, "husband", "QH KH")
    assert (keep.hand, game.hand, game.pending) == (["QH", "3D"], ["JH", "3D"], None)
    with pytest.raises(ValueError, match="SP-10: there is no choice"):
        act(game, "husband", "QH KH")


def test_sp_10_suit_by_suit() -> None:
    """SP-10: several suits are settled in the order C D H S, choices in between."""
    game = dealt("QS KS QD JD KD KC QC", hand=7)
    assert story(game)[-1] == "SP-10 QC KC"  # clubs first, spades wait for the choice
    assert game.pending == "D"
    act(game, "husband", "JD KD")
    assert story(game)[-1] == "SP-10 QS KS"
    assert game.hand == ["QD"]
    two = dealt("QS KS JS QD JD KD 2C", hand=7)
    assert two.pending == "D"
    act(two, "husband", "JD KD")
    assert (two.pending, two.decisions) == ("S", 1)
    act(two, "husband", "JS KS")
    assert story(two)[-2:] == ["act husband", "SP-11 QS"]  # the older queen leaves
    assert two.hand == ["QD", "2C"]


def test_sp_11_queen_longest_in_the_hand_leaves() -> None:
    """SP-11: of two queens the older goes; of one draw, the one drawn first."""
    game = table("QH 2C", pile="3D QD")
    act(game, "pair")
    assert (game.hand, story(game)[-1]) == (["2C", "3D", "QD"], "SP-11 QH")
    assert dealt("QS 2C QC 3D").hand == ["2C", "QC", "3D"]
    assert len(dealt("QS 2C QC 3D", rivals=False).hand) == 4


def test_sp_11_three_queens() -> None:
    """SP-11: all but the newest go, the oldest first."""
    game = table("QH 2C", pile="QD QS")
    act(game, "pair")
    assert (game.hand, story(game)[-1]) == (["2C", "QS"], "SP-11 QH QD")
    assert game.discards[-2:] == ["QH", "QD"]


def test_sp_11_queen_taken_by_the_butler_is_the_newest() -> None:
    """SP-11: so the queen that was in the hand leaves."""
    game = table("QH X 2C", pile="3D 4D")
    act(game, "butler", take="discard", card="QC")
    assert (game.hand, story(game)) == (["2C", "QC"], ["act butler", "SP-11 QH"])


def test_sp_12_secretaries_empty_the_room() -> None:
    """SP-12: with two jacks the whole hand goes, a new one is drawn, then etiquette again."""
    game = dealt("JC 2C X JD 3C JH JS 4C QC 4D KC 5H")
    assert story(game)[5:] == [
        "SP-12 JC 2C X JD",
        *("draw 3C", "draw JH", "draw JS", "draw 4C", "SP-12 3C JH JS 4C"),
        *("draw QC", "draw 4D", "draw KC", "draw 5H", "SP-10 QC KC"),
    ]
    assert game.hand == ["4D", "5H"]
    assert len(dealt("JC 2C X JD", secretaries=False).hand) == 4


def test_sp_12_by_the_butler() -> None:
    """SP-12: etiquette is checked after a card taken by the butler too."""
    game = table("JH X", pile=CALM)
    act(game, "butler", take="discard", card="JC")
    assert story(game)[:2] == ["act butler", "SP-12 JH JC"]
    assert game.hand == CALM.split()


def test_sp_13_precedence() -> None:
    """SP-13: husbands before rivals before secretaries, and each may spare the next."""
    spared = table("JD QC", pile="JC KC")
    act(spared, "pair")
    act(spared, "husband", "JC KC")
    assert spared.hand == ["JD", "QC"]  # one jack is left when SP-12 looks
    not_spared = table("JD QC", pile="JC KC 2C 3D 4H 5S")
    act(not_spared, "pair")
    act(not_spared, "husband", "QC KC")
    assert story(not_spared)[4:5] == ["SP-12 JD JC"]
    alone = table("QC QD", pile="KC 2H", rivals=True)
    act(alone, "pair")
    assert alone.hand == ["QD", "2H"]  # one queen is left when SP-11 looks
    rivals_first = table("QC JC", pile="JD QD 2C 3D 4H 5S")
    act(rivals_first, "pair")
    assert story(rivals_first)[3:5] == ["SP-11 QC", "SP-12 JC JD QD"]


def test_sp_13_seven_is_the_limit() -> None:
    """SP-13: five and a pair make seven, and nothing makes more."""
    game = table("2C 3D 4H 5S KC", pile="KD KH KS")
    act(game, "pair")
    assert (len(game.hand), "pair" in deeds(game)) == (7, False)


def test_sp_14_a_card_of_the_discard_pile() -> None:
    """SP-14: (a) any discarded card but the joker itself comes into the hand."""
    game = table("2C X", pile="3D 4D", display="AH", scored="QS AS")
    offers = [a.card for a in game.legal_actions() if a.take == "discard"]
    assert (len(offers), offers[0], offers[-1]) == (33 - 7, "2D", "AD")
    assert not {"X", "2C", "3D", "AH", "QS", "AS"} & set(offers)
    act(game, "butler", take="discard", card="KD")
    assert (game.hand, game.discards[-1], "KD" in game.discards) == (["2C", "KD"], "X", False)
    assert game.events == [
        {"ev": "act", "do": "butler", "cards": ["X"], "take": "discard", "card": "KD"}
    ]


def test_sp_14_b_ace_of_the_draw_pile() -> None:
    """SP-14: (b) the ace is displayed and the pile shuffled; offered for the aces in it."""
    script = Script(butler_0="AC", butler_1="4D")
    game = table("2C X", pile="3D AH AC 4D", display="AD", script=script)
    assert [a.card for a in game.legal_actions() if a.take == "ace"] == ["AC", "AH"]
    with pytest.raises(ValueError, match=r"SP-14: the butler cannot take 'AD' as 'ace' now\."):
        act(game, "butler", take="ace", card="AD")
    act(game, "butler", take="ace", card="AH")
    assert (game.display, game.hand, game.pile) == (["AD", "AH"], ["2C"], ["AC", "3D", "4D"])
    assert story(game) == ["act butler", "shuffle"]
    assert script.asked[-1] == (["3D", "4D", "AC"], "butler", 0)
    game.hand.append("X")
    act(game, "butler", take="ace", card="AC")
    assert script.asked[-1] == (["3D", "4D"], "butler", 1)


def test_sp_14_b_the_only_card_of_the_pile() -> None:
    """SP-14 settled: that is no draw, so even at-once nothing is reshuffled until a need."""
    for exhaustion in ("on-need", "at-once"):
        script = Script(reshuffle_1=CALM)
        game = table("QC X", pile="AC", script=script, exhaustion=exhaustion)
        act(game, "butler", take="ace", card="AC")
        assert (game.events[-1], game.reshuffles_left) == ({"ev": "shuffle", "pile": []}, 2)
        assert game.display == ["AC"]
        act(game, "seduce", "QC")
        assert (game.scored_aces, game.reshuffles_left) == (["AC"], 1)
    last = table("QC X", pile="AC", reshuffles_left=0, exhaustion="at-once")
    act(last, "butler", take="ace", card="AC")
    assert not last.over
    act(last, "pair")
    assert last.over


def test_sp_14_c_nothing() -> None:
    """SP-14: (c) the joker may go for nothing; without joker there is no butler."""
    game = table("2C X")
    act(game, "butler", take="nothing")
    assert (game.hand, story(game)) == (["2C"], ["act butler"])
    assert game.events[0]["card"] is None
    for take, card in (("nothing", ""), ("discard", "KD")):
        with pytest.raises(ValueError, match="SP-14: the butler is called by discarding the joker"):
            act(game, "butler", take=take, card=card)


@pytest.mark.parametrize(
    ("take", "card"),
    [("discard", "X"), ("discard", "2C"), ("discard", ""), ("nothing", "KD"), ("hand", "")],
)
def test_sp_14_other_services_are_refused(take: str, card: str) -> None:
    """SP-14: the joker itself, a card of the hand, no card or an unknown service."""
    with pytest.raises(ValueError, match="SP-14"):
        act(table("2C X"), "butler", take=take, card=card)


def test_sp_14_no_discards_no_ace() -> None:
    """SP-14: with nothing to take only (c) is there; the joker is no other card."""
    game = dealt("X 2C 3D 4H AC AD AH AS")
    game.pile = [card for card in game.pile if card[0] != "A"]
    game.display = ["AC", "AD", "AH", "AS"]
    takes = [a.take for a in game.legal_actions() if a.do == "butler"]
    assert (game.discards, takes) == ([], ["nothing"])


def test_sp_15_seduction() -> None:
    """SP-15: a lone queen is scored, with her ace if it is displayed; a new hand follows."""
    with_ace = table("QD", pile=CALM, display="AC AD")
    act(with_ace, "seduce", "QD")
    assert (with_ace.scored_queens, with_ace.scored_aces) == (["QD"], ["AD"])
    assert (with_ace.display, with_ace.hand) == (["AC"], CALM.split())
    without = table("QD", pile="AD " + CALM, display="AC")
    act(without, "seduce", "QD")
    assert (without.scored_queens, without.scored_aces) == (["QD"], [])
    assert without.display == ["AC", "AD"]


def test_sp_15_only_a_lone_queen_and_only_if_the_player_wants() -> None:
    """SP-15: not with company, not another rank; who declines goes on."""
    for hand in ("QD 2C", "KD", "X", ""):
        with pytest.raises(ValueError, match="SP-15: only a hand of one card, a queen"):
            act(table(hand), "seduce", "QD")
    with pytest.raises(ValueError, match="SP-15: the lady in the hand is QD, not 'QH'"):
        act(table("QD"), "seduce", "QH")
    game = table("QD", pile="2C 3H")
    assert deeds(game) == {"pair", "leave", "seduce"}
    act(game, "pair")
    assert game.hand == ["QD", "2C", "3H"]


def test_sp_15_new_hand_meets_etiquette_and_may_end_the_game() -> None:
    """SP-15: the new hand is a draw like any other."""
    game = table("QD", pile="JC 2C JH 3D " + CALM.replace("2C 3D", "2D 3H"))
    act(game, "seduce", "QD")
    assert story(game)[5] == "SP-12 JC 2C JH 3D"
    last = table("QD", display="AD", reshuffles_left=0)
    act(last, "seduce", "QD")
    assert (last.over, last.result()["title"]) == (True, "common cad")


def test_sp_17_known_by_elimination() -> None:
    """SP-17: what the player has not seen is what the pile holds."""
    game = table("QD X", pile="AC 2C KS 3D", display="AD", scored="QH AH")
    assert game.unseen() == sorted(game.pile, key=["2C", "3D", "KS", "AC"].index)
    assert [a.card for a in game.legal_actions() if a.take == "ace"] == ["AC"]


def test_unknown_actions_and_options_are_refused() -> None:
    """What the rules do not know is refused with a sentence that lists what there is."""
    with pytest.raises(ValueError, match="there is no action 'kiss', only pair, leave"):
        act(table("QD"), "kiss")
    with pytest.raises(ValueError, match="only the butler takes a card"):
        act(table("2C 2D"), "discard", "2C 2D", take="nothing")
    with pytest.raises(ValueError, match="there is no option 'jokers'; there are exhaustion, "):
        dealt("", jokers=1)
    wrong: dict[str, object] = {"hand": 8, "rivals": 1, "reshuffles": True, "exhaustion": "no"}
    for name, value in wrong.items():
        with pytest.raises(ValueError, match=f"option {name} cannot be {value!r}; allowed: "):
            check_options({name: value})
