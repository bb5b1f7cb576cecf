"""How fast the log takes rows, and how long an event takes from device to durable ack."""

import queue
import sqlite3
import statistics
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack, closing
from pathlib import Path
from typing import TYPE_CHECKING

from recorder.bus.broker import start_broker
from recorder.bus.mqtt import MqttBus
from recorder.domain.row_kind import Kind
from recorder.log.port import NewRow
from recorder.log.sqlite import SqliteEventLog
from recorder.wire.control import Ack, decode_ack, encode
from recorder.wire.envelope import Envelope, decode_envelope, encode_envelope
from tests.bench.figures import Figure, Figures

if TYPE_CHECKING:
    from recorder.bus.port import Message

BODY = {"type": "clock.press", "data": {"side": "L", "left_ms": 1, "right_ms": 2, "running": "R"}}
EV = "tc/v1/bench/up/clock-07/ev"
ACK = "tc/v1/bench/down/clock-07/ack"
BOOT = "00000001"
ROUNDS = 20
ROWS_PER_ROUND = {1: 40, 10: 200, 100: 1000}
PRESSES = 300
PAUSE_S = 0.01


def run() -> Figures:
    """The figures by name; ``baseline`` is the simpler way measured in turns with ours."""
    figures: Figures = {}
    with tempfile.TemporaryDirectory() as place:
        for batch in ROWS_PER_ROUND:
            figures[f"log append, batches of {batch}"] = append_rate(Path(place), batch)
        figures["device to durable ack"] = ack_latency(Path(place))
    return figures


def append_rate(place: Path, batch: int) -> Figure:
    """Rows per second of our log against plain inserts of the same text (no hash, same flushes).

    The two take turns, so that a disk that changes its mood changes it for both.
    """
    ours: list[float] = []
    plain: list[float] = []
    with (
        SqliteEventLog(place / f"log-{batch}.db") as log,
        closing(sqlite3.connect(place / f"plain-{batch}.db", isolation_level=None)) as other,
    ):
        other.execute("PRAGMA journal_mode = WAL")
        other.execute("PRAGMA synchronous = FULL")
        other.execute("CREATE TABLE event (seq INTEGER PRIMARY KEY, body TEXT NOT NULL)")
        for number in range(ROUNDS):
            count = ROWS_PER_ROUND[batch]
            ours.append(rate(count, lambda: fill(log, count, batch)))  # noqa: B023  # called at once
            if number == 0:
                ours.clear()
            plain.append(rate(count, lambda: fill_plain(other, count, batch)))  # noqa: B023
    baseline = statistics.median(plain)
    # What 95 % of the rounds reached.
    least = statistics.quantiles(ours, n=20)[0]
    return Figure("rows/s", statistics.median(ours), least, baseline)


def rate(count: int, action: Callable[[], None]) -> float:
    began = time.perf_counter()
    action()
    return count / (time.perf_counter() - began)


def fill(log: SqliteEventLog, count: int, batch: int) -> None:
    """Append ``count`` observations."""
    for first in range(log.head() + 1, log.head() + 1 + count, batch):
        log.append([new_row(seq) for seq in range(first, first + batch)])


def new_row(seq: int) -> NewRow:
    """An observation as a press makes it."""
    key = ("clock-07", BOOT, seq)
    return NewRow(table=1, game="g", kind=Kind.OBSERVED, at=seq, body=BODY, key=key)


def fill_plain(connection: sqlite3.Connection, count: int, batch: int) -> None:
    text = str(BODY)
    for _ in range(0, count, batch):
        connection.execute("BEGIN")
        connection.executemany("INSERT INTO event(body) VALUES (?)", [(text,)] * batch)
        connection.execute("COMMIT")


def ack_latency(place: Path) -> Figure:
    """Milliseconds from publishing to the recorder's ack, against a bare echo without storing."""
    stored = measure_acks(place, is_stored=True)
    bare = measure_acks(place, is_stored=False)
    p95 = statistics.quantiles(stored, n=20)[-1]
    return Figure("ms", statistics.median(stored), p95, statistics.median(bare))


def measure_acks(place: Path, *, is_stored: bool) -> list[float]:
    with ExitStack() as stack:
        broker = stack.enter_context(start_broker(workdir=place / "broker"))
        log = stack.enter_context(SqliteEventLog(place / f"acks-{is_stored}.db"))
        recorder = MqttBus(broker.url, "recorder")
        inbox: queue.Queue[Message | None] = queue.Queue()
        recorder.subscribe(EV, inbox.put)
        device = MqttBus(broker.url, "clock-07")
        acked: queue.Queue[tuple[int, float]] = queue.Queue()

        def on_ack(message: "Message") -> None:
            acked.put((decode_ack(message.payload).upto, time.perf_counter()))
            message.ack()

        device.subscribe(ACK, on_ack)
        for bus in (recorder, device):
            stack.enter_context(bus)
            wait_connected(bus)
        worker = threading.Thread(target=serve, args=(recorder, inbox, log if is_stored else None))
        worker.start()
        stack.callback(worker.join)
        stack.callback(inbox.put, None)
        return press(device, acked)


def wait_connected(bus: MqttBus) -> None:
    """Wait for the broker, ten seconds at most."""
    deadline = time.monotonic() + 10
    while not bus.is_connected:
        if time.monotonic() > deadline:
            raise TimeoutError("the broker does not answer")
        time.sleep(0.01)


def serve(bus: MqttBus, inbox: "queue.Queue[Message | None]", log: SqliteEventLog | None) -> None:
    """The recorder's side: store (or not), then ack."""
    while (message := inbox.get()) is not None:
        envelope = decode_envelope(message.topic, message.payload)
        if log is not None:
            log.append([new_row(envelope.seq)])
        message.ack()
        bus.publish(ACK, encode(Ack(boot=BOOT, upto=envelope.seq)))


def press(device: MqttBus, acked: "queue.Queue[tuple[int, float]]") -> list[float]:
    """Publish and time; the first ones warm up."""
    taken_ms: list[float] = []
    for seq in range(1, PRESSES + 1):
        envelope = Envelope(
            dev="clock-07", boot=BOOT, seq=seq, t_ms=seq, type="clock.press", data=BODY["data"]
        )
        began = time.perf_counter()
        device.publish(EV, encode_envelope(envelope))
        upto, at = acked.get(timeout=10)
        assert upto == seq
        taken_ms.append((at - began) * 1000)
        time.sleep(PAUSE_S)
    return taken_ms[20:]


if __name__ == "__main__":
    for name, values in run().items():
        print(name, values)
