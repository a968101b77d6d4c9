"""Short Zoot Suit's kernel, clause by clause: pack, draft, draws and tricks (ZS-1 to ZS-8).

ZS-9 to ZS-15 are in test_short_zoot_suit_clauses_variants.py. All of it is exact.
"""

from typing import Any

import pytest

from tests.reference.short_zoot_suit_cards import Options, pack
from tests.rules.short_zoot_suit_table import Table, position

SIZES = {2: (32, 15), 3: (48, 16), 4: (52, 13)}


def deals(table: Table) -> list[Any]:
    """The deals of a game that is played to its end."""
    table.play_out()
    return [event for event in table.events if event["ev"] == "deal"]


def dealt(event: Any) -> list[str]:
    """All cards of a deal."""
    return [card for hand in [*event["hands"], event["out"]] for card in hand]


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("ace", ["low", "high"])
def test_zs_01_the_pack(players: int, ace: str) -> None:
    """ZS-1: numbers 2-9, 2-13 or 1-13 in four suits; the ace is the lowest or the highest card."""
    event = Table(5, 1, players=players, ace=ace).events[0]
    assert sorted(dealt(event)) == sorted(pack(Options(players=players)))
    assert len(dealt(event)) == SIZES[players][0]
    table = position(["AC 2D", "2C 3D", "KC 4D", "9H 5D"], ace=ace)
    table.act("AC", "2C")
    assert table.view["winner"] == (1 if ace == "low" else 0)
    assert table.act("KC", "9H")[2] == f"{2 if ace == 'low' else 0} takes, 3 short 9H"


def test_zs_01_the_ace_does_not_change_the_deals() -> None:
    """ZS-1: the same cards are dealt, whichever way the ace counts, and nothing else matters."""
    first = [sorted(hand) for hand in Table(7, 3).events[0]["hands"]]
    changed: list[dict[str, Any]] = [{"ace": "high"}, {"rounds": 20}, {"draws": "in-turn"}]
    changed += [{"bonus": "stars"}, {"short_shorts": True}]
    for options in changed:
        table = Table(7, 3, **options)
        assert [sorted(hand) for hand in table.events[0]["hands"]] == first
    with_doubles = Table(7, 3, doubles="replace-one").events[0]["hands"]
    assert [sorted(card[:2] for card in hand) for hand in with_doubles] == first


@pytest.mark.parametrize("players", [2, 3, 4])
def test_zs_02_all_is_dealt_out(players: int) -> None:
    """ZS-2: everybody gets equally many; with two players two cards stay out."""
    event = Table(1, 2, players=players).events[0]
    assert [len(hand) for hand in event["hands"]] == [SIZES[players][1]] * players
    assert len(event["out"]) == (2 if players == 2 else 0)
    assert len(set(dealt(event))) == SIZES[players][0]


@pytest.mark.parametrize(("players", "each", "out"), [(4, 11, 2), (3, 14, 0)])
def test_zs_02_an_uneven_rest_stays_out(players: int, each: int, out: int) -> None:
    """ZS-2, ZS-11: 46 cards are 11 for each of four and two out; 42 are 14 for each of three."""
    for index in range(5):
        event = Table(1, index, players=players, doubles="replace-both").events[0]
        assert [len(hand) for hand in event["hands"]] == [each] * players
        assert len(event["out"]) == out
        event = Table(1, index, players=players, doubles="replace-one").events[0]
        assert [len(hand) for hand in event["hands"]] == [SIZES[players][1]] * players


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("rounds", [1, 3])
def test_zs_03_rounds_and_who_starts(players: int, rounds: int) -> None:
    """ZS-3: `rounds` for each player, every one dealt anew; seat 0 starts, then seat 1, and on."""
    table = Table(2, 0, players=players, rounds=rounds)
    found = deals(table)
    assert [event["start"] for event in found] == [i % players for i in range(rounds * players)]
    assert len({str(event["hands"]) for event in found}) == rounds * players
    leads = [
        next(e["seat"] for e in table.events[table.events.index(deal) :] if e["ev"] == "play")
        for deal in found
    ]
    assert leads == [event["start"] for event in found]


def test_zs_04_five_cards_of_the_hand() -> None:
    """ZS-4: a draft takes exactly five cards of the hand; they are the deck, in any order."""
    table = Table(3, 0)
    hand = table.hands[0]
    assert table.refusal(" ".join(hand[:4])) == "ZS-4"
    assert table.refusal(" ".join(hand[:6])) == "ZS-4"
    assert table.refusal(" ".join([*hand[:4], table.hands[1][0]])) == "ZS-4"
    assert len(table.legal_actions()) == 1287
    told = table.act(" ".join(hand[2:7]))
    assert told[0] == f"0 drafts {' '.join(hand[2:7])}"
    assert sorted(told[1].split()[2:]) == sorted(hand[2:7])
    assert table.hands[0] == hand[:2] + hand[7:]


def test_zs_04_decks_are_shuffled() -> None:
    """ZS-4: the lowest card comes to each place of the deck; 300 shuffles miss none of 20 places.

    Each seat's card is at a place with probability 1/5: a place without it has 0.8^300.
    """
    places = set()
    for index in range(300):
        table = Table(3, index)
        for seat in range(4):
            table.apply(table.legal_actions()[0])
            deck = table.decks[seat]
            places.add((seat, deck.index(min(deck, key=table.names.index))))
    assert len(places) == 20


def test_zs_05_at_the_same_time() -> None:
    """ZS-5: each sees the table as it was before anybody drew; then all cards are drawn at once."""
    hands, decks = ["2C 3C", "2D 3D", "2H"], ["4C 5C", "", "4H 5H"]
    table = position(hands, decks)
    assert (table.seat, table.legal()) == (0, ["stay", "draw"])
    assert table.act("take") == []
    assert table.seat == 2  # seat 1 has no deck and is not asked
    assert table.of_seats(table.view["sizes"]) == [2, 2, 1]
    assert table.of_seats(table.view["decks"]) == [2, 0, 2]
    assert table.act("take") == ["0 draws 4C", "1 stays", "2 draws 4H"]
    assert table.hands == [["2C", "3C", "4C"], ["2D", "3D"], ["2H", "4H"]]
    assert table.decks == [["5C"], [], ["5H"]]
    assert (table.seat, table.kind) == (0, 2)


def test_zs_05_in_turn() -> None:
    """ZS-5: clockwise from the leader, and each sees who drew before."""
    hands, decks = ["2C 3C", "2D 3D", "2H"], ["4C 5C", "4D", "4H 5H"]
    table = position(hands, decks, draws="in-turn", leader=2)
    assert table.seat == 2
    assert table.act("take") == ["2 draws 4H"]
    assert table.seat == 0
    assert table.of_seats(table.view["decks"]) == [2, 1, 1]
    assert table.before_tricks(table.view["drew"]) == [set(), set(), {1}]
    assert table.act("stay") == ["0 stays"]
    assert table.act("take") == ["1 draws 4D"]
    assert (table.seat, table.kind) == (2, 2)
    assert table.refusal("4D") == "ZS-7"


@pytest.mark.parametrize(("draws", "tricks"), [("simultaneous", 13), ("in-turn", 8)])
def test_zs_05_a_probe_that_tells_them_apart(draws: str, tricks: int) -> None:
    """ZS-5: all draw where no deck is smaller than their own: T = H + 5, or T = H in turn."""
    table = Table(9, 0, draws=draws)
    while not table.over:
        action = table.legal_actions()[0]
        if table.kind == 1:
            decks = table.of_seats(table.view["decks"])
            action = int(min(decks) >= decks[table.seat])
        table.apply(action)
    rounds = [event for event in table.events if event["ev"] == "round"]
    assert [sum(event["tricks"]) for event in rounds] == [tricks] * 4


def test_zs_06_an_empty_hand_ends_the_round() -> None:
    """ZS-6: after the draws; whoever has a deck may still save the round."""
    table = position(["2C", "3C 4C"], ["", "5C"])
    told = table.act("stay", "2C", "3C", "stay")
    assert told[-4:] == ["1 stays", "0 stays", "round [0, 1]", told[-1]]
    table = position(["2C", "3C 4C"], ["6C", ""])
    told = table.act("stay", "2C", "3C", "take", "4C", "6C")
    assert told[-5:-1] == ["0 takes", "0 stays", "1 stays", "round [1, 1]"]


def test_zs_06_the_deck_does_not_matter() -> None:
    """ZS-6: who stays with an empty hand ends the round, whatever is in the decks."""
    table = position(["2C", "3C 4C"], ["6C 7C", "8C 9C"])
    told = table.act("stay", "stay", "2C", "3C", "stay", "stay")
    assert told[-2] == "round [0, 1]"
    assert told[-1].startswith("deal")


def test_zs_07_following() -> None:
    """ZS-7: the leader plays any card, the others a card of the suit if they have one."""
    table = position(["2C 3D", "4C 5D 6C", "7H 8S"], leader=1)
    assert table.legal() == ["play 4C", "play 5D", "play 6C"]
    assert table.refusal("2C") == "ZS-7"
    table.act("5D")
    assert table.seat == 2
    assert table.legal() == ["play 7H", "play 8S"]
    table.act("8S")
    assert table.seat == 0
    assert table.legal() == ["play 3D"]
    assert table.refusal("2C") == "ZS-7"
    table.act("3D")
    assert (table.seat, table.view["led"]) == (1, 0)


def test_zs_07_the_winner_leads() -> None:
    """ZS-7: whoever won the last trick leads the next one."""
    table = position(["2C 3D", "4C 5D", "9C 8S"])
    assert table.act("2C", "4C", "9C")[3] == "2 takes"
    assert table.seat == 2
    assert table.view["leader"] == 2


def test_zs_08_the_highest_of_the_suit_takes_the_trick() -> None:
    """ZS-8: a higher card of another suit does not; it goes to the pile of its player."""
    table = position(["5H 2C", "7H 2D", "KC 3C"])
    assert table.act("5H", "7H", "KC")[3] == "1 takes, 2 short KC"
    view = table.view
    assert table.of_seats(view["tricks"]) == [0, 1, 0]
    assert table.cards(view["shorts"]) == ["KC"]
    assert [table.cards(view[f"played_{seat}"]) for seat in range(3)] == [["5H"], ["7H"], ["KC"]]


def test_zs_08_the_rulebooks_example() -> None:
    """ZS-8: 5 of hearts, 7 of hearts, 3 of clubs by one who is out of hearts: the Seven wins."""
    table = position(["5H 2D", "7H 2S", "3C 4C"])
    event = table.act("5H", "7H", "3C")
    assert event[3] == "1 takes, 2 short 3C"
