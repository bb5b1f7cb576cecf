"""Which numbers of a device's boots the log holds, and since when: as runs, they come in order."""

from dataclasses import dataclass

_MOST_BOOTS, _MOST_RUNS = 4, 64
"""More are forgotten, the oldest first: then a number counts as not stored."""


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
