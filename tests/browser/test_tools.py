"""The commentator's and the director's pages in a real browser."""

import re
from dataclasses import replace

import pytest

from recorder.domain.game import Passed, Played, Unseen
from recorder.domain.instruments import EventsMissing
from recorder.domain.notices import in_words
from recorder.domain.observations import DeviceLost
from recorder.domain.plays import parse_placement
from recorder.domain.row_kind import Kind
from tests.browser.conftest import KEY, Screen, Server
from tests.dashboard.table_writer import TableWriter, look_at

pytestmark = pytest.mark.browser

DOUBT = {
    "reasons": ["14C reads A or R"],
    "alternatives": [
        {"events": [{"type": "game.passed", "data": {"player": 0, "rack": ""}}], "log_odds": -1.5}
    ],
    "squares": ["14C"],
}


@pytest.mark.further
def test_the_director_reads_doubts_and_opens_their_evidence(
    screen: Screen, server: Server, table: TableWriter
) -> None:
    """One key leads to the doubt, with reasons and the other candidate; its row opens beside it."""
    table.start()
    assert table.state is not None
    seen = table.observe(look_at(table.state, {"8D": "Z"}))
    table.play(0, "8D ZEPHYR", doubt=DOUBT, refs=[seen.seq])
    clock = f"clock-{table.table}"  # other tests' tables of this hall have a clock of their own
    table.observe(DeviceLost(device=clock, reason=in_words("silent")), clock)
    screen.page.goto(server.url(f"/enter/{KEY}?table={table.table}"))
    assert KEY not in screen.page.url
    screen.page.wait_for_selector(".entry.doubtful")
    assert "14C reads A or R" in screen.text(".entry.doubtful .why")
    assert "or pass" in screen.text(".entry.doubtful .alternatives")
    assert "silent" in screen.text(".device.lost .state")
    screen.page.get_by_role("button", name="Log").click()
    screen.page.keyboard.press("d")
    screen.page.get_by_role("button", name=f"depends on {seen.seq}").click()
    screen.page.wait_for_selector(".evidence .seen")
    assert screen.text(".evidence .seen").splitlines()[7].startswith("...Z")
    table.correct(table.rows[2].seq, Passed(0))
    screen.page.wait_for_selector(".entry.superseded")
    assert screen.page.locator(".entry.doubtful").count() == 0
    assert screen.complaints == []


@pytest.mark.further
def test_a_hole_is_offered_after_the_readings_that_fill_it(
    screen: Screen, server: Server, table: TableWriter
) -> None:
    """In the dialog, where 1 and Enter take the first, and among the buttons beside the need."""
    table.start()
    assert table.state is not None
    play = Played(0, parse_placement("8D ZEPHYR"), 0)
    table.record(Unseen(0, tuple(play.laid.items())), doubt=DOUBT)
    screen.page.goto(server.url(f"/enter/{KEY}?table={table.table}"))
    buttons = screen.page.locator(".need.doubt .answers button")
    buttons.first.wait_for()
    assert buttons.first.inner_text() == "pass"
    assert buttons.count() == 2
    screen.page.keyboard.press("d")
    screen.page.keyboard.press("Enter")
    offered = screen.page.locator("dialog .candidate")
    offered.first.wait_for()
    assert "pass" in offered.first.inner_text()
    assert "recorded" in offered.last.inner_text()


def test_the_director_learns_what_a_device_has_lost_until_it_comes(
    screen: Screen, server: Server, table: TableWriter
) -> None:
    """Device, number, since when and what to do; so too a row that does not fit the board."""
    table.start()
    table.play(0, "8D ZEPHYR")
    clock = f"clock-{table.table}"
    lost = EventsMissing(device=clock, boot="9c31f0aa", first=40, last=41, count=2)
    table.observe(lost, "recorder")
    data = {"player": 1, "position": "8D", "word": "ODD", "score": 9, "rack": ""}
    odd = table.write(Kind.RECORDED, {"type": "game.played", "data": data})
    screen.page.goto(server.url(f"/enter/{KEY}?table={table.table}"))
    told = screen.page.locator(".need.refused")
    told.filter(has_text="Missing").wait_for()
    said = told.filter(has_text="Missing").inner_text()
    assert f"{clock}: 2 events of 40 to 41 are missing" in said
    assert re.search(r"Missing since \d+:\d\d.*score sheet", said)
    fault = told.filter(has_text="does not fit").inner_text()
    assert f"row {odd.seq} does not fit table {table.table}" in fault
    assert re.search(r"since \d+:\d\d", fault)
    table.correct(odd.seq, Passed(1))
    table.observe(replace(lost, count=0), "recorder")
    screen.page.wait_for_function("() => !document.querySelector('.need.refused')")
    assert screen.complaints == []


@pytest.mark.further
def test_the_overview_shows_all_pages_of_a_table_at_once(
    screen: Screen, server: Server, table: TableWriter
) -> None:
    """One link of the director's opens it: four pages that live, whole in their panes."""
    table.start()
    table.play(0, "8D ZEPHYR")
    screen.page.goto(server.url(f"/enter/{KEY}?to=/overview?table={table.table}"))
    for title, shown in (
        ("On air", ".score"),
        ("Commentator", ".sheet tbody tr"),
        ("Director", ".entry"),
        ("Spectators", ".board"),
    ):
        pane = screen.page.frame_locator(f"iframe[title='{title}']")
        pane.locator(shown).first.wait_for()
        frame = screen.page.locator(f"iframe[title='{title}']").bounding_box()
        around = screen.page.locator(".pane", has=screen.page.locator(f"[title='{title}']"))
        box = around.bounding_box()
        assert abs(frame["width"] - box["width"]) < 4
        assert abs(frame["height"] - box["height"]) < 4
    last = screen.page.locator("[data-path] code").last.inner_text()
    assert last == server.url(f"/watch/{table.table}")
