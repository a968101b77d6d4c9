"""The learned player of the Shooting Party: its sets, features, weights, strength and training."""

import itertools
import json
import random
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from numba import njit

from scripts.shooting_party_td import GAMES, HELPED_GAMES, HELPED_WINS, WINS, learn
from scripts.train_shooting_party import (
    FIRST_SEED,
    Plan,
    Trainer,
    main,
    new_weights,
    split,
    train_network,
)
from sim.bits import U64
from sim.engine import Seating, play
from sim.rulesets.shooting_party import RULESET
from sim.strategy import compile_strategy, info_of
from strategies.shooting_party_features import GROUPS, ROWS, SLOTS, describe
from strategies.shooting_party_learned import WEIGHTS, learned, value_of
from strategies.shooting_party_plans import work_dtype
from strategies.shooting_party_sets import clears, next_discard
from strategies.shooting_party_weights import SHIFT, TOP, load, quantise, real_numbers, save

WEIGHTS_FILE = Path(__file__).parents[2] / "strategies" / "weights" / "shooting_party.npz"


@cache
def seating():
    compiled = compile_strategy(info_of(learned), RULESET)
    return Seating((compiled,), (tuple(compiled.info.words({})),))


def wins(rows):
    return int(np.sum((rows["queens"] == 4) & (rows["aces"] == 4)))


# --- sets that can be talked out of the room ------------------------------------------------------


def sets_within(cards):
    """All sets of SP-9 in a set of cards, by the words of the clause."""
    held = [card for card in range(28) if cards >> card & 1]
    for size in range(2, 5):
        for chosen in itertools.combinations(held, size):
            one_rank = len({card // 4 for card in chosen}) == 1
            if one_rank or (size == 2 and chosen[0] % 4 == chosen[1] % 4):
                yield sum(1 << card for card in chosen)


@cache
def clears_by_trying(cards):
    return cards == 0 or any(clears_by_trying(cards & ~chosen) for chosen in sets_within(cards))


def test_clears_and_next_discard_agree_with_trying_everything():
    chance = random.Random(1)
    for _ in range(3000):
        pool = chance.sample(range(28), chance.choice([8, 10, 14, 28]))
        cards = sum(1 << card for card in pool[: chance.randint(0, 7)])
        assert clears(U64(cards)) == clears_by_trying(cards), cards
        if cards and clears_by_trying(cards):
            chosen = int(next_discard(U64(cards)))
            assert chosen in sets_within(cards)
            assert clears_by_trying(cards & ~chosen)


# --- features -------------------------------------------------------------------------------------


def some_positions(count, seed):
    """Positions (hand, pile, display, scored, passes left, coming) as a game could show them."""
    chance = random.Random(seed)
    for _ in range(count):
        hand = pile = display = scored = 0
        for suit in range(4):
            if chance.random() < 0.3:
                scored |= 1 << (20 + suit) | 1 << (28 + suit)
        cards = [card for card in range(33) if not scored >> card & 1]
        chance.shuffle(cards)
        held = [card for card in cards if not 28 <= card < 32][: chance.randint(0, 5)]
        for card in cards:
            if card in held:
                hand |= 1 << card
            elif chance.random() < 0.5:
                pile |= 1 << card
            elif 28 <= card < 32:
                display |= 1 << card
        yield hand, pile, display, scored, chance.randint(0, 3), int(not hand)


def rows_of(position):
    rows = np.zeros(SLOTS, np.int32)
    *cards, passes, coming = position
    describe(*map(U64, cards), passes, coming, np.zeros(4, np.int64), rows)
    return rows


def test_each_row_belongs_to_its_group():
    groups = np.repeat(np.arange(len(GROUPS)), [count for _, _, count in GROUPS])
    for position in some_positions(2000, 2):
        seen = [
            next(g for g, (a, b, _) in enumerate(GROUPS) if a <= r < b) for r in rows_of(position)
        ]
        assert sorted(seen) == groups.tolist()


def with_cards_renamed(cards, rank_of, suit_of):
    return sum(
        1 << (32 if card == 32 else rank_of[card // 4] * 4 + suit_of[card % 4])
        for card in range(33)
        if cards >> card & 1
    )


def test_low_ranks_play_the_same_part():
    chance = random.Random(3)
    for position in some_positions(300, 4):
        ranks = [*chance.sample(range(4), 4), 4, 5, 6, 7]
        renamed = [with_cards_renamed(cards, ranks, range(4)) for cards in position[:4]]
        assert sorted(rows_of((*renamed, *position[4:]))) == sorted(rows_of(position))


# --- weights --------------------------------------------------------------------------------------


def test_the_weights_file_says_what_it_is():
    assert WEIGHTS_FILE.stat().st_size < 300_000
    weights = load(WEIGHTS_FILE)
    assert weights.first_rows.dtype == weights.second_weights.dtype == np.int16
    steps = [weights.provenance]
    while steps[-1]["before"] is not None:
        steps.append(steps[-1]["before"])
    for about in steps:
        assert about["game"] == RULESET.name
        assert about["seed"] >= FIRST_SEED
        assert f"--seed {about['seed']}" in about["command"]
        assert {"python", "numpy", "numba"} <= set(about)
    first = steps[-1]
    assert weights.first_rows.shape == (ROWS, first["hidden"])
    assert weights.second_weights.shape == (first["second"], first["hidden"])
    assert first["start"] == ""
    assert len({about["seed"] for about in steps}) == len(steps)


def test_the_weights_file_survives_saving(tmp_path):
    save(tmp_path / "again.npz", WEIGHTS)
    again = load(tmp_path / "again.npz")
    save(tmp_path / "third.npz", again)
    assert (tmp_path / "third.npz").read_bytes() == (tmp_path / "again.npz").read_bytes()
    for before, after in zip(WEIGHTS, again, strict=True):
        assert np.array_equal(before, after)


def test_weights_that_could_overflow_are_refused():
    network = list(split(new_weights(Plan(hidden=8)), 8, 32))
    network[0] = network[0] + np.float32(20)
    with pytest.raises(ValueError, match="first layer"):
        quantise(tuple(network), {})


def test_the_compiled_evaluation_equals_plain_numpy():
    width = WEIGHTS.first_rows.shape[1]
    evaluate = njit(
        lambda rows: value_of(rows, np.empty(width, np.int16), np.empty(width, np.int16))
    )
    for position in some_positions(1000, 5):
        rows = rows_of(position)
        active = np.clip(WEIGHTS.first_rows[rows].astype(np.int64).sum(axis=0), 0, TOP)
        second = WEIGHTS.second_weights.astype(np.int64) @ active + WEIGHTS.second_bias
        outputs = np.clip(second >> SHIFT, 0, TOP) * WEIGHTS.out_weights
        assert evaluate(rows) == outputs.sum() + WEIGHTS.out_bias[0]


# --- play -----------------------------------------------------------------------------------------


def random_options(chance):
    return RULESET.options(
        exhaustion=chance.choice(["on-need", "at-once"]),
        last_draw=chance.choice(["lost", "played"]),
        reshuffles=chance.choice([0, 1, 2, 3, 9]),
        hand=chance.randint(1, 7),
        draw_limit=chance.randint(0, 5),
        butler=chance.randint(0, 1),
        rivals=chance.random() < 0.5,
        secretaries=chance.random() < 0.5,
        husbands=chance.random() < 0.5,
    )


def test_legal_under_all_kinds_of_options():
    chance = random.Random(6)
    for seed in range(60):
        play(RULESET, random_options(chance), seating(), seed, 0, 20)  # raises if illegal


def test_strength():
    """At least 0.42 of 2,000 games; the true share is 0.479, so a false alarm is 5.3 sigma away.

    That is about 1 seed in 20 million.
    """
    played = play(RULESET, RULESET.options(), seating(), 20250101, 0, 2000)
    assert wins(played.rows) >= 0.42 * 2000


# --- training -------------------------------------------------------------------------------------

TINY = Plan(games=8000, hidden=32, batch=8, head_start_games=16000, rate=0.01, last_rate=0.002)


def wins_with_a_head_start(network, games=3000):
    """Of games that start with some suits scored: even a tiny network wins some of those."""
    flat = np.concatenate([array.ravel() for array in network])
    trainer = Trainer(flat, TINY.hidden, TINY.second)
    with ThreadPoolExecutor(2) as pool:
        told = trainer.play(pool, FIRST_SEED + 1, 0, games, 0.0, 1.0, 0.0, 1.0)
    assert told[HELPED_GAMES] == games
    assert told[GAMES] == told[WINS] == 0
    return told[HELPED_WINS]


def test_training_is_reproducible_and_learns():
    """The same network with one thread and with two, and it wins more than the one it began as."""
    network = train_network(TINY, threads=1)
    again = train_network(TINY, threads=2)
    assert all(np.array_equal(a, b) for a, b in zip(network, again, strict=True))
    before = wins_with_a_head_start(split(new_weights(TINY), TINY.hidden, TINY.second))
    after = wins_with_a_head_start(network)
    assert after > before + 5 * 3000**0.5  # a difference of chance has a deviation below 39


def test_training_goes_on_from_a_file(tmp_path):
    """With a rate of next to nothing the weights stay what the file says; layers must fit."""
    save(tmp_path / "small.npz", quantise(split(new_weights(TINY), 32, 32), {"seed": FIRST_SEED}))
    plan = replace(TINY, games=16, start=str(tmp_path / "small.npz"), rate=1e-12, last_rate=1e-12)
    before = real_numbers(load(tmp_path / "small.npz"))
    for old, new in zip(before, train_network(plan), strict=True):
        assert np.allclose(old, new, atol=1e-9)
    with pytest.raises(ValueError, match="has layers of"):
        train_network(replace(plan, hidden=16))


def test_a_file_says_how_it_was_made(tmp_path):
    """The command, the file before it by name alone, and that one's command."""
    first, second = tmp_path / "first.npz", tmp_path / "second.npz"
    small = ["--hidden", "8", "--games", "40", "--batch", "20"]
    main(["--out", str(first), *small])
    main(["--out", str(second), "--start", str(first), "--seed", str(FIRST_SEED + 1), *small])
    about = load(second).provenance
    assert about["start"] == "first.npz"
    assert "--start first.npz" in about["command"]
    assert str(tmp_path) not in json.dumps(about)
    assert about["before"] == load(first).provenance


def test_mistakes_in_training_are_told_in_a_line(tmp_path, capsys):
    """A file's own seed, a seed for playing, a file that is not there; nothing is written."""
    first, out = tmp_path / "first.npz", tmp_path / "out.npz"
    save(first, quantise(split(new_weights(TINY), 32, 32), {"seed": FIRST_SEED}))
    for arguments, sentence in (
        (["--start", str(first), "--hidden", "32"], "trained on seed 100000 already"),
        (["--seed", "1"], "training seeds start at 100000"),
        (["--start", "nowhere.npz"], "nowhere.npz"),
        (["--batch", "0"], "--batch must be above 0"),
        (["--last-rate", "nan"], "--last-rate must be above 0"),
    ):
        with pytest.raises(SystemExit):
            main(["--out", str(out), *arguments])
        assert sentence in capsys.readouterr().err.splitlines()[-1]
    assert not out.exists()


def test_the_slopes_are_those_of_the_cross_entropy():
    """Against differences of the loss itself, for some weights of each layer."""
    width, narrow, target = 8, 4, 0.3
    flat = new_weights(Plan(hidden=width, second=narrow)).astype(np.float32)
    slopes, work = np.zeros_like(flat), np.zeros(1, work_dtype(width, narrow))
    rows = rows_of(next(iter(some_positions(1, 7))))
    run = njit(lambda net, slopes, rows, works: learn(net, slopes, rows, works[0], target))
    run(split(flat, width, narrow), split(slopes, width, narrow), rows, work)

    def loss(weights):
        first, second, bias, out, end = split(weights, width, narrow)
        active = np.clip(first[rows].sum(axis=0), 0, 4)
        value = np.clip(second @ active + bias, 0, 4) @ out + end[0]
        return np.log1p(np.exp(value)) - target * value

    places = [*np.flatnonzero(slopes)[:: max(np.count_nonzero(slopes) // 60, 1)], *range(-9, 0)]
    assert len(places) > 40
    for place in places:
        step = np.zeros(len(flat))
        step[place] = 1e-5
        real = flat.astype(np.float64)
        found = (loss(real - step) - loss(real + step)) / 2e-5
        assert abs(found - slopes[place]) < 1e-4, place


def test_a_step_of_adam():
    """Two steps, by the formulas of the paper; the slopes are cleared, the average follows."""
    trainer = Trainer(new_weights(TINY), TINY.hidden, TINY.second)
    chance = np.random.default_rng(1)
    weights = trainer.weights.astype(np.float64)
    mean, square, average = 0.0, 0.0, 0.0
    for step in (1, 2):
        signs = chance.choice([-1.0, 1.0], len(weights))  # no sum is near 0, where rounding tells
        slopes = signs * chance.uniform(0.5, 1.0, trainer.slopes.shape)
        trainer.slopes[:] = slopes
        trainer.improve(50, 0.01)
        slope = slopes.sum(axis=0) / 50
        mean = 0.9 * mean + 0.1 * slope
        square = 0.999 * square + 0.001 * slope**2
        size = 0.01 * np.sqrt(1 - 0.999**step) / (1 - 0.9**step)
        weights = weights + size * mean / (np.sqrt(square) + 1e-8)
        average = average + (weights - average) / step
        assert np.allclose(trainer.weights, weights, atol=1e-6)
        assert np.allclose(trainer.average, average, atol=1e-6)
        assert not trainer.slopes.any()


def test_training_keeps_off_the_seeds_of_play():
    with pytest.raises(ValueError, match="training seeds start"):
        train_network(Plan(seed=1, games=1))
