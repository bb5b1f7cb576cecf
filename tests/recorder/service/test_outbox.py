"""The device's outbox on disk, and the thread that empties it."""

import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from recorder.bus.outbox import Outbox, OutboxFullError, OutboxSender, Pending
from recorder.domain.errors import DeviceError, RecorderError
from recorder.lab.memory_bus import MemoryBroker, MemoryBus
from recorder.wire.control import Ack, encode
from recorder.wire.envelope import decode_envelope
from tests.eventually import BUSY_S, eventually

if TYPE_CHECKING:
    from recorder.bus.port import Message

TOPIC = "tc/v1/main/up/clock-07/ev"
PUTTER = """
import sys
from pathlib import Path
from recorder.bus.outbox import Outbox
outbox = Outbox(Path(sys.argv[1]), "clock-07")
while True:
    print(outbox.put("clock.press", {"n": outbox.last_seq}, 5), flush=True)
"""


@pytest.fixture
def outbox(tmp_path: Path) -> Iterator[Outbox]:
    """An empty outbox for ten events."""
    with Outbox(tmp_path / "outbox.db", "clock-07", capacity=10) as made:
        yield made


def fill(outbox: Outbox, count: int, type_name: str = "clock.press") -> None:
    for _ in range(count):
        outbox.put(type_name, {"n": outbox.last_seq + 1}, 1000 + outbox.last_seq)


def test_an_acknowledged_event_leaves_the_outbox(outbox: Outbox):
    """Only acks for this boot count, and going backwards does nothing."""
    fill(outbox, 5)
    outbox.ack_upto("00000000", 4)
    assert outbox.depth == 5
    outbox.ack_upto(outbox.boot, 3)
    outbox.ack_upto(outbox.boot, 2)
    assert (outbox.depth, outbox.acked_upto) == (2, 3)
    assert [event.seq for event in outbox.pending(0, 10)] == [4, 5]


def test_numbers_and_boot_survive_a_restart(tmp_path: Path):
    """Also when everything had been acknowledged, no number is used twice."""
    with Outbox(tmp_path / "o.db", "clock-07") as outbox:
        fill(outbox, 4)
        outbox.ack_upto(outbox.boot, 4)
        boot = outbox.boot
    with Outbox(tmp_path / "o.db", "clock-07") as outbox:
        assert (outbox.boot, outbox.last_seq, outbox.acked_upto, outbox.depth) == (boot, 4, 4, 0)
        assert outbox.put("clock.press", {}, 1) == 5


def test_killing_the_agent_loses_no_event_that_was_put(tmp_path: Path):
    """After kill -9 every number that put returned is there to be sent."""
    place = tmp_path / "o.db"
    command = [sys.executable, "-c", PUTTER, str(place)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as putter:
        numbers = [int(putter.stdout.readline()) for _ in range(60)]
        putter.send_signal(signal.SIGKILL)
        numbers += [int(line) for line in putter.stdout if line.endswith("\n")]
    with Outbox(place, "clock-07") as outbox:
        waiting = outbox.pending(0, 100_000)
        assert [event.seq for event in waiting][: len(numbers)] == numbers
        assert outbox.last_seq == len(waiting)


def test_a_nearly_full_outbox_warns_once_and_keeps_room_for_the_clock(
    outbox: Outbox, caplog: pytest.LogCaptureFixture
):
    """Looks are refused first; a press is refused only when nothing fits; nothing is dropped."""
    fill(outbox, 9, "board.not_seen")
    assert [record.message for record in caplog.records] == ["clock-07: outbox 8 of 10"]
    with pytest.raises(OutboxFullError, match=r"no room for board\.not_seen"):
        fill(outbox, 1, "board.not_seen")
    fill(outbox, 1, "clock.press")
    with pytest.raises(OutboxFullError, match="is the recorder running"):
        fill(outbox, 1, "clock.press")
    assert [event.seq for event in outbox.pending(0, 100)] == list(range(1, 11))
    outbox.ack_upto(outbox.boot, 5)
    fill(outbox, 1, "board.not_seen")
    assert outbox.last_seq == 11


def test_an_event_too_long_for_a_message_uses_up_no_number(outbox: Outbox):
    """The device hears of it at once; the next event takes the number."""
    with pytest.raises(DeviceError, match="pictures as a hash"):
        outbox.put("board.seen", {"squares": "x" * 70_000}, 0)
    assert outbox.put("clock.press", {}, 0) == 1


def test_an_outbox_belongs_to_one_device_and_one_process(tmp_path: Path, outbox: Outbox):
    """Two agents on one file, or a file of another device, would mix up the numbers."""
    with pytest.raises(RecorderError, match="another agent"):
        Outbox(tmp_path / "outbox.db", "clock-07")
    outbox.close()
    with pytest.raises(RecorderError, match=r"clock-07.*clock-08"):
        Outbox(tmp_path / "outbox.db", "clock-08")


def test_an_old_copy_of_an_outbox_is_noticed(outbox: Outbox):
    """An ack beyond what was given out means that numbers would be used twice."""
    fill(outbox, 2)
    with pytest.raises(DeviceError, match="old copy"):
        outbox.ack_upto(outbox.boot, 3)
    assert outbox.depth == 2


class Receiver:
    """The recorder's side on a bus in memory."""

    def __init__(self, broker: MemoryBroker) -> None:
        self.bus = MemoryBus(broker)
        self.inbox: queue.Queue[Message] = queue.Queue()
        self.bus.subscribe(TOPIC, self.inbox.put)

    def next_seqs(self, count: int) -> list[int]:
        """The numbers of the next events."""
        messages = [self.inbox.get(timeout=60) for _ in range(count)]
        return [decode_envelope(TOPIC, message.payload).seq for message in messages]

    def ack(self, boot: str, upto: int) -> None:
        """Tell the device what is stored."""
        self.bus.publish("tc/v1/main/down/clock-07/ack", encode(Ack(boot=boot, upto=upto)))


@pytest.fixture
def broker() -> MemoryBroker:
    """What both sides connect to."""
    return MemoryBroker()


@pytest.fixture
def receiver(broker: MemoryBroker) -> Iterator[Receiver]:
    made = Receiver(broker)
    with made.bus:
        yield made


@pytest.fixture
def device_bus(broker: MemoryBroker) -> Iterator[MemoryBus]:
    bus = MemoryBus(broker)
    yield bus
    bus.stop()


class FailingOutbox(Outbox):
    """An outbox whose disk refuses the first reads."""

    failures = 3

    def pending(self, after_seq: int, limit: int) -> list[Pending]:
        """As the outbox does it, once the disk works."""
        if self.failures:
            self.failures -= 1
            raise RecorderError("o.db: cannot read what waits: disk I/O error")
        return super().pending(after_seq, limit)


def test_the_sender_survives_a_disk_that_refuses(
    tmp_path: Path, receiver: Receiver, device_bus: MemoryBus, caplog: pytest.LogCaptureFixture
):
    """It logs the failure once and sends what waits when the disk works again."""
    with (
        FailingOutbox(tmp_path / "o.db", "clock-07") as outbox,
        OutboxSender(outbox, device_bus, "main", resend_after_s=0.05),
    ):
        device_bus.start()
        fill(outbox, 2)
        assert receiver.next_seqs(2) == [1, 2]
    said = [record.message for record in caplog.records if record.levelname == "ERROR"]
    assert said == ["clock-07: o.db: cannot read what waits: disk I/O error (still trying)"]


def test_an_unreadable_outbox_is_named(tmp_path: Path):
    """What SQLite refuses reaches the caller as an error with the file."""
    outbox = Outbox(tmp_path / "o.db", "clock-07")
    outbox.close()
    with pytest.raises(RecorderError, match=r"o\.db: cannot read what waits"):
        outbox.pending(0, 10)


def test_the_sender_keeps_a_window_and_goes_on_with_each_ack(
    tmp_path: Path, receiver: Receiver, device_bus: MemoryBus
):
    """No more than the window is under way; an ack makes room for as many."""
    with (
        Outbox(tmp_path / "o.db", "clock-07") as outbox,
        OutboxSender(outbox, device_bus, "main", window=4),
    ):
        fill(outbox, 10)
        device_bus.start()
        assert receiver.next_seqs(4) == [1, 2, 3, 4]
        receiver.ack(outbox.boot, 2)
        assert receiver.next_seqs(2) == [5, 6]
        assert receiver.inbox.empty()
        receiver.ack(outbox.boot, 6)
        assert receiver.next_seqs(4) == [7, 8, 9, 10]
        receiver.ack(outbox.boot, 10)
        eventually(lambda: outbox.depth == 0)
        fill(outbox, 1)
        assert receiver.next_seqs(1) == [11]


def test_a_bus_that_was_connected_before_gets_what_waits(
    tmp_path: Path, receiver: Receiver, device_bus: MemoryBus
):
    """Nothing has to happen for it to be sent: no new event, no reconnect."""
    device_bus.start()
    eventually(lambda: device_bus.is_connected)
    with Outbox(tmp_path / "o.db", "clock-07") as outbox:
        fill(outbox, 2)
        with OutboxSender(outbox, device_bus, "main", resend_after_s=60):
            assert receiver.next_seqs(2) == [1, 2]
            receiver.ack(outbox.boot, 2)
            eventually(lambda: outbox.depth == 0)


def test_events_without_an_ack_are_sent_again(
    tmp_path: Path, receiver: Receiver, device_bus: MemoryBus
):
    """Delivered is not stored: only the recorder's ack ends the repetition."""
    with (
        Outbox(tmp_path / "o.db", "clock-07") as outbox,
        OutboxSender(outbox, device_bus, "main", resend_after_s=0.2),
    ):
        device_bus.start()
        fill(outbox, 2)
        assert receiver.next_seqs(4) == [1, 2, 1, 2]
        receiver.ack(outbox.boot, 2)
        eventually(lambda: outbox.depth == 0)


def test_after_a_reconnect_everything_unacknowledged_comes_at_once(
    tmp_path: Path, receiver: Receiver, device_bus: MemoryBus
):
    """Nobody waits for the timer; what happened meanwhile comes after it, in order."""
    with (
        Outbox(tmp_path / "o.db", "clock-07") as outbox,
        OutboxSender(outbox, device_bus, "main", resend_after_s=60),
    ):
        device_bus.start()
        fill(outbox, 3)
        assert receiver.next_seqs(3) == [1, 2, 3]
        receiver.ack(outbox.boot, 1)
        eventually(lambda: outbox.acked_upto == 1)
        lost = threading.Event()
        device_bus.on_connection(lambda connected, _reason: None if connected else lost.set())
        device_bus.lose_connection()
        assert lost.wait(BUSY_S)  # the sender was asked first
        fill(outbox, 2)
        device_bus.regain_connection()
        assert receiver.next_seqs(4) == [2, 3, 4, 5]


def test_a_nonsensical_ack_is_logged_and_changes_nothing(
    tmp_path: Path, receiver: Receiver, device_bus: MemoryBus, caplog: pytest.LogCaptureFixture
):
    """The sender goes on after garbage and after an ack for numbers never given out."""
    with (
        Outbox(tmp_path / "o.db", "clock-07") as outbox,
        OutboxSender(outbox, device_bus, "main"),
    ):
        device_bus.start()
        fill(outbox, 1)
        assert receiver.next_seqs(1) == [1]
        receiver.bus.publish("tc/v1/main/down/clock-07/ack", b'{"v":1,"boot":7}')
        receiver.ack(outbox.boot, 99)
        receiver.ack(outbox.boot, 1)
        eventually(lambda: outbox.depth == 0)
    refused = [record.message for record in caplog.records if "refused" in record.message]
    assert len(refused) == 2
    assert "boot must be" in refused[0]
    assert "old copy" in refused[1]


def test_an_acknowledgement_that_the_disk_refuses_comes_again(
    tmp_path: Path, receiver: Receiver, device_bus: MemoryBus, caplog: pytest.LogCaptureFixture
):
    """The event is sent again until its file may be written; its sender did not end over it."""
    with (
        Outbox(tmp_path / "o.db", "clock-07") as outbox,
        OutboxSender(outbox, device_bus, "main", resend_after_s=0.05),
    ):
        device_bus.start()
        fill(outbox, 1)
        assert receiver.next_seqs(1) == [1]
        outbox._connection.execute("PRAGMA query_only = ON")
        receiver.ack(outbox.boot, 1)
        eventually(lambda: "cannot store the ack of 1" in caplog.text, "it is said")
        assert (receiver.next_seqs(1), outbox.depth) == ([1], 1)
        outbox._connection.execute("PRAGMA query_only = OFF")
        receiver.ack(outbox.boot, 1)
        eventually(lambda: outbox.depth == 0)
