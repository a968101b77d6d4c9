"""The look two steps ahead: what it shares with the learned player, and its odds."""

import numpy as np
import pytest

from sim.engine import play
from sim.experiment import Experiment
from strategies.shooting_party_lookahead import CERTAIN, HALF, PROBABILITY, STEP

GAMES = 60


def rows_of(spec, seed=11):
    experiment = Experiment.make("shooting-party", [spec], seed=seed)
    return play(experiment.rules, experiment.options, experiment.seating, seed, 0, GAMES).rows


def test_with_one_plan_it_is_the_learned_player():
    """There is nothing to compare then, so every game ends as the learned player's."""
    assert (rows_of("lookahead(plans=1)") == rows_of("learned")).all()


def test_more_plans_change_games_and_samples_decide():
    """The search has a say, and what it says depends on the orders of the pile it tries."""
    few, many = rows_of("lookahead(samples=1)"), rows_of("lookahead(samples=8)")
    assert (few != rows_of("learned")).any()
    assert (few != many).any()


def test_probabilities_of_values():
    """The table is the logistic function at steps of 1/64, symmetric and never decreasing."""
    assert PROBABILITY[HALF] == CERTAIN // 2
    assert (np.diff(PROBABILITY) >= 0).all()
    assert (PROBABILITY + PROBABILITY[::-1] == CERTAIN).all()
    assert PROBABILITY[HALF + 64] / CERTAIN == pytest.approx(1 / (1 + np.exp(-1)), abs=2**-16)
    assert STEP > 0
