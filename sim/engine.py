"""The engine: plays games of any ruleset. Nothing in here knows a game.

`make_loop` builds one function from a ruleset's step functions. Strategies are called by address,
so they change without compiling the loop again, with one call site for each seat and kind of
decision: a processor predicts a call with one target, and a shared one cost up to 80 % more.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import numpy as np
from llvmlite import ir
from numba import from_dtype, njit, types
from numba.core import cgutils
from numba.extending import intrinsic

from sim.contract import Ruleset
from sim.jit import compile_function
from sim.options import RuleOptions
from sim.recall import Model
from sim.rng import output_of, roots, stream_dtype
from sim.strategy import CONTEXT_WORDS, CompiledStrategy

#: A context as the engine knows it: the random stream, then words that only the strategy names.
context_dtype = np.dtype([("state", np.uint64), ("words", np.int64, (CONTEXT_WORDS,))], align=True)
#: Purposes of the strategy streams: seat + 16 * kind of decision.
SEATS_A_KIND = 16
#: Sizes in bytes.
CACHE_LINE, PAGE = 64, 4096

PLAYED_ALL, ILLEGAL_ACTION = 0, 1
#: Places in the `where` array: what the loop was doing when it stopped.
GAME, SEAT, KIND, ACTION, ROUNDS = range(5)


@intrinsic
def call_address(typingctx, address, view, context):
    """Call the compiled strategy at `address`; exceptions raised in it propagate."""
    signature = types.int64(types.uint64, view, context)

    def generate(context, builder, sig, args):
        argument_types = list(sig.args[1:])
        convention = context.call_conv
        function_type = convention.get_function_type(types.int64, argument_types)
        function = builder.inttoptr(args[0], ir.PointerType(function_type))
        status, result = convention.call_function(
            builder, function, types.int64, argument_types, args[1:]
        )
        with cgutils.if_unlikely(builder, status.is_error):
            convention.return_status_propagate(builder, status)
        return result

    return signature, generate


def _named(function: Any, name: str) -> Any:
    """An njit function made in a factory, with a qualified name of its own (see `sim.jit`).

    It becomes part of the loop: a call would count references to the arrays it is given, which took
    more time than the game.
    """
    function.__name__ = name
    function.__qualname__ = name
    return njit(function, inline="always")


def make_ask(slot: int) -> Any:
    """A function that calls strategy `n` for n in 0…slot, with a call site for each."""
    this = slot
    if slot == 0:

        def ask(n, addresses, view, contexts):
            return call_address(addresses[0], view, contexts[0])

    else:
        earlier = make_ask(slot - 1)

        def ask(n, addresses, view, contexts):
            if n == this:
                return call_address(addresses[this], view, contexts[this])
            return earlier(n, addresses, view, contexts)

    return _named(ask, f"ask_{slot}")


def make_record_round(rules: Ruleset) -> Any:
    """A function that writes a row of the rounds table when a round is over."""
    if rules.round_over is None:

        def record_round(s, rounds, where):
            return

    else:
        round_over, round_outcome = rules.round_over, rules.round_outcome

        def record_round(s, rounds, where):
            if round_over(s):
                row = rounds[where[ROUNDS]]
                row.game = where[GAME]
                round_outcome(s, row)
                where[ROUNDS] += 1

    return _named(record_round, f"record_round_{rules.name.replace('-', '_')}")


def make_loop(rules: Ruleset) -> Any:
    """The function that plays `count` games from game `first` on."""
    deal, done, to_move, decision = rules.deal, rules.done, rules.to_move, rules.decision
    observe, legal, apply, outcome = rules.observe, rules.legal, rules.apply, rules.outcome
    seats, slots = rules.most_seats, rules.most_seats * len(rules.kinds)
    ask = make_ask(slots - 1)
    record_round = make_record_round(rules)

    def play(
        states, views, streams, contexts, fresh, sizes, addresses,
        deal_root, strategy_root, first, count, rows, rounds, where, log,
    ):  # fmt: skip
        s, view, stream = states[0], views[0], streams[0]
        for i in range(count):
            game = first + i
            where[GAME] = game
            stream.key = output_of(deal_root, game)
            key = output_of(strategy_root, game)
            for slot in range(slots):
                context = contexts[slot]
                purpose = slot % seats + SEATS_A_KIND * (slot // seats)
                context.state = output_of(key, purpose)
                for word in range(sizes[slot]):
                    context.words[word] = fresh[slot, word]
            deal(s, stream, log)
            while not done(s):
                seat = to_move(s)
                kind = decision(s)
                observe(s, seat, view)
                action = ask(kind * seats + seat, addresses, view, contexts)
                if not legal(s, action):
                    where[SEAT] = seat
                    where[KIND] = kind
                    where[ACTION] = action
                    return ILLEGAL_ACTION
                apply(s, action, stream, log)
                record_round(s, rounds, where)
            outcome(s, rows[i])
        return PLAYED_ALL

    play.__name__ = f"play_{rules.name.replace('-', '_')}"
    return play


LOG_TYPE = types.Array(types.int64, 2, "C")


@cache
def compiled_loop(rules: Ruleset, logging: bool) -> Any:
    """The compiled loop of a game, with or without an event log."""

    def array(dtype: Any, dimensions: int = 1) -> Any:
        return types.Array(from_dtype(np.dtype(dtype)), dimensions, "C")

    signature = (
        array(rules.state_dtype),
        array(rules.view_dtype),
        array(stream_dtype),
        array(context_dtype),
        array(np.int64, 2),
        array(np.int64),
        array(np.uint64),
        types.uint64,
        types.uint64,
        types.int64,
        types.int64,
        array(rules.row_dtype()),
        array(rules.round_dtype()),
        array(np.int64),
        LOG_TYPE if logging else types.none,
    )
    return compile_function(make_loop(rules), signature)


def state_array(
    rules: Ruleset, options: RuleOptions, models: Sequence[Model] = ()
) -> np.ndarray[Any, Any]:
    """A state with the options and recall models in place; the rest is for `deal` to fill."""
    states = np.zeros(1, rules.state_dtype)
    for name, value in options.encode().items():
        # a ruleset may keep what is public in a nested record `table`
        target = states if name in (rules.state_dtype.names or ()) else states["table"]
        target[name] = value
    for seat, model in enumerate(models or default_models(rules, options)):
        states["recall"][0, seat] = model.recall
        states["keep"][0, seat] = model.table if model.persistent else 0.0
        states["hold"][0, seat] = model.hold
        states["persistent"][0, seat] = model.persistent
    if rules.prepare is not None:
        rules.prepare(states)
    return states


def default_models(rules: Ruleset, options: RuleOptions) -> tuple[Model, ...]:
    """The recall models of seats for which none are given; none in games without memory."""
    if rules.default_model is None:
        return ()
    from strategies.models import parse_model  # strategies are read with the engine

    return (parse_model(rules.default_model, rules, options),) * rules.seats(options)


@dataclass(frozen=True)
class Seating:
    """A strategy function at each slot (kind of decision, seat), with its parameters.

    `models` are the recall models of the seats in games that have them; `tables` are what the words
    of some strategies point to, an entry a slot.
    """

    strategies: tuple[CompiledStrategy, ...]
    words: tuple[tuple[int, ...], ...]
    models: tuple[Model, ...] = ()
    tables: tuple[np.ndarray[Any, Any] | None, ...] = ()

    @cached_property
    def digests(self) -> tuple[str, ...]:
        """Digests of all that the seats bring: code, tables and recall models."""
        tables = (table_digest(table) for table in self.tables)
        models = (model.digest for model in self.models)
        return (*(compiled.digest for compiled in self.strategies), *tables, *models)


def table_digest(table: np.ndarray[Any, Any] | None) -> str:
    """A digest of a strategy's table; empty where it has none."""
    return "" if table is None else hashlib.sha256(table.tobytes()).hexdigest()


def laid_together(*arrays: np.ndarray[Any, Any]) -> list[np.ndarray[Any, Any]]:
    """Copies of arrays in one block of memory: it begins with a page, each array with a cache line.

    Where they lay anywhere, now and then a process took a tenth to a half longer for each game:
    block copies that cross lines are slow, and so are loads after a store to the same place of
    another page.
    """
    starts, end = [], 0
    for array in arrays:
        starts.append(end)
        end += -(-array.nbytes // CACHE_LINE) * CACHE_LINE
    room = np.zeros(end + PAGE, np.uint8)
    room = room[-room.ctypes.data % PAGE :]
    copies = []
    for start, array in zip(starts, arrays, strict=True):
        copy = room[start : start + array.nbytes].view(array.dtype).reshape(array.shape)
        copy[...] = array
        copies.append(copy)
    return copies


@dataclass
class Buffers:
    """What one call of the loop works on."""

    views: np.ndarray[Any, Any]
    streams: np.ndarray[Any, Any]
    contexts: np.ndarray[Any, Any]
    states: np.ndarray[Any, Any]
    fresh: np.ndarray[Any, Any]
    sizes: np.ndarray[Any, Any]
    addresses: np.ndarray[Any, Any]
    where: np.ndarray[Any, Any]

    @classmethod
    def make(cls, rules: Ruleset, options: RuleOptions, seating: Seating) -> "Buffers":
        """Fresh buffers; slots of seats that do not exist stay empty."""
        slots = rules.most_seats * len(rules.kinds)
        seats = rules.seats(options)
        fresh = np.zeros((slots, CONTEXT_WORDS), np.int64)
        sizes = np.zeros(slots, np.int64)
        addresses = np.zeros(slots, np.uint64)
        used = [k * rules.most_seats + p for k in range(len(rules.kinds)) for p in range(seats)]
        for slot, compiled, words in zip(used, seating.strategies, seating.words, strict=True):
            addresses[slot] = compiled.address
            sizes[slot] = len(words)
            fresh[slot, : len(words)] = words
        return cls(
            *laid_together(
                np.zeros(1, rules.view_dtype),
                np.zeros(1, stream_dtype),
                np.zeros(slots, context_dtype),
                state_array(rules, options, seating.models),
                fresh,
                sizes,
                addresses,
                np.zeros(8, np.int64),
            )
        )

    def all(self) -> Sequence[np.ndarray[Any, Any]]:
        """The arrays in the order of the loop's arguments, without `where`."""
        return (
            self.states,
            self.views,
            self.streams,
            self.contexts,
            self.fresh,
            self.sizes,
            self.addresses,
        )


@dataclass(frozen=True)
class Played:
    """The results of consecutive games: one row a game, and one row a round."""

    first: int
    rows: np.ndarray[Any, Any]
    rounds: np.ndarray[Any, Any]


class StoppedError(Exception):
    """A game could not be finished: `game` is its index, `cause` an exception of the strategy."""

    def __init__(self, game: int, cause: BaseException | None) -> None:
        super().__init__(f"game {game}")
        self.game, self.cause = game, cause


def play(
    rules: Ruleset, options: RuleOptions, seating: Seating, seed: int, first: int, count: int
) -> Played:
    """Play games `first` … `first + count - 1` of a seed. Thread-safe, the GIL is released.

    Raises StoppedError at the first illegal action or exception of a strategy.
    """
    played, _ = _run(rules, options, seating, seed, first, count, None)
    return played


def play_logged(
    rules: Ruleset, options: RuleOptions, seating: Seating, seed: int, game: int
) -> tuple[Played | None, np.ndarray[Any, Any], StoppedError | None]:
    """Play one game with its event log: (results, log rows, None).

    When the game stops on an error: (None, the events until then, the error).
    """
    capacity = 4096
    while True:
        log = np.zeros((capacity, 3), np.int64)
        played, stopped = None, None
        try:
            played, _ = _run(rules, options, seating, seed, game, 1, log)
        except StoppedError as error:
            stopped = error
        count = int(log[0, 0])
        if count < capacity:
            return played, log[1 : count + 1], stopped
        capacity = count + 1


def _run(
    rules: Ruleset,
    options: RuleOptions,
    seating: Seating,
    seed: int,
    first: int,
    count: int,
    log: np.ndarray[Any, Any] | None,
) -> tuple[Played, Buffers]:
    loop = compiled_loop(rules, log is not None)
    buffers = Buffers.make(rules, options, seating)
    rows = np.zeros(count, rules.row_dtype())
    rounds = np.zeros(count * rules.rounds(options), rules.round_dtype())
    deal_root, strategy_root = roots(seed)
    where = buffers.where
    try:
        status = loop(
            *buffers.all(), deal_root, strategy_root, first, count, rows, rounds, where, log
        )
    except Exception as error:
        raise StoppedError(int(where[GAME]), error) from None
    if status != PLAYED_ALL:
        raise StoppedError(int(where[GAME]), None)
    return Played(first, rows, rounds[: int(where[ROUNDS])]), buffers
