"""A camera at a rack: says which tiles are on it when that is news and the hands are gone.

What is on a rack is for the recorder and the director, never for the public. Must not know turns
or rules.
"""

import logging
from collections.abc import Callable

from devices.cameras.camera_device import CameraDevice, CameraParts
from devices.cameras.frames import CameraFrame
from devices.pictures import Image
from devices.vision.look import RackLook
from recorder.domain.observations import RackSeen, Side
from recorder.domain.tile_text import read_tiles

_LOG = logging.getLogger(__name__)

_NO_RACK = RackLook("")


RackReader = Callable[[Image], tuple[RackLook, ...]]
"""The eyes as a rack camera needs them: the racks in a picture, the surest first."""


class RackCamera(CameraDevice):
    """The device: as a board camera, with a reader of racks, at one half of the clock."""

    kind = "rack-camera"

    def __init__(self, parts: CameraParts, reader: RackReader, side: Side) -> None:
        super().__init__(parts)
        self._reader, self._side = reader, side
        self._said_rack: str | None = None
        self._has_seen_tiles = False

    def _look_at(self, frame: CameraFrame, still_ms: int) -> None:  # noqa: ARG002 the same for all
        racks = self._reader(frame.image)
        rack = racks[0] if racks else _NO_RACK
        # Empty after a bingo, a round's end: no fault. The table's account says what is missing.
        self._has_seen_tiles = self._has_seen_tiles or bool(racks)
        self._said_reason = "" if self._has_seen_tiles else "no tiles were seen yet"
        # Unlike a board, a rack is not repeated: nothing in the game waits for it.
        if rack.slots == self._said_rack and not (self._asked or self._source.is_stills):
            return
        seen = RackSeen(
            side=self._side,
            letters=read_tiles(rack.letters),
            slots=read_tiles(rack.slots),
            confidence=min(rack.confidence, default=0.0),
            doubtful=rack.doubtful,
            picture=self._keep(frame),
        )
        self._outlet.observe(seen, min(frame.captured_ms, self._ticks()))
        self._said_rack = rack.slots

    def _say_unseen(self, frame_name: str, reason: str, at_ms: int) -> None:
        """Say once that nothing is known of the rack any more."""
        if reason != self._said_reason:
            _LOG.warning("%s: no rack on %s: %s", self.name, frame_name, reason)
        self._said_reason = reason
        if self._said_rack == "":
            return
        nothing = RackSeen(side=self._side, letters=(), slots=(), confidence=0.0)
        self._outlet.observe(nothing, min(at_ms, self._ticks()))
        self._said_rack = ""
