"""A networked clock of a stranger, after ``docs/clock-protocol.md`` alone: nothing of ours in it.

``ForeignClock`` is the clock; its network is whatever ``connected`` is given. ``FLAWS`` are the
mistakes of builders: each can be switched on. ``PahoClock`` puts it on a broker.
"""

import json
import secrets
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol, Self
from urllib.parse import urlsplit

import paho.mqtt.client as mqtt


class Send(Protocol):
    """What a clock does with a message."""

    def __call__(self, topic: str, payload: bytes, qos: int, *, retained: bool) -> object:
        """Publish it."""


FLAWS = (
    "any ack counts as progress",
    "forgets once it is sent",
    "forgets at any ack",
    "deaf to acks",
    "another number when sent again",
    "sends all at once",
    "no retained state",
    "beats without boot",
    "beats too seldom",
    "answers nothing",
    "stops on nonsense",
    "never tells time",
    "sign of the offset",
    "time left as text",
    "the half pressed runs",
)


class ForeignClock:
    """Two halves, a flash, and the table "what a networked clock does"."""

    def __init__(
        self,
        venue: str,
        name: str,
        flash: Path,
        *,
        pace: float = 1.0,
        flaw: str = "",
        now_s: Callable[[], float] = time.monotonic,
    ) -> None:
        assert not flaw or flaw in FLAWS
        self.up, self.down = f"tc/v1/{venue}/up/{name}/", f"tc/v1/{venue}/down/{name}/"
        self.name, self.flash, self.pace, self.flaw = name, flash, pace, flaw
        self.boot = secrets.token_hex(4)
        self.now_s = now_s
        self.born = now_s()
        self.left = {"L": 1_500_000, "R": 1_500_000}
        self.running, self.since = "N", 0
        self.waiting: list[dict[str, Any]] = []
        if flash.exists():
            self.waiting = [json.loads(line) for line in flash.read_text("utf-8").splitlines()]
        self.seq, self.sent = 0, 0
        self.progress_s = self.beat_s = self.synced_s = 0.0
        self.measured: list[tuple[int, float]] = []
        self.send: Send | None = None
        self.dead = False

    def ticks(self) -> int:
        """Milliseconds since it was switched on."""
        return int((self.now_s() - self.born) * 1000)

    def will(self) -> tuple[str, bytes]:
        return self.up + "state", self.state("lost")

    def state(self, state: str) -> bytes:
        """What it says of itself."""
        return pack({"state": state, "boot": self.boot, "reason": ""})

    def connected(self, send: Send) -> None:
        """Greets; all that waits is sent again."""
        self.send, self.sent = send, 0
        retained = self.flaw != "no retained state"
        send(
            self.up + "info",
            pack({"kind": "mqtt-clock", "model": "foreign", "firmware": "1"}),
            1,
            retained=retained,
        )
        send(self.up + "state", self.state("ready"), 1, retained=retained)

    def press(self, side: str) -> None:
        self.count()
        self.running = "R" if side == "L" else "L"
        runs = side if self.flaw == "the half pressed runs" else self.running
        left = str(self.left["L"]) if self.flaw == "time left as text" else self.left["L"]
        data = {"side": side, "left_ms": left, "right_ms": self.left["R"], "running": runs}
        self.happened("clock.press", data)

    def count(self) -> None:
        """The half that runs has run until now."""
        now = self.ticks()
        if self.running in self.left:
            self.left[self.running] -= now - self.since
        self.since = now

    def happened(self, kind: str, data: dict[str, Any]) -> None:
        """On flash first, then on the air."""
        self.seq += 1
        self.waiting.append(
            {"v": 1, "dev": self.name, "boot": self.boot, "seq": self.seq, "t": self.ticks()}
            | {"type": kind, "data": data}
        )
        self.write()
        self.publish()

    def write(self) -> None:
        self.flash.write_text("".join(json.dumps(one) + "\n" for one in self.waiting), "utf-8")

    def publish(self) -> None:
        """What waits and was not sent yet, at most fifty ahead of the last ack."""
        if self.send is None:
            return
        if not self.sent:
            self.progress_s = self.now_s()
        most = 10_000 if self.flaw == "sends all at once" else 50
        for event in self.waiting[self.sent : most]:
            self.send(self.up + "ev", json.dumps(event).encode(), 1, retained=False)
            self.sent += 1
        if self.flaw == "forgets once it is sent":
            del self.waiting[: self.sent]
            self.sent = 0

    def step(self) -> None:
        if self.dead or self.send is None:
            return
        now_s = self.now_s()
        if self.sent and now_s - self.progress_s >= 3.0 * self.pace:
            self.sent = 0
            if self.flaw == "another number when sent again":
                for event in self.waiting:
                    self.seq += 1
                    event["seq"] = self.seq
        self.publish()
        pause_s = 3.5 if self.flaw == "beats too seldom" else 1.0
        if now_s - self.beat_s >= pause_s * self.pace:
            self.beat_s = now_s
            for boot in dict.fromkeys([*(one["boot"] for one in self.waiting), self.boot]):
                self.beat(boot)

    def beat(self, boot: str) -> None:
        mine = [event["seq"] for event in self.waiting if event["boot"] == boot]
        high = max(mine, default=self.seq)
        beat = {"boot": boot, "t": self.ticks(), "seq_high": high, "outbox": len(mine)}
        if self.flaw == "beats without boot":
            del beat["boot"]
        assert self.send is not None
        self.send(self.up + "hb", pack(beat), 0, retained=False)

    def hear(self, topic: str, payload: bytes) -> None:
        """Something came in; what cannot be read is nothing."""
        now = self.ticks()
        try:
            said = json.loads(payload)
            if said["v"] == 1:
                {"ack": self.ack, "cmd": self.obey, "time": self.compare}[topic[len(self.down) :]](
                    said, now
                )
        except (ValueError, KeyError, TypeError):
            self.dead = self.flaw == "stops on nonsense"

    def ack(self, said: dict[str, Any], _now: int) -> None:
        boot, upto = said["boot"], said["upto"]
        if self.flaw == "deaf to acks":
            return
        gone = [one for one in self.waiting if one["boot"] == boot and one["seq"] <= upto]
        if self.flaw == "forgets at any ack":
            gone = list(self.waiting)
        if gone or self.flaw == "any ack counts as progress":
            self.progress_s = self.now_s()
        if gone:
            self.waiting = [one for one in self.waiting if one not in gone]
            self.sent = max(0, self.sent - len(gone))
            self.write()

    def obey(self, said: dict[str, Any], _now: int) -> None:
        """``set`` sets both times, ``run`` a half; ``beep`` is heard."""
        arguments, known = said.get("args", {}), said["cmd"] in ("set", "run", "beep")
        if said["cmd"] == "set":
            self.count()
            self.left = {"L": arguments["left_ms"], "R": arguments["right_ms"]}
            self.change("adjust")
        elif said["cmd"] == "run":
            self.count()
            self.running = arguments["side"]
            self.change("pause" if self.running == "N" else "resume")
        if self.send is not None and self.flaw != "answers nothing":
            answer = {"id": said["id"], "ok": known, "error": "" if known else "unknown"}
            self.send(self.up + "resp", pack(answer), 1, retained=False)

    def change(self, act: str) -> None:
        """Anything but a press that changes the clock."""
        left = {"left_ms": self.left["L"], "right_ms": self.left["R"], "running": self.running}
        self.happened("clock.change", {"act": act, **left})

    def compare(self, said: dict[str, Any], now: int) -> None:
        """The recorder's time minus ours, by four stamps; about once a minute it is said."""
        trip = (now - said["t"]) - (said["sent_ms"] - said["received_ms"])
        offset = ((said["received_ms"] - said["t"]) + (said["sent_ms"] - now)) / 2
        self.measured = [*self.measured[-15:], (trip, offset)]
        is_due = not self.synced_s or self.now_s() - self.synced_s > 60 * self.pace
        if len(self.measured) < 4 or not is_due or self.flaw == "never tells time":
            return
        self.synced_s = self.now_s()
        trip, offset = min(self.measured)
        sign = -1 if self.flaw == "sign of the offset" else 1
        data = {"reference": "recorder", "device_ms": now, "offset_ms": sign * offset}
        self.happened("time.sync", {**data, "error_ms": trip / 2 + 1, "drift_ppm": None})


def pack(message: dict[str, Any]) -> bytes:
    return json.dumps({"v": 1, **message}).encode()


class PahoClock:
    """The clock on a broker, in a thread of its own; ``close`` pulls its plug."""

    def __init__(
        self,
        url: str,
        venue: str,
        name: str,
        flash: Path,
        *,
        pace: float = 1.0,
        certificates: Path | None = None,
    ) -> None:
        self.clock, self.lock = ForeignClock(venue, name, flash, pace=pace), threading.RLock()
        self.client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2, client_id=name)
        topic, payload = self.clock.will()
        self.client.will_set(topic, payload, qos=1, retain=True)
        self.client.on_connect, self.client.on_disconnect = self._connected, self._gone
        self.client.on_message = self._message
        self.client.reconnect_delay_set(1, 1)
        where = urlsplit(url)
        if where.username is not None:
            self.client.username_pw_set(where.username, where.password)
        if certificates is not None:
            files = (certificates / f"{name}{end}" for end in (".crt", ".key"))
            self.client.tls_set(str(certificates / "ca.crt"), *map(str, files))
        self.client.connect_async(where.hostname or "", where.port or 1883, keepalive=15)
        self.client.loop_start()
        self.stop = threading.Event()
        self.thread = threading.Thread(target=self._work, name=name)
        self.thread.start()

    def press(self, side: str) -> None:
        """A player presses a half."""
        with self.lock:
            self.clock.press(side)

    def waiting(self) -> int:
        """How many events the recorder has not acknowledged."""
        with self.lock:
            return len(self.clock.waiting)

    def close(self) -> None:
        """Nothing is said any more."""
        self.stop.set()
        self.thread.join()
        self.client.disconnect()
        self.client.loop_stop()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _work(self) -> None:
        while not self.stop.wait(0.02):
            with self.lock:
                self.clock.step()

    def _connected(self, client: mqtt.Client, *_: object) -> None:
        client.subscribe(self.clock.down + "+", qos=1)
        with self.lock:
            self.clock.connected(
                lambda topic, payload, qos, *, retained: client.publish(
                    topic, payload, qos=qos, retain=retained
                )
            )

    def _gone(self, *_: object) -> None:
        with self.lock:
            self.clock.send = None

    def _message(self, _client: mqtt.Client, _data: object, message: mqtt.MQTTMessage) -> None:
        with self.lock:
            self.clock.hear(message.topic, message.payload)
