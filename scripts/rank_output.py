"""What `run` prints of a game with ranks: finishing positions, and the moves from rank to rank."""

from __future__ import annotations

from typing import Any

from reports.intervals import Interval
from reports.numbers import format_count, format_mean
from reports.rank_parts import LEVEL, MEANINGS, METHOD
from reports.rank_plots import TITLES
from reports.ranks import FIGURES, RankMoves
from scripts.output import print_table


def ranks_as_dict(moves: RankMoves) -> dict[str, Any]:
    """Finishing positions (seat by rank), moves (rank by rank) and their figures for JSON."""
    told: dict[str, Any] = {
        "rounds": moves.rounds,
        "finishes": moves.places.tolist(),
        "moves": moves.moves.tolist(),
    }
    if not moves.has_matrix:
        return told
    told["matrix"] = moves.matrix.tolist()
    figures: dict[str, Any] = {
        name: {"value": float(value)} for name, value in zip(FIGURES, moves.figures, strict=True)
    }
    if moves.has_intervals:
        low, high, figures_low, figures_high = moves.limits(LEVEL)
        told |= {"matrix_low": low.tolist(), "matrix_high": high.tolist()}
        for number, name in enumerate(FIGURES):
            figures[name] |= {
                "low": float(figures_low[number]),
                "high": float(figures_high[number]),
            }
    return told | {"figures": figures, "level": LEVEL, "method": METHOD}


def print_ranks(moves: RankMoves) -> None:
    """Both tables for people."""
    seats = [
        [f"seat {seat}", *(f"{100 * count / moves.rounds:.1f} %" for count in row)]
        for seat, row in enumerate(moves.places.tolist())
    ]
    print_table(f"Finishing positions in {format_count(moves.rounds)} rounds",
                ["", *TITLES], seats)  # fmt: skip
    if not moves.has_matrix:
        return
    low, high, *ends = moves.limits(LEVEL) if moves.has_intervals else [None] * 4

    def shown(value: float, below: Any, above: Any) -> str:
        if below is None:
            return f"{value:.3f}"
        return format_mean(value, Interval(float(below), float(above), LEVEL, METHOD))

    def limit(values: Any, *at: int) -> Any:
        return None if values is None else values[at]

    rows = [
        [TITLES[i], *(shown(float(moves.matrix[i, j]), limit(low, i, j), limit(high, i, j))
                      for j in range(len(TITLES)))]
        for i in range(len(TITLES))
    ]  # fmt: skip
    print_table("Moves between ranks, from one round to the next", ["from \\ to", *TITLES], rows)
    for number, name in enumerate(FIGURES):
        value = shown(float(moves.figures[number]), *(limit(end, number) for end in ends))
        print(f"{MEANINGS[name]}: {value}")
    if moves.has_intervals:
        print(f"Intervals: {METHOD}, each number alone, {100 * LEVEL:g} %.")
    print()
