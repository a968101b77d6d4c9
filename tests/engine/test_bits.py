"""Bit operations: compiled and in plain Python they say the same."""

import random

import numpy as np
import pytest
from numba import njit

from sim.bits import (
    copy_fields,
    copy_record,
    count_bits,
    leading_zeros,
    lowest_bit,
    multiply_128,
    nth_bit,
    opaque,
)

CHANCE = random.Random(1)
WORDS = [
    0,
    1,
    2**63,
    2**64 - 1,
    *(CHANCE.getrandbits(64) >> CHANCE.randint(0, 60) for _ in range(200)),
]


@njit
def compiled(word, other):
    return (
        count_bits(word), lowest_bit(word), leading_zeros(word), multiply_128(word, other)
    )  # fmt: skip


def test_plain_python_says_the_same():
    """Also the types: a uint64 word gives int64 numbers."""
    for a, b in zip(WORDS, reversed(WORDS), strict=True):
        word, other = np.uint64(a), np.uint64(b)
        found = (count_bits(word), lowest_bit(word), leading_zeros(word), multiply_128(word, other))
        assert found == compiled(word, other), a
        assert found[0] == a.bit_count()
        assert all(isinstance(number, np.int64) for number in found[:3])
        assert (int(found[3][0]) << 64) + int(found[3][1]) == a * b


def test_njit_helpers_can_be_called_from_python():
    assert nth_bit(np.uint64(0b10110), 1) == 2


@pytest.mark.parametrize("words", [3, 40])
def test_records_are_copied(words):
    """Small and large ones, compiled and not."""
    dtype = np.dtype([(f"f{n}", np.uint64) for n in range(words)])
    source, target = np.zeros(2, dtype), np.zeros(2, dtype)
    source[0] = tuple(range(words))

    @njit
    def copy(sources, targets):
        copy_record(sources[0], targets[0])

    copy(source, target)
    copy_record(source[0], target[1])
    assert (target == source[0]).all()


@njit
def counted(n):
    """A loop that would be vectorised."""
    total = 0
    for i in range(n):
        total = opaque(total + i)
    return total


def test_opaque_returns_what_it_is_given():
    assert [counted(n) for n in (0, 1, 100)] == [0, 0, 4950]
    assert counted(np.int64(7)) == 21
    assert opaque(np.int64(-5)) == -5


def test_fields_are_copied_into_those_of_the_same_names():
    """Compiled and not; the fields around them stay as they are."""
    part = np.dtype([("b", np.int64), ("c", np.float64)])
    whole = np.dtype([("a", np.int64), *((name, part[name]) for name in "bc"), ("d", np.int64)])
    source = np.zeros(1, part)
    source[0] = (5, 0.25)
    first, second = np.ones(1, whole), np.ones(1, whole)

    @njit
    def copy(sources, targets):
        copy_fields(sources[0], targets[0])

    copy(source, first)
    copy_fields(source[0], second[0])
    assert first.tolist() == second.tolist() == [(1, 5, 0.25, 1)]


def test_fields_of_other_sizes_are_refused():
    """A gap at the end of the one would be copied over what follows in the other."""
    source = np.zeros(1, np.dtype([("b", np.int64), ("c", np.uint8)], align=True))
    target = np.zeros(1, np.dtype([("b", np.int64), ("c", np.uint8), ("d", np.uint8)], align=True))

    @njit
    def copy(sources, targets):
        copy_fields(sources[0], targets[0])

    with pytest.raises(TypeError, match="eight bytes each"):
        copy(source, target)


@pytest.mark.parametrize(
    "fields",
    [
        [("b", np.int64)],  # one is missing
        [("b", np.int64), ("x", np.int64), ("c", np.float64)],  # another lies between
        [("c", np.float64), ("b", np.int64)],  # the order
        [("b", np.int64), ("c", np.int64)],  # the type
    ],
)
def test_fields_that_lie_otherwise_are_refused(fields):
    """When the copy is compiled, not when it runs."""
    source, target = np.zeros(1, [("b", np.int64), ("c", np.float64)]), np.zeros(1, fields)

    @njit
    def copy(sources, targets):
        copy_fields(sources[0], targets[0])

    with pytest.raises(TypeError, match="copy_fields needs"):
        copy(source, target)
