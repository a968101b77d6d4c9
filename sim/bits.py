"""Bit operations for card sets held in one 64-bit word, as single machine instructions.

A set of cards is a `uint64`, bit i for card i. numba turns `uint64 + int64` into a float or a
signed number depending on the version, so kernels wrap every literal in `U64`.
"""

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.core import cgutils
from numba.extending import _Intrinsic, intrinsic

U64 = np.uint64
EMPTY = U64(0)
ONE = U64(1)


class _CallableIntrinsic(_Intrinsic):
    """An intrinsic that plain Python can call as well (see `sim.interpreted`)."""

    def __call__(self, *args):
        return self.python(*args)


def in_python(function):
    """Give an intrinsic a plain-Python twin, for calls from outside compiled code."""

    def give(compiled):
        compiled.__class__ = _CallableIntrinsic
        compiled.python = function
        return compiled

    return give


def _halves(a, b):
    product = int(a) * int(b)
    return U64(product >> 64), U64(product & (2**64 - 1))


def _lowest(word):
    return np.int64((int(word) & -int(word)).bit_length() - 1 if word else 64)


def _copy(source, target):
    for name in source.dtype.names:
        target[name] = source[name]


@in_python(_halves)
@intrinsic
def multiply_128(typingctx, a, b):
    """(high, low) 64-bit halves of the 128-bit product of two uint64."""
    signature = types.UniTuple(types.uint64, 2)(types.uint64, types.uint64)

    def generate(context, builder, sig, args):
        wide, word = ir.IntType(128), ir.IntType(64)
        product = builder.mul(builder.zext(args[0], wide), builder.zext(args[1], wide))
        high = builder.trunc(builder.lshr(product, ir.Constant(wide, 64)), word)
        low = builder.trunc(product, word)
        return context.make_tuple(builder, sig.return_type, [high, low])

    return signature, generate


@in_python(np.int64)
@intrinsic
def opaque(typingctx, number):
    """An int64 as it is, of which the compiler knows nothing: a loop with it is not vectorised.

    For short loops of rare cases: their vectors take the registers of the hot loop they are merged
    into, and games took half as long again.
    """
    signature = types.int64(types.int64)

    def generate(context, builder, sig, args):
        word = ir.IntType(64)
        return builder.asm(ir.FunctionType(word, [word]), "", "=r,0", [args[0]], True)

    return signature, generate


@in_python(_lowest)
@intrinsic
def lowest_bit(typingctx, word):
    """Index of the lowest set bit of a uint64 as int64; 64 for an empty word."""
    signature = types.int64(types.uint64)

    def generate(context, builder, sig, args):
        i1, i64 = ir.IntType(1), ir.IntType(64)
        function = cgutils.get_or_insert_function(
            builder.module, ir.FunctionType(i64, [i64, i1]), "llvm.cttz.i64"
        )
        return builder.call(function, [args[0], ir.Constant(i1, 0)])

    return signature, generate


@in_python(lambda word: np.int64(64 - int(word).bit_length()))
@intrinsic
def leading_zeros(typingctx, word):
    """Number of zero bits above the highest set bit of a uint64 as int64; 64 when empty."""
    signature = types.int64(types.uint64)

    def generate(context, builder, sig, args):
        i1, i64 = ir.IntType(1), ir.IntType(64)
        function = cgutils.get_or_insert_function(
            builder.module, ir.FunctionType(i64, [i64, i1]), "llvm.ctlz.i64"
        )
        return builder.call(function, [args[0], ir.Constant(i1, 0)])

    return signature, generate


@in_python(lambda word: np.int64(int(word).bit_count()))
@intrinsic
def count_bits(typingctx, word):
    """Number of set bits of a uint64 as int64."""
    signature = types.int64(types.uint64)

    def generate(context, builder, sig, args):
        i64 = ir.IntType(64)
        function = cgutils.get_or_insert_function(
            builder.module, ir.FunctionType(i64, [i64]), "llvm.ctpop.i64"
        )
        return builder.call(function, [args[0]])

    return signature, generate


@njit
def bit(card):
    """The set that holds only `card` (an int in 0…63)."""
    return ONE << U64(card)


@njit
def has(cards, card):
    """Whether the set `cards` holds `card`."""
    return (cards >> U64(card)) & ONE != EMPTY


@njit
def without_lowest(cards):
    """The set `cards` without its lowest card."""
    return cards & (cards - ONE)


@njit
def nth_bit(cards, n):
    """The n-th card (0 = lowest) of a set that has more than n cards."""
    for _ in range(n):
        cards &= cards - ONE
    return lowest_bit(cards)


#: Larger records are copied in one go: of 19 words that was slower, of 36 quicker (10 % of a game).
MOST_WORDS = 32


@in_python(_copy)
@intrinsic
def copy_record(typingctx, source, target):
    """Copy one record into another of the same type, word by word when it is small.

    A wide load of words that were stored one by one a moment ago must wait until they have left the
    store buffer; with `memcpy` a game took up to a quarter longer. Atomic accesses are plain moves
    in machine code that are not merged into wide ones.
    """
    if source != target:
        raise TypeError("copy_record needs two records of one type")
    signature = types.void(source, target)

    def generate(context, builder, sig, args):
        size = sig.args[0].size
        word = ir.IntType(64)
        if size % 8 or size > 8 * MOST_WORDS:
            cgutils.raw_memcpy(builder, args[1], args[0], ir.Constant(word, size), 1, align=8)
            return context.get_dummy_value()
        old, new = (builder.bitcast(record, word.as_pointer()) for record in args)
        for i in range(size // 8):
            place = [ir.Constant(word, i)]
            value = builder.load_atomic(builder.gep(old, place), "unordered", 8)
            builder.store_atomic(value, builder.gep(new, place), "unordered", 8)
        return context.get_dummy_value()

    return signature, generate


@in_python(_copy)
@intrinsic
def copy_fields(typingctx, source, target):
    """Copy the fields of a record, in one block, into those of the same names in another record.

    There they must lie together, in the same order and of the same types, eight bytes each; else a
    TypeError says so. A block is one or two wide stores, where one for each word took longer. The
    words should have been stored some time ago (see `copy_record`).
    """
    names = list(source.fields)
    # smaller ones could leave a gap at the end, which would be copied over what follows
    if any(getattr(source.fields[name].type, "bitwidth", 0) != 64 for name in names):
        raise TypeError("copy_fields needs a record of fields of eight bytes each")
    if not all(name in target.fields for name in names):
        raise TypeError("copy_fields needs a record that has all fields of the other")
    begin = target.fields[names[0]].offset
    for name in names:
        old, new = source.fields[name], target.fields[name]
        if old.type != new.type or old.offset != new.offset - begin:
            raise TypeError(f"copy_fields needs the field {name} at the same place in both records")
    signature = types.void(source, target)

    def generate(context, builder, sig, args):
        place = cgutils.pointer_add(builder, args[1], begin)
        size = ir.Constant(ir.IntType(64), sig.args[0].size)
        cgutils.raw_memcpy(builder, place, args[0], size, 1, align=8)
        return context.get_dummy_value()

    return signature, generate
