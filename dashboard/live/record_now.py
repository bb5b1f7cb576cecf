"""What time it is in the record: pages count from its rows, not from a wall clock.

The wall clock of the machine can be set while a game is on; then rows go on by the time that
passes (``recorder.service.record_time``), and so must everything that is counted from them: a delay
that ended because somebody set the clock would show the public what it must not see yet.
"""

from collections.abc import Callable

from recorder.domain.record import GameStarted
from recorder.domain.row_kind import Kind
from recorder.log.port import Row
from recorder.service.record_time import time_set


class RecordNow:
    """Milliseconds since 1970 as the recorder on the same machine has them.

    ``wall_ms`` is the wall clock, ``ticks_ms`` never jumps. Rows are taken as they are followed.
    ``kept_ms`` is what a recorder of this run of the machine adds to the ticks, or has added before
    it ended (``recorder.uptime.kept_base_ms``); None where that is not known, as of one elsewhere.
    """

    def __init__(
        self,
        wall_ms: Callable[[], int],
        ticks_ms: Callable[[], int],
        kept_ms: Callable[[], int | None] = lambda: None,
    ) -> None:
        self._wall_ms, self._ticks_ms, self._kept_ms = wall_ms, ticks_ms, kept_ms
        kept = kept_ms()
        self._base_ms = self._wall_base() if kept is None else kept

    def __call__(self) -> int:
        """The record's time."""
        return self._base_ms + self._ticks_ms()

    def take(self, row: Row) -> None:
        """A row of any table, in the order of the log.

        What the recorder says of the wall clock counts. A game that begins may be the first of a
        recorder that goes by the wall clock again, or one of many in a run that does not: so the
        time is the earlier of both, and never before what the record has seen by then. To be wrong
        here may show something late, never early.
        """
        setting = time_set(row)
        if setting is not None:
            # The wall clock may have been set again since, while nobody recorded.
            self._base_ms = self._not_after_kept(self._wall_base() - setting.ahead_ms)
            return
        begins = isinstance(row.says, GameStarted)
        if begins:
            self._base_ms = self._not_after_kept(min(self._base_ms, self._wall_base()))
        if begins or row.kind is Kind.OBSERVED:
            self._base_ms = max(self._base_ms, row.received - self._ticks_ms())

    def _wall_base(self) -> int:
        return self._wall_ms() - self._ticks_ms()

    def _not_after_kept(self, base_ms: int) -> int:
        kept = self._kept_ms()
        return base_ms if kept is None else min(base_ms, kept)
