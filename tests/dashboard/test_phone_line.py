"""A phone on the bus: what its page may say, and what it may not."""

import json
import queue
from collections.abc import Iterator

import pytest

from dashboard.web.phone_socket import KINDS, DeviceLine
from recorder.declared.codec import Json
from recorder.domain.errors import DeviceError
from recorder.lab.memory_bus import MemoryBroker, MemoryBus
from recorder.wire.observations import OBSERVATION_TYPES

Phone = tuple[str, DeviceLine, queue.Queue[bytes]]
"""Its kind, its line, and what of its events the bus hears."""
BOOT = "0a1b2c3d"
TIMES = {"left_ms": 1_400_000, "right_ms": 1_500_000, "running": "R"}
SAID: dict[str, Json] = {
    "clock.press": {"side": "L", **TIMES},
    "clock.change": {"act": "pause", **TIMES, "running": "N"},
    "table.announced": {"side": "L", "say": "exchange", "count": 3},
    "table.acted": {"side": "R", "act": "hold", "count": 0},
    "rack.typed": {"side": "L", "letters": "QI?"},
    "time.sync": {"reference": "recorder", "device_ms": 9, "offset_ms": 1.5, "error_ms": 2},
}


@pytest.fixture(params=sorted(KINDS))
def line(request: pytest.FixtureRequest) -> Iterator[Phone]:
    broker, heard = MemoryBroker(), queue.Queue[bytes]()
    ear = MemoryBus(broker)
    ear.subscribe("tc/v1/main/up/+/ev", lambda message: heard.put(message.payload))
    ear.start()
    phone = DeviceLine(
        request.param, 1, "main", lambda _, will: MemoryBus(broker, will=will), lambda _: None
    )
    phone.open(BOOT, "a phone")
    yield request.param, phone, heard
    phone.close("done")
    ear.stop()


def event(kind: str, seq: int, type_name: str) -> Json:
    """An event as a page sends it."""
    head = {"v": 1, "dev": f"phone-{kind}-1", "boot": BOOT, "seq": seq, "t": 10}
    payload = json.dumps({**head, "type": type_name, "data": SAID[type_name]})
    return {"type": "event", "payload": payload}


def test_every_type_that_a_phone_may_send_gets_through(
    line: Phone,
) -> None:
    """Comparing clocks too: every page does that, and keeps an event until it is taken."""
    kind, phone, heard = line
    assert "time.sync" in KINDS[kind] <= set(OBSERVATION_TYPES)
    for seq, type_name in enumerate(sorted(KINDS[kind]), 1):
        phone.heard(event(kind, seq, type_name))
        assert json.loads(heard.get(timeout=60))["type"] == type_name


def test_a_phone_says_nothing_that_is_another_s(
    line: Phone,
) -> None:
    """The pad presses no clock, the clock announces no exchange."""
    kind, phone, _ = line
    for type_name in set(SAID) - KINDS[kind]:
        with pytest.raises(DeviceError, match=f"may not send {type_name}"):
            phone.heard(event(kind, 1, type_name))
