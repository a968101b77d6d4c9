"""Every wrong call gets one sentence: what is wrong, where, what is allowed. Status 2."""

import pytest

from tests.cli.calls import GAME, TIDY, check_one_sentence, spawn

WHOLE = "it is a whole number from 1 to 1,000,000,000,000, such as 1000, 1_000_000, 1e6 or 5M"
RUN = ("run", *TIDY, "--games", "10")


@pytest.mark.parametrize(
    ("args", "parts"),
    [
        ((), ["a command is missing", "games, strategies, rules, run", "playout --help"]),
        (("rnu", GAME), ["there is no command 'rnu' (did you mean run?)", "games, strategies"]),
        (("--foo",), ["playout has no option --foo", "--version, --help"]),
        (("run",), ["playout run needs the name of a game", GAME]),
        (("run", GAME), ["needs --strategy SPEC", f"playout strategies {GAME}"]),
        (("run", GAME, "--strategy"), ["--strategy needs a value", "playout run --help"]),
        ((*RUN, "--gmaes", "5"), ["no option --gmaes (did you mean --games?)", "--strategy"]),
        ((*RUN, "stray"), ["playout run cannot place 'stray'", "quotes"]),
        ((*RUN, "--games", "20"), ["--games is given twice"]),
        ((*RUN, "--seed=1", "--seed", "1"), ["--seed is given twice"]),
        (("compare", *TIDY, "--games", "5", "--games", "6"), ["--games is given twice"]),
        (("sweep", *TIDY, "--games=5", "--games=6"), ["--games is given twice"]),
        (("selfcheck", "--format=json", "--format", "json"), ["--format is given twice"]),
        (("report",), ["playout report needs at least one run folder"]),
        (("strategies",), ["needs the name of a game", GAME]),
    ],
)
def test_wrong_words(refused, args, parts):
    """What a command lacks or does not know is named, with what there is."""
    refused(args, *parts)


@pytest.mark.parametrize("command", ["run", "trace", "show", "audit"])
def test_an_unknown_game_lists_the_games(refused, command):
    """A game that does not exist."""
    refused((command, "whist", "--strategy", "tidy"), "no game 'whist'", "the games are", GAME)


@pytest.mark.parametrize("command", ["rules", "strategies"])
@pytest.mark.parametrize("name", ["whist", "", "../../etc"])
def test_an_unknown_game_of_the_lists(refused, command, name):
    """The same for the commands that only tell."""
    refused((command, name), f"there is no game {name!r}", GAME)


@pytest.mark.parametrize(
    "value",
    ["0", "-5", "many", "", "1.5", "1e400", "1e99", "1" * 30, "nan", "inf", "1__000", "_1", "٣",
     "1 000", "0x10", "1k5", "+", "1e"],
)  # fmt: skip
def test_a_wrong_number_of_games(refused, value):
    """Zero, negative, text, a fraction, too many."""
    refused(("run", *TIDY, "--games", value), f"--games {value!r}", WHOLE)


def test_a_very_long_number_is_not_quoted_in_full(refused):
    """Python itself refuses to read 5000 digits."""
    for option in ("--games", "--seed"):
        refused(("run", *TIDY, option, "1" * 5000), f"{option} '{'1' * 39}…' is not allowed")


@pytest.mark.parametrize(
    ("option", "value", "allowed"),
    [
        ("--seed", "-1", "from 0 to 9,223,372,036,854,775,807"),
        ("--seed", "one", "from 0 to 9,223,372,036,854,775,807"),
        ("--seed", str(2**63), "from 0 to 9,223,372,036,854,775,807"),
        ("--jobs", "0", "from 1 to 1,024"),
        ("--jobs", "-1", "from 1 to 1,024"),
        ("--jobs", "all", "from 1 to 1,024"),
        ("--chunk", "0", "from 1 to 10,000,000"),
        ("--chunk", "1e12", "from 1 to 10,000,000"),
        ("--format", "xml", "it is one of table, json, csv"),
    ],
)
def test_a_wrong_value(refused, option, value, allowed):
    """Each option says what it allows."""
    refused((*RUN, option, value), f"{option} {value!r} is not allowed", allowed)


def test_a_wrong_backend_or_keep(refused):
    """These two are checked by the run itself."""
    refused((*RUN, "--backend", "gpu"), "no backend 'gpu'", "threads, processes")
    refused((*RUN, "--keep", "all"), "keep 'all' is not allowed", "games, counts")


@pytest.mark.parametrize(
    ("args", "part"),
    [
        (("trace", *TIDY, "--games", "0"), "--games '0'"),
        (("trace", *TIDY, "--first", "-1"), "--first '-1' is not allowed"),
        (("show", *TIDY, "--index", "x"), "--index 'x' is not allowed"),
        (("audit", *TIDY, "--redeals", "0"), "--redeals '0' is not allowed"),
        (("bench", GAME, "--seconds", "0"), "--seconds '0' is not allowed"),
        (("bench", GAME, "--seconds", "nan"), "a number from 0.01 to 600"),
        (("bench", GAME, "--seconds", "soon"), "a number from 0.01 to 600"),
    ],
)
def test_a_wrong_number_elsewhere(refused, args, part):
    """The other commands read numbers the same way."""
    refused(args, part)


OPTIONS = "exhaustion, last_draw, reshuffles, hand"


@pytest.mark.parametrize(
    ("options", "parts"),
    [
        (["hand"], ["option 'hand' is not of the form name=value"]),
        (["hnd=4"], ["there is no option 'hnd'", OPTIONS]),
        (["HAND=4"], ["there is no option 'HAND'", OPTIONS]),
        (["=4"], ["there is no option ''", OPTIONS]),
        (["hand=0"], ["option hand='0'", "a whole number from 1 to 7"]),
        (["hand=8"], ["option hand='8'", "a whole number from 1 to 7"]),
        (["hand="], ["option hand=''", "a whole number from 1 to 7"]),
        (["hand=4.0"], ["option hand='4.0'", "a whole number from 1 to 7"]),
        (["exhaustion=never"], ["option exhaustion='never'", "on-need, at-once"]),
        (["rivals=perhaps"], ["option rivals='perhaps'", "on, off"]),
        (["hand=4", "hand=5"], ["option 'hand' is given twice"]),
    ],
)
def test_a_wrong_rule_option(refused, options, parts):
    """Unknown names, values out of range, a missing '=', one given twice."""
    given = [word for option in options for word in ("--option", option)]
    refused(("run", *TIDY, *given), *parts)


@pytest.mark.parametrize(
    ("spec", "parts"),
    [
        ("tidi", ["has no strategy 'tidi' (did you mean tidy?)", "random", "FILE.py:FUNCTION"]),
        ("Tidy", ["has no strategy 'Tidy'"]),
        ("", ["the strategy is empty", "random, tidy"]),
        ("tidy(", ["'tidy(' cannot be read", "NAME(parameter=value)"]),
        ("tidy,random", ["cannot be read"]),
        ("tidy(wait=3)", ["tidy has no parameter 'wait'; it takes none"]),
        ("tidy(wait)", ["'wait' is not parameter=value"]),
        ("a:b:c", ["cannot be read", "FILE.py:FUNCTION"]),
        ("draw=tidy", ["has no decision 'draw'", "its decisions are play"]),
        ("play=tidy,play=tidy", ["names the decision 'play' twice"]),
        ("ti\x1b[31mdy", ["cannot be read"]),
    ],
)
def test_a_wrong_strategy(refused, spec, parts):
    """Names, parameters and forms."""
    refused(("run", GAME, "--strategy", spec), *parts)


def test_strategies_for_more_seats_than_there_are(refused):
    """One for all or one for each."""
    refused(("run", *TIDY, "--strategy", "random"), "2 strategies are given for 1 seat")


def test_nothing_of_the_input_reaches_the_terminal_raw(call):
    """Control characters of a path or value could take over a terminal."""
    for args in (("run", *TIDY, "--games", "\x1b[2J"), ("run", "a\rb\x07", "--strategy", "tidy")):
        assert not set(call(*args).err) & set("\x1b\r\x07")


def test_the_program_itself_refuses_as_these_calls_do():
    """What the other tests call inside one process is what a person gets."""
    check_one_sentence(spawn("run", *TIDY, "--games", "none"), 2, "--games 'none'", WHOLE)


def test_words_of_a_fault_of_playout_itself(call, monkeypatch):
    """Not even a fault of this program is a traceback, unless it is asked for."""
    import sim.trace

    def broken(*args):
        raise LookupError("lost")

    monkeypatch.setattr(sim.trace, "lines", broken)
    said = call("trace", *TIDY)
    assert said.status == 1
    assert said.err.count("\n") == 1
    assert "a fault of playout itself, not of your call: LookupError: lost" in said.err
    monkeypatch.setenv("PLAYOUT_DEBUG", "1")
    with pytest.raises(LookupError):
        call("trace", *TIDY)
