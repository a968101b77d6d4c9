"""Many comparisons: quantiles against exact distributions, family-wise errors, Holm, places.

Unless a docstring says otherwise a test computes exactly and its false-alarm rate is 0.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, stats
from statsmodels.stats.multitest import multipletests

from reports.multiple import (
    baseline_contrasts,
    clearly_better,
    holm,
    max_t,
    moments,
    moments_from_sums,
    pair_contrasts,
    pairs,
    places,
)


@pytest.mark.parametrize("k", [2, 3, 5, 8])
@pytest.mark.parametrize("freedom", [10, 60, 10**8])
@pytest.mark.parametrize("level", [0.8, 0.95, 0.99])
def test_quantile_of_all_pairs_against_the_studentised_range(
    k: int, freedom: int, level: float
) -> None:
    """Equal, independent variances: the largest |T| is the studentised range / sqrt(2).

    Compared as coverage, within five standard errors of the seeded directions (fixed numbers).
    """
    got = max_t(np.zeros(k), np.eye(k), freedom + 1, pair_contrasts(k), level)
    if k == 2:
        exact = stats.t.ppf((1 + level) / 2, freedom)
        assert got.quantile == pytest.approx(exact, rel=1e-7)
        return
    if freedom > 1000:  # the range of k normal variables
        q = got.quantile * math.sqrt(2)
        covered = (
            k
            * integrate.quad(
                lambda z: (
                    stats.norm.pdf(z) * (stats.norm.cdf(z) - stats.norm.cdf(z - q)) ** (k - 1)
                ),
                -9,
                q + 9,
                epsabs=1e-10,
            )[0]
        )
    else:
        covered = float(stats.studentized_range.cdf(got.quantile * math.sqrt(2), k, freedom))
    assert covered == pytest.approx(level, abs=5 * got.tail_error + 1e-6)
    assert got.tail_error < 0.001


@pytest.mark.parametrize("k", [3, 8, 21])
def test_quantile_against_a_common_baseline(k: int) -> None:
    """Dunnett's two-sided quantile by numerical integration over the baseline's mean."""
    got = max_t(np.zeros(k), np.eye(k), 10**8, baseline_contrasts(k))
    q = got.quantile * math.sqrt(2)
    covered = integrate.quad(
        lambda z: stats.norm.pdf(z) * (stats.norm.cdf(z + q) - stats.norm.cdf(z - q)) ** (k - 1),
        -9,
        9,
        epsabs=1e-10,
    )[0]
    assert covered == pytest.approx(0.95, abs=5 * got.tail_error)


def test_quantile_of_a_general_covariance_by_brute_force() -> None:
    """Correlated, unequal, singular: a million multivariate t draws; false alarm below 0.01 %."""
    rng = np.random.default_rng(31)
    root = rng.normal(size=(5, 3))
    cov, freedom = root @ root.T, 12
    got = max_t(np.zeros(5), cov, freedom + 1, pair_contrasts(5))
    largest = np.empty(0)
    for _ in range(10):
        values = rng.normal(size=(100_000, 3)) @ root.T @ pair_contrasts(5).T
        values /= np.sqrt(np.diag(pair_contrasts(5) @ cov @ pair_contrasts(5).T))
        length = np.sqrt(rng.chisquare(freedom, 100_000) / freedom)
        largest = np.append(largest, np.abs(values).max(axis=1) / length)
    error = math.hypot(got.tail_error, math.sqrt(0.05 * 0.95 / 1e6))
    assert (largest > got.quantile).mean() == pytest.approx(0.05, abs=4 * error)
    assert (largest > 4.0).mean() == pytest.approx(
        max_t(np.eye(5)[0] * 4 * math.sqrt(variance(cov, 0, 1) / 13), cov, 13, pair_contrasts(5))
        .p_value[0],
        abs=0.001,
    )  # fmt: skip


def variance(cov: np.ndarray, i: int, j: int) -> float:
    """Variance of the difference of two strategies' block values."""
    return float(cov[i, i] + cov[j, j] - 2 * cov[i, j])


def test_intervals_and_p_values_of_an_example() -> None:
    """Difference, standard error and limits as worked out pair by pair."""
    mean, cov, n = np.array([1.0, 1.2, 0.3]), np.diag([1.0, 2.0, 3.0]), 400
    cov[0, 1] = cov[1, 0] = 0.8
    got = max_t(mean, cov, n, pair_contrasts(3))
    for row, (i, j) in enumerate(pairs(3)):
        error = math.sqrt(variance(cov, i, j) / n)
        assert got.difference[row] == pytest.approx(mean[i] - mean[j])
        assert got.standard_error[row] == pytest.approx(error)
        half = got.quantile * error
        assert got.low[row] == pytest.approx(mean[i] - mean[j] - half)
        assert got.high[row] == pytest.approx(mean[i] - mean[j] + half)
        single = 2 * stats.t.sf(abs(mean[i] - mean[j]) / error, n - 1)
        assert single <= got.p_value[row] <= 3 * single
        assert (got.p_value[row] < 0.05) == (got.low[row] > 0 or got.high[row] < 0)
    assert stats.t.ppf(0.975, n - 1) < got.quantile < stats.t.ppf(1 - 0.025 / 3, n - 1)


def test_p_values_fall_with_the_difference_and_never_below_the_truth() -> None:
    """Against the studentised range (n = 101, so q = d sqrt(101)), at small p values too."""
    differences = np.linspace(0.0, 0.8, 16)
    got = [max_t([d, 0, 0, 0], np.eye(4), 101, pair_contrasts(4)).p_value[0] for d in differences]
    assert np.all(np.diff(got) <= 1e-15)
    for d, p in zip(differences, got, strict=True):
        exact = stats.studentized_range.sf(d * math.sqrt(101), 4, 100)
        assert p >= exact * 0.998
        assert p <= exact * (1.002 if exact > 0.0051 else 1.2)


def test_strategies_that_never_differ() -> None:
    """Identical block values: difference exactly 0, no width, p value 1; others are unaffected."""
    values = np.random.default_rng(32).normal(size=(200, 2))
    n, mean, cov = moments(values[:, [0, 0, 1]])
    got = max_t(mean, cov, n, pair_contrasts(3))
    assert (got.difference[0], got.low[0], got.high[0], got.p_value[0]) == (0, 0, 0, 1)
    assert got.quantile == pytest.approx(stats.t.ppf(0.975, 199), rel=1e-6)
    all_same = max_t(mean[:2], cov[:2, :2], n, pair_contrasts(2))
    assert (all_same.quantile, all_same.low[0], all_same.high[0]) == (0.0, 0.0, 0.0)


def test_moments_from_integer_sums_are_exact() -> None:
    values = np.random.default_rng(33).integers(-9, 10, (500, 4))
    n, mean, cov = moments(values)
    sums, products = values.sum(axis=0), values.T @ values
    got_mean, got_cov = moments_from_sums(n, sums, products)
    np.testing.assert_allclose(got_mean, mean, rtol=1e-12)
    np.testing.assert_allclose(got_cov, cov, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(got_cov, np.cov(values.T), rtol=1e-10, atol=1e-12)
    shift, big = 10**8, 10**9  # values 10^8 and 10^8 + 1 by halves: variance 1/4
    total = big // 2 * (2 * shift + 1)
    squares = big // 2 * (shift**2 + (shift + 1) ** 2)
    assert moments_from_sums(big, [total], [[squares]])[1][0, 0] == pytest.approx(0.25, rel=1e-8)


def family_wise_errors(replicates: int, seed: int) -> dict[str, float]:
    """Any false finding among seven variants against one baseline, no true difference, n = 100."""
    rng = np.random.default_rng(seed)
    rows = baseline_contrasts(8)
    found = {"unadjusted": 0, "Holm": 0, "max-T": 0}
    for _ in range(replicates):
        n, mean, cov = moments(rng.normal(size=(100, 8)) + rng.normal(size=(100, 1)))
        result = max_t(mean, cov, n, rows, draws=400)
        p = 2 * stats.t.sf(np.abs(result.difference / result.standard_error), n - 1)
        found["unadjusted"] += bool((p <= 0.05).any())
        found["Holm"] += bool((holm(p) <= 0.05).any())
        found["max-T"] += bool((result.p_value <= 0.05).any())
    return {name: count / replicates for name, count in found.items()}


def test_family_wise_error_of_seven_comparisons() -> None:
    """About 0.225 unadjusted, at most 0.05 (plus three standard errors) with Holm or max-T.

    0.230 with known variances, 0.227 with those of 100 blocks; 1000 replicates, three standard
    errors are 0.040 and 0.0207; false alarm below 0.3 % each.
    """
    rates = family_wise_errors(1000, 34)
    assert rates["unadjusted"] == pytest.approx(0.23, abs=0.040)
    assert rates["Holm"] <= 0.05 + 0.0207
    assert rates["max-T"] == pytest.approx(0.05, abs=0.0207)
    assert rates["Holm"] <= rates["max-T"]


def test_simultaneous_coverage_of_all_pairs() -> None:
    """True differences and correlated, skewed blocks: all ten intervals hold together.

    600 replicates; allowance three standard errors (2.7 points), false alarm below 0.3 %.
    """
    rng = np.random.default_rng(35)
    truth = np.array([0.0, 0.1, 0.1, 0.3, 1.0])
    want = pair_contrasts(5) @ truth
    held = 0
    for _ in range(600):
        blocks = rng.exponential(1, (300, 5)) + rng.exponential(2, (300, 1)) + truth
        n, mean, cov = moments(blocks)
        got = max_t(mean, cov, n, pair_contrasts(5), draws=400)
        held += bool(np.all((got.low <= want) & (want <= got.high)))
    assert held / 600 == pytest.approx(0.95, abs=0.027)


@given(p=st.lists(st.floats(0, 1), min_size=1, max_size=12))
@settings(max_examples=200, derandomize=True, deadline=None)
def test_holm_step_by_step(p: list[float]) -> None:
    """Smallest first, each times the number not yet treated, never below the one before."""
    want, before = [0.0] * len(p), 0.0
    for step, i in enumerate(sorted(range(len(p)), key=p.__getitem__)):
        before = want[i] = max(before, min(1.0, p[i] * (len(p) - step)))
    np.testing.assert_allclose(holm(p), want, rtol=1e-12)


def test_holm_agrees_with_statsmodels() -> None:
    for size in (1, 7, 40):
        p = np.random.default_rng(size).random(size) ** 3
        np.testing.assert_allclose(holm(p), multipletests(p, 0.05, method="holm")[1], rtol=1e-12)


def test_holm_by_hand() -> None:
    """0.01 x 4, 0.02 x 3, 0.03 x 2 (raised to the one before), 0.5."""
    np.testing.assert_allclose(holm([0.5, 0.01, 0.03, 0.02]), [0.5, 0.04, 0.06, 0.06])


def test_places_are_shared_where_strategies_cannot_be_told_apart() -> None:
    """0 beats 2 and 3, 1 beats 3: the first two share place 1, and 2 may still be second."""
    better = np.zeros((4, 4), bool)
    better[0, 2] = better[0, 3] = better[1, 3] = True
    best, worst = places(better)
    assert best.tolist() == [1, 1, 2, 3]
    assert worst.tolist() == [2, 3, 4, 4]


def test_places_cover_the_true_order() -> None:
    """All true places lie in the ranges at least as often as the intervals hold together.

    300 replicates, allowance three standard errors (3.8 points); false alarm below 0.13 %.
    """
    rng = np.random.default_rng(36)
    truth = np.array([0.3, 0.2, 0.1, 0.0])
    held = 0
    for _ in range(300):
        n, mean, cov = moments(rng.normal(size=(150, 4)) + truth)
        best, worst = places(clearly_better(max_t(mean, cov, n, pair_contrasts(4), draws=500), 4))
        held += bool(np.all((best <= [1, 2, 3, 4]) & (worst >= [1, 2, 3, 4])))
    assert held / 300 >= 0.95 - 0.038


def test_clearly_better_reads_both_signs() -> None:
    got = max_t([0.0, 5.0, 0.001], np.eye(3) * 0.01, 100, pair_contrasts(3))
    assert clearly_better(got, 3).tolist() == [
        [False, False, False],
        [True, False, True],
        [False, False, False],
    ]


def test_the_same_seed_gives_the_same_numbers() -> None:
    args = (np.arange(4.0), np.eye(4) + 0.3, 50, pair_contrasts(4))
    first, second = max_t(*args, seed=5), max_t(*args, seed=5)
    assert first.quantile == second.quantile
    assert np.array_equal(first.p_value, second.p_value)
    assert max_t(*args, seed=6).quantile == pytest.approx(first.quantile, rel=2e-3)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: moments([[1.0, 2.0]]), "blocks, strategies"),
        (lambda: moments_from_sums(1, [1], [[1]]), "two blocks"),
        (lambda: max_t([0, 0], np.eye(3), 10, pair_contrasts(2)), "10 blocks"),
        (lambda: max_t([0, 0], np.eye(2), 1, pair_contrasts(2)), "1 blocks"),
        (lambda: max_t([0, 0], np.eye(2), 10, pair_contrasts(2), level=5), "not 5"),
        (lambda: holm([0.2, 1.2]), "from 0 to 1"),
        (lambda: clearly_better(max_t([0, 0], np.eye(2), 9, pair_contrasts(2)), 3), "3 pairs"),
    ],
)
def test_wrong_calls_are_refused(call, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        call()


def test_without_p_values_the_intervals_are_the_same():
    """Leaving them out saves time and changes nothing else."""
    blocks = np.random.default_rng(5).standard_normal((50, 3))
    n, mean, covariance = moments(blocks)
    whole = max_t(mean, covariance, n, pair_contrasts(3))
    fewer = max_t(mean, covariance, n, pair_contrasts(3), p_values=False)
    assert (fewer.low == whole.low).all()
    assert (fewer.high == whole.high).all()
    assert np.isnan(fewer.p_value).all()
    assert np.isfinite(whole.p_value).all()
