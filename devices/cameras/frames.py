"""What a camera gives, whatever it is: frames, bad frames, and the source they come from.

Must not know files, captures or boards.
"""

import hashlib
from dataclasses import dataclass
from typing import Protocol

from devices.pictures import Image, decode_picture
from recorder.domain.errors import DeviceError


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CameraFrame:
    """One picture. ``captured_ms`` are the agent's milliseconds.

    ``jpeg`` holds the source's own bytes when it had a JPEG, else nothing; ``sha256`` is that of
    the source's bytes (of any format) or empty. ``is_duplicate``: byte for byte an earlier one.
    """

    name: str
    captured_ms: int
    image: Image
    jpeg: bytes = b""
    sha256: str = ""
    is_duplicate: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class BadFrame:
    """A picture that cannot be used: truncated, no picture, too large."""

    name: str
    captured_ms: int
    reason: str


def frame_of(data: bytes, name: str, captured_ms: int) -> CameraFrame | BadFrame:
    """The frame in the bytes of a picture, or why there is none."""
    try:
        image = decode_picture(data)
    except DeviceError as err:
        return BadFrame(name=name, captured_ms=captured_ms, reason=str(err))
    return CameraFrame(
        name=name,
        captured_ms=captured_ms,
        image=image,
        jpeg=data if data.startswith(b"\xff\xd8") else b"",
        sha256=hashlib.sha256(data).hexdigest(),
    )


class FrameSource(Protocol):
    """Where frames come from. Looks after its own connection; never raises for a bad picture."""

    @property
    def name(self) -> str:
        """What the user called it, for messages."""

    @property
    def is_stills(self) -> bool:
        """Every frame was taken on purpose (a photo folder): none is to be waited past."""

    @property
    def ended(self) -> bool:
        """Whether no frame will ever come again."""

    @property
    def lost(self) -> str:
        """Why no frames come at present, or empty."""

    def read(self, timeout_s: float) -> CameraFrame | BadFrame | None:
        """The next frame, or None when none came within ``timeout_s`` or the source has ended."""

    def close(self) -> None:
        """Let go of the device and of every thread."""
