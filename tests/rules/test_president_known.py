"""What follows from a view about the other hands (PR-16): never wrong, in any game."""

from functools import cache
from random import Random
from typing import Any

import numpy as np
from numba import types

from sim.experiment import Experiment
from sim.jit import compile_function
from sim.rulesets.president import known
from sim.stepper import Stepper
from strategies.president_hands import is_sure
from tests.rules.president_table import RULES, array_type
from tests.rules.test_president_against_reference import random_options


@cache
def compiled_knowledge() -> Any:
    """Fills, for the view of the player to move: possible cards by seat, known ones, unseen ones;
    then whether each set of one to four cards of each rank could not be beaten.
    """
    unseen_cards, possible_cards = known.unseen_cards, known.possible_cards
    partner_of, known_of_partner = known.partner_of, known.known_of_partner

    def ask(views, cards, sure):  # type: ignore[no-untyped-def]
        v = views[0]
        for seat in range(4):
            cards[seat] = possible_cards(v, seat)
        partner = partner_of(v, v.seat)
        cards[4] = known_of_partner(v, partner) if partner < 4 else np.uint64(0)
        cards[5] = unseen_cards(v)
        for place in range(14):
            for size in range(1, 5):
                sure[place, size] = is_sure(v, place, size)
        return partner

    kinds = (
        array_type(RULES.view_dtype),
        array_type(np.uint64),
        types.Array(types.boolean, 2, "C"),
    )
    return compile_function(ask, kinds)


def counts(cards: int) -> list[int]:
    """How many cards there are of each rank."""
    return [int(cards) >> 4 * place & 15 for place in range(14)]


def can_beat(table: Any, hand: list[int], place: int, size: int) -> bool:
    """Whether a hand has a set of a higher rank and the same size, or the joker of PR-8."""
    first_wild = int(table["first_wild"])
    for rank in range(place + 1, 14):
        fillers = sum(hand[max(rank + 1, first_wild) :])
        if rank >= first_wild and table["mixed_wilds"]:
            fillers = 0
        if hand[rank] and hand[rank] + fillers >= size:
            return True
    return bool(table["joker_beats_all"]) and place != 13 and hand[13] > 0


def test_knowledge_holds_in_every_game() -> None:
    """PR-6, PR-12, PR-16: games of `random` under random options, at every play.

    No hand holds a card that was thought impossible, the partner has what is known, the unseen
    cards are the others' hands, and nobody can beat what was thought sure.
    """
    ask, chance = compiled_knowledge(), Random(77)
    cards, sure = np.zeros(6, np.uint64), np.zeros((14, 5), np.bool_)
    checked = partners = surest = 0
    for seed in range(60):
        setting = Experiment.make(
            "president", ["random"], options=random_options(chance), seed=seed
        )
        game = Stepper(setting.rules, setting.options, seed, 0, setting.seating)
        while not game.over:
            if game.kind == 1:
                partner = ask(game.views, cards, sure)
                hands = [counts(hand) for hand in game.states[0]["hands"]]
                others = [seat for seat in range(4) if seat != game.seat]
                for seat in others:
                    pairs = zip(hands[seat], counts(cards[seat]), strict=True)
                    assert all(held <= possible for held, possible in pairs)
                total = [sum(hands[seat][place] for seat in others) for place in range(14)]
                assert total == counts(cards[5])
                if partner < 4:
                    sets = zip(hands[partner], counts(cards[4]), strict=True)
                    assert all(held >= least for held, least in sets)
                    partners += cards[4] > 0
                for place, size in np.argwhere(sure[:, 1:]):
                    surest += 1
                    for seat in others:
                        assert not can_beat(game.view, hands[seat], place, size + 1) or (
                            sum(hands[seat]) < size + 1 and not game.view["joker_beats_all"]
                        )
                checked += 1
            game.apply(game.ask())
    assert checked > 3000
    assert partners > 300
    assert surest > 3000
