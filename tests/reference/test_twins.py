"""The C programs that `playout bench` measures beside the engine end the very same games."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

import sim.games
from sim.engine import play
from sim.experiment import Experiment
from sim.tally import Tally

HERE = Path(__file__).parent
COMPILER = shutil.which("gcc") or shutil.which("cc")
SEED, GAMES = 5, 2000
TWINS = [
    (name, yardstick)
    for name in sim.games.names()
    if (HERE / f"{sim.games.module_of(name)}.c").exists()
    for yardstick in sim.games.load(name).yardsticks
]


@pytest.mark.skipif(COMPILER is None, reason="there is no C compiler")
@pytest.mark.parametrize(("game", "yardstick"), TWINS)
def test_twin_in_c_counts_the_same(tmp_path, game, yardstick):
    """2000 games of one seed: the cells of the tally agree one by one."""
    source, program = HERE / f"{sim.games.module_of(game)}.c", tmp_path / "twin"
    subprocess.run([str(COMPILER), "-O1", "-o", str(program), str(source)], check=True)
    args = [str(program), yardstick, str(SEED), str(GAMES)]
    told = json.loads(subprocess.run(args, capture_output=True, check=True).stdout)
    theirs = {tuple(cell[:-1]): cell[-1] for cell in told["cells"] if cell[-1]}
    experiment = Experiment.make(game, [yardstick], seed=SEED)
    rules = experiment.rules
    rows = play(rules, experiment.options, experiment.seating, SEED, 0, GAMES).rows
    assert theirs == Tally.of(rows, rules.tally).cells
