"""The spectators' page on a phone's line: from the address to the game that stands there.

A real server over a real log, a real Chromium with an empty cache that is held to 1.6 Mbit/s and
150 ms for every answer. Ready is the first picture with board, names and sheet; what travels is
counted as the browser counts it, heads included, until nothing has come for a second. Where there
is no browser there are no figures.
"""

import tempfile
from pathlib import Path

from playwright.sync_api import Browser, CDPSession

from recorder.bus.broker import free_port
from recorder.log.sqlite import SqliteEventLog
from tests.bench.figures import Figures, figure_of
from tests.browser.conftest import Server, now_ms
from tests.chromium import find_chromium, open_chromium
from tests.dashboard.table_writer import OPENING, TableWriter

TIMES = 5
LINE = {"offline": False, "latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 94_000}
"""Milliseconds and bytes a second: 1.6 Mbit/s down, 750 kbit/s up."""
READY_MS, MOST_KB = 1500, 150
PHONE = {"width": 390, "height": 844}
WATCH = """
    window.ready = 0;
    new MutationObserver((_, watching) => {
        if (document.querySelector("#watch")?.getAttribute("aria-busy") !== "false") return;
        watching.disconnect();
        requestAnimationFrame(() => setTimeout(() => { window.ready = performance.now(); }));
    }).observe(document, { subtree: true, childList: true, attributes: true });
"""


def run() -> Figures:
    """Milliseconds until each page is ready, kilobytes that travelled; the goals as baseline."""
    if find_chromium() is None:
        return {}
    with tempfile.TemporaryDirectory() as name, SqliteEventLog(Path(name) / "log.db") as log:
        server = Server(Path(name) / "log.db", free_port())
        server.start()
        try:
            _play(log)
            return _figures(server)
        finally:
            server.kill()


def _play(log: SqliteEventLog) -> None:
    for number in (1, 2):
        table = TableWriter(log, at=now_ms(), table=number)
        table.start(("Ida Marlow", "Tom Reyes"))
        for at, text in enumerate(OPENING):
            table.play(at % 2, text)


def _figures(server: Server) -> Figures:
    figures: Figures = {}
    with open_chromium() as browser:
        for page in ("/watch", "/watch/1"):
            visits = [_visit(browser, server.url(page)) for _ in range(TIMES)]
            ready, travelled = zip(*visits, strict=True)
            figures[f"{page} ready at 1.6 Mbit/s and 150 ms"] = figure_of("ms", ready, READY_MS)
            figures[f"{page} travelled"] = figure_of("KB", travelled, MOST_KB)
    return figures


def _visit(browser: Browser, address: str) -> tuple[float, float]:
    """A first visit: milliseconds until it was ready, kilobytes that travelled in all."""
    context = browser.new_context(viewport=PHONE, device_scale_factor=3)
    page = context.new_page()
    page.add_init_script(WATCH)
    session: CDPSession = context.new_cdp_session(page)
    travelled = [0.0]
    session.on("Network.loadingFinished", lambda end: travelled.append(end["encodedDataLength"]))
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", LINE)
    page.goto(address, wait_until="commit")
    while not (ready := page.evaluate("window.ready")):
        page.wait_for_timeout(50)
    had = 0
    while len(travelled) != had:
        had = len(travelled)
        page.wait_for_timeout(1000)
    context.close()
    return float(ready), sum(travelled) / 1000
