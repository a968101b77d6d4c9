"""The Shooting Party's kernel beside the plain-Python referee: the same choices, the same game.

Both deal from the same random streams, each by its own implementation. At every decision all that
lies on the table, the legal actions in their order and the trace must agree; nothing is allowed to
differ, so there is no false alarm. What `random` and `tidy` do is compared in
test_shooting_party_games.py.
"""

from collections import Counter
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.reference.shooting_party_cards import ALLOWED
from tests.reference.shooting_party_tables import option_dicts
from tests.rules.shooting_party_beside import TEMPERS, play_beside

ALL_KINDS = {
    *("pair", "leave", "discard", "seduce", "take discard", "take ace", "take nothing"),
    *("queen and king", "king and jack", "SP-10", "SP-11", "SP-12", "second choice"),
    *("fetched queen", "second fetched ace", "seven in hand", "three rivals"),
    *("new pile in a draw", "last cards played", "emptied by the butler", "won", "lost"),
}


def test_every_kind_of_event_agrees() -> None:
    """SP-1 to SP-17: 450 fixed games, most of them from late positions, meet all that can happen.

    How often each kind of event is met is counted by the referee.
    """
    seen: Counter[str] = Counter()
    chance = Random(17)
    for game in range(450):
        options: dict[str, Any] = {name: chance.choice(ALLOWED[name]) for name in ALLOWED}
        temper = chance.choice(sorted(TEMPERS))
        play_beside(options, temper, game, game, game % 4 != 0, seen)
    assert set(+seen) == ALL_KINDS


@pytest.mark.parametrize("late", [False, True])
def test_same_choices_same_game(late: bool) -> None:
    """SP-1 to SP-17: fresh games under random options and choices, from the deal or later."""

    @settings(max_examples=200 if late else 80, deadline=None, database=None)
    @given(
        option_dicts(),
        st.sampled_from(sorted(TEMPERS)),
        st.integers(0, 2**63 - 1),
        st.integers(0, 2**32 - 1),
    )
    def play(options: dict[str, Any], temper: str, seed: int, choices: int) -> None:
        play_beside(options, temper, seed, choices, late, Counter())

    play()
