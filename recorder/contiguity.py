"""Which numbers of devices are stored: up to which none is missing, and since when one is there.

Pure. The recorder answers by ``Contiguity``, which must know every number of every boot and no
time. Who watches devices asks ``StoredNumbers``, which must know times and may forget.
"""

from dataclasses import dataclass

MessageKey = tuple[str, str, int]
"""Device, boot, number: what makes an observation unique for ever."""

_MOST_BOOTS, _MOST_RUNS = 4, 64
"""More are forgotten, the oldest first: then a number counts as not stored."""


class Contiguity:
    """The highest gapless number of every ``(dev, boot)``, kept while numbers arrive in any order.

    Numbers beyond a gap are remembered until the gap closes.
    """

    def __init__(self) -> None:
        self._upto: dict[tuple[str, str], int] = {}
        self._beyond: dict[tuple[str, str], set[int]] = {}

    def add(self, key: MessageKey) -> None:
        """A number was stored."""
        dev, boot, number = key
        source = (dev, boot)
        upto = self._upto.get(source, 0)
        if number != upto + 1:
            if number > upto:
                self._beyond.setdefault(source, set()).add(number)
            return
        self._raise(source, number)

    def upto(self, dev: str, boot: str, *, floor: int = 0) -> int:
        """The highest number with none missing between it and ``floor``."""
        source = (dev, boot)
        if floor > self._upto.get(source, 0):
            self._raise(source, floor)
        return self._upto.get(source, 0)

    def missing(
        self, dev: str, boot: str, *, upto: int, after: int | None
    ) -> tuple[int, int, int] | None:
        """See ``EventLog.missing``."""
        reached, beyond = self._upto.get((dev, boot), 0), self._beyond.get((dev, boot), set())
        if after is None:
            after = max(beyond, default=reached) or upto
        came = sorted(number for number in beyond if max(after, reached) < number <= upto)
        first, last = max(after, reached) + 1, upto
        count = last - first + 1 - len(came)
        if count <= 0:
            return None
        while came and came[0] == first:
            first += 1
            came.pop(0)
        while came and came[-1] == last:
            last -= 1
            came.pop()
        return first, last, count

    def _raise(self, source: tuple[str, str], upto: int) -> None:
        self._upto[source] = upto
        if source not in self._beyond:
            return
        beyond = {number for number in self._beyond.pop(source) if number > upto}
        while upto + 1 in beyond:
            upto += 1
            beyond.discard(upto)
        self._upto[source] = upto
        if beyond:
            self._beyond[source] = beyond


@dataclass(slots=True)
class _Run:
    """Numbers without a gap; ``since_ms`` is when the first of them came."""

    low: int
    high: int
    since_ms: int


class StoredNumbers:
    """Takes keys of rows, says since when a number is among them. Times are those given."""

    def __init__(self) -> None:
        self._runs: dict[str, list[_Run]] = {}

    def take(self, boot: str, number: int, received_ms: int) -> None:
        """A row with this number of this boot is in the log."""
        runs = self._runs.pop(boot, [])
        self._runs[boot] = runs
        if len(self._runs) > _MOST_BOOTS:
            del self._runs[next(iter(self._runs))]
        before = next((run for run in reversed(runs) if run.high + 1 == number), None)
        if before is not None:
            before.high = number
        else:
            runs.append(_Run(number, number, received_ms))
            del runs[:-_MOST_RUNS]

    def since_ms(self, boot: str, number: int) -> int | None:
        """When the first of its run came; None where it is not known to be in the log."""
        for run in self._runs.get(boot, ()):
            if run.low <= number <= run.high:
                return run.since_ms
        return None
