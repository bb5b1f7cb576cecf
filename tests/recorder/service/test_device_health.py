"""What is said of a device, by what was heard of it: what is wrong first, and what helps."""

from dataclasses import replace

import pytest

from recorder.contiguity import StoredNumbers
from recorder.domain.instruments import DeviceRole
from recorder.projections.health.device_health import Expected, device_as_json, health_of, verdict
from recorder.projections.health.device_health import HealthGrade as Grade
from recorder.projections.health.finding import health_found
from recorder.projections.health.last_heard import HeardDevice as Heard
from recorder.projections.health.last_heard import LastEvent, LastLook, LastSync, square_px
from recorder.texts import LANGUAGE, load_catalogue, plain_code
from recorder.wire.control import DeviceInfo, DeviceState, Heartbeat, Presence, RecorderState
from recorder.wire.observations import OBSERVATION_TYPES

OF_THE_RECORDER = {"camera", "device", "time.set", "clock.doubt"}
NOW = 1_800_000_000_000
BOOT = "0a1b2c3d"
CAMERA = Expected(name="cam-3", role=DeviceRole.BOARD_CAMERA, table=3)
PHONE = Expected(name="phone-clock-3", role=DeviceRole.CLOCK, table=3)
ASSISTANT = Expected(name="phone-racks-3", role=DeviceRole.ASSISTANT, table=3)
NETWORKED = Expected(name="clock-3", role=DeviceRole.MQTT_CLOCK, table=3)
BEAT = Heartbeat(boot=BOOT, t_ms=1, seq_high=40, outbox=0)
WELL = Heard(
    state=DeviceState(state=Presence.READY, boot=BOOT),
    info=DeviceInfo(kind="camera", model="m", firmware="1.2"),
    beat=BEAT,
    beat_ms=NOW - 900,
    event=LastEvent(what="board.seen", at_ms=NOW - 5000, delay_ms=120),
    look=LastLook(square_px=41.0, pose_score=0.9),
)


def said(presence: Presence, reason: str = "") -> Heard:
    """Somebody who is well but for what they say."""
    return replace(WELL, state=DeviceState(state=presence, boot=BOOT, reason=reason))


@pytest.mark.parametrize(
    ("device", "heard", "grade", "says", "helps"),
    [
        (CAMERA, WELL, Grade.WELL, "saw the board", ""),
        (CAMERA, Heard(), Grade.ILL, "never connected", "agent of table 3"),
        (ASSISTANT, Heard(), Grade.WELL, "nobody is typing", ""),
        (
            PHONE,
            Heard(),
            Grade.ILL,
            "never connected",
            "on the links page",
        ),
        (NETWORKED, Heard(), Grade.ILL, "never connected", "clocks/clock-3.json"),
        (
            PHONE,
            said(Presence.LOST, "the page is gone"),
            Grade.ILL,
            "the page is gone",
            "wake",
        ),
        (CAMERA, said(Presence.DISCONNECTED), Grade.ILL, "lost", "table-3.toml"),
        (NETWORKED, replace(WELL, beat_ms=NOW - 4000), Grade.ILL, "silent", "Wi-Fi"),
        (
            CAMERA,
            said(Presence.ALERT, "no frames come"),
            Grade.ILL,
            "no frames come",
            "cable",
        ),
        (CAMERA, said(Presence.SLEEPING), Grade.WEAK, "has ended", "live source"),
        (
            CAMERA,
            replace(WELL, beat=replace(BEAT, outbox=31)),
            Grade.ILL,
            "31 events",
            "doctor",
        ),
        (
            NETWORKED,
            replace(WELL, sync=LastSync(error_ms=400)),
            Grade.WEAK,
            "only known to 400 ms",
            "cable",
        ),
        (
            *(NETWORKED, replace(WELL, sync=LastSync(error_ms=3, drift_ppm=-900))),
            *(Grade.WEAK, "-900 ppm", "another clock"),
        ),
        (
            *(CAMERA, replace(WELL, event=LastEvent(what="x", at_ms=NOW - 9000, delay_ms=3100))),
            *(Grade.WEAK, "3.1 s late", "machine is busy"),
        ),
        (
            *(CAMERA, replace(WELL, event=LastEvent(what="x", at_ms=NOW - 900_000, delay_ms=3100))),
            *(Grade.WELL, "x", ""),
        ),
        (
            *(NETWORKED, replace(WELL, beat=replace(BEAT, battery_percent=9))),
            *(Grade.WEAK, "9 %", "charge"),
        ),
        (
            CAMERA,
            replace(WELL, look=LastLook(unseen="dark")),
            Grade.ILL,
            "dark",
            "whole board",
        ),
        (
            *(CAMERA, replace(WELL, look=LastLook(unseen="camera lost: gone", has_picture=False))),
            *(Grade.ILL, "camera lost", "check cable"),
        ),
        (
            *(CAMERA, replace(WELL, look=LastLook(square_px=19.4, pose_score=0.9))),
            *(Grade.WEAK, "19 pixels a square; 28 are needed", "closer"),
        ),
        (
            *(CAMERA, replace(WELL, look=LastLook(square_px=40.0, pose_score=0.5))),
            *(Grade.WEAK, "0.50", "calibrate camera"),
        ),
    ],
)
def test_what_is_wrong_comes_with_what_helps(
    device: Expected, heard: Heard, grade: Grade, says: str, helps: str
) -> None:
    """One finding a device, with words for anyone who stands at the table."""
    found = verdict(device, heard, NOW)
    assert found.grade is grade
    assert says in found.said
    assert helps in found.remedy
    assert bool(found.remedy) == (grade is not Grade.WELL)


def test_one_event_that_is_never_confirmed_is_told_by_its_number() -> None:
    """However few wait; while acks come, or once it is taken, nothing is."""
    heard, moving = WELL, WELL
    for second in range(13):
        now = NOW + 1000 * second
        heard = heard.beaten(replace(BEAT, seq_high=24 + second, outbox=1 + second), now)
        moving = moving.beaten(replace(BEAT, seq_high=24 + second, outbox=1), now)
    found = verdict(CAMERA, heard, now)
    assert (found.grade, found.said[:29]) == (Grade.ILL, "event 24 has been waiting 12 ")
    assert verdict(CAMERA, moving, now).grade is Grade.WELL
    taken = heard.beaten(replace(BEAT, seq_high=37, outbox=0), now)
    assert verdict(CAMERA, taken, now).grade is Grade.WELL


def test_what_waits_from_before_a_restart_is_told_too() -> None:
    """A device beats for each boot in turn (docs/clock-protocol.md); gone once it is taken."""
    heard = WELL
    for second in range(16):
        now = NOW + 1000 * second
        old = replace(BEAT, boot="1b2c3d4e", seq_high=7, outbox=2 if second < 13 else 0)
        heard = heard.beaten(old, now).beaten(BEAT, now) if second < 14 else heard.beaten(BEAT, now)
        if second == 12:
            assert verdict(CAMERA, heard, now).said.startswith("event 6 has been waiting 12 s")
    assert verdict(CAMERA, heard, now).grade is Grade.WELL


def test_two_devices_of_one_name_are_told_while_both_beat() -> None:
    """Within a few heartbeats; no restart is, nor a goodbye of one while the other lives."""
    twin = replace(BEAT, boot="1b2c3d4e", seq_high=3)
    heard, codes = WELL, []
    for second in range(4):
        now = NOW + 1000 * second
        heard = heard.beaten(BEAT, now)
        if second:
            heard = heard.beaten(twin, now + 400)
        codes.append(verdict(CAMERA, heard, now + 400).finding.code)
    assert codes == ["did", "did", "did", "twofold"]
    found = verdict(CAMERA, heard, now)
    assert (found.grade, "two agents that use cam-3" in found.remedy) == (Grade.ILL, True)
    assert "two clocks" in verdict(NETWORKED, heard, now).remedy
    assert "on two phones" in verdict(PHONE, heard, now).remedy
    assert verdict(ASSISTANT, heard, now).grade is Grade.WELL
    heard = replace(heard, state=DeviceState(state=Presence.LOST, boot=twin.boot))
    for second in range(4, 9):
        now = NOW + 1000 * second
        heard = heard.beaten(BEAT, now)
    assert verdict(CAMERA, heard, now).finding.code == "did"


def test_a_device_that_starts_again_is_not_two() -> None:
    """However often it does; the broker's word on its earlier start comes after that."""
    heard = WELL
    for second in range(12):
        now = NOW + 1000 * second
        heard = heard.beaten(replace(BEAT, boot=f"0000000{second // 3}"), now)
        late = DeviceState(state=Presence.LOST, boot=f"0000000{max(0, second // 3 - 1)}")
        if second >= 3:
            heard = replace(heard, state=late)
        assert verdict(CAMERA, heard, now).grade is Grade.WELL


def test_a_venue_is_well_when_a_recorder_records_and_nobody_is_ill() -> None:
    """Weak devices leave it well; no recorder, or an ill device, does not."""
    ready = RecorderState(state=Presence.READY, since_ms=NOW)
    weak = said(Presence.SLEEPING)
    for recorder, heard, is_well in (
        (ready, {"cam-3": WELL}, True),
        (ready, {"cam-3": weak}, True),
        (ready, {}, False),
        (None, {"cam-3": WELL}, False),
        (replace(ready, state=Presence.LOST), {"cam-3": WELL}, False),
    ):
        found = health_found(health_of((CAMERA,), heard, recorder, "", NOW))
        assert all(each.grade is not Grade.ILL for each in found) is is_well


def test_the_smallest_side_of_the_board_counts() -> None:
    """A board seen at a slant has fewer pixels at its far side: those are what is read."""
    assert square_px(((100.0, 0.0), (400.0, 0.0), (600.0, 500.0), (0.0, 500.0))) == 20.0


def test_a_device_that_waits_with_what_is_stored_does_not_hear() -> None:
    """Reported with the list's remedy, after several heartbeats; before that it is not accused."""
    beat = replace(BEAT, outbox=3)
    waits = WELL.beaten(beat, NOW).beaten(beat, NOW + 3000)

    def stored(heard: Heard) -> Heard:
        return replace(heard, waits=(replace(heard.waits[0], stored_ms=NOW - 60_000),))

    assert verdict(CAMERA, stored(waits), NOW + 3000).grade is Grade.WELL
    late = verdict(CAMERA, stored(waits.beaten(beat, NOW + 4000)), NOW + 4000)
    assert late.said == "does not receive the recorder's answers; event 38 is already stored"
    assert "access list" in late.remedy


def test_stored_numbers_know_runs_and_gaps() -> None:
    """A number that is missing is not stored; the oldest boots are forgotten."""
    stored = StoredNumbers()
    for number in (1, 2, 3, 5, 4, 9):
        stored.take(BOOT, number, 100 * number)
    assert [stored.since_ms(BOOT, number) for number in (1, 3, 4, 5, 8, 9)] == [
        *(100, 100, 100, 500, None, 900)
    ]
    for boot in range(4):
        stored.take(f"boot-{boot}", 1, 0)
    assert stored.since_ms(BOOT, 1) is None


def test_how_a_device_is_can_be_read_in_german(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is wrong, what helps and how its picture is; its code stays, for scripts."""
    monkeypatch.setenv(LANGUAGE, "german")
    lost = replace(said(Presence.LOST), look=LastLook(unseen="dark"))
    told = device_as_json(verdict(CAMERA, lost, NOW))
    assert (told["code"], told["says"]) == ("lost", "Verbindung verloren")
    assert told["remedy"].startswith("anstecken oder in der Datei des Agenten (table-3.toml)")
    assert told["picture"] == "kein Brett"


@pytest.mark.parametrize("what", OBSERVATION_TYPES)
def test_what_a_device_did_is_told_in_words(what: str) -> None:
    """Whatever devices send has words; the name of its type is for programs."""
    if not OF_THE_RECORDER & {what, what.partition(".")[0]}:
        assert load_catalogue().has("device_event", plain_code(what))
    heard = replace(WELL, event=LastEvent(what=what, at_ms=NOW, delay_ms=0))
    assert what not in verdict(CAMERA, heard, NOW).said
