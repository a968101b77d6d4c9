"""Players of President who weigh every play in an account of points, with tuned weights."""

from numba import njit

from sim.bits import EMPTY
from sim.rulesets.president.cards import (
    PASS,
    count_cards,
    count_of,
    from_place,
    lowest_place,
    play,
    play_fillers,
    play_naturals,
    play_place,
)
from strategies import strategy
from strategies.president_hands import (
    count_ranks,
    count_turns,
    fewest_cards,
    finish,
    follow_with,
    hand_after,
    joker_on_all,
    naturals_of,
    wilds_of,
)
from strategies.president_params import defaults, table_of

GAME = "president"
NEVER = -(1 << 40)


#: What each weight is for.
LEAD = {
    "size": "lead: worth of each further card of a group, in a rank's height of 10",
    "block": "lead: worth of a group larger than a small hand of an opponent",
    "stop": "lead: worth of each rank of height where a small hand can follow",
}
FOLLOW = {
    "join": "follow: worth of playing at all",
    "turn": "follow: worth of a group that is gone with it",
    "split": "follow: cost of a group that is broken",
    "filler": "follow: cost of each filler",
    "wild": "follow: cost of each wild card played as itself",
    "high": "follow: cost of each rank of height",
    "danger": "follow: worth while an opponent has one or two cards",
    "near": "follow: worth of each turn less than five that is left afterwards",
    "wide": "follow: worth of each further card of the set",
    "rich": "follow: worth of each wild card in the hand",
}
LIMITS = (-300, 300)
IN_CONTROL = {f"c_{name}": f"in control, {meaning}" for name, meaning in FOLLOW.items()}


@njit
def lead_by_account(v, w):
    """The whole group with the best account: low, large, and out of reach of small hands."""
    small = fewest_cards(v)
    best, most = PASS, NEVER
    cards = naturals_of(v, v.hand)
    if cards == EMPTY:
        cards = v.hand
    while cards != EMPTY:
        place = lowest_place(cards)
        count = count_of(cards, place)
        worth = w.size * (count - 1) - 10 * place
        if small <= 2:
            worth += w.block if count > small else w.stop * place
        if worth > most:
            best, most = play(place, count, 0), worth
        cards = from_place(cards, place + 1)
    return best


@njit
def worth_of_follow(v, action, split, turn, filler, wild, high, near):
    """The account of one play on the trick, but for what all plays on it have in common."""
    place, naturals = play_place(action), play_naturals(action)
    worth = -filler * play_fillers(action) - high * place
    if place >= v.first_wild:
        worth -= wild * naturals
    elif naturals == count_of(v.hand, place):
        worth += turn
    else:
        worth -= split
    left = count_turns(v, hand_after(v, action))
    return worth + near * (5 - left) if left < 5 else worth


@njit
def follow_by_account(v, join, turn, split, filler, wild, high, danger, near, wide, rich):
    """The play with the best account, PASS where none is worth more than nothing."""
    common = join + wide * (v.trick_size - 1) + rich * count_cards(wilds_of(v, v.hand))
    if fewest_cards(v) <= 2:
        common += danger
    best, most = joker_on_all(v), 0
    if best != PASS:
        most = max(common + worth_of_follow(v, best, split, turn, filler, wild, high, near), 0)
        best = best if most > 0 else PASS
    cards = from_place(v.hand, v.trick_rank + 1)
    while cards != EMPTY:
        place = lowest_place(cards)
        action = follow_with(v, place)
        if action != PASS:
            worth = common + worth_of_follow(v, action, split, turn, filler, wild, high, near)
            if worth > most:
                best, most = action, worth
        cards = from_place(cards, place + 1)
    return best


@njit
def play_by_table(v, w):
    """The whole of the policy `table`, for a record of weights."""
    action = finish(v)
    if action != PASS:
        return action
    if v.trick_size == 0:
        return lead_by_account(v, w)
    return follow_by_account(v, w.join, w.turn, w.split, w.filler, w.wild, w.high, w.danger,
                             w.near, w.wide, w.rich)  # fmt: skip


TABLE = table_of(LEAD | FOLLOW, (2, 102, -9, 40, 30, 7, 53, 30, 7, 37, 20, -21, 13), *LIMITS)


@strategy(
    GAME,
    kind="play",
    name="table",
    summary="weighs every play by a table of points",
    source="weights by scripts/tune_president.py",
    **TABLE,
)
def table(view, ctx):
    """One table for all situations."""
    return play_by_table(view, ctx)


# --- with control ---------------------------------------------------------------------------------


@njit
def has_control(v):
    """Whether there is a wild card to take the lead with for every natural group but one."""
    groups = count_ranks(naturals_of(v, v.hand))
    return groups <= 1 + count_cards(wilds_of(v, v.hand))


@njit
def play_by_control(v, w):
    """The whole of the policy `control`, for a record of weights."""
    action = finish(v)
    if action != PASS:
        return action
    if v.trick_size == 0:
        return lead_by_account(v, w)
    if has_control(v):
        return follow_by_account(v, w.c_join, w.c_turn, w.c_split, w.c_filler, w.c_wild, w.c_high,
                                 w.c_danger, w.c_near, w.c_wide, w.c_rich)  # fmt: skip
    return follow_by_account(v, w.join, w.turn, w.split, w.filler, w.wild, w.high, w.danger,
                             w.near, w.wide, w.rich)  # fmt: skip


CONTROL = table_of(
    LEAD | FOLLOW | IN_CONTROL,
    (
        *(19, 55, -54),
        *(39, 51, 1, 74, 30, 6, 20, 8, -8, 13),
        *(38, 58, 0, 41, 16, 6, 11, 9, -28, 21),
    ),
    *LIMITS,
)
#: The weights of `control` as a record, for strategies that build on it.
TUNED = defaults(CONTROL)


@strategy(
    GAME,
    kind="play",
    name="control",
    summary="two tables of points: with enough winners for its losers, and without",
    source="control as in bridge; weights by scripts/tune_president.py",
    **CONTROL,
)
def control(view, ctx):
    """In control the player spends; without it the player waits for cheap tricks."""
    return play_by_control(view, ctx)
