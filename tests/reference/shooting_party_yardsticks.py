"""The yardstick strategies of The Shooting Party and whole games played with them."""

import json
from collections.abc import Callable, Mapping

from .shooting_party import Game, Shuffler
from .shooting_party_cards import JOKER, Action, option_values, places
from .splitmix import Stream, deal_stream, strategy_stream

Strategy = Callable[[Game, Stream], Action]


def random(game: Game, stream: Stream) -> Action:
    """Choose each legal action with the same probability: one bounded draw a decision."""
    actions = game.legal_actions()
    return actions[stream.bounded(len(actions))]


def tidy(game: Game, stream: Stream) -> Action:
    """Tidy the room: seduce, clear the largest set without a queen, draw, and leave last."""
    actions = game.legal_actions()
    if game.pending:
        return actions[1]  # king and jack
    wishes = (_seduce, _free_the_lady, _largest_set, _pair, _send_the_butler_away)
    for wish in wishes:
        action = wish(game, actions)
        if action is not None:
            return action
    return _first(actions, "leave") or actions[0]


def _first(actions: list[Action], do: str, take: str | None = None) -> Action | None:
    return next((a for a in actions if (a.do, a.take) == (do, take)), None)


def _seduce(_: Game, actions: list[Action]) -> Action | None:
    return _first(actions, "seduce")


def _free_the_lady(game: Game, actions: list[Action]) -> Action | None:
    """With joker and queen alone in the hand, spend the joker, on her ace if that can be had."""
    queens = [card for card in game.hand if card[0] == "Q"]
    if len(game.hand) != 2 or JOKER not in game.hand or not queens:
        return None
    fetch = Action("butler", (JOKER,), "ace", "A" + queens[0][1])
    return fetch if fetch in actions else Action("butler", (JOKER,), "nothing")


def _largest_set(_: Game, actions: list[Action]) -> Action | None:
    """The largest set without a queen; of equals the one with the smallest cards."""
    sets = [a for a in actions if a.do == "discard" and all(c[0] != "Q" for c in a.cards)]
    return min(sets, key=lambda a: (-len(a.cards), places(a.cards)), default=None)


def _pair(_: Game, actions: list[Action]) -> Action | None:
    return _first(actions, "pair")


def _send_the_butler_away(_: Game, actions: list[Action]) -> Action | None:
    return _first(actions, "butler", "nothing")


YARDSTICKS: dict[str, Strategy] = {"random": random, "tidy": tidy}

PURPOSE_BASE = {"deal": 0, "reshuffle": 0, "butler": 16}


def stream_shuffler(seed: int, index: int) -> Shuffler:
    """Return the shuffler of one game: a stream of its own for each shuffle of the game."""

    def shuffler(cards: list[str], kind: str, number: int) -> list[str]:
        pile = list(cards)
        deal_stream(seed, index, PURPOSE_BASE[kind] + number).shuffle(pile)
        return pile[::-1]  # the last card of the shuffled list is the top of the pile

    return shuffler


def play(options: Mapping[str, object], strategy: str | Strategy, seed: int, index: int) -> Game:
    """Play one whole game, with a yardstick by its name or any strategy function."""
    choose = YARDSTICKS[strategy] if isinstance(strategy, str) else strategy
    game = Game(options, stream_shuffler(seed, index))
    stream = strategy_stream(seed, index)
    while not game.over:
        game.apply(choose(game, stream))
    return game


def trace(options: Mapping[str, object], strategy: str, seed: int, index: int) -> list[str]:
    """Return the trace of one game of a yardstick, as JSON lines."""
    game = play(options, strategy, seed, index)
    head = {
        "ev": "game",
        "game": "shooting-party",
        "index": index,
        "seed": seed,
        "options": option_values(game.options),
        "seats": [strategy],
    }
    return [json.dumps(line) for line in (head, *game.events)]
