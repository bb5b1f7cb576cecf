"""A video, camera or folder of frames without a clock: the looks that matter, and who reached in.

Cheap motion detection runs on ten frames a second; a picture is read when it has settled and
differs from what was read last, or somebody has reached over the board since. Must not know turns
or rules: what a look means is found out above.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from devices.cameras.frames import BadFrame, CameraFrame, FrameSource
from devices.cameras.motion import LAST_STILL_FRAMES, MotionGate
from devices.cameras.reaching import Reach
from devices.pictures import Image, decode_picture, encode_jpeg, shrunk
from devices.vision.eyes import Eyes
from devices.vision.followed import BoardReader, FollowedBoard
from devices.vision.look import BoardReading, board_seen
from devices.vision.one_side import read_from_side, turns_to_one_side
from devices.watching.paced import SAMPLE_MS, STILL_FRAMES, STILL_MS
from recorder.domain.errors import DeviceError
from recorder.domain.observations import BoardNotSeen, BoardSeen
from recorder.domain.pictured import WatchedLook

STALLED_S = 30.0
_WAIT_S = 0.5
_KEPT_SIDE = 1280
_SURE_SIDE = 30.0
"""Nats of a look by itself from which no other look can speak for another side."""
OnProgress = Callable[[int, int, int], None]
"""Is given how far it has come: frames passed, looks taken, and the time in the video in ms."""


class Watcher:
    """Watches one source to its end. ``keeps_pictures``: each look carries its picture.

    ``ends_moving_ms``: when a film ended in whose last frames something moved that no look shows,
    from its first frame; None where there is no such thing.
    """

    def __init__(
        self,
        source: FrameSource,
        eyes: BoardReader,
        *,
        keeps_pictures: bool = False,
        on_progress: OnProgress = lambda *_: None,
    ) -> None:
        self._source, self._board = source, FollowedBoard(eyes)
        self._found: dict[int, tuple[BoardReading, bytes]] = {}
        self._keeps, self._on_progress = keeps_pictures, on_progress
        self._gate, self._reach = MotionGate(), Reach()
        self._start_ms: int | None = None
        self._number, self._looks = -1, 0
        self._rest_from = 0
        self._sampled_ms = -SAMPLE_MS
        self._passed: list[tuple[CameraFrame, int, int]] = []
        self._unread: tuple[CameraFrame, int, int] | None = None
        self.ends_moving_ms: int | None = None

    def looks(self) -> Iterator[WatchedLook]:
        """Every settled look, until the source ends. DeviceError when a live one gives nothing."""
        heard = time.monotonic()
        while not self._source.ended:
            frame = self._source.read(_WAIT_S)
            if frame is None:
                if time.monotonic() - heard > STALLED_S:
                    raise DeviceError(f"no picture for {STALLED_S:.0f} s")
                continue
            heard = time.monotonic()
            self._number += 1
            look = self._take(frame)
            if look is not None:
                self._looks += 1
                yield look
        yield from self._at_the_end()

    def on_one_side(self, looks: Sequence[WatchedLook], eyes: Eyes) -> list[WatchedLook]:
        """All looks that were given, those that saw the board from a wrong side read again."""
        turns = turns_to_one_side([look for look, _ in self._found.values()])
        turn_of = dict(zip(self._found, turns, strict=True))
        result = list(looks)
        for index, settled in enumerate(looks):
            number = settled.frames[1]
            look, jpeg = self._found.get(number, (None, b""))
            if look is not None and jpeg and turn_of[number]:
                again = read_from_side(eyes, decode_picture(jpeg), look, turn_of[number])
                result[index] = replace(settled, seen=board_seen(again, settled.name, 0))
        return result

    def _take(self, frame: CameraFrame | BadFrame) -> WatchedLook | None:
        if isinstance(frame, BadFrame):
            unseen = BoardNotSeen(frame=frame.name, reason=frame.reason)
            return self._settled(frame.name, None, unseen, None)
        if self._source.is_stills:
            return None if frame.is_duplicate else self._read(frame, None)
        if self._start_ms is None:
            self._start_ms = frame.captured_ms
        at_ms = frame.captured_ms - self._start_ms
        if at_ms - self._sampled_ms < SAMPLE_MS:
            self._passed[1:] = [(frame, at_ms, self._number)]  # the first one and the last
            return None
        self._sampled_ms = at_ms
        self._passed.clear()
        self._on_progress(self._number, self._looks, at_ms)
        return self._sample(frame, at_ms)

    def _sample(self, frame: CameraFrame, at_ms: int) -> WatchedLook | None:
        """One frame of a moving picture: who reaches in, and whether it has settled."""
        motion = self._gate.step(frame.image, at_ms)
        if motion.still_frames == 1:
            self._rest_from = self._number
        is_still = motion.still_frames >= STILL_FRAMES and motion.still_ms >= STILL_MS
        self._note_reach(frame, is_still=is_still)
        if not (motion.changed_since_look or self._reach.has_reached):
            self._unread = None
        elif is_still:
            return self._look_at(frame, at_ms)
        else:
            self._unread = frame, at_ms, motion.still_frames
        return None

    def _at_the_end(self) -> Iterator[WatchedLook]:
        """The look at a film's last frames where they are alike; else it ended moving."""
        for frame, at_ms, number in self._passed:
            self._number = number
            if (look := self._sample(frame, at_ms)) is not None:
                yield look
        if self._unread is None:
            return
        frame, at_ms, still_frames = self._unread
        if still_frames < LAST_STILL_FRAMES:
            self.ends_moving_ms = at_ms
            return
        self._note_reach(frame, is_still=True)
        yield self._look_at(frame, at_ms)

    def _note_reach(self, frame: CameraFrame, *, is_still: bool) -> None:
        corners = self._board.corners()
        self._reach.step(self._gate.small, corners, frame.image.shape[1], is_still=is_still)

    def _look_at(self, frame: CameraFrame, at_ms: int) -> WatchedLook:
        self._gate.looked()
        self._unread = None
        return self._read(frame, at_ms)

    def _read(self, frame: CameraFrame, at_ms: int | None) -> WatchedLook:
        look = self._board.read(frame.image)
        if look.found:
            is_unsure = any(look.sides) and look.turn_margin < _SURE_SIDE
            jpeg = encode_jpeg(frame.image, quality=95) if is_unsure else b""
            self._found[self._number] = look, jpeg
        settled = self._settled(frame.name, at_ms, board_seen(look, frame.name, 0), frame.image)
        return replace(settled, notes=look.notes)

    def _settled(
        self,
        name: str,
        at_ms: int | None,
        seen: BoardSeen | BoardNotSeen,
        image: Image | None,
    ) -> WatchedLook:
        jpeg = _small_jpeg(image) if self._keeps and image is not None else b""
        first = self._number if at_ms is None else self._rest_from
        return WatchedLook(
            name=name,
            at_ms=at_ms,
            frames=(first, self._number),
            reached=self._reach.edges(),
            arms=self._reach.arms(),
            seen=seen,
            jpeg=jpeg,
        )


def _small_jpeg(image: Image) -> bytes:
    return encode_jpeg(shrunk(image, _KEPT_SIDE)[0], quality=85)
