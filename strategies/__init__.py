"""Strategies: one module a game, and the registry that finds them by name."""

from sim.recall import recall_model
from sim.strategy import Outlook, Param, look_up, strategy

__all__ = ["Outlook", "Param", "look_up", "recall_model", "strategy"]
