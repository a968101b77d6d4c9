"""Short Zoot Suit's kernel beside the plain-Python referee: the same choices, the same game.

Both deal from the same random streams, each by its own implementation. At every decision all that
lies on the table, the view, the legal actions in their order and the trace must agree; nothing is
allowed to differ, so there is no false alarm. What `random` and `plain` do is compared in
test_short_zoot_suit_games.py.
"""

from collections import Counter
from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.reference.short_zoot_suit_cards import ALLOWED
from tests.reference.short_zoot_suit_tables import consistent, option_dicts
from tests.rules.short_zoot_suit_beside import TEMPERS, play_beside

ALL_KINDS = {
    *("draft", "take", "stay", "lay", "lead", "lead double", "follow", "follow double"),
    *("follow a led double", "short", "short double", "void", "perhaps void"),
}


def random_options(chance: Random) -> dict[str, Any]:
    """Every option, each with a random value; one or two rounds for each player."""
    options: dict[str, Any] = {name: chance.choice(ALLOWED[name]) for name in ALLOWED}
    options["rounds"] = chance.randint(1, 2)
    options["bonus"] = chance.choice(["none", "stars", "5,0,0,1000,3"])
    return consistent(options)


def test_every_kind_of_event_agrees() -> None:
    """ZS-1 to ZS-15: 40 fixed games under random options meet all that can happen.

    How often each kind of event is met is counted by the referee.
    """
    seen: Counter[str] = Counter()
    chance = Random(16)
    for game in range(40):
        options = random_options(chance)
        play_beside(options, chance.choice(sorted(TEMPERS)), game, game, seen)
    assert set(+seen) == ALL_KINDS


@settings(max_examples=20, deadline=None, database=None)
@given(
    option_dicts(most_rounds=1),
    st.sampled_from(sorted(TEMPERS)),
    st.integers(0, 2**63 - 1),
    st.integers(0, 2**32 - 1),
)
def test_same_choices_same_game(
    options: dict[str, Any], temper: str, seed: int, choices: int
) -> None:
    """ZS-1 to ZS-15: fresh games under random options and choices."""
    play_beside(options, temper, seed, choices, Counter())
