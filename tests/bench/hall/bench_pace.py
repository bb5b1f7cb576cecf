"""A hall at four times the pace of play: from a press to its row, and what a turn costs.

The recorder's own game goes on at 1, 16 and 64 tables through Mosquitto, their players a little
apart; a camera and a clock at each, with their heartbeats. The recorder is a process of its own
with the log in a file. Counted is from the arrival of a press to the row that says what was
played, by the recorder's clock, and the CPU of its whole process. Time depends on what else the
machine does: the load is reported with it.
"""

import heapq
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from bisect import bisect_left
from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path
from typing import Any

from recorder.bus.broker import start_broker
from recorder.bus.mqtt import MqttBus
from recorder.lab.scenario.play import BEGAN_MS
from recorder.log.opening import wall_ms
from recorder.log.port import Row
from recorder.log.sqlite import SqliteEventLog
from recorder.service.plan import RecorderPlan
from recorder.service.recorder import Recorder
from recorder.wire.control import Heartbeat, encode
from recorder.wire.envelope import Envelope, encode_envelope
from recorder.wire.topics import Up, UpChannel
from tests.bench.bench_press_to_row import TimedLog
from tests.bench.figures import Figure, Figures
from tests.bench.hall.hall_curves import keep_table
from tests.bench.hall.hall_log import hall_plan, played_game
from tests.eventually import eventually

TABLES = (1, 16, 64)
PACE, SECONDS = 4.0, 60.0
BEAT_S, BOOT = 1.0, "5ce0a710"
SPOKEN = ("board-camera", "serial-clock")
BEGIN = "<!-- figures of make bench ONLY=pace -->\n"
_Said = tuple[float, int, str, bytes]
"""When (seconds from the start), a number that settles ties, topic, message."""


def run() -> Figures:
    _, rows = played_game()
    figures: Figures = {}
    lines = [
        "| tables | turns | press to row, median | p95 | CPU a turn | share of a core | load |",
        "|---|---|---|---|---|---|---|",
    ]
    for tables in TABLES:
        found = _hall(tables, rows)
        ms = found["took_ms"]
        median, p95 = statistics.median(ms), statistics.quantiles(ms, n=20)[-1]
        cost = 1000 * found["cpu_s"] / len(ms)
        share, load = found["cpu_s"] / found["seconds"], os.getloadavg()[0]
        lines.append(
            f"| {tables} | {len(ms)} | {median:.0f} ms | {p95:.0f} ms | {cost:.0f} ms | {share:.2f}"
            f" | {load:.0f} |"
        )
        figures |= {
            f"press to row at pace 4, tables: {tables}": Figure("ms", median, p95),
            f"CPU a turn at pace 4, tables: {tables}": Figure("ms", cost),
        }
    keep_table(BEGIN, "\n".join(lines) + "\n")
    return figures


def _hall(tables: int, rows: list[Row]) -> dict[str, Any]:
    """What a recorder shows that has heard so many tables for a while."""
    with tempfile.TemporaryDirectory() as place, ExitStack() as running:
        url = running.enter_context(start_broker("mosquitto", workdir=Path(place) / "broker")).url
        words = [sys.executable, "-m", "tests.bench.hall.bench_pace", url, place, str(tables)]
        recording = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        recording.stdout.readline()
        with MqttBus(url, "hall") as bus:
            eventually(lambda: bus.is_connected, "the broker is there")
            began = time.monotonic()
            for at, _, topic, payload in heapq.merge(*_said(tables, rows)):
                if at > SECONDS:
                    break
                time.sleep(max(0.0, began + at - time.monotonic()))
                bus.publish(topic, payload)
        out, _ = recording.communicate(b"\n", timeout=60)
        found: dict[str, Any] = json.loads(out)
        return found


def _said(tables: int, rows: list[Row]) -> list[Iterator[_Said]]:
    """What the devices of every table say, in order."""
    turn_s = 51 / PACE
    return [
        said
        for name in ("clock-1", "camera-1")
        for heard in [[row for row in rows if row.key is not None and row.key[0] == name]]
        for table in range(1, tables + 1)
        for times in [[_at(row, turn_s * (table - 1) / tables) for row in heard]]
        for said in (_events(table, heard, times), _beats(f"{name}-{table}", table, times))
    ]


def _at(row: Row, later_s: float) -> float:
    return later_s + (row.at - BEGAN_MS) / 1000 / PACE


def _events(table: int, heard: list[Row], times: list[float]) -> Iterator[_Said]:
    for number, (row, at) in enumerate(zip(heard, times, strict=True)):
        assert row.key is not None
        device, boot, seq = row.key
        data = dict(row.body["data"])
        if "still_ms" in data:
            data["still_ms"] = round(data["still_ms"] / PACE)
        event = Envelope(
            dev=f"{device}-{table}", boot=boot, seq=seq, t_ms=round(1000 * at),
            type=row.type, data=data,
        )  # fmt: skip
        topic = str(Up("scenario", event.dev, UpChannel.EVENT))
        yield at, 1000 * table + number, topic, encode_envelope(event)


def _beats(device: str, table: int, times: list[float]) -> Iterator[_Said]:
    topic = str(Up("scenario", device, UpChannel.HEARTBEAT))
    for number in range(int(SECONDS / BEAT_S)):
        at = number * BEAT_S + (table % 10) / 10
        # What it has said by now is taken for acknowledged: there is no outbox here.
        given = bisect_left(times, at)
        beat = Heartbeat(boot=BOOT, seq_high=given, outbox=0, t_ms=round(1000 * at))
        yield at, number, topic, encode(beat)


def plan_of_tables(tables: int) -> RecorderPlan:
    one, _ = played_game(0)
    plan = hall_plan(one, tables)
    begun = tuple(
        replace(
            table,
            started=replace(table.started, players=("First", "Second")),
            devices={name: role for name, role in table.devices.items() if role in SPOKEN},
            waits=False,
        )
        for table in plan.tables
    )
    return replace(plan, tables=begun, unchecked_clocks=frozenset(range(1, tables + 1)))


def record(url: str, place: Path, tables: int) -> dict[str, Any]:
    """Record until somebody says on standard input that it is enough; what it took."""
    with closing(SqliteEventLog(place / "log.db")) as log:
        timed = TimedLog(log, by_arrival=True)
        bus = MqttBus(url, "recorder-1")
        recorder = Recorder(plan_of_tables(tables), bus, timed, wall_ms)
        recorder.start()
        eventually(lambda: bus.is_connected, "the broker is there")
        print("ready", flush=True)
        began, used = time.monotonic(), time.process_time()
        enough = threading.Event()
        threading.Thread(target=lambda: (sys.stdin.readline(), enough.set()), daemon=True).start()
        enough.wait()
        spent = {"cpu_s": time.process_time() - used, "seconds": time.monotonic() - began}
        recorder.stop()
        return {"took_ms": timed.took_ms, **spent}


if __name__ == "__main__":
    print(json.dumps(record(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]))))
