"""What the study of the Shooting Party found, in sentences made from its numbers.

No sentence claims what its interval does not hold: “cannot be told apart” where it includes zero.
"""

from __future__ import annotations

from collections.abc import Sequence

from reports.intervals import proportion
from reports.numbers import format_count, format_share
from reports.outcomes import OutcomeTable
from reports.parts import share_alone
from reports.plain import plain_number
from reports.words import Name, Number, Sentence, listed
from scripts.common_deals import DealtGames
from scripts.ladder import Ladder, headline, spec_of
from scripts.variants import Variant, Variants, default_text

YARDSTICK = "tidy"

#: The clauses that the rulebook leaves open, as questions of a player, with the other answer.
READINGS = {
    "exhaustion": (
        "Does it matter when an empty pile is made anew (SP-5)?",
        "at the moment its last card is drawn, instead of when a card is needed",
    ),
    "last_draw": (
        "Does it matter how the last draw ends (SP-6)?",
        "the cards of the last draw may still be played, instead of being lost",
    ),
}


def findings(
    ladder: Ladder, varied: Sequence[Variants], shown: DealtGames, readable: str | None
) -> tuple[Sentence, ...]:
    """All findings, the most important first.

    `shown` is the run whose endings are told in full, `readable` the best strategy for people.
    """
    found = [_best(ladder)]
    if readable not in (None, YARDSTICK, spec_of(ladder.best)):
        found.append(_best_readable(ladder[readable]))
    found += [*_far_below(ladder), *_never(ladder), _endings(shown)]
    for variants in varied:
        found += [_largest_changes(variants)]
    found += [_reading(option, varied) for option in READINGS]
    found += [_passes(one) for one in varied if one.spec == spec_of(shown)]
    return tuple(found)


def share_of(run: DealtGames) -> Number:
    """The headline share of a run, with its interval."""
    return Number(headline(run).text())


def every_so_often(share: float) -> str:
    """A share in everyday words."""
    if share <= 0:
        return "never"
    if share >= 0.1:
        return f"about {round(100 * share)} games of 100"
    games = 1 / share
    digits = max(0, len(str(round(games))) - 2)
    return f"about one game in {format_count(round(games / 10**digits) * 10**digits)}"


def _best(ladder: Ladder) -> Sentence:
    best, what = ladder.best, headline(ladder.best).name
    sentence = Sentence.of(
        "The best of the {number} strategies is {best}: {share} of its {games} games end as "
        "{what}, {often}.",
        number=str(len(ladder.runs)),
        best=Name(spec_of(best)),
        share=share_of(best),
        games=format_count(best.games),
        what=f"a {what}",
        often=every_so_often(headline(best).share),
    )
    if len(ladder.runs) == 1:
        return sentence
    rivals = ladder.level_with_best
    if rivals:
        names = listed([Sentence((Name(spec_of(run)),)) for run in rivals])
        return sentence + Sentence.of(" On these deals it cannot be told from {them}.", them=names)
    lead = ladder.lead(best, ladder.runs[1])
    return sentence + Sentence.of(
        " It is clearly ahead of {second}, by {lead} on the deals that both played.",
        second=Name(spec_of(ladder.runs[1])),
        lead=Number(lead.text()),
    )


def _best_readable(run: DealtGames) -> Sentence:
    return Sentence.of(
        "The best strategy that a person could play by heart is {name}, with {share}: {often}.",
        name=Name(spec_of(run)),
        share=share_of(run),
        often=every_so_often(headline(run).share),
    )


def _far_below(ladder: Ladder) -> list[Sentence]:
    """The yardstick beside the best."""
    if YARDSTICK not in ladder or spec_of(ladder.best) == YARDSTICK:
        return []
    run = ladder[YARDSTICK]
    share = headline(run).share
    if share == 0 or not ladder.lead(ladder.best, run).clear:
        return []
    ratio = headline(ladder.best).share / share
    times = f"{ratio:.1f}" if ratio < 10 else format_count(round(ratio))
    return [
        Sentence.of(
            "The rules’ own yardstick {name} gets there in {share} of its games, {often}: {best} "
            "about {times} times as often.",
            name=Name(YARDSTICK),
            share=share_of(run),
            often=every_so_often(share),
            best=Name(spec_of(ladder.best)),
            times=times,
        )
    ]


def _never(ladder: Ladder) -> list[Sentence]:
    """The strategies that never had the headline outcome."""
    found = []
    for run in ladder.runs:
        if headline(run).count == 0:
            found.append(
                Sentence.of(
                    "{name} never got there in {games} games; its share is {share}.",
                    name=Name(spec_of(run)),
                    games=format_count(run.games),
                    share=Number(headline(run).text().partition("(")[2].rstrip(")")),
                )
            )
    return found


def part_of(table: OutcomeTable, names: Sequence[str]) -> Number:
    """The share of games with any of these outcomes."""
    count = sum(table[name].count for name in names)
    return Number(format_share(count, table.games, proportion(count, table.games, table.level)))


def _endings(best: DealtGames) -> Sentence:
    table = best.table
    common = max(table.outcomes, key=lambda outcome: outcome.count)
    queens = [o.name for o in table.outcomes if o.name.endswith(" scoundrel")]
    return Sentence.of(
        "The most frequent title of {name} is {title} ({share}); with or without their jewels it "
        "is alone with all four queens in {four} of its games.",
        name=Name(spec_of(best)),
        title=common.name,
        share=Number(common.text()),
        four=part_of(table, queens),
    )


def _change(variants: Variants, variant: Variant) -> Sentence:
    return Sentence.of(
        "{rule} (from {before} to {share}, a change of {change})",
        rule=Name(variant.setting),
        before=_roughly(variants.default),
        share=_roughly(variant.run),
        change=Number(variant.difference.text()),
    )


def _roughly(run: DealtGames) -> str:
    """The share of a run, without an interval: for sentences that give that of a change."""
    return plain_number(share_alone(headline(run)))


def _largest_changes(variants: Variants) -> Sentence:
    clear = [v for v in variants.variants if v.difference.clear]
    better = max(clear, key=lambda v: v.difference.difference, default=None)
    worse = min(clear, key=lambda v: v.difference.difference, default=None)
    start = Sentence.of(
        "Of {number} changes of a single rule, ",
        number=str(len(variants.variants)),
    )
    name = Name(variants.spec)
    told = []
    if better is not None and better.difference.difference > 0:
        text = "the largest gain seen for {name} comes with {rule}"
        told.append(Sentence.of(text, name=name, rule=_change(variants, better)))
    if worse is not None and worse.difference.difference < 0:
        text = "the largest loss with {rule}"
        if not told:
            text = "the largest loss seen for {name} comes with {rule}"
        told.append(Sentence.of(text, name=name, rule=_change(variants, worse)))
    if not told:
        return start + Sentence.of("none can be told from the default for {name}.", name=name)
    return start + listed(told) + Sentence((".",))


def _reading(option: str, varied: Sequence[Variants]) -> Sentence:
    """What the other reading of a disputed clause changes."""
    question, meaning = READINGS[option]
    told = []
    for variants in varied:
        difference = variants.of(option)[0].difference
        verdict = "for {name} by {change}"
        if not difference.clear:
            verdict += " (which may be no change at all)"
        told.append(
            Sentence.of(verdict, name=Name(variants.spec), change=Number(difference.text()))
        )
    return Sentence.of(
        "{question} With {rule} ({meaning}) the share changes {told}.",
        question=question,
        rule=Name(varied[0].of(option)[0].setting),
        meaning=meaning,
        told=listed(told),
    )


def _passes(variants: Variants) -> Sentence:
    """The share by the number of reshuffles, in order."""
    runs = {v.change[1]: v.run for v in variants.of("reshuffles")}
    default = default_text(variants.default, "reshuffles")
    runs[default] = variants.default
    parts = []
    for number in sorted(runs, key=int):
        text = f"{{share}} with {number}" + (" (the rule)" if number == default else "")
        parts.append(Sentence.of(text, share=_roughly(runs[number])))
    return Sentence.of(
        "How often the pile may be made anew sets the odds of {name}: {parts} reshuffles.",
        name=Name(variants.spec),
        parts=listed(parts),
    )
