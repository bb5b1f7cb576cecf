"""A camera that waits until the hands are gone: frames, motion, commands and evidence.

What is looked at, and what is said of it, is up to the cameras built on it. Cheap motion detection
runs on every frame; a look only on frames that are still and differ from what was last looked at,
when asked, and every ten seconds.
"""

import logging
import queue
import threading
import time
from abc import ABC, abstractmethod
from contextlib import closing
from dataclasses import dataclass, field, replace

import cv2
import numpy as np

from devices.cameras.evidence import EvidenceFolder
from devices.cameras.frames import BadFrame, CameraFrame, FrameSource
from devices.cameras.motion import Motion, MotionGate, RepeatedPicture
from devices.pictures import encode_jpeg, shrunk
from devices.ports import Condition, DeviceHealth, Outlet, Ticks
from recorder.domain.errors import DeviceError
from recorder.domain.observations import STANDARD_ORDER
from recorder.domain.tile_text import write_tiles
from recorder.domain.tiles import Tiles
from recorder.version import build_version
from recorder.wire.control import Command, DeviceInfo

_LOG = logging.getLogger(__name__)

_WAIT_S = 0.2
_EVEN_LEVELS = 8
_SHOWN_SIDE = 1280
"""Longest side of a picture sent for show: a broker refuses messages of a megabyte."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LookPolicy:
    """When to look and when to speak. Times in ms of the frames."""

    still_frames: int = 2
    still_ms: int = 0
    every_ms: int = 10_000
    patience_ms: int = 5_000
    frozen_ms: int = 10_000
    """So long the very same picture, noise and all, is none of now; 0 where it may be."""

    def is_still(self, motion: Motion) -> bool:
        """Whether nothing has moved for long enough."""
        return motion.still_frames >= self.still_frames and motion.still_ms >= self.still_ms

    def wants_look(self, motion: Motion, now_ms: int, looked_ms: int, asked_ms: int | None) -> bool:
        """Still and changed, still and due, or asked (then even a moving board, after a while).

        Who asks wants to know how it is now: a frame that was taken before is no answer.
        """
        is_still = self.is_still(motion)
        if asked_ms is not None and now_ms >= asked_ms:
            return is_still or now_ms - asked_ms >= self.patience_ms
        return is_still and (motion.changed_since_look or now_ms - looked_ms >= self.every_ms)

    def is_news(self, said: str, last: tuple[str, int] | None, now_ms: int) -> bool:
        """Whether ``said`` is worth repeating, ``last`` being what was said last and when."""
        return last is None or said != last[0] or now_ms - last[1] >= self.every_ms


@dataclass(frozen=True, slots=True)
class _Ask:
    id: str
    at_ms: int


@dataclass(frozen=True, slots=True)
class CameraParts:
    """What every camera is made of: its frames, a folder for evidence, an outlet, the time."""

    name: str
    source: FrameSource
    evidence: EvidenceFolder
    outlet: Outlet
    ticks: Ticks
    policy: LookPolicy = field(default_factory=LookPolicy)


class CameraDevice(ABC):
    """A device: a source of frames, a folder for evidence, and an outlet."""

    kind: str
    """As the table file names it."""
    symbols: Tiles = STANDARD_ORDER
    """The order of its costs, or the letters that it can read; its info names them."""

    def __init__(self, parts: CameraParts) -> None:
        self.name, self._policy = parts.name, parts.policy
        self._source, self._evidence = parts.source, parts.evidence
        self._outlet, self._ticks = parts.outlet, parts.ticks
        self._gate = MotionGate()
        self._repeated = RepeatedPicture(self._policy.frozen_ms)
        self._commands: queue.SimpleQueue[tuple[Command, int]] = queue.SimpleQueue()
        self._asked: list[_Ask] = []
        self._frame: CameraFrame | None = None
        self._looked_ms = 0
        self._said_reason = ""
        self._is_moving = False
        """Whether something moved in the frame that is being looked at."""
        self._lay_still = False
        self._unread: Motion | None = None
        """That of the newest frame, where it shows what no look has."""
        self._stirred = True
        """Whether something has moved since the last look that was reported."""

    def info(self) -> DeviceInfo:
        """See ``Device``."""
        return DeviceInfo(
            kind=self.kind,
            model=self._source.name,
            firmware=build_version(),
            capabilities=("look", "picture"),
            symbols=write_tiles(self.symbols),
        )

    def health(self) -> DeviceHealth:
        """See ``Device``."""
        if self._source.lost:
            detail = f"{self._source.name}: {self._source.lost}"
            return DeviceHealth(condition=Condition.LOST, detail=detail)
        if self._source.ended:
            return DeviceHealth(condition=Condition.ENDED, detail=f"{self._source.name} has ended")
        if self._frame is None:
            return DeviceHealth(condition=Condition.STARTING)
        return DeviceHealth(condition=Condition.READY, detail=self._said_reason)

    def command(self, command: Command) -> None:
        """See ``Device``: look, picture {sha256 of a kept one, or nothing for the newest}."""
        self._commands.put((command, self._ticks()))

    def run(self, stop: threading.Event) -> None:
        """See ``Device``. After the source's end commands are answered still."""
        with closing(self._source):
            while not stop.is_set():
                if self._source.ended:
                    stop.wait(_WAIT_S)
                self.step(_WAIT_S)

    def step(self, timeout_s: float) -> None:
        """Work off the commands, then one frame."""
        while not self._commands.empty():
            self._obey(*self._commands.get())
        match self._source.read(timeout_s):
            case CameraFrame() as frame:
                self._take(frame)
            case BadFrame(name=name, captured_ms=at_ms, reason=reason):
                self._say_unseen(name, reason, at_ms)
            case None:
                self._take_nothing()

    def _take(self, frame: CameraFrame) -> None:
        self._frame = frame
        if self._source.is_stills:
            if frame.is_duplicate:
                _LOG.info("%s: %s is the same file as an earlier one", self.name, frame.name)
            else:
                self._look(frame, still_ms=0)
            return
        motion = self._gate.step(frame.image, frame.captured_ms)
        if self._has_frozen(frame, motion):
            return
        if self._lay_still and motion.still_frames == 1:
            self._stir(frame)
        self._lay_still = self._policy.is_still(motion)
        self._moved(frame, is_still=self._lay_still)
        if self._was_reached():
            motion = replace(motion, changed_since_look=True)
        asked_ms = self._asked[0].at_ms if self._asked else None
        self._lies(frame, as_looked_at=self._lay_still and not motion.changed_since_look)
        self._unread = motion if motion.changed_since_look else None
        if self._policy.wants_look(motion, frame.captured_ms, self._looked_ms, asked_ms):
            self._look_as_it_is(frame, motion, is_still=self._lay_still)
            self._lies(frame, as_looked_at=self._lay_still)

    def _look_as_it_is(self, frame: CameraFrame, motion: Motion, *, is_still: bool) -> None:
        self._gate.looked()
        self._unread = None
        self._is_moving = not is_still
        self._look(frame, motion.still_ms)

    def _has_frozen(self, frame: CameraFrame, motion: Motion) -> bool:
        """Whether this is an old picture: it is not looked at, and answers nobody."""
        if np.ptp(self._gate.small) <= _EVEN_LEVELS:
            return False  # black or white all over, without noise: the eyes say so
        was_frozen = self._repeated.since_ms is not None
        self._repeated.step(motion, frame.captured_ms)
        since_ms = self._repeated.since_ms
        if since_ms is None:
            if was_frozen:  # what it shows now is to be looked at, whatever it looked at last
                self._gate = MotionGate()
            return False
        since = time.strftime("%H:%M:%S", time.localtime(since_ms / 1000))
        why = f"the camera has frozen, its picture is that of {since}: start it again"
        if not was_frozen:
            self._say_unseen(frame.name, why, frame.captured_ms)
        for ask in self._asked:
            self._outlet.respond(ask.id, f"{self._source.name}: {why}")
        self._asked.clear()
        return True

    def _take_nothing(self) -> None:
        now_ms = self._ticks()
        source = self._source
        if source.lost:
            self._say_unseen(source.name, f"camera lost: {source.lost}", now_ms)
            self._gate, self._unread = MotionGate(), None
        overdue = [ask for ask in self._asked if now_ms - ask.at_ms >= self._policy.patience_ms]
        for ask in overdue:
            self._asked.remove(ask)
            why = source.lost or ("it has ended" if source.ended else "no frame came")
            self._outlet.respond(ask.id, f"{source.name}: {why}")

    def _look(self, frame: CameraFrame, still_ms: int) -> None:
        self._looked_ms = frame.captured_ms
        self._look_at(frame, still_ms)
        answered = [ask for ask in self._asked if ask.at_ms <= frame.captured_ms]
        for ask in answered:
            self._outlet.respond(ask.id)
            self._asked.remove(ask)

    @abstractmethod
    def _look_at(self, frame: CameraFrame, still_ms: int) -> None:
        """Look, and say what is news."""

    def _moved(self, frame: CameraFrame, *, is_still: bool) -> None:  # noqa: B027 - most do not
        """For cameras that watch what moves: one more frame, and whether it lies still by now."""

    def _was_reached(self) -> bool:
        """For cameras that watch arms: whether one was over the board since the last look."""
        return False

    def _lies(self, frame: CameraFrame, *, as_looked_at: bool) -> None:  # noqa: B027 - most do not
        """For cameras that say it: whether a frame, still, shows what was looked at last."""

    def _stir(self, frame: CameraFrame) -> None:  # noqa: ARG002 - for cameras that say so
        """Something begins to move, in this frame."""
        self._stirred = True

    @abstractmethod
    def _say_unseen(self, frame_name: str, reason: str, at_ms: int) -> None:
        """No look was possible: the camera is lost, or the picture is damaged."""

    def _keep(self, frame: CameraFrame) -> str:
        return self._evidence.keep(frame.jpeg or encode_jpeg(frame.image))

    def _obey(self, command: Command, at_ms: int) -> None:
        if command.cmd == "look":
            self._asked.append(_Ask(command.id, at_ms))
            return
        error = ""
        if command.cmd == "picture":
            try:
                self._outlet.raw("picture", self._picture(command.args.get("sha256")))
            except DeviceError as err:
                error = str(err)
        else:
            error = f"a {self.kind} knows look and picture, not {command.cmd!r}"
        self._outlet.respond(command.id, error)

    def _picture(self, sha256: object) -> bytes:
        if sha256 is not None:
            kept = np.frombuffer(self._evidence.find(str(sha256)), np.uint8)
            image = cv2.imdecode(kept, cv2.IMREAD_COLOR)
        elif self._frame is not None:
            image = self._frame.image
        else:
            raise DeviceError(f"{self._source.name} has given no frame yet")
        if image is None:
            raise DeviceError(f"the kept picture {sha256} is damaged")
        return encode_jpeg(shrunk(image, _SHOWN_SIDE)[0], quality=80)
