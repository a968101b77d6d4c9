"""The memory duel's kernel beside the plain-Python referee: the same choices, the same game.

Both draw from the same random streams, each by its own implementation, so nothing may differ.
"""

from collections import Counter
from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.reference.memory_duel import Game
from tests.reference.memory_duel_yardsticks import StreamChance
from tests.rules.memory_duel_table import MODEL_SPECS, NUMBERS, OPTION_DICTS, Table

#: How likely a player calls when it is possible.
TEMPERS = (0.02, 0.15, 0.5, 0.9)


def compare(kernel: Table, referee: Game) -> None:
    """All that lies on the two tables, and what is known of it, is the same."""
    assert kernel.over == referee.over
    assert kernel.events == referee.events
    state = kernel.states[0]
    claimed = [len(cards) for cards in referee.claimed]
    assert state["known"]["claimed"].tolist() == claimed
    if referee.over:
        return
    view, seat = kernel.view, referee.seat
    assert kernel.seat == view["seat"] == seat
    assert kernel.legal() == referee.legal()
    assert (view["pack"], view["stack"]) == (len(referee.pack), len(referee.stack))
    assert [view["claimed"], view["opponent_claimed"]] == [claimed[seat], claimed[1 - seat]]
    assert view["declined"] == len(referee.declined)
    assert view["calls"] == len(referee.recitals)
    last = referee.recitals[-1] if referee.recitals else (2, 0, False)
    assert (1 - view["last_caller"], view["last_call"], view["last_recited"]) == last
    own, other = referee.memories[seat], referee.memories[1 - seat]
    n = len(referee.stack)
    if own.is_persistent:
        sure = len(referee.known[seat])
        assert view["sure"] == sure
        assert view["own_recall"] == (sure == n)
    else:
        assert view["sure"] == -1
        if n:
            assert abs(view["own_recall"] - own.chance(n)) < 1e-12
        if referee.pack:
            assert abs(view["own_recall_next"] - own.chance(n + 1)) < 1e-12
    if not referee.options["known_opponent"]:
        assert view["opponent_recall"] == -1
    elif n:
        p = other.values.get("p", 0.0)
        chance = p ** (n * (n + 1) / 2) if other.is_persistent else other.chance(n)
        assert abs(view["opponent_recall"] - chance) < 1e-12


def play_beside(
    options: dict[str, Any], models: list[str], seed: int, choices: int, seen: Counter[str]
) -> None:
    """Play one game on both tables."""
    chance = Random(choices)
    call = chance.choice(TEMPERS)
    kernel = Table(*models, seed=seed, **options)
    referee = Game(options, models, StreamChance(seed, 0))
    compare(kernel, referee)
    while not referee.over:
        legal = referee.legal()
        for number in (-1, 3, chance.getrandbits(64) - (1 << 63)):
            assert not kernel.is_legal(number)
        action = "call" if "call" in legal and chance.random() < call else legal[0]
        seen[action] += 1
        kernel.apply(NUMBERS[action])
        referee.apply(action)
        compare(kernel, referee)
    row = kernel.outcome()
    result = referee.events[-1]
    assert [row["claimed_0"], row["claimed_1"]] == result["claimed"]
    assert row["unclaimed"] == result["unclaimed"]
    assert row["calls"] == len(referee.recitals)
    assert row["claimed_0"] + row["claimed_1"] + row["unclaimed"] == options["cards"]
    for _, _, right in referee.recitals:
        seen["right" if right else "wrong"] += 1
    seen["left over"] += row["unclaimed"] > 0


def test_every_kind_of_event_agrees() -> None:
    """MD-1 to MD-9: 60 fixed games meet all that can happen."""
    seen: Counter[str] = Counter()
    chance = Random(3)
    models = ["iid(0.9)", "persistent(0.95)", "logistic(k=4.65,s=0.535,lapse=0.027)"]
    for game in range(60):
        options = {
            "cards": chance.choice([1, 2, 7, 52]),
            "order": "in-order",
            "known_opponent": game % 3 > 0,
        }
        play_beside(options, chance.choices(models, k=2), game, game, seen)
    assert set(+seen) == {"raise", "call", "decline", "right", "wrong", "left over"}


@settings(max_examples=60, deadline=None, database=None)
@given(
    OPTION_DICTS,
    st.lists(MODEL_SPECS, min_size=2, max_size=2),
    st.integers(0, 2**63 - 1),
    st.integers(0, 2**32 - 1),
)
def test_same_choices_same_game(
    options: dict[str, Any], models: list[str], seed: int, choices: int
) -> None:
    """MD-1 to MD-9: fresh games under random options, models and choices."""
    play_beside(options, models, seed, choices, Counter())
