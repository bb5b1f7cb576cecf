"""The director's first screen: photographs of a turn, score sheet, what is on its way to air."""

import hashlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from recorder.bus.broker import free_port
from recorder.domain.game import Passed, Played
from recorder.domain.plays import parse_placement
from recorder.log.sqlite import SqliteEventLog
from tests.browser.conftest import Screen, Server, now_ms, sign_in
from tests.browser.test_tools import DOUBT
from tests.dashboard.table_writer import OPENING, TableWriter, look_at

cv2 = pytest.importorskip("cv2")
np = pytest.importorskip("numpy")

pytestmark = pytest.mark.browser

DELAY_S = 300
CORNERS = ((100.0, 100.0), (1000.0, 100.0), (1000.0, 1000.0), (100.0, 1000.0))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("venue")
    (made / "pictures").mkdir()
    return made


@pytest.fixture(scope="module")
def late(folder: Path) -> Iterator[Server]:
    """A dashboard whose public is five minutes late, and which sees the cameras' pictures."""
    server = Server(folder / "log.db", free_port())
    server.start("--delay", str(DELAY_S), "--pictures", str(folder / "pictures"))
    yield server
    server.kill()


@pytest.fixture(scope="module")
def game(folder: Path, late: Server) -> Iterator[TableWriter]:
    """Two turns with photographs: the first is on air, the second waits and was corrected."""
    with SqliteEventLog(late.log) as log:
        table = TableWriter(log, at=now_ms() - 2 * DELAY_S * 1000)
        table.start(("Anna", "Ben"))
        assert table.state is not None
        before = table.observe(
            look_at(table.state, {"8D": "Z"}, picture=photograph(folder, ()), corners=CORNERS)
        )
        table.play(0, "8D ZEPHYR", refs=[before.seq])
        table.at = now_ms()
        red = photograph(folder, ((5, 5), (6, 5), (8, 5)))
        after = table.observe(look_at(table.state, {"6F": "C"}, picture=red, corners=CORNERS))
        first = table.play(1, "F6 CO.Y", refs=[after.seq])
        table.correct(first.seq, Played(1, parse_placement("F6 CO.Y"), 99))
        table.play(0, "6F .AVE", doubt=DOUBT)
        yield table


def photograph(folder: Path, red: tuple[tuple[int, int], ...]) -> str:
    """A picture with a board from (100, 100) to (1000, 1000), some squares red; its name."""
    image = np.full((1100, 1100, 3), 40, np.uint8)
    for row, col in red:
        image[100 + row * 60 : 160 + row * 60, 100 + col * 60 : 160 + col * 60] = (0, 0, 255)
    data = bytes(cv2.imencode(".jpg", image)[1])
    name = hashlib.sha256(data).hexdigest()
    file = folder / "pictures" / "cam-1" / name[:2] / f"{name}.jpg"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data)
    return name


@pytest.mark.further
def test_the_first_screen_shows_turns_in_order_their_photographs_and_the_way_to_air(
    screen: Screen, late: Server, game: TableWriter
) -> None:
    """All without scrolling on 1440 by 900, and in words: no row, no field, no bare number."""
    page = screen.page
    page.set_viewport_size({"width": 1440, "height": 900})
    sign_in(page, late)
    page.goto(late.url("/director?table=1"))
    page.wait_for_selector(".need.doubt")
    lines = [line.split() for line in page.locator(".lines .entry .said").all_inner_texts()]
    assert [words[:2] for words in lines] == [["8D", "ZEPHYR"], ["F6", "COPY"], ["6F", "CAVE"]]
    assert "was: F6 CO.Y" in screen.text(".lines .entry >> nth=1")
    room = page.locator(".lines .facts-said").first.bounding_box()
    assert room["width"] > 200, "what was corrected has the width of the line"
    assert "+99" in screen.text(".lines .entry >> nth=1")
    assert page.title().startswith("(1) ")
    answers = page.locator(".need .answers button").all_inner_texts()
    assert answers == ["6F .AVE +9", "pass"]

    assert "5 min behind the table" in screen.text(".air h2")
    assert "8D ZEPHYR +" in screen.text(".air-line >> nth=0")
    screen.shows("/in [0-9]+ s/.test(document.querySelector('.air-line.waiting .mark').innerText)")
    page.locator(".air-line.waiting button").first.click()

    spot = "document.querySelector('canvas.{}').getContext('2d').getImageData({}, {}, 1, 1).data"
    red = f"{spot}[0] > 200 && {spot}[1] < 60"
    screen.shows(red.format("after", 5 * 40 + 20, 8 * 40 + 20, "after", 5 * 40 + 20, 8 * 40 + 20))
    assert not page.evaluate(red.format("before", 220, 340, "before", 220, 340))
    corner = spot.format("after", 5 * 40 + 1, 8 * 40 + 20)
    assert page.evaluate(f"{corner}[1] > 150 && {corner}[2] < 120"), "a changed square is outlined"
    assert page.locator(".strip figcaption b").all_inner_texts() == ["C", "O", "P", "Y"]
    foot = page.locator(".strip").bounding_box()
    assert foot["y"] + foot["height"] <= 900

    page.get_by_role("button", name="Board", exact=True).click()
    assert page.locator(".framed-board").is_visible()
    page.keyboard.press("k")
    page.wait_for_selector(".lines [aria-selected=true]:has-text('ZEPHYR')")
    assert "No photograph before" in screen.text(".photographs")
    for telltale in ("row ", "nats", "candidate", "game.played", "board.seen", "_"):
        assert telltale not in page.inner_text("main")
    assert screen.complaints == []


@pytest.mark.further
@pytest.mark.usefixtures("game")
def test_a_director_is_called_when_something_new_is_open(screen: Screen, late: Server) -> None:
    """By the number in the title, in words for a screen reader; by a tone where that is wanted.

    There are two tables: one alone is shown at once, without the list of all.
    """
    page = screen.page
    with SqliteEventLog(late.log) as log:
        table = TableWriter(log, at=now_ms(), table=2)
        table.start(("Cleo", "Dan"))
        sign_in(page, late)
        page.goto(late.url("/director"))
        page.wait_for_selector(".glance-line[data-number='2']")
        assert "all well" in screen.text(".glance-line[data-number='2']")
        page.get_by_role("button", name="Sound").click()
        assert page.locator("#call-sound").get_attribute("aria-pressed") == "true"
        before = page.title()
        table.record(Passed(0), doubt=DOUBT)
        page.wait_for_selector(".glance.urgent[data-number='2']")
        screen.shows("document.querySelector('#called').textContent.startsWith('Table 2. Doubt')")
        assert page.title() != before
    assert screen.complaints == []


HEARD = """() => {
    window.loudest = 0; window.pitch = 0; window.notes = [];
    const connect = AudioNode.prototype.connect;
    AudioNode.prototype.connect = function (target, ...rest) {
        if (target === this.context.destination) {
            const ear = new AnalyserNode(this.context, { fftSize: 8192 });
            connect.call(this, ear);
            const [waves, pitches] = [new Float32Array(8192), new Float32Array(4096)];
            const listen = () => {
                ear.getFloatTimeDomainData(waves);
                ear.getFloatFrequencyData(pitches);
                const loud = Math.max(...waves);
                if (loud > window.loudest) {
                    window.loudest = loud;
                    const at = pitches.indexOf(Math.max(...pitches));
                    window.pitch = (at * this.context.sampleRate) / 8192;
                }
                setTimeout(listen, 10);
            };
            listen();
        }
        return connect.call(this, target, ...rest);
    };
    const System = window.Notification;
    window.Notification = class extends System {
        static permission = "granted";

        constructor(title, options) {
            super(title, options);
            window.notes.push([this.title, this.body]);
        }
    };
}"""
"""What goes to the loudspeaker, and what the system is asked to show; both still go there. A
browser without windows grants no notifications, so that alone is said for it."""
AWAY = """() => Object.defineProperty(document, "hidden", { get: () => true })"""


@pytest.mark.further
def test_a_director_who_is_away_hears_and_reads_what_is_new(
    browser: Browser, late: Server, folder: Path
) -> None:
    """A tone of 660 Hz in the loudspeaker; a notification only while the page is out of sight."""
    context = browser.new_context()
    page = context.new_page()
    page.add_init_script(f"({HEARD})()")
    screen = Screen(page)
    with SqliteEventLog(late.log) as log:
        table = TableWriter(log, at=now_ms(), table=3)
        table.start(("Eva", "Finn"))
        TableWriter(log, at=now_ms(), table=5).start(("Ina", "Jan"))  # all tables, not this one
        sign_in(page, late)
        page.goto(late.url("/director"))
        page.wait_for_selector(".glance-line[data-number='3']")
        page.get_by_role("button", name="Sound").click()
        page.get_by_role("button", name="Notify").click()
        screen.shows("window.loudest > 0.1")
        page.wait_for_timeout(500)
        page.evaluate("window.loudest = 0")
        title = page.title()
        table.record(Passed(0), doubt=DOUBT)
        screen.shows("window.loudest > 0.1")
        screen.shows("Math.abs(window.pitch - 660) < 15")
        assert page.evaluate("window.notes") == []
        page.evaluate(AWAY)
        table.record(Passed(1), doubt=DOUBT)
        screen.shows("window.notes.length === 1")
        ((heading, text),) = page.evaluate("window.notes")
        assert heading in title
        assert text.startswith("Table 3. Doubt")
    context.close()


def test_the_newest_turn_is_in_sight_until_one_is_chosen(screen: Screen, late: Server) -> None:
    """A sheet longer than its column follows the game, and stays where the director looks."""
    page = screen.page
    page.set_viewport_size({"width": 1440, "height": 760})
    with SqliteEventLog(late.log) as log:
        table = TableWriter(log, at=now_ms(), table=4)
        table.start(("Gro", "Hal"))
        for at, text in enumerate(OPENING[:8]):
            table.play(at % 2, text)
        sign_in(page, late)
        page.goto(late.url("/director?table=4"))
        entries = page.locator(".lines .entry")
        expect(entries).to_have_count(8)
        expect(entries.nth(7)).to_be_in_viewport(ratio=0.8)
        table.play(0, OPENING[8])
        expect(entries.nth(8)).to_be_in_viewport(ratio=0.8)
        page.locator(".lines").evaluate("(lines) => { lines.scrollTop = 0; }")
        entries.nth(0).click()
        table.play(1, OPENING[9])
        expect(entries).to_have_count(10)
        expect(entries.nth(0)).to_be_in_viewport(ratio=0.8)
