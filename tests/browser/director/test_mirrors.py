"""A mirrored game on the director's page: in step, with a difference, and after the choice."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from recorder.bus.broker import free_port
from recorder.domain.game import Passed
from tests.browser.conftest import Server, now_ms, sign_in
from tests.dashboard.table_writer import OPENING, TableWriter
from tests.eventually import eventually
from tests.woogles.test_mirroring_process import Program
from tests.woogles.their_server import TheirServer

pytestmark = pytest.mark.browser


@pytest.fixture
def table(tmp_path: Path) -> Iterator[TableWriter]:
    """A game with two turns."""
    table = TableWriter(tmp_path / "log.db", at=now_ms() - 100_000)
    table.start(("Ada Lovelace", "Ben"))
    for count, text in enumerate(OPENING[:2]):
        table.play(count % 2, text)
    yield table
    table.log.close()


def test_a_difference_is_chosen_about_on_the_page(
    table: TableWriter, tmp_path: Path, browser: Browser
) -> None:
    """Both sides are on the page; the choice ends the difference, and the page says in step."""
    server = Server(tmp_path / "log.db", free_port())
    server.start()
    with TheirServer() as theirs, Program(theirs, tmp_path / "log.db") as program:
        eventually(lambda: program.states() == ["in_step"])
        page = browser.new_page()
        sign_in(page, server)
        page.goto(server.url("/director?table=1"))
        card = page.get_by_label("Mirrored to")
        expect(card).to_contain_text("in step, 2 of 2 events")
        (document,) = theirs.documents.values()
        document["events"][1]["score"] += 5
        table.record(Passed(0))
        expect(card).to_contain_text("changed on Woogles by another person")
        expect(card).to_contain_text("Ben: F6 CO.Y +22")
        page.screenshot(path=tmp_path / "differs.png", full_page=True)
        expect(page).to_have_title("(1) Tilecast: table 1")
        card.get_by_role("button", name="Replace theirs").click()
        expect(card).to_contain_text("in step, 3 of 3 events")
        page.screenshot(path=tmp_path / "after.png", full_page=True)
        page.goto(server.url("/mirrors"))
        expect(page.get_by_role("row", name="Ada Lovelace")).to_contain_text("in step")
        page.screenshot(path=tmp_path / "mirrors.png", full_page=True)
        page.close()
    server.kill()
