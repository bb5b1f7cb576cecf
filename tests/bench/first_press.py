"""From an installation to a recorded press: ``python -m tests.bench.first_press [WHEEL]``.

The wheel (built here where none is named) is installed into a new environment, as ``pipx run``
does. Then ``tilecast venue`` is started in an empty folder, and its page is worked in Chromium as a
person does: it is read at a reader's pace, each field is looked for and typed into. The code of the
clock's phone is read from the sheet's picture, and the phone pressed. Prints what each step took.
"""

import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np

from devices.lab.scenes.lens import SceneCamera
from devices.lab.scenes.styles import demo_style
from devices.lab.scenes.table_scene import TableScene
from devices.pictures import encode_jpeg
from recorder.bus.broker import free_port
from recorder.log.places import open_log_reader
from tests.calibration.test_guide_page import Phone
from tests.chromium import open_chromium
from tests.eventually import BUSY_S, eventually

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ROOT = Path(__file__).parents[2]
WORDS_A_MINUTE = 200
"""So fast a person reads a page that is new to them."""
FIND_S, KEY_MS = 3.0, 200
"""To find a field and reach for it, to type a letter."""


class Steps:
    """What each step took, in seconds."""

    def __init__(self) -> None:
        self.took_s: dict[str, float] = {}
        self._begun = time.monotonic()

    def done(self, step: str) -> None:
        """One is over, the next begins."""
        now = time.monotonic()
        self.took_s[step] = round(now - self._begun, 1)
        print(f"{self.took_s[step]:6.1f} s  {step}", flush=True)
        self._begun = now


def built(folder: Path) -> Path:
    """The wheel, as it is for a release."""
    words = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(words, cwd=ROOT, check=True, capture_output=True)
    return next(folder.glob("*.whl"))


def installed(wheel: Path, folder: Path) -> Path:
    """The program, in an environment of its own."""
    venv.create(folder, with_pip=True)
    pip = [str(folder / "bin" / "pip"), "install", "-qq", str(wheel)]
    subprocess.run(pip, check=True)
    return folder / "bin" / "tilecast"


@contextmanager
def venue_page(program: Path, folder: Path) -> Iterator[str]:
    """The address that the program prints; it ends with the block."""
    ports = ["--broker-port", str(free_port()), "--dashboard-port", str(free_port())]
    process = subprocess.Popen(
        [str(program), "venue", "--port", "0", "--plain", *ports],
        stdout=subprocess.PIPE,
        text=True,
        cwd=folder,
        env={name: value for name, value in os.environ.items() if name != "PYTHONPATH"},
    )
    assert process.stdout
    try:
        said = process.stdout.readline()
        yield re.findall(r"http://127\.0\.0\.1:\d+/open\?key=\S+", said)[0]
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(60)
        process.stdout.close()


def read_aloud(page: "Page", shown: str = "body") -> None:
    """As long as a person takes to read what is on the page."""
    words = len(page.locator(shown).inner_text().split())
    page.wait_for_timeout(60_000 * words / WORDS_A_MINUTE)


def type_into(page: "Page", field: str, text: str) -> None:
    page.wait_for_timeout(1000 * FIND_S)
    page.locator(field).fill("")
    page.locator(field).press_sequentially(text, delay=KEY_MS)


def code_of(sheet: "Page", what: str) -> str:
    """What a phone reads in the code below a heading of the sheet."""
    code = sheet.locator("section", has_text=what).locator("svg").first
    shown = cv2.imdecode(np.frombuffer(code.screenshot(), np.uint8), cv2.IMREAD_COLOR)
    assert shown is not None
    text, _, _ = cv2.QRCodeDetector().detectAndDecode(shown)
    return str(text)


def first_press(browser: "Browser", address: str, camera: str, folder: Path, steps: Steps) -> None:
    laptop = browser.new_context(viewport={"width": 1440, "height": 900})
    page = laptop.new_page()
    page.set_default_timeout(1000 * BUSY_S)
    page.goto(address)
    steps.done("the page opens")
    read_aloud(page)
    steps.done("it is read")
    type_into(page, ".table [name=first]", "Ada")
    type_into(page, ".table [name=second]", "Ben")
    type_into(page, ".table [name=camera]", camera)
    page.wait_for_timeout(1000 * FIND_S)
    page.locator(".table select").focus()
    page.locator(".table select").select_option("phone")
    page.locator(".table img").wait_for(state="visible")
    page.wait_for_timeout(1000 * FIND_S)
    steps.done("it is filled in, and the camera's picture is there")
    page.locator("#make").click()
    page.locator("#done").wait_for(state="visible")
    steps.done("the venue is made and runs")
    read_aloud(page, "#done")
    steps.done("what to do next is read")
    sheet = laptop.new_page()
    sheet.goto(f"{page.url.partition('?')[0].removesuffix('/')}/sheet")
    read_aloud(sheet)
    link = code_of(sheet, "clock on a phone")
    steps.done("the sheet is read, and the clock's code scanned")
    held = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
    phone = held.new_page()
    phone.goto(link)
    phone.wait_for_selector("body[data-online='true']", timeout=1000 * BUSY_S)
    phone.wait_for_timeout(1000 * FIND_S)
    phone.tap("#right")
    with open_log_reader(folder / "hall" / "record" / "tilecast.db") as log:
        eventually(
            lambda: any(row.type == "clock.press" for row in log.read_from(1)),
            "the press is recorded",
        )
    steps.done("the phone is the clock, and its press is recorded")


def main(words: list[str]) -> int:
    """Prints the seconds of each step, of the installation and of what comes after it."""
    camera = Phone()
    scene = TableScene(demo_style(), 3, SceneCamera(tilt_deg=8.0, focal_px=1560.0, distance=36.0))
    camera.jpeg = encode_jpeg(scene.frame(1))
    with tempfile.TemporaryDirectory() as name, closing(camera), ExitStack() as opened:
        folder = Path(name)
        wheel = Path(words[0]) if words else built(folder)
        steps = Steps()
        program = installed(wheel, folder / "environment")
        steps.done("pip installs it")
        browser = opened.enter_context(open_chromium())
        hall = folder / "hall-of-a-club"
        hall.mkdir()
        steps.done("(the browser starts)")
        with venue_page(program, hall) as address:
            steps.done("tilecast venue starts")
            first_press(browser, address, camera.url, hall, steps)
    took = {step: s for step, s in steps.took_s.items() if not step.startswith("(")}
    print(f"{sum(took.values()):6.1f} s  from the installation to the press")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
