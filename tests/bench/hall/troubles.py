"""Draws what a venue says of three troubles: ``python -m tests.bench.hall.troubles [FOLDER]``.

A real venue of two tables: a clock that floods, a full disk, a damaged index in the log. Each
picture has the director's page above and the last lines of ``tilecast venue`` below. They are kept
in ``docs/screenshots``; times and numbers differ with each run.
"""

import base64
import html
import os
import resource
import signal
import sqlite3
import sys
import tempfile
import time
from contextlib import ExitStack, closing
from pathlib import Path

import cv2
import numpy as np
from playwright.sync_api import Browser

from tests.bench.hall.flooded import Flood
from tests.chromium import open_chromium
from tests.eventually import eventually
from tests.foreign_clock import PahoClock
from tests.rehearsal.hall import Hall, open_hall

FOLDER = Path(__file__).parents[3] / "docs" / "screenshots"
WIDTH, HEIGHT = 1280, 560
QUALITY = 72
LINES = 6
BELOW = "<img style='display:block' src='data:image/png;base64,{page}'><pre>{lines}</pre>"
LOOKS = (
    "<style>body{margin:0;background:#101418}"
    "pre{margin:0;padding:14px 18px;color:#d8dee4;font:15px/1.5 monospace;white-space:pre-wrap}"
    "</style>"
)


def key_of(hall: Hall) -> str:
    lines = (hall.folder / "keys.env").read_text("utf-8").splitlines()
    found = dict(line.split("=", 1) for line in lines if "=" in line)
    return found["TILECAST_DIRECTOR_TOKEN"].strip()


def draw(browser: Browser, hall: Hall, word: str, file: Path) -> None:
    page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
    page.goto(f"http://127.0.0.1:{hall.page_port}/enter/{key_of(hall)}?to=/director?table=2")
    page.get_by_text(word).first.wait_for(timeout=60_000)
    page.wait_for_timeout(1500)
    shot = base64.b64encode(page.screenshot()).decode()
    lines = html.escape("\n".join(hall.said()[-LINES:]))
    page.set_content(LOOKS + BELOW.format(page=shot, lines=lines))
    picture = cv2.imdecode(
        np.frombuffer(page.screenshot(full_page=True), np.uint8), cv2.IMREAD_COLOR
    )
    assert picture is not None
    cv2.imwrite(str(file), picture, [cv2.IMWRITE_WEBP_QUALITY, QUALITY])
    page.close()


def damage_index(log: Path) -> None:
    with closing(sqlite3.connect(log)) as file:
        file.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        wanted = "SELECT rootpage FROM sqlite_master WHERE name = 'event_of_game'"
        root, size = file.execute(wanted).fetchone()[0], file.execute("PRAGMA page_size").fetchone()
    with log.open("r+b") as file:
        file.seek((root - 1) * size[0] + 3)
        file.write(b"\xff\xff")


def main(folder: Path) -> None:
    """The three of them, one after the other."""
    with ExitStack() as stack:
        place = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        hall = open_hall(stack, place / "hall", "--clock", "mqtt", "--tables", "2")
        clock = stack.enter_context(PahoClock(hall.clock_url(), "main", "clock-1", place / "flash"))
        browser = stack.enter_context(open_chromium())
        flood = Flood(hall)
        stack.callback(flood.close)
        flood.go(on=True)
        draw(browser, hall, "Sends too much", folder / "trouble-flood.webp")
        flood.go(on=False)
        time.sleep(15)

        recorder, most = hall.pid_of("record"), resource.RLIM_INFINITY
        resource.prlimit(recorder, resource.RLIMIT_FSIZE, (1, most))
        clock.press("R")
        draw(browser, hall, "cannot store", folder / "trouble-disk.webp")
        resource.prlimit(recorder, resource.RLIMIT_FSIZE, (most, most))
        eventually(lambda: not clock.waiting())
        time.sleep(5)

        os.kill(recorder, signal.SIGKILL)
        damage_index(hall.folder / "record" / "tilecast.db")
        draw(browser, hall, "damaged", folder / "trouble-index.webp")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
