"""Who watches the devices hears little of one that floods, and all of the others."""

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from recorder.bus import device_hearing
from recorder.bus.broker import start_broker
from recorder.bus.device_hearing import _MOST_STRANGERS, DeviceHearing
from recorder.bus.mqtt import MqttBus
from recorder.bus.port import Message
from recorder.domain.limits import MOST_PASSING_A_SECOND
from recorder.lab.memory_bus import MemoryBroker, MemoryBus
from recorder.wire.topics import Up, UpChannel, parse_topic
from tests.eventually import eventually


class Watcher:
    """Counts what it hears by device, and what its bus was brought at all."""

    def __init__(self, bus: MqttBus | MemoryBus) -> None:
        self.heard, self.now_s = Counter[str](), 5.0
        self.hearing = DeviceHearing(bus, "main", self._take, self._ticks_s)
        self.hearing.begin()

    def _ticks_s(self) -> float:
        return self.now_s

    def _take(self, message: Message) -> None:
        topic = parse_topic(message.topic)
        assert isinstance(topic, Up)
        self.heard[topic.device] += 1


def beat(bus: MqttBus | MemoryBus, device: str, number: int) -> None:
    said = {"v": 1, "boot": "0badc0de", "t": number, "seq_high": number, "outbox": 0}
    bus.publish(str(Up("main", device, UpChannel.HEARTBEAT)), json.dumps(said).encode(), qos=0)


@pytest.fixture
def url(tmp_path: Path) -> Iterator[str]:
    with start_broker("mosquitto", workdir=tmp_path) as broker:
        yield broker.url


@pytest.mark.broker
def test_who_floods_is_left_out_at_the_broker_and_heard_again(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The others are heard on meanwhile; all of them a moment later."""
    monkeypatch.setattr(device_hearing, "_AWAY_S", 3600.0)
    with ExitStack() as stack:
        bus = MqttBus(url, "watcher")
        watcher = Watcher(bus)
        stack.callback(watcher.hearing.end)
        stack.enter_context(bus)
        sender = stack.enter_context(MqttBus(url, "devices"))
        eventually(lambda: bus.is_connected and sender.is_connected)

        def is_heard(device: str) -> bool:
            before = watcher.heard[device]
            watcher.now_s += 1
            beat(sender, device, 1)
            return watcher.heard[device] > before

        eventually(lambda: is_heard("good"))
        for number in range(150):
            beat(sender, "bad", number)
        eventually(lambda: watcher.hearing._named == {"good"})
        eventually(lambda: not bus._ending, "the broker has let go of it")
        # What it had queued of it by then still comes, before what is said from now on.
        eventually(lambda: is_heard("good"))
        brought = Counter[str]()
        hear = bus._client.on_message
        assert hear is not None
        bus._client.on_message = lambda *said: (brought.update([said[2].topic]), hear(*said))
        for number in range(500):
            beat(sender, "bad", number)
            if number % 50 == 0:
                beat(sender, "good", number)
        eventually(lambda: brought.total() >= 10)
        assert set(brought) == {str(Up("main", "good", UpChannel.HEARTBEAT))}
        monkeypatch.setattr(device_hearing, "_AWAY_S", 0.1)
        watcher.hearing._hear_everybody()
        for device in ("bad", "new", "good"):
            eventually(lambda device=device: is_heard(device))
        watcher.now_s += 1
        for number in range(150):
            beat(sender, "bad", number)
        eventually(lambda: watcher.heard["bad"] > MOST_PASSING_A_SECOND and is_heard("bad"))


def test_of_one_device_a_few_heartbeats_a_second_are_read() -> None:
    bus = MemoryBus(MemoryBroker(), at_once=True)
    watcher = Watcher(bus)
    bus.start()
    for number in range(90):
        beat(bus, "cam", number)
    assert watcher.heard["cam"] == MOST_PASSING_A_SECOND
    watcher.now_s = 6.0
    beat(bus, "cam", 1000)
    assert watcher.heard["cam"] == MOST_PASSING_A_SECOND + 1
    bus.stop()


def test_invented_names_take_no_memory() -> None:
    """Ten times as many as are remembered."""
    bus = MemoryBus(MemoryBroker(), at_once=True)
    watcher = Watcher(bus)
    bus.start()
    for number in range(10 * _MOST_STRANGERS):
        beat(bus, f"x{number}", number)
    assert len(watcher.hearing._said) == _MOST_STRANGERS
    bus.stop()
