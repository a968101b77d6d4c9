"""What a game must bring: the contract between a ruleset and everything else.

A ruleset is one module of `sim/rulesets/` that makes one `Ruleset`. Its step functions are njit
functions over records, written once; the same lines play millions of games and write traces. The
engine, the trace, the audit, the command line and the contract tests know nothing else of a game.

Games of memory name a `default_model`; their state has fields `recall`, `keep` and `hold` (float64,
a row of MOST_CARDS + 1 a seat) and `persistent` (a whole number a seat), filled like the options
from the recall model of each seat (see `sim.recall`): the probability of reciting n cards, and for
persistent models those of keeping a card, and all of them, when the n-th is laid.

State and view. `state_dtype` is everything, hidden cards included; `view_dtype` is what the player
to move may know, scalar fields only, copied into a buffer of its own before every decision. The
state has a field for each option of the same name, filled before the first deal and never touched
by `deal`. What follows from them for all games, a ruleset's `prepare` may put there once.

The step functions (s: state, v: view, stream: the game's chance stream, log: None or an event log):

    deal(s, stream, log)             start a game; set every field that is not an option
    done(s) -> bool                  the game is over
    to_move(s) -> int                the seat that decides now
    decision(s) -> int               which kind of decision it is: an index into `kinds`
    observe(s, seat, v)              fill *every* field of the view
    legal(s, action) -> bool         whether the rules allow the action in this state
    apply(s, action, stream, log)    carry out a legal action and all that follows by force
    outcome(s, row)                  fill one row of the games table
    round_over(s) -> bool            (games with rounds) a round ended with the last action
    round_outcome(s, row)            (games with rounds) fill one row of the rounds table
    redeal(s, seat, stream)          shuffle what the seat to move cannot know, uniformly over
                                     everything that is consistent with its view
    count_legal(v) -> int            how many legal actions the player has
    nth_legal(v, n) -> int           the n-th of them, in a fixed documented order

Chance: `stream.key` belongs to the game; `open_stream(stream, purpose)` starts a stream for one
purpose (which shuffle it is), so that no shuffle depends on how many numbers were used before.

Events: `emit(log, code, a, b)` appends one row; with log None it compiles to nothing. `events`
turns the rows into the dictionaries of the trace format.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numba import from_dtype, njit

from sim.options import RuleOptions

Event = dict[str, Any]


@njit
def emit(log, code, a, b):
    """Append the event (code, a, b) to a log of shape (rows, 3); its first row holds the count.

    A log that is full only counts on, so that the caller can come back with a larger one. With
    `None` for a log the call disappears.
    """
    if log is not None:
        count = log[0, 0] + 1
        log[0, 0] = count
        if count < len(log):
            log[count, 0] = code
            log[count, 1] = a
            log[count, 2] = b


@dataclass(frozen=True)
class Column:
    """One column of a results table; a column of a seat exists only in games with that seat."""

    name: str
    meaning: str
    dtype: str = "uint8"
    seat: int | None = None


@dataclass(frozen=True)
class Measure:
    """A yes/no outcome of a game that has a name: `where` gives it from the columns.

    `where` takes the games table as a mapping of column arrays and returns an array of bool.
    """

    name: str
    meaning: str
    where: Callable[[Mapping[str, Any]], Any]
    #: A measure of a seat exists only in games with that seat.
    seat: int | None = None


@dataclass(frozen=True)
class Score:
    """A number that a seat has at the end of a game: what strategies are compared by.

    `of` takes the games table as a mapping of column arrays and a seat, and returns an array of
    whole numbers, `scale` of which make one unit: a third of a win is 4 with a scale of 12. Its
    entry `rounds` is such a mapping of the rounds table, each game's rounds in order. `span` gives
    the least and largest of them under some options. `better` says whether more is better, or only
    more.
    """

    name: str
    meaning: str
    unit: str
    of: Callable[[Mapping[str, Any], int], Any]
    span: Callable[[Any], tuple[int, int]]
    scale: int = 1
    better: bool = True


def win_share(leaders: str = "leaders") -> Score:
    """The score that gives a win to who leads alone, and to those who lead together its parts.

    `leaders` is the column with one bit for each seat that leads; games with up to four seats.
    """

    def of(games: Mapping[str, Any], seat: int) -> Any:
        ahead = np.asarray(games[leaders]).astype(np.int64)
        many = np.maximum(sum((ahead >> n) & 1 for n in range(4)), 1)
        return ((ahead >> seat) & 1) * (12 // many)

    return Score(
        "win share", "wins; a shared win counts its part", "wins a game", of,
        lambda options: (0, 12), 12,
    )  # fmt: skip


@dataclass(frozen=True)
class Trait:
    """A number that a whole game has, whoever sits where: what rule variants are compared by.

    `of` takes the games table and the rounds table (None without rounds) as mappings of column
    arrays, and the options; it returns one number a game, nan where the game has none. `shown`
    turns its mean into what people speak of; it rises or falls throughout.
    """

    name: str
    meaning: str
    unit: str
    of: Callable[[Mapping[str, Any], Mapping[str, Any] | None, Any], Any]
    shown: Callable[[float], float] = float


@dataclass(frozen=True, eq=False)
class Ruleset:
    """A game: see the module's text. Functions are njit functions unless said otherwise."""

    name: str
    title: str
    summary: str
    clause_prefix: str
    options: type[RuleOptions]
    #: Plain Python: the number of seats under these options.
    seats: Callable[[Any], int]
    #: The most seats any options give: the engine has one call site for each.
    most_seats: int
    #: The reference strategies of the rules; the last one fills what a combination leaves out.
    yardsticks: tuple[str, ...]
    #: The names of the kinds of decision; one strategy function for each.
    kinds: tuple[str, ...]
    state_dtype: np.dtype[Any]
    view_dtype: np.dtype[Any]
    deal: Any
    done: Any
    to_move: Any
    decision: Any
    observe: Any
    legal: Any
    apply: Any
    outcome: Any
    redeal: Any
    count_legal: Any
    nth_legal: Any
    #: What a view field means, by name; every field has an entry.
    view_fields: Mapping[str, str]
    #: The columns of the games table, without `index`.
    columns: tuple[Column, ...]
    #: The named outcomes, the headline first.
    measures: tuple[Measure, ...]
    #: The columns whose joint distribution `--keep counts` keeps.
    tally: tuple[str, ...]
    #: Plain Python: rows of an event log -> trace events.
    events: Callable[[np.ndarray[Any, Any], Any], Iterable[Event]]
    #: Plain Python: a trace event -> a sentence for `show`, or None to say nothing.
    tell: Callable[[Event, Any], str | None]
    #: Plain Python: (view, action) -> text for error messages.
    action_text: Callable[[Any, int], str]
    #: Plain Python: (view, action) -> the clause that makes the action illegal.
    clause_of: Callable[[Any, int], str]
    #: What strategies are compared by, the headline first.
    scores: tuple[Score, ...] = ()
    #: What rule variants are compared by, the headline first.
    traits: tuple[Trait, ...] = ()
    #: The least and largest value of a view field, by name, whatever the options; None: no limit.
    #: Packed words (unsigned) may have none, and fields that hold an option's value need none.
    view_ranges: Mapping[str, tuple[float, float | None]] = field(default_factory=dict)
    round_columns: tuple[Column, ...] = ()
    round_over: Any = None
    round_outcome: Any = None
    #: Plain Python: the columns `round_tally` of whole games' rows of the rounds table, in order;
    #: their joint distribution is counted beside that of `tally`.
    round_cells: Callable[[Mapping[str, Any]], Mapping[str, Any]] | None = None
    round_tally: tuple[str, ...] = ()
    #: Plain Python: (states) -> None; works out once, in every state of the array, what follows for
    #: all games from the options and recall models. `deal` leaves it alone.
    prepare: Callable[[np.ndarray[Any, Any]], None] | None = None
    #: Games of memory: the recall model of the seats when none is given.
    default_model: str | None = None
    #: Plain Python: rows of the rounds table a game writes at most.
    rounds: Callable[[Any], int] = field(default=lambda options: 0)

    def measures_for(self, options: Any) -> tuple[Measure, ...]:
        """The named outcomes of games with so many seats, the headline first."""
        seats = self.seats(options)
        return tuple(m for m in self.measures if m.seat is None or m.seat < seats)

    def view_type(self) -> Any:
        """The numba type of a view."""
        return from_dtype(self.view_dtype)

    def row_dtype(self) -> np.dtype[Any]:
        """The record the engine fills for each game."""
        return np.dtype([(c.name, c.dtype) for c in self.columns])

    def round_dtype(self) -> np.dtype[Any]:
        """The record the engine fills for each round."""
        fields = [("game", "int64"), *((c.name, c.dtype) for c in self.round_columns)]
        return np.dtype(fields)
