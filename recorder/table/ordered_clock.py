"""What a director's order does to the clocks of a table."""

from collections.abc import Sequence

from recorder.domain.observations import ClockAct, ClockChanged, Side
from recorder.domain.orders import AdjustClock
from recorder.domain.reading.clock import ClockState
from recorder.domain.rulings.in_force import Ruling


def clock_after(
    ruling: Ruling, earlier: Sequence[Ruling], clock: ClockState, at: int
) -> ClockChanged | None:
    """The clock as an order sets it, or sets it back; None when it does neither.

    An adjustment that is undone gives back, or takes away again, just what it changed.
    """
    times = list(clock.believed_at(at))
    act = ruling.order.act
    ended = [known for known in earlier if known.order.id == ruling.order.ends]
    undone = ended[0].order.act if ended else None
    if isinstance(act, AdjustClock):
        times[act.player] = act.left_ms
    elif isinstance(undone, AdjustClock):
        times[undone.player] += ended[0].before_ms - undone.left_ms
    else:
        return None
    return _changed(clock, times[0], times[1])


def _changed(clock: ClockState, first_ms: int, second_ms: int) -> ClockChanged:
    mine = (first_ms, second_ms) if clock.left_player == 0 else (second_ms, first_ms)
    running = Side.NONE
    if clock.running is not None:
        running = Side.LEFT if clock.running == clock.left_player else Side.RIGHT
    return ClockChanged(act=ClockAct.ADJUST, left_ms=mine[0], right_ms=mine[1], running=running)
