"""500 people at home watch one table: from the row in the log to the last of their pages.

A real server over a real log; the pages are sockets of one process, from several addresses of this
machine, that offer compression and ping as browsers do. Ten more connect and take nothing: they
must be dropped, and cost the others nothing. Pages and server share the machine's cores here.
"""

import asyncio
import contextlib
import json
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

from recorder.bus.broker import free_port
from recorder.log.sqlite import SqliteEventLog
from tests.browser.conftest import Server, now_ms
from tests.dashboard.table_writer import OPENING, TableWriter

MANY, SLOW, FROM_ONE = 500, 10, 125
GOAL_MS = 1000
BETWEEN_S = 1.0
DROPPED_WITHIN_S = 30.0


@dataclass
class Heard:
    """When each page had a play, in seconds of this process."""

    at: list[float] = field(default_factory=list)
    by_all: asyncio.Event = field(default_factory=asyncio.Event)

    def add(self, when: float) -> None:
        """One more page has it."""
        self.at.append(when)
        if len(self.at) == MANY:
            self.by_all.set()


def run() -> dict[str, dict[str, Any]]:
    """Milliseconds from the row to a page, over all pages and plays."""
    with tempfile.TemporaryDirectory() as name, SqliteEventLog(Path(name) / "log.db") as log:
        server = Server(Path(name) / "log.db", free_port())
        server.start()
        try:
            table = TableWriter(log, at=now_ms())
            table.start(("Ida Marlow", "Tom Reyes"))
            late, dropped = asyncio.run(_crowd(server.port, table))
        finally:
            server.kill()
    late.sort()
    return {
        f"spectators: row to one of {MANY} pages": {
            "unit": "ms",
            "median": round(late[len(late) // 2]),
            "p95": round(late[len(late) * 95 // 100]),
            "baseline": GOAL_MS,
            "ratio": round(late[len(late) * 95 // 100] / GOAL_MS, 2),
        },
        f"spectators: dropped of {SLOW} that take nothing": {
            "unit": "pages", "median": dropped, "p95": dropped, "baseline": SLOW,
            "ratio": round(dropped / SLOW, 2),
        },
    }  # fmt: skip


async def _crowd(port: int, table: TableWriter) -> tuple[list[float], int]:
    """How late each page had each play, in milliseconds; how many slow ones were dropped."""
    heard: dict[int, Heard] = {}
    async with contextlib.AsyncExitStack() as stack:
        pages = []
        for at in range(MANY):
            source = (f"127.0.0.{2 + at // FROM_ONE}", 0)
            address = f"ws://127.0.0.1:{port}/ws/watch/1"
            pages.append(await stack.enter_async_context(connect(address, local_addr=source)))
        slow = [await _deaf(port) for _ in range(SLOW)]
        hearing = [asyncio.create_task(_hear(page, heard)) for page in pages]
        late: list[float] = []
        for at, text in enumerate(OPENING):
            seq = table.rows[-1].seq + 1
            heard[seq] = play = Heard()
            told = time.perf_counter()
            await asyncio.to_thread(table.play, at % 2, text)
            async with asyncio.timeout(60):
                await play.by_all.wait()
            late += [(when - told) * 1000 for when in play.at]
            await asyncio.sleep(BETWEEN_S)
        dropped = [asyncio.create_task(_dropped(reader)) for reader, _ in slow]
        gone = sum(await asyncio.gather(*dropped))
        for task in hearing:
            task.cancel()
        await asyncio.gather(*hearing, return_exceptions=True)
    return late, gone


async def _hear(page: ClientConnection, heard: dict[int, Heard]) -> None:
    pinging = asyncio.create_task(_ping(page))
    try:
        async for text in page:
            message = json.loads(text)
            play = heard.get(message.get("seq", 0))
            if play is not None:
                play.add(time.perf_counter())
    finally:
        pinging.cancel()


async def _ping(page: ClientConnection) -> None:
    while True:
        await page.send(json.dumps({"type": "ping", "t": 1, "scene": "watch", "seq": 1}))
        await asyncio.sleep(4)


async def _deaf(port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A page that shakes hands and then takes nothing and answers nothing."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=64)
    head = (
        "GET /ws/watch/1 HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\n"
        "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    )
    writer.write(head.encode())
    return reader, writer


async def _dropped(reader: asyncio.StreamReader) -> bool:
    """Whether the server has let go of a page; what it sent before is read away now."""
    try:
        async with asyncio.timeout(DROPPED_WITHIN_S):
            while await reader.read(4096):
                pass
    except TimeoutError:
        return False
    except ConnectionError:
        return True
    return True
