"""What hangs on this machine: its cameras, each with a picture, and its serial ports."""

import os
import time
from collections.abc import Iterable, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import cv2

from recorder.bus.exposure import routed_address
from recorder.domain.errors import TilecastError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from devices.cameras.frames import CameraFrame, FrameSource

WITHIN_S = 15.0
"""So long a camera may take for its first picture: FFmpeg looks at a stream for five seconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CameraLooked:
    """A camera that was tried: the file of its picture if there is one, and what is wrong."""

    source: str
    description: str = ""
    picture: str = ""
    size: tuple[int, int] = (0, 0)
    fault: str = ""


def own_address() -> str:
    """Where others on the network reach this machine, by its default route; empty without one."""
    address = routed_address()
    return "" if address.startswith("127.") else address


def found_cameras() -> list[CameraLooked]:
    """The video devices of this machine, none of them opened yet."""
    from devices.cameras.camera import find_cameras

    return [CameraLooked(source=cam.path, description=cam.description) for cam in find_cameras()]


def found_ports() -> list[tuple[str, str]]:
    """Serial ports with the system's words on each; a port of the board itself is no clock's."""
    from devices.link.serial_port import find_ports

    return [(port.path, port.description) for port in find_ports() if _is_plugged_in(port.path)]


def _is_plugged_in(path: str) -> bool:
    return any(kind in path for kind in ("USB", "ACM", "usb", "COM"))


def take_pictures(
    cameras: Iterable[CameraLooked], folder: Path, first: int = 1
) -> list[CameraLooked]:
    """A picture of each camera into ``folder``, as ``camera-1.jpg`` and so on, from ``first``."""
    return [_looked(camera, folder / f"camera-{n}.jpg") for n, camera in enumerate(cameras, first)]


def _looked(camera: CameraLooked, file: Path) -> CameraLooked:
    from devices.agent_process.ticks import agent_ticks
    from devices.cameras.camera import open_source
    from devices.cameras.complaint import camera_complaint, light_complaint, local_complaint

    if fault := local_complaint(camera.source):
        return replace(camera, fault=fault)
    try:
        with _quiet(), closing(open_source(camera.source, agent_ticks())) as source:
            frame = _first_frame(source)
            fault = source.lost or f"gave no picture within {WITHIN_S:g} s"
    except (TilecastError, OSError) as wrong:
        frame, fault = None, str(wrong)
    if frame is None:
        with _quiet():
            fault = camera_complaint(camera.source, agent_ticks(), WITHIN_S) or fault
        return replace(camera, fault=fault)
    file.parent.mkdir(parents=True, exist_ok=True)
    cv2.imwrite(str(file), frame.image)
    height, width = frame.image.shape[:2]
    return CameraLooked(
        source=camera.source,
        description=camera.description,
        picture=f"{file.parent.name}/{file.name}",
        size=(width, height),
        fault=light_complaint(frame.image),
    )


def _first_frame(source: "FrameSource") -> "CameraFrame | None":
    from devices.cameras.frames import BadFrame

    end = time.monotonic() + WITHIN_S
    while time.monotonic() < end and not source.ended:
        frame = source.read(0.2)
        if frame is not None and not isinstance(frame, BadFrame):
            return frame
    return None


@contextmanager
def _quiet() -> "Iterator[None]":
    """OpenCV writes of a device that is not there to the process' own standard error."""
    kept = os.dup(2)
    try:
        with Path(os.devnull).open("wb") as nowhere:
            os.dup2(nowhere.fileno(), 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


def unused(cameras: Sequence[CameraLooked], named: Sequence[str]) -> list[CameraLooked]:
    """Cameras that were found and that nobody has named."""
    return [camera for camera in cameras if camera.source not in named]
