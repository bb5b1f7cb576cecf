"""Overlays for a long time: what memory grows by in an hour, and whether frames stay steady.

``make soak MINUTES=30``. A real server follows a log that grows by a play every two
seconds, game after game, with both clocks; real Chromium pages show every scene and what viewers
open. Once in a while their heaps are measured after a collection, and all processes' memory as
the system counts it. Complaints in a console and elements that are gone for a moment are counted.

The browser keeps slow frames, long tasks and layout shifts of each page, up to a few hundred, so
on a busy machine heaps grow by them at first; heap snapshots say whether anything else is kept.
"""

import os
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import CDPSession, ConsoleMessage, Page

from recorder.bus.broker import free_port
from recorder.domain.observations import ClockPressed, Side
from recorder.log.sqlite import SqliteEventLog
from tests.browser.conftest import Server, now_ms
from tests.chromium import find_chromium, open_chromium
from tests.dashboard.table_writer import OPENING, TableWriter, look_at

SCENES = (
    *("full", "vertical", "score", "bug", "board", "last"),
    *("clocks", "unseen", "graph", "banner", "final"),
)
PAGES = (*(f"/o/featured/{scene}" for scene in SCENES), "/watch", "/watch/1")
SAMPLES = 20
PLAY_S = 2.0
FRAMES = """async () => {
    const gaps = [];
    let before = performance.now();
    while (gaps.length < 180) {
        const at = await new Promise(requestAnimationFrame);
        gaps.push(at - before);
        before = at;
    }
    return gaps.slice(1);
}"""
FLASHES = """() => {
    // A frame with less than half of the elements of the one before: something was taken away.
    const all = document.getElementsByTagName("*");
    let before = 0;
    window.flashes = [];
    const look = () => {
        const now = all.length;
        if (now < before / 2) window.flashes.push([Math.round(performance.now()), before, now]);
        before = now;
        requestAnimationFrame(look);
    };
    look();
}"""
_MB = 1024 * 1024


@dataclass
class Figures:
    """Samples over time: minutes, and megabytes of each; gaps between frames in ms."""

    minutes: list[float] = field(default_factory=list)
    heap: list[float] = field(default_factory=list)
    heaps: dict[str, list[float]] = field(default_factory=dict)
    nodes: list[float] = field(default_factory=list)
    pages: list[float] = field(default_factory=list)
    server: list[float] = field(default_factory=list)
    gaps: list[float] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)
    flashes: list[str] = field(default_factory=list)


def main(arguments: list[str]) -> int:
    """0 when it ran to its end; 1 without a browser; 2 for wrong usage."""
    try:
        minutes = float(arguments[0]) if arguments else 30.0
    except ValueError:
        print("usage: python -m tests.bench.hall.soak [MINUTES]", file=sys.stderr)
        return 2
    if find_chromium() is None:
        print("no Chromium found: install one, or name it in TILECAST_CHROMIUM", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory() as name, SqliteEventLog(Path(name) / "log.db") as log:
        server = Server(Path(name) / "log.db", free_port())
        server.start()
        try:
            figures = _soak(server, log, minutes)
        finally:
            server.kill()
    _tell(figures)
    return 0


def _soak(server: Server, log: SqliteEventLog, minutes: float) -> Figures:
    figures = Figures()
    with open_chromium() as browser:
        context = browser.new_context(viewport={"width": 1920, "height": 1080})
        pages = []
        context.on("console", lambda said: _complaint(figures, said))
        context.on("weberror", lambda error: figures.complaints.append(str(error.error)))
        for address in PAGES:
            page = context.new_page()
            page.goto(server.url(address))
            page.evaluate(FLASHES)
            pages.append(page)
        sessions = [context.new_cdp_session(page) for page in pages]
        plays = _plays(log)
        begun = time.monotonic()
        end, every = begun + minutes * 60, minutes * 60 / SAMPLES
        sample_at = begun + min(20.0, every)
        while time.monotonic() < end:
            next(plays)
            pages[0].wait_for_timeout(PLAY_S * 1000)
            if time.monotonic() >= sample_at:
                sample_at += every
                figures.minutes.append((time.monotonic() - begun) / 60)
                _sample(figures, pages, sessions, server.process.pid)
        for address, page in zip(PAGES, pages, strict=True):
            seen = page.evaluate("window.flashes")
            figures.flashes += [f"{address} {at} ms: {before} -> {now}" for at, before, now in seen]
    return figures


def _complaint(figures: Figures, said: ConsoleMessage) -> None:
    if said.type in ("error", "warning"):
        figures.complaints.append(f"{said.type}: {said.text}")


def _plays(log: SqliteEventLog) -> Iterator[None]:
    """Write a play at each step, with looks and presses; a new game after the last one."""
    table, number = TableWriter(log, at=now_ms()), 0
    while True:
        number += 1
        table.at = now_ms() - 1000
        table.start((f"Anna {number}", "Jürgen Müller"), game=f"g{number}")
        for at, text in enumerate(OPENING):
            assert table.state is not None
            table.at = now_ms() - 1000
            table.observe(look_at(table.state, {"1A": "E", "1B": "N"}))
            table.at = now_ms() - 1000
            press = ClockPressed(
                side=(Side.LEFT, Side.RIGHT)[at % 2],
                left_ms=1_500_000 - at * 30_000,
                right_ms=1_500_000 - at * 31_000,
                running=(Side.RIGHT, Side.LEFT)[at % 2],
            )
            table.observe(press, "clock-1")
            table.play(at % 2, text)
            table.rows.clear()
            yield


def _sample(figures: Figures, pages: list[Page], sessions: list[CDPSession], server: int) -> None:
    heap = nodes = 0.0
    for path, session in zip(PAGES, sessions, strict=True):
        session.send("HeapProfiler.collectGarbage")
        session.send("Performance.enable")
        told = session.send("Performance.getMetrics")["metrics"]
        found = {one["name"]: one["value"] for one in told}
        used = found["JSHeapUsedSize"] / _MB
        heap += used
        figures.heaps.setdefault(path, []).append(used)
        nodes += found["Nodes"]
    figures.heap.append(heap)
    figures.nodes.append(nodes)
    children = _below(os.getpid())
    figures.server.append(_memory_mb(server))
    figures.pages.append(sum(_memory_mb(pid) for pid in children if pid != server))
    pages[0].bring_to_front()
    figures.gaps.extend(pages[0].evaluate(FRAMES))
    print(
        f"{figures.minutes[-1]:6.1f} min  heaps {heap:6.1f} MB  nodes {nodes:6.0f}"
        f"  pages {figures.pages[-1]:7.1f} MB  server {figures.server[-1]:6.1f} MB",
        flush=True,
    )


def _memory_mb(pid: int) -> float:
    """What a process itself has put into memory, by the system; 0 when it is gone.

    Pages of files are left out: they belong to the system, and the part that is counted for a
    process grows whenever another one that has the same files open ends.
    """
    try:
        text = Path(f"/proc/{pid}/smaps_rollup").read_text("ascii")
    except OSError:
        return 0.0
    own = [line.split() for line in text.splitlines() if line.startswith(("Pss_Anon", "Pss_Shmem"))]
    return sum(int(kilobytes) for _, kilobytes, _ in own) / 1024


def _below(pid: int) -> list[int]:
    """All processes that come from one."""
    parents: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parents[int(entry.name)] = int(
                    (entry / "stat").read_text().split(") ")[1].split()[1]
                )
            except (OSError, IndexError):
                continue
    found, waiting = [], [pid]
    while waiting:
        parent = waiting.pop()
        children = [child for child, of in parents.items() if of == parent]
        found += children
        waiting += children
    return found


def slope_per_hour(minutes: list[float], values: list[float]) -> float:
    """The straight line through the second half, when caches have been filled."""
    half = len(minutes) // 2
    if len(minutes) - half < 2:
        return 0.0
    return statistics.linear_regression(minutes[half:], values[half:]).slope * 60


def _tell(figures: Figures) -> None:
    if not figures.minutes:
        print("too short for a sample")
        return
    for name in ("heap", "pages", "server"):
        values = getattr(figures, name)
        slope = slope_per_hour(figures.minutes, values)
        print(f"{name:7} {values[-1]:7.1f} MB at the end, slope {slope:+.2f} MB/h")
    for path, values in figures.heaps.items():
        slope = slope_per_hour(figures.minutes, values)
        print(f"  {path:22} {values[0]:5.2f} -> {values[-1]:5.2f} MB, slope {slope:+.2f} MB/h")
    slope = slope_per_hour(figures.minutes, figures.nodes)
    print(f"nodes   {figures.nodes[-1]:7.0f} at the end, slope {slope:+.0f} per hour")
    gaps = sorted(figures.gaps)
    long = sum(gap > 50 for gap in gaps)
    print(
        f"frames  median {statistics.median(gaps):.1f} ms,"
        f" p95 {gaps[int(0.95 * (len(gaps) - 1))]:.1f} ms,"
        f" p99 {gaps[int(0.99 * (len(gaps) - 1))]:.1f} ms, longer than 50 ms: {long} of {len(gaps)}"
    )
    for name in ("complaints", "flashes"):
        found = getattr(figures, name)
        print(f"{name} {len(found)}", *found[:10], sep="\n  ")


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
