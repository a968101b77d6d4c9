"""What holds for every game of the Shooting Party, and exact numbers, through the kernel.

Tests are exact unless they say otherwise; those that draw at random say how often they would fail
although all is well (with fresh seeds; the seeds are fixed).
"""

from collections import Counter
from functools import cache
from typing import Any

import numpy as np
import pytest
from numba import types
from scipy import stats

from sim.bits import count_bits
from sim.contract import Event
from sim.engine import state_array
from sim.experiment import Experiment
from sim.jit import compile_function
from sim.rng import output_of, roots, stream_dtype
from tests.reference.shooting_party_cards import DECK
from tests.rules.shooting_party_table import (
    NO_ETIQUETTE,
    RULES,
    Table,
    array_type,
    first_hands,
    zeros,
)

HANDS = 23751
DEALS = 400_000
#: Positions of the pile, from the bottom, that no first hand of one card can have reached.
UNTOUCHED = 28


def test_facts_of_all_first_hands() -> None:
    """SP-2, SP-10, SP-12: of all 23,751 first hands, those that meet etiquette, queen, joker."""
    plain = first_hands(**NO_ETIQUETTE)
    assert (plain["hands"], plain["nothing"]) == (HANDS, HANDS)
    assert plain["no queen"] == 12650
    assert plain["joker"] * 29 == 4 * HANDS
    secretaries = first_hands(rivals=False, husbands=False)
    assert (secretaries["forced"], secretaries["choice"]) == (1901, 0)
    husbands = first_hands(rivals=False, secretaries=False)
    assert husbands["choice"] == 104  # queen, king and jack of a suit
    assert (husbands["forced"] + husbands["choice"]) * 7917 == 466 * HANDS
    assert first_hands()["nothing"] == 18905
    rivals = first_hands(secretaries=False, husbands=False)
    assert rivals["forced"] == HANDS - 12650 - 4 * 2300  # four queens, three of 25 other guests


@cache
def compiled_deals() -> Any:
    """A loop over deals: counts displayed aces, cards by place, and the two lowest cards."""
    deal = RULES.deal

    def count_deals(states, streams, root, deals, shown, places, pairs):  # type: ignore[no-untyped-def]
        s = states[0]
        for game in range(deals):
            streams[0].key = output_of(root, game)
            deal(s, streams[0], None)
            shown[count_bits(s.table.display)] += 1
            for i in range(len(places)):
                places[i, s.order[i]] += 1
            pairs[s.order[0], s.order[1]] += 1

    kinds = (
        *(array_type(RULES.state_dtype), array_type(stream_dtype), types.uint64, types.int64),
        *(array_type(np.int64), array_type(np.int64, 2), array_type(np.int64, 2)),
    )
    return compile_function(count_deals, kinds)


def deals_of(seed: int, **options: Any) -> tuple[Any, Any, Any]:
    """What `compiled_deals` counts over the first games of a seed."""
    states = state_array(RULES, RULES.options.from_mapping(options))
    shown, pairs = np.zeros(5, np.int64), np.zeros((33, 33), np.int64)
    places = np.zeros((UNTOUCHED, 33), np.int64)
    compiled_deals()(states, zeros(stream_dtype), roots(seed)[0], DEALS, shown, places, pairs)
    return shown, places, pairs


def test_displayed_aces_of_the_first_hand() -> None:
    """SP-3: 8/15 of an ace on average, before any new hand of SP-12.

    The number of aces before the fourth guest is negative hypergeometric: 4·4/30 on average, with
    variance 16·34/(30·31)·26/30. Six standard errors: false alarm once in 500 million.
    """
    shown, _, _ = deals_of(11, secretaries=False)
    assert shown.sum() == DEALS
    mean = (shown * np.arange(5)).sum() / DEALS
    variance = 16 * 34 / (30 * 31) * 26 / 30
    assert abs(mean - 8 / 15) < 6 * (variance / DEALS) ** 0.5


def test_first_shuffle_is_uniform() -> None:
    """SP-1: every card at every place, and every pair of cards at the bottom, equally often.

    Chi-squared for each of 28 places and for the pairs, each at the level 1e-8: false alarm once
    in three million.
    """
    _, places, pairs = deals_of(12, hand=1)
    for counts in places:
        assert stats.chisquare(counts).pvalue > 1e-8
    different = pairs[~np.eye(33, dtype=bool)]
    assert np.trace(pairs) == 0
    assert stats.chisquare(different).pvalue > 1e-8


def odd_events(event: Event) -> int:
    """How many odd events (the parity law) one event counts for."""
    if event.get("do") == "discard":
        return int(len(event["cards"]) == 3)
    if event.get("do") == "butler":
        return int(event["take"] != "discard")
    return len(event["cards"]) if event.get("clause") == "SP-11" else 0


def starts_new_hand(event: Event) -> bool:
    """Whether a new hand of four follows an event."""
    return event.get("do") in ("leave", "seduce") or event.get("clause") == "SP-12"


def check_parity(table: Table) -> None:
    """The hand is odd exactly when the odd events since the last new hand are."""
    first = max((i + 1 for i, e in enumerate(table.events) if starts_new_hand(e)), default=0)
    odd = sum(odd_events(event) for event in table.events[first:])
    assert len(table.hand) % 2 == odd % 2


def check_cards(table: Table) -> None:
    """All 33 cards are there once, where they may be."""
    everything = table.hand + table.pile + table.discards + table.display + table.scored
    assert sorted(everything) == sorted(DECK)
    assert sorted(table.unseen) == sorted(table.pile)
    assert all(card[0] != "A" for card in table.hand + table.discards)
    assert all(card[0] == "A" for card in table.display)
    assert {card[1] for card in table.scored if card[0] == "A"} <= {
        card[1] for card in table.scored if card[0] == "Q"
    }
    ranks = Counter(card[0] for card in table.hand)
    if table.pending is None and not table.over:
        assert ranks["Q"] <= 1
        assert ranks["J"] <= 1
        assert table.queens == [card for card in table.hand if card[0] == "Q"]


def check_columns(table: Table) -> None:
    """`decisions` counts the acts, `reshuffles` the shuffles but the first and the butler's."""
    row, kinds = table.outcome(), Counter(event["ev"] for event in table.events)
    fetched = sum(event.get("take") == "ace" for event in table.events)
    assert row["decisions"] == kinds["act"]
    assert row["reshuffles"] == kinds["shuffle"] - 1 - fetched <= 2
    assert row["queens"] == len(table.events[-1]["queens"])
    assert row["aces"] == len(table.events[-1]["aces"])


@pytest.mark.parametrize("name", ["random", "tidy"])
def test_laws_at_every_decision(name: str) -> None:
    """SP-1, SP-3, SP-7, SP-10 to SP-12, SP-17: parity and where the cards are, in 120 games."""
    experiment = Experiment.make("shooting-party", [name], seed=21)
    decisions = 0
    for index in range(120):
        table = Table(21, index, experiment.seating)
        while not table.over:
            check_cards(table)
            check_parity(table)
            table.apply(table.ask())
        check_cards(table)
        check_columns(table)
        decisions += table.decisions
    assert decisions > 4000
