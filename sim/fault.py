"""What to say when a strategy stops a run: who, where, what was legal, and how to see it again."""

import sim.interpreted as interpreted
from sim.engine import StoppedError
from sim.errors import PlayError
from sim.experiment import Experiment
from sim.stepper import Stepper

MOST_LISTED = 12


def describe(experiment: Experiment, stopped: StoppedError) -> PlayError:
    """The error to show for a stopped game; the game is played again up to the fault."""
    rules = experiment.rules
    game = Stepper(rules, experiment.options, experiment.seed, stopped.game, experiment.seating)
    action, cause = 0, stopped.cause
    while not game.over:
        try:
            action = game.ask()
        except Exception as error:
            cause = error
            python = experiment.seating.strategies[game.slot].python
            if python is not None and interpreted.debugging:
                interpreted.show_traceback(error, python.function)
            break
        if not game.is_legal(action):
            cause = None
            break
        game.apply(action)
    else:
        return PlayError(
            f"game {stopped.game} of seed {experiment.seed} stopped once and did not stop again: "
            f"a strategy does not act the same way twice ({cause})"
        )
    seat = experiment.seats[game.seat]
    part = seat.parts[game.kind]
    who = f"strategy {part.text()!r}"
    if rules.seats(experiment.options) > 1:
        who += f" (seat {game.seat})"
    place = f"game {stopped.game} of seed {experiment.seed}, decision {game.decisions + 1}"
    if len(rules.kinds) > 1:
        place += f" ({rules.kinds[game.kind]})"
    again = f"See it with: {experiment.command('show', '--index', str(stopped.game))}"
    if cause is not None:
        return PlayError(f"{who} failed in {place}: {_reason(cause)}. {again}")
    legal = [rules.action_text(game.view, a) for a in game.legal_actions()]
    listed = "; ".join(legal[:MOST_LISTED])
    if len(legal) > MOST_LISTED:
        listed += f"; and {len(legal) - MOST_LISTED} more"
    chosen, clause = rules.action_text(game.view, action), rules.clause_of(game.view, action)
    return PlayError(
        f"{who} chose an illegal action in {place}: {chosen} ({clause}). "
        f"Legal are: {listed}. {again}"
    )


def _reason(error: BaseException) -> str:
    lines = str(error).splitlines()
    text = f"{type(error).__name__}: {lines[0]}" if lines else type(error).__name__
    return text.rstrip(".")
