"""Sweeps from sums: against the values themselves; targets and shares with few hits.

Unless a docstring says otherwise a test computes exactly and its false-alarm rate is 0.
"""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from reports.intervals import Interval, clopper_pearson
from reports.multiple import baseline_contrasts, max_t, moments
from reports.sweep import SweepSums, Swept, Target
from sim.contract import Trait
from sim.errors import UsageError


def trait(name: str = "x", shown: Any = float) -> Trait:
    return Trait(name, name, "units", lambda games, rounds, options: 0, shown)


def swept(values: Any, *traits: Trait) -> Swept:
    settings = [
        SimpleNamespace(varied=(("a", str(i)),), strategy="s") for i in range(values.shape[1])
    ]
    sweep: Any = SimpleNamespace(
        settings=settings, traits=traits or (trait(),), seed=1, fixed={},
        rules=SimpleNamespace(name="g"),
    )  # fmt: skip
    parts = np.array_split(values, 4, axis=-1)
    sums = SweepSums.of(parts[0])
    for part in parts[1:]:
        sums = sums + SweepSums.of(part)
    return Swept(sweep, sums)


def test_means_and_changes_equal_those_of_the_values() -> None:
    rng = np.random.default_rng(1)
    values = rng.normal(5, 1, (1, 4, 300)) + rng.normal(0, 2, (1, 1, 300))
    found = swept(values)
    n, mean, covariance = moments(values[0].T)
    expected = max_t(mean, covariance, n, np.eye(4))
    changes = max_t(mean, covariance, n, baseline_contrasts(4))
    for place in range(4):
        value, interval = found.shown(0, place)
        assert value == pytest.approx(mean[place])
        assert interval.low == pytest.approx(expected.low[place])
        if place:
            change = found.change(0, place)
            assert change is not None
            assert change[1].high == pytest.approx(changes.high[place - 1])
    assert found.change(0, 0) is None
    # games are common: the changes are known far better than the means
    assert found.change(0, 1)[1].half_width < found.shown(0, 1)[1].half_width  # type: ignore[index]


def test_settings_that_change_nothing_differ_by_nothing() -> None:
    values = np.repeat(np.random.default_rng(2).normal(size=(1, 1, 90)), 3, axis=1)
    found = swept(values)
    for place in (1, 2):
        difference, interval = found.change(0, place)  # type: ignore[misc]
        assert (difference, interval.low, interval.high) == (0.0, 0.0, 0.0)


def test_shares_with_few_hits_have_exact_limits() -> None:
    values = np.zeros((1, 3, 1000))
    values[0, 1, :4], values[0, 2, :500] = 1, 1
    found = swept(values)
    exact = clopper_pearson(4, 1000, 1 - 0.05 / 3)
    assert found.shown(0, 1)[1].low == exact.low
    assert found.shown(0, 0)[1].high == clopper_pearson(0, 1000, 1 - 0.05 / 3).high
    assert found.shown(0, 2)[1].method == "max-T"
    change = found.change(0, 1)
    assert change is not None
    assert change[1].low < 0.004 < change[1].high
    assert "Bonferroni" in change[1].method


def test_simultaneous_intervals_hold_together() -> None:
    """150 sweeps of five correlated settings, 60 games: all five means are inside in 95 %.

    The chance of fewer than 130 is below 1e-4. Max-T itself is tested with more replicates.
    """
    rng = np.random.default_rng(3)
    held = 0
    for _ in range(150):
        values = rng.normal(size=(1, 5, 60)) + rng.normal(size=(1, 1, 60))
        intervals = swept(values).means(0)
        held += all(interval.contains(0.0) for interval in intervals)
    assert 130 <= held < 150


def test_a_trait_that_falls_turns_its_interval() -> None:
    values = np.random.default_rng(4).random((1, 2, 200))
    plain, turned = swept(values), swept(values, trait("y", lambda x: -x))
    value, interval = turned.shown(0, 1)
    mean, other = plain.shown(0, 1)
    assert (value, interval.low, interval.high) == (-mean, -other.high, -other.low)


@pytest.mark.parametrize("lacking", [0, 1, 2])
def test_a_trait_that_games_lack_is_undefined_there(lacking: int) -> None:
    """The other settings keep theirs, with intervals as if the lacking one were not there."""
    values = np.random.default_rng(5).random((1, 3, 20))
    others = [place for place in range(3) if place != lacking]
    alone = swept(values[:, others])
    values[0, lacking, 3] = np.nan
    found = swept(values)
    assert math.isnan(found.shown(0, lacking)[0])
    assert [found.shown(0, place) for place in others] == [alone.shown(0, n) for n in (0, 1)]
    assert found.change(0, lacking) is None
    last = found.change(0, 2 if lacking != 2 else 1)
    assert last == (None if lacking == 0 else alone.change(0, 1))
    assert not found.defined(0)
    assert len(found.records()) == 3


def test_shares_beside_a_setting_that_lacks_them() -> None:
    """Exact limits share the chance to miss among the settings that have any."""
    values = np.zeros((1, 3, 100))
    values[0, 1] = np.nan
    found = swept(values)
    assert found.shown(0, 2)[1].high == clopper_pearson(0, 100, 1 - 0.05 / 2).high
    change = found.change(0, 2)
    assert change is not None
    assert change[1].low < 0 < change[1].high


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [(1.75, 1.85, "hit"), (1.69, 1.85, "open"), (1.6, 2.0, "open"), (1.95, 2.0, "miss"),
     (1.7, 1.9, "hit"), (math.nan, math.nan, "undefined")],
)  # fmt: skip
def test_verdicts(low: float, high: float, verdict: str) -> None:
    target = Target.parse("escape time=1.8±0.1", ["escape time"])
    assert target == Target("escape time", 1.8, 0.1)
    assert target.verdict(Interval(low, high, 0.95, "")) == verdict


@pytest.mark.parametrize("text", ["x=1+-0.1", "x = 1 +/- 0.1", "x=1±0.1", " x=1 ± 0.1"])
def test_targets_are_read(text: str) -> None:
    assert Target.parse(text, ["x"]) == Target("x", 1.0, 0.1)


@pytest.mark.parametrize("text", ["", "x", "x=1", "x=1±", "y=1±0.1", "x=a±0.1", "x=1±0", "x=nan±1"])
def test_wrong_targets_are_refused(text: str) -> None:
    with pytest.raises(UsageError, match="--target"):
        Target.parse(text, ["x"])
