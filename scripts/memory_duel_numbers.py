"""The numbers of the study of the memory duel: solved exactly, and beside it played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reports.intervals import Interval, mean_t
from reports.paired import exact_sum
from scripts.common_deals import Watch
from scripts.compare import make_match, play_match
from scripts.compare_output import command_of
from sim.engine import StoppedError, play
from sim.errors import StrategyError
from sim.experiment import Experiment
from sim.fault import describe
from strategies.memory_duel_exact import solve_cards
from strategies.memory_duel_worth import exploitability, game_value, worth
from strategies.models import parse_model

GAME = "memory-duel"
CHUNK = 100_000
#: Tests of agreement hold together at this level (Bonferroni).
LEVEL = 0.95


@dataclass(frozen=True, eq=False)
class Means:
    """Sums over games: the gain of seat 0, its points (2 a win, 1 a draw), the calls."""

    experiment: Experiment
    games: int
    gain: tuple[int, int]
    points: tuple[int, int]
    calls: tuple[int, int]

    def interval(self, sums: tuple[int, int], level: float = LEVEL) -> Interval:
        """Student's t interval of a mean from its sums."""
        return mean_t(self.games, *sums, level)

    @property
    def mean_gain(self) -> float:
        """Cards that seat 0 claims more than seat 1."""
        return self.gain[0] / self.games

    @property
    def win_rate(self) -> float:
        """Games won by seat 0, a draw being half a win."""
        return self.points[0] / self.games / 2

    def win_interval(self, level: float = LEVEL) -> Interval:
        """The interval of the win rate."""
        found = self.interval(self.points, level)
        return Interval(found.low / 2, found.high / 2, level, found.method)

    def command(self) -> str:
        """The command that plays the same games."""
        return self.experiment.command("run", "--games", str(self.games))


def play_means(experiment: Experiment, games: int, watch: Watch | None = None) -> Means:
    """Play games 0 … games - 1 and sum up. Raises PlayError where a strategy fails."""
    if watch is not None:
        watch(experiment, games)
    sums = np.zeros((3, 2), object)
    for start in range(0, games, CHUNK):
        count = min(CHUNK, games - start)
        try:
            rows = play(
                experiment.rules,
                experiment.options,
                experiment.seating,
                experiment.seed,
                start,
                count,
            ).rows
        except StoppedError as error:
            raise describe(experiment, error) from None
        gain = rows["claimed_0"].astype(np.int64) - rows["claimed_1"]
        # points: two for a win, one for a draw
        for place, values in enumerate((gain, 1 + np.sign(gain), rows["calls"].astype(np.int64))):
            sums[place] += [exact_sum(values), exact_sum(values * values)]
    gain_sums, points, calls = (tuple(map(int, row)) for row in sums)
    return Means(experiment, games, gain_sums, points, calls)  # type: ignore[arg-type]


def duel(
    spec: str | Sequence[str], models: Sequence[str] = (), *, seed: int = 1, **options: Any
) -> Experiment:
    """An experiment of the study."""
    specs = [spec] if isinstance(spec, str) else spec
    return Experiment.make(GAME, specs, models=models, seed=seed, options=options)


# --- exact ---------------------------------------------------------------------------------------


def curve(experiment: Experiment, spec: str) -> NDArray[np.float64]:
    """The recall curve of a spec under an experiment's options."""
    found: NDArray[np.float64] = parse_model(spec, experiment.rules, experiment.options).recall
    return found


def logistic(k: float, order: str = "in-order") -> NDArray[np.float64]:
    """The recall curve of a person of capacity k who is otherwise like the published ones."""
    return curve(duel("random", order=order), f"logistic(k={k:.6g})")


@dataclass(frozen=True)
class CapacityValues:
    """Values by capacity: of seat 0 and of seat 1 against the published capacity, and of equals."""

    base: float
    capacities: tuple[float, ...]
    as_first: tuple[float, ...]
    as_second: tuple[float, ...]
    equals: tuple[float, ...]

    def gain(self, more: float) -> float:
        """What a capacity of so much more than the base gains on it, the mean over the seats."""
        place = self.capacities.index(round(self.base + more, 4))
        return (self.as_first[place] + self.as_second[place]) / 2

    @property
    def start(self) -> float:
        """What starting is worth between two players of the base capacity."""
        return self.equals[self.capacities.index(self.base)]


def capacity_values(base: float, order: str = "in-order", cards: int = 52) -> CapacityValues:
    """Solve the duel for capacities from 2 to 10, a player's own gain in cards."""
    other = logistic(base, order)
    capacities = [round(base + step / 20, 4) for step in range(-53, 108)]
    first, second, equals = [], [], []
    for k in capacities:
        own = logistic(k, order)
        first.append(solve_cards((own, other), cards).start)
        second.append(-solve_cards((other, own), cards).start)
        equals.append(solve_cards((own, own), cards).start)
    return CapacityValues(base, tuple(capacities), tuple(first), tuple(second), tuple(equals))


def calling_map(model: str, cards: int = 52, most: int = 10) -> NDArray[np.int_]:
    """Where the optimal player calls: rows are stacks from 1 up, columns packs; -1: no such."""
    experiment = duel("random", [model], cards=cards)
    calls = solve_cards([m.recall for m in experiment.recall], cards).calls[0]
    cells: NDArray[np.int_] = calls[:cards, 1 : most + 1].T.astype(int)
    for stack in range(1, most + 1):
        cells[stack - 1, cards - stack + 1 :] = -1
    return cells


@dataclass(frozen=True)
class StrategyRow:
    """A strategy: what it gives away, by model, in cards; and in games won; None: not computed."""

    spec: str
    cards: dict[str, float | None]
    wins: float | None


def strategy_rows(specs: Sequence[str], models: Sequence[str]) -> list[StrategyRow]:
    """The exploitability of strategies, least first by the first model."""
    rows = []
    for spec in specs:
        found: dict[str, float | None] = {}
        for model in models:
            found[model] = _given_away(spec, model, "cards")
        rows.append(StrategyRow(spec, found, _given_away(spec, models[0], "wins")))
    return rows


def _given_away(spec: str, model: str, objective: str) -> float | None:
    try:
        return max(0.0, float(exploitability(duel(spec, [model]), objective).mean))
    except StrategyError:  # it remembers, or is not made for such memories
        return None


@dataclass(frozen=True, eq=False)
class GivenToOptimal:
    """What `optimal` gained on a strategy, in cards a game: a lower bound of its exploitability."""

    spec: str
    mean: float
    interval: Interval
    command: str


def given_to_optimal(spec: str, model: str, deals: int, seed: int) -> GivenToOptimal:
    """Play `optimal` against a strategy in both seats of the same deals.

    The value of the game cancels, as each has each seat once.
    """
    match = make_match(GAME, ["optimal", spec], models=[model], seed=seed)
    compared = play_match(match, deals, level=LEVEL)
    gained = compared.comparison.effect(0, 0).mean_first
    return GivenToOptimal(spec, gained.value, gained.interval, command_of(compared))


@dataclass(frozen=True, eq=False)
class Check:
    """Solution and simulation of one setting."""

    label: str
    means: Means
    cards: float
    wins: float | None
    checks: int

    @property
    def level(self) -> float:
        """The level of one comparison when all shall hold together (Bonferroni)."""
        return 1.0 - (1.0 - LEVEL) / self.checks

    @cached_property
    def agrees(self) -> bool:
        """Whether the exact numbers lie in the intervals."""
        close = self.means.interval(self.means.gain, self.level).contains(self.cards)
        if self.wins is not None:
            close &= self.means.win_interval(self.level).contains(self.wins)
        return close


def check_all(
    settings: Sequence[tuple[str, Experiment]], games: int, watch: Watch | None = None
) -> list[Check]:
    """Play every setting beside its exact value; all comparisons together hold at LEVEL."""
    solved = []
    for label, experiment in settings:
        felt = any(model.persistent for model in experiment.recall)
        wins = None if felt else float(worth(experiment, "wins"))
        solved.append((label, experiment, float(worth(experiment)), wins))
    count = sum(2 if wins is not None else 1 for *_, wins in solved)
    return [
        Check(label, play_means(experiment, games, watch), cards, wins, count)
        for label, experiment, cards, wins in solved
    ]


def value_of(experiment: Experiment, objective: str = "cards") -> float:
    """The value of a game to seat 0."""
    return float(game_value(experiment, objective))
