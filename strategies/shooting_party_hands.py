"""What a hand of the Shooting Party can come to: the words that the ladder's strategies share."""

from numba import njit

from sim.bits import EMPTY, ONE, U64, bit, count_bits, has, lowest_bit, without_lowest
from sim.rulesets.shooting_party.cards import (
    ACE,
    ACES,
    JACK,
    JACKS,
    JOKER_SET,
    KING,
    ONE_RANK,
    QUEEN,
    QUEENS,
    discard,
    fetch,
    fetch_ace,
)
from strategies.shooting_party_sets import clears, next_discard

NOTHING = -1  # no action
NEVER = -(10**9)  # below every worth


@njit
def same_rank(card):
    """The set of the four cards of this card's rank."""
    return ONE_RANK << U64(card & ~3)


@njit
def live_queens(v):
    """The queens to be scored whose aces lie on the table."""
    return (v.display >> U64(ACE - QUEEN)) & QUEENS & ~v.scored


@njit
def waiting_queens(v):
    """The queens to be scored whose aces are still in the pile."""
    return (v.pile >> U64(ACE - QUEEN)) & QUEENS & ~v.scored


@njit
def can_clear(cards):
    """Whether conversation can remove exactly these cards (the joker never talks)."""
    return cards & JOKER_SET == EMPTY and clears(cards)


@njit
def clear(cards):
    """The discard to begin with when all of `cards` are to go."""
    return discard(next_discard(cards))


@njit
def lone_queen(hand, wanted):
    """A queen of `wanted` in the hand with whom one can be alone at once, or the empty set."""
    queens = hand & wanted
    while queens != EMPTY:
        queen = queens & (EMPTY - queens)
        if can_clear(hand & ~queen):
            return queen
        queens ^= queen
    return EMPTY


@njit
def next_kept(hand, kept):
    """The next smaller sub-hand of `hand`, counted down from the whole hand to the empty one."""
    return (kept - ONE) & hand


@njit
def disturbs(v, hand, card):
    """Whether etiquette would act if the butler brought `card` into the hand."""
    rank, suit = card & ~3, card & 3
    if rank == QUEEN:
        if v.rivals and hand & QUEENS != EMPTY:
            return True
        return v.husbands and has(hand, KING + suit)
    if rank == KING:
        return v.husbands and has(hand, QUEEN + suit)
    return v.secretaries and rank == JACK and hand & JACKS != EMPTY


@njit
def talking_queen(hand):
    """The queen of a hand (the longest there matters little), or the empty set."""
    queens = hand & QUEENS
    return queens & (EMPTY - queens)


@njit
def guests(hand):
    """The cards of a hand that have to be cleared: all but the joker and one queen."""
    return hand & ~(JOKER_SET | talking_queen(hand))


@njit
def is_odd_one_out(hand):
    """Whether the hand is of the right parity: a queen (here or to come) can be left over alone.

    Cards come and go in twos, so without an odd event (a triple, the joker, a queen lost to a
    rival) a hand of even size never comes down to one card. The joker makes up for either parity.
    """
    return hand & JOKER_SET != EMPTY or count_bits(hand) & 1 == 1


@njit
def fetch_partner(v, wanted):
    """The butler's fetch after which one can be alone with a wanted queen, or NOTHING.

    The fetched card is the missing partner of an odd card, or the queen herself, for whom the
    hand is cleared first.
    """
    hand = v.hand & ~JOKER_SET
    choices = v.discards
    while choices != EMPTY:
        card = lowest_bit(choices)
        choices = without_lowest(choices)
        if lone_queen(hand | bit(card), wanted) == EMPTY:
            continue
        if not disturbs(v, hand, card):
            return fetch(card)
        if has(wanted, card) and hand != EMPTY and can_clear(hand):
            return clear(hand)
    return NOTHING


@njit
def best_ace_to_fetch(v):
    """The suit whose ace is worth most: its queen may still come from the pile. -1 if none."""
    aces = v.pile & ACES & ~((v.scored & QUEENS) << U64(ACE - QUEEN))
    coming = aces & ((v.pile & QUEENS) << U64(ACE - QUEEN))
    if coming != EMPTY:
        return lowest_bit(coming) - ACE
    return lowest_bit(aces) - ACE if aces != EMPTY else -1


@njit
def her_ace(queen):
    """Send the butler for the ace of this queen."""
    return fetch_ace(lowest_bit(queen) - QUEEN)
