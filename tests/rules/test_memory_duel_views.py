"""What a player of the memory duel can know: the view and the leak audit. MD-9"""

import pytest

import strategies.registry
from sim.audit import LeakError, audit
from sim.engine import play
from sim.errors import PlayError
from sim.experiment import Experiment
from sim.run import run
from strategies import strategy
from tests.rules.memory_duel_table import RULES, Table

SPECS = strategies.registry.names(RULES)


def models_for(spec: str) -> list[str]:
    """Recall models that a strategy can play with: the win rate is not solved for felt ones."""
    return ["iid(0.9)"] if spec == "optimal-wins" else ["iid(0.9)", "persistent(0.9)"]


def test_every_view_field_is_described() -> None:
    """MD-9: the fields of the view and their meanings are the same list; all are plain numbers."""
    assert list(RULES.view_fields) == list(RULES.view_dtype.names or ())
    assert all(meaning.strip() for meaning in RULES.view_fields.values())
    for name in RULES.view_dtype.names or ():
        assert RULES.view_dtype[name].shape == ()


@pytest.mark.parametrize("spec", SPECS)
def test_no_strategy_sees_what_is_hidden(spec: str) -> None:
    """MD-9: views and choices stay the same when what is hidden is drawn again."""
    for model in models_for(spec):
        setting = Experiment.make("memory-duel", [spec], models=[model], seed=31)
        result = audit(setting, games=3, redeals=2)
        assert result.games == 3
        if model.startswith("persistent"):
            assert result.changed > 0


def test_hidden_models_do_not_show() -> None:
    """MD-9: with `known_opponent` off another model of the opponent's changes no view."""
    setting = Experiment.make(
        "memory-duel", ["threshold(4)"], options={"known_opponent": "off"}, models=["iid(0.9)"]
    )
    result = audit(setting, games=3, redeals=2)
    assert result.changed == result.redeals


def test_a_model_drawn_anew_is_the_one_its_owner_sees() -> None:
    """MD-9: when the opponent's hidden model is drawn again, its owner's view tells the new one."""
    table = Table("iid(0.9)", known_opponent="off")
    table.act("raise*3")  # seat 1 is to move
    table.steps.redeal(table.states, 1, table.streams)
    recall = table.states[0]["recall"]
    table.look()
    assert table.view["own_recall"] == recall[1, 3] == 0.9**3
    table.act("raise")
    assert [table.view[n] for n in ("own_recall", "own_recall_next")] == recall[0, 4:6].tolist()
    assert recall[0, 4] != 0.9**4
    assert table.view["opponent_recall"] == -1


def test_the_audit_catches_a_view_that_tells_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    """MD-9: a view with how sure the opponent is would be found."""
    setting = Experiment.make("memory-duel", ["threshold(9)"], models=["persistent(0.9)"])

    def look(self):  # type: ignore[no-untyped-def]
        honest(self)
        if self.seat >= 0:
            self.views["opponent_recall"] = self.states[0]["known"]["sure"][1 - self.seat]

    from sim.stepper import Stepper

    honest = Stepper.look
    monkeypatch.setattr(Stepper, "look", look)
    with pytest.raises(LeakError, match=r"view of memory-duel leaks .* opponent_recall"):
        audit(setting, games=5)


@pytest.mark.parametrize("spec", SPECS)
def test_strategies_say_whether_they_draw(spec: str) -> None:
    """What a strategy declares of chance is true."""
    for model in models_for(spec):
        setting = Experiment.make("memory-duel", [spec], models=[model], seed=33)
        moved = False
        for index in range(3):
            game = Table(seed=33, index=index, seating=setting.seating)
            before = [context["state"].copy() for context in game.contexts]
            while not game.over:
                game.apply(game.ask())
            moved |= any(c["state"] != b for c, b in zip(game.contexts, before, strict=True))
        info = setting.seats[0].parts[0].info
        assert info.uses_chance or not moved
    if info.uses_chance:
        assert moved


@strategy("memory-duel", name="always-decline")
def always_decline(view, ctx):  # type: ignore[no-untyped-def]
    """Declines although there is a pack."""
    return 2


def test_an_illegal_action_is_explained() -> None:
    """MD-6: who, where, which clause, and what was legal."""
    strategies.registry.register(always_decline)
    try:
        setting = Experiment.make("memory-duel", ["always-decline"], seed=4)
        with pytest.raises(PlayError, match=r"illegal action in game 0.*decline \(MD-6\).*raise"):
            run(setting, 5)
    finally:
        strategies.registry._registered.pop("memory-duel")


def test_games_do_not_depend_on_chunks_and_jobs() -> None:
    """MD-8: recitals and forgetting are drawn from streams of their own by game."""
    setting = Experiment.make("memory-duel", ["random"], models=["iid(0.9)", "persistent(0.9)"])
    whole = run(setting, 500, jobs=1, chunk=500).tally
    for jobs, chunk in ((1, 7), (2, 63)):
        assert run(setting, 500, jobs=jobs, chunk=chunk).tally == whole
    rules, options, seating = setting.rules, setting.options, setting.seating
    alone = play(rules, options, seating, 1, 321, 1).rows[0]
    assert alone == play(rules, options, seating, 1, 300, 40).rows[21]
