"""How a device's milliseconds relate to the agent's: a fold over exchanged stamps, no clock.

Four-stamp exchanges are best (the quickest of the last sixteen wins, for its path was the most
even); until one has come, the smallest difference seen between arrival and stamp must do.
"""

from collections import deque
from dataclasses import dataclass

_KEPT_EXCHANGES = 16
_KEPT_ARRIVALS = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """One SYNC and its answer: agent's, device's, device's, agent's milliseconds."""

    asked_ms: int
    received_ms: int
    sent_ms: int
    answered_ms: int

    @property
    def round_trip_ms(self) -> int:
        """The time spent on the line, both ways."""
        return (self.answered_ms - self.asked_ms) - (self.sent_ms - self.received_ms)

    @property
    def offset_ms(self) -> float:
        """Agent minus device, wrong by half the round trip at most."""
        return (self.asked_ms + self.answered_ms - self.received_ms - self.sent_ms) / 2


class TimeLink:
    """The offset of one device in one boot."""

    def __init__(self) -> None:
        self._exchanges: deque[Exchange] = deque(maxlen=_KEPT_EXCHANGES)
        self._arrivals: deque[int] = deque(maxlen=_KEPT_ARRIVALS)

    @property
    def exchanges(self) -> int:
        """How many four-stamp exchanges the estimate rests on."""
        return len(self._exchanges)

    @property
    def error_ms(self) -> int | None:
        """The bound of the estimate's error; None while only arrivals are known."""
        if not self._exchanges:
            return None
        return (min(exchange.round_trip_ms for exchange in self._exchanges) + 1) // 2

    def arrived(self, device_ms: int, at_ms: int) -> None:
        """A line stamped ``device_ms`` came in at ``at_ms``."""
        self._arrivals.append(at_ms - device_ms)

    def exchanged(self, exchange: Exchange) -> None:
        """An answer came. A round trip below zero is no exchange and is left out."""
        if exchange.round_trip_ms >= 0:
            self._exchanges.append(exchange)

    def agent_ms(self, device_ms: int) -> int:
        """The agent's time for a stamp of the device. At least one line must have arrived."""
        if self._exchanges:
            best = min(self._exchanges, key=lambda exchange: exchange.round_trip_ms)
            return round(device_ms + best.offset_ms)
        return device_ms + min(self._arrivals)
