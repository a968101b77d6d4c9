"""The random streams of the reference against published numbers and against plain counting."""

import hashlib
from collections import Counter
from itertools import permutations

from .splitmix import GAMMA, MASK, Stream, deal_stream, finalize, game_key, roots, stream_start


def test_published_outputs() -> None:
    """The first outputs of SplitMix64 for two seeds, as its authors' code prints them."""
    assert Stream(0).next() == 0xE220A8397B1DCDAF
    stream = Stream(1234567)
    assert [stream.next() for _ in range(3)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
    ]


def test_keys_are_outputs_of_their_roots() -> None:
    """Game g has output g of the generator at the root, purpose p output p at the game key."""
    deal_root, strategy_root = roots(1)
    digest = hashlib.sha256(b"playout:1").hexdigest()
    assert f"{deal_root.to_bytes(8, 'little').hex()}" == digest[:16]
    assert f"{strategy_root.to_bytes(8, 'little').hex()}" == digest[16:32]
    keys, starts = Stream(deal_root), Stream(game_key(deal_root, 5))
    assert [game_key(deal_root, g) for g in range(9)] == [keys.next() for _ in range(9)]
    assert [stream_start(game_key(deal_root, 5), p) for p in range(9)] == [
        starts.next() for _ in range(9)
    ]


def unmix(value: int) -> int:
    """Undo `finalize`, to build streams with chosen outputs."""
    value ^= value >> 31 ^ value >> 62
    value = value * pow(0x94D049BB133111EB, -1, 1 << 64) & MASK
    value ^= value >> 27 ^ value >> 54
    value = value * pow(0xBF58476D1CE4E5B9, -1, 1 << 64) & MASK
    return value ^ value >> 30 ^ value >> 60


def test_bounded_rejects_the_overhang() -> None:
    """An output of 0 is one too many for n = 3 and is drawn again; for n = 2 none is."""
    start = (unmix(0) - GAMMA) & MASK
    assert Stream(start).next() == 0
    assert finalize(unmix(12345)) == 12345
    third, half = Stream(start), Stream(start)
    second = finalize((start + 2 * GAMMA) & MASK)
    assert third.bounded(3) == second * 3 >> 64
    assert third.state == (start + 2 * GAMMA) & MASK
    assert half.bounded(2) == 0
    assert half.state == (start + GAMMA) & MASK
    assert all(Stream(seed).bounded(1) == 0 for seed in range(9))


def test_shuffles_are_even() -> None:
    """All 24 orders of four cards come up about equally often (chi-squared, 23 degrees)."""
    counts: Counter[tuple[str, ...]] = Counter()
    for game in range(4800):
        cards = list("abcd")
        deal_stream(1, game, 0).shuffle(cards)
        counts[tuple(cards)] += 1
    assert set(counts) == set(permutations("abcd"))
    assert sum((count - 200) ** 2 / 200 for count in counts.values()) < 58.6  # P(more) = 0.00006
