"""Confidence sequences: known answers, independent plain-Python versions, misses under peeking.

Unless a docstring says otherwise a test computes exactly and its false-alarm rate is 0.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import special, stats

from reports.intervals import wilson_limits
from reports.sequences import (
    EmpiricalBernstein,
    asymptotic,
    asymptotic_half_width,
    beta_binomial,
    empirical_bernstein,
    mixture_shortfall,
)

ALPHA = 0.05


def known_sequence(first: int) -> np.ndarray:
    """1 if (7 i mod 10) < 3, for 1000 values of i."""
    i = np.arange(first, first + 1000)
    return (7 * i % 10 < 3).astype(float)


def allowed(replicates: int, rate: float = ALPHA) -> float:
    """A miss rate plus three standard errors: exceeded by chance with 0.13 % at most."""
    return rate + 3 * math.sqrt(rate * (1 - rate) / replicates)


# Known answers -----------------------------------------------------------------------------------


def test_known_beta_binomial() -> None:
    got = beta_binomial(300, 1000)
    assert (got.low, got.high) == pytest.approx((0.2503, 0.3530), abs=5e-5)


def test_known_asymptotic() -> None:
    got = asymptotic(1000, 300, 300, n_opt=1000)
    assert (got.low, got.high) == pytest.approx((0.2560, 0.3440), abs=5e-5)


def test_known_empirical_bernstein() -> None:
    """The published pair belongs to i = 0 ... 999; i = 1 ... 1000 has another upper limit."""
    got = empirical_bernstein(known_sequence(0))
    assert (got.low, got.high) == pytest.approx((0.2431, 0.3591), abs=5e-5)
    later = empirical_bernstein(known_sequence(1))
    assert (later.low, later.high) == pytest.approx((0.24309, 0.35773), abs=5e-6)


# Beta-binomial -----------------------------------------------------------------------------------


def exact_log_evidence(count: int, n: int, p: Fraction) -> float:
    """ln of the beta(1, 1) mixture over the likelihood of p, by whole-number arithmetic."""
    mixture = Fraction(1, (n + 1) * math.comb(n, count))
    ratio = mixture / (p**count * (1 - p) ** (n - count))
    return math.log(ratio.numerator) - math.log(ratio.denominator)


@pytest.mark.parametrize(("count", "n"), [(0, 1), (1, 1), (0, 50), (1, 50), (20, 50), (50, 50)])
@pytest.mark.parametrize("level", [0.5, 0.95, 0.999])
def test_beta_binomial_limits_are_where_the_evidence_is(count: int, n: int, level: float) -> None:
    got = beta_binomial(count, n, level)
    for limit in {got.low, got.high} - {0.0, 1.0}:
        evidence = exact_log_evidence(count, n, Fraction(limit))
        assert evidence == pytest.approx(-math.log(1 - level), rel=1e-9)
    assert got.low == 0.0 if count == 0 else got.low > 0.0
    assert got.high == 1.0 if count == n else got.high < 1.0


@pytest.mark.parametrize(("a", "b"), [(1, 1), (0.5, 0.5), (3, 70), (40, 2.5)])
@pytest.mark.parametrize(("count", "n"), [(0, 9), (9, 9), (4, 9), (30, 2000), (1999, 2000)])
def test_mixture_against_log_beta(count: int, n: int, a: float, b: float) -> None:
    best = special.xlogy(count, count / n) + special.xlogy(n - count, 1 - count / n)
    want = best - special.betaln(a + count, b + n - count) + special.betaln(a, b)
    assert mixture_shortfall(count, n, a, b) == pytest.approx(want, abs=1e-9)


@pytest.mark.parametrize("n", [10**6, 10**9, 10**12])
@pytest.mark.parametrize("share", [1e-5, 0.3, 0.9])
def test_mixture_at_huge_n_follows_its_expansion(n: int, share: float) -> None:
    """Laplace: ln(n / (2 pi p q)) / 2 for the uniform mixture, with an error of order 1 / (n p)."""
    count = round(n * share)
    want = 0.5 * math.log(n / (2 * math.pi * share * (1 - share)))
    assert mixture_shortfall(count, n) == pytest.approx(want, abs=2 / (n * min(share, 1 - share)))


@pytest.mark.parametrize("n", [10**9, 10**12])
def test_beta_binomial_at_huge_n_follows_the_normal_law(n: int) -> None:
    """Half-width sqrt(2 p q (ln(1/alpha) + shortfall) / n), relative error of order n^(-1/2)."""
    got = beta_binomial(3 * n // 10, n)
    bound = math.log(20) + mixture_shortfall(3 * n // 10, n)
    assert got.half_width == pytest.approx(math.sqrt(2 * 0.21 * bound / n), rel=1e-4)
    assert got.contains(0.3)


@pytest.mark.parametrize("n", [10**6, 10**9, 10**12])
def test_beta_binomial_without_hits(n: int) -> None:
    """((n + 1) (1 - p)^n)^-1 = 1 / alpha, solved for p."""
    want = -math.expm1(-math.log(20 * (n + 1)) / n)
    assert beta_binomial(0, n).high == pytest.approx(want, rel=1e-12)
    assert beta_binomial(n, n).low == pytest.approx(1 - want, rel=1e-12)


def test_beta_binomial_before_the_first_block() -> None:
    got = beta_binomial(0, 0)
    assert (got.low, got.high) == (0.0, 1.0)


@given(
    n=st.integers(1, 10**11),
    share=st.floats(0, 1),
    levels=st.tuples(st.floats(0.01, 0.9999), st.floats(0.01, 0.9999)),
)
@settings(max_examples=300, derandomize=True, deadline=None)
def test_properties_of_beta_binomial(n: int, share: float, levels: tuple[float, float]) -> None:
    count = min(n, round(share * n))
    small, large = (beta_binomial(count, n, level) for level in sorted(levels))
    assert 0 <= large.low <= small.low * (1 + 1e-12) <= count / n * (1 + 1e-11)
    assert count / n <= small.high * (1 + 1e-12) <= large.high * (1 + 1e-11) <= 1 + 1e-11
    mirrored = beta_binomial(n - count, n, max(levels))
    assert mirrored.low == pytest.approx(1 - large.high, rel=1e-9, abs=1e-12)
    assert mirrored.high == pytest.approx(1 - large.low, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("p", [0.01, 0.3])
def test_beta_binomial_misses_under_peeking(p: float) -> None:
    """A look after each of 2000 blocks, 3000 replicates; false alarm below 0.13 % each.

    Membership is computed here by log beta functions and compared with the limits at random looks.
    """
    rng = np.random.default_rng(11)
    n = np.arange(1, 2001)
    hits = np.cumsum(rng.random((3000, 2000)) < p, axis=1)
    evidence = special.betaln(1 + hits, 1 + n - hits) - special.xlogy(hits, p)
    evidence -= special.xlog1py(n - hits, -p)
    missed = evidence >= math.log(1 / ALPHA)
    assert missed.any(axis=1).mean() <= allowed(3000)
    some = [(int(i), int(j)) for i, j in zip(*np.nonzero(missed), strict=True)][:50]
    some += list(zip(rng.integers(3000, size=300), rng.integers(2000, size=300), strict=True))
    for i, j in some:
        inside = beta_binomial(int(hits[i, j]), int(n[j])).contains(p)
        assert inside == (not missed[i, j])


def test_a_fixed_n_interval_fails_under_peeking() -> None:
    """Why the sequences exist: 200 looks at a 95 % Wilson interval miss in over 40 % of runs.

    2000 replicates; the true rate is about 43 %, so the false-alarm rate is below 1 %.
    """
    hits = np.cumsum(np.random.default_rng(12).binomial(50, 0.3, (2000, 200)), axis=1)
    low, high = wilson_limits(hits, 50 * np.arange(1, 201))
    assert ((low > 0.3) | (high < 0.3)).any(axis=1).mean() > 0.40


# Asymptotic --------------------------------------------------------------------------------------


def test_asymptotic_is_narrowest_where_it_was_planned() -> None:
    widths = {n_opt: asymptotic_half_width(1000, 1.0, n_opt, ALPHA) for n_opt in range(100, 3000)}
    assert min(widths, key=widths.__getitem__) == pytest.approx(1000, abs=5)


def test_asymptotic_says_nothing_before_it_can() -> None:
    """Too few blocks, or blocks that never varied, leave the mean open."""
    assert asymptotic(99, 30, 30, n_opt=1000).half_width == math.inf
    assert asymptotic(10**6, 0, 0, n_opt=1000).half_width == math.inf
    assert asymptotic(100, 30, 30, n_opt=1000).half_width < 1


def asymptotic_paths(blocks: np.ndarray, n_opt: int) -> tuple[np.ndarray, np.ndarray]:
    """Formula 3 after each block, vectorised and written out anew: centre and half-width."""
    n = np.arange(1, blocks.shape[1] + 1)
    mean = np.cumsum(blocks, axis=1) / n
    squares = np.cumsum(blocks**2, axis=1) - n * mean**2
    deviation = np.sqrt(np.maximum(squares, 0) / np.maximum(n - 1, 1))
    rho_sq = (-special.lambertw(-(ALPHA**2) * math.exp(-1), -1).real - 1) / n_opt
    inner = 2 * (n * rho_sq + 1) / (n**2 * rho_sq) * np.log(np.sqrt(n * rho_sq + 1) / ALPHA)
    return mean, deviation * np.sqrt(inner)


def test_asymptotic_misses_under_peeking() -> None:
    """Skewed blocks (exponential), a look at each of blocks 100 to 3000; 2000 replicates.

    It holds in the limit only, so one point is allowed beside three standard errors.
    """
    blocks = np.random.default_rng(13).exponential(1.0, (2000, 3000))
    mean, half_width = asymptotic_paths(blocks, 1000)
    missed = np.abs(mean - 1.0) > half_width
    assert missed[:, 99:].any(axis=1).mean() <= allowed(2000) + 0.01
    for i, n in [(0, 100), (1, 777), (2, 3000)]:
        seen = blocks[i, :n]
        got = asymptotic(n, math.fsum(seen), math.fsum(seen**2), n_opt=1000)
        assert got.low == pytest.approx(mean[i, n - 1] - half_width[i, n - 1], rel=1e-9)
        assert got.high == pytest.approx(mean[i, n - 1] + half_width[i, n - 1], rel=1e-9)


def test_asymptotic_with_rare_blocks_needs_a_later_first_look() -> None:
    """2 % of the blocks count: too early from block 100, valid from block 1000; 2000 replicates.

    False alarm below 0.13 % each.
    """
    blocks = (np.random.default_rng(15).random((2000, 3000)) < 0.02).astype(float)
    mean, half_width = asymptotic_paths(blocks, 1000)
    missed = (np.abs(mean - 0.02) > half_width) & (half_width > 0)
    assert missed[:, 99:].any(axis=1).mean() > 0.08
    assert missed[:, 999:].any(axis=1).mean() <= allowed(2000)


# Empirical Bernstein -----------------------------------------------------------------------------


def plain_lower(values: list[float], alpha: float) -> float:
    """Formula 4 for the lower side alone, block by block."""
    log_bound, total, squares = math.log(2 / alpha), 0.0, 0.0
    bets = weighted = penalty = 0.0
    for n, x in enumerate(values, start=1):
        variance = (0.25 + squares) / n
        forecast = total / (n - 1) if n > 1 else 0.0
        bet = min(0.5, math.sqrt(2 * log_bound / (variance * n * math.log(1 + n))))
        bets += bet
        weighted += bet * x
        penalty += (x - forecast) ** 2 * (-math.log(1 - bet) - bet)
        total += x
        squares += (x - (0.5 + total) / (n + 1)) ** 2
    return max(0.0, (weighted - log_bound - penalty) / bets)


@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.5])
@pytest.mark.parametrize("n", [1, 2, 37, 1500])
def test_empirical_bernstein_against_plain_python(n: int, alpha: float) -> None:
    values = np.random.default_rng(n).beta(0.4, 1.1, n)
    got = empirical_bernstein(values, 1 - alpha)
    assert got.low == pytest.approx(plain_lower(values.tolist(), alpha), rel=1e-10)
    assert got.high == pytest.approx(1 - plain_lower((1 - values).tolist(), alpha), rel=1e-10)


@given(cuts=st.lists(st.integers(0, 400), max_size=6))
@settings(max_examples=50, derandomize=True, deadline=None)
def test_empirical_bernstein_does_not_depend_on_batches(cuts: list[int]) -> None:
    """Bit for bit the same limits after every block, however the blocks are batched."""
    values = np.random.default_rng(5).random(400)
    whole, parts = EmpiricalBernstein(), EmpiricalBernstein()
    want = np.array(whole.update(values))
    got = [parts.update(batch) for batch in np.split(values, sorted(cuts))]
    assert np.array_equal(np.concatenate(got, axis=1), want)
    assert parts.interval() == whole.interval()
    assert parts.n == 400


def test_empirical_bernstein_in_another_range() -> None:
    """Values in [-52, 52] are mapped to [0, 1] and the limits back."""
    unit = np.random.default_rng(6).random(300)
    plain, scaled = (
        empirical_bernstein(unit),
        empirical_bernstein(104 * unit - 52, low=-52, high=52),
    )
    assert scaled.low == pytest.approx(104 * plain.low - 52, rel=1e-9)
    assert scaled.high == pytest.approx(104 * plain.high - 52, rel=1e-9)


def test_empirical_bernstein_of_blocks_that_never_vary() -> None:
    """A difference of 0 in every block still leaves a width, which shrinks."""
    widths = [empirical_bernstein([0.5] * n).half_width for n in (1, 100, 10_000)]
    assert widths[0] == 0.5
    assert widths[0] > widths[1] > widths[2] > 0


@pytest.mark.parametrize(
    "law",
    [stats.bernoulli(0.5), stats.bernoulli(0.02), stats.beta(0.3, 0.9)],
    ids=["even", "rare", "skewed"],
)
def test_empirical_bernstein_misses_under_peeking(law) -> None:
    """A look after each of 2000 blocks, 1000 replicates a law; false alarm below 0.13 % each."""
    blocks = law.rvs((1000, 2000), random_state=np.random.default_rng(14))
    missed = 0
    for values in blocks:
        low, high = EmpiricalBernstein().update(values)
        missed += bool(np.any((low > law.mean()) | (high < law.mean())))
    assert missed / 1000 <= allowed(1000)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: beta_binomial(3, 2), "3 of 2"),
        (lambda: beta_binomial(1, 2, a=0), "above 0"),
        (lambda: beta_binomial(1, 2, level=1.0), "confidence level"),
        (lambda: asymptotic(1000, 300, 300, n_opt=0), "planned number"),
        (lambda: empirical_bernstein([0.5, 1.5]), "1.5 lies outside"),
        (lambda: empirical_bernstein([math.nan]), "nan lies outside"),
        (lambda: EmpiricalBernstein(1.0, 1.0), "empty or unbounded"),
    ],
)
def test_wrong_calls_are_refused(call, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        call()
