"""The study of President: a ranking of strategies, and the laboratory of the exchange.

It is run by `python -m scripts.president --out out`; the laboratory alone, with a target of your
own, by `python -m scripts.exchange_variants --out out`.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

import sim.games
from reports.numbers import format_count
from reports.page import Study
from reports.words import Name, Number, Sentence
from scripts.common_deals import Watch
from scripts.exchange_parts import laboratory_findings, laboratory_parts, laboratory_settings
from scripts.exchange_variants import STRATEGIES, explore, planned
from scripts.president_ranking import (
    EVEN,
    GAME,
    Ranking,
    is_clear,
    lead_text,
    payoff_figure,
    rank_all,
    ranking_table,
    shares_figure,
)
from strategies.registry import names

#: Three of these are the common opponents: the best that plays in microseconds without a search.
FIELD = "control"
GIFTS = ("lowest", "keep-pairs", "split", "fewest-turns", "random", "middle")
#: Deals by what a game costs, never by results: 0.02 to 0.2 milliseconds of one core, and 25 for
#: `monte-carlo`. Each deal is played in four seats.
DEALS, SLOW_DEALS = 2000, 100
#: The same against each other strategy; the slow one is only ever one against three.
PAYOFF_DEALS, SLOW_PAYOFF_DEALS = 250, 25
SLOW = frozenset({"monte-carlo"})
#: However small the scale, so many deals are played.
FEWEST_DEALS = 5


def study(
    *,
    seed: int = 1,
    scale: float = 1.0,
    games: int | None = None,
    jobs: int | None = None,
    watch: Watch | None = None,
    strategies: Sequence[str] | None = None,
    grid: Sequence[str] = STRATEGIES,
) -> Study:
    """Play and report on all whole strategies, or on these; `grid` are those of the laboratory.

    `games` is the number of deals for every run, else each has its own.
    """

    def count(plan: int) -> int:
        return games if games is not None else max(min(plan, FEWEST_DEALS), round(plan * scale))

    rules = sim.games.load(GAME)
    specs = list(strategies or names(rules))
    ranking = rank_all(
        specs,
        FIELD,
        lambda spec: count(SLOW_DEALS if is_slow(spec) else DEALS),
        seed=seed,
        jobs=jobs,
        watch=watch,
    )
    gifts = rank_all(
        [f"gift={gift},play={FIELD}" for gift in GIFTS],
        FIELD,
        lambda spec: count(DEALS),
        seed=seed,
        jobs=jobs,
        watch=watch,
    )
    quick = [one.spec for one in ranking.placed if not is_slow(one.spec)]
    payoff = payoff_figure(
        "president-payoff",
        "One against three of each other strategy",
        [one.spec for one in ranking.placed],
        quick,
        lambda spec: count(SLOW_PAYOFF_DEALS if is_slow(spec) else PAYOFF_DEALS),
        seed=seed,
        jobs=jobs,
        watch=watch,
    )
    laboratory = explore(planned(scale, games), seed=seed, jobs=jobs, watch=watch, strategies=grid)
    amount = f" --games {games}" if games is not None else f" --scale {scale}" * (scale != 1.0)
    command = f"python -m scripts.president --out out --seed {seed}{amount}"
    alone = command.replace("scripts.president", "scripts.exchange_variants")
    return Study(
        name=GAME,
        title=rules.title,
        lead=Sentence.of(
            "Four players shed their cards; the ranks of a round decide who gives the best cards "
            "to whom in the next. Who plays best, how hard is it to get up from the bottom, and "
            "which exchange makes it fair?"
        ),
        findings=(
            *laboratory_findings(laboratory), *ranking_findings(ranking), *gift_findings(gifts)
        ),
        parts=(
            *laboratory_parts(laboratory, (alone,)),
            shares_figure("president-ranks", "Rounds at each rank, by strategy", ranking),
            ranking_table("president-strategies", "The strategies in order", ranking, "play"),
            ranking_table("president-gifts", f"The gifts, all playing {FIELD}", gifts, "gift"),
            *payoff,
        ),
        settings=(
            *laboratory_settings(laboratory, seed),
            ("Ranking", _deals(ranking)),
            (
                "When to stop",
                Sentence((
                    "the number of games of each run was fixed beforehand, by what a game costs "
                    "and never by results",
                )),
            ),
        ),
        commands=(command,),
    )  # fmt: skip


def is_slow(spec: str) -> bool:
    """Whether a game of the strategy takes milliseconds."""
    return any(name in spec for name in SLOW)


def _deals(ranking: Ranking) -> Sentence:
    found = sorted({one.games for one in ranking.placed}, reverse=True)
    return Sentence.of(
        "one player in each of four seats against three of {field}; {deals} deals",
        field=Name(FIELD),
        deals=Number(" or ".join(format_count(games) for games in found)),
    )


# --- findings -------------------------------------------------------------------------------------


def ranking_findings(ranking: Ranking) -> tuple[Sentence, ...]:
    """The best strategy, the best without a search, and what the danger rule costs."""
    best = ranking.placed[0]
    found = [
        Sentence.of(
            "The best of the {number} strategies is {best}: alone against three of {field} it "
            "makes {points} points a round, where an equal player would make {even}, and is "
            "President in {share} of 100 rounds.",
            number=Number(str(len(ranking.placed))),
            best=Name(best.spec),
            field=Name(best.field),
            points=Number(best.text()),
            even=Number(f"{EVEN:g}"),
            share=Number(f"{100 * best.shares[0]:.0f}"),
        )
    ]
    if len(ranking.placed) > 1:
        lead = ranking.leads[0]
        words = (
            "It is clearly ahead of {second}, by {lead} on the deals that both played."
            if is_clear(lead)
            else "On the deals that both played it cannot be told from {second} ({lead})."
        )
        found[0] += Sentence((" ",)) + Sentence.of(
            words,
            second=Name(ranking.placed[1].spec),
            lead=Number(lead_text(lead, best.rounds)),
        )
    specs = {one.spec for one in ranking.placed}
    if {"danger", "fewest-turns"} <= specs:
        found.append(_danger(ranking))
    return tuple(found)


def _danger(ranking: Ranking) -> Sentence:
    """To stand in the way of a player about to go out: what it brings the one who does."""
    one = ranking["danger"]
    lead = ranking.lead(one, ranking["fewest-turns"])
    start = Sentence.of(
        "Standing in the way of an opponent with one card is a service to the others: {danger}, "
        "which is {other} with that rule, ",
        danger=Name("danger"),
        other=Name("fewest-turns"),
    )
    text = Number(lead_text(lead, one.rounds))
    if not is_clear(lead):
        return Sentence.of(
            "Standing in the way of an opponent with one card neither pays nor costs measurably: "
            "{danger} against {other} {lead} points a round.",
            danger=Name("danger"), other=Name("fewest-turns"), lead=text,
        )  # fmt: skip
    if lead.difference > 0:
        return Sentence.of(
            "Standing in the way of an opponent with one card pays: {danger} is ahead of {other} "
            "by {lead} points a round.",
            danger=Name("danger"), other=Name("fewest-turns"), lead=text,
        )  # fmt: skip
    return start + Sentence.of("makes {lead} points a round beside it.", lead=text)


def gift_findings(gifts: Ranking) -> tuple[Sentence, ...]:
    """The best gift and what it is worth beside the lowest cards."""
    best = gifts.placed[0]
    lowest = next(one for one in gifts.placed if one.spec.startswith("gift=lowest,"))
    lead = gifts.lead(best, lowest)
    worst = gifts.placed[-1]
    told = Sentence.of(
        "What to give matters: with the same play, the best gift is {best}",
        best=Name(_gift_of(best.spec)),
    )
    if best is not lowest:
        told += Sentence.of(
            ", {lead} points a round ahead of the lowest cards",
            lead=Number(lead_text(lead, best.rounds)),
        )
    return (
        told
        + Sentence.of(
            "; {worst} is last with {points}.",
            worst=Name(_gift_of(worst.spec)),
            points=Number(worst.text()),
        ),
    )


def _gift_of(spec: str) -> str:
    return spec.partition(",")[0].partition("=")[2] or spec


if __name__ == "__main__":
    from scripts.reports import entry

    entry(["--only", GAME, *sys.argv[1:]])
