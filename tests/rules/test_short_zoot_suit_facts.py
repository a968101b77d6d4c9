"""What holds for every game of Short Zoot Suit, and exact numbers, through the kernel.

Tests are exact unless they say otherwise; those that draw at random say how often they would fail
although all is well (with fresh seeds; the seeds are fixed).
"""

from math import comb
from typing import Any

import numpy as np
import pytest
from scipy import stats

from sim.engine import play
from sim.experiment import Experiment
from tests.rules.short_zoot_suit_table import RULES

#: Cards in hand after the draft, by players and doubles.
HANDS = {(4, "off"): 8, (3, "off"): 11, (2, "off"): 10}
HANDS |= {(4, "replace-one"): 8, (3, "replace-one"): 11}
HANDS |= {(4, "replace-both"): 6, (3, "replace-both"): 9}
#: Cards dealt to each player.
DEALT = {key: hand + 5 for key, hand in HANDS.items()}
#: The probabilities of 8 to 13 tricks in a round of `random`, four players.
LENGTHS = (0.007789642, 0.034491686, 0.082295390, 0.136970729, 0.174517709, 0.563934845)


def rounds(spec: str, games: int, seed: int = 1, **options: Any) -> np.ndarray[Any, Any]:
    """The rounds table."""
    setting = Experiment.make("short-zoot-suit", [spec], options=options, seed=seed)
    return play(RULES, setting.options, setting.seating, seed, 0, games).rounds


def column(table: np.ndarray[Any, Any], name: str) -> np.ndarray[Any, Any]:
    """A column for each seat side by side."""
    return np.stack([table[f"{name}_{seat}"] for seat in range(4)], axis=1).astype(int)


def lengths(table: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The number of tricks of each round."""
    total: np.ndarray[Any, Any] = column(table, "tricks").sum(axis=1)
    return total


@pytest.mark.parametrize(("players", "doubles"), HANDS)
def test_length_of_a_round(players: int, doubles: str) -> None:
    """ZS-4 to ZS-6: T lies in [H, H + 5]; all draw: H + 5; shorts are the tricks of others."""
    hand = HANDS[players, doubles]
    options: dict[str, Any] = {"players": players, "doubles": doubles}
    assert set(lengths(rounds("plain", 20, **options))) == {hand + 5}
    table = rounds("random", 300, **options)
    found = lengths(table)
    assert found.min() >= hand
    assert found.max() == hand + 5
    tricks, shorts = column(table, "tricks"), column(table, "shorts")
    assert (tricks + shorts <= found[:, None]).all()
    assert (shorts[:, players:] == 0).all()


@pytest.mark.parametrize(("players", "doubles"), HANDS)
def test_length_of_a_round_in_short_shorts(players: int, doubles: str) -> None:
    """ZS-14: with c cards T lies between floor(c/2) and c; `plain` gives T = c."""
    dealt = DEALT[players, doubles]
    options: dict[str, Any] = {"players": players, "doubles": doubles, "short_shorts": True}
    assert set(lengths(rounds("plain", 20, **options))) == {dealt}
    found = lengths(rounds("random", 300, **options))
    assert dealt // 2 <= found.min()
    assert found.max() <= dealt


def test_length_of_random_rounds() -> None:
    """ZS-5: half of the players draw: T = 8 … 13 as calculated.

    Chi-squared at the level 1e-8 over 40,000 rounds: a false alarm once in a hundred million.
    """
    found = np.bincount(lengths(rounds("random", 10_000, seed=3)), minlength=14)[8:]
    assert found.sum() == 40_000
    wanted = np.array(LENGTHS) / sum(LENGTHS) * 40_000
    assert stats.chisquare(found, wanted).pvalue > 1e-8


@pytest.mark.parametrize("spec", ["random", "plain"])
@pytest.mark.parametrize(
    "options",
    [{"players": 2}, {"players": 3, "bonus": "stars"}, {"players": 4, "doubles": "replace-both"}],
)
def test_equal_strategies_score_alike(spec: str, options: dict[str, Any]) -> None:
    """ZS-3: every seat starts equally often, so equal strategies expect equal points.

    The difference of each seat from seat 0 over 4000 games lies within six standard errors: a false
    alarm of one of twelve comparisons once in 40 million.
    """
    setting = Experiment.make("short-zoot-suit", [spec], options=options, seed=8)
    rows = play(RULES, setting.options, setting.seating, 8, 0, 4000).rows
    for seat in range(1, options["players"]):
        difference = rows[f"points_{seat}"].astype(int) - rows["points_0"]
        assert abs(difference.mean()) < 6 * difference.std() / np.sqrt(len(rows))


def test_deals_are_uniform() -> None:
    """ZS-2: the cards of a suit in a hand are hypergeometric, and two players miss any two cards.

    Chi-squared for each seat at the level 1e-8: false alarm once in 25 million.
    """
    from sim.trace import events

    setting = Experiment.make("short-zoot-suit", ["plain"], options={"rounds": 8}, seed=6)
    hearts = np.zeros((4, 14), int)
    for index in range(60):
        for event in events(setting, index):
            if event["ev"] == "deal":
                for seat, hand in enumerate(event["hands"]):
                    hearts[seat, sum(card[1] == "H" for card in hand)] += 1
    chances = np.array([comb(13, n) * comb(39, 13 - n) / comb(52, 13) for n in range(14)])
    for seat in range(4):
        found = [*hearts[seat, 1:6], hearts[seat, 0] + hearts[seat, 6:].sum()]
        wanted = [*chances[1:6], 1 - chances[1:6].sum()]
        assert stats.chisquare(found, np.array(wanted) * 60 * 32).pvalue > 1e-8
