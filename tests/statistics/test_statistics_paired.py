"""Two strategies on common deals: exactness, sums of chunks, agreement with scipy, coverage.

Unless a docstring says otherwise a test computes exactly and its false-alarm rate is 0.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from reports.intervals import clopper_pearson
from reports.paired import PairedSums, compare

INTEGERS = st.lists(
    st.tuples(st.integers(-(10**9), 10**9), st.integers(-(10**9), 10**9)), min_size=2, max_size=30
)


def test_identical_strategies_differ_by_exactly_nothing() -> None:
    for values in (np.random.default_rng(1).integers(0, 99, 1000), np.linspace(0.1, 0.7, 1000)):
        got = compare(PairedSums.of(values, values.copy()))
        assert (got.difference, got.interval.low, got.interval.high) == (0.0, 0.0, 0.0)
        assert got.interval.method == "t, no variation seen"
        assert got.p_value == 1.0
        assert got.variance_ratio == math.inf
        assert got.differing_limit == clopper_pearson(0, 1000).high


def test_nothing_varied_at_all() -> None:
    got = compare(PairedSums.of([3, 3, 3], [1, 1, 1]))
    assert (got.difference, got.deviation, got.p_value) == (2.0, 0.0, 0.0)
    assert math.isnan(got.variance_ratio)
    assert got.effect == math.inf


@pytest.mark.parametrize("level", [0.8, 0.95, 0.99])
def test_agrees_with_scipy(level: float) -> None:
    rng = np.random.default_rng(2)
    x = rng.normal(1.0, 2.0, 300)
    y = x + rng.normal(0.2, 0.5, 300)
    got, want = compare(PairedSums.of(x, y), level), stats.ttest_rel(x, y)
    interval = want.confidence_interval(level)
    assert got.interval.low == pytest.approx(interval.low, rel=1e-9)
    assert got.interval.high == pytest.approx(interval.high, rel=1e-9)
    assert got.p_value == pytest.approx(want.pvalue, rel=1e-8)
    assert (got.mean_first, got.mean_second) == pytest.approx((x.mean(), y.mean()))
    assert got.deviation == pytest.approx((x - y).std(ddof=1))
    independent = x.var(ddof=1) + y.var(ddof=1)
    assert got.variance_ratio == pytest.approx(independent / (x - y).var(ddof=1))
    assert got.effect == pytest.approx((x - y).mean() / math.sqrt(independent / 2))
    assert got.differing_limit is None


@given(blocks=INTEGERS, cut=st.integers(0, 30))
@settings(max_examples=200, derandomize=True, deadline=None)
def test_sums_of_chunks_are_the_sums_of_all(blocks: list[tuple[int, int]], cut: int) -> None:
    """Integers of any size add up exactly; swapping the strategies mirrors the interval."""
    x, y = (np.array(column, dtype=np.int64) for column in zip(*blocks, strict=True))
    whole = PairedSums.of(x, y)
    assert PairedSums.of(x[:cut], y[:cut]) + PairedSums.of(x[cut:], y[cut:]) == whole
    assert whole.xy == sum(a * b for a, b in blocks)
    got, swapped = compare(whole), compare(PairedSums.of(y, x))
    assert got.interval.contains(got.difference)
    assert (swapped.interval.low, swapped.interval.high) == (-got.interval.high, -got.interval.low)
    assert swapped.p_value == got.p_value


def test_a_billion_blocks_that_differ_once() -> None:
    """Difference 1 in one of 10^9 blocks of values near 10^6: floats would lose it."""
    n, base = 10**9, 10**6
    sums = PairedSums(n, n * base + 1, n * base, n * base**2 + 2 * base + 1, n * base**2,
                      n * base**2 + base)  # fmt: skip
    got = compare(sums)
    assert got.difference == 1e-9
    assert got.deviation**2 == pytest.approx(1e-9, rel=1e-6)
    assert got.interval.low < 0 < got.interval.high


def test_float_and_integer_values_agree() -> None:
    rng = np.random.default_rng(3)
    x, y = rng.integers(0, 53, 400), rng.integers(0, 53, 400)
    whole, real = compare(PairedSums.of(x, y)), compare(PairedSums.of(x / 1, y / 1))
    assert whole == real


def test_variance_ratio_is_what_common_deals_gain() -> None:
    """Simulated: variance of the mean difference with and without common deals.

    4000 replicates a design, false alarm below 0.3 % (the ratio's standard error is 3.2 %).
    """
    rng = np.random.default_rng(4)

    def play(deals: np.ndarray) -> np.ndarray:
        return deals + rng.normal(0, 1, deals.shape)

    common = rng.normal(0, 2, (4000, 50))
    paired = (play(common) - play(common)).mean(axis=1)
    apart = (play(common) - play(rng.normal(0, 2, (4000, 50)))).mean(axis=1)
    got = compare(PairedSums.of(play(common).ravel(), play(common).ravel()))
    assert got.variance_ratio == pytest.approx(5.0, rel=0.03)
    assert apart.var() / paired.var() == pytest.approx(got.variance_ratio, rel=0.1)


def test_coverage() -> None:
    """Skewed correlated integer blocks, n = 60; 10,000 replicates, 95 +- 0.65 points.

    The difference of equally distributed values is symmetrical; false alarm below 0.5 %.
    """
    rng = np.random.default_rng(5)
    shared = rng.geometric(0.2, (10_000, 60))
    x, y = shared + rng.geometric(0.4, (10_000, 60)), shared + rng.geometric(0.4, (10_000, 60))
    columns = [a.sum(axis=1).tolist() for a in (x, y, x * x, y * y, x * y)]
    covered = [
        compare(PairedSums(60, *sums)).interval.contains(0.0)
        for sums in zip(*columns, strict=True)
    ]  # fmt: skip
    assert np.mean(covered) == pytest.approx(0.95, abs=0.0065)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: PairedSums.of([1, 2], [1]), "two equal lists"),
        (lambda: compare(PairedSums.of([1], [2])), "two blocks"),
        (lambda: compare(PairedSums(10, 0, 0, 1, 1, 50)), "no 10 values"),
        (lambda: compare(PairedSums.of([1, 2], [2, 2]), 1.0), "confidence level"),
    ],
)
def test_wrong_calls_are_refused(call, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        call()
