"""What the exchange laboratory shows: heat maps, matrices, the table by target, its findings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reports.intervals import Interval
from reports.numbers import format_count, format_mean
from reports.page import Cell, Figure, Table
from reports.parts import percent
from reports.plots import HeatCell, heat
from reports.rank_plots import LETTERS, matrices
from reports.ranks import percentiles
from reports.words import Name, Number, Sentence, listed
from scripts.exchange_variants import DEFAULT, LEADS, LEVEL, NONE, Laboratory

if TYPE_CHECKING:
    from scripts.exchange_variants import Cell as Variant

#: Escape time where ranks are drawn anew each round: 1 / (1 - 1/4).
FREE = 4 / 3
#: How to read the labels of the variants.
LABELS = (
    "Exchange n1/n2: cards between President and Janitor / Vice-President and Secretary; low …: "
    "how the lower two give instead of their highest; high …: how the upper two give instead of by "
    "choice; low first: the upper two see what they get before they give."
)
#: The option `lead` of the game's defaults.
USUAL_LEAD = "rotate"


def escape_text(found: Laboratory, place: int, figure: str = "escape") -> Number:
    """A figure of a cell with its interval."""
    value = found.figures.estimate[place, ("escape", "passage", "prais").index(figure)]
    return Number(format_mean(float(value), found.figures.interval(place, figure)))


# --- plots and tables -----------------------------------------------------------------------------


def laboratory_parts(found: Laboratory, commands: tuple[str, ...]) -> tuple[Figure | Table, ...]:
    """The parts of the laboratory, the strongest strategy first."""
    strategies = found.strategies[::-1]
    return (
        *(_heat_figure(found, strategy, commands) for strategy in strategies),
        _matrix_figure(found, strategies[0], commands),
        target_table(found),
        _matrix_table(found),
    )


def _heat_figure(found: Laboratory, strategy: str, commands: tuple[str, ...]) -> Figure:
    labels = list(dict.fromkeys(cell.exchange.label for cell in found.cells))
    cells = {}
    for y, label in enumerate(labels):
        for x, lead in enumerate(LEADS):
            place = found.number(label, lead, strategy)
            value = float(found.figures.estimate[place, 0])
            limits = found.figures.interval(place, "escape")
            cells[y, x] = HeatCell(
                value - 1.0, f"{value:.2f}", f"{limits.low:.2f} to {limits.high:.2f}"
            )
    picture = heat(
        f"president-stickiness-{strategy}",
        cells,
        rows=list(enumerate(labels)),
        columns=list(enumerate(LEADS)),
        title=f"Rounds until a Janitor escapes, all playing {strategy}",
        row_axis="exchange",
        column_axis="lead",
        what="Mean rounds until a Janitor gets up",
    )
    note = Sentence.of(
        "{games} games of ten rounds in each cell, all on the same deals. Each cell: the mean "
        "number of rounds that a Janitor stays one, 1 / (1 − p), and below it the interval. "
        + _level_note(found) + " Where ranks are drawn anew in each round it is 1.33. " + LABELS,
        games=Number(format_count(found.cells[0].games)),
    )  # fmt: skip
    return Figure(picture, note, commands)


def _level_note(found: Laboratory) -> str:
    return (
        f"The intervals of each figure hold together for all {len(found.cells)} cells at "
        f"{percent(LEVEL)} (max-T, whole games resampled in {len(found.cells[0].moves.groups)} "
        f"groups)."
    )


def _matrix_figure(found: Laboratory, strategy: str, commands: tuple[str, ...]) -> Figure:
    shown = {
        cell.exchange.label: cell.moves.matrix
        for cell in found.cells
        if cell.strategy == strategy and cell.lead == USUAL_LEAD
    }
    picture = matrices(
        f"president-matrices-{strategy}",
        shown,
        title=f"Moves between ranks, all playing {strategy}",
    )
    note = Sentence.of(
        "Rows: the rank in a round (President, Vice-President, Secretary, Janitor); columns: the "
        "rank in the next; numbers: percent of the moves out of that rank. The lead rotates, "
        "{games} games each. Intervals are in the table of all matrices.",
        games=Number(format_count(found.cells[0].games)),
    )
    return Figure(picture, note, commands)


def target_table(found: Laboratory) -> Table:
    """All cells in the order of their distance from the target."""
    import pandas as pd

    distance = abs(found.figures.estimate[:, 0] - found.target)
    order = sorted(range(len(found.cells)), key=lambda place: (distance[place], place))
    rows, records, commands = [], [], []
    for place in order:
        cell, verdict = found.cells[place], found.verdict(place)
        rows.append(
            (
                Cell.name(cell.exchange.label),
                Cell.name(cell.lead),
                Cell.name(cell.strategy),
                _number(found, place, "escape"),
                Cell.number(f"{distance[place]:.3f}", float(distance[place])),
                Cell.words(verdict),
                _number(found, place, "passage"),
                _number(found, place, "prais"),
            )
        )
        records.append(_record(found, cell, place) | {"verdict": verdict})
        commands.append(cell.command())
    note = Sentence.of(
        "Ordered by the distance of the escape time from the target of {target} rounds. hit: the "
        "interval lies inside {target} ± {tolerance}; no: it lies outside; open: more games would "
        "tell. Passage: mean rounds from Janitor to the first time as President. Prais-Shorrocks: "
        "0 where nobody moves, 1 where ranks are drawn anew. " + _level_note(found),
        target=Number(f"{found.target:g}"),
        tolerance=Number(f"{found.tolerance:g}"),
    )
    columns = (
        *("exchange", "lead", "strategy", "escape time", "distance", "verdict"),
        *("passage to President", "Prais-Shorrocks"),
    )
    return Table(
        "president-targets", "Exchange variants by their distance from the target", columns,
        tuple(rows), pd.DataFrame(records), note, tuple(commands),
    )  # fmt: skip


def _number(found: Laboratory, place: int, figure: str) -> Cell:
    column = ("escape", "passage", "prais").index(figure)
    value = float(found.figures.estimate[place, column])
    return Cell.number(escape_text(found, place, figure).text, value)


def _record(found: Laboratory, cell: Variant, place: int) -> dict[str, object]:
    record: dict[str, object] = {
        "exchange": cell.exchange.label,
        "options": " ".join(f"{k}={v}" for k, v in cell.exchange.options.items()),
        "lead": cell.lead,
        "strategy": cell.strategy,
        "games": cell.games,
        "rounds": cell.moves.rounds,
    }
    for column, figure in enumerate(("escape", "passage", "prais")):
        limits = found.figures.interval(place, figure)
        record[figure] = float(found.figures.estimate[place, column])
        record[f"{figure}_low"], record[f"{figure}_high"] = limits.low, limits.high
    return record | {"level": LEVEL, "method": limits.method}


def _matrix_table(found: Laboratory) -> Table:
    """Every matrix with intervals for each entry alone; people see the moves of the Janitor."""
    import pandas as pd

    rows, records = [], []
    for cell in found.cells:
        low, high = percentiles(cell.moves.drawn, LEVEL)
        texts = []
        for i in range(4):
            for j in range(4):
                share = float(cell.moves.matrix[i, j])
                limits = Interval(float(low[i, j]), float(high[i, j]), LEVEL, "bootstrap by games")
                records.append(
                    {
                        "exchange": cell.exchange.label,
                        "lead": cell.lead,
                        "strategy": cell.strategy,
                        "before": i + 1,
                        "after": j + 1,
                        "count": int(cell.moves.moves[i, j]),
                        "share": share,
                        "low": limits.low,
                        "high": limits.high,
                        "level": LEVEL,
                        "method": limits.method,
                    }
                )
                if i == 3:
                    texts.append(Cell.number(format_mean(share, limits), share))
        names = (cell.exchange.label, cell.lead, cell.strategy)
        rows.append((*(Cell.name(name) for name in names), *texts))
    note = Sentence.of(
        "What becomes of a Janitor in the next round; the CSV file has all sixteen moves. "
        + percent(LEVEL) + " intervals for each number alone (percentiles of whole games "
        "resampled).",
    )  # fmt: skip
    columns = ("exchange", "lead", "strategy", *(f"Janitor to {letter}" for letter in LETTERS))
    return Table(
        "president-moves", "The moves out of the last rank", columns, tuple(rows),
        pd.DataFrame(records), note,
    )  # fmt: skip


# --- findings -------------------------------------------------------------------------------------


def laboratory_findings(found: Laboratory) -> tuple[Sentence, ...]:
    """What the laboratory found, in sentences made from its numbers."""
    strongest = found.strategies[-1]
    told = [_default(found, strongest), _parts_of_stickiness(found, strongest)]
    if len(found.strategies) > 1:
        told.append(_strategies_matter(found))
    return (*told, _hits(found, strongest))


def _default(found: Laboratory, strategy: str) -> Sentence:
    place = found.number(DEFAULT, USUAL_LEAD, strategy)
    stay = float(found.cells[place].moves.matrix[3, 3])
    return Sentence.of(
        "Under the usual rules, all playing {strategy}, a Janitor stays one for {escape} rounds on "
        "average, and needs {passage} rounds to become President: after {stay} of 100 rounds at "
        "the bottom the next one ends there too. If ranks were drawn by lot, it would be 1.33 and "
        "4 rounds, and 25 of 100.",
        strategy=Name(strategy),
        escape=escape_text(found, place),
        passage=escape_text(found, place, "passage"),
        stay=Number(f"{100 * stay:.0f}"),
    )


def _excess(found: Laboratory, label: str, lead: str, strategy: str) -> tuple[Number, bool]:
    """How far an escape time lies beyond chance, and whether its interval holds no chance."""
    place = found.number(label, lead, strategy)
    limits = found.figures.interval(place, "escape")
    excess = float(found.figures.estimate[place, 0]) - FREE
    shifted = Interval(limits.low - FREE, limits.high - FREE, limits.level, limits.method)
    return Number(format_mean(excess, shifted)), not shifted.low <= 0.0 <= shifted.high


def _parts_of_stickiness(found: Laboratory, strategy: str) -> Sentence:
    """What the exchange alone and the lead alone add to the escape time."""
    alone, clear = _excess(found, DEFAULT, "random", strategy)
    start = Sentence.of(
        "How much of that is the exchange, and how much the lead? With a random lead the exchange "
        "{default} alone keeps a Janitor down for {alone} rounds longer than chance",
        default=Name(DEFAULT),
        alone=alone,
    ) if clear else Sentence.of(
        "With a random lead the exchange {default} alone cannot be told from chance",
        default=Name(DEFAULT),
    )  # fmt: skip
    leads = []
    for lead, who in (("rank1", "the President"), ("rank4", "the Janitor")):
        text, clear = _excess(found, NONE, lead, strategy)
        leads.append(
            Sentence.of(f"when {who} leads each round, by {{text}}", text=text)
            if clear
            else Sentence.of(
                f"when {who} leads, by nothing that can be told from 0 ({{text}})", text=text
            )
        )
    both, _ = _excess(found, DEFAULT, "rank1", strategy)
    return (
        start
        + Sentence.of("; without an exchange the lead alone changes it, ")
        + listed(leads)
        + Sentence.of(". Exchange and a leading President together: {both}.", both=both)
    )


def _strategies_matter(found: Laboratory) -> Sentence:
    told = [
        Sentence.of(
            "{name} {escape}",
            name=Name(strategy),
            escape=escape_text(found, found.number(DEFAULT, USUAL_LEAD, strategy)),
        )
        for strategy in found.strategies
    ]
    return (
        Sentence.of("How the table plays matters too; rounds at the bottom under the usual rules: ")
        + listed(told)
        + Sentence((".",))
    )


def _hits(found: Laboratory, strategy: str) -> Sentence:
    own = [place for place, cell in enumerate(found.cells) if cell.strategy == strategy]
    hits = [place for place in own if found.verdict(place) == "hit"]
    goal = Sentence.of(
        "A Janitor should escape after {target} ± {tolerance} rounds: ",
        target=Number(f"{found.target:g}"),
        tolerance=Number(f"{found.tolerance:g}"),
    )
    nearest = sorted(own, key=lambda place: abs(found.figures.estimate[place, 0] - found.target))
    if not hits:
        place = nearest[0]
        return goal + Sentence.of(
            "for {strategy} no variant of the grid is a proven hit; the nearest is {variant} with "
            "{escape}.",
            strategy=Name(strategy),
            variant=_variant(found, place),
            escape=escape_text(found, place),
        )
    best = [
        Sentence.of("{variant} ({escape})", variant=_variant(found, place),
                    escape=escape_text(found, place))
        for place in nearest if place in hits
    ][:3]  # fmt: skip
    return goal + Sentence.of(
        "for {strategy}, {count} of {number} variants are hits, their whole intervals inside. The "
        "nearest: {best}.",
        strategy=Name(strategy),
        count=Number(str(len(hits))),
        number=Number(str(len(own))),
        best=listed(best),
    )


def _variant(found: Laboratory, place: int) -> Sentence:
    cell = found.cells[place]
    return Sentence.of(
        "exchange {label} with lead {lead}", label=Name(cell.exchange.label), lead=Name(cell.lead)
    )


def laboratory_settings(found: Laboratory, seed: int) -> tuple[tuple[str, Sentence], ...]:
    """The settings behind the numbers."""
    return (
        ("Game", Sentence.of("{game}, games of ten rounds", game=Name("president"))),
        ("Seed", Sentence((f"{seed}; game number i has the same deals in every run",))),
        (
            "Grid",
            Sentence((
                f"{len(found.cells) // len(LEADS) // len(found.strategies)} exchange variants, "
                f"{len(LEADS)} rules for the lead, {len(found.strategies)} strategies (the same in "
                f"all seats); {format_count(found.cells[0].games)} games of each",
            )),
        ),
        ("Target", Sentence((f"{found.target:g} ± {found.tolerance:g} rounds",))),
    )  # fmt: skip
