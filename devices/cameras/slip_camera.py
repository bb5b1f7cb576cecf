"""A camera over the place where slips are shown: what is circled, when that is news.

What is on a slip is for the recorder and the director, never for the public before the play is
accepted. Must not know turns or rules.
"""

import logging
from collections.abc import Callable

from devices.cameras.camera_device import CameraDevice, CameraParts
from devices.cameras.frames import CameraFrame
from devices.pictures import Image, encode_jpeg
from devices.vision.beside.slips import SlipLook
from recorder.domain.instruments import SlipEntry, SlipSeen

_LOG = logging.getLogger(__name__)


SlipReader = Callable[[Image], SlipLook | None]
"""The eyes as a slip camera needs them: the slip in a picture."""


class SlipCamera(CameraDevice):
    """The device: as a board camera, with a reader of slips."""

    kind = "slip-camera"

    def __init__(self, parts: CameraParts, reader: SlipReader) -> None:
        super().__init__(parts)
        self._reader = reader
        self._said: tuple[tuple[SlipEntry, ...], bool] | None = None

    def _look_at(self, frame: CameraFrame, still_ms: int) -> None:  # noqa: ARG002 the same for all
        look = self._reader(frame.image)
        if look is None:
            # A slip that is put away again says nothing new about its letter.
            self._said, self._said_reason = None, ""
            return
        self._said_reason = look.fault
        said = (look.entries, look.box is not None)
        if said == self._said and not (self._asked or self._source.is_stills):
            return
        challenge = "" if look.box is None else self._evidence.keep(encode_jpeg(look.box))
        picture = self._evidence.keep(encode_jpeg(look.upright))
        seen = SlipSeen(entries=look.entries, picture=picture, challenge=challenge)
        self._outlet.observe(seen, min(frame.captured_ms, self._ticks()))
        self._said = said

    def _say_unseen(self, frame_name: str, reason: str, at_ms: int) -> None:  # noqa: ARG002 no slip, no news
        """The camera is lost: that is its health; a slip out of sight is no observation."""
        if reason != self._said_reason:
            _LOG.warning("%s: no slip on %s: %s", self.name, frame_name, reason)
        self._said, self._said_reason = None, reason
