"""Opens what ``tilecast watch`` shall watch, and watches it to its end or to the user's Ctrl-C.

Loads the network, so it is imported only where something is watched. Must not know turns or rules.
"""

import time
from contextlib import closing, suppress
from dataclasses import dataclass

from devices.cameras.camera import VideoFile, open_source
from devices.cameras.complaint import camera_complaint
from devices.cameras.phone import PhoneCamera
from devices.vision.eyes import Eyes
from devices.watching.settled_looks import OnProgress, Watcher
from recorder.domain.errors import DeviceError, NotationError
from recorder.domain.pictured import WatchedLook


@dataclass(frozen=True, slots=True)
class Watched:
    """The looks of a source, what was wrong with it or nothing, ``Watcher.ends_moving_ms``."""

    looks: tuple[WatchedLook, ...]
    fault: str
    ends_moving_ms: int | None


def watch_source(
    source: str,
    tiles: str | None,
    *,
    keeps_pictures: bool = False,
    on_progress: OnProgress = lambda *_: None,
) -> Watched:
    """Watch a source to its end; one that breaks off gives what there was, and says why.

    ``tiles`` as for ``Eyes``; None reads the letters of every set. NotationError when there is no
    such source, or it gives no picture at all.
    """
    # German letters are a superset of English ones; which set it is shows when all are read.
    eyes = Eyes(tiles or "german", hold_supply=False)
    looks: list[WatchedLook] = []
    fault = lost = ""
    with closing(open_source(source, _ticks)) as opened:
        watcher = Watcher(opened, eyes, keeps_pictures=keeps_pictures, on_progress=on_progress)
        try:
            with suppress(KeyboardInterrupt):
                looks.extend(watcher.looks())
        except DeviceError as stalled:
            fault, lost = str(stalled), opened.lost or "the stream has stalled"
        if isinstance(opened, VideoFile):
            fault = opened.fault
    if lost:
        tried = "" if isinstance(opened, PhoneCamera) else camera_complaint(source, _ticks)
        fault = f"{fault}: {tried or lost}"
    if not looks:
        raise NotationError(fault or "nothing in it is still: no picture could be read")
    return Watched(tuple(watcher.on_one_side(looks, eyes)), fault, watcher.ends_moving_ms)


def _ticks() -> int:
    return time.monotonic_ns() // 1_000_000
