"""The yardstick strategies of the memory duel and whole games played with them.

The chance of a game comes from streams with the purposes 0 for the shuffle, 1024 * (1 + seat) +
laid for a recital and 1024 * (4 + seat) + laid for what a seat forgets, `laid` being the number of
cards laid so far in the game.
"""

import json
from collections.abc import Callable, Mapping, Sequence

from .memory_duel import Game, check_options
from .splitmix import Stream, deal_stream, strategy_stream

Strategy = Callable[[Game, Stream], str]
DEFAULT_MODEL = "logistic"


def fraction(stream: Stream) -> float:
    """Return a number of [0, 1) with 53 random bits."""
    return (stream.next() >> 11) / 2**53


class StreamChance:
    """The chance of one game: a stream of its own for everything it decides."""

    def __init__(self, seed: int, index: int) -> None:
        """Remember which game it is."""
        self.seed, self.index = seed, index

    def _stream(self, purpose: int) -> Stream:
        return deal_stream(self.seed, self.index, purpose)

    def shuffle(self, cards: list[str]) -> list[str]:
        """Return the shuffled pack; its top is the last card of the shuffled list."""
        shuffled = list(cards)
        self._stream(0).shuffle(shuffled)
        return shuffled[::-1]

    def recital(self, seat: int, laid: int, chance: float) -> bool:
        """Draw whether a recital succeeds."""
        return fraction(self._stream(1024 * (1 + seat) + laid)) < chance

    def keeps(self, seat: int, laid: int, known: list[str], chance: float) -> list[str]:
        """Draw for each card whether it stays known."""
        stream = self._stream(1024 * (4 + seat) + laid)
        return [card for card in known if fraction(stream) < chance]


def quiet(game: Game) -> str:
    """Return what a player does who does not call."""
    return "raise" if game.pack else "decline"


def random(game: Game, stream: Stream) -> str:
    """Call with probability 1/2 whenever a call is legal."""
    if not game.stack:
        return quiet(game)
    return "call" if stream.bounded(2) == 1 else quiet(game)


def threshold(k: int = 5) -> Strategy:
    """Return the strategy that calls exactly when the stack has k cards or more."""
    return lambda game, _: "call" if len(game.stack) >= k else quiet(game)


def strategy(spec: str) -> Strategy:
    """Return the yardstick of a spec such as `threshold(k=7)`."""
    if spec == "random":
        return random
    inner = spec.removeprefix("threshold").strip("()").removeprefix("k=")
    return threshold(int(inner)) if inner else threshold()


def play(
    options: Mapping[str, object],
    strategies: str | Sequence[str],
    seed: int,
    index: int,
    models: Sequence[str] = (DEFAULT_MODEL, DEFAULT_MODEL),
) -> Game:
    """Play one whole game: one strategy for both seats, or one for each."""
    named = [strategies] * 2 if isinstance(strategies, str) else list(strategies)
    chosen = [strategy(spec) for spec in named]
    streams = [strategy_stream(seed, index, seat) for seat in (0, 1)]
    game = Game(options, models, StreamChance(seed, index))
    while not game.over:
        game.apply(chosen[game.seat](game, streams[game.seat]))
    return game


def trace(
    options: Mapping[str, object],
    strategies: Sequence[str],
    seed: int,
    index: int,
    models: Sequence[str],
) -> list[str]:
    """Return the trace of one game of yardsticks, as JSON lines."""
    game = play(options, strategies, seed, index, models)
    head = {
        "ev": "game",
        "game": "memory-duel",
        "index": index,
        "seed": seed,
        "options": check_options(options),
        "seats": list(strategies),
        "models": list(models),
    }
    return [json.dumps(line) for line in (head, *game.events)]
