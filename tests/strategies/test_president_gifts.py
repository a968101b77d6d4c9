"""The gift policies of President beside their definitions in plain Python."""

from collections import Counter
from itertools import combinations
from random import Random

import pytest

from tests.reference.president_cards import UPWARDS
from tests.rules.president_table import exchanging
from tests.strategies.president_positions import chosen

ORDER = UPWARDS["2,3"]
NATURAL = ORDER[:11]


def dealt(seed: int, size: int) -> list[str]:
    """Thirteen cards for the President, who is to give; `size` is the exchange."""
    pack = [rank for rank in ORDER if rank != "X" for _ in range(4)]
    Random(seed).shuffle(pack)
    return pack[:13]


def gifts(hand: list[str], size: int) -> list[tuple[str, ...]]:
    """All gifts, each once, in the order of the cards' numbers: the highest rank weighs most."""
    found = set(combinations(sorted(hand, key=ORDER.index), size))
    return sorted(found, key=lambda gift: [ORDER.index(card) for card in reversed(gift)])


def height(gift: tuple[str, ...]) -> int:
    """The sum of the places."""
    return sum(ORDER.index(card) for card in gift)


def broken(hand: list[str], gift: tuple[str, ...]) -> int:
    """Ranks of which some cards go and some stay."""
    held = Counter(hand)
    return sum(count < held[rank] for rank, count in Counter(gift).items())


def turns_left(hand: list[str], gift: tuple[str, ...]) -> int:
    """Natural ranks that stay; one if only wild cards do."""
    left = Counter(hand) - Counter(gift)
    return len([rank for rank in left if rank in NATURAL]) or min(1, left.total())


COSTS = {
    "lowest": lambda hand, gift: height(gift),
    "keep-pairs": lambda hand, gift: 1000 * broken(hand, gift) + height(gift),
    "split": lambda hand, gift: 1000 * (len(gift) - len(set(gift))) + height(gift),
    "fewest-turns": lambda hand, gift: (
        12 * turns_left(hand, gift)
        + height(gift)
        + 10 * sum(ORDER.index(card) for card in gift if card not in NATURAL)
    ),
    "middle": lambda hand, gift: sum(abs(ORDER.index(card) - 11 // 2) for card in gift),
}


@pytest.mark.parametrize("name", COSTS)
def test_gifts_cost_least(name: str) -> None:
    """PR-12: 40 hands, gifts of one to three cards: the cheapest by the definition is given."""
    for seed in range(40):
        size = 1 + seed % 3
        hand = dealt(seed, size)
        table = exchanging(
            [" ".join(hand), "4 4 4 4", "5 5 5 5", "6 6 6 6"],
            exchange=f"{size}/0",
            low_gives="lowest",
        )
        assert table.seat == 0
        assert table.kind == 0
        given = tuple(chosen(table, f"gift={name}").split())
        cost = COSTS[name]
        best = min(gifts(hand, size), key=lambda gift: cost(hand, gift))
        assert cost(hand, given) == cost(hand, best)
        if name != "lowest":  # the first of equals; the lowest cards are alone
            assert given == best


def test_gifts_of_players() -> None:
    """The hand 4 4 5 7 7 9 K A A 2 2 3 3, two cards to give."""
    expected = {
        "lowest": "4 4",
        "keep-pairs": "4 4",
        "split": "4 5",
        "fewest-turns": "5 9",
        "middle": "9 9",
    }
    hands = ["4 4 5 7 7 9 9 A A 2 2 3 3", "6 6 6 6", "8 8 8 8", "T T T T"]
    for name, gift in expected.items():
        if name == "fewest-turns":
            hands[0] = "4 4 5 7 7 9 A A 2 2 3 3 3"
        elif name == "middle":
            hands[0] = "4 4 5 7 7 9 9 A A 2 2 3 3"
        table = exchanging(hands, exchange="2/0", low_gives="lowest")
        assert chosen(table, f"gift={name}") == gift, name
