"""Counts of rounds: the same from memory, from a folder of games, and from a folder of counts."""

import numpy as np
import pytest

from reports.folders import page_of_runs, read_run
from reports.ranks import RankMoves
from sim.engine import play
from sim.experiment import Experiment
from sim.run import run

GAMES = 150


@pytest.fixture
def experiment() -> Experiment:
    return Experiment.make("president", ["lowest"], options={"rounds": 5}, seed=4)


def test_counts_are_those_of_the_rounds(experiment):
    """Counted once more from the rows of the engine, round by round."""
    tally = run(experiment, GAMES, jobs=1).tally
    rows = play(experiment.rules, experiment.options, experiment.seating, 4, 0, GAMES).rounds
    moves, places = np.zeros((64, 4, 4), int), np.zeros((4, 4), int)
    before: dict[tuple[int, int], int] = {}
    for row in rows:
        for seat in range(4):
            rank = int(row[f"finish_{seat}"])
            places[seat, rank - 1] += 1
            if row["round"] > 1:
                moves[row["game"] % 64, before[row["game"], seat] - 1, rank - 1] += 1
            before[row["game"], seat] = rank
    found = RankMoves.of(tally.rounds)
    assert np.array_equal(found.groups, moves)
    assert np.array_equal(found.places, places)
    assert found.rounds == GAMES * 5


@pytest.mark.parametrize("keep", ["games", "counts"])
def test_a_folder_counts_the_same(experiment, keep, tmp_path):
    """Interrupted by a smaller number of games, in other chunks, with two jobs."""
    expected = run(experiment, GAMES, jobs=1).tally
    assert run(experiment, 60, out=tmp_path / keep, keep=keep, jobs=2, chunk=7).games == 60
    assert run(experiment, GAMES, out=tmp_path / keep, keep=keep, jobs=1).tally == expected
    assert run(experiment, GAMES, out=tmp_path / keep, keep=keep).tally == expected
    assert read_run(tmp_path / keep).tally == expected


def test_a_report_shows_the_moves(experiment, tmp_path):
    """The page of a run folder has the matrix and the finishing positions."""
    run(experiment, GAMES, out=tmp_path / "mine", keep="counts")
    page = page_of_runs([read_run(tmp_path / "mine")], ["mine"])
    (study,) = page.studies
    assert study.figures[0].title == "Moves between ranks, lowest"
    assert study.tables[0].data.drop(columns="seat").to_numpy().sum() == GAMES * 5 * 4
    assert "Rounds until a Janitor gets up" in study.figures[0].note.plain()


def test_fewer_games_are_taken_from_a_folder(experiment, tmp_path):
    """The rounds of the other games do not count."""
    run(experiment, GAMES, out=tmp_path / "games", chunk=40)
    again = run(experiment, 50, out=tmp_path / "games")
    assert again.tally == run(experiment, 50).tally


def test_counts_do_not_grow(experiment):
    """Groups, seats, ranks before and after: no more cells than that, however many games."""
    few, many = (run(experiment, games).tally.rounds for games in (2000, 4000))
    assert few is not None
    assert many is not None
    assert len(few.cells) <= len(many.cells) <= 64 * 4 * 5 * 4
