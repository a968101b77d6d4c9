"""The engine knows no game: a tiny ruleset with seats, rounds and two kinds of decision plays."""

from dataclasses import replace

import numpy as np
import pytest

import sim.jit
from sim.audit import LeakError, audit
from sim.engine import compiled_loop, laid_together, play, play_logged
from sim.errors import PlayError, StrategyError, UsageError
from sim.experiment import Experiment
from sim.run import run
from sim.trace import events
from tests.engine import tiny_reference

ROLES = {
    "random": {
        "swap": lambda hand, stream, memory: stream.bounded(3),
        "play": lambda hand, stream, memory: hand[stream.bounded(len(hand))],
    },
    "stubborn": {
        "swap": lambda hand, stream, memory: 0,
        "play": lambda hand, stream, memory: hand[-1],
    },
}


def reference_games(options, specs, seed, games):
    """Points and round winners of games played by the plain-Python reference."""
    for index in range(games):
        yield tiny_reference.play(
            options,
            lambda kind, seat, hand, stream: ROLES[specs[seat]][kind](hand, stream, None),
            seed,
            index,
        )


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("low_wins", [False, True])
def test_games_equal_the_plain_reference(players, low_wins):
    """Several seats, two kinds of decision, rounds and options, game by game."""
    specs = ["random", "stubborn", "random"][:players]
    options = {"players": players, "rounds": 3, "low_wins": low_wins}
    experiment = Experiment.make("tiny-duel", specs, options=options, seed=11)
    played = play(experiment.rules, experiment.options, experiment.seating, 11, 0, 300)
    winners = played.rounds["winner"].reshape(300, 3)
    assert (played.rounds["game"] == np.repeat(np.arange(300), 3)).all()
    for index, (points, rounds) in enumerate(reference_games(options, specs, 11, 300)):
        row = played.rows[index]
        assert [row[f"points_{p}"] for p in range(players)] == points
        assert winners[index].tolist() == rounds


def test_parameters_and_memory_reach_the_strategy():
    """A parameter changes play; memory lasts for a game and no longer."""
    spec = "swap=swap-below(below={}),play=alternating(every={})"
    tallies = {}
    for below, every in [(0, 1.0), (8, 1.0), (0, 2.0), (0, 9.0)]:
        experiment = Experiment.make(
            "tiny-duel", [spec.format(below, every), "stubborn"], options={"rounds": 1}, seed=3
        )
        tallies[below, every] = run(experiment, 400, jobs=1).tally
        for chunk in (1, 7):
            assert run(experiment, 400, jobs=1, chunk=chunk).tally == tallies[below, every]
    # one play a game: `every=2` never comes to its second play when memory starts anew
    assert tallies[0, 2.0] == tallies[0, 9.0]
    assert tallies[0, 1.0] != tallies[0, 2.0]
    assert tallies[0, 1.0] != tallies[8, 1.0]


def test_loop_and_strategies_are_compiled_once(tiny):
    """Other strategies at the table compile nothing but themselves."""
    compiled_loop(tiny, False)
    first = Experiment.make("tiny-duel", ["random", "stubborn"])
    run(first, 10, jobs=1)
    before = set(sim.jit._compiled)
    for specs in (["stubborn", "random"], ["random"], ["swap=random,play=stubborn"]):
        run(Experiment.make("tiny-duel", specs), 10, jobs=1)
    assert set(sim.jit._compiled) == before
    assert (
        first.seating.strategies[0]
        is Experiment.make("tiny-duel", ["random"]).seating.strategies[1]
    )


@pytest.mark.parametrize("chunk", [1, 13, 1000])
@pytest.mark.parametrize("jobs", [1, 2])
def test_results_do_not_depend_on_chunks_and_jobs(chunk, jobs):
    """The same counts for every way to cut the games."""
    experiment = Experiment.make("tiny-duel", ["random", "stubborn"], seed=5)
    expected = run(experiment, 1000, jobs=1, chunk=250).tally
    assert run(experiment, 1000, jobs=jobs, chunk=chunk).tally == expected


def test_a_game_does_not_depend_on_the_first_one_played():
    """Game 500 alone equals game 500 among others."""
    experiment = Experiment.make("tiny-duel", ["random", "random"], seed=5)
    rules, options, seating = experiment.rules, experiment.options, experiment.seating
    whole = play(rules, options, seating, 5, 0, 600)
    alone = play(rules, options, seating, 5, 500, 1)
    assert alone.rows[0] == whole.rows[500]


def test_deals_do_not_depend_on_strategies():
    """Common random numbers: every strategy meets the same deals."""
    deals = {}
    for spec in ("random", "stubborn", "swap=random,play=stubborn"):
        experiment = Experiment.make("tiny-duel", [spec], options={"rounds": 4}, seed=9)
        deals[spec] = [e for i in range(50) for e in events(experiment, i) if e["ev"] == "deal"]
    assert deals["random"] == deals["stubborn"] == deals["swap=random,play=stubborn"]


def test_logged_game_equals_the_counted_one():
    """Writing events changes nothing."""
    experiment = Experiment.make("tiny-duel", ["random", "random"], seed=5)
    rules, options, seating = experiment.rules, experiment.options, experiment.seating
    whole = play(rules, options, seating, 5, 0, 40)
    for index in range(40):
        played, log, stopped = play_logged(rules, options, seating, 5, index)
        assert stopped is None
        assert played.rows[0] == whole.rows[index]
        assert len(log)


def bad_action(view, ctx):
    """Plays a card it does not have in the second round."""
    return 7 if view.round == 1 else 0


def failing(view, ctx):
    """Divides by zero in the second round."""
    return 1 // (1 - view.round) - 1


@pytest.mark.parametrize(
    ("function", "parts"),
    [
        (bad_action, ["chose an illegal action", "action 7", "(TD-1)", "Legal are: action 0; "]),
        (failing, ["failed in", "ZeroDivisionError"]),
    ],
)
def test_a_bad_decision_is_explained(tmp_path, function, parts):
    """The message names strategy, seat, game, seed, decision, and how to see it again."""
    file = tmp_path / "mine.py"
    import inspect

    file.write_text(inspect.getsource(function))
    spec = f"swap={file}:{function.__name__}"
    experiment = Experiment.make("tiny-duel", ["random", spec], seed=21)
    with pytest.raises(PlayError) as caught:
        run(experiment, 50, jobs=2, chunk=5)
    message = str(caught.value)
    for part in [*parts, f"{file}:{function.__name__}", "(seat 1)", "game 0 of seed 21", "(swap)",
                 "decision ", "playout show tiny-duel", "--seed 21", "--index 0"]:  # fmt: skip
        assert part in message
    assert "\n" not in message


def test_plain_names_and_combinations(tiny):
    """A name is for all decisions, a combination names them, what is missing is the default's."""
    experiment = Experiment.make("tiny-duel", ["swap=stubborn", "random"])
    assert [seat.spec for seat in experiment.seats] == ["swap=stubborn,play=random", "random"]
    for spec, words in {
        "swap-below": "decides swap, not 'play'",
        "swap=alternating": "decides play, not 'swap'",
        "swap=random,swap=random": "twice",
        "swap=swap-below(below=9)": "a whole number from 0 to 8",
        "play=alternating(every=x)": "a number from 1.0 to 9.0",
        "play=alternating(often=2)": "no parameter 'often'",
        "draw=random": "cannot be read",
    }.items():
        with pytest.raises(StrategyError, match=words):
            Experiment.make("tiny-duel", [spec])
    with pytest.raises(UsageError, match="3 strategies are given for 2 seats"):
        Experiment.make("tiny-duel", ["random"] * 3)


# --- leaks ---


def leaky(tiny, name, leak):
    """The tiny ruleset with a view that shows more than it may."""
    view_dtype = np.dtype([*tiny.view_dtype.descr, ("secret", np.int64)], align=True)
    from numba import njit

    observe = tiny.observe

    def observe_and_leak(s, seat, v):
        observe(s, seat, v)
        v.secret = leak(s, seat)

    return replace(
        tiny, name=name, view_dtype=view_dtype, observe=njit(observe_and_leak),
        view_fields={field: field for field in view_dtype.names},
    )  # fmt: skip


@pytest.fixture
def registered_game():
    """Registers a game for one test."""
    import sim.games
    import strategies.registry
    from sim.strategy import StrategyInfo

    names = []

    def register(rules):
        names.append(rules.name)
        known = strategies.registry._registered
        known[rules.name] = {
            key: StrategyInfo(
                i.name, i.function, rules.name, i.kind, params=i.params, memory=i.memory
            )
            for key, i in known["tiny-duel"].items()
        }
        return sim.games.register(rules)

    yield register
    for name in names:
        sim.games._registered.pop(name)
        strategies.registry._registered.pop(name)


def test_audit_finds_nothing_in_an_honest_game():
    """All decisions are looked at, and most re-deals change something."""
    for spec in ("random", "stubborn", "swap=swap-below,play=alternating"):
        experiment = Experiment.make("tiny-duel", [spec], options={"players": 3}, seed=2)
        result = audit(experiment, 30)
        assert result.decisions == 30 * 2 * 3 * 2
        assert result.redeals == 3 * result.decisions
        assert result.changed > 0.5 * result.redeals


def test_audit_catches_a_leaking_view(tiny, registered_game):
    """A view with the stock's top card is found, with the field, the game and the decision."""
    from numba import njit

    @njit
    def top_of_stock(s, seat):
        return s.stock[s.stock_size - 1]

    registered_game(leaky(tiny, "leaky-duel", top_of_stock))
    experiment = Experiment.make("leaky-duel", ["stubborn"], seed=2)
    with pytest.raises(
        LeakError, match=r"view of leaky-duel leaks at decision 1 of game 0.*secret"
    ):
        audit(experiment, 5)


@pytest.mark.filterwarnings("ignore:Code running in object mode")
def test_audit_catches_a_peeking_strategy(monkeypatch, tmp_path):
    """A strategy that gets at the hidden state by a back door acts differently, and is found."""
    import sim.stepper

    original = sim.stepper.Stepper.look
    peek = {}

    def look(self):
        original(self)
        peek["stock"] = self.states["stock"][0].tolist()

    monkeypatch.setattr(sim.stepper.Stepper, "look", look)
    file = tmp_path / "cheat.py"
    file.write_text(
        "import gc\n"
        "from numba import objmode\n"
        "def peek():\n"
        "    for thing in gc.get_objects():\n"
        "        if type(thing) is dict and set(thing) == {'stock'}:\n"
        "            return int(thing['stock'][1] % 3)\n"
        "    return 0\n"
        "def cheat(view, ctx):\n"
        "    with objmode(action='int64'):\n"
        "        action = peek()\n"
        "    return action\n"
    )
    experiment = Experiment.make("tiny-duel", [f"swap={file}:cheat", "stubborn"], seed=2)
    with pytest.raises(LeakError, match=r"cheat.*knows hidden cards at decision \d+ of game 0"):
        audit(experiment, 5)
    assert peek


@pytest.mark.filterwarnings("ignore:Code running in object mode")
def test_audit_catches_a_strategy_without_a_will_of_its_own(tmp_path):
    """A strategy that does not repeat itself from the same stream is found as well."""
    file = tmp_path / "moody.py"
    file.write_text(
        "import itertools\n"
        "from numba import objmode\n"
        "moods = itertools.count()\n"
        "def mood():\n"
        "    return next(moods) % 3\n"
        "def moody(view, ctx):\n"
        "    with objmode(action='int64'):\n"
        "        action = mood()\n"
        "    return action\n"
    )
    experiment = Experiment.make("tiny-duel", [f"swap={file}:moody", "stubborn"], seed=2)
    with pytest.raises(LeakError, match="knows hidden cards"):
        audit(experiment, 5)


def test_arrays_are_laid_together():
    """From the begin of a page, each at a cache line of its own, of any type."""
    given = [
        np.arange(3, dtype=np.int64),
        np.array([(1, 2.5)], np.dtype([("a", np.uint8), ("b", np.float64)], align=True)),
        np.arange(200, dtype=np.uint8).reshape(20, 10),
    ]
    laid = laid_together(*given)
    assert laid[0].ctypes.data % 4096 == 0
    assert [array.ctypes.data - laid[0].ctypes.data for array in laid] == [0, 64, 128]
    for before, after in zip(given, laid, strict=True):
        assert after.dtype == before.dtype
        assert after.shape == before.shape
        assert after.tolist() == before.tolist()
        assert not np.shares_memory(before, after)
        assert after.flags.c_contiguous
        assert after.flags.aligned
