"""The hand-made strategies of the Shooting Party: legal everywhere, in order, and their helpers."""

import itertools
import random

import numpy as np
import pytest
from numba import njit

from reports.outcomes import outcome_table
from sim.engine import play
from sim.experiment import Experiment
from sim.rulesets.shooting_party.cards import JOKER
from sim.run import run
from strategies import shooting_party_hands as hands
from strategies.registry import registered

LADDER = (
    "greedy",
    "patient",
    "jeweller",
    "discreet",
    "odd-one-out",
    "butler",
    "hostess",
    "gambler",
)


def options_of(number: int) -> dict[str, object]:
    """Some rule options, all of them in play."""
    pick = random.Random(number)
    return {
        "exhaustion": pick.choice(["on-need", "at-once"]),
        "last_draw": pick.choice(["lost", "played"]),
        "reshuffles": pick.randint(0, 9),
        "hand": pick.randint(1, 7),
        "draw_limit": pick.randint(0, 5),
        "butler": pick.randint(0, 1),
        "rivals": pick.random() < 0.5,
        "secretaries": pick.random() < 0.5,
        "husbands": pick.random() < 0.5,
    }


@pytest.mark.parametrize("spec", LADDER)
def test_every_action_is_legal_under_all_options(spec):
    """The engine stops at an illegal action: 40 sets of options, 25 games each."""
    for number in range(40):
        experiment = Experiment.make("shooting-party", [spec], options=options_of(number), seed=7)
        played = play(experiment.rules, experiment.options, experiment.seating, 7, 0, 25)
        assert len(played.rows) == 25


def test_the_ladder_rises():
    """Each idea adds something: 20,000 games of seed 1, false alarm below 1 in 10,000 a step.

    The shares are about 0, 0.002, 0.004, 0.01, 0.02, 0.17, 0.22 and 0.33.
    """
    shares = []
    for spec in LADDER:
        experiment = Experiment.make("shooting-party", [spec], seed=1)
        tally = run(experiment, 20_000, jobs=2).tally
        shares.append(outcome_table(tally, experiment.rules.measures).headline.share)
    for lower, higher in itertools.pairwise(shares):
        assert lower < higher
    assert shares[LADDER.index("butler")] > 0.15
    assert shares[-1] > 0.3


def test_the_weights_of_the_gambler_are_parameters():
    """Each can be set, and changes play."""
    rules = Experiment.make("shooting-party", ["gambler"]).rules
    params = registered(rules)[("play", "gambler")].params
    base = run(Experiment.make("shooting-party", ["gambler"]), 1500, jobs=1).tally
    changed = 0
    for name, param in params.items():
        spec = f"gambler({name}={param.high})"
        changed += run(Experiment.make("shooting-party", [spec]), 1500, jobs=1).tally != base
    assert changed >= 9  # the highest value of some is no change: what they prefer is kept anyway


def brute_force_clears(cards):
    """Whether legal sets remove exactly these cards, by trying all."""
    if not cards:
        return True
    first = cards[0]
    for size in range(2, len(cards) + 1):
        for others in itertools.combinations(cards[1:], size - 1):
            chosen = (first, *others)
            one_rank = len({c >> 2 for c in chosen}) == 1
            one_suit = len(chosen) == 2 and len({c & 3 for c in chosen}) == 1
            if one_rank or one_suit:
                rest = [c for c in cards if c not in chosen]
                if brute_force_clears(rest):
                    return True
    return False


def test_can_clear_equals_brute_force():
    """3,000 random hands of up to seven cards."""
    pick = random.Random(5)

    @njit
    def ask(cards):
        return hands.can_clear(np.uint64(cards))

    seen = {True: 0, False: 0}
    for _ in range(3000):
        cards = sorted(pick.sample(range(28), pick.randint(0, 7)))
        expected = brute_force_clears(cards)
        assert ask(sum(1 << c for c in cards)) == expected, cards
        seen[expected] += 1
    assert min(seen.values()) > 300
    assert not ask(1 << JOKER)
