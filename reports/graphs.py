"""Directed graphs of a few nodes: what can be reached, and which cycles there are."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

Links = NDArray[np.bool_]


def reachable(links: Links) -> Links:
    """(m, m): whether j can be reached from i along links[i, j] in any number of steps, also 0."""
    reach = links | np.eye(len(links), dtype=bool)
    for _ in range(len(links).bit_length()):
        reach = reach @ reach
    return reach


def _steps_home(links: Links, home: int) -> list[int]:
    """Fewest links from each node to `home` among nodes numbered `home` or higher (-1: no way)."""
    steps = [-1] * len(links)
    steps[home] = 0
    queue = deque([home])
    while queue:
        node = queue.popleft()
        for before in np.flatnonzero(links[:, node]):
            if before > home and steps[before] < 0:
                steps[before] = steps[node] + 1
                queue.append(int(before))
    return steps


def _loops(links: Links, path: list[int], length: int, steps: list[int]) -> Iterator[list[int]]:
    """Cycles of this length that begin with `path`, its first node being their lowest."""
    left = length - len(path)
    if left == 0:
        if links[path[-1], path[0]]:
            yield list(path)
        return
    for node in map(int, np.flatnonzero(links[path[-1]])):
        if node not in path and 0 < steps[node] <= left:
            yield from _loops(links, [*path, node], length, steps)


def cycles(links: Links) -> Iterator[list[int]]:
    """All cycles without a repeated node, the shortest first, each from its lowest node."""
    homes = [(home, _steps_home(links, home)) for home in range(len(links))]
    for length in range(2, len(links) + 1):
        for home, steps in homes:
            yield from _loops(links, [home], length, steps)
