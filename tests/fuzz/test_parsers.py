"""A hundred thousand wrong texts for every parser: one sentence each, quickly, and nothing else.

Seeds are fixed, so a failure comes again; the failing text is in the message.
"""

import json
import random
import time

import pytest

import sim.games
from scripts.experiment_files import load
from sim.errors import PlayoutError
from sim.experiment import Experiment
from sim.quantity import parse_count
from sim.store import RunFolder
from strategies.models import parse_model, registered_models
from strategies.registry import parse, registered
from tests.fuzz.nasty import NASTY, mutated

#: Of the processor: a busy machine is not a slow parser.
MOST_SECONDS = 1.0
MOST_LETTERS = 2000


def must_answer(call, text, *, errors=PlayoutError, seconds=MOST_SECONDS):
    """The call works, or refuses with one sentence; whichever it is, soon."""
    began = time.process_time()
    try:
        call(text)
    except errors as error:
        message = str(error)
        assert message.strip() or errors is not PlayoutError, repr(text)[:300]
        assert len(message) < MOST_LETTERS + 2 * len(text), repr(text)[:300]
    except Exception as error:
        pytest.fail(f"{type(error).__name__}: {error} for {text[:300]!r}")
    assert time.process_time() - began < seconds, repr(text)[:300]


def good_specs(rules):
    """Specs that are fine: names, parameters, combinations, files."""
    found = ["x.py:f", "x.py:f(k=2)", "./a b.py:f(k=2,m=-1.5)"]
    for (kind, name), info in registered(rules).items():
        settings = ",".join(f"{p}={param.default}" for p, param in info.params.items())
        for spec in (name, f"{name}({settings})"):
            found += [spec, f"{kind}={spec}"]
    if len(rules.kinds) > 1:
        found += [",".join(f"{kind}=random" for kind in rules.kinds)]
    return found


@pytest.mark.parametrize("game", sim.games.names())
def test_specs(game, tmp_path, monkeypatch):
    """30,000 strategy strings a game."""
    monkeypatch.chdir(tmp_path)
    rules, chance = sim.games.load(game), random.Random(f"specs {game}")
    good = good_specs(rules)
    for text in [*good, *NASTY]:
        must_answer(lambda spec: parse(spec, rules), text)
    for _ in range(30_000):
        must_answer(lambda spec: parse(spec, rules), mutated(chance, good))
    assert list(tmp_path.iterdir()) == []


def test_recall_models(tmp_path, monkeypatch):
    """10,000 recall models."""
    monkeypatch.chdir(tmp_path)
    rules, chance = sim.games.load("memory-duel"), random.Random("models")
    good = ["x.py:f", "x.py:f(k=2)", "iid(0.9)", "logistic(5,lapse=0)", "persistent(p=0.5)"]
    good += registered_models(rules.name)
    for text in [*good, *NASTY, *(mutated(chance, good) for _ in range(10_000))]:
        must_answer(lambda spec: parse_model(spec, rules), text)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("game", sim.games.names())
def test_options(game):
    """20,000 option lists a game."""
    options, chance = sim.games.load(game).options, random.Random(f"options {game}")
    good = [f"{n}={v}" for n, spec in options.specs().items() for v in (*spec.examples, "on")]
    for _ in range(20_000):
        texts = [mutated(chance, good) for _ in range(chance.randint(1, 3))]
        must_answer(lambda joined: options.parse(joined.split("\x01")), "\x01".join(texts))


def test_numbers():
    """20,000 counts."""
    chance = random.Random("numbers")
    for _ in range(20_000):
        text = mutated(chance, ["1000", "1_000_000", "1e6", "5M", "1.5k", "0", "100k", "2e3"])
        must_answer(parse_count, text, errors=(PlayoutError, ValueError))


TOML = """title = "x"
game = "shooting-party"
strategies = ["tidy"]
seed = 1
games = 1000
keep = "counts"

[options]
exhaustion = "at-once"
hand = 5
rivals = false
"""
STUDY = 'study = "shooting-party"\nseed = 1\nscale = 0.5\n'


def test_experiment_files(tmp_path):
    """10,000 TOML files: none is taken that would have to be guessed at."""
    chance, path = random.Random("toml"), tmp_path / "x.toml"
    for _ in range(10_000):
        text = mutated(chance, [TOML, STUDY])
        path.write_bytes(text.encode("utf-8", "surrogatepass"))
        must_answer(lambda _: load(path), text)


@pytest.fixture(scope="module")
def manifest(tmp_path_factory):
    """The text of a good manifest."""
    from sim.run import run

    folder = tmp_path_factory.mktemp("fuzz") / "a"
    run(Experiment.make("shooting-party", ["tidy"]), 50, out=folder)
    return (folder / "manifest.json").read_text()


def test_manifests(manifest, tmp_path):
    """10,000 damaged manifests: whole or refused, never half understood."""
    from reports.folders import read_run

    chance, folder = random.Random("manifests"), tmp_path / "a"
    folder.mkdir()
    for number in range(10_000):
        text = mutated(chance, [manifest])
        (folder / "manifest.json").write_bytes(text.encode("utf-8", "surrogatepass"))
        must_answer(lambda _: RunFolder(folder).manifest(), text)
        if number % 20 == 0:
            must_answer(lambda _: read_run(folder), text)


def test_manifests_of_other_shapes(manifest, tmp_path):
    """Every value of a manifest replaced by every kind of value."""
    from reports.folders import read_run

    folder = tmp_path / "a"
    folder.mkdir()
    others = [None, True, -1, 1e300, "x", "\x1b", [], {}, [[]], {"a": 1}, 10**30]

    def paths(value, at=()):
        if isinstance(value, dict):
            for name in value:
                yield from paths(value[name], (*at, name))
        elif isinstance(value, list):
            for place in range(len(value)):
                yield from paths(value[place], (*at, place))
        if at:
            yield at

    for at in paths(json.loads(manifest)):
        for other in others:
            changed = json.loads(manifest)
            inner = changed
            for step in at[:-1]:
                inner = inner[step]
            inner[at[-1]] = other
            (folder / "manifest.json").write_text(json.dumps(changed))
            must_answer(lambda _: read_run(folder), f"{at} = {other!r}")


STRATEGY = """from sim.rulesets.shooting_party.legal import count_legal, nth_legal
from strategies import Param, strategy

@strategy("shooting-party", summary="x", wait=Param(1, 0, 9, "waits"))
def f(view, ctx):
    if view.husband_suit >= 0:
        return nth_legal(view, 0)
    return nth_legal(view, count_legal(view) - 1 - ctx.wait * 0)
"""


def test_strategy_files(tmp_path):
    """600 damaged strategy files: most are no Python, the rest is compiled or refused."""
    rules, chance = sim.games.load("shooting-party"), random.Random("files")
    for number in range(600):
        path = tmp_path / f"m{number}.py"
        text = mutated(chance, [STRATEGY])
        path.write_bytes(text.encode("utf-8", "surrogatepass"))
        must_answer(lambda _, path=path: parse(f"{path}:f", rules), text, seconds=20)
