"""A strategy for the Memory Duel. Change it, then play it:

playout check FILE:mine
playout run memory-duel --strategy FILE:mine --strategy tempo --games 100k
playout show memory-duel --strategy FILE:mine --strategy tempo --index 7
"""

from sim.rulesets.memory_duel.cards import CALL
from sim.rulesets.memory_duel.legal import pass_on
from strategies import Param, strategy


@strategy(
    "memory-duel",
    summary="calls what the opponent may fail, and before it fails itself",  # one line: the idea
    source="me",
    nerve=Param(0.5, 0.0, 1.0, "raises while one card more is recited with this probability"),
)
def mine(view, ctx):
    """`view` is what the player may know; the value returned is what the player does.

    Every field of the view, every action and every helper stands in docs/memory-duel.md.
    """
    # Without a stack nothing can be called: raise, or with an empty pack decline.
    if view.stack == 0:
        return pass_on(view)
    # What the opponent remembers may be unknown (-1); then take the opponent for an equal.
    odds = view.opponent_recall if view.opponent_recall >= 0.0 else view.own_recall
    if odds < 0.5:
        return CALL
    # One card more, and the opponent calls what this player fails.
    if view.pack > 0 and view.own_recall_next < ctx.nerve:
        return CALL
    return pass_on(view)
