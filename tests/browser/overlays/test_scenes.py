"""Every scene as a viewer sees it: clear where nothing is drawn, nothing cut, nothing moving."""

import time
from pathlib import Path

import cv2
import numpy as np
import pytest
from playwright.sync_api import Browser

from dashboard.live.scenes import SCENES, TABLE_SCENES
from recorder.bus.broker import free_port
from recorder.domain.game import EndRackPenalty, EndRackPoints, TimePenalty
from recorder.domain.observations import Acted, ClockPressed, RackSeen, Side, TurnAct
from recorder.domain.orders import Banner, Order
from recorder.domain.row_kind import Kind
from recorder.domain.tile_text import read_tiles
from recorder.log.sqlite import SqliteEventLog
from recorder.wire.orders import TableOrder, encode_order
from tests.browser.conftest import KEY, Screen, Server, now_ms, sign_in
from tests.browser.screenshots import WORDS, miss
from tests.cases import first_of
from tests.dashboard.table_writer import OPENING, TableWriter

pytestmark = pytest.mark.browser

LONG = ("Maximiliane Freifrau von Hohenstein-Großwörth", "Žydrūnė Kazlauskaitė-Øvergård")
OUTSIDE = """() => {
    const leaves = [...document.querySelectorAll("#scene *")].filter(
        (one) => !one.children.length && one.textContent && !one.closest("defs"));
    return leaves.filter((one) => {
        const cut = getComputedStyle(one);
        const grown = one.offsetWidth ? one.getBoundingClientRect().width / one.offsetWidth : 1;
        const slack = 1 + parseFloat(cut.fontSize) * 0.15 * grown; // a line is higher than letters
        const range = document.createRange();
        range.selectNodeContents(one);
        const whole = cut.textOverflow === "ellipsis" || cut.webkitLineClamp !== "none";
        const box = (whole ? one : range).getBoundingClientRect();
        const boxes = ".points, .clock, .fact, .panel, .field, .stage-head, .stage";
        const panel = (one.closest(boxes) ?? document.body).getBoundingClientRect();
        return box.left < panel.left - 1 || box.right > panel.right + 1
            || box.top < panel.top - slack || box.bottom > panel.bottom + slack
            || panel.left < -1 || panel.right > innerWidth + 1
            || panel.top < -1 || panel.bottom > innerHeight + 1;
    }).map((one) => `${one.className}: ${one.textContent} in ${one.parentNode.className}`);
}"""
SMALLEST = """() => Math.min(...[...document.querySelectorAll("#scene *")].filter(
    // What a tile is worth is decoration beside its letter.
    (one) => !one.children.length && one.textContent && !one.matches(".value")).map(
    // In a drawing sizes are units of the drawing.
    (one) => parseFloat(getComputedStyle(one).fontSize) * (one.getScreenCTM?.().a ?? 1)))"""
FILLED = {"full", "score", "board", "last", "clocks", "unseen"}
"""Scenes of which a first play fills a twentieth of the picture."""
STANDINGS = "".join(
    f'[[player]]\nname = "{name}"\nwins = 10\nlosses = 11\ndraws = 1\nspread = -1234\nplace = 112\n'
    f'country = "GB-ENG"\nrating = 1999\nfrom = "Bad Königshofen im Grabfeld"\n'
    for name in LONG
)


def pixels(screen: Screen) -> np.ndarray:
    """A screenshot as rows of BGRA, its background left out."""
    shot = screen.page.screenshot(omit_background=True)
    picture = cv2.imdecode(np.frombuffer(shot, np.uint8), cv2.IMREAD_UNCHANGED)
    assert picture is not None
    return picture


def say(table: TableWriter, text: str, name: str) -> None:
    """The director publishes a banner."""
    order = TableOrder(table=table.table, order=Order(id=name, who="Dora", act=Banner(text=text)))
    type_name, data = encode_order(order)
    table.write(Kind.RULED, {"type": type_name, "data": data})


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Server:
    """A server of its own, with standings, a logo, colours and a slot with open racks."""
    folder = tmp_path_factory.mktemp("hall")
    (folder / "open.toml").write_text(f'title = "Größtes Turnier"\nround = 7\n{STANDINGS}', "utf-8")
    cv2.imwrite(str(folder / "logo.png"), np.full((80, 240, 4), 255, np.uint8))
    (folder / "photos").mkdir()
    cv2.imwrite(str(folder / "photos" / f"{LONG[0]}.jpg"), np.full((90, 60, 3), 90, np.uint8))
    (folder / "photos" / f"{LONG[1]}.png").write_bytes(b"\x89PNG\r\n\x1a\nand no more")
    look = 'logo = "logo.png"\n[colours]\nplayer_1 = "#44bb66"\nplayer_2 = "#dd88ff"\n'
    (folder / "look.toml").write_text(look)
    slots = ",".join(f'"open-{n}": {{"table": {n}, "racks": true}}' for n in range(1, 9))
    (folder / "slots.json").write_text(f'{{"slots": {{{slots}}}}}')
    return Server(folder / "log.db", free_port())


@pytest.fixture(scope="module")
def stressed(hall: Server):
    folder = hall.log.parent
    first = TableWriter(hall.log, at=now_ms() - 60_000)
    second = TableWriter(first.log, at=first.at, table=2)
    for table in (first, second):
        table.start(LONG, tile_set="german", game=f"g{table.table}", left_player=1)
        for at, text in enumerate(OPENING):
            table.play(at % 2, text, points=1111 if at in {4, 5} else 93)
    first.observe(
        ClockPressed(side=Side.LEFT, left_ms=-599_000, right_ms=-37_000, running=Side.NONE), "c"
    )
    for side in (Side.LEFT, Side.RIGHT):
        seen = RackSeen(
            side=side, letters=read_tiles("QÄMÖWÜ?"), slots=read_tiles("QÄMÖWÜ?"), confidence=1
        )
        first.observe(seen, f"rack-{side.value}")
    first.observe(Acted(side=Side.RIGHT, act=TurnAct.HOLD), "pad")
    second.record(EndRackPoints(1, 40, read_tiles("QYÄ")))
    second.record(TimePenalty(0, 100))
    hall.start(
        "--tournament", str(folder / "open.toml"), "--branding", str(folder / "look.toml"),
        "--slots", str(folder / "slots.json"), "--photos", str(folder / "photos"),
    )  # fmt: skip
    yield hall
    hall.kill()
    first.log.close()


@pytest.mark.further
def test_a_picture_that_is_none_gives_way_to_initials(screen: Screen, stressed: Server) -> None:
    """In the score bar and in the bug; flag and record stand beside whole surnames."""
    for scene in ("score", "bug", "full"):
        screen.page.goto(stressed.url(f"/o/open-1/{scene}"))
        screen.page.locator('[data-player="0"] .portrait img').wait_for()
        initials = screen.page.locator('[data-player="1"] .portrait span')
        assert initials.inner_text() == "ŽØ"
        assert "10\N{EN DASH}11\N{EN DASH}1" in screen.text('[data-player="0"] .plate-facts')
        screen.shows("[...document.images].every((one) => one.naturalWidth > 0)")


@pytest.mark.further
def test_the_scenes_in_german_and_with_racks(screen: Screen, stressed: Server) -> None:
    """No word of English is left; racks stand in the whole scene; all tables are in one picture."""
    screen.page.goto(stressed.url("/o/open-2/full?lang=de"))
    screen.shows("document.querySelector('.last')?.innerText.includes('Reststeine')")
    for scene, said in (("final", "Größtes Turnier · 7"), ("sheet", "Reststeine")):
        screen.page.goto(stressed.url(f"/o/open-2/{scene}?lang=de"))
        screen.shows(f"document.querySelector('#scene').innerText.includes('{said}')")
        assert "[English]" not in screen.text("#scene")
    for slot, racks in (("open-1", 2), ("table-1", 0)):
        screen.page.goto(stressed.url(f"/o/{slot}/full?racks=1"))
        screen.page.wait_for_selector("#scene[data-seq]")
        assert screen.page.locator(".rack").count() == racks
    screen.page.goto(stressed.url("/overlay/tables"))
    screen.page.locator(".cell").nth(1).wait_for()


@pytest.mark.parametrize("scene", first_of(5, [one for one in TABLE_SCENES if one != "tables"]))
def test_a_scene_is_clear_until_there_is_something_to_show(
    screen: Screen, server: Server, table: TableWriter, scene: str
) -> None:
    """Alpha 0 everywhere before a game, and where a scene has no data; never a scroll bar."""
    screen.page.set_viewport_size({"width": 960, "height": 540})  # a picture costs by its size
    screen.page.goto(server.url(f"/o/table-{table.table}/{scene}"))
    screen.shows("document.querySelector('#scene').dataset.online === 'true'")
    assert pixels(screen)[:, :, 3].max() == 0
    table.start()
    table.play(0, "8D ZEPHYR")
    screen.page.wait_for_selector("#scene[data-seq]")
    screen.page.wait_for_timeout(300)
    alpha = pixels(screen)[:, :, 3]
    assert alpha[0, 0] == 0
    assert alpha[-1, -1] == 0
    assert bool(alpha.max() == 0) is SCENES[scene].waits
    if scene in FILLED:
        assert (alpha > 200).mean() > 0.05
    fits = "document.documentElement.scrollHeight <= innerHeight"
    assert screen.page.evaluate(f"{fits} && getComputedStyle(document.body).overflow === 'hidden'")
    assert screen.complaints == []


@pytest.mark.parametrize("theme", first_of(1, ["studio", "paper", "contrast"]))
@pytest.mark.parametrize(
    "scene",
    first_of(4, [one for one in TABLE_SCENES if one not in {"best", "chance", "moment", "tables"}]),
)
def test_nothing_is_cut_or_too_small(
    screen: Screen, stressed: Server, scene: str, theme: str
) -> None:
    """Fifty letters, umlauts, four figures, overtime, negative spread: all in its panel, 24 px."""
    table = 2 if scene == "final" else 1
    if scene == "vertical":
        screen.page.set_viewport_size({"width": 1080, "height": 1920})
    slot = f"open-{table}"
    screen.page.goto(stressed.url(f"/o/{slot}/{scene}?theme={theme}"))
    screen.page.wait_for_selector("#scene[data-seq]")
    screen.page.evaluate("document.fonts.ready")
    if scene != "next":
        assert screen.page.locator("#scene *").count() > 0
    assert screen.page.evaluate(OUTSIDE) == []
    assert screen.page.evaluate(SMALLEST) >= 23.9
    assert screen.complaints == []


@pytest.mark.further
def test_standings_colours_and_logo_are_shown(screen: Screen, stressed: Server) -> None:
    """What the streamer's files say; a theme on which the colours fade keeps its own."""
    screen.page.goto(stressed.url("/overlay/players?table=1"))
    screen.page.wait_for_selector(".fact")
    assert screen.text(".card-face.left .fact:first-child b") == "10\u201311\u20131"
    assert screen.text(".card-face.left .fact:last-child b") == "112th"
    colour = "getComputedStyle(document.querySelector('.player-0 .edge')).backgroundColor"
    assert screen.page.evaluate(colour) == "rgb(68, 187, 102)"
    screen.page.goto(stressed.url("/overlay/players?table=1&theme=paper"))
    screen.page.wait_for_selector(".fact")
    assert screen.page.evaluate(colour) == "rgb(11, 98, 196)"
    screen.page.goto(stressed.url("/overlay/full?table=1"))
    screen.shows("document.querySelector('.at-logo')?.naturalWidth === 240")
    screen.page.goto(stressed.url("/overlay/full?table=1&hide=logo"))
    screen.page.wait_for_selector(".score")
    assert screen.page.locator(".at-logo").count() == 0
    assert screen.complaints == []


@pytest.mark.further
def test_racks_are_drawn_with_their_key_only(
    screen: Screen, server: Server, table: TableWriter
) -> None:
    """The key stands behind the #; without it, and with a wrong one, the scene stays clear."""
    table.start()
    table.observe(
        RackSeen(side=Side.LEFT, letters=read_tiles("AQ?"), slots=read_tiles("AQ?"), confidence=1),
        "rack-1",
    )
    requests: list[str] = []
    screen.page.on("request", lambda request: requests.append(request.url))
    screen.page.goto(server.url(f"/enter/{KEY}"))
    key = screen.page.evaluate(
        """async (scope) => (await (await fetch("/api/tokens", {method: "POST",
            headers: {"content-type": "application/json"},
            body: JSON.stringify({label: "OBS", scope})})).json()).token""",
        f"racks:table-{table.table}",
    )
    screen.page.context.clear_cookies()
    address = server.url(f"/o/table-{table.table}/racks")
    for wrong in (address, f"{address}#key=wrong-wrong-wrong"):
        screen.page.goto("about:blank")
        screen.page.goto(wrong)
        screen.page.wait_for_selector("#scene[data-seq]")
        screen.page.wait_for_timeout(200)
        assert pixels(screen)[:, :, 3].max() == 0
    screen.page.goto("about:blank")
    screen.page.goto(f"{address}#key={key}")
    screen.page.wait_for_selector(".rack")
    assert screen.page.locator(".rack").count() == 1
    assert screen.page.locator(".place").count() == 7
    assert screen.page.locator(".rack-tile .letter").all_inner_texts() == ["A", "Q", ""]
    assert not any(key in url for url in requests)


@pytest.mark.further
def test_holds_and_rulings_take_turns(screen: Screen, server: Server, table: TableWriter) -> None:
    """A hold counts, the director's word goes before it, and withdrawn both are gone."""
    table.start(overrides={"hold.max_s": 60})
    table.play(0, "8D ZEPHYR")
    screen.page.goto(server.url(f"/o/table-{table.table}/banner"))
    screen.page.wait_for_selector("#scene[data-seq]")
    table.at = now_ms() - 6000
    table.observe(Acted(side=Side.RIGHT, act=TurnAct.HOLD), "pad")
    screen.shows("document.querySelector('.banner .title')?.innerText === 'Hold'")
    screen.shows("/^0:5[0-9]$/.test(document.querySelector('.countdown').innerText)")
    say(table, "Board <b>adjusted</b>", "c1")
    screen.shows("document.querySelector('.banner .text')?.innerText === 'Board <b>adjusted</b>'")
    assert screen.page.locator(".banner").count() == 1
    assert screen.page.locator(".countdown").count() == 0
    say(table, "", "c2")
    screen.shows("document.querySelector('.countdown') !== null")
    table.observe(Acted(side=Side.RIGHT, act=TurnAct.ACCEPT), "pad")
    screen.shows("document.querySelector('.banner') === null")
    table.at = now_ms() - 57_000
    table.observe(Acted(side=Side.RIGHT, act=TurnAct.HOLD), "pad")
    screen.shows("document.querySelector('.countdown') !== null")
    screen.shows("document.querySelector('.banner') === null")  # its time is over
    table.observe(Acted(side=Side.RIGHT, act=TurnAct.CHALLENGE), "pad")
    screen.shows("document.querySelector('.banner .title')?.innerText === 'Challenges ZEPHYR'")
    assert screen.complaints == []


@pytest.mark.further
def test_best_plays_stand_in_columns(screen: Screen, tmp_path: Path) -> None:
    """Late, what was played below what could have been; every figure ends at the same edge."""
    (tmp_path / "words.txt").write_text("\n".join(WORDS.split()), "utf-8")
    server = Server(tmp_path / "log.db", free_port())
    with SqliteEventLog(server.log) as log:
        table = TableWriter(log, at=now_ms() - 60_000)
        miss(table, (LONG[1], LONG[0]))
        server.start("--words", str(tmp_path / "words.txt"), "--show-best", "--delay", "1")
        try:
            screen.page.goto(server.url("/overlay/best?table=1"))
            screen.page.wait_for_selector(".option.made")
            screen.shows("document.getAnimations().length === 0")  # it comes in from outside
            assert screen.page.evaluate(OUTSIDE) == []
            assert screen.page.evaluate(SMALLEST) * 876 / 1920 >= 23.9
            assert screen.text(".option.made").split() == ["F6", "COPY", "played", "+17"]
            edges = """() => [...document.querySelectorAll(".option .points")].map((one) =>
                Math.round(one.getBoundingClientRect().right))"""
            assert screen.page.locator(".option").count() == 4
            assert len(set(screen.page.evaluate(edges))) == 1
            shown = [int(text) for text in screen.page.locator(".points").all_inner_texts()]
            assert shown == sorted(shown, reverse=True)
            assert screen.text(".head .missed").endswith(" points missed")
            table.record(EndRackPoints(1, 12, read_tiles("QY")))
            screen.page.goto(server.url("/overlay/final?table=1"))
            screen.page.wait_for_selector(".part:has-text('accuracy')")
            assert screen.page.evaluate(OUTSIDE) == []
        finally:
            server.kill()


def test_a_game_that_took_points_away_is_drawn(
    screen: Screen, server: Server, table: TableWriter
) -> None:
    """A total below zero has a true minus sign, and the curve goes below the line."""
    table.start()
    table.play(0, "8D ZEPHYR", points=0)
    table.record(EndRackPenalty(0, 31, read_tiles("QZ")))
    screen.page.goto(server.url(f"/o/table-{table.table}/score"))
    screen.shows("document.querySelector('.half.left .points')?.innerText === '\u221231'")
    screen.page.goto(server.url(f"/o/table-{table.table}/final"))
    screen.page.wait_for_selector(".stage")
    assert screen.text(".final-line.won .by") == "wins by 31"
    assert screen.page.locator(".final-line.won").get_attribute("class").split()[1] == "player-1"


def test_who_asks_for_less_movement_gets_none(
    browser: Browser, server: Server, table: TableWriter
) -> None:
    """With prefers-reduced-motion nothing is animated, and everything is still drawn."""
    table.start()
    context = browser.new_context(reduced_motion="reduce")
    page = context.new_page()
    page.goto(server.url(f"/o/table-{table.table}/full"))
    page.wait_for_selector(".board")
    table.play(0, "8D ZEPHYR")
    page.wait_for_selector("[data-square='8D']")
    assert page.evaluate("document.getAnimations().length") == 0
    context.close()


@pytest.mark.further
def test_twenty_pages_are_live_at_once(
    browser: Browser, server: Server, table: TableWriter
) -> None:
    """All scenes of one profile get the same play, and each is listed for the director."""
    table.start()
    context = browser.new_context()
    pages = []
    for at in range(20):
        page = context.new_page()
        page.goto(
            server.url(f"/o/table-{table.table}/{('full', 'score', 'board', 'last')[at % 4]}")
        )
        pages.append(page)
    table.play(0, "8D ZEPHYR")
    seq = str(table.rows[-1].seq)
    for page in pages:
        page.wait_for_selector(f"#scene[data-seq='{seq}']")
    tool = context.new_page()
    tool.goto(server.url(f"/enter/{KEY}"))
    deadline = time.monotonic() + 60
    while True:
        told = tool.evaluate("async () => (await (await fetch('/api/overlays')).json()).overlays")
        mine = [one for one in told if one["slot"] == f"table-{table.table}"]
        if len(mine) == 20 and all(one["seq"] == int(seq) for one in mine):
            break
        assert time.monotonic() < deadline, mine
        time.sleep(0.1)
    assert not any(one["behind"] for one in mine)
    context.close()


def test_the_builder_gives_an_address_that_works(screen: Screen, stressed: Server) -> None:
    """Options lead to an address; the preview shows it; a director points a slot there."""
    sign_in(screen.page, stressed)
    screen.page.goto(stressed.url("/builder"))
    screen.page.wait_for_selector("#slot option", state="attached")
    screen.page.locator("#scene").select_option("bug")
    screen.page.get_by_label("Theme").select_option("paper")
    screen.page.get_by_label("clocks", exact=True).check()
    address = stressed.url("/o/featured/bug?theme=paper&hide=clocks")
    assert screen.text("#address") == address
    screen.shows("document.querySelector('#preview').src.endsWith('hide=clocks&sample=1')")
    preview = screen.page.frame_locator("#preview")
    preview.locator(".bug").wait_for()
    assert preview.locator(".bug .clock").count() == 0
    screen.page.locator("#point [name=name]").fill("main")
    screen.page.locator("#point [name=what]").fill("2")
    screen.page.get_by_role("button", name="Assign").click()
    screen.page.locator(".slot-row", has_text="main").wait_for()
    assert "table 2" in screen.text(".slot-row:has-text('main')")
    screen.page.locator("#point [name=name]").fill("other")
    screen.page.locator("#point [name=what]").fill("907")
    screen.page.get_by_role("button", name="Assign").click()
    screen.page.locator(".slot-row", has_text="clear: no game at table 907; there are:").wait_for()
    for width in (1440, 390):
        screen.page.set_viewport_size({"width": width, "height": 900})
        assert screen.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), width
    assert screen.complaints == []
