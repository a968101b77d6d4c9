"""Blocks: one deal in all the seatings of a design, the unit that comparisons count.

Game i of a seed has the same deal whoever plays, so strategies that change seats on it meet the
same cards. A block's value for a player is the sum of a score over all the seats it had; that is a
whole number, so sums over blocks are exact.
"""

import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from sim.contract import Ruleset, Score
from sim.engine import Played as PlayedGames
from sim.engine import StoppedError
from sim.engine import play as play_games
from sim.errors import PlayoutError, UsageError, one_of
from sim.experiment import Experiment
from sim.fault import describe

Blocks = NDArray[np.int64]

#: What sits in a seat of a seating: the number of a player, or the field.
FIELD = -1
Seats = tuple[int, ...]
Played = TypeVar("Played")
Result = TypeVar("Result")


@dataclass(frozen=True)
class Design:
    """The seatings of one block.

    Two players 0 and 1 share a table in each seating (with nobody else or with the field), and have
    equally many seats over all of them; or player 0 alone meets the field, and every strategy is
    player 0 in turn.
    """

    name: str
    meaning: str
    seatings: tuple[Seats, ...]

    @property
    def apart(self) -> bool:
        """Whether each strategy meets the field alone."""
        return all(1 not in seats for seats in self.seatings)

    @property
    def places(self) -> int:
        """How many seats a player has in one block."""
        return sum(seats.count(0) for seats in self.seatings)


def designs(seats: int, against_field: bool) -> dict[str, Design]:
    """The designs for a number of seats, by name; the default comes first.

    Against a field: `all-seats` or `one-seat`. At one table: `swap`, two seatings in which the
    players alternate and change seats, and `all`, every seating that gives both equally many seats
    (with three seats: every way to seat two of one and one of the other).
    """
    if seats == 1:
        return {"solo": Design("solo", "the same deals for each strategy", ((0,),))}
    if against_field:
        alone = tuple(
            tuple(0 if seat == own else FIELD for seat in range(seats)) for own in range(seats)
        )
        found = [
            Design("all-seats", "each in every seat in turn against the field", alone),
            Design("one-seat", "each in seat 0 against the field", alone[:1]),
        ]
    else:
        swap = tuple(tuple((seat + turn) % 2 for seat in range(seats)) for turn in (0, 1))
        sizes = {seats // 2, seats - seats // 2}
        every = tuple(
            tuple(0 if seat in own else 1 for seat in range(seats))
            for size in sorted(sizes)
            for own in combinations(range(seats), size)
        )
        found = [
            Design(
                "swap", "both at one table, in alternate seats, and again with seats changed", swap
            ),
            Design("all", "both at one table in every balanced seating", every),
        ]
        if seats == 2:
            found = found[:1]
    return {design.name: design for design in found}


def find_design(name: str, seats: int, against_field: bool) -> Design:
    """The design of this name. Raises UsageError with those there are."""
    known = designs(seats, against_field)
    if name not in known:
        where = "against a field" if against_field else "at one table"
        raise UsageError(
            f"there is no design {name!r} for {seats} seat{'s' * (seats > 1)} {where}; the designs "
            f"are {one_of(known)}"
        )
    return known[name]


@dataclass(frozen=True, eq=False)
class BlockValues:
    """What some blocks came to.

    `values` (scores, columns, blocks) are whole numbers. `apart` (scores, pairs) is the variance
    that a pair's difference would have if each game of the block had a deal of its own.
    """

    values: Blocks
    apart: NDArray[np.float64]


@dataclass(frozen=True)
class Match:
    """Strategies, a design and scores: what a block is.

    With a design that sets players apart each strategy meets the field; else each pair of
    strategies, in the order of `pairs`, has tables of its own.
    """

    game: str
    options: Any
    seed: int
    specs: tuple[str, ...]
    design: Design
    scores: tuple[Score, ...]
    field: str | None = None
    #: Recall models in games of memory; they stay with the seats when strategies change theirs.
    models: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Read and compile everything, so that what is wrong is said before the first game."""
        if len(self.specs) < 2:
            raise UsageError("a comparison needs at least two strategies")
        _ = self.tables

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """The pairs of strategies that are compared."""
        return list(combinations(range(len(self.specs)), 2))

    @property
    def columns(self) -> int:
        """How many players' values a block has: one a strategy, or two a pair."""
        return len(self.specs) if self.design.apart else 2 * len(self.pairs)

    @property
    def column_pairs(self) -> list[tuple[int, int]]:
        """The two columns of each pair."""
        if self.design.apart:
            return self.pairs
        return [(2 * pair, 2 * pair + 1) for pair in range(len(self.pairs))]

    @cached_property
    def tables(self) -> list[tuple[Experiment, list[tuple[int, int]]]]:
        """Each game of a block, with (column, seat) of the players that it counts for."""
        found: dict[tuple[str, ...], list[tuple[int, int]]] = {}
        groups = [(i,) for i in range(len(self.specs))] if self.design.apart else self.pairs
        for number, group in enumerate(groups):
            for seats in self.design.seatings:
                names = tuple(
                    str(self.field) if seat == FIELD else self.specs[group[seat]] for seat in seats
                )
                counted = found.setdefault(names, [])
                for place, seat in enumerate(seats):
                    if seat != FIELD:
                        counted.append((number * len(group) + seat, place))
        return [
            (
                Experiment.make(
                    self.game, names, options=self.options, seed=self.seed, models=self.models
                ),
                counted,
            )
            for names, counted in found.items()
        ]

    @property
    def rules(self) -> Ruleset:
        """The ruleset."""
        return self.tables[0][0].rules

    @property
    def games_a_block(self) -> int:
        """How many games are played for one block."""
        return len(self.tables)

    def play(self, start: int, count: int) -> BlockValues:
        """Blocks `start` … `start + count - 1`. Raises PlayError where a strategy fails."""
        values = np.zeros((len(self.scores), self.columns, count), np.int64)
        apart = np.zeros((len(self.scores), len(self.pairs)))
        for experiment, counted in self.tables:
            games = _games(experiment, start, count)
            for number, score in enumerate(self.scores):
                here: dict[int, Any] = {}
                by_seat: dict[int, Any] = {}
                for column, seat in counted:
                    if seat not in by_seat:
                        by_seat[seat] = np.asarray(score.of(games, seat)).astype(np.int64)
                    here[column] = here.get(column, 0) + by_seat[seat]
                for column, value in here.items():
                    values[number, column] += value
                for pair, (first, second) in enumerate(self.column_pairs):
                    if first in here or second in here:
                        difference = here.get(first, 0) - here.get(second, 0)
                        apart[number, pair] += difference.var(ddof=1) if count > 1 else 0.0
        return BlockValues(values, apart)


def _games(experiment: Experiment, start: int, count: int) -> dict[str, Any]:
    """What scores read of some games of a seating."""
    rules, options, seating = experiment.rules, experiment.options, experiment.seating
    try:
        played = play_games(rules, options, seating, experiment.seed, start, count)
    except StoppedError as error:
        raise describe(experiment, error) from None
    return score_columns(played)


def score_columns(played: PlayedGames) -> dict[str, Any]:
    """What a score reads: the columns of the games, and as `rounds` those of all their rounds."""
    games: dict[str, Any] = {name: played.rows[name] for name in played.rows.dtype.names or ()}
    rounds = played.rounds
    games["rounds"] = {name: rounds[name] for name in rounds.dtype.names or ()}
    return games


def in_order(
    play: Callable[[int, int], Played],
    spans: Iterable[tuple[int, int]],
    work: Callable[[Played], Result],
    jobs: int | None = None,
) -> Iterator[Result]:
    """What `work` makes of the spans (start, count) that `play` plays, in index order.

    Threads play the spans; what is ready early waits for those before it, for games that finish
    first are no random sample. The caller may stop at any time.
    """
    from joblib import Parallel, cpu_count, delayed

    def one(start: int, count: int) -> Result | PlayoutError:
        try:
            return work(play(start, count))
        except PlayoutError as error:  # joblib would raise the one that came first
            return error

    parallel = Parallel(
        n_jobs=jobs or cpu_count(),
        backend="threading",
        return_as="generator",
        pre_dispatch="2*n_jobs",
    )
    results = parallel(delayed(one)(start, count) for start, count in spans)
    try:
        for result in results:
            if isinstance(result, PlayoutError):
                raise result
            yield result
    finally:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", module="joblib")  # its advice about unused results
            results.close()
