"""Games of several strategies or rule variants on the same deals, and what sets them apart.

Game i of a seed has the same deal for every strategy, so the hits of two runs are compared game by
game. Studies keep one byte a game for that: whether it had the headline outcome.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reports.multiple import MaxT, baseline_contrasts, max_t, moments_from_sums
from reports.outcomes import OutcomeTable, outcome_table
from reports.paired import PairedSums
from sim.engine import StoppedError, play
from sim.experiment import Experiment
from sim.fault import describe
from sim.tally import Tally, total

#: Called before each run with its experiment and number of games.
Watch = Callable[[Experiment, int], None]

LARGEST_CHUNK = 50_000


@dataclass(frozen=True, eq=False)
class DealtGames:
    """Games 0 … n - 1 of an experiment: counts, and whether each game had the first measure."""

    experiment: Experiment
    tally: Tally
    hits: NDArray[np.bool_]

    @property
    def games(self) -> int:
        """The number of games."""
        return len(self.hits)

    @cached_property
    def table(self) -> OutcomeTable:
        """How the games ended."""
        return outcome_table(self.tally, self.experiment.measures)

    def command(self) -> str:
        """The command that plays the same games."""
        return self.experiment.command("run", "--games", str(self.games))


def deal_games(experiment: Experiment, games: int, jobs: int | None = None) -> DealtGames:
    """Play games 0 … games - 1 on threads. Raises PlayError where a strategy fails."""
    from joblib import Parallel, cpu_count, delayed

    jobs = jobs or cpu_count()
    rules, options, seating = experiment.rules, experiment.options, experiment.seating
    chunk = min(LARGEST_CHUNK, max(1, -(-games // (4 * jobs))))

    def one(start: int) -> tuple[Tally, NDArray[np.bool_]] | StoppedError:
        count = min(chunk, games - start)
        try:
            rows = play(rules, options, seating, experiment.seed, start, count).rows
        except StoppedError as error:
            return error
        columns = {name: rows[name] for name in rows.dtype.names or ()}
        hits: NDArray[np.bool_] = np.asarray(rules.measures[0].where(columns)).astype(np.bool_)
        return Tally.of(columns, rules.tally), hits

    starts = range(0, games, chunk)
    results: list[Any] = Parallel(n_jobs=jobs, backend="threading")(
        delayed(one)(start) for start in starts
    )
    for result in results:  # in the order of the games: the first fault is the lowest
        if isinstance(result, StoppedError):
            raise describe(experiment, result)
    tally = total((t for t, _ in results), rules.tally)
    return DealtGames(experiment, tally, np.concatenate([hits for _, hits in results]))


def paired_hits(first: DealtGames, second: DealtGames) -> PairedSums:
    """The paired sums over the games that both have; hits are 0 or 1, so squares are hits."""
    n = min(first.games, second.games)
    x, y = first.hits[:n], second.hits[:n]
    ones, others, both = (int(np.count_nonzero(hits)) for hits in (x, y, x & y))
    return PairedSums(n, ones, others, ones, others, both)


def against_first(runs: Sequence[DealtGames], level: float = 0.95) -> MaxT:
    """Simultaneous intervals (max-T) of every other run's share minus the first's."""
    n = min(run.games for run in runs)
    hits = np.stack([run.hits[:n] for run in runs])
    # whole numbers far below 2^53: products of floats are exact, and much faster than of integers
    block = 2**18
    products = np.zeros((len(runs), len(runs)), np.int64)
    for start in range(0, n, block):
        part = hits[:, start : start + block].astype(np.float64)
        products += np.rint(part @ part.T).astype(np.int64)
    sums = np.diag(products).tolist()
    mean, covariance = moments_from_sums(n, sums, products.tolist())
    return max_t(mean, covariance, n, baseline_contrasts(len(runs)), level)
