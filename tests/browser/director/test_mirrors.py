"""A mirrored game on the director's page: up to date, with a difference, and after the choice."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from recorder.bus.broker import free_port
from recorder.domain.game import Conceded, Passed
from tests.browser.conftest import Server, now_ms, sign_in
from tests.dashboard.table_writer import OPENING, TableWriter
from tests.eventually import eventually
from tests.woogles.test_mirroring_process import Program, correct_first_game
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


@pytest.mark.further
def test_a_difference_is_chosen_about_on_the_page(
    table: TableWriter, tmp_path: Path, browser: Browser
) -> None:
    """Both sides are on the page; the choice ends the difference, and the page says up to date."""
    server = Server(tmp_path / "log.db", free_port())
    server.start()
    with TheirServer() as theirs, Program(theirs, tmp_path / "log.db") as program:
        eventually(lambda: program.states() == ["in_step"])
        page = browser.new_page()
        sign_in(page, server)
        page.goto(server.url("/director?table=1"))
        card = page.get_by_label("Mirrored to")
        expect(card).to_contain_text("up to date, 2 of 2 events")
        (document,) = theirs.documents.values()
        document["events"][1]["score"] += 5
        table.record(Passed(0))
        expect(card).to_contain_text("changed on Woogles by another person")
        expect(card).to_contain_text("Ben: F6 CO.Y +22")
        page.screenshot(path=tmp_path / "differs.png", full_page=True)
        expect(page).to_have_title("(1) Tilecast: table 1")
        card.get_by_role("button", name="Replace theirs").click()
        expect(card).to_contain_text("up to date, 3 of 3 events")
        page.screenshot(path=tmp_path / "after.png", full_page=True)
        page.goto(server.url("/mirrors"))
        expect(page.get_by_role("row", name="Ada Lovelace")).to_contain_text("up to date")
        page.screenshot(path=tmp_path / "mirrors.png", full_page=True)
        page.close()
    server.kill()


@pytest.mark.further
def test_a_finished_game_that_was_deleted_there_is_on_the_page_during_the_next_one(
    table: TableWriter, tmp_path: Path, browser: Browser
) -> None:
    """Its correction cannot go there; the card of the table asks what to do."""
    server = Server(tmp_path / "log.db", free_port())
    server.start()
    with TheirServer() as theirs, Program(theirs, tmp_path / "log.db") as program:
        eventually(lambda: program.states() == ["in_step"])
        table.record(Conceded(0, 50, "resignation"))
        eventually(lambda: theirs.done)
        table.start(game="g2")
        eventually(lambda: program.states() == ["in_step", "in_step"])
        (first, _) = theirs.documents
        del theirs.documents[first], theirs.owners[first]
        correct_first_game(table, table.rows[1], 99)
        page = browser.new_page()
        sign_in(page, server)
        page.goto(server.url("/director?table=1"))
        card = page.get_by_label("Mirrored to")
        expect(card).to_contain_text("The game was deleted on Woogles")
        page.screenshot(path=tmp_path / "gone.png", full_page=True)
        expect(card.get_by_role("button", name="Replace theirs")).to_be_visible()
        page.close()
    server.kill()


@pytest.mark.further
def test_all_mirrors_are_on_one_page_also_on_a_phone(
    table: TableWriter, tmp_path: Path, browser: Browser
) -> None:
    """A sentence of what differs is read whole; since when says the day where it is not today."""
    server = Server(tmp_path / "log.db", free_port())
    server.start()
    with TheirServer() as theirs, Program(theirs, tmp_path / "log.db") as program:
        eventually(lambda: program.states() == ["in_step"])
        (stand,) = program.kept.states()
        sentence = "their feed has no game at table 1 in round 1: pair the round in the event"
        difference = {"key": "k", "what": "players", "ours": "Ada Lovelace - Ben", "turn": 0}
        difference |= {"theirs": sentence, "choices": ["go_on", "stop"]}
        yesterday = replace(stand, game="other", table=2, since=stand.since - 86_400_000)
        program.kept.put(replace(yesterday, state="differs", difference=difference))
        for width in (390, 1280):
            page = browser.new_page(viewport={"width": width, "height": 720})
            sign_in(page, server)
            page.goto(server.url("/mirrors"))
            expect(page.get_by_role("row").nth(2)).to_contain_text(sentence)
            expect(page.get_by_role("row").nth(2)).to_contain_text(re.compile(r"20\d\d-\d\d-\d\d"))
            expect(page.get_by_role("row").nth(1)).not_to_contain_text("-")
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
            page.screenshot(path=tmp_path / f"all-{width}.png")
            page.close()
    server.kill()
