"""The overlay as a viewer sees it, in a real browser."""

import io

import cv2
import numpy as np
import pytest
from playwright.sync_api import Page

from recorder.domain.game import Played, Withdrawn
from recorder.domain.observations import ClockAct, ClockChanged, ClockPressed, Side
from recorder.domain.plays import parse_placement
from recorder.domain.record import ProcedureStands
from recorder.domain.row_kind import Kind
from recorder.domain.rules.ending.overtime import overtime_points, overtime_prices
from recorder.domain.standing_procedures import StandingProcedure
from recorder.rulesets import load_rule_set
from recorder.wire.rows import write_row
from tests.browser.conftest import Screen, Server, now_ms
from tests.dashboard.live.test_merge_patch import EXAMPLES
from tests.dashboard.table_writer import OPENING, TableWriter, look_at
from tests.eventually import eventually

pytestmark = pytest.mark.browser

BOXES = (".points", ".clock", ".dash", ".score", ".board", ".unseen", ".last", ".bag .count")


def pixels(page: Page) -> np.ndarray:
    """A screenshot as rows of BGRA, its background left out."""
    shot = page.screenshot(omit_background=True)
    picture = cv2.imdecode(np.frombuffer(io.BytesIO(shot).getvalue(), np.uint8), -1)
    assert picture is not None
    return picture


def boxes(page: Page) -> dict[str, list[dict[str, float]]]:
    """Where the fixed parts of the scene lie."""
    return {name: [one.bounding_box() or {} for one in page.locator(name).all()] for name in BOXES}


def open_full(screen: Screen, server: Server, table: TableWriter, theme: str = "studio") -> None:
    screen.page.goto(server.url(f"/overlay/full?table={table.table}&theme={theme}"))
    screen.page.wait_for_selector("#scene[data-seq]")


@pytest.fixture
def game(table: TableWriter) -> TableWriter:
    """A game under way: four plays, both clocks known, player 1's running."""
    table.start(("Anna Lindqvist", "Jürgen Müller"))
    for number, text in enumerate(OPENING[:4]):
        table.play(number % 2, text)
    table.at = now_ms() - 1000
    adjust = ClockChanged(act=ClockAct.ADJUST, left_ms=754_000, right_ms=611_000, running=Side.LEFT)
    table.observe(adjust, "clock-1")
    return table


def test_the_scene_shows_the_game(screen: Screen, server: Server, game: TableWriter) -> None:
    """Names, scores, board, last play, clocks and the bag are those of the record."""
    open_full(screen, server, game)
    assert game.state is not None
    assert screen.text(".half.left .name") == "Anna Lindqvist"
    assert screen.text(".half.right .name") == "Jürgen Müller"
    shown = [screen.text(f".half.{side} .points") for side in ("left", "right")]
    assert shown == [str(points) for points in game.state.scores]
    assert screen.page.locator(".tile").count() == len(game.state.board.occupied())
    assert screen.text(".last .word") == "EARN"
    assert screen.text(".last .position") == "I6"
    assert screen.text(".unseen .bag .count") == str(game.state.bag_count)
    minutes, seconds = map(int, screen.text(".half.left .clock .time").split(":"))
    gone_s = 754 - 60 * minutes - seconds
    assert 0 < gone_s <= (now_ms() - game.at) / 1000 + 2
    assert screen.text(".half.right .clock .time") == "10:11"
    assert "on-turn" in (screen.page.locator(".half.left").get_attribute("class") or "")
    assert screen.complaints == []


def test_new_rows_appear_without_reload(screen: Screen, server: Server, game: TableWriter) -> None:
    """A play that is written is on air by itself; how soon, ``make bench ONLY=screens`` says."""
    open_full(screen, server, game)
    screen.page.evaluate("window.still = true")
    game.play(0, OPENING[4])
    screen.shows("document.querySelector('.last .word').innerText === 'NOBLE'")
    assert screen.page.evaluate("window.still") is True
    screen.shows("document.querySelectorAll('.ghosts *').length === 0")
    assert screen.complaints == []


PATCHED = """async (examples) => {
    const files = `/static/${document.documentElement.dataset.assets}/js`;
    const { patched } = await import(`${files}/shared/merge-patch.js`);
    const before = { clock: { at: 1 }, board: ["."] };
    const after = patched(before, { clock: { at: 2 } });
    const results = examples.map(([target, patch]) => patched(target, patch));
    return { results, kept: after.board === before.board, changed: after.clock !== before.clock };
}"""


def test_a_page_applies_patches_as_the_standard_says(
    screen: Screen, server: Server, game: TableWriter
) -> None:
    """The examples of RFC 7396; what a patch does not name stays the same object."""
    open_full(screen, server, game)
    page = screen.page.evaluate(PATCHED, [one[:2] for one in EXAMPLES])
    assert page["results"] == [result for _, _, result in EXAMPLES]
    assert page["kept"]
    assert page["changed"]
    assert screen.complaints == []


LOST = """async ([prices, seconds]) => {
    const files = `/static/${document.documentElement.dataset.assets}/js`;
    const { pointsLost } = await import(`${files}/shared/game/overtime.js`);
    return seconds.map((second) => pointsLost(-1000 * second - 400, prices));
}"""


def test_a_page_reads_the_price_of_overtime_off_the_frame(
    screen: Screen, server: Server, game: TableWriter
) -> None:
    """At every second what the recorder charges, with 5 points for each half minute."""
    open_full(screen, server, game)
    changed = {"overtime": {"points": 5, "period_s": 30, "starts_at_s": 20}}
    rules = load_rule_set("naspa", overrides=changed)
    prices = [list(price) for price in overtime_prices(rules) or ()]
    seconds = list(range(700))
    shown = screen.page.evaluate(LOST, [prices, seconds])
    assert shown == [overtime_points(rules, second) for second in seconds]
    assert screen.page.evaluate(LOST, [None, [90]]) == [0]


def test_a_forming_play_turns_solid_at_the_record(
    screen: Screen, server: Server, game: TableWriter
) -> None:
    """Tiles seen but not recorded are translucent; the record makes them tiles."""
    open_full(screen, server, game)
    assert game.state is not None
    game.observe(look_at(game.state, {"9J": "O", "9K": "B"}))
    screen.shows("document.querySelectorAll('.tile.forming').length === 2")
    game.play(0, "9I .OB")
    screen.shows("document.querySelectorAll('.tile.forming').length === 0")
    assert screen.page.locator("[data-square='9K']").count() == 1


def test_a_withdrawn_play_dissolves(screen: Screen, server: Server, game: TableWriter) -> None:
    """The tiles go, nothing of them stays behind, and the banner says why."""
    open_full(screen, server, game)
    played = game.play(0, OPENING[4])
    screen.shows("document.querySelector('[data-square=\"9K\"]') !== null")
    game.record(Withdrawn(0, int(played.body["data"]["score"])))
    screen.shows("document.querySelector('[data-square=\"9K\"]') === null")
    screen.shows("document.querySelectorAll('.ghosts *').length === 0")
    assert screen.text(".last .title") == "PHONY"
    assert screen.page.locator(".outline").count() == 0


@pytest.mark.further
def test_a_board_that_changed_is_that_of_a_fresh_page(
    screen: Screen, server: Server, table: TableWriter
) -> None:
    """A blank named late, a letter corrected, a play withdrawn: the same to the pixel."""
    table.start()
    played = table.play(0, "8D ZEPHY?")
    table.play(1, "F6 CO.Y")
    screen.page.set_viewport_size({"width": 828, "height": 828})
    address = server.url(f"/overlay/board?table={table.table}")
    screen.page.goto(address)

    def settles_as_a_fresh_one(square: str, letter: str) -> None:
        found = f"document.querySelector('[data-square=\"{square}\"]')?.innerText ?? 'gone'"
        screen.shows(f"({found}).trim()[0] === '{letter}'")
        fresh = screen.page.context.new_page()
        fresh.set_viewport_size({"width": 828, "height": 828})
        fresh.goto(address)
        eventually(lambda: np.array_equal(pixels(screen.page), pixels(fresh)), "alike", 30)
        fresh.close()

    screen.shows("document.querySelectorAll('.tile').length === 9")
    for text, letter in (("8D ZEPHYr", "R"), ("8D ZEPHYq", "Q")):
        table.correct(played.seq, Played(0, parse_placement(text), 40))
        settles_as_a_fresh_one("8I", letter)
    later = table.play(0, "9I .OBLE")
    settles_as_a_fresh_one("9K", "B")
    table.record(Withdrawn(0, int(later.body["data"]["score"])))
    settles_as_a_fresh_one("9K", "g")
    screen.shows("document.querySelectorAll('.tile').length === 9")


def test_nothing_moves_when_figures_change(
    screen: Screen, server: Server, game: TableWriter
) -> None:
    """Scores from two to four figures, a clock in overtime, an empty bag: every box stays."""
    open_full(screen, server, game)
    before = boxes(screen.page)
    game.play(0, OPENING[4], points=1111)
    game.observe(
        ClockPressed(side=Side.LEFT, left_ms=-61_000, right_ms=9_400, running=Side.NONE), "clock-1"
    )
    screen.shows("document.querySelector('.half.left .clock').classList.contains('overtime')")
    screen.page.wait_for_timeout(350)
    eventually(lambda: boxes(screen.page) == before, "each box where it was")
    assert screen.text(".half.left .clock .time") == "\u22121:01"
    assert screen.text(".half.left .clock .penalty") == "\u221220 pts"
    assert screen.text(".half.right .clock .time") == "0:09.4"
    digits = screen.page.evaluate(
        """() => [".clock .time", ".bag .count"].map((name) => {
            const probe = document.querySelector(name).cloneNode();
            probe.style.cssText = "position:absolute;width:auto;white-space:pre";
            document.querySelector(name).parentNode.append(probe);
            const widths = [..."0123456789"].map((digit) => {
                probe.textContent = digit.repeat(4);
                return Math.round(probe.getBoundingClientRect().width * 10);
            });
            probe.remove();
            return new Set(widths).size;
        })"""
    )
    assert digits == [1, 1]


def test_the_clock_runs_between_presses(screen: Screen, server: Server, game: TableWriter) -> None:
    """The running clock counts down by itself and agrees with the record within 100 ms."""
    open_full(screen, server, game)
    game.at = now_ms() - 1000
    game.observe(
        ClockPressed(side=Side.LEFT, left_ms=700_000, right_ms=9_900, running=Side.RIGHT), "clock-1"
    )
    at = game.rows[-1].at
    screen.shows("document.querySelector('.half.right .clock .time').innerText.startsWith('0:0')")
    screen.page.wait_for_timeout(700)
    text, read_at = screen.page.evaluate(
        "[document.querySelector('.half.right .clock .time').innerText, Date.now()]"
    )
    shown_ms = float(text.split(":")[1]) * 1000
    expected_ms = 9_900 - (read_at - at)
    assert abs(shown_ms - expected_ms) < 1000  # a busy machine paints late
    assert screen.text(".half.left .clock .time") == "11:40"


def test_a_still_overlay_draws_no_frames(screen: Screen, server: Server, game: TableWriter) -> None:
    """With both clocks stopped the page asks for no animation frames: it may run for days."""
    game.observe(
        ClockChanged(act=ClockAct.PAUSE, left_ms=5000, right_ms=5000, running=Side.NONE), "clock-1"
    )
    open_full(screen, server, game)
    screen.page.wait_for_timeout(400)
    frames = screen.page.evaluate(
        """async () => {
            let asked = 0;
            const original = window.requestAnimationFrame;
            window.requestAnimationFrame = (paint) => { asked += 1; return original(paint); };
            await new Promise((done) => setTimeout(done, 500));
            return asked;
        }"""
    )
    assert frames == 0


@pytest.mark.further
def test_of_the_procedures_only_a_play_out_counts_on_air(
    screen: Screen, server: Server, game: TableWriter
) -> None:
    """The opponent's time to hold runs for viewers and leaves at its end; a director's stays."""
    screen.page.goto(server.url(f"/o/table-{game.table}/banner"))
    screen.page.wait_for_selector("#scene[data-seq]")
    ends = now_ms() + 3500
    late = StandingProcedure(key="late-1-0", code="late", player=1, until_ms=ends + 60_000)
    out = StandingProcedure(key="play_out-1-0", code="play_out", player=0, until_ms=ends)
    game.write(Kind.RECORDED, write_row(ProcedureStands(procedure=out)))
    game.write(Kind.RECORDED, write_row(ProcedureStands(procedure=late)))
    screen.shows("document.querySelector('.banner .title')?.innerText === 'Played out'")
    first = screen.text(".banner .countdown")
    screen.shows(f"document.querySelector('.banner .countdown')?.innerText < '{first}'")
    screen.shows("document.querySelector('.banner') === null")
    assert now_ms() >= ends
    assert screen.complaints == []


@pytest.mark.further
def test_a_game_that_is_over_leaves_nothing_in_memory(
    own_screen: Screen, server: Server, table: TableWriter
) -> None:
    """An overlay stays open all day: tiles of games before are gone once a new one has begun."""
    session = own_screen.page.context.new_cdp_session(own_screen.page)
    own_screen.page.goto(server.url(f"/overlay/board?table={table.table}"))

    def nodes_after(game: str) -> int:
        table.start(game=game)
        for at, text in enumerate(OPENING):
            table.play(at % 2, text)
        own_screen.shows("document.querySelectorAll('.tile').length === 32")
        table.start(game=f"{game}-next")
        own_screen.shows("document.querySelectorAll('.tile').length === 0")
        own_screen.page.wait_for_timeout(500)
        session.send("HeapProfiler.collectGarbage")
        session.send("Performance.enable")
        metrics = session.send("Performance.getMetrics")["metrics"]
        return int(next(one["value"] for one in metrics if one["name"] == "Nodes"))

    first = nodes_after("g1")
    assert nodes_after("g2") < first + 60, "what 32 tiles are made of is some 250"
    assert nodes_after("g3") < first + 60
