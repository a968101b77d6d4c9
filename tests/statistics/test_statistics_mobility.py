"""Rank mobility: known answer, the fundamental matrix, simulated chains, resampled games.

Unless a docstring says otherwise a test computes exactly and its false-alarm rate is 0.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reports.mobility import (
    bootstrap,
    escape_time,
    mean_first_passage,
    prais_shorrocks,
    resampled_counts,
    transition_probabilities,
)

KNOWN = np.array([[0.5, 0.25, 0.25], [0.5, 0, 0.5], [0.25, 0.25, 0.5]])
PRESIDENT = np.array(
    [[0.5, 0.3, 0.15, 0.05], [0.3, 0.3, 0.25, 0.15], [0.15, 0.25, 0.3, 0.3], [0.05, 0.15, 0.3, 0.5]]
)


def test_known_first_passage() -> None:
    want = [[2.5, 4, 3.333], [2.667, 5, 2.667], [3.333, 4, 2.5]]
    np.testing.assert_allclose(mean_first_passage(KNOWN), want, atol=5e-4)
    assert prais_shorrocks(KNOWN) == pytest.approx(1.0)


@given(st.lists(st.floats(0.01, 1), min_size=16, max_size=16))
@settings(max_examples=100, derandomize=True, deadline=None)
def test_first_passage_by_the_fundamental_matrix(weights: list[float]) -> None:
    """Kemeny & Snell: M = (I - Z + E Z_diagonal) D with Z = (I - P + A)^-1, another way there."""
    p = transition_probabilities(np.reshape(weights, (4, 4)))
    stationary = np.linalg.solve(
        np.vstack([(p.T - np.eye(4))[:3], np.ones(4)]), np.array([0, 0, 0, 1.0])
    )
    z = np.linalg.inv(np.eye(4) - p + np.tile(stationary, (4, 1)))
    want = (np.eye(4) - z + np.diag(z)[None, :]) / stationary[None, :]
    np.testing.assert_allclose(mean_first_passage(p), want, rtol=1e-8)


def test_first_passage_by_simulation() -> None:
    """200,000 rounds of one chain; five standard errors, false alarm below 1 in 10,000."""
    rng = np.random.default_rng(41)
    draws, place, path = rng.random(200_000), 0, []
    edges = np.cumsum(PRESIDENT, axis=1).tolist()
    for u in draws.tolist():
        path.append(place)
        place = next(j for j in range(4) if u < edges[place][j] or j == 3)
    from_3_to_0 = []
    since = None
    for t, at in enumerate(path):
        if at == 0 and since is not None:
            from_3_to_0.append(t - since)
            since = None
        elif at == 3 and since is None:
            since = t
    want = mean_first_passage(PRESIDENT)[3, 0]
    error = np.std(from_3_to_0) / math.sqrt(len(from_3_to_0))
    assert np.mean(from_3_to_0) == pytest.approx(want, abs=5 * error)
    assert error < 0.05 * want


def test_places_that_are_never_reached() -> None:
    """Place 2 is never left; from place 0 it may swallow the chain before place 1 is seen."""
    got = mean_first_passage([[0.5, 0.25, 0.25], [0.0, 0.5, 0.5], [0.0, 0.0, 1.0]])
    assert got[0].tolist() == [math.inf, math.inf, 3.0]
    assert got[1].tolist() == [math.inf, math.inf, 2.0]
    assert got[2].tolist() == [math.inf, math.inf, 1.0]


def test_what_comes_after_the_target_does_not_matter() -> None:
    """Place 1 follows place 0 for certain; that it leads to a trap changes only its return."""
    got = mean_first_passage([[0.5, 0.5, 0.0], [0.5, 0.0, 0.5], [0.0, 0.0, 1.0]])
    assert got[0].tolist() == [math.inf, 2.0, 6.0]
    assert got[1, 1] == math.inf


def test_two_places_that_alternate() -> None:
    swap = [[0, 1], [1, 0]]
    assert mean_first_passage(swap).tolist() == [[2, 1], [1, 2]]
    assert prais_shorrocks(swap) == 2.0
    assert escape_time(swap) == 1.0


def test_escape_time() -> None:
    assert escape_time(PRESIDENT) == pytest.approx(2.0)
    assert escape_time(PRESIDENT, place=1) == pytest.approx(1 / 0.7)
    assert escape_time(np.eye(4)) == math.inf


def test_index_of_no_movement_and_of_a_lottery() -> None:
    assert prais_shorrocks(np.eye(4)) == 0.0
    assert prais_shorrocks(np.full((4, 4), 0.25)) == pytest.approx(1.0)


def test_probabilities_of_many_tables() -> None:
    counts = np.arange(1, 33).reshape(2, 4, 4)
    got = transition_probabilities(counts)
    np.testing.assert_allclose(got.sum(axis=-1), 1.0)
    assert got[1, 0, 0] == pytest.approx(17 / (17 + 18 + 19 + 20))


def played_games(games: int, rounds: int, rng: np.random.Generator) -> np.ndarray:
    """Transition counts (games, 4, 4); each game has its own stickiness, so its rounds agree."""
    keep = rng.choice([0.1, 0.9], games)
    counts = np.zeros((games, 4, 4))
    place = rng.integers(4, size=games)
    for _ in range(rounds):
        after = np.where(rng.random(games) < keep, place, rng.integers(4, size=games))
        counts[np.arange(games), place, after] += 1
        place = after
    return counts


def test_resampling_draws_whole_games() -> None:
    """Every resample holds as many games, and only sums of whole ones."""
    games = np.stack([np.full((2, 2), 10.0**i) for i in range(5)])
    totals = resampled_counts(games, 50, seed=1)[:, 0, 0]
    assert all(sum(map(int, str(int(t)))) == 5 for t in totals)
    assert len(set(totals)) > 10


def test_bootstrap_covers_and_resampled_rounds_would_not() -> None:
    """Prais-Shorrocks, 80 games of 20 rounds with a stickiness of their own; 200 replicates.

    True index 0.5 by symmetry. Allowance for 95 %: three standard errors and two points for the
    percentile method at 80 games; false alarm below 0.5 %. An interval that takes the rounds for
    independent covers far less (about 60 %).
    """
    rng = np.random.default_rng(42)
    covered = naive = 0
    for replicate in range(200):
        games = played_games(80, 20, rng)
        got = bootstrap(games, prais_shorrocks, resamples=200, seed=replicate)
        covered += bool(got.low <= 2 / 3 * 0.75 <= got.high)
        stay = np.trace(games.sum(axis=0)) / games.sum()
        error = 1.96 * math.sqrt(stay * (1 - stay) / games.sum())
        naive += abs(stay - 0.625) <= error
    assert covered / 200 >= 0.95 - 0.046 - 0.02
    assert naive / 200 < 0.8


def test_bootstrap_of_a_matrix() -> None:
    games = played_games(200, 30, np.random.default_rng(43))
    got = bootstrap(games, mean_first_passage, level=0.9, resamples=300)
    assert got.estimate.shape == got.low.shape == got.high.shape == (4, 4)
    assert np.all((got.low <= got.estimate) & (got.estimate <= got.high))
    again = bootstrap(games, mean_first_passage, level=0.9, resamples=300)
    assert np.array_equal(got.low, again.low)
    wide = bootstrap(games, mean_first_passage, level=0.99, resamples=300)
    assert np.all((wide.low <= got.low) & (wide.high >= got.high))


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: transition_probabilities([[1, 2, 3], [1, 2, 3]]), "square matrix"),
        (lambda: transition_probabilities([[1, 2], [0, 0]]), "no transition out"),
        (lambda: transition_probabilities([[1, -2], [1, 1]]), "0 or more"),
        (lambda: prais_shorrocks([[1, 2], [3, 4]]), "sum to 1"),
        (lambda: mean_first_passage([[1, 2], [3, 4]]), "sum to 1"),
        (lambda: escape_time([[1, 2], [3, 4]]), "sum to 1"),
        (lambda: bootstrap(np.ones((29, 4, 4)), prais_shorrocks), "30 games"),
    ],
)
def test_wrong_calls_are_refused(call, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        call()
