"""President's kernel beside the plain-Python referee: the same choices, the same game.

Both deal from the same random streams, each by its own implementation. At every decision all that
lies on the table, the legal actions in their order and the trace must agree; nothing is allowed to
differ, so there is no false alarm. What `random` and `lowest` do is compared in
test_president_games.py.
"""

from collections import Counter
from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.reference.president_cards import ALLOWED
from tests.reference.president_tables import option_dicts
from tests.rules.president_beside import TEMPERS, play_beside

ALL_KINDS = {
    *("pass", "joker", "wilds", "fillers", "large", "plain", "mixed wilds", "joker as filler"),
    *("weaker wild ruled out", "next round", "over"),
    *(f"gift of rank {rank}" for rank in (1, 2, 3, 4)),
}


def random_options(chance: Random) -> dict[str, Any]:
    """Every option, each with a random value; one to three rounds."""
    options: dict[str, Any] = {name: chance.choice(ALLOWED[name]) for name in ALLOWED}
    options["rounds"] = chance.randint(1, 3)
    options["exchange"] = chance.choice(["2/1", "none", f"{chance.randint(0, 6)}/2", "1/0"])
    options["points"] = chance.choice(["3,2,1,0", "5,1,-1,-5"])
    options["joker_beats_all"] = options["joker_beats_all"] and options["jokers"] > 0
    return options


def test_every_kind_of_event_agrees() -> None:
    """PR-1 to PR-16: 80 fixed games under random options meet all that can happen.

    How often each kind of event is met is counted by the referee.
    """
    seen: Counter[str] = Counter()
    chance = Random(16)
    for game in range(80):
        options = random_options(chance)
        play_beside(options, chance.choice(sorted(TEMPERS)), game, game, seen)
    assert set(+seen) == ALL_KINDS


@settings(max_examples=60, deadline=None, database=None)
@given(
    option_dicts(most_rounds=2),
    st.sampled_from(sorted(TEMPERS)),
    st.integers(0, 2**63 - 1),
    st.integers(0, 2**32 - 1),
)
def test_same_choices_same_game(
    options: dict[str, Any], temper: str, seed: int, choices: int
) -> None:
    """PR-1 to PR-16: fresh games under random options and choices."""
    play_beside(options, temper, seed, choices, Counter())
