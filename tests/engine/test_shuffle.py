"""The Shooting Party's shuffles: every card in every place, and a stream for each shuffle."""

import numpy as np
from numba import njit
from scipy.stats import chi2

from sim.bits import U64
from sim.engine import state_array
from sim.rng import next_word, open_stream, output_of, roots, stream_dtype
from sim.rulesets.shooting_party import RULESET
from sim.rulesets.shooting_party.rules import shuffle_pile


@njit
def count_places(states, streams, root, games, purpose, cards, counts):
    """Shuffle `cards` once a game; counts[place, card] over all games."""
    s, stream = states[0], streams[0]
    for game in range(games):
        stream.key = output_of(root, game)
        s.table.pile = U64(cards)
        shuffle_pile(s, purpose, stream, None)
        for place in range(s.table.pile_size):
            counts[place, s.order[place]] += 1


@njit
def shuffled(states, streams, key, purpose, cards, used_before):
    """The order of `cards` after a shuffle, when other words were used before."""
    s, stream = states[0], streams[0]
    stream.key = key
    open_stream(stream, 3)
    for _ in range(used_before):
        next_word(stream)
    s.table.pile = U64(cards)
    shuffle_pile(s, purpose, stream, None)
    return s.order[: s.table.pile_size].copy()


def test_shuffles_are_uniform_over_all_places():
    """Chi-square of 33 cards x 33 places, 300,000 shuffles each of the first deal, a reshuffle and
    a butler's shuffle; false alarm 1 in 10,000 a shuffle (seed fixed).
    """
    games = 300_000
    for purpose in (0, 2, 16):
        states, streams = state_array(RULESET, RULESET.options()), np.zeros(1, stream_dtype)
        counts = np.zeros((33, 33), np.int64)
        count_places(states, streams, roots(123)[0], games, purpose, 2**33 - 1, counts)
        assert counts.sum() == games * 33
        expected = games / 33
        statistic = ((counts - expected) ** 2 / expected).sum()
        # with row and column sums given, 32 x 32 cells are free
        assert chi2.ppf(1e-4, 32 * 32) < statistic < chi2.isf(1e-4, 32 * 32)


def test_neighbours_are_uniform_too():
    """Chi-square of (card in place 0, card in place 1) over 8 cards; false alarm 1 in 10,000."""
    games = 200_000
    states, streams = state_array(RULESET, RULESET.options()), np.zeros(1, stream_dtype)

    @njit
    def pairs(states, streams, root, games, counts):
        s, stream = states[0], streams[0]
        for game in range(games):
            stream.key = output_of(root, game)
            s.table.pile = U64(255)
            shuffle_pile(s, 0, stream, None)
            counts[s.order[0], s.order[1]] += 1

    counts = np.zeros((8, 8), np.int64)
    pairs(states, streams, roots(9)[0], games, counts)
    assert np.trace(counts) == 0
    expected = games / 56
    off_diagonal = counts[~np.eye(8, dtype=bool)]
    statistic = ((off_diagonal - expected) ** 2 / expected).sum()
    assert statistic < chi2.isf(1e-4, 55)


def test_a_shuffle_depends_on_its_cards_and_its_number_alone():
    """Words used by an earlier stream change nothing; another number or game changes the order."""
    states, streams = state_array(RULESET, RULESET.options()), np.zeros(1, stream_dtype)
    cards = 0b1111_0000_1111_0110_0101
    first = shuffled(states, streams, np.uint64(77), 1, cards, 0).tolist()
    assert shuffled(states, streams, np.uint64(77), 1, cards, 50).tolist() == first
    assert sorted(first) == [c for c in range(33) if cards >> c & 1]
    assert shuffled(states, streams, np.uint64(77), 2, cards, 0).tolist() != first
    assert shuffled(states, streams, np.uint64(78), 1, cards, 0).tolist() != first
