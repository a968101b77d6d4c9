"""The tables of the study of the memory duel."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

import sim.games
from reports.numbers import format_count, format_mean
from reports.page import Cell, Table
from reports.parts import percent
from reports.words import Name, Number, Sentence
from scripts.memory_duel_numbers import (
    GAME,
    LEVEL,
    Check,
    GivenToOptimal,
    StrategyRow,
    pair_gains,
    value_of,
)
from strategies.registry import registered

#: The models of the table of strategies, the default first.
MODELS = ("logistic", "capacity", "iid(0.9)", "persistent(0.95)")
#: The strategies that are set against each other.
PAIRED = (
    "optimal",
    "tempo",
    "banker",
    "careful",
    "threshold(4)",
    "optimal-wins",
    "doubter",
    "random",
)
ORDERS = {"in-order": "in order", "any-order": "in any order"}


def _cards_cell(value: float | None, digits: int = 2) -> Cell:
    if value is None:
        return Cell.missing()
    return Cell.number(f"{value:.{digits}f}", value)


def strategy_table(
    rows: Sequence[StrategyRow], bounds: Sequence[GivenToOptimal], command: str
) -> Table:
    """What each strategy gives away, least first; `bounds` are of those without an exact value."""
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


def pairs_table(rows: Sequence[StrategyRow], command: str) -> Table:
    """Who beats whom, for the strategies that have an exact value."""
    by_name = {row.spec: row for row in rows}
    specs = [spec for spec in PAIRED if by_name[spec].cards[MODELS[0]] is not None]
    gains = pair_gains(specs, MODELS[0])
    shown, records = [], []
    for first in specs:
        cells = [
            Cell.missing()
            if first == second
            else Cell.number(f"{gains[first, second]:+.2f}", gains[first, second])
            for second in specs
        ]
        shown.append((Cell.name(first), *cells))
        records += [
            {"strategy": first, "against": second, "cards": gains[first, second]}
            for second in specs
            if first != second
        ]
    note = Sentence.of(
        "Exact: cards a game that the strategy of the row gains on that of the column, "
        "the mean over "
        "the two seats, both with {model}.",
        model=Name(MODELS[0]),
    )
    title = "Each against each"
    return Table(
        f"{GAME}-pairs", title, ("strategy", *specs), tuple(shown), pd.DataFrame(records), note,
        (command,),
    )  # fmt: skip


def variant_table(checks: Sequence[Check], command: str) -> Table:
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
    return value_of(check.means.experiment, "wins")


def check_table(checks: Sequence[Check]) -> Table:
    """Every setting that was solved and played, and whether both agree."""
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
