"""What holds for every game of President, and exact numbers, through the kernel.

Tests are exact unless they say otherwise; those that draw at random say how often they would fail
although all is well (with fresh seeds; the seeds are fixed).
"""

from functools import cache
from math import comb
from typing import Any

import numpy as np
import pytest
from numba import types
from scipy import stats

from sim.engine import play, state_array
from sim.experiment import Experiment
from sim.jit import compile_function
from sim.rng import output_of, roots, stream_dtype
from tests.reference.president_cards import SEATS, UPWARDS
from tests.rules.president_table import RULES, array_type, lay


def finishes(name: str, games: int, seed: int, **options: Any) -> np.ndarray[Any, Any]:
    """The ranks of the seats: an array of games, rounds, seats."""
    setting = Experiment.make("president", [name], options=options, seed=seed)
    rounds = play(RULES, setting.options, setting.seating, seed, 0, games).rounds
    assert int(rounds["plays"].max()) <= 52 + setting.options.as_dict()["jokers"]
    columns = [rounds[f"finish_{seat}"] for seat in SEATS]
    return np.stack(columns, axis=1).astype(int).reshape(games, -1, 4)


FAIR: dict[str, Any] = {"exchange": "none", "lead": "random"}


@pytest.mark.parametrize("name", ["random", "lowest"])
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"jokers": 4, "joker_beats_all": True},
        {"one_play": True, "wild": "none"},
        {"pass_locks": True, "jokers": 4, "mixed_wilds": "forbid", "wild": "3"},
    ],
)
def test_equal_strategies_move_freely(name: str, options: dict[str, Any]) -> None:
    """PR-12, PR-14: no exchange, random lead: each move between ranks has probability 1/4.

    Hands are equally long with no joker or with four, and with a lead by chance nothing depends on
    the seat but the neighbours. So the next rank is independent of all before: chi-squared (3
    degrees) for the moves out of each rank, and for the ranks of each seat, each at the level 1e-8:
    false alarm of any of eight cases once in 1.5 million.
    """
    found = finishes(name, 1500, 8, **FAIR, **options)
    before, after = found[:, :-1].reshape(-1, 4), found[:, 1:].reshape(-1, 4)
    for rank in (1, 2, 3, 4):
        moves = np.bincount(after[before == rank], minlength=5)[1:]
        assert moves.sum() == len(before) == 1500 * 9
        assert stats.chisquare(moves).pvalue > 1e-8
    for seat in SEATS:
        ranks = np.bincount(found[:, :, seat].ravel(), minlength=5)[1:]
        assert stats.chisquare(ranks).pvalue > 1e-8


def test_the_exchange_holds_ranks_fast() -> None:
    """PR-12: with the exchange President and Janitor stay what they are more often than by chance.

    30,000 rounds with a share near 0.5: a false alarm is out of the question.
    """
    found = finishes("lowest", 3000, 2)
    before, after = found[:, :-1].reshape(-1, 4), found[:, 1:].reshape(-1, 4)
    for rank in (1, 4):
        assert (after[before == rank] == rank).mean() > 0.3


@cache
def compiled_deals() -> Any:
    """A loop over deals: counts how many cards of each rank each seat has, and ranks together."""
    deal = RULES.deal

    def count_deals(states, streams, root, deals, ranks, aces):  # type: ignore[no-untyped-def]
        s = states[0]
        for game in range(deals):
            streams[0].key = output_of(root, game)
            deal(s, streams[0], None)
            for seat in range(4):
                for place in range(14):
                    ranks[seat, place, (s.hands[seat] >> np.uint64(4 * place)) & np.uint64(15)] += 1
            place = np.uint64(40)
            first, second = s.hands[0] >> place, s.hands[1] >> place
            aces[first & np.uint64(15), second & np.uint64(15)] += 1

    kinds = (
        *(array_type(RULES.state_dtype), array_type(stream_dtype), types.uint64, types.int64),
        *(array_type(np.int64, 3), array_type(np.int64, 2)),
    )
    return compile_function(count_deals, kinds)


def test_deals_are_uniform() -> None:
    """PR-1: the numbers of cards of a rank are hypergeometric for each seat, and for two together.

    Chi-squared for 4 x 13 ranks and for the Aces of two seats, each at the level 1e-8: false alarm
    once in two million.
    """
    deals = 60_000
    states = state_array(RULES, RULES.options.from_mapping({"rounds": 1}))
    ranks, aces = np.zeros((4, 14, 16), np.int64), np.zeros((16, 16), np.int64)
    compiled_deals()(states, np.zeros(1, stream_dtype), roots(3)[0], deals, ranks, aces)
    whole = comb(52, 13)
    chances = [comb(4, n) * comb(48, 13 - n) / whole for n in range(5)]
    expected = [*(deals * chance for chance in chances[:4]), deals * chances[4]]
    assert ranks[:, :13].sum() == ranks[:, :13, :5].sum()
    assert (ranks[:, 13, 0] == deals).all()
    for seat in SEATS:
        for place in range(13):
            assert stats.chisquare(ranks[seat, place, :5], expected).pvalue > 1e-8
    found, wanted = [], []
    for n in range(5):
        for m in range(5 - n):
            ways = comb(4, n) * comb(4 - n, m) * comb(48, 13 - n) * comb(35 + n, 13 - m)
            found.append(aces[n, m])
            wanted.append(deals * ways / whole / comb(39, 13))
    assert sum(found) == deals
    assert stats.chisquare(found, wanted).pvalue > 1e-8


@pytest.mark.parametrize("wild", UPWARDS)
def test_four_aces_need_four_wild_cards(wild: str) -> None:
    """PR-5, PR-8: 2 2 3 3 beats A A A A where both are wild, and a joker if it beats all."""
    table = lay(["2 2 3 3 X", "4", "4", "4"], trick="A A A A", jokers=1, wild=wild)
    assert table.can("2 2 3 3") == (wild == "2,3")
    assert not table.can("X")
    on = {"joker_beats_all": True}
    assert lay(["2 2 3 3 X", "4", "4", "4"], trick="A A A A", jokers=1, wild=wild, **on).can("X")
