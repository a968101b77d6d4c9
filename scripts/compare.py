"""Comparing strategies on the same deals: how long to play, and in which seatings.

The blocks of a comparison are games 0, 1, 2 … of the seed, in batches that depend on nothing but
their number, so a comparison comes out the same with any number of workers. The pilot of
`--design auto` plays games far beyond, which the comparison never meets.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from reports.comparison import Comparison, Sums
from reports.stopping import Decide, Until, Watched
from sim.blocks import BlockValues, Design, Match, designs, find_design, in_order
from sim.contract import Measure, Ruleset, Score
from sim.errors import UsageError, one_of
from sim.experiment import Experiment

#: Where the games of a pilot begin.
PILOT_START = 10**13
PILOT_BLOCKS = 400
FIRST_BATCH, LARGEST_BATCH = 50, 10_000
DEFAULT_GAMES = 10_000
MOST_GAMES = 1_000_000
#: Matrices grow with the square of the number of strategies, tables with its fourth power.
MOST_STRATEGIES = 24

#: Told the number of blocks so far, the most there can be, and the sums.
Watch = Callable[[int, int, Sums], None]


@dataclass(frozen=True, eq=False)
class Compared:
    """What a comparison came to; `rule` is there if it stopped by looking."""

    comparison: Comparison
    rule: Watched | None
    limit: int
    seconds: float
    pilot: tuple[tuple[Design, float], ...] = ()

    @property
    def match(self) -> Match:
        """Who met whom."""
        return self.comparison.match

    @property
    def blocks(self) -> int:
        """How many deals were played."""
        return self.comparison.sums.n

    @property
    def games(self) -> int:
        """How many games that were."""
        return self.blocks * self.match.games_a_block


def scores_of(rules: Ruleset) -> dict[str, Score]:
    """What strategies of a game can be compared by: its scores, and in solitaires its outcomes."""
    known = {score.name: score for score in rules.scores}
    if rules.most_seats == 1:
        for measure in rules.measures:
            known.setdefault(measure.name, _share_of(measure))
    return known


def _share_of(measure: Measure) -> Score:
    """An outcome as a score: 1 where the game had it."""

    def of(games: Mapping[str, Any], seat: int) -> Any:
        return measure.where(games)

    return Score(measure.name, measure.meaning, "share of games", of, lambda options: (0, 1))


def make_match(
    game: str,
    strategies: Sequence[str],
    *,
    options: Sequence[str] = (),
    seed: int = 1,
    against: str | None = None,
    score: str | None = None,
    design: str | None = None,
    models: Sequence[str] = (),
) -> Match:
    """A checked match; `score` comes first among the scores. Raises UsageError."""
    if not 2 <= len(strategies) <= MOST_STRATEGIES:
        raise UsageError(
            f"a comparison needs 2 to {MOST_STRATEGIES} strategies, not {len(strategies)}; repeat "
            f"--strategy for each"
        )
    checked = Experiment.make(game, strategies[:1], options=options, seed=seed, models=models)
    rules, known = checked.rules, scores_of(checked.rules)
    if score is not None and score not in known:
        raise UsageError(f"{rules.name} has no score {score!r}; its scores are {one_of(known)}")
    scores = tuple(rules.scores)
    if score is not None:
        scores = (known[score], *(other for other in scores if other.name != score))
    seats = rules.seats(checked.options)
    if seats == 1 and against is not None:
        raise UsageError(f"{rules.name} is played alone: there is no field to be against")
    usual = next(iter(designs(seats, against is not None)))
    chosen = find_design(design or usual, seats, against is not None)
    return Match(
        game, checked.options, seed, tuple(strategies), chosen, scores, against, checked.models
    )


def batches(limit: int, start: int = 0) -> Iterator[tuple[int, int]]:
    """(start, count) of the batches after each of which a rule is asked: 5 % more each time."""
    done = 0
    while done < limit:
        count = min(max(FIRST_BATCH, done // 20), LARGEST_BATCH, limit - done)
        yield start + done, count
        done += count


def play_match(
    match: Match,
    limit: int,
    *,
    level: float = 0.95,
    rule: Watched | None = None,
    jobs: int | None = None,
    watch: Watch | None = None,
) -> Compared:
    """Play `limit` blocks, or fewer when the rule is content. Raises PlayError."""
    began = time.perf_counter()
    sums: Sums | None = None

    def work(blocks: BlockValues) -> tuple[Sums, Any]:
        first, second = match.column_pairs[0]
        differences = None if rule is None else blocks.values[0, first] - blocks.values[0, second]
        return Sums.of(blocks), differences

    for part, differences in in_order(match.play, batches(limit), work, jobs):
        sums = part if sums is None else sums + part
        if watch is not None:
            watch(sums.n, limit, sums)
        if rule is not None:
            rule.feed(differences)
            if rule.content:
                break
    assert sums is not None
    return Compared(Comparison(match, sums, level), rule, limit, time.perf_counter() - began)


def reach_of(match: Match) -> tuple[int, int]:
    """The furthest that a block's difference in the first score can be from 0, and its unit."""
    score = match.scores[0]
    low, high = score.span(match.options)
    return (high - low) * match.design.places, score.scale * match.design.places


def until(match: Match, half_width: float, level: float) -> Until:
    """The rule of `--until`. Raises UsageError for a width that is wide enough from the start."""
    reach, unit = reach_of(match)
    if not 0 < half_width < reach / unit:
        raise UsageError(
            f"--until {half_width:g} is not allowed: differences in {match.scores[0].name} lie "
            f"between -{reach / unit:g} and {reach / unit:g}; give a number above 0 and below "
            f"{reach / unit:g}"
        )
    return Until(reach, unit, level, half_width=half_width)


def decide(match: Match, effect: float, level: float, alpha: float, beta: float) -> Decide:
    """The rule of `--decide`. Raises UsageError for an effect that cannot be."""
    reach, unit = reach_of(match)
    if not 0 < abs(effect) < reach / unit:
        raise UsageError(
            f"--decide {effect:g} is not allowed: differences in {match.scores[0].name} lie "
            f"between -{reach / unit:g} and {reach / unit:g}; give a number between them, not 0"
        )
    if not (0 < alpha < 1 and 0 < beta < 1 and alpha + beta < 1):
        raise UsageError(
            f"--alpha {alpha:g} --beta {beta:g} is not allowed: error rates are above 0 and "
            f"together below 1"
        )
    return Decide(reach, unit, level, effect=effect, alpha=alpha, beta=beta)


def choose_design(
    match: Match, jobs: int | None = None
) -> tuple[Match, tuple[tuple[Design, float], ...]]:
    """The match in the design that costs fewest games for the same precision, by a pilot.

    Cost: the variance of the first score's block difference, over all pairs, times games a block.
    The pilot's games are none of the comparison's. Also returns the cost of each design.
    """
    rules = match.rules
    found = []
    for design in designs(rules.seats(match.options), match.field is not None).values():
        tried = replace(match, design=design)
        parts = in_order(tried.play, batches(PILOT_BLOCKS, PILOT_START), Sums.of, jobs)
        sums = next(parts)
        for part in parts:
            sums = sums + part
        comparison = Comparison(tried, sums)
        variance = sum(
            comparison.effect(0, pair).deviation ** 2 for pair in range(len(tried.pairs))
        )
        found.append((design, variance * tried.games_a_block))
    best = min(found, key=lambda pair: pair[1])[0]
    return replace(match, design=best), tuple(found)
