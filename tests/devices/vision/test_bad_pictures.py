"""Pictures that no board can be read from, or only with care: each gets a clear answer."""

import struct
from collections.abc import Callable
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from devices.lab.scenes.lens import SceneCamera, Sensor
from devices.lab.scenes.scene import Scene, render
from devices.lab.scenes.styles import demo_style
from devices.pictures import Image, encode_jpeg
from devices.vision.cli import register_read
from recorder.commands.command_line import CommandParser
from tests.cases import first_of

pytestmark = pytest.mark.pixels

ROWS = (
    *["..............."] * 4,
    "......B........",
    "......R........",
    "......E........",
    "...FLUKE.......",
    "......E........",
    "......D.JERKS..",
    *["..............."] * 5,
)


@cache
def _table(distance: float = 34.0, turn_deg: float = 0.0) -> Image:
    """The table from so far away; read only, for it is rendered once for all tests."""
    camera = SceneCamera(distance=distance, tilt_deg=8, turn_deg=turn_deg)
    scene = Scene(style=demo_style(), rows=ROWS, camera=camera, sensor=Sensor(noise=3.0), seed=5)
    image, _ = render(scene)
    image.flags.writeable = False
    return image


def _clutter() -> Image:
    """A table with tiles, papers and cups on it, and no board."""
    rng = np.random.default_rng(3)
    image = np.full((960, 1280, 3), (95, 120, 150), np.uint8)
    for _ in range(60):
        colour = tuple(int(part) for part in rng.integers(20, 240, 3))
        x, y = rng.integers(0, 1280), rng.integers(0, 960)
        wide, high = rng.integers(20, 160, 2)
        box = cv2.boxPoints(((int(x), int(y)), (int(wide), int(high)), rng.uniform(0, 90)))
        cv2.fillConvexPoly(image, np.rint(box).astype(np.int32), colour, cv2.LINE_AA)
    for _ in range(12):
        middle = (int(rng.integers(0, 1280)), int(rng.integers(0, 960)))
        cv2.circle(image, middle, int(rng.integers(15, 70)), (230, 225, 220), -1, cv2.LINE_AA)
    for letter in "TILECASTRIVER":
        at = (int(rng.integers(0, 1200)), int(rng.integers(60, 940)))
        cv2.putText(image, letter, at, cv2.FONT_HERSHEY_SIMPLEX, 1.6, (20, 20, 20), 4, cv2.LINE_AA)
    return image


def _png(image: Image) -> bytes:
    done, data = cv2.imencode(".png", image)
    assert done
    return data.tobytes()


def _segments(jpeg: bytes) -> tuple[dict[int, bytes], bytes]:
    """The header segments of a grey JPEG by marker (tables joined), and the scan's bytes."""
    segments: dict[int, bytes] = {}
    at = 2
    while True:
        marker = jpeg[at + 1]
        (length,) = struct.unpack_from(">H", jpeg, at + 2)
        segments[marker] = segments.get(marker, b"") + jpeg[at : at + 2 + length]
        at += 2 + length
        if marker == 0xDA:
            return segments, jpeg[at:-2]


def _cmyk_jpeg(image: Image) -> bytes:
    """A JPEG as print shops save it: four inks, stored inverted, one scan for each.

    The scans of four grey JPEGs share their tables, so they can stand in one file.
    """
    height, width = image.shape[:2]
    rgb = image[..., ::-1].astype(np.float32)
    light = np.maximum(rgb.max(axis=2), 1.0)
    inks = [np.rint(rgb[..., part] / light * 255) for part in range(3)] + [np.rint(light)]
    options = [cv2.IMWRITE_JPEG_QUALITY, 95, cv2.IMWRITE_JPEG_OPTIMIZE, 0]
    scans = []
    for ink in inks:
        done, data = cv2.imencode(".jpg", ink.astype(np.uint8), options)
        assert done
        segments, scan = _segments(data.tobytes())
        scans.append(scan)
    adobe = b"\xff\xee" + struct.pack(">H", 14) + b"Adobe" + struct.pack(">HHHB", 100, 0, 0, 0)
    frame = struct.pack(">BHHB", 8, height, width, 4)
    frame += b"".join(bytes((number, 0x11, 0)) for number in (1, 2, 3, 4))
    joined = b"\xff\xd8" + adobe + segments[0xDB]
    joined += b"\xff\xc0" + struct.pack(">H", len(frame) + 2) + frame + segments[0xC4]
    for number, scan in enumerate(scans, start=1):
        joined += b"\xff\xda" + struct.pack(">HBBBBBB", 8, 1, number, 0, 0, 63, 0) + scan
    return joined + b"\xff\xd9"


@pytest.fixture
def read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str]]:
    """``tilecast read`` on these bytes: the exit status, and what it printed."""

    def run(data: bytes, name: str = "table.jpg") -> tuple[int, str]:
        path = tmp_path / name
        path.write_bytes(data)
        parser = CommandParser()
        register_read(parser.add_subparsers())
        args = parser.parse_args(["read", str(path)])
        status: int = args.run(args)
        captured = capsys.readouterr()
        assert (captured.err == "") == (status == 0)
        if status:
            assert name in captured.err
        return status, captured.err if status else captured.out

    return run


def _rows(printed: str) -> tuple[str, ...]:
    return tuple(line[3:].replace(" ", "") for line in printed.splitlines()[1:16])


Read = Callable[..., tuple[int, str]]


@pytest.mark.parametrize(
    ("picture", "words"),
    [
        (_clutter, "no board"),
        (lambda: np.zeros((720, 1280, 3), np.uint8), "black"),
        (lambda: np.full((64, 64, 3), 90, np.uint8), "too small: 64 x 64"),
        pytest.param(
            lambda: np.ascontiguousarray(_table()[:, :640]), "board", marks=pytest.mark.further
        ),
        (lambda: np.hstack([_table(), _table()]), "two boards"),
    ],
    ids=["no board", "black", "64 x 64", "half", "two boards"],
)
def test_a_picture_that_cannot_be_read_says_why(
    read: Read, picture: Callable[[], Image], words: str
):
    """Exit status 1, and a message that names the file and the fault."""
    status, message = read(_png(picture()), "table.png")
    assert status == 1
    assert words in message


@pytest.mark.parametrize(
    ("data_of", "words"),
    [
        (lambda: b"", "empty"),
        (lambda: b"Round 4, table 1: 412 - 388\n", "not a picture"),
        (lambda: encode_jpeg(_table())[:40_000], "truncated"),
        (lambda: _png(_table())[:40_000], "truncated"),
    ],
    ids=["empty", "text", "truncated JPEG", "truncated PNG"],
)
def test_a_file_that_is_no_whole_picture_says_so(
    read: Read, data_of: Callable[[], bytes], words: str
):
    status, message = read(data_of(), "table.jpg")
    assert status == 1
    assert words in message


@pytest.mark.further
def test_a_hundred_megapixels_are_read_and_more_are_refused(read: Read):
    """A camera that delivers them is odd, but no fault; a picture bomb is refused unopened."""
    large = cv2.resize(_table(), (11547, 8660), interpolation=cv2.INTER_LINEAR)
    status, printed = read(encode_jpeg(np.asarray(large, np.uint8), 70))
    assert status == 0
    assert _rows(printed) == ROWS
    bomb = bytearray(_png(np.zeros((8, 8, 3), np.uint8)))
    bomb[16:24] = struct.pack(">II", 60_000, 60_000)
    status, message = read(bytes(bomb), "bomb.png")
    assert status == 1
    assert "megapixels" in message


def test_a_picture_in_four_inks_is_read_right(read: Read):
    """CMYK, as picture editors for print save it."""
    status, printed = read(_cmyk_jpeg(_table()))
    assert status == 0
    assert _rows(printed) == ROWS


@pytest.mark.parametrize(
    ("turn_deg", "axis"), first_of(1, [(90, 0), (0, 1)]), ids=["and turned", "seen"]
)
def test_a_mirrored_picture_is_read_right_and_said_to_be_one(read: Read, turn_deg: int, axis: int):
    """A webcam that shows people themselves: the letters count, the setting is named."""
    picture = np.ascontiguousarray(np.flip(_table(turn_deg=turn_deg), axis))
    status, printed = read(_png(picture), "webcam.png")
    assert status == 0
    assert _rows(printed) == ROWS
    assert "note: the picture is mirrored: switch mirroring off" in printed


def test_the_nearer_of_two_boards_is_read_and_said_to_be_the_one(read: Read):
    """The next table at the rim of the picture is somebody else's."""
    near, far = _table(), _table(distance=62.0)
    status, printed = read(_png(np.hstack([far, near])), "hall.png")
    assert status == 0
    assert _rows(printed) == ROWS
    assert "note: 2 boards are in the picture: the larger, right one was read" in printed
