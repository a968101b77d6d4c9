"""A strategy for The Shooting Party. Change it, then play it:

playout check FILE:mine
playout run shooting-party --strategy FILE:mine --games 100k
playout show shooting-party --strategy FILE:mine --index 7
"""

from sim.bits import EMPTY, count_bits, has, without_lowest
from sim.rulesets.shooting_party.cards import (
    DISCARD,
    JOKER,
    QUEENS,
    action_cards,
    action_kind,
    dismiss,
    draw_pair,
    king_and_jack,
    leave_room,
    seduce,
)
from sim.rulesets.shooting_party.legal import count_legal, nth_legal
from strategies import Param, strategy


@strategy(
    "shooting-party",
    summary="clears any pair, seduces when it can",  # one line: the idea
    source="me",
    patience=Param(5, 0, 6, "the largest hand that draws a pair instead of leaving"),
)
def mine(view, ctx):
    """`view` is what the player may know; the value returned is what the player does.

    Sets of cards are 64-bit words, one bit a card. Every field of the view, every action and every
    helper stands in docs/shooting-party.md.
    """
    # A queen's husband holds her jack, and one must choose (SP-10).
    if view.husband_suit >= 0:
        return king_and_jack()
    # Alone with a queen: the one way to score.
    if view.hand & QUEENS != EMPTY and without_lowest(view.hand) == EMPTY:
        return seduce()
    # Discard the first set there is that leaves the queens in the room.
    for n in range(count_legal(view)):
        action = nth_legal(view, n)
        if action_kind(action) == DISCARD and action_cards(action) & QUEENS == EMPTY:
            return action
    if count_bits(view.hand) <= min(ctx.patience, view.draw_limit):
        return draw_pair()
    return dismiss() if has(view.hand, JOKER) else leave_room()
