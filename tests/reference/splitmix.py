"""The random streams of the project once more, in plain Python integers and nothing else."""

import hashlib
from typing import TypeVar

T = TypeVar("T")

TWO_64 = 1 << 64
MASK = TWO_64 - 1
GAMMA = 0x9E3779B97F4A7C15


def finalize(z: int) -> int:
    """Mix 64 bits so that each bit of the answer depends on all of them."""
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


def roots(seed: int) -> tuple[int, int]:
    """Return the deal root and the strategy root of a seed."""
    digest = hashlib.sha256(f"playout:{seed}".encode()).digest()
    return int.from_bytes(digest[:8], "little"), int.from_bytes(digest[8:16], "little")


def game_key(root: int, game: int) -> int:
    """Return the key of one game: output number `game` of the generator started at the root."""
    return finalize((root + (game + 1) * GAMMA) & MASK)


def stream_start(key: int, purpose: int) -> int:
    """Return the state in which the stream for one purpose of a game starts."""
    return finalize((key + (purpose + 1) * GAMMA) & MASK)


class Stream:
    """A SplitMix64 generator, with the unbiased draws the project builds on it."""

    def __init__(self, state: int) -> None:
        """Start at a state of 64 bits."""
        self.state = state & MASK

    def next(self) -> int:
        """Return the next 64 random bits."""
        self.state = (self.state + GAMMA) & MASK
        return finalize(self.state)

    def bounded(self, n: int) -> int:
        """Return a number of 0..n-1, each equally likely (multiply high, reject the overhang)."""
        high, low = divmod(self.next() * n, TWO_64)
        if low < n:
            overhang = (TWO_64 - n) % n
            while low < overhang:
                high, low = divmod(self.next() * n, TWO_64)
        return high

    def shuffle(self, items: list[T]) -> None:
        """Shuffle a list in place (Fisher-Yates, from the end)."""
        for i in range(len(items) - 1, 0, -1):
            j = self.bounded(i + 1)
            items[i], items[j] = items[j], items[i]


def deal_stream(seed: int, game: int, purpose: int) -> Stream:
    """Return the stream that deals: one for each shuffle of each game."""
    return Stream(stream_start(game_key(roots(seed)[0], game), purpose))


def strategy_stream(seed: int, game: int, seat: int = 0, kind: int = 0) -> Stream:
    """Return the stream from which the strategy of a seat draws, apart from all deals."""
    return Stream(stream_start(game_key(roots(seed)[1], game), seat + 16 * kind))
