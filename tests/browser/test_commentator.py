"""The commentator's page in a real browser, with a small list of the event's own."""

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from recorder.bus.broker import free_port, start_broker
from recorder.domain.game import EndRackPoints, Passed
from recorder.domain.observations import ClockPressed, RackCounted, RackSeen, Side
from recorder.domain.tile_text import read_tiles
from recorder.log.sqlite import SqliteEventLog
from tests.browser.conftest import Screen, Server, now_ms, sign_in
from tests.cases import first_of
from tests.dashboard.table_writer import OPENING, TableWriter

pytestmark = pytest.mark.browser

WORDS = """ZEPHYR ZEPHYRS COPY CAVE CAVES EARN NOBLE ELF OAF OTTER STIR GNUS HAVE RETAINS NASTIER
STAINER TRAINS AT TA TAR ART RAT STAR QI ES AS"""
RACKS = ("ZEPHYRS", "COYTELN", "AVEIRST", "ANTHULE", "BOLETEI", "LFRIOUS")
CUT = """[...document.querySelectorAll(".sheet td.what")].filter((cell) => {
    const word = cell.querySelector("b");
    return word && word.getBoundingClientRect().right > cell.getBoundingClientRect().right;
}).map((cell) => cell.innerText)"""
_TABLES = itertools.count(1)
SCROLLS = """document.documentElement.scrollHeight > innerHeight
    || document.documentElement.scrollWidth > innerWidth"""


@pytest.fixture(scope="module")
def booth(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A dashboard with a list of words."""
    folder = tmp_path_factory.mktemp("booth")
    words = folder / "event.txt"
    words.write_text("\n".join(WORDS.split()), encoding="utf-8")
    server = Server(folder / "log.db", free_port())
    server.start("--words", str(words))
    yield server
    server.kill()


@pytest.fixture(scope="module")
def booth_log(booth: Server) -> Iterator[SqliteEventLog]:
    with SqliteEventLog(booth.log) as log:
        yield log


@pytest.fixture
def game(booth_log: SqliteEventLog) -> TableWriter:
    """Six turns at a table of its own, with racks and a clock."""
    writer = TableWriter(booth_log, at=now_ms() - 60_000, table=next(_TABLES))
    writer.start()
    times = [1_500_000, 1_500_000]
    for turn, text in enumerate(OPENING[:6]):
        player = turn % 2
        side = (Side.LEFT, Side.RIGHT)[player]
        see(writer, side, RACKS[turn])
        times[player] -= 40_000 + 1000 * turn
        running = (Side.RIGHT, Side.LEFT)[player]
        ended = writer.observe(
            ClockPressed(side=side, left_ms=times[0], right_ms=times[1], running=running), "clock"
        )
        writer.play(player, text, refs=[ended.seq])
    see(writer, Side.LEFT, "RETAINS")
    return writer


def see(writer: TableWriter, side: Side, letters: str, **rest: Any) -> None:
    look = RackSeen(
        side=side, letters=read_tiles(letters), slots=read_tiles(letters), confidence=0.98, **rest
    )
    writer.observe(look, f"rack-{side}")


def open_page(screen: Screen, server: Server, table: int, size: tuple[int, int]) -> None:
    screen.page.set_viewport_size({"width": size[0], "height": size[1]})
    sign_in(screen.page, server)
    screen.page.goto(server.url(f"/commentator?table={table}"))
    screen.page.wait_for_selector(".commentary")


@pytest.fixture
def page(screen: Screen, booth: Server, game: TableWriter) -> Screen:
    open_page(screen, booth, game.table, (1366, 768))
    return screen


def tiles(screen: Screen) -> int:
    """How many tiles lie on the board that is shown."""
    return screen.page.locator(".framed .tile:not(.forming)").count()


@pytest.mark.further
@pytest.mark.parametrize("size", first_of(1, [[1366, 650], [1366, 768], [1920, 1080]]))
def test_it_fits_the_screen(
    screen: Screen, booth: Server, game: TableWriter, size: tuple[int, int]
) -> None:
    """Nothing scrolls but the lists in their boxes, and every panel is on the screen."""
    for number in range(24):
        game.record(Passed(number % 2))
    open_page(screen, booth, game.table, size)
    screen.page.wait_for_selector(".plays .play")
    screen.shows("document.querySelectorAll('.sheet tbody tr').length === 30")
    assert not screen.page.evaluate(SCROLLS)
    for panel in (".players", ".framed", ".best", ".chance", ".hooks", ".draw", ".pool", ".sheet"):
        box = screen.page.locator(panel).bounding_box()
        assert box["x"] >= 0, panel
        assert box["y"] + box["height"] <= size[1], panel
        assert box["x"] + box["width"] <= size[0], panel
    clipped = "[...document.querySelectorAll('.draw, .pool, .chance, .hooks')]"
    assert screen.page.evaluate(f"{clipped}.every((one) => one.scrollWidth <= one.clientWidth)")
    # The play's own word is whole; what it made beside it may be cut.
    assert screen.page.evaluate(CUT) == []
    # A column is one: its panels begin and end together.
    for column in (".middle > *", ".right > section"):
        edges = screen.page.evaluate(
            f"[...document.querySelectorAll('.commentary {column}')].map((one) => "
            "{ const box = one.getBoundingClientRect(); return [box.left, box.right]; })"
        )
        assert len(edges) > 1, column
        assert len({tuple(map(round, edge)) for edge in edges}) == 1, column
    assert screen.complaints == []


def test_both_racks_with_what_is_doubtful(page: Screen, game: TableWriter) -> None:
    """Letters, a dashed edge for doubt, a count beside it; the other rack stays unknown."""
    see(game, Side.RIGHT, "J?XLSO", doubtful=(3,))
    game.observe(RackCounted(side=Side.RIGHT, places="#######", confidence=0.99), "count")
    page.shows("document.querySelectorAll('.slot.doubtful').length === 1")
    note = "document.querySelector('.player-1 .note').innerText"
    page.shows(f"{note}.includes('place 3 in doubt') && {note}.includes('7 counted')")
    label = page.page.locator(".player-1 .slots").get_attribute("aria-label")
    assert label is not None
    assert "J blank X L S O" in label
    see(game, Side.RIGHT, "")
    page.shows("document.querySelectorAll('.player-1 .slot.back').length === 7")
    page.shows(f"{note} === '7 counted, letters not known'")


def test_keys_step_through_the_game(page: Screen) -> None:
    """Board, scores, clock, time and verdict of each turn; End is live again."""
    total = tiles(page)
    page.page.keyboard.press("ArrowLeft")
    page.page.keyboard.press("ArrowLeft")
    page.shows("document.querySelector('tr.chosen')?.dataset.line === '4'")
    assert tiles(page) == total - 2
    page.page.keyboard.press("Home")
    page.shows("document.querySelector('tr.chosen')?.dataset.line === '0'")
    assert tiles(page) == 6
    row = page.text("tr.chosen").split()
    assert {"8D", "ZEPHYR", "valid", "+66"} <= set(row)
    assert page.text(".player-0 .points") == "66"
    assert page.text(".player-0 .still") == "24:20"
    assert "Z" in page.text(".player-0 .slots")
    page.page.keyboard.press("ArrowRight")
    page.shows("document.querySelector('tr.chosen')?.dataset.line === '1'")
    page.page.keyboard.press("End")
    page.shows("document.querySelector('tr.chosen') === null")
    assert tiles(page) == total
    assert page.complaints == []


def test_best_plays_are_shown_on_the_board_and_can_be_hidden(page: Screen) -> None:
    """The arrow keys go through them; hiding lasts for the next visit."""
    page.page.wait_for_selector(".plays .play")
    assert "RETAINS" in page.text(".best .for")
    before = tiles(page)
    page.page.keyboard.press("p")
    page.shows("document.querySelectorAll('.framed .tile.forming').length > 0")
    first = page.page.evaluate("document.activeElement.innerText")
    page.page.keyboard.press("ArrowDown")
    assert page.page.evaluate("document.activeElement.innerText") != first
    assert tiles(page) == before
    page.page.keyboard.press("b")
    assert page.page.locator(".plays").count() == 0
    page.page.reload()
    page.page.wait_for_selector(".best")
    assert page.page.locator(".plays").count() == 0
    page.page.keyboard.press("b")
    page.page.wait_for_selector(".plays .play")


def test_odds_of_a_draw_follow_what_is_typed(page: Screen) -> None:
    """S, blank and the high tiles at first; other tiles and numbers when asked."""
    page.shows("/\\d%/.test(document.querySelector('.draw .total').innerText)")
    wanted = page.page.locator("#wanted")
    assert wanted.input_value().startswith("?S")
    page.page.keyboard.press("d")
    page.page.keyboard.type("q1!a")
    page.shows("document.querySelectorAll('.draw .each li').length === 2")
    assert wanted.input_value() == "QA"
    few = page.text(".draw .total")
    page.page.get_by_label("tiles drawn").fill("7")
    page.shows(f"document.querySelector('.draw .total').innerText !== '{few}'")
    page.page.get_by_label("tiles drawn").press("Escape")
    page.page.keyboard.press("Home")
    page.shows("document.querySelector('.draw p').innerText.includes('as of now')")
    assert page.complaints == []


def test_overtime_can_be_read(page: Screen, game: TableWriter) -> None:
    """In its player's colour on a tint of it, with what it has cost so far, inside its box."""
    running = ClockPressed(side=Side.RIGHT, left_ms=-605_000, right_ms=900_000, running=Side.LEFT)
    game.observe(running, "clock")
    page.shows("document.querySelector('.player-0 .clock.overtime .penalty')?.innerText.length > 2")
    clock = "document.querySelector('.player-0 .clock')"
    back, ink = page.page.evaluate(
        f"[getComputedStyle({clock}).backgroundColor, getComputedStyle({clock}).color]"
    )
    assert back.startswith("color(srgb 0.09")
    assert ink == "rgb(88, 169, 255)"
    assert page.page.evaluate(f"{clock}.scrollWidth <= {clock}.clientWidth")


def test_without_racks_and_list_it_says_what_is_missing(
    screen: Screen, server: Server, table: TableWriter
) -> None:
    """Empty places are named, nothing is made up, nothing overflows."""
    open_page_of_nothing(screen, server, table)
    assert screen.page.locator(".slot.tile-face").count() > 0
    assert screen.page.locator(".rack .tile-face").count() == 0
    assert screen.text(".player-0 .note") == "rack not known"
    assert "--words FILE" in screen.text(".best")
    assert "--words FILE" in screen.text(".hooks")
    assert "No play yet" in screen.text(".sheet")
    assert not screen.page.evaluate(SCROLLS)
    table.play(0, OPENING[0])
    screen.shows("document.querySelectorAll('.sheet tbody tr').length === 1")
    assert screen.page.locator(".verdict").count() == 0
    assert screen.complaints == []


def open_page_of_nothing(screen: Screen, server: Server, table: TableWriter) -> None:
    """A game that has begun, seen by nobody."""
    sign_in(screen.page, server)
    screen.page.goto(server.url(f"/commentator?table={table.table}"))
    screen.page.wait_for_selector("main .empty")
    table.start(("Björn Überall", "<b>Ben</b>"), tile_set="german")
    screen.page.set_viewport_size({"width": 1366, "height": 768})
    screen.page.wait_for_selector(".commentary")
    assert "<b>Ben</b>" in screen.text(".player-1 .name")


@pytest.mark.further
def test_a_typed_rack_that_no_recorder_takes_is_said_to_wait_in_vain(
    screen: Screen, tmp_path: Path
) -> None:
    """A broker that answers, and nobody behind it: what is missing is named, with the remedy."""
    table = TableWriter(tmp_path / "log.db", at=now_ms())
    table.start()
    server = Server(tmp_path / "log.db", free_port())
    with start_broker(workdir=tmp_path) as broker:
        server.start("--broker", broker.url)
        try:
            open_page(screen, server, table.table, (1366, 768))
            field = screen.page.get_by_label("Rack of Anna, ? for a blank")
            field.fill("retains")
            field.press("Enter")
            needed = 'no recorder takes it: add phone-racks-1 = "assistant"'
            expect(screen.page.locator(".player-0 .told")).to_contain_text(needed, timeout=30_000)
        finally:
            server.kill()
            table.log.close()
    assert screen.complaints == []


def test_turns_are_held_against_the_best_plays(page: Screen, booth: Server) -> None:
    """What the last turn gave away, the turns of the history, and both players' accuracy."""
    page.page.wait_for_selector(".last-turn")
    page.shows("document.querySelectorAll('.sheet td.lost').length === 6")
    lost = page.page.locator(".sheet td.lost").all_inner_texts()
    assert "best" in lost
    assert page.page.locator(".accuracy b").count() == 2
    review = page.page.request.get(
        booth.url(f"/api/booth/{page.page.url.split('=')[1]}/review")
    ).json()
    first = review["turns"]["0"]
    assert first["best"]["text"] == "ZEPHYRS"
    assert lost[-1] == f"\u2212{first['lost']:.0f}"
    assert first["lost"] > 30, "a bingo is worth more than the S that was kept"
    assert [player["turns"] for player in review["players"]] == [3, 3]


@pytest.mark.further
def test_notes_come_back_with_the_player(page: Screen) -> None:
    """They stay in this browser; keys typed there move nothing on the page."""
    page.page.keyboard.press("n")
    field = page.page.locator("#notes textarea").first
    field.fill("Says it as in French: an-NA. bdu?")
    page.page.keyboard.press("Escape")
    page.page.reload()
    page.page.wait_for_selector(".commentary")
    page.page.click("#open-notes")
    page.page.wait_for_selector("#notes textarea")
    assert page.page.locator("#notes textarea").first.input_value().startswith("Says it")
    assert page.page.locator("#notes textarea").nth(1).input_value() == ""
    assert "No event here knows this player." in page.text("#notes-of")


def test_after_the_game_the_key_turns_are_listed(
    page: Screen, game: TableWriter, booth: Server
) -> None:
    """Each leads to its turn on the board."""
    game.record(EndRackPoints(0, 12, read_tiles("LFI")))
    page.page.wait_for_selector(".missed .missed-turn")
    assert page.page.locator(".draw, .chance .bar").count() == 0, "the game is decided"
    assert page.page.locator(".accuracy b").count() == 2
    page.page.locator(".missed-turn").first.click()
    page.page.wait_for_selector(".commentary.past")
    assert page.page.evaluate(SCROLLS) is False
