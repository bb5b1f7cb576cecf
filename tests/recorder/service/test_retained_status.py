"""What a recorder says of itself, and what it says to another one of its name."""

import pytest

from recorder.lab.memory_bus import MemoryBroker, MemoryBus
from recorder.service import retained_status
from recorder.service.retained_status import SpokenState
from recorder.wire.control import Presence, RecorderState, decode_recorder_state
from recorder.wire.topics import RecorderTopic

TOPIC = RecorderTopic("hall", "r1")


def test_who_hears_another_recorder_answers_where_it_is_looked_after(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What the bus's thread hears it notes; the answer waits for the loop that asks for it."""
    monkeypatch.setattr(retained_status, "_NEW_S", 0.0)
    broker = MemoryBroker()
    heard: list[RecorderState] = []
    with MemoryBus(broker, at_once=True) as mouth, MemoryBus(broker, at_once=True) as other:
        first, second = (SpokenState(bus, TOPIC, lambda: 5) for bus in (mouth, other))
        first.listen()
        first.say(Presence.READY)
        other.subscribe("#", lambda message: heard.append(decode_recorder_state(message.payload)))
        heard.clear()
        second.say(Presence.READY)
        assert [state.start for state in heard] == [second.start]
        first.answer()
        first.answer()
        assert [state.start for state in heard] == [second.start, first.start]
        second.say(Presence.DISCONNECTED)
        first.answer()
    assert [(state.start, state.state) for state in heard[2:]] == [
        (second.start, Presence.DISCONNECTED),
        (first.start, Presence.READY),
    ]
    assert not first.came_second.is_set()


def test_who_comes_second_knows_it_when_it_asks() -> None:
    """Also where what it heard first was no state at all, and however much was said."""
    broker = MemoryBroker()
    with MemoryBus(broker, at_once=True) as mouth, MemoryBus(broker, at_once=True) as other:
        first, second = (SpokenState(bus, TOPIC, lambda: 5) for bus in (mouth, other))
        second.listen()
        second.say(Presence.READY)
        mouth.publish(str(TOPIC), b"{")
        for _ in range(1000):
            first.say(Presence.READY)
        assert not second.came_second.is_set()
        second.answer()
    assert second.came_second.is_set()
