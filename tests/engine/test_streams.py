"""Random streams against an independent implementation, and what they promise."""

import numpy as np
from numba import njit
from scipy.stats import chi2

from sim.rng import bounded, next_word, open_stream, output_of, roots, stream_dtype, uniform
from tests.reference import splitmix


@njit
def words(streams, purpose, count):
    """The first words of a purpose's stream."""
    stream = streams[0]
    open_stream(stream, purpose)
    found = np.empty(count, np.uint64)
    for i in range(count):
        found[i] = next_word(stream)
    return found


@njit
def draws(streams, limits):
    """One bounded draw for each limit."""
    found = np.empty(len(limits), np.int64)
    for i in range(len(limits)):
        found[i] = bounded(streams[0], limits[i])
    return found


def stream_of(seed, game, root=0):
    """The stream record of a game."""
    streams = np.zeros(1, stream_dtype)
    streams["key"] = output_of(np.uint64(roots(seed)[root]), game)
    return streams


def test_published_splitmix_outputs():
    """SplitMix64 from state 1234567 gives the published sequence."""
    expected = [6457827717110365317, 3203168211198807973, 9817491932198370423,
                4593380528125082431, 16408922859458223821]  # fmt: skip
    assert [int(output_of(np.uint64(1234567), n)) for n in range(5)] == expected


def test_raw_stream_equals_the_plain_one():
    """Roots, keys and words agree with plain Python integers."""
    for seed in (0, 1, 7, 2**63 - 1):
        assert roots(seed) == splitmix.roots(seed)
        for game in (0, 1, 999_999_999_999):
            for purpose in (0, 1, 16, 40):
                plain = splitmix.deal_stream(seed, game, purpose)
                compiled = words(stream_of(seed, game), purpose, 50)
                assert compiled.tolist() == [plain.next() for _ in range(50)]


def test_bounded_equals_the_plain_one_for_awkward_limits():
    """Also where words are rejected: limits just above a power of two reject nearly half."""
    limits = np.array([1, 2, 3, 33, 2**62 + 1, 2**63 - 1, (2**63 - 1) // 2 + 2] * 40, np.int64)
    streams = stream_of(3, 5)
    open_stream_by_hand = words(streams, 2, 0)
    assert len(open_stream_by_hand) == 0
    plain = splitmix.deal_stream(3, 5, 2)
    assert draws(streams, limits).tolist() == [plain.bounded(int(n)) for n in limits]


def test_bounded_is_uniform():
    """Chi-square over 33 faces, 1,000,000 draws; false alarm 1 in 10,000 (fixed seed)."""
    streams = stream_of(1, 0)
    words(streams, 0, 0)
    found = draws(streams, np.full(1_000_000, 33, np.int64))
    counts = np.bincount(found, minlength=33)
    statistic = ((counts - 1e6 / 33) ** 2 / (1e6 / 33)).sum()
    assert statistic < chi2.isf(1e-4, 32)


def test_uniform_is_in_the_unit_interval():
    """53 bits, never 1."""

    @njit
    def largest(streams):
        biggest = 0.0
        for _ in range(100_000):
            biggest = max(biggest, uniform(streams[0]))
        return biggest

    assert 0.999 < largest(stream_of(1, 1)) < 1.0


def test_streams_differ():
    """No two (seed, root, game, purpose) of a grid start with the same word."""
    seen = set()
    for seed in range(20):
        for root in (0, 1):
            for game in range(20):
                for purpose in range(20):
                    seen.add(int(words(stream_of(seed, game, root), purpose, 1)[0]))
    assert len(seen) == 20 * 2 * 20 * 20


def test_deal_and_strategy_roots_are_unrelated():
    """Bits of the two roots agree as coins would: 200 seeds, false alarm below 1 in 10,000."""
    same = sum(64 - (a ^ b).bit_count() for a, b in map(roots, range(200)))
    assert abs(same - 200 * 32) < 3.9 * (200 * 64 / 4) ** 0.5
