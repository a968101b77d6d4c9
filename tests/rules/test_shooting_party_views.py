"""What the player of the Shooting Party can know: the view, the leak audit, the re-deal. SP-17"""

from itertools import permutations
from typing import Any

import numpy as np
import pytest
from scipy import stats

import strategies.registry
from sim.audit import audit
from sim.experiment import Experiment
from sim.rng import stream_dtype
from tests.rules.shooting_party_table import RULES, Table, lay

STRATEGIES = strategies.registry.names(RULES)


def test_every_view_field_is_described() -> None:
    """SP-17: the fields of the view and their meanings are the same list; all are plain numbers."""
    assert list(RULES.view_fields) == list(RULES.view_dtype.names or ())
    assert all(meaning.strip() for meaning in RULES.view_fields.values())
    for name in RULES.view_dtype.names or ():
        assert RULES.view_dtype[name].shape == ()
        assert RULES.view_dtype[name].kind in "iu"


def test_every_option_is_in_the_view() -> None:
    """SP-17: the rules of the day are known to the player."""
    options: dict[str, Any] = {"exhaustion": "at-once", "last_draw": "played", "reshuffles": 7}
    options |= {"hand": 6, "draw_limit": 3, "butler": 0, "rivals": False, "husbands": False}
    view = Table(**options).view
    for field, value in RULES.options.from_mapping(options).encode().items():
        assert view[field] == value
        assert "option" in RULES.view_fields[field]


@pytest.mark.parametrize("spec", STRATEGIES)
def test_no_strategy_sees_the_pile(spec: str) -> None:
    """SP-17: views and choices stay the same when the pile is dealt again in another order."""
    result = audit(Experiment.make("shooting-party", [spec], seed=31), games=4, redeals=2)
    assert result.games == 4
    assert result.changed > result.redeals / 2


@pytest.mark.parametrize("exhaustion", ["on-need", "at-once"])
def test_no_leak_under_other_options(exhaustion: str) -> None:
    """SP-17: nor do views leak with other rules, when no etiquette hides a card."""
    options = {"exhaustion": exhaustion, "last_draw": "played", "reshuffles": 1, "hand": 7}
    options |= {"rivals": False, "secretaries": False}
    experiment = Experiment.make("shooting-party", ["random"], options=options, seed=32)
    assert audit(experiment, games=8, redeals=2).changed > 0


def redeal(table: Table, stream: np.ndarray[Any, Any]) -> None:
    """Deal the hidden cards again."""
    table.steps.redeal(table.states, 0, stream)


def test_redeal_is_uniform() -> None:
    """SP-17: all orders of a pile of four come equally often.

    Chi-squared with 23 degrees of freedom at the level 1e-8: false alarm once in 100 million.
    """
    table = lay("QS X", pile="3D AH 4D JC")
    orders = dict.fromkeys(permutations(table.pile), 0)
    stream = np.zeros(1, stream_dtype)
    stream["state"] = 77
    start = table.states.view(np.uint8).copy()
    for _ in range(12_000):
        table.states.view(np.uint8)[:] = start
        redeal(table, stream)
        orders[tuple(table.pile)] += 1
    assert stats.chisquare(list(orders.values())).pvalue > 1e-8


def test_redeal_of_a_long_pile_is_uniform() -> None:
    """SP-17: every card comes equally often to every place of the pile.

    Chi-squared for each of 25 places at the level 1e-9: false alarm once in 40 million.
    """
    table = Table(3, 1, hand=7)
    size = len(table.pile)
    stream = np.zeros(1, stream_dtype)
    stream["state"] = 78
    start = table.states.view(np.uint8).copy()
    counts = np.zeros((size, 33), np.int64)
    for _ in range(8_000):
        table.states.view(np.uint8)[:] = start
        redeal(table, stream)
        counts[np.arange(size), table.states[0]["order"][:size]] += 1
    held = counts.sum(axis=0) > 0
    assert held.sum() == size <= 26
    for place in counts:
        assert stats.chisquare(place[held]).pvalue > 1e-9


def test_redeal_keeps_everything_else() -> None:
    """SP-17: the order of the pile is all that changes; an empty pile stays as it is."""
    for pile in ("", "3D", "3D AH 4D JC 5H"):
        table = lay("QS QC X", pile=pile, scored="QH", rivals=False)
        before, public = table.states.copy(), table.table.tobytes()
        stream = np.zeros(1, stream_dtype)
        stream["key"], stream["state"] = 5, 6
        for _ in range(20):
            redeal(table, stream)
            assert table.table.tobytes() == public
            assert sorted(table.pile) == sorted(pile.split())
            for name in RULES.state_dtype.names or ():
                if name not in ("table", "order"):
                    assert table.states[name] == before[name]
        assert stream["key"] == 5
