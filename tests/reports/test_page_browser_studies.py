"""Pages of all games in a real browser: the four studies, and run folders."""

import pytest

import sim.games
from reports.folders import report_folders
from reports.page import Page, write_page
from scripts.reports import studies, study_of
from sim.experiment import Experiment
from sim.run import run
from strategies.registry import names
from tests.reports.page_devtools import find_browser
from tests.reports.page_looks import CONTRASTS, VIEWS, check_figures, check_fit

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(find_browser() is None, reason="no Chromium is installed on this machine"),
]

#: What the studies leave out here: more of the same kind.
LESS = {
    "president": {"grid": ("lowest",)},
    "short-zoot-suit": {"conditions": ({"players": 4}, {"players": 3, "bonus": "stars"})},
}
#: Names of the tables of which a click on each column did not sort the rows.
UNSORTED = """
[...document.querySelectorAll('table.sortable')].flatMap((table) => {
  const heads = [...table.tHead.rows[0].cells];
  return heads.flatMap((head, column) => ['first', 'second'].flatMap(() => {
    head.querySelector('button').click();
    const sign = head.getAttribute('aria-sort') === 'descending' ? -1 : 1;
    const texts = [...table.tBodies[0].rows].map((row) => row.cells[column].dataset.value);
    const numeric = head.classList.contains('numeric');
    const keys = numeric ? texts.map(Number.parseFloat).filter((n) => !Number.isNaN(n)) : texts;
    const compare = (a, b) => sign * (numeric ? a - b : a.localeCompare(b, 'en', {numeric: true}));
    const sorted = keys.every((key, i) => i === 0 || !(compare(keys[i - 1], key) > 0));
    return sorted ? [] : [table.closest('section').id + ' ' + head.textContent];
  }));
})
"""
#: [address, contents] of each CSV that can be downloaded, and the addresses of the files.
DOWNLOADS = """
[...document.querySelectorAll('a[download]')].map((a) => [a.download,
  new TextDecoder().decode(
    Uint8Array.from(atob(a.href.split('base64,')[1]), (c) => c.charCodeAt(0)))])
"""
LINKS = "[...document.querySelectorAll('.download a:not([download])')].map((a) => a.href)"
#: Rows of the longest table, height of its box, and whether its head stays in sight.
LONGEST = """
(() => {
  const tables = [...document.querySelectorAll('table')];
  const table = tables.sort((a, b) => b.rows.length - a.rows.length)[0];
  const box = table.closest('.scroll');
  box.scrollTop = 1000;
  const head = table.tHead.rows[0].cells[1].getBoundingClientRect();
  return [table.rows.length, box.clientHeight, head.top - box.getBoundingClientRect().top];
})()
"""


@pytest.fixture(scope="module")
def of_studies(tmp_path_factory):
    """A page with the studies of all games at a tiny scale."""
    made = [study_of(game)(games=4, **LESS.get(game, {})) for game in studies()]
    assert {study.name for study in made} == set(sim.games.names())
    path = tmp_path_factory.mktemp("studies")
    write_page(Page("All studies", "Made for a test.", tuple(made), ("make reports",)), path)
    return path


@pytest.fixture(scope="module")
def of_folders(tmp_path_factory):
    """A page with two runs of each game."""
    path, folders = tmp_path_factory.mktemp("folders"), []
    for game in sim.games.names():
        for spec in names(sim.games.load(game))[:2]:
            folders.append(path / f"{game}-{spec.partition('(')[0]}")
            run(Experiment.make(game, [spec]), 40, out=folders[-1], jobs=1)
    report_folders(folders, path / "page")
    return path / "page"


@pytest.fixture(params=["of_studies", "of_folders"])
def folder(request):
    return request.getfixturevalue(request.param)


@pytest.mark.parametrize(("width", "dark"), VIEWS)
def test_everything_fits_and_is_seen(browser, folder, width, dark):
    browser.show(folder / "index.html", width, dark=dark)
    check_fit(browser, folder)
    assert check_figures(browser, width) == len(list(folder.glob("*.svg")))
    found = browser.run(CONTRASTS)
    assert (found["paper"] < 0.1) == dark
    assert min(found["text"], found["ink"]) >= 7


def test_every_column_of_every_table_sorts(browser, folder):
    browser.show(folder / "index.html", 1280)
    assert browser.run("document.querySelectorAll('thead button').length") > 30
    assert browser.run(UNSORTED) == []


def test_every_link_leads_to_its_file(browser, folder):
    browser.show(folder / "index.html", 390)
    downloads = browser.run(DOWNLOADS)
    assert {name for name, _ in downloads} == {path.name for path in folder.glob("*.csv")}
    for name, text in downloads:
        assert text == (folder / name).read_text("utf-8")
    files = {path.as_uri() for path in folder.resolve().iterdir() if path.suffix != ".html"}
    assert set(browser.run(LINKS)) == files


@pytest.mark.parametrize("width", [1280, 390])
def test_a_long_table_scrolls_in_its_own_box(browser, of_studies, width):
    browser.show(of_studies / "index.html", width)
    rows, height, head = browser.run(LONGEST)
    assert rows > 60
    assert height <= 800
    assert 0 <= head <= 3
