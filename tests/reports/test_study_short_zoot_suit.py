"""The draft laboratory at a tiny scale: what it says must be what was played."""

from collections import Counter
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from reports.page import Page, Study, render
from scripts.draft_deals import (
    MEASURES,
    Blocks,
    against_field,
    at_one_table,
    interactions,
    rank,
    tables_of,
)
from scripts.draft_findings import findings
from scripts.draft_heuristics import CONDITIONS, DRAFTS, DRAWS, PLAYS, spec_of, study
from scripts.reports import studies
from sim.engine import play
from sim.experiment import Experiment
from strategies.registry import registered
from tests.reports.report_pages import rows_of
from tests.rules.short_zoot_suit_table import RULES

GAME = "short-zoot-suit"
FEW = ("random", "void-two", "bury-high")
RULES_FEW: tuple[dict[str, Any], ...] = ({"players": 3}, {"players": 3, "bonus": "stars"})


@pytest.fixture(scope="module")
def small() -> Study:
    return study(games=30, drafts=FEW, conditions=RULES_FEW)


def csv_of(made: Study, name: str) -> list[dict[str, str]]:
    return rows_of(next(t for t in made.tables if t.name == f"{GAME}-{name}").csv)


def made_of(values: np.ndarray[Any, Any], labels: tuple[str, ...]) -> Blocks:
    """Blocks with these points (policies, blocks) and nothing else."""
    every = np.zeros((*values.shape, len(MEASURES)))
    every[:, :, 0] = values
    return Blocks({"players": 4}, labels, every, ((),) * len(labels))


def test_it_is_among_the_studies_and_knows_only_real_policies():
    assert studies()[GAME] == "scripts.short_zoot_suit"
    known = set(registered(RULES))
    assert {("draft", name) for name in DRAFTS} <= known
    assert {("draw", name) for name in DRAWS} <= known
    assert {("play", name) for name in PLAYS} <= known


def test_conditions_are_all_players_with_and_without_stars_and_doubles():
    told = {tuple(sorted(rules.items())) for rules in CONDITIONS}
    assert len(told) == len(CONDITIONS) == 2 + 6 + 6
    assert [rules["players"] for rules in CONDITIONS if len(rules) == 1] == [4, 3, 2]
    for rules in CONDITIONS:
        RULES.options.from_mapping(rules)


@pytest.mark.parametrize("number", [3, 4, 5, 9])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_two_policies_meet_equally_often(number, seats):
    if seats > number:
        return
    tables = tables_of(number, seats)
    assert all(len(set(table)) == seats for table in tables)
    meetings = Counter(pair for table in tables for pair in combinations(sorted(table), 2))
    assert len(meetings) == number * (number - 1) // 2
    assert len(set(meetings.values())) == 1


def test_a_block_is_the_mean_over_all_seats_of_a_deal():
    field = spec_of("random")
    found = against_field({"a": spec_of("void-two")}, field, {"players": 3}, 12, seed=4)
    wanted = np.zeros((12, len(MEASURES)))
    for seat in range(3):
        specs = [spec_of("void-two") if seat == s else field for s in range(3)]
        setting = Experiment.make(GAME, specs, options={"players": 3}, seed=4)
        played = play(setting.rules, setting.options, setting.seating, 4, 0, 12)
        for game in range(12):
            rounds = played.rounds[played.rounds["game"] == game]
            tricks, shorts = rounds[f"tricks_{seat}"], rounds[f"shorts_{seat}"]
            length = sum(rounds[f"tricks_{s}"].astype(int) for s in range(3))
            wanted[game] += [
                rounds[f"points_{seat}"].sum() / 9,
                played.rows[game][f"share_{seat}"] / 3,
                tricks.sum() / 9,
                shorts.sum() / 9,
                (tricks == shorts).sum() / 9,
                length.sum() / 9,
            ]
    assert found.values[0] == pytest.approx(wanted)
    assert found.blocks == 12


def test_at_one_table_shares_and_tricks_add_up():
    found = at_one_table({name: spec_of(name) for name in FEW}, {"players": 3}, 15, seed=2)
    # each table has all three of them, so their shares make one win and their tricks the round's
    assert found.of("share").sum(axis=1) == pytest.approx(np.ones(15))
    assert found.of("tricks").sum(axis=1) == pytest.approx(found.of("length")[:, 0])


def test_equal_policies_differ_by_exactly_nothing():
    policies = {"one": spec_of("plain"), "other": spec_of("bury-low"), "third": spec_of("longest")}
    found = against_field(policies, spec_of("random"), {"players": 2}, 20, seed=3)
    assert (found.values[0] == found.values[1]).all()
    ranking = rank(found)
    assert ranking.best[0] == ranking.best[1]
    length = rank(found, "length").effects
    assert (length.difference == 0).all()
    assert (length.low == 0).all()
    assert (length.high == 0).all()


def test_places_are_shared_where_nothing_can_be_told_apart():
    chance = np.random.default_rng(1)
    noise = chance.standard_normal((3, 400))
    same = rank(made_of(noise, ("a", "b", "c")))
    assert same.leading == [same.labels[place] for place in same.order]
    assert {same.place(label) for label in "abc"} == {"1 to 3"}
    apart = rank(made_of(noise + np.array([[0.0], [5.0], [9.0]]), ("a", "b", "c")))
    assert [apart.place(label) for label in "abc"] == ["3", "2", "1"]
    assert apart.leading == ["c"]


def test_interactions_of_added_effects_are_nothing():
    chance = np.random.default_rng(2)
    rows, columns = np.array([0.0, 1.0, 5.0]), np.array([2.0, 0.0])
    common = chance.standard_normal(50)
    values = (rows[:, None] + columns[None, :]).reshape(6, 1) + common
    found = interactions(made_of(values, tuple("abcdef")), 3, 2)
    assert found.difference == pytest.approx(np.zeros(6), abs=1e-9)
    values[0] += 6.0
    found = interactions(made_of(values, tuple("abcdef")), 3, 2)
    # a cell's share in its own means: 6 (1 - 1/3) (1 - 1/2)
    assert found.difference[0] == pytest.approx(2.0)


def test_tables_hold_what_was_played(small):
    numbers = csv_of(small, "numbers")
    assert len(numbers) == 2 * 2 * len(FEW)
    found = against_field(
        {name: spec_of(name) for name in FEW}, spec_of("random"), {"players": 3}, 30, seed=1
    )
    for row in numbers:
        if (row["rules"], row["against"]) == ("3 players", "field"):
            at = FEW.index(row["draft"])
            for measure in MEASURES:
                assert float(row[measure]) == pytest.approx(found.means(measure)[at])
    crossed = csv_of(small, "crossed")
    assert {(row["draft"], row["draw"]) for row in crossed} == {
        (draft, draw) for draft in FEW for draw in DRAWS
    }
    cell = next(r for r in crossed if (r["draft"], r["draw"]) == ("random", "always"))
    whole = next(r for r in numbers if r["draft"] == "random")
    assert cell["points"] == whole["points"]  # the same games, in either table
    places = csv_of(small, "rules")
    assert all(int(row["best_place"]) <= int(row["worst_place"]) for row in places)


def test_the_page_is_complete(small):
    text = render(Page("t", "l", (small,), ("c",)))
    for name in ("drafts", "draft-draw-3", "draft-play", "field-table", "measures", "rules"):
        assert f"{GAME}-{name}" in text
    for finding in small.findings:
        assert finding.plain().endswith(".")


def test_findings_say_what_the_numbers_say():
    """Two drafts apart by a point, and one draw policy that turns them round."""
    chance = np.random.default_rng(3)
    noise = 0.1 * chance.standard_normal((2, 300))
    field = made_of(np.array([[8.0], [9.0]]) + noise, ("low", "high"))
    cells = np.array([[8.0], [7.0], [9.0], [6.0]]) + np.repeat(noise, 2, axis=0)
    crossed = made_of(cells, ("low, early", "low, late", "high, early", "high, late"))
    told = [one.plain() for one in findings([field], [field], [crossed], ["early", "late"], field)]
    assert "high brings most points a round, 9.0" in told[0]
    assert "clearly ahead of every other" in told[0]
    assert "high under early; low under late. No draft is among the first" in told[1]
    assert "4 of the 4 combinations" in told[1]
    assert told[2].startswith("high has nothing") or told[2].startswith("high differs")
    tied = made_of(noise, ("low", "high"))
    told = [one.plain() for one in findings([tied], [tied], [crossed], ["early", "late"], field)]
    assert "cannot be told apart" in told[0]
    # against the tied drafts, those of `field` bring 8.5 more on average: more than any draft does
    assert any(one.startswith("Play weighs more than the draft") for one in told)
