"""Rule variants: what changing one option does to a strategy, game by game on the same deals."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from reports.differing import ShareDifference, exact_interval, few_differ, share_difference
from reports.intervals import Interval
from reports.numbers import format_count
from reports.page import Cell, Figure, Table
from reports.parts import games_text, method_note, percent
from reports.plots import Effect, EffectRow, effects
from reports.words import Number, Sentence
from scripts.common_deals import DealtGames, Watch, against_first, deal_games, paired_hits
from scripts.ladder import headline, spec_of
from sim.experiment import Experiment
from sim.options import shown

LEVEL = 0.95

#: What a reader must not forget about changed rules.
AS_IT_IS = "Each strategy plays on as it is: none was made anew for a changed rule."

#: One option with one value, as the command line writes them.
Change = tuple[str, str]


@dataclass(frozen=True, eq=False)
class Variant:
    """A strategy under rules of which one option is not the default."""

    change: Change
    run: DealtGames
    difference: ShareDifference

    @property
    def label(self) -> str:
        """`exhaustion = at-once`."""
        return " = ".join(self.change)

    @property
    def setting(self) -> str:
        """`exhaustion=at-once`, as the command line wants it."""
        return "=".join(self.change)


@dataclass(frozen=True, eq=False)
class Variants:
    """A strategy under the default rules and under each change; intervals hold together."""

    default: DealtGames
    variants: tuple[Variant, ...]

    @property
    def spec(self) -> str:
        """The strategy."""
        return spec_of(self.default)

    def of(self, option: str) -> list[Variant]:
        """The variants of one option."""
        return [variant for variant in self.variants if variant.change[0] == option]


def vary(
    game: str,
    spec: str,
    changes: Sequence[Change],
    games: int,
    *,
    seed: int,
    jobs: int | None = None,
    watch: Watch | None = None,
) -> Variants:
    """Play one strategy under the default rules and under each change of them."""
    runs = []
    for options in [[], *([f"{name}={value}"] for name, value in changes)]:
        experiment = Experiment.make(game, [spec], options=options, seed=seed)
        if watch is not None:
            watch(experiment, games)
        runs.append(deal_games(experiment, games, jobs))
    return Variants(runs[0], _compared(runs, changes))


def _compared(runs: Sequence[DealtGames], changes: Sequence[Change]) -> tuple[Variant, ...]:
    """Differences to the first run, all intervals together at LEVEL.

    Where few games differ the interval is exact, with its part of the chance to miss (Bonferroni);
    the others share the rest by max-T.
    """
    sums = [paired_hits(run, runs[0]) for run in runs[1:]]
    few = [few_differ(one) for one in sums]
    alpha = 1.0 - LEVEL
    each = alpha / len(sums)
    intervals: list[Interval] = [
        replace(exact_interval(one, 1.0 - each), level=LEVEL)
        if scarce
        else Interval(0, 0, LEVEL, "max-T")
        for one, scarce in zip(sums, few, strict=True)
    ]
    plenty = [place for place, scarce in enumerate(few) if not scarce]
    if plenty:
        together = against_first(
            [runs[0], *(runs[place + 1] for place in plenty)], 1.0 - each * len(plenty)
        )
        for n, place in enumerate(plenty):
            intervals[place] = Interval(
                float(together.low[n]), float(together.high[n]), LEVEL, "max-T"
            )
    return tuple(
        Variant(change, run, share_difference(one, LEVEL, interval))
        for change, run, one, interval in zip(changes, runs[1:], sums, intervals, strict=True)
    )


def default_text(run: DealtGames, option: str) -> str:
    """The default of an option as it is written."""
    return shown(run.experiment.options.as_dict()[option])


def effects_part(
    name: str, title: str, all_variants: Sequence[Variants], commands: Sequence[str] = ()
) -> Figure:
    """The differences to the default rules, a row for each change, a mark for each strategy."""
    rows = []
    for place, first in enumerate(all_variants[0].variants):
        found = {}
        for variants in all_variants:
            difference = variants.variants[place].difference
            limits = difference.interval
            found[variants.spec] = Effect(difference.difference, limits.low, limits.high)
        rows.append(EffectRow(first.change[0], first.label, found))
    what = headline(all_variants[0].default).name
    picture = effects(name, rows, title=title, axis=f"change of the share of {what}")
    note = Sentence.of(
        "{games} games of each strategy under each rule, all on the same deals. The line at zero "
        "is the default rules ({defaults}). Lines are simultaneous " + percent(LEVEL)
        + " intervals (max-T, exact where fewer than 25 games differ), together for all rules of "
        "one strategy. " + AS_IT_IS,
        games=Number(games_text([v.default.games for v in all_variants])),
        defaults=_defaults(all_variants[0]),
    )  # fmt: skip
    return Figure(picture, note, tuple(commands))


def _defaults(variants: Variants) -> str:
    options = dict.fromkeys(variant.change[0] for variant in variants.variants)
    return ", ".join(f"{name} = {default_text(variants.default, name)}" for name in options)


def variants_table(name: str, title: str, all_variants: Sequence[Variants]) -> Table:
    """The rule variants in numbers."""
    import pandas as pd

    rows, records, commands = [], [], []
    for variants in all_variants:
        runs: list[tuple[str, DealtGames, ShareDifference | None]] = []
        runs.append(("default rules", variants.default, None))
        runs += [(v.label, v.run, v.difference) for v in variants.variants]
        for label, run, difference in runs:
            outcome = headline(run)
            rows.append(
                (
                    Cell.name(label) if difference else Cell.words(label),
                    Cell.name(variants.spec),
                    Cell.number(difference.text(), difference.difference)
                    if difference
                    else Cell.missing(),
                    Cell.share(outcome),
                    Cell.count(run.games),
                    _gain_cell(difference),
                )
            )
            records.append(
                {
                    "rule": label.replace(" = ", "="),
                    "strategy": variants.spec,
                    "games": run.games,
                    **outcome.as_dict(),
                    "change": difference.difference if difference else None,
                    "change_low": difference.interval.low if difference else None,
                    "change_high": difference.interval.high if difference else None,
                    "change_method": difference.interval.method if difference else None,
                    "change_level": LEVEL if difference else None,
                    "differing_games": difference.differing if difference else None,
                    "variance_ratio": difference.variance_ratio if difference else None,
                }
            )
            commands.append(run.command())
    found = [headline(v.default).interval for v in all_variants]
    found += [headline(v.run).interval for one in all_variants for v in one.variants]
    note = Sentence.of(
        "The shares have " + method_note(found) + ", each for itself; the changes are taken game "
        "by game on the same deals and have simultaneous " + percent(LEVEL) + " intervals, "
        "together for the {rules} rules of one strategy (max-T, exact where fewer than 25 games "
        "differ). The gain: how many times as many games the same precision would have "
        "taken on deals of their own.",
        rules=Number(format_count(len(all_variants[0].variants))),
    )
    columns = ("rule", "strategy", "change", "share", "games", "gain of common deals")
    data = pd.DataFrame(records).astype({"differing_games": "Int64"})  # whole, some missing
    return Table(name, title, columns, tuple(rows), data, note, tuple(commands))


def _gain_cell(difference: ShareDifference | None) -> Cell:
    ratio = difference.variance_ratio if difference else math.nan
    if math.isnan(ratio):
        return Cell.missing()
    text = "∞" if math.isinf(ratio) else f"{ratio:.1f}×" if ratio < 100 else f"{ratio:,.0f}×"
    return Cell.number(text, ratio)
