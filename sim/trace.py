"""The trace: a game as JSON lines, everything that happened in it, hidden cards included."""

import json
from collections.abc import Iterator

from sim.contract import Event
from sim.engine import play_logged
from sim.experiment import Experiment
from sim.fault import describe


def game_line(experiment: Experiment, index: int) -> Event:
    """The first event of a game: what was played."""
    return {
        "ev": "game",
        "game": experiment.game,
        "index": index,
        "seed": experiment.seed,
        "options": experiment.options.as_dict(),
        "seats": [seat.spec for seat in experiment.seats],
        **experiment.models_told(),
    }


def events(experiment: Experiment, index: int) -> Iterator[Event]:
    """The events of one game, the `game` line first.

    Raises PlayError, after the events that could be played, when a strategy stops the game.
    """
    rules = experiment.rules
    _, log, stopped = play_logged(
        rules, experiment.options, experiment.seating, experiment.seed, index
    )
    yield game_line(experiment, index)
    yield from rules.events(log, experiment.options)
    if stopped is not None:
        raise describe(experiment, stopped)


def lines(experiment: Experiment, first: int, games: int) -> Iterator[str]:
    """The trace of consecutive games, one JSON object a line."""
    for index in range(first, first + games):
        for event in events(experiment, index):
            yield json.dumps(event, ensure_ascii=False, separators=(",", ":"))
