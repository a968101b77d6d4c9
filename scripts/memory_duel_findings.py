"""What the study of the memory duel found, in sentences made from its numbers."""

from __future__ import annotations

from collections.abc import Sequence

from reports.numbers import format_mean
from reports.words import Name, Number, Sentence
from scripts.memory_duel_numbers import CapacityValues, Check, GivenToOptimal, StrategyRow

#: Strategies that a person could play by heart, and so may be called a rule of thumb.
READABLE = ("doubter", "weigher", "careful", "tempo", "banker", "threshold(4)", "threshold(5)")


def signed(value: float, digits: int = 2) -> Number:
    """A number with its sign."""
    return Number(f"{value:+.{digits}f}")


def findings(
    values: CapacityValues,
    rows: Sequence[StrategyRow],
    checks: Sequence[Check],
    bounds: Sequence[GivenToOptimal],
) -> tuple[Sentence, ...]:
    """All findings, the most important first."""
    first = next(iter(rows[0].cards))
    found = [_best_rule(rows, first), _obvious(rows, first), _worth(values)]
    found += [_starting(values), _orders(checks), _felt(rows)]
    found += [_remembering(bound) for bound in bounds]
    found.append(_agreement(checks))
    return tuple(found)


def _readable(rows: Sequence[StrategyRow], model: str) -> list[tuple[float, str]]:
    found = [(row.cards[model], row.spec) for row in rows if row.spec in READABLE]
    return sorted((value, spec) for value, spec in found if value is not None)


def _best_rule(rows: Sequence[StrategyRow], model: str) -> Sentence:
    value, spec = _readable(rows, model)[0]
    return Sentence.of(
        "The best rule of thumb for people is {spec}: an opponent who knows it gains "
        "{value} cards a "
        "game beyond the value of the game, the mean over both seats. It calls the stack that the "
        "opponent more likely fails; who began the stack and will not be the one to meet that, "
        "gives a cheap one away.",
        spec=Name(spec),
        value=Number(f"{value:.2f}"),
    )


def _obvious(rows: Sequence[StrategyRow], model: str) -> Sentence:
    doubter = next(row for row in rows if row.spec == "doubter").cards[model]
    assert doubter is not None
    return Sentence.of(
        "The obvious rule, to call when the opponent more likely fails ({spec}), gives "
        "{value} of 52 "
        "cards away: when it began the stack it meets four cards, raises, and is called on five.",
        spec=Name("doubter"),
        value=Number(f"{doubter:.2f}"),
    )


def _worth(values: CapacityValues) -> Sentence:
    return Sentence.of(
        "A capacity of one card more than the opponent’s is worth {one} cards, half a card {half}, "
        "two cards {two}, one less {less} (mean of the seats, exact).",
        one=signed(values.gain(1), 1),
        half=signed(values.gain(0.5), 1),
        two=signed(values.gain(2), 1),
        less=signed(values.gain(-1), 1),
    )


def _starting(values: CapacityValues) -> Sentence:
    return Sentence.of(
        "Between equals, starting is worth {own} cards at the published capacity, and "
        "between {low} "
        "and {high} at any from 2 to 10: who meets the first stack that fails depends on "
        "whether it "
        "is even or odd.",
        own=signed(values.start),
        low=signed(min(values.equals)),
        high=signed(max(values.equals)),
    )


def _orders(checks: Sequence[Check]) -> Sentence:
    by_label = {
        check.label: check
        for check in checks
        if check.means.experiment.recall[0].spec.startswith("logistic")
        and check.label in ("in order", "in any order")
    }
    ordered, free = by_label["in order"], by_label["in any order"]
    return Sentence.of(
        "In the Shootin’ Gallery, with recall in any order as published, the value to the one who "
        "starts is {free} cards instead of {ordered}.",
        free=signed(free.cards),
        ordered=signed(ordered.cards),
    )


def _felt(rows: Sequence[StrategyRow]) -> Sentence:
    model = next(model for model in rows[0].cards if model.startswith("persistent"))
    by_spec = {row.spec: row.cards[model] for row in rows}
    feeler, careful, best = by_spec["feeler"], by_spec["careful"], by_spec["optimal"]
    assert feeler is not None
    assert careful is not None
    assert best is not None
    return Sentence.of(
        "Where players feel what they have lost, under {model}, {feeler} gives away "
        "{value} cards and "
        "{careful}, which does not listen to itself, {more}. The mixed play of {optimal} is proved "
        "minimax for cards by its best response, which gains {gap} beyond the value of the game.",
        model=Name(model),
        feeler=Name("feeler"),
        value=Number(f"{feeler:.2f}"),
        careful=Name("careful"),
        more=Number(f"{careful:.2f}"),
        optimal=Name("optimal"),
        gap=Number(f"{best:.6f}"),
    )


def _remembering(bound: GivenToOptimal) -> Sentence:
    return Sentence.of(
        "{spec}, who learns while playing, gives at least {value} cards away when both "
        "memories are "
        "in fact the same and known.",
        spec=Name(bound.spec),
        value=Number(format_mean(bound.mean, bound.interval)),
    )


def _agreement(checks: Sequence[Check]) -> Sentence:
    right = sum(check.agrees for check in checks)
    settings = Number(str(len(checks)))
    if right == len(checks):
        return Sentence.of(
            "Simulation and solution agree in all {settings} settings.", settings=settings
        )
    return Sentence.of(
        "Note: simulation and solution disagree in {wrong} of {settings} settings.",
        wrong=Number(str(len(checks) - right)),
        settings=settings,
    )
