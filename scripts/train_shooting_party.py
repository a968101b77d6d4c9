"""Trains the learned player of the Shooting Party and writes its weights file.

    python -m scripts.train_shooting_party --games 10000000 --out weights.npz
    python -m scripts.train_shooting_party --start weights.npz --seed 200000 --out further.npz

The same arguments and versions on the same kind of processor give the same file, byte for byte,
with any number of threads. Progress goes to standard error, nothing else is printed. See
`scripts.shooting_party_td` for the method. Training uses seeds of 100000 and more, so that no deal
is met again in play.
"""

import argparse
import platform
import sys
import time
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numba import typeof

from scripts.shooting_party_td import GAMES, LONGEST, POSITIONS, WINS, train
from sim.engine import state_array
from sim.jit import compile_function
from sim.rng import roots, stream_dtype
from sim.rulesets.shooting_party import RULESET
from sim.rulesets.shooting_party.cards import view_dtype
from strategies.shooting_party_features import ROWS, SLOTS
from strategies.shooting_party_plans import work_dtype
from strategies.shooting_party_weights import load, quantise, real_numbers, save

FIRST_SEED = 100_000
#: Games between two lines of progress, at least.
BLOCK = 10_000
#: Each batch is played in so many parts, whatever the number of threads: sums have one order.
PARTS = 2
#: Adam: how slowly the means of slopes and of their squares fade, and what keeps a quotient finite.
FADE, FADE_OF_SQUARES, TINY = 0.9, 0.999, 1e-8
#: The average of the weights reaches back over some such number of steps.
AVERAGED = 1000

Array = np.ndarray[Any, Any]
Network = tuple[Array, ...]


def require_numbers_above_zero(plan: Any, names: tuple[str, ...]) -> None:
    """Raise ValueError for the first of the named numbers of a plan that is not above 0."""
    for name in names:
        if not getattr(plan, name) > 0:
            raise ValueError(f"--{name.replace('_', '-')} must be above 0")


@dataclass(frozen=True)
class Plan:
    """What determines the weights."""

    seed: int = FIRST_SEED
    games: int = 1_000_000
    hidden: int = 128
    second: int = 32
    batch: int = 32  # games a step
    rate: float = 0.005  # of Adam; falls geometrically …
    last_rate: float = 0.00001  # … to this
    trace: float = 0.25  # lambda of TD(lambda)
    explore: float = 0.1  # share of decisions with noise …
    heat: float = 1.5  # … of this size, in log-odds
    head_start_games: int = 30_000  # games until which some start with suits already scored
    start: str = ""  # a weights file to go on from, with deals of another seed

    def __post_init__(self) -> None:
        names = "games", "hidden", "second", "batch", "rate", "last_rate"
        require_numbers_above_zero(self, names)


def split(flat: Array, hidden: int, second: int) -> Network:
    """The arrays of a network as views into one flat array of `size_of` numbers."""
    arrays, begin = [], 0
    for shape in ((ROWS, hidden), (second, hidden), (second,), (second,), (1,)):
        end = begin + int(np.prod(shape))
        arrays.append(flat[begin:end].reshape(shape))
        begin = end
    return tuple(arrays)


def size_of(hidden: int, second: int) -> int:
    """How many weights a network has."""
    return (ROWS + second) * hidden + 2 * second + 1


def new_weights(plan: Plan) -> Array:
    """The start file's weights, or random ones: small rows, the other layers after He (2015)."""
    flat = np.zeros(size_of(plan.hidden, plan.second), np.float32)
    rows, second, _, out, bias = network = split(flat, plan.hidden, plan.second)
    if plan.start:
        before = real_numbers(load(Path(plan.start)))
        if before[1].shape != second.shape:
            raise ValueError(f"{plan.start} has layers of {before[1].shape[::-1]}")
        for array, values in zip(network, before, strict=True):
            array[...] = values
        return flat
    random = np.random.default_rng(plan.seed)
    rows[...] = random.normal(0, 0.2, rows.shape)
    second[...] = random.normal(0, np.sqrt(2 / plan.hidden), second.shape)
    out[...] = random.normal(0, np.sqrt(1 / plan.second), out.shape)
    bias[...] = -1.0
    return flat


@cache
def compiled(function: Any, *types: Any) -> Any:
    """A compiled function; to ask `compile_function` at each step would take most of the time."""
    return compile_function(function, types)


class Part:
    """What one part of a batch is played in: buffers, slopes and counts of its own."""

    def __init__(self, network: Network, slopes: Network) -> None:
        second, hidden = network[1].shape
        self.before = (
            network,
            slopes,
            state_array(RULESET, RULESET.options()),
            np.zeros(1, work_dtype(hidden, second)),
            np.zeros(1, view_dtype),
            np.zeros(1, stream_dtype),
        )
        self.counts = np.zeros(5, np.int64)
        self.after = (
            np.zeros((LONGEST + 1, SLOTS), np.int32),
            np.zeros(LONGEST + 1),
            np.zeros(LONGEST + 1),
            self.counts,
        )

    def play(self, seed: int, first: int, count: int, *how: float) -> None:
        """Play games and add up their slopes; `how`: explore, heat, trace, head start."""
        place = (*map(np.uint64, roots(seed)), np.int64(first), np.int64(count))
        arguments = (*self.before, *place, *map(float, how), *self.after)
        compiled(train, *map(typeof, arguments))(*arguments)


class Trainer:
    """Weights, their average, and all that training works on."""

    def __init__(self, weights: Array, hidden: int, second: int) -> None:
        self.layers = hidden, second
        self.weights, self.average = weights.copy(), weights.copy()
        self.slopes = np.zeros((PARTS, len(weights)), np.float32)
        self.means, self.squares = np.zeros_like(weights), np.zeros_like(weights)
        self.slope, self.scratch = np.zeros_like(weights), np.zeros_like(weights)
        network = split(self.weights, *self.layers)
        self.parts = [Part(network, split(slopes, *self.layers)) for slopes in self.slopes]
        self.steps = 0

    def play(
        self, pool: Executor, seed: int, first: int, count: int, *how: float
    ) -> tuple[int, ...]:
        """Play games in parts and add up their slopes; returns the counts: see `train`."""
        ends = [first + count * k // PARTS for k in range(PARTS + 1)]
        for part in self.parts:
            part.counts[:] = 0
        jobs = [
            pool.submit(part.play, seed, a, b - a, *how)
            for part, (a, b) in zip(self.parts, pairwise(ends), strict=True)
        ]
        for job in jobs:
            job.result()
        return tuple(np.sum([part.counts for part in self.parts], axis=0).tolist())

    def improve(self, positions: int, rate: float) -> None:
        """One step of Adam along the slopes, which are cleared."""
        self.steps += 1
        slope, scratch = self.slope, self.scratch
        np.sum(self.slopes, axis=0, out=slope)
        slope *= 1.0 / max(positions, 1)
        np.multiply(slope, 1.0 - FADE, out=scratch)
        self.means *= FADE
        self.means += scratch
        slope *= slope
        slope *= 1.0 - FADE_OF_SQUARES
        self.squares *= FADE_OF_SQUARES
        self.squares += slope
        np.sqrt(self.squares, out=scratch)
        scratch += TINY
        np.divide(self.means, scratch, out=slope)
        slope *= rate * np.sqrt(1.0 - FADE_OF_SQUARES**self.steps) / (1.0 - FADE**self.steps)
        self.weights += slope
        np.subtract(self.weights, self.average, out=slope)
        slope *= max(1.0 / AVERAGED, 1.0 / self.steps)
        self.average += slope
        self.slopes[:] = 0.0

    def network(self) -> Network:
        """The averaged network."""
        return split(self.average.copy(), *self.layers)


def train_network(plan: Plan, report: Any = None, threads: int = PARTS) -> Network:
    """Train a network; `report(games played, wins, games)` is called about every BLOCK games.

    Raises ValueError for a seed that is for playing.
    """
    if plan.seed < FIRST_SEED:
        raise ValueError(f"training seeds start at {FIRST_SEED}; {plan.seed} is for playing")
    trainer = Trainer(new_weights(plan), plan.hidden, plan.second)
    wins = games = 0
    with ThreadPoolExecutor(threads) as pool:
        for first in range(0, plan.games, plan.batch):
            count = min(plan.batch, plan.games - first)
            rate = plan.rate * (plan.last_rate / plan.rate) ** (first / plan.games)
            helped = 0.5 * max(0.0, 1.0 - first / max(plan.head_start_games, 1))
            counts = trainer.play(
                pool, plan.seed, first, count, plan.explore, plan.heat, plan.trace, helped
            )
            trainer.improve(counts[POSITIONS], rate)
            wins, games = wins + counts[WINS], games + counts[GAMES]
            if report is not None and (games >= BLOCK or first + count == plan.games):
                report(first + count, wins, games)
                wins = games = 0
    return trainer.network()


def origin(module: str, plan: Any) -> dict[str, Any]:
    """What a weights file says of itself: the command, the plan, the file it went on from.

    Raises ValueError when that file, or one before it, was trained on a seed of the plan.
    """
    before = load(Path(plan.start)).provenance if plan.start else None
    wanted, step = _seeds_of(asdict(plan)), before
    while step is not None:
        again = sorted(wanted & _seeds_of(step))
        if again:
            raise ValueError(f"{plan.start} was trained on seed {again[0]} already; take another")
        step = step.get("before")
    plan = replace(plan, start=Path(plan.start).name)  # where it lay is nobody's business
    return {
        "game": RULESET.name,
        "before": before,
        "command": f"python -m {module} " + " ".join(_arguments(plan)),
        **asdict(plan),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "numba": numba.__version__,
    }


def _seeds_of(about: dict[str, Any]) -> set[int]:
    """The seeds of a plan, or of what a file says of one: each round has its own."""
    return {about["seed"] + k for k in range(about.get("rounds", 1))}


def _arguments(plan: Any) -> list[str]:
    return [f"--{n.replace('_', '-')} {value}" for n, value in asdict(plan).items() if value != ""]


def main(arguments: list[str] | None = None) -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--out", type=Path, required=True, help="the weights file to write")
    parser.add_argument("--threads", type=int, default=PARTS, help=f"at most {PARTS} are of use")
    for name, default in asdict(Plan()).items():
        option = "--" + name.replace("_", "-")
        parser.add_argument(option, type=type(default), default=default, help=f"{default}")
    chosen = vars(parser.parse_args(arguments))
    out, threads = chosen.pop("out"), chosen.pop("threads")
    start = time.monotonic()

    def report(done: int, wins: int, games: int) -> None:
        seconds = time.monotonic() - start
        share = wins / games if games else 0.0
        line = f"{done} games, {seconds:.0f} s: won {share:.4f} with noise"
        print(line, file=sys.stderr, flush=True)

    try:
        plan = Plan(**chosen)
        about = origin("scripts.train_shooting_party", plan)
        save(out, quantise(train_network(plan, report, threads), about))
    except (ValueError, OSError) as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
