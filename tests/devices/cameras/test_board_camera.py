"""When the board camera looks and what it says: drawn frames through the real gate and loop."""

import logging
import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from devices.cameras.board_camera import BoardCamera
from devices.cameras.camera import PhotoFolder
from devices.cameras.camera_device import CameraParts
from devices.cameras.evidence import YOUNG_S, EvidenceFolder
from devices.cameras.frames import BadFrame, CameraFrame
from devices.lab.memory_ports import MemoryOutlet
from devices.pictures import Image, decode_picture, encode_jpeg
from devices.ports import Condition
from devices.vision.geometry.pose import Pose
from devices.vision.look import BoardReading, unread
from recorder.domain.errors import DeviceError
from recorder.domain.instruments import BoardStill
from recorder.domain.observations import SEEN, BoardNotSeen, BoardSeen, BoardStirred
from recorder.domain.tiles import Tile
from recorder.wire.control import Command

pytestmark = pytest.mark.pixels

FIELD = 20  # pixels of a drawn square
EDGE = 30


def _draw(
    tiles: Sequence[tuple[int, int]] = (), *, hand: int | None = None, seed: int = 0
) -> Image:
    """A board of 15 x 15 squares with white tiles, a hand from the right, sensor noise."""
    rng = np.random.default_rng(seed)
    image = np.full((360, 480, 3), (60, 110, 60), np.uint8)
    for row, col in tiles:
        top, left = EDGE + row * FIELD, EDGE + col * FIELD
        image[top + 2 : top + FIELD - 2, left + 2 : left + FIELD - 2] = 230
    if hand is not None:
        image[120:200, 480 - hand :] = (120, 150, 200)
    noise = rng.normal(0, 4, image.shape)
    return np.clip(image + noise, 0, 255).astype(np.uint8)


class DrawnEyes:
    """Reads drawn boards by brightness: eyes for a world without letters. Dark: no board."""

    def __init__(self) -> None:
        self.looks = 0

    def read(self, image: Image, *, prior: BoardReading | None = None) -> BoardReading:  # noqa: ARG002
        self.looks += 1
        if image.mean() < 20:
            return unread(f"no board found (best guess {self.looks / 1000})")
        log_probs = np.full((15, 15, len(SEEN)), -16.0, np.float32)
        for square in range(225):
            row, col = divmod(square, 15)
            top, left = EDGE + row * FIELD, EDGE + col * FIELD
            is_tile = image[top + 5 : top + 15, left + 5 : left + 15].mean() > 180
            log_probs[row, col, SEEN.index("A" if is_tile else ".")] = 0
        pose = Pose.from_corners(((30.0, 30.0), (330.0, 30.0), (330.0, 330.0), (30.0, 330.0)))
        return BoardReading(found=True, pose=pose, score=0.9, turn_margin=5.0, log_probs=log_probs)


class Reel:
    """A source that gives prepared frames, 100 ms apart; None stands for a pause."""

    name = "reel"
    is_stills = False

    def __init__(self) -> None:
        self.frames: list[Image | BadFrame | None] = []
        self.at_ms = 0
        self.lost = ""
        self.count = 0

    @property
    def ended(self) -> bool:
        return False

    def read(self, timeout_s: float) -> CameraFrame | BadFrame | None:  # noqa: ARG002
        self.at_ms += 100
        frame = self.frames.pop(0) if self.frames else None
        if frame is None or isinstance(frame, BadFrame):
            return frame
        self.count += 1
        return CameraFrame(name=f"f{self.count}", captured_ms=self.at_ms, image=frame)

    def close(self) -> None:
        self.lost = "closed"


class Table:
    """A board camera over a reel."""

    def __init__(self, folder: Path) -> None:
        self.reel, self.eyes, self.outlet = Reel(), DrawnEyes(), MemoryOutlet()
        self.evidence = EvidenceFolder(folder)
        parts = CameraParts("cam-1", self.reel, self.evidence, self.outlet, lambda: self.reel.at_ms)
        self.camera = BoardCamera(parts, self.eyes)

    def show(self, *frames: Image | BadFrame | None) -> list[str]:
        """Run the loop over the frames; what was said meanwhile, in short."""
        before = len(self.outlet.observed)
        self.reel.frames += frames
        for _ in frames:
            self.camera.step(0)
        return [_short(seen) for _, seen in self.outlet.observed[before:]]


def _short(seen: object) -> str:
    if isinstance(seen, BoardSeen):
        return f"{sum(seen.squares.best(square) is Tile('A') for square in range(225))} tiles"
    if isinstance(seen, BoardStirred):
        return "stirred"
    if isinstance(seen, BoardStill):
        return f"as on {seen.frame}"
    assert isinstance(seen, BoardNotSeen)
    return seen.reason


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """A table with nothing on its board yet."""
    return Table(tmp_path / "evidence")


PLAY = [(7, 7), (7, 8), (7, 9)]


def test_a_play_is_said_once_when_the_hand_is_gone(table: Table):
    """Empty board; the hand comes, tiles go down, the hand goes: each said once."""
    assert table.show(*(_draw(seed=n) for n in range(5))) == ["0 tiles"]
    moving = [_draw(hand=80 * n, seed=n) for n in (1, 2, 3)] + [_draw(PLAY[:1], hand=100)]
    assert table.show(*moving) == ["stirred"]
    assert table.show(*(_draw(PLAY, seed=n) for n in range(5))) == ["3 tiles"]
    assert table.eyes.looks == 2


def test_a_lamp_switched_on_is_no_play(table: Table):
    """Everything brighter by the same amount: no look, nothing said."""
    table.show(_draw(PLAY), _draw(PLAY, seed=1))
    brighter = np.clip(_draw(PLAY, seed=2).astype(np.int16) + 18, 0, 255).astype(np.uint8)
    assert table.show(brighter, brighter) == []
    assert table.eyes.looks == 1


def test_a_hand_that_rests_beside_the_board_is_said_to_have_changed_nothing(table: Table):
    """Who heard that something moved is reported that the board is the same, once."""
    table.show(_draw(PLAY), _draw(PLAY, seed=1))
    hands = [_draw(PLAY, hand=120, seed=n) for n in range(4)]
    assert table.show(*hands) == ["stirred", "3 tiles"]
    assert table.eyes.looks == 2


@pytest.mark.further
def test_an_unchanged_board_is_said_again_after_ten_seconds(table: Table):
    """A recorder that starts late need not wait for the next play."""
    said = table.show(*(_draw(PLAY, seed=n % 3) for n in range(205)))
    assert said == ["3 tiles"] * 3


def test_a_look_that_is_asked_for_is_taken_and_answered(table: Table):
    """The press asks: the same board is said again, with the answer after it."""
    table.show(_draw(PLAY), _draw(PLAY, seed=1))
    table.camera.command(Command(id="look-1", cmd="look"))
    assert table.show(_draw(PLAY, seed=2)) == ["3 tiles"]
    assert table.outlet.responses == [("look-1", "")]


def test_whoever_asks_hears_at_once_that_the_board_lies_as_it_did(table: Table):
    """Before another frame has come, with the time of the newest one."""
    table.show(*(_draw(PLAY, seed=n) for n in range(4)))
    table.camera.command(Command(id="look-1", cmd="look"))
    assert table.outlet.observed[-1] == (400, BoardStill(frame="f2"))


def test_a_tile_laid_just_before_the_question_is_read_and_nothing_said_to_lie_still(table: Table):
    """The hand was gone at once: still by then, and not as it was."""
    table.show(_draw(PLAY), _draw(PLAY, seed=1))
    more = [*PLAY, (7, 10)]
    table.show(_draw(more, seed=2))
    table.camera.command(Command(id="look-1", cmd="look"))
    assert _short(table.outlet.observed[-1][1]) == "stirred"
    assert table.show(_draw(more, seed=3)) == ["4 tiles"]


def test_what_has_moved_and_lies_as_before_is_not_said_to_have_lain_still(table: Table):
    """A tile taken up and put back between two looks: only a look shows that it is the same."""
    table.show(_draw(PLAY), _draw(PLAY, seed=1))
    table.show(_draw(PLAY[:2], seed=2), *(_draw(PLAY, seed=n) for n in range(3, 6)))
    table.camera.command(Command(id="look-1", cmd="look"))
    assert _short(table.outlet.observed[-1][1]) == "stirred"
    assert table.show(_draw(PLAY, seed=6)) == ["3 tiles"]


@pytest.mark.further
def test_a_look_at_hands_that_never_rest_is_taken_after_five_seconds(table: Table):
    """A player who fidgets must not stop the game."""
    table.show(_draw(PLAY), _draw(PLAY, seed=1))
    table.camera.command(Command(id="look-1", cmd="look"))
    fidgeting = [_draw(PLAY, hand=60 + 60 * (n % 2), seed=n) for n in range(49)]
    assert table.show(*fidgeting) == ["stirred"]
    assert table.show(_draw(PLAY, hand=90), _draw(PLAY, hand=150)) == ["3 tiles"]
    assert table.outlet.responses == [("look-1", "")]


def test_no_board_is_said_once_with_its_reason(table: Table):
    """A covered camera fills no log; the board's return is news although nothing changed."""
    black = np.zeros((360, 480, 3), np.uint8)
    table.show(_draw(PLAY), _draw(PLAY, seed=1))
    assert table.show(*[black] * 205) == ["stirred", "no board found (best guess 0.002)"]
    assert table.show(_draw(PLAY), _draw(PLAY, seed=1)) == ["3 tiles"]


def test_a_lost_camera_is_said_once_and_fails_the_look(table: Table):
    """Unplugged: the recorder hears why, and anyone who asks for a look is not left waiting."""
    table.show(_draw(PLAY), _draw(PLAY, seed=1))
    table.reel.lost = "unplugged"
    table.camera.command(Command(id="look-1", cmd="look"))
    assert table.show(*[None] * 60) == ["camera lost: unplugged"]
    assert table.outlet.responses == [("look-1", "reel: unplugged")]
    assert table.camera.health().condition is Condition.LOST
    table.reel.lost = ""
    assert table.show(_draw(PLAY), _draw(PLAY, seed=1)) == ["3 tiles"]


def test_a_bad_frame_is_said_and_survived(table: Table):
    """A truncated frame of a phone: its reason, then the next frame."""
    bad = BadFrame(name="f9", captured_ms=5, reason="truncated")
    said = table.show(_draw(PLAY), bad, bad, _draw(PLAY, seed=1), _draw(PLAY, seed=2))
    assert said == ["truncated", "3 tiles"]


def test_the_picture_is_kept_as_evidence_and_can_be_had(table: Table):
    """The hash in the observation is that of a JPEG in the folder, and on request it is sent."""
    table.show(_draw(PLAY), _draw(PLAY, seed=1))
    seen = table.outlet.observed[0][1]
    assert isinstance(seen, BoardSeen)
    assert decode_picture(table.evidence.find(seen.picture)).shape == (360, 480, 3)
    for number, args in enumerate([{}, {"sha256": seen.picture}, {"sha256": "../etc"}]):
        table.camera.command(Command(id=f"p{number}", cmd="picture", args=args))
    table.camera.command(Command(id="x", cmd="dance"))
    table.show(None)
    assert [decode_picture(data).shape for _, data in table.outlet.raws] == [(360, 480, 3)] * 2
    (_, first), (_, second), (_, third), (_, fourth) = table.outlet.responses
    assert (first, second) == ("", "")
    assert "SHA-256" in third
    assert "dance" in fourth


def test_every_photograph_of_a_folder_is_a_look(tmp_path: Path, caplog: pytest.LogCaptureFixture):
    """One photograph per press: unchanged ones too, copies not, bad ones by name."""
    caplog.set_level(logging.INFO)
    photos = tmp_path / "photos"
    photos.mkdir()
    first, second = encode_jpeg(_draw(PLAY)), encode_jpeg(_draw(PLAY, seed=1))
    for name, data in [("1", first), ("2", second), ("3", second), ("4", first[:99])]:
        (photos / f"{name}.jpg").write_bytes(data)
    outlet = MemoryOutlet()
    source = PhotoFolder(photos, lambda: 0)
    evidence = EvidenceFolder(tmp_path / "evidence")
    parts = CameraParts("cam-1", source, evidence, outlet, lambda: 0)
    camera = BoardCamera(parts, DrawnEyes())
    while not source.ended:
        camera.step(0)
    said = [_short(seen) for _, seen in outlet.observed]
    assert said[:2] == ["3 tiles", "3 tiles"]
    assert said[2].startswith("truncated")
    assert len(said) == 3
    assert camera.health().condition is Condition.ENDED


def test_old_evidence_goes_first_and_young_evidence_stays(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
):
    """The bound is kept by yesterday's pictures; a game in play keeps all of its own."""
    folder = EvidenceFolder(tmp_path, most_bytes=250)
    digests = [folder.keep(bytes([n]) * 100) for n in range(6)]
    for age_s, digest in zip([9 * YOUNG_S, 5 * YOUNG_S, 900, 600, 300, 0], digests, strict=True):
        os.utime(tmp_path / digest[:2] / f"{digest}.jpg", (10**9 - age_s, 10**9 - age_s))
    assert folder.prune() == 2
    with pytest.raises(DeviceError, match="no picture"):
        folder.find(digests[0])
    assert [len(folder.find(digest)) for digest in digests[2:]] == [100] * 4
    assert "more room" in caplog.text
