"""Tunes the weights of a President strategy by random search on common deals.

    python -m scripts.tune_president --strategy control --field control,table,control --minutes 9

The setting sits in each of the four seats in turn, against three of the field. Each step changes
one to three weights and plays the deals of the best setting so far again; the change is kept when
its mean gain is more than half its standard error. Every `ROUND` steps all begins again on fresh
deals, so that no setting stays that was only lucky. Seeds from 1000 on are used, never those of the
reports; the last lines compare start and end on deals that no step has seen.

`table` was tuned against three `winners`, then against three of its own first setting; `control`
against three `table`, then against two `control` and a `table`.
"""

import argparse
import sys
import time
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

import sim.games
from reports.intervals import mean_t_of
from reports.numbers import format_mean
from sim.engine import play
from sim.errors import PlayoutError, UsageError
from sim.experiment import Experiment
from strategies.registry import parse, registered

GAME = "president"
SEATS = 4
FIRST_SEED, VALIDATION_SEED = 1000, 1999
#: Steps on the same deals.
ROUND = 25

Setting = Mapping[str, int | float]


def spec_of(strategy: str, setting: Setting) -> str:
    """The strategy string of a setting; the gift is that of `fewest-turns`."""
    weights = ",".join(f"{name}={value}" for name, value in setting.items())
    return f"gift=fewest-turns,play={strategy}({weights})"


def points(spec: str, field: Sequence[str], seed: int, games: int) -> NDArray[np.float64]:
    """Points a round of one player on each deal, the mean of its four seats; 1.5 is even."""
    total = np.zeros(games)
    for seat in range(SEATS):
        specs = [*field]
        specs.insert(0, spec)
        table = Experiment.make(GAME, [*specs[SEATS - seat :], *specs[: SEATS - seat]], seed=seed)
        played = play(table.rules, table.options, table.seating, seed, 0, games)
        total += played.rows[f"points_{seat}"] / table.options.as_dict()["rounds"]
    return total / SEATS


def varied(strategy: str, setting: Setting, random: np.random.Generator) -> Setting:
    """A setting with one to three whole-number parameters changed by about half of them."""
    params = registered(sim.games.load(GAME))[("play", strategy)].params
    changed = dict(setting)
    for name in random.choice(list(params), random.integers(1, 4), replace=False):
        param = params[name]
        step = random.normal(0, max(8.0, abs(setting[name]) / 2))
        moved = setting[name] + np.sign(step) * max(1, round(abs(step)))
        changed[str(name)] = int(min(max(moved, param.low), param.high))
    return changed


def tune(
    strategy: str, start: Setting, field: Sequence[str], minutes: float, games: int, seed: int
) -> Setting:
    """The best setting found; progress goes to standard error."""
    random = np.random.default_rng(seed)
    best, step, end = start, 0, time.monotonic() + 60 * minutes
    most = np.zeros(games)
    while time.monotonic() < end:
        deals = seed + step // ROUND
        if step % ROUND == 0:
            most = points(spec_of(strategy, best), field, deals, games)
            print(f"{step} {most.mean():.4f} {spec_of(strategy, best)}", file=sys.stderr)
        candidate = varied(strategy, best, random)
        found = points(spec_of(strategy, candidate), field, deals, games)
        gain = found - most
        if gain.mean() > gain.std() / games**0.5 / 2:
            best, most = candidate, found
        step += 1
    return best


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--strategy", default="control", help="with or without weights to start at")
    parser.add_argument("--field", default="control,table,control", help="one strategy, or three")
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--games", type=int, default=1500, help="deals a step")
    parser.add_argument("--seed", type=int, default=FIRST_SEED)
    chosen = parser.parse_args()
    field = (3 * chosen.field.split(","))[:3]
    try:
        part = parse(f"play={chosen.strategy}", sim.games.load(GAME)).parts[1]
        if any(param.is_float for param in part.info.params.values()) or not part.info.params:
            raise UsageError(f"{part.info.name} has no whole-number weights to tune")
        name, start = part.info.name, part.values
        best = tune(name, start, field, chosen.minutes, chosen.games, chosen.seed)
        for setting in (start, best):
            fresh = points(spec_of(name, setting), field, VALIDATION_SEED, 5 * chosen.games)
            shown = format_mean(float(fresh.mean()), mean_t_of(fresh))
            print(f"{shown} on {fresh.size} fresh deals: {spec_of(name, setting)}")
    except PlayoutError as error:
        sys.exit(f"tune: {error}")


if __name__ == "__main__":
    main()
