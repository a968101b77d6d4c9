"""Bradley-Terry ratings and preference cycles against closed forms, a GLM and brute force.

Unless a docstring says otherwise a test computes exactly and its false-alarm rate is 0.
"""

from __future__ import annotations

import math
from itertools import permutations

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given, settings
from hypothesis import strategies as st

from reports.graphs import cycles, reachable
from reports.ratings import bradley_terry, preference_cycles


def test_two_strategies_in_closed_form() -> None:
    """Log odds ln(w / l) with standard error sqrt(1/w + 1/l)."""
    got = bradley_terry([[0, 30], [20, 0]])
    assert got.rating == pytest.approx([math.log(1.5) / 2, -math.log(1.5) / 2])
    assert got.difference(0, 1) == pytest.approx((math.log(1.5), math.sqrt(1 / 30 + 1 / 20)))


def test_agrees_with_a_logistic_regression() -> None:
    """Binomial GLM with one column a strategy, the last one being the reference."""
    rng = np.random.default_rng(51)
    k = 6
    wins = rng.integers(1, 60, (k, k)).astype(float) * (1 - np.eye(k))
    rows, counts = [], []
    for i in range(k):
        for j in range(i):
            row = np.zeros(k)
            row[i], row[j] = 1, -1
            rows.append(row[:-1])
            counts.append((wins[i, j], wins[j, i]))
    fit = sm.GLM(np.array(counts), np.array(rows), family=sm.families.Binomial()).fit(tol=1e-12)
    got = bradley_terry(wins)
    for i in range(k - 1):
        rating, error = got.difference(i, k - 1)
        assert rating == pytest.approx(fit.params[i], abs=1e-8)
        assert error == pytest.approx(fit.bse[i], rel=1e-6)
    assert got.rating.sum() == pytest.approx(0, abs=1e-12)


def test_estimates_are_the_fixed_point_of_the_mm_algorithm() -> None:
    """Hunter 2004: strength = wins / sum of games / (sum of strengths); ties as half wins."""
    wins = np.array([[0, 7.5, 1, 0], [2.5, 0, 3, 4], [9, 2, 0, 0.5], [1, 1, 0.5, 0]])
    strength = np.exp(bradley_terry(wins).rating)
    games = wins + wins.T
    pooled = (games / (strength[:, None] + strength[None, :])).sum(axis=1)
    np.testing.assert_allclose(strength, wins.sum(axis=1) / pooled, rtol=1e-9)


def test_extreme_records_converge() -> None:
    got = bradley_terry([[0, 10**9, 1], [1, 0, 10**9], [0, 1, 0]])
    assert np.all(np.isfinite(got.rating))
    assert np.all(np.diff(got.rating) < 0)


def test_coverage_of_a_rating_difference() -> None:
    """2000 replicates, 95 % +- three standard errors (1.5 points); false alarm 0.3 %."""
    rng = np.random.default_rng(52)
    truth = np.array([0.5, 0.0, -0.5])
    chance = 1 / (1 + np.exp(truth[None, :] - truth[:, None]))
    covered = 0
    for _ in range(2000):
        upper = np.triu(rng.binomial(200, chance), 1)
        difference, error = bradley_terry(upper + np.tril(200 - upper.T, -1)).difference(0, 2)
        covered += abs(difference - 1.0) <= 1.96 * error
    assert covered / 2000 == pytest.approx(0.95, abs=0.015)


LINKS = st.integers(2, 5).flatmap(
    lambda k: st.lists(st.booleans(), min_size=k * k, max_size=k * k).map(
        lambda flags: np.reshape(flags, (k, k)) & ~np.eye(k, dtype=bool)
    )
)


@given(links=LINKS)
@settings(max_examples=200, derandomize=True, deadline=None)
def test_cycles_by_brute_force(links: np.ndarray) -> None:
    """All orders of all subsets, tried one by one; each cycle once, the shortest first."""
    k = len(links)
    want = {
        order
        for size in range(2, k + 1)
        for order in permutations(range(k), size)
        if order[0] == min(order)
        and all(links[a, b] for a, b in zip(order, order[1:] + order[:1], strict=True))
    }
    got = [tuple(cycle) for cycle in cycles(links)]
    assert len(got) == len(set(got))
    assert set(got) == want
    assert [len(cycle) for cycle in got] == sorted(len(cycle) for cycle in got)


@given(links=LINKS)
@settings(max_examples=100, derandomize=True, deadline=None)
def test_reachable_by_repeated_steps(links: np.ndarray) -> None:
    want = np.eye(len(links), dtype=bool)
    for _ in range(len(links)):
        want = want | (want.astype(int) @ links.astype(int) > 0)
    assert np.array_equal(reachable(links), want)


def test_rock_paper_scissors_is_named() -> None:
    better = np.zeros((4, 4), bool)
    better[0, 1] = better[1, 2] = better[2, 0] = better[0, 3] = True
    names = ["rock", "scissors", "paper", "well"]
    assert preference_cycles(better, names) == [("rock", "scissors", "paper")]


def test_a_long_order_without_cycles_is_quick() -> None:
    assert preference_cycles(np.triu(np.ones((60, 60), bool), 1), [str(i) for i in range(60)]) == []


def test_listing_stops_at_its_limit() -> None:
    everyone = ~np.eye(12, dtype=bool)
    assert len(preference_cycles(everyone, list("abcdefghijkl"), limit=25)) == 25


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: bradley_terry([[0, 5], [0, 0]]), "from strategy 1 to strategy 0"),
        (lambda: bradley_terry([[0, 1], [1, 2]]), "against oneself"),
        (lambda: bradley_terry([[0, -1], [1, 0]]), "0 or more"),
        (lambda: bradley_terry([[0, 1, 2], [1, 0, 2]]), "square matrix"),
        (lambda: preference_cycles(np.eye(2, dtype=bool), ["a"]), "1 names"),
    ],
)
def test_wrong_calls_are_refused(call, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        call()
