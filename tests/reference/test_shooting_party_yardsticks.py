"""The yardstick strategies of The Shooting Party, position by position, and their streams."""

from collections import Counter

import pytest

from .shooting_party import Game
from .shooting_party_cards import DECK, Action
from .shooting_party_tables import table
from .shooting_party_yardsticks import play, random, stream_shuffler, tidy, trace
from .splitmix import GAMMA, MASK, Stream, deal_stream


def tidy_choice(game: Game) -> tuple[str, str]:
    """Return what `tidy` does and with which cards (the butler: what he takes)."""
    action = tidy(game, Stream(0))
    return action.do, action.card or action.take or " ".join(action.cards)


@pytest.mark.parametrize(
    ("hand", "choice"),
    [
        ("QC", ("seduce", "QC")),
        ("QC X", ("butler", "AC")),
        ("QD X", ("butler", "nothing")),  # her ace is displayed
        ("2C 3C 3D 3H QC", ("discard", "3C 3D 3H")),
        ("2C 3C 3D 4D", ("discard", "2C 3C")),
        ("3C 2D 4D 2S 5S", ("discard", "2D 2S")),
        ("JC QC", ("pair", "")),
        ("KC 2H X", ("pair", "")),
        ("2C 3D 4H 5C X", ("discard", "2C 5C")),
        ("2C QC QD", ("pair", "")),
    ],
)
def test_tidy_does_the_first_it_can(hand: str, choice: tuple[str, str]) -> None:
    """`tidy`: seduce; free the lady; the largest, smallest set without queens; draw."""
    game = table(hand, pile="AC 5H KH", display="AD", rivals=False)
    assert tidy_choice(game) == choice


def test_tidy_with_nothing_better() -> None:
    """`tidy`: beyond the limit the butler goes for nothing, and then the room is left."""
    assert tidy_choice(table("2C 3D 4H X", draw_limit=0)) == ("butler", "nothing")
    assert tidy_choice(table("2C 3D 4H", draw_limit=0))[0] == "leave"


def test_tidy_keeps_the_queen() -> None:
    """`tidy`: in the choice of SP-10, king and jack leave."""
    game = table("2D")
    game.hand, game.pending = ["QH", "KH", "JH"], "H"
    assert tidy_choice(game) == ("husband", "JH KH")


def test_random_is_uniform_and_draws_once() -> None:
    """`random`: each legal action equally often, one number a decision (chi-squared)."""
    game, stream = table("2C 2D 3C X", pile="AC KS"), Stream(7)
    actions = game.legal_actions()
    counts: Counter[Action] = Counter()
    for turn in range(100 * len(actions)):
        assert stream.state == (7 + turn * GAMMA) & MASK
        counts[random(game, stream)] += 1
    assert len(actions) == 2 + 2 + len(game.discards) + 1 + 1
    assert sum((counts[a] - 100) ** 2 / 100 for a in actions) < 75  # 31 degrees: P < 0.00002


def test_every_shuffle_has_its_own_stream() -> None:
    """The last card of the shuffled list is the top; purposes 0, n and 16 + k."""
    shuffler = stream_shuffler(1, 3)
    for kind, number, purpose in (("deal", 0, 0), ("reshuffle", 2, 2), ("butler", 1, 17)):
        cards = list(DECK)
        deal_stream(1, 3, purpose).shuffle(cards)
        assert shuffler(DECK, kind, number)[::-1] == cards
    assert DECK[0] == "2C"


def test_strategies_meet_the_same_deals() -> None:
    """The first pile depends on seed and game alone, and a game repeats itself."""
    for index in range(5):
        games = [play({}, name, 1, index) for name in ("random", "tidy")]
        games.append(play({"hand": 2, "rivals": False}, "tidy", 1, index))
        assert games[0].events[0] == games[1].events[0] == games[2].events[0]
        assert trace({}, "random", 1, index) == trace({}, "random", 1, index)


def test_known_scores() -> None:
    """Scores of games 0-199 of seed 1, to notice a change of rules or streams."""

    def scores(name: str) -> Counter[str]:
        titles = [str(play({}, name, 1, index).result()["title"]) for index in range(200)]
        return Counter(titles)

    assert scores("random") == {"impecunious boor": 187, "impecunious cad": 8, "common cad": 5}
    assert scores("tidy") == {
        **{"impecunious boor": 20, "impecunious cad": 13, "common cad": 40},
        **{"impecunious rake": 4, "common rake": 35, "bourgeois rake": 51},
        **{"common bounder": 4, "bourgeois bounder": 25, "oofy bounder": 7},
        "oofy scoundrel": 1,
    }
