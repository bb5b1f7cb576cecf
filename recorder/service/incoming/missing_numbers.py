"""Numbers of devices that never came, and that their device keeps no more.

Reported, and taken back.

A device that still keeps an event sends it again; what is missing here is lost with the device, or
another recorder has taken it. Must not know where events are stored.
"""

from dataclasses import dataclass, field

from recorder.domain.instruments import EventsMissing
from recorder.domain.record import Observed
from recorder.log.port import Row

GRACE_MS = 5_000
"""A heartbeat may overtake an event by so much."""
AGAIN_MS = 60_000
"""What is missing of a device is reported no more often."""
_MOST_BOOTS = 4
"""Of so many boots of a device it is known what is missing: it may invent boots without end."""


@dataclass(slots=True)
class _Gap:
    first: int
    last: int
    count: int
    due_ms: int
    said: int = 0


@dataclass(slots=True)
class MissingNumbers:
    """What is missing of each device, by boot."""

    _gaps: dict[str, dict[str, _Gap]] = field(default_factory=dict)
    _said_ms: dict[str, int] = field(default_factory=dict)

    def take(self, row: Row) -> None:
        """A new row, or one of a game that is on after a restart: what it says, and its number."""
        match row.says:
            case Observed(what=EventsMissing() as lost):
                boots = self._gaps.setdefault(lost.device, {})
                boots.pop(lost.boot, None)
                if lost.count:
                    gap = _Gap(lost.first, lost.last, lost.count, row.at, lost.count)
                    boots[lost.boot] = gap
            case _ if row.key is not None:
                device, boot, number = row.key
                gap_ = self._gaps.get(device, {}).get(boot)
                if gap_ is not None and gap_.first <= number <= gap_.last and gap_.count:
                    gap_.count -= 1

    def lost(self, device: str, boot: str, missing: tuple[int, int, int], now_ms: int) -> None:
        """A device has given up numbers that never came: first, last and count."""
        first, last, count = missing
        boots = self._gaps.setdefault(device, {})
        gap = boots.get(boot)
        due_ms = now_ms + GRACE_MS
        if gap is None:
            boots[boot] = _Gap(first, last, count, due_ms)
            while len(boots) > _MOST_BOOTS:
                boots.pop(next(iter(boots)))
            return
        gap.first, gap.last = min(gap.first, first), max(gap.last, last)
        if gap.count == gap.said:
            gap.due_ms = due_ms
        gap.count += count

    def news(self, now_ms: int) -> list[EventsMissing]:
        """What is to be reported now: missing for a while, or all of it come by now."""
        news = []
        for device, boots in self._gaps.items():
            for boot, gap in list(boots.items()):
                if gap.count == 0:
                    del boots[boot]
                if gap.count == gap.said or not self._is_due(device, gap, now_ms):
                    continue
                gap.said, self._said_ms[device] = gap.count, now_ms
                said = {"first": gap.first, "last": gap.last, "count": gap.count}
                news.append(EventsMissing(device=device, boot=boot, **said))
        return news

    def _is_due(self, device: str, gap: _Gap, now_ms: int) -> bool:
        """What has come is said at once, what is missing after a while and not too often."""
        said_ms = self._said_ms.get(device)
        is_often = said_ms is not None and now_ms < said_ms + AGAIN_MS
        return gap.count < gap.said or (now_ms >= gap.due_ms and not is_often)
