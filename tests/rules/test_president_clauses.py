"""President's kernel, clause by clause: cards, sets and plays (PR-1 to PR-8).

PR-9 to PR-16 are in test_president_clauses_rounds.py. All of it is exact.
"""

from collections import Counter
from typing import Any

import pytest

from tests.reference.president_cards import SEATS, UPWARDS, Options, pack
from tests.rules.president_table import Table, lay

RESTS = ["4 4 4", "5 5 5", "6 6 6", "7 7 7"]
"""Hands in which nobody has anything special."""


def first_deal(**options: Any) -> list[list[str]]:
    """The hands of the first round of game 3, seed 7."""
    hands: list[list[str]] = Table(7, 3, **options).events[0]["hands"]
    return hands


@pytest.mark.parametrize("jokers", range(5))
@pytest.mark.parametrize("wild", UPWARDS)
def test_pr_01_whole_pack_is_dealt(jokers: int, wild: str) -> None:
    """PR-1: 52 cards and the jokers, one by one, from seat (round - 1) mod 4 on."""
    cards = sorted(pack(Options(jokers=jokers)))
    for index in range(3):
        table = Table(5, index, jokers=jokers, wild=wild, rounds=5)
        table.play_out()
        deals = [event for event in table.events if event["ev"] == "deal"]
        assert [event["round"] for event in deals] == [1, 2, 3, 4, 5]
        for event in deals:
            hands, eldest = event["hands"], event["round"] - 1
            assert sorted(card for hand in hands for card in hand) == cards
            longer = {(eldest + extra) % 4 for extra in range(jokers % 4)}
            sizes = [13 + (jokers == 4) + (seat in longer) for seat in SEATS]
            assert [len(hand) for hand in hands] == sizes
    assert Options().jokers == Table().options.as_dict()["jokers"] == 0


def test_pr_01_same_deals_under_all_rules() -> None:
    """PR-1: options other than the jokers' leave every deal as it is; each round is another."""
    plain = [sorted(hand) for hand in first_deal()]
    for options in (
        *({"wild": wild} for wild in UPWARDS),
        *({"lead": "random"}, {"exchange": "6/6"}, {"low_gives": "random", "high_gives": "random"}),
        *({"one_play": True}, {"rounds": 1}, {"pass_locks": True}, {"mixed_wilds": "forbid"}),
    ):
        assert [sorted(hand) for hand in first_deal(**options)] == plain
    table = Table(7, 3, rounds=40)
    table.play_out()
    deals = [str(event["hands"]) for event in table.events if event["ev"] == "deal"]
    assert len(set(deals)) == 40


@pytest.mark.parametrize("wild", UPWARDS)
def test_pr_02_what_is_wild(wild: str) -> None:
    """PR-2: Twos and Threes fill up other sets as the option says, jokers always do."""
    tables = {card: lay([f"6 {card}", *RESTS[1:]], jokers=1, wild=wild) for card in "23X"}
    fillers = {card for card, table in tables.items() if f"6 {card}" in table.sets()}
    assert fillers == {card for card in "23X" if card == "X" or card in wild.split(",")}
    assert Table().options.as_dict()["wild"] == "2,3"


@pytest.mark.parametrize(
    ("wild", "upwards"),
    [
        ("none", "2 3 4 5 6 7 8 9 T J Q K A X"),
        ("2", "3 4 5 6 7 8 9 T J Q K A 2 X"),
        ("3", "2 4 5 6 7 8 9 T J Q K A 3 X"),
        ("2,3", "4 5 6 7 8 9 T J Q K A 2 3 X"),
    ],
)
def test_pr_03_order_of_the_ranks(wild: str, upwards: str) -> None:
    """PR-3: a single card is beaten by those above it and no other."""
    order = upwards.split()
    for at, card in enumerate(order):
        table = lay([upwards, "4", "4", "4"], trick=card, jokers=1, wild=wild)
        assert [cards for cards in table.sets() if len(cards) == 1] == order[at + 1 :]
        assert table.over or table.sets()[0] == "pass"


def test_pr_04_fillers_make_a_set_larger() -> None:
    """PR-4: 6 6 X is three Sixes: it beats 5 5 5, not 6 6 6, and 7 7 7 beats it."""
    options: dict[str, Any] = {"jokers": 1}
    assert lay(["6 6 X 9", *RESTS[1:]], trick="5 5 5", **options).can("6 6 X")
    table = lay(["6 6 X 9", *RESTS[1:]], trick="6 6 6", **options)
    assert table.refusal("6 6 X") == "PR-7"
    assert lay(["7 7 7 9", *RESTS[1:]], trick="6 6 X", **options).can("7 7 7")
    table = lay(["6 2 3 X 9", "7 7 7 7", "8", "8"], **options)
    assert table.act("6 2 3 X")[0] == "0: 6 2 3 X"
    assert table.can("7 7 7 7")


def test_pr_05_wild_cards_alone() -> None:
    """PR-5: alike they have their own rank, different ones that of the lowest; a lone one its own.

    Two jokers beat two Threes and two Aces; 2 2 3 3 beats four Aces.
    """
    options: dict[str, Any] = {"jokers": 2}
    assert lay(["X X", *RESTS[1:]], trick="3 3", **options).can("X X")
    assert lay(["X X", *RESTS[1:]], trick="A A", **options).can("X X")
    assert lay(["3 X", *RESTS[1:]], trick="3 3", **options).refusal("3 X") == "PR-7"
    assert lay(["3 X", *RESTS[1:]], trick="2 2", **options).can("3 X", "3")
    assert lay(["2 2 3 3", *RESTS[1:]], trick="A A A A").can("2 2 3 3")
    assert lay(["2 3", *RESTS[1:]], trick="2 2").refusal("2 3") == "PR-7"
    lone = lay(["2 3 X 4", *RESTS[1:]], jokers=1)
    assert [cards for cards in lone.sets() if len(cards) == 1] == ["4", "2", "3", "X"]
    assert not lone.can("2 3", "3")  # the lower one gives the rank
    assert lone.act("2 3 X")[0] == "0: 2 3 X"
    assert lone.events[0]["rank"] == "2"


def test_pr_05_mixed_wilds_forbidden() -> None:
    """PR-5: with `forbid` only those of one kind go together; natural sets keep their fillers."""
    table = lay(["6 2 2 3 X", *RESTS[1:]], jokers=1, mixed_wilds="forbid")
    wild_alone = [cards for cards in table.sets() if cards[0] != "6"]
    assert wild_alone == ["2", "2 2", "3", "X"]
    assert table.refusal("2 3") == "PR-5"
    assert {"6 2", "6 2 2", "6 2 2 3", "6 2 2 3 X"} <= set(table.sets())
    follower = lay(["2 2 3 3", *RESTS[1:]], trick="A A A", mixed_wilds="forbid")
    assert follower.sets() == ["pass"]
    assert Table().options.as_dict()["mixed_wilds"] == "lowest"


def test_pr_06_every_number_of_naturals_and_fillers() -> None:
    """PR-6: all (rank, naturals, fillers), in this order; fillers are the weakest wild cards."""
    table = lay(["6 6 9 2 3", *RESTS[1:]])
    assert table.sets() == [
        *("6", "6 2", "6 2 3", "6 6", "6 6 2", "6 6 2 3"),
        *("9", "9 2", "9 2 3", "2", "2 3", "3"),
    ]
    assert not table.can("6 3")  # the Two is weaker
    stronger = lay(["6 3 3 X", *RESTS[1:]], jokers=1)
    assert stronger.sets() == [
        *("6", "6 3", "6 3 3", "6 3 3 X", "3", "3 X", "3 3", "3 3 X", "X"),
    ]
    large = lay(["A A A A 2 2 2 2 3 3 3 3 X X", *RESTS[1:]], jokers=2)
    assert large.sets()[: 4 * 11][-1] == "A A A A 2 2 2 2 3 3 3 3 X X"
    assert large.act("A A A A 2 2 2 2 3 3 3 3 X X")[1] == "0 is out: 1"
    with_no_wild = lay(["6 6", *RESTS[1:]])
    assert with_no_wild.refusal("6 6 6") == "PR-6"
    assert with_no_wild.refusal("7") == "PR-6"
    assert with_no_wild.refusal("6 X") == "PR-6"


def test_pr_06_follower_sizes() -> None:
    """PR-6: a follower may take any mixture that makes up the size."""
    table = lay(["6 6 6 9 9 2 2 3", *RESTS[1:]], trick="5 5 5")
    assert table.sets() == [
        *("pass", "6 2 2", "6 6 2", "6 6 6", "9 2 2", "9 9 2", "2 2 3"),
    ]
    six = lay(["9 9 2 2 2 3 3 X", *RESTS[1:]], trick="4 4 4 4 2 2", jokers=1)
    assert six.sets() == ["pass", "9 2 2 2 3 3", "9 9 2 2 2 3", "2 2 2 3 3 X"]


def test_pr_06_what_fillers_tell() -> None:
    """PR-6: a strong filler shows that the player had no weaker one left."""
    table = lay(["6 8 8 3 X X", "7", "7", "7"], jokers=2)
    table.act("6 3 X")
    assert table.lacks == [{"2", "3"}, set(), set(), set()]
    wild = lay(["2 3 X 9", "4 4", "4 4", "6 6"], jokers=1)
    wild.act("2 3 X")
    assert wild.lacks == [{"3"}, set(), set(), set()]
    none = lay(["6 6 3 3 9", "4 4", "4 4", "7 7"])
    none.act("6 6 3")
    assert none.lacks == [{"2"}, set(), set(), set()]


def test_pr_07_leader_must_play() -> None:
    """PR-7: who leads may play any set and may not pass."""
    table = lay(["6 6 9", *RESTS[1:]])
    assert table.refusal("") == "PR-7"
    assert table.sets() == ["6", "6 6", "9"]


def test_pr_07_followers_go_round_clockwise() -> None:
    """PR-7: equally many cards and a higher rank, or pass, able or not; then the next player."""
    table = lay(["6 6 4", "7 8 8 4", "T 9 9 4", "J J 4 4"])
    assert table.act("6 6") == ["0: 6 6"]
    assert (table.seat, table.sets()) == (1, ["pass", "8 8"])
    assert table.refusal("7") == "PR-7"
    assert table.act("8 8") == ["1: 8 8"]
    assert table.act("") == ["2 passes"]
    assert table.passed == {2}
    assert table.act("J J") == ["3: J J", "0 passes", "1 passes", "2 passes", "3 takes"]
    assert (table.seat, table.trick, table.passed) == (3, ("", 0, -1), set())


def test_pr_07_who_can_play_nothing_passes_unasked() -> None:
    """PR-7: the pass is written all the same."""
    table = lay(["K 4", "4 5", "A 4", "6 7"])
    assert table.act("K") == ["0: K", "1 passes"]
    assert (table.seat, table.sets()) == (2, ["pass", "A"])


def test_pr_08_joker_beats_all() -> None:
    """PR-8: a single joker on any set that is not of jokers; nothing can be played on it."""
    options: dict[str, Any] = {"jokers": 4, "joker_beats_all": True}
    table = lay(["X 4", "A A A A X 4", "5 X", "6 X X"], trick="K K K K", **options)
    assert table.sets() == ["pass", "X"]
    assert table.act("X") == ["0: X", "1 passes", "2 passes", "3 passes", "0 takes"]
    mixed = lay(["X 4", *RESTS[1:]], trick="2 X", jokers=2, joker_beats_all=True)
    assert mixed.can("X")
    jokers = lay(["X 4", *RESTS[1:]], trick="X X", **options)
    assert jokers.refusal("X") == "PR-7"
    assert jokers.sets() == ["pass"]
    twice = lay(["X X 4", *RESTS[1:]], trick="6 6", **options)
    assert twice.sets() == ["pass", "X X", "X"]
    lone = lay(["X 4", *RESTS[1:]], trick="6", **options)
    assert lone.sets() == ["pass", "X"]  # once, not twice


def test_pr_08_off_a_joker_is_a_card_like_others() -> None:
    """PR-8: off, four Aces need four wild cards, and one joker beats single cards only."""
    table = lay(["X 2 2 3", *RESTS[1:]], trick="A A A A", jokers=1)
    assert table.sets() == ["pass", "2 2 3 X"]
    assert table.refusal("X") == "PR-7"
    assert lay(["X 4", *RESTS[1:]], trick="3", jokers=1).can("X")
    assert Table().options.as_dict()["joker_beats_all"] is False


def test_lists_and_checks_agree_on_all_numbers() -> None:
    """PR-4 to PR-8: of all numbers that a play could have, the listed ones are legal."""
    options: dict[str, Any] = {"jokers": 3, "joker_beats_all": True}
    for trick in ("", "5", "6 6", "7 7 2", "2 2", "3 3 X", "4 4 4 4", "4 4 4 4 2", "X"):
        table = lay(["6 6 7 9 9 9 A 2 2 3 X X", *RESTS[1:]], trick=trick, **options)
        legal = [number for number in range(-50, 1 << 12) if table.is_legal(number)]
        listed = table.legal_actions()
        assert Counter(listed) == Counter(legal)
