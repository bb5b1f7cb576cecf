"""Clocks of a table that others have made, all worked alike: start, press, hold, go on.

A networked clock after ``docs/clock-protocol.md``, a clock on a serial line (``socat`` is the
cable) after ``docs/tcc1.md``, and the phone page in Chromium.
"""

import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from recorder.bus.broker import find_mosquitto
from tests.chromium import find_chromium, open_chromium
from tests.eventually import eventually
from tests.foreign_clock import PahoClock
from tests.foreign_serial_clock import StrangerOnTheLine
from tests.rehearsal.hall import Hall

if TYPE_CHECKING:
    from playwright.sync_api import Page


class TableClock(Protocol):
    """What players do with a clock."""

    def start(self) -> None:
        """The left half runs: its player begins."""

    def press(self, side: str) -> None:
        """A player presses their half, ``L`` or ``R``."""

    def hold(self) -> None:
        """Both halves stop."""

    def go_on(self) -> None:
        """The half that ran goes on."""

    def waiting(self) -> int:
        """How many events nobody has acknowledged."""


class NetworkedClock:
    """A stranger's clock on the broker."""

    def __init__(self, paho: PahoClock) -> None:
        self.paho, self._held = paho, "L"

    def start(self) -> None:
        self._change("resume", "L")

    def press(self, side: str) -> None:
        self.paho.press(side)

    def hold(self) -> None:
        self._held = self.paho.clock.running
        self._change("pause", "N")

    def go_on(self) -> None:
        self._change("resume", self._held)

    def waiting(self) -> int:
        return self.paho.waiting()

    def _change(self, act: str, running: str) -> None:
        with self.paho.lock:
            self.paho.clock.count()
            self.paho.clock.running = running
            self.paho.clock.change(act)


class SerialLine:
    """``socat`` between two ends: our agent has one, the clock of others the other."""

    def __init__(self, folder: Path) -> None:
        self.ours, self.theirs = folder / "tty-ours", folder / "tty-theirs"
        ends = [f"pty,raw,echo=0,link={end}" for end in (self.ours, self.theirs)]
        self.process = subprocess.Popen(["socat", *ends])
        eventually(lambda: self.ours.exists() and self.theirs.exists(), "socat lays the cable")

    def close(self) -> None:
        self.process.terminate()
        self.process.wait(20)


class SerialClock:
    """A stranger's clock on a cable."""

    def __init__(self, stranger: StrangerOnTheLine) -> None:
        self.stranger, self._held = stranger, "L"
        self.press, self.waiting = stranger.press, stranger.waiting

    def start(self) -> None:
        self.stranger.run("L")

    def hold(self) -> None:
        self._held = self.stranger.running
        self.stranger.hold()

    def go_on(self) -> None:
        self.stranger.run(self._held)


class PhoneClock:
    """The page of a phone in Chromium, worked by touch."""

    def __init__(self, page: "Page", table: int) -> None:
        self._page, self._table = page, table

    def start(self) -> None:
        """The other half is touched: the left one runs."""
        self._page.tap("#right")
        self._page.wait_for_selector("#left[data-state='runs']")

    def press(self, side: str) -> None:
        self._page.tap({"L": "#left", "R": "#right"}[side])

    def hold(self) -> None:
        self._page.tap("#hold")
        self._page.wait_for_selector("body.held")

    def go_on(self) -> None:
        self._page.tap("#hold")
        self._page.wait_for_selector("body:not(.held)")

    def waiting(self) -> int:
        key = f"tilecast:phone-clock-{self._table}:waiting"
        kept = self._page.evaluate("key => JSON.parse(localStorage.getItem(key) || '[]')", key)
        return len(kept)


@contextmanager
def networked(hall: Hall, table: int, folder: Path) -> Iterator[TableClock]:
    """The clock by the file that init made for it."""
    name = f"clock-{table}"
    flash = folder / f"flash-{table}"
    certificates = hall.folder / "clocks" / name
    shown = certificates if certificates.is_dir() else None
    url = hall.clock_url(table=table)
    with PahoClock(url, "main", name, flash, certificates=shown) as clock:
        yield NetworkedClock(clock)


@contextmanager
def on_phone(hall: Hall, table: int, _folder: Path) -> Iterator[TableClock]:
    """The page by the link that init printed for it."""
    sheet = (hall.folder / "links.html").read_text("utf-8")
    link = re.search(rf'href="(http[^"]+/enter/[^"]+to=/clock/{table})"', sheet)
    with open_chromium() as browser:
        screen = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
        page = screen.new_page()
        page.goto(link[1].replace("&amp;", "&"))
        page.wait_for_selector("body[data-online='true']")
        yield PhoneClock(page, table)


@contextmanager
def on_cable(_hall: Hall, table: int, folder: Path) -> Iterator[TableClock]:
    """The clock at the other end of the table's cable, which ``open_hall`` was reported."""
    with StrangerOnTheLine(folder / f"cable-{table}" / "tty-theirs") as clock:
        yield SerialClock(clock)


KINDS: dict[str, Callable[[Hall, int, Path], AbstractContextManager[TableClock]]] = {
    "mqtt": networked,
    "serial": on_cable,
    "phone": on_phone,
}
NAMES = {
    "mqtt": "a foreign MQTT clock",
    "serial": "a serial clock through socat",
    "phone": "the phone page in Chromium",
}


def lacks(kind: str) -> str:
    """What is missing on this machine for a kind of clock, with the remedy; empty when nothing."""
    if find_mosquitto() is None:
        return "apt install mosquitto"
    if kind == "serial" and shutil.which("socat") is None:
        return "apt install socat"
    if kind == "phone" and find_chromium() is None:
        return "apt install chromium"
    return ""
