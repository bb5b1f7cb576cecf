"""An evening of the networked clock, for MicroPython and CPython alike: prints all that it says.

``SEED`` decides what happens. The network comes and goes, acks are late or lost, the power fails.
"""

import json

from devices.firmware.clock_core import ClockCore
from devices.firmware.mqtt_clock import MqttClock
from devices.firmware.outbox_file import OutboxFile

_state = [globals()["SEED"] * 2654435761 % 2**32 or 1]


def dice(sides: int) -> int:
    """A number below ``sides``: the same in both interpreters."""
    _state[0] = (_state[0] * 1103515245 + 12345) % 2**31
    return (_state[0] >> 8) % sides


def publish(topic: str, payload: bytes, _retain: bool, _qos: int) -> None:  # noqa: FBT001
    """What goes to the broker."""
    print(json.dumps([topic, json.loads(payload)]))
    if topic.endswith("/ev"):
        said.append(json.loads(payload))


now = [0]
said: list = []
NONSENSE = (b"", b"{", b"[1]", b'{"v":1}', b'{"v":2}', b"\xff\x00", b"[" * 60)

for boot in ("9c31f0aa", "00000001", "ffffffff"):  # the power fails between them
    outbox = OutboxFile("outbox.log", "clock-1", boot)
    clock = MqttClock("main", "clock-1", ClockCore(60000), outbox, lambda: now[0])
    connected = False
    for _ in range(150):
        now[0] += (30, 200, 900, 3100)[dice(4)]
        what = dice(10)
        if what < 4:
            clock.press("LR"[dice(2)], now[0] - dice(5))
        elif what == 4:
            clock.middle(now[0])
        elif what == 5:
            connected = not connected
            if connected:
                clock.connected(publish)
            else:
                clock.disconnected()
        elif connected and what == 6 and said:
            event = said[dice(len(said))]
            message = {"v": 1, "boot": event["boot"], "upto": event["seq"]}
            clock.hear("tc/v1/main/down/clock-1/ack", json.dumps(message).encode())
        elif connected and what == 7:
            command, args = (
                ("set", {"left_ms": dice(90000) - 30000, "right_ms": dice(90000)}),
                ("run", {"side": "LRN"[dice(3)]}),
                ("beep", {"ms": 100}),
                ("dance", {}),
            )[dice(4)]
            order = {"v": 1, "id": "x", "cmd": command, "args": args}
            clock.hear("tc/v1/main/down/clock-1/cmd", json.dumps(order).encode())
        elif connected and what == 8:
            channel = ("ack", "cmd", "time", "config")[dice(4)]
            clock.hear("tc/v1/main/down/clock-1/" + channel, NONSENSE[dice(len(NONSENSE))])
        clock.step()
