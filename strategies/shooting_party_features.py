"""What the learned player of the Shooting Party looks at: a position as a short list of numbers.

A position here is what the table looks like right before cards are drawn: the player has decided to
draw a pair or a new hand, and no card of it is known yet. Only public knowledge enters (SP-17).

Each of the `SLOTS` questions below has one answer, a row of one big table (`ROWS` rows); the first
layer of the value function is the sum of the rows. That makes large patterns cheap: the places of
all four fives are one of 81 answers, not twelve yes/no features. Ranks 2 to 5 play the same part in
the game and share their rows; suits do too, so they are put in an order of their own first.
"""

import numpy as np
from numba import njit

from sim.bits import EMPTY, U64, count_bits, has
from sim.rulesets.shooting_party.cards import (
    ACE,
    JACK,
    JOKER,
    JOKER_SET,
    KING,
    ONE_RANK,
    QUEEN,
    QUEENS,
)
from strategies.shooting_party_sets import RANKS_IN_HAND, odd_parts

#: What is about to be drawn.
PAIR_COMES, HAND_COMES = 0, 1

PATTERNS = 81  # of the cards of one rank or of a suit's low cards: each in hand, pile or discards
LOW_CARDS = U64(0xFFFF)  # ranks 2 to 5
LOW_RANKS = 4

# --- the first row of each group ------------------------------------------------------------------
LOW_PATTERN = 0  # shared by the ranks 2 to 5
JACK_PATTERN = LOW_PATTERN + PATTERNS
KING_PATTERN = JACK_PATTERN + PATTERNS
COURT = KING_PATTERN + PATTERNS  # of a suit: places of ace, queen, king, jack
COURT_SIZE = 3 * 4 * 3 * 3
LOW_COUNTS = COURT + COURT_SIZE  # of a suit: low cards in hand, in the pile, places of ace, queen
LOW_COUNTS_SIZE = 25 * 12
PILE = LOW_COUNTS + LOW_COUNTS_SIZE  # cards in the pile, passes left
PILE_SIZE = 34 * 3
PROGRESS = PILE + PILE_SIZE  # queens scored, passes left, eighth of the pile
PROGRESS_SIZE = 5 * 3 * 9
HAND = PROGRESS + PROGRESS_SIZE  # size, odd parts, queen, joker; or the start of a new hand
HAND_SIZE = 8 * 5 * 3 * 3
NEW_HAND = HAND + HAND_SIZE
NEW_HAND_SIZE = 3 * 5
TRIPLES = NEW_HAND + NEW_HAND_SIZE  # how a triple could come about
TRIPLES_SIZE = 4 * 4 * 4 * 2
ROWS = TRIPLES + TRIPLES_SIZE

#: (first row, row after the last, how many of them add up) for each group.
GROUPS = (
    (LOW_PATTERN, JACK_PATTERN, LOW_RANKS),
    (JACK_PATTERN, KING_PATTERN, 1),
    (KING_PATTERN, COURT, 1),
    (COURT, LOW_COUNTS, 4),
    (LOW_COUNTS, PILE, 4),
    (PILE, PROGRESS, 1),
    (PROGRESS, HAND, 1),
    (HAND, TRIPLES, 1),
    (TRIPLES, ROWS, 1),
)
#: Number of rows that add up for a position.
SLOTS = sum(count for _, _, count in GROUPS)


@njit
def place_of(card, hand, pile):
    """0 in the discard pile (or scored, or not in the game), 1 in hand, 2 in the pile."""
    if has(hand, card):
        return 1
    return 2 if has(pile, card) else 0


@njit
def ace_and_queen(suit, hand, pile, display, scored):
    """The places of a suit's ace (pile, table, gone) and queen (hand, pile, discards, scored)."""
    if has(display, ACE + suit):
        ace = 1
    else:
        ace = 0 if has(pile, ACE + suit) else 2
    if has(scored, QUEEN + suit):
        return ace * 4 + 3
    if has(hand, QUEEN + suit):
        return ace * 4
    return ace * 4 + (1 if has(pile, QUEEN + suit) else 2)


@njit
def pattern(suits_in_hand, suits_in_pile, weight):
    """The places of a rank's cards as a number of base 3, suits in the order of `weight`."""
    total = 0
    for suit in range(4):
        total += weight[suit] * (((suits_in_hand >> suit) & 1) + 2 * ((suits_in_pile >> suit) & 1))
    return total


@njit
def describe(hand, pile, display, scored, reshuffles_left, coming, weight, rows):
    """Fill `rows` (SLOTS numbers) with the answers for a position; `weight`: 4 words of scratch."""
    passes = min(reshuffles_left, 2)
    # Suits: each with its state, the four sorted by it
    n = 0
    k0 = k1 = k2 = k3 = 0
    for suit in range(4):
        state = ace_and_queen(suit, hand, pile, display, scored)
        low_hand = low_count(hand, suit)
        low_pile = low_count(pile, suit)
        rows[n] = COURT + (
            (state * 3 + place_of(KING + suit, hand, pile)) * 3 + place_of(JACK + suit, hand, pile)
        )
        rows[n + 4] = LOW_COUNTS + (low_hand * 5 + low_pile) * 12 + state
        key = (((state & 3) * 3 + (state >> 2)) * 5 + low_hand) * 5 + low_pile
        key = key * 4 + suit
        # insertion into k0 <= k1 <= k2 <= k3
        if suit == 0:
            k0 = key
        elif suit == 1:
            k0, k1 = min(k0, key), max(k0, key)
        elif suit == 2:
            k1, k2 = min(k1, key), max(k1, key)
            k0, k1 = min(k0, k1), max(k0, k1)
        else:
            k2, k3 = min(k2, key), max(k2, key)
            k1, k2 = min(k1, k2), max(k1, k2)
            k0, k1 = min(k0, k1), max(k0, k1)
        n += 1
    weight[k0 & 3] = 1
    weight[k1 & 3] = 3
    weight[k2 & 3] = 9
    weight[k3 & 3] = 27
    n = 8
    # Ranks
    most = with_pile = with_discards = 0
    for rank in range(RANKS_IN_HAND):
        if 4 * rank == QUEEN:
            continue
        in_hand = np.int64((hand >> U64(4 * rank)) & ONE_RANK)
        in_pile = np.int64((pile >> U64(4 * rank)) & ONE_RANK)
        first = LOW_PATTERN
        if 4 * rank == JACK:
            first = JACK_PATTERN
        elif 4 * rank == KING:
            first = KING_PATTERN
        rows[n] = first + pattern(in_hand, in_pile, weight)
        n += 1
        count = count_bits(U64(in_hand))
        most = max(most, count)
        if count >= 2:
            with_pile += 1 if in_pile else 0
            with_discards += 1 if in_hand | in_pile != 15 else 0
    queen = 0
    if hand & QUEENS != EMPTY:
        queen = 1 if (hand & QUEENS) << U64(ACE - QUEEN) & display != EMPTY else 2
    joker = place_of(JOKER, hand, pile)
    won = count_bits(scored & QUEENS)
    size = count_bits(pile)
    rows[n] = PILE + size * 3 + passes
    rows[n + 1] = PROGRESS + (won * 3 + passes) * 9 + (size + 3) // 4
    if coming == HAND_COMES:
        rows[n + 2] = NEW_HAND + won * 3 + joker
    else:
        odd = min(odd_parts(hand & ~(QUEENS | JOKER_SET)), 4)
        held = min(count_bits(hand), 7)
        rows[n + 2] = HAND + ((held * 5 + odd) * 3 + queen) * 3 + joker
    rows[n + 3] = TRIPLES + (
        ((min(most, 3) * 4 + min(with_pile, 3)) * 4 + min(with_discards, 3)) * 2 + min(queen, 1)
    )


@njit
def low_count(cards, suit):
    """How many of a suit's cards 2 to 5 a set holds."""
    return count_bits((cards & LOW_CARDS) >> U64(suit) & U64(0x1111))
