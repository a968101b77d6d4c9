"""What the player may do, by the view."""

from numba import njit

from sim.rulesets.memory_duel.cards import CALL, DECLINE, RAISE


@njit
def count_legal(v):
    """How many legal actions the player has."""
    return 2 if v.stack > 0 else 1


@njit
def pass_on(v):
    """What a player does who does not call: raise, or decline when the pack is empty. MD-3, MD-6"""
    return RAISE if v.pack > 0 else DECLINE


@njit
def nth_legal(v, n):
    """The n-th legal action: raise (with an empty pack: decline), then call."""
    return pass_on(v) if n == 0 else CALL
