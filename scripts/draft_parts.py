"""The plots and tables of the study of Short Zoot Suit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from reports.intervals import Interval
from reports.multiple import MaxT
from reports.numbers import format_count, format_mean
from reports.page import Cell, Figure, Table
from reports.parts import percent
from reports.plots import Effect, EffectRow, HeatCell, effects, heat
from reports.words import Number, Sentence, listed
from scripts.draft_deals import LEVEL, MEASURES, Blocks, Ranking, interactions, rank
from sim.options import shown

SIMULTANEOUS = f"simultaneous {percent(LEVEL)} intervals (max-T)"
COLUMNS = {
    "points": "points a round",
    "share": "share of the win",
    "tricks": "tricks",
    "shorts": "shorts",
    "equal": "rounds with tricks = shorts",
    "length": "tricks in a round",
}


def rules_text(blocks: Blocks) -> str:
    """The rules of a comparison: `3 players, doubles=replace-both`."""
    more = [f"{k}={shown(v)}" for k, v in blocks.options.items() if k != "players"]
    return ", ".join([f"{blocks.options['players']} players", *more])


def interval_of(result: MaxT, place: int) -> Interval:
    """One of simultaneous intervals."""
    return Interval(float(result.low[place]), float(result.high[place]), result.level, "max-T")


def effect_text(result: MaxT, place: int) -> str:
    """A difference with its simultaneous interval."""
    value = float(result.difference[place])
    text = format_mean(value, interval_of(result, place))
    return text if text.startswith(("-", "(", "0 ")) else f"+{text}"


def _effect(result: MaxT, place: int) -> Effect:
    return Effect(
        float(result.difference[place]), float(result.low[place]), float(result.high[place])
    )


def _row_order(rankings: Sequence[Ranking]) -> list[str]:
    return [rankings[0].labels[place] for place in rankings[0].order]


def _effect_rows(rankings: dict[str, Ranking]) -> list[EffectRow]:
    """A row a policy, the best of the first ranking on top; an effect for each ranking."""
    rows = []
    for label in _row_order(list(rankings.values())):
        found = {
            name: _effect(one.effects, one.labels.index(label)) for name, one in rankings.items()
        }
        rows.append(EffectRow("", label, found))
    return rows


def players_figure(
    name: str, title: str, kind: str, compared: Sequence[Blocks], commands: Sequence[str]
) -> Figure:
    """The effect of each policy of a kind (`draft`) for each number of players."""
    rankings = {f"{blocks.options['players']} players": rank(blocks) for blocks in compared}
    picture = effects(
        name,
        _effect_rows(rankings),
        title=title,
        axis=f"points a round, against the mean of all {kind} policies",
    )
    note = Sentence.of(
        "{games} deals, each played in every seat against a fixed field; all but the {kind} policy "
        "is equal. The line at zero is the mean of all {number} policies with so many players. "
        "Lines are " + SIMULTANEOUS + ", together for all policies with one number of players.",
        games=Number(format_count(compared[0].blocks)),
        kind=kind,
        number=Number(str(len(compared[0].labels))),
    )
    return Figure(picture, note, tuple(commands))


def played_against_figure(
    name: str, compared: Mapping[str, Blocks], commands: Sequence[str]
) -> Figure:
    """The same effects against the field, at one table, and with strong play."""
    rankings = {what: rank(blocks) for what, blocks in compared.items()}
    first = next(iter(compared.values()))
    picture = effects(
        name,
        _effect_rows(rankings),
        title=f"Drafts against others, and with other play ({rules_text(first)})",
        axis="points a round, against the mean of all draft policies",
    )
    counts = [
        Sentence.of("{games} deals {what}", games=Number(format_count(blocks.blocks)), what=what)
        for what, blocks in compared.items()
    ]
    note = listed(counts) + Sentence.of(
        ", each in every seat. At one table the drafts meet each other, every two equally often. "
        "Lines are " + SIMULTANEOUS + ", together for all drafts of one kind."
    )
    return Figure(picture, note, tuple(commands))


def columns_of(blocks: Blocks, drafts: Sequence[str], others: Sequence[str]) -> list[Ranking]:
    """The drafts ranked under each of the other policies, at a level that holds for all columns."""
    level = 1.0 - (1.0 - LEVEL) / len(others)
    return [
        rank(blocks.chosen(tuple(f"{draft}, {other}" for draft in drafts)), level=level)
        for other in others
    ]


def cross_figure(
    name: str,
    blocks: Blocks,
    drafts: Sequence[str],
    others: Sequence[str],
    kind: str,
    commands: Sequence[str],
) -> Figure:
    """The heat map of drafts crossed with the policies of another kind."""
    rankings = columns_of(blocks, drafts, others)
    means = np.array([one.means for one in rankings])
    low, span = float(means.min()), float(np.ptp(means)) or 1.0
    cells = {}
    for x, ranking in enumerate(rankings):
        for y, _ in enumerate(drafts):
            value = float(means[x, y])
            place = ranking.place(ranking.labels[y])
            cells[y, x] = HeatCell(
                value, f"{value:.2f}", f"place {place}", 0.04 + 0.96 * (value - low) / span
            )
    order = np.argsort(-means.mean(axis=0), kind="stable")
    picture = heat(
        name,
        cells,
        rows=[(int(y), drafts[y]) for y in order],
        columns=list(enumerate(others)),
        title=f"Points a round by draft and {kind} ({rules_text(blocks)})",
        row_axis="draft",
        column_axis=kind,
        what="Points a round",
    )
    widest = max(float(one.effects.quantile * one.effects.standard_error.max()) for one in rankings)
    note = Sentence.of(
        "{games} deals, each in every seat against the field. Below the points: the places of the "
        "draft in its column that " + SIMULTANEOUS + " of all pairs leave open, at a level that "
        "holds for all columns together. Who shares place 1 cannot be told from the best. How far "
        "a draft is from the mean of its column is known to within {widest} points.",
        games=Number(format_count(blocks.blocks)),
        widest=Number(f"{widest:.2g}"),
    )
    return Figure(picture, note, tuple(commands))


def crossed_table(
    name: str, crossed: Sequence[Blocks], drafts: Sequence[str], draws: Sequence[str]
) -> Table:
    """Drafts crossed with draw policies in numbers, with what each pair has beyond its parts."""
    import pandas as pd

    rows, records = [], []
    for blocks in crossed:
        rankings = dict(zip(draws, columns_of(blocks, drafts, draws), strict=True))
        beyond = interactions(blocks, len(drafts), len(draws))
        means = {measure: blocks.means(measure) for measure in MEASURES}
        for place, label in enumerate(blocks.labels):
            draft, _, draw = label.partition(", ")
            values = {measure: float(found[place]) for measure, found in means.items()}
            at = drafts.index(draft)
            rows.append(
                (
                    Cell.words(rules_text(blocks)),
                    Cell.name(draft),
                    Cell.name(draw),
                    Cell.words(rankings[draw].place(label)),
                    Cell.count(blocks.blocks),
                    *(Cell.number(f"{value:.3f}", value) for value in values.values()),
                    Cell.number(effect_text(beyond, place), float(beyond.difference[place])),
                )
            )
            records.append(
                {
                    "rules": rules_text(blocks),
                    "draft": draft,
                    "draw": draw,
                    "games": blocks.blocks,
                    "best_place": int(rankings[draw].best[at]),
                    "worst_place": int(rankings[draw].worst[at]),
                    **values,
                    "beyond": float(beyond.difference[place]),
                    "beyond_low": float(beyond.low[place]),
                    "beyond_high": float(beyond.high[place]),
                }
            )
    note = Sentence.of(
        "Each deal in every seat against the field. Places are those in points among the drafts "
        "with the same rules and draw policy. Beyond its parts: the points a round less the "
        "effects of draft and draw policy taken alone, with "
        + SIMULTANEOUS
        + ", together for all pairs "
        "under the same rules."
    )
    columns = ("rules", "draft", "draw", "place", "deals",
               *(COLUMNS[measure] for measure in MEASURES), "points beyond its parts")  # fmt: skip
    title = "Drafts and draw policies in numbers"
    return Table(name, title, columns, tuple(rows), pd.DataFrame(records), note)


def measures_table(name: str, blocks: Blocks) -> Table:
    """What each draft gives up and gains: all measures, each against the mean of all drafts."""
    import pandas as pd

    rankings = {measure: rank(blocks, measure) for measure in MEASURES}
    rows, records = [], []
    for place in rankings["points"].order:
        label = blocks.labels[place]
        row = [Cell.name(label), Cell.words(rankings["points"].place(label))]
        record: dict[str, Any] = {"draft": label, "games": blocks.blocks}
        for measure, ranking in rankings.items():
            mean, effect = float(ranking.means[place]), ranking.effects
            row.append(Cell.number(f"{mean:.3f} ({effect_text(effect, place)})", mean))
            record |= {
                measure: mean,
                f"{measure}_effect": float(effect.difference[place]),
                f"{measure}_low": float(effect.low[place]),
                f"{measure}_high": float(effect.high[place]),
            }
        rows.append(tuple(row))
        records.append(record)
    note = Sentence.of(
        "{games} deals, each in every seat against the field, with {rules}. In brackets the "
        "difference from the mean of all drafts, with " + SIMULTANEOUS + ", together for all "
        "drafts in one column. Places by points: who shares place 1 cannot be told from the best.",
        games=Number(format_count(blocks.blocks)),
        rules=rules_text(blocks),
    )
    columns = ("draft", "place", *(COLUMNS[measure] for measure in MEASURES))
    commands = tuple(blocks.command(label) for label in blocks.labels)
    title = f"What each draft gives up and gains ({rules_text(blocks)})"
    return Table(name, title, columns, tuple(rows), pd.DataFrame(records), note, commands)


def places_table(name: str, field: Sequence[Blocks], table: Sequence[Blocks]) -> Table:
    """The places of all drafts under all rules."""
    import pandas as pd

    drafts = _row_order([rank(field[0])])
    rows, records = [], []
    for one, other in zip(field, table, strict=True):
        for how, blocks in (("field", one), ("one table", other)):
            ranking = rank(blocks)
            cells = [Cell.words(ranking.place(draft)) for draft in drafts]
            rows.append((Cell.words(rules_text(blocks)), Cell.words(how), *cells))
            for draft in drafts:
                at = ranking.labels.index(draft)
                records.append(
                    {
                        "rules": rules_text(blocks),
                        "against": how,
                        "draft": draft,
                        "best_place": int(ranking.best[at]),
                        "worst_place": int(ranking.worst[at]),
                    }
                )
    note = Sentence.of(
        "Places in points that " + SIMULTANEOUS + " of all pairs leave open, together for the "
        "drafts of one row. Who shares place 1 cannot be told from the best."
    )
    columns = ("rules", "against", *drafts)
    title = "The places of the drafts under every rule"
    return Table(name, title, columns, tuple(rows), pd.DataFrame(records), note)


def drafts_table(name: str, field: Sequence[Blocks], table: Sequence[Blocks]) -> Table:
    """All drafts under all rules in numbers."""
    import pandas as pd

    rows, records = [], []
    for one, other in zip(field, table, strict=True):
        for how, blocks in (("field", one), ("one table", other)):
            ranking = rank(blocks)
            means = {measure: blocks.means(measure) for measure in MEASURES}
            for place in ranking.order:
                label, effect = blocks.labels[place], ranking.effects
                values = {measure: float(found[place]) for measure, found in means.items()}
                rows.append(
                    (
                        Cell.words(rules_text(blocks)),
                        Cell.words(how),
                        Cell.name(label),
                        Cell.words(ranking.place(label)),
                        Cell.number(effect_text(effect, place), float(effect.difference[place])),
                        *(Cell.number(f"{value:.3f}", value) for value in values.values()),
                    )
                )
                records.append(
                    {
                        "rules": rules_text(blocks),
                        "against": how,
                        "draft": label,
                        "games": blocks.blocks,
                        **values,
                        "effect": float(effect.difference[place]),
                        "effect_low": float(effect.low[place]),
                        "effect_high": float(effect.high[place]),
                    }
                )
    note = Sentence.of(
        "The effect is the difference in points a round from the mean of all drafts under the same "
        "rules, with " + SIMULTANEOUS + ", together for these drafts."
    )
    columns = ("rules", "against", "draft", "place", "effect",
               *(COLUMNS[measure] for measure in MEASURES))  # fmt: skip
    title = "The drafts under every rule in numbers"
    return Table(name, title, columns, tuple(rows), pd.DataFrame(records), note)
