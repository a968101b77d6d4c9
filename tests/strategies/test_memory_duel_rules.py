"""The playable strategies of the memory duel: what each does, and how much each gives away.

Exploitability is exact; the simulated comparisons state their false-alarm rates.
"""

from typing import Any

import numpy as np
import pytest

from sim.engine import play
from sim.experiment import Experiment
from sim.stepper import Stepper
from strategies.memory_duel_rules import first_failing, first_met, stacks_to_call
from strategies.memory_duel_worth import experiment_of, exploitability
from strategies.models import parse_model
from tests.rules.memory_duel_table import RULES, Table


def calls(spec: str, stack: int, *models: str, pack: int = 20, **options: Any) -> bool:
    """Whether seat `stack % 2` calls on this stack, nothing being claimed yet."""
    setting = Experiment.make(
        "memory-duel",
        [spec],
        models=models or ["logistic"],
        options={"cards": stack + pack, **options},
    )
    table = Table(seating=setting.seating, **{"cards": stack + pack, **options})
    table.act(f"raise*{stack}")
    return table.ask() == 1


def test_doubter_looks_at_the_opponent() -> None:
    """It calls when the opponent more likely fails: from 5 cards on at the published capacity."""
    assert [calls("doubter", stack) for stack in range(1, 8)] == [False] * 4 + [True] * 3
    # seat 0 moves on even stacks and is called on odd ones
    assert calls("doubter", 5, "logistic(k=3)", "iid(0.99)")
    assert not calls("doubter", 5, "iid(0.99)", "logistic(k=3)")
    assert calls("doubter", 4, "iid(0.99)", "logistic(k=3)")
    assert calls("doubter(p=0.8)", 4)


def test_careful_calls_earlier_with_the_weaker_memory() -> None:
    """The own memory decides when the opponent's is better."""
    first = {}
    for own in ("logistic(k=3.2)", "logistic(k=6.2)", "logistic(k=9.2)"):
        stacks = [s for s in range(2, 14, 2) if calls("careful", s, own, "logistic(k=20)")]
        first[own] = min(stacks, default=99)
    assert list(first.values()) == sorted(first.values())
    assert len(set(first.values())) == 3
    assert calls("careful", 4)
    assert not calls("doubter", 4)


def test_weigher_looks_one_card_ahead() -> None:
    """It takes the smaller loss: it calls 5 cards at capacity 4.65, and not 3."""
    assert calls("weigher", 5)
    assert not calls("weigher", 3)
    assert not calls("weigher", 4)  # -1.9 cards now, -1.7 when called on 5
    assert calls("weigher", 6, "iid(0.9)") is False
    assert calls("weigher", 7, "iid(0.9)")


@pytest.mark.parametrize(
    ("k", "called"),
    [
        # 5 fails first: who began the stack meets 4, and gives 2 away, which is cheaper
        (4.65, [2, 4, 5, 6, 7]),
        # 6 fails first: who began the stack meets it, the other begins the next and waits
        (6.0, [6, 7]),
    ],
)
def test_tempo_knows_who_meets_what(k: float, called: list[int]) -> None:
    """`stacks_to_call` by hand for two capacities."""
    curve = parse_model(f"logistic(k={k})", RULES, RULES.options()).recall
    assert np.flatnonzero(stacks_to_call(curve, curve)[:8]).tolist() == called
    assert [stack for stack in range(1, 8) if calls("tempo", stack, f"logistic(k={k})")] == called
    assert not calls("tempo", 2, f"logistic(k={k})", pack=3)
    assert calls("tempo(last=0)", 4, "logistic(k=4.65)", pack=3)


def test_first_stacks() -> None:
    """The small helpers of `tempo`."""
    assert first_failing(np.array([1.0, 0.9, 0.4])) == 2
    assert first_failing(np.ones(5)) == 5
    assert [first_met(parity, n) for parity, n in ((0, 4), (1, 4), (0, 0), (1, 0))] == [4, 5, 2, 1]


def test_banker_gives_away_only_with_a_lead() -> None:
    """On two cards it calls when ahead, and raises when level."""
    setting = Experiment.make("memory-duel", ["banker"])
    for lead, wanted in ((-5, 0), (0, 0), (2, 0), (3, 1), (9, 1)):
        table = Table(seating=setting.seating)
        table.act("raise*2")
        table.states["known"]["claimed"] = [10 + lead, 10]
        table.states["known"]["opponent_claimed"] = [10, 10 + lead]
        table.states["pack"] = 52 - 2 - 20 - lead
        Stepper.look(table)
        assert table.ask() == wanted, lead


def test_feeler_calls_once_a_card_is_lost() -> None:
    """What is felt decides; with a whole stack the opponent's next card."""
    setting = Experiment.make("memory-duel", ["feeler"], models=["persistent(0.9)"])
    seen = set()
    for index in range(40):
        table = Table(seating=setting.seating, index=index)
        while table.view["pack"] > 30 and table.view["stack"] < 9:
            view = table.view
            lost = bool(view["sure"] < view["stack"])
            wanted = lost or 0.9 ** int(view["stack"]) < 0.5
            if view["stack"]:
                assert (table.ask() == 1) == wanted
                seen.add((lost, wanted))
            table.act("raise")
    assert seen == {(True, True), (False, False), (False, True)}


def test_endgame_knows_the_last_word() -> None:
    """It waits for the large stack when nothing can happen, and counts the cards to the end."""
    assert not calls("endgame", 2, "iid(1)", "iid(0.5)", pack=2)
    assert not calls("endgame", 4, "iid(1)", "iid(0.5)", pack=1)
    assert calls("endgame", 4, "iid(1)", "iid(0.5)", pack=0)
    # three cards under iid(0.8) are rather recited: nobody calls them at the end, but with a card
    # left the opponent would call four
    assert not calls("endgame", 3, "iid(0.8)", pack=0)
    assert calls("endgame", 3, "iid(0.8)", pack=1)
    assert not calls("doubter", 3, "iid(0.8)", pack=1)


def test_student_learns() -> None:
    """Its estimate moves up after a right recital and down after a wrong one, and is used."""
    setting = Experiment.make(
        "memory-duel",
        ["student", "threshold(53)"],
        models=["iid(1)"],
        options={"known_opponent": "off"},
    )
    shifts = {}
    for model in ("iid(1)", "iid(0)"):
        sure = Experiment.make(
            "memory-duel", ["student", "threshold(53)"], models=["iid(1)", model],
            options={"known_opponent": "off"},
        )  # fmt: skip
        table = Table(seating=sure.seating, known_opponent=False)
        called = []
        while table.view["pack"] > 8:
            action = table.ask()
            if action == 1:
                called.append(int(table.view["stack"]))
            table.apply(action)
        shifts[model] = called
    assert shifts["iid(1)"] == sorted(shifts["iid(1)"])
    assert shifts["iid(1)"][-1] > shifts["iid(1)"][0]
    assert shifts["iid(0)"] == sorted(shifts["iid(0)"], reverse=True)
    assert shifts["iid(0)"][-1] < shifts["iid(0)"][0] == 6
    assert setting.seats[0].parts[0].info.memory


def gain(specs: list[str], models: list[str], games: int = 20_000) -> tuple[float, float]:
    """The mean gain of seat 0 over seat 1 with its standard error; the opponent is unknown."""
    setting = Experiment.make(
        "memory-duel", specs, models=models, options={"known_opponent": "off"}, seed=8
    )
    rows = play(RULES, setting.options, setting.seating, 8, 0, games).rows
    difference = rows["claimed_0"].astype(float) - rows["claimed_1"]
    return float(difference.mean()), float(difference.std() / games**0.5)


@pytest.mark.parametrize("other", ["logistic(k=3.6)", "logistic(k=5.6)", "logistic(k=7.2)"])
def test_student_beats_who_takes_the_opponent_for_an_equal(other: str) -> None:
    """Against an unknown other capacity it gains more than `tempo` does in the same seat.

    A difference of more than 5 standard errors in the right direction: were they equal, a false
    pass in 3e-7.
    """
    models = ["logistic(k=4.65)", other]
    (mine, error), (plain, plain_error) = (
        gain([spec, "careful"], models) for spec in ("student", "tempo")
    )
    assert mine - plain > 5 * (error + plain_error) / 2**0.5


def test_what_the_strategies_give_away() -> None:
    """Exploitability in cards, exact: what the documentation tells, to two digits."""
    told = {
        ("random", "logistic"): 30.34,
        ("threshold(4)", "logistic"): 3.97,
        ("doubter", "logistic"): 15.79,
        ("careful", "logistic"): 1.97,
        ("tempo", "logistic"): 0.67,
        ("tempo", "logistic(k=6)"): 0.0,
        ("careful", "logistic(k=6)"): 32.50,
        ("tempo", "iid(0.9)"): 0.0,
        ("careful", "persistent(0.95)"): 10.49,
        ("feeler", "persistent(0.95)"): 0.40,
    }
    for (spec, model), cards in told.items():
        assert abs(exploitability(experiment_of(spec, [model])).mean - cards) < 0.006, (spec, model)
