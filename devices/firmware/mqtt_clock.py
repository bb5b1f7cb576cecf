"""A table clock on MQTT: what is published when, and what is done with what comes in.

Runs on MicroPython and on CPython; the network is the caller's. ``publish(topic, payload, retain,
qos)`` sends, and may lose what it is given: everything that counts is sent again until the
recorder's own ack.
"""

import json

TYPE_CHECKING = False  # MicroPython has no module typing; type checkers know the name
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from devices.firmware.clock_core import ClockCore, Event
    from devices.firmware.outbox_file import OutboxFile

    Publish = Callable[[str, bytes, bool, int], object]

WINDOW = 50
RESEND_MS = 3000
BEAT_MS = 1000
SYNC_EVERY_MS = 60_000
_KEPT = 16
_FIRST_SAID = 4
_JUMP_MS = 250
_MOST_BYTES = 1024
_MOST_TEXT = 64
_LARGEST = 10**14
_STAMPS = ("t", "received_ms", "sent_ms")


class MqttClock:
    """The clock's side of the contract in ``docs/wire.md``.

    ``core`` is a ``ClockCore``, ``outbox`` an ``OutboxFile``; ``ticks`` gives milliseconds that
    never run backwards. Call ``step`` often, ``press`` when a switch closes.
    """

    def __init__(
        self,
        venue: str,
        name: str,
        core: "ClockCore",
        outbox: "OutboxFile",
        ticks: "Callable[[], int]",
    ) -> None:
        self._up = f"tc/v1/{venue}/up/{name}/"
        self.down = f"tc/v1/{venue}/down/{name}/"
        self.core = core
        self.outbox = outbox
        self._ticks = ticks
        self._publish: Publish | None = None
        self._sent = 0  # of what waits, from the oldest on
        self._progress_ms = 0
        self._beat_ms = -BEAT_MS
        self._measured: list[tuple[int, int]] = []
        self._synced_ms: int | None = None
        self.table = 0
        self.beep_ms = 0
        self.offset_ms: int | None = None

    def will(self) -> "tuple[str, bytes]":
        """Topic and payload that the broker shall publish, retained, when the clock is gone."""
        return self._up + "state", self._state("lost", "")

    def connected(self, publish: "Publish") -> None:
        """There is a connection (again): say so, and send all that waits."""
        self._publish = publish
        info = {"v": 1, "kind": "mqtt-clock", "model": "reference", "firmware": "1.0"}
        publish(self._up + "info", json.dumps(info).encode(), True, 1)
        publish(self._up + "state", self._state("ready", ""), True, 1)
        self._sent = 0
        self._beat_ms = self._ticks() - BEAT_MS

    def disconnected(self) -> None:
        """The connection is gone; the clock goes on, and keeps what happens."""
        self._publish = None

    def press(self, side: str, at_ms: int) -> None:
        """A player pressed a half, at that time of ``ticks``."""
        self._happened(self.core.press(side, at_ms), at_ms)

    def middle(self, at_ms: int) -> None:
        """The button between the halves."""
        self._happened(self.core.middle(at_ms), at_ms)

    def step(self) -> None:
        """Everything that is due now: flag, events, heartbeat."""
        now_ms = self._ticks()
        self._happened(self.core.tick(now_ms), now_ms)
        if self._publish is None:
            return
        self._send(now_ms)
        if now_ms - self._beat_ms >= BEAT_MS:
            self._beat_ms = now_ms
            # One for each boot with events: with a new log the recorder learns where it begins.
            for boot, seq_high, waiting in self.outbox.waiting():
                beat = {
                    "v": 1,
                    "boot": boot,
                    "t": now_ms,
                    "seq_high": seq_high,
                    "outbox": waiting,
                }
                self._publish(self._up + "hb", json.dumps(beat).encode(), False, 0)

    def hear(self, topic: "str | bytes", payload: bytes) -> None:
        """Something came in below ``down``. What cannot be read is passed over, whatever it is."""
        now_ms = self._ticks()
        if len(payload) > _MOST_BYTES:
            return
        try:
            said = topic.decode() if isinstance(topic, bytes) else topic
            message = json.loads(payload)
        except (ValueError, RuntimeError, MemoryError):  # no JSON, or deeper than the stack
            return
        if not isinstance(message, dict) or message.get("v") != 1:
            return
        channel = said[len(self.down) :]
        if channel == "ack" and _is_text(message, "boot") and _whole(message, "upto"):
            self._acked(message["boot"], message["upto"], now_ms)
        elif channel == "time" and all(_whole(message, name) for name in _STAMPS):
            self._compare(message, now_ms)
        elif channel == "cmd" and _is_text(message, "cmd") and _is_text(message, "id"):
            self._obey(message, now_ms)
        elif channel == "config" and _whole(message, "table"):
            self.table = message["table"]

    def _happened(self, event: "Event | None", at_ms: int) -> None:
        if event is not None:
            self.outbox.put(event[0], event[1], at_ms)
            if self._publish is not None:
                self._send(self._ticks())

    def _send(self, now_ms: int) -> None:
        if self._sent and now_ms - self._progress_ms >= RESEND_MS:
            self._sent = 0
        if not self._sent:
            self._progress_ms = now_ms
        publish = self._publish
        if publish is None:
            return
        for payload in self.outbox.pending(self._sent, WINDOW - self._sent):
            publish(self._up + "ev", payload, False, 1)
            self._sent += 1

    def _acked(self, boot: str, upto: int, now_ms: int) -> None:
        gone = self.outbox.ack(boot, upto)
        if gone:
            self._progress_ms = now_ms
            self._sent = max(0, self._sent - gone)

    def _compare(self, reply: "dict[str, int]", now_ms: int) -> None:
        """The answer to a heartbeat: the recorder's time minus ours, by four stamps."""
        asked_ms = reply["t"]
        if asked_ms != self._beat_ms:
            return
        received_ms, sent_ms = reply["received_ms"], reply["sent_ms"]
        round_trip = (now_ms - asked_ms) - (sent_ms - received_ms)
        if round_trip < 0:
            return
        # Halves kept as whole numbers: a small processor's floats have seven digits.
        twice = (received_ms - asked_ms) + (sent_ms - now_ms)
        jumped = False
        if self._measured:
            best = min(self._measured)
            jumped = abs(twice - best[1]) > 2 * _JUMP_MS + round_trip + best[0]
        if jumped:
            self._measured = []
        self._measured = self._measured[-(_KEPT - 1) :]
        self._measured.append((round_trip, twice))
        best = min(self._measured)
        self.offset_ms = best[1] // 2
        is_due = self._synced_ms is None or now_ms - self._synced_ms >= SYNC_EVERY_MS
        if (is_due and len(self._measured) >= _FIRST_SAID) or jumped:
            self._synced_ms = now_ms
            data: dict[str, object] = {
                "reference": "recorder",
                "device_ms": now_ms,
                "offset_ms": self.offset_ms,
                "error_ms": (best[0] + 1) // 2,
                "drift_ppm": None,
            }
            self.outbox.put("time.sync", data, now_ms)

    def _obey(self, command: "dict[str, Any]", now_ms: int) -> None:
        args = command.get("args")
        if not isinstance(args, dict):
            args = {}
        error = ""
        if command["cmd"] == "set" and _whole(args, "left_ms") and _whole(args, "right_ms"):
            event = self.core.set(args["left_ms"], args["right_ms"], now_ms)
            self._happened(event, now_ms)
        elif command["cmd"] == "run" and args.get("side") in ("L", "R", "N"):
            self._happened(self.core.run(args["side"], now_ms), now_ms)
        elif command["cmd"] == "beep" and _whole(args, "ms"):
            self.beep_ms = args["ms"]
        else:
            error = "this clock knows set (left_ms, right_ms), run (side), beep (ms)"
        answer = {"v": 1, "id": command["id"], "ok": not error, "error": error}
        if self._publish is not None:
            self._publish(self._up + "resp", json.dumps(answer).encode(), False, 1)

    def _state(self, state: str, reason: str) -> bytes:
        said = {"v": 1, "state": state, "boot": self.outbox.boot, "reason": reason}
        return json.dumps(said).encode()


def _whole(args: "dict[str, Any]", name: str) -> bool:
    value = args.get(name)
    if not isinstance(value, int) or value is True or value is False:
        return False
    return -_LARGEST <= value <= _LARGEST


def _is_text(message: "dict[str, Any]", name: str) -> bool:
    value = message.get(name)
    return isinstance(value, str) and len(value) <= _MOST_TEXT
