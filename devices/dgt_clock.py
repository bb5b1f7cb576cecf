"""A clock on a DGT e-board, on a byte link: optional, and less than a clock that speaks TCC1.

The board tells states, not presses: a press is the change of the half whose turn it is. It keeps
nothing, so presses while its cable is out are lost but for the state afterwards. Its times are
whole seconds and end at zero; overtime is counted here. Must not know what a press means.
"""

import logging
import threading
from dataclasses import dataclass

from devices.dgt_frames import ASK_CLOCK, UPDATE_NICE, BoardReader, ClockTimes, NoClock
from devices.ports import (
    ByteLink,
    Condition,
    DeviceHealth,
    LinkBack,
    LinkLost,
    Outlet,
    Received,
    Ticks,
)
from recorder.domain.observations import ClockAct, ClockChanged, ClockPressed, Side
from recorder.wire import Command, DeviceInfo

_LOG = logging.getLogger(__name__)

_WAIT_S = 0.1
_ASK_EVERY_MS = 1_000
_SILENT_MS = 5_000
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


class DgtClock:
    """The device. Observations are stamped when their bytes came in, in the agent's ms."""

    def __init__(self, name: str, link: ByteLink, outlet: Outlet, ticks: Ticks) -> None:
        self._name, self._link = name, link
        self._outlet, self._ticks = outlet, ticks
        self._reader = BoardReader()
        self._lost = "not connected yet"
        self._started_ms = ticks()
        self._heard_ms: int | None = None
        self._asked_ms = -_ASK_EVERY_MS
        self._times: ClockTimes | None = None
        self._suspected = False
        self._no_clock = False
        self._overtime = {Side.LEFT: _Overtime(), Side.RIGHT: _Overtime()}

    @property
    def name(self) -> str:
        """See ``Device``."""
        return self._name

    def info(self) -> DeviceInfo:
        """See ``Device``."""
        return DeviceInfo(kind="dgt-clock", model="clock on a DGT e-board", firmware="unknown")

    def health(self) -> DeviceHealth:
        """See ``Device``."""
        heard_ms = self._started_ms if self._heard_ms is None else self._heard_ms
        is_silent = self._ticks() - heard_ms > _SILENT_MS
        is_young = self._heard_ms is None and not is_silent
        lost = Condition.STARTING if is_young else Condition.LOST
        if self._lost:
            return DeviceHealth(condition=lost, detail=f"{self._link.name}: {self._lost}")
        if self._heard_ms is None or is_silent:
            return DeviceHealth(
                condition=lost, detail=f"{self._link.name} is open but no board answers (9600 8N1?)"
            )
        if self._no_clock:
            detail = f"{self._link.name}: the board has no clock plugged in, or it is off"
            return DeviceHealth(condition=Condition.LOST, detail=detail)
        is_low = self._times is not None and self._times.battery_low
        detail = "the clock's battery is low" if is_low else ""
        return DeviceHealth(condition=Condition.READY, detail=detail)

    def command(self, command: Command) -> None:
        """See ``Device``: it takes none. Set the times at the clock itself."""
        self._outlet.respond(command.id, f"{self._name}: set this clock by its own buttons")

    def run(self, stop: threading.Event) -> None:
        """See ``Device``. Closes the link at the end."""
        try:
            while not stop.is_set():
                self.step(_WAIT_S)
        finally:
            self._link.close()

    def step(self, timeout_s: float) -> None:
        """Work off one piece of news, or wait for it; ask for the times once a second."""
        match self._link.news(timeout_s):
            case Received(at_ms=at_ms, data=data):
                for told in self._reader.feed(data):
                    self._heard_ms = at_ms
                    if isinstance(told, NoClock):
                        self._no_clock = True
                    elif isinstance(told, ClockTimes):
                        self._no_clock = False
                        self._take(told, at_ms)
            case LinkLost(reason=reason):
                self._lost = reason
                self._reader = BoardReader()
            case LinkBack():
                self._lost = ""
                self._link.write(UPDATE_NICE)
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
