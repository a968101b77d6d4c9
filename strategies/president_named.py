"""The gifts that go with each play policy, so that its name alone is a whole strategy."""

from collections import namedtuple

from strategies import strategy
from strategies.president_gifts import GAME, give_for_turns, keep_together

Weights = namedtuple("Weights", "turn wild")
TURNS = Weights(4, 10)


def with_play(name):
    """Declare the gift of a named combination that counts turns."""
    return strategy(
        GAME, kind="gift", name=name,
        summary=f"the gift that goes with the play {name}: as fewest-turns",
        source="this project",
    )


@with_play("winners")
def winners_gift(view, ctx):
    """As `fewest-turns`."""
    return give_for_turns(view, TURNS)


@with_play("save-wilds")
def save_wilds_gift(view, ctx):
    """As `fewest-turns`."""
    return give_for_turns(view, TURNS)


@with_play("danger")
def danger_gift(view, ctx):
    """As `fewest-turns`."""
    return give_for_turns(view, TURNS)


@with_play("groups")
def groups_gift(view, ctx):
    return keep_together(view, ctx)


@with_play("table")
def table_gift(view, ctx):
    return give_for_turns(view, TURNS)


@with_play("control")
def control_gift(view, ctx):
    return give_for_turns(view, TURNS)


@with_play("endgame")
def endgame_gift(view, ctx):
    return give_for_turns(view, TURNS)


@with_play("monte-carlo")
def monte_carlo_gift(view, ctx):
    return give_for_turns(view, TURNS)
