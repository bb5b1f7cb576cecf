"""A result phone that stays open on a table: it goes along with the games there."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from recorder.bus.broker import free_port
from recorder.log.sqlite import SqliteEventLog
from tests.browser.conftest import Screen, Server, sign_in
from tests.event.event_hall import EventHall

pytestmark = [pytest.mark.browser, pytest.mark.further]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A dashboard on the log that the hall writes."""
    running = Server(tmp_path / "log.db", free_port())
    yield running
    running.kill()


@pytest.fixture
def hall(tmp_path: Path, server: Server) -> Iterator[EventHall]:
    """One table with sensors, and two players who meet there twice."""
    with SqliteEventLog(server.log) as log:
        hall = EventHall(tmp_path, log, tables=1)
        for words in ("player A Ann", "player A Bob", "round A 1 1:1-2"):
            hall.orders(words)
        server.start()
        yield hall
        hall.recorder.stop()


@pytest.fixture
def phone(browser: Browser, server: Server, hall: EventHall) -> Iterator[Page]:
    """The page of the table's code, opened once."""
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
    page = context.new_page()
    sign_in(page, server)
    page.goto(server.url("/result/1"))
    yield page
    context.close()


def fields(first: int, second: int) -> str:
    """That these scores stand in the two fields."""
    at = "document.querySelector('#score-{}')?.value"
    return f"{at.format(0)} === '{first}' && {at.format(1)} === '{second}'"


def test_a_phone_left_open_over_two_rounds_has_the_recorded_scores_of_each(
    phone: Page, hall: EventHall
) -> None:
    """Nobody loads it again; what somebody wrote stays, unless it is of the game before."""
    screen = Screen(phone)
    hall.show(1)
    hall.start(1)
    screen.shows("document.body.innerText.includes('The game is on')")
    hall.play(1, "8G HAND")
    screen.shows(fields(16, 0))
    phone.fill("#score-1", "77")
    hall.sign(1)
    screen.shows("document.body.innerText.includes('Result recorded')")
    hall.orders("round A 2 1:2-1")
    hall.show(1)
    hall.start(1)
    screen.shows("document.body.innerText.includes('round 2')")
    screen.shows("document.body.innerText.includes('The game is on')")
    hall.play(1, "8G HAND", "9F CAT")
    screen.shows("document.body.innerText.includes('As recorded')")
    screen.shows(fields(16, 14))
    phone.tap("button:has-text('Ann')")
    screen.shows("document.querySelector('.result-answer').innerText !== ''")
    assert "Write both scores" not in phone.inner_text(".result-answer")
