"""Fixtures of the tests of the command line."""

import pytest

import scripts.cli
from tests.cli.calls import Said, check_one_sentence


@pytest.fixture
def call(capfd):
    """Call the command line in this process: call("run", …) -> Said."""

    def make_call(*args):
        capfd.readouterr()
        status = scripts.cli.call([str(arg) for arg in args])
        out, err = capfd.readouterr()
        return Said(status, out, err)

    return make_call


@pytest.fixture
def refused(call, tmp_path, monkeypatch):
    """Call what must be refused: status 2, one sentence with these parts, nothing written."""
    empty = tmp_path / "here"
    empty.mkdir()
    monkeypatch.chdir(empty)

    def make_call(args, *parts):
        check_one_sentence(call(*args), 2, *parts)
        assert list(empty.iterdir()) == []

    return make_call
