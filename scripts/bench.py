"""`playout bench`: how fast it is here, and beside what.

One core and all cores are measured in turn, several times, and the best of each is kept: on a
shared machine the fastest run is the one that was disturbed least. The plain-Python reference of
the tests, and its twin in C where there is a compiler, play the same games of the same seed.
"""

import contextlib
import importlib
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import click

import sim.games
from scripts.output import print_table
from sim.contract import Ruleset
from sim.engine import play
from sim.errors import UsageError
from sim.experiment import Experiment
from sim.run import run
from sim.stepper import Stepper
from sim.tally import Tally

ROOT = Path(__file__).resolve().parent.parent
REPEATS = 3
SEED = 1
START_GAMES = 10_000
CHECKED_GAMES = 10_000


def bench(game: str | None, seconds: float, style: str) -> None:
    """Measure one game or all, and print a table (or JSON)."""
    if not 0.01 <= seconds <= 600:
        raise UsageError(f"--seconds {seconds} is not allowed: it is from 0.01 to 600")
    names = [game] if game else sim.games.names()
    rows = []
    for name in names:
        rules = sim.games.load(name)
        for yardstick in rules.yardsticks:
            for players in _numbers_of_players(rules):
                seats = f" for {players} players" if players else ""
                click.echo(f"measuring {name} {yardstick}{seats} …", err=True)
                rows.append(measure(rules, yardstick, seconds, players))
    if style == "json":
        click.echo(json.dumps(rows, indent=2))
        return
    print_speeds(rows)


def _numbers_of_players(rules: Ruleset) -> Sequence[int | None]:
    """The numbers of players to measure; None where the game leaves no choice."""
    return range(2, rules.most_seats + 1) if "players" in rules.options.specs() else [None]


def measure(
    rules: Ruleset, yardstick: str, seconds: float, players: int | None = None
) -> dict[str, Any]:
    """All figures of one strategy; times in seconds, memory in MB."""
    options = {} if players is None else {"players": players}
    experiment = Experiment.make(rules.name, [yardstick], options=options, seed=SEED)
    play(rules, experiment.options, experiment.seating, SEED, 0, 100)  # compile
    games = _games_for(seconds, lambda n: _one_core(experiment, n))
    run(experiment, games, jobs=1)
    run(experiment, games)  # starts the threads
    one, all_cores, kernel, twin = [], [], [], []
    with _c_twin(rules, experiment, yardstick) as c_seconds:
        for _ in range(REPEATS):
            one.append(games / run(experiment, games, jobs=1).seconds)
            all_cores.append(games / run(experiment, games).seconds)
            for _ in range(2):
                kernel.append(_one_core(experiment, games))
                if c_seconds is not None:
                    twin.append(c_seconds(games))
    decisions = _decisions(experiment)
    cold, warm = _starts(rules.name, yardstick)
    return {
        "game": rules.name,
        "strategy": yardstick,
        "seats": rules.seats(experiment.options),
        "kernel_ns_per_game": 1e9 * min(kernel) / games,
        "games_per_second_one_core": max(one),
        "games_per_second_all_cores": max(all_cores),
        "cores": os.cpu_count(),
        "decisions_per_game": decisions,
        "decisions_per_second_one_core": max(one) * decisions,
        "plain_python_games_per_second": _plain_python(rules, experiment, yardstick, seconds),
        "c_ns_per_game": 1e9 * min(twin) / games if twin else None,
        "cold_start_seconds": cold,
        "warm_start_seconds": warm,
        "peak_memory_mb": resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024,
    }


def _one_core(experiment: Experiment, games: int) -> float:
    """Seconds that the engine's loop alone takes for some games."""
    began = time.perf_counter()
    play(experiment.rules, experiment.options, experiment.seating, SEED, 0, games)
    return time.perf_counter() - began


def _games_for(seconds: float, time_of: Callable[[int], float]) -> int:
    """How many games take about this long."""
    games = 100
    while (taken := time_of(games)) < seconds / 4 and games < 10**8:
        games = int(games * min(10.0, 1.1 * seconds / max(taken, 1e-6))) + 1
    return max(int(games * seconds / taken), 1)


def _decisions(experiment: Experiment, games: int = 200) -> float:
    """The mean number of decisions a game."""
    total = 0
    for index in range(games):
        game = Stepper(experiment.rules, experiment.options, SEED, index, experiment.seating)
        while not game.over:
            game.apply(game.ask())
        total += game.decisions
    return total / games


def _reference(rules: Ruleset) -> Any:
    """The module with the plain-Python reference, None where the tests are not installed."""
    name = sim.games.module_of(rules.name)
    if not (ROOT / "tests" / "reference" / f"{name}_yardsticks.py").exists():
        return None
    sys.path.insert(0, str(ROOT))
    try:
        return importlib.import_module(f"tests.reference.{name}_yardsticks")
    finally:
        sys.path.remove(str(ROOT))


def _plain_python(
    rules: Ruleset, experiment: Experiment, yardstick: str, seconds: float
) -> float | None:
    module = _reference(rules)
    if module is None:
        return None
    began, games = time.perf_counter(), 0
    while games < 5 or time.perf_counter() - began < seconds:
        module.play(experiment.options.as_dict(), yardstick, SEED, games)
        games += 1
    return games / (time.perf_counter() - began)


@contextlib.contextmanager
def _c_twin(
    rules: Ruleset, experiment: Experiment, yardstick: str
) -> Iterator[Callable[[int], float] | None]:
    """Seconds that the C program takes for some games; None where there is none or no compiler.

    The program is run as `twin STRATEGY SEED GAMES` with default options, where the number of
    players is an option with that behind, and prints one JSON line:
    {"seconds": …, "cells": [[…tally values…, count], …]}. It must count the same outcomes.
    """
    players = experiment.options.as_dict().get("players")
    more = [] if players is None else [str(players)]
    source = ROOT / "tests" / "reference" / f"{sim.games.module_of(rules.name)}.c"
    compiler = shutil.which("gcc") or shutil.which("cc")
    if not source.exists() or compiler is None:
        yield None
        return
    with tempfile.TemporaryDirectory() as folder:
        program = str(Path(folder) / "twin")
        subprocess.run([compiler, "-O3", "-march=native", "-o", program, str(source)], check=True)

        def told_of(games: int) -> dict[str, Any]:
            command = [program, yardstick, str(SEED), str(games), *more]
            done = subprocess.run(command, capture_output=True, check=True, text=True)
            told: dict[str, Any] = json.loads(done.stdout)
            return told

        played = play(rules, experiment.options, experiment.seating, SEED, 0, CHECKED_GAMES)
        theirs = {tuple(cell[:-1]): cell[-1] for cell in told_of(CHECKED_GAMES)["cells"]}
        ours = Tally.of(played.rows, rules.tally).cells
        if ours != {cell: count for cell, count in theirs.items() if count}:
            raise click.ClickException(
                f"the C twin of {rules.name} {yardstick} counts other results"
            )
        yield lambda games: float(told_of(games)["seconds"])


def _starts(game: str, yardstick: str) -> tuple[float, float]:
    """Seconds of a whole command for 10,000 games, with an empty and a filled cache."""
    command = [sys.executable, "-m", "scripts.cli", "run", game, "--strategy", yardstick]
    times = []
    with tempfile.TemporaryDirectory() as cache:
        environment = dict(os.environ, PLAYOUT_CACHE=cache, PYTHONPATH=str(ROOT))
        for _ in range(1 + REPEATS):
            began = time.perf_counter()
            subprocess.run(
                [*command, "--games", str(START_GAMES)],
                env=environment,
                stdout=subprocess.DEVNULL,
                check=True,
            )
            times.append(time.perf_counter() - began)
    return times[0], min(times[1:])


def print_speeds(rows: list[dict[str, Any]]) -> None:
    """The figures as tables for people."""

    def ratio(value: float | None, pattern: str = "{:.2f}") -> str:
        return "not available" if value is None else pattern.format(value)

    speeds, starts = [], []
    for row in rows:
        label = [row["game"], row["strategy"], str(row["seats"])]
        one = row["games_per_second_one_core"]
        plain, c = row["plain_python_games_per_second"], row["c_ns_per_game"]
        speeds.append(
            [
                *label,
                f"{one:,.0f}",
                f"{row['decisions_per_second_one_core']:,.0f}",
                f"{row['games_per_second_all_cores']:,.0f}",
                f"{row['games_per_second_all_cores'] / one:.2f} on {row['cores']}",
                ratio(None if plain is None else one / plain, "{:,.0f}"),
                ratio(None if c is None else row["kernel_ns_per_game"] / c),
            ]
        )
        starts.append(
            [
                *label,
                f"{row['kernel_ns_per_game']:,.0f}",
                f"{row['cold_start_seconds']:.1f}",
                f"{row['warm_start_seconds']:.2f}",
                f"{row['peak_memory_mb']:.0f}",
            ]
        )
    print_table(
        "Speed (best of several runs; ratios are measured in the same minute)",
        [
            "game",
            "strategy",
            "seats",
            "games/s, one core",
            "decisions/s",
            "games/s, all cores",
            "cores' gain",
            "times plain Python",
            "time beside C",
        ],
        speeds,
    )
    print_table(
        f"Starts: a whole command with {START_GAMES:,} games",
        ["game", "strategy", "seats", "ns a game", "cold, s", "warm, s", "peak memory, MB"],
        starts,
    )
