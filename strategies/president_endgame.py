"""The endgame of President: with two players left the other hand is known, and can be searched."""

import numpy as np

from sim.bits import copy_record
from sim.rng import stream_dtype
from sim.rulesets.president import rules
from sim.rulesets.president.cards import PASS, SECRETARY, count_cards
from sim.rulesets.president.known import unseen_cards
from sim.rulesets.president.legal import count_legal, nth_legal
from sim.rulesets.president.state import state_dtype
from strategies import Param, strategy
from strategies.president_account import TUNED, play_by_control
from strategies.president_hands import count_opponents
from strategies.president_states import inlined, lay_out, rank_of

GAME = "president"
#: Two hands and the turns between them: no line of play is longer than their cards and passes.
MOST_DEPTH = 120
#: What a search may come to; any other result is the action that wins.
LOST, UNKNOWN = -1, -2


@inlined
def search(view, states, streams, nodes):
    """The action that goes out before the last opponent whatever he does, LOST or UNKNOWN.

    `nodes` positions are looked at before it is given up. Depth first: the positions of the line
    that is looked at lie in `states`, with the number of the next action to try in each.
    """
    me = view.seat
    left = np.empty(MOST_DEPTH, np.int64)
    depth = 0
    lay_out(view, states[0])
    left[0] = count_legal(states[0].table)
    action = np.int64(PASS)
    while nodes > 0:
        # a position in which all is tried is lost for the player who is to move there
        wins = False
        decided = left[depth] == 0
        if decided:
            wins = states[depth].table.seat != me
        elif depth + 1 < MOST_DEPTH:
            left[depth] -= 1
            nodes -= 1
            s = states[depth + 1]
            copy_record(states[depth], s)
            tried = nth_legal(states[depth].table, left[depth])
            if depth == 0:
                action = tried
            rules.apply(s, tried, streams[0], None)
            depth += 1
            decided = s.over != 0
            if decided:
                wins = rank_of(s, me) == SECRETARY
            else:
                left[depth] = count_legal(s.table)
        else:
            return UNKNOWN
        while decided:
            if depth == 0:
                return LOST
            depth -= 1
            # the result is that of the position before, if its player wanted it
            decided = wins == (states[depth].table.seat == me)
            if decided and depth == 0:
                return action
    return UNKNOWN


@inlined
def play_endgame(view, cards, nodes):
    """The winning action of a small enough endgame, else LOST or UNKNOWN."""
    if count_opponents(view) > 1:
        return UNKNOWN
    if count_cards(view.hand) + count_cards(unseen_cards(view)) > cards:
        return UNKNOWN
    return search(view, np.empty(MOST_DEPTH, state_dtype), np.empty(1, stream_dtype), nodes)


@strategy(
    GAME,
    kind="play",
    name="endgame",
    summary="control, and with two players left an exact search of the known hands",
    source="depth-first search of both hands, which are known by counting",
    cards=Param(14, 2, 26, "most cards of both hands together that are searched"),
    nodes=Param(3000, 1, 10_000_000, "positions looked at before the search is given up"),
)
def endgame(view, ctx):
    """Play as `control`; when the last opponent's hand is known, search for a sure way out."""
    action = play_endgame(view, ctx.cards, ctx.nodes)
    return action if action >= 0 else play_by_control(view, TUNED)
