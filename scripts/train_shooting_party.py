"""Trains the learned player of the Shooting Party and writes its weights file.

    python -m scripts.train_shooting_party --games 2000000 --hidden 128 --out first.npz
    python -m scripts.train_shooting_party --hidden 128 --start first.npz --seed 200000 --out FILE

One thread; the same arguments and versions on the same kind of processor give the same file, byte
for byte. Progress goes to standard error, nothing else is printed. See `scripts.shooting_party_td`
for the method. Training uses seeds of 100000 and more, so that no deal is met again in play.
"""

import argparse
import platform
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numba import typeof

from scripts.shooting_party_td import LONGEST, train
from sim.engine import state_array
from sim.jit import compile_function
from sim.rng import roots, stream_dtype
from sim.rulesets.shooting_party import RULESET
from sim.rulesets.shooting_party.cards import view_dtype
from strategies.shooting_party_features import ROWS, SLOTS
from strategies.shooting_party_plans import work_dtype
from strategies.shooting_party_weights import load, quantise, real_numbers, save

FIRST_SEED = 100_000
#: Games between two lines of progress; the learning rate is fixed inside a block.
BLOCK = 10_000

Network = tuple[np.ndarray[Any, Any], ...]


@dataclass(frozen=True)
class Plan:
    """What determines the weights."""

    seed: int = FIRST_SEED
    games: int = 600_000
    hidden: int = 64
    second: int = 32
    rate: float = 0.1  # falls geometrically …
    last_rate: float = 0.003  # … to this
    trace: float = 0.5  # lambda of TD(lambda)
    explore: float = 0.0  # share of decisions with a random element
    head_start_games: int = 30_000  # games until which some start with suits already scored
    start: str = ""  # a weights file to go on from, with deals of another seed


def new_network(plan: Plan) -> Network:
    """The start file's weights, or random ones: small rows, the other layers after He (2015)."""
    if plan.start:
        network = real_numbers(load(Path(plan.start)))
        if network[1].shape != (plan.second, plan.hidden):
            raise ValueError(f"{plan.start} has layers of {network[1].shape[::-1]}")
        return network
    random = np.random.default_rng(plan.seed)
    rows = random.normal(0, 0.2, (ROWS, plan.hidden))
    second = random.normal(0, np.sqrt(2 / plan.hidden), (plan.second, plan.hidden))
    out = random.normal(0, np.sqrt(1 / plan.second), plan.second)
    arrays = (rows, second, np.zeros(plan.second), out, np.full(1, -1.0))
    return tuple(a.astype(np.float32) for a in arrays)


class Trainer:
    """A network and the buffers that training works on."""

    def __init__(self, network: Network) -> None:
        second, hidden = network[1].shape
        self.network = network
        self.states = state_array(RULESET, RULESET.options())
        self.works = np.zeros(1, work_dtype(hidden, second))
        self.copies = np.zeros(1, view_dtype)
        self.streams = np.zeros(1, stream_dtype)
        self.trail = np.zeros((LONGEST + 1, SLOTS), np.int32)
        self.values = np.zeros(LONGEST + 1)
        self.explored = np.zeros(LONGEST + 1)

    def play(
        self,
        seed: int,
        first: int,
        count: int,
        rate: float = 0.0,
        explore: float = 0.0,
        trace: float = 0.0,
        head_start: float = 0.0,
    ) -> tuple[int, int, int, int]:
        """Play games and learn from them at this rate.

        Returns (wins, games) of those without and (wins, games) of those with a head start.
        """
        deal_root, chance_root = roots(seed)
        won = np.zeros(4, np.int64)
        arguments = (
            self.network, self.states, self.works, self.copies, self.streams,
            np.uint64(deal_root), np.uint64(chance_root), np.int64(first), np.int64(count),
            float(rate), float(explore), float(trace), float(head_start),
            self.trail, self.values, self.explored, won,
        )  # fmt: skip
        compile_function(train, tuple(map(typeof, arguments)))(*arguments)
        wins, games, helped_wins, helped_games = won.tolist()
        return wins, games, helped_wins, helped_games


def train_network(plan: Plan, report: Any = None) -> Network:
    """Train from nothing; `report(games played, wins, games counted)` is called after a block."""
    if plan.seed < FIRST_SEED:
        raise ValueError(f"training seeds start at {FIRST_SEED}; {plan.seed} is for playing")
    trainer = Trainer(new_network(plan))
    block = min(BLOCK, max(plan.games // 10, 1))
    for first in range(0, plan.games, block):
        count = min(block, plan.games - first)
        rate = plan.rate * (plan.last_rate / plan.rate) ** (first / plan.games)
        helped = 0.5 * max(0.0, 1.0 - first / max(plan.head_start_games, 1))
        wins, games, _, _ = trainer.play(
            plan.seed, first, count, rate, plan.explore, plan.trace, helped
        )
        if report is not None:
            report(first + count, wins, games)
    return trainer.network


def provenance(plan: Plan) -> dict[str, Any]:
    """What the weights file says of itself."""
    before = load(Path(plan.start)).provenance if plan.start else None
    if before is not None and before["seed"] == plan.seed:
        raise ValueError(f"{plan.start} was trained on seed {plan.seed} already; take another")
    return {
        "game": RULESET.name,
        "before": before,
        "command": "python -m scripts.train_shooting_party " + " ".join(_arguments(plan)),
        **asdict(plan),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "numba": numba.__version__,
    }


def _arguments(plan: Plan) -> list[str]:
    return [f"--{n.replace('_', '-')} {value}" for n, value in asdict(plan).items() if value != ""]


def main(arguments: list[str] | None = None) -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--out", type=Path, required=True, help="the weights file to write")
    for name, default in asdict(Plan()).items():
        option = "--" + name.replace("_", "-")
        parser.add_argument(option, type=type(default), default=default, help=f"{default}")
    chosen = vars(parser.parse_args(arguments))
    out = chosen.pop("out")
    plan = Plan(**chosen)
    start = time.monotonic()

    def report(done: int, wins: int, games: int) -> None:
        seconds = time.monotonic() - start
        share = wins / games if games else 0.0
        print(f"{done} games, {seconds:.0f} s: won {share:.4f}", file=sys.stderr, flush=True)

    origin = provenance(plan)
    save(out, quantise(train_network(plan, report), origin))


if __name__ == "__main__":
    main()
