"""Policies of Short Zoot Suit on the same deals: block values against a field, and at one table.

A block is one deal (a game index) with all the seatings it is played in. Its value for a policy is
the mean over these seatings, so the luck of a seat's cards is shared by all policies.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reports.intervals import Interval
from reports.multiple import (
    MaxT,
    clearly_better,
    max_t,
    moments,
    pair_contrasts,
    pairs,
    places,
)
from scripts.common_deals import Watch
from sim.engine import StoppedError, play
from sim.experiment import Experiment
from sim.fault import describe

GAME = "short-zoot-suit"
LEVEL = 0.95
#: Random directions behind each max-T quantile: its chance is met to a tenth of a percentage point.
DIRECTIONS = 5_000
NOISE = 1e-9
#: What is measured of a seat, as means a round (the share of the win: a game).
MEASURES = ("points", "share", "tricks", "shorts", "equal", "length")

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Blocks:
    """Block values (policies, blocks, measures) of policies under the same rules and deals.

    `runs` has for each policy the experiments that it was measured in.
    """

    options: Mapping[str, Any]
    labels: tuple[str, ...]
    values: Floats
    runs: tuple[tuple[Experiment, ...], ...]

    @property
    def blocks(self) -> int:
        """The number of deals."""
        return int(self.values.shape[1])

    def means(self, measure: str) -> Floats:
        """The mean of each policy."""
        found: Floats = self.of(measure).mean(axis=0)
        return found

    def of(self, measure: str) -> Floats:
        """Block values of one measure, (blocks, policies)."""
        return self.values[:, :, MEASURES.index(measure)].T

    @cache  # noqa: B019 - a study lives as long as its process
    def chosen(self, labels: tuple[str, ...]) -> Blocks:
        """Some of the policies."""
        at = [self.labels.index(label) for label in labels]
        return Blocks(self.options, labels, self.values[at], tuple(self.runs[i] for i in at))

    def command(self, label: str) -> str:
        """The command that plays the games of a policy at its first seating."""
        first = self.runs[self.labels.index(label)][0]
        return first.command("run", "--games", str(self.blocks))


@dataclass(frozen=True, eq=False)
class Ranking:
    """Policies compared in one measure: simultaneous effects and the places they leave open.

    `effects` are differences from the mean of all policies, `pairwise` those of all pairs; `best`
    and `worst` the places, 1 first, by the latter: who cannot be told from the first shares place
    1.
    """

    labels: tuple[str, ...]
    means: Floats
    effects: MaxT
    pairwise: MaxT
    best: NDArray[np.int64]
    worst: NDArray[np.int64]

    @property
    def order(self) -> list[int]:
        """The policies, the highest mean first."""
        return [int(place) for place in np.argsort(-self.means, kind="stable")]

    @property
    def leading(self) -> list[str]:
        """The policies that share place 1, the highest mean first."""
        return [self.labels[place] for place in self.order if self.best[place] == 1]

    @property
    def span(self) -> tuple[float, Interval]:
        """The highest mean less the lowest, with its interval among those of all pairs."""
        first, last = self.order[0], self.order[-1]
        at = pairs(len(self.labels)).index((min(first, last), max(first, last)))
        result, sign = self.pairwise, 1.0 if first < last else -1.0
        low, high = sorted((sign * float(result.low[at]), sign * float(result.high[at])))
        return sign * float(result.difference[at]), Interval(low, high, result.level, "max-T")

    def place(self, label: str) -> str:
        """`1`, or `2 to 4` where the comparisons leave several places open."""
        at = self.labels.index(label)
        low, high = int(self.best[at]), int(self.worst[at])
        return f"{low}" if low == high else f"{low} to {high}"


def simultaneous(
    n: int, mean: Floats, covariance: Floats, contrasts: NDArray[Any], level: float
) -> MaxT:
    """The max-T intervals of this study, without p values."""
    return max_t(mean, covariance, n, contrasts, level, DIRECTIONS, p_values=False)


@cache
def rank(blocks: Blocks, measure: str = "points", level: float = LEVEL) -> Ranking:
    """Compare all policies in a measure; the number of blocks was fixed beforehand."""
    n, mean, covariance = moments(blocks.of(measure))
    k = len(blocks.labels)
    effects = _without_noise(simultaneous(n, mean, covariance, np.eye(k) - 1.0 / k, level))
    pairwise = simultaneous(n, mean, covariance, pair_contrasts(k), level)
    best, worst = places(clearly_better(pairwise, k))
    return Ranking(blocks.labels, mean, effects, pairwise, best, worst)


def _without_noise(result: MaxT) -> MaxT:
    """Block values are means of fractions: a difference of 0 may come out as a rounding error."""
    noise = (result.standard_error == 0.0) & (np.abs(result.difference) < NOISE)
    found = [np.where(noise, 0.0, a) for a in (result.difference, result.low, result.high)]
    return replace(result, difference=found[0], low=found[1], high=found[2])


def interactions(blocks: Blocks, rows: int, columns: int, level: float = LEVEL) -> MaxT:
    """What each cell of a crossed design, row by row, has beyond its row and its column.

    The simultaneous intervals of value - mean of its row - mean of its column + mean of all.
    """
    n, mean, covariance = moments(blocks.of("points"))
    row = np.kron(np.eye(rows) - 1.0 / rows, np.eye(columns) - 1.0 / columns)
    return simultaneous(n, mean, covariance, row, level)


def seat_values(experiment: Experiment, games: int) -> Floats:
    """Values of each seat, (seats, games, measures). Raises PlayError where a strategy fails."""
    rules, options = experiment.rules, experiment.options
    try:
        played = play(rules, options, experiment.seating, experiment.seed, 0, games)
    except StoppedError as error:
        raise describe(experiment, error) from None
    seats, rounds = rules.seats(options), rules.rounds(options)
    shape = (games, rounds)
    length = sum(played.rounds[f"tricks_{s}"].astype(np.int64) for s in range(seats))
    found = np.empty((seats, games, len(MEASURES)))
    for seat in range(seats):
        tricks = played.rounds[f"tricks_{seat}"].reshape(shape)
        shorts = played.rounds[f"shorts_{seat}"].reshape(shape)
        found[seat] = np.stack(
            [
                played.rows[f"points_{seat}"] / rounds,
                played.rows[f"share_{seat}"],
                tricks.mean(axis=1),
                shorts.mean(axis=1),
                (tricks == shorts).mean(axis=1),
                np.reshape(length, shape).mean(axis=1),
            ],
            axis=1,
        )
    return found


def _all_values(experiments: Sequence[Experiment], games: int, jobs: int | None) -> list[Floats]:
    """`seat_values` of many experiments on threads."""
    from joblib import Parallel, cpu_count, delayed

    for experiment in experiments:
        experiment.check_seats()  # compile before threads start
    workers = Parallel(n_jobs=jobs or cpu_count(), backend="threading")
    results: list[Floats] = workers(delayed(seat_values)(one, games) for one in experiments)
    return results


def against_field(
    policies: Mapping[str, str],
    field: str,
    options: Mapping[str, Any],
    games: int,
    *,
    seed: int,
    jobs: int | None = None,
    watch: Watch | None = None,
) -> Blocks:
    """Each policy (label: strategy) in each seat against players who all play `field`."""
    whole_field = Experiment.make(GAME, [field], options=options, seed=seed)
    number = len(whole_field.seats)
    runs = []
    for spec in policies.values():
        seatings = [[spec if s == seat else field for s in range(number)] for seat in range(number)]
        runs.append(
            tuple(Experiment.make(GAME, one, options=options, seed=seed) for one in seatings)
        )
        if watch is not None:
            watch(runs[-1][0], games * number)
    flat = _all_values([one for several in runs for one in several], games, jobs)
    values = []
    for place, several in enumerate(runs):
        part = flat[place * len(several) : (place + 1) * len(several)]
        values.append(np.mean([found[seat] for seat, found in enumerate(part)], axis=0))
    return Blocks(options, tuple(policies), np.stack(values), tuple(runs))


#: Balanced designs for nine policies: the lines of the affine plane of order 3 (each two policies
#: meet once), and two base blocks modulo 9 (each two meet three times). Source: Colbourn & Dinitz,
#: Handbook of Combinatorial Designs.
LINES = tuple(
    tuple(sorted(3 * ((a * t + c) % 3) + (b * t + d) % 3 for t in range(3)))
    for a, b, starts in (
        (0, 1, ((0, 0), (1, 0), (2, 0))),
        (1, 0, ((0, 0), (0, 1), (0, 2))),
        (1, 1, ((0, 0), (0, 1), (0, 2))),
        (1, 2, ((0, 0), (0, 1), (0, 2))),
    )
    for c, d in starts
)
BASES = ((0, 1, 2, 4), (0, 3, 4, 7))


def tables_of(number: int, seats: int) -> list[tuple[int, ...]]:
    """Sets of `seats` of so many policies, such that each two meet equally often."""
    if number == 9 and seats == 3:
        return list(LINES)
    if number == 9 and seats == 4:
        return [tuple((p + shift) % 9 for p in base) for base in BASES for shift in range(9)]
    return list(combinations(range(number), seats))


def at_one_table(
    policies: Mapping[str, str],
    options: Mapping[str, Any],
    games: int,
    *,
    seed: int,
    jobs: int | None = None,
    watch: Watch | None = None,
) -> Blocks:
    """The policies against each other, at balanced tables and in every seat of each."""
    specs = list(policies.values())
    seats = len(Experiment.make(GAME, [specs[0]], options=options, seed=seed).seats)
    seatings = [
        table[turn:] + table[:turn]
        for table in tables_of(len(specs), seats)
        for turn in range(seats)
    ]
    experiments = [
        Experiment.make(GAME, [specs[place] for place in seating], options=options, seed=seed)
        for seating in seatings
    ]
    if watch is not None:
        watch(experiments[0], games * len(experiments))
    found = _all_values(experiments, games, jobs)
    values = np.zeros((len(specs), games, len(MEASURES)))
    count = np.zeros(len(specs))
    runs: list[list[Experiment]] = [[] for _ in specs]
    for seating, experiment, by_seat in zip(seatings, experiments, found, strict=True):
        for seat, place in enumerate(seating):
            values[place] += by_seat[seat]
            count[place] += 1
            runs[place].append(experiment)
    values /= count[:, None, None]
    return Blocks(options, tuple(policies), values, tuple(map(tuple, runs)))
