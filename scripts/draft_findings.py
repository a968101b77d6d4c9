"""What the study of Short Zoot Suit found, in sentences made from its numbers.

No sentence claims what its interval does not hold: “cannot be told apart” where it includes zero.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from reports.intervals import mean_t_of
from reports.numbers import format_mean
from reports.words import Name, Number, Sentence, listed
from scripts.draft_deals import MEASURES, NOISE, Blocks, Floats, Ranking, interactions, rank
from scripts.draft_parts import columns_of, effect_text, rules_text

#: How a difference in a measure is told: more, fewer.
WORDS = {
    "tricks": ("more tricks", "fewer tricks"),
    "shorts": ("more shorts", "fewer shorts"),
    "equal": ("more often as many shorts as tricks", "less often as many shorts as tricks"),
    "length": ("longer rounds", "shorter rounds"),
}


def findings(
    field: Sequence[Blocks],
    table: Sequence[Blocks],
    crossed: Sequence[Blocks],
    draws: Sequence[str],
    strong: Blocks,
) -> tuple[Sentence, ...]:
    """All findings, the most important first; `strong` is `field[0]` with another play policy."""
    drafts = list(field[0].labels)
    found = [_best(field[0]), *(_crossing(blocks, drafts, draws) for blocks in crossed)]
    found += [_gives_and_gains(field[0], label) for label in _ordered(rank(field[0]))]
    found += [
        _best_elsewhere(field),
        _one_table(field[0], table[0]),
        _strong_play(field[0], strong),
    ]
    found += [_lengths(crossed[0], drafts, draws)]
    return tuple(found)


def names(labels: Sequence[str]) -> Sentence:
    """`a, b and c` as names."""
    return listed([Sentence((Name(label),)) for label in labels])


def _ordered(ranking: Ranking) -> list[str]:
    return [ranking.labels[place] for place in ranking.order]


def _best(blocks: Blocks) -> Sentence:
    """Which drafts lead under the default rules."""
    ranking = rank(blocks)
    order = _ordered(ranking)
    best, last = order[0], order[-1]
    rivals = [label for label in ranking.leading if label != best]
    verdict = (
        Sentence.of("it cannot be told apart from {them}", them=names(rivals))
        if rivals
        else Sentence(("it is clearly ahead of every other",))
    )
    return Sentence.of(
        "With {rules}, all else equal, {best} brings most points a round, {mean}: {effect} against "
        "the mean of the {number} drafts; {verdict}. {last} brings fewest, {last_mean}, which is "
        "{span} less.",
        rules=rules_text(blocks),
        best=Name(best),
        mean=Number(f"{ranking.means[ranking.order[0]]:.2f}"),
        effect=Number(effect_text(ranking.effects, ranking.order[0])),
        number=str(len(order)),
        verdict=verdict,
        last=Name(last),
        last_mean=Number(f"{ranking.means[ranking.order[-1]]:.2f}"),
        span=Number(format_mean(*ranking.span)),
    )


def _crossing(blocks: Blocks, drafts: Sequence[str], draws: Sequence[str]) -> Sentence:
    """Whether the draw policy decides which draft is best."""
    rankings = columns_of(blocks, drafts, draws)
    leading = [{label.partition(", ")[0] for label in ranking.leading} for ranking in rankings]
    told = [
        Sentence.of(
            "{drafts} under {draw}",
            drafts=names([label.partition(", ")[0] for label in ranking.leading]),
            draw=Name(draw),
        )
        for draw, ranking in zip(draws, rankings, strict=True)
    ]
    result = interactions(blocks, len(drafts), len(draws))
    clear = int(((result.low > 0) | (result.high < 0)).sum())
    start = Sentence.of(
        "Crossed with the draw policies, with {rules} the first place goes to ",
        rules=rules_text(blocks),
    )
    everywhere = set.intersection(*leading)
    if everywhere:
        kept = [draft for draft in drafts if draft in everywhere]
        verdict = Sentence.of(
            ". {kept} {is_or_are} clearly behind under none of them; still, ",
            kept=names(kept),
            is_or_are="are" if len(kept) > 1 else "is",
        )
    else:
        verdict = Sentence((". No draft is among the first under every draw policy: ",))
    return (
        start
        + with_semicolons(told)
        + verdict
        + Sentence.of(
            "{clear} of the {cells} combinations bring clearly more or less than their draft and "
            "their draw policy alone would.",
            clear=Number(str(clear)),
            cells=Number(str(len(result.low))),
        )
    )


def _gives_and_gains(blocks: Blocks, label: str) -> Sentence:
    """What a draft does differently from the mean of all drafts."""
    place = blocks.labels.index(label)
    results = {measure: rank(blocks, measure).effects for measure in MEASURES}
    told = []
    for measure, (more, fewer) in WORDS.items():
        effect = results[measure]
        if effect.low[place] > 0 or effect.high[place] < 0:
            word = more if effect.difference[place] > 0 else fewer
            text = "{word} ({effect})"
            value = Number(effect_text(effect, place))
            told.append(Sentence.of(text, word=word, effect=value))
    points = results["points"]
    clear = points.low[place] > 0 or points.high[place] < 0
    ending = Sentence.of(
        "; {points} points a round"
        if clear
        else "; in points ({points}) it is not clearly different from the mean",
        points=Number(effect_text(points, place)),
    )
    if not told:
        what = Sentence(("differs from the mean of the drafts in nothing that shows",))
    else:
        what = Sentence(("has, against the mean of the drafts, ",)) + listed(told)
    return Sentence.of("{name} ", name=Name(label)) + what + ending + Sentence((".",))


def _best_elsewhere(field: Sequence[Blocks]) -> Sentence:
    """Who leads under the other rules."""
    by_leaders: dict[tuple[str, ...], list[str]] = {}
    for blocks in field[1:]:
        by_leaders.setdefault(tuple(rank(blocks).leading), []).append(rules_text(blocks))
    if not by_leaders:
        return Sentence(("No other rules were tried.",))
    told = []
    for who, rules in by_leaders.items():
        everybody = len(who) == len(field[0].labels)
        listed_names = Sentence(("all of them",)) if everybody else names(who)
        where = listed([Sentence.of("{rules}", rules=f"“{one}”") for one in rules])
        told.append(Sentence.of("with {where} {who}", where=where, who=listed_names))
    start = Sentence(("Under other rules these share the first place: ",))
    return start + with_semicolons(told) + Sentence((".",))


def with_semicolons(items: Sequence[Sentence]) -> Sentence:
    """`a; b; c`, for items that have commas of their own."""
    text = items[0]
    for item in items[1:]:
        text += Sentence(("; ",)) + item
    return text


def _one_table(field: Blocks, table: Blocks) -> Sentence:
    """Whether the order is the same when the drafts meet each other."""
    against, together = rank(field), rank(table)
    return Sentence.of(
        "At one table, where the drafts meet each other, {there} {share} the first place in "
        "points; against the fixed field it was {here}.",
        there=names(together.leading),
        share="share" if len(together.leading) > 1 else "has",
        here=names(against.leading),
    )


def mean_text(values: Floats) -> str:
    """The mean of block values with its 95 % t interval."""
    mean = float(values.mean())
    if float(np.ptp(values)) < NOISE:
        return f"{mean:.6g}"
    return format_mean(mean, mean_t_of(values))


def _strong_play(field: Blocks, strong: Blocks) -> Sentence:
    """What better play does beside a better draft, on the deals that both played."""
    strongly = rank(strong)
    n = min(strong.blocks, field.blocks)
    plain = field.of("points")[:n].mean(axis=1)
    gains = strong.of("points")[:n].mean(axis=1) - plain
    best, limits = rank(field).span
    text = mean_text(gains)
    clear = float(gains.mean()) - 4.0 * float(gains.std(ddof=1)) / n**0.5 > limits.high
    return Sentence.of(
        ("Play weighs more than the draft: with" if clear else "With")
        + " Monte Carlo play the drafts bring, on average, {gain} more points a round on the same "
        "deals, where the best draft is {best} ahead of the worst; with it {who} {share} the first "
        "place.",
        gain=Number(text),
        best=Number(format_mean(best, limits)),
        who=names(strongly.leading),
        share="share" if len(strongly.leading) > 1 else "has",
    )


def _lengths(blocks: Blocks, drafts: Sequence[str], draws: Sequence[str]) -> Sentence:
    """How long rounds are and what they bring, by draw policy."""
    told = []
    for draw in draws:
        chosen = blocks.chosen(tuple(f"{draft}, {draw}" for draft in drafts))
        told.append(
            Sentence.of(
                "{draw} makes for {length} tricks and {points} points",
                draw=Name(draw),
                length=Number(mean_text(chosen.of("length").mean(axis=1))),
                points=Number(mean_text(chosen.of("points").mean(axis=1))),
            )
        )
    return Sentence.of(
        "What the draw policy of one player does, on average over all drafts, with {rules}: {told} "
        "a round.",
        rules=rules_text(blocks),
        told=listed(told),
    )
