"""Pictures of players and flags of countries, for the plates on air.

A picture is a file in the streamer's folder: the one that the feed names, else one named after the
player. What is no picture counts as none, so that the plate has initials instead.
"""

import hashlib
import io
import logging
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path, PurePosixPath

from recorder.domain.errors import DeviceError
from recorder.picture_header import read_header
from recorder.systems import read_file

MOST_BYTES = 2_000_000
MOST_PIXELS = 16_000_000
"""A browser on air unpacks a picture to four bytes a pixel, however small its file is."""
_MOST_FILES = 2000
FETCHED = "fetched-"
"""So the names of files begin that were fetched for a feed."""
_LONGEST_SIDE = 1920
_STARTS = {
    b"\x89PNG\r\n\x1a\n": "image/png",
    b"\xff\xd8\xff": "image/jpeg",
    b"RIFF": "image/webp",
}
_FLAGS = Path(__file__).parents[1] / "static" / "vendor" / "country-flag-icons" / "flags.zip"
_log = logging.getLogger(__name__)


def picture_type(content: bytes, most_pixels: int = MOST_PIXELS) -> str:
    """The media type of a whole PNG, JPEG or WebP of a sane size; empty for anything else."""
    for start, media in _STARTS.items():
        if content.startswith(start) and (media != "image/webp" or content[8:12] == b"WEBP"):
            return media if 0 < _pixels(content) <= most_pixels else ""
    return ""


def _pixels(content: bytes) -> int:
    """How many pixels a picture says that it has; 0 where it is cut off or none."""
    try:
        header = read_header(content)
    except DeviceError:
        return 0
    return header.width * header.height if header.is_whole else 0


def as_small_as_shown(content: bytes) -> bytes:
    """A picture that no screen shows whole, as a WebP of at most 1920 pixels a side.

    For what the streamer gives alone: it is decoded here. ValueError where it cannot be.
    """
    from PIL import Image  # only a print-size picture waits for it

    try:
        with Image.open(io.BytesIO(content)) as picture:
            picture.draft("RGB", (_LONGEST_SIDE, _LONGEST_SIDE))
            picture.thumbnail((_LONGEST_SIDE, _LONGEST_SIDE))
            smaller = io.BytesIO()
            picture.save(smaller, "WEBP", quality=90)
    except (OSError, SyntaxError) as err:
        raise ValueError(str(err)) from err
    return smaller.getvalue()


@cache
def flags() -> Mapping[str, bytes]:
    """Flags as SVG by ISO 3166 code in capitals, such as ``NG`` and ``GB-ENG``."""
    with zipfile.ZipFile(_FLAGS) as archive:
        return {name.removesuffix(".svg"): archive.read(name) for name in archive.namelist()}


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture that was read: its content and media type; both empty for none."""

    content: bytes = b""
    media_type: str = ""

    def address(self, name: str) -> str:
        """Where pages find it as ``name``; empty without one. It changes with the picture."""
        if not self.content:
            return ""
        return f"/branding/{name}?v={hashlib.sha256(self.content).hexdigest()[:12]}"


@dataclass(slots=True)
class Faces:
    """The pictures of a folder; None for no folder. Looked through again when it changes."""

    folder: Path | None = None
    want: Callable[[str], object] = lambda _: None
    """Given the name of every picture that a feed names and the folder has not."""

    _stamp: int = 0
    _files: dict[str, Path] = field(default_factory=dict)
    _faces: dict[str, Picture] = field(default_factory=dict)
    _addresses: dict[Path, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.changed()

    def changed(self) -> bool:
        """Whether files came or went since the last look."""
        try:
            stamp = 0 if self.folder is None else self.folder.stat().st_mtime_ns
        except OSError:
            stamp = 0
        if stamp == self._stamp:
            return False
        self._stamp = stamp
        self._files, self._faces, self._addresses = {}, {}, {}
        listed = sorted(self.folder.iterdir())[:_MOST_FILES] if self.folder and stamp else ()
        for file in listed:
            self._files.setdefault(_folded(file.stem), file)
        return True

    def address(self, player: str, named: str = "") -> str:
        """Where pages find the picture of a player; ``named``: what a feed calls its file.

        Empty where there is none, or where what is there is no picture.
        """
        stem = PurePosixPath(named.replace("\\", "/")).stem
        file = self._files.get(stem_of(named)) or (self._files.get(_folded(stem)) if stem else None)
        if named and file is None:
            self.want(named)
        file = file or self._files.get(_folded(player)) or self._files.get(_turned(player))
        if file is None:
            return ""
        if file not in self._addresses:
            self._addresses[file] = self._read(file)
        return self._addresses[file]

    def face(self, name: str) -> Picture | None:
        """The picture at an address that was given out."""
        return self._faces.get(name)

    def _read(self, file: Path) -> str:
        try:
            content = read_file(file, MOST_BYTES)
        except OSError:
            content = b""
        media_type = picture_type(content)
        if not media_type:
            _log.warning("%s: no whole PNG, JPEG or WebP of up to %d bytes", file, MOST_BYTES)
            return ""
        name = hashlib.sha256(content).hexdigest()[:16]
        self._faces[name] = Picture(content, media_type)
        return f"/face/{name}"


def stem_of(named: str) -> str:
    """The file, without its ending, of a picture fetched from there: one for each address."""
    return f"{FETCHED}{hashlib.sha256(named.encode()).hexdigest()[:16]}"


def _folded(name: str) -> str:
    return " ".join(name.replace("_", " ").split()).casefold()


def _turned(name: str) -> str:
    """The other order of a name: "Ashdown, Vera" is Vera Ashdown."""
    surname, comma, given = name.partition(",")
    return _folded(f"{given} {surname}") if comma else ""
