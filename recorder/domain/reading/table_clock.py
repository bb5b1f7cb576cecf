"""The clock of a table through a game: its start, what it said before the first press, its stop."""

from dataclasses import dataclass, replace

from recorder.domain.reading.clock import ClockState
from recorder.domain.turns import Press

_MOST_BEFORE_PLAY = 200
"""So many words of a clock before the first press are kept; it is set and tried more seldom."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableClock:
    """The clock of a table.

    - ``now``: what it says; ``before_play``: at its opening, and after each word before any press
    - ``started_ms``: when it was started; ``started_row``: the row that says so
    - ``stop_row``: the row that stopped it, or that shows that the game was over without that
    - ``stop_ms``: when it was stopped; ``left_at_end``: both times then, where it was left running
    - ``reset_ms``: when it was set back to the starting times, and to no others since
    - ``silence_ms``: how long an opponent may let a play-out stand before it is accepted, None
      where silence accepts nothing
    - ``at_presses``: both times at each press, by its row
    - ``lost_press``: a message since the last press shows that one before it was not heard
    - ``set_back``: rows that set the half of the player who pressed last going again, as if the
      opponent had pressed it back
    """

    now: ClockState
    before_play: tuple[ClockState, ...] = ()
    started_ms: int | None = None
    started_row: int = 0
    stop_row: int | None = None
    stop_ms: int = 0
    left_at_end: tuple[int, int] | None = None
    reset_ms: int = 0
    silence_ms: int | None = None
    at_presses: tuple[tuple[int, tuple[int, int]], ...] = ()
    lost_press: bool = False
    set_back: tuple[Press, ...] = ()

    def going_on(self) -> "TableClock":
        """The same with no stop."""
        return replace(self, stop_row=None, left_at_end=None)

    def stopped(self, row: int, at_ms: int, left_ms: tuple[int, int] | None = None) -> "TableClock":
        """The same with the game stopped; ``left_ms`` where the clock itself was left running."""
        left_at_end = self.left_at_end if left_ms is None else left_ms
        return replace(self, stop_row=row, stop_ms=at_ms, left_at_end=left_at_end)

    def set_back_after(self, last: Press | None, *, seq: int) -> "TableClock":
        """The same with a note where it was set going for the player who pressed last."""
        if last is None or self.now.running != last.player:
            return self
        back = Press(seq, self.now.at_ms, 1 - last.player, is_set=True)
        return replace(self, set_back=(*self.set_back, back))

    def noted(
        self, before: "TableClock", *, seq: int, at_ms: int, press: Press | None, is_new: bool
    ) -> "TableClock":
        """The same with what is kept of row ``seq``: words before any press, and the start.

        ``press`` is the newest; ``is_new``: this row brought it.
        """
        after = self
        if press is not None and is_new:
            now = (press.seq, self.now.remaining_ms)
            after = replace(after, at_presses=(*self.at_presses, now))
        if press is None and self.now is not before.now:
            opening, *said = (*self.before_play, self.now)
            after = replace(after, before_play=(opening, *said[-_MOST_BEFORE_PLAY:]))
        starts = self.started_ms is None and before.now.running is None
        if starts and self.now.running is not None:
            after = replace(after, started_ms=at_ms, started_row=seq)
        return after
