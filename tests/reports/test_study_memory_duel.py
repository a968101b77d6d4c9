"""The study of the memory duel at a small scale: it says what was solved and played."""

import numpy as np
import pytest

from reports.page import Page, Study, render
from scripts.memory_duel import GAME, MODELS, study
from scripts.memory_duel_numbers import (
    calling_map,
    capacity_values,
    check_all,
    duel,
    given_to_optimal,
    play_means,
)
from sim.engine import play
from strategies.memory_duel_exact import solve_cards
from strategies.memory_duel_worth import experiment_of, exploitability
from strategies.registry import names
from tests.reports.report_pages import rows_of
from tests.rules.memory_duel_table import RULES


@pytest.fixture(scope="module")
def small() -> Study:
    return study(games=2_000)


def csv_of(made: Study, name: str) -> list[dict[str, str]]:
    return rows_of(next(t for t in made.tables if t.name == f"{GAME}-{name}").csv)


def test_every_registered_strategy_is_in_the_table(small):
    rows = {row["strategy"]: row for row in csv_of(small, "strategies")}
    assert {spec.partition("(")[0] for spec in rows} == set(names(RULES))
    for spec in ("tempo", "random", "threshold(5)"):
        for model in MODELS:
            exact = exploitability(experiment_of(spec, [model])).mean
            assert float(rows[spec][f"gives_away_{model}"]) == pytest.approx(exact, abs=1e-9)
    assert float(rows["optimal"]["gives_away_logistic"]) == 0
    assert rows["student"]["gives_away_logistic"] == ""
    assert float(rows["student"]["at_least_low"]) < float(rows["student"]["at_least_high"])


def test_findings_and_page(small):
    text = " ".join(finding.plain() for finding in small.findings)
    assert "The best rule of thumb for people is tempo: an opponent who knows it gains 0.67" in text
    # together at 95 %, so now and then a setting disagrees; the sentence must say so
    wrong = [row["agrees"] for row in csv_of(small, "check")].count("False")
    said = f"disagree in {wrong} of 9" if wrong else "agree in all 9"
    assert f"imulation and solution {said} settings" in text
    assert wrong < 3
    page = render(Page("t", "l", (small,), ("c",)))
    assert "What a memory is worth" in page
    assert "--model" in page


def test_checks_would_find_a_difference():
    """The same numbers with a wrong solution do not agree."""
    right = check_all([("x", duel("tempo"))], 4_000)[0]
    assert right.agrees
    assert 0.95 < right.level < 1
    wrong = type(right)(right.label, right.means, right.cards + 2, right.wins, right.checks)
    assert not wrong.agrees


def test_means_are_those_of_the_games():
    setting = duel("random", seed=4)
    means = play_means(setting, 900)
    rows = play(RULES, setting.options, setting.seating, 4, 0, 900).rows
    gain = rows["claimed_0"].astype(int) - rows["claimed_1"]
    assert means.mean_gain == pytest.approx(gain.mean())
    assert means.win_rate == pytest.approx(((gain > 0) + 0.5 * (gain == 0)).mean())
    limits = means.win_interval()
    assert limits.low < means.win_rate < limits.high
    assert means.command().endswith("--seed 4 --games 900")


def test_optimal_gains_nothing_on_itself():
    found = given_to_optimal("optimal", "logistic", 500, 1)
    assert found.interval.contains(0.0)
    assert found.command.startswith("playout compare memory-duel --strategy optimal")


def test_figures_hold_the_solution():
    values = capacity_values(4.65)
    assert values.gain(0) == pytest.approx(0)
    assert values.gain(1) > 10 > values.gain(-1)
    assert values.start == pytest.approx(-0.9813974537)
    cells = calling_map("iid(0.9)")
    curve = 0.9 ** np.arange(209)
    calls = solve_cards((curve, curve), 52).calls[0]
    for stack, pack in ((6, 20), (7, 0), (6, 3), (1, 51)):
        assert cells[stack - 1, pack] == calls[pack, stack]
    assert cells[9, 51] == -1
