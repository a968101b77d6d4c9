"""Tunes the weights of a Shooting Party strategy by random search on common deals.

    python -m scripts.tune_shooting_party --strategy gambler --steps 120 --width 40

Each step changes one to three parameters of the best setting so far and plays it on the deals of
the best; it is kept when it wins more. Every `ROUND` steps all begins again on fresh deals, so that
no setting stays that was only lucky. Seeds from 1000 on are used, never those of the reports; the
last line is the best setting on deals that no step has seen.
"""

import argparse
import sys

import numpy as np

import sim.games
from reports.outcomes import outcome_table
from sim.errors import PlayoutError
from sim.experiment import Experiment
from sim.run import run
from strategies.registry import registered

GAME = "shooting-party"
FIRST_SEED = 1000
VALIDATION_SEED = 1999
#: Steps on the same deals.
ROUND = 20

Setting = dict[str, int | float]


def spec_of(strategy: str, setting: Setting) -> str:
    """The strategy string of a setting."""
    return f"{strategy}({','.join(f'{name}={value}' for name, value in setting.items())})"


def share(strategy: str, setting: Setting, seed: int, games: int) -> float:
    """The share of filthy scoundrels of a setting on the deals of a seed."""
    experiment = Experiment.make(GAME, [spec_of(strategy, setting)], seed=seed)
    tally = run(experiment, games).tally
    return outcome_table(tally, experiment.measures).headline.share


def varied(strategy: str, setting: Setting, random: np.random.Generator, width: float) -> Setting:
    """A setting with one to three whole-number parameters changed by about `width`."""
    params = registered(sim.games.load(GAME))[("play", strategy)].params
    changed = dict(setting)
    for name in random.choice(list(params), random.integers(1, 4), replace=False):
        param = params[name]
        step = int(random.choice([-1, 1]) * max(1, round(abs(random.normal(0, width)))))
        changed[str(name)] = int(min(max(setting[name] + step, param.low), param.high))
    return changed


def tune(strategy: str, steps: int, games: int, seed: int, width: float) -> Setting:
    """The best setting found; progress goes to standard error."""
    params = registered(sim.games.load(GAME))[("play", strategy)].params
    best: Setting = {name: param.default for name, param in params.items()}
    random = np.random.default_rng(seed)
    most = 0.0
    for step in range(steps):
        deals = seed + step // ROUND
        if step % ROUND == 0:
            most = share(strategy, best, deals, games)
        candidate = varied(strategy, best, random, width)
        found = share(strategy, candidate, deals, games)
        if found > most:
            best, most = candidate, found
            print(f"{step} {found:.4f} {spec_of(strategy, best)}", file=sys.stderr, flush=True)
    return best


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--strategy", default="gambler")
    parser.add_argument("--steps", type=int, default=150)
    parser.add_argument("--games", type=int, default=20_000, help="games a step")
    parser.add_argument("--seed", type=int, default=FIRST_SEED)
    parser.add_argument("--width", type=float, default=25.0, help="how far a parameter moves")
    chosen = parser.parse_args()
    try:
        best = tune(chosen.strategy, chosen.steps, chosen.games, chosen.seed, chosen.width)
        fresh = share(chosen.strategy, best, VALIDATION_SEED, 5 * chosen.games)
    except PlayoutError as error:
        sys.exit(f"tune: {error}")
    print(f"{fresh:.4f} on {5 * chosen.games} fresh games: {spec_of(chosen.strategy, best)}")


if __name__ == "__main__":
    main()
