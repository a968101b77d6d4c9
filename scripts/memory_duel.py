"""The study of the memory duel: the value of a memory, when to call, what each rule of thumb costs.

It is run by `python -m scripts.memory_duel --out out`. Most of its numbers are exact solutions;
games are played beside them as a check, and where a strategy remembers and so has no exact value.
"""

from __future__ import annotations

import sys

import sim.games
from reports.lines import Line, Panel, TileMap, curves, tiles
from reports.numbers import format_count
from reports.page import Figure, Study
from reports.words import Name, Number, Sentence
from scripts.common_deals import Watch
from scripts.memory_duel_findings import findings
from scripts.memory_duel_numbers import (
    GAME,
    CapacityValues,
    calling_map,
    capacity_values,
    check_all,
    curve,
    duel,
    given_to_optimal,
    strategy_rows,
)
from scripts.memory_duel_tables import (
    MODELS,
    ORDERS,
    check_table,
    pairs_table,
    strategy_table,
    variant_table,
)
from sim.experiment import Experiment
from strategies.memory_duel_models import ANY_ORDER, IN_ORDER, LISTS_A_LENGTH
from strategies.registry import names

#: The published capacity for lists in order; others are swept around it.
CAPACITY = 4.65
THRESHOLDS = ("threshold(4)", "threshold(5)", "threshold(6)")
#: Games of each simulated setting at scale 1.
GAMES = 200_000
FEWEST_GAMES = 200
POINTS = {"in-order": IN_ORDER, "any-order": ANY_ORDER}


def study(
    *,
    seed: int = 1,
    scale: float = 1.0,
    games: int | None = None,
    jobs: int | None = None,
    watch: Watch | None = None,
) -> Study:
    """Solve, play and report. `games` is the number for every simulated setting."""
    number = games if games is not None else max(FEWEST_GAMES, round(GAMES * scale))
    rules = sim.games.load(GAME)
    values = capacity_values(CAPACITY)
    rows = strategy_rows(_specs(), MODELS)
    without = [row.spec for row in rows if row.cards[MODELS[0]] is None]
    bounds = [given_to_optimal(spec, MODELS[0], number, seed, jobs) for spec in without]
    checks = check_all(_settings_to_check(seed), number, watch)
    amount = f" --games {games}" if games is not None else f" --scale {scale}" * (scale != 1.0)
    command = f"python -m scripts.memory_duel --out out --seed {seed}{amount}"
    return Study(
        name=GAME,
        title=rules.title,
        lead=Sentence.of(
            "Two players lay cards on one stack in turn. Whoever calls makes the other recite it, "
            "and it goes to whoever is right. What is the better memory worth, and when is the "
            "moment to call?"
        ),
        findings=findings(values, rows, checks, bounds),
        parts=(
            _value_figure(values, command),
            _map_figure(command),
            strategy_table(rows, bounds, command),
            pairs_table(rows, command),
            _recall_figure(command),
            variant_table(checks, command),
            check_table(checks),
        ),
        settings=_settings(seed, number),
        commands=(command,),
    )


def _specs() -> list[str]:
    """All registered strategies; of `threshold` the values around the published capacity."""
    found = [name for name in names(sim.games.load(GAME)) if name != "threshold"]
    return [*found, *THRESHOLDS]


def _settings_to_check(seed: int) -> list[tuple[str, Experiment]]:
    """Every model in both variants under optimal play, and a few strategies against each other."""
    found = []
    for order, words in ORDERS.items():
        for model in MODELS:
            if order == "any-order" and model.startswith(("iid", "persistent")):
                continue  # they are the same in any order
            found.append((words, duel("optimal", [model], seed=seed, order=order)))
    found.append(
        ("unlike players", duel(["tempo", "optimal"], ["logistic(k=5)", "capacity"], seed=seed))
    )
    found.append(("playing to win", duel("optimal-wins", [], seed=seed)))
    found.append(("a coin", duel("random", [], seed=seed)))
    return found


# --- figures -------------------------------------------------------------------------------------


def _value_figure(values: CapacityValues, command: str) -> Figure:
    x = values.capacities
    picture = curves(
        f"{GAME}-capacity",
        [
            Panel(
                f"against a capacity of {CAPACITY:g}",
                (Line("starting", x, values.as_first), Line("not starting", x, values.as_second)),
            ),
            Panel("against an equal", (Line("starting", x, values.equals),)),
        ],
        title="What a memory is worth",
        x_axis="own capacity k, in cards",
        y_axis="cards gained on the opponent",
        zero=True,
        alt=f"Cards gained by capacity. Against {CAPACITY:g}, mean of both seats: "
        + "; ".join(f"{CAPACITY + d:g}: {values.gain(d):+.1f}" for d in (-1, 0, 1, 2))
        + ". Against an equal the starting seat gains between "
        f"{min(values.equals):+.2f} and {max(values.equals):+.2f}.",
    )
    note = Sentence.of(
        "Exact, both playing optimally for cards; 52 cards, recall in order, a logistic curve with "
        "the published spread and lapses. The steps are where the first stack that is more likely "
        "failed than recited becomes one card larger: then the other player meets it."
    )
    return Figure(picture, note, (command,))


def _map_figure(command: str) -> Figure:
    models = ("logistic", "logistic(k=6)", "iid(0.9)")
    titles = (
        "as published: capacity 4.65",
        "the same with capacity 6",
        "every card known with probability 0.9",
    )
    maps = [TileMap(t, calling_map(model)) for t, model in zip(titles, models, strict=True)]
    picture = tiles(
        f"{GAME}-map",
        maps,
        title="When to call",
        kinds=("call", "raise (or decline)"),
        x_axis="cards in the pack",
        y_axis="cards on the stack",
        first_y=1,
        alt="Where an optimal player calls, by pack and stack: from four cards on with the "
        "published capacity, where two cards are called as well in most packs, in stripes; from "
        "six or seven on with a capacity of six; from six on with every card known with 0.9.",
    )
    note = Sentence.of(
        "Exact, both players alike, for cards. Exact ties, of which there are some, go to raising. "
        "The stripes at two cards: calling them gives them away, so that the opponent begins the "
        "next stack and meets it even."
    )
    return Figure(picture, note, (command,))


def _recall_figure(command: str) -> Figure:
    panels = []
    for order, words in ORDERS.items():
        experiment = duel("random", order=order)
        lengths = list(range(1, 13))
        lines = [Line("published", lengths[:8], POINTS[order], dots=True)]
        for model in MODELS:
            found = curve(experiment, model)[1:13]
            lines.append(Line(model, lengths, found.tolist()))
        panels.append(Panel(f"recited {words}", tuple(lines)))
    picture = curves(
        f"{GAME}-recall",
        panels,
        title="The recall models beside what was measured",
        x_axis="cards",
        y_axis="probability that all are right",
        alt="Probability of reciting n cards by model. Published, in order: "
        + ", ".join(f"{n}: {p:g}" for n, p in enumerate(IN_ORDER, 1))
        + ". The logistic curve lies on the points, the capacity curve is flatter, "
        "iid(0.9) does not "
        "fit.",
    )
    note = Sentence.of(
        "Dots: lists of words read once and recalled whole, {lists} lists a length (Grenfell-Essam "
        "and Ward 2012). No recall curve for playing cards was found, so capacities are swept and "
        "never asserted.",
        lists=Number(str(LISTS_A_LENGTH)),
    )
    return Figure(picture, note, (command,))


def _settings(seed: int, games: int) -> tuple[tuple[str, Sentence], ...]:
    return (
        ("Game", Sentence((Name(GAME),))),
        ("Cards", Sentence(("52",))),
        ("Seed", Sentence((f"{seed}, for what is played; most numbers are exact",))),
        ("Games of each setting", Sentence((Number(format_count(games)),))),
        ("Recall", Sentence.of("{model} where no other is named", model=Name(MODELS[0]))),
        (
            "When to stop",
            Sentence(("the number of games was fixed beforehand, the same for every setting",)),
        ),
    )


if __name__ == "__main__":
    from scripts.reports import entry

    entry(["--only", GAME, *sys.argv[1:]])
