"""What clock and board say of whether a game is about to begin. Pure."""

from collections.abc import Collection

from recorder.domain.observations import (
    BoardSeen,
    ClockChanged,
    ClockPressed,
    Side,
)
from recorder.domain.reading.clock_trust import is_at
from recorder.domain.record import GameStarted
from recorder.domain.tiles import EMPTY
from recorder.table.game_recorder import GameRecorder


def left_player(
    said: ClockPressed | ClockChanged, started: GameStarted, absent: Collection[int] = ()
) -> int:
    """Who sits at the left, by the half that runs: that of player 0, or of the absent one."""
    if said.running is Side.NONE or len(absent) > 1:
        return started.left_player
    runs = next(iter(absent), 0)
    return runs if said.running is Side.LEFT else 1 - runs


def is_untouched(recorder: GameRecorder) -> bool:
    """Whether the clocks of a game were never started."""
    return recorder.state.clock.started_ms is None


def is_played(recorder: GameRecorder) -> bool:
    """Whether turns were played and the clocks stand; a start that was stopped at once is none."""
    return recorder.state.clock.stop_row is not None and bool(recorder.state.turns.presses)


def is_bare(look: BoardSeen | None) -> bool:
    """Whether a camera sees a board without tiles."""
    return look is not None and not is_laid(look)


def is_laid(look: BoardSeen | None) -> bool:
    """Whether tiles lie on a board; a table without a camera has none to see."""
    return look is not None and any(look.squares.best(square) is not EMPTY for square in range(225))


def is_full(said: ClockPressed | ClockChanged, started: GameStarted) -> bool:
    """Whether both clocks show the time that a game begins with."""
    return is_at(said, *started.starts_ms)
