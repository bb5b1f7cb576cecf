"""What people type and ask for: odd names, options that are none, turns not public yet."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from dashboard.live.scenes import EVENT_SCENES, SCENE_LIST, Scene
from recorder.bus.broker import free_port
from recorder.domain.event.seating import Pairing
from recorder.domain.game import EndRackPoints, Penalty, TimePenalty
from recorder.domain.tile_text import read_tiles
from recorder.log.sqlite import SqliteEventLog
from tests.browser.conftest import Screen, Server, now_ms, sign_in
from tests.browser.overlays.test_scenes import OUTSIDE
from tests.cases import first_of
from tests.dashboard.table_writer import OPENING, TableWriter
from tests.event.fields import write_orders
from tests.eventually import eventually

pytestmark = pytest.mark.browser

NAMES = (
    ("😀 Zoë 🎲🎲 Müller 👩🏽‍🚀", "Æ"),
    ("מרים בן־דוד אלקלעי הכהן", "محمد عبد الرحمن بن عبد العزيز آل سعود"),
    ("X" * 60, "Maximiliane A Wolfeschlegelsteinhausenbergerdorff-Großwörth"),
    ("<img src=x onerror=alert(1)>", "B\u0301\u0301\u0301\u0301e\u0323\u0302n &amp; {{7*7}}"),
    ("", "   "),
    ("Madonna", "W" * 80),
    ("Z\u0335\u0321\u0322\u0327\u0328a\u0334lgo\u0338\u0301\u0302\u0303", "\U0001f469" * 12),
)
OF_A_GAME = [
    scene for scene in SCENE_LIST if scene.name not in {*EVENT_SCENES, "next", "qr", "tables"}
]
AT_THE_END = (TimePenalty(0, 10), TimePenalty(1, 20), Penalty(1, 50, ""))
SPILT = """() => [...document.querySelectorAll("body *")].filter((one) => {
    const is = getComputedStyle(one);
    return one.clientWidth && one.scrollWidth > one.clientWidth + 1 && is.overflowX === "visible"
        && is.display !== "inline" && !one.closest(".sr, svg, .fitted")
        && ![...one.children].some((in_it) => in_it.scrollWidth > in_it.clientWidth + 1);
}).map((one) => `${one.tagName}.${one.className}: ${one.textContent.slice(0, 40)}`)"""
"""Boxes that what is in them sticks out of."""
BLANK = """() => [...document.querySelectorAll("button, a, h1, h2, summary, .name")].filter((one) =>
    one.getClientRects().length && !one.textContent.trim() && !one.getAttribute("aria-label")
    && !one.querySelector("img, svg, canvas")).map((one) => one.outerHTML.slice(0, 90))"""
"""What there is to press or to read, and nothing is written on it."""
SQUEEZED = """() => [...document.querySelectorAll(".fitted .written")].filter(
    (line) => parseFloat(line.style.transform.slice(7)) < 0.8).map((line) => line.textContent[0])"""

NAMELESS = """() => [...document.querySelectorAll(".fitted")].filter(
    ({ title, textContent }) => /Müller/.test(title) && !/Müller/.test(textContent)).length"""


def play_under(names: tuple[str, str], number: int, table: TableWriter, game: str) -> None:
    """Three turns of a game; every other one is over, with points taken off at its end."""
    table.start(names, game=f"{game}-{number}")
    for at, text in enumerate(OPENING[:3]):
        table.play(at % 2, text)
    if number % 2:
        table.record(EndRackPoints(1, 26, read_tiles("QY")))
    for adjustment in AT_THE_END[: number if number % 2 else 0]:
        table.record(adjustment)


@pytest.mark.parametrize("scene", first_of(2, OF_A_GAME), ids=lambda scene: scene.name)
def test_names_of_every_kind_stay_in_their_boxes(
    screen: Screen, server: Server, table: TableWriter, scene: Scene
) -> None:
    """Emoji, right to left, sixty letters, markup: on air nothing leaves its panel."""
    page = screen.page
    page.emulate_media(reduced_motion="reduce")  # else what is new comes in from outside
    page.set_viewport_size({"width": scene.width, "height": scene.height})
    for number, names in enumerate(NAMES):
        play_under(names, number, table, scene.name)
        if not number:  # the games after it come to the page that is open
            page.goto(server.url(f"/overlay/{scene.name}?table={table.table}"))
        page.wait_for_selector(f"#scene[data-seq='{table.rows[-1].seq}']")
        page.evaluate("document.fonts.ready")
        screen.shows(f"({NAMELESS})() === 0")  # emoji are no surname
        assert page.evaluate(OUTSIDE) == [], names
        assert page.evaluate(BLANK) == [], names
        assert set(page.evaluate(SQUEEZED)) <= {"X", "W"}, names
    assert screen.complaints == []


@pytest.mark.further
def test_names_of_every_kind_fit_the_pages_at_home(
    screen: Screen, server: Server, table: TableWriter
) -> None:
    page = screen.page
    for number, names in enumerate(NAMES):
        play_under(names, number, table, "told")
        fields = server.url(f"/o/table-{table.table}/fields.json")
        eventually(lambda at=fields: page.request.get(at).json()["p1_name"].strip(), f"{names}")
        said = server.url(f"/api/table/{table.table}/captions.vtt")
        if not names[0]:
            eventually(lambda at=said: "Player 2 plays COPY" in page.request.get(at).text())
        page.set_viewport_size({"width": 390, "height": 844})
        page.goto(server.url(f"/watch/{table.table}"))
        page.wait_for_selector(".sheet tbody tr")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), names
        page.goto(server.url("/watch"))
        page.wait_for_selector(".fitted .written")
        assert page.evaluate(NAMELESS) == 0, "emoji are no surname"
    assert page.locator("main img[src='x']").count() == 0
    assert screen.complaints == []


@pytest.mark.further
@pytest.mark.parametrize("count", first_of(1, [3, len(NAMES)]))
def test_names_of_every_kind_fit_the_pages_of_staff(
    screen: Screen, tmp_path: Path, count: int
) -> None:
    """At a desk and on a phone: nothing sticks out, and no button and no name is empty."""
    page, server, tried = screen.page, Server(tmp_path / "log.db", free_port()), NAMES[-count:]
    with SqliteEventLog(server.log) as log:
        for number, names in enumerate(tried, start=1):
            table = TableWriter(log, at=now_ms() - 60_000, table=number)
            table.start(names, game=f"g{number}")
            for at, text in enumerate(OPENING[:5]):
                table.play(at % 2, text)
        server.start()
        try:
            sign_in(page, server)
            paths = ["/director", "/watch"]
            for number in range(1, count + 1):
                paths += [f"/{page}?table={number}" for page in ("director", "commentator")]
                paths += [f"/{page}/{number}" for page in ("watch", "clock", "pad")]
            for path in paths:
                page.goto(server.url(path))
                page.wait_for_timeout(200)
                for width, height in ((1440, 900), (390, 844)):
                    page.set_viewport_size({"width": width, "height": height})
                    wide = page.evaluate("document.documentElement.scrollWidth")
                    assert wide <= width, path
                    assert page.evaluate(SPILT) == [], (path, width)
                    assert page.evaluate(BLANK) == [], (path, width)
            empty = tried.index(("", "   ")) + 1
            page.goto(server.url(f"/director?table={empty}"))
            expect(page.locator(".record")).to_contain_text("Player 2")
            record = page.request.get(server.url(f"/api/table/{empty}/export/gcg")).text()
            assert "#player1 player1 player1" in record
        finally:
            server.kill()


PARTS = """() => [...document.querySelectorAll(".highlight-cards b")].flatMap((line) => {
    const text = line.firstChild, at = text.data.search(/\\d+\u2013\\d+/);
    if (at < 0) return [];
    const left = [at, text.data.indexOf("\u2013", at) + 1].map((start) => {
        const range = document.createRange();
        range.setStart(text, start);
        range.setEnd(text, start + 1);
        return range.getBoundingClientRect().left;
    });
    return [left[0] < left[1]];
})"""
"""Of each line with a score: whether the first total is left of the second one."""


@pytest.mark.further
def test_names_of_every_kind_fit_the_pages_of_the_event(screen: Screen, tmp_path: Path) -> None:
    """On a phone nothing is wider than it; a name from the right turns no score round."""
    names = [name for pair in NAMES[:3] for name in pair]
    pairs = [(n, n + 1) for n in range(1, len(names), 2)]
    day = [["about", "name", "\U0001f3b2", "X" * 40, "<i>am</i>", "\u05de\u05e8\u05d9\u05dd"]]
    day += [["player", "A", *name.split()] for name in names]
    day += [["round", "A", "1", *(f"{at}:{a}-{b}" for at, (a, b) in enumerate(pairs, 1))]]
    day += [["result", "A", "1", str(a), "431", str(b), "380"] for a, b in pairs]
    server = Server(tmp_path / "log.db", free_port())
    with SqliteEventLog(server.log) as log:
        write_orders(log, day, now_ms() - 100_000)
        for at, (first, second) in enumerate(pairs, 1):
            table = TableWriter(log, at=now_ms() - 90_000, table=at)
            pairing = Pairing(division="A", round=1, first=first, second=second)
            seated = (names[first - 1], names[second - 1])
            table.start(seated, game=f"A-1-{at}", pairing=pairing)
            table.play(0, OPENING[0])
            table.record(EndRackPoints(1, 26, read_tiles("QY")))
        server.start()
        try:
            sign_in(screen.page, server)
            screen.page.set_viewport_size({"width": 390, "height": 844})
            for path in ("/event", "/director/event", "/watch"):
                screen.page.goto(server.url(path))
                expect(screen.page.locator("body")).to_contain_text("X" * 60)
                wide = "document.documentElement.scrollWidth"
                assert screen.page.evaluate(f"{wide} <= innerWidth"), path
            screen.page.goto(server.url("/commentator?table=3"))
            screen.page.get_by_role("button", name="Notes and form").click()
            expect(screen.page.locator("#notes")).to_contain_text("X" * 60)
            notes = "document.querySelector('#notes')"
            assert screen.page.evaluate(f"{notes}.scrollWidth <= {notes}.clientWidth")
            screen.page.goto(server.url("/event"))
            screen.page.wait_for_selector(".highlight-cards b")
            turned = screen.page.evaluate(PARTS)
            assert turned
            assert all(turned)
            screen.page.set_viewport_size({"width": 1920, "height": 1080})
            for scene in EVENT_SCENES:
                screen.page.goto(server.url(f"/overlay/{scene}?table=2"))
                screen.shows("document.querySelector('#scene').dataset.online === 'true'")
                screen.page.evaluate("document.fonts.ready")
                assert screen.page.evaluate(OUTSIDE) == [], scene
            told = screen.page.request.get(server.url("/watch/game/2/A-1-2")).text()
            assert f"\u2068{names[2]}\u2069 66 \u2013 " in told, "the title of a shared link"
        finally:
            server.kill()
    assert screen.complaints == []


@pytest.mark.further
def test_a_turn_that_is_not_public_yet_is_not_shown(
    screen: Screen, server: Server, table: TableWriter
) -> None:
    """A link to a later turn shows the newest one; what directors look back at is theirs alone."""
    table.start()
    for at, text in enumerate(OPENING[:3]):
        table.play(at % 2, text)
    for step in ("#7", "#-1", "#2.9", "#%00", "#1e3"):
        screen.page.goto(server.url("/watch"))
        screen.page.goto(server.url(f"/watch/{table.table}{step}"))
        screen.page.wait_for_selector(".sheet tbody tr")
        assert screen.page.locator(".stage .tile").count() == 6 + 3 + 3, step
    for path in (f"/api/table/{table.table}/at/2", f"/api/row/{table.rows[1].seq}"):
        answer = screen.page.request.get(server.url(path), max_redirects=0)
        assert answer.status in {303, 401, 403}, path
    assert screen.complaints == []
