"""Parts of a report on a run of a game with ranks: its matrix of moves, its finishing positions."""

from __future__ import annotations

from collections.abc import Sequence

from reports.intervals import Interval
from reports.numbers import format_count, format_mean
from reports.page import Cell, Figure, Table
from reports.parts import percent
from reports.plots import HeatCell, heat
from reports.rank_plots import TITLES
from reports.ranks import FIGURES, RankMoves, ranks_of
from reports.words import Number, Sentence
from sim.tally import Tally

LEVEL = 0.95
METHOD = "percentiles, whole games resampled"
MEANINGS = {
    "escape": "rounds until a Janitor gets up",
    "passage": "rounds from Janitor to President",
    "prais": "Prais-Shorrocks index",
}


def rank_parts(
    name: str, label: str, tally: Tally, commands: Sequence[str]
) -> tuple[Figure | Table, ...]:
    """The matrix with its figures and the finishing positions; nothing for other games."""
    moves = ranks_of(tally)
    if moves is None:
        return ()
    places = _places(name, label, moves, commands)
    return (_matrix(name, label, moves, commands), places) if moves.has_intervals else (places,)


def _matrix(name: str, label: str, moves: RankMoves, commands: Sequence[str]) -> Figure:
    low, high, figures_low, figures_high = moves.limits(LEVEL)
    cells = {
        (i, j): HeatCell(
            float(moves.matrix[i, j]),
            f"{moves.matrix[i, j]:.3f}",
            f"{low[i, j]:.3f} to {high[i, j]:.3f}",
        )
        for i in range(len(TITLES))
        for j in range(len(TITLES))
    }
    picture = heat(
        f"{name}-moves",
        cells,
        rows=list(enumerate(TITLES)),
        columns=list(enumerate(TITLES)),
        title=f"Moves between ranks, {label}",
        row_axis="from",
        column_axis="to",
    )
    note = Sentence.of(
        "{rounds} rounds. Each row: what becomes of a rank in the next round; below each share its "
        "interval. ",
        rounds=Number(format_count(moves.rounds)),
    )
    for number, figure in enumerate(FIGURES):
        limits = Interval(float(figures_low[number]), float(figures_high[number]), LEVEL, METHOD)
        note += Sentence.of(
            MEANINGS[figure][:1].upper() + MEANINGS[figure][1:] + ": {value}. ",
            value=Number(format_mean(float(moves.figures[number]), limits)),
        )
    note += Sentence((f"{percent(LEVEL)} intervals, each number alone ({METHOD}).",))
    return Figure(picture, note, tuple(commands))


def _places(name: str, label: str, moves: RankMoves, commands: Sequence[str]) -> Table:
    import pandas as pd

    rows, records = [], []
    for seat, counts in enumerate(moves.places.tolist()):
        shares = [count / moves.rounds for count in counts]
        cells = [Cell.number(f"{100 * share:.2f} %", share) for share in shares]
        rows.append((Cell.name(f"seat {seat}"), *cells))
        records.append({"seat": seat} | dict(zip(TITLES, counts, strict=True)))
    note = Sentence.of(
        "Shares of {rounds} rounds; the CSV file has the counts. Rounds of one game depend on each "
        "other.",
        rounds=Number(format_count(moves.rounds)),
    )
    return Table(
        f"{name}-places", f"Finishing positions, {label}", ("seat", *TITLES), tuple(rows),
        pd.DataFrame(records), note, tuple(commands),
    )  # fmt: skip
