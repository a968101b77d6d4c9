"""Recall models on the command line: given, told, kept apart in run folders, and refused."""

import json

import pytest

from tests.cli.calls import Said

DUEL = ("memory-duel", "--strategy", "threshold(3)")


@pytest.fixture
def run_ok(call):
    """Call what must work."""

    def make_call(*args) -> Said:
        said = call(*args)
        assert said.status == 0, said.err
        return said

    return make_call


@pytest.mark.parametrize(
    ("args", "parts"),
    [
        (("--model", "eidetic"), ["no recall model 'eidetic'", "iid, logistic, capacity"]),
        (("--model", "iid(7)"), ["p=7 is not allowed", "from 0.0 to 1.0"]),
        (("--model", "iid") * 3, ["3 recall models are given for 2 seats"]),
        (("--option", "cards=0"), ["cards='0'", "from 1 to 208"]),
        (("--option", "cards=209"), ["cards='209'", "from 1 to 208"]),
        (("--option", "order=backwards"), ["in-order, any-order"]),
        (("--model",), ["--model needs a value"]),
        (("--model", "gone.py:f"), ["the model file gone.py does not exist"]),
    ],
)
def test_wrong_models_and_options(refused, args, parts):
    """One sentence each."""
    refused(("run", *DUEL, "--games", "10", *args), *parts)


def test_hidden_models_are_refused_to_solvers(refused):
    """`optimal` cannot play when the opponent's memory is unknown, nor `optimal-wins` when felt."""
    hidden = ("run", "memory-duel", "--strategy", "optimal", "--option", "known_opponent=off")
    refused(hidden, "optimal needs the opponent's recall model", "known_opponent=off")
    felt = ("run", "memory-duel", "--strategy", "optimal-wins", "--model", "persistent")
    refused(felt, "no solution for persistent recall models")


def test_models_are_told_everywhere(run_ok):
    """JSON, CSV, tables, traces and stories name them."""
    model = ("--model", "iid(0.9)")
    told = json.loads(run_ok("run", *DUEL, *model, "--games", "20", "--format", "json").out)
    assert told["models"] == ["iid(0.9)"] * 2
    csv = run_ok("run", *DUEL, *model, "--games", "20", "--format", "csv").out
    assert ",models," in csv.splitlines()[0]
    assert ",iid(0.9)," in csv
    assert "memory iid(0.9)" in run_ok("run", *DUEL, *model, "--games", "20").out
    assert "memory iid(0.9)" in run_ok("show", *DUEL, *model).out
    head = json.loads(run_ok("trace", *DUEL, *model).out.splitlines()[0])
    assert head["models"] == ["iid(0.9)"] * 2
    assert "persistent" in run_ok("strategies", "memory-duel").out


def test_a_folder_refuses_another_model(run_ok, refused, tmp_path):
    """Resuming needs the same probabilities, whatever the spec looks like."""
    folder = ("--games", "30", "--out", str(tmp_path / "run"))
    run_ok("run", *DUEL, "--model", "iid(0.9)", *folder)
    run_ok("run", *DUEL, "--model", "iid(p=0.90)", *folder)
    words = "its recall model of seat 0 is iid(0.9), not iid(0.8)"
    refused(("run", *DUEL, "--model", "iid(0.8)", *folder), words)
