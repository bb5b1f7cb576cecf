"""Two directors at one table: what one notes, the other sees, and a reload forgets nothing."""

import io

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from pypdf import PdfReader

from recorder.domain.observations import Acted, Side, TurnAct
from recorder.domain.procedures.at_table import WORKED_OUT
from recorder.version import build_version
from recorder.wire.control import DeviceInfo, Heartbeat, encode
from recorder.wire.topics import Up, UpChannel
from tests.browser.conftest import Screen
from tests.browser.director.director_hall import MARKS, DirectorHall, done, hall_of, open_desk

pytestmark = MARKS
hall = hall_of(tables=4, pads=(4,))


def second_desk(browser: Browser, hall: DirectorHall, table: int) -> Page:
    page = browser.new_context().new_page()
    open_desk(page, hall, table)
    return page


def improper_return(page: Page) -> Locator:
    """Begin the procedure of a tile that was put into the bag; how it stands on the page."""
    page.keyboard.press("p")
    page.get_by_role("button", name="Tiles returned to the bag without permission").click()
    page.get_by_role("button", name="Start", exact=True).click()
    card = page.locator(".standing .procedure")
    card.locator(".steps li").first.wait_for()
    return card


@pytest.mark.further
def test_signatures_are_kept_and_seen_by_every_director(
    screen: Screen, hall: DirectorHall, browser: Browser
) -> None:
    """Noted on one screen, shown on the other, there after a reload, undone for both."""
    seen = hall.table(1)
    seen.play()
    open_desk(screen.page, hall, 1)
    for program in ("recorder-1", "dashboard"):
        told = f".device:has-text('{program}') .state:text-is('{build_version()}')"
        screen.page.wait_for_selector(told)
    assert screen.page.locator(".signatures").count() == 0
    screen.page.locator("summary", has_text="End of the game").click()
    screen.page.get_by_role("button", name="Forfeit or resignation").click()
    screen.page.fill("[name=margin]", "50")
    screen.page.wait_for_selector("dialog .totals")
    screen.page.get_by_role("button", name="Apply").click()
    screen.page.wait_for_selector(".signatures")
    screen.page.locator(".signatures button").first.click()
    done(screen.page, seen, "order.sign")
    second = second_desk(browser, hall, 1)
    second.wait_for_selector(".signatures .player-0:has-text('signed, noted')")
    second.locator(".signatures .player-1 button").click()
    screen.page.wait_for_selector(".signatures .player-1:has-text('signed, noted')")
    screen.page.reload()
    screen.page.wait_for_selector(".signatures .player-1:has-text('signed, noted')")
    screen.page.locator(".signatures .player-0 button").click()
    screen.page.get_by_role("button", name="Apply").click()
    second.wait_for_selector(".signatures .player-0:has-text('has not signed')")
    slip = screen.page.request.get(hall.server.url("/api/table/1/export/slip.pdf")).body()
    assert PdfReader(io.BytesIO(slip)).pages[0].extract_text().count("noted 20") == 1
    second.context.close()
    assert screen.complaints == []


@pytest.mark.further
def test_every_device_that_is_expected_is_listed_with_its_remedy(
    screen: Screen, hall: DirectorHall
) -> None:
    """A camera with version and queue, a clock by its events alone, a pad that never spoke."""
    seen = hall.table(4)
    seen.press(Side.LEFT)
    beat = Heartbeat(boot="0badcafe", t_ms=1, seq_high=31, outbox=31)
    info = DeviceInfo(kind="board-camera", model="lens", firmware="9.1")
    hall.bus.publish(str(Up("main", "cam-4", UpChannel.INFO)), encode(info), retain=True)
    hall.bus.publish(str(Up("main", "cam-4", UpChannel.HEARTBEAT)), encode(beat))
    open_desk(screen.page, hall, 4)
    device = ".device:has-text('{}') .state:has-text('{}')"
    for name, said in (
        ("cam-4", "31 waiting, version 9.1"),
        ("clock-4", "was pressed"),
        ("pad-4", "has never connected: open its page on a phone"),
    ):
        screen.page.wait_for_selector(device.format(name, said))
    assert screen.complaints == []


@pytest.mark.further
def test_a_procedure_is_begun_and_stands_for_every_director(
    screen: Screen, hall: DirectorHall, browser: Browser
) -> None:
    """Two clicks, for only who did it is unknown; ticks and times are one; its ruling closes it."""
    seen = hall.table(2)
    seen.play()
    open_desk(screen.page, hall, 2)
    screen.page.wait_for_selector(".need.doubt")
    card = improper_return(screen.page)
    done(screen.page, seen, "order.procedure.begin")
    card.locator(".countdown").click()
    screen.shows("/^(60|5\\d) s/.test(document.querySelector('.countdown').innerText)")
    card.locator(".steps input").first.click()
    second = second_desk(browser, hall, 2)
    other = second.locator(".standing .procedure")
    other.locator(".steps li.done").first.wait_for()
    other.locator(".steps li:not(.done) input").first.click()
    screen.shows("document.querySelectorAll('.steps li.done').length === 2")
    card.get_by_role("button", name="Add details").click()
    assert screen.page.locator("[name=tiles]").input_value() == "1"
    screen.page.fill("[name=tiles]", "2")
    screen.page.get_by_role("button", name="Record it").click()
    other.locator(".known:has-text('2 tiles')").wait_for()
    assert seen.types().count("order.procedure.step") == 2
    card.get_by_role("button", name="Rule and apply").click()
    screen.page.get_by_role("button", name="Record the result").click()
    other.wait_for(state="detached")
    second.context.close()
    done(screen.page, seen, "order.ruling")
    screen.page.wait_for_selector(".need.open", state="detached")
    ruled = [row for row in seen.rows() if row.body.get("type") == "order.ruling"]
    assert ruled[0].body["data"]["rule"] == "RETURN-1"
    assert screen.complaints == []


@pytest.mark.further
def test_another_incident_can_be_chosen_after_a_step_was_ticked(
    screen: Screen, hall: DirectorHall
) -> None:
    """The list of incidents is there again, although one is noted as open; that can be dropped."""
    seen = hall.table(3)
    seen.play()
    open_desk(screen.page, hall, 3)
    screen.page.wait_for_selector(".need.doubt")
    screen.page.keyboard.press("p")
    screen.page.get_by_role("button", name="Anything else, in your words").click()
    screen.page.fill("[name=what]", "coffee on the board")
    screen.page.fill(".facts [name=rule]", "LAW 1")
    screen.page.get_by_role("button", name="What do the rules say?").click()
    screen.page.locator("dialog h3:has-text('coffee on the board (LAW 1)')").wait_for()
    screen.page.fill("[name=text]", "coffee: the board is wiped")
    screen.page.get_by_role("button", name="Keep it open").click()
    done(screen.page, seen, "order.procedure.begin")
    screen.page.locator(".need.open button").click()
    ruling = [screen.page.locator(f".result [name={name}]") for name in ("rule", "text")]
    expect(ruling[1]).to_have_value("coffee: the board is wiped")
    expect(ruling[0]).to_have_value("LAW 1")
    screen.page.get_by_role("button", name="Another incident").click()
    screen.page.wait_for_selector(".incidents button")
    screen.page.keyboard.press("Escape")
    card = improper_return(screen.page)
    card.get_by_role("button", name="Cancel").click()
    card.wait_for(state="detached")
    screen.page.locator(".need.open button").click()
    screen.page.get_by_role("button", name="Cancel").click()
    screen.page.wait_for_selector(".need.open", state="detached")
    assert seen.types().count("order.procedure.close") == 2


@pytest.mark.further
def test_what_may_have_happened_is_listed_by_what_it_is_about(
    screen: Screen, hall: DirectorHall
) -> None:
    """The usual ones first, each once; what is typed leaves those that fit."""
    hall.table(1).play()
    open_desk(screen.page, hall, 1)
    screen.page.keyboard.press("p")
    heads = screen.page.locator(".incidents h3")
    expect(heads).to_have_text(
        [
            *("Most common", "Clock", "Tiles and bag", "Board, challenges and blanks"),
            *("The end of the game", "Players and anything else"),
        ]
    )
    shown = screen.page.locator(".incidents button")
    assert shown.first.inner_text() == "Challenge"
    assert shown.count() == len(WORKED_OUT) + 1
    expect(screen.page.locator(".choices input")).to_be_focused()
    screen.page.keyboard.type("overt")
    expect(shown).to_have_text(["Overtime"])
    expect(heads).to_have_text(["Clock"])


def test_a_procedure_that_opens_by_itself_is_shown_with_its_facts_and_ticked(
    screen: Screen, hall: DirectorHall, browser: Browser
) -> None:
    """Opened by a player's challenge, ticked by one director, closed by another."""
    seen = hall.table(4)
    seen.play()
    open_desk(screen.page, hall, 4)
    seen.say("pad", Acted(side=Side.RIGHT, act=TurnAct.CHALLENGE))
    procedure = screen.page.locator(".standing .procedure")
    procedure.wait_for()
    assert "CHAL-1" in procedure.inner_text()
    assert "table.procedure" in seen.types()
    screen.page.locator(".need.open:has-text('steps done')").click()
    procedure.locator(".steps li:not(.done) input").last.click()
    done(screen.page, seen, "order.procedure.begin")
    screen.page.wait_for_selector(".standing .steps li.done")
    second = second_desk(browser, hall, 4)
    second.wait_for_selector(".standing .steps li.done")
    assert second.locator("dialog").count() == 0
    second.get_by_role("button", name="Done", exact=True).click()
    screen.page.wait_for_selector(".standing", state="detached")
    assert seen.types().count("order.procedure.close") == 1
    second.context.close()
    assert screen.complaints == []
