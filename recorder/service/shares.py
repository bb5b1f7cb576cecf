"""Each table's share of the writer's time, and each device's of its messages.

A table may have ``AT_ONCE_S`` of work done at once, as a restart or a long outbox needs; from then
on no more than its share, so that the others are always served. A device may send as many messages
as ``recorder.domain.limits`` says. Pure bookkeeping: the caller gives the time, in seconds.
"""

from collections.abc import Collection
from dataclasses import dataclass, field

from recorder.domain.limits import (
    MOST_A_SECOND,
    MOST_AT_ONCE,
    MOST_PASSING_A_SECOND,
    MOST_PASSING_AT_ONCE,
    MOST_STORED_A_SECOND,
    MOST_STORED_AT_ONCE,
)

LEAST_SHARE = 0.25
"""Of a core: what a table has where there are four or more."""
AT_ONCE_S = 2.0
CALM_S = 10.0
"""So long after its last message too many a device floods no more."""
BUSY_AFTER = 300
"""So many messages beyond its rate a device is heard apart from the others."""
_STRANGER = ""


@dataclass(slots=True)
class Bucket:
    """``a_second`` come in, ``most`` fit; how many are ``left``, as of ``at_s``."""

    a_second: float
    most: float
    left: float
    at_s: float

    def take(self, count: float, now_s: float) -> None:
        """Take out so many; ``left`` may fall below 0."""
        self.left = self.now(now_s) - count
        self.at_s = now_s

    def now(self, now_s: float) -> float:
        """How many are left by now."""
        return min(self.most, self.left + (now_s - self.at_s) * self.a_second)


class WorkShares:
    """The time that the work for each of so many tables has taken."""

    def __init__(self, tables: int) -> None:
        self._share = max(LEAST_SHARE, 1 / max(1, tables))
        self._tables: dict[int, Bucket] = {}

    def worked(self, table: int, spent_s: float, now_s: float) -> None:
        """Work was done for a table."""
        full = Bucket(self._share, AT_ONCE_S, AT_ONCE_S, now_s)
        self._tables.setdefault(table, full).take(spent_s, now_s)

    def may_go_on(self, table: int, now_s: float) -> bool:
        """Whether a table has not had more than its share."""
        bucket = self._tables.get(table)
        return bucket is None or bucket.now(now_s) >= 0


@dataclass(slots=True)
class MessageShares:
    """The messages that each device has sent of late, and the bytes stored of them.

    Those of strangers count together.

    ``takes`` is called on the bus's thread, the others on the recorder's.
    """

    known: frozenset[str]
    _buckets: dict[str, tuple[Bucket, Bucket, Bucket]] = field(default_factory=dict)
    _last_s: dict[str, float] = field(default_factory=dict)
    _told: set[str] = field(default_factory=set)

    def takes(self, device: str, now_s: float, stored: int = 0) -> bool:
        """Count a message; whether it is one that the device may send now.

        ``stored`` are the bytes that the log would take for it; 0 for what is not stored.
        """
        name = device if device in self.known else _STRANGER
        if name not in self._buckets:
            self._buckets[name] = (
                Bucket(MOST_A_SECOND, MOST_AT_ONCE, MOST_AT_ONCE, now_s),
                Bucket(MOST_STORED_A_SECOND, MOST_STORED_AT_ONCE, MOST_STORED_AT_ONCE, now_s),
                Bucket(MOST_PASSING_A_SECOND, MOST_PASSING_AT_ONCE, MOST_PASSING_AT_ONCE, now_s),
            )
        many, size, passing = self._buckets[name]
        has_room = size.now(now_s) >= 0 if stored else passing.now(now_s) >= 1
        if many.now(now_s) < 1 or not has_room:
            self._last_s[name] = now_s
            return False
        many.take(1, now_s)
        size.take(stored, now_s)
        passing.take(0 if stored else 1, now_s)
        return True

    def follows(self, devices: Collection[str], stored: int, now_s: float) -> None:
        """Count bytes of what follows from what these devices say: for the one that says most."""
        known = [self._buckets[device] for device in devices if device in self._buckets]
        if known:
            min(known, key=lambda buckets: buckets[0].now(now_s))[1].take(stored, now_s)

    def busy(self, now_s: float) -> frozenset[str]:
        """Devices that send much, whether all of it is taken or not; strangers count as one."""
        return frozenset(
            name
            for name, (many, _, _) in list(self._buckets.items())
            if many.now(now_s) < MOST_AT_ONCE - BUSY_AFTER
            or now_s - self._last_s.get(name, -CALM_S) < CALM_S
        )

    def begun(self) -> list[str]:
        """Devices that flood since the last question; strangers are none."""
        new = [name for name in list(self._last_s) if name not in self._told]
        self._told.update(new)
        return [name for name in new if name != _STRANGER]

    def ended(self, now_s: float) -> list[str]:
        """Devices that flood no more."""
        calm = [name for name in self._told if now_s - self._last_s.get(name, 0.0) > CALM_S]
        for name in calm:
            self._told.discard(name)
            self._last_s.pop(name, None)
        return [name for name in calm if name != _STRANGER]
