"""A phone and a flashed clock without a key are let in with one button, in a real browser."""

import json
import os
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from calibration.venue.programs_file import read_keys
from devices.firmware.joining import settings_from
from recorder.bus.broker import find_mosquitto
from tests.eventually import eventually
from tests.foreign_clock import PahoClock
from tests.rehearsal.hall import Hall, open_hall

pytestmark = [pytest.mark.broker, pytest.mark.browser, pytest.mark.further]


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    """Two tables that wait for a phone and for a networked clock."""
    if find_mosquitto() is None:
        pytest.skip("Mosquitto is not installed: apt install mosquitto")
    with ExitStack() as stack:
        words = ("--tables", "2", "--clock", "phone", "--clock", "mqtt")
        yield open_hall(stack, tmp_path / "hall", *words)


def picture(page: Page, name: str) -> None:
    if folder := os.environ.get("TILECAST_SCREENSHOTS"):
        for size, (width, height) in {"desk": (1440, 900), "phone": (390, 844)}.items():
            page.set_viewport_size({"width": width, "height": height})
            page.wait_for_timeout(300)
            page.screenshot(path=Path(folder) / f"join-{name}-{size}.png")


def test_a_phone_and_a_clock_get_their_keys(hall: Hall, browser: Browser, tmp_path: Path) -> None:
    """The director reads which they are, chooses, and both work; neither needs a code or a file."""
    expect.set_options(timeout=60_000)
    base = f"http://127.0.0.1:{hall.page_port}"
    given: list[dict[str, Any]] = []
    presses, tired = [2], threading.Event()

    def pause() -> None:
        if tired.wait(0.3):
            raise RuntimeError

    def clock_asks() -> None:
        address = base.removeprefix("http://")
        given.append(settings_from(address, "clock 0a1b2c", lambda: presses[0], pause))

    asking = threading.Thread(target=clock_asks)
    phone = browser.new_context(viewport={"width": 390, "height": 844}).new_page()
    desk = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
    try:
        asking.start()
        phone.goto(f"{base}/join")
        number = phone.locator(".number").text_content()
        picture(phone, "asks")
        desk.goto(f"{base}/enter/{read_keys(hall.folder)['TILECAST_DIRECTOR_TOKEN']}")
        rows = desk.locator(".joins")
        expect(rows).to_have_count(2)
        picture(desk, "director")
        by_phone = rows.filter(has_text=f"A phone asks to join: number {number}")
        expect(by_phone.get_by_label("Add as")).to_contain_text("clock of table 1")
        by_phone.get_by_role("button", name="Add").click()
        expect(phone).to_have_url(f"{base}/clock/1")
        expect(rows).to_have_count(1)
        expect(rows).to_contain_text("A clock asks to join: clock 0a1b2c")
        expect(rows).to_contain_text("pressed 2 times")
        expect(rows.locator("option")).to_have_text(["clock of table 2"])
        rows.get_by_role("button", name="Add").click()
        expect(rows).to_have_count(0)
        asking.join(20)
    finally:
        tired.set()
        asking.join(20)
    assert given == [json.loads((hall.folder / "clocks" / "clock-2.json").read_text())]
    url = f"mqtt://{given[0]['user']}:{given[0]['broker_password']}@127.0.0.1:{given[0]['port']}"
    with PahoClock(url, "main", "clock-2", tmp_path / "flash") as clock:
        clock.press("R")
        eventually(lambda: not clock.waiting(), "the press is stored")
    phone.locator("#left").click()
    eventually(lambda: hall.rows("clock.press", 1), "the phone's press is stored")
