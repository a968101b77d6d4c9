"""Intervals of shares, joint tables and means against known answers, other code and coverage.

Unless a docstring says otherwise a test computes exactly and its false-alarm rate is 0.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats import proportion as reference

from reports.intervals import (
    Interval,
    clopper_pearson,
    clopper_pearson_limits,
    games_for_relative_half_width,
    goodman,
    hits_for_relative_half_width,
    joint_table,
    mean_t,
    mean_t_of,
    proportion,
    proportion_limits,
    sample_moments,
    wilson,
    wilson_limits,
)

REPLICATES = 10_000
ALLOWANCE = 0.0065  # three standard errors of a 95 % coverage over 10,000 replicates

SHARES = [(0, 1), (1, 1), (0, 10), (3, 10), (10, 10), (11, 500), (250, 500), (10, 10**6)]
LEVELS = [0.5, 0.8, 0.9, 0.95, 0.99, 0.999]


def test_known_exact_limits() -> None:
    assert proportion(0, 10).high == pytest.approx(0.308497, abs=5e-7)
    assert proportion(0, 10**6).high == pytest.approx(3.68887e-6, abs=5e-12)
    ten = proportion(10, 10**6)
    assert ten.low == pytest.approx(4.795e-6, abs=5e-10)
    assert ten.high == pytest.approx(1.8390e-5, abs=5e-10)


def test_known_goodman() -> None:
    first = goodman([1, 0, 3, 2, 4])[0]
    assert first.low == pytest.approx(0.01185, abs=5e-6)
    assert first.high == pytest.approx(0.50723, abs=5e-6)
    assert first.method == "Goodman"


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(("count", "n"), [*SHARES, (3 * 10**8, 10**9), (10**9 - 7, 10**9)])
@pytest.mark.parametrize(("ours", "name"), [(clopper_pearson, "beta"), (wilson, "wilson")])
def test_shares_agree_with_statsmodels(ours, name, count: int, n: int, level: float) -> None:
    low, high = reference.proportion_confint(count, n, 1 - level, method=name)
    got = ours(count, n, level)
    assert got.low == pytest.approx(low, rel=1e-9, abs=1e-15)
    assert got.high == pytest.approx(high, rel=1e-9, abs=1e-15)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(
    "counts",
    [[5, 5], [1, 0, 3, 2, 4], [10**9, 5, 0], list(range(0, 60, 4)), [300, 200, 100, 50, 25]],
)
def test_goodman_agrees_with_statsmodels(counts: list[int], level: float) -> None:
    want = reference.multinomial_proportions_confint(counts, 1 - level, method="goodman")
    got = np.array([(cell.low, cell.high) for cell in goodman(counts, level)])
    np.testing.assert_allclose(got, want, rtol=1e-9, atol=1e-14)


@pytest.mark.parametrize(("count", "n"), SHARES)
@pytest.mark.parametrize("level", LEVELS)
def test_exact_limits_leave_half_the_error_in_each_tail(count: int, n: int, level: float) -> None:
    """Independent of the beta distribution: binomial tails at the limits."""
    interval, tail = clopper_pearson(count, n, level), (1 - level) / 2
    if count > 0:
        assert stats.binom.sf(count - 1, n, interval.low) == pytest.approx(tail, rel=1e-6)
    else:
        assert interval.low == 0.0
    if count < n:
        assert stats.binom.cdf(count, n, interval.high) == pytest.approx(tail, rel=1e-6)
    else:
        assert interval.high == 1.0


@pytest.mark.parametrize(("count", "n"), SHARES)
def test_wilson_limits_solve_the_score_equation(count: int, n: int) -> None:
    """At both limits the distance to the share is 1.96 standard errors of the limit."""
    for limit in (wilson(count, n).low, wilson(count, n).high):
        distance = abs(count / n - limit)
        assert distance == pytest.approx(
            stats.norm.ppf(0.975) * math.sqrt(limit * (1 - limit) / n), rel=1e-7, abs=1e-12
        )


def test_method_of_a_share() -> None:
    methods = {count: proportion(count, 100).method for count in (0, 10, 11, 89, 90, 100)}
    exact, score = "Clopper-Pearson", "Wilson"
    assert list(methods.values()) == [exact, exact, score, score, exact, exact]


def test_zero_of_a_billion() -> None:
    assert proportion(0, 10**9).high == pytest.approx(-math.log(0.025) / 1e9, rel=1e-8)
    assert proportion(0, 10**12).high == pytest.approx(-math.log(0.025) / 1e12, rel=1e-8)
    assert proportion(10**9, 10**9).low == pytest.approx(1 + math.log(0.025) / 1e9, abs=1e-16)


def test_tables_equal_single_shares() -> None:
    counts, trials = np.array([[0, 3, 11], [50, 95, 100]]), np.array([100, 100, 100])
    low, high, method = proportion_limits(counts, trials, 0.9)
    assert low.shape == high.shape == method.shape == (2, 3)
    for at in np.ndindex(2, 3):
        one = proportion(int(counts[at]), 100, 0.9)
        assert (one.low, one.high, one.method) == (low[at], high[at], method[at])


@given(
    n=st.integers(1, 10**10),
    share=st.floats(0, 1),
    levels=st.tuples(st.floats(0.01, 0.999), st.floats(0.01, 0.999)),
)
@settings(max_examples=300, derandomize=True, deadline=None)
@pytest.mark.parametrize("method", [clopper_pearson, wilson])
def test_properties_of_a_share(method, n: int, share: float, levels: tuple[float, float]) -> None:
    """In [0, 1], holds the estimate, wider at a higher level, mirrored for the misses."""
    count = min(n, round(share * n))
    small, large = (method(count, n, level) for level in sorted(levels))
    assert 0.0 <= large.low <= small.low <= count / n * (1 + 1e-12)
    assert count / n * (1 - 1e-12) <= small.high <= large.high <= 1.0
    mirrored = method(n - count, n, max(levels))
    assert mirrored.low == pytest.approx(1 - large.high, abs=1e-14, rel=1e-9)
    assert mirrored.high == pytest.approx(1 - large.low, abs=1e-14, rel=1e-9)


@given(counts=st.lists(st.integers(0, 10**7), min_size=2, max_size=15).filter(any))
@settings(max_examples=100, derandomize=True, deadline=None)
def test_properties_of_a_joint_table(counts: list[int]) -> None:
    """Every cell's interval holds its share; the exact cells are as wide as Bonferroni asks."""
    total = sum(counts)
    for count, plain, cell in zip(counts, goodman(counts), joint_table(counts), strict=True):
        for interval in (plain, cell):
            assert 0 <= interval.low <= count / total <= interval.high <= 1
        if min(count, total - count) > 10:
            assert cell == plain
        else:
            assert cell.method == "Clopper-Pearson, Bonferroni"
            exact = clopper_pearson(count, total, 1 - 0.05 / len(counts))
            assert (cell.low, cell.high) == (exact.low, exact.high)


def exact_coverage(limits, n: int, p: float) -> float:
    """Chance that the interval of a binomial count covers p, summed over all counts that matter."""
    counts = np.arange(n + 1)
    low, high = limits(counts, n)[:2]
    return float(stats.binom.pmf(counts, n, p)[(low <= p) & (p <= high)].sum())


@pytest.mark.parametrize("p", [1e-4, 1e-3, 0.004, 0.02, 0.1, 0.3, 0.5, 0.77, 0.999])
def test_exact_coverage_of_shares(p: float) -> None:
    """Clopper-Pearson never under-covers; the mixed rule by 1.5 points at most."""
    assert exact_coverage(clopper_pearson_limits, 2000, p) >= 0.95
    assert exact_coverage(proportion_limits, 2000, p) >= 0.935


def test_simulated_coverage_of_shares() -> None:
    """10,000 replicates, 95 +- 0.65 points; false alarm 0.3 % a method at a fresh seed."""
    hits = np.random.default_rng(1).binomial(10_000, 0.3, REPLICATES)
    low, high = wilson_limits(hits, 10_000)
    assert abs(np.mean((low <= 0.3) & (high >= 0.3)) - 0.95) <= ALLOWANCE
    low, high = clopper_pearson_limits(hits, 10_000)
    assert np.mean((low <= 0.3) & (high >= 0.3)) >= 0.95 - ALLOWANCE


def table_coverage(method, p: np.ndarray, n: int, replicates: int, seed: int) -> float:
    """Share of simulated tables in which every cell's interval covers its chance."""
    tables = np.random.default_rng(seed).multinomial(n, p, replicates)
    return float(
        np.mean([all(i.contains(q) for i, q in zip(method(t), p, strict=True)) for t in tables])
    )


def test_coverage_of_well_filled_joint_tables() -> None:
    """Goodman is conservative there; 10,000 replicates, false alarm below 0.2 %."""
    p = np.array([0.4, 0.3, 0.15, 0.1, 0.05])
    assert table_coverage(goodman, p, 1000, REPLICATES, 2) >= 0.95 - ALLOWANCE


def test_coverage_of_joint_tables_with_rare_cells() -> None:
    """15 cells, most of them rarer than one hit: Goodman alone fails, the joint table does not.

    1000 replicates, allowance three standard errors (2.1 points); false alarm below 0.2 %.
    """
    p = np.full(15, 0.09 / 100_000)
    p[0] = 1 - p[1:].sum()
    assert table_coverage(goodman, p, 100_000, 1000, 3) < 0.5
    assert table_coverage(joint_table, p, 100_000, 1000, 3) >= 0.95 - 0.021


@pytest.mark.parametrize("n", [2, 3, 17, 1000])
@pytest.mark.parametrize("level", LEVELS)
def test_mean_agrees_with_scipy(n: int, level: float) -> None:
    values = np.random.default_rng(n).integers(-50, 51, n)
    low, high = stats.t.interval(level, n - 1, values.mean(), stats.sem(values))
    total, total_sq = int(values.sum()), int((values**2).sum())
    for got in (mean_t(n, total, total_sq, level), mean_t_of(values, level)):
        assert got.low == pytest.approx(low, rel=1e-10)
        assert got.high == pytest.approx(high, rel=1e-10)


def test_mean_loses_nothing_to_large_sums() -> None:
    """Values 10^9 and 10^9 + 1 in equal numbers: variance 1/4, where floats would say 0 or less."""
    n, base = 10**9, 10**9
    total = n // 2 * base + n // 2 * (base + 1)
    total_sq = n // 2 * base**2 + n // 2 * (base + 1) ** 2
    mean, variance = sample_moments(n, total, total_sq)
    assert mean == base + 0.5
    assert variance == pytest.approx(0.25 * n / (n - 1), rel=1e-15)


def test_mean_of_equal_values_says_so() -> None:
    assert mean_t(5, 0, 0) == Interval(0.0, 0.0, 0.95, "t, no variation seen")
    assert mean_t_of([0.1] * 7) == Interval(0.1, 0.1, 0.95, "t, no variation seen")


def test_simulated_coverage_of_a_mean() -> None:
    """Sums of four dice, 30 blocks; 10,000 replicates, false alarm 0.3 % at a fresh seed."""
    blocks = np.random.default_rng(4).integers(1, 7, (REPLICATES, 30, 4)).sum(axis=2)
    totals, squares = blocks.sum(axis=1), (blocks**2).sum(axis=1)
    covered = [
        mean_t(30, int(t), int(s)).contains(14.0) for t, s in zip(totals, squares, strict=True)
    ]
    assert abs(np.mean(covered) - 0.95) <= ALLOWANCE


def test_games_planned_by_hits() -> None:
    assert hits_for_relative_half_width(0.1) == 385  # (1.96 / 0.1)^2 = 384.1
    assert hits_for_relative_half_width(1.0) == 4
    assert games_for_relative_half_width(1e-6, 0.1) == pytest.approx(384_145_883, abs=2)
    n = games_for_relative_half_width(0.001, 0.05)
    assert wilson(round(n * 0.001), n).half_width / 0.001 == pytest.approx(0.05, rel=0.01)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: proportion(0, 0), "at least one trial"),
        (lambda: proportion(5, 4), "5 of 4"),
        (lambda: proportion(-1, 4), "-1 of 4"),
        (lambda: clopper_pearson_limits([0.5], 4), "whole numbers"),
        (lambda: clopper_pearson_limits([math.nan], 4), "between 0 and n"),
        (lambda: proportion(1, 4, 95), "not 95"),
        (lambda: goodman([7]), "two counts or more"),
        (lambda: goodman([0, 0]), "at least one trial"),
        (lambda: mean_t(1, 1, 1), "two blocks"),
        (lambda: mean_t_of([1.0]), "two blocks"),
        (lambda: mean_t(10, 100, 10), "no 10 values"),
        (lambda: games_for_relative_half_width(0.0, 0.1), "above 0"),
        (lambda: games_for_relative_half_width(0.1, 0.0), "above 0"),
    ],
)
def test_wrong_calls_are_refused(call, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        call()
