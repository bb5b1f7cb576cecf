"""A recorder's figures for Prometheus: how long it takes, what waits, who is there.

Names end in their unit. Taken in by the recording thread, read by the monitor's.
"""

import time
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sized
from dataclasses import dataclass
from threading import Thread

from prometheus_client import CollectorRegistry, Histogram
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from recorder.bus.port import Bus
from recorder.domain.row_kind import Kind
from recorder.log.port import EventLog, Row
from recorder.service.games.table_games import TableGames
from recorder.service.log_writer import LogWriter
from recorder.service.plan import Counters
from recorder.service.presence import Presences
from recorder.service.visits import Visits

_MOST_PRESSES = 2_000
"""Presses that still wait for their turn; more wait only where nobody looks."""
STUCK_S = 30
"""A recording thread that has not come round for so long is stuck."""
_ACKS_S = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30)
_TURNS_S = (0.02, 0.05, 0.1, 0.15, 0.3, 0.6, 1, 2, 5, 10, 30, 60)


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of a recorder that are asked; ``inbox`` has the messages not yet taken in."""

    counters: Counters
    inbox: Sized
    thread: Thread
    writer: LogWriter
    games: TableGames
    visits: Visits
    presences: Presences
    bus: Bus
    store: EventLog


class RecorderFigures(Collector):
    """The figures of one recorder, and whether it records."""

    def __init__(self, parts: Parts) -> None:
        self.registry = CollectorRegistry()
        self._parts = parts
        self._turned_s = time.monotonic()
        self._doubts = self._notices = 0
        self._presses: OrderedDict[int, int] = OrderedDict()
        self._acks = Histogram(
            "tilecast_acknowledgement_seconds",
            "From a message's arrival to its acknowledgement, the rows on disk",
            buckets=_ACKS_S,
            registry=self.registry,
        )
        self._turns = Histogram(
            "tilecast_press_to_row_seconds",
            "From the arrival of a press to the row that says what was played",
            buckets=_TURNS_S,
            registry=self.registry,
        )
        self.registry.register(self)

    def turned(self) -> None:
        """The recording thread has come round once more."""
        self._turned_s = time.monotonic()

    @property
    def wrong(self) -> str:
        """What keeps the recorder from recording, for a supervisor; empty while nothing does."""
        if not self._parts.thread.is_alive():
            return "the recording thread has ended"
        if time.monotonic() - self._turned_s > STUCK_S:
            return f"the recording thread has not come round for {STUCK_S} s"
        if self._parts.writer.refusing:
            return f"the log refuses to store: {self._parts.writer.fault}"
        return "" if self._parts.bus.is_connected else "the broker is not there"

    def acknowledged(self, received_ms: Iterable[int], now_ms: int) -> None:
        """Messages that came at these times are acknowledged now."""
        for at_ms in received_ms:
            self._acks.observe(max(0, now_ms - at_ms) / 1000)

    def take(self, row: Row, now_ms: int) -> None:
        """A row was stored just now."""
        if row.type == "clock.press":
            self._presses[row.seq] = row.received
            if len(self._presses) > _MOST_PRESSES:
                self._presses.popitem(last=False)
        elif row.kind in (Kind.RECORDED, Kind.CORRECTED):
            self._notices += row.type == "table.notice"
            self._doubts += row.body.get("doubt") is not None
            for press in row.refs:
                pressed_ms = self._presses.pop(press, None)
                if pressed_ms is not None:
                    self._turns.observe(max(0, now_ms - pressed_ms) / 1000)

    def collect(self) -> Iterator[Metric]:
        """See ``Collector``."""
        parts = self._parts
        gauges = {
            "tilecast_queue_messages": ("Messages not yet taken in", len(parts.inbox)),
            "tilecast_tables_behind": ("Tables whose fold was cut short", parts.visits.behind),
            "tilecast_log_rows": ("The number of the log's last row", parts.store.head()),
            "tilecast_log_refusing": ("1 while the log takes nothing", parts.writer.refusing),
            "tilecast_broker_connected": ("1 while it is there", parts.bus.is_connected),
        }
        for name, (text, value) in gauges.items():
            yield GaugeMetricFamily(name, text, value=float(value))
        there, lost = parts.presences.count()
        yield _by("tilecast_devices", "Devices", "state", {"there": there, "lost": lost})
        asleep = [parts.games.sleeps(table) for table in parts.games]
        kept = {"memory": asleep.count(False), "disk": asleep.count(True)}
        yield _by("tilecast_games", "The last game of every table, where it is kept", "kept", kept)
        events = CounterMetricFamily("tilecast_events", "Events that came", labels=["fate"])
        for fate in ("stored", "doubled", "refused"):
            events.add_metric([fate], getattr(parts.counters, fate))
        yield events
        yield CounterMetricFamily(
            "tilecast_doubts", "Turns reported with a doubt", value=self._doubts
        )
        yield CounterMetricFamily("tilecast_notices", "Notices given", value=self._notices)


def _by(name: str, text: str, label: str, values: dict[str, int]) -> GaugeMetricFamily:
    family = GaugeMetricFamily(name, text, labels=[label])
    for value, many in values.items():
        family.add_metric([value], many)
    return family
