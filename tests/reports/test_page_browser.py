"""The page in a real browser: at a desk and on a phone, light and dark."""

import pytest

from reports.page import Page, write_page
from tests.reports.page_devtools import find_browser
from tests.reports.page_looks import CONTRASTS, TOO_WIDE, VIEWS, check_figures, check_fit

EXECUTABLE = find_browser()

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(EXECUTABLE is None, reason="no Chromium is installed on this machine"),
]

COLUMN = """
(() => {
  const table = document.querySelector('#table-made-up-table table');
  return [...table.tBodies[0].rows].map((row) => row.cells[COLUMN].dataset.value);
})()
"""
CLICK = """
(() => {
  const heads = document.querySelectorAll('#table-made-up-table thead th');
  heads[COLUMN].querySelector('button').click();
  return [...heads].map((head) => head.getAttribute('aria-sort'));
})()
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory, made_up_page: Page):
    path = tmp_path_factory.mktemp("page")
    write_page(made_up_page, path)
    return path


@pytest.mark.parametrize(("width", "dark"), VIEWS)
def test_the_page_fits_and_nothing_complains(browser, folder, width, dark):
    browser.show(folder / "index.html", width, dark=dark)
    check_fit(browser, folder)


@pytest.mark.parametrize(("width", "dark"), VIEWS)
def test_each_figure_shows_one_whole_drawing(browser, folder, width, dark):
    browser.show(folder / "index.html", width, dark=dark)
    assert check_figures(browser, width) == 6


@pytest.mark.parametrize("dark", [False, True])
def test_text_and_drawings_stand_out_from_the_paper(browser, folder, dark):
    browser.show(folder / "index.html", 1280, dark=dark)
    found = browser.run(CONTRASTS)
    assert (found["paper"] < 0.1) == dark
    assert found["text"] >= 7
    assert found["ink"] >= 7
    assert found["note"] >= 4.5
    assert found["mark"] >= 3


def test_columns_sort_both_ways_by_value(browser, folder):
    browser.show(folder / "index.html", 1280)
    numbers, names = COLUMN.replace("COLUMN", "1"), COLUMN.replace("COLUMN", "0")
    before = browser.run(names)
    assert browser.run(CLICK.replace("COLUMN", "1")) == [None, "descending"]
    falling = [float(value) for value in browser.run(numbers)]
    assert falling[:-1] == sorted(falling[:-1], reverse=True)
    assert falling[-1] != falling[-1]  # what is missing comes last
    assert browser.run(CLICK.replace("COLUMN", "1")) == [None, "ascending"]
    rising = [float(value) for value in browser.run(numbers)]
    assert rising[:-1] == sorted(rising[:-1])
    assert rising[-1] != rising[-1]
    assert browser.run(CLICK.replace("COLUMN", "0")) == ["ascending", None]
    by_name = browser.run(names)
    assert sorted(by_name) == sorted(before)
    assert [name for name in by_name if name in ("a", "b", "c9", "c10")] == ["a", "b", "c9", "c10"]


def test_csv_links_are_there_and_hold_the_table(browser, folder, made_up_page):
    browser.show(folder / "index.html", 390)
    for part in made_up_page.studies[0].tables:
        selector = f"a[download='{part.name}.csv']"
        href = browser.run(f'document.querySelector("{selector}").href')
        assert href.startswith("data:text/csv")
        text = browser.run(
            f'new TextDecoder().decode(Uint8Array.from(atob(document.querySelector("{selector}")'
            '.href.split("base64,")[1]), (c) => c.charCodeAt(0)))'
        )
        assert text == (folder / f"{part.name}.csv").read_text("utf-8")
        assert browser.run(f"document.querySelector(\"a[href='{part.name}.csv']\") !== null")


def test_wide_tables_scroll_in_their_own_box(browser, folder):
    browser.show(folder / "index.html", 390)
    widths = browser.run(
        "[...document.querySelectorAll('.scroll')].map((b) => [b.scrollWidth, b.clientWidth])"
    )
    assert any(inner > outer for inner, outer in widths)
    assert all(outer <= 390 for _, outer in widths)


def test_the_page_reads_without_its_script(browser, folder):
    browser.call("Emulation.setScriptExecutionDisabled", value=True)
    try:
        browser.show(folder / "index.html", 1280)
        assert browser.run("document.querySelectorAll('thead button').length") == 0
        assert browser.run("document.querySelectorAll('tbody tr').length") > 30
    finally:
        browser.call("Emulation.setScriptExecutionDisabled", value=False)


def test_it_prints_in_light_colours_with_everything_open(browser, folder):
    browser.show(folder / "index.html", 1280, dark=True)
    browser.call(
        "Emulation.setEmulatedMedia",
        media="print",
        features=[{"name": "prefers-color-scheme", "value": "dark"}],
    )
    found = browser.run(CONTRASTS)
    assert found["paper"] > 0.9
    assert found["ink"] >= 7
    browser.run("window.dispatchEvent(new Event('beforeprint'))")
    assert browser.run("[...document.querySelectorAll('details')].every((d) => d.open)")
    assert browser.run(TOO_WIDE) == 0


@pytest.mark.parametrize("dark", [False, True])
def test_a_drawing_alone_is_readable(browser, folder, dark):
    browser.show(folder / "made-up-ladder.svg", 800, dark=dark)
    colours = browser.run(
        "[getComputedStyle(document.querySelector('text.ink-fill')).fill,"
        " getComputedStyle(document.querySelector('rect.paper-fill')).fill]"
    )
    assert colours == (
        ["rgb(233, 235, 238)", "rgb(21, 24, 28)"]
        if dark
        else ["rgb(27, 31, 36)", "rgb(254, 254, 254)"]
    )
    assert browser.complaints() == []
