"""The reference firmware of a networked clock: its parts alone, and on a real Mosquitto."""

import json
import os
import signal
from pathlib import Path

import pytest

from devices.firmware.clock_core import ClockCore
from devices.firmware.mqtt_clock import RESEND_MS, WINDOW, MqttClock
from devices.firmware.outbox_file import OutboxFile
from devices.lab.peers.mqtt_peer import MqttPeer
from recorder.bus.broker import BrokerHandle
from recorder.bus.mqtt import MqttBus
from recorder.domain.record import GameStarted
from recorder.log.opening import wall_ms
from recorder.log.port import Row
from recorder.log.sqlite import SqliteEventLog
from recorder.service.plan import RecorderPlan
from recorder.service.recorder import Recorder
from recorder.table.game_recorder import TablePlan
from recorder.wire.control import (
    Command,
    decode_device_info,
    decode_device_state,
    decode_heartbeat,
    decode_response,
    encode,
)
from recorder.wire.envelope import decode_envelope
from recorder.wire.observations import decode_observation
from tests.eventually import eventually

pytestmark = pytest.mark.slow

BOOT = "9c31f0aa"


class Board:
    """The firmware with a network and a time that are ours."""

    def __init__(self, folder: Path, boot: str = BOOT) -> None:
        self.now_ms = 0
        self.sent: list[tuple[str, bytes]] = []
        outbox = OutboxFile(str(folder / "outbox.log"), "clock-1", boot)
        self.clock = MqttClock("main", "clock-1", ClockCore(60_000), outbox, lambda: self.now_ms)

    def connect(self) -> None:
        self.clock.connected(
            lambda topic, payload, _retain, _qos: self.sent.append((topic, payload))
        )

    def on(self, channel: str) -> list[bytes]:
        return [payload for topic, payload in self.sent if topic.endswith(f"/up/clock-1/{channel}")]

    def hear(self, channel: str, message: dict[str, object]) -> None:
        payload = json.dumps({"v": 1, **message}).encode()
        self.clock.hear(f"tc/v1/main/down/clock-1/{channel}", payload)


@pytest.fixture
def board(tmp_path: Path) -> Board:
    """A clock that has just been switched on."""
    return Board(tmp_path)


def test_everything_it_says_is_read_by_the_recorder(board: Board):
    """State, info, heartbeat, events, answers, will: each passes its decoder."""
    board.connect()
    board.clock.press("R", 100)
    board.now_ms = 61_000
    board.clock.step()
    board.clock.middle(62_000)
    board.clock.middle(63_000)
    for number, (cmd, args) in enumerate(
        [("set", {"left_ms": 5, "right_ms": 6}), ("run", {"side": "R"}), ("dance", {})]
    ):
        board.hear("cmd", {"id": f"c{number}", "cmd": cmd, "args": args})
    # After three seconds without an ack they come again, as they were.
    events = [
        decode_envelope("tc/v1/main/up/clock-1/ev", one) for one in dict.fromkeys(board.on("ev"))
    ]
    told = [decode_observation(event.type, event.data) for event in events]
    assert [event.seq for event in events] == list(range(1, 7))
    assert [getattr(one, "act", "press") for one in told] == [
        "press", "flag", "pause", "resume", "adjust", "resume",
    ]  # fmt: skip
    decode_heartbeat(board.on("hb")[0])
    decode_device_info(board.on("info")[0])
    assert decode_device_state(board.on("state")[0]).state == "ready"
    assert decode_device_state(board.clock.will()[1]).state == "lost"
    assert [decode_response(one).ok for one in board.on("resp")] == [True, True, False]


def test_times_run_below_zero_and_a_bouncing_switch_is_one_press():
    """Overtime is negative; two closures within 15 ms are one finger."""
    core = ClockCore(10_000)
    assert core.press("R", 1_000) is not None
    assert core.press("R", 1_005) is None
    assert core.times(13_000) == (-2_000, 10_000)
    assert core.tick(13_000) is not None
    assert core.tick(13_100) is None
    pressed = core.press("L", 14_000)
    assert pressed[1] == {"side": "L", "left_ms": -3_000, "right_ms": 10_000, "running": "R"}


def test_events_are_sent_again_until_the_recorder_has_them(board: Board):
    """In a window, after three seconds, after a reconnect; a PUBACK means nothing here."""
    for turn in range(WINDOW + 10):
        board.clock.press("R" if turn % 2 == 0 else "L", 100 * turn)
    board.connect()
    board.clock.step()
    assert len(board.on("ev")) == WINDOW
    board.hear("ack", {"boot": BOOT, "upto": 20})
    board.clock.step()
    assert len(board.on("ev")) == WINDOW + 10
    board.now_ms += RESEND_MS
    board.clock.step()
    seqs = [json.loads(payload)["seq"] for payload in board.on("ev")]
    assert seqs[WINDOW + 10 :] == list(range(21, WINDOW + 11))
    board.hear("ack", {"boot": "00000000", "upto": 60})
    assert board.clock.outbox.depth == 40
    board.hear("ack", {"boot": BOOT, "upto": 60})
    assert board.clock.outbox.depth == 0


@pytest.mark.parametrize("payload", [b"", b"{", b"[1]", b'{"v":2}', b'{"v":1}', b"\xff"])
@pytest.mark.parametrize("channel", ["ack", "time", "cmd", "config", "other"])
def test_nonsense_from_the_network_is_passed_over(board: Board, channel: str, payload: bytes):
    """A clock that stops on a bad message stops a game."""
    board.connect()
    board.clock.hear(f"tc/v1/main/down/clock-1/{channel}", payload)
    board.clock.press("R", 1)
    assert board.clock.outbox.seq_high == 1


def test_the_outbox_survives_a_loss_of_power_at_every_byte(tmp_path: Path):
    """Whatever the flash holds of the last line: what was promised is there, and is sent first."""
    whole = OutboxFile(str(tmp_path / "a"), "clock-1", BOOT)
    for number in range(3):
        whole.put("clock.press", {"n": number}, number)
    content = (tmp_path / "a").read_bytes()
    third = content.rstrip(b"\n").rfind(b"\n") + 1
    for cut in range(third, len(content) + 1):
        (tmp_path / "b").write_bytes(content[:cut])
        again = OutboxFile(str(tmp_path / "b"), "clock-1", "ffffffff")
        assert again.put("clock.press", {"n": 9}, 9) == 1
        once_more = OutboxFile(str(tmp_path / "b"), "clock-1", "eeeeeeee")
        sent = [json.loads(payload) for payload in once_more.pending(0, 9)]
        kept = [(event["boot"], event["seq"]) for event in sent]
        # The line break alone is missing: then the event is whole, and one more than was promised.
        assert kept[:2] == [(BOOT, 1), (BOOT, 2)]
        assert kept[2:] in ([("ffffffff", 1)], [(BOOT, 3), ("ffffffff", 1)])


def test_events_of_an_earlier_boot_are_acknowledged_under_its_name(board: Board, tmp_path: Path):
    """They go first, with a heartbeat of their own, so that a new log learns where they begin."""
    board.clock.press("R", 1)
    again = Board(tmp_path, boot="ffffffff")
    again.clock.press("R", 5)
    again.connect()
    again.clock.step()
    sent = [json.loads(payload) for payload in again.on("ev")]
    assert [(event["boot"], event["seq"]) for event in sent] == [(BOOT, 1), ("ffffffff", 1)]
    beats = [decode_heartbeat(payload) for payload in again.on("hb")]
    assert {(beat.boot, beat.seq_high, beat.outbox) for beat in beats} == {
        (BOOT, 1, 1),
        ("ffffffff", 1, 1),
    }
    again.hear("ack", {"boot": BOOT, "upto": 1})
    assert again.clock.outbox.waiting() == [("ffffffff", 1, 1)]


def test_the_recorders_time_is_compared_by_four_stamps(board: Board):
    """The quickest of the answers counts; it is said after four, and after a jump."""
    board.connect()
    base = 1_700_000_000_000
    for way in (40, 4, 60, 30, 200):
        board.now_ms += 1_000
        board.clock.step()
        asked = json.loads(board.on("hb")[-1])["t"]
        board.now_ms += way
        board.hear("time", {"t": asked, "received_ms": base + asked, "sent_ms": base + asked})
    (first,) = [one for one in board.on("ev") if b"time.sync" in one]
    event = decode_envelope("tc/v1/main/up/clock-1/ev", first)
    synced = decode_observation(event.type, event.data)
    assert synced.offset_ms == base - 2  # type: ignore[union-attr]
    assert synced.error_ms == 2  # type: ignore[union-attr]


def recorder_of(url: str, store: SqliteEventLog) -> Recorder:
    started = GameStarted(
        game="g1",
        table=7,
        players=("Ada", "Ben"),
        tile_set="english",
        rules="wespa4",
        starts_ms=(1_500_000, 1_500_000),
        left_player=0,
    )
    table = TablePlan(started=started, devices={"clock-1": "mqtt-clock"})
    plan = RecorderPlan(venue="main", recorder="r1", tables=(table,))
    return Recorder(plan, MqttBus(url, "recorder-r1"), store, wall_ms)


def rows_of(folder: Path, kind: str) -> list[Row]:
    with SqliteEventLog.open_reader(folder / "log.db") as reader:
        return [row for row in reader.read_from(1) if row.body["type"] == kind]


@pytest.mark.broker
def test_a_networked_clock_is_recorded_over_a_killed_broker_and_a_loss_of_power(
    broker: BrokerHandle, tmp_path: Path
):
    """Forty presses: each is in the log once, dated in order; the clock learns its table.

    The log has them as they came: a recorder that comes back later than the clock hears some twice.
    """
    with SqliteEventLog(tmp_path / "log.db") as store:
        recorder = recorder_of(broker.url, store)
        recorder.start()
        try:
            with MqttPeer(broker.url, tmp_path) as clock:
                eventually(lambda: clock.table == 7)
                _press(clock, 20)
                pid = broker.pid
                assert pid is not None
                os.kill(pid, signal.SIGKILL)
                _press(clock, 10)
            with MqttPeer(broker.url, tmp_path) as clock:
                _press(clock, 10)
                eventually(lambda: clock.waiting == 0)
        finally:
            recorder.stop()
    rows = sorted(rows_of(tmp_path, "clock.press"), key=lambda row: row.at)
    assert len(rows) == 40
    assert len({row.key for row in rows}) == 40
    assert [row.body["data"]["side"] for row in rows] == ["R", "L"] * 20
    assert all(row.table == 7 for row in rows)


@pytest.mark.broker
def test_a_director_sets_a_networked_clock(broker: BrokerHandle, tmp_path: Path):
    """By the same command that a serial clock obeys."""
    with MqttPeer(broker.url, tmp_path) as clock, MqttBus(broker.url, "director") as bus:
        eventually(lambda: bus.is_connected)
        command = Command(id="c1", cmd="set", args={"left_ms": 9_000, "right_ms": 8_000})
        eventually(
            lambda: (
                bus.publish(f"{'tc/v1/main/down/clock-1'}/cmd", encode(command))
                or clock.times() == (9_000, 8_000)
            )
        )


def _press(clock: MqttPeer, count: int) -> None:
    for _ in range(count // 2):
        for side in ("R", "L"):
            before = clock.seq_high
            eventually(lambda s=side, b=before: clock.press(s) or clock.seq_high > b)
