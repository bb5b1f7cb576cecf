"""Whether a clock contradicts itself, or the one before it.

Within one boot its own times are held against the times left that it reports; a clock that comes in
for another one, or starts again, against what the last one said. It never corrects anything: the
clock stays the authority for the time left, and the director hears why that may be wrong.
"""

from dataclasses import dataclass, replace

from recorder.domain.notices import CodedText, coded
from recorder.domain.observations import (
    ClockAct,
    ClockChanged,
    ClockFault,
    ClockPressed,
    Observation,
    Side,
)
from recorder.domain.reading.clock import TOLERANCE_MS

MOST_PPM = 500.0
"""A quartz is within 50, a ceramic resonator within 200; half a second in 17 minutes is neither."""
_RATE_SPAN_MS = 5 * 60_000
_BACKWARDS_MS = 50
HARDLY_RUN_MS = 3_000
"""A clock that has run for no longer than this was reset before it was started."""
REPLACED_MS = 3_000
"""Between two devices only the recorder's time counts, which knows a first message less exactly."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockTrust:
    """The newest message, and since the clock was set: time passed, and by how much times fell."""

    t_ms: int
    left_ms: int
    right_ms: int
    running: Side
    passed_ms: int = 0
    fallen_ms: int = 0

    def to_add(self, said: ClockPressed | ClockChanged, t_ms: int) -> tuple[int, int]:
        """What must be added to both times said at ``t_ms`` so that they go on from these."""
        gone_ms = t_ms - self.t_ms
        return (
            self.left_ms - (gone_ms if self.running is Side.LEFT else 0) - said.left_ms,
            self.right_ms - (gone_ms if self.running is Side.RIGHT else 0) - said.right_ms,
        )


def sets_clock(said: Observation) -> bool:
    """Whether somebody gave the clock other times, which are right whatever it said before."""
    return isinstance(said, ClockChanged) and said.act in (ClockAct.ADJUST, ClockAct.RESET)


ClockFinding = tuple[ClockFault, CodedText]


def check_clock(
    trust: ClockTrust | None, said: ClockPressed | ClockChanged, *, t_ms: int
) -> tuple[ClockTrust, tuple[ClockFinding, ...]]:
    """The clock after one more message of its own time ``t_ms``, and what cannot be right.

    Messages come in the order of their numbers.
    """
    now = ClockTrust(t_ms=t_ms, left_ms=said.left_ms, right_ms=said.right_ms, running=said.running)
    if trust is None or sets_clock(said):
        return now, ()
    if t_ms < trust.t_ms - _BACKWARDS_MS:
        detail = coded("went_back", before_ms=trust.t_ms, after_ms=t_ms)
        return now, ((ClockFault.BACKWARDS, detail),)
    passed_ms = t_ms - trust.t_ms
    found: list[ClockFinding] = []
    fell = {Side.LEFT: trust.left_ms - now.left_ms, Side.RIGHT: trust.right_ms - now.right_ms}
    for side in (Side.LEFT, Side.RIGHT):
        if side is trust.running:
            slack_ms = TOLERANCE_MS + passed_ms * MOST_PPM / 1e6
            if abs(fell[side] - passed_ms) > slack_ms:
                detail = coded(
                    "half_fell", half=side.value, fell_ms=fell[side], passed_ms=passed_ms
                )
                found.append((ClockFault.REMAINING, detail))
        elif abs(fell[side]) > TOLERANCE_MS:
            detail = coded("half_changed", half=side.value, by_ms=-fell[side])
            found.append((ClockFault.IDLE, detail))
    if found:
        return now, tuple(found)
    if trust.running is Side.NONE:
        return replace(now, passed_ms=trust.passed_ms, fallen_ms=trust.fallen_ms), ()
    return _rated(trust, now, passed_ms, fell[trust.running])


def _rated(
    trust: ClockTrust, now: ClockTrust, passed_ms: int, fell_ms: int
) -> tuple[ClockTrust, tuple[ClockFinding, ...]]:
    """Small contradictions add up: a rate is judged over minutes."""
    passed_ms, fell_ms = trust.passed_ms + passed_ms, trust.fallen_ms + fell_ms
    if passed_ms < _RATE_SPAN_MS:
        return replace(now, passed_ms=passed_ms, fallen_ms=fell_ms), ()
    ppm = 1e6 * (fell_ms - passed_ms) / passed_ms
    if abs(ppm) <= MOST_PPM or abs(fell_ms - passed_ms) <= TOLERANCE_MS:
        return replace(now, passed_ms=passed_ms, fallen_ms=fell_ms), ()
    detail = coded("times_fell", fell_ms=fell_ms, passed_ms=passed_ms, ppm=round(ppm))
    return now, ((ClockFault.DRIFT, detail),)


def check_replaced(
    before: ClockTrust, said: ClockPressed | ClockChanged, *, at_ms: int
) -> tuple[ClockFinding, ...]:
    """What of the first word of another clock does not go on from the last of the one ``before``.

    Both are stamped with the recorder's time here.
    """
    by_ms = before.to_add(said, at_ms)
    if sets_clock(said) or at_ms < before.t_ms or max(map(abs, by_ms)) <= REPLACED_MS:
        return ()
    detail = coded(
        "replaced",
        left_ms=said.left_ms,
        right_ms=said.right_ms,
        left_before_ms=said.left_ms + by_ms[0],
        right_before_ms=said.right_ms + by_ms[1],
    )
    return ((ClockFault.REPLACED, detail),)


def check_start(
    said: ClockPressed | ClockChanged, left_ms: int, right_ms: int
) -> tuple[ClockFinding, ...]:
    """What a clock shows as a game starts, where the game begins with other times."""
    if is_at(said, left_ms, right_ms):
        return ()
    detail = coded(
        "not_reset",
        left_ms=said.left_ms,
        right_ms=said.right_ms,
        left_before_ms=left_ms,
        right_before_ms=right_ms,
    )
    return ((ClockFault.NOT_RESET, detail),)


def is_at(said: ClockPressed | ClockChanged, left_ms: int, right_ms: int) -> bool:
    """Whether a clock shows these times, or has hardly run since."""
    by_ms = (left_ms - said.left_ms, right_ms - said.right_ms)
    return max(map(abs, by_ms)) <= HARDLY_RUN_MS
