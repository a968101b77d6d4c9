"""A strategy for The Memory Duel. Change it, then play it:

playout check FILE:mine
playout run memory-duel --strategy FILE:mine --strategy optimal --games 20k
playout show memory-duel --strategy FILE:mine --index 7
"""

from sim.rulesets.memory_duel.cards import CALL
from sim.rulesets.memory_duel.legal import pass_on
from strategies import Param, strategy


@strategy(
    "memory-duel",
    summary="calls when the opponent more likely fails, or the stack is long",  # the idea
    source="me",
    doubt=Param(0.5, 0.0, 1.0, "calls when the opponent recites with at most this probability"),
    limit=Param(5, 1, 208, "calls such a stack when the opponent's memory is unknown"),
)
def mine(view, ctx):
    """`view` is what the player may know; the value returned is what the player does.

    A call is legal with a card on the stack; `pass_on(view)` is the other thing that can be done:
    it raises, or with an empty pack declines. Every field of the view stands in
    docs/memory-duel.md.
    """
    if view.stack == 0:
        return pass_on(view)
    # The opponent's recall model may be hidden (option known_opponent, MD-9).
    if view.opponent_recall < 0.0:
        return CALL if view.stack >= ctx.limit else pass_on(view)
    return CALL if view.opponent_recall <= ctx.doubt else pass_on(view)
