"""Sharpens the learned player of the Shooting Party: its values, made to agree with one another.

    python -m scripts.sharpen_shooting_party --start weights.npz --out sharper.npz

In each round games are played with the network as it is; the position after each plan gets the
average value of the best plan after some sampled draws as its target
(`scripts.shooting_party_targets`), and the network is fitted to the targets by some passes of Adam:
fitted value iteration (Gordon, Stable function approximation in dynamic programming, 1995; Munos
and Szepesvári, Finite-time bounds for fitted value iteration, 2008). It begins where
`scripts.train_shooting_party` leaves off: single games are too noisy to teach the last digits.

The same arguments and versions on the same kind of processor give the same file, byte for byte,
with any number of threads. Progress goes to standard error, nothing else is printed.
"""

import argparse
import sys
import time
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import asdict, dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numba import typeof

from scripts.shooting_party_targets import collect, learn_positions, squared_error
from scripts.train_shooting_party import (
    FIRST_SEED,
    PARTS,
    Array,
    Network,
    Trainer,
    compiled,
    origin,
    require_numbers_above_zero,
    split,
)
from sim.engine import state_array
from sim.rng import roots, stream_dtype
from sim.rulesets.shooting_party import RULESET
from sim.rulesets.shooting_party.cards import view_dtype
from strategies.shooting_party_features import ROWS, SLOTS
from strategies.shooting_party_plans import work_dtype
from strategies.shooting_party_weights import load, quantise, real_numbers, save

#: Games of one part begin so far from those of the other.
APART = 10**9
#: Of the positions so many are kept back, to see how well the fit does on what it never saw.
KEPT_BACK = 0.02


@dataclass(frozen=True)
class Plan:
    """What determines the weights, together with the file to start from."""

    start: str
    seed: int = FIRST_SEED + 500_000  # of the first round; the next ones count up
    rounds: int = 5
    positions: int = 4_000_000  # a round
    samples: int = 8  # draws for each position
    explore: float = 0.03  # share of decisions with noise …
    heat: float = 1.5  # … of this size, in log-odds
    epochs: int = 2
    batch: int = 1024  # positions a step
    rate: float = 0.004  # of Adam; falls geometrically in each round …
    last_rate: float = 0.00001  # … to this

    def __post_init__(self) -> None:
        names = "rounds", "positions", "samples", "epochs", "batch", "rate", "last_rate"
        require_numbers_above_zero(self, names)


def collect_part(
    network: Network, seed: int, part: int, plan: Plan, rows: Array, targets: Array
) -> int:
    """Fill one part's rows and targets; returns the number of games played."""
    second, hidden = network[1].shape
    arguments = (
        network,
        np.concatenate([state_array(RULESET, RULESET.options())] * 2),
        np.zeros(3, work_dtype(hidden, second)),
        np.zeros(1, view_dtype),
        np.zeros(2, stream_dtype),
        *map(np.uint64, roots(seed)),
        np.int64(part * APART),
        np.int64(plan.samples),
        float(plan.explore),
        float(plan.heat),
        rows,
        targets,
    )
    return int(compiled(collect, *map(typeof, arguments))(*arguments))


def collect_positions(
    pool: Executor, network: Network, seed: int, plan: Plan
) -> tuple[Array, Array, int]:
    """Rows (n, SLOTS) and targets (n,) of a round, and the number of games they are from."""
    rows = np.zeros((plan.positions, SLOTS), np.min_scalar_type(-ROWS))
    targets = np.zeros(plan.positions)
    ends = [plan.positions * k // PARTS for k in range(PARTS + 1)]
    jobs = [
        pool.submit(collect_part, network, seed, k, plan, rows[a:b], targets[a:b])
        for k, (a, b) in enumerate(pairwise(ends))
    ]
    return rows, targets, sum(job.result() for job in jobs)


class Fit:
    """A network that is fitted to targets."""

    def __init__(self, network: Network, rows: Array, targets: Array) -> None:
        second, hidden = network[1].shape
        flat = np.concatenate([array.ravel() for array in network])
        self.trainer = Trainer(flat, hidden, second)
        self.works = [np.zeros(1, work_dtype(hidden, second)) for _ in range(PARTS)]
        self.rows, self.targets = rows, targets

    def step(self, pool: Executor, chosen: Array, rate: float) -> None:
        """One step of Adam on the positions `chosen`, a part of them in each thread."""
        network = split(self.trainer.weights, *self.trainer.layers)
        jobs = []
        for part, numbers in enumerate(np.array_split(chosen, PARTS)):
            slopes = split(self.trainer.slopes[part], *self.trainer.layers)
            arguments = (network, slopes, self.works[part], self.rows, self.targets, numbers)
            function = compiled(learn_positions, *map(typeof, arguments))
            jobs.append(pool.submit(partial(function, *arguments)))
        for job in jobs:
            job.result()
        self.trainer.improve(len(chosen), rate)

    def error(self, network: Network, first: int) -> float:
        """The root of the mean squared error over the positions from `first` on."""
        arguments = (network, self.works[0], self.rows[first:], self.targets[first:])
        total = compiled(squared_error, *map(typeof, arguments))(*arguments)
        return float(np.sqrt(total / max(len(self.targets) - first, 1)))


def fit(
    pool: Executor, network: Network, rows: Array, targets: Array, seed: int, plan: Plan
) -> tuple[Network, float, float]:
    """Fit a network to targets; returns it, and its error on positions kept back before, after."""
    work = Fit(network, rows, targets)
    used = len(targets) - int(len(targets) * KEPT_BACK)
    before = work.error(network, used)
    steps = -(-used // plan.batch)
    random = np.random.default_rng(seed)
    for epoch in range(plan.epochs):
        order = random.permutation(used)
        for k in range(steps):
            done = (epoch * steps + k) / (plan.epochs * steps)
            rate = plan.rate * (plan.last_rate / plan.rate) ** done
            work.step(pool, order[k * plan.batch : (k + 1) * plan.batch], rate)
    fitted = work.trainer.network()
    return fitted, before, work.error(fitted, used)


def sharpen(plan: Plan, report: Any = None, threads: int = PARTS) -> Network:
    """Sharpen the network of the start file.

    `report(round, games, error before, error after)` is called after each round. Raises ValueError
    for a seed that is for playing.
    """
    if plan.seed < FIRST_SEED:
        raise ValueError(f"training seeds start at {FIRST_SEED}; {plan.seed} is for playing")
    network = real_numbers(load(Path(plan.start)))
    with ThreadPoolExecutor(threads) as pool:
        for k in range(plan.rounds):
            seed = plan.seed + k
            rows, targets, games = collect_positions(pool, network, seed, plan)
            network, before, after = fit(pool, network, rows, targets, seed, plan)
            if report is not None:
                report(k + 1, games, before, after)
    return network


def main(arguments: list[str] | None = None) -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--out", type=Path, required=True, help="the weights file to write")
    parser.add_argument("--threads", type=int, default=PARTS, help=f"at most {PARTS} are of use")
    parser.add_argument("--start", required=True, help="the weights file to begin with")
    for name, default in asdict(Plan("")).items():
        if name != "start":
            option = "--" + name.replace("_", "-")
            parser.add_argument(option, type=type(default), default=default, help=f"{default}")
    chosen = vars(parser.parse_args(arguments))
    out, threads = chosen.pop("out"), chosen.pop("threads")
    began = time.monotonic()

    def report(number: int, games: int, before: float, after: float) -> None:
        seconds = time.monotonic() - began
        line = f"round {number}, {games} games, {seconds:.0f} s: error {before:.4f} -> {after:.4f}"
        print(line, file=sys.stderr, flush=True)

    try:
        plan = Plan(**chosen)
        about = origin("scripts.sharpen_shooting_party", plan)
        save(out, quantise(sharpen(plan, report, threads), about))
    except (ValueError, OSError) as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
