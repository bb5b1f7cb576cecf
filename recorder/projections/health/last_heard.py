"""What was last heard of one device: its beats, events, looks and comparisons of time.

Pure; whether that is well is for ``device_health``. Times are milliseconds since 1970 by this
machine's clock.
"""

import math
from dataclasses import dataclass, replace

from recorder.domain.instruments import EventsMissing
from recorder.wire.control import DeviceInfo, DeviceState, Heartbeat, Presence

SILENT_MS = 3500
BEAT_MS = 1200
"""In so long everybody who is there has beaten once."""
STUCK_MS, DEAF_MS = 10_000, 3_500
"""So long an event may wait for its ack until that is reported; so long one that is stored."""
_MOST_BOOTS = 4
_BEATS_OF_TWINS = 2
"""So often each of two boots beats in turn until that is no restart any more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LastLook:
    """What the newest look of a board camera says of its picture.

    ``square_px`` is the shortest side of the board in pixels by 15; ``unseen`` why no board was
    found, empty where one was; ``unseen_ms`` since when. ``notes`` say what is odd about it.
    ``has_picture``: not where the camera gave none to look at.
    """

    square_px: float = 0.0
    pose_score: float = 0.0
    unseen: str = ""
    unseen_ms: int | None = None
    notes: tuple[str, ...] = ()
    has_picture: bool = True

    def unseen_s(self, now_ms: int) -> int:
        """For how many seconds no board has been seen; 0 where that is not known."""
        return 0 if self.unseen_ms is None else max(0, now_ms - self.unseen_ms) // 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class LastEvent:
    """The newest event of a device in the log: what, when it was, how late it came."""

    what: str
    at_ms: int
    delay_ms: int

    @property
    def came_ms(self) -> int:
        """When the recorder had it."""
        return self.at_ms + self.delay_ms


@dataclass(frozen=True, slots=True, kw_only=True)
class LastSync:
    """How well a clock's time is known: off by at most ``error_ms``, gaining ``drift_ppm``."""

    error_ms: float
    drift_ppm: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingBoot:
    """What one boot of a device waits for: the same first event without an ack since then.

    ``stored_ms``: the log holds that event, and others before it since then, or None. A device
    that waits on does not hear the ack, which it is sent with each heartbeat.
    """

    beat: Heartbeat
    since_ms: int
    heard_ms: int
    stored_ms: int | None = None

    @property
    def first(self) -> int:
        """The number of the first event without an ack."""
        return self.beat.seq_high - self.beat.outbox + 1

    def is_suspect(self, now_ms: int) -> bool:
        """Whether its device may not hear us: somebody who has just begun to listen waits."""
        return self.stored_ms is not None and now_ms - self.stored_ms > STUCK_MS

    def is_deaf(self, now_ms: int) -> bool:
        """Whether its device goes on waiting for what it has been reported several times."""
        return self.is_suspect(now_ms) and self.heard_ms - self.since_ms > DEAF_MS


@dataclass(frozen=True, slots=True, kw_only=True)
class LivingBoot:
    """A boot that is a device's own: nothing of it waits, or it goes on giving out numbers.

    Of its earlier boots a device says only what still waits. ``beats`` counts since the newest boot
    came.
    """

    seq_high: int
    boot: str
    heard_ms: int
    beats: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class HeardDevice:
    """All that is known of one device.

    ``waits`` has each boot for which it beats, one after the other, while events of it wait.
    """

    state: DeviceState | None = None
    info: DeviceInfo | None = None
    beat: Heartbeat | None = None
    beat_ms: int = 0
    first_ms: int | None = None
    waits: tuple[WaitingBoot, ...] = ()
    living: tuple[LivingBoot, ...] = ()
    event: LastEvent | None = None
    look: LastLook | None = None
    sync: LastSync | None = None
    missing: tuple[EventsMissing, int] | None = None
    """Which events of it never came, and since when it is known; None where none is missing."""
    floods: bool = False
    """Whether it sends more than a recorder takes."""

    def beaten(self, beat: Heartbeat, now_ms: int) -> "HeardDevice":
        """With a newer heartbeat; of boots for which it beats no more nothing waits."""
        waits = {old.beat.boot: old for old in self.waits if now_ms - old.heard_ms <= SILENT_MS}
        before = waits.pop(beat.boot, None)
        if beat.outbox:
            waiting = WaitingBoot(beat=beat, since_ms=now_ms, heard_ms=now_ms)
            if before is not None and before.first == waiting.first:
                waiting = replace(waiting, since_ms=before.since_ms)
            waits[beat.boot] = waiting
        newest = tuple(waits.values())[-_MOST_BOOTS:]
        waited = beat.seq_high if before is None else before.beat.seq_high
        own = not beat.outbox or beat.seq_high > waited
        living = self._living_with(beat, now_ms, is_own=own)
        first_ms = now_ms if self.first_ms is None else self.first_ms
        return replace(
            self, beat=beat, beat_ms=now_ms, first_ms=first_ms, waits=newest, living=living
        )

    def _living_with(self, beat: Heartbeat, now_ms: int, *, is_own: bool) -> tuple[LivingBoot, ...]:
        living = {old.boot: old for old in self.living if now_ms - old.heard_ms <= SILENT_MS}
        before = living.get(beat.boot)
        if before is not None and (is_own or beat.seq_high > before.seq_high):
            living[beat.boot] = replace(
                before, seq_high=beat.seq_high, heard_ms=now_ms, beats=before.beats + 1
            )
        elif before is None and is_own:
            living = {boot: replace(old, beats=0) for boot, old in living.items()}
            living[beat.boot] = LivingBoot(boot=beat.boot, seq_high=beat.seq_high, heard_ms=now_ms)
        return tuple(living.values())[-_MOST_BOOTS:]

    def lives_beside(self, boot: str, now_ms: int) -> bool:
        """Whether another boot than this one beats."""
        return any(
            other.boot != boot and now_ms - other.heard_ms <= SILENT_MS for other in self.living
        )

    def is_twofold(self, now_ms: int) -> bool:
        """Whether two devices beat under this name: two boots in turn, and neither ends.

        A device that starts again has one boot after the other.
        """
        beats = [boot.beats for boot in self.living if now_ms - boot.heard_ms <= SILENT_MS]
        return sum(count >= _BEATS_OF_TWINS for count in beats) > 1

    def may_be_twofold(self, now_ms: int) -> bool:
        """Whether that is not known yet, of two boots that have just beaten."""
        beats = [boot.beats for boot in self.living if now_ms - boot.heard_ms <= SILENT_MS]
        return len(beats) > 1 and not self.is_twofold(now_ms)

    def is_gone(self, now_ms: int) -> bool:
        """Whether it, or the broker for it, says that it is; not where another start of it lives.

        What is said of a device that has started again, or of one of two, may come later.
        """
        state = self.state
        if state is None or state.state not in (Presence.LOST, Presence.DISCONNECTED):
            return False
        return not self.lives_beside(state.boot, now_ms)


def square_px(corners: "tuple[tuple[float, float], ...]") -> float:
    """Pixels for the side of a square where the board is smallest, by its outer corners."""
    around = zip(corners, (*corners[1:], corners[0]), strict=True)
    return min(math.dist(here, there) for here, there in around) / 15
