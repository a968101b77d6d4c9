"""The study of the memory duel: the value of a memory, when to call, what each rule of thumb costs.

It is run by `python -m scripts.memory_duel --out out`. Most of its numbers are exact solutions;
games are played beside them as a check, and where a strategy remembers and so has no exact value.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

import pandas as pd

import sim.games
from reports.lines import Line, Panel, TileMap, curves, tiles
from reports.numbers import format_count, format_mean
from reports.page import Cell, Figure, Study, Table
from reports.parts import percent
from reports.words import Name, Number, Sentence
from scripts.common_deals import Watch
from scripts.memory_duel_findings import findings
from scripts.memory_duel_numbers import (
    GAME,
    LEVEL,
    CapacityValues,
    Check,
    GivenToOptimal,
    StrategyRow,
    calling_map,
    capacity_values,
    check_all,
    curve,
    duel,
    given_to_optimal,
    strategy_rows,
)
from sim.experiment import Experiment
from strategies.memory_duel_models import ANY_ORDER, IN_ORDER, LISTS_A_LENGTH
from strategies.registry import names

#: The published capacity for lists in order; others are swept around it.
CAPACITY = 4.65
#: The models of the table of strategies, the default first.
MODELS = ("logistic", "capacity", "iid(0.9)", "persistent(0.95)")
THRESHOLDS = ("threshold(4)", "threshold(5)", "threshold(6)")
#: Games of each simulated setting at scale 1.
GAMES = 200_000
FEWEST_GAMES = 200
ORDERS = {"in-order": "in order", "any-order": "in any order"}
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
    bounds = [given_to_optimal(spec, MODELS[0], number, seed) for spec in without]
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
            _strategy_table(rows, bounds, command),
            _recall_figure(command),
            _variant_table(checks, command),
            _check_table(checks),
        ),
        settings=_settings(seed, number),
        commands=(command,),
    )


def _specs() -> list[str]:
    """All registered strategies; of `threshold` the three values that matter for people."""
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
    titles = ("people: capacity 4.65", "capacity 6", "every card known with 0.9")
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
        "capacity of people, where two cards are called as well in most packs, in stripes; from "
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


# --- tables --------------------------------------------------------------------------------------


def _cards_cell(value: float | None, digits: int = 2) -> Cell:
    if value is None:
        return Cell.missing()
    return Cell.number(f"{value:.{digits}f}", value)


def _strategy_table(
    rows: Sequence[StrategyRow], bounds: Sequence[GivenToOptimal], command: str
) -> Table:
    from strategies.registry import registered

    rules = sim.games.load(GAME)
    known = registered(rules)
    at_least = {bound.spec: bound for bound in bounds}
    shown, records = [], []

    def first(row: StrategyRow) -> float:
        value = row.cards[MODELS[0]]
        return at_least[row.spec].mean if value is None else value

    for row in sorted(rows, key=first):
        bound = at_least.get(row.spec)
        cells = [_cards_cell(row.cards[model]) for model in MODELS]
        if bound is not None:
            text = f"at least {format_mean(bound.mean, bound.interval)}"
            cells[0] = Cell.number(text, bound.mean)
        idea = known[rules.kinds[0], row.spec.partition("(")[0]].summary
        shown.append((Cell.name(row.spec), *cells, _cards_cell(row.wins, 3), Cell.words(idea)))
        record: dict[str, object] = {"strategy": row.spec}
        record |= {f"gives_away_{model}": row.cards[model] for model in MODELS}
        record |= {"gives_away_wins": row.wins}
        record |= {
            "at_least": bound.mean if bound else None,
            "at_least_low": bound.interval.low if bound else None,
            "at_least_high": bound.interval.high if bound else None,
        }
        records.append(record)
    note = Sentence.of(
        "Exact: what a best response gains beyond the value of the game, the mean over the two "
        "seats, in cards a game by recall model, and in games won for the first. 0 is optimal. "
        "“At least”: a strategy that remembers has no table; this is what {optimal} gains on it in "
        "simulation, with a " + percent(LEVEL) + " interval (Student’s t, the same deals in both "
        "seats). – : not made for such memories, or not solved.",
        optimal=Name("optimal"),
    )
    commands = [command, *(bound.command for bound in bounds)]
    columns = ("strategy", *MODELS, "wins given away", "idea")
    return Table(
        f"{GAME}-strategies", "What each strategy gives away", columns, tuple(shown),
        pd.DataFrame(records), note, tuple(commands),
    )  # fmt: skip


def _variant_table(checks: Sequence[Check], command: str) -> Table:
    """What the option `order` changes for the two models that people were measured by."""
    rows, records = [], []
    for check in checks:
        if check.label not in ORDERS.values() or check.wins is None:
            continue
        model = check.means.experiment.recall[0].spec
        if model.startswith("iid"):
            continue
        calls = check.means.interval(check.means.calls)
        mean_calls = check.means.calls[0] / check.means.games
        rows.append(
            (
                Cell.words(check.label),
                Cell.name(model),
                Cell.number(f"{check.cards:+.3f}", check.cards),
                Cell.number(f"{_wins_value(check):.4f}", _wins_value(check)),
                Cell.number(format_mean(mean_calls, calls), mean_calls),
            )
        )
        records.append(
            {
                "recited": check.label, "model": model, "value_cards": check.cards,
                "value_wins": _wins_value(check), "calls": mean_calls, "calls_low": calls.low,
                "calls_high": calls.high, "games": check.means.games,
            }
        )  # fmt: skip
    note = Sentence.of(
        "The value of the game to seat 0, who starts, is exact: in cards when both play for cards, "
        "in games won when both play to win. The calls of a game are counted over {games} games of "
        "{optimal} against itself: its choices depend on pack and stack alone, never on "
        "how a recital "
        "ended, so every game has as many.",
        games=Number(format_count(checks[0].means.games)),
        optimal=Name("optimal"),
    )
    columns = ("recited", "model", "value, cards", "value, wins", "calls a game")
    title = "The Shootin’ Gallery: order free or not"
    return Table(
        f"{GAME}-orders", title, columns, tuple(rows), pd.DataFrame(records), note, (command,)
    )


def _wins_value(check: Check) -> float:
    from scripts.memory_duel_numbers import value_of

    return value_of(check.means.experiment, "wins")


def _check_table(checks: Sequence[Check]) -> Table:
    rows, records = [], []
    for check in checks:
        means, setting = check.means, check.means.experiment
        gain = means.interval(means.gain, check.level)
        wins = means.win_interval(check.level)
        specs = " / ".join(dict.fromkeys(seat.spec for seat in setting.seats))
        memory = " / ".join(dict.fromkeys(model.spec for model in setting.recall))
        exact_wins = Cell.missing() if check.wins is None else _cards_cell(check.wins, 4)
        rows.append(
            (
                Cell.name(specs),
                Cell.name(memory),
                Cell.words(check.label),
                Cell.number(f"{check.cards:+.4f}", check.cards),
                Cell.number(format_mean(means.mean_gain, gain), means.mean_gain),
                exact_wins,
                Cell.number(format_mean(means.win_rate, wins), means.win_rate),
                Cell.words("yes" if check.agrees else "no"),
            )
        )
        records.append(
            {
                "strategies": specs, "models": memory, "setting": check.label,
                "games": means.games, "exact_cards": check.cards, "cards": means.mean_gain,
                "cards_low": gain.low, "cards_high": gain.high, "exact_wins": check.wins,
                "wins": means.win_rate, "wins_low": wins.low, "wins_high": wins.high,
                "level_together": LEVEL, "agrees": check.agrees,
            }
        )  # fmt: skip
    note = Sentence.of(
        "What seat 0 gains, solved and played ({games} games each). The intervals "
        "(Student’s t) hold "
        "together at " + percent(LEVEL) + " for all {checks} comparisons (Bonferroni): when the "
        "simulation and the solution are right, a “no” anywhere has a chance of one in "
        "twenty at most.",
        games=Number(format_count(checks[0].means.games)),
        checks=Number(str(checks[0].checks)),
    )
    columns = (
        "strategies", "memory", "setting", "cards, exact", "cards, played", "wins, exact",
        "wins, played", "agree",
    )  # fmt: skip
    return Table(
        f"{GAME}-check", "Solution and simulation", columns, tuple(rows), pd.DataFrame(records),
        note, tuple(check.means.command() for check in checks),
    )  # fmt: skip


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
