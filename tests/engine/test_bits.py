"""`opaque` changes nothing but how a loop is compiled."""

import numpy as np
from numba import njit

from sim.bits import opaque


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
