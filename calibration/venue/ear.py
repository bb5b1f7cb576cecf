"""Hears on the bus, and reads in the log, what is known of a venue's devices.

Comes in as the recorder, which may hear everybody; says nothing. The bus's own thread only fills
what ``heard`` gives out.
"""

import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Self

from recorder.bus.device_hearing import DeviceHearing
from recorder.bus.mqtt import MqttBus
from recorder.bus.port import Message
from recorder.domain.errors import DeviceError, RecorderError
from recorder.domain.instruments import DeviceRole
from recorder.log.places import LogPlace, open_log_reader
from recorder.projections.health.device_health import Expected, VenueHealth
from recorder.projections.health.heard_devices import HeardDevices
from recorder.service.venue_file import VenuePlan
from recorder.wire.control import Presence, RecorderState, decode_recorder_state
from recorder.wire.topics import recorder_filter

_MOST_ROWS = 3000
"""What is older says nothing of how a device is now."""


class HealthListener:
    """Listens at the broker at ``url`` while it is open; ``now_ms`` is this machine's clock."""

    def __init__(self, plan: VenuePlan, url: str, log: LogPlace, now_ms: Callable[[], int]) -> None:
        self._now_ms, self._log, self._read_to = now_ms, log, 0
        self._lock = threading.Lock()  # guards what the bus's thread writes
        self._heard = HeardDevices()
        self._recorder: RecorderState | None = None
        self._reason = "no broker answers"
        self.expected = expected_of(plan)
        names = {device.name for device in self.expected}
        self._names = names
        venue = plan.plan.venue
        self._bus = MqttBus(url, "status")
        self._hearing = DeviceHearing(self._bus, venue, self._take)
        self._hearing.begin()
        self._bus.subscribe(recorder_filter(venue), self._take_recorder)
        self._bus.on_connection(self._connected)

    def __enter__(self) -> Self:
        self._bus.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._hearing.end()
        self._bus.stop()

    def health(self) -> VenueHealth:
        """What is known now. Reads what is new in the log."""
        self._read_log()
        with self._lock:
            broker = "" if self._bus.is_connected else self._reason
            return self._heard.health(self.expected, self._recorder, broker, self._now_ms())

    def has_heard_all(self) -> bool:
        """Whether each device has been heard, and a recorder: no need to wait for more."""
        with self._lock:
            if not self._heard.beating(self._now_ms()) >= self._names or self._recorder is None:
                return False
        self._read_log()
        with self._lock:
            return not self._heard.must_hear_on(self._now_ms())

    def _connected(self, connected: bool, reason: str) -> None:  # noqa: FBT001 - the bus's signature
        with self._lock:
            self._reason = "" if connected else reason

    def _take(self, message: Message) -> None:
        with self._lock:
            self._heard.take_message(message.topic, message.payload, self._now_ms())

    def _take_recorder(self, message: Message) -> None:
        try:
            state = decode_recorder_state(message.payload)
        except DeviceError:
            state = None
        message.ack()
        with self._lock:
            known = self._recorder
            if known is None or known.state is not Presence.READY or state is not None:
                self._recorder = state or known

    def _read_log(self) -> None:
        """The newest event and look of each device; a log that is not there yet has none."""
        if isinstance(self._log, Path) and not self._log.exists():
            return
        try:
            with closing(open_log_reader(self._log)) as reader:
                begin = max(self._read_to, reader.head() - _MOST_ROWS) + 1
                rows = list(reader.read_from(begin))
        except (RecorderError, sqlite3.Error):
            return  # it is being laid out
        with self._lock:
            for row in rows:
                self._read_to = row.seq
                self._heard.take_row(row)


def expected_of(plan: VenuePlan) -> tuple[Expected, ...]:
    """The devices of the recorder's file, by table."""
    return tuple(
        Expected(name=name, role=DeviceRole(role), table=table.started.table)
        for table in plan.plan.tables
        for name, role in table.devices.items()
    )
