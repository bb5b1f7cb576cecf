"""What is known of every device that is expected, what is wrong with it, and what helps.

Pure: what was heard on the bus and read in the log comes in as values. Times are milliseconds since
1970 by this machine's clock.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from recorder.bus.outbox import STORE
from recorder.domain.instruments import DeviceRole
from recorder.domain.limits import MOST_A_SECOND
from recorder.domain.notices import CodedText, coded
from recorder.frames import desk
from recorder.projections.framed import framed
from recorder.projections.health.last_heard import (
    SILENT_MS,
    STUCK_MS,
    HeardDevice,
    LastEvent,
    LastLook,
    LastSync,
)
from recorder.texts.telling import coded_text
from recorder.wire.control import Presence, RecorderState

EVENTS_MS = 60_000
"""Of whom nothing but events is known, an older one says that they are there no more."""
LATE_MS, RECENT_MS = 2000, 120_000
MANY_WAIT = 20
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
    def may_be_two(self) -> bool:
        """Whether it is a page that two people may have open at once."""
        return self.role in (DeviceRole.PAD, DeviceRole.ASSISTANT)

    @property
    def is_camera(self) -> bool:
        """Whether it gives pictures."""
        return self.role.endswith("camera")


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceHealth:
    """The verdict on one device: how it is, what is wrong, what helps; what it last said.

    ``finding``, ``help`` and ``look`` are codes of the catalogue's sections ``device``,
    ``device_help`` and ``device_look``; ``help`` and ``look`` are None where there is none.
    """

    device: Expected
    grade: HealthGrade
    finding: CodedText
    help: CodedText | None = None
    version: str = ""
    waiting: int | None = None
    delay_ms: int | None = None
    look: CodedText | None = None

    @property
    def said(self) -> str:
        """What is wrong, or what it last said, in the program's language."""
        return coded_text(self.finding, "device")

    @property
    def remedy(self) -> str:
        """What helps, in the program's language; empty where nothing is wrong."""
        return "" if self.help is None else coded_text(self.help, "device_help")

    @property
    def picture(self) -> str:
        """How its picture is, in the program's language; empty where it has none."""
        return "" if self.look is None else coded_text(self.look, "device_look")


def verdict(device: Expected, heard: HeardDevice, now_ms: int) -> DeviceHealth:
    """How a device is, by the first thing that is wrong with it."""
    grade, finding, help_ = _finding(device, heard, now_ms)
    return DeviceHealth(
        device=device,
        grade=grade,
        finding=finding,
        help=help_,
        version="" if heard.info is None else heard.info.firmware,
        waiting=None if heard.beat is None else heard.beat.outbox,
        delay_ms=None if heard.event is None else heard.event.delay_ms,
        look=_picture(heard.look),
    )


def device_as_json(found: DeviceHealth) -> desk.DeviceVerdict:
    """A verdict for scripts and pages; ``delay_ms`` and ``waiting`` are None where not known.

    ``code`` is for programs, ``says``, ``remedy`` and ``picture`` for people.
    """
    return framed(
        desk.DeviceVerdict,
        found,
        name=found.device.name,
        role=str(found.device.role),
        table=found.device.table,
        grade=found.grade.value,
        code=found.finding.code,
        says=found.said,
    )


_Finding = tuple[HealthGrade, CodedText, CodedText | None]


def _finding(device: Expected, heard: HeardDevice, now_ms: int) -> _Finding:
    if device.role is DeviceRole.ASSISTANT and heard.beat is None:
        return HealthGrade.WELL, coded("no_racks_typed"), None
    if heard.floods:  # with what names ever, it is one device
        return HealthGrade.ILL, coded("floods", most=MOST_A_SECOND), coded("end_the_flood")
    if not device.may_be_two and heard.is_twofold(now_ms):
        return HealthGrade.ILL, coded("twofold", device=device.name), _end_a_twin(device)
    last = coded("ready") if heard.event is None else coded("did", what=heard.event.what)
    found = _absence(device, heard, now_ms) or _weakness(heard, now_ms)
    return found or (HealthGrade.WELL, last, None)


def _absence(device: Expected, heard: HeardDevice, now_ms: int) -> _Finding | None:
    """That a device is not there."""
    state = heard.state
    if state is None and heard.beat is None and heard.event is None:
        return HealthGrade.ILL, coded("heard_nothing"), _never(device)
    if state is not None and heard.is_gone(now_ms):
        lost = coded("lost_saying", why=state.reason) if state.reason else coded("lost")
        if device.role is DeviceRole.ASSISTANT:
            return HealthGrade.WELL, lost, None
        if STORE in state.reason:  # its outbox: nothing is wrong with the device
            return HealthGrade.ILL, lost, coded("make_room")
        return HealthGrade.ILL, lost, _gone(device)
    if not _speaks(heard, now_ms):
        return HealthGrade.ILL, coded("silent"), _gone(device)
    return None


def _speaks(heard: HeardDevice, now_ms: int) -> bool:
    """Whether it has just been heard; by its events where nothing else of it is known."""
    if heard.beat is None and heard.state is None and heard.event is not None:
        return now_ms - heard.event.came_ms <= EVENTS_MS
    return now_ms - heard.beat_ms <= SILENT_MS


def _weakness(heard: HeardDevice, now_ms: int) -> _Finding | None:
    """What does not work as it should in a device that is there."""
    state, beat, look = heard.state, heard.beat, heard.look
    if state is not None and state.state is Presence.ALERT:
        return HealthGrade.ILL, _alert(state.reason, look, now_ms), coded("see_what_it_says")
    if state is not None and state.state is Presence.SLEEPING:
        return HealthGrade.WEAK, coded("source_ended"), coded("live_source")
    if waiting := _deaf(heard, now_ms) or _backlog(heard, now_ms):
        return waiting
    if found := _lost_events(heard, now_ms) or _late_event(heard.event, now_ms):
        return found
    if beat is not None and beat.battery_percent is not None and beat.battery_percent < 15:
        return HealthGrade.WEAK, coded("battery", percent=beat.battery_percent), coded("charge")
    return _poor_time(heard.sync) or (None if look is None else _poor_picture(look, now_ms))


def _alert(reason: str, look: LastLook | None, now_ms: int) -> CodedText:
    if look is None or not look.unseen or not reason:
        return coded("says", what=reason) if reason else coded("says_wrong")
    return coded("says_for", what=reason, seconds=look.unseen_s(now_ms))


def _lost_events(heard: HeardDevice, now_ms: int) -> _Finding | None:
    if heard.missing is None:
        return None
    gap, since_ms = heard.missing
    first, last, known_s = gap.first, gap.last, max(0, now_ms - since_ms) // 1000
    if gap.count == 1:
        said = coded("event_missing", first=first, seconds=known_s)
    else:
        said = coded("events_missing", count=gap.count, first=first, last=last, seconds=known_s)
    return HealthGrade.ILL, said, coded("compare_turns")


def _late_event(event: LastEvent | None, now_ms: int) -> _Finding | None:
    if event is None or event.delay_ms <= LATE_MS or now_ms - event.came_ms >= RECENT_MS:
        return None
    return HealthGrade.WEAK, coded("came_late", delay_ms=event.delay_ms), coded("perhaps_gone")


def _deaf(heard: HeardDevice, now_ms: int) -> _Finding | None:
    """That a device does not hear what it is reported."""
    for boot in heard.waits:
        if boot.is_deaf(now_ms):
            return HealthGrade.ILL, coded("deaf", event=boot.first), coded("let_it_hear")
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
        said = coded("event_waits", event=number, seconds=waited_s, count=count)
        return HealthGrade.ILL, said, coded("ask_the_recorder")
    if beat.outbox > MANY_WAIT:
        return HealthGrade.ILL, coded("many_wait", count=beat.outbox), coded("ask_the_recorder")
    return None


def _poor_time(sync: LastSync | None) -> _Finding | None:
    if sync is not None and sync.error_ms > UNSURE_MS:
        unsure = coded("time_unsure", ms=round(sync.error_ms))
        return HealthGrade.WEAK, unsure, coded("slow_network")
    if sync is not None and abs(sync.drift_ppm) > MOST_DRIFT_PPM:
        drifts = coded("time_drifts", ppm=f"{sync.drift_ppm:+.0f}")
        return HealthGrade.WEAK, drifts, coded("other_clock")
    return None


def _poor_picture(look: LastLook, now_ms: int) -> _Finding | None:
    if look.unseen:
        unseen = coded("sees_no_board", why=look.unseen, seconds=look.unseen_s(now_ms))
        helps = coded("see_its_picture") if look.has_picture else coded("see_what_it_says")
        return HealthGrade.ILL, unseen, helps
    if look.square_px < FEW_PIXELS:
        few = coded("few_pixels", pixels=round(look.square_px), wanted=round(FEW_PIXELS))
        return HealthGrade.WEAK, few, coded("nearer")
    if look.pose_score < POOR_POSE:
        poor = coded("found_poorly", score=f"{look.pose_score:.2f}")
        return HealthGrade.WEAK, poor, coded("measure_camera")
    if look.notes:
        doubted = coded("doubts_picture", why="; ".join(look.notes))
        return HealthGrade.WEAK, doubted, coded("see_its_picture")
    return None


def _never(device: Expected) -> CodedText:
    if device.is_phone:
        return coded("open_its_page", table=device.table)
    if device.role is DeviceRole.MQTT_CLOCK:
        return coded("is_it_on", device=device.name)
    return coded("does_agent_run", device=device.name, table=device.table)


def _gone(device: Expected) -> CodedText:
    if device.is_phone:
        return coded("wake_phone")
    if device.role is DeviceRole.MQTT_CLOCK:
        return coded("power_and_network")
    if device.is_camera:
        return coded("plug_camera_in", table=device.table)
    return coded("cable_and_agent")


def _end_a_twin(device: Expected) -> CodedText:
    if device.is_phone:
        return coded("close_a_page", device=device.name)
    if device.role is DeviceRole.MQTT_CLOCK:
        return coded("rename_a_clock")
    return coded("end_an_agent", device=device.name)


def _picture(look: LastLook | None) -> CodedText | None:
    if look is None:
        return None
    if look.unseen:
        return coded("no_board")
    return coded("found", pixels=round(look.square_px), score=f"{look.pose_score:.2f}")


@dataclass(frozen=True, slots=True, kw_only=True)
class VenueHealth:
    """The recorder and every device expected. ``broker`` is why nothing is heard, else empty."""

    broker: str
    recorder: RecorderState | None
    devices: tuple[DeviceHealth, ...]


def health_of(
    expected: "tuple[Expected, ...]",
    heard: Mapping[str, HeardDevice],
    recorder: RecorderState | None,
    broker: str,
    now_ms: int,
) -> VenueHealth:
    """The verdict on all; a device that never spoke is reported as such."""
    devices = tuple(
        verdict(device, heard.get(device.name, HeardDevice()), now_ms) for device in expected
    )
    return VenueHealth(broker=broker, recorder=recorder, devices=devices)
