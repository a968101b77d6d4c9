"""The leak audit: does a view, or a strategy, know more than the rules allow?

At each decision of many games, what is hidden is dealt again in ways that are consistent with the
view of the player to move. The view must stay the same to the last bit, and the strategy, started
from the same random stream, must choose the same action. A view that leaks or a strategy that
peeks fails with the game and the decision.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from sim.engine import StoppedError
from sim.errors import PlayError
from sim.experiment import Experiment
from sim.fault import describe
from sim.rng import stream_dtype
from sim.stepper import Stepper

Array = np.ndarray[Any, Any]

#: Purpose of the audit's own random stream; rulesets use small numbers.
AUDIT_PURPOSE = 1 << 40


class LeakError(PlayError):
    """A view or a strategy that depends on what is hidden."""


@dataclass(frozen=True)
class AuditResult:
    """How much was looked at. `changed` counts re-deals that really changed the hidden state."""

    games: int
    decisions: int
    redeals: int
    changed: int


def audit(
    experiment: Experiment,
    games: int,
    redeals: int = 3,
    first: int = 0,
    progress: Callable[[int], None] | None = None,
) -> AuditResult:
    """Audit every decision of `games` games with `redeals` re-deals each.

    Raises LeakError at the first decision that depends on hidden information, PlayError when a
    strategy fails.
    """
    decisions = done = changed = 0
    for index in range(first, first + games):
        game = Stepper(
            experiment.rules, experiment.options, experiment.seed, index, experiment.seating
        )
        stream = np.zeros(1, stream_dtype)
        stream["state"] = game.streams["key"] ^ np.uint64(AUDIT_PURPOSE)
        while not game.over:
            for _ in range(redeals):
                changed += _compare(experiment, game, index, stream)
                done += 1
            try:
                action = game.ask()
            except Exception as error:
                raise describe(experiment, StoppedError(index, error)) from None
            if not game.is_legal(action):
                raise describe(experiment, StoppedError(index, None))
            game.apply(action)
            decisions += 1
        if progress is not None:
            progress(index - first + 1)
    return AuditResult(games, decisions, done, changed)


def _compare(experiment: Experiment, game: Stepper, index: int, stream: Array) -> bool:
    """Compare one decision with its twin in a re-dealt state; True when the deal changed."""
    memory = [game.states, *game.contexts]
    saved = [array.tobytes() for array in memory]
    view, seat, kind = game.views.copy(), game.seat, game.kind
    view_bytes = game.views.tobytes()
    expected = _ask(game)
    context_after = game.contexts[game.slot].tobytes()
    _restore(memory, saved)
    game.steps.redeal(game.states, seat, stream)
    was_changed = game.states.tobytes() != saved[0]
    game.look()
    place = f"decision {game.decisions + 1} of game {index}, seed {experiment.seed}"
    again = experiment.command("show", "--index", str(index))
    if (game.seat, game.kind) != (seat, kind) or game.views.tobytes() != view_bytes:
        fields = [
            name
            for name in experiment.rules.view_dtype.names or ()
            if np.any(game.views[name] != view[name])
        ]
        raise LeakError(
            f"the view of {experiment.game} leaks at {place}: {', '.join(fields) or 'the seat'} "
            f"changed when only hidden cards were dealt again. See the game with: {again}"
        )
    actual = _ask(game)
    same_context = game.contexts[game.slot].tobytes() == context_after
    _restore(memory, saved)
    game.look()
    if actual != expected or not same_context:
        raise LeakError(
            f"strategy {experiment.seats[seat].spec!r} knows hidden cards at {place}: its choice "
            f"is {expected}, but {actual} when only hidden cards were dealt again. "
            f"See the game with: {again}"
        )
    return was_changed


def _ask(game: Stepper) -> str:
    """The strategy's action in words, or what it raised: that must be the same too."""
    try:
        return f"`{game.rules.action_text(game.view, game.ask())}`"
    except Exception as error:
        return repr(error)


def _restore(arrays: list[Array], saved: list[bytes]) -> None:
    """Put back every byte; assigning records would leave out their padding."""
    for array, data in zip(arrays, saved, strict=True):
        array.view(np.uint8)[:] = np.frombuffer(data, np.uint8)
