"""Parquet files that end too soon or have another bit: no command takes them for results."""

import json
import random
import shutil

import pytest

from tests.cli.calls import check_one_sentence, files
from tests.cli.conftest import call  # noqa: F401

PLAYED = ("run", "president", "--strategy", "lowest", "--option", "rounds=4", "--games", "300")
WAYS = ("games", "rounds", "counts")


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """Run folders that keep games and counts, with what they say."""
    import scripts.cli

    path = tmp_path_factory.mktemp("whole")
    for keep in ("games", "counts"):
        args = [*PLAYED, "--chunk", "100", "--keep", keep, "--out", str(path / keep)]
        assert scripts.cli.call(args) == 0
    return path


def damaged(data, chance):
    """The bytes cut somewhere, or with one other bit."""
    if chance.random() < 0.5:
        return data[: chance.randrange(len(data))]
    place = chance.randrange(len(data))
    return data[:place] + bytes([data[place] ^ 1 << chance.randrange(8)]) + data[place + 1 :]


@pytest.mark.parametrize("way", WAYS)
def test_a_damaged_file_is_no_result(call, whole, tmp_path, way):  # noqa: F811
    """Reports and reproductions name it; a run plays its games again and is as before."""
    keep = "counts" if way == "counts" else "games"
    chance = random.Random(way)
    for n in range(4):
        folder = shutil.copytree(whole / keep, tmp_path / f"{way}{n}")
        pattern = "counts-*" if way == "counts" else f"{way}/0*"
        victim = chance.choice(sorted(folder.glob(pattern)))
        victim.write_bytes(damaged(victim.read_bytes(), chance))
        for command in (("report", folder, "--out", tmp_path / "page"), ("reproduce", folder)):
            check_one_sentence(call(*command), 2, f"{victim} is damaged")
        assert not (tmp_path / "page").exists()
        said = call(*PLAYED, "--chunk", 100, "--keep", keep, "--out", folder, "--format", "json")
        assert said.err == f"playout: {victim} is damaged; its games are played again\n"
        assert json.loads(said.out)["played"] == (300 if way == "counts" else 100)
        intact = files(whole / keep)
        assert files(folder).keys() == intact.keys()
        assert all(files(folder)[name] == intact[name] for name in intact if "parquet" in name)
