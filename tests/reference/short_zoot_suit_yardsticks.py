"""The yardstick strategies of Short Zoot Suit and whole games played with them.

The chance of a game comes from streams with the purposes `round` for a deal and
`128 * (1 + seat) + round` for the shuffle of a seat's deck; rounds count from 1.
"""

import json
from collections.abc import Callable, Mapping, Sequence

from .short_zoot_suit import Game
from .short_zoot_suit_cards import (
    STAY,
    TAKE,
    Choice,
    Draft,
    Move,
    check_options,
    option_values,
)
from .splitmix import Stream, deal_stream, strategy_stream

Strategy = Callable[[Game, Stream], Choice]
MOST_ROUNDS = 128


def draw_cards(hand: list[str], size: int, stream: Stream) -> list[str]:
    """Draw cards of a sorted hand one after another: any set of cards equally often."""
    left = list(hand)
    return [left.pop(stream.bounded(len(left))) for _ in range(size)]


class StreamChance:
    """The chance of one game: a stream of its own for everything it decides."""

    def __init__(self, seed: int, index: int) -> None:
        """Remember which game it is."""
        self.seed, self.index = seed, index

    def shuffle(self, number: int, cards: list[str]) -> list[str]:
        """Return the shuffled pack of a round, top first."""
        deck = list(cards)
        deal_stream(self.seed, self.index, number).shuffle(deck)
        return deck[::-1]  # the last card of the shuffled list is the top

    def deck(self, number: int, seat: int, cards: list[str]) -> list[str]:
        """Return the shuffled deck of a seat, top first; the card that is left last is the top."""
        stream = deal_stream(self.seed, self.index, MOST_ROUNDS * (1 + seat) + number)
        drawn = draw_cards(cards, len(cards) - 1, stream)
        return [*(card for card in cards if card not in drawn), *reversed(drawn)]


def random(game: Game, stream: Stream) -> Choice:
    """Choose each legal move or card with the same probability, and any five cards to draft."""
    if game.kind == 0:
        return Draft(tuple(draw_cards(game.hands[game.seat], 5, stream)))
    choices = game.choices()
    return choices[stream.bounded(len(choices))]


def plain(game: Game, _: Stream) -> Choice:
    """Draft the lowest cards, always draw, play the lowest legal card."""
    hand = game.hands[game.seat]
    if game.kind == 0:
        return Draft(tuple(hand[:5]))
    if game.kind == 2:
        return game.plays()[0]
    if game.options.short_shorts and game.trick_number <= 3:
        return Move(hand[0] if len(hand) > 1 else STAY)
    return Move(TAKE if game.decks[game.seat] else STAY)


YARDSTICKS: dict[str, Strategy] = {"random": random, "plain": plain}


def play(
    options: Mapping[str, object],
    strategies: str | Sequence[str | Strategy],
    seed: int,
    index: int,
) -> Game:
    """Play one whole game: one strategy for all seats, or one for each."""
    players = check_options(options).players
    named = [strategies] * players if isinstance(strategies, str) else strategies
    chosen = [YARDSTICKS[one] if isinstance(one, str) else one for one in named]
    streams = [
        [strategy_stream(seed, index, seat, kind) for kind in range(3)] for seat in range(players)
    ]
    game = Game(options, StreamChance(seed, index))
    while not game.over:
        seat, kind = game.seat, game.kind
        game.apply(chosen[seat](game, streams[seat][kind]))
    return game


def trace(
    options: Mapping[str, object], strategies: str | Sequence[str], seed: int, index: int
) -> list[str]:
    """Return the trace of one game of yardsticks, as JSON lines."""
    game = play(options, strategies, seed, index)
    named = [strategies] * len(game.seats) if isinstance(strategies, str) else list(strategies)
    head = {
        "ev": "game",
        "game": "short-zoot-suit",
        "index": index,
        "seed": seed,
        "options": option_values(game.options),
        "seats": named,
    }
    return [json.dumps(line) for line in (head, *game.events)]
