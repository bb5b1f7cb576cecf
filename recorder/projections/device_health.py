"""What is known of every device that is expected, what is wrong with it, and what helps.

Pure: what was heard on the bus and read in the log comes in as values. Times are milliseconds since
1970 by this machine's clock.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from recorder.domain.instruments import DeviceRole
from recorder.wire import DeviceInfo, DeviceState, Heartbeat, Presence, RecorderState

SILENT_MS = 3500
EVENTS_MS = 60_000
"""Of whom nothing but events is known, an older one says that they are there no more."""
LATE_MS, RECENT_MS = 2000, 120_000
MANY_WAIT = 20
STUCK_MS, DEAF_MS = 10_000, 3_500
"""So long an event may wait for its ack until that is told; so long one that is stored."""
_MOST_BOOTS = 4
UNSURE_MS, MOST_DRIFT_PPM = 250.0, 500.0
"""A clock whose time is known worse, or runs away faster, may give a press to another turn."""
FEW_PIXELS = 28.0
"""Pixels for the side of a square below which the eyes read worse (docs/eyes.md)."""
POOR_POSE = 0.60


class HealthGrade(StrEnum):
    """How a device is."""

    WELL = "well"
    WEAK = "weak"
    ILL = "ill"


@dataclass(frozen=True, slots=True, kw_only=True)
class LastLook:
    """What the newest look of a board camera says of its picture.

    ``square_px`` is the shortest side of the board in pixels by 15; ``unseen`` why no board was
    found, empty where one was.
    """

    square_px: float = 0.0
    pose_score: float = 0.0
    covered: float = 0.0
    unseen: str = ""


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
        """Whether its device goes on waiting for what it has been told several times."""
        return self.is_suspect(now_ms) and self.heard_ms - self.since_ms > DEAF_MS


@dataclass(frozen=True, slots=True, kw_only=True)
class HeardDevice:
    """All that is known of one device.

    ``waits`` has each boot for which it beats, one after the other, while events of it wait.
    """

    state: DeviceState | None = None
    info: DeviceInfo | None = None
    beat: Heartbeat | None = None
    beat_ms: int = 0
    waits: tuple[WaitingBoot, ...] = ()
    event: LastEvent | None = None
    look: LastLook | None = None
    sync: LastSync | None = None
    missing: tuple[str, int] | None = None
    """Which events of it never came, and since when it is known; None where none is missing."""

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
        return replace(self, beat=beat, beat_ms=now_ms, waits=newest)


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """A device of the recorder's file."""

    name: str
    role: DeviceRole
    table: int

    @property
    def is_phone(self) -> bool:
        """Whether it is a page of the dashboard that somebody must open."""
        return self.role in (DeviceRole.CLOCK, DeviceRole.PAD)

    @property
    def is_camera(self) -> bool:
        """Whether it gives pictures."""
        return self.role.endswith("camera")


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceHealth:
    """The verdict on one device: how it is, what is wrong, what helps; what it last said."""

    device: Expected
    grade: HealthGrade
    said: str
    remedy: str = ""
    version: str = ""
    waiting: int | None = None
    delay_ms: int | None = None
    picture: str = ""


def verdict(device: Expected, heard: HeardDevice, now_ms: int) -> DeviceHealth:
    """How a device is, by the first thing that is wrong with it."""
    grade, said, remedy = _finding(device, heard, now_ms)
    return DeviceHealth(
        device=device,
        grade=grade,
        said=said,
        remedy=remedy,
        version="" if heard.info is None else heard.info.firmware,
        waiting=None if heard.beat is None else heard.beat.outbox,
        delay_ms=None if heard.event is None else heard.event.delay_ms,
        picture=_picture_text(heard.look),
    )


def device_as_json(found: DeviceHealth) -> dict[str, Any]:
    """A verdict for scripts and pages; ``delay_ms`` and ``waiting`` are None where not known."""
    return {
        "name": found.device.name,
        "role": str(found.device.role),
        "table": found.device.table,
        "grade": str(found.grade),
        "says": found.said,
        "remedy": found.remedy,
        "version": found.version,
        "delay_ms": found.delay_ms,
        "waiting": found.waiting,
        "picture": found.picture,
    }


_Finding = tuple[HealthGrade, str, str]


def _finding(device: Expected, heard: HeardDevice, now_ms: int) -> _Finding:
    state = heard.state
    if device.role is DeviceRole.ASSISTANT and heard.beat is None:
        return HealthGrade.WELL, "nobody types racks", ""
    if state is None and heard.beat is None and heard.event is None:
        return HealthGrade.ILL, "has never been heard", _never(device)
    if state is not None and state.state in (Presence.LOST, Presence.DISCONNECTED):
        why = state.reason or "the connection broke off"
        grade = HealthGrade.WELL if device.role is DeviceRole.ASSISTANT else HealthGrade.ILL
        return grade, f"lost: {why}", "" if grade is HealthGrade.WELL else _gone(device)
    if not _speaks(heard, now_ms):
        return HealthGrade.ILL, "is silent", _gone(device)
    return _weakness(heard, now_ms) or (HealthGrade.WELL, _last(heard), "")


def _speaks(heard: HeardDevice, now_ms: int) -> bool:
    """Whether it has just been heard; by its events where nothing else of it is known."""
    if heard.beat is None and heard.state is None and heard.event is not None:
        return now_ms - heard.event.came_ms <= EVENTS_MS
    return now_ms - heard.beat_ms <= SILENT_MS


def _weakness(heard: HeardDevice, now_ms: int) -> _Finding | None:
    """What does not work as it should in a device that is there."""
    state, beat, look = heard.state, heard.beat, heard.look
    if state is not None and state.state is Presence.ALERT:
        return HealthGrade.ILL, state.reason or "says that something is wrong", _ALERT
    if state is not None and state.state is Presence.SLEEPING:
        return HealthGrade.WEAK, "its source has ended", _SLEEPING
    if waiting := _deaf(heard, now_ms) or _backlog(heard, now_ms):
        return waiting
    if found := _lost_events(heard, now_ms) or _late_event(heard.event, now_ms):
        return found
    if beat is not None and beat.battery_percent is not None and beat.battery_percent < 15:
        return (
            HealthGrade.WEAK,
            f"battery at {beat.battery_percent} %",
            "charge it, or change the battery",
        )
    return _poor_time(heard.sync) or (None if look is None else _poor_picture(look))


def _lost_events(heard: HeardDevice, now_ms: int) -> _Finding | None:
    if heard.missing is None:
        return None
    what, since_ms = heard.missing
    said = f"{what} never came, known for {max(0, now_ms - since_ms) // 1000} s"
    return HealthGrade.ILL, said, _LOST_EVENTS


def _late_event(event: LastEvent | None, now_ms: int) -> _Finding | None:
    if event is None or event.delay_ms <= LATE_MS or now_ms - event.came_ms >= RECENT_MS:
        return None
    return HealthGrade.WEAK, f"its last event came {event.delay_ms / 1000:.1f} s late", _LATE


def _deaf(heard: HeardDevice, now_ms: int) -> _Finding | None:
    """That a device does not hear what it is told."""
    for boot in heard.waits:
        if boot.is_deaf(now_ms):
            said = f"does not hear the recorder, which has stored event {boot.first}"
            return HealthGrade.ILL, said, _DEAF
    return None


def _backlog(heard: HeardDevice, now_ms: int) -> _Finding | None:
    """What a device cannot get rid of."""
    beat = heard.beat
    if beat is None:
        return None
    oldest = min(heard.waits, key=lambda boot: boot.since_ms, default=None)
    if oldest is not None and now_ms - oldest.since_ms > STUCK_MS:
        number, waited_s = oldest.first, (now_ms - oldest.since_ms) // 1000
        count = sum(boot.beat.outbox for boot in heard.waits)
        said = f"event {number} has waited {waited_s} s for the recorder, {count} in all"
        return HealthGrade.ILL, said, _WAITING
    if beat.outbox > MANY_WAIT:
        return HealthGrade.ILL, f"{beat.outbox} events wait for the recorder", _WAITING
    return None


def _poor_time(sync: LastSync | None) -> _Finding | None:
    if sync is not None and sync.error_ms > UNSURE_MS:
        return HealthGrade.WEAK, f"its time is known to {sync.error_ms:.0f} ms only", _LATE
    if sync is not None and abs(sync.drift_ppm) > MOST_DRIFT_PPM:
        return HealthGrade.WEAK, f"its time runs off by {sync.drift_ppm:+.0f} ppm", _DRIFTS
    return None


def _poor_picture(look: LastLook) -> _Finding | None:
    if look.unseen:
        return HealthGrade.ILL, f"sees no board: {look.unseen}", _UNSEEN
    if look.square_px < FEW_PIXELS:
        px = f"{look.square_px:.0f} pixels a square, {FEW_PIXELS:.0f} are wanted"
        return HealthGrade.WEAK, px, "bring the camera nearer, or choose a larger picture"
    if look.pose_score < POOR_POSE:
        return HealthGrade.WEAK, f"the board is found at {look.pose_score:.2f} only", _UNSURE
    return None


def _last(heard: HeardDevice) -> str:
    return "ready" if heard.event is None else heard.event.what


def _never(device: Expected) -> str:
    if device.is_phone:
        return f"open its page on a phone, by its code on the page of links (table {device.table})"
    if device.role is DeviceRole.MQTT_CLOCK:
        return (
            "is it on, on this network, and are name, user and password those of clocks/"
            f"{device.name}.json? tilecast doctor --device {device.name} names what keeps it out"
        )
    return (
        f"does the agent of table {device.table} run? Its file must name {device.name};"
        " tilecast agent --check reads it, tilecast devices lists cameras and ports"
    )


def _gone(device: Expected) -> str:
    if device.is_phone:
        return "wake the phone and open its page again; what it keeps is sent then"
    if device.role is DeviceRole.MQTT_CLOCK:
        return "look for power and Wi-Fi; it keeps its presses"
    if device.is_camera:
        return (
            f"plug it in, or name another source in the agent's file (table-{device.table}.toml);"
            " tilecast devices lists what is there"
        )
    return "look at its cable and at the agent of its table; the agent keeps its events"


_ALERT = "see what it says; cable, lamp and lens first (tilecast devices lists what is plugged in)"
_SLEEPING = "a file or folder has been read to its end: start the agent again with a live source"
_WAITING = "does a recorder run, and take them? tilecast doctor tells"
_DEAF = (
    "let the broker's access list allow it to read what is below down/ and its name (tilecast"
    " doctor venue tries it); nothing is lost"
)
_LOST_EVENTS = (
    "compare the turns before then with the score sheet and enter what lacks; if it happens again,"
    " change the device: it has deleted what no recorder had confirmed"
)
_LATE = "a slow network or a busy machine: use a cable, end what else runs"
_DRIFTS = "its quartz is bad, or a program changes its time: use another clock"
_UNSEEN = (
    "see its picture on the director's page: the whole board must be in it, sharp, without glare"
)
_UNSURE = "see its picture on the director's page; tilecast calibrate camera measures what is wrong"


def _picture_text(look: LastLook | None) -> str:
    if look is None:
        return ""
    if look.unseen:
        return "no board"
    return f"{look.square_px:.0f} px a square, found {look.pose_score:.2f}"


def square_px(corners: "tuple[tuple[float, float], ...]") -> float:
    """Pixels for the side of a square where the board is smallest, by its outer corners."""
    around = zip(corners, (*corners[1:], corners[0]), strict=True)
    return min(math.dist(here, there) for here, there in around) / 15


@dataclass(frozen=True, slots=True, kw_only=True)
class VenueHealth:
    """The recorder and every device expected. ``broker`` is why nothing is heard, else empty."""

    broker: str
    recorder: RecorderState | None
    devices: tuple[DeviceHealth, ...]

    @property
    def is_well(self) -> bool:
        """Whether a recorder records and no device is ill."""
        records = self.recorder is not None and self.recorder.state is Presence.READY
        return records and all(found.grade is not HealthGrade.ILL for found in self.devices)


def health_of(
    expected: "tuple[Expected, ...]",
    heard: Mapping[str, HeardDevice],
    recorder: RecorderState | None,
    broker: str,
    now_ms: int,
) -> VenueHealth:
    """The verdict on all; who was not heard of at all is told so."""
    devices = tuple(
        verdict(device, heard.get(device.name, HeardDevice()), now_ms) for device in expected
    )
    return VenueHealth(broker=broker, recorder=recorder, devices=devices)
