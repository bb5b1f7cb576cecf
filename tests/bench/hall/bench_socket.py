"""A page's socket: bytes of a change as they leave the server, and the time from row to page.

A real server follows a log that grows by the game that ships; twenty pages hear it over sockets of
their own, which offer compression as a browser does. Bytes are whole WebSocket frames, counted
below any WebSocket library. Between the turns the page that is counted pings as long as a turn
takes: its answers share the compressor's memory with the frames. The server's CPU is that of its
main thread, where Linux shows it.
"""

import contextlib
import itertools
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from recorder.bus.broker import free_port
from recorder.domain.board import name_across
from recorder.domain.game import Played
from recorder.domain.observations import ClockPressed, Side
from recorder.gcg import read_gcg
from recorder.log.port import Row
from recorder.log.sqlite import SqliteEventLog
from tests.browser.conftest import Server, now_ms
from tests.dashboard.live.raw_page import RawPage
from tests.dashboard.table_writer import TableWriter, look_at

GAME = Path(__file__).parents[3] / "devices" / "lab" / "games" / "english.gcg"
PAGES = 20
PINGS = 90
"""What a page says of itself in a turn of a good minute: once in 0.8 s."""
GOALS = {"play": 226, "look": 180, "snapshot": 8192, "late": 50, "cpu": 5}


def run() -> dict[str, dict[str, Any]]:
    """Bytes by kind of change, milliseconds to the last of the pages, CPU an update."""
    with tempfile.TemporaryDirectory() as name, SqliteEventLog(Path(name) / "log.db") as log:
        server = Server(Path(name) / "log.db", free_port())
        server.start()
        try:
            return _figures(server, TableWriter(log, at=now_ms()))
        finally:
            server.kill()


def _figures(server: Server, table: TableWriter) -> dict[str, dict[str, Any]]:
    assert server.process is not None
    with contextlib.ExitStack() as stack:
        pages = [RawPage(server.port, "/ws/table/1") for _ in range(PAGES)]
        for page in pages:
            stack.callback(page.close)
        sizes: dict[str, list[float]] = {"snapshot": [], "play": [], "look": [], "press": []}
        late, cpu = [], []
        for kind, row in _rows(table):
            begun, used = time.perf_counter(), _cpu_ms(server.process.pid)
            heard = [page.hear_row(row.seq).size for page in pages]
            late.append((time.perf_counter() - begun) * 1000)
            cpu.append(_cpu_ms(server.process.pid) - used)
            sizes[kind].append(heard[0])
            if kind == "play":
                for _ in range(PINGS):
                    pages[0].ping()
        newcomer = RawPage(server.port, "/ws/table/1")
        stack.callback(newcomer.close)
        last = float(newcomer.hear_row(0).size)
    figures = {
        "socket: snapshot at the end of a game": _figure("B", [last], GOALS["snapshot"]),
        "socket: change of a play": _figure("B", sizes["play"], GOALS["play"]),
        "socket: change of a look": _figure("B", sizes["look"], GOALS["look"]),
        f"socket: row to the last of {PAGES} pages": _figure("ms", late, GOALS["late"]),
    }
    if any(cpu):
        figures[f"socket: server's CPU, {PAGES} pages"] = _figure("ms", cpu, GOALS["cpu"])
    return figures


def _rows(table: TableWriter) -> Iterator[tuple[str, Row]]:
    """The game as it goes.

    Half of a play lies there, the clock is pressed, the play is reported.
    """
    yield "snapshot", table.start(("Ida Marlow", "Tom Reyes"))
    for number, event in enumerate(read_gcg(GAME.read_bytes()).events):
        assert table.state is not None
        if isinstance(event, Played):
            new = event.placement.new_tiles()
            half = dict(itertools.islice(new.items(), 1 + len(new) // 2))
            seen = {name_across(sq): str(tile) for sq, tile in half.items()}
            yield "look", table.observe(look_at(table.state, seen))
        yield "press", table.observe(_press(number), "clock-1")
        yield "play", table.record(event)


def _press(number: int) -> ClockPressed:
    sides = (Side.LEFT, Side.RIGHT)
    return ClockPressed(
        side=sides[number % 2],
        left_ms=1_500_000 - number * 41_300,
        right_ms=1_500_000 - number * 39_700,
        running=sides[(number + 1) % 2],
    )


def _cpu_ms(pid: int) -> float:
    """What the main thread of a process has used of a processor; 0 where nobody shows."""
    try:
        return int(Path(f"/proc/{pid}/schedstat").read_text(encoding="ascii").split()[0]) / 1e6
    except OSError:
        return 0.0


def _figure(unit: str, values: list[float], goal: float) -> dict[str, Any]:
    ordered = sorted(values)
    median, p95 = statistics.median(ordered), ordered[int(0.95 * (len(ordered) - 1))]
    return {
        "unit": unit,
        "median": round(median, 1),
        "p95": round(p95, 1),
        "baseline": goal,
        "ratio": round(p95 / goal, 2),
    }
