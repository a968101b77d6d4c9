import pytest

from scripts.reports import entry, studies
from tests.reports.report_pages import files_in


def call(*arguments: str) -> int:
    try:
        entry(list(arguments))
    except SystemExit as exit_:
        return int(exit_.code or 0)
    return 0


def test_it_writes_the_page_and_one_line_a_file(tmp_path, capsys):
    out = tmp_path / "out"
    assert call("--out", str(out), "--only", "shooting-party", "--games", "20", "--png") == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(files_in(out))
    assert {line.split("  ")[0] for line in lines} == {str(path) for path in out.iterdir()}
    assert lines[-1].startswith(str(out / "index.html"))
    text = (out / "index.html").read_text("utf-8")
    assert "python -m scripts.reports --out out --only shooting-party --seed 1 --games 20" in text
    assert str(tmp_path) not in text


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--only", "bridge"], "there is no study of 'bridge'; there are studies of"),
        (["--scale", "0"], "--scale"),
        (["--scale", "many"], "--scale"),
        (["--games", "1"], "--games"),
        (["--seed", "-1"], "--seed"),
        (["--jobs", "0"], "--jobs"),
        (["--nothing"], "--nothing"),
    ],
)
def test_wrong_calls_get_one_sentence_and_write_nothing(tmp_path, capsys, arguments, sentence):
    out = tmp_path / "out"
    assert call("--out", str(out), *arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert sentence in captured.err
    assert captured.err.count("\n") == 1
    assert not out.exists()


def test_a_file_for_a_folder_is_refused_before_any_game(tmp_path, capsys):
    (tmp_path / "file").write_text("x")
    assert call("--out", str(tmp_path / "file")) == 2
    assert "is a file" in capsys.readouterr().err
    assert (tmp_path / "file").read_text() == "x"


def test_help_is_help(capsys):
    assert call("--help") == 0
    assert "--scale" in capsys.readouterr().out


def test_there_is_a_study_of_the_shooting_party():
    assert studies()["shooting-party"] == "scripts.shooting_party"
