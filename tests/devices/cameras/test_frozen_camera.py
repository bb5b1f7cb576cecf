"""A camera that gives one picture over and over, from its bytes to what the director reads."""

import itertools
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from devices.cameras.board_camera import BoardCamera
from devices.cameras.camera import open_source
from devices.cameras.camera_device import CameraParts
from devices.cameras.evidence import EvidenceFolder
from devices.lab.memory_ports import MemoryOutlet
from devices.pictures import Image, encode_jpeg
from recorder.domain.instruments import DeviceRole
from recorder.domain.observations import BoardNotSeen, BoardSeen
from recorder.domain.record import Observed, Sender
from recorder.log.port import GENESIS, NewRow, chain
from recorder.projections.health.device_health import DeviceHealth, Expected, HealthGrade
from recorder.projections.health.heard_devices import HeardDevices
from recorder.wire.control import Command, DeviceState, Heartbeat, Presence, encode
from tests.devices.cameras.test_board_camera import PLAY, DrawnEyes, _draw
from tests.served import snapshots

pytestmark = pytest.mark.pixels

CAMERA = Expected(name="cam-1", role=DeviceRole.BOARD_CAMERA, table=1)
FRAME_MS = 250


class FreezingCamera:
    """Its server, and a board camera that asks it four times a second of a clock set by hand."""

    def __init__(self, folder: Path) -> None:
        self.tiles = [*PLAY]
        self.is_frozen = False
        self.now_ms = 0
        self._noise = itertools.count()
        self._jpeg = b""

        self._served = ExitStack()
        self.outlet = MemoryOutlet()
        source = open_source(
            self._served.enter_context(snapshots(self._given)), lambda: self.now_ms
        )
        evidence = EvidenceFolder(folder)
        eyes = DrawnEyes()
        parts = CameraParts("cam-1", source, evidence, self.outlet, lambda: self.now_ms)
        self.device = BoardCamera(parts, eyes)
        self._source = source

    def _given(self) -> bytes:
        if not self.is_frozen:
            self._jpeg = encode_jpeg(self.picture())
        return self._jpeg

    def picture(self) -> Image:
        """The board as it lies, with the noise of its sensor."""
        return _draw(self.tiles, seed=next(self._noise))

    def watch(self, seconds: float) -> None:
        """Let that much time pass."""
        for _ in range(round(1000 * seconds / FRAME_MS)):
            self.now_ms += FRAME_MS
            self.device.step(0)

    @property
    def said(self) -> list[str]:
        """Why it saw no board, each time."""
        return [what.reason for _, what in self.outlet.observed if isinstance(what, BoardNotSeen)]

    def director(self) -> DeviceHealth:
        heard = HeardDevices()
        previous = GENESIS
        for number, (at_ms, what) in enumerate(self.outlet.observed, start=1):
            row = NewRow.saying(Observed(what), table=1, game="g1", at=at_ms)
            sender = Sender(dev="cam-1", boot="0000abcd", seq=number, t_ms=at_ms)
            stored = chain(previous, number, row.sent_by(sender))
            previous = stored.hash
            heard.take_row(stored)
        health = self.device.health()
        said = Presence.ALERT if health.detail else Presence.READY
        state = DeviceState(state=said, boot="0000abcd", reason=health.detail)
        heard.take_message("tc/v1/main/up/cam-1/state", encode(state), self.now_ms)
        beat = Heartbeat(boot="0000abcd", t_ms=self.now_ms, seq_high=0, outbox=0)
        heard.take_message("tc/v1/main/up/cam-1/hb", encode(beat), self.now_ms)
        return heard.health((CAMERA,), None, "", self.now_ms).devices[0]

    def close(self) -> None:
        self._source.close()
        self._served.close()


@pytest.fixture
def camera(tmp_path: Path) -> Iterator[FreezingCamera]:
    """A camera that has watched a board for a while."""
    camera = FreezingCamera(tmp_path / "evidence")
    camera.watch(8)
    yield camera
    camera.close()


def test_a_frozen_camera_is_told_since_when_and_taken_back(camera: FreezingCamera):
    """After ten seconds of one picture; a look is refused, and once it lives it looks at once."""
    assert camera.director().grade is not HealthGrade.ILL
    camera.is_frozen = True
    camera.watch(9)
    assert camera.said == []
    camera.watch(11)
    (why,) = camera.said
    assert "has frozen" in why
    assert "start it again" in why
    found = camera.director()
    assert found.grade is HealthGrade.ILL
    assert found.said.startswith(why)
    assert found.said.endswith(", for 10 s")

    camera.tiles.append((7, 10))  # a play that it does not show
    camera.device.command(Command(id="look-1", cmd="look"))
    camera.watch(1)
    ((asked, error),) = camera.outlet.responses
    assert asked == "look-1"
    assert "has frozen" in error

    camera.is_frozen = False
    camera.watch(1)
    _, last = camera.outlet.observed[-1]
    assert isinstance(last, BoardSeen)
    assert camera.director().grade is not HealthGrade.ILL


@pytest.mark.further
def test_a_picture_that_never_had_noise_has_not_frozen(tmp_path: Path):
    """A camera that draws its pictures repeats them while nothing moves."""
    camera = FreezingCamera(tmp_path / "evidence")
    camera.watch(1)
    camera.is_frozen = True
    camera.watch(30)
    camera.close()
    assert camera.said == []


@pytest.mark.further
def test_a_stream_that_repeats_pictures_between_noise_has_not_frozen(camera: FreezingCamera):
    """A codec sends nothing where nothing changes: only what is longer than ever is reported."""
    for _ in range(3):
        camera.is_frozen = True
        camera.watch(6)
        camera.is_frozen = False
        camera.watch(0.5)
    camera.is_frozen = True
    camera.watch(12)
    assert camera.said == []
    camera.watch(8)
    assert len(camera.said) == 1
