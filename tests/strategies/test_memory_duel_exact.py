"""The exact solution of the memory duel: known numbers, an independent recursion, simulation.

What is drawn is compared at 4.5 standard errors: a false alarm in 7e-6 of the comparisons, of which
there are fewer than 60 with fixed seeds, so below 5e-4 for a changed seed and none for this one.
"""

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sim.engine import play
from sim.errors import StrategyError
from sim.experiment import Experiment
from strategies.memory_duel_exact import Policy, evaluate, solve_cards
from strategies.memory_duel_felt import Memory, felt_value, solve_felt
from strategies.memory_duel_worth import (
    experiment_of,
    exploitability,
    game_value,
    policy_of,
    worth,
)
from strategies.models import parse_model
from tests.rules.memory_duel_table import RULES

MODELS = ["iid(0.9)", "logistic", "capacity", "persistent(0.95)"]
STANDARD_ERRORS = 4.5


def curve(spec: str) -> Any:
    """The recall curve of a model."""
    return parse_model(spec, RULES, RULES.options()).recall


def both(spec: str) -> list[Any]:
    """The same curve for both seats."""
    return [curve(spec), curve(spec)]


def test_known_values() -> None:
    """The facts of the rules: iid(0.9), always and never right."""
    nine = both("iid(0.9)")
    solution = solve_cards(nine, 52)
    assert round(solution.start, 7) == -0.0734486
    greedy = [Policy.of_solution(solution, seat) for seat in (0, 1)]
    assert round(evaluate(nine, 52, objective="wins").value, 4) == 0.4954
    assert round(evaluate(nine, 52, greedy, "wins").value, 4) == 0.5045
    assert np.isclose(evaluate(nine, 52, greedy).value, solution.start)
    sure, lost = solve_cards(both("iid(1)"), 52), solve_cards(both("iid(0)"), 52)
    assert sure.start == 0
    assert not sure.calls.any()
    assert lost.start == -52
    assert lost.calls[:, 1:52, 1].all()


def plain_value(recall: Any, cards: int, objective: str, rules: Any = (None, None)) -> float:
    """The worth of a duel to seat 0 by the shortest recursion over whole states.

    `rules` are functions (pack, stack, own claimed, declined) -> call or not; None plays best.
    """

    @cache
    def value(pack: int, stack: int, mover: int, first: int, second: int, declined: int) -> float:
        claimed = (first, second)
        if pack == 0 and (stack == 0 or declined == 2):
            if objective == "cards":
                return first - second
            return 1.0 if first > second else 0.5 if first == second else 0.0
        if pack > 0:
            other = value(pack - 1, stack + 1, 1 - mover, first, second, 0)
        else:
            other = value(0, stack, 1 - mover, first, second, declined + 1)
        if stack == 0:
            return other
        call = 0.0
        for right in (True, False):
            chance = recall[1 - mover][stack]
            claims = 1 - mover if right else mover
            gains = [claimed[seat] + stack * (seat == claims) for seat in (0, 1)]
            after = value(pack, 0, 1 - mover, gains[0], gains[1], 0)
            call += (chance if right else 1 - chance) * after
        if rules[mover] is not None:
            return call if rules[mover](pack, stack, claimed[mover], declined) else other
        return max(call, other) if mover == 0 else min(call, other)

    return value(cards, 0, 0, 0, 0, 0)


@pytest.mark.parametrize("objective", ["cards", "wins"])
@pytest.mark.parametrize("cards", [1, 2, 5, 12])
def test_values_equal_a_plain_recursion(cards: int, objective: str) -> None:
    """Two different memories, a small pack, both objectives."""
    for specs in (("iid(0.7)", "logistic(k=3)"), ("capacity(k=2,sd=2)", "iid(0.5)")):
        recall = [curve(spec) for spec in specs]
        expected = plain_value(recall, cards, objective)
        assert np.isclose(evaluate(recall, cards, objective=objective).value, expected, atol=1e-12)
        if objective == "cards":
            assert np.isclose(solve_cards(recall, cards).start, expected, atol=1e-12)


def test_given_policies_equal_a_plain_recursion() -> None:
    """Strategies that look at the lead and the end; and a best response to one of them."""
    recall, cards = [curve("iid(0.7)"), curve("logistic(k=3)")], 11

    def rule(pack: int, stack: int, claimed: int, declined: int) -> bool:
        return (stack * 5 + claimed * 3 + pack + declined) % 4 == 0

    calls, last = np.zeros((cards + 1,) * 3), np.zeros((cards + 1,) * 2)
    for place in np.ndindex(calls.shape):
        calls[place] = rule(*place, 0)
    for place in np.ndindex(last.shape):
        last[place] = rule(0, *place, 1)
    policy = Policy(calls, last)
    for objective in ("cards", "wins"):
        for seats in ((1, 1), (1, 0), (0, 1)):
            rules = [rule if follows else None for follows in seats]
            policies = [policy if follows else None for follows in seats]
            expected = plain_value(recall, cards, objective, rules)
            found = evaluate(recall, cards, policies, objective).value
            assert np.isclose(found, expected, atol=1e-12), (objective, seats)


@pytest.mark.parametrize("specs", [("iid(0.9)", "logistic"), ("capacity", "capacity")])
def test_linear_programs_equal_induction_where_nothing_is_felt(specs: tuple[str, str]) -> None:
    """Two solvers that share no line give the same value."""
    models = [parse_model(spec, RULES, RULES.options()) for spec in specs]
    felt = solve_felt([Memory.of(model) for model in models], 20)
    assert np.isclose(felt.start[0, 20], solve_cards([m.recall for m in models], 20).start)


@pytest.mark.parametrize(
    "specs",
    [
        ("persistent(0.95)",) * 2,
        ("persistent(0.9)", "persistent(0.97)"),
        ("persistent(0.8)", "iid"),
    ],
)
def test_felt_solutions_are_certified(specs: tuple[str, str]) -> None:
    """The bound that proves minimax play: no best response gains more than the value."""
    models = [parse_model(spec, RULES, RULES.options()) for spec in specs]
    memories = [Memory.of(model) for model in models]
    solved = solve_felt(memories, 30)
    value = solved.start[0, 30]
    first, second = solved.policies
    assert np.isclose(felt_value(memories, 30, (first, second)), value, atol=1e-8)
    assert np.isclose(felt_value(memories, 30, (None, second)), value, atol=1e-8)
    assert np.isclose(felt_value(memories, 30, (first, None)), value, atol=1e-8)


def test_a_felt_game_by_hand() -> None:
    """One card, kept with probability p: seat 1 calls iff that pays; two last decisions. MD-6"""
    for keep in (0.3, 0.5, 0.8):
        model = parse_model(f"persistent({keep})", RULES, RULES.options())
        solved = solve_felt([Memory.of(model)] * 2, 1)
        # seat 1 gains 1 - 2 keep by calling, or declines; then seat 0, who may be able to call
        decline = -max(1 - 2 * keep, 0)
        assert np.isclose(solved.start[0, 1], -max(1 - 2 * keep, decline), atol=1e-9)


def simulated(setting: Experiment, games: int) -> tuple[float, float, float, float]:
    """Mean card difference and share of wins of seat 0 with their standard errors."""
    rows = play(RULES, setting.options, setting.seating, setting.seed, 0, games).rows
    gain = rows["claimed_0"].astype(float) - rows["claimed_1"]
    won = (gain > 0) + 0.5 * (gain == 0)
    root = games**0.5
    return gain.mean(), gain.std() / root, won.mean(), won.std() / root


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("spec", ["optimal", "tempo", "threshold(4)", "random", "feeler"])
def test_simulation_agrees_with_the_solution(spec: str, model: str) -> None:
    """Cards, and wins where they are solved, for every model: see the module's text."""
    setting = experiment_of(spec, [model], seed=5)
    gain, error, won, wins_error = simulated(setting, 40_000)
    assert abs(gain - worth(setting)) <= STANDARD_ERRORS * error + 1e-9
    if not model.startswith("persistent"):
        assert abs(won - worth(setting, "wins")) <= STANDARD_ERRORS * wins_error + 1e-9
    if spec == "optimal":
        assert np.isclose(worth(setting), game_value(setting), atol=1e-8)


def test_simulation_agrees_for_different_memories() -> None:
    """Seats with different models, one of them felt, and strategies that are not alike."""
    for specs, models in (
        (("tempo", "optimal"), ["logistic(k=5)", "iid(0.9)"]),
        (("optimal", "feeler"), ["persistent(0.9)", "logistic"]),
        (("banker", "optimal-wins"), ["logistic", "capacity"]),
    ):
        setting = experiment_of(specs[0], models, other=specs[1], seed=6, cards=40)
        gain, error, _, _ = simulated(setting, 40_000)
        assert abs(gain - worth(setting)) <= STANDARD_ERRORS * error + 1e-9


@pytest.mark.parametrize("model", MODELS)
def test_optimal_play_cannot_be_exploited(model: str) -> None:
    """Exploitability is 0 for `optimal` and never negative; `random` gives much away."""
    assert abs(exploitability(experiment_of("optimal", [model])).mean) < 1e-7
    for spec in ("random", "doubter", "tempo"):
        weak = exploitability(experiment_of(spec, [model]))
        assert min(weak.as_first, weak.as_second) > -1e-7
    assert exploitability(experiment_of("random", [model])).mean > 5


def test_wins_are_a_question_of_their_own() -> None:
    """`optimal-wins` wins most, `optimal` gains most cards, and neither does both."""
    for_wins, for_cards = (experiment_of(spec) for spec in ("optimal-wins", "optimal"))
    assert abs(exploitability(for_wins, "wins").mean) < 1e-9
    assert exploitability(for_wins).mean > 0.1
    assert exploitability(for_cards, "wins").mean > 0.01


def test_who_has_no_table_is_refused(tmp_path: Path) -> None:
    """Strategies that remember, draw or look back have no value; nor the lead when it is felt."""
    file = tmp_path / "mine.py"
    file.write_text(
        "from sim.rng import bounded\n"
        "from strategies import strategy\n"
        "def ahead(view, ctx):\n"
        "    return 1 if view.claimed > 3 and view.stack > 0 else 0 if view.pack > 0 else 2\n"
        "def grudge(view, ctx):\n"
        "    return 1 if view.last_call > 3 and view.stack > 0 else 0 if view.pack > 0 else 2\n"
        "@strategy('memory-duel', uses_chance=True)\n"
        "def coin(view, ctx):\n"
        "    return 1 if bounded(ctx, 3) > 1 and view.stack > 0 else 0 if view.pack > 0 else 2\n"
    )
    felt = ["persistent(0.8)"]
    for spec, models, words in (
        ("student", [], "student remembers"),
        (f"{file}:ahead", felt, "looks at the lead"),
        (f"{file}:grudge", [], "looks at earlier recitals"),
        (f"{file}:coin", [], "draws, so no table"),
    ):
        with pytest.raises(StrategyError, match=words):
            policy_of(experiment_of(spec, models), 0)
    assert policy_of(experiment_of(f"{file}:ahead"), 1).calls[:, 1, :].any()
    with pytest.raises(StrategyError, match="win rate with persistent memories is not solved"):
        worth(experiment_of("random", felt), "wins")
