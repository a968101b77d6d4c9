"""The exact odds of the next pair, against trying every pair in plain Python."""

import itertools
import random
from fractions import Fraction

import numpy as np
import pytest
from numba import njit

from sim.rulesets.shooting_party.cards import ACE, JACK, JOKER, KING, QUEEN, view_dtype
from strategies.shooting_party_odds import CERTAIN, odds_of_any, odds_of_clearing, odds_of_triple

PICK = random.Random(11)
CARDS = [*range(ACE), JOKER]


@njit
def ask(views, hand, wanted, cards):
    """The three odds for one view."""
    return (
        odds_of_clearing(views[0], hand, wanted),
        odds_of_any(views[0], cards),
        odds_of_triple(views[0], hand),
    )


def a_set(cards):
    return np.uint64(sum(1 << card for card in cards))


def rank(card):
    return card >> 2


def acquainted(a, b):
    return JOKER not in (a, b) and (rank(a) == rank(b) or a & 3 == b & 3)


def fewest_left(cards):
    """How many cards at least are left when a hand is cleared in twos, by trying all."""
    if not cards:
        return 0
    first, rest = cards[0], cards[1:]
    left = [1 + fewest_left(rest)]
    for other in rest:
        if acquainted(first, other):
            left.append(fewest_left([card for card in rest if card != other]))
    return min(left)


def may_talk(cards):
    """Whether these cards can leave together: two of a suit, or any of a rank."""
    same_suit = len(cards) == 2 and len({card & 3 for card in cards}) == 1
    return same_suit or len({rank(card) for card in cards}) == 1


def can_go(cards):
    """Whether conversation can clear them all, by trying all."""
    if not cards:
        return True
    first, rest = cards[0], cards[1:]
    return any(
        may_talk([first, *others]) and can_go([card for card in rest if card not in others])
        for size in (1, 2, 3)
        for others in itertools.combinations(rest, size)
    )


def calls_etiquette(cards):
    queens = [card for card in cards if rank(card) == rank(QUEEN)]
    jacks = [card for card in cards if rank(card) == rank(JACK)]
    return len(queens) > 1 or len(jacks) > 1 or any(q + KING - QUEEN in cards for q in queens)


def does(hand, pair, wanted, discards):
    """Whether a wanted queen can be had alone after this pair."""
    everybody = [*hand, *pair]
    if calls_etiquette(everybody):
        return False
    joker = JOKER in everybody
    queens = [card for card in everybody if rank(card) == rank(QUEEN)]
    rest = [card for card in everybody if card not in queens and card != JOKER]
    if queens:
        return queens[0] in wanted and (can_go(rest) or (joker and fewest_left(rest) == 1))
    return JOKER in hand and bool(set(discards) & set(wanted)) and can_go(rest)


def position(case):
    """A hand without etiquette, a pile, the discards and the wanted queens."""
    while True:
        cards = PICK.sample(CARDS, len(CARDS))
        size = PICK.randint(1, 5)
        hand, pile, discards = cards[:size], cards[size : size + 12], cards[size + 12 :]
        queens = [card for card in hand if rank(card) == rank(QUEEN)]
        where = {"here": hand, "coming": pile, "lost": discards}[case]
        wanted = [card for card in where if rank(card) == rank(QUEEN)]
        fits = bool(queens) == (case == "here") and (case != "lost" or JOKER in hand)
        if wanted and fits and not calls_etiquette(hand):
            return hand, pile, discards, wanted


@pytest.mark.parametrize("case", ["here", "coming", "lost"])
def test_odds_equal_all_pairs(case):
    """60 positions with the wanted queen in the hand, in the pile or in the discard pile."""
    views = np.zeros(1, view_dtype)
    views["husbands"] = views["rivals"] = views["secretaries"] = 1
    above = 0
    for _ in range(60):
        hand, pile, discards, wanted = position(case)
        views["pile"] = a_set([*pile, ACE])
        views["discards"] = a_set(discards)
        clearing, jacks, _ = ask(views, a_set(hand), a_set(wanted), a_set(range(JACK, JACK + 4)))
        pairs = list(itertools.combinations(pile, 2))
        hits = sum(does(hand, pair, wanted, discards) for pair in pairs)
        assert clearing == CERTAIN * Fraction(hits, len(pairs)) // 1, (hand, pile, wanted)
        above += hits > 0
        free = sum(all(rank(card) != rank(JACK) for card in pair) for pair in pairs)
        assert jacks == CERTAIN - CERTAIN * Fraction(free, len(pairs)) // 1
    assert above > 20


def test_odds_of_a_triple():
    """Two fives wait for the others; jacks never count, for two of them end the conversation."""
    views = np.zeros(1, view_dtype)
    views["secretaries"] = 1
    views["pile"] = a_set([14, 15, 0, 5])
    assert ask(views, a_set([12, 13]), a_set([]), a_set([]))[2] == CERTAIN - CERTAIN // 6
    assert ask(views, a_set([12, 1]), a_set([]), a_set([]))[2] == 0
    views["pile"] = a_set([JACK + 2, JACK + 3, 0, 5])
    assert ask(views, a_set([JACK, JACK + 1]), a_set([]), a_set([]))[2] == 0
