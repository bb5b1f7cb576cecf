"""A networked table clock in software: the reference firmware itself, on a real broker.

Only what ``devices/firmware/main.py`` does is replaced: switches are methods, Wi-Fi is the bus.
Must not know the agent or the recorder.
"""

import os
import secrets
import threading
import time
from pathlib import Path
from typing import Self

from devices.firmware.clock_core import ClockCore
from devices.firmware.mqtt_clock import MqttClock
from devices.firmware.outbox_file import OutboxFile
from recorder.bus.mqtt import MqttBus
from recorder.bus.port import Message, Will

_STEP_S = 0.01


class MqttPeer:
    """The clock, switched on; ``folder`` is its flash. Methods may be called from any thread."""

    def __init__(
        self,
        url: str,
        folder: Path,
        *,
        venue: str = "main",
        name: str = "clock-1",
        minutes: int = 25,
    ) -> None:
        self._lock = threading.RLock()
        outbox = OutboxFile(
            str(folder / "outbox.log"),
            name,
            secrets.token_hex(4),
            lambda file: os.fsync(file.fileno()),
        )
        self._born = time.monotonic()
        self._clock = MqttClock(venue, name, ClockCore(minutes * 60_000), outbox, self._ticks)
        topic, payload = self._clock.will()
        self._bus = MqttBus(url, name, will=Will(topic, payload))
        self._bus.subscribe(f"{self._clock.down}+", self._hear)
        self._bus.on_connection(self._connection)
        self._bus.start()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._work, name=f"simulated {name}")
        self._thread.start()

    @property
    def waiting(self) -> int:
        """Events that the recorder has not acknowledged."""
        with self._lock:
            return self._clock.outbox.depth

    @property
    def seq_high(self) -> int:
        """The number of the newest event since it was switched on."""
        with self._lock:
            return self._clock.outbox.seq_high

    @property
    def table(self) -> int:
        """The table that the recorder has assigned; 0 before it has."""
        return self._clock.table

    def times(self) -> tuple[int, int]:
        """Both times, now."""
        with self._lock:
            return self._clock.core.times(self._ticks())

    def press(self, side: str) -> None:
        """A player presses a half, L or R."""
        with self._lock:
            self._clock.press(side, self._ticks())

    def middle(self) -> None:
        """The button between the halves."""
        with self._lock:
            self._clock.middle(self._ticks())

    def close(self) -> None:
        """Pull the plug: nothing is said."""
        self._stop.set()
        self._thread.join()
        self._bus.stop()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _ticks(self) -> int:
        return int((time.monotonic() - self._born) * 1000)

    def _work(self) -> None:
        while not self._stop.wait(_STEP_S):
            with self._lock:
                self._clock.step()

    def _hear(self, message: Message) -> None:
        message.ack()
        with self._lock:
            self._clock.hear(message.topic, message.payload)

    def _connection(self, connected: bool, _reason: str) -> None:  # noqa: FBT001 Bus's callback
        with self._lock:
            if connected:
                self._clock.connected(self._publish)
            else:
                self._clock.disconnected()

    def _publish(self, topic: str, payload: bytes, retain: bool, qos: int) -> None:  # noqa: FBT001 umqtt's order
        self._bus.publish(topic, payload, retain=retain, qos=qos)
