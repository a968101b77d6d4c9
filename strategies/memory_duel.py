"""The yardsticks of the memory duel: `random` and `threshold`, as the rules define them."""

from sim.rng import bounded
from sim.rulesets.memory_duel.cards import CALL
from sim.rulesets.memory_duel.legal import pass_on
from strategies import Param, strategy

GAME = "memory-duel"
YARDSTICK = "the yardstick of the rules"


@strategy(
    GAME,
    summary="a coin decides whether to call",
    source=YARDSTICK,
    uses_chance=True,
)
def random(view, ctx):
    """Call with probability 1/2 whenever a call is legal, also at the end."""
    if view.stack == 0:
        return pass_on(view)
    return CALL if bounded(ctx, 2) == 1 else pass_on(view)


@strategy(
    GAME,
    summary="calls when the stack has k cards or more",
    source=YARDSTICK,
    k=Param(5, 1, 208, "the stack that is called"),
)
def threshold(view, ctx):
    """Call exactly when the stack has k cards or more."""
    return CALL if view.stack >= ctx.k else pass_on(view)
