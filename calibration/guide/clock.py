"""Guided: a serial clock's halves, its times, its offset and its drift.

Speaks TCC1 to the clock as the agent does. The presses of the check are acknowledged, so no game
gets them; a clock that still keeps events of a game is left alone. Writes no profile: offsets and
drift are measured again in every session, what is found here says whether they can be.
"""

import secrets
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise

from calibration.guide.checks import Dialogue, Kept, RefusedError
from devices.agent_process.table_file import SerialClockPlan
from devices.link.serial_port import PortSettings, SerialLink
from devices.link.timelink import JUMP_MS, Exchange, Measured
from devices.ports import ByteLink, LinkLost, Received, Ticks
from devices.tcc1.framing import LineReader, TccFrame
from devices.tcc1.messages import Ack, Body, Event, Heartbeat, Sync, SyncReply
from recorder.domain.errors import DeviceError
from recorder.domain.observations import ClockPressed, Side
from recorder.domain.reading.clock_trust import MOST_PPM

MOST_ROUND_TRIP_MS = 100
MOST_PRESS_MS = 250
"""So late may each press arrive; the line or the firmware holds later ones back.

One that comes in time clears both of a late one: then this machine was busy.
"""
MOST_DAMAGED = 0.02
_MEET_MS, _PRESS_MS = 6_000, 90_000
_SYNC_EVERY_MS = 250
_LEAST_APART_MS = 2_000
_TOLERANCE_MS = 100
_WAIT_S = 0.05
_Claim = Callable[[], bool]
_HALVES = {Side.LEFT: "left", Side.RIGHT: "right"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Drift:
    """By how many parts per million the clock gains on the agent, and how wrong that may be."""

    ppm: float
    error_ppm: float


def drift_of(measured: list[Measured]) -> Drift | None:
    """The drift between quick comparisons of the first and of the last third.

    Of those that are two seconds apart the two with the shortest ways; None where there are none.
    Stamps are whole milliseconds.
    """
    third = len(measured) // 3
    pairs = [
        (first, last)
        for first in measured[:third]
        for last in measured[len(measured) - third :]
        if last.device_ms - first.device_ms >= _LEAST_APART_MS
    ]
    if not pairs:
        return None
    first, last = min(pairs, key=lambda pair: pair[0].round_trip_ms + pair[1].round_trip_ms)
    passed_ms = last.device_ms - first.device_ms
    doubt_ms = (first.round_trip_ms + last.round_trip_ms) / 2 + 1
    return Drift(
        ppm=-(last.offset_ms - first.offset_ms) / passed_ms * 1e6,
        error_ppm=doubt_ms / passed_ms * 1e6,
    )


@dataclass(slots=True)
class _Heard:
    """What the clock said so far."""

    dev: str = ""
    boot: str = ""
    beat: Heartbeat | None = None
    presses: list[tuple[int, TccFrame, ClockPressed]] = field(default_factory=list)
    measured: list[Measured] = field(default_factory=list)
    lines: int = 0
    damaged: int = 0


class ClockCheck:
    """One check over a link. ``run`` gives the figures, or RefusedError with the reason."""

    def __init__(self, name: str, link: ByteLink, dialogue: Dialogue, ticks: Ticks) -> None:
        self._name, self._link, self._dialogue, self._ticks = name, link, dialogue, ticks
        self._boot = secrets.token_hex(4)
        self._reader = LineReader()
        self._heard = _Heard()
        self._begun_ms = ticks()
        self._asked: tuple[int, int] = (0, 0)

    def run(self, seconds: float) -> tuple[str, ...]:
        """Meet the clock, see both halves pressed, compare times for so long."""
        beat = self._meet()
        if beat.outbox:
            raise RefusedError(
                f"{self._name}: refused: the clock keeps {beat.outbox} events that no recorder has."
                " Let the agent fetch them first, or switch the clock off and on"
            )
        self._dialogue.tell(f"clock {self._heard.dev} answers, battery {beat.battery_percent} %")
        begun_ms = self._ticks()
        self._pressed()
        self._dialogue.tell(f"comparing times until {seconds:g} s have passed")
        self._until(lambda: self._ticks() - begun_ms >= seconds * 1000, seconds * 1000 + _MEET_MS)
        self._dialogue.tell("stop the clock and set it back: its times have run")
        return self._judged()

    def _meet(self) -> Heartbeat:
        if not self._until(lambda: self._heard.beat is not None, _MEET_MS):
            raise DeviceError(
                f"{self._link.name}: no clock answers (TCC1, 115200 8N1?)."
                " Is the agent running? It has the port: end it while you calibrate"
            )
        assert self._heard.beat is not None
        return self._heard.beat

    def _pressed(self) -> None:
        """See a press of each half, in either order; the clock must be going, not paused."""
        self._dialogue.tell("press one half of the clock, wait two seconds, then press the other")
        for count in (1, 2):
            if not self._until(partial(self._has_sides, count), _PRESS_MS):
                known = " and ".join(_HALVES[side] for side in sorted(self._sides()))
                what = f"only the {known} half" if known else "neither half"
                raise RefusedError(
                    f"{self._name}: refused: {what} gave a press. Is the clock paused? Else its"
                    " switch or its cable is at fault"
                )
            self._dialogue.tell(f"the {_HALVES[self._heard.presses[-1][2].side]} half: heard")

    def _has_sides(self, count: int) -> bool:
        return len(self._sides()) >= count

    def _sides(self) -> set[Side]:
        return {press.side for _, _, press in self._heard.presses}

    def _until(self, is_enough: _Claim, patience_ms: float) -> bool:
        end_ms = self._ticks() + patience_ms
        while not is_enough():
            if self._ticks() > end_ms:
                return False
            self._dialogue.keep_on()
            for frame, at_ms in self._news():
                self._hear(frame, at_ms)
            self._sync_when_due()
        return True

    def _news(self) -> Iterator[tuple[TccFrame, int]]:
        match self._link.news(_WAIT_S):
            case Received(at_ms=at_ms, data=data):
                for line in self._reader.feed(data):
                    # The first line may have begun before the port was open.
                    self._heard.lines += 1
                    if isinstance(line, TccFrame):
                        yield line, at_ms
                    elif self._heard.lines > 1:
                        self._heard.damaged += 1
            case LinkLost(reason=reason):
                raise DeviceError(f"{self._link.name}: {reason}")

    def _hear(self, frame: TccFrame, at_ms: int) -> None:
        heard = self._heard
        if heard.boot and heard.boot != frame.boot:
            raise RefusedError(
                f"{self._name}: refused: the clock restarted during the check. Is its supply"
                " steady?"
            )
        heard.dev, heard.boot = frame.dev, frame.boot
        match frame.body:
            case Heartbeat() as beat:
                heard.beat = heard.beat or beat
            case SyncReply() as reply if reply.id == self._asked[0]:
                self._compare(reply, at_ms)
            case ClockPressed() as press if self._is_checking:
                heard.presses.append((at_ms, frame, press))
        if isinstance(frame.body, Event) and self._is_checking:
            self._say(Ack(boot=frame.boot, upto=frame.seq))

    @property
    def _is_checking(self) -> bool:
        """Whether what the clock keeps is of this check: nothing of a game is acknowledged."""
        return self._heard.beat is not None and self._heard.beat.outbox == 0

    def _compare(self, reply: SyncReply, at_ms: int) -> None:
        measured = Exchange(
            asked_ms=self._asked[1],
            received_ms=reply.received_ms,
            sent_ms=reply.sent_ms,
            answered_ms=at_ms,
        ).measured()
        if measured.round_trip_ms >= 0:
            self._heard.measured.append(measured)

    def _sync_when_due(self) -> None:
        now_ms = self._ticks()
        if self._heard.boot and now_ms - self._asked[1] >= _SYNC_EVERY_MS:
            self._asked = (self._asked[0] + 1, now_ms)
            self._say(Sync(id=self._asked[0]))

    def _say(self, body: Body) -> None:
        t_ms = self._ticks() - self._begun_ms
        frame = TccFrame(dev=self._heard.dev, boot=self._boot, seq=0, t_ms=t_ms, body=body)
        self._link.write(frame.to_bytes())

    def _judged(self) -> tuple[str, ...]:
        heard = self._heard
        best = min(heard.measured, key=lambda measured: measured.round_trip_ms, default=None)
        if best is None:
            raise RefusedError(f"{self._name}: refused: it never answered SYNC; see its firmware")
        drift = drift_of(heard.measured)
        late_ms = [at_ms - frame.t_ms - best.offset_ms for at_ms, frame, _ in heard.presses]
        faults = [*self._line_faults(best, min(late_ms)), *self._time_faults(drift)]
        if faults:
            raise RefusedError(f"{self._name}: refused: {faults[0]}")
        shown = (
            f"drift {drift.ppm:+.0f} ppm, give or take {drift.error_ppm:.0f}"
            if drift
            else "drift not measured: take more --seconds"
        )
        return (
            "both halves press, and the other one runs then",
            f"offset {best.offset_ms:.0f} ms, give or take {best.round_trip_ms / 2:.1f} ms",
            shown,
            f"a press is here {max(0.0, *late_ms):.0f} ms after the switch closed, at the latest",
        )

    def _line_faults(self, best: Measured, late_ms: float) -> Iterator[str]:
        heard = self._heard
        if heard.damaged > max(1.0, MOST_DAMAGED * heard.lines):
            yield (
                f"{heard.damaged} of {heard.lines} lines came damaged. Take a shorter or shielded"
                " cable, and look at its plugs"
            )
        if best.round_trip_ms > MOST_ROUND_TRIP_MS:
            yield (
                f"an answer takes {best.round_trip_ms} ms, {MOST_ROUND_TRIP_MS} is the most. The"
                " firmware must answer SYNC at once"
            )
        if late_ms > MOST_PRESS_MS + max(each.round_trip_ms for each in heard.measured):
            yield (
                f"each press came {late_ms:.0f} ms late, {MOST_PRESS_MS} is the most. The firmware"
                " must send it at once"
            )

    def _time_faults(self, drift: Drift | None) -> Iterator[str]:
        jumps = [
            abs(after.offset_ms - before.offset_ms)
            - (after.round_trip_ms + before.round_trip_ms) / 2
            for before, after in pairwise(self._heard.measured)
        ]
        if max(jumps, default=0.0) > JUMP_MS:
            yield f"its time jumped by {max(jumps):.0f} ms. Is its supply steady?"
        if drift is not None and abs(drift.ppm) - drift.error_ppm > MOST_PPM:
            yield (
                f"its time drifts by {drift.ppm:+.0f} ppm (give or take {drift.error_ppm:.0f}),"
                f" {MOST_PPM:.0f} is the most. Give the clock a quartz"
            )
        yield from self._press_faults()

    def _press_faults(self) -> Iterator[str]:
        for _, _, press in self._heard.presses:
            if press.running in (press.side, Side.NONE):
                yield (
                    f"after a press of the {_HALVES[press.side]} half the other one does not run."
                    " Are the switches crossed?"
                )
        for (_, first_at, first), (_, last_at, last) in pairwise(self._heard.presses):
            passed_ms = last_at.t_ms - first_at.t_ms
            fell_ms = first.left_ms + first.right_ms - last.left_ms - last.right_ms
            if abs(fell_ms - passed_ms) > _TOLERANCE_MS + passed_ms * MOST_PPM / 1e6:
                yield (
                    f"its times fell by {fell_ms / 1000:.2f} s while {passed_ms / 1000:.2f} s"
                    " passed. Its firmware counts wrongly"
                )


def check_clock(plan: SerialClockPlan, seconds: float, dialogue: Dialogue, ticks: Ticks) -> Kept:
    """Guide a person through it. RefusedError has the reason; DeviceError: no clock answers."""
    link = SerialLink(PortSettings(url=plan.port, baud=plan.baud), ticks)
    try:
        lines = ClockCheck(plan.name, link, dialogue, ticks).run(seconds)
    finally:
        link.close()
    return Kept(None, lines)
