"""Trying a plan of the Shooting Party on cards as they could come: what it is worth afterwards.

`make_trial` makes the trial from a search and its scale of probabilities, so that training (real
numbers) and play (whole numbers) run the same lines.
"""

from numba import njit

from sim.bits import EMPTY, U64, copy_record
from sim.rulesets.shooting_party import rules
from sim.rulesets.shooting_party.cards import (
    ACE,
    FETCH,
    LEAVE,
    PAIR,
    QUEEN,
    QUEENS,
    SEDUCE,
    action_kind,
)
from strategies.shooting_party_plans import first_step


@njit
def take_note(noted, plan):
    """Put a noted plan into a work record."""
    plan.butler = noted.butler
    plan.hand = noted.hand
    plan.cards = noted.cards
    plan.end = noted.end


@njit
def lost_aces(t):
    """The queens that were scored without their aces, as a set."""
    return t.scored & QUEENS & ~(t.scored >> U64(ACE - QUEEN))


def make_trial(best_plan, after_choice, lowest, probability, certain):
    """The trial of a plan for a search made by `make_search`.

    `probability(value)` is the probability of a value of the search, on a scale on which what is
    `certain` has that number; `lowest` is below every value.
    """
    nothing = certain - certain

    @njit
    def probability_of(work, value):
        """The probability that belongs to the plan in `work`."""
        if work.certain != 0:
            return certain if work.certain > 0 else nothing
        return probability(value)

    @njit
    def value_now(net, s, work, copy):
        """The value of a position in which the player is to decide, or of the end of the game."""
        t = s.table
        if s.over:
            return certain if t.scored & QUEENS == QUEENS and lost_aces(t) == EMPTY else nothing
        if t.husband_suit < 0:
            return probability_of(work, best_plan(net, work, lowest, t))
        best = nothing
        for keep in (False, True):
            copy_record(t, copy)
            best = max(best, probability_of(work, after_choice(net, work, lowest, copy, keep)))
        return best

    @njit
    def try_plan(net, plan, s, stream, work, copy):
        """Carry out a plan until cards have come; its value then. `plan` and `s` are spoilt."""
        while True:
            action = first_step(plan, s.table.hand)
            kind = action_kind(action)
            # a fetched card that sends everybody away is followed by a draw
            sent_away = kind == FETCH and plan.end == LEAVE
            rules.apply(s, action, stream, None)
            if kind == PAIR or kind == LEAVE or kind == SEDUCE or s.over or sent_away:
                return value_now(net, s, work, copy)

    return try_plan
