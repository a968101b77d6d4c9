"""The yardstick strategies of President and whole games played with them.

The chance of a game, round by round from 1 on, comes from streams with the purposes
`1024 * what + round`: what is 0 for the shuffle, 1 for a leader by chance, and 1 + rank for the
gift by chance of the player who had that rank.
"""

import json
from collections.abc import Callable, Mapping, Sequence

from .president import Game
from .president_cards import (
    PASS,
    SEATS,
    Choice,
    Gift,
    Play,
    option_values,
)
from .splitmix import Stream, deal_stream, strategy_stream

Strategy = Callable[[Game, Stream], Choice]
MOST_ROUNDS = 1024
SHUFFLE, LEADER, GIFT = 0, 1, 1


def draw_cards(hand: list[str], size: int, stream: Stream) -> list[str]:
    """Draw cards of a sorted hand one after another: any set of different cards equally often."""
    left = list(hand)
    return [left.pop(stream.bounded(len(left))) for _ in range(size)]


class StreamChance:
    """The chance of one game: a stream of its own for everything it decides."""

    def __init__(self, seed: int, index: int) -> None:
        """Remember which game it is."""
        self.seed, self.index = seed, index

    def _stream(self, what: int, number: int) -> Stream:
        return deal_stream(self.seed, self.index, MOST_ROUNDS * what + number)

    def shuffle(self, number: int, cards: list[str]) -> list[str]:
        """Return the shuffled pack of a round, top first."""
        deck = list(cards)
        self._stream(SHUFFLE, number).shuffle(deck)
        return deck[::-1]  # the last card of the shuffled list is the top

    def leader(self, number: int) -> int:
        """Return any seat."""
        return self._stream(LEADER, number).bounded(4)

    def gift(self, number: int, rank: int, hand: list[str], size: int) -> list[str]:
        """Return cards drawn from a hand."""
        return draw_cards(hand, size, self._stream(GIFT + rank, number))


def random(game: Game, stream: Stream) -> Choice:
    """Choose each legal play with the same probability, and as a gift each set of cards."""
    if game.gift_size:
        cards = draw_cards(game.hands[game.seat], game.gift_size, stream)
        return Gift(tuple(game.table.sorted(cards)))
    plays = game.legal_plays()
    return plays[stream.bounded(len(plays))]


def lowest(game: Game, _: Stream) -> Choice:
    """Play the lowest rank that will do, never with fillers; give the lowest cards."""
    hand = game.hands[game.seat]
    if game.gift_size:
        return Gift(tuple(hand[: game.gift_size]))
    if not game.trick.rank:
        return Play(hand[0], hand.count(hand[0]), 0)
    size, least = game.trick.size, game.table.place(game.trick.rank)
    for card in hand:
        if game.table.place(card) > least and hand.count(card) >= size:
            return Play(card, size, 0)
    return PASS


YARDSTICKS: dict[str, Strategy] = {"random": random, "lowest": lowest}


def play(
    options: Mapping[str, object],
    strategies: str | Sequence[str | Strategy],
    seed: int,
    index: int,
) -> Game:
    """Play one whole game: one strategy for all seats, or one for each."""
    named = [strategies] * 4 if isinstance(strategies, str) else strategies
    chosen = [YARDSTICKS[one] if isinstance(one, str) else one for one in named]
    streams = [[strategy_stream(seed, index, seat, kind) for kind in (0, 1)] for seat in SEATS]
    game = Game(options, StreamChance(seed, index))
    while not game.over:
        seat, kind = game.seat, 0 if game.gift_size else 1
        game.apply(chosen[seat](game, streams[seat][kind]))
    return game


def trace(
    options: Mapping[str, object], strategies: str | Sequence[str], seed: int, index: int
) -> list[str]:
    """Return the trace of one game of yardsticks, as JSON lines."""
    game = play(options, strategies, seed, index)
    named = [strategies] * 4 if isinstance(strategies, str) else list(strategies)
    head = {
        "ev": "game",
        "game": "president",
        "index": index,
        "seed": seed,
        "options": option_values(game.options),
        "seats": named,
    }
    return [json.dumps(line) for line in (head, *game.events)]
