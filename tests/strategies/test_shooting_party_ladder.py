"""The hand-made strategies of the Shooting Party: legal everywhere, in order, and their helpers."""

import itertools
import random

import numpy as np
import pytest
from numba import njit

from reports.outcomes import outcome_table
from sim.engine import play
from sim.experiment import Experiment
from sim.rulesets.shooting_party import RULESET
from sim.rulesets.shooting_party.cards import CARD_NAMES, JOKER
from sim.run import run
from strategies import shooting_party_ladder as ladder
from strategies.registry import registered
from strategies.shooting_party_finish import finish_odds, finishes
from tests.reference import shooting_party_yardsticks as plain
from tests.reference.shooting_party import Game

LADDER = ("greedy", "patient", "thrifty", "jeweller", "butler", "planner", "scout")


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

    The shares are about 0, 0.00005, 0.005, 0.011, 0.06, 0.25 and 0.32. Between the lowest two the
    number of scored queens decides, since neither makes filthy scoundrels.
    """
    shares, queens = [], []
    for spec in LADDER:
        experiment = Experiment.make("shooting-party", [spec], seed=1)
        tally = run(experiment, 20_000, jobs=2).tally
        shares.append(outcome_table(tally, experiment.rules.measures).headline.share)
        queens.append(sum(cell[0] * count for cell, count in tally.cells.items()) / 20_000)
    assert queens[0] < queens[1] < queens[2]
    for lower, higher in itertools.pairwise(shares[1:]):
        assert lower < higher
    assert shares[-1] > 0.28


def test_the_weights_of_planner_are_parameters():
    """Each can be set, and changes play."""
    rules = Experiment.make("shooting-party", ["planner"]).rules
    params = registered(rules)[("play", "planner")].params
    base = run(Experiment.make("shooting-party", ["planner"]), 1500, jobs=1).tally
    changed = 0
    for name, param in params.items():
        spec = f"planner({name}={param.high})"
        changed += run(Experiment.make("shooting-party", [spec]), 1500, jobs=1).tally != base
    assert changed >= len(params) - 1


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
        return ladder.can_clear(np.uint64(cards))

    seen = {True: 0, False: 0}
    for _ in range(3000):
        cards = sorted(pick.sample(range(28), pick.randint(0, 7)))
        expected = brute_force_clears(cards)
        assert ask(sum(1 << c for c in cards)) == expected, cards
        seen[expected] += 1
    assert min(seen.values()) > 300
    assert not ask(1 << JOKER)


def mask(cards):
    """A set from card names."""
    return np.uint64(sum(1 << CARD_NAMES.index(card) for card in cards))


def finishable(game, waiting):
    """Whether a hand of the referee without a joker can be cleared to a waiting queen."""
    hand = [CARD_NAMES.index(c) for c in game.hand]
    queens = [c for c in hand if CARD_NAMES[c] in waiting]
    return any(brute_force_clears([c for c in hand if c != queen]) for queen in queens)


def test_finishes_equals_all_draws_of_the_referee():
    """All pairs of the pile are drawn in the plain-Python referee, etiquette and all.

    Positions without the joker in hand or pile; two queens in one pair are left out, since their
    order decides.
    """
    compared = {True: 0, False: 0}
    pick = random.Random(2)
    for index in range(300):
        position = midgame(pick, index)
        if position is None:
            continue
        game, waiting = position
        pile = [c for c in game.pile if c[0] != "A"]
        pairs = list(itertools.combinations(pile, 2))
        found = [one_pair(mask(game.hand), mask(pair), mask(waiting)) for pair in pairs]
        assert ask_odds(game) == pytest.approx(sum(found) / len(pairs))
        for pair, ours in zip(pairs, found, strict=True):
            if pair[0][0] == pair[1][0] == "Q":
                continue
            twin = game.clone()
            twin.pile = [*pair, *[c for c in game.pile if c not in pair]]
            twin.apply(twin.legal_actions()[0])
            only_the_pair = len(twin.pile) == len(game.pile) - 2  # no new hand by SP-12
            ready = twin.pending is None and only_the_pair and finishable(twin, waiting)
            assert ours == ready, (game.hand, pair, waiting)
            compared[ready] += 1
    assert min(compared.values()) > 60


@njit
def one_pair(hand, pair, waiting):
    """`finishes` for Python, with no lost queens."""
    return finishes(hand, pair, waiting, np.uint64(0))


@njit
def odds(hand, pile, discards, display, scored):
    """`finish_odds` for Python."""
    return finish_odds(hand, pile, discards, display, scored)


def ask_odds(game):
    """The kernel's odds for a position of the referee."""
    scored = ["Q" + s for s in game.scored_queens] + ["A" + s for s in game.scored_aces]
    return odds(
        mask(game.hand), mask(game.pile), mask(game.discards), mask(game.display), mask(scored)
    )


def midgame(pick, index):
    """A position of a random game with jewels on the table, a hand that may draw, no joker near."""
    deals = plain.stream_shuffler(77, index)
    game = Game({**RULESET.options().as_dict()}, deals)
    for _ in range(pick.randint(3, 25)):
        if game.over:
            return None
        actions = game.legal_actions()
        drawing = [a for a in actions if a.do in ("pair", "leave")]
        game.apply(pick.choice(drawing if drawing and pick.random() < 0.8 else actions))
    if game.over or game.pending is not None:
        return None
    waiting = [f"Q{c[1]}" for c in game.display]
    ready = 2 <= len(game.hand) <= 5 and len(game.pile) >= 6 and waiting
    if not ready or "X" in game.hand or "X" in game.pile or game.legal_actions()[0].do != "pair":
        return None
    return game, waiting
