"""The referee of The Shooting Party, clause by clause (drawing: SP-1 to SP-7, the end: SP-16)."""

from typing import Any

import pytest

from .shooting_party_cards import DECK, pack
from .shooting_party_tables import CALM, Script, act, dealt, deeds, story, table


def test_sp_01_pack_of_33_is_shuffled() -> None:
    """SP-1: eight ranks in four suits and one joker are shuffled into the pile."""
    script = Script()
    dealt("", script)
    assert script.asked == [(DECK, "deal", 0)]
    assert len(DECK) == 33
    assert DECK[:5] + DECK[-2:] == ["2C", "2D", "2H", "2S", "3C", "AS", "X"]
    without = Script()
    dealt("", without, butler=0)
    assert without.asked[0][0] == DECK[:-1] == pack(0)


def test_sp_02_first_hand_of_four() -> None:
    """SP-2: the four top cards, in the order of their arrival; as many as `hand` says."""
    game = dealt("5S 2C 4H 3D")
    assert game.hand == ["5S", "2C", "4H", "3D"]
    assert story(game) == ["shuffle", "draw 5S", "draw 2C", "draw 4H", "draw 3D"]
    assert game.decisions == 0
    for size in range(1, 8):
        assert len(dealt("2C 3D 4H 5S 2D 3H 4S", hand=size).hand) == size


def test_sp_03_aces_are_displayed_and_replaced() -> None:
    """SP-3: an ace never enters the hand, in whichever draw, nor does an ace in its place."""
    game = dealt("AC AD 2C 3D AH 4H 5S AS 2D 2H")
    assert (game.hand, game.display) == (["2C", "3D", "4H", "5S"], ["AC", "AD", "AH"])
    act(game, "pair")
    assert game.hand[-2:] == ["2D", "2H"]
    assert game.display == ["AC", "AD", "AH", "AS"]
    leaver = table("2C", pile="AC 2D AD 3H 4S 5C 5D")
    act(leaver, "leave")
    assert (leaver.hand, leaver.display) == (["2D", "3H", "4S", "5C"], ["AC", "AD"])


def test_sp_04_pair_with_five_cards_or_fewer() -> None:
    """SP-4: a pair is allowed up to the limit, an empty hand included."""
    for size in range(8):
        game = table("2C 3D 4H 5S 2D 3H 4S"[: 3 * size], pile="KC KD KH")
        assert ("pair" in deeds(game)) == (size <= 5)
    assert "pair" in deeds(table("", draw_limit=0))
    game = table("2C", draw_limit=0)
    assert deeds(game) == {"leave"}
    with pytest.raises(ValueError, match=r"SP-4: a pair needs a hand of at most 0 cards, not 1\."):
        act(game, "pair")


def test_sp_04_whole_draw_before_etiquette() -> None:
    """SP-4: both cards of a pair are in the hand before etiquette; so are all of a new hand."""
    game = table("QC", pile="KC JC")
    act(game, "pair")
    assert story(game) == ["act pair", "draw KC", "draw JC"]
    assert game.pending == "C"
    first = dealt("QC KC 2D JC")
    assert (first.pending, len(first.hand)) == ("C", 4)


def test_sp_05_on_need_reshuffles_when_a_card_is_needed() -> None:
    """SP-5: the empty pile waits; then discards and display make the new pile, the hand stays."""
    game = table("2C 3D", pile="4H 5S", display="AC AD")
    act(game, "pair")
    assert (game.pile, game.display, game.reshuffles_left) == ([], ["AC", "AD"], 2)
    script = Script(reshuffle_1="2D 2H")
    game.shuffler = script
    act(game, "leave")
    assert story(game)[3:5] == ["act leave", "shuffle"]
    assert sorted(script.asked[-1][0]) == sorted(DECK)  # the hand just left is in it
    assert game.reshuffles_left == 1


def test_sp_05_reshuffle_in_the_middle_of_a_draw() -> None:
    """SP-5: cards already drawn stay in the hand; an ace that needs replacement returns."""
    script = Script(reshuffle_1="2D")
    game = table("2C 3D", pile="4H AC", display="AD", script=script)
    act(game, "pair")
    assert story(game) == ["act pair", "draw 4H", "draw AC", "shuffle", "draw 2D"]
    assert game.hand == ["2C", "3D", "4H", "2D"]
    assert (game.display, game.reshuffles_left) == ([], 1)
    asked, kind, number = script.asked[-1]
    assert (kind, number) == ("reshuffle", 1)
    assert asked == [card for card in DECK if card not in ("2C", "3D", "4H")]


def test_sp_05_at_once_reshuffles_with_the_last_card() -> None:
    """SP-5: at-once, the last card is in the hand, then the pile is new, before etiquette."""
    script = Script(reshuffle_1="2D")
    game = table("QC 3D", pile="4H KC", script=script, exhaustion="at-once")
    act(game, "pair")
    assert story(game) == ["act pair", "draw 4H", "draw KC", "shuffle", "SP-10 QC KC"]
    assert "QC" not in script.asked[-1][0]
    assert (game.hand, game.discards, game.reshuffles_left) == (["3D", "4H"], ["QC", "KC"], 1)
    short = table("2C 3D", pile="4H", script=Script(reshuffle_1="2D"), exhaustion="at-once")
    act(short, "pair")
    assert story(short) == ["act pair", "draw 4H", "shuffle", "draw 2D"]


def test_sp_05_at_once_last_card_an_ace() -> None:
    """SP-5 settled: at-once, an ace drawn last is displayed and goes into the new pile at once."""
    script = Script(reshuffle_1="2D")
    game = table("2C 3D", pile="4H AC", script=script, exhaustion="at-once")
    act(game, "pair")
    assert story(game) == ["act pair", "draw 4H", "draw AC", "shuffle", "draw 2D"]
    assert "AC" in script.asked[-1][0]
    assert game.display == []


def test_sp_06_lost_on_need_ends_when_a_card_is_missing() -> None:
    """SP-6: the game ends when no card is there; cards of the unfinished draw resolve nothing."""
    game = table("QC JD", pile="KC", reshuffles_left=0)
    act(game, "pair")
    assert story(game) == ["act pair", "draw KC", "result"]
    assert game.over
    assert game.hand == ["QC", "JD", "KC"]
    exact = table("2C 3D", pile="4H 5S", reshuffles_left=0)
    act(exact, "pair")
    assert not exact.over  # nobody needs a card yet
    act(exact, "leave")
    assert story(exact)[-2:] == ["act leave", "result"]
    assert (exact.hand, len(exact.discards)) == ([], 33)


def test_sp_06_lost_at_once_ends_with_the_last_card() -> None:
    """SP-6 settled: at-once and lost, the game ends even if the last card completed the draw."""
    game = table("2C 3D", pile="4H 5S", reshuffles_left=0, exhaustion="at-once")
    act(game, "pair")
    assert story(game) == ["act pair", "draw 4H", "draw 5S", "result"]
    ace = table("2C 3D", pile="4H AS", reshuffles_left=0, exhaustion="at-once")
    act(ace, "pair")
    assert (story(ace)[-2:], ace.display) == (["draw AS", "result"], ["AS"])


@pytest.mark.parametrize("exhaustion", ["on-need", "at-once"])
def test_sp_06_played_resolves_what_was_drawn(exhaustion: str) -> None:
    """SP-6: played, the cut-short draw meets etiquette and the player goes on."""
    played: dict[str, Any] = {"exhaustion": exhaustion, "last_draw": "played"}
    game = table("QC 3D X", pile="KC", display="AH", reshuffles_left=0, **played)
    act(game, "pair")
    assert story(game) == ["act pair", "draw KC", "SP-10 QC KC"]
    assert deeds(game) == {"pair", "leave", "butler"}  # pair and leave stay legal
    act(game, "butler", take="discard", card="QH")
    assert game.hand == ["3D", "QH"]
    for end in ("pair", "leave"):
        last = game.clone()
        act(last, end)
        assert (last.over, story(last)[-2:]) == (True, [f"act {end}", "result"])
    assert not game.over


@pytest.mark.parametrize("exhaustion", ["on-need", "at-once"])
def test_sp_06_played_seduction_after_the_end_of_the_pile(exhaustion: str) -> None:
    """SP-6: played, a queen left alone can still be scored; the new hand ends the game."""
    played: dict[str, Any] = {"exhaustion": exhaustion, "last_draw": "played"}
    game = table("QH 2C", pile="3C", display="AH", reshuffles_left=0, **played)
    act(game, "pair")
    act(game, "discard", "2C 3C")
    act(game, "seduce", "QH")
    assert story(game)[-2:] == ["act seduce", "result"]
    assert game.result()["aces"] == ["H"]


def test_sp_06_played_etiquette_that_needs_cards_ends_the_game() -> None:
    """SP-6: played, secretaries after the last exhaustion need a new hand: the end."""
    for exhaustion in ("on-need", "at-once"):
        game = table("JC", pile="JD", reshuffles_left=0, last_draw="played", exhaustion=exhaustion)
        act(game, "pair")
        assert story(game) == ["act pair", "draw JD", "SP-12 JC JD", "result"]


def test_sp_06_played_draw_without_any_card_leaves_the_decision() -> None:
    """SP-6 settled: a draw that got no card leaves the player on move until the next one."""
    game = table("2C 3D", reshuffles_left=0, last_draw="played")
    act(game, "leave")
    assert (game.over, game.hand, deeds(game)) == (False, [], {"pair", "leave"})
    act(game, "pair")
    assert story(game) == ["act leave", "act pair", "result"]
    played: dict[str, Any] = {"exhaustion": "at-once", "last_draw": "played"}
    complete = table("2C 3D", pile="4H 5S", reshuffles_left=0, **played)
    act(complete, "pair")
    assert not complete.over
    act(complete, "pair")  # at-once has met its last exhaustion already
    assert complete.over


def test_sp_06_as_many_reshuffles_as_the_option_says() -> None:
    """SP-6: who only leaves sees exactly `reshuffles` reshuffles, numbered from 1."""
    for reshuffles in range(10):
        script = Script()
        game = dealt("", script, reshuffles=reshuffles)
        while not game.over:
            act(game, "leave")
        kinds = [(kind, number) for _, kind, number in script.asked]
        assert kinds == [("deal", 0)] + [("reshuffle", n + 1) for n in range(reshuffles)]
    assert dealt("").options.reshuffles == 2


def test_sp_07_every_displayed_ace_leaves_scored_cards_stay() -> None:
    """SP-7: aces of queens already scored go back too, scored cards never."""
    script = Script(reshuffle_1=CALM)
    game = table("2D", display="AC AD", scored="QC QH AH", script=script)
    act(game, "leave")
    assert game.display == []
    assert {"AC", "AD"} <= set(script.asked[-1][0])
    assert not {"QC", "QH", "AH"} & set(script.asked[-1][0])
    assert len(script.asked[-1][0]) == 30


def test_sp_16_fourth_seduction_ends_the_game() -> None:
    """SP-16: after the fourth queen no hand is drawn and nothing more can be done."""
    game = table("QS", pile="2C 3D 4H 5S", display="AS", scored="QC QD QH AC")
    act(game, "seduce", "QS")
    assert story(game) == ["act seduce", "result"]
    assert (game.over, len(game.pile), game.legal_actions()) == (True, 4, [])
    expected = {"queens": list("CDHS"), "aces": ["C", "S"], "title": "bourgeois scoundrel"}
    assert game.events[-1] == {"ev": "result", **expected} == game.result()
    with pytest.raises(ValueError, match=r"SP-16: the game is over"):
        act(game, "leave")


def test_sp_16_titles() -> None:
    """SP-16: the score is told by two words, in small letters."""
    assert dealt(CALM).result()["title"] == "impecunious boor"
    assert table("", scored="QC QD QH QS AC AD AH AS").result()["title"] == "filthy scoundrel"
    assert table("", scored="QC QD QH AC AD AH").result()["title"] == "oofy bounder"
    assert table("", scored="QC QD AC").result()["title"] == "common rake"
    assert table("", scored="QC").result()["title"] == "impecunious cad"
