"""The director's page in a real browser: orders through a real broker to a real recorder."""

import hashlib
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from recorder.domain.game import EndRackPoints, Passed
from recorder.domain.notices import Manner, Notice, Release, Routing, TableNotice, Why
from recorder.domain.observations import Side
from recorder.domain.record import Corrected, NoticeGiven
from recorder.domain.row_kind import Kind
from recorder.domain.tile_text import read_tiles
from recorder.wire.events import encode_event
from recorder.wire.rows import write_row
from tests.browser.conftest import Screen, Server, sign_in
from tests.browser.director.director_hall import (
    MARKS,
    DirectorHall,
    SeenTable,
    done,
    hall_of,
    open_desk,
)
from tests.dashboard.table_writer import TableWriter
from tests.eventually import eventually
from tests.recorder.order_game import EMPTY, HAND, HAND_CAT

pytestmark = MARKS
hall = hall_of(tables=14)


def totals(page: Page) -> list[str]:
    return page.locator(".seat .total").all_inner_texts()


def test_one_key_accepts_a_doubt_and_the_overlay_follows(
    screen: Screen, hall: DirectorHall, browser: Browser
) -> None:
    """HAND or HANO: the key 2 takes the second, and the public score changes by it."""
    seen = hall.table(1)
    seen.play()
    air = browser.new_page()
    air.goto(hall.server.url("/overlay/score?table=1"))
    open_desk(screen.page, hall, 1)
    screen.page.wait_for_selector(".need.doubt")
    before = totals(screen.page)[1]
    screen.page.wait_for_selector(".device:has-text('score')")
    screen.page.keyboard.press("d")
    screen.page.keyboard.press("Enter")
    screen.page.wait_for_selector("dialog .candidate")
    offered = screen.page.locator("dialog .candidate b").all_inner_texts()
    assert offered == ["8G HAND", "+16", "8G HANO", "+14"]
    screen.page.keyboard.press("2")
    done(screen.page, seen, "order.accept")
    screen.page.wait_for_selector("dialog", state="detached")
    screen.shows("document.querySelectorAll('.seat .total')[1].innerText === '14'")
    assert before == "16"
    assert screen.page.locator(".need.doubt:has-text('HAN')").count() == 0
    Screen(air).shows("document.body.innerText.replace(/\\s/g, '').includes('14')")
    assert "16" not in air.inner_text("body")
    air.close()
    assert screen.complaints == []


@pytest.mark.further
def test_a_turn_without_a_play_is_named_by_one_button(screen: Screen, hall: DirectorHall) -> None:
    """A pass at once, an exchange by how many tiles; beside them it can be left open."""
    seen = hall.table(13)
    seen.press(Side.LEFT)
    seen.show(EMPTY)
    for side in (Side.RIGHT, Side.LEFT, Side.RIGHT):
        seen.press(side)
        seen.show(HAND)
    open_desk(screen.page, hall, 13)
    first = screen.page.locator(".need.doubt .answers:has-text('Exchange…')").first
    first.wait_for()
    offered = first.locator("button").all_inner_texts()
    assert offered[:3] == ["a pass", "Exchange…", "Leave it open: an exchange or a pass"]
    first.get_by_role("button", name="a pass", exact=True).click()
    done(screen.page, seen, "order.correct")
    eventually(lambda: corrected(seen) == {"game.passed"}, "the pass is recorded")
    quiet = screen.page.locator(".need.doubt .answers:has-text('Exchange…')")
    eventually(lambda: quiet.count() == 1, "the other turn is still asked about")
    quiet.get_by_role("button", name="Exchange…").click()
    assert screen.page.locator("[name=kind]").input_value() == "exchange"
    screen.page.fill("[name=count]", "3")
    screen.page.wait_for_selector("dialog .totals")
    screen.page.get_by_role("button", name="Apply").click()
    eventually(lambda: "game.exchanged" in corrected(seen), "the exchange is recorded")
    assert screen.complaints == []


@pytest.mark.further
def test_a_press_that_was_no_turn_is_taken_off_where_it_is_asked_about(
    screen: Screen, hall: DirectorHall
) -> None:
    """As a turn that is left over once its tiles were named in another one."""
    seen = hall.table(14)
    seen.press(Side.LEFT)
    seen.show(EMPTY)
    for side in (Side.RIGHT, Side.LEFT):
        seen.press(side)
        seen.show(HAND)
    open_desk(screen.page, hall, 14)
    asked = screen.page.locator(".need.doubt .answers:has-text('Exchange…')")
    asked.get_by_role("button", name="Did not happen…").click()
    screen.page.wait_for_selector("dialog .totals")
    screen.page.get_by_role("button", name="Apply", exact=True).click()
    done(screen.page, seen, "order.remove")
    asked.wait_for(state="detached")
    assert screen.complaints == []


def corrected(seen: SeenTable) -> set[str]:
    """The types of the events that stand in the place of others."""
    rows = [row.says for row in seen.rows()]
    events = [event for says in rows if isinstance(says, Corrected) for event in says.events]
    return {encode_event(event)[0] for event in events}


def test_a_letter_is_corrected_with_its_preview_and_undone(
    screen: Screen, hall: DirectorHall
) -> None:
    """What would change is on the page before anything is recorded; undo brings it back."""
    seen = hall.table(2)
    seen.play()
    open_desk(screen.page, hall, 2)
    screen.page.keyboard.press("d")
    screen.page.get_by_role("button", name="Letter").click()
    assert screen.page.locator("[name=square]").input_value() == "8J"
    screen.page.fill("[name=letter]", "t")
    screen.page.wait_for_selector("dialog .totals")
    changed = screen.text("dialog .changed")
    assert "8G HAND +16" in changed
    assert "8G HANT +14" in changed
    assert "order.correct" not in seen.types()
    screen.page.get_by_role("button", name="Apply").click()
    done(screen.page, seen, "order.correct")
    screen.shows("document.querySelectorAll('.seat .total')[1].innerText === '14'")
    screen.page.wait_for_selector("dialog", state="detached")
    screen.page.keyboard.press("u")
    screen.page.wait_for_selector("dialog .totals")
    assert "+2" in screen.text("dialog .totals")
    screen.page.keyboard.press("Enter")
    done(screen.page, seen, "order.undo")
    screen.shows("document.querySelectorAll('.seat .total')[1].innerText === '16'")
    screen.page.wait_for_selector(".order-line.ended")
    screen.page.get_by_role("button", name="Put back").click()
    screen.page.wait_for_selector("dialog .totals")
    assert "Put an order back" in screen.text("dialog h2")
    screen.page.keyboard.press("Enter")
    eventually(lambda: seen.types().count("order.undo") == 2, "it is put back")
    screen.shows("document.querySelectorAll('.seat .total')[1].innerText === '14'")
    screen.page.get_by_role("button", name="Log").click()
    screen.page.wait_for_selector("text=restored: ")
    assert "undone: " in screen.text("body")
    assert not re.search(r"\bd-[a-z0-9]{4,}-", screen.text("body")), "an id is for programs"
    assert screen.complaints == []


@pytest.mark.further
def test_the_form_for_a_letter_begins_with_the_blank(screen: Screen, hall: DirectorHall) -> None:
    """Of four squares the one with the blank, and that it is one: a natural tile would count."""
    seen = hall.table(10)
    seen.press(Side.LEFT)
    seen.show(EMPTY)
    seen.press(Side.RIGHT)
    seen.show(HAND.replace("HAND", "HA?D"))
    seen.press(Side.LEFT)
    eventually(lambda: "game.played" in seen.types(), "the play is recorded")
    open_desk(screen.page, hall, 10)
    screen.page.wait_for_selector("text=HA?D")
    screen.page.keyboard.press("j")
    screen.page.get_by_role("button", name="Letter").click()
    assert screen.page.locator("[name=square]").input_value() == "8I"
    assert screen.page.locator("[name=blank]").is_checked()
    screen.page.fill("[name=letter]", "n")
    screen.page.wait_for_selector("dialog .totals")
    assert "HAnD" in screen.text("dialog .changed")
    screen.page.keyboard.press("Escape")


@pytest.mark.further
def test_one_entry_is_split_into_the_turns_that_it_was(screen: Screen, hall: DirectorHall) -> None:
    """HANDS in one look was HAND and then an S: tiles without a turn are named, then it is done."""
    seen = hall.table(11)
    seen.press(Side.LEFT)
    seen.show(EMPTY)
    seen.press(Side.RIGHT)
    seen.show(HAND.replace("HAND.", "HANDS"))
    seen.press(Side.LEFT)
    eventually(lambda: "game.played" in seen.types(), "the play is recorded")
    open_desk(screen.page, hall, 11)
    screen.page.wait_for_selector("text=HANDS")
    screen.page.keyboard.press("j")
    screen.page.get_by_role("button", name="Several turns").click()
    assert screen.page.locator("[name=player]").input_value() == "1"
    without_turn = screen.page.locator("dialog .mini .fresh")
    assert without_turn.count() == 5
    screen.page.fill("[name=turns]", "8G HAND")
    screen.page.wait_for_function(
        "() => document.querySelectorAll('dialog .mini .fresh').length === 1"
    )
    assert without_turn.text_content() == "S"
    screen.page.wait_for_selector("dialog:has-text('no turn has these tiles yet: 8K=S')")
    screen.page.fill("[name=turns]", "8G HAND\n8G HANDS")
    screen.page.wait_for_selector("dialog .totals")
    assert "8G HAND.S" not in screen.text("dialog .changed")
    screen.page.get_by_role("button", name="Apply").click()
    done(screen.page, seen, "order.split")
    screen.shows("document.querySelectorAll('.seat .total')[1].innerText === '16'")
    assert screen.complaints == []


@pytest.mark.further
def test_what_the_recorder_refuses_cannot_be_confirmed(screen: Screen, hall: DirectorHall) -> None:
    """A word that does not fit is refused in the preview, with the square, and stays a form."""
    seen = hall.table(3)
    seen.play()
    open_desk(screen.page, hall, 3)
    screen.page.keyboard.press("d")
    screen.page.get_by_role("button", name="Word or place").click()
    screen.page.fill("[name=position]", "15L")
    screen.page.fill("[name=word]", "HANDS")
    screen.page.wait_for_selector("dialog .preview .why")
    assert screen.page.get_by_role("button", name="Apply").is_disabled()
    screen.page.keyboard.press("Escape")
    screen.page.wait_for_selector("dialog", state="detached")
    assert not any(kind.startswith("order.") for kind in seen.types())


@pytest.mark.further
def test_a_banner_is_published_and_withdrawn(
    screen: Screen, hall: DirectorHall, browser: Browser
) -> None:
    """The public frame has the text, as text it is taken off again."""
    seen = hall.table(4)
    open_desk(screen.page, hall, 4)
    screen.page.keyboard.press("b")
    screen.page.fill("[name=text]", "Play stands <b>after</b> review")
    screen.page.get_by_role("button", name="Apply").click()
    done(screen.page, seen, "order.banner")
    screen.page.wait_for_selector(".on-air")
    assert "Play stands <b>after</b> review" in screen.text(".on-air")
    assert hall.frame(4)["banner"] == "Play stands <b>after</b> review"
    screen.page.get_by_role("button", name="Withdraw").click()
    screen.page.get_by_role("button", name="Apply").click()
    screen.page.wait_for_selector(".on-air", state="detached")
    assert "banner" not in hall.frame(4)
    assert screen.complaints == []


@pytest.mark.further
def test_time_goes_back_and_comes_back(screen: Screen, hall: DirectorHall) -> None:
    """The board as it stood after an earlier row, clearly marked; End is now."""
    seen = hall.table(5)
    seen.play()
    open_desk(screen.page, hall, 5)
    screen.page.wait_for_selector(".need.doubt")
    screen.shows("document.querySelectorAll('.framed-board .tile').length === 7")
    screen.page.keyboard.press("ArrowLeft")
    screen.page.keyboard.press("ArrowLeft")
    screen.shows("document.querySelectorAll('.framed-board .tile').length === 4")
    assert "Not live" in screen.text(".moment")
    assert totals(screen.page) == ["0", "16"]
    screen.page.keyboard.press("End")
    screen.shows("document.querySelectorAll('.framed-board .tile').length === 7")
    assert screen.text(".moment") == "Now"


def test_squares_in_doubt_are_cut_out_of_the_picture(
    screen: Screen, hall: DirectorHall, folder_picture: str
) -> None:
    """The square's own pixels, where the dashboard sees the device's pictures."""
    seen = hall.table(6)
    seen.play(folder_picture)
    open_desk(screen.page, hall, 6)
    screen.page.keyboard.press("d")
    screen.page.keyboard.press("Enter")
    middle = "document.querySelector('.crops canvas').getContext('2d').getImageData(56, 56, 1, 1)"
    screen.shows("document.querySelector('.crops canvas') !== null")
    screen.shows(f"{middle}.data[0] > 200 && {middle}.data[1] < 60")
    assert screen.complaints == []


@pytest.mark.further
def test_another_letter_is_shown_as_it_was_and_as_it_is(
    screen: Screen, hall: DirectorHall, folder_picture: str
) -> None:
    """Both pictures of the square, and the words that the tile is part of, beside the steps."""
    seen = hall.table(12)
    seen.press(Side.LEFT)
    seen.show(EMPTY)
    seen.press(Side.RIGHT)
    seen.show(HAND, picture=folder_picture)
    seen.press(Side.LEFT)
    seen.show(HAND_CAT, picture=folder_picture)
    seen.show(HAND_CAT.replace("HAND", "HANS"), picture=kept(hall, red=False))
    open_desk(screen.page, hall, 12)
    screen.page.wait_for_selector(".behind .crops figure >> nth=1")
    assert "recorded D, now seen as S; it is part of HAND" in screen.text(".behind")
    captions = screen.page.locator(".behind figcaption").all_inner_texts()
    assert captions == ["8J \u00b7 Before", "8J \u00b7 Now"]
    canvas = "document.querySelectorAll('.behind canvas')[{}]"
    middle = f"{canvas}.getContext('2d').getImageData(56, 56, 1, 1).data"
    screen.shows(f"{middle.format(0)}[0] > 200")
    screen.shows(f"{middle.format(1)}[3] > 0 && {middle.format(1)}[0] < 60")
    assert screen.complaints == []


@pytest.fixture
def folder_picture(hall: DirectorHall) -> str:
    """A picture that is red on 8J alone, kept as a camera keeps it."""
    return kept(hall, red=True)


def kept(hall: DirectorHall, *, red: bool) -> str:
    """The name of a picture that the camera keeps, red on 8J or grey all over."""
    cv2 = pytest.importorskip("cv2")
    import numpy as np

    image = np.full((900, 900, 3), 40, np.uint8)
    if red:
        image[420:480, 540:600] = (0, 0, 255)
    data = bytes(cv2.imencode(".jpg", image)[1])
    name = hashlib.sha256(data).hexdigest()
    file = Path(hall.folder) / "pictures" / "cam-6" / name[:2] / f"{name}.jpg"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data)
    return name


@pytest.mark.further
def test_all_tables_fit_a_phone_and_lead_to_the_table(hall: DirectorHall, browser: Browser) -> None:
    """390 px wide, nothing beside the screen; a touch opens the table that needs somebody.

    From there the rounds are a touch away, and from them all tables.
    """
    hall.table(7).play()
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
    page = context.new_page()
    sign_in(page, hall.server)
    page.goto(hall.server.url("/director"))
    page.wait_for_selector("[data-number='7'].urgent")
    wide = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
    assert page.evaluate(wide)
    open_first = """() => [...document.querySelectorAll(".count-doubts")].map(
        (count) => count.innerText.includes("to decide"))"""
    found = page.evaluate(open_first)
    assert found == sorted(found, reverse=True)
    assert page.locator("[data-number='7'] b").nth(0).inner_text() != ""
    assert "Ada <b>Lovelace</b>" in page.inner_text("[data-number='7']")
    page.tap("[data-number='7']")
    page.wait_for_selector(".need.doubt")
    assert page.evaluate(wide)
    page.click("text=Event and rounds")
    page.click("text=All tables")
    page.wait_for_selector("[data-number='7'].urgent")
    context.close()


def noticed(table: TableWriter, manner: Manner, code: Notice, **numbers: int) -> None:
    """A row as the recorder writes it when it notices something beside the turns."""
    routing = Routing(
        director=manner,
        players=False,
        commentator=Release.NEVER,
        public=Release.NEVER,
        rule="INT-2",
        why=Why.FOUND_OR_NOT,
    )
    one = TableNotice(ref=0, refs=(), code=code, player=0, numbers=numbers, routing=routing)
    table.write(Kind.RECORDED, write_row(NoticeGiven(notice=one)))


@pytest.mark.further
def test_notices_come_as_the_rules_route_them(
    screen: Screen, server: Server, table: TableWriter
) -> None:
    """An alert is in the queue, what is kept back is nowhere; no broker, no orders."""
    table.start(("Anna", "Ben"))
    table.play(0, "8D ZEPHYR")
    noticed(table, Manner.ALERT, Notice.OVERDRAW, tiles=1)
    noticed(table, Manner.WITHHELD, Notice.SCORE_ANNOUNCED, announced=9, scores=8)
    noticed(table, Manner.LOOK_UP, Notice.SCORE_NOT_ANNOUNCED)
    sign_in(screen.page, server)
    screen.page.goto(server.url(f"/director?table={table.table}"))
    screen.page.wait_for_selector(".need.notice")
    assert "Anna holds 1 tile too many" in screen.text(".needs")
    assert "announced no score" not in screen.text(".needs")
    screen.page.get_by_role("button", name="Log").click()
    screen.shows("document.querySelector('.history')?.innerText.includes('announced no score')")
    assert "announced 9" not in screen.page.content()
    assert screen.page.locator(".bar button:enabled").count() == 0
    screen.shows("document.querySelector('#orders').textContent.includes('--broker')")
    under_the_finger = screen.page.query_selector(".need.notice button.open")
    table.record(Passed(1), doubt={"reasons": ["unsure"], "alternatives": [], "squares": []})
    screen.page.wait_for_selector(".need.doubt")
    assert "holds 1 tile too many" in under_the_finger.inner_text()
    screen.page.get_by_role("button", name="Dismiss").click()
    screen.page.wait_for_selector(".need.notice", state="detached")
    TableWriter(table.log, at=table.at, table=table.table + 500).start(("Cleo", "Dan"))
    with screen.page.context.new_page() as other:
        other.goto(server.url(f"/director?table={table.table}"))
        other.wait_for_selector(".need.doubt")
        assert other.locator(".need.notice").count() == 0
        other.goto(server.url("/director"))
        glance = other.locator(f"[data-number='{table.table}']")
        glance.wait_for()
        assert "too many" not in glance.inner_text()
    table.record(EndRackPoints(0, 2, read_tiles("A")))
    screen.page.wait_for_selector("text=held back until both have signed")
    assert "announced 9" not in screen.text("main")
    screen.page.get_by_role("button", name="Both have signed: show").click()
    screen.shows("document.querySelector('.history').innerText.includes('announced 9')")
    assert screen.complaints == []


@pytest.mark.further
def test_a_clock_is_adjusted(screen: Screen, hall: DirectorHall) -> None:
    """The time that is left stands in the form; what is confirmed is observed of the clock."""
    seen = hall.table(4)
    seen.press(Side.RIGHT, left_ms=9_500, right_ms=600_000)
    open_desk(screen.page, hall, 4)
    screen.shows("document.querySelectorAll('.seat .time')[1].innerText === '10:00'")
    screen.page.get_by_role("button", name="Adjust a clock").click()
    assert screen.page.locator("[name=left]").input_value().startswith(("0:0", "-00:"))
    screen.page.select_option("[name=player]", "1")
    assert screen.page.locator("[name=left]").input_value() == "10:00"
    screen.page.fill("[name=left]", "12:05")
    screen.page.wait_for_selector("dialog .totals")
    screen.page.get_by_role("button", name="Apply").click()
    done(screen.page, seen, "order.clock")
    eventually(lambda: "clock.change" in seen.types(), "the clock is observed as adjusted")
    screen.shows("document.querySelectorAll('.seat .time')[1].innerText === '12:05'")
    assert screen.complaints == []


@pytest.mark.further
def test_what_a_device_has_lost_is_settled_with_a_reason(
    screen: Screen, hall: DirectorHall
) -> None:
    """By a ruling that the page offers there; it is off every page, until the ruling is undone."""
    seen = hall.table(10)
    seen.press(Side.RIGHT)
    seen.lose("clock")
    open_desk(screen.page, hall, 10)
    need = screen.page.locator(".need.refused", has_text="event 2 is missing")
    need.wait_for()
    need.locator(".open").click()
    screen.page.fill("dialog [name=text]", "Both sheets agree.")
    screen.page.get_by_role("button", name="Apply").click()
    done(screen.page, seen, "order.ruling")
    need.wait_for(state="detached")
    screen.page.reload()
    screen.page.wait_for_selector("[data-online='true'] main")
    assert need.count() == 0
    (lost,) = (row for row in seen.rows() if row.body.get("type") == "device.missing")
    (ruling,) = (row for row in seen.rows() if row.body.get("type") == "order.ruling")
    assert ruling.body["data"]["settles"] == lost.seq
    undo = {"type": "order.undo", "data": {"order": ruling.body["data"]["id"]}, "id": "u-1"}
    screen.page.request.post(hall.server.url("/api/order"), data={**undo, "table": 10})
    need.wait_for()
    assert screen.complaints == []


@pytest.mark.further
def test_a_device_in_another_time_zone_is_told_what_to_set(
    screen: Screen, hall: DirectorHall
) -> None:
    """A clock or a zone is wrong, of the machine or of the phone; without that nothing is said."""
    open_desk(screen.page, hall, 1)
    browser = screen.page.context.browser
    there = browser.new_context(timezone_id="Asia/Kathmandu", locale="en-GB")
    try:
        page = there.new_page()
        open_desk(page, hall, 1)
        said = page.locator("#faults")
        eventually(lambda: "on this device: set the clock and time zone" in said.inner_text())
        assert "on this device" not in screen.page.locator("#faults").inner_text()
    finally:
        there.close()
