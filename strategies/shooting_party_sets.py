"""Which cards of a Shooting Party hand can be talked out of the room together. SP-9

Cards are the edges of a graph between suits and ranks: two cards may leave as a pair exactly when
their edges meet. A connected graph with an even number of edges always splits into paths of two
edges (Kotzig 1957), so a set of cards can be cleared by pairs exactly when every connected part of
it has an even number of cards: no search is needed. Larger sets of one rank change nothing but the
parity, so it is enough to try triples on top.
"""

import numpy as np
from numba import njit

from sim.bits import EMPTY, U64, count_bits, without_lowest
from sim.rulesets.shooting_party.cards import ONE_RANK, ONE_SUIT

RANKS_IN_HAND = 7  # 2 3 4 5 J Q K: an ace never is


def _partitions():
    """The 15 ways to split the four suits into groups; first the one where each is alone."""
    found = [(1, 2, 4, 8)]
    for partition in found:  # grows while it is walked
        for a in range(len(partition)):
            for b in range(a + 1, len(partition)):
                rest = [group for i, group in enumerate(partition) if i not in (a, b)]
                merged = tuple(sorted([*rest, partition[a] | partition[b]]))
                if merged not in found:
                    found.append(merged)
    return found


def _tables():
    """(partition, suits of a rank) -> partition, and (partition, odd suits) -> odd groups."""
    partitions = _partitions()
    joined = np.zeros((len(partitions), 16), np.uint8)
    odd = np.zeros((len(partitions), 16), np.uint8)
    for p, groups in enumerate(partitions):
        for suits in range(16):
            met = sum(group for group in groups if group & suits)
            apart = [group for group in groups if not group & suits]
            joined[p, suits] = partitions.index(tuple(sorted([*apart, met] if met else apart)))
            odd[p, suits] = sum((group & suits).bit_count() & 1 for group in groups)
    return joined, odd


JOINED, ODD = _tables()


@njit
def odd_parts(cards):
    """How many connected parts of a set (no aces, no joker) have an odd number of cards."""
    partition = 0
    odd_suits = 0
    for _ in range(RANKS_IN_HAND):
        suits = np.int64(cards & ONE_RANK)
        partition = np.int64(JOINED[partition, suits])
        odd_suits ^= suits
        cards >>= U64(4)
    return np.int64(ODD[partition, odd_suits])


@njit
def clears(cards):
    """Whether legal discards can remove exactly this set (no aces, no joker). SP-9"""
    if odd_parts(cards) == 0:
        return True
    for rank in range(RANKS_IN_HAND):
        suits = (cards >> U64(4 * rank)) & ONE_RANK
        if count_bits(suits) < 3:
            continue
        spared = suits if count_bits(suits) == 4 else EMPTY  # one of four suits stays, or none
        while True:
            triple = (suits & ~(spared & (EMPTY - spared))) << U64(4 * rank)
            if clears_with_triple_above(cards & ~triple, rank):
                return True
            spared = without_lowest(spared)
            if spared == EMPTY:
                break
    return False


@njit
def clears_with_triple_above(cards, rank):
    """Whether pairs, and at most one triple of a higher rank, remove exactly this set.

    A hand has at most seven cards, so two triples leave at most one card over.
    """
    if odd_parts(cards) == 0:
        return True
    for higher in range(rank + 1, RANKS_IN_HAND):
        suits = (cards >> U64(4 * higher)) & ONE_RANK
        if count_bits(suits) == 3 and cards == suits << U64(4 * higher):
            return True
    return False


@njit
def next_discard(cards):
    """The first set to discard on the way to discarding all of `cards`, which must clear.

    First in the order of `nth_legal` among those that leave a set that clears: pairs of a suit,
    then sets of a rank.
    """
    for suit in range(4):
        first = cards & (ONE_SUIT << U64(suit))
        while first != EMPTY:
            low = first & (EMPTY - first)
            first ^= low
            others = first
            while others != EMPTY:
                pair = low | (others & (EMPTY - others))
                others = without_lowest(others)
                if clears(cards & ~pair):
                    return pair
    for rank in range(RANKS_IN_HAND):
        suits = (cards >> U64(4 * rank)) & ONE_RANK
        subset = suits
        # all subsets of two or more, smallest number first
        subset = EMPTY
        while True:
            subset = (subset - suits) & suits
            if subset == EMPTY:
                break
            if without_lowest(subset) != EMPTY and clears(cards & ~(subset << U64(4 * rank))):
                return subset << U64(4 * rank)
    return EMPTY
