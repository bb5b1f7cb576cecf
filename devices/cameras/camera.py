"""Cameras and what stands in for them: the only file that opens captures.

Live cameras (index, device path, stream URL), snapshot URLs, video files and folders of
photographs, each as a ``FrameSource``. ``open_source`` chooses by the user's text. Must not know
boards, or what a frame is used for.
"""

import re
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import urlsplit

import cv2
import numpy as np

from devices.cameras.frames import BadFrame, CameraFrame, FrameSource, frame_of
from devices.cameras.live.capture import LiveCapture
from devices.cameras.phone import PhoneCamera
from devices.cameras.snapshot import SnapshotUrl
from devices.ports import Ticks
from recorder.domain.errors import NotationError
from recorder.picture_header import is_animated_webp

PICTURE_SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".webp", ".bmp"})
# Taken up all the same, so that a folder straight from a phone says what is wrong with it.
_FOREIGN_SUFFIXES = frozenset({".heic", ".heif", ".avif", ".tif", ".tiff", ".gif", ".dng"})
_SPECS = (
    'a camera number ("0"), a device ("/dev/video0"), a stream ("rtsp://..."), a snapshot'
    ' ("http://phone:8080/shot.jpg" or "snapshot:http://..."), a phone ("phone://..."), a video'
    " file, or a folder of photographs"
)


def natural_key(name: str) -> tuple[tuple[int, int, str], ...]:
    """Sorts "shot2.jpg" before "shot10.jpg", whatever the case of the letters.

    >>> sorted(["b1", "A10", "a2"], key=natural_key)
    ['a2', 'A10', 'b1']
    """
    parts = re.split(r"([0-9]+)", name.casefold())
    return tuple(
        (0, int(part), part) if place % 2 else (1, 0, part) for place, part in enumerate(parts)
    )


_WRITTEN_MS = 500


class PhotoFolder:
    """Photographs in natural order of their names, each given once.

    The folder is looked through once, at the start. Files that are no pictures by their names are
    left out (``skipped``); a picture that cannot be read comes as a ``BadFrame``.
    """

    is_stills = True
    lost = ""

    def __init__(self, path: Path, ticks: Ticks, *, may_be_empty: bool = False) -> None:
        self.name = str(path)
        self._ticks = ticks
        self.files, self.skipped = _pictures_in(path)
        self._at = 0
        self._seen: set[str] = set()
        if not self.files and not may_be_empty:
            raise NotationError(f"{path}: has no photographs (JPEG, PNG, WebP or BMP)")

    @property
    def ended(self) -> bool:
        """See ``FrameSource``."""
        return self._at >= len(self.files)

    def read(self, timeout_s: float = 0.0) -> CameraFrame | BadFrame | None:  # noqa: ARG002 never waits
        """See ``FrameSource``."""
        return None if self.ended else self._next()

    def _next(self) -> CameraFrame | BadFrame:
        path = self.files[self._at]
        self._at += 1
        return self._load(path)

    def close(self) -> None:
        """See ``FrameSource``."""
        self._at = len(self.files)

    def _load(self, path: Path) -> CameraFrame | BadFrame:
        at_ms = self._ticks()
        try:
            data = path.read_bytes()
        except OSError as err:
            return BadFrame(name=path.name, captured_ms=at_ms, reason=f"cannot be read: {err}")
        frame = frame_of(data, path.name, at_ms)
        if isinstance(frame, CameraFrame):
            frame = replace(frame, is_duplicate=frame.sha256 in self._seen)
            self._seen.add(frame.sha256)
        return frame


def _pictures_in(path: Path) -> tuple[tuple[Path, ...], tuple[Path, ...]]:
    """The pictures of a folder by their names, in natural order, and its other files."""
    files = [file for file in path.iterdir() if file.is_file() and file.name[0] != "."]
    files.sort(key=lambda file: (natural_key(file.name), file.name))
    wanted = PICTURE_SUFFIXES | _FOREIGN_SUFFIXES
    return (
        tuple(file for file in files if file.suffix.lower() in wanted),
        tuple(file for file in files if file.suffix.lower() not in wanted),
    )


class FillingFolder(PhotoFolder):
    """A folder that a camera fills while it is watched: what is there, then what comes.

    Pictures that come together come in natural order of their names. One is taken when it has not
    grown for half a second: the camera may still be writing it.
    """

    def __init__(self, path: Path, ticks: Ticks) -> None:
        self._path = path
        self._growing: dict[Path, tuple[int, int]] = {}
        self._closed = False
        super().__init__(path, ticks, may_be_empty=True)

    @property
    def ended(self) -> bool:
        """See ``FrameSource``: a folder may always fill."""
        return self._closed

    @property
    def lost(self) -> str:  # type: ignore[override]
        """See ``FrameSource``."""
        return "" if self._path.is_dir() else "the folder is gone"

    def read(self, timeout_s: float = 0.0) -> CameraFrame | BadFrame | None:
        """See ``FrameSource``. Looks for new pictures; waits when there are none."""
        if self._at >= len(self.files):
            self._look_again()
        if self._at < len(self.files):
            return self._next()
        time.sleep(timeout_s)
        return None

    def close(self) -> None:
        """See ``FrameSource``."""
        self._closed = True

    def _look_again(self) -> None:
        known, now_ms = set(self.files), self._ticks()
        try:
            new = [file for file in _pictures_in(self._path)[0] if file not in known]
            sizes = {file: file.stat().st_size for file in new}
        except OSError:
            return
        whole = []
        for file, size in sizes.items():
            before, since_ms = self._growing.setdefault(file, (size, now_ms))
            if before != size:
                self._growing[file] = (size, now_ms)
            elif now_ms - since_ms >= _WRITTEN_MS:
                del self._growing[file]
                whole.append(file)
        self.files = (*self.files, *whole)


_WHOLE = 0.97
"""Containers count a frame or two more than they hold."""


_SLIDE_MS = 250
"""Pictures of a GIF that last so long were taken on purpose."""


class VideoFile:
    """Every frame of a video, as fast as it is read; times are the video's own.

    A GIF that shows each picture for a while is a row of photographs.
    """

    lost = ""

    def __init__(self, path: Path, ticks: Ticks) -> None:
        self.name = str(path)
        self._capture = cv2.VideoCapture(str(path))
        if not self._capture.isOpened():
            self._capture.release()
            why = "no video, one of a kind unknown here, or cut off before its end was written"
            raise NotationError(f"{path.name}: {why}")
        fps = self._capture.get(cv2.CAP_PROP_FPS)
        self._frames = round(self._capture.get(cv2.CAP_PROP_FRAME_COUNT))
        self._last_ms = -1
        self._frame_ms = 1000 / fps if 0.01 <= fps <= 1000 else 40.0
        self.is_stills = path.suffix.lower() == ".gif" and self._frame_ms >= _SLIDE_MS
        self._start_ms = ticks()
        self._number = 0
        self.ended = False

    def read(self, timeout_s: float = 0.0) -> CameraFrame | BadFrame | None:  # noqa: ARG002 never waits
        """See ``FrameSource``."""
        if self.ended:
            return None
        got, image = self._capture.read()
        if not got:
            self.close()
            return None
        name = f"{Path(self.name).name}@{self._number:06d}"
        self._last_ms = max(self._last_ms + 1, self._time_ms())
        captured_ms = self._start_ms + self._last_ms
        self._number += 1
        pixels = np.ascontiguousarray(image, dtype=np.uint8)
        return CameraFrame(name=name, captured_ms=captured_ms, image=pixels)

    @property
    def fault(self) -> str:
        """What is wrong with the file, as far as it has been read: it ends before its end."""
        if self._number >= _WHOLE * self._frames:
            return ""
        return f"it ends after {self._number} of {self._frames} frames: damaged, or still written"

    def _time_ms(self) -> int:
        """The time of the newest frame, also where frames come at uneven times."""
        position_ms = self._capture.get(cv2.CAP_PROP_POS_MSEC)
        return round(position_ms if position_ms > 0 else self._number * self._frame_ms)

    def close(self) -> None:
        """See ``FrameSource``."""
        self.ended = True
        self._capture.release()


def is_snapshot(spec: str) -> bool:
    """Whether ``spec`` names a picture that is asked for again and again, no stream."""
    form = r"snapshot:.*|https?://[^?#]+\.(jpe?g|png)([?#].*)?"
    return re.fullmatch(form, spec, re.IGNORECASE) is not None


def open_source(
    spec: str, ticks: Ticks, *, interval_ms: int = 0, fills: bool = False
) -> FrameSource:
    """The source that ``spec`` names. NotationError says what would have been possible.

    ``interval_ms`` is the shortest time between two requests to a snapshot URL; ``fills``: a folder
    is watched for what a camera puts into it. A camera that is
    not there yet is no error: the source waits for it and says so in ``lost``.
    """
    if not spec.strip():
        raise NotationError(f"no camera source is named; it can be {_SPECS}")
    try:
        urlsplit(spec.removeprefix("snapshot:")).port  # noqa: B018 - read, it is checked
    except ValueError as fault:
        raise NotationError(
            f"{spec}: not a complete address such as http://phone:8080/: {fault}"
        ) from None
    if re.match(r"phone(\+http)?://", spec):
        return PhoneCamera(spec, ticks)
    if is_snapshot(spec):
        return SnapshotUrl(spec.removeprefix("snapshot:"), ticks, interval_ms=interval_ms)
    if re.match(r"(https?|rtsps?|rtmp|udp|tcp)://|/dev/video", spec):
        return LiveCapture(spec, ticks)
    if re.fullmatch(r"[0-9]{1,3}", spec):
        return LiveCapture(int(spec), ticks)
    return _stored(Path(spec).expanduser(), ticks, fills=fills)


def _stored(path: Path, ticks: Ticks, *, fills: bool) -> FrameSource:
    if path.is_char_device():
        return LiveCapture(str(path), ticks)
    if path.is_dir():
        return FillingFolder(path, ticks) if fills else PhotoFolder(path, ticks)
    if not path.is_file():
        raise NotationError(f"{path}: no such file or folder; a source can be {_SPECS}")
    if path.suffix.lower() == ".gif":
        return VideoFile(path, ticks)
    with path.open("rb") as file:
        head = file.read(21)
    if is_animated_webp(head):
        raise NotationError(f"{path} is an animated WebP, which cannot be played: make a GIF of it")
    if path.suffix.lower() in PICTURE_SUFFIXES | _FOREIGN_SUFFIXES:
        raise NotationError(f"{path} is one photograph; name its folder")
    return VideoFile(path, ticks)


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundCamera:
    """A capture device of this machine."""

    path: str
    description: str


def find_cameras(
    devices: Path = Path("/dev"), names: Path = Path("/sys/class/video4linux")
) -> Sequence[FoundCamera]:
    """The capture devices of a Linux machine; elsewhere none are found, numbers work still."""
    found = sorted(devices.glob("video*"), key=lambda path: natural_key(path.name))
    return [FoundCamera(path=str(path), description=_label(names / path.name)) for path in found]


def _label(entry: Path) -> str:
    try:
        return (entry / "name").read_text(encoding="utf-8").strip()
    except OSError:
        return ""
