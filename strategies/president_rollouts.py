"""Monte Carlo for President: every play tried on hands dealt anew, in fits with all that is known.

All plays are tried on the same deals. A third of them stays, and is tried on three times as many
(after the sequential halving of Karnin, Koren and Somekh 2013). The rest of each round is played by
`control` in all seats; a play is worth the average rank that comes of it.
"""

import numpy as np
from numba import njit

from sim.bits import EMPTY, copy_record
from sim.rng import next_word, stream_dtype
from sim.rulesets.president import rules
from sim.rulesets.president.cards import (
    PASS,
    count_of,
    from_place,
    lowest_place,
    play,
)
from sim.rulesets.president.hidden import redeal
from sim.rulesets.president.legal import count_fillers
from sim.rulesets.president.state import state_dtype
from strategies import Param, strategy
from strategies.president_account import TUNED, play_by_control
from strategies.president_endgame import play_endgame
from strategies.president_hands import finish, follow_with, joker_on_all
from strategies.president_states import has_cards, inlined, lay_out, rank_of

GAME = "president"
MOST_PLAYS = 40
#: A play with its trials: ranks gained beside the expected play, and their squares.
WORK = np.dtype([("action", np.int64), ("gain", np.int64), ("squares", np.int64)])


@njit
def note(work, count, action):
    """Note a play, unless it is the first one again or there is no room; how many there are now."""
    if count == MOST_PLAYS or work[0].action == action:
        return count
    work[count].action = action
    return count + 1


@njit
def note_plays(v, expected, work):
    """Note the play that is expected first, then the others that are worth a trial.

    Leading: each whole group, alone and with a filler, and a single card of it. Following: to pass,
    the set of each rank with fewest fillers, the joker of PR-8.
    """
    work[0].action = expected
    count = 1
    leads = v.trick_size == 0
    if not leads:
        count = note(work, count, PASS)
        joker = joker_on_all(v)
        if joker != PASS:
            count = note(work, count, joker)
    cards = from_place(v.hand, v.trick_rank + 1)
    while cards != EMPTY:
        place = lowest_place(cards)
        naturals = count_of(cards, place)
        if not leads:
            action = follow_with(v, place)
            if action != PASS:
                count = note(work, count, action)
        else:
            count = note(work, count, play(place, naturals, 0))
            if naturals > 1:
                count = note(work, count, play(place, 1, 0))
            if place < v.first_wild and count_fillers(v, place) > 0:
                count = note(work, count, play(place, naturals, 1))
        cards = from_place(cards, place + 1)
    return count


@inlined
def play_round_out(s, me, stream):
    """Play on until the player is out or the round is over; the player's rank."""
    while not s.over and has_cards(s, me):
        rules.apply(s, play_by_control(s.table, TUNED), stream, None)
    return rank_of(s, me)


@inlined
def try_plays(view, ctx, work, count, deals, states, streams):
    """Try plays on so many deals, the same for all, and note how they did beside the first."""
    base, s, stream = states[0], states[1], streams[0]
    for _ in range(deals):
        stream.key = next_word(ctx)
        stream.state = next_word(ctx)
        redeal(base, view.seat, stream)
        expected = 0
        for k in range(count):
            copy_record(base, s)
            rules.apply(s, work[k].action, stream, None)
            rank = play_round_out(s, view.seat, stream)
            if k == 0:
                expected = rank
            work[k].gain += expected - rank
            work[k].squares += (expected - rank) ** 2


@njit
def swap(work, i, j):
    """Let two noted plays change places."""
    work[i].action, work[j].action = work[j].action, work[i].action
    work[i].gain, work[j].gain = work[j].gain, work[i].gain
    work[i].squares, work[j].squares = work[j].squares, work[i].squares


@njit
def drop_losers(work, count):
    """Keep a third of the plays: the first, and the best of the others next to it."""
    kept = max(2, (count + 2) // 3)
    for k in range(1, kept):
        best = k
        for other in range(k + 1, count):
            if work[other].gain > work[best].gain:
                best = other
        swap(work, k, best)
    return kept


@inlined
def best_play(view, ctx, work, count):
    """The play with the best average rank, if it is clearly better than the first.

    Clearly: by `margin` standard errors of the mean difference on the deals that both played.
    """
    states, streams = np.empty(2, state_dtype), np.empty(1, stream_dtype)
    lay_out(view, states[0])
    deals, total = ctx.samples, 0
    while True:
        try_plays(view, ctx, work, count, deals, states, streams)
        total += deals
        if count == 2:
            break
        count = drop_losers(work, count)
        deals *= 3
    best = work[1]
    variance = best.squares - best.gain * best.gain / total
    return best.action if best.gain > ctx.margin * np.sqrt(variance) else work[0].action


@strategy(
    GAME,
    kind="play",
    name="monte-carlo",
    summary="tries every play on hands dealt anew as far as they are not known",
    source="rollouts with sequential halving (Karnin, Koren and Somekh 2013)",
    uses_chance=True,
    samples=Param(
        8, 2, 10_000, "deals that each play is tried on first; three times as many later"
    ),
    margin=Param(1.0, 0.0, 10.0, "standard errors by which a play must be better than expected"),
    cards=Param(14, 2, 26, "most cards of the last two hands that are searched exactly"),
    nodes=Param(3000, 1, 10_000_000, "positions looked at before the search is given up"),
)
def monte_carlo(view, ctx):
    """The play with the best average rank; what is certain is not left to samples."""
    action = finish(view)
    if action != PASS:
        return action
    action = play_endgame(view, ctx.cards, ctx.nodes)
    if action >= 0:
        return action
    work = np.zeros(MOST_PLAYS, WORK)
    expected = play_by_control(view, TUNED)
    count = note_plays(view, expected, work)
    return best_play(view, ctx, work, count) if count > 1 else expected
