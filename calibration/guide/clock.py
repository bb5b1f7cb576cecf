"""Guided: a serial clock's halves, its times, its offset and its drift.

Speaks TCC1 to the clock as the agent does. The presses of the check are acknowledged, so no game
gets them; a clock that still keeps events of a game is left alone. Writes no profile: offsets and
drift are measured again in every session, what is found here says whether they can be.
"""

import secrets
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise

from calibration.guide.checks import Dialogue, Kept, RefusedError
from calibration.guide.words import words
from devices.agent_process.table_file import SerialClockPlan
from devices.link.serial_port import SerialLink
from devices.link.timelink import JUMP_MS, Measured, asked_by_reference
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
            raise self._refused(words("clock_keeps", count=beat.outbox))
        battery = str(beat.battery_percent)
        self._dialogue.tell(words("clock_answers", device=self._heard.dev, battery=battery))
        begun_ms = self._ticks()
        self._pressed()
        self._dialogue.tell(words("comparing", seconds=f"{seconds:g}"))
        self._until(lambda: self._ticks() - begun_ms >= seconds * 1000, seconds * 1000 + _MEET_MS)
        self._dialogue.tell(words("set_back"))
        return self._judged()

    def _refused(self, why: str) -> RefusedError:
        return RefusedError(words("refused", device=self._name, why=why))

    def _meet(self) -> Heartbeat:
        if not self._until(lambda: self._heard.beat is not None, _MEET_MS):
            raise DeviceError(words("no_clock", port=self._link.name))
        assert self._heard.beat is not None
        return self._heard.beat

    def _pressed(self) -> None:
        """See a press of each half, in either order; the clock must be going, not paused."""
        self._dialogue.tell(words("press_both"))
        for count in (1, 2):
            if not self._until(partial(self._has_sides, count), _PRESS_MS):
                known = "".join(_HALVES[side] for side in self._sides())
                code = "only_half" if known else "no_half"
                raise self._refused(words(code, half=known))
            heard = _HALVES[self._heard.presses[-1][2].side]
            self._dialogue.tell(words("heard_half", half=heard))

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
            raise self._refused(words("restarted"))
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
        measured = asked_by_reference(self._asked[1], reply.received_ms, reply.sent_ms, at_ms)
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
            raise self._refused(words("no_sync"))
        drift = drift_of(heard.measured)
        late_ms = [at_ms - frame.t_ms - best.offset_ms for at_ms, frame, _ in heard.presses]
        faults = [*self._line_faults(best, min(late_ms)), *self._time_faults(drift)]
        if faults:
            raise self._refused(faults[0])
        offset, within = f"{best.offset_ms:.0f}", f"{best.round_trip_ms / 2:.1f}"
        return (
            words("both_press"),
            words("offset", ms=offset, within=within),
            words("drift", **_figures(drift)) if drift else words("no_drift"),
            words("press_late", ms=f"{max(0.0, *late_ms):.0f}"),
        )

    def _line_faults(self, best: Measured, late_ms: float) -> Iterator[str]:
        heard = self._heard
        if heard.damaged > max(1.0, MOST_DAMAGED * heard.lines):
            yield words("damaged", count=heard.damaged, lines=heard.lines)
        if best.round_trip_ms > MOST_ROUND_TRIP_MS:
            yield words("slow", ms=str(best.round_trip_ms), most=MOST_ROUND_TRIP_MS)
        if late_ms > MOST_PRESS_MS + max(each.round_trip_ms for each in heard.measured):
            yield words("late", ms=f"{late_ms:.0f}", most=MOST_PRESS_MS)

    def _time_faults(self, drift: Drift | None) -> Iterator[str]:
        jumps = [
            abs(after.offset_ms - before.offset_ms)
            - (after.round_trip_ms + before.round_trip_ms) / 2
            for before, after in pairwise(self._heard.measured)
        ]
        if max(jumps, default=0.0) > JUMP_MS:
            yield words("jumped", ms=f"{max(jumps):.0f}")
        if drift is not None and abs(drift.ppm) - drift.error_ppm > MOST_PPM:
            yield words("drifts", most=f"{MOST_PPM:.0f}", **_figures(drift))
        yield from self._press_faults()

    def _press_faults(self) -> Iterator[str]:
        for _, _, press in self._heard.presses:
            if press.running in (press.side, Side.NONE):
                yield words("crossed", half=_HALVES[press.side])
        for (_, first_at, first), (_, last_at, last) in pairwise(self._heard.presses):
            passed_ms = last_at.t_ms - first_at.t_ms
            fell_ms = first.left_ms + first.right_ms - last.left_ms - last.right_ms
            if abs(fell_ms - passed_ms) > _TOLERANCE_MS + passed_ms * MOST_PPM / 1e6:
                fell, passed = f"{fell_ms / 1000:.2f}", f"{passed_ms / 1000:.2f}"
                yield words("counts_wrongly", fell=fell, passed=passed)


def _figures(drift: Drift) -> dict[str, str]:
    return {"ppm": f"{drift.ppm:+.0f}", "within": f"{drift.error_ppm:.0f}"}


def check_clock(plan: SerialClockPlan, seconds: float, dialogue: Dialogue, ticks: Ticks) -> Kept:
    """Guide a person through it. RefusedError has the reason; DeviceError: no clock answers."""
    with closing(SerialLink(plan.port, ticks, plan.baud)) as link:
        return Kept(None, ClockCheck(plan.name, link, dialogue, ticks).run(seconds))
