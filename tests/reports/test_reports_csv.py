import io
import math

import pandas as pd
import pytest

from reports.csvtable import csv_text, harmless, write_csv
from sim.errors import StorageError
from tests.reports.report_pages import HOSTILE_CELLS, NASTY, rows_of, table


@pytest.mark.parametrize("cell", HOSTILE_CELLS)
def test_formulas_are_defused(cell):
    assert harmless(cell) == f"'{cell}"
    assert f"'{cell[:2]}" in csv_text(pd.DataFrame({"x": [cell]}))


@pytest.mark.parametrize("cell", ["-3", "+4.5", "-1e-05", "-.5", "1", "", "tidy", "a=b", "–"])
def test_numbers_and_plain_texts_stay(cell):
    assert harmless(cell) == cell


@pytest.mark.parametrize("cell", ["-", "+", "-1+1", "-3\n", "--3", "-1e", "-٣"])
def test_what_only_looks_like_a_number_is_defused(cell):
    assert harmless(cell).startswith("'")


def test_headers_are_defused_too():
    assert csv_text(pd.DataFrame({"=cmd": [1]})).startswith("'=cmd\n")


def test_numbers_keep_every_digit():
    values = [0.1 + 0.2, 1 / 3, -1e-300, 3.688879e-06, 2.0**60]
    frame = pd.DataFrame({"x": values, "n": [10**15, 1, 2, 3, 4]})
    back = rows_of(csv_text(frame))
    assert [float(row["x"]) for row in back] == values
    assert [int(row["n"]) for row in back] == frame["n"].tolist()


def test_texts_come_back_whole():
    cells = ['a "quoted" one', "two\nlines", "a, comma", "ünï", "tail "]
    back = pd.read_csv(io.StringIO(csv_text(pd.DataFrame({"x": cells}))), keep_default_na=False)
    assert back["x"].tolist() == cells


def test_missing_values_are_empty_and_the_frame_is_left_alone():
    frame = pd.DataFrame({"x": ["=1", None], "y": [math.nan, 1.5]})
    before = frame.copy(deep=True)
    assert csv_text(frame) == "x,y\n'=1,\n,1.5\n"
    pd.testing.assert_frame_equal(frame, before)


def test_columns_of_one_name_do_no_harm():
    frame = pd.DataFrame([["=1", "b"], ["c", "@d"]], columns=["x", "x"])
    assert csv_text(frame) == "x,x\n'=1,b\nc,'@d\n"


def test_an_outcome_table_is_written_as_its_dictionaries():
    outcomes = table()
    expected = [{k: str(v) for k, v in one.items()} for one in outcomes.as_dicts()]
    assert rows_of(csv_text(outcomes)) == expected


def test_files_appear_whole_or_not_at_all(tmp_path):
    write_csv(pd.DataFrame({"x": [NASTY.replace("\x00", "")]}), tmp_path / "sub" / "t.csv")
    assert [path.name for path in (tmp_path / "sub").iterdir()] == ["t.csv"]
    (tmp_path / "file").write_text("")
    with pytest.raises(StorageError):
        write_csv(pd.DataFrame({"x": [1]}), tmp_path / "file" / "t.csv")
