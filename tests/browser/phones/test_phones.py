"""Phones at the table: touch pages, a real broker, a real recorder, and its log."""

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from recorder.bus.broker import BrokerHandle, free_port
from recorder.log.port import Row
from recorder.log.sqlite import SqliteEventLog
from tests.browser.conftest import KEY, Screen, Server, sign_in
from tests.browser.director.director_hall import VENUE
from tests.eventually import eventually
from tests.programs import Program
from tests.rehearsal.troubles import Wifi

pytestmark = [pytest.mark.browser, pytest.mark.broker]

TABLE = """
[[table]]
number = {number}
game = "round-1-{number}"
players = ["Ada <b>Lovelace</b>", "Ben"]
tiles = "english"
rules = "naspa"
minutes = 25
left_player = 1
[table.devices]
phone-clock-{number} = "clock"
phone-pad-{number} = "pad"
phone-racks-{number} = "assistant"
"""
TABLES = 10


class Hall:
    """Broker, recorder and dashboard as processes; each test has a table of its own."""

    def __init__(self, folder: Path, broker: BrokerHandle) -> None:
        self.folder = folder
        self.file = folder / "venue.toml"
        tables = [TABLE.format(number=number) for number in range(1, TABLES + 1)]
        self.file.write_text(VENUE.format(url=broker.url, folder=folder) + "".join(tables))
        self.recorder = self._recorder()
        self.server = Server(folder / "tilecast.db", free_port())
        self.options = ("--broker", broker.url)
        self.server.start(*self.options)

    def _recorder(self) -> Program:
        return Program("record", str(self.file))

    def next_round(self, table: int, players: list[str]) -> None:
        """Another game of others at a table: the recorder starts again with them in its file."""
        self.recorder.terminate()
        self.recorder.wait()
        before, mark, after = self.file.read_text().partition(f"number = {table}\n")
        after = after.replace("round-1", "round-2", 1)
        after = after.replace('["Ada <b>Lovelace</b>", "Ben"]', json.dumps(players), 1)
        self.file.write_text(f"{before}{mark}{after}")
        self.recorder = self._recorder()

    def rows(self, table: int) -> list[Row]:
        with SqliteEventLog.open_reader(self.folder / "tilecast.db") as log:
            return [row for row in log.read_from(1) if row.key and row.table == table]

    def said(self, table: int, kind: str) -> list[dict[str, object]]:
        """The data of all events of a type, in order of the log."""
        return [dict(row.body["data"]) for row in self.rows(table) if row.body["type"] == kind]

    def doubts(self, table: int) -> list[Row]:
        with SqliteEventLog.open_reader(self.folder / "tilecast.db") as log:
            rows = list(log.read_from(1))
        return [row for row in rows if row.table == table and row.body["type"] == "clock.doubt"]

    def close(self) -> None:
        self.server.kill()
        self.recorder.terminate()
        self.recorder.wait()


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory, broker: BrokerHandle) -> Iterator[Hall]:
    hall = Hall(tmp_path_factory.mktemp("hall"), broker)
    yield hall
    hall.close()


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
    page = context.new_page()
    yield page
    context.close()


def shows(page: Page, script: str) -> None:
    """Wait until an expression holds on the page."""
    Screen(page).shows(script)


def open_clock(phone: Page, hall: Hall, table: int) -> None:
    sign_in(phone, hall.server)
    phone.goto(hall.server.url(f"/clock/{table}"))
    phone.wait_for_selector("body[data-online='true']")
    shows(phone, "document.querySelector('#left .name').textContent !== 'Left'")


def test_each_touch_is_one_press_with_the_time_of_the_phone(phone: Page, hall: Hall) -> None:
    """Start, turns, a touch of the wrong half, hold, go on: as a clock says it."""
    open_clock(phone, hall, 1)
    assert phone.inner_text("#left .name") == "Ada <b>Lovelace</b>"
    assert phone.inner_text("#left .time") == "25:00"
    phone.tap("#right")
    phone.wait_for_selector("#left[data-state='runs']")
    phone.tap("#right")
    phone.wait_for_timeout(300)
    phone.tap("#left")
    phone.tap("#hold")
    phone.wait_for_selector("body.held")
    phone.tap("#left")
    phone.tap("#hold")
    eventually(lambda: len(hall.said(1, "clock.change")) == 2, "hold and go on are in the log")
    presses = hall.said(1, "clock.press")
    assert [one["side"] for one in presses] == ["R", "L"]
    assert [one["running"] for one in presses] == ["L", "R"]
    assert [one["act"] for one in hall.said(1, "clock.change")] == ["pause", "resume"]
    times = [int(row.body["t"]) for row in hall.rows(1) if row.body["type"] == "clock.press"]
    assert times[1] - times[0] >= 300
    assert presses[1]["left_ms"] == pytest.approx(1_500_000 - (times[1] - times[0]), abs=50)
    eventually(lambda: waiting(phone, 1) == [], "the recorder's ack empties the queue")


@pytest.mark.further
def test_a_phone_that_goes_into_another_network_says_what_to_do(phone: Page, hall: Hall) -> None:
    """Clock and pad: nothing reaches the venue any more; once it is back, all that was kept."""
    with closing(Wifi()) as wifi:
        port = wifi.way_to(hall.server.port)
        sign_in(phone, hall.server)
        pages = {page: f"http://127.0.0.1:{port}/{page}/10" for page in ("clock", "pad")}
        for page, address in pages.items():
            phone.goto(address)
            phone.wait_for_selector("body[data-online='true']")
            phone.wait_for_timeout(2_500)  # it has been answered, though nothing was pressed yet
            said = phone.locator("#state")
            with wifi.lost():
                phone.wait_for_selector("body[data-online='false']", timeout=60_000)
                words = said.inner_text()
                assert words.startswith(
                    "No connection: check that this phone is in the venue\u2019s Wi-Fi."
                )
                if page == "clock":
                    phone.tap("#right")
                    shows(phone, "document.querySelector('#state').innerText.includes('1 kept')")
                box = said.bounding_box()
                assert 0 <= box["x"] <= box["x"] + box["width"] <= 390
                assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
            phone.wait_for_selector("body[data-online='true']", timeout=60_000)
            eventually(lambda: waiting(phone, 10) == [], "what was kept is recorded")


@pytest.mark.further
def test_a_page_that_stays_open_ten_minutes_still_presses(phone: Page, hall: Hall) -> None:
    """Its own time runs ahead: what it says meanwhile is taken, and so is a press after it."""
    phone.clock.install()
    open_clock(phone, hall, 6)
    for number in range(1, 6):
        phone.clock.fast_forward("02:00")
        eventually(
            lambda number=number: len(hall.said(6, "time.sync")) >= number, "it agrees on the time"
        )
    phone.tap("#right")
    eventually(lambda: len(hall.said(6, "clock.press")) == 1, "the press is in the log")
    eventually(lambda: waiting(phone, 6) == [], "the recorder's ack empties the queue")


@pytest.mark.further
def test_a_commentator_types_a_rack(phone: Page, hall: Hall) -> None:
    """From the page through broker and recorder into the log, and back, marked as typed."""
    phone.goto(hall.server.url(f"/enter/{KEY}?to=/commentator?table=1"))
    phone.wait_for_selector(".player-0 .type-rack input")
    field = phone.locator(".player-0 .type-rack input")
    field.fill("yz1")
    field.press("Enter")
    assert field.evaluate("field => field.validationMessage").startswith("1 is no tile")
    field.fill("yyyeprh")
    field.press("Enter")
    assert field.evaluate("field => field.validationMessage") == "The set has only 2 Y"
    field.fill("yzeprh?")
    field.press("Enter")
    shows(phone, "document.querySelector('.player-0 .note').innerText.startsWith('typed')")
    label = phone.locator(".player-0 .slots").get_attribute("aria-label")
    assert label.startswith("typed rack Y Z E P R H blank")
    assert hall.said(1, "rack.typed") == [{"side": "L", "letters": "YZEPRH?"}]
    shows(phone, "document.querySelector('.player-0 .told').innerText === ''")
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
    phone.set_viewport_size({"width": 1366, "height": 768})
    box = phone.locator(".framed").bounding_box()
    assert box["y"] + box["height"] <= 768


def waiting(phone: Page, table: int) -> list[object]:
    """What the phone keeps because the recorder has not acknowledged it."""
    text = phone.evaluate(f"localStorage.getItem('tilecast:phone-clock-{table}:waiting')")
    return list(json.loads(text or "[]"))


@pytest.mark.further
def test_a_cut_loses_nothing_and_doubles_nothing(phone: Page, hall: Hall) -> None:
    """The server dies, the page is reloaded without it... and every press is there once."""
    open_clock(phone, hall, 2)
    phone.tap("#right")
    eventually(lambda: len(hall.said(2, "clock.press")) == 1, "the first press")
    hall.server.kill()
    phone.wait_for_selector("body[data-online='false']")
    for half in ("#left", "#right", "#left"):
        phone.tap(half)
        phone.wait_for_timeout(30)
    assert len(waiting(phone, 2)) >= 3
    assert "kept; the clock goes on" in phone.inner_text("#state")
    hall.server.start(*hall.options)
    eventually(lambda: len(hall.said(2, "clock.press")) == 4, "all presses, each once")
    eventually(lambda: waiting(phone, 2) == [], "nothing is kept for longer than needed")
    assert [one["side"] for one in hall.said(2, "clock.press")] == ["R", "L", "R", "L"]


@pytest.mark.further
def test_a_reloaded_page_goes_on_as_a_new_boot(phone: Page, hall: Hall) -> None:
    """The time that the page was away counts; numbers begin again under another boot."""
    open_clock(phone, hall, 3)
    phone.tap("#right")
    phone.wait_for_timeout(1200)
    phone.reload()
    phone.wait_for_selector("#left[data-state='runs']")
    phone.wait_for_selector("body[data-online='true']")
    phone.tap("#left")
    eventually(lambda: len(hall.said(3, "clock.press")) == 2, "the press after the reload")
    assert hall.said(3, "clock.press")[1]["left_ms"] < 1_498_800  # type: ignore[operator]
    assert len({row.key[1] for row in hall.rows(3) if row.key}) == 2


@pytest.mark.further
def test_overtime_counts_up_with_what_it_costs(phone: Page, hall: Hall) -> None:
    """The flag falls once; from then on the time counts up beside the points it costs."""
    open_clock(phone, hall, 4)
    phone.tap("#more")
    phone.fill("[name=left]", "0:01")
    phone.fill("[name=right]", "-1:30")
    phone.click("text=Set times")
    phone.tap("#right")
    shows(phone, "document.querySelector('#left .time').textContent === '+0:01'")
    assert phone.inner_text("#left .over") == "overtime, \u221210 points"
    assert phone.inner_text("#right .over") == "overtime, \u221220 points"
    eventually(lambda: len(hall.said(4, "clock.change")) == 2, "the adjustment and the fallen flag")
    assert [one["act"] for one in hall.said(4, "clock.change")] == ["adjust", "flag"]


@pytest.mark.further
def test_on_its_side_the_last_seconds_have_their_tenths(phone: Page, hall: Hall) -> None:
    """Whole, beside a name that needs the room: on the half that runs and on the one that waits."""
    phone.set_viewport_size({"width": 844, "height": 390})
    open_clock(phone, hall, 7)
    phone.tap("#more")
    phone.fill("[name=left]", "0:09")
    phone.fill("[name=right]", "0:09")
    phone.click("text=Set times")
    phone.tap("#right")
    tenths = "/^0:0[5-8]\\.\\d$/.test(document.querySelector('#{half} .time').textContent)"
    shows(phone, tenths.format(half="left"))
    phone.tap("#left")
    shows(phone, tenths.format(half="right"))
    for half in ("left", "right"):
        shown, box = (phone.locator(f"#{half}{part}").bounding_box() for part in (" .time", ""))
        assert box["x"] <= shown["x"]
        assert shown["x"] + shown["width"] <= box["x"] + box["width"]
        assert shown["height"] >= 390 * 0.15, "read from a chair"
    written = "(one) => one.scrollWidth <= one.clientWidth"
    assert phone.locator(".time").evaluate_all(f"(all) => all.every({written})")


def started_late(phone: Page, hall: Hall, table: int) -> None:
    """The first phone of a table: 15:54 and 18:48 are left, and the left half runs."""
    open_clock(phone, hall, table)
    phone.tap("#more")
    phone.fill("[name=left]", "15:54")
    phone.fill("[name=right]", "18:48")
    phone.click("text=Set times")
    phone.tap("#right")
    eventually(lambda: len(hall.said(table, "clock.press")) == 1, "the press of the first phone")


@pytest.mark.further
def test_a_second_phone_takes_over_and_goes_on(phone: Page, browser: Browser, hall: Hall) -> None:
    """One table has one clock: the second shows what was left; the first counts no touch."""
    started_late(phone, hall, 5)
    context = browser.new_context(viewport={"width": 844, "height": 390}, has_touch=True)
    second = context.new_page()
    open_clock(second, hall, 5)
    second.wait_for_selector("#left[data-state='runs']")
    assert second.inner_text("#right .time") == "18:48"
    shows(phone, "document.querySelector('#state').textContent.includes('Another phone')")
    phone.tap("#left")
    second.tap("#left")
    eventually(lambda: len(hall.said(5, "clock.press")) == 2, "the press of the second phone")
    press, now = hall.rows(5)[-1], hall.said(5, "clock.press")[-1]
    (first,) = [row for row in hall.rows(5) if row.body["type"] == "clock.press"][:1]
    gone_ms = press.at - first.at
    assert now["left_ms"] == pytest.approx(954_000 - gone_ms, abs=1_500)
    assert now["right_ms"] == 1_128_000
    assert waiting(phone, 5) == []
    assert hall.doubts(5) == []
    context.close()


@pytest.mark.further
def test_a_clock_that_starts_at_other_times_is_set_with_one_button(
    phone: Page, browser: Browser, hall: Hall
) -> None:
    """A phone that cannot ask what was left begins at 25:00; the director's page puts it right."""
    started_late(phone, hall, 9)
    context = browser.new_context(viewport={"width": 1440, "height": 900}, has_touch=True)
    context.route("**/api/table/*/setup", lambda route: route.abort())
    second, desk = context.new_page(), context.new_page()
    sign_in(second, hall.server)
    second.goto(hall.server.url("/clock/9"))
    second.wait_for_selector("body[data-online='true']")
    second.tap("#left")
    desk.goto(hall.server.url("/director?table=9"))
    need = desk.locator(".need", has_text="it shows 25:00")
    button = need.locator("button", has_text="Set the clock to Ada <b>Lovelace</b> 15:")
    button.wait_for()
    button.click()
    shows(second, "document.querySelector('#left .time').textContent.startsWith('15:')")
    shows(second, "document.querySelector('#right .time').textContent.startsWith('18:')")
    button.wait_for(state="detached")
    context.close()


@pytest.mark.further
def test_what_is_said_reaches_the_log(phone: Page, hall: Hall) -> None:
    """Every button of the scorer's pad, with what it asks for."""
    sign_in(phone, hall.server)
    phone.goto(hall.server.url("/pad/5"))
    phone.wait_for_selector("text=Ben")
    for name in ("Hold", "Accept", "Challenge", "Pass"):
        phone.get_by_role("button", name=name, exact=True).tap()
    phone.get_by_role("button", name="Ben").tap()
    phone.get_by_role("button", name="Exchange").tap()
    phone.get_by_role("button", name="7", exact=True).tap()
    phone.get_by_role("button", name="Score").tap()
    for digit in "104":
        phone.get_by_role("button", name=digit, exact=True).tap()
    phone.get_by_role("button", name="Send").tap()
    phone.get_by_role("button", name="Blank").tap()
    phone.get_by_role("button", name="Second blank").tap()
    phone.get_by_role("button", name="Q", exact=True).tap()
    eventually(lambda: len(hall.said(5, "table.acted")) == 5, "all that was done")
    assert [(one["side"], one["act"], one["count"]) for one in hall.said(5, "table.acted")] == [
        ("L", "hold", 0),
        ("L", "accept", 0),
        ("L", "challenge", 0),
        ("R", "score", 104),
        ("R", "blank", 2),
    ]
    assert hall.said(5, "table.acted")[-1]["letter"] == "Q"
    assert [(one["side"], one["say"], one["count"]) for one in hall.said(5, "table.announced")] == [
        ("L", "pass", 0),
        ("R", "exchange", 7),
    ]
    shows(phone, "document.querySelectorAll('.sent li').length === 6")
    shows(phone, "!document.querySelector('.sent').textContent.includes('on its way')")


def order(page: Page, words: str) -> None:
    """A director's order about the event, from the page that is open."""
    page.fill("#words", words)
    page.click("text=Give the order")
    shows(page, "document.querySelector('#words').value === ''")
    shows(page, "document.querySelector('.event-answer').innerText.startsWith('Recorded')")


def test_both_players_confirm_a_result_on_the_phone_of_their_table(
    phone: Page, browser: Browser, hall: Hall
) -> None:
    """At a table without sensors; while they differ the director reads it, once they agree not."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    desk = context.new_page()
    desk.goto(hall.server.url(f"/enter/{KEY}?to=/director/event"))
    desk.wait_for_selector("#words")
    for words in ("player A Świętosława-Konstantynopolitańczykowianka, Żaneta", "player A Ng, Bo"):
        order(desk, words)
    order(desk, "round A 1 9:1-2")
    with context.expect_page() as printed:
        desk.click("summary:has-text('Print')")
        desk.fill("#codes", "9")
        desk.click("text=Make codes")
    printed.value.close()
    key = desk.evaluate("fetch('/api/result/9').then((answer) => answer.status)")
    assert key == 200
    phone.goto(hall.server.url(f"/enter/{KEY}?to=/result/9"))
    phone.wait_for_selector(".result-player")
    phone.fill("#score-0", "431")
    phone.fill("#score-1", "388")
    phone.tap("button:has-text('Żaneta')")
    shows(phone, "document.body.innerText.includes('says 431\u2013388')")
    phone.fill("#score-1", "389")
    phone.tap("button:has-text('Bo Ng')")
    phone.wait_for_selector(".result-alarm")
    desk.wait_for_selector(".event-need.urgent")
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
    phone.fill("#score-1", "388")
    phone.tap("button:has-text('Bo Ng')")
    phone.wait_for_selector(".result-done")
    shows(desk, "!document.querySelector('.event-need')")
    context.close()


@pytest.mark.further
def test_phones_left_open_over_a_change_of_round_show_the_next_players(
    browser: Browser, phone: Page, hall: Hall
) -> None:
    """The clock with their full time, the pad too; nobody loads a page again."""
    open_clock(phone, hall, 8)
    phone.tap("#right")
    phone.wait_for_selector("#left[data-state='runs']")
    eventually(lambda: phone.inner_text("#left .time") != "25:00", "time passes")
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
    pad = context.new_page()
    try:
        sign_in(pad, hall.server)
        pad.goto(hall.server.url("/pad/8"))
        eventually(lambda: "Lovelace" in pad.inner_text("body"), "the pad has names")
        hall.next_round(8, ["Zoë", "Dan"])
        eventually(lambda: "Zoë" in pad.inner_text("body"), "the pad has those of the next round")
        eventually(lambda: phone.inner_text("#left .name") == "Zoë", "so has the clock")
        assert "Lovelace" not in pad.inner_text("body")
        assert phone.inner_text("#right .name") == "Dan"
        assert phone.inner_text("#left .time") == "25:00"
    finally:
        context.close()
