"""``tilecast calibrate page`` as a process, with a camera over HTTP, in a real browser."""

import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from devices.cameras.profile import BOARD_FILE
from devices.lab.scenes.lens import SceneCamera
from devices.lab.scenes.styles import demo_style
from devices.lab.scenes.table_scene import TableScene
from devices.pictures import encode_jpeg
from tests.browser.accessible import audit
from tests.served import snapshots

__all__ = ["audit"]
pytestmark = pytest.mark.browser
EMPTY = ("." * 15,) * 15
FOX = (*EMPTY[:7], "......FOX......", *EMPTY[8:])


class Phone:
    """A snapshot camera: every request gets what stands on ``jpeg`` then."""

    def __init__(self) -> None:
        self.jpeg, self._served = b"", ExitStack()
        self.url = self._served.enter_context(snapshots(lambda: self.jpeg))

    def close(self) -> None:
        self._served.close()


@pytest.fixture
def phone() -> Iterator[Phone]:
    """A phone that looks at nothing yet."""
    phone = Phone()
    yield phone
    phone.close()


@pytest.fixture
def address(phone: Phone, tmp_path: Path) -> Iterator[str]:
    table = tmp_path / "table.toml"
    table.write_text(f'[[device]]\nkind = "board-camera"\nname = "cam-1"\nsource = "{phone.url}"\n')
    words = ["-m", "tilecast", "calibrate", "page", str(table), "--port", "0"]
    page = subprocess.Popen([sys.executable, *words], stdout=subprocess.PIPE, text=True)
    found = re.search(r"http://127\.0\.0\.1:\d+/open\?key=\S+", page.stdout.readline())
    yield found[0]
    page.send_signal(signal.SIGTERM)
    assert page.wait(60) == 0
    page.stdout.close()


@pytest.fixture
def browser_page(browser: Browser) -> Iterator[Page]:
    """A window of the headless Chromium."""
    page = browser.new_page(viewport={"width": 1100, "height": 1400})
    yield page
    page.close()


def _until(page: Page, claim: Callable[[], object]) -> None:
    deadline = time.monotonic() + 60
    while not claim():
        assert time.monotonic() < deadline, page.locator("body").inner_text()
        page.wait_for_timeout(50)


def _status(url: str, *, post: bool = False, host: str = "") -> int:
    headers = {"Content-Type": "application/json", **({"Host": host} if host else {})}
    data = json.dumps({}).encode() if post else None
    try:
        with urllib.request.urlopen(urllib.request.Request(url, data, headers), timeout=60) as seen:
            return int(seen.status)
    except urllib.error.HTTPError as error:
        with error:
            return error.code


@pytest.mark.further
def test_a_person_calibrates_a_camera_in_a_browser(
    phone: Phone,
    address: str,
    browser_page: Page,
    tmp_path: Path,
    audit: Callable[[Page], list[Any]],
) -> None:
    """Tiles are refused with the reason; the bare board is kept, with the grid over the picture."""
    scene = TableScene(demo_style(), 3, SceneCamera(tilt_deg=8.0, focal_px=1560.0, distance=36.0))
    scene.board = FOX
    phone.jpeg = encode_jpeg(scene.frame(1))
    page = browser_page
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto(address)
    job = page.locator("#job-cam-1")
    job.get_by_role("button", name="Start").click()
    _until(page, lambda: "tiles are seen on 8G" in job.locator(".faults").inner_text())
    shown = job.locator("img")
    _until(page, lambda: shown.evaluate("image => image.naturalWidth") == 1280)
    job.get_by_role("button", name="Continue").click()
    _until(page, lambda: job.get_attribute("data-state") == "refused")
    assert "not empty" in job.locator(".lines").inner_text()
    assert audit(page) == []
    assert not (tmp_path / "cam-1.json").exists()
    scene.board = EMPTY
    phone.jpeg = encode_jpeg(scene.frame(2))
    job.get_by_role("button", name="Start again").click()
    _until(page, lambda: "corner error" in job.locator(".figures").inner_text())
    job.get_by_role("button", name="Continue").click()
    _until(page, lambda: job.get_attribute("data-state") == "kept")
    assert BOARD_FILE.load(tmp_path / "cam-1.json").score > 0.6
    if folder := os.environ.get("TILECAST_SCREENSHOTS"):
        page.screenshot(path=Path(folder) / "calibration.png")
    assert audit(page) == []
    assert wrong == []


def test_the_address_opens_once_and_for_nobody_else(address: str) -> None:
    """Without the cookie nothing is shown or done; a used key, or another name, opens nothing."""
    root = address.split("/open", maxsplit=1)[0]
    assert _status(f"{root}/state") == 403
    assert _status(f"{root}/start/cam-1", post=True) == 403
    assert _status(f"{root}/open?key=guess") == 403
    assert _status(address, host="tilecast.example") == 400
    opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
    with opener.open(address, timeout=60) as seen:
        assert b"Calibrating" in seen.read()
    with opener.open(f"{root}/state", timeout=60) as seen:
        assert [job["name"] for job in json.load(seen)["jobs"]] == ["cam-1"]
    with pytest.raises(urllib.error.HTTPError) as foreign:
        opener.open(urllib.request.Request(f"{root}/start/cam-1", b"{}"), timeout=60)
    assert foreign.value.code == 403
    foreign.value.close()
    assert _status(address) == 403
