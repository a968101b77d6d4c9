"""`playout selfcheck`: does it count right on this machine? A short version of the tests.

Checks are exact unless they say how often they would fail although all is well; together that is
less than once in ten thousand calls.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import click
import numpy as np

import sim.games
from reports.comparison import Sums
from reports.gsprt import gsprt
from reports.intervals import clopper_pearson, goodman, mean_t_of, wilson_limits
from reports.mobility import mean_first_passage, prais_shorrocks
from reports.multiple import holm
from reports.sequences import asymptotic, beta_binomial, empirical_bernstein
from reports.stopping import Decide, Until
from scripts.compare import make_match
from sim.audit import LeakError, audit
from sim.blocks import designs
from sim.contract import Ruleset
from sim.engine import play
from sim.errors import PlayoutError
from sim.experiment import Experiment
from sim.rng import output_of, roots
from sim.run import run

GAMES, AUDITED, REPLICATES = 2000, 3, 10_000
#: A count that should have some chance may stray by so many standard deviations.
STRAY = 4.5


@dataclass(frozen=True)
class Check:
    """One thing that was looked at."""

    what: str
    sound: bool
    told: str


def near(found: Sequence[float], wanted: Sequence[float], digits: float = 5e-5) -> bool:
    """Whether numbers agree to so many digits."""
    return all(abs(a - b) <= digits * max(1.0, abs(b)) for a, b in zip(found, wanted, strict=True))


def known_answers() -> Iterator[Check]:
    """Intervals and tests with published or exactly computed answers."""
    limits = clopper_pearson(0, 10).high, *_pair(clopper_pearson(10, 10**6))
    yield Check(
        "exact limits", near(limits[:1], [0.308497]) and near(
            [x * 1e6 for x in limits[1:]], [4.795, 18.390], 1e-3), "0 of 10, 10 of a million",
    )  # fmt: skip
    first = goodman([1, 0, 3, 2, 4])[0]
    yield Check("Goodman", near(_pair(first), [0.01185, 0.50723], 1e-4), "counts 1 0 3 2 4")
    counts = [10789, 19328, 33806, 19402, 10543]
    low, high = (1 / (1 + 10 ** (-elo / 400)) for elo in (-3, 1))
    llr = gsprt([0, 0.25, 0.5, 0.75, 1], counts, low, high).llr
    yield Check("sequential test", near([llr], [2.131068], 1e-6), f"log likelihood ratio {llr:.6f}")
    x = [int(7 * i % 10 < 3) for i in range(1, 1001)]
    found = [
        *_pair(beta_binomial(sum(x), 1000)),
        *_pair(asymptotic(1000, sum(x), sum(x), 1000)),
        *_pair(empirical_bernstein([int(7 * i % 10 < 3) for i in range(1000)])),
    ]
    wanted = [0.2503, 0.3530, 0.2560, 0.3440, 0.2431, 0.3591]
    yield Check("confidence sequences", near(found, wanted, 1e-4), "three on a thousand values")
    chain = np.array([[0.5, 0.25, 0.25], [0.5, 0, 0.5], [0.25, 0.25, 0.5]])
    times = np.asarray(mean_first_passage(chain)).ravel()
    exact = [2.5, 4, 10 / 3, 8 / 3, 5, 8 / 3, 10 / 3, 4, 2.5]
    sound = near(times.tolist(), exact, 1e-9) and near([prais_shorrocks(chain)], [1.0], 1e-9)
    yield Check("mobility", sound, "first passage of a three-state chain")


def _pair(interval: object) -> tuple[float, float]:
    return interval.low, interval.high  # type: ignore[attr-defined]


def promises() -> Iterator[Check]:
    """Coverage and error rates, by simulation on seeds that are always the same."""
    random = np.random.default_rng(1)
    hits = random.binomial(200, 0.3, REPLICATES)
    low, high = wilson_limits(hits, 200)
    chance = _binomial_coverage(200, 0.3)
    yield _rate("Wilson covers", int(((low <= 0.3) & (high >= 0.3)).sum()), REPLICATES, chance)
    covered = sum(mean_t_of(random.normal(size=8)).contains(0.0) for _ in range(REPLICATES))
    yield _rate("Student's t covers", covered, REPLICATES, 0.95)
    missed = wrong = 0
    runs = 200
    for _ in range(runs):
        rule = Until(1, 1, half_width=0.15)
        while not rule.content:
            rule.feed((random.random(50) < 0.3).astype(np.int64))
        missed += not rule.interval.contains(0.3)
        test = Decide(1, 1, effect=0.25, alpha=0.1, beta=0.1)
        while not test.content:
            test.feed(random.integers(-1, 2, 50))
        wrong += test.verdict.decision == "h1"
    yield _at_most("--until misses, stopped by looking", missed, runs, 0.05)
    yield _at_most("--decide errs, where nothing differs", wrong, runs, 0.1)
    false = sum(bool((holm(random.random(7)) <= 0.05).any()) for _ in range(2000))
    yield _at_most("any false of seven, by Holm", false, 2000, 0.05)


def _binomial_coverage(n: int, p: float) -> float:
    """The exact chance that Wilson's interval holds p."""
    low, high = wilson_limits(np.arange(n + 1), n)
    logs = [
        math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)
        + k * math.log(p) + (n - k) * math.log1p(-p)
        for k in range(n + 1)
    ]  # fmt: skip
    inside = (low <= p) & (high >= p)
    return float(np.exp(logs)[inside].sum())


def _rate(what: str, hits: int, n: int, chance: float) -> Check:
    """A count beside what it should be; strays that far once in 150,000."""
    allowed = STRAY * math.sqrt(n * chance * (1 - chance))
    told = f"{hits / n:.4f} of {n:,}, should be {chance:.4f}"
    return Check(what, abs(hits - n * chance) <= allowed, told)


def _at_most(what: str, hits: int, n: int, chance: float) -> Check:
    """A count beside the most that its chance allows."""
    allowed = n * chance + STRAY * math.sqrt(n * chance * (1 - chance))
    return Check(what, hits <= allowed, f"{hits / n:.3f} of {n:,}, may be {chance:g}")


def random_numbers() -> Iterator[Check]:
    """The stream against plain Python, and shuffles' first cards."""
    mask = 2**64 - 1

    def plain(word: int, n: int) -> int:
        z = (word + (n + 1) * 0x9E3779B97F4A7C15) & mask
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
        return z ^ (z >> 31)

    root = roots(1)[0]
    ours = [int(output_of(np.uint64(root), n)) for n in range(200)]
    yield Check("random stream", ours == [plain(root, n) for n in range(200)], "200 words")
    deals, strategies = roots(1), roots(2)
    yield Check("roots of seeds", len({*deals, *strategies}) == 4, "all different")


def of_game(rules: Ruleset) -> Iterator[Check]:
    """The same results however it is played, no leak, no difference between the same."""
    for yardstick in rules.yardsticks:
        experiment = Experiment.make(rules.name, [yardstick], seed=7)
        whole = play(experiment.rules, experiment.options, experiment.seating, 7, 0, GAMES)
        cut = [
            play(experiment.rules, experiment.options, experiment.seating, 7, start, stop - start)
            for start, stop in ((0, 1), (1, 700), (700, GAMES))
        ]
        same = bool((np.concatenate([part.rows for part in cut]) == whole.rows).all())
        one, two = (run(experiment, GAMES, jobs=jobs).tally for jobs in (1, 2))
        what = f"{rules.name} {yardstick}"
        yield Check(f"{what}: same games", same and one == two, f"{GAMES:,}, cut and threaded")
        yield _audited(experiment, f"{what}: knows no hidden cards")
    yardstick = rules.yardsticks[-1]
    seats = rules.seats(rules.options())
    against = yardstick if seats > 1 else None
    for name in designs(seats, against is not None):
        match = make_match(rules.name, [yardstick] * 2, seed=7, against=against, design=name)
        values = match.play(0, 200).values
        same = bool((values[:, 0] == values[:, 1]).all()) and Sums.of(match.play(0, 20)).n == 20
        yield Check(f"{rules.name}: itself against itself, {name}", same, "0 in each of 200 blocks")


def _audited(experiment: Experiment, what: str) -> Check:
    """A few games with the hidden cards dealt again at each decision."""
    try:
        result = audit(experiment, AUDITED)
    except LeakError as error:
        return Check(what, False, str(error))
    return Check(what, True, f"{result.redeals:,} re-deals in {result.games} games")


def all_checks() -> Iterator[Check]:
    """Every check; one that raises is not sound."""
    parts: list[Callable[[], Iterator[Check]]] = [known_answers, promises, random_numbers]
    for name in sim.games.names():
        parts.append(lambda name=name: of_game(sim.games.load(name)))  # type: ignore[misc]
    for part in parts:
        try:
            yield from part()
        except PlayoutError as error:
            yield Check("a game", False, str(error))


def selfcheck(style: str) -> bool:
    """Run and print all checks; whether all are sound."""
    began = time.perf_counter()
    checks = []
    for check in all_checks():
        checks.append(check)
        if style == "table":
            click.echo(f"{'ok' if check.sound else 'FAILED':<7}{check.what}: {check.told}")
    sound = all(check.sound for check in checks)
    if style == "json":
        click.echo(
            json.dumps({"sound": sound, "checks": [vars(check) for check in checks]}, indent=2)
        )
    else:
        number = sum(check.sound for check in checks)
        seconds = time.perf_counter() - began
        click.echo(f"{number} of {len(checks)} checks are sound ({seconds:.0f} s).")
    return sound
