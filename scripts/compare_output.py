"""What a comparison says: for people, as JSON or as CSV, all from the same tables."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from reports.comparison import Estimate, Standing
from reports.csvtable import csv_text
from reports.intervals import Interval
from reports.numbers import format_count, format_mean
from reports.page import Cell, Table
from reports.parts import percent
from reports.stopping import Decide, Until, Watched
from reports.words import Number, Sentence
from scripts.compare import Compared
from scripts.output import print_table
from sim.experiment import models_text, quoted
from sim.options import shown


def mean_cell(estimate: Estimate) -> Cell:
    """A mean with its interval."""
    return Cell.number(estimate.text(), estimate.value)


def ratio_text(ratio: float) -> str:
    """A gain as `3.2×`."""
    if math.isnan(ratio):
        return "–"
    return f"{ratio:.1f}×" if ratio < 100 else f"{ratio:,.0f}×"


def number_text(value: float) -> str:
    """A plain number to three digits."""
    return "–" if math.isnan(value) else f"{value:.3g}"


def effects_table(compared: Compared) -> Table:
    """Two strategies in every score, each interval for itself."""
    comparison, match = compared.comparison, compared.match
    first, second = match.specs
    rows, records = [], []
    for effect in comparison.effects:
        rows.append(
            (
                Cell.words(f"{effect.score} ({effect.unit})"),
                mean_cell(effect.mean_first),
                mean_cell(effect.mean_second),
                Cell.number(format_mean(effect.difference, effect.interval), effect.difference),
                Cell.number(number_text(effect.effect), effect.effect),
                Cell.number(ratio_text(effect.variance_ratio), effect.variance_ratio),
                Cell.words(effect.words),
            )
        )
        records.append(
            {
                "score": effect.score, "unit": effect.unit,
                "first": first, "second": second, "blocks": effect.blocks,
                "mean_first": effect.mean_first.value, "mean_second": effect.mean_second.value,
                "difference": effect.difference, "low": effect.interval.low,
                "high": effect.interval.high, "level": effect.interval.level,
                "method": effect.interval.method, "deviation": effect.deviation,
                "effect": effect.effect, "variance_ratio": effect.variance_ratio,
                "chance_first_better": effect.superiority, "verdict": effect.words,
            }
        )  # fmt: skip
    note = Sentence.of(
        percent(comparison.level) + " intervals, each for itself, for a number of deals fixed "
        "beforehand. Effect: the difference in standard deviations of a block. Gain: how many "
        "times as many games would have been needed if each had a deal of its own."
    )
    columns = ("score", first, second, "difference", "effect", "gain", "verdict")
    return _table("effects", "Effects", columns, rows, records, note, compared)


def standing_table(compared: Compared, standing: Standing) -> Table:
    """Many strategies by their means in the first score."""
    match = compared.match
    score = match.scores[0]
    what = score.name if match.design.apart else f"lead in {score.name}"
    rows, records = [], []
    for i in standing.order:
        rows.append(
            (Cell.words(standing.place(i)), Cell.name(standing.specs[i]),
             mean_cell(standing.means[i]))
        )  # fmt: skip
        mean = standing.means[i]
        records.append(
            {
                "strategy": standing.specs[i], "best_place": int(standing.best[i]),
                "worst_place": int(standing.worst[i]), "score": score.name, "unit": score.unit,
                "mean": mean.value, "low": mean.interval.low, "high": mean.interval.high,
                "level": mean.interval.level, "method": mean.interval.method,
                "blocks": compared.blocks,
            }
        )  # fmt: skip
    note = Sentence.of(
        "Places that the simultaneous " + percent(compared.comparison.level) + " intervals of all "
        "differences ("
        + standing.together.method
        + ") leave open; strategies that cannot be told apart share them. Each "
        "mean has an interval of its own."
    )
    if not match.design.apart:
        note += Sentence.of(" The lead is the mean over all opponents at common tables.")
    return _table(
        "standing", "Standing", ("place", "strategy", what), rows, records, note, compared
    )


def matrix_table(compared: Compared, order: Sequence[int]) -> Table:
    """Who beats whom, and by how much: row minus column in the first score."""
    match, together = compared.match, compared.comparison.matrix()
    k = len(match.specs)
    texts = {}
    records = []
    for pair, (i, j) in enumerate(match.pairs):
        low, high = float(together.low[pair]), float(together.high[pair])
        difference = float(together.difference[pair])
        texts[i, j] = (difference, Interval(low, high, together.level, together.method))
        texts[j, i] = (
            0.0 - difference, Interval(0.0 - high, 0.0 - low, together.level, together.method)
        )  # fmt: skip
        records.append(
            {
                "first": match.specs[i], "second": match.specs[j],
                "score": match.scores[0].name, "unit": match.scores[0].unit,
                "difference": difference, "low": low, "high": high,
                "level": together.level, "method": together.method,
                "p_value": float(together.p_value[pair]), "blocks": compared.blocks,
            }
        )  # fmt: skip
    rows = []
    for i in order:
        row = [Cell.name(match.specs[i])]
        row += [Cell.missing() if i == j else _signed_cell(*texts[i, j]) for j in order]
        rows.append(tuple(row))
    note = Sentence.of(
        "Row minus column in {score}; simultaneous " + percent(together.level) + " intervals for "
        "all {pairs} pairs ({method}).",
        score=match.scores[0].name, pairs=Number(format_count(k * (k - 1) // 2)),
        method=together.method,
    )  # fmt: skip
    columns = ("", *(match.specs[j] for j in order))
    return _table("pairs", "Who beats whom", columns, rows, records, note, compared)


def _signed_cell(difference: float, interval: Interval) -> Cell:
    return Cell.number(format_mean(difference, interval), difference)


def rule_table(compared: Compared, rule: Watched) -> Table:
    """Two strategies in the score that was watched until the rule was content."""
    match = compared.match
    score, interval = match.scores[0], rule.interval
    first, second = match.specs
    rows = [
        (
            Cell.words(f"{score.name} ({score.unit})"),
            Cell.number(format_mean(rule.mean, interval), rule.mean),
            Cell.count(rule.blocks),
            Cell.words("yes" if rule.content else "no: the limit was reached"),
        )
    ]
    record: dict[str, Any] = {
        "score": score.name, "unit": score.unit, "first": first, "second": second,
        "blocks": rule.blocks, "limit": compared.limit, "difference": rule.mean,
        "low": interval.low, "high": interval.high, "level": interval.level,
        "method": interval.method, "content": rule.content,
    }  # fmt: skip
    if isinstance(rule, Until):
        record |= {"wanted_half_width": rule.half_width}
    if isinstance(rule, Decide):
        verdict = rule.verdict
        record |= {
            "effect": rule.effect, "alpha": rule.alpha, "beta": rule.beta, "llr": verdict.llr,
            "llr_low": verdict.lower, "llr_high": verdict.upper,
            "decision": _decision(rule),
        }  # fmt: skip
    note = Sentence.of(
        "The " + percent(interval.level) + " interval (empirical Bernstein) holds at all looks "
        "together, so it may be stopped at."
    )
    columns = ("score", f"{first} − {second}", "deals", "content")
    return _table("effects", "Effect", columns, rows, [record], note, compared)


def _decision(rule: Decide) -> str:
    """The decision in few words; `neither` where 0 fits better than the effect, but not well."""
    if rule.verdict.decision == "h0":
        return "no difference" if rule.interval.contains(0.0) else "neither"
    return {"h1": "the effect", "continue": "undecided"}[rule.verdict.decision]


def decision_sentence(rule: Decide, first: str, second: str, score: str) -> str:
    """What the sequential test found."""
    verdict = rule.verdict
    rates = f"error rates {rule.alpha:g} and {rule.beta:g}"
    where = (
        f"log likelihood ratio {verdict.llr:.2f}, bounds {verdict.lower:.2f} and "
        f"{verdict.upper:.2f}; {rates}"
    )
    what = f"{first} − {second} in {score}"
    if verdict.decision == "h1":
        return f"Decided: a difference of {rule.effect:g} ({what}) fits better than 0 ({where})."
    if verdict.decision == "h0":
        found = f"Decided: a difference of 0 ({what}) fits better than {rule.effect:g} ({where})."
        if rule.interval.contains(0.0):
            return found
        return f"{found} The interval leaves out 0, too: the difference is neither."
    return f"Undecided between 0 and {rule.effect:g} ({what}) at the limit of games ({where})."


def ratings_table(compared: Compared) -> Table | None:
    """Bradley-Terry ratings from win shares; None where they would be infinite."""
    match = compared.match
    [number] = [n for n, score in enumerate(match.scores) if score.name == "win share"]
    try:
        ratings = compared.comparison.ratings(number)
    except ValueError:
        return None
    rows, records = [], []
    elo = 400 / math.log(10)
    for i in np.argsort(-ratings.rating, kind="stable"):
        rating, error = float(ratings.rating[i]) * elo, float(ratings.standard_error[i]) * elo
        rows.append(
            (Cell.name(match.specs[i]), Cell.number(f"{rating:+.0f}", rating),
             Cell.number(f"{error:.1f}", error))
        )  # fmt: skip
        records.append({"strategy": match.specs[i], "elo": rating, "standard_error": error})
    note = Sentence.of(
        "Bradley-Terry ratings in Elo points, mean 0. One number a strategy hides cycles and says "
        "nothing of how much is won; the table of pairs does."
    )
    columns = ("strategy", "rating", "standard error")
    return _table("ratings", "Ratings", columns, rows, records, note, compared)


def _table(
    name: str,
    title: str,
    columns: Sequence[str],
    rows: Sequence[tuple[Cell, ...]],
    records: Sequence[dict[str, Any]],
    note: Sentence,
    compared: Compared,
) -> Table:
    import pandas as pd

    return Table(
        name, title, tuple(columns), tuple(rows), pd.DataFrame(records), note,
        (command_of(compared),),
    )  # fmt: skip


# --- all of it ------------------------------------------------------------------------------------


def tables_of(compared: Compared, ratings: bool = False) -> list[Table]:
    """The tables of a comparison."""
    if compared.rule is not None:
        return [rule_table(compared, compared.rule)]
    if len(compared.match.specs) == 2:
        tables = [effects_table(compared)]
    else:
        standing = compared.comparison.standing()
        tables = [standing_table(compared, standing), matrix_table(compared, standing.order)]
    found = ratings_table(compared) if ratings else None
    return [*tables, found] if found is not None else tables


def sentences_of(compared: Compared, tables: Sequence[Table], ratings: bool = False) -> list[str]:
    """What is to be said beside the tables."""
    match, rule = compared.match, compared.rule
    said = []
    if isinstance(rule, Decide):
        first, second = match.specs
        said.append(decision_sentence(rule, first, second, match.scores[0].name))
    if isinstance(rule, Until) and not rule.content:
        said.append(
            f"The interval is not yet within ±{rule.half_width:g}: {rule.blocks:,} deals, the "
            f"limit, were not enough; give more with --games."
        )
    if rule is None and len(match.specs) > 2:
        cycles = compared.comparison.cycles()
        said += [f"A cycle: {' beats '.join([*c, c[0]])}." for c in cycles[:10]]
        if not cycles:
            said.append("No cycle of strategies that beat each other is supported.")
    if ratings and "ratings" not in [table.name for table in tables]:
        said.append(
            "No ratings: some strategies never took a part of a win from others, so that theirs "
            "would be infinite."
        )
    if compared.pilot:
        costs = ", ".join(f"{design.name} {cost:.3g}" for design, cost in compared.pilot)
        said.append(f"Pilot: variance times games of the designs: {costs}; the least was taken.")
    return said


def settings_of(compared: Compared) -> str:
    """Game, options, seed, design and numbers in one line."""
    match = compared.match
    changed = ", ".join(f"{n}={shown(v)}" for n, v in match.options.changed().items())
    against = f" against {match.field}" if match.field is not None else ""
    told = models_text(match.tables[0][0])
    memory = f", memory {told}" if told else ""
    return (
        f"{match.rules.title}{against}: {compared.blocks:,} deals, {compared.games:,} games, seed "
        f"{match.seed}{memory}, rule options: {changed or 'all default'}; design "
        f"{match.design.name}: {match.design.meaning}"
    )


def command_of(compared: Compared) -> str:
    """The command that plays the same comparison."""
    match, rule = compared.match, compared.rule
    words = ["playout", "compare", match.game]
    for spec in match.specs:
        words += ["--strategy", quoted(spec)]
    if match.field is not None:
        words += ["--against", quoted(match.field)]
    words += match.tables[0][0].model_words()
    words += ["--seed", str(match.seed)]
    for name, value in match.options.changed().items():
        words += ["--option", quoted(f"{name}={shown(value)}")]
    if match.scores[0].name != match.rules.scores[0].name:
        words += ["--score", quoted(match.scores[0].name)]
    words += ["--design", match.design.name, "--games", str(compared.limit)]
    if compared.comparison.level != 0.95:
        words += ["--level", f"{compared.comparison.level:g}"]
    if isinstance(rule, Until):
        words += ["--until", f"{rule.half_width:g}"]
    if isinstance(rule, Decide):
        words += ["--decide", f"{rule.effect:g}"]
        words += ["--alpha", f"{rule.alpha:g}", "--beta", f"{rule.beta:g}"]
    return " ".join(words)


def comparison_as_dict(
    compared: Compared, tables: Sequence[Table], said: Sequence[str]
) -> dict[str, Any]:
    """A comparison as a JSON object: settings, and each table's records."""
    match = compared.match
    rate = compared.games / compared.seconds if compared.seconds > 0 else None
    return {
        "game": match.game,
        "options": match.options.as_dict(),
        "strategies": list(match.specs),
        "against": match.field,
        **match.tables[0][0].models_told(),
        "seed": match.seed,
        "design": match.design.name,
        "deals": compared.blocks,
        "games": compared.games,
        "seconds": round(compared.seconds, 6),
        "games_per_second": None if rate is None else round(rate, 1),
        "said": list(said),
        **{table.name: _records(table) for table in tables},
    }


def _records(table: Table) -> list[dict[str, Any]]:
    """The rows of a table's data as JSON can hold them: what is no finite number is null."""
    return [
        {
            str(name): None if isinstance(value, float) and not math.isfinite(value) else value
            for name, value in record.items()
        }
        for record in table.data.to_dict("records")
    ]


def print_comparison(compared: Compared, style: str, ratings: bool = False) -> None:
    """A comparison on stdout as `table`, `json` or `csv` (effects, or all pairs)."""
    tables = tables_of(compared, ratings)
    said = sentences_of(compared, tables, ratings)
    if style == "json":
        print(json.dumps(comparison_as_dict(compared, tables, said), ensure_ascii=False, indent=2))
        return
    if style == "csv":
        [main] = [table for table in tables if table.name in ("effects", "pairs")]
        print(csv_text(main.data), end="")
        return
    for table in tables:
        title = settings_of(compared) if table is tables[0] else table.title
        rows = [[_plain(cell) for cell in row] for row in table.rows]
        print_table(title, table.columns, rows)
        print(table.note.plain())
    for sentence in said:
        print(sentence)
    rate = compared.games / max(compared.seconds, 1e-9)
    print(f"Played {compared.games:,} games in {compared.seconds:.2f} s ({rate:,.0f} games/s).")


def _plain(cell: Cell) -> str:
    return Sentence((cell.piece,)).plain()
