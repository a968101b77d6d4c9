"""Named combinations: each play policy with the gift that suits it, so that one name is a whole.

A hand that takes few turns suits every way to play, so all but `groups` give as `fewest-turns`.
Other combinations are written `gift=split,play=control`.
"""

from numba import njit

from strategies import strategy
from strategies.president_gifts import GAME, TURNS, give_for_turns, keep_together
from strategies.president_params import defaults

USUAL = defaults(TURNS)


def with_play(name, gift="fewest-turns"):
    """Declare the gift of a named combination."""
    return strategy(
        GAME,
        kind="gift",
        name=name,
        summary=f"the gift that goes with the play {name}: as {gift}",
        source="this project's combination",
    )


@njit
def usual_gift(view):
    """As `fewest-turns`."""
    return give_for_turns(view, USUAL)


@with_play("groups", "keep-pairs")
def groups_gift(view, ctx):
    """Who never breaks a group in play does not in a gift."""
    return keep_together(view, ctx)


@with_play("save-wilds")
def save_wilds_gift(view, ctx):
    """As `fewest-turns`."""
    return usual_gift(view)


@with_play("winners")
def winners_gift(view, ctx):
    """As `fewest-turns`."""
    return usual_gift(view)


@with_play("danger")
def danger_gift(view, ctx):
    """As `fewest-turns`."""
    return usual_gift(view)


@with_play("table")
def table_gift(view, ctx):
    """As `fewest-turns`."""
    return usual_gift(view)


@with_play("control")
def control_gift(view, ctx):
    """As `fewest-turns`."""
    return usual_gift(view)


@with_play("endgame")
def endgame_gift(view, ctx):
    """As `fewest-turns`."""
    return usual_gift(view)


@with_play("monte-carlo")
def monte_carlo_gift(view, ctx):
    """As `fewest-turns`."""
    return usual_gift(view)
