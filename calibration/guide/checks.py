"""What all guided calibrations share: how a person is spoken to, pictures of refusals, files.

A step talks through a ``Dialogue``: the command line is one, the page another. Must not know which.
"""

import datetime as dt
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from calibration.guide.words import words
from devices.agent_process.table_file import (
    AgentPlan,
    BoardCameraPlan,
    DevicePlan,
    RackCameraPlan,
)
from devices.cameras.camera import open_source
from devices.cameras.frames import BadFrame, CameraFrame, FrameSource
from devices.pictures import Image, encode_jpeg
from devices.ports import Ticks
from recorder.domain.errors import DeviceError, NotationError

_WAIT_S = 0.5
_PATIENCE_READS = 40
"""With half a second each: how long a camera may take to give a first picture."""


class Dialogue(Protocol):
    """A person at the table, whatever stands between."""

    def tell(self, line: str) -> None:
        """Say something."""

    def ask(self, request: str) -> str:
        """Request something and wait until it is answered; what was typed."""

    def is_answered(self, request: str) -> bool:
        """Whether a standing request has been answered; it is said once. Never waits."""

    def keep_on(self) -> None:
        """Called while something else is waited for: raises when the person has ended the step."""

    def show(self, picture: Image, lines: Sequence[str], faults: Sequence[str] = ()) -> None:
        """Show a picture, what was measured on it, and what is not good enough of that.

        Where no picture can be shown, the words. Without faults all that was measured is good.
        """


class RefusedError(DeviceError):
    """A calibration that is not kept: the reason, the remedy, and the picture of it, if any."""

    def __init__(self, why: str, picture: Path | None = None) -> None:
        super().__init__(why if picture is None else f"{why} (see {picture})")
        self.picture = picture


@dataclass(frozen=True, slots=True)
class Kept:
    """A calibration that was kept: where it is, and what to do next, line by line."""

    path: Path | None
    lines: tuple[str, ...]


def now_text() -> str:
    """This moment, UTC, to the second."""
    return dt.datetime.now(dt.UTC).isoformat(timespec="seconds")


def chosen(plan: AgentPlan, word: str, name: str = "") -> DevicePlan:
    """The device of that kind in a table file; ``name`` where there are several."""
    found = [device for device in plan.devices if device.kind == word]
    if name:
        found = [device for device in found if device.name == name]
    if not found:
        called = f" called {name!r}" if name else ""
        raise NotationError(f"the table file has no {word}{called}; see tilecast agent --example")
    if len(found) > 1:
        names = ", ".join(device.name for device in found)
        raise NotationError(f"the table file has {len(found)} of kind {word}: {names}; name one")
    return found[0]


def next_frame(source: FrameSource) -> CameraFrame | None:
    """The next good picture; None when the source has ended. DeviceError when none comes."""
    bad = ""
    for _ in range(_PATIENCE_READS):
        frame = source.read(_WAIT_S)
        if isinstance(frame, CameraFrame):
            return frame
        if isinstance(frame, BadFrame):
            bad = f"{frame.name}: {frame.reason}"
        if source.ended:
            if bad:
                raise DeviceError(f"{source.name}: {bad}")
            return None
    raise DeviceError(
        words("none_comes", device=source.name, why=bad or source.lost or words("silent"))
    )


def next_frames(source: FrameSource, count: int) -> list[CameraFrame]:
    """So many pictures, or as many as the source still has."""
    frames: list[CameraFrame] = []
    while len(frames) < count and (frame := next_frame(source)) is not None:
        frames.append(frame)
    return frames


def point(
    source: FrameSource,
    dialogue: Dialogue,
    request: str,
    judge: Callable[[CameraFrame], tuple[Image, Sequence[str], Sequence[str]]],
) -> list[CameraFrame]:
    """Show what the camera sees, judged, until the person is content.

    Gives the last picture, for a source that ends before; photographs are not waited past.
    """
    last: list[CameraFrame] = []
    while not (source.is_stills or dialogue.is_answered(request)):
        frame = next_frame(source)
        if frame is None:
            break
        dialogue.show(*judge(frame))
        last = [frame]
    return last


def frames_of(
    plan: BoardCameraPlan | RackCameraPlan,
    count: int,
    ticks: Ticks,
    pointed: Callable[[FrameSource], list[CameraFrame]] = lambda _: [],
) -> list[CameraFrame]:
    """So many pictures of a plan's camera, once ``pointed`` is content; those it had if none come.

    DeviceError where there is none at all.
    """
    with closing(open_source(plan.source, ticks, interval_ms=plan.interval_ms)) as source:
        last = pointed(source)
        frames = next_frames(source, count) or last
    if not frames:
        raise DeviceError(words("gave_none", device=plan.name, source=plan.source))
    return frames


def save_picture(path: Path, picture: Image) -> Path:
    """A JPEG beside a profile."""
    path.write_bytes(encode_jpeg(picture))
    return path


def refusal(why: str, profile: Path, picture: Image) -> RefusedError:
    """A refusal with its picture: one for each profile, the newest."""
    beside = profile.with_name(f"{profile.stem}-refused.jpg")
    return RefusedError(why, save_picture(beside, picture))


def profile_of(profile: str, name: str, table: Path) -> tuple[Path, tuple[str, ...]]:
    """Where a device's profile is, or is to be; and what to put into the table file for it."""
    if profile:
        return Path(profile), ()
    path = table.parent / f"{name}.json"
    line = words("put_profile", profile=path.name, device=name, table=str(table))
    return path, (line,)
