import pytest

from reports.page import Page
from tests.reports.report_pages import page


@pytest.fixture(scope="session")
def made_up_page() -> Page:
    return page("made-up", "another")
