"""What people type and ask for: odd names, options that are none, turns not public yet."""

import pytest

from tests.browser.conftest import Screen, Server
from tests.browser.overlays.test_scenes import OUTSIDE
from tests.dashboard.table_writer import OPENING, TableWriter

pytestmark = pytest.mark.browser

NAMES = (
    ("😀 Zoë 🎲🎲 Müller 👩🏽‍🚀", "Æ"),
    ("מרים בן־דוד אלקלעי הכהן", "محمد عبد الرحمن بن عبد العزيز آل سعود"),
    ("X" * 60, "Maximiliane A Wolfeschlegelsteinhausenbergerdorff-Großwörth"),
    ("<img src=x onerror=alert(1)>", "B\u0301\u0301\u0301\u0301e\u0323\u0302n &amp; {{7*7}}"),
)
SQUEEZED = """() => [...document.querySelectorAll(".fitted .written")].filter(
    (line) => parseFloat(line.style.transform.slice(7)) < 0.8).map((line) => line.textContent[0])"""

NAMELESS = """() => [...document.querySelectorAll(".fitted")].filter(
    ({ title, textContent }) => /Müller/.test(title) && !/Müller/.test(textContent)).length"""


def test_names_of_every_kind_stay_in_their_boxes(
    screen: Screen, server: Server, table: TableWriter
) -> None:
    """Emoji, right to left, sixty letters, markup: on air and at home nothing leaves its panel."""
    page = screen.page
    for number, names in enumerate(NAMES):
        table.start(names, game=f"g{number}")
        for at, text in enumerate(OPENING[:3]):
            table.play(at % 2, text)
        for scene in ("full", "bug"):
            page.set_viewport_size({"width": 1920, "height": 1080})
            page.goto(server.url(f"/overlay/{scene}?table={table.table}"))
            page.wait_for_selector(f"#scene[data-seq='{table.rows[-1].seq}']")
            page.evaluate("document.fonts.ready")
            assert page.evaluate(OUTSIDE) == [], names
            assert set(page.evaluate(SQUEEZED)) <= {"X"}, names
            assert page.evaluate(NAMELESS) == 0, "emoji are no surname"
        page.set_viewport_size({"width": 390, "height": 844})
        page.goto(server.url(f"/watch/{table.table}"))
        page.wait_for_selector(".sheet tbody tr")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), names
        page.goto(server.url("/watch"))
        page.wait_for_selector(".fitted .written")
        assert page.evaluate(NAMELESS) == 0, "emoji are no surname"
    assert page.locator("main img[src='x']").count() == 0
    assert screen.complaints == []


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
