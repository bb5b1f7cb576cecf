"""Scenes of the event on air: clear without an event, whole with long names, in any theme."""

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from dashboard.live.scenes import EVENT_SCENES
from recorder.bus.broker import free_port
from recorder.log.sqlite import SqliteEventLog
from tests.browser.conftest import KEY, Screen, Server, now_ms
from tests.browser.overlays.test_scenes import LONG, OUTSIDE, SMALLEST, pixels
from tests.event.fields import write_orders

pytestmark = pytest.mark.browser

PLAYERS = 24


def day() -> Iterator[str]:
    """Two rounds of many players, all with long names; the first is played."""
    yield "about name Größtes Turnier am Großen Ort mit einem langen Namen"
    yield "about rounds 3"
    for number in range(1, PLAYERS + 1):
        yield f"player A {LONG[number % 2]} {number} 1905"
    pairs = [(n, n + 1) for n in range(1, PLAYERS, 2)]
    for round_ in (1, 2, 3):
        games = " ".join(f"{table}:{a}-{b}" for table, (a, b) in enumerate(pairs, 1))
        yield f"round A {round_} {games}"
        if round_ < 3:
            yield from (f"result A {round_} {a} 1111 {b} {380 + a}" for a, b in pairs)


@pytest.mark.further
def test_scenes_of_the_event(screen: Screen, tmp_path: Path) -> None:
    """Nothing where there is no event; then everything in its panel, 24 px and more."""
    server = Server(tmp_path / "log.db", free_port())
    for name, width in (("logo", 80), ("sponsor", 240)):
        cv2.imwrite(str(tmp_path / f"{name}.png"), np.full((80, width, 4), 255, np.uint8))
    (tmp_path / "look.toml").write_text('logo = "logo.png"\nsponsor = "sponsor.png"\n', "utf-8")
    with SqliteEventLog(server.log) as log:
        server.start("--branding", str(tmp_path / "look.toml"))
        try:
            screen.page.goto(server.url("/overlay/standings"))
            screen.shows("document.querySelector('#scene').dataset.online === 'true'")
            assert pixels(screen)[:, :, 3].max() == 0
            write_orders(log, day(), now_ms())
            for scene in EVENT_SCENES:
                screen.page.goto(server.url(f"/overlay/{scene}?table=2&theme=paper"))
                screen.page.wait_for_selector("#scene[data-seq] *")
                screen.page.evaluate("document.fonts.ready")
                assert screen.page.evaluate(OUTSIDE) == [], scene
                assert screen.page.evaluate(SMALLEST) >= 23.9, scene
                if scene != "results":  # one line, too low for pictures
                    screen.shows("document.images.length === 2")
                    screen.shows("[...document.images].every((one) => one.naturalWidth > 0)")
            screen.page.goto(server.url("/overlay/meeting?table=2"))
            screen.page.wait_for_selector(".met")
            assert screen.page.locator(".latest b").all_inner_texts() == [
                *("+728", "+728"), *("\u2212728", "\u2212728"),
            ]  # fmt: skip
            screen.page.goto(server.url("/overlay/standings?hide=logo,sponsor"))
            screen.page.wait_for_selector(".event-row")
            assert screen.page.locator("img").count() == 0
            screen.page.goto(server.url("/overlay/standings?division=B"))
            screen.shows("document.querySelector('#scene').dataset.online === 'true'")
            assert screen.page.locator(".stage").count() == 0
            assert screen.complaints == []
        finally:
            server.kill()


@pytest.mark.further
def test_a_drawn_round_is_changed_before_it_is_published(screen: Screen, tmp_path: Path) -> None:
    """By dragging and with the keyboard; what is changed is locked when the rest is paired."""
    server = Server(tmp_path / "log.db", free_port())
    with SqliteEventLog(server.log) as log:
        write_orders(log, day(), now_ms())
        server.start()
        try:
            page = screen.page
            page.goto(server.url(f"/enter/{KEY}?to=/director/event"))
            page.click("button:has-text('king of the hill')")
            page.wait_for_selector(".drawn")
            words = page.input_value("#words").split()
            assert words[:3] == ["round", "A", "4"]
            seats = page.locator(".drawn .seat")
            first, third = (seats.nth(place).inner_text().split()[0] for place in (0, 2))
            seats.nth(0).focus()
            page.keyboard.press("Enter")
            seats.nth(2).focus()
            page.keyboard.press("Enter")
            screen.shows(f"document.querySelector('.seat').innerText.startsWith('{third} ')")
            assert f"1:{third}-" in page.input_value("#words")
            seats.nth(2).drag_to(seats.nth(0))
            screen.shows(f"document.querySelector('.seat').innerText.startsWith('{first} ')")
            page.click("text=Pair the rest again")
            screen.shows("document.querySelectorAll('.drawn input:checked').length === 2")
            assert page.locator(".drawn tbody tr").count() == PLAYERS // 2
            page.set_viewport_size({"width": 390, "height": 844})
            page.goto(server.url("/event"))
            page.select_option(".mine select", "A/3")
            screen.shows("document.querySelector('.mine-seat')?.innerText.includes('Table 2')")
            page.reload()
            screen.shows("document.querySelector('.mine-seat')?.innerText.includes('go first')")
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
            assert screen.complaints == []
        finally:
            server.kill()
