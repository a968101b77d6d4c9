"""The referee of Short Zoot Suit: facts from the rules, by position, and its yardsticks."""

from collections import Counter

import pytest

from .short_zoot_suit import Game
from .short_zoot_suit_cards import Draft, Move, Options, Play, check_options, pack
from .short_zoot_suit_tables import Script, possible_counts, story
from .short_zoot_suit_yardsticks import StreamChance, play

TWO = {"players": 2}


def dealt(*hands: str, **options: object) -> Game:
    """Return a game of short shorts in which everybody holds these cards and nothing else."""
    game = Game({"players": len(hands), "short_shorts": True, **options}, Script())
    game.hands = [game.options.sorted(hand.split()) for hand in hands]
    game.events = []
    return game


def trick(game: Game, *cards: str) -> list[str]:
    """Play a trick before which nobody does anything; returns the events in short."""
    before = len(game.events)
    for _ in cards:
        game.apply(Move("stay"))
    for card in cards:
        game.apply(Play(card))
    return [line for line in story(game.events[before:]) if "stays" not in line]


@pytest.mark.parametrize(
    ("tricks", "shorts", "points"),
    [(1, 1, 6), (3, 3, 18), (3, 2, 9), (1, 6, 4), (4, 0, 4), (0, 2, 0), (4, 3, 13), (0, 0, 0)],
)
def test_scores_of_the_rules(tricks: int, shorts: int, points: int) -> None:
    """ZS-9: what the rules give as examples."""
    assert Game({}, Script()).score(tricks, ["2C"] * shorts) == points


def test_bonus_of_the_rules() -> None:
    """ZS-10: two suits 2 points, four suits 8, and a double counts for both of its suits."""
    game = Game({"bonus": "stars"}, Script())
    assert game.score(0, ["2S", "3S", "4H"]) == 2
    assert game.score(0, ["2S", "3D", "4H", "5C"]) == 8
    assert game.score(0, ["JHS", "JCD"]) == 8


@pytest.mark.parametrize(
    ("players", "doubles", "size", "each"),
    [
        (2, "off", 32, 15),
        (3, "off", 48, 16),
        (4, "off", 52, 13),
        (3, "replace-both", 42, 14),
        (4, "replace-both", 46, 11),
        (3, "replace-one", 48, 16),
        (4, "replace-one", 52, 13),
    ],
)
def test_packs(players: int, doubles: str, size: int, each: int) -> None:
    """ZS-1, ZS-2, ZS-11: sizes of packs and hands."""
    options = {"players": players, "doubles": doubles}
    assert len(set(pack(Options(players=players, doubles=doubles)))) == size
    game = Game(options, StreamChance(1, 1))
    assert [len(hand) for hand in game.hands] == [each] * players
    assert game.dealt() == each - 5


@pytest.mark.parametrize(
    ("cards", "told"),
    [
        (("5H", "7H", "3C"), "1 takes, 2 short 3C"),
        (("JHS", "QH", "QS"), "2 takes"),
        (("JHS", "JD", "2H"), "0 takes, 1 short JD"),
        (("5H", "KDH", "KCS"), "1 takes, 2 short KCS"),
    ],
)
def test_tricks(cards: tuple[str, ...], told: str) -> None:
    """ZS-8, ZS-12, ZS-13: who takes a trick, and what is short."""
    game = dealt(*cards, doubles="replace-one")
    assert trick(game, *cards)[3] == told


def test_refusals() -> None:
    """ZS-4, ZS-5, ZS-7, ZS-14: a sentence with the clause."""
    game = Game(TWO, StreamChance(1, 1))
    hand = game.hands[0]
    assert (game.refusal(Draft(tuple(hand[:4]))) or "").startswith("ZS-4")
    assert (game.refusal(Draft((*hand[:4], "XX"))) or "").startswith("ZS-4")
    assert (game.refusal(Play(hand[0])) or "").startswith("ZS-4, ZS-5, ZS-7")
    with pytest.raises(ValueError, match="ZS-4"):
        game.apply(Draft(()))
    game = dealt("2C 3D", "4C 5D")
    assert (game.refusal(Move("take")) or "").startswith("ZS-5, ZS-14")
    for _ in range(2):
        game.apply(Move("stay"))
    game.apply(Play("2C"))
    assert (game.refusal(Play("5D")) or "").startswith("ZS-7: 5D does not follow")
    assert (game.refusal(Play("9S")) or "").startswith("ZS-7: 9S is not in the hand")


def test_the_last_card_laid_ends_the_round() -> None:
    """ZS-6, ZS-14: laid and not played."""
    game = dealt("2C", "4C 5D")
    game.apply(Move("2C"))
    assert game.events == []
    game.apply(Move("stay"))
    assert story(game.events)[:3] == ["0 lays 2C", "1 stays", "round [0, 0]"]


def test_yardsticks() -> None:
    """ZS-3, ZS-5: `plain` always draws, so all 13 cards are played; in short shorts too."""
    for options, length in (({}, 13), ({"short_shorts": True}, 13), ({"players": 3}, 16)):
        for event in play(options, "plain", 3, 4).rounds:
            assert sum(event["tricks"]) == length  # type: ignore[call-overload]
    drawn = Counter(
        str(event["ev"])
        for index in range(10)
        for event in play({}, "random", 1, index).events
        if event["ev"] in ("draw", "stay")
    )
    assert drawn["draw"] > 400


def test_what_a_hand_can_hold() -> None:
    """ZS-15: a hand of two that is short of hearts, draws, and plays a heart, has none again."""
    shown = [("void", "H")]
    assert all(counts[2] == 0 for counts in possible_counts(2, shown))
    shown += [("draw", "")]
    assert max(counts[2] for counts in possible_counts(2, shown)) == 1
    shown += [("play", "5H")]
    assert max(counts[2] for counts in possible_counts(2, shown)) == 0


@pytest.mark.parametrize(
    "wrong",
    [
        {"players": 5},
        {"players": "4"},
        {"doubles": "off", "ace": "middle"},
        {"doubles": "replace-both", "players": 2},
        {"bonus": "1,2,3"},
        {"bonus": "0,0,0,0,1001"},
        {"short_shorts": "on"},
        {"cards": 3},
    ],
)
def test_wrong_options(wrong: dict[str, object]) -> None:
    """ZS-1, ZS-10, ZS-11: what is not allowed is refused."""
    with pytest.raises(ValueError, match=r"cannot be|not for two|there is no option"):
        check_options(wrong)
