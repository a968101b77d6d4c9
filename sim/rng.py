"""Random streams: a tree of SplitMix64 generators keyed by (seed, game index, purpose).

SplitMix64 (Steele, Lea, Flood 2014) adds a constant to its state and returns a bijective scramble
of it, so its n-th output is known without the ones before. That makes the tree:

    SHA-256("playout:SEED")  ->  two roots: one for deals, one for strategies
    key of game i            =   output number i of SplitMix64(root)
    start of stream p        =   output number p of SplitMix64(key of game i)

Deals and strategies hang on different roots of a cryptographic hash, so that a strategy cannot
work back from its own random numbers to the cards. A purpose is a small number: which shuffle of
the game it is, or which seat and kind of decision. Nothing depends on how many numbers another
stream has used, nor on the worker, the chunk or the machine.
"""

import hashlib

import numpy as np
from numba import from_dtype, njit

from sim.bits import ONE, U64, multiply_128

GAMMA = U64(0x9E3779B97F4A7C15)
MULTIPLIER_1 = U64(0xBF58476D1CE4E5B9)
MULTIPLIER_2 = U64(0x94D049BB133111EB)

#: `key` belongs to the game, `state` to the stream that is open now.
stream_dtype = np.dtype([("key", np.uint64), ("state", np.uint64)], align=True)
stream_type = from_dtype(stream_dtype)


def roots(seed):
    """The (deal root, strategy root) of a seed as two Python ints of 64 bits."""
    digest = hashlib.sha256(f"playout:{seed}".encode()).digest()
    return int.from_bytes(digest[:8], "little"), int.from_bytes(digest[8:16], "little")


@njit
def scramble(z):
    """SplitMix64's output function: a bijection of 64-bit words."""
    z = (z ^ (z >> U64(30))) * MULTIPLIER_1
    z = (z ^ (z >> U64(27))) * MULTIPLIER_2
    return z ^ (z >> U64(31))


@njit
def output_of(seed_word, n):
    """Output number n (from 0) of the SplitMix64 generator that starts at `seed_word`."""
    return scramble(seed_word + (U64(n) + ONE) * GAMMA)


@njit
def open_stream(stream, purpose):
    """Start the stream of this game for `purpose` (a small int)."""
    stream.state = output_of(stream.key, purpose)


@njit
def next_word(stream):
    """The next 64 random bits as uint64."""
    state = stream.state + GAMMA
    stream.state = state
    return scramble(state)


@njit(forceinline=True)
def bounded_from(state, n):
    """(new state, a uniform uint64 in 0…n-1) from the state of a stream, for a uint64 n.

    Exactly unbiased (Lemire 2019: multiply, reject the short rest).
    """
    state += GAMMA
    high, low = multiply_128(scramble(state), n)
    if low < n:
        threshold = (U64(0) - n) % n
        while low < threshold:
            state += GAMMA
            high, low = multiply_128(scramble(state), n)
    return state, high


@njit
def bounded(stream, n):
    """A uniform int64 in 0…n-1."""
    state, value = bounded_from(stream.state, U64(n))
    stream.state = state
    return np.int64(value)


@njit(forceinline=True)
def shuffle(stream, items, count):
    """Shuffle the first `count` items (an int) of an array (Fisher and Yates, from the end)."""
    state = stream.state
    left = U64(count)
    while left > ONE:
        state, j = bounded_from(state, left)
        left -= ONE
        items[left], items[j] = items[j], items[left]
    stream.state = state


@njit
def uniform(stream):
    """A uniform float64 in [0, 1) with 53 random bits."""
    return np.float64(next_word(stream) >> U64(11)) * (1.0 / 9007199254740992.0)
