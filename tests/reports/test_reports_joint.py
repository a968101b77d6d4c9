from dataclasses import replace

import pytest

from reports.joint import grid_of
from sim.contract import Measure
from tests.reports.report_pages import RULES


def measure(name: str, queens: int, aces: int) -> Measure:
    return Measure(name, "", lambda g: (g["queens"] == queens) & (g["aces"] == aces))


def with_measures(*measures: Measure):
    return replace(RULES, measures=measures)


def test_the_titles_of_the_shooting_party_are_a_grid():
    grid = grid_of(RULES)
    assert grid is not None
    assert (grid.row_name, grid.column_name) == ("queens", "aces")
    assert set(grid.cells) == {(q, a) for q in range(5) for a in range(q + 1)}
    for (queens, aces), place in grid.cells.items():
        assert RULES.measures[place].meaning == f"exactly {queens} queens and {aces} aces scored"
    assert grid.rows[0] == (4, "4 scoundrel")
    assert grid.rows[-1] == (0, "0 boor")
    assert grid.columns[0] == (0, "0 impecunious")
    assert grid.columns[-1] == (4, "4 filthy")


def test_names_without_a_word_for_each_value_leave_numbers():
    names = ("w x", "y z", "a b", "c d")
    grid = grid_of(with_measures(*(measure(n, i // 2, i % 2) for i, n in enumerate(names))))
    assert grid is not None
    assert grid.rows == ((1, "1"), (0, "0"))


@pytest.mark.parametrize(
    "measures",
    [
        (measure("a", 0, 0), measure("b", 0, 1)),  # too few
        (*RULES.measures[:5], measure("again", 4, 4)),  # a cell twice
        (*RULES.measures, Measure("any", "", lambda g: g["queens"] >= 0)),  # many cells
        (*RULES.measures, Measure("other", "", lambda g: g["points"] == 1)),  # another column
        (*RULES.measures, Measure("never", "", lambda g: g["queens"] < 0)),  # no cell
    ],
)
def test_other_outcomes_are_no_grid(measures):
    assert grid_of(with_measures(*measures)) is None


def test_another_number_of_columns_is_no_grid():
    assert grid_of(replace(RULES, tally=("queens",))) is None
    assert grid_of(replace(RULES, tally=("queens", "aces", "reshuffles"))) is None
