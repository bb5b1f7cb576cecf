"""A camera that is blind, by its own eyes: what the director is informed of it."""

from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from devices.cameras.board_camera import BoardCamera
from devices.cameras.camera_device import CameraParts
from devices.cameras.evidence import EvidenceFolder
from devices.lab.memory_ports import MemoryOutlet
from devices.lab.scenes.styles import demo_style
from devices.lab.scenes.table_scene import TableScene
from devices.pictures import Image
from devices.vision.eyes import Eyes
from recorder.domain.board import EMPTY_BOARD
from recorder.domain.instruments import DeviceRole
from recorder.domain.observations import BoardNotSeen, BoardSeen
from recorder.domain.record import Observed, Sender
from recorder.log.port import GENESIS, NewRow, chain
from recorder.projections.health.device_health import DeviceHealth, Expected, HealthGrade
from recorder.projections.health.heard_devices import HeardDevices
from tests.devices.cameras.test_board_camera import Reel

pytestmark = pytest.mark.pixels

CAMERA = Expected(name="cam-1", role=DeviceRole.BOARD_CAMERA, table=1)
BLACK = np.zeros((720, 960, 3), np.uint8)


def _noise(level: int) -> Image:
    """A covered lens is not quite even: a sensor's noise about one level."""
    noise = np.random.default_rng(level).normal(level, 0.8, BLACK.shape)
    return np.clip(noise, 0, 255).astype(np.uint8)


BLIND = {
    "black": (lambda: BLACK, "the picture is black"),
    "dark noise": (lambda: _noise(3), "the picture is black"),
    "white": (lambda: np.full_like(BLACK, 255), "the picture is white"),
    "one colour": (
        lambda: np.full_like(BLACK, (40, 90, 160)),
        "of one colour: is the lens covered?",
    ),
    "a thumb": (lambda: _noise(90), "of one colour: is the lens covered?"),
}


def _verdict(seen: list[tuple[int, object]], now_ms: int) -> DeviceHealth:
    """What the director reads of the camera after all that it said."""
    heard = HeardDevices()
    for number, (at_ms, what) in enumerate(seen, start=1):
        assert isinstance(what, BoardSeen | BoardNotSeen)
        row = NewRow.saying(Observed(what), table=1, game="g1", at=at_ms)
        sender = Sender(dev="cam-1", boot="0000abcd", seq=number, t_ms=at_ms)
        heard.take_row(chain(GENESIS, number, row.sent_by(sender)))
    return heard.health((CAMERA,), None, "", now_ms).devices[0]


def _shown(folder: Path, pictures: list[Image]) -> tuple[list[tuple[int, object]], int]:
    """What a camera says of these pictures, and when it has seen them."""
    reel, outlet = Reel(), MemoryOutlet()
    evidence = EvidenceFolder(folder / "evidence")
    parts = CameraParts("cam-1", reel, evidence, outlet, lambda: reel.at_ms)
    camera = BoardCamera(parts, Eyes("english"))
    reel.frames += pictures
    for _ in pictures:
        camera.step(0)
    return list(outlet.observed), reel.at_ms


@pytest.mark.parametrize(("picture", "why"), BLIND.values(), ids=BLIND)
def test_a_blind_camera_is_told_with_what_helps(
    tmp_path: Path, picture: Callable[[], Image], why: str
) -> None:
    """Its own eyes say why, once however long it lasts; the director reads it with the remedy."""
    observed, now_ms = _shown(tmp_path, [picture()] * 100)
    told = [(at_ms, what) for at_ms, what in observed if isinstance(what, BoardNotSeen)]
    assert len(told) == 1
    health = _verdict(list(told), now_ms)
    assert health.grade is HealthGrade.ILL
    assert why in health.said
    assert "its picture on the director's page" in health.remedy


def _drawn(*rows: str) -> Image:
    scene = TableScene(demo_style(), seed=4)
    board = list(EMPTY_BOARD.rows())
    board[7 : 7 + len(rows)] = rows
    scene.board = tuple(board)
    return scene.frame(1)


def test_a_camera_out_of_focus_is_named_as_that(tmp_path: Path) -> None:
    """As one that sees no board, for nothing that it reads is sure."""
    sharp = _drawn("...WINDYHOUSES.", "...............", ".FLAMINGOSTREET")
    observed, now_ms = _shown(tmp_path, [cv2.GaussianBlur(sharp, (0, 0), 5)] * 5)
    assert {type(what) for _, what in observed} == {BoardNotSeen}
    assert "the picture is out of focus" in _verdict(observed, now_ms).said


def test_what_is_odd_about_a_picture_that_is_read_reaches_the_director(tmp_path: Path) -> None:
    """Two Qs of a set with one: the board counts, and the camera is not called well."""
    observed, now_ms = _shown(
        tmp_path, [_drawn("...QUIZ........", "...............", ".QUARTERS......")] * 5
    )
    seen = [(at_ms, what) for at_ms, what in observed if isinstance(what, BoardSeen)]
    health = _verdict(list(seen), now_ms)
    assert health.grade is HealthGrade.WEAK
    assert health.said == "doubts its picture: more tiles than the english set has: 2 Q of 1"
