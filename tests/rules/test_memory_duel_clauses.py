"""The memory duel's kernel, clause by clause. All of it is exact but where a rate is stated."""

import math
from typing import Any

import numpy as np
import pytest

from sim.engine import play
from sim.errors import OptionError
from sim.experiment import Experiment
from tests.reference.memory_duel import pack
from tests.rules.memory_duel_table import LOST, RULES, SURE, Table, story


def faces(**options: Any) -> list[str]:
    """The cards of game 3 of seed 7 in the order in which they are laid."""
    table = Table(LOST, seed=7, index=3, **options)
    while table.view["pack"] and not table.over:
        table.act("raise")
    return [event["card"] for event in table.events if event["ev"] == "raise"]


@pytest.mark.parametrize("cards", [1, 2, 51, 52, 53, 104, 208])
def test_md_01_pack(cards: int) -> None:
    """MD-1: as many distinct cards as the option says, all of them laid once."""
    assert sorted(faces(cards=cards)) == sorted(pack(cards))
    assert len(set(pack(cards))) == cards


def test_md_01_shuffle() -> None:
    """MD-1: 52 by default; rules and memories leave the deal alone; other games are others."""
    plain = faces()
    assert len(plain) == RULES.options().cards == 52
    assert faces(order="any-order", known_opponent=False) == plain
    tables = [Table(SURE, seed=7, index=index) for index in range(40)]
    first = set()
    for table in tables:
        table.act("raise")
        first.add(table.events[0]["card"])
    assert len(first) > 15
    assert plain != sorted(plain)


def test_md_02_seat_0_starts_and_turns_alternate() -> None:
    """MD-2: seat 0 first; a turn is a raise or a call, and nothing else."""
    table = Table(SURE, cards=5)
    assert table.seat == 0
    assert table.act("raise raise raise") == ["0 lays", "1 lays", "0 lays"]
    assert table.legal() == ["raise", "call"]
    assert RULES.clause_of(table.view, 3) == RULES.clause_of(table.view, -1) == "MD-2"
    assert not table.is_legal(3)
    assert not table.is_legal(-1)


def test_md_03_raise_takes_the_top_card() -> None:
    """MD-3: one card from the pack to the stack; impossible when the pack is empty."""
    table = Table(SURE, cards=3)
    for laid in (1, 2, 3):
        table.act("raise")
        assert (table.view["pack"], table.view["stack"]) == (3 - laid, laid)
    assert table.refusal("raise") == "MD-3"


def test_md_04_call_needs_a_stack() -> None:
    """MD-4: nobody can call before a card is laid, nor right after a call."""
    table = Table(SURE, cards=4)
    assert table.refusal("call") == "MD-4"
    assert table.legal() == ["raise"]
    table.act("raise call")
    assert table.refusal("call") == "MD-4"


@pytest.mark.parametrize(
    ("models", "claims"),
    [((SURE, LOST), 0), ((LOST, SURE), 1), ((SURE, SURE), 0), ((LOST, LOST), 1)],
)
def test_md_04_right_recital_claims(models: tuple[str, str], claims: int) -> None:
    """MD-4: seat 1 calls: seat 0 claims all cards when seat 0 knows them, else seat 1 does."""
    table = Table(*models, cards=9)
    assert table.act("raise*5 call") == [
        *["0 lays", "1 lays"] * 2,
        "0 lays",
        f"1 calls 5: {claims} claims",
    ]
    assert table.events[-1]["recited"] == (claims == 0)
    row = table.view["claimed"], table.view["opponent_claimed"]  # seat 0 is to move
    assert row == ((5, 0) if claims == 0 else (0, 5))


@pytest.mark.parametrize("model", [SURE, LOST])
def test_md_05_the_other_moves_after_a_call(model: str) -> None:
    """MD-5: whoever did not call raises next, whoever claimed; or the game is over."""
    table = Table(model, cards=4)
    table.act("raise call")
    assert (table.seat, table.legal()) == (0, ["raise"])
    table.act("raise raise call")
    assert (table.seat, table.legal()) == (1, ["raise"])
    assert table.act("raise call")[-1].startswith("end")
    assert table.over


def test_md_06_end_with_an_empty_pack() -> None:
    """MD-6: call or decline, then the other; two declines leave the cards unclaimed."""
    endings = {
        "call": ["1 calls 3: 0 claims", "end 3-0, 0 left"],
        "decline call": ["1 declines", "0 calls 3: 1 claims", "end 0-3, 0 left"],
        "decline decline": ["1 declines", "0 declines", "end 0-0, 3 left"],
    }
    for actions, told in endings.items():
        table = Table(SURE, cards=3)
        table.act("raise*3")
        assert (table.seat, table.legal()) == (1, ["decline", "call"])
        assert table.view["declined"] == 0
        for place, action in enumerate(actions.split()):
            assert table.view["declined"] == place
            assert not table.over
            table.act(action)
        assert table.over
        assert story(table.events[3:]) == told
        row = table.outcome()
        claimed = table.events[-1]["claimed"]
        assert [row["claimed_0"], row["claimed_1"]] == claimed
        assert row["unclaimed"] == table.events[-1]["unclaimed"]
        assert row["calls"] == actions.count("call")


def test_md_06_no_decline_while_there_is_a_pack() -> None:
    """MD-6: declining is for the end alone."""
    table = Table(SURE, cards=2)
    table.act("raise")
    assert table.refusal("decline") == "MD-6"


@pytest.mark.parametrize("model", ["logistic", "capacity"])
def test_md_07_order_changes_the_defaults_of_models(model: str) -> None:
    """MD-7: the variant is the other of two values, and people remember otherwise in it."""
    assert RULES.options().order == "in-order"
    ordered, free = (Table(model, order=order) for order in ("in-order", "any-order"))
    assert (ordered.view["any_order"], free.view["any_order"]) == (0, 1)
    assert ordered.states["recall"][0, 0, 6] != free.states["recall"][0, 0, 6]
    with pytest.raises(OptionError, match="in-order, any-order"):
        RULES.options(order="backwards")


def test_md_07_order_changes_nothing_else() -> None:
    """MD-7: with the same recall the two variants are the same game."""
    stories = []
    for order in ("in-order", "any-order"):
        table = Table("iid(0.9)", order=order, cards=40, seed=5)
        while not table.over:
            table.act(
                "call" if "call" in table.legal() and table.view["stack"] > 4 else table.legal()[0]
            )
        stories.append(story(table.events))
    assert stories[0] == stories[1]


def rate_of_recitals(model: str, n: int, games: int = 40_000, **options: Any) -> float:
    """How often seat 0 recites the first n cards, over many games."""
    setting = Experiment.make(
        "memory-duel", [f"threshold({n})"], models=[model], options={"cards": n, **options}
    )
    assert n % 2 == 1  # then seat 1 calls first
    rows = play(RULES, setting.options, setting.seating, 1, 0, games).rows
    assert (rows["calls"] == 1).all()
    return float((rows["claimed_0"] == n).mean())


@pytest.mark.parametrize(
    ("model", "n", "chance"),
    [
        ("iid(0.9)", 7, 0.9**7),
        ("logistic", 5, 0.973 / (1 + math.exp(0.35 / 0.535))),
        ("logistic(k=3,s=1,lapse=0)", 3, 0.5),
        ("capacity(4.5,1.23)", 5, 0.5 * math.erfc(0.5 / 1.23 / math.sqrt(2))),
        ("persistent(0.95)", 5, 0.95**15),
    ],
)
def test_md_08_recall_models(model: str, n: int, chance: float) -> None:
    """MD-8: the shares of right recitals are the models'.

    40,000 games, 5 standard errors: false alarm below 6e-7 each.
    """
    error = math.sqrt(chance * (1 - chance) / 40_000)
    assert abs(rate_of_recitals(model, n) - chance) < 5 * error


def test_md_08_persistent_cards_stay_lost() -> None:
    """MD-8: once a card is lost, the count of sure cards never reaches the stack again."""
    lost_once = 0
    for index in range(30):
        table = Table("persistent(0.9)", cards=12, index=index)
        broken = [False, False]
        while table.view["pack"]:
            table.act("raise")
            for seat in (0, 1):
                state = table.states[0]
                sure, stack = state["known"]["sure"][seat], state["stack"]
                broken[seat] |= bool(sure < stack)
                assert 0 <= sure <= stack - broken[seat]
        lost_once += sum(broken)
        assert table.act("call")[0].endswith(f"{0 if broken[1] else 1} claims") == (table.seat != 1)
    assert lost_once > 30


def test_md_08_memories_are_independent() -> None:
    """MD-8: what one player loses says nothing of the other.

    Correlation over 2000 games, |r| < 0.12: false alarm about 8e-8.
    """
    lost = np.zeros((2000, 2))
    for index in range(2000):
        table = Table("persistent(0.93)", cards=5, index=index)
        table.act("raise*5")
        lost[index] = table.states[0]["known"]["sure"] == 5
    assert 0.2 < lost.mean() < 0.8
    assert abs(np.corrcoef(lost.T)[0, 1]) < 0.12


def test_md_09_what_a_player_knows() -> None:
    """MD-9: counts, the last recital, the own model; of the opponent's only what is allowed."""
    table = Table("iid(0.9)", "persistent(1)", cards=20)
    table.act("raise*3 call")  # seat 1 calls seat 0
    recited = table.events[-1]["recited"]
    view = table.view
    assert (view["calls"], view["last_call"], view["last_caller"]) == (1, 3, 1)
    assert view["last_recited"] == recited
    assert view["sure"] == -1
    table.act("raise raise")  # seat 0 is to move, on two cards
    view = table.view
    assert (view["own_recall"], view["own_recall_next"]) == (0.9**2, 0.9**3)
    assert view["opponent_recall"] == 1.0
    table.act("raise")
    view = table.view
    assert (view["seat"], view["sure"], view["own_recall"]) == (1, 3, 1.0)
    assert view["opponent_recall"] == 0.9**3


def test_md_09_unknown_opponents() -> None:
    """MD-9: with `known_opponent` off the opponent's model is not in the view."""
    views = []
    for other in ("iid(0.5)", "logistic", "persistent(0.9)"):
        table = Table("iid(0.9)", other, cards=20, known_opponent=False)
        table.act("raise raise")
        views.append(table.views.tobytes())
        assert table.view["opponent_recall"] == -1
    assert len(set(views)) == 1
