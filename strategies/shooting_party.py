"""The yardsticks of the Shooting Party: `random` and `tidy`, as the rules define them."""

from numba import njit

from sim.bits import EMPTY, U64, bit, count_bits, has, lowest_bit, without_lowest
from sim.rng import bounded
from sim.rulesets.shooting_party.cards import (
    ACE,
    JOKER,
    JOKER_SET,
    ONE_RANK,
    ONE_SUIT,
    QUEEN,
    QUEENS,
    discard,
    dismiss,
    draw_pair,
    fetch_ace,
    king_and_jack,
    leave_room,
    seduce,
)
from sim.rulesets.shooting_party.legal import count_legal, nth_legal
from strategies import strategy

GAME = "shooting-party"
YARDSTICK = "the yardstick of the rules"


@strategy(
    GAME,
    name="random",
    summary="any legal action, all equally likely",
    source=YARDSTICK,
    uses_chance=True,
)
def random(view, ctx):
    """The yardstick `random` of the rules."""
    return nth_legal(view, bounded(ctx, count_legal(view)))


@njit
def rank_of_three_or_more(cards):
    """The lowest rank (as its club) with most cards, if that is three or four of them, else -1."""
    twos = cards - ((cards >> U64(1)) & U64(0x55555555))
    counts = (twos & U64(0x33333333)) + ((twos >> U64(2)) & U64(0x33333333))  # 4 bits a rank
    four = counts & U64(0x44444444)
    if four != EMPTY:
        return lowest_bit(four) & ~3
    three = counts & (counts >> U64(1)) & ONE_SUIT
    return lowest_bit(three) if three != EMPTY else -1


@njit
def smallest_pair(cards):
    """The smallest two of one rank or one suit, compared card by card; empty if there are none."""
    while cards != EMPTY:
        low = lowest_bit(cards)
        cards = without_lowest(cards)
        partners = cards & ((ONE_SUIT << U64(low & 3)) | (ONE_RANK << U64(low & ~3)))
        if partners != EMPTY:
            return bit(low) | (partners & (EMPTY - partners))
    return EMPTY


@njit
def largest_set(cards):
    """The largest set of SP-9 in cards without a joker, the smallest of equals; or empty."""
    rank = rank_of_three_or_more(cards)
    if rank >= 0:
        return cards & (ONE_RANK << U64(rank))
    return smallest_pair(cards)


@strategy(GAME, summary="clears the largest set without a queen, draws if none", source=YARDSTICK)
def tidy(view, ctx):
    """The yardstick `tidy` of the rules: the first that is legal of

    seduce; with joker and queen alone, her ace out of the pile, or else the joker for nothing; the
    largest set without a queen, the smallest of equals; a pair; the joker for nothing; leave.
    """
    if view.husband_suit >= 0:
        return king_and_jack()
    hand = view.hand
    queens = hand & QUEENS
    if queens != EMPTY and without_lowest(queens) == EMPTY:
        if hand == queens:
            return seduce()
        if hand == queens | JOKER_SET:
            suit = lowest_bit(queens) - QUEEN
            return fetch_ace(suit) if has(view.pile, ACE + suit) else dismiss()
    cards = largest_set(hand & ~(QUEENS | JOKER_SET))
    if cards != EMPTY:
        return discard(cards)
    if count_bits(hand) <= view.draw_limit:
        return draw_pair()
    return dismiss() if has(hand, JOKER) else leave_room()
