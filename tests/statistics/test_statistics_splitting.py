"""Fixed-level splitting on the gambler's ruin, whose answer is known.

Unless a docstring says otherwise a test computes exactly and its false-alarm rate is 0.
"""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest

from reports.intervals import clopper_pearson
from reports.splitting import replicated, splitting

P = 0.4
LEVELS = [1, 3, 6, 10, 15, 20]


def ruin(start: int, goal: int) -> float:
    """Chance to reach `goal` before 0 from `start`, winning each bet with chance 0.4."""
    ratio = (1 - P) / P
    return (ratio**start - 1) / (ratio**goal - 1)


CHANCES = [ruin(a, b) for a, b in pairwise(LEVELS)]


def walk(start: int, goal: int, trials: int, rng: np.random.Generator) -> int:
    """How many of so many gamblers reach the goal before 0, bet by bet."""
    purse = np.full(trials, start)
    reached = 0
    while purse.size:
        purse = purse + np.where(rng.random(purse.size) < P, 1, -1)
        reached += int((purse == goal).sum())
        purse = purse[(purse > 0) & (purse < goal)]
    return reached


def test_known_chance() -> None:
    assert ruin(1, 20) == pytest.approx(1.504096e-4, abs=5e-11)
    assert math.prod(CHANCES) == pytest.approx(ruin(1, 20), rel=1e-12)


def test_gamblers_ruin_by_simulation() -> None:
    """20,000 gamblers a level; the 99.9 % interval holds the answer, false alarm 0.1 %."""
    rng = np.random.default_rng(61)
    trials = [20_000] * len(CHANCES)
    successes = [walk(a, b, 20_000, rng) for a, b in pairwise(LEVELS)]
    got = splitting(trials, successes, 0.999)
    assert got.interval.contains(ruin(1, 20))
    assert got.interval.method == "splitting, log-normal"
    assert got.relative_error < 0.05
    assert got.estimate == pytest.approx(ruin(1, 20), rel=5 * got.relative_error)


def ruined_runs(trials: int, runs: int, seed: int) -> np.ndarray:
    """Successes (runs, levels): one entrance state a level, so they are binomial exactly."""
    return np.random.default_rng(seed).binomial(trials, CHANCES, (runs, len(CHANCES)))


def test_unbiased_and_covering() -> None:
    """10,000 runs of 2000 trials a level: mean within 4 standard errors, 95 +- 0.65 points.

    False alarm below 0.4 %.
    """
    runs = ruined_runs(2000, 10_000, 62)
    results = [splitting([2000] * 5, run.tolist()) for run in runs]
    estimates = np.array([result.estimate for result in results])
    error = estimates.std() / 100
    assert estimates.mean() == pytest.approx(ruin(1, 20), abs=4 * error)
    covered = np.mean([result.interval.contains(ruin(1, 20)) for result in results])
    assert covered == pytest.approx(0.95, abs=0.0065)
    relative = np.mean([result.relative_error for result in results])
    assert relative == pytest.approx(estimates.std() / ruin(1, 20), rel=0.05)


def test_few_successes_are_covered_exactly() -> None:
    """20 trials a level: at least 95 % of 3000 runs (less three standard errors, 1.2 points)."""
    runs = ruined_runs(20, 3000, 63)
    covered = 0
    for run in runs.tolist():
        failed = run.index(0) if 0 in run else len(run)
        trials = [20 if level <= failed else 0 for level in range(5)]
        successes = [k if level < failed else 0 for level, k in enumerate(run)]
        covered += splitting(trials, successes).interval.contains(ruin(1, 20))
    assert covered / 3000 >= 0.95 - 0.012


def test_one_level_is_a_plain_share() -> None:
    got = splitting([1000], [4])
    assert got.estimate == 0.004
    exact = clopper_pearson(4, 1000)
    assert (got.interval.low, got.interval.high) == pytest.approx((exact.low, exact.high))
    many = splitting([10**6], [250_000])
    assert many.interval.half_width == pytest.approx(1.96 * math.sqrt(0.1875 / 1e6), rel=1e-3)


def test_a_level_without_success() -> None:
    """Estimate 0 with the product of upper limits up to there."""
    got = splitting([1000, 1000, 0], [40, 0, 0])
    each = 1 - 0.05 / 3
    want = clopper_pearson(40, 1000, each).high * clopper_pearson(0, 1000, each).high
    assert got.estimate == 0.0
    assert (got.interval.low, got.interval.high) == (0.0, pytest.approx(want))
    assert got.relative_error == math.inf


def test_all_trials_successful_still_leaves_a_width() -> None:
    got = splitting([500, 500], [500, 500])
    assert (got.estimate, got.interval.high) == (1.0, 1.0)
    assert got.interval.low < 1.0


def test_replicated_runs() -> None:
    """300 runs: the mean's 99.9 % interval holds the answer; false alarm about 0.2 %."""
    estimates = (ruined_runs(500, 300, 64) / 500).prod(axis=1)
    assert replicated(estimates, 0.999).contains(ruin(1, 20))


@pytest.mark.parametrize(
    ("trials", "successes", "words"),
    [
        ([], [], "0 levels"),
        ([10, 10], [5], "2 levels of trials, 1"),
        ([10, 10], [5, 11], "level 1 has 11 successes in 10"),
        ([10, 0], [5, 0], "level 1 has 0 successes in 0"),
        ([0], [0], "level 0"),
    ],
)
def test_wrong_calls_are_refused(trials: list[int], successes: list[int], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        splitting(trials, successes)
