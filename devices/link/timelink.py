"""How a device's milliseconds relate to another clock's: a fold over exchanged stamps, no clock.

The other clock is the reference: the agent's for a clock on a serial line, the recorder's for a
device on the bus. Four-stamp exchanges are best (the quickest of the last sixteen wins, for its
path was the most even); until one has come, the smallest difference seen between arrival and stamp
must do. Over a minute the drift shows, and is taken off what was measured a while ago. A strong one
shows sooner: no comparison is wrong by more than half its round trip, so any two of them bound it.
"""

from collections import deque
from dataclasses import dataclass
from itertools import combinations

from recorder.domain.observations import ClockSynced

_KEPT_EXCHANGES = 16
_KEPT_ARRIVALS = 64
_ANCHOR_EVERY_MS = 10_000
_KEPT_ANCHORS = 90
_DRIFT_SPAN_MS = 60_000
_STAMP_MS = 1.0
"""Stamps are whole milliseconds: a comparison of four is off by as much again."""
_SHARE_OF_DRIFT = 0.1
"""A drift whose bounds are so close, relative to itself, is known before the minute is over."""
_LOOSEST_PPM = 250.0
"""So close must the bounds of a slope be: slow answers of a busy machine look like a drift."""
JUMP_MS = 250
"""An offset that changes by more between two exchanges, beyond their errors, is a jump."""
_FIRST_SAID, _SAID_EVERY_MS = 4, 60_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """One comparison: reference minus device at ``device_ms``, wrong by half the round trip."""

    device_ms: float
    offset_ms: float
    round_trip_ms: int


def asked_by_reference(asked_ms: int, received_ms: int, sent_ms: int, answered_ms: int) -> Measured:
    """The reference asks: its own, the device's, the device's, its own milliseconds."""
    return Measured(
        device_ms=(received_ms + sent_ms) / 2,
        offset_ms=(asked_ms + answered_ms - received_ms - sent_ms) / 2,
        round_trip_ms=(answered_ms - asked_ms) - (sent_ms - received_ms),
    )


def asked_by_device(asked_ms: int, received_ms: int, sent_ms: int, answered_ms: int) -> Measured:
    """The device asks: its own, the reference's, the reference's, its own milliseconds."""
    return Measured(
        device_ms=(asked_ms + answered_ms) / 2,
        offset_ms=(received_ms + sent_ms - asked_ms - answered_ms) / 2,
        round_trip_ms=(answered_ms - asked_ms) - (sent_ms - received_ms),
    )


class TimeLink:
    """The offset and the drift of one device in one boot."""

    def __init__(self) -> None:
        self._measured: deque[Measured] = deque(maxlen=_KEPT_EXCHANGES)
        self._arrivals: deque[int] = deque(maxlen=_KEPT_ARRIVALS)
        self._anchors: deque[Measured] = deque(maxlen=_KEPT_ANCHORS)
        self.drift_ppm: float | None = None
        """By how much the device gains on the reference; None before a minute of exchanges, unless
        it is so strong that less is enough."""

    @property
    def exchanges(self) -> int:
        """How many four-stamp exchanges the estimate rests on."""
        return len(self._measured)

    @property
    def error_ms(self) -> int | None:
        """The bound of the estimate's error; None while only arrivals are known."""
        if not self._measured:
            return None
        return (min(comparison.round_trip_ms for comparison in self._measured) + 1) // 2

    def arrived(self, device_ms: int, at_ms: int) -> None:
        """A line stamped ``device_ms`` came in at ``at_ms``."""
        self._arrivals.append(at_ms - device_ms)

    def measure(self, comparison: Measured) -> float:
        """One comparison more; the jump that it shows, in ms, or 0.

        A round trip below zero is no comparison and is left out. After a jump everything before
        it is forgotten: one of the two clocks has begun again.
        """
        if comparison.round_trip_ms < 0:
            return 0.0
        jump_ms = 0.0
        if self._measured:
            best = self._best()
            gap_ms = comparison.offset_ms - self.offset_at(comparison.device_ms)
            slack_ms = JUMP_MS + (comparison.round_trip_ms + best.round_trip_ms) / 2
            if abs(gap_ms) > slack_ms:
                jump_ms = gap_ms
                self._measured.clear()
                self._arrivals.clear()
                self._anchors.clear()
                self.drift_ppm = None
        self._measured.append(comparison)
        if (
            not self._anchors
            or comparison.device_ms - self._anchors[-1].device_ms >= _ANCHOR_EVERY_MS
        ):
            self._anchors.append(self._quickest_since_anchor())
            self.drift_ppm = self._drift()
        elif self.drift_ppm is None:
            self.drift_ppm = self._bounded_drift()
        return jump_ms

    def offset_at(self, device_ms: float) -> float:
        """Reference minus device at a moment. At least one comparison or arrival must be known."""
        if not self._measured:
            return min(self._arrivals)
        best = self._best()
        gained_ms = (device_ms - best.device_ms) * (self.drift_ppm or 0.0) / 1e6
        return best.offset_ms - gained_ms

    def agent_ms(self, device_ms: int) -> int:
        """The reference's time for a stamp of the device."""
        return round(device_ms + self.offset_at(device_ms))

    def _best(self) -> Measured:
        return min(self._measured, key=lambda comparison: comparison.round_trip_ms)

    def _quickest_since_anchor(self) -> Measured:
        last_ms = self._anchors[-1].device_ms if self._anchors else float("-inf")
        fresh = [comparison for comparison in self._measured if comparison.device_ms > last_ms]
        return min(fresh, key=lambda comparison: comparison.round_trip_ms)

    def _drift(self) -> float | None:
        """The slope of the offsets, by least squares; None while their errors allow too many."""
        if self._anchors[-1].device_ms - self._anchors[0].device_ms < _DRIFT_SPAN_MS:
            return self._bounded_drift()
        times = [comparison.device_ms for comparison in self._anchors]
        offsets = [comparison.offset_ms for comparison in self._anchors]
        middle, level = sum(times) / len(times), sum(offsets) / len(offsets)
        spread = sum((time - middle) ** 2 for time in times)
        pairs = zip(times, offsets, strict=True)
        slope = -1e6 * sum((time - middle) * (off - level) for time, off in pairs) / spread
        errors = (
            abs(comparison.device_ms - middle) * comparison.round_trip_ms / 2
            for comparison in self._anchors
        )
        bound = 1e6 * sum(errors) / spread
        return slope if bound <= max(_LOOSEST_PPM, _SHARE_OF_DRIFT * abs(slope)) else None

    def _bounded_drift(self) -> float | None:
        """The middle of what all pairs of comparisons allow, None while that is too wide.

        For the first minute: over hours a quartz does not drift evenly enough to be bounded so.
        """
        least, most = float("-inf"), float("inf")
        ordered = sorted(
            {*self._anchors, *self._measured}, key=lambda comparison: comparison.device_ms
        )
        for earlier, later in combinations(ordered, 2):
            passed_ms = later.device_ms - earlier.device_ms
            if passed_ms > 0:
                error_ms = (earlier.round_trip_ms + later.round_trip_ms) / 2 + 2 * _STAMP_MS
                gained_ms = earlier.offset_ms - later.offset_ms
                least = max(least, 1e6 * (gained_ms - error_ms) / passed_ms)
                most = min(most, 1e6 * (gained_ms + error_ms) / passed_ms)
        middle, half = (least + most) / 2, (most - least) / 2
        return middle if 0 <= half <= _SHARE_OF_DRIFT * abs(middle) else None


class SyncTeller:
    """When a comparison is worth an observation.

    At first, when the drift is known, once a minute, and after a jump.
    """

    def __init__(self, reference: str) -> None:
        self._reference = reference
        self._said_ms: float | None = None
        self._said_drift = False

    def news(self, link: TimeLink, device_ms: int, *, jumped: bool = False) -> ClockSynced | None:
        """What to say now, if anything."""
        error_ms = link.error_ms
        if error_ms is None or (link.exchanges < _FIRST_SAID and not jumped):
            return None
        drift_ppm = link.drift_ppm
        is_due = self._said_ms is None or device_ms - self._said_ms >= _SAID_EVERY_MS
        drift_shows = drift_ppm is not None and not self._said_drift
        if not (is_due or drift_shows or jumped):
            return None
        self._said_ms, self._said_drift = device_ms, drift_ppm is not None
        return ClockSynced(
            reference=self._reference,
            device_ms=max(0, device_ms),
            offset_ms=round(link.offset_at(device_ms), 2),
            error_ms=float(error_ms),
            drift_ppm=None if drift_ppm is None else round(drift_ppm, 1),
        )
