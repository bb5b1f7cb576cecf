"""Whatever comes in below ``down`` leaves the reference clock in its loop, and its time its own."""

import json
import random
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from devices.firmware.clock_core import ClockCore
from devices.firmware.mqtt_clock import MqttClock
from devices.firmware.outbox_file import OutboxFile
from tests.cases import many

if TYPE_CHECKING:
    from collections.abc import Callable

DOWN = "tc/v1/main/down/clock-1/"
MESSAGES_IN_A_RUN = many(2000)
COMMANDS: dict[str, dict[str, Any]] = {
    "set": {"left_ms": 1_500_000, "right_ms": 1_500_000},
    "run": {"side": "L"},
    "beep": {"ms": 200},
    "other": {},
}
"""Every command that the clock takes, with its arguments; and one that it does not."""
SAID: dict[str, list[dict[str, Any]]] = {
    "ack": [{"v": 1, "boot": "9c31f0aa", "upto": 1}],
    "time": [{"v": 1, "t": 0, "received_ms": 5, "sent_ms": 6}],
    "config": [{"v": 1, "table": 4}],
    "cmd": [{"v": 1, "id": "c", "cmd": name, "args": args} for name, args in COMMANDS.items()],
    "other": [{"v": 1}],
}
DEEP = ("[" * 900, "[" * 1000 + "]" * 1000, '{"v":1,"args":' + "[" * 990, '{"a":' * 500)


def odd(chance: random.Random, depth: int = 0) -> Any:
    """Any JSON value, most of them not what is wanted."""
    kinds: list[Callable[[], Any]] = [
        lambda: None,
        lambda: chance.choice((True, False)),
        lambda: chance.choice((0, -1, 1, 2**63, -(10**30), 10**300)),
        lambda: chance.choice((0.5, -1e300, float("nan"), float("inf"))),
        lambda: chance.choice(("", "A1", "L", "\ud800", "x" * 300, "9c31f0aa")),
    ]
    if depth < 4:
        kinds += [
            lambda: [odd(chance, depth + 1) for _ in range(chance.randrange(4))],
            lambda: {
                chance.choice(("v", "cmd", "args", "id", "upto", "x")): odd(chance, depth + 1)
                for _ in range(chance.randrange(4))
            },
        ]
    return chance.choice(kinds)()


def message(chance: random.Random) -> tuple[str, bytes]:
    """A channel and a payload: a message that is right with one field that is odd, or bytes."""
    channel = chance.choice(list(SAID))
    kind = chance.random()
    if kind < 0.05:
        return channel, chance.choice(DEEP).encode()
    if kind < 0.15:
        return channel, chance.randbytes(chance.randrange(40))
    if kind < 0.25:
        return channel, json.dumps(odd(chance)).encode()
    said: dict[str, Any] = json.loads(json.dumps(chance.choice(SAID[channel])))
    place = said
    if isinstance(said.get("args"), dict) and said["args"] and chance.random() < 0.5:
        place = said["args"]
    name = chance.choice([*place, "more"])
    if chance.random() < 0.2:
        place.pop(name, None)
    else:
        place[name] = odd(chance)
    return channel, json.dumps(said).encode()


def clock_of(folder: Path, now: list[int]) -> MqttClock:
    outbox = OutboxFile(str(folder / "outbox.log"), "clock-1", "9c31f0aa", None)
    clock = MqttClock("main", "clock-1", ClockCore(1_500_000), outbox, lambda: now[0])
    clock.connected(lambda *_: None)
    clock.press("R", 0)
    return clock


def test_no_message_ends_the_clock(tmp_path: Path) -> None:
    """Two thousand of every kind; ``python -m tests.bench.firmware_messages`` hears 40,000."""
    chance, now = random.Random(37), [0]
    clock = clock_of(tmp_path, now)
    for _ in range(MESSAGES_IN_A_RUN):
        now[0] += 10
        channel, payload = message(chance)
        clock.hear(DOWN + channel, payload)
        clock.step()


@pytest.mark.parametrize(
    "payload",
    [
        '{"v":1,"id":"c","cmd":"run","args":"A1"}',
        '{"v":1,"id":"c","cmd":"set","args":{"left_ms":1e400,"right_ms":1}}',
        '{"v":1,"id":["c"],"cmd":"beep","args":{"ms":5}}',
        *DEEP,
    ],
)
def test_what_once_ended_it_is_passed_over(tmp_path: Path, payload: str) -> None:
    """It goes on, and its times are what they were."""
    now = [0]
    clock = clock_of(tmp_path, now)
    before = clock.core.times(0)
    clock.hear(DOWN + "cmd", payload.encode())
    clock.hear((DOWN + "cmd").encode() + b"\xff", b"{}")
    clock.step()
    assert clock.core.times(0) == before


def test_every_command_is_obeyed_as_declared(tmp_path: Path) -> None:
    clock = clock_of(tmp_path, [0])
    for said in SAID["cmd"]:
        clock.hear(DOWN + "cmd", json.dumps(said).encode())
    assert clock.core.running == "L"
    assert clock.beep_ms == 200
    clock.hear((DOWN + "config").encode(), b'{"v":1,"table":4}')
    assert clock.table == 4
    clock.hear(DOWN + "ack", b'{"v":1,"boot":"9c31f0aa","upto":9}')
    assert clock.outbox.pending(0, 9) == []
