"""A camera over a board: looks when the hands are gone, says what it saw when that is news.

Cheap motion detection runs on every frame; the eyes only on frames that are still and differ from
what they last looked at, when asked, and every ten seconds. Must not know turns or rules.
"""

import logging
import queue
import re
import threading
from dataclasses import dataclass
from typing import Protocol

import cv2
import numpy as np

from devices.evidence import EvidenceFolder
from devices.frames import BadFrame, Frame, FrameSource
from devices.motion import Motion, MotionGate
from devices.pictures import Image, encode_jpeg
from devices.ports import Condition, DeviceHealth, Outlet, Ticks
from devices.vision.look import Look, board_seen
from recorder.domain.errors import DeviceError
from recorder.domain.observations import BoardNotSeen
from recorder.wire import Command, DeviceInfo

_LOG = logging.getLogger(__name__)

_WAIT_S = 0.2
_SHOWN_SIDE = 1280
"""Longest side of a picture sent for show: a broker refuses messages of a megabyte."""


class BoardReader(Protocol):
    """The eyes as the board camera needs them; ``devices.vision.eyes.Eyes`` are such."""

    def read(self, image: Image, *, prior: Look | None = None) -> Look:
        """What is on the picture. ``prior``: the last look of this camera that saw the board."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LookPolicy:
    """When to look and when to speak. Times in ms of the frames."""

    still_frames: int = 2
    still_ms: int = 0
    every_ms: int = 10_000
    patience_ms: int = 5_000

    def wants_look(self, motion: Motion, now_ms: int, looked_ms: int, asked_ms: int | None) -> bool:
        """Still and changed, still and due, or asked (then even a moving board, after a while)."""
        is_still = motion.still_frames >= self.still_frames and motion.still_ms >= self.still_ms
        if asked_ms is not None:
            return is_still or now_ms - asked_ms >= self.patience_ms
        return is_still and (motion.changed_since_look or now_ms - looked_ms >= self.every_ms)

    def is_news(self, said: str, last: tuple[str, int] | None, now_ms: int) -> bool:
        """Whether ``said`` is worth repeating, ``last`` being what was said last and when."""
        return last is None or said != last[0] or now_ms - last[1] >= self.every_ms


@dataclass(frozen=True, slots=True)
class _Ask:
    id: str
    at_ms: int


class BoardCamera:
    """The device: a source of frames, the eyes, a folder for evidence, and an outlet."""

    def __init__(  # noqa: PLR0913 the agent wires each part by itself
        self,
        name: str,
        source: FrameSource,
        eyes: BoardReader,
        evidence: EvidenceFolder,
        outlet: Outlet,
        ticks: Ticks,
        *,
        policy: LookPolicy | None = None,
    ) -> None:
        self._name = name
        self._source, self._eyes, self._evidence = source, eyes, evidence
        self._outlet, self._ticks = outlet, ticks
        self._policy = policy or LookPolicy()
        self._gate = MotionGate()
        self._commands: queue.SimpleQueue[Command] = queue.SimpleQueue()
        self._asked: list[_Ask] = []
        self._frame: Frame | None = None
        self._prior: Look | None = None
        self._looked_ms = 0
        self._said_board: tuple[str, int] | None = None
        self._said_reason = ""

    @property
    def name(self) -> str:
        """See ``Device``."""
        return self._name

    def info(self) -> DeviceInfo:
        """See ``Device``."""
        return DeviceInfo(
            kind="board-camera",
            model=self._source.name,
            firmware="tilecast",
            capabilities=("look", "picture"),
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
        self._commands.put(command)

    def run(self, stop: threading.Event) -> None:
        """See ``Device``. After the source's end commands are answered still."""
        try:
            while not stop.is_set():
                if self._source.ended:
                    stop.wait(_WAIT_S)
                self.step(_WAIT_S)
        finally:
            self._source.close()

    def step(self, timeout_s: float) -> None:
        """Work off the commands, then one frame."""
        while not self._commands.empty():
            self._obey(self._commands.get())
        match self._source.read(timeout_s):
            case Frame() as frame:
                self._take(frame)
            case BadFrame(name=name, captured_ms=at_ms, reason=reason):
                self._say_not_seen(name, reason, at_ms)
            case None:
                self._take_nothing()

    def _take(self, frame: Frame) -> None:
        self._frame = frame
        if self._source.is_stills:
            if frame.is_duplicate:
                _LOG.info("%s: %s is the same file as an earlier one", self._name, frame.name)
            else:
                self._look(frame, still_ms=0)
            return
        motion = self._gate.step(frame.image, frame.captured_ms)
        asked_ms = self._asked[0].at_ms if self._asked else None
        if self._policy.wants_look(motion, frame.captured_ms, self._looked_ms, asked_ms):
            self._gate.looked()
            self._look(frame, motion.still_ms)

    def _take_nothing(self) -> None:
        now_ms = self._ticks()
        source = self._source
        if source.lost:
            self._say_not_seen(source.name, f"camera lost: {source.lost}", now_ms)
            self._gate = MotionGate()
        overdue = [ask for ask in self._asked if now_ms - ask.at_ms >= self._policy.patience_ms]
        for ask in overdue:
            self._asked.remove(ask)
            why = source.lost or ("it has ended" if source.ended else "no frame came")
            self._outlet.respond(ask.id, f"{source.name}: {why}")

    def _look(self, frame: Frame, still_ms: int) -> None:
        self._looked_ms = frame.captured_ms
        look = self._eyes.read(frame.image, prior=self._prior)
        if look.found:
            self._prior = look
            self._say_seen(frame, look, still_ms)
        else:
            is_answer = bool(self._asked)
            self._say_not_seen(frame.name, look.reason, frame.captured_ms, is_answer=is_answer)
        for ask in self._asked:
            self._outlet.respond(ask.id)
        self._asked.clear()

    def _say_seen(self, frame: Frame, look: Look, still_ms: int) -> None:
        # A video file is read faster than it plays: its times may lie ahead of the agent's.
        now_ms = frame.captured_ms
        board = "".join(look.rows)
        is_news = self._policy.is_news(board, self._said_board, now_ms)
        if not (is_news or self._asked or self._source.is_stills):
            return
        if self._said_reason:
            _LOG.info("%s: the board is seen again", self._name)
        seen = board_seen(look, frame.name, still_ms, self._keep(frame))
        self._outlet.observe(seen, min(now_ms, self._ticks()))
        self._said_board, self._said_reason = (board, now_ms), ""

    def _say_not_seen(
        self, frame_name: str, reason: str, at_ms: int, *, is_answer: bool = False
    ) -> None:
        is_same = _without_numbers(reason) == _without_numbers(self._said_reason)
        if is_same and not is_answer and not self._source.is_stills:
            return
        _LOG.warning("%s: no board on %s: %s", self._name, frame_name, reason)
        frame = self._frame
        picture = ""
        if frame is not None and frame.name == frame_name:
            picture = self._keep(frame)
        unseen = BoardNotSeen(frame=frame_name, reason=reason, picture=picture)
        self._outlet.observe(unseen, min(at_ms, self._ticks()))
        # What is seen next is news, even when it is what was seen before.
        self._said_reason, self._said_board = reason, None

    def _keep(self, frame: Frame) -> str:
        return self._evidence.keep(frame.jpeg or encode_jpeg(frame.image))

    def _obey(self, command: Command) -> None:
        if command.cmd == "look":
            self._asked.append(_Ask(command.id, self._ticks()))
            return
        error = ""
        if command.cmd == "picture":
            try:
                self._outlet.raw("picture", self._picture(command.args.get("sha256")))
            except DeviceError as err:
                error = str(err)
        else:
            error = f"a board camera knows look and picture, not {command.cmd!r}"
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
        scale = min(1.0, _SHOWN_SIDE / max(image.shape[:2]))
        small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        return encode_jpeg(np.asarray(small, dtype=np.uint8), quality=80)


def _without_numbers(reason: str) -> str:
    """Two looks that differ in a score only have the same reason."""
    return re.sub(r"[0-9]+([.][0-9]+)?", "#", reason)
