"""What time it is in the record: pages count from its rows, not from a wall clock.

The wall clock of the machine can be set while a game is on; then rows go on by the time that
passes (``recorder.service.record_time``), and so must everything that is counted from them: a delay
that ended because somebody set the clock would show the public what it must not see yet.
"""

from collections.abc import Callable

from recorder.domain.record import GameStarted
from recorder.log.port import Row
from recorder.service.record_time import time_set


class RecordNow:
    """Milliseconds since 1970 as the recorder on the same machine has them.

    ``wall_ms`` is the wall clock, ``ticks_ms`` never jumps. Rows are taken as they are followed.
    """

    def __init__(self, wall_ms: Callable[[], int], ticks_ms: Callable[[], int]) -> None:
        self._wall_ms, self._ticks_ms = wall_ms, ticks_ms
        self._base_ms = wall_ms() - ticks_ms()

    def __call__(self) -> int:
        """The record's time."""
        return self._base_ms + self._ticks_ms()

    def take(self, row: Row) -> None:
        """A row of any table: a game begins by the wall clock, and may go on without it."""
        setting = time_set(row)
        if setting is not None or isinstance(row.says, GameStarted):
            ahead_ms = 0 if setting is None else setting.ahead_ms
            self._base_ms = self._wall_ms() - self._ticks_ms() - ahead_ms
