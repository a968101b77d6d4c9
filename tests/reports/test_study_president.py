"""The study of President at a tiny scale: what it says must be what it counted."""

import itertools
import json
from pathlib import Path

import numpy as np
import pytest

import sim.games
from reports.page import Page, Study, render
from reports.ranks import RankMoves, figures_of
from scripts import exchange_variants
from scripts.exchange_variants import EXCHANGES, LEADS, explore, rank_moves
from scripts.president import GIFTS, SLOW, study
from scripts.president_ranking import place, rank_all
from scripts.reports import run_command, studies
from sim.errors import PlayError
from sim.experiment import Experiment
from sim.run import run
from strategies.registry import names, registered
from tests.reports.report_pages import rows_of

GAME = "president"
RULES = sim.games.load(GAME)
SPECS = ("random", "lowest", "danger", "fewest-turns")


@pytest.fixture(scope="module")
def small() -> Study:
    return study(games=64, strategies=SPECS, grid=("lowest",))


def csv_of(made: Study, name: str) -> list[dict[str, str]]:
    return rows_of(next(t for t in made.tables if t.name == f"president-{name}").csv)


def told(made: Study) -> str:
    return " ".join(finding.plain() for finding in made.findings)


def test_it_is_one_of_the_studies_and_a_page(small):
    assert GAME in studies()
    text = render(Page("t", "l", (small,), ("c",)))
    assert "python -m scripts.president --out out --seed 1 --games 64" in text
    for figure in small.figures:
        assert figure.picture.narrow.startswith("<svg")


def test_every_whole_strategy_can_be_ranked():
    ranking = rank_all(names(RULES), "lowest", lambda spec: 2, seed=1)
    assert {one.spec for one in ranking.placed} == set(names(RULES))
    assert set(names(RULES)) > SLOW
    assert {name for kind, name in registered(RULES) if kind == "gift"} >= set(GIFTS)


def test_the_grid_varies_what_it_says():
    """Each variant is legal and no two are the same; the default is among them."""
    found = {}
    for variant in EXCHANGES:
        options = RULES.options.from_mapping(dict(variant.options))
        found[variant.label] = tuple(options.changed().items())
    assert len(set(found.values())) == len(EXCHANGES)
    assert found["2/1"] == ()
    assert set(LEADS) == {"rotate", "rank1", "rank4", "random"}


def test_the_cells_have_the_numbers_of_run(small):
    row = next(
        r for r in csv_of(small, "targets") if (r["exchange"], r["lead"]) == ("1/1", "rank4")
    )
    options = {"exchange": "1/1", "lead": "rank4"}
    rounds = run(Experiment.make(GAME, ["lowest"], options=options), 64).tally.rounds
    assert rounds is not None
    moves = RankMoves.of(rounds)
    expected = figures_of(moves.matrix[None])[0]
    assert [float(row[f]) for f in ("escape", "passage", "prais")] == pytest.approx(expected)
    janitor = [
        r for r in csv_of(small, "moves")
        if (r["exchange"], r["lead"], r["before"]) == ("1/1", "rank4", "4")
    ]  # fmt: skip
    assert [int(r["count"]) for r in janitor] == moves.moves[3].tolist()
    assert all(float(r["low"]) <= float(r["share"]) <= float(r["high"]) for r in janitor)


def test_cells_are_on_the_same_deals():
    """The options of the grid change no cards: the hands of the first round are the same."""
    first = rank_moves(Experiment.make(GAME, ["lowest"], options={"rounds": 2}), 64)
    again = rank_moves(Experiment.make(GAME, ["lowest"], options={"rounds": 2}), 64)
    assert np.array_equal(first.groups, again.groups)


def test_variants_are_in_the_order_of_their_distance(small):
    rows = csv_of(small, "targets")
    assert len(rows) == len(EXCHANGES) * len(LEADS)
    distances = [abs(float(row["escape"]) - 1.8) for row in rows]
    assert distances == sorted(distances)


def test_a_hit_lies_inside_the_tolerance():
    """With a wide tolerance there are hits, with none there cannot be any."""
    verdicts = set()
    for tolerance in (0.8, 0.01):
        found = explore(64, seed=1, strategies=("lowest",), tolerance=tolerance)
        for number in range(len(found.cells)):
            limits, verdict = found.figures.interval(number, "escape"), found.verdict(number)
            inside = 1.8 - tolerance <= limits.low and limits.high <= 1.8 + tolerance
            outside = limits.high < 1.8 - tolerance or limits.low > 1.8 + tolerance
            assert verdict == ("hit" if inside else "no" if outside else "open")
            verdicts.add((tolerance, verdict))
    assert (0.8, "hit") in verdicts
    assert (0.01, "hit") not in verdicts


def test_findings_quote_the_tables(small):
    text = told(small)
    best = csv_of(small, "strategies")[0]
    assert f"The best of the 4 strategies is {best['strategy']}: alone against three" in text
    row = next(
        r for r in csv_of(small, "targets") if (r["exchange"], r["lead"]) == ("2/1", "rotate")
    )
    assert f"a Janitor stays one for {float(row['escape']):.1f}" in text.replace("± ", "")
    hits = sum(r["verdict"] == "hit" for r in csv_of(small, "targets"))
    assert ("no variant of the grid is a proven hit" in text) == (hits == 0)


def test_points_are_those_of_the_games():
    """Blocks of one deal in four seats, counted from single runs; equal players get 1.5."""
    placed = place("random", "lowest", 5, seed=9)
    total = 0
    for seat in range(4):
        specs = ["random" if seat == other else "lowest" for other in range(4)]
        setting = Experiment.make(GAME, specs, seed=9)
        from sim.engine import play

        total += int(
            play(RULES, setting.options, setting.seating, 9, 0, 5).rows[f"points_{seat}"].sum()
        )
    assert placed.blocks.sum() == total
    assert placed.ranks.sum() == 5 * 4 * 10
    same = place("lowest", "lowest", 5, seed=9)
    assert same.mean == 1.5
    assert "no variation seen" in same.text()


def test_leads_are_paired_and_ordered(small):
    rows = csv_of(small, "strategies")
    means = [float(row["points_a_round"]) for row in rows]
    assert means == sorted(means, reverse=True)
    for upper, lower in itertools.pairwise(rows):
        lead = float(upper["points_a_round"]) - float(lower["points_a_round"])
        assert float(upper["lead"]) == pytest.approx(lead)
        assert float(upper["lead_low"]) <= lead <= float(upper["lead_high"])


def test_a_broken_strategy_is_told(tmp_path: Path):
    file = tmp_path / "bad.py"
    file.write_text(
        "from strategies import strategy\n\n\n"
        '@strategy("president", kind="play")\ndef bad(view, ctx):\n    return -5\n'
    )
    with pytest.raises(PlayError, match="PR-"):
        place(f"play={file}:bad", "lowest", 2, seed=1)


def test_the_laboratory_runs_alone(tmp_path, capsys, monkeypatch):
    """With a target of one's own; the page names the command."""
    monkeypatch.setattr(exchange_variants, "STRATEGIES", ("lowest",))
    monkeypatch.setattr(exchange_variants.explore, "__kwdefaults__", {
        **exchange_variants.explore.__kwdefaults__, "strategies": ("lowest",)})  # fmt: skip
    out = tmp_path / "lab"
    arguments = ["--out", str(out), "--games", "64", "--seed", "3", "--target", "2"]
    run_command(exchange_variants.main, "scripts.exchange_variants", arguments)
    assert str(out / "index.html") in capsys.readouterr().out
    text = (out / "index.html").read_text("utf-8")
    assert "--seed 3 --games 64 --target 2.0 --tolerance 0.1" in text
    with pytest.raises(SystemExit) as stopped:
        run_command(exchange_variants.main, "scripts.exchange_variants", ["--target", "0"])
    assert stopped.value.code == 2
    assert "--target" in capsys.readouterr().err


def test_run_reports_ranks_first(capsys):
    """PR-15: finishing positions, then the matrix of moves, then who had most points."""
    from reports.outcomes import outcome_table
    from scripts.output import print_run

    result = run(Experiment.make(GAME, ["lowest"]), 64)
    table = outcome_table(result.tally, RULES.measures)
    print_run(result, table, "table")
    text = capsys.readouterr().out
    order = ["Finishing positions", "Moves between ranks", "rounds until", "seat 0 wins"]
    places = [text.index(part) for part in order]
    assert places == sorted(places)
    print_run(result, table, "json")
    ranks = json.loads(capsys.readouterr().out)["ranks"]
    assert np.sum(ranks["finishes"]) == 64 * 10 * 4
    assert np.sum(ranks["moves"]) == 64 * 9 * 4
    assert np.sum(ranks["matrix"]) == pytest.approx(4)
    assert ranks["figures"]["escape"]["low"] < ranks["figures"]["escape"]["value"]
