"""Sets of game indices as sorted, disjoint ranges [start, stop)."""

from collections.abc import Iterable

Range = tuple[int, int]


def merged(ranges: Iterable[Range]) -> list[Range]:
    """Sorted ranges, neighbours joined."""
    result: list[Range] = []
    for start, stop in sorted(ranges):
        if result and start <= result[-1][1]:
            result[-1] = (result[-1][0], max(result[-1][1], stop))
        elif start < stop:
            result.append((start, stop))
    return result


def gaps(done: Iterable[Range], stop: int) -> list[Range]:
    """What is missing of [0, stop)."""
    result, at = [], 0
    for first, last in merged(done):
        if first >= stop:
            break
        if first > at:
            result.append((at, first))
        at = max(at, last)
    if at < stop:
        result.append((at, stop))
    return result


def size(ranges: Iterable[Range]) -> int:
    """How many indices disjoint ranges hold."""
    return sum(stop - start for start, stop in ranges)
