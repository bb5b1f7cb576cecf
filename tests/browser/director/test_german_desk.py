"""The director's pages of a table in German: every text on them is walked, none is English.

Names, codes and addresses of programs are no texts.
"""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page

from recorder.texts import LANGUAGE
from tests.browser.accessible import audit
from tests.browser.conftest import Screen
from tests.browser.director.director_hall import MARKS, DirectorHall, director_hall, open_desk
from tests.browser.director.test_incidents import TABLE, hall_log
from tests.browser.german import english, walked

__all__ = ["audit"]
pytestmark = [*MARKS, pytest.mark.further]
SCENARIOS = ["001_not_in_one_line", "067_challenge_in_time", "081_never_came"]


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DirectorHall]:
    """Tables at which something has happened; all programs speak German."""
    folder = tmp_path_factory.mktemp("german")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(LANGUAGE, "german")
        hall_log(folder, dict(enumerate(SCENARIOS, 1)))
        with director_hall(folder, tables=len(SCENARIOS), table=TABLE) as venue:
            yield venue


NAMES = frozenset({"lines", "director"})
"""Words of names: of a kind of file, of an account."""
FORMS = ["r", "b", "p", "?"]


@pytest.mark.parametrize("number", range(1, len(SCENARIOS) + 1))
def test_no_text_of_a_table_is_english(screen: Screen, hall: DirectorHall, number: int) -> None:
    """Score sheet, log, evidence, procedures and their ruling, forms, help."""
    page = screen.page
    open_desk(page, hall, number)
    page.locator(".standing .procedure").first.wait_for()
    said = walked(page)
    for summary in page.locator("details.exports summary").all():
        summary.click()
        said |= walked(page)
    for key in FORMS:
        page.locator("h1").click()
        page.keyboard.press(key)
        page.wait_for_selector("dialog")
        said |= walked(page)
        page.keyboard.press("Escape")
        page.wait_for_selector("dialog", state="detached")
    page.locator(".standing footer button.main").first.click()
    page.wait_for_selector("dialog [name=text]")
    said |= walked(page)
    page.keyboard.press("Escape")
    page.locator(".record .tabs button").last.click()
    page.locator(".history .entry").first.click()
    page.wait_for_selector(".evidence")
    said |= walked(page)
    assert english(said, NAMES) == {}


@pytest.mark.parametrize("size", [[390, 844], [1280, 800]], ids=["phone", "laptop"])
def test_an_open_procedure_is_for_everybody(
    screen: Screen, hall: DirectorHall, audit: Callable[[Page], list[Any]], size: tuple[int, int]
) -> None:
    """With nothing over it, with its ruling, with the keys: by axe-core, and within the screen."""
    page = screen.page
    open_desk(page, hall, 1)
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.locator(".standing .procedure").first.wait_for()
    assert audit(page) == []
    page.locator(".standing footer button.main").first.click()
    page.wait_for_selector("dialog [name=text]")
    assert audit(page) == []
    assert page.evaluate(WITHIN)
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")
    page.locator("h1").click()
    page.keyboard.press("?")
    page.wait_for_selector("dialog kbd")
    assert audit(page) == []
    assert page.evaluate(WITHIN)


WITHIN = """() => {
    const dialog = document.querySelector("dialog");
    return document.documentElement.scrollWidth <= innerWidth
        && dialog.scrollWidth <= dialog.clientWidth;
}"""
