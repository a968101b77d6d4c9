"""`playout check`: what a strategy is worth, in one short block, and whether one may trust it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import sim.games
from reports.comparison import Effect
from scripts.compare import make_match, play_match
from sim.audit import LeakError, audit
from sim.contract import Ruleset
from sim.engine import play
from sim.errors import OptionError, PlayError, UsageError, one_of
from sim.experiment import Experiment
from sim.options import RuleOptions, shown
from sim.stepper import Stepper
from sim.strategy import StrategyInfo
from strategies.userfile import load_function

SEED = 1
#: Games of each kind of look; slow strategies get fewer, by the clock.
LEGAL_GAMES, RULE_SETS, GAMES_A_RULE_SET = 300, 20, 10
AUDIT_GAMES = 10
DECLARED_GAMES = 40
SECONDS_A_LOOK = 10.0
STRENGTH_DEALS = 1000


@dataclass
class Checked:
    """What was found out; `faults` are sentences on what a strategy must not do."""

    spec: str
    game: str
    compiled_seconds: float = 0.0
    legal_games: int = 0
    rule_sets: int = 0
    audited: str = ""
    declared: list[str] = field(default_factory=list)
    games_per_second: float = 0.0
    yardstick_per_second: dict[str, float] = field(default_factory=dict)
    strength: list[Effect] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    def as_dict(self) -> dict[str, Any]:
        """All of it as plain values."""
        return {
            "strategy": self.spec,
            "game": self.game,
            "sound": not self.faults,
            "faults": self.faults,
            "compiled_seconds": round(self.compiled_seconds, 3),
            "legal_games": self.legal_games,
            "rule_sets": self.rule_sets,
            "hidden_cards": self.audited,
            "declared": self.declared,
            "games_per_second": round(self.games_per_second, 1),
            "strength": [
                {
                    "against": effect.second, "score": effect.score, "unit": effect.unit,
                    "difference": effect.difference, "low": effect.interval.low,
                    "high": effect.interval.high, "level": effect.interval.level,
                    "deals": effect.blocks, "verdict": effect.words,
                }
                for effect in self.strength
            ],
        }  # fmt: skip


def resolve(target: str, game: str | None, kind: str | None) -> tuple[Ruleset, str, StrategyInfo]:
    """The ruleset, the spec and the declaration of FILE.py:FUNCTION. Raises UsageError."""
    path, colon, name = target.rpartition(":")
    if not colon or not path.endswith(".py"):
        raise UsageError(f"{target!r} names no function of a file; write FILE.py:FUNCTION")
    info = load_function(path, name)
    game = info.game or game
    if game is None:
        raise UsageError(
            f"{target} does not say which game it is for; add --game (one of "
            f"{one_of(sim.games.names())}) or declare it with @strategy"
        )
    rules = sim.games.load(game)
    kind = info.kind or kind
    if len(rules.kinds) == 1:
        return rules, target, info
    if kind is None:
        raise UsageError(
            f"{target} does not say which decision it takes; add --kind (one of "
            f"{one_of(rules.kinds)}) or declare it with @strategy"
        )
    if kind not in rules.kinds:
        raise UsageError(
            f"{game} has no decision {kind!r}; its decisions are {one_of(rules.kinds)}"
        )
    return rules, f"{kind}={target}", info


def check(target: str, game: str | None = None, kind: str | None = None) -> Checked:
    """Compile, play, audit and measure a strategy of a file.

    Raises UsageError where it cannot be compiled; what it does wrong in play is a fault.
    """
    began = time.perf_counter()
    rules, spec, info = resolve(target, game, kind)
    experiment = Experiment.make(rules.name, [spec], seed=SEED)
    found = Checked(spec, rules.name, time.perf_counter() - began)
    try:
        _check_legal(experiment, found)
        result = audit(experiment, _affordable(experiment, AUDIT_GAMES, slower=100))
        found.audited = (
            f"{result.games} games, {result.decisions:,} decisions, {result.redeals:,} re-deals"
        )
    except LeakError as error:
        found.faults.append(str(error))
    except PlayError as error:
        found.faults.append(str(error))
        return found
    _check_declared(experiment, info, found)
    found.games_per_second = _speed(experiment)
    for yardstick in rules.yardsticks:
        own = Experiment.make(rules.name, [yardstick], seed=SEED)
        found.yardstick_per_second[yardstick] = _speed(own)
        match = make_match(rules.name, [spec, yardstick], seed=SEED)
        deals = _affordable(experiment, STRENGTH_DEALS, slower=match.games_a_block)
        found.strength.append(play_match(match, max(deals, 2)).comparison.effect(0, 0))
    return found


def _play(experiment: Experiment, games: int, first: int = 0) -> Any:
    """The games table; an illegal action raises PlayError with its sentence."""
    from sim.engine import StoppedError
    from sim.fault import describe

    try:
        return play(
            experiment.rules, experiment.options, experiment.seating, experiment.seed, first, games
        ).rows
    except StoppedError as error:
        raise describe(experiment, error) from None


def _check_legal(experiment: Experiment, found: Checked) -> None:
    """Play under the default rules, then a few games under each of many others."""
    games = _affordable(experiment, LEGAL_GAMES)
    _play(experiment, games)
    found.legal_games = games
    few = _affordable(experiment, GAMES_A_RULE_SET, slower=RULE_SETS)
    for options in random_options(experiment.rules, RULE_SETS):
        other = Experiment.make(experiment.game, [experiment.specs[0]], options=options, seed=SEED)
        try:
            _play(other, few)
        except PlayError as error:
            changed = ", ".join(f"{n}={shown(v)}" for n, v in options.changed().items())
            found.faults.append(f"under other rules ({changed}): {error}")
            return
        found.rule_sets += 1


def random_options(rules: Ruleset, count: int, seed: int = 7) -> Iterator[RuleOptions]:
    """Rule sets drawn at random, those that contradict themselves left out."""
    random = np.random.default_rng(seed)
    specs = rules.options.specs()
    made = 0
    while made < count:
        values = {
            name: spec.examples[int(random.integers(len(spec.examples)))]
            for name, spec in specs.items()
            if spec.examples and random.random() < 0.5
        }
        try:
            yield rules.options.from_mapping(values)
            made += 1
        except OptionError:
            continue


def _affordable(experiment: Experiment, games: int, slower: int = 1) -> int:
    """So many games, or as many as take some seconds; `slower` times as dear each."""
    began = time.perf_counter()
    _play(experiment, 1)
    each = (time.perf_counter() - began) * slower
    return max(1, min(games, int(SECONDS_A_LOOK / max(each, 1e-9))))


def _speed(experiment: Experiment, seconds: float = 0.3) -> float:
    """Games a second on one core."""
    games = 1
    while True:
        began = time.perf_counter()
        _play(experiment, games)
        taken = time.perf_counter() - began
        if taken > seconds / 3 or games >= 10**6:
            return games / taken
        games *= 4


def _check_declared(experiment: Experiment, info: StrategyInfo, found: Checked) -> None:
    """Whether what the strategy says of itself is true."""
    games = _affordable(experiment, DECLARED_GAMES, slower=50)
    draws = _draws_numbers(experiment, info, games)
    if info.uses_chance is None:
        found.declared.append(f"it {'draws' if draws else 'draws no'} random numbers")
    elif draws and not info.uses_chance:
        found.faults.append("it draws random numbers, but declares no uses_chance=True")
    elif info.uses_chance and not draws:
        found.declared.append(f"uses_chance=True, yet it drew no number in {games} games")
    else:
        found.declared.append(f"uses_chance={info.uses_chance} is true")
    rows = _play(experiment, games)
    for name, param in info.params.items():
        spec = experiment.specs[0]
        changed = False
        for value in (param.low, param.high):
            other = Experiment.make(experiment.game, [f"{spec}({name}={value})"], seed=SEED)
            changed = changed or bool((_play(other, games) != rows).any())
        if not changed:
            found.declared.append(f"parameter {name} changed nothing in {games} games")


def _draws_numbers(experiment: Experiment, info: StrategyInfo, games: int) -> bool:
    """Whether the function's random stream moves in any of some games."""
    kinds = experiment.rules.kinds
    for index in range(games):
        game = Stepper(
            experiment.rules, experiment.options, experiment.seed, index, experiment.seating
        )
        while not game.over:
            own = len(kinds) == 1 or info.kind in (None, kinds[game.kind])
            before = int(game.contexts[game.slot]["state"][0])
            action = game.ask()
            if own and int(game.contexts[game.slot]["state"][0]) != before:
                return True
            game.apply(action)
    return False


def lines_of(found: Checked) -> list[tuple[str, str]]:
    """The block that people read: (what, how it is)."""
    lines = [("compiled", f"in {found.compiled_seconds:.1f} s")]
    if found.legal_games:
        lines.append(
            ("legal", f"{found.legal_games:,} games, and under {found.rule_sets} other rule sets")
        )
    if found.audited:
        lines.append(("hidden cards", f"none known: {found.audited}"))
    lines += [("declared", text) for text in found.declared]
    if found.games_per_second:
        others = ", ".join(
            f"{name} {rate:,.0f}" for name, rate in found.yardstick_per_second.items()
        )
        lines.append(("speed", f"{found.games_per_second:,.0f} games/s on one core ({others})"))
    from reports.numbers import format_mean

    for effect in found.strength:
        difference = format_mean(effect.difference, effect.interval)
        lines.append(
            (
                f"to {effect.second}",
                f"{difference} {effect.score} ({effect.unit}; {effect.blocks:,} deals): "
                f"{effect.words}",
            )
        )
    lines += [("FAULT", text) for text in found.faults]
    return lines
