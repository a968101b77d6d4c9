"""What every game must do, whatever its rules: the contract of `sim.contract`, game by game.

A new game is tested by these without a line here. Some promises are kept elsewhere: its page, its
fields and options by `tests/docs`, its starting point by `tests/cli/test_authors.py`, its clauses
by `tests/rules/test_clause_citations.py`.
"""

import json
from collections import Counter
from itertools import combinations, islice
from random import Random

import numpy as np
import pytest

import sim.games
from scripts.check import random_options
from scripts.view_table import view_ranges
from sim.audit import audit
from sim.blocks import score_columns
from sim.engine import default_models, play, state_array
from sim.errors import OptionError, PlayError
from sim.experiment import Experiment
from sim.options import shown
from sim.rng import roots, stream_dtype
from sim.run import run
from sim.stepper import Stepper
from sim.trace import lines
from strategies.models import registered_models
from strategies.registry import names, registered

#: Asked for while tests are collected: later some tests register games of their own.
GAMES = sim.games.names()
SEED = 11
RULE_SETS = 12
INT64 = (-(2**63), 2**63 - 1)


@pytest.fixture(params=GAMES)
def rules(request):
    """Each game's ruleset in turn."""
    return sim.games.load(request.param)


def rule_sets(rules, count=RULE_SETS):
    """The default rules, and others drawn at random."""
    return [rules.options(), *random_options(rules, count - 1, seed=3)]


def start(rules, options, game=0):
    """A game at its first decision, without strategies."""
    return Stepper(rules, options, SEED, game, None)


def walks(rules, looks=25, decisions=300):
    """Games under many rules, played on at random; some of their decisions are given to look at.

    Those are early and late ones, of every kind.
    """
    kinds = set()
    for number, options in enumerate(rule_sets(rules)):
        chance, game = Random(number), start(rules, options, number)
        looked = Counter()
        for _ in range(decisions):
            if game.over:
                break
            legal = game.legal_actions()
            if looked[game.kind] < looks * chance.random():
                looked[game.kind] += 1
                yield game, legal, chance
            game.apply(chance.choice(legal))
        kinds |= set(looked)
    assert kinds == set(range(len(rules.kinds)))


def played(rules, options, spec, games=40):
    """The tables of games in which all play one strategy."""
    experiment = Experiment.make(rules.name, [spec], options=options.as_dict(), seed=SEED)
    return play(rules, options, experiment.seating, SEED, 0, games)


# --- what a game declares ---


def test_names_and_words(rules):
    """Everything that is shown to people has words, and no name is used twice."""
    assert rules.name in GAMES
    assert all([rules.title, rules.summary, rules.clause_prefix])
    for group in (rules.columns, rules.measures, rules.scores, rules.traits, rules.round_columns):
        assert len({one.name for one in group}) == len(group)
        assert all(one.name and one.meaning for one in group)
    assert all(one.unit for one in (*rules.scores, *rules.traits))
    assert rules.measures
    assert rules.scores
    assert rules.traits
    assert len(set(rules.kinds)) == len(rules.kinds) >= 1
    assert set(rules.tally) <= {column.name for column in rules.columns}


def test_strategies_are_whole_and_described(rules):
    """The yardsticks decide everything; every strategy has an idea in a line, for this game."""
    assert len(rules.yardsticks) >= 2
    assert set(rules.yardsticks) <= set(names(rules))
    for (kind, name), info in registered(rules).items():
        assert info.game == rules.name
        assert kind in rules.kinds
        assert info.summary.strip(), name
        assert "\n" not in info.summary
        assert all(param.meaning for param in info.params.values()), name


def test_options_round_trip(rules):
    """As values, as JSON and as words of the command line; the kernel gets all that is encoded."""
    for options in rule_sets(rules, 40):
        values = options.as_dict()
        assert rules.options.from_mapping(values) == options
        assert rules.options.from_mapping(json.loads(json.dumps(values))) == options
        assert rules.options.parse([f"{n}={shown(v)}" for n, v in values.items()]) == options
        states = state_array(rules, options)
        for name, value in options.encode().items():
            holder = states if name in rules.state_dtype.names else states["table"]
            assert int(holder[name][0]) == value
        assert 1 <= rules.seats(options) <= rules.most_seats
    assert rules.options.from_mapping({}).changed() == {}


def test_wrong_options_are_refused(rules):
    """Each names what is allowed."""
    for name, spec in rules.options.specs().items():
        for wrong in ("", "no such value", "-99999999", "nan", None, [], 1e300):
            with pytest.raises(OptionError, match=f"option {name}=.* is not allowed: it is ") as e:
                rules.options.from_mapping({name: wrong})
            assert spec.allowed in str(e.value)
    with pytest.raises(OptionError, match="there is no option 'whist'"):
        rules.options.from_mapping({"whist": 1})


# --- views ---


def test_the_view_is_of_named_numbers(rules):
    """Scalar fields only, each with a meaning, in the order of the record."""
    fields = rules.view_dtype.names
    assert tuple(rules.view_fields) == fields
    assert all(meaning.strip() for meaning in rules.view_fields.values())
    for name in fields:
        assert rules.view_dtype[name].shape == ()
        assert rules.view_dtype[name].kind in "iuf"


def test_observe_fills_every_field(rules):
    """Whatever lay in the buffer before, the view is the same."""
    for game, _, _ in walks(rules):
        found = []
        for rubbish in (0x00, 0x55, 0xFF):
            game.views.view(np.uint8)[:] = rubbish
            game.steps.look(game.states, game.views)
            found.append(game.views[0].tolist())
        assert found[0] == found[1] == found[2]


def test_view_fields_stay_in_their_range(rules):
    """Every number has a range, and is seen nowhere else; a field without one is a word of bits."""
    ranges = view_ranges(rules)
    for name in rules.view_fields:
        assert name in ranges or rules.view_dtype[name].kind == "u", name
    for game, _, _ in walks(rules, 400):
        for name, (low, high) in ranges.items():
            value = game.view[name]
            assert low <= value, f"{name} is {value}"
            assert high is None or value <= high, f"{name} is {value}"


def test_deal_and_outcome_fill_everything(rules):
    """A game after another one, or in a used buffer, is the game in a fresh one."""
    for number, options in enumerate(rule_sets(rules)):
        clean, used = start(rules, options, number), start(rules, options, number)
        soil(used, rules, options, number)
        chance = Random(number)
        while not clean.over:
            assert used.view.tolist() == clean.view.tolist()
            action = chance.choice(clean.legal_actions())
            clean.apply(action)
            used.apply(action)
        assert used.over
        rows = np.zeros(1, rules.row_dtype())
        rows.view(np.uint8)[:] = 0xAA
        used.steps.outcome(used.states, rows)
        assert rows[0].tolist() == clean.outcome().tolist()


def soil(game, rules, options, index):
    """Deal a game into a state full of rubbish.

    Only options, recall models and what `prepare` makes of them are in place.
    """
    fresh = state_array(rules, options, default_models(rules, options))
    game.states.view(np.uint8)[:] = 0xAA
    recall = ("recall", "keep", "hold", "persistent") if rules.default_model else ()
    for name in (*options.encode(), *recall):
        inside = name in rules.state_dtype.names
        target, source = (game.states, fresh) if inside else (game.states["table"], fresh["table"])
        target[name] = source[name]
    if rules.prepare is not None:
        rules.prepare(game.states)
    game.streams = np.zeros(1, stream_dtype)
    game.steps.deal(game.states, game.streams, roots(SEED)[0], index)
    game.look()


# --- actions ---


def test_legal_actions_are_listed_once_and_allowed(rules):
    """`count_legal` and `nth_legal` give what `legal` allows, and words tell the actions apart."""
    for game, legal, _ in walks(rules):
        assert legal
        assert len(set(legal)) == len(legal)
        assert all(game.is_legal(action) for action in legal)
        some = legal[:40]
        texts = {rules.action_text(game.view, action) for action in some}
        assert len(texts) == len(some)


def test_no_other_number_is_legal(rules):
    """Extremes, small numbers, legal actions with wrong bits and any int64: never a wrong yes."""
    for game, legal, chance in walks(rules):
        tries = {*INT64, INT64[0] + 1, INT64[1] - 1, *range(-70, 71)}
        tries |= {sign * 2**power for power in range(63) for sign in (1, -1)}
        tries |= {chance.randint(*INT64) for _ in range(100)}
        tries |= {chance.randint(0, 2 ** chance.randint(1, 60)) for _ in range(100)}
        for action in chance.sample(legal, min(8, len(legal))):
            tries |= {flipped(action, 1 << bit) for bit in range(64)}
            tries |= {action + 1, action - 1, ~action}
        if chance.random() < 0.2:
            one = chance.choice(legal)
            tries |= {flipped(one, 1 << a | 1 << b) for a, b in combinations(range(64), 2)}
        known = set(legal)
        for action in tries:
            if INT64[0] <= action <= INT64[1] and action not in known:
                assert not game.is_legal(action), action
        wrong = next(action for action in tries if action not in known)
        assert rules.action_text(game.view, wrong).strip()
        assert rules.clause_of(game.view, wrong).startswith(f"{rules.clause_prefix}-")


def flipped(action, bits):
    """An int64 with some of its bits the other way."""
    return (((action ^ bits) + 2**63) % 2**64) - 2**63


WRONG = (
    "def lowest(view, ctx):\n    return -(2**63)\n\ndef highest(view, ctx):\n    return 2**63 - 1\n"
)


@pytest.mark.parametrize("function", ["lowest", "highest"])
def test_a_run_stops_at_an_illegal_action(rules, tmp_path, function):
    """For each kind of decision, with strategy, game, clause and what was legal."""
    file = tmp_path / "wrong.py"
    file.write_text(WRONG)
    for kind in rules.kinds:
        experiment = Experiment.make(rules.name, [f"{kind}={file}:{function}"], seed=SEED)
        with pytest.raises(PlayError) as caught:
            run(experiment, 20, jobs=1)
        said = str(caught.value)
        assert "\n" not in said
        for part in ("chose an illegal action in game 0", f"({rules.clause_prefix}-", "Legal are:"):
            assert part in said


# --- games ---


def test_nobody_knows_what_is_hidden(rules):
    """The audit of the yardsticks, under several rules and all ways to remember.

    Some of its re-deals change something, or it would not have looked.
    """
    models = [(name,) for name in registered_models(rules.name)] if rules.default_model else [()]
    for spec in rules.yardsticks:
        changed = 0
        for options in rule_sets(rules, 4):
            values = options.as_dict()
            if "rounds" in values:
                values["rounds"] = min(values["rounds"], 2)
            for model in models:
                experiment = Experiment.make(
                    rules.name, [spec], options=values, seed=SEED, models=model
                )
                changed += audit(experiment, 2, redeals=2).changed
        assert changed > 0


def test_workers_and_chunks_do_not_matter(rules):
    """The same counts, rounds included, however the games are cut."""
    experiment = Experiment.make(rules.name, [rules.yardsticks[0]], seed=SEED)
    whole = run(experiment, 150, jobs=1, chunk=150).tally
    assert whole.games == 150
    assert run(experiment, 150, jobs=2, chunk=7).tally == whole
    again = play(rules, experiment.options, experiment.seating, SEED, 149, 1)
    first = play(rules, experiment.options, experiment.seating, SEED, 0, 150)
    assert again.rows[0] == first.rows[149]


def test_the_trace_tells_the_table(rules):
    """Line by line JSON, from `game` to `result`, which says what the run's table says."""
    for number, options in enumerate(rule_sets(rules, 6)):
        spec = rules.yardsticks[number % 2]
        experiment = Experiment.make(rules.name, [spec], options=options.as_dict(), seed=SEED)
        rows = play(rules, options, experiment.seating, SEED, 0, 3).rows
        events = [json.loads(line) for line in lines(experiment, 0, 3)]
        starts = [n for n, event in enumerate(events) if event["ev"] == "game"]
        assert len(starts) == 3
        for index, (begin, end) in enumerate(zip(starts, [*starts[1:], len(events)], strict=True)):
            head, result = events[begin], events[end - 1]
            assert (head["game"], head["index"], head["seed"]) == (rules.name, index, SEED)
            assert head["options"] == options.as_dict()
            assert len(head["seats"]) == rules.seats(options)
            assert [event["ev"] for event in events[begin:end]].count("result") == 1
            assert agreements(result, rows[index], rules) > 0
            told, kept = [], {}
            for event in events[begin + 1 : end]:
                told.append(rules.tell(event, kept))
            assert all(text is None or text.strip() for text in told)
            assert told[-1]


def agreements(result, row, rules):
    """How many columns the fields of a `result` speak of; each must say what the column says.

    A list by seat `points` speaks of `points_0` …, the list `winners` of the bits `leaders`,
    another list of a column with its length, a number of the column of its name.
    """
    columns, found = rules.row_dtype().names, 0
    for name, value in result.items():
        if name == "winners" and "leaders" in columns:
            assert sum(1 << seat for seat in value) == row["leaders"]
            found += 1
        elif isinstance(value, list) and f"{name}_0" in columns:
            assert value == [row[f"{name}_{seat}"] for seat in range(len(value))]
            found += len(value)
        elif name in columns:
            assert (len(value) if isinstance(value, list) else value) == row[name]
            found += 1
    return found


def test_measures_part_the_games(rules):
    """Every game has exactly one of the named outcomes."""
    for options in rule_sets(rules):
        rows = played(rules, options, rules.yardsticks[0]).rows
        true = sum(np.asarray(m.where(rows), bool).astype(int) for m in rules.measures_for(options))
        assert (true == 1).all()


def test_scores_stay_in_their_span(rules):
    """Whole numbers, one a game, from the least to the largest that is declared."""
    for options in rule_sets(rules):
        games = score_columns(played(rules, options, rules.yardsticks[0]))
        for score in rules.scores:
            low, high = score.span(options)
            assert score.scale >= 1
            for seat in range(rules.seats(options)):
                values = np.asarray(score.of(games, seat))
                assert values.shape == (40,)
                assert (values == np.round(values)).all()
                assert low <= values.min() <= values.max() <= high, score.name


def test_traits_are_numbers(rules):
    """One a game; under the default rules each is finite somewhere, and none is ever infinite."""
    for number, options in enumerate(rule_sets(rules)):
        tables = played(rules, options, rules.yardsticks[0])
        for trait in rules.traits:
            values = np.asarray(trait.of(tables.rows, tables.rounds, options), float)
            assert values.shape == (len(tables.rows),)
            assert not np.isinf(values).any()
            finite = values[np.isfinite(values)]
            assert len(finite) or number
            if len(finite):
                assert np.isfinite(trait.shown(float(finite.mean()))) or number


def test_rounds_are_as_many_as_declared(rules):
    """A game with rounds writes at least one row a game and at most `rounds`; others write none."""
    for options in islice(rule_sets(rules), 6):
        tables = played(rules, options, rules.yardsticks[1], games=20)
        if rules.round_over is None:
            assert rules.rounds(options) == 0
            continue
        games, counts = np.unique(tables.rounds["game"], return_counts=True)
        assert games.tolist() == list(range(20))
        assert counts.max() <= rules.rounds(options)
