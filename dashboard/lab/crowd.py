"""Viewers of one table, simulated on this machine: a real dashboard, a real log, real sockets.

A short game is played on paper by the recorder; its rows are put into the log turn by turn, and
each viewer notes when it had the turn and what came over the wire. Viewers and dashboard share the
machine: what is reported is an upper bound. Ends what it started.
"""

import asyncio
import contextlib
import gzip
import json
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from websockets.asyncio.client import ClientConnection, connect

from dashboard.lab.viewer_costs import ASKED_EVERY_S, Taken
from recorder.bus.broker import free_port
from recorder.domain.errors import RecorderError
from recorder.lab.memory_log import MemoryEventLog
from recorder.lab.scenario.play import play_through
from recorder.lab.scenario.text.grammar import parse_scenario
from recorder.log.port import NewRow, Row
from recorder.log.sqlite import SqliteEventLog
from recorder.systems import processor_ms

FROM_ONE = 150
"""So many simulated viewers have one address of this machine."""
PATIENCE_S = 60.0
SETTLED_S = 1.0
_AT_THE_DOOR = 20
_VISIT = 150_000
"""Bytes of a first visit, heads included; ``tests/dashboard/watch`` adds up the bodies."""
_GAME = """rules wespa1
tiles english
players Ida Tom
minutes 25
sensors clock camera box
start
"""
_PLAYS = ("8D ZEPHYR", "F6 CO.Y", "6F .AVE", "I6 .A.N", "9I .OBLE", "M9 .LF", "11K OA.")


@dataclass(frozen=True, slots=True)
class CrowdMeasured:
    """What was measured: ``late_ms`` of every viewer and turn, sorted, from the row in the log."""

    late_ms: tuple[float, ...]
    turns: int
    taken: Taken
    cpu_ms_a_turn: float | None
    missed: int


@dataclass
class _Turn:
    """One turn: the row that says it, and who has it when."""

    seq: int
    begun_s: float
    had_s: list[float] = field(default_factory=list)


def simulate(viewers: int, *, asking: bool, every_s: float) -> CrowdMeasured:
    """So many viewers of a game of a few turns. RecorderError where the dashboard does not start.

    ``asking``: they hold no socket and ask every two seconds, with no cache before the dashboard.
    """
    with tempfile.TemporaryDirectory(prefix="tilecast-viewers-") as place:
        path = Path(place) / "log.db"
        with SqliteEventLog(path) as log, _dashboard(path) as (port, pid):
            return asyncio.run(_Crowd(port, pid, log, viewers, asking=asking).run(every_s))


@contextlib.contextmanager
def _dashboard(log: Path) -> Iterator[tuple[int, int]]:
    port = free_port()
    words = [sys.executable, "-m", "tilecast", "dashboard", "--log", str(log), "--port", str(port)]
    with (log.parent / "dashboard.log").open("wb") as said:
        process = subprocess.Popen(words, stdout=said, stderr=subprocess.STDOUT)  # noqa: S603 - ourselves
    try:
        _wait_for(process, port)
        yield port, process.pid
    finally:
        process.terminate()
        process.wait()


def _wait_for(process: "subprocess.Popen[bytes]", port: int) -> None:
    end_s = time.monotonic() + PATIENCE_S
    while time.monotonic() < end_s and process.poll() is None:
        with contextlib.suppress(OSError):
            urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=5).close()
            return
        time.sleep(0.1)
    raise RecorderError("the simulated viewers' dashboard does not start")


class _Counting(ClientConnection):
    """A socket that counts what comes over the wire."""

    bytes_in = 0

    def data_received(self, data: bytes) -> None:
        self.bytes_in += len(data)
        super().data_received(data)


class _Crowd:
    """All viewers of one simulation."""

    def __init__(
        self, port: int, pid: int, log: SqliteEventLog, viewers: int, *, asking: bool
    ) -> None:
        self._port, self._pid, self._log = port, pid, log
        self._viewers, self._asking = viewers, asking
        self._turns: list[_Turn] = []
        self._bytes = self._frame_bytes = self._unchanged_bytes = 0
        self._ready, self._all_had = asyncio.Event(), asyncio.Event()
        self._door = asyncio.Semaphore(_AT_THE_DOOR)
        self._there = self._lacking = 0

    async def run(self, every_s: float) -> CrowdMeasured:
        parts = list(_parts(_played()))
        self._append(parts[0])
        self._lacking = self._viewers * (len(parts) - 1)
        watch = self._ask if self._asking else self._listen
        tasks = [asyncio.create_task(watch(number)) for number in range(self._viewers)]
        try:
            async with asyncio.timeout(PATIENCE_S):
                await self._ready.wait()
            await asyncio.sleep(SETTLED_S)
            idle_from, before = time.monotonic(), self._bytes
            await asyncio.sleep(2 * ASKED_EVERY_S)
            idle = (self._bytes - before) / (time.monotonic() - idle_from)
            cpu_ms, before, begun_s = processor_ms(self._pid), self._bytes, time.monotonic()
            for part in parts[1:]:
                self._turns.append(_Turn(self._append(part), time.perf_counter()))
                await asyncio.sleep(every_s)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(PATIENCE_S):
                    await self._all_had.wait()
            spent_ms = None if cpu_ms is None else (processor_ms(self._pid) or 0) - cpu_ms
            took = self._bytes - before - idle * (time.monotonic() - begun_s)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        return self._measured(took, idle / self._viewers, spent_ms)

    def _measured(self, took: float, idle: float, spent_ms: float | None) -> CrowdMeasured:
        many = len(self._turns)
        late = sorted((had - turn.begun_s) * 1000 for turn in self._turns for had in turn.had_s)
        update = 0.0 if self._asking else max(0.0, took / self._viewers / many)
        return CrowdMeasured(
            tuple(late),
            many,
            Taken(
                _VISIT, update, self._frame_bytes, self._unchanged_bytes,
                0.0 if self._asking else idle,
            ),
            None if spent_ms is None else spent_ms / many,
            self._viewers * many - len(late),
        )  # fmt: skip

    def _append(self, rows: Sequence[Row]) -> int:
        stored = self._log.append([_copied(row) for row in rows])
        return max(row.seq for row in stored if row is not None)

    def _has(self, upto: int, seq: int) -> int:
        """Note which turns a viewer has with that row's frame; returns the next one missing."""
        while upto < len(self._turns) and self._turns[upto].seq <= seq:
            self._turns[upto].had_s.append(time.perf_counter())
            upto += 1
            self._lacking -= 1
        if not self._lacking:
            self._all_had.set()
        return upto

    def _is_there(self) -> None:
        self._there += 1
        if self._there == self._viewers:
            self._ready.set()

    async def _listen(self, number: int) -> None:
        """A page with a socket: it pings as pages at home do."""
        address = (f"127.0.0.{2 + number // FROM_ONE}", 0)
        url, upto = f"ws://127.0.0.1:{self._port}/ws/watch/1", 0
        async with self._door:  # at home they do not all come in one second
            socket = await connect(
                url, local_addr=address, create_connection=_Counting, open_timeout=PATIENCE_S
            )
        async with socket:
            pinging = asyncio.create_task(_ping(socket))
            try:
                heard, there = 0, False
                async for text in socket:
                    assert isinstance(socket, _Counting)
                    self._bytes += socket.bytes_in - heard
                    heard = socket.bytes_in
                    message = json.loads(text)
                    upto = self._has(upto, message.get("seq", 0))
                    if message["type"] == "snapshot" and not there:
                        there = True
                        self._is_there()
            finally:
                pinging.cancel()

    async def _ask(self, number: int) -> None:
        """A page that asks: each at its own moment, saying what it has."""
        address = (f"127.0.0.{2 + number // FROM_ONE}", 0)
        mark, upto, there = "", 0, False
        await asyncio.sleep(ASKED_EVERY_S * number / self._viewers)
        while True:
            begun_s = time.monotonic()
            with contextlib.suppress(OSError, asyncio.IncompleteReadError):
                status, size, mark, seq = await _asked(self._port, address, mark)
                self._bytes += size
                if status == 200:
                    self._frame_bytes = size
                    upto = self._has(upto, seq)
                else:
                    self._unchanged_bytes = size
                if not there:
                    there = True
                    self._is_there()
            await asyncio.sleep(max(0.0, ASKED_EVERY_S - (time.monotonic() - begun_s)))


async def _ping(socket: ClientConnection) -> None:
    while True:
        await asyncio.sleep(4)
        await socket.send(json.dumps({"type": "ping", "t": 1, "scene": "watch", "seq": 1}))


async def _asked(port: int, address: tuple[str, int], mark: str) -> tuple[int, int, str, int]:
    """Status, bytes, mark and row of a table's frame."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=address)
    try:
        had = f"If-None-Match: {mark}\r\n" if mark else ""
        head = f"GET /public/table/1.json HTTP/1.1\r\nHost: 127.0.0.1\r\n{had}"
        writer.write(f"{head}Accept-Encoding: gzip\r\nConnection: close\r\n\r\n".encode())
        whole = await reader.read()
    finally:
        writer.close()
    head_bytes, _, body = whole.partition(b"\r\n\r\n")
    lines = head_bytes.decode("latin-1").split("\r\n")
    named = dict(line.lower().split(": ", 1) for line in lines[1:])
    status = int(lines[0].split()[1])
    packed = named.get("content-encoding") == "gzip"
    seq = json.loads(gzip.decompress(body) if packed else body)["seq"] if status == 200 else 0
    return status, len(whole), named.get("etag", mark).replace("w/", "W/"), seq


def _played() -> list[Row]:
    """The rows of a game of a few turns."""
    lines = [
        f"+41\nlay {play}\n+4\npress {number % 2 + 1}\n+6" for number, play in enumerate(_PLAYS)
    ]
    store = MemoryEventLog()
    play_through(parse_scenario(_GAME + "\n".join(lines), "viewers.scn"), store=store)
    return list(store.read_from(1))


def _parts(rows: Sequence[Row]) -> Iterator[list[Row]]:
    """The rows up to the first turn, and then turn by turn: each part ends with its play."""
    part: list[Row] = []
    for row in rows:
        part.append(row)
        if row.type == "game.played":
            yield part
            part = []


def _copied(row: Row) -> NewRow:
    return NewRow(
        table=row.table, game=row.game, kind=row.kind, at=row.at, body=row.body, refs=row.refs,
        key=row.key,
    )  # fmt: skip
