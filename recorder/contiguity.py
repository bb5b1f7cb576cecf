"""Which numbers of devices are stored: up to which none is missing, and since when one is there.

Pure. The recorder answers by ``Contiguity``, which must know every number of every boot and no
time. Who watches devices asks ``StoredNumbers``, which must know times and may forget.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from recorder.recent import ByBoot

MessageKey = tuple[str, str, int]
"""Device, boot, number: what makes an observation unique for ever."""

_MOST_BOOTS, _MOST_RUNS = 4, 64
"""More are forgotten, the oldest first: then a number counts as not stored."""


class Contiguity:
    """The highest gapless number of every ``(dev, boot)``, kept while numbers arrive in any order.

    Numbers beyond a gap are remembered until the gap closes. ``stored`` gives the numbers of a boot
    that are stored, from the lowest on: it is asked for a boot that is not known, or no longer.
    """

    def __init__(
        self, stored: Callable[[str, str], Iterable[int]] = lambda _dev, _boot: ()
    ) -> None:
        self._stored = stored
        self._boots: ByBoot[_Reached] = ByBoot()

    def add(self, key: MessageKey) -> None:
        """A number was stored."""
        dev, boot, number = key
        self._of(dev, boot).add(number)

    def upto(self, dev: str, boot: str, *, floor: int = 0) -> int:
        """The highest number with none missing between it and ``floor``."""
        reached = self._of(dev, boot)
        reached.rise(floor)
        return reached.upto

    def _of(self, dev: str, boot: str) -> "_Reached":
        reached = self._boots.get((dev, boot))
        if reached is None:
            reached = _Reached()
            for number in self._stored(dev, boot):
                reached.add(number)
            self._boots[dev, boot] = reached
        return reached

    def missing(
        self, dev: str, boot: str, *, upto: int, after: int | None
    ) -> tuple[int, int, int] | None:
        """See ``EventLog.missing``."""
        boot_of = self._of(dev, boot)
        reached, beyond = boot_of.upto, boot_of.beyond
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


@dataclass(slots=True)
class _Reached:
    """Up to which number none is missing, and the numbers beyond the gap that follows."""

    upto: int = 0
    beyond: set[int] = field(default_factory=set)

    def add(self, number: int) -> None:
        if number == self.upto + 1:
            self.rise(number)
        elif number > self.upto:
            self.beyond.add(number)

    def rise(self, upto: int) -> None:
        """All up to a number are dealt with; it goes on over what is stored behind it."""
        if upto <= self.upto:
            return
        self.upto = upto
        if not self.beyond:
            return
        self.beyond = {number for number in self.beyond if number > upto}
        while self.upto + 1 in self.beyond:
            self.upto += 1
            self.beyond.discard(self.upto)


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
