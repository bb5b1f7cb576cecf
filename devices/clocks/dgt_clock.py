"""A clock on a DGT e-board, on a byte link: optional, and less than a clock that speaks TCC1.

The board shows states, not presses: a press is the change of the half whose turn it is. It keeps
nothing, so presses while its cable is out are lost but for the state afterwards. Its times are
whole seconds and end at zero; overtime is counted here. Must not know what a press means.
"""

from dataclasses import dataclass

from devices.clocks.dgt_frames import ASK_CLOCK, UPDATE_NICE, ClockTimes, DgtReader, NoClock
from devices.link.serial_device import SerialDevice
from devices.ports import ByteLink, Condition, DeviceHealth, Outlet, Ticks
from devices.words import port_fault
from recorder.domain.observations import ClockAct, ClockChanged, ClockPressed, Side
from recorder.wire.control import Command, DeviceInfo

_ASK_EVERY_MS = 1_000
_ROUNDING_S = 1


@dataclass(slots=True)
class _Overtime:
    """How far below zero a half has run, and since when it runs there."""

    spent_ms: int = 0
    since_ms: int | None = None

    def at(self, now_ms: int) -> int:
        """Milliseconds below zero."""
        return self.spent_ms + (0 if self.since_ms is None else now_ms - self.since_ms)

    def follow(self, now_ms: int, *, runs_at_zero: bool) -> None:
        """Count while the half has its turn at zero."""
        if runs_at_zero and self.since_ms is None:
            self.since_ms = now_ms
        elif not runs_at_zero and self.since_ms is not None:
            self.spent_ms, self.since_ms = self.at(now_ms), None


class DgtClock(SerialDevice):
    """The device. Observations are stamped when their bytes came in, in the agent's ms."""

    kind = "dgt-clock"
    mute = "mute_board"
    silent_ms = 5_000

    def __init__(self, name: str, link: ByteLink, outlet: Outlet, ticks: Ticks) -> None:
        super().__init__(name, link, outlet, ticks)
        self._asked_ms = -_ASK_EVERY_MS
        self._times: ClockTimes | None = None
        self._suspected = False
        self._no_clock = False
        self._overtime = {Side.LEFT: _Overtime(), Side.RIGHT: _Overtime()}

    def info(self) -> DeviceInfo:
        """See ``Device``."""
        return DeviceInfo(kind=self.kind, model="clock on a DGT e-board", firmware="unknown")

    def health(self) -> DeviceHealth:
        """See ``Device``. A board that answers is not yet a clock."""
        health = super().health()
        if health.condition is Condition.READY and self._no_clock:
            detail = f"{self._link.name}: the board has no clock plugged in, or it is off"
            return DeviceHealth(condition=Condition.LOST, detail=detail)
        return health

    def _complaint(self) -> str:
        is_low = self._times is not None and self._times.battery_low
        return port_fault("battery_low") if is_low else ""

    def _obey(self, command: Command) -> None:
        """It takes none."""
        self._outlet.respond(command.id, f"{self.name}: set this clock by its own buttons")

    def _renew(self) -> None:
        self._reader = DgtReader()

    def _greet(self) -> None:
        self._link.write(UPDATE_NICE)

    def _feed(self, data: bytes, at_ms: int) -> None:
        for said in self._reader.feed(data):
            self._heard_ms = at_ms
            if isinstance(said, NoClock):
                self._no_clock = True
            elif isinstance(said, ClockTimes):
                self._no_clock = False
                self._take(said, at_ms)

    def _do_what_is_due(self) -> None:
        """The times are asked for once a second."""
        now_ms = self._ticks()
        if not self._lost and now_ms - self._asked_ms >= _ASK_EVERY_MS:
            self._asked_ms = now_ms
            self._link.write(ASK_CLOCK)

    def _take(self, times: ClockTimes, at_ms: int) -> None:
        before, self._times = self._times, times
        if before is None:
            self._count_overtime(times, at_ms)
            self._change(ClockAct.ADJUST, times, at_ms)
            return
        was_set = _was_set(before, times)
        if was_set and not self._suspected:
            # A clock that is read while it changes shows a wrong time once; twice it is set.
            self._times, self._suspected = before, True
            return
        self._suspected = False
        self._count_overtime(times, at_ms)
        if was_set:
            for overtime in self._overtime.values():
                overtime.spent_ms, overtime.since_ms = 0, None
            self._change(ClockAct.ADJUST, times, at_ms)
        if times.flag is not Side.NONE and before.flag is Side.NONE:
            self._change(ClockAct.FLAG, times, at_ms)
        if times.running is not before.running:
            self._ran_otherwise(before, times, at_ms)

    def _ran_otherwise(self, before: ClockTimes, times: ClockTimes, at_ms: int) -> None:
        running = times.running
        if running is Side.NONE:
            self._change(ClockAct.PAUSE, times, at_ms)
        elif before.running is Side.NONE and times.lever_right == before.lever_right:
            self._change(ClockAct.RESUME, times, at_ms)
        else:
            side = Side.LEFT if running is Side.RIGHT else Side.RIGHT
            left_ms, right_ms = self._remaining(times, at_ms)
            pressed = ClockPressed(side=side, left_ms=left_ms, right_ms=right_ms, running=running)
            self._outlet.observe(pressed, at_ms)

    def _count_overtime(self, times: ClockTimes, at_ms: int) -> None:
        for side, left_s in ((Side.LEFT, times.left_s), (Side.RIGHT, times.right_s)):
            runs = times.turn is side and (times.is_running or times.flag is side)
            self._overtime[side].follow(at_ms, runs_at_zero=runs and left_s == 0)

    def _change(self, act: ClockAct, times: ClockTimes, at_ms: int) -> None:
        left_ms, right_ms = self._remaining(times, at_ms)
        changed = ClockChanged(act=act, left_ms=left_ms, right_ms=right_ms, running=times.running)
        self._outlet.observe(changed, at_ms)

    def _remaining(self, times: ClockTimes, at_ms: int) -> tuple[int, int]:
        """Both times in ms; below zero by what was counted here."""
        left_ms = times.left_s * 1000 or -self._overtime[Side.LEFT].at(at_ms)
        right_ms = times.right_s * 1000 or -self._overtime[Side.RIGHT].at(at_ms)
        return left_ms, right_ms


def _was_set(before: ClockTimes, times: ClockTimes) -> bool:
    """Whether a time rose, or fell on a half that had no turn: somebody has set the clock."""
    falls = {Side.LEFT: before.left_s - times.left_s, Side.RIGHT: before.right_s - times.right_s}
    idle = [side for side in falls if side not in (before.running, times.running)]
    rose = min(falls.values()) < -_ROUNDING_S
    return rose or any(falls[side] > _ROUNDING_S for side in idle)
