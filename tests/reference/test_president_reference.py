"""The referee of President: facts from the rules, position by position, and its yardsticks."""

from collections import Counter

import pytest

from .president import Game
from .president_cards import PASS, SEATS, Gift, Options, Play, check_options, pack
from .president_tables import Script, act, played, position, sets, story
from .president_yardsticks import StreamChance, draw_cards, lowest, play, random, trace
from .splitmix import Stream, deal_stream

OTHERS = ["4 4", "4 4", "4 4"]
HANDS = ["4 5 6 7 8 9 T J Q K A 2 3"] * 4


@pytest.mark.parametrize(
    ("hand", "trick", "legal"),
    [
        ("6 6 X", "5 5 5", "6 6 X"),
        ("7 7 7", "6 6 X", "7 7 7"),
        ("X X", "3 3", "X X"),
        ("X X", "A A", "X X"),
        ("2 2 3 3", "A A A A", "2 2 3 3"),
        ("6 2", "5 5", "6 2"),
    ],
)
def test_sets_that_beat(hand: str, trick: str, legal: str) -> None:
    """PR-4 to PR-7: what the rules give as examples."""
    assert sets(position([hand, *OTHERS], trick=trick, jokers=2)) == ["pass", legal]


@pytest.mark.parametrize(
    ("hand", "trick", "clause"),
    [("6 6 X", "6 6 6", "PR-7"), ("X", "A A A A", "PR-7"), ("6 6", "5", "PR-7")],
)
def test_sets_that_do_not(hand: str, trick: str, clause: str) -> None:
    """PR-7, PR-8: nor do sets of the same rank or another size, or a joker alone."""
    game = position([hand, *OTHERS], trick=trick, jokers=1)
    assert (game.refusal(played(game, hand)) or "").startswith(clause)


def test_joker_that_beats_all() -> None:
    """PR-8: on, one joker beats four Aces and nothing beats it."""
    game = position(["X 4", "X 4", "A 4", "4"], trick="A A A A", jokers=2, joker_beats_all=True)
    assert sets(game) == ["pass", "X"]
    act(game, "X")
    assert story(game.events) == ["0: X", "1 passes", "2 passes", "3 passes", "0 takes"]


def test_all_plays_of_a_leader() -> None:
    """PR-6: by rank, naturals and fillers, the weakest of them; none of another rank."""
    game = position(["6 6 3 X", *OTHERS], jokers=1)
    assert sets(game) == [
        *("6", "6 3", "6 3 X", "6 6", "6 6 3", "6 6 3 X", "3", "3 X", "X"),
    ]
    assert game.refusal(PASS) == "PR-7: the leader of a trick must play."
    for wrong in (Play("6", 3, 0), Play("6", 0, 1), Play("6", 1, 3), Play("B", 1, 0)):
        assert (game.refusal(wrong) or "").startswith("PR-6")
    assert (game.refusal(Gift(("6",))) or "").startswith("PR-12")


def test_two_left() -> None:
    """PR-11: {4, 6} against {5}: only leading the Six wins."""
    for lead, other, finish in (("6", "4", [3, 4, 1, 2]), ("4", "5", [4, 3, 1, 2])):
        game = position(["4 6", "5", "", ""])
        act(game, lead)
        act(game, other)
        assert game.finishes == [finish]
        with pytest.raises(ValueError, match="PR-15: the game is over"):
            act(game, "")


def test_exchange_by_hand() -> None:
    """PR-12, PR-13: gifts in order, the hands afterwards, what is refused."""
    game = Game({"rounds": 2}, Script(HANDS, HANDS))
    while game.number == 1:
        act(game, sets(game)[-1].replace("pass", ""))
    ranks = game.finishes[0]
    president, janitor = ranks.index(1), ranks.index(4)
    assert (game.seat, game.gift_size) == (president, 2)
    assert game.refusal(Gift(("4",))) == "PR-12: 2 cards are to be given, not 1."
    assert game.refusal(Gift(("4", "4"))) == "PR-12: 4 4 are not all in the hand."
    assert game.refusal(PASS) == "PR-12: a gift has to be made first."
    act(game, "4 5")
    act(game, "4")
    assert game.gift_size == 0
    assert "".join(game.hands[president]) == "6789TJQKA2233"
    assert "".join(game.hands[janitor]) == "44556789TJQKA"
    assert story(game.events)[-5:] == [
        f"{janitor} gives {president}: 2 3",
        f"{ranks.index(3)} gives {ranks.index(2)}: 3",
        f"{president} gives {janitor}: 4 5",
        f"{ranks.index(2)} gives {ranks.index(3)}: 4",
        "1 leads",
    ]


def test_options() -> None:
    """All options with their defaults; what is not allowed is named."""
    assert check_options({}) == Options()
    assert len(pack(Options(jokers=3))) == 55
    assert Options(exchange="none").gift_sizes == Options(exchange="0/0").gift_sizes == (0, 0)
    for name, value in (("jokers", 5), ("wild", "4"), ("exchange", "7/0"), ("points", "1,2,3")):
        with pytest.raises(ValueError, match=f"option {name} cannot be"):
            check_options({name: value})
    with pytest.raises(ValueError, match="there is no option 'joker'"):
        check_options({"joker": 1})
    with pytest.raises(ValueError, match="needs jokers"):
        check_options({"joker_beats_all": True})


@pytest.mark.parametrize(
    ("hand", "trick", "choice"),
    [
        ("4 4 4 9 2", "", "4 4 4"),
        ("2 2 3", "", "2 2"),
        ("4 9 9 9 2 2", "6 6", "9 9"),
        ("4 9 2 2 3", "6 6", "2 2"),  # a wild rank, when it is the lowest that will do
        ("4 9 2 X X", "3 3", "X X"),
        ("4 9 2 3 X", "6 6", ""),  # never with fillers
        ("4 9 X", "A A", ""),  # nor by PR-8
        ("4 9 X", "3", "X"),
    ],
)
def test_lowest(hand: str, trick: str, choice: str) -> None:
    """`lowest`: the lowest rank that will do, all cards of it in the lead."""
    game = position([hand, *OTHERS], trick=trick, jokers=2, joker_beats_all=True)
    chosen = lowest(game, Stream(0))
    assert chosen == played(game, choice)


def test_random_is_uniform() -> None:
    """`random`: each legal play equally often (chi-squared, 6 degrees), and each pair of cards."""
    game, stream = position(["6 6 9 3 X", *OTHERS], trick="5 5", jokers=1), Stream(7)
    counts = Counter(random(game, stream) for _ in range(700))
    assert set(counts) == set(game.legal_plays())
    assert len(counts) == 5
    expected = 700 / len(counts)
    assert sum((n - expected) ** 2 / expected for n in counts.values()) < 40
    pairs = Counter(tuple(sorted(draw_cards(list("44456"), 2, stream))) for _ in range(1000))
    wanted = {("4", "4"): 300, ("4", "5"): 300, ("4", "6"): 300, ("5", "6"): 100}
    assert set(pairs) == set(wanted)
    assert sum((pairs[pair] - n) ** 2 / n for pair, n in wanted.items()) < 40


def test_chance_has_its_own_streams() -> None:
    """The last card of the shuffled list is the top; purposes by round and by what is decided."""
    chance = StreamChance(1, 3)
    cards = pack(Options())
    deal_stream(1, 3, 5).shuffle(cards)
    assert chance.shuffle(5, pack(Options()))[::-1] == cards
    assert chance.leader(5) == deal_stream(1, 3, 1024 + 5).bounded(4)
    expected = draw_cards(list("456789"), 3, deal_stream(1, 3, 1024 * 5 + 2))
    assert chance.gift(2, 4, list("456789"), 3) == expected


def test_strategies_meet_the_same_deals() -> None:
    """The deals depend on seed and game alone, and a game repeats itself."""
    for index in range(2):
        games = [play({"rounds": 2}, name, 1, index) for name in ("random", "lowest")]
        games.append(play({"rounds": 2, "one_play": True, "lead": "random"}, "lowest", 1, index))
        deals = [[e["hands"] for e in game.events if e["ev"] == "deal"] for game in games]
        assert deals[0] == deals[1] == deals[2]
        assert trace({}, "random", 1, index) == trace({}, "random", 1, index)
    mixed = play({"rounds": 1}, ["random", "lowest", "random", "lowest"], 1, 0)
    assert sorted(mixed.finishes[0]) == [rank + 1 for rank in SEATS]
