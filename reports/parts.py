"""Parts that every report has: the outcomes of a run, its heat table, a ladder of runs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from reports.intervals import Interval
from reports.joint import grid_of
from reports.numbers import format_count, format_limits, format_share
from reports.outcomes import Outcome, OutcomeTable
from reports.page import Cell, Figure, Table
from reports.plain import plain_number
from reports.plots import HeatCell, Rung, heat, ladder
from reports.words import Number, Sentence
from sim.contract import Ruleset

#: What the method names of `reports.intervals` stand for, where there is more to say.
METHODS = {
    "Clopper-Pearson": "exact by Clopper and Pearson at 10 hits or misses or fewer",
    "Clopper-Pearson, Bonferroni": "exact with Bonferroni's level in cells of 10 games or fewer",
}


def percent(level: float) -> str:
    """A confidence level as `95 %`."""
    return f"{100 * level:.6g} %"


def method_note(intervals: Iterable[Interval]) -> str:
    """`95 % intervals by Wilson, exact by …`: what the intervals of a table are."""
    found = list(intervals)
    plain = sorted({i.method for i in found} - set(METHODS))
    special = [METHODS[m] for m in METHODS if m in {i.method for i in found}]
    names = ([f"by {' and '.join(plain)}"] if plain else []) + special
    levels = " and ".join(percent(level) for level in sorted({i.level for i in found}))
    return f"{levels} intervals {', '.join(names)}"


def outcome_part(name: str, title: str, table: OutcomeTable, commands: Sequence[str] = ()) -> Table:
    """All outcomes of a run."""
    joint = all(outcome.joint is not None for outcome in table.outcomes)
    # numbers first: on a phone the last columns are out of sight
    columns = ["outcome", "share", *["simultaneous interval"] * joint, "games", "meaning"]
    rows = []
    for outcome in table.outcomes:
        row = [Cell.words(outcome.name), Cell.share(outcome)]
        if outcome.joint is not None and joint:
            row.append(Cell.number(joint_limits(outcome, outcome.joint), outcome.share))
        rows.append((*row, Cell.count(outcome.count), Cell.words(outcome.meaning)))
    note = Sentence.of(
        "{games} games. The shares have " + method_note(o.interval for o in table.outcomes)
        + ", each for itself.",
        games=Number(format_count(table.games)),
    )  # fmt: skip
    if joint:
        note += Sentence.of(" Those beside them are simultaneous: " + _joint_method(table) + ".")
    return Table(name, title, tuple(columns), tuple(rows), table.to_frame(), note, tuple(commands))


def joint_limits(outcome: Outcome, joint: Interval) -> str:
    """The limits of a simultaneous interval: `0.12 to 0.14`, or `below 1.3e-04` for no hits."""
    text = format_share(outcome.count, outcome.games, joint)
    if text.endswith(")"):  # 5.0e-05 (6.0e-06 to 1.8e-04): few hits, limits to digits of their own
        return text.rpartition("(")[2].removesuffix(")")
    return format_limits(joint)


def _joint_method(table: OutcomeTable) -> str:
    return method_note(o.joint for o in table.outcomes if o.joint is not None)


def heat_part(
    name: str,
    title: str,
    table: OutcomeTable,
    rules: Ruleset,
    *,
    column_axis: str = "",
    commands: Sequence[str] = (),
) -> Figure | None:
    """The joint distribution of a game's two tally columns, where its outcomes are the cells."""
    grid = grid_of(rules)
    if grid is None or any(outcome.joint is None for outcome in table.outcomes):
        return None
    cells = {pair: _heat_cell(table.outcomes[place]) for pair, place in grid.cells.items()}
    column_name = column_axis or grid.column_name
    picture = heat(
        name,
        cells,
        rows=grid.rows,
        columns=grid.columns,
        title=title,
        row_axis=grid.row_name,
        column_axis=column_name,
    )
    note = Sentence.of(
        "{games} games. Each cell: its share of all games, and below it the interval, simultaneous "
        "for all {cells} cells (" + _joint_method(table) + "). Blank cells cannot occur.",
        games=Number(format_count(table.games)),
        cells=Number(str(len(cells))),
    )
    return Figure(picture, note, tuple(commands))


def _heat_cell(outcome: Outcome) -> HeatCell:
    if outcome.joint is None:
        raise ValueError(f"{outcome.name} is no cell of a joint distribution")
    limits = plain_number(joint_limits(outcome, outcome.joint))
    return HeatCell(outcome.share, share_alone(outcome), limits)


def share_alone(outcome: Outcome) -> str:
    """The share without its interval, with the digits that its own text gives it."""
    text = plain_number(outcome.text())
    if text.startswith("("):  # (1.50 ± 0.12)×10⁻⁴
        inner, _, power = text[1:].partition(")")
        return inner.partition(" ")[0] + power
    return text.partition(" ±")[0].partition(" (")[0]


def games_text(numbers: Sequence[int]) -> str:
    """`1,000,000` or `20,000 to 1,000,000`."""
    low, high = min(numbers), max(numbers)
    return format_count(low) if low == high else f"{format_count(low)} to {format_count(high)}"


def ladder_part(
    name: str,
    title: str,
    runs: Sequence[tuple[str, Outcome]],
    *,
    more: str = "",
    commands: Sequence[str] = (),
) -> Figure:
    """The same outcome of several runs, by label, the most frequent on top."""
    what = runs[0][1].name
    picture = ladder(
        name,
        [Rung.of(label, outcome) for label, outcome in runs],
        title=title,
        axis=f"share of games that end as {what}",
    )
    note = "{games} games each. Dots are shares, lines " + method_note(o.interval for _, o in runs)
    note += ", each for itself; where they are short, the dot hides them."
    if any(outcome.count == 0 for _, outcome in runs):
        note += " An arrow: it never happened; the bar is the upper limit of the interval."
    games = games_text([outcome.games for _, outcome in runs])
    sentence = Sentence.of(note, games=Number(games))
    if more:
        sentence += Sentence((f" {more}",))
    return Figure(picture, sentence, tuple(commands))
