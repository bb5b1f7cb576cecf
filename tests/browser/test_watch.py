"""The spectators' pages in a browser: a phone that follows a game, and the same from files."""

import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Error, Page, expect

import tilecast
from recorder.bus.broker import free_port
from recorder.domain.board import parse_square
from recorder.domain.event.seating import Pairing
from recorder.domain.game import EndRackPoints, Unseen
from recorder.domain.tile_text import read_tiles
from recorder.log.sqlite import SqliteEventLog
from tests.browser.conftest import Server, now_ms
from tests.dashboard.table_writer import OPENING, TableWriter
from tests.event.fields import write_orders
from tests.served import serving_files

pytestmark = pytest.mark.browser

PATIENT_MS = 20_000
WIDE = "document.documentElement.scrollWidth <= innerWidth"


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    """A phone in a light room; whatever it complains about fails the test."""
    context = browser.new_context(
        viewport={"width": 390, "height": 844}, color_scheme="light", reduced_motion="reduce"
    )
    page = context.new_page()
    page.set_default_timeout(PATIENT_MS)
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    yield page
    context.close()
    assert faults == []


def looked_at(page: Page, names: tuple[str, str]) -> None:
    """Step through the game of OPENING and one line more, on a page that has just opened."""
    status = page.locator("main [role=status]")
    expect(page.locator(".sheet tbody tr")).to_have_count(len(OPENING) + 1)
    page.locator(".sheet a", has_text="CAVE").click()
    expect(page).to_have_url(re.compile("#3$"))
    expect(page.locator(".tile")).to_have_count(6 + 3 + 3)
    expect(page.locator(".held [role=img]")).to_have_attribute(
        "aria-label", f"Board after move 3: {names[0]} plays CAVE at 6F for 9 points."
    )
    expect(status).to_have_text(
        f"{names[0]} plays CAVE at 6F for 9 points. {names[0]} 75, {names[1]} 17."
    )
    page.keyboard.press("ArrowLeft")
    expect(page).to_have_url(re.compile("#2$"))
    page.get_by_role("button", name="First move").click()
    expect(page.locator(".tile")).to_have_count(0)
    page.get_by_role("button", name="Last move").click()
    expect(page).to_have_url(re.compile("^[^#]*$"))
    expect(page.locator(".stage .said")).to_have_text(f"{names[0]} wins by 38 points")
    step = page.locator(".steps .figures")
    expect(step).to_have_text("After the game")
    page.keyboard.press("ArrowLeft")
    expect(step).to_have_text(f"Move {len(OPENING)} of {len(OPENING)}")
    page.get_by_role("button", name="Last move").click()
    assert page.evaluate(WIDE)


def test_somebody_follows_a_game_at_home(phone: Page, server: Server, table: TableWriter) -> None:
    """From all games to one, through its moves to its end; one that is not there is the last."""
    names = ("Anna Lindqvist", "Maximiliane Freifrau von Hohenstein-Großwörth")
    table.start(names)
    for at, text in enumerate(OPENING[:-1]):
        table.play(at % 2, text)
    phone.goto(server.url("/watch"))
    assert phone.evaluate("document.documentElement.dataset.theme") == "paper"
    card = phone.locator(f'.card[href="/watch/{table.table}"]')
    expect(card.locator(".said")).to_have_text("Anna Lindqvist plays STIR at 15H for 9 points.")
    assert phone.evaluate(WIDE)
    card.click()
    expect(phone.locator(".sheet tbody tr")).to_have_count(len(OPENING) - 1)
    table.play(1, OPENING[-1])
    expect(phone.locator("main [role=status]")).to_contain_text("plays GNUS")
    table.record(EndRackPoints(1, 26, read_tiles("QY")))
    looked_at(phone, names)
    phone.goto(server.url(f"/watch/{table.table}?embed=1#99"))
    expect(phone.locator(".sheet tr.chosen")).to_contain_text("opponent's tiles (QY)")
    expect(phone.locator(".bar")).to_be_hidden()


@pytest.mark.further
def test_a_game_is_followed_without_a_socket(
    phone: Page, server: Server, table: TableWriter
) -> None:
    """A network that lets no socket through: the page asks what caches keep, and clocks run."""
    phone.route_web_socket("**/ws/**", lambda socket: socket.close(code=1013))
    table.start(("Anna", "Ben"))
    table.play(0, OPENING[0])
    phone.goto(server.url(f"/watch/{table.table}"))
    table.play(1, OPENING[1])
    expect(phone.locator("main [role=status]")).to_contain_text("plays COPY")
    expect(phone.locator("#line")).to_have_text("")
    table.record(EndRackPoints(1, 26, read_tiles("QY")))
    phone.goto(server.url("/watch"))
    phone.get_by_text("Finished games").click()
    phone.locator(".earlier a").first.click()
    expect(phone.locator(".sheet tbody tr")).to_have_count(3)
    expect(phone).to_have_url(re.compile("/watch/game/"))


@pytest.mark.further
def test_a_shared_move_stays_with_its_game(phone: Page, server: Server, table: TableWriter) -> None:
    """The next round begins at the table: who looks at a move of the last game goes on with it."""
    table.start(("Anna", "Ben"))
    for at, text in enumerate(OPENING[:3]):
        table.play(at % 2, text)
    phone.goto(server.url(f"/watch/{table.table}"))
    expect(phone).to_have_url(re.compile(f"/watch/game/{table.table}/g1$"))
    phone.goto(server.url(f"/watch/{table.table}#2"))
    expect(phone).to_have_url(re.compile(f"/watch/game/{table.table}/g1#2$"))
    shared = phone.url
    table.record(EndRackPoints(1, 26, read_tiles("QY")))
    table.start(("Cleo", "Dave"), game="g2")
    table.play(0, "8D QUARTZ")
    with suppress(Error):  # the page may just be on its way to its own address again
        phone.goto("about:blank")
    phone.goto(shared)
    expect(phone.locator(".sheet tr.chosen")).to_contain_text("COPY")
    expect(phone.locator(".plates")).to_contain_text("Anna")
    phone.goto(server.url(f"/watch/{table.table}"))
    expect(phone.locator(".plates")).to_contain_text("Cleo")


@pytest.mark.further
def test_a_past_move_shows_who_was_next_and_all_that_lay_there(
    phone: Page, server: Server, table: TableWriter
) -> None:
    """Before the first move who moves first; tiles of turns that nobody saw lie there too."""
    table.start(("Anna", "Ben"))
    table.play(0, OPENING[0])
    laid = zip(("6F", "7F", "9F"), read_tiles("COY"), strict=True)
    table.record(Unseen(1, tuple((parse_square(name)[0], tile) for name, tile in laid)))
    table.play(0, OPENING[2])
    phone.goto(server.url(f"/watch/{table.table}"))
    expect(phone.locator(".plate.on-turn")).to_contain_text("Ben")
    for tiles, name in ((9, "Anna"), (6, "Ben"), (0, "Anna")):
        phone.keyboard.press("ArrowLeft")
        expect(phone.locator(".tile")).to_have_count(tiles)
        expect(phone.locator(".plate.on-turn")).to_contain_text(name)


@pytest.mark.further
def test_behind_a_cache_no_page_opens_a_socket(phone: Page, tmp_path: Path) -> None:
    """``--cached``: the page itself may be kept, and a play comes all the same."""
    table = TableWriter(tmp_path / "log.db", at=now_ms())
    table.start(("Anna", "Ben"))
    sockets: list[str] = []
    phone.on("websocket", lambda socket: sockets.append(socket.url))
    server = Server(tmp_path / "log.db", free_port())
    server.start("--cached")
    try:
        phone.goto(server.url("/watch/1"))
        expect(phone.locator("main h1")).to_contain_text("Table 1")
        table.play(0, OPENING[0])
        expect(phone.locator("main [role=status]")).to_contain_text("plays ZEPHYR")
    finally:
        server.kill()
        table.log.close()
    assert sockets == []


@pytest.mark.further
def test_on_a_wide_screen_the_newest_move_is_in_sight(
    browser: Browser, server: Server, table: TableWriter
) -> None:
    """The sheet scrolls by itself there: to the newest line, to one that is asked for, and back."""
    table.start()
    for at, text in enumerate(OPENING[:-1]):
        table.play(at % 2, text)
    page = browser.new_page(viewport={"width": 1280, "height": 560})
    page.goto(server.url(f"/watch/{table.table}"))
    newest, first = page.locator(".sheet tbody tr").nth(8), page.locator(".sheet tbody tr").nth(0)
    expect(page.locator(".sheet tbody tr")).to_have_count(9)
    expect(newest).to_be_in_viewport(ratio=0.9)
    page.get_by_role("button", name="First move").click()
    page.keyboard.press("ArrowRight")
    expect(first).to_be_in_viewport(ratio=0.9)
    expect(newest).not_to_be_in_viewport(ratio=0.9)
    page.get_by_role("button", name="Last move").click()
    table.play(1, OPENING[-1])
    expect(page.locator(".sheet tbody tr").nth(9)).to_be_in_viewport(ratio=0.9)
    page.close()


@pytest.mark.further
def test_a_folder_of_files_is_the_same_page(phone: Page, tmp_path: Path) -> None:
    """Served by a web server that knows nothing of us."""
    names = ("Anna", "Ben")
    table = TableWriter(tmp_path / "log.db", at=1_700_000_000_000)
    table.start(names)
    for at, text in enumerate(OPENING):
        table.play(at % 2, text)
    table.record(EndRackPoints(1, 26, read_tiles("QY")))
    table.log.close()
    out = tmp_path / "deep" / "site"
    assert tilecast.main(["export", "site", str(tmp_path / "log.db"), str(out)]) == 0
    with serving_files(tmp_path) as address:
        phone.goto(f"{address}/deep/site/")
        phone.locator(".card").click()
        looked_at(phone, names)


DAY = (
    "about name Harbour Open", "player A Ashdown, Vera 1905", "player A Dube, Thandi 1500",
    "player A Eklund, Saga 1700", "player A Okafor, Chidi 1600", "round A 1 1:1-2 2:3-4",
    "result A 1 1 109 2 147", "result A 1 3 120 4 90",
)  # fmt: skip


def write_day(log: SqliteEventLog) -> None:
    """A round of two games, one of them with a bingo and an upset."""
    write_orders(log, DAY, now_ms() - 100_000)
    pairs = (("Vera Ashdown", "Thandi Dube"), ("Saga Eklund", "Chidi Okafor"))
    for number, names in enumerate(pairs, 1):
        table = TableWriter(log, at=now_ms() - 90_000, table=number)
        first, second = 2 * number - 1, 2 * number
        pairing = Pairing(division="A", round=1, first=first, second=second)
        table.start(names, game=f"A-1-{number}", pairing=pairing)
        table.play(0, "8D ZEPHYR")
        table.play(1, "F6 CO.YISTs")
        table.record(EndRackPoints(1, 26, read_tiles("QY")))


@pytest.mark.further
def test_the_event_has_the_look_of_the_games_and_its_highlights(
    phone: Page, tmp_path: Path
) -> None:
    """One head, one theme, tabs; the highlights lead to their games; German beside English."""
    server = Server(tmp_path / "log.db", free_port())
    with SqliteEventLog(server.log) as log:
        write_day(log)
        server.start()
        try:
            phone.goto(server.url("/watch"))
            expect(phone.locator(".bar .home")).to_have_text("Harbour Open")
            head = "getComputedStyle(document.body).backgroundColor"
            look = phone.evaluate(head)
            phone.locator(".tabs a").nth(1).click()
            expect(phone.locator(".tabs [aria-current]")).to_have_text("Pairings and standings")
            assert phone.evaluate(head) == look
            cards = phone.locator(".highlight-cards a")
            expect(cards).to_have_count(6)
            said = {
                card.locator("span").first.inner_text(): card.inner_text() for card in cards.all()
            }
            assert "Thandi Dube: COPYISTS" in said["Highest play"]
            assert "Thandi Dube \u00b7 Chidi Okafor: 1 bingo" in said["Most bingos"]
            assert "Thandi Dube (rated 405 lower)" in said["Biggest upset"]
            assert phone.locator(".earlier li").count() == 2
            assert phone.evaluate(WIDE)
            phone.goto(server.url("/event?lang=de"))
            expect(phone.locator("h2", has_text="H\u00f6hepunkte")).to_be_visible()
            assert phone.evaluate(WIDE)
            assert "Standings" not in phone.locator("body").inner_text()
            phone.set_viewport_size({"width": 1440, "height": 900})
            for address, average in (("/event", "147.0"), ("/event?lang=de", "147,0")):
                phone.goto(server.url(address))
                expect(phone.locator("td.roomy").first).to_have_text(average)
            phone.set_viewport_size({"width": 390, "height": 844})
            phone.goto(server.url("/event?lang=de"))
            phone.locator(".highlight-cards a").first.click()
            expect(phone.locator("h1")).to_have_text("Harbour Open \u00b7 Round 1 \u00b7 Table 1")
            expect(phone.locator(".curves .graph")).to_have_count(1)
            phone.goto(server.url("/watch/1?lang=de"))
            expect(phone.locator("h1")).to_have_text("Harbour Open \u00b7 Runde 1 \u00b7 Tisch 1")
        finally:
            server.kill()


@pytest.mark.further
def test_spectators_come_back_one_after_the_other(phone: Page, server: Server) -> None:
    """A server that was away is not stormed: they spread over ten seconds, overlays do not wait."""
    phone.goto(server.url("/event"))
    waits = """async (calm) => {
        const static_ = document.documentElement.dataset.assets;
        const { pausesFor } = await import(`/static/${static_}/js/shared/link.js`);
        return Array.from({ length: 400 }, () => pausesFor(calm).next());
    }"""
    home = sorted(phone.evaluate(waits, 5))
    assert home[0] < 1000
    assert 9000 < home[-1] <= 10_000
    assert 4000 < home[200] < 6000
    assert max(phone.evaluate(waits, 1)) <= 200
