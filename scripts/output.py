"""What commands print: tables for people, JSON and CSV for programs."""

import contextlib
import csv
import io
import json
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from sim.options import shown

if TYPE_CHECKING:
    from reports.outcomes import OutcomeTable
    from sim.experiment import Experiment
    from sim.run import RunResult

CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
PIPE_WIDTH = 120
Item = TypeVar("Item")


def prints_aside(items: Iterable[Item]) -> Iterator[Item]:
    """The items, while what a strategy prints as they are made goes to stderr."""
    iterator = iter(items)
    while True:
        with contextlib.redirect_stdout(sys.stderr):
            try:
                item = next(iterator)
            except StopIteration:
                return
        yield item


def clean(text: str) -> str:
    """Text without control characters, which could take over a terminal."""
    return CONTROL.sub("�", text)


def print_table(title: str, headers: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A table on stdout; columns whose every entry begins with a digit are set to the right."""
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    class PipedConsole(Console):
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError  # rich would leave with status 1

    table = Table(title=None, box=box.SIMPLE_HEAD, pad_edge=False)
    for i, header in enumerate(headers):
        numeric = bool(rows) and all(row[i][:1].isdigit() for row in rows)
        table.add_column(Text(header), justify="right" if numeric else "left")
    for row in rows:
        table.add_row(*(Text(clean(cell)) for cell in row))
    console = PipedConsole(
        file=sys.stdout,
        width=None if sys.stdout.isatty() else PIPE_WIDTH,
        highlight=False,
        soft_wrap=False,
    )
    if title:
        console.print(Text(clean(title)), soft_wrap=True)
    console.print(table)


def settings_text(experiment: "Experiment") -> str:
    """Seed, recall models and the rule options that are not the defaults, in one line."""
    from sim.experiment import models_text

    changed = experiment.options.changed()
    options = ", ".join(f"{name}={shown(value)}" for name, value in changed.items())
    memory = f", memory {models_text(experiment)}" if experiment.recall else ""
    return f"seed {experiment.seed}{memory}, rule options: {options or 'all default'}"


def run_as_dict(result: "RunResult", table: "OutcomeTable") -> dict[str, Any]:
    """A run as the JSON object of the interface."""
    experiment = result.experiment
    rate = result.played / result.seconds if result.played and result.seconds > 0 else None
    return {
        "game": experiment.game,
        "options": experiment.options.as_dict(),
        "strategies": [seat.spec for seat in experiment.seats],
        **experiment.models_told(),
        "seed": experiment.seed,
        "games": result.games,
        "played": result.played,
        "seconds": round(result.seconds, 6),
        "games_per_second": None if rate is None else round(rate, 1),
        "complete": result.complete,
        "outcomes": table.as_dicts(),
        **_ranks(result),
    }


def _ranks(result: "RunResult") -> dict[str, Any]:
    """`ranks` of a game that has them."""
    if result.tally.rounds is None:
        return {}  # and nothing heavy is imported
    from reports.ranks import ranks_of
    from scripts.rank_output import ranks_as_dict

    ranks = ranks_of(result.tally)
    return {} if ranks is None else {"ranks": ranks_as_dict(ranks)}


def print_run(result: "RunResult", table: "OutcomeTable", style: str) -> None:
    """A finished run on stdout as `table`, `json` or `csv`."""
    if style == "json":
        print(json.dumps(run_as_dict(result, table), ensure_ascii=False, indent=2))
    elif style == "csv":
        print(run_as_csv(result, table), end="")
    else:
        print_run_table(result, table)


def run_as_csv(result: "RunResult", table: "OutcomeTable") -> str:
    """The outcomes as CSV; every row carries game, options, strategies, seed and games."""
    from sim.experiment import models_text, seats_text

    experiment = result.experiment
    changed = experiment.options.changed()
    settings = {
        "game": experiment.game,
        "options": " ".join(f"{name}={shown(value)}" for name, value in changed.items()),
        "strategies": plain_cell(seats_text(experiment)),
        **({"models": plain_cell(models_text(experiment))} if experiment.recall else {}),
        "seed": experiment.seed,
        "games": result.games,
    }
    rows = [settings | outcome for outcome in table.as_dicts()]
    buffer = io.StringIO()
    writer = csv.DictWriter(buffer, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return buffer.getvalue()


def plain_cell(text: str) -> str:
    """A text that a spreadsheet does not take for a formula."""
    return "'" + text if text[:1] in "=+-@\t\r" else text


def print_run_table(result: "RunResult", table: "OutcomeTable") -> None:
    """The outcomes as a table for people, with everything needed to play them again."""
    from sim.experiment import seats_text

    experiment = result.experiment
    if result.tally.rounds is not None:
        from reports.ranks import ranks_of
        from scripts.rank_output import print_ranks

        ranks = ranks_of(result.tally)
        if ranks is not None:
            print_ranks(ranks)
    level = f"{table.level * 100:g} %"
    joint = table.headline.joint is not None
    headers = ["outcome", "games", f"share, {level} interval"]
    if joint:
        headers.append(f"{level} for all rows together")
    rows = []
    for outcome in table.outcomes:
        row = [outcome.name, f"{outcome.count:,}", outcome.text()]
        if outcome.joint is not None:
            row.append(limits_text(outcome.joint.low, outcome.joint.high))
        rows.append(row)
    title = f"{experiment.rules.title}: {seats_text(experiment)}, {result.games:,} games"
    print_table(f"{title} ({settings_text(experiment)})", headers, rows)
    methods = sorted({outcome.interval.method for outcome in table.outcomes})
    note = f"Intervals: {' or '.join(methods)}, each row alone, {level}"
    if joint:
        together = sorted({o.joint.method for o in table.outcomes if o.joint is not None})
        note += f"; all rows together: {' and '.join(together)}"
    print(f"{note}. Fixed number of games.")
    if result.played:
        rate = result.played / max(result.seconds, 1e-9)
        print(f"Played {result.played:,} games in {result.seconds:.2f} s ({rate:,.0f} games/s).")
    else:
        print("All games were in the folder; none was played.")


def limits_text(low: float, high: float) -> str:
    """Two limits of a share with three significant digits."""
    return f"{low:.3g} to {high:.3g}"
