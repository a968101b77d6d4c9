import pytest

from reports.page import Page
from tests.reports.page_devtools import Browser, find_browser
from tests.reports.report_pages import page


@pytest.fixture(scope="session")
def made_up_page() -> Page:
    return page("made-up", "another")


@pytest.fixture(scope="session")
def browser(tmp_path_factory):
    executable = find_browser()
    if executable is None:
        pytest.skip("no Chromium is installed on this machine")
    with Browser(executable, tmp_path_factory.mktemp("profile")) as running:
        yield running
