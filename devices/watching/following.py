"""``tilecast watch --follow``: one board camera on the bus, at a table that may have no clock.

Loads the network, so it is imported only where something is watched.
"""

import logging
import signal
import threading
import time
from dataclasses import dataclass, replace
from pathlib import Path
from types import FrameType

from devices.agent_process.device_runner import DeviceRunner
from devices.agent_process.ticks import agent_ticks
from devices.cameras.board_camera import BoardCamera
from devices.cameras.camera import VideoFile, open_source
from devices.cameras.camera_device import CameraParts, LookPolicy
from devices.cameras.evidence import EvidenceFolder
from devices.cameras.frames import FrameSource
from devices.cameras.reaching import Reach
from devices.ports import Condition, Outlet
from devices.vision.eyes import Eyes
from devices.watching.paced import STILL_FRAMES, STILL_MS, PacedSource
from recorder.bus.address import broker_address
from recorder.bus.mqtt import MqttBus
from recorder.bus.port import Bus, Will
from recorder.domain.observations import order_for
from recorder.systems import handled
from recorder.tilesets import load_tile_set

_LOG = logging.getLogger(__name__)
_BEAT_S, _SOON_S = 1.0, 0.05
_TO_END_S = 5.0
"""So long the recorder has, after a signal, to take what was seen last."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Following:
    """What is followed as which device: the board camera ``name`` of a venue, at its broker.

    ``folder`` keeps the outbox and the evidence; a video plays ``speed`` times as fast as filmed.
    """

    source: str
    tiles: str
    broker_url: str
    venue: str
    name: str
    folder: Path
    speed: float = 1.0


@dataclass(frozen=True, slots=True)
class Followed:
    """What was wrong with a video, or nothing: it ends before its end, or never shows a board.

    ``ends_moving_ms``: when it ended, where something moved then that no look shows, from the first
    frame; None where there is no such thing.
    """

    fault: str
    ends_moving_ms: int | None


class _Camera:
    """The board camera of a plan, made from the source that was opened first, or again."""

    def __init__(self, plan: Following) -> None:
        self._plan, self.ticks = plan, agent_ticks(plan.folder)
        self._opened: FrameSource | None = self._open()  # here: what is no source ends the command
        self.source = self._opened
        self._paced: PacedSource | None = None
        self._device: BoardCamera | None = None
        self._is_to_end = False

    def make(self, outlet: Outlet) -> BoardCamera:
        """As ``MakeDevice``. A film that was closed is not begun again."""
        plan, is_video = self._plan, isinstance(self.source, VideoFile)
        if self._opened is None and not is_video:
            self.source = self._opened = self._open()
        policy = LookPolicy(still_frames=STILL_FRAMES, still_ms=STILL_MS)
        if is_video:
            policy = replace(policy, frozen_ms=0)  # a film is what it is
        self._paced = PacedSource(self.source, self.ticks, is_video=is_video, speed=plan.speed)
        if self._is_to_end:
            self._paced.end()
        evidence = EvidenceFolder(plan.folder / "evidence" / plan.name)
        parts = CameraParts(plan.name, self._paced, evidence, outlet, self.ticks, policy)
        self._device = BoardCamera(parts, Eyes(plan.tiles), reach=Reach())
        self._device.symbols = order_for(load_tile_set(plan.tiles))
        self._opened = None  # it closes its source when it is over
        return self._device

    def end(self) -> None:
        """Take no more pictures: what lies there now is the last that is reported."""
        self._is_to_end = True
        if self._paced is not None:
            self._paced.end()

    def followed(self) -> Followed:
        """What came of it."""
        fault = ""
        if isinstance(self.source, VideoFile) and not self._is_to_end:
            fault = self.source.fault
            if not fault and self._device is not None and not self._device.has_seen_board:
                fault = "no picture shows a board"
        ends_ms = None if self._device is None else self._device.ends_moving_ms
        first_ms = None if self._paced is None else self._paced.first_ms
        if ends_ms is None or first_ms is None:
            return Followed(fault, None)
        return Followed(fault, ends_ms - first_ms)

    def _open(self) -> FrameSource:
        return open_source(self._plan.source, self.ticks, fills=True)


def follow(plan: Following) -> Followed:
    """Watch a source and send what it shows to the recorder.

    Until SIGTERM or Ctrl-C, or until a video has ended; then what lies there was laid, and the
    recorder gets all of it: after a signal within five seconds, or when this starts again, or at
    once at a second signal. NotationError when there is no such source or the broker's address is
    none.
    """
    broker_address(plan.broker_url)
    name, folder = plan.name, plan.folder
    asked, again = threading.Event(), threading.Event()
    folder.mkdir(parents=True, exist_ok=True)
    camera = _Camera(plan)

    def mqtt(of: str, will: Will) -> Bus:
        return MqttBus(plan.broker_url, of, will=will)

    def end(number: int, _frame: FrameType | None) -> None:
        _LOG.info("ending on %s", signal.Signals(number).name)
        (again if asked.is_set() else asked).set()

    def is_done() -> bool:
        return runner.health().condition is Condition.ENDED and runner.has_sent_all

    runner = DeviceRunner(name, plan.venue, folder, camera.make, mqtt, ticks=camera.ticks)
    with handled(end, signal.SIGTERM, signal.SIGINT):
        try:
            _LOG.info("watching %s as %s of venue %s", camera.source.name, name, plan.venue)
            runner.start()
            waits = False
            while not (asked.wait(_BEAT_S) or is_done()):
                runner.beat(camera.ticks())
                if not waits and runner.health().condition is Condition.ENDED:
                    waits = True
                    _LOG.info("%s has ended; waiting until the recorder has all of it", name)
            if asked.is_set():
                camera.end()
            until = time.monotonic() + _TO_END_S
            while not is_done() and time.monotonic() < until and not again.wait(_SOON_S):
                pass
        finally:
            runner.stop()
    if not runner.has_sent_all:
        _LOG.warning("%s: not all has gone to the recorder; %s keeps it", name, folder)
    return camera.followed()
