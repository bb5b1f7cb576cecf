"""Folders, videos, snapshots: real files, a real HTTP server, damaged pictures among them."""

import contextlib
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

import cv2
import numpy as np
import pytest

from devices.cameras.camera import PhotoFolder, VideoFile, find_cameras, open_source
from devices.cameras.frames import BadFrame, CameraFrame
from devices.cameras.live.capture import LiveCapture
from devices.cameras.snapshot import SnapshotUrl
from devices.pictures import MOST_PIXELS, Image, decode_picture, encode_jpeg
from devices.ports import Ticks
from recorder.domain.errors import DeviceError, NotationError
from recorder.picture_header import read_header
from tests.eventually import eventually
from tests.served import Quiet, serving


def _picture(seed: int, height: int = 60, width: int = 80) -> Image:
    rng = np.random.default_rng(seed)
    small = rng.integers(0, 255, (6, 8, 3), dtype=np.uint8)
    return np.asarray(cv2.resize(small, (width, height)), dtype=np.uint8)


def _encoded(suffix: str, image: np.ndarray) -> bytes:
    return bytes(cv2.imencode(suffix, image)[1])


def _read_all(source: PhotoFolder | VideoFile) -> list[CameraFrame | BadFrame]:
    found = []
    while (frame := source.read()) is not None:
        found.append(frame)
    assert source.ended
    return found


def test_photographs_come_in_natural_order(tmp_path: Path, ticks: Ticks):
    """Shot 2 was taken before shot 10, and the notes beside them are no photographs."""
    names = ["shot10.jpg", "shot2.JPG", "Shot1.png", "shot10b.jpeg", "after.webp"]
    for seed, name in enumerate(names):
        suffix = Path(name).suffix.lower()
        (tmp_path / name).write_bytes(_encoded(suffix, _picture(seed)))
    (tmp_path / "notes.txt").write_text("round 3", encoding="utf-8")
    (tmp_path / ".hidden.jpg").write_bytes(b"")
    folder = PhotoFolder(tmp_path, ticks)
    order = [frame.name for frame in _read_all(folder)]
    assert order == ["after.webp", "Shot1.png", "shot2.JPG", "shot10.jpg", "shot10b.jpeg"]
    assert [path.name for path in folder.skipped] == ["notes.txt"]


def test_a_bad_photograph_is_named_and_the_next_one_is_read(tmp_path: Path, ticks: Ticks):
    """A truncated JPEG, a text called .jpg, an empty file and a HEIC: none ends the game."""
    good = encode_jpeg(_picture(1))
    (tmp_path / "1.jpg").write_bytes(good[: len(good) * 2 // 3])
    (tmp_path / "2.jpg").write_text("this is no picture", encoding="utf-8")
    (tmp_path / "3.jpg").write_bytes(b"")
    (tmp_path / "4.heic").write_bytes(b"\0\0\0\x18ftypheic" + bytes(20))
    (tmp_path / "5.jpg").write_bytes(good)
    *bad, last = _read_all(PhotoFolder(tmp_path, ticks))
    reasons = [frame.reason for frame in bad if isinstance(frame, BadFrame)]
    words = ["truncated", "not a picture", "empty", "HEIC"]
    assert len(reasons) == 4
    assert [word in reason for word, reason in zip(words, reasons, strict=True)] == [True] * 4
    assert isinstance(last, CameraFrame)
    assert last.jpeg == good


def test_a_byte_identical_photograph_is_flagged(tmp_path: Path, ticks: Ticks):
    """A copy is no second press; a second photograph of the same board is."""
    (tmp_path / "1.jpg").write_bytes(encode_jpeg(_picture(1)))
    (tmp_path / "2.jpg").write_bytes(encode_jpeg(_picture(1)))
    (tmp_path / "3.jpg").write_bytes(encode_jpeg(_picture(1), quality=80))
    frames = _read_all(PhotoFolder(tmp_path, ticks))
    assert [isinstance(f, CameraFrame) and f.is_duplicate for f in frames] == [False, True, False]


def test_a_folder_without_photographs_is_refused(tmp_path: Path, ticks: Ticks):
    """An empty folder is a mistake in the path, not an empty game."""
    with pytest.raises(NotationError, match="no photographs"):
        PhotoFolder(tmp_path, ticks)


def test_a_phone_held_sideways_gives_an_upright_picture():
    """EXIF orientation 6 means: turn clockwise to look at it."""
    jpeg = encode_jpeg(_picture(3))
    tiff = b"MM\0*\0\0\0\x08" + struct.pack(">HHHIHHI", 1, 0x0112, 3, 1, 6, 0, 0)
    segment = b"Exif\0\0" + tiff
    marked = jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(segment) + 2) + segment + jpeg[2:]
    plain, turned = decode_picture(jpeg), decode_picture(marked)
    assert turned.shape == (80, 60, 3)
    assert np.array_equal(turned, cv2.rotate(plain, cv2.ROTATE_90_CLOCKWISE))


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(_encoded(".jpg", _picture(4)[:, :, 0]), id="grey JPEG"),
        pytest.param(_encoded(".png", _picture(4).astype(np.uint16) * 257), id="16-bit PNG"),
        pytest.param(
            _encoded(".png", cv2.cvtColor(_picture(4), cv2.COLOR_BGR2BGRA)), id="transparent PNG"
        ),
        pytest.param(_encoded(".bmp", _picture(4)), id="BMP"),
        pytest.param(_encoded(".webp", _picture(4)), id="WebP"),
    ],
)
def test_every_kind_of_picture_becomes_bgr(data: bytes):
    """Whatever the camera saves, the eyes get height x width x 3 bytes; a cut file is refused."""
    image = decode_picture(data)
    assert (image.shape, image.dtype) == ((60, 80, 3), np.uint8)
    for part in (0.95, 0.5, 0.1):
        with pytest.raises(DeviceError):
            decode_picture(data[: int(len(data) * part)])


def test_a_monstrous_picture_is_refused_before_it_is_decoded():
    """A bomb of 60,000 x 60,000 pixels in a few bytes."""
    header = struct.pack(">IIBBBBB", 60_000, 60_000, 8, 2, 0, 0, 0)
    png = b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + b"IHDR" + header + bytes(4)
    png += struct.pack(">I", 0) + b"IEND" + bytes(4)
    assert read_header(png).width == 60_000
    with pytest.raises(DeviceError, match=str(MOST_PIXELS // 1_000_000)):
        decode_picture(png)


def test_no_garbage_makes_the_reader_stumble():
    """Cut, shuffled and random bytes are refused or read, never anything else."""
    rng = np.random.default_rng(5)
    seeds = [_encoded(suffix, _picture(6)) for suffix in (".jpg", ".png", ".webp", ".bmp")]
    for round_number in range(200):
        data = bytearray(seeds[round_number % 4])
        for spot in rng.integers(0, min(len(data), 200), 3):
            data[spot] = rng.integers(0, 256)
        with contextlib.suppress(DeviceError):
            assert decode_picture(bytes(data)).ndim == 3


@pytest.fixture
def video(tmp_path: Path) -> Path:
    """Twelve frames at 25 per second, written by OpenCV."""
    path = tmp_path / "game.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 25.0, (80, 60))
    for number in range(12):
        writer.write(np.full((60, 80, 3), number * 20, np.uint8))
    writer.release()
    return path


def test_a_video_gives_every_frame_with_its_own_time(video: Path, ticks: Ticks):
    """A slow reader loses no frame of a file."""
    frames = [
        frame for frame in _read_all(VideoFile(video, ticks)) if isinstance(frame, CameraFrame)
    ]
    assert [round(float(frame.image.mean()) / 20) for frame in frames] == list(range(12))
    assert frames[11].captured_ms - frames[0].captured_ms == 440
    assert frames[3].name == "game.avi@000003"


def test_a_live_camera_gives_the_newest_frame_and_is_opened_again(video: Path, ticks: Ticks):
    """A capture that ends (here: a file played as if it were live) is lost, then back."""
    camera = LiveCapture(str(video), ticks)
    try:
        eventually(lambda: camera.lost.startswith("no frames"))
        newest = camera.read(1.0)
        assert isinstance(newest, CameraFrame)
        assert newest.name == "live-00000012"
        again = camera.read(3.0)
        assert isinstance(again, CameraFrame)
        assert again.name > "live-00000012"
    finally:
        camera.close()


class _Phone(Quiet):
    """A camera app: one picture per GET, with what the list of answers says."""

    answers: ClassVar[list[tuple[int, bytes]]]
    asked: ClassVar[list[str]]
    protocol_version = "HTTP/1.1"

    def answer(self) -> None:
        self.asked.append(f"{self.path} {self.headers.get('Authorization', '')}".strip())
        status, body = self.answers.pop(0) if self.answers else (410, b"")
        self.give(body, status)


@pytest.fixture
def phone() -> Iterator[tuple[type[_Phone], str]]:
    class App(_Phone):
        answers: ClassVar[list[tuple[int, bytes]]] = []
        asked: ClassVar[list[str]] = []

    with serving(App) as address:
        yield App, f"{address.removeprefix('http://')}/shot.jpg"


def test_each_request_is_one_frame(phone: tuple[type[_Phone], str], ticks: Ticks):
    """The server decides what the next frame is: nothing is skipped, 410 ends it."""
    app, address = phone
    jpegs = [encode_jpeg(_picture(seed)) for seed in range(3)]
    app.answers += [(200, jpegs[0]), (204, b""), (200, jpegs[1]), (200, jpegs[2][:900])]
    source = open_source(f"http://{address}", ticks)
    frames = [source.read(1.0) for _ in range(5)]
    assert [type(frame).__name__ for frame in frames] == [
        *("CameraFrame", "NoneType", "CameraFrame", "BadFrame", "NoneType")
    ]
    assert [frame.jpeg for frame in frames if isinstance(frame, CameraFrame)] == jpegs[:2]
    assert source.ended
    assert len(app.asked) == 5


def test_an_address_without_a_picture_is_not_asked_as_fast_as_it_answers(
    phone: tuple[type[_Phone], str], ticks: Ticks
):
    """That would take a whole processor from the table's other cameras."""
    app, address = phone
    app.answers += [(200, b"no picture")] * 10_000
    source = SnapshotUrl(f"http://{address}", ticks)
    begun = ticks()
    while ticks() < begun + 1_000:
        source.read(0.1)
    source.close()
    assert len(app.asked) <= 6


def test_a_camera_app_that_fails_is_lost_then_back(
    phone: tuple[type[_Phone], str], ticks: Ticks, caplog: pytest.LogCaptureFixture
):
    """Said once each way; a redirect that leads nowhere is shown."""
    caplog.set_level("INFO", logger="devices.cameras.snapshot")
    app, address = phone
    app.answers += [(503, b"busy"), (302, b""), (200, encode_jpeg(_picture(1)))]
    source = SnapshotUrl(f"http://user:s%3Acret@{address}?q=1", ticks)
    assert source.read(2.0) is None
    assert "503" in source.lost
    assert source.read(2.0) is None
    assert "302" in source.lost
    assert isinstance(source.read(2.0), CameraFrame)
    assert source.lost == ""
    source.close()
    assert [record.levelname for record in caplog.records] == ["WARNING", "INFO"]
    assert "cret" not in caplog.text
    assert app.asked[0] == "/shot.jpg?q=1 Basic dXNlcjpzOmNyZXQ="


def test_a_redirect_is_followed_on_its_server_and_named_where_it_leads_to_another(ticks: Ticks):
    """Each time again, for the newest picture is always somewhere else.

    No password goes to another.
    """
    places = iter(["/pictures/1.jpg", "/pictures/2.jpg", "http://other.example/shot.jpg"])
    asked: list[str] = []

    class App(Quiet):
        def answer(self) -> None:
            asked.append(f"{self.path} {'Authorization' in self.headers}")
            is_newest = self.path == "/newest.jpg"
            body = b"" if is_newest else encode_jpeg(_picture(int(self.path[-5])))
            to = {"Location": next(places)} if is_newest else {}
            self.give(body, 302 if is_newest else 200, **to)

    with serving(App) as address:
        named = address.replace("//", "//user:secret@")
        source = SnapshotUrl(f"{named}/newest.jpg", ticks)
        frames = [source.read(2.0), source.read(2.0)]
        assert [frame.jpeg for frame in frames if isinstance(frame, CameraFrame)] == [
            encode_jpeg(_picture(1)),
            encode_jpeg(_picture(2)),
        ]
        assert source.read(2.0) is None
        assert source.lost.endswith(
            "it sends us to http://other.example/shot.jpg; name that address"
        )
        source.close()
    assert asked[:4] == [
        "/newest.jpg True",
        "/pictures/1.jpg True",
        "/newest.jpg True",
        "/pictures/2.jpg True",
    ]


def test_nobody_at_the_address_is_a_loss_and_no_crash(ticks: Ticks):
    source = SnapshotUrl("http://127.0.0.1:9/shot.jpg", ticks)
    assert source.read(1.0) is None
    assert source.lost
    source.close()


def test_a_folder_that_a_camera_fills_is_watched(tmp_path: Path):
    """What is there comes first, then each new picture, once it is written to its end."""
    now_ms = [0]
    (tmp_path / "1.jpg").write_bytes(encode_jpeg(_picture(1)))
    source = open_source(str(tmp_path), lambda: now_ms[0], fills=True)

    def seen() -> list[str]:
        found = []
        for _ in range(3):
            while (frame := source.read(0.0)) is not None:
                found.append(f"{type(frame).__name__} {frame.name}")
            now_ms[0] += 300
        return found

    assert seen() == ["CameraFrame 1.jpg"]
    picture = encode_jpeg(_picture(2))
    (tmp_path / "2.jpg").write_bytes(picture[:500])
    source.read(0.0)
    now_ms[0] += 300
    (tmp_path / "2.jpg").write_bytes(picture)
    (tmp_path / "10.jpg").write_bytes(encode_jpeg(_picture(3)))
    assert seen() == ["CameraFrame 2.jpg", "CameraFrame 10.jpg"]
    assert not source.ended
    source.close()
    assert source.ended


def test_a_folder_may_be_empty_before_the_camera_begins(tmp_path: Path, ticks: Ticks):
    """The first picture comes with the first turn; a folder that goes away is lost."""
    folder = tmp_path / "shots"
    folder.mkdir()
    source = open_source(str(folder), ticks, fills=True)
    assert source.read(0.0) is None
    assert source.lost == ""
    folder.rmdir()
    assert source.read(0.0) is None
    assert source.lost


HALVES = ["http://[::1", "http://[zz]/x", "rtsp://[::1/x", "http://h:port/", "snapshot:http://["]
"""Addresses that are half of one, or none."""


@pytest.mark.parametrize("spec", [*HALVES, "nowhere/at/all", "snapshot:ftp://host/a.jpg", ""])
def test_an_impossible_source_teaches_what_is_possible(spec: str, ticks: Ticks, tmp_path: Path):
    """The message names the text and the forms it can take."""
    with pytest.raises(NotationError) as refused:
        open_source(spec or str(tmp_path / "x.mp4"), ticks)
    assert "http" in str(refused.value)


def test_the_source_is_chosen_by_its_text(tmp_path: Path, video: Path, ticks: Ticks):
    """Folder and video by what they are; a single photograph says to name its folder."""
    (tmp_path / "1.jpg").write_bytes(encode_jpeg(_picture(1)))
    assert isinstance(open_source(str(tmp_path), ticks), PhotoFolder)
    source = open_source(str(video), ticks)
    assert isinstance(source, VideoFile)
    source.close()
    with pytest.raises(NotationError, match="folder"):
        open_source(str(tmp_path / "1.jpg"), ticks)
    (tmp_path / "broken.mp4").write_bytes(b"no video")
    with pytest.raises(NotationError, match="video"):
        open_source(str(tmp_path / "broken.mp4"), ticks)


def test_cameras_of_a_machine_are_listed_with_their_names(tmp_path: Path):
    """/dev/video2 before /dev/video10, with what the driver calls it."""
    for name in ("video10", "video2"):
        (tmp_path / name).touch()
    (tmp_path / "sys" / "video2").mkdir(parents=True)
    (tmp_path / "sys" / "video2" / "name").write_text("HD Webcam\n", encoding="utf-8")
    found = find_cameras(tmp_path, tmp_path / "sys")
    assert [Path(camera.path).name for camera in found] == ["video2", "video10"]
    assert [camera.description for camera in found] == ["HD Webcam", ""]
