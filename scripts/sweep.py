"""Playing a sweep, and what it says: for people, as JSON, CSV and Parquet."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reports.csvtable import csv_text
from reports.numbers import format_mean
from reports.parts import percent
from reports.plain import plain_number
from reports.sweep import SweepSums, Swept, Target
from scripts.compare import batches
from scripts.output import print_table
from sim.blocks import in_order
from sim.errors import UsageError
from sim.experiment import quoted
from sim.sweep import Sweep

if TYPE_CHECKING:
    import pandas as pd

#: Told the games so far and all there are.
Watch = Callable[[int, int], None]


@dataclass(frozen=True, eq=False)
class SweepResult:
    """A finished sweep, perhaps with a target."""

    swept: Swept
    target: Target | None
    seconds: float

    @property
    def sweep(self) -> Sweep:
        """The grid."""
        return self.swept.sweep

    def frame(self) -> pd.DataFrame:
        """Long form: a row for each setting and score; see `reports.sweep.Swept.records`."""
        import pandas as pd

        return pd.DataFrame(self.swept.records(self.target))


def parse_vary(texts: Sequence[str]) -> dict[str, list[str]]:
    """`option=v1,v2` texts as a mapping. Raises UsageError.

    Values are parted by commas, or by semicolons where a value holds a comma itself.
    """
    found: dict[str, list[str]] = {}
    for text in texts:
        name, equals, values = text.partition("=")
        name = name.strip()
        parts = [part.strip() for part in values.split(";" if ";" in values else ",")]
        if not equals or not name or not all(parts):
            raise UsageError(f"--vary {text!r} is not of the form OPTION=VALUE,VALUE…")
        if name in found:
            raise UsageError(f"--vary {name} is given twice; give all its values at once")
        found[name] = parts
    return found


def play_sweep(
    sweep: Sweep,
    games: int,
    *,
    level: float = 0.95,
    target: Target | None = None,
    jobs: int | None = None,
    watch: Watch | None = None,
) -> SweepResult:
    """Play games 0 … games - 1 of every setting. Raises PlayError."""
    if games < 2:
        raise UsageError(f"a sweep needs at least two games of each setting, not {games}")
    began = time.perf_counter()
    sums: SweepSums | None = None
    for part in in_order(sweep.play, batches(games), SweepSums.of, jobs):
        sums = part if sums is None else sums + part
        if watch is not None:
            watch(sums.n, games)
    assert sums is not None
    return SweepResult(Swept(sweep, sums, level), target, time.perf_counter() - began)


def columns_of(result: SweepResult) -> tuple[list[str], list[list[str]]]:
    """The table for people: each setting with the first score, its change, and the other scores.

    With a target, ordered by the distance to it.
    """
    swept, sweep = result.swept, result.sweep
    several = len({setting.strategy for setting in sweep.settings}) > 1
    varied = [name for name, _ in sweep.settings[0].varied]
    first = sweep.traits[0]
    linear = first.shown is float
    headers = [*varied, *["strategy"] * several, f"{first.name} ({first.unit})"]
    headers += ["change"] * linear + ["target"] * (result.target is not None)
    headers += [trait.name for trait in sweep.traits[1:]]
    rows = []
    for place in _order(result):
        setting = sweep.settings[place]
        row = [value for _, value in setting.varied] + [setting.strategy] * several
        row.append(_text(*swept.shown(0, place)))
        if linear:
            change = swept.change(0, place)
            row.append("–" if change is None else _text(*change))
        if result.target is not None:
            number = [trait.name for trait in sweep.traits].index(result.target.name)
            row.append(result.target.verdict(swept.shown(number, place)[1]))
        row += [_text(*swept.shown(t, place)) for t in range(1, len(sweep.traits))]
        rows.append(row)
    return headers, rows


def _text(value: float, interval: Any) -> str:
    return plain_number(format_mean(value, interval))


def _order(result: SweepResult) -> list[int]:
    places = list(range(len(result.sweep.settings)))
    if result.target is None:
        return places
    number = [trait.name for trait in result.sweep.traits].index(result.target.name)
    wanted = result.target.value

    def distance(place: int) -> float:
        value, _ = result.swept.shown(number, place)
        return math.inf if math.isnan(value) else abs(value - wanted)

    return sorted(places, key=lambda place: (distance(place), place))


def command_of(result: SweepResult) -> str:
    """The command that plays the same sweep."""
    sweep = result.sweep
    words = ["playout", "sweep", sweep.rules.name]
    for name, _ in sweep.settings[0].varied:
        values = list(dict.fromkeys(dict(setting.varied)[name] for setting in sweep.settings))
        parted = (";" if any("," in value for value in values) else ",").join(values)
        words += ["--vary", quoted(f"{name}={parted}")]
    for spec in dict.fromkeys(setting.strategy for setting in sweep.settings):
        words += ["--strategy", quoted(spec)]
    words += [*sweep.settings[0].experiment.model_words(), "--seed", str(sweep.seed)]
    for name, value in sweep.fixed.items():
        words += ["--option", quoted(f"{name}={value}")]
    if sweep.traits[0] is not sweep.rules.traits[0]:
        words += ["--score", quoted(sweep.traits[0].name)]
    if result.target is not None:
        target = result.target
        words += ["--target", quoted(f"{target.name}={target.value:g}±{target.tolerance:g}")]
    return " ".join([*words, "--games", str(result.swept.sums.n)])


def print_sweep(result: SweepResult, style: str) -> None:
    """A sweep on stdout as `table`, `json` or `csv`."""
    if style == "json":
        print(json.dumps(as_dict(result), ensure_ascii=False, indent=2))
    elif style == "csv":
        print(csv_text(result.frame()), end="")
    else:
        _print_table(result)


def as_dict(result: SweepResult) -> dict[str, Any]:
    """A sweep as a JSON object; what is no finite number is null."""
    records = [
        {k: None if isinstance(v, float) and not math.isfinite(v) else v for k, v in row.items()}
        for row in result.swept.records(result.target)
    ]
    return {
        "game": result.sweep.rules.name, "seed": result.sweep.seed,
        **result.sweep.settings[0].experiment.models_told(),
        "games": result.swept.sums.n, "settings": len(result.sweep.settings),
        "seconds": round(result.seconds, 6), "rows": records, "command": command_of(result),
    }  # fmt: skip


def _print_table(result: SweepResult) -> None:
    swept, sweep = result.swept, result.sweep
    headers, rows = columns_of(result)
    fixed = ", ".join(f"{name}={value}" for name, value in sweep.fixed.items())
    # as given: the parameters of a default may follow a varied option
    memory = " / ".join(dict.fromkeys(sweep.settings[0].experiment.models))
    known = f", memory {memory}" if memory else ""
    print_table(
        f"{sweep.rules.title}: {len(sweep.settings)} settings, {swept.sums.n:,} games each on the "
        f"same deals, seed {sweep.seed}{known}, other rule options: {fixed or 'all default'}",
        headers, rows,
    )  # fmt: skip
    print(
        f"Intervals: simultaneous {percent(swept.level)} for all settings of a column (max-T; "
        f"exact with Bonferroni's level for shares with few hits). A change is taken game by game "
        f"from the first setting. Strategies play on as they are: none was made anew for a rule."
    )
    if result.target is not None:
        target = result.target
        print(
            f"Target: {target.name} within {target.value:g} ± {target.tolerance:g}. A hit has its "
            f"interval inside, a miss outside; open needs more games."
        )
    games = swept.sums.n * len(sweep.settings)
    rate = games / max(result.seconds, 1e-9)
    print(f"Played {games:,} games in {result.seconds:.2f} s ({rate:,.0f} games/s).")


def write_sweep(result: SweepResult, out: Path) -> list[Path]:
    """Write sweep.csv, sweep.parquet and the heat map into a folder. Raises StorageError."""
    import io

    from reports.page import check_out
    from scripts.sweep_picture import heat_map
    from sim.store import drop_leftovers, write_atomically

    check_out(out)
    frame = result.frame()
    buffer = io.BytesIO()
    frame.to_parquet(buffer, index=False)
    files = {"sweep.csv": csv_text(frame).encode(), "sweep.parquet": buffer.getvalue()}
    picture = heat_map(result)
    if picture is not None:
        files["sweep.svg"] = picture.standalone()
    drop_leftovers(out)
    for name, data in files.items():
        write_atomically(out / name, data)
    return [out / name for name in files]
