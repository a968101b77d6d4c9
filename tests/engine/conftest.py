"""Registers the tiny game and its strategies."""

import pytest

import sim.games
import strategies.registry
from tests.engine import tiny_game


@pytest.fixture(scope="package", autouse=True)
def tiny():
    """The tiny ruleset, known to the registry while these tests run."""
    for function in tiny_game.STRATEGIES:
        strategies.registry.register(function)
    yield sim.games.register(tiny_game.RULES)
    sim.games._registered.pop(tiny_game.GAME)
    strategies.registry._registered.pop(tiny_game.GAME)
