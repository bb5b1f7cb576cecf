"""End to end: outbox, real broker, log in a file; broker and sender are killed on the way."""

import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Self

import pytest

from recorder.bus.broker import BrokerHandle, find_mosquitto, start_broker
from recorder.bus.mqtt import MqttBus
from recorder.domain.row_kind import Kind
from recorder.log.port import NewRow
from recorder.log.sqlite import SqliteEventLog
from recorder.wire.control import Ack, encode
from recorder.wire.envelope import Envelope, decode_envelope
from recorder.wire.topics import Down, DownChannel, UpChannel, up_filter
from tests.eventually import eventually

pytestmark = pytest.mark.broker

if TYPE_CHECKING:
    from recorder.bus.port import Message

SENDER = """
import sys, time
from pathlib import Path
from typing import TYPE_CHECKING, Self
from recorder.bus.mqtt import MqttBus
from recorder.bus.outbox import Outbox, OutboxSender
place, url, total = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
outbox = Outbox(place, "clock-07")
bus = MqttBus(url, "clock-07")
with OutboxSender(outbox, bus, "main", resend_after_s=1), bus:
    while outbox.last_seq < total:
        print(outbox.put("clock.press", {"n": outbox.last_seq + 1}, 0), flush=True)
        time.sleep(0.002 if outbox.depth < 300 else 0.05)
    while outbox.depth:
        time.sleep(0.01)
    print("empty", flush=True)
"""
ENDLESS = 1_000_000
"""The first sender ends by being killed alone, however long a broker takes to start again."""


class TinyRecorder:
    """The smallest recorder: drain the queue, one transaction, then the acks."""

    def __init__(self, url: str, log: SqliteEventLog) -> None:
        self._log = log
        self._inbox: queue.Queue[Message | None] = queue.Queue()
        self._bus = MqttBus(url, "recorder")
        self._bus.subscribe(up_filter("main", UpChannel.EVENT), self._inbox.put)
        self._thread = threading.Thread(target=self._run)
        self.deliveries = 0

    def __enter__(self) -> Self:
        self._bus.start()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._inbox.put(None)
        self._thread.join()
        self._bus.stop()

    def _run(self) -> None:
        while (message := self._inbox.get()) is not None:
            batch = [message]
            while not self._inbox.empty() and len(batch) < 100:
                following = self._inbox.get()
                if following is None:
                    return
                batch.append(following)
            envelopes = [decode_envelope(item.topic, item.payload) for item in batch]
            self.deliveries += len(batch)
            self._log.append([self._row(envelope) for envelope in envelopes])
            for item in batch:
                item.ack()
            dev, boot, _ = envelopes[-1].key
            ack = Ack(boot=boot, upto=self._log.contiguous(dev, boot))
            self._bus.publish(str(Down("main", dev, DownChannel.ACK)), encode(ack))

    @staticmethod
    def _row(envelope: Envelope) -> NewRow:
        body = {"type": envelope.type, "data": envelope.data}
        return NewRow(table=1, game="", kind=Kind.OBSERVED, at=0, body=body, key=envelope.key)


@pytest.fixture(
    params=[
        pytest.param("mosquitto", marks=pytest.mark.broker),
        pytest.param("amqtt", marks=pytest.mark.further),
    ]
)
def broker(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[BrokerHandle]:
    """Each broker that we run ourselves."""
    if request.param == "mosquitto" and find_mosquitto() is None:
        pytest.skip("Mosquitto is not installed: apt install mosquitto")
    with start_broker(request.param, workdir=tmp_path / "broker") as handle:
        yield handle


def test_kills_of_broker_and_sender_lose_and_double_nothing(broker: BrokerHandle, tmp_path: Path):
    """Every number that put returned is in the log once, in a chain that holds."""

    def start_sender(total: int) -> "subprocess.Popen[str]":
        words = [SENDER, str(tmp_path / "outbox.db"), broker.url, str(total)]
        return subprocess.Popen([sys.executable, "-c", *words], stdout=subprocess.PIPE, text=True)

    with SqliteEventLog(tmp_path / "log.db") as log, ExitStack() as stack:
        recorder = stack.enter_context(TinyRecorder(broker.url, log))
        sender = stack.enter_context(start_sender(ENDLESS))
        eventually(lambda: log.head() > 60)
        first = broker.pid
        assert first is not None
        os.kill(first, signal.SIGKILL)
        eventually(lambda: broker.pid not in {None, first})
        eventually(lambda: log.head() > 150)
        sender.kill()
        assert sender.stdout is not None
        put_before = [int(line) for line in sender.stdout if line.endswith("\n")]
        total = put_before[-1] + 300
        sender = stack.enter_context(start_sender(total))
        put_after = sender.stdout.read().splitlines()
        assert sender.wait() == 0
        assert put_after[-1] == "empty"
        rows = list(log.read_from(1))
        stored = [row.key[2] for row in rows if row.key is not None]
        assert sorted(stored) == list(range(1, total + 1))
        assert {row.body["data"]["n"] for row in rows} == set(range(1, total + 1))
        assert log.verify() is None
        assert recorder.deliveries >= total
