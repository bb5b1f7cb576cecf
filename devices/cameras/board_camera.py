"""A camera over a board: looks when the hands are gone, says what it saw when that is news.

Also says what is new and what is gone since it last reported a settled look, and when that look
may no longer hold because something begins to move. Must not know turns or rules.
"""

import logging
import re
from contextlib import suppress
from dataclasses import replace

from devices.cameras.camera_device import CameraDevice, CameraParts
from devices.cameras.frames import CameraFrame
from devices.cameras.motion import LAST_STILL_FRAMES
from devices.cameras.reaching import Reach
from devices.ports import Condition, DeviceHealth
from devices.vision.followed import BoardReader, FollowedBoard
from devices.vision.look import BoardReading, board_seen
from devices.vision.squares.changes import LogProbs, changes_since, remembered
from recorder.domain.errors import RecorderError
from recorder.domain.instruments import BoardStill, ReachedIn
from recorder.domain.observations import (
    COVERED_SYMBOL,
    EMPTY_SYMBOL,
    BoardNotSeen,
    BoardSeen,
    BoardStirred,
)
from recorder.wire.control import Command

_LOG = logging.getLogger(__name__)


class BoardCamera(CameraDevice):
    """The device, with the eyes that read its frames.

    With ``reach`` it shows who reached in before each look: for a table where no clock speaks.
    Then it also looks at what the source showed last, and says that it has ended; where something
    moved in the last frames that no look shows, ``ends_moving_ms`` is the time of the last one.
    """

    kind = "board-camera"

    def __init__(
        self, parts: CameraParts, eyes: BoardReader, *, reach: Reach | None = None
    ) -> None:
        super().__init__(parts)
        self._reach, self._said_reach, self._said_end = reach, False, False
        self.ends_moving_ms: int | None = None
        self._board = FollowedBoard(eyes)
        self._said_board: tuple[str, int] | None = None
        self._told: tuple[str, LogProbs] | None = None
        self._lies_still: tuple[BoardStill, int] | None = None
        """What to say to anyone who asks, by the newest frame; read by other threads."""

    def _look_at(self, frame: CameraFrame, still_ms: int) -> None:
        look = self._board.read(frame.image, in_haste=bool(self._asked))
        if look.found:
            self._say_seen(frame, look, still_ms)
        else:
            is_answer = bool(self._asked)
            self._say_unseen(frame.name, look.reason, frame.captured_ms, is_answer=is_answer)

    def _say_seen(self, frame: CameraFrame, look: BoardReading, still_ms: int) -> None:
        # A video file is read faster than it plays: its times may lie ahead of the agent's.
        now_ms = frame.captured_ms
        board = "".join(look.rows)
        is_news = self._stirred or self._policy.is_news(board, self._said_board, now_ms)
        if not (is_news or self._asked or self._source.is_stills):
            return
        if self._said_reason or self._said_board is None:
            again = " again" if self._said_reason else ""
            _LOG.info("%s: the board is seen%s, with %d tiles", self.name, again, _tiles(look))
        seen = board_seen(look, frame.name, still_ms, self._keep(frame))
        assert isinstance(seen, BoardSeen)
        self._say_reached(frame.name, now_ms)
        self._outlet.observe(self._with_news(seen, look), min(now_ms, self._ticks()))
        self._said_board, self._said_reason = (board, now_ms), ""
        self._stirred = self._is_moving

    def _moved(self, frame: CameraFrame, *, is_still: bool) -> None:
        if self._reach is None:
            return
        corners = self._board.corners()
        self._reach.step(self._gate.small, corners, frame.image.shape[1], is_still=is_still)

    def _was_reached(self) -> bool:
        return self._reach is not None and self._reach.has_reached

    def _say_reached(self, frame_name: str, at_ms: int) -> None:
        if self._reach is None:
            return
        edges, arms = self._reach.edges(), self._reach.arms()
        if edges or arms or not self._said_reach:
            reached = ReachedIn(frame=frame_name, edges=edges, arms=arms)
            self._outlet.observe(reached, min(at_ms, self._ticks()))
            self._said_reach = True

    @property
    def has_seen_board(self) -> bool:
        """Whether it has read a board at any time."""
        return self._board.last is not None

    def health(self) -> DeviceHealth:
        """See ``Device``. It has ended when that is said: then nothing more is to be sent."""
        health = super().health()
        if health.condition is Condition.ENDED and self._reach is not None and not self._said_end:
            return DeviceHealth(condition=Condition.READY, detail=self._said_reason)
        return health

    def _take_nothing(self) -> None:
        if self._reach is not None and self._source.ended and not self._said_end:
            self._look_at_the_end()
            frame = self._frame.name if self._frame is not None else self._source.name
            self._outlet.observe(ReachedIn(frame=frame, ended=True), self._ticks())
            self._said_end = True
        super()._take_nothing()

    def _look_at_the_end(self) -> None:
        """The last frames where they are alike, for no more come; else it ended moving."""
        frame, motion = self._frame, self._unread
        if frame is None or motion is None:
            return
        if motion.still_frames < LAST_STILL_FRAMES:
            self.ends_moving_ms = frame.captured_ms
            return
        self._moved(frame, is_still=True)
        self._look_as_it_is(frame, motion, is_still=True)

    def _stir(self, frame: CameraFrame) -> None:
        if not self._stirred:
            stirred = BoardStirred(frame=frame.name)
            self._outlet.observe(stirred, min(frame.captured_ms, self._ticks()))
        super()._stir(frame)

    def command(self, command: Command) -> None:
        """See ``Device``. That the board lies still is said at once: reading a look takes time."""
        super().command(command)
        if command.cmd == "look" and (lies := self._lies_still) is not None:
            self._lies_still = None  # the same again says no more
            with suppress(RecorderError):  # no room for it: the look that is asked for says so
                self._outlet.observe(*lies)

    def _lies(self, frame: CameraFrame, *, as_looked_at: bool) -> None:
        self._lies_still = None
        if self._told is None or self._stirred or not as_looked_at:
            return
        said = BoardStill(frame=self._told[0])
        self._lies_still = said, min(frame.captured_ms, self._ticks())

    def _with_news(self, seen: BoardSeen, look: BoardReading) -> BoardSeen:
        """The observation with what changed since the last settled look that was reported."""
        since, before = self._told or ("", None)
        if not self._is_moving:
            self._told = seen.frame, remembered(before, look.log_probs)
        changes = changes_since(before, look.log_probs) if before is not None else ()
        return replace(seen, since=since, changes=changes, moving=self._is_moving)

    def _say_unseen(
        self, frame_name: str, reason: str, at_ms: int, *, is_answer: bool = False
    ) -> None:
        is_same = _without_numbers(reason) == _without_numbers(self._said_reason)
        if is_same and not is_answer and not self._source.is_stills:
            return
        _LOG.warning("%s: no board on %s: %s", self.name, frame_name, reason)
        frame = self._frame
        picture = ""
        if frame is not None and frame.name == frame_name:
            picture = self._keep(frame)
        unseen = BoardNotSeen(frame=frame_name, reason=reason, picture=picture)
        self._outlet.observe(unseen, min(at_ms, self._ticks()))
        self._lies_still = None
        # What is seen next is news, even when it is what was seen before.
        self._said_reason, self._said_board, self._stirred = reason, None, True


def _tiles(look: BoardReading) -> int:
    return sum(symbol not in (EMPTY_SYMBOL, COVERED_SYMBOL) for symbol in look.symbols)


def _without_numbers(reason: str) -> str:
    """Two looks that differ in a score only have the same reason."""
    return re.sub(r"[0-9]+([.][0-9]+)?", "#", reason)
