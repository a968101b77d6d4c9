"""The endgame search of President beside a search in plain Python over the referee's sets."""

from functools import cache
from random import Random

import pytest

from tests.reference.president_cards import Play, Table, check_options
from tests.strategies.president_positions import chosen, position

SEARCH = "endgame(cards=26,nodes=1000000)"
Hand = tuple[str, ...]


class Ending:
    """Two players with open hands, the one who is to move first; who goes out first wins."""

    def __init__(self, **options: object) -> None:
        self.cards = Table(check_options(options))
        self.wins = cache(self._wins)

    def after(self, play: Play, hand: Hand) -> Hand:
        """The hand without the cards of a play."""
        left = list(hand)
        for card in self.cards.cards(play, list(hand)):
            left.remove(card)
        return tuple(left)

    def plays(self, hand: Hand, trick: tuple[str, int]) -> list[Play]:
        """The plays on a trick ("" to lead)."""
        rank, size = trick
        found = self.cards.sets(list(hand))
        if not size:
            return found
        place = self.cards.place
        return [p for p in found if p.size == size and place(p.rank) > place(rank)]

    def good(self, play: Play, mine: Hand, theirs: Hand) -> bool:
        """Whether a play wins."""
        rest = self.after(play, mine)
        return not rest or not self.wins(theirs, rest, (play.rank, play.size))

    def _wins(self, mine: Hand, theirs: Hand, trick: tuple[str, int]) -> bool:
        if any(self.good(play, mine, theirs) for play in self.plays(mine, trick)):
            return True
        return bool(trick[1]) and not self.wins(theirs, mine, ("", 0))


def random_ending(chance: Random, cards: list[str], size: int) -> tuple[Hand, Hand]:
    """Two hands of up to `size` cards."""
    drawn = chance.sample(cards, 2 * size)
    order = cards.index
    first, second = drawn[: chance.randint(1, size)], drawn[size : size + chance.randint(1, size)]
    return tuple(sorted(first, key=order)), tuple(sorted(second, key=order))


@pytest.mark.parametrize("options", [{}, {"mixed_wilds": "forbid"}, {"wild": "none"}])
def test_the_search_finds_every_win(options: dict[str, str]) -> None:
    """PR-7, PR-9: 150 endings on the lead and on a trick; a won one is won by what is played."""
    chance, ending = Random(4), Ending(**options)
    pack = [rank for rank in ending.cards.options.order if rank != "X" for _ in range(4)]
    won = 0
    for _ in range(150):
        mine, theirs = random_ending(chance, pack, 5)
        trick = ("", 0) if chance.random() < 0.5 else (chance.choice(pack), 1)
        plays = ending.plays(mine, trick)
        if not plays:
            continue
        table = position(
            [" ".join(mine), " ".join(theirs), "", ""],
            trick=trick[0],
            player=1,
            **options,
        )
        played = chosen(table, SEARCH)
        if ending.wins(mine, theirs, trick):
            won += 1
            if played == "pass":
                assert not ending.wins(theirs, mine, ("", 0))
            else:
                fits = [p for p in plays if " ".join(ending.cards.cards(p, list(mine))) == played]
                assert any(ending.good(play, mine, theirs) for play in fits), (mine, theirs, trick)
    assert 40 < won < 140


def test_only_the_six_wins() -> None:
    """The rules' own example: {4, 6} against {5}, on the lead."""
    assert chosen(position(["4 6", "5", "", ""]), SEARCH) == "6"


def test_a_search_that_is_too_long_is_given_up() -> None:
    """With one position allowed nothing is found, and the player plays as `control`."""
    table = position(["4 6 8 T", "5 7 9 J", "", ""])
    assert chosen(table, "endgame(nodes=1)") == chosen(table, "control")
