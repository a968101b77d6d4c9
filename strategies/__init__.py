"""Strategies: one module a game, and the registry that finds them by name."""

from sim.strategy import Param, strategy

__all__ = ["Param", "strategy"]
