"""The generalised sequential probability ratio test: known answer, brute force, error rates.

Unless a docstring says otherwise a test computes exactly and its false-alarm rate is 0.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import optimize

from reports.gsprt import (
    EMPTY_CELL,
    _tilt,
    bounds,
    gsprt,
    log_likelihood_ratio,
    normal_approximation,
)

PENTANOMIAL = [0.0, 0.25, 0.5, 0.75, 1.0]


def logistic_elo(elo: float) -> float:
    """Expected score of a player that is `elo` points better."""
    return 1 / (1 + 10 ** (-elo / 400))


def test_known_pentanomial_answer() -> None:
    counts = [10789, 19328, 33806, 19402, 10543]
    got = gsprt(PENTANOMIAL, counts, logistic_elo(-3), logistic_elo(1))
    assert got.llr == pytest.approx(2.131068, abs=5e-7)
    assert got.approximation == pytest.approx(2.131245, abs=5e-7)
    assert got.decision == "continue"
    assert got.blocks == 93868


def test_bounds() -> None:
    assert bounds(0.05, 0.05) == pytest.approx((-math.log(19), math.log(19)))
    assert bounds(0.01, 0.2) == pytest.approx((math.log(0.2 / 0.99), math.log(80)))


def constrained_log_likelihood(values: list[float], counts: list[float], mean: float) -> float:
    """Largest log likelihood at this mean, by a general-purpose optimiser over distributions."""
    a, w = np.array(values), np.array(counts)
    shares = w / w.sum()

    def negative(p: np.ndarray) -> float:
        return float(-(shares * np.log(p)).sum())

    constraints = [
        {"type": "eq", "fun": lambda p: p.sum() - 1},
        {"type": "eq", "fun": lambda p: p @ a - mean},
    ]
    found = optimize.minimize(
        negative,
        np.full(len(a), 1 / len(a)),
        jac=lambda p: -shares / p,
        bounds=[(1e-9, 1)] * len(a),
        constraints=constraints,
        method="SLSQP",
        options={"ftol": 1e-13, "maxiter": 500},
    )
    assert found.success
    return -float(found.fun) * float(w.sum())


@pytest.mark.parametrize(
    ("values", "counts"),
    [
        (PENTANOMIAL, [10, 20, 30, 20, 10]),
        (PENTANOMIAL, [3, 40, 5, 60, 7]),
        ([-2.0, 0.0, 1.0], [20, 50, 40]),
        ([-1.0, 1.0], [30, 37]),
    ],
)
@pytest.mark.parametrize(("low", "high"), [(0.3, 0.6), (0.45, 0.55), (0.52, 0.4)])
def test_ratio_against_a_general_optimiser(values, counts, low: float, high: float) -> None:
    span = values[-1] - values[0]
    s0, s1 = values[0] + span * low, values[0] + span * high
    want = constrained_log_likelihood(values, counts, s1)
    want -= constrained_log_likelihood(values, counts, s0)
    got = float(log_likelihood_ratio(values, counts, s0, s1))
    assert got == pytest.approx(want, abs=1e-4 * sum(counts) ** 0.5)


@given(
    counts=st.lists(st.integers(0, 10**9), min_size=5, max_size=5),
    s0=st.floats(0.05, 0.95),
    s1=st.floats(0.05, 0.95),
)
@settings(max_examples=200, derandomize=True, deadline=None)
def test_properties_of_the_ratio(counts: list[int], s0: float, s1: float) -> None:
    """Swapping the hypotheses changes the sign; mirroring the values changes nothing."""
    assume(abs(s0 - s1) > 1e-6)
    scale = 1e-9 * (sum(counts) + 1)
    got = float(log_likelihood_ratio(PENTANOMIAL, counts, s0, s1))
    assert math.isfinite(got)
    assert float(log_likelihood_ratio(PENTANOMIAL, counts, s1, s0)) == pytest.approx(
        -got, abs=scale
    )
    mirrored = log_likelihood_ratio(PENTANOMIAL, counts[::-1], 1 - s0, 1 - s1)
    assert float(mirrored) == pytest.approx(got, abs=scale)


@given(counts=st.lists(st.integers(0, 10**6), min_size=2, max_size=9), s=st.floats(0.1, 0.9))
@settings(max_examples=200, derandomize=True, deadline=None)
def test_two_values_are_a_plain_binomial(counts: list[int], s: float) -> None:
    """With values 0 and 1 there is nothing to fit: the ratio of two binomial likelihoods."""
    lost, won = (c or 1e-3 for c in counts[:2])
    want = won * math.log(s / 0.5) + lost * math.log((1 - s) / 0.5) if s != 0.5 else 0.0
    if s != 0.5:
        got = float(log_likelihood_ratio([0, 1], counts[:2], 0.5, s))
        assert got == pytest.approx(want, rel=1e-9, abs=1e-9 * (won + lost))


def test_empty_cells_do_not_decide_early() -> None:
    """Five equal blocks: the normal approximation would already be sure."""
    got = gsprt([-1, 0, 1], [0, 5, 0], 0.0, 0.1)
    assert got.decision == "continue"
    assert abs(got.llr) < 1
    assert got.approximation < got.lower


def test_any_table_of_any_size_is_fitted() -> None:
    """Sparse tables of up to 10^9 blocks: finite, and the fitted shares have the wanted mean."""
    rng = np.random.default_rng(2)
    values = np.array(PENTANOMIAL)
    for size in (1, 3, 10, 10**3, 10**6, 10**9):
        counts = np.floor(4 * size * rng.random((3000, 5)) ** 6) * (rng.random((3000, 5)) < 0.6)
        for s0, s1 in ((0.5, 0.54), (0.25, 0.5), (0.01, 0.99)):
            assert np.all(np.isfinite(log_likelihood_ratio(values, counts, s0, s1)))
        filled = np.where(counts > 0, counts, EMPTY_CELL)
        shares = filled / filled.sum(axis=1, keepdims=True)
        fitted = shares / (1 + _tilt(shares, values - 0.54)[:, None] * (values - 0.54))
        assert np.abs(fitted.sum(axis=1) - 1).max() < 1e-12 * size + 1e-11
        assert np.abs(fitted @ values - 0.54).max() < 1e-12 * size + 1e-11


def test_many_tables_at_once() -> None:
    counts = np.random.default_rng(1).integers(0, 100, (4, 3, 5))
    many = log_likelihood_ratio(PENTANOMIAL, counts, 0.45, 0.55)
    assert many.shape == (4, 3)
    for at in np.ndindex(4, 3):
        one = log_likelihood_ratio(PENTANOMIAL, counts[at], 0.45, 0.55)
        assert float(one) == pytest.approx(many[at], rel=1e-12)


def test_normal_approximation_approaches_the_ratio() -> None:
    counts = np.array([1000, 2000, 4000, 2010, 1005])
    exact = log_likelihood_ratio(PENTANOMIAL, counts, 0.499, 0.503)
    rough = normal_approximation(PENTANOMIAL, counts, 0.499, 0.503)
    assert float(rough) == pytest.approx(float(exact), rel=1e-2)


def error_rate(p: list[float], s0: float, s1: float, wrong: str, seed: int) -> float:
    """Share of 2000 tests, looked at every 10 blocks, that end on the wrong side of both bounds."""
    rng = np.random.default_rng(seed)
    lower, upper = bounds(0.05, 0.05)
    counts = np.zeros((2000, 5))
    errors = 0
    for _ in range(2000):
        counts = counts + rng.multinomial(10, p, len(counts))
        llr = log_likelihood_ratio(PENTANOMIAL, counts, s0, s1)
        errors += int((llr >= upper).sum() if wrong == "h1" else (llr <= lower).sum())
        counts = counts[(llr > lower) & (llr < upper)]
        if not len(counts):
            break
    assert len(counts) == 0
    return errors / 2000


@pytest.mark.parametrize(("wrong", "seed"), [("h1", 21), ("h0", 22)])
def test_error_rates(wrong: str, seed: int) -> None:
    """At most 5 % wrong at either hypothesis, plus three standard errors (1.5 points).

    The true mean lies exactly on the hypothesis; false alarm below 0.13 % each.
    """
    p_s0 = [0.1, 0.2, 0.4, 0.2, 0.1]  # mean 0.50
    p_s1 = [0.08, 0.18, 0.38, 0.22, 0.14]  # mean 0.54
    s0, s1 = float(np.dot(p_s0, PENTANOMIAL)), float(np.dot(p_s1, PENTANOMIAL))
    rate = error_rate(p_s0 if wrong == "h1" else p_s1, s0, s1, wrong, seed)
    assert rate <= 0.065
    assert rate >= 0.02  # and the bounds are not idle


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: bounds(0.0, 0.05), "error rates"),
        (lambda: bounds(0.6, 0.5), "error rates"),
        (lambda: gsprt([0, 1], [1, 2, 3], 0.4, 0.6), "one count a block value"),
        (lambda: gsprt([0, 1], [-1, 2], 0.4, 0.6), "0 or more"),
        (lambda: gsprt([0, 1], [1, 2], 0.4, 1.0), "have the mean 1.0"),
        (lambda: gsprt([0, 1], [1, 2], 0.5, 0.5), "the same"),
    ],
)
def test_wrong_calls_are_refused(call, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        call()
