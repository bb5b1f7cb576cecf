"""A broker that keeps an event gives it to every log that is ever begun: it is of another day."""

from pathlib import Path

import pytest

from recorder.bus.broker import find_mosquitto, start_broker
from recorder.bus.mqtt import MqttBus
from recorder.log.sqlite import SqliteEventLog
from recorder.wire.control import Ack, decode_ack
from recorder.wire.topics import Down, DownChannel, Up, UpChannel
from tests.broker.test_recorder_at_work import press, running, venue_file
from tests.eventually import eventually

pytestmark = pytest.mark.broker
EVENT = str(Up("main", "clock-1", UpChannel.EVENT))
BEAT = b'{"v":1,"boot":"0a0a0a0a","t":1,"seq_high":9,"outbox":0}'


def types_of(folder: Path) -> list[str]:
    with SqliteEventLog.open_reader(folder / "tilecast.db") as reader:
        return [row.type for row in reader.read_from(1)]


def test_a_kept_event_is_no_press_of_the_next_tournament(tmp_path: Path) -> None:
    """It is refused with its device's name; said again, without being kept, it is stored."""
    if find_mosquitto() is None:
        pytest.skip("needs mosquitto")
    acks: list[Ack] = []
    said = tmp_path / "said"
    with (
        start_broker("mosquitto", workdir=tmp_path / "broker") as broker,
        MqttBus(broker.url, "clock-1") as bus,
    ):
        bus.subscribe(
            str(Down("main", "clock-1", DownChannel.ACK)),
            lambda message: acks.append(decode_ack(message.payload)),
        )
        eventually(lambda: bus.is_connected)
        bus.publish(EVENT, press(1), retain=True)
        bus.publish(str(Up("main", "clock-1", UpChannel.HEARTBEAT)), BEAT, retain=True)
        with running("record", str(venue_file(tmp_path, broker.url)), said=said):
            eventually(lambda: said.read_text("utf-8").count("refused (retained)") == 2, "refused")
            assert "clock-1 asks the broker to keep" in said.read_text("utf-8")
            assert types_of(tmp_path).count("clock.press") == 0
            assert acks == []
            bus.publish(EVENT, press(1))
            eventually(lambda: [ack.upto for ack in acks] == [1], "it is stored")
            assert types_of(tmp_path).count("clock.press") == 1
    assert "recorder.refused" in types_of(tmp_path)
