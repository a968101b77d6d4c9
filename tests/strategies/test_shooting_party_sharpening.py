"""Sharpening the learned player of the Shooting Party: targets, fits and files."""

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import scripts.train_shooting_party as training
from scripts.sharpen_shooting_party import Fit, Plan, collect_positions, fit, main, sharpen
from scripts.train_shooting_party import FIRST_SEED, new_weights, split
from strategies.shooting_party_features import GROUPS, SLOTS
from strategies.shooting_party_weights import load, quantise, real_numbers, save

WEIGHTS_FILE = Path(__file__).parents[2] / "strategies" / "weights" / "shooting_party.npz"
SMALL = Plan("", seed=FIRST_SEED + 7, rounds=2, positions=1500, samples=2, batch=64, epochs=3)


@pytest.fixture(scope="module")
def pool():
    with ThreadPoolExecutor(2) as threads:
        yield threads


@pytest.fixture
def start(tmp_path):
    """A file with a network that knows nothing yet."""
    path = tmp_path / "start.npz"
    save(path, quantise(ignorant(), {"seed": FIRST_SEED}))
    return str(path)


def ignorant():
    """A network as large as the one in use, for which the same code is compiled."""
    plan = training.Plan()
    return split(new_weights(plan), plan.hidden, plan.second)


def probabilities(network, rows):
    """The values of positions, in plain numpy."""
    first, second, bias, out, end = (array.astype(np.float64) for array in network)
    active = np.clip(first[rows].sum(axis=1), 0, 4)
    value = np.clip(active @ second.T + bias, 0, 4) @ out + end[0]
    return 1 / (1 + np.exp(-value))


def test_targets_are_what_positions_are_worth(pool):
    """The values of the weights in use agree with their own targets, position by position."""
    network = real_numbers(load(WEIGHTS_FILE))
    plan = replace(SMALL, positions=3000, samples=40, explore=0.0)
    rows, targets, games = collect_positions(pool, network, FIRST_SEED + 99, plan)
    values = probabilities(network, rows)
    assert 20 < games < 300
    assert ((targets >= 0) & (targets <= 1)).all()
    assert abs(np.mean(targets - values)) < 0.02
    assert np.sqrt(np.mean((targets - values) ** 2)) < 0.06
    assert np.corrcoef(targets, values)[0, 1] > 0.98
    groups = [(rows >= a) & (rows < b) for a, b, _ in GROUPS]
    for inside, (_, _, count) in zip(groups, GROUPS, strict=True):
        assert (inside.sum(axis=1) == count).all()


def test_more_draws_give_calmer_targets(pool):
    """The mean squared distance to the values shrinks with the number of draws."""
    network = real_numbers(load(WEIGHTS_FILE))
    errors = []
    for samples in (1, 16):
        plan = replace(SMALL, positions=2000, samples=samples)
        rows, targets, _ = collect_positions(pool, network, FIRST_SEED + 98, plan)
        errors.append(np.mean((targets - probabilities(network, rows)) ** 2))
    assert errors[1] < errors[0] / 4


def test_a_fit_comes_closer_to_what_it_never_saw(pool):
    """Positions with targets of another network: the error on those kept back falls by half."""
    teacher = real_numbers(load(WEIGHTS_FILE))
    plan = replace(SMALL, positions=10_000, rate=0.01, last_rate=0.0005)
    rows, targets, _ = collect_positions(pool, teacher, FIRST_SEED + 97, plan)
    pupil = ignorant()
    fitted, before, after = fit(pool, pupil, rows, targets, 1, plan)
    assert after < before / 2
    kept_back = slice(len(rows) - int(len(rows) * 0.02), None)
    for network, said in ((pupil, before), (fitted, after)):
        error = probabilities(network, rows[kept_back]) - targets[kept_back]
        assert np.sqrt(np.mean(error**2)) == pytest.approx(said, rel=1e-4)


def test_an_error_without_positions_is_none(pool, start):
    network = real_numbers(load(Path(start)))
    rows = np.zeros((1, SLOTS), np.int16)
    assert Fit(network, rows, np.zeros(1)).error(network, 1) == 0.0


def test_sharpening_is_reproducible(start):
    """The same network with one thread and with two; each round is reported."""
    told = []
    plan = replace(SMALL, start=start)
    network = sharpen(plan, lambda *line: told.append(line), threads=1)
    again = sharpen(plan, threads=2)
    assert all(np.array_equal(a, b) for a, b in zip(network, again, strict=True))
    assert not np.array_equal(network[0], real_numbers(load(Path(start)))[0])
    assert [number for number, *_ in told] == [1, 2]
    assert all(games > 0 for _, games, _, _ in told)


def test_a_file_says_how_it_was_made(start, tmp_path, capsys):
    out = tmp_path / "out.npz"
    main(["--start", start, "--out", str(out), "--positions", "200", "--rounds", "1"])
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("round 1, ")
    about = load(out).provenance
    assert about["before"] == {"seed": FIRST_SEED}
    assert about["command"].startswith("python -m scripts.sharpen_shooting_party ")
    assert "--start start.npz" in about["command"]
    assert "--positions 200" in about["command"]
    assert str(tmp_path) not in json.dumps(about)


def test_mistakes_are_told_in_a_line(start, tmp_path, capsys):
    """A seed of any file before, a seed for playing, no positions, no file; nothing is written."""
    out, sharpened = tmp_path / "out.npz", str(tmp_path / "sharpened.npz")
    before = {"seed": FIRST_SEED + 10, "rounds": 3, "before": {"seed": FIRST_SEED}}
    save(Path(sharpened), quantise(ignorant(), before))
    for arguments, sentence in (
        (["--seed", "1"], "training seeds start at 100000"),
        (["--seed", str(FIRST_SEED)], "trained on seed 100000 already"),
        (["--start", sharpened, "--seed", str(FIRST_SEED)], "trained on seed 100000 already"),
        (["--start", sharpened, "--seed", str(FIRST_SEED + 9)], "on seed 100010 already"),
        (["--positions", "0"], "--positions must be above 0"),
        (["--start", "nowhere.npz"], "nowhere.npz"),
    ):
        with pytest.raises(SystemExit):
            main(["--start", start, "--out", str(out), *arguments])
        assert sentence in capsys.readouterr().err.splitlines()[-1]
    assert not out.exists()
