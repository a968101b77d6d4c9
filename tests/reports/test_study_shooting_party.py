"""The study at a tiny scale: what it says must be what it counted."""

import re
from itertools import pairwise

import pytest

import scripts.shooting_party
from reports.numbers import format_share
from reports.outcomes import outcome_table
from reports.page import Page, Study, render, write_page
from scripts.common_deals import deal_games, paired_hits
from scripts.shooting_party import CHANGES, PLANS, Plan, study
from sim.errors import PlayError
from sim.experiment import Experiment
from sim.run import run
from strategies.registry import names
from tests.reports.report_pages import RULES, files_in, rows_of

GAME = "shooting-party"
QUICK = ("random", "tidy")


@pytest.fixture(scope="module")
def small() -> Study:
    return study(games=3_000, strategies=QUICK)


def page_of(made: Study) -> Page:
    return Page("t", "l", (made,), ("c",))


def csv_of(made: Study, name: str) -> list[dict[str, str]]:
    return rows_of(next(t for t in made.tables if t.name == f"{GAME}-{name}").csv)


def test_every_registered_strategy_plays_under_every_rule():
    """Slow only where the strategies are compiled for the first time."""
    made = study(games=25)
    ladder = csv_of(made, "strategies")
    assert {row["strategy"] for row in ladder} == set(names(RULES))
    shares = [float(row["share"]) for row in ladder]
    assert shares == sorted(shares, reverse=True)
    assert render(page_of(made))


def test_games_fixed_beforehand_name_strategies_that_exist():
    assert set(PLANS) <= set(names(RULES))


def test_every_option_is_varied_and_no_default_is():
    options = RULES.options()
    assert {name for name, _ in CHANGES} == set(options.as_dict())
    for name, value in CHANGES:
        changed = RULES.options.parse([f"{name}={value}"]).changed()
        assert list(changed) == [name]


@pytest.mark.parametrize("spec", QUICK)
def test_the_ladder_has_the_numbers_of_run(small, spec):
    counted = outcome_table(run(Experiment.make(GAME, [spec]), 3_000).tally, RULES.measures)
    row = next(row for row in csv_of(small, "strategies") if row["strategy"] == spec)
    assert int(row["count"]) == counted.headline.count
    assert float(row["low"]) == counted.headline.interval.low
    text = render(page_of(small))
    assert counted.headline.text().split(" ")[0] in text
    if spec == "tidy":
        endings = csv_of(small, "endings")
        assert [int(r["count"]) for r in endings] == [o.count for o in counted.outcomes]


def test_the_variants_are_the_games_under_those_rules(small):
    rows = csv_of(small, "variants")
    assert len(rows) == 2 * (1 + len(CHANGES))
    default = Experiment.make(GAME, ["tidy"])
    changed = Experiment.make(GAME, ["tidy"], options=["reshuffles=4"])
    first, second = (run(e, 3_000).tally for e in (changed, default))
    row = next(r for r in rows if r["rule"] == "reshuffles=4" and r["strategy"] == "tidy")
    hits = [outcome_table(t, RULES.measures).headline.count for t in (first, second)]
    assert int(row["count"]) == hits[0]
    assert float(row["change"]) == pytest.approx((hits[0] - hits[1]) / 3_000)
    assert float(row["change_low"]) < float(row["change"]) < float(row["change_high"])


def test_findings_quote_the_tables(small):
    text = " ".join(finding.plain() for finding in small.findings)
    best = csv_of(small, "strategies")[0]
    assert best["strategy"] == "tidy"
    assert text.startswith("The best of the 2 strategies is tidy: ")
    assert format_share_of(best) in text
    assert "random never got there in 3,000 games; its share is below" in text
    for option in ("exhaustion=at-once", "last_draw=played"):
        assert option in text


def format_share_of(row: dict[str, str]) -> str:
    from reports.intervals import proportion
    from reports.plain import plain_number

    count, games = int(row["count"]), int(row["games"])
    return plain_number(format_share(count, games, proportion(count, games)))


def test_findings_claim_no_difference_that_their_interval_does_not_show(small):
    for row in csv_of(small, "variants"):
        if row["rule"] not in ("exhaustion=at-once", "last_draw=played"):
            continue
        open_ = float(row["change_low"]) <= 0 <= float(row["change_high"])
        sentence = next(f.plain() for f in small.findings if row["rule"] in f.plain())
        told = sentence.partition(f"for {row['strategy']} by ")[2].split(" and for ")[0]
        assert ("may be no change" in told) == open_


def test_equal_strategies_cannot_be_told_apart():
    made = study(games=500, strategies=("tidy", "tidy"))
    assert "cannot be told from tidy" in made.findings[0].plain()
    assert float(csv_of(made, "strategies")[0]["lead"]) == 0.0


def test_one_strategy_is_enough():
    made = study(games=300, strategies=("tidy",))
    assert made.findings[0].plain().startswith("The best of the 1 strategies is tidy")
    assert render(page_of(made))


def test_the_same_study_is_the_same_files_for_any_number_of_workers(tmp_path):
    for jobs in (1, 2):
        made = study(games=400, strategies=QUICK, jobs=jobs, seed=5)
        write_page(page_of(made), tmp_path / str(jobs))
    assert files_in(tmp_path / "1") == files_in(tmp_path / "2")


def test_another_seed_is_another_study(small):
    other = study(games=3_000, strategies=QUICK, seed=2)
    assert csv_of(other, "endings") != csv_of(small, "endings")
    assert "--seed 2" in other.commands[0]


def test_scale_scales_and_is_in_the_command():
    made = study(scale=0.001, strategies=QUICK)
    games = {row["strategy"]: int(row["games"]) for row in csv_of(made, "strategies")}
    assert games == {"tidy": 1_000, "random": 1_000}
    assert made.commands[0].endswith("--scale 0.001")


def test_commands_make_the_rows_again(small):
    ladder = next(t for t in small.tables if t.name == f"{GAME}-strategies")
    assert ladder.commands == tuple(
        f"playout run shooting-party --strategy {name} --seed 1 --games 3000"
        for name in ("tidy", "random")
    )
    variants = next(t for t in small.tables if t.name == f"{GAME}-variants")
    assert any("--option reshuffles=4" in command for command in variants.commands)


def test_settings_say_what_was_played(small):
    text = " ".join(f"{name}: {value.plain()}" for name, value in small.settings)
    assert "Seed: 1" in text
    assert "3,000 games: tidy, random" in text


def test_hits_are_by_game_and_pair_deal_by_deal():
    both = [deal_games(Experiment.make(GAME, [spec]), 2_000, jobs=2) for spec in ("tidy", "tidy")]
    assert both[0].tally.cells == run(Experiment.make(GAME, ["tidy"]), 2_000).tally.cells
    assert both[0].hits.sum() == both[0].table.headline.count
    sums = paired_hits(*both)
    assert (sums.x, sums.y, sums.xy) == (int(both[0].hits.sum()),) * 3
    shorter = deal_games(Experiment.make(GAME, ["tidy"]), 700, jobs=1)
    assert (shorter.hits == both[0].hits[:700]).all()


def test_a_strategy_that_fails_ends_the_study_with_its_game(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text("def cheat(view, ctx):\n    return -1 if view.decisions == 3 else 1 << 40\n")
    with pytest.raises(PlayError, match=r"game 0 of seed 1"):
        study(games=50, strategies=(f"{file}:cheat",))


def test_places_on_the_ladder_fall(small):
    shares = [float(row["share"]) for row in csv_of(small, "strategies")]
    assert all(a >= b for a, b in pairwise(shares))


def test_no_sentence_is_left_with_a_hole(small):
    for finding in small.findings:
        assert not re.search(r"[{}]|None|nan", finding.plain())


def test_the_best_that_people_can_play_is_named_beside_the_best(monkeypatch):
    monkeypatch.setattr(scripts.shooting_party, "NOT_READABLE", frozenset({"tidy"}))
    made = study(games=1_000, strategies=QUICK)
    assert "by heart is random, with 0 (below" in made.findings[1].plain()
    specs = [row["strategy"] for row in csv_of(made, "variants")]
    assert specs == ["random"] * (1 + len(CHANGES)) + ["tidy"] * (1 + len(CHANGES))


def test_what_is_too_slow_is_on_the_ladder_only(monkeypatch):
    monkeypatch.setitem(PLANS, "tidy", Plan(700, 0))
    made = study(scale=0.002, strategies=QUICK)
    assert {row["strategy"]: row["games"] for row in csv_of(made, "strategies")} == {
        "tidy": "200",
        "random": "2000",
    }
    assert {row["strategy"] for row in csv_of(made, "variants")} == {"random"}
    assert any(figure.title == "How random ends: queens and jewels" for figure in made.figures)
    assert "tidy" in made.findings[0].plain()
