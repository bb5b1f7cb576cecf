"""How much a game takes in of each device: what no game needs is stored, and not read.

Without an end to it a device that never stops would make each row of its table slower than the one
before. Counted by rows and their times, so that a restart counts the same.
"""

from recorder.domain.limits import MOST_OF_TYPE, OF_TYPE_A_MINUTE
from recorder.log.port import Row

_MINUTE_MS = 60_000


class Allowance:
    """What the devices of one game may still say, by device and type."""

    def __init__(self) -> None:
        self._left: dict[tuple[str, str], tuple[float, int]] = {}
        self._told: set[tuple[str, str]] = set()

    def takes(self, row: Row) -> bool:
        """Count a row; whether it is still to be read."""
        kind = (row.device, row.type)
        left, since_ms = self._left.get(kind, (MOST_OF_TYPE, row.at))
        come_in = max(0, row.at - since_ms) * OF_TYPE_A_MINUTE / _MINUTE_MS
        left = min(MOST_OF_TYPE, left + come_in)
        is_read = left >= 1
        self._left[kind] = (left - is_read, row.at)
        return is_read

    def is_news(self, row: Row) -> bool:
        """Whether nobody was informed yet that rows such as this one are not read; asked once."""
        kind = (row.device, row.type)
        is_first = kind not in self._told
        self._told.add(kind)
        return is_first
