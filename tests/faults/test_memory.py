"""A limit on memory (`ulimit -v`): one sentence, nothing half, and it goes on without the limit."""

import json
import resource

import pytest

from scripts.saying import LEAST_MEMORY, MEMORY_WORDS, is_short_of_memory
from tests.cli.calls import TIDY, check_one_sentence, files, spawn, table, usual_signals
from tests.cli.conftest import call  # noqa: F401

SHORT = "there is not enough memory for this; try a smaller --chunk or fewer --jobs"


def with_memory(megabytes, *args):
    """A call that gets so much memory (address space) and no more."""

    def limited():
        usual_signals()
        resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))

    return spawn(*args, preexec_fn=limited)


@pytest.mark.parametrize("megabytes", [40, 300, LEAST_MEMORY - 1])
def test_too_little_to_begin(tmp_path, megabytes):
    """Libraries that find no memory wait or crash: they are not loaded."""
    said = with_memory(megabytes, "run", *TIDY, "--games", 100, "--out", tmp_path / "a")
    check_one_sentence(said, 1, f"the limit on memory here is {megabytes:,} MiB", "playout needs")
    assert not (tmp_path / "a").exists()


def test_too_little_for_a_chunk(call, tmp_path):  # noqa: F811
    """The games of a huge chunk do not fit; in small ones they do."""
    args = ("run", *TIDY, "--out", tmp_path / "a", "--jobs", "2", "--format", "json")
    assert call(*args, "--games", 300).status == 0
    before = files(tmp_path / "a")
    said = with_memory(1300, *args, "--games", "20M", "--chunk", "10M")
    check_one_sentence(said, 1, SHORT)
    after = files(tmp_path / "a")
    assert {
        name: after[name] for name in before if name != "manifest.json"
    }.items() <= after.items()
    assert table(tmp_path / "a")["index"].tolist() == list(range(300))
    again = call(*args, "--games", 1000)
    assert json.loads(again.out)["played"] == 700
    assert again.err == ""


@pytest.mark.parametrize(
    "error",
    [MemoryError(), RuntimeError("can't start new thread"),
     *(OSError(f"lib: {words}") for words in MEMORY_WORDS)],
)  # fmt: skip
def test_what_means_that_memory_is_short(error):
    """Also where it is the cause of another error."""
    assert is_short_of_memory(error)
    outer = ValueError("a table could not be read")
    outer.__cause__ = error
    assert is_short_of_memory(outer)
    assert not is_short_of_memory(ValueError("a table could not be read"))
