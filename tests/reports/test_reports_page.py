import base64
import html
import io
import re
from dataclasses import replace
from html.parser import HTMLParser

import pandas as pd
import pytest

from reports.numbers import html_number
from reports.page import Cell, Page, Table, check_out, render, write_page
from reports.parts import outcome_part
from reports.words import Name, Number, Sentence, listed
from sim.errors import UsageError
from sim.store import write_atomically
from tests.reports.report_pages import HOSTILE_CELLS, NASTY, files_in, page, rows_of, study, table

VOID = {"meta", "link", "br", "hr", "img", "input"}


class Reader(HTMLParser):
    """Reads a page: elements with attributes, the text outside scripts, what is not closed."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.texts: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), f"<{tag}> has an attribute twice"
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop() == tag

    def handle_data(self, data):
        if not self.open or self.open[-1] not in ("script", "style"):
            self.texts.append(data)

    @property
    def text(self) -> str:
        return re.sub(r"\s+", " ", "".join(self.texts))


@pytest.fixture(scope="module")
def text(made_up_page) -> str:
    return render(made_up_page)


@pytest.fixture(scope="module")
def reader(text) -> Reader:
    return Reader(text)


def visible(number: str) -> str:
    return html.unescape(re.sub(r"<[^>]*>", "", html_number(number)))


def test_everything_that_is_opened_is_closed(reader):
    assert reader.open == []


def test_identifiers_are_unique_and_references_lead_somewhere(reader):
    ids = [attrs["id"] for _, attrs in reader.elements if "id" in attrs]
    assert len(ids) == len(set(ids))
    for _, attrs in reader.elements:
        for name in ("aria-labelledby", "aria-describedby"):
            assert set((attrs.get(name) or "").split()) <= set(ids)
        href = attrs.get("href") or attrs.get("xlink:href") or ""
        if href.startswith("#"):
            assert href[1:] in ids


def test_the_page_needs_nothing_but_itself(text, reader):
    for tag, attrs in reader.elements:
        assert tag not in ("iframe", "object", "embed", "base", "form")
        assert "src" not in attrs
        if tag == "link":
            assert (attrs.get("href") or "").startswith("data:")
    body = re.sub(r'xmlns(:xlink)?="[^"]*"', "", text)
    assert "://" not in body
    assert "@import" not in body
    assert "default-src 'none'" in text


def test_the_script_is_the_one_that_the_policy_allows(text):
    scripts = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
    assert len(scripts) == 1
    import hashlib

    digest = base64.b64encode(hashlib.sha256(scripts[0].encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in text


def test_hostile_names_are_text_everywhere(text, reader):
    assert text.count("<script") == 1
    assert "alert(1)</script>" not in text
    assert "\x00" not in text
    assert "\x1b" not in text
    readable = NASTY.replace("\x00", "�").replace("\x1b", "�")
    # title, lead, headings, findings, cells, notes, settings, commands
    assert reader.text.count(readable) > 20


def test_names_are_not_typeset_as_numbers(reader):
    assert "日本 -1e-05" in reader.text
    assert "日本 −1" not in reader.text


def test_every_number_of_the_table_is_on_the_page_and_in_the_csv():
    outcomes = table()
    part = outcome_part("numbers", "Numbers", outcomes)
    made = replace(study(), parts=(part,))
    reader = Reader(render(Page("t", "l", (made,), ("c",))))
    back = rows_of(part.csv)
    assert len(back) == len(outcomes.outcomes)
    cells = [attrs for tag, attrs in reader.elements if tag == "td"]
    for outcome, row in zip(outcomes.outcomes, back, strict=True):
        assert row == {k: str(v) for k, v in outcome.as_dict().items()}
        assert visible(outcome.text()) in reader.text
        assert f"{outcome.count:,}" in reader.text
        assert any(attrs.get("data-value") == repr(outcome.share) for attrs in cells)


def test_the_csv_is_inside_the_page_and_beside_it(made_up_page, reader, tmp_path):
    write_page(made_up_page, tmp_path)
    links = [attrs for tag, attrs in reader.elements if tag == "a"]
    for part in made_up_page.studies[0].tables:
        beside = (tmp_path / f"{part.name}.csv").read_text(encoding="utf-8")
        assert any(attrs.get("href") == f"{part.name}.csv" for attrs in links)
        inside = next(a["href"] for a in links if a.get("download") == f"{part.name}.csv")
        assert base64.b64decode(inside.partition("base64,")[2]).decode() == beside == part.csv


def test_no_cell_of_a_csv_is_a_formula(made_up_page):
    part = made_up_page.studies[0].tables[-1]
    back = pd.read_csv(io.StringIO(part.csv), keep_default_na=False)
    assert list(back.columns) == ["name", "'=value"]
    for cell in HOSTILE_CELLS:
        assert f"'{cell}" in back["name"].tolist()
    assert back["'=value"].tolist()[2] == "-1e-05"


def test_equal_pages_give_equal_files(made_up_page, tmp_path):
    for name in ("first", "second"):
        write_page(page("made-up", "another"), tmp_path / name, png=True)
    assert files_in(tmp_path / "first") == files_in(tmp_path / "second")
    assert (tmp_path / "first" / "index.html").read_text("utf-8") == render(made_up_page)


def test_the_list_of_files_is_the_folder(made_up_page, tmp_path):
    written = write_page(made_up_page, tmp_path, png=True)
    assert {one.path.name for one in written} == set(files_in(tmp_path))
    assert written[-1].path.name == "index.html"
    assert "6 plots and 4 tables" in written[-1].text()
    for one in written:
        assert one.size == one.path.stat().st_size
        assert "\n" not in one.text()


def test_nothing_is_written_when_something_cannot_be_drawn(tmp_path):
    def broken(narrow):
        raise RuntimeError("no")

    good = study()
    figure = good.figures[0]
    bad = replace(figure, picture=replace(figure.picture, name="bad", draw=broken))
    made = Page("t", "l", (replace(good, parts=(*good.tables, bad)),), ("c",))
    with pytest.raises(RuntimeError):
        write_page(made, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_no_older_page_stays_beside_newer_tables(made_up_page, tmp_path, monkeypatch):
    """When writing stops on the way, at whatever file."""
    files = len(write_page(made_up_page, tmp_path))
    for stop in range(1, files):
        write_page(made_up_page, tmp_path)
        left = iter(range(stop))

        def write(path, data, left=left):
            if next(left, None) is None:
                raise KeyboardInterrupt
            write_atomically(path, data)

        monkeypatch.setattr("reports.page.write_atomically", write)
        with pytest.raises(KeyboardInterrupt):
            write_page(made_up_page, tmp_path)
        monkeypatch.undo()
        assert not (tmp_path / "index.html").exists()


def test_a_page_that_cannot_be_written_is_refused_beforehand(tmp_path):
    (tmp_path / "file").write_text("")
    for path in (tmp_path / "file", tmp_path / "file" / "deeper"):
        with pytest.raises(UsageError, match="is a file"):
            check_out(path)
    check_out(tmp_path / "new" / "deeper")
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("name", ["../up", "Capital", "a b", "", "a/b", "-a", "a.b"])
def test_names_of_parts_are_fit_for_files(name):
    with pytest.raises(ValueError, match="no name for a file"):
        Page("t", "l", (replace(study(), name=name),), ())


def test_names_of_parts_are_there_once():
    with pytest.raises(ValueError, match="twice"):
        page("same", "same")


def test_every_figure_and_table_says_how_its_intervals_were_made(reader, made_up_page):
    for part in made_up_page.studies[0].parts[:3]:
        assert "95 %" in part.note.plain()
        assert "games" in part.note.plain()


def test_versions_and_commands_are_there_and_no_time(text, reader):
    assert re.search(r"numba \d", reader.text)
    assert re.search(r"python 3\.\d", reader.text)
    assert not re.search(r"\d\d:\d\d:\d\d|\b20\d\d-\d\d-\d\d\b", text)


def test_infinite_and_missing_values_can_be_sorted():
    assert Cell.number("∞", float("inf")).key == "Infinity"
    assert Cell.number("−∞", float("-inf")).key == "-Infinity"
    assert Cell.missing().key == "nan"
    assert Cell.number("x", 0.1).key == "0.1"


def test_only_columns_of_numbers_are_numeric():
    part = Table(
        "t", "T", ("a", "b"), ((Cell.name("x"), Cell.count(3)),), pd.DataFrame(), Sentence(())
    )
    assert part.numeric == (False, True)


def test_sentences_keep_words_names_and_numbers_apart():
    inner = listed([Sentence((Name(n),)) for n in ("a", "b", "c")])
    sentence = Sentence.of("{who} of {n}: {{kept}}", who=inner, n=Number("-1e-05"))
    assert sentence.plain() == "a, b and c of −1×10⁻⁵: {kept}"
    assert (sentence + Sentence((" x{y}",))).plain().endswith(" x{y}")
