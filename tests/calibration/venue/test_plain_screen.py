"""What ``tilecast venue`` prints where there is no terminal: a line for each change."""

import re

import pytest

from calibration.venue.screen import PlainScreen
from recorder.domain.instruments import DeviceRole
from recorder.projections.health.device_health import Expected, VenueHealth, health_of
from recorder.projections.health.finding import health_found
from recorder.projections.health.last_heard import HeardDevice, LastEvent, LastLook
from recorder.wire.control import DeviceInfo, DeviceState, Heartbeat, Presence, RecorderState

NOW = 1_800_000_000_000
BOOT = "0a1b2c3d"
CAMERA = Expected(name="cam-1", role=DeviceRole.BOARD_CAMERA, table=1)


def health(reason: str, broker: str = "") -> VenueHealth:
    presence = Presence.LOST if reason else Presence.READY
    heard = HeardDevice(
        state=DeviceState(state=presence, boot=BOOT, reason=reason),
        info=DeviceInfo(kind="camera", model="m", firmware="1.2"),
        beat=Heartbeat(boot=BOOT, t_ms=1, seq_high=40, outbox=0),
        beat_ms=NOW - 900,
        event=LastEvent(what="board.seen", at_ms=NOW - 5000, delay_ms=120),
        look=LastLook(square_px=41.0, pose_score=0.9),
    )
    recorder = RecorderState(state=Presence.READY, since_ms=NOW)
    return health_of((CAMERA,), {"cam-1": heard}, recorder, broker, NOW)


def test_what_is_lost_for_another_reason_is_not_mended(capsys: pytest.CaptureFixture[str]) -> None:
    """Nor is it while the broker is gone and nobody knows; once it is well, it is, once."""
    screen = PlainScreen()
    for shown in (
        *(health("broke off"), health("refused"), health("refused 4 s"), health("refused 5 s")),
        *(health("refused 6 s", "nobody answers"), health("refused 7 s"), health("")),
    ):
        screen.show((), shown, list(health_found(shown)))
    said = [re.split("  +", line.split(":")[0]) for line in capsys.readouterr().out.splitlines()]
    assert said == [
        ["needs you", "cam-1"],
        ["needs you", "cam-1"],
        ["needs you", "cam-1"],
        ["needs you", "broker"],
        ["fixed", "broker"],
        ["fixed", "cam-1"],
    ]
