"""Wrong calls of Short Zoot Suit: one sentence with what is wrong, where, and what is allowed."""

import pytest

ZOOT = ("run", "short-zoot-suit", "--games", "5", "--strategy")


@pytest.mark.parametrize(
    ("options", "parts"),
    [
        (["players=5"], ["option players='5' is not allowed", "a whole number from 2 to 4"]),
        (["players=1"], ["option players='1'", "from 2 to 4"]),
        (
            ["players=2", "doubles=replace-both"],
            ["doubles=replace-both needs face cards", "ZS-11", "set players to 3 or 4"],
        ),
        (["doubles=replace-one", "players=2"], ["doubles=replace-one", "2 players have none"]),
        (["doubles=both"], ["option doubles='both'", "off, replace-both, replace-one"]),
        (["bonus=1,2,3,4"], ["option bonus='1,2,3,4'", "five whole numbers from 0 to 1000"]),
        (["bonus=a,b,c,d,e"], ["option bonus='a,b,c,d,e'", "none, stars, or five"]),
        (["bonus=0,0,0,0,1001"], ["option bonus='0,0,0,0,1001'", "from 0 to 1000"]),
        (["bonus="], ["option bonus=''", "none, stars, or five"]),
        (["rounds=0"], ["option rounds='0'", "from 1 to 20"]),
        (["rounds=21"], ["option rounds='21'", "from 1 to 20"]),
        (["ace=middle"], ["option ace='middle'", "low, high"]),
        (["draws=never"], ["option draws='never'", "simultaneous, in-turn"]),
        (["short_shorts=maybe"], ["option short_shorts='maybe'", "on, off"]),
        (["shorts=on"], ["there is no option 'shorts'", "players", "short_shorts"]),
        (["players"], ["option 'players' is not of the form name=value"]),
        (["players=3", "players=4"], ["option 'players' is given twice"]),
    ],
)
def test_wrong_options(refused, options, parts):
    """ZS-1, ZS-3, ZS-5, ZS-10, ZS-11, ZS-14: each option with a value it cannot have."""
    words = [word for option in options for word in ("--option", option)]
    refused((*ZOOT, "plain", *words), *parts)


@pytest.mark.parametrize(
    ("spec", "parts"),
    [
        ("play=bury-low", ["'bury-low' decides draft, not 'play'", "duck-or-win"]),
        ("draft=equalizer", ["'equalizer' decides draw, not 'draft'", "void-two"]),
        ("bury-low", ["'bury-low' decides draft, not 'draw'", "always"]),
        ("draft=bury-low,draft=spread", ["names the decision 'draft' twice"]),
        ("lay=lay-high", ["has no decision 'lay'", "draft, draw, play"]),
        ("draft=void-to", ["no strategy 'void-to'", "did you mean void-two?"]),
        ("play=duck-or-win(ahead=9)", ["ahead=9 is not allowed", "from -3 to 5"]),
        ("play=duck-or-win(behind=1)", ["no parameter 'behind'", "ahead"]),
        ("draft=bury-low(x=1)", ["no parameter 'x'", "it takes none"]),
        ("draft=", ["cannot be read"]),
    ],
)
def test_wrong_policies(refused, spec, parts):
    """A policy for another decision, one that does not exist, a parameter out of its range."""
    refused((*ZOOT, spec), *parts)


def test_a_wrong_number_of_seats(refused):
    """One strategy for all, or one for each player."""
    call = (*ZOOT, "plain", "--strategy", "random", "--option", "players=3")
    refused(call, "2 strategies are given for 3 seats", "one for all seats or one for each")
