"""What the play policies of President do in positions that show their idea."""

import pytest

from tests.rules.president_table import word
from tests.strategies.president_positions import chosen, position


@pytest.mark.parametrize(
    ("spec", "hands", "trick", "expected"),
    [
        # whole groups, never broken: the pair of sixes stays together
        ("groups", ["4 4 6 A", "5", "8", "9"], "", "4 4"),
        ("groups", ["6 6 9 A", "5", "8", "9"], "4", "9"),
        ("groups", ["6 6 A A", "5", "8", "9"], "4", "pass"),
        ("groups", ["6 2", "5 7", "8", "9"], "", "6 2"),  # goes out at once
        # a filler gets rid of a single card; two of them are too many
        ("fewest-turns", ["6 9 K A 2", "5 5 7", "8 8", "9 T"], "5 5", "6 2"),
        ("fewest-turns", ["6 9 K A 2 2", "5 5 7", "8 8 8", "9 T"], "5 5 5", "pass"),
        # at the end the trick is taken at any price
        ("fewest-turns", ["6 6 7 7 3", "5 8", "8 8", "9 T"], "5", "3"),
        # no wild card for a trick that does not end it
        ("save-wilds", ["6 9 K A 2", "5 5 7", "8 8", "9 T"], "5 5", "pass"),
        ("save-wilds", ["6 9 K A 2", "5 5 7", "8 8", "9 T"], "7", "9"),
        # 3 3 cannot be beaten, and the sixes go out behind them
        ("save-wilds", ["6 6 3 3", "5 5 7", "8 8", "9 T"], "5 5", "3 3"),
        # one loser left: first the winners
        ("winners", ["6 A A K K", "5 5 7", "8 8", "9 T"], "", "K K"),
        # many losers: the lowest of them
        ("winners", ["4 5 6 7 8 9 A A", "5 5 7", "8 8", "9 T"], "", "4"),
        # an opponent with one card: no single is led
        ("danger", ["4 5 5 6 7 8 9", "T", "8 8 9", "9 T J"], "", "5 5"),
        ("danger", ["4 5 6 7 8 9", "T", "8 8 9", "9 T J"], "", "9"),
        ("danger", ["6 7 8 9 K A", "T", "8 8 9", "9 T J"], "5", "A"),
        ("danger", ["6 7 8 9 K A", "T T", "8 8 9", "9 T J"], "5", "6"),
        # nothing beats all: the joker alone, then the sixes
        ("control", ["6 6 X", "5 5 7", "8 8", "9 T"], "A A A", "X"),
    ],
)  # fmt: skip
def test_ideas(spec: str, hands: list[str], trick: str, expected: str) -> None:
    """The cards that are played on the trick, or led."""
    options = {"jokers": 1, "joker_beats_all": True} if "X" in " ".join(hands) else {}
    table = position(hands, trick=trick, **options)
    assert chosen(table, spec) == expected


def test_known_cards_of_the_exchange_are_used() -> None:
    """PR-12, PR-16: a Janitor who gave a King as the highest card has no pair of Aces left.

    The others have one card each, so two Kings cannot be beaten. Without the exchange the four
    unseen cards might be two Aces and the pair a loser.
    """
    hands = ["6 K K", "4 5 7 8", "A", "A"]
    table = position(hands)
    assert chosen(table, "winners") == "6"
    public = table.table
    public["ranks"] = 1 | 4 << 8 | 2 << 16 | 3 << 24
    public["received"] = word(["K"], table.order)
    public["given"] = word(["5"], table.order)
    table.look()
    assert chosen(table, "winners") == "K K"
