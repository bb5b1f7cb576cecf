"""``tilecast watch --follow``: one board camera on the bus, at a table that may have no clock.

Loads the network, so it is imported only where something is watched.
"""

import logging
import signal
import threading
from dataclasses import dataclass, replace
from pathlib import Path
from types import FrameType

from devices.agent import agent_ticks
from devices.agent_process.device_runner import DeviceRunner
from devices.cameras.board_camera import BoardCamera
from devices.cameras.camera import VideoFile, open_source
from devices.cameras.camera_device import LookPolicy
from devices.cameras.evidence import EvidenceFolder
from devices.cameras.reaching import Reach
from devices.ports import Condition, Outlet
from devices.vision.eyes import Eyes
from devices.watching.paced import STILL_FRAMES, STILL_MS, PacedSource
from recorder.bus.address import broker_address
from recorder.bus.mqtt import MqttBus
from recorder.bus.port import Bus, Will

_LOG = logging.getLogger(__name__)
_BEAT_S = 1.0


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


def follow(plan: Following) -> str:
    """Watch a source and send what it shows to the recorder.

    Until SIGTERM or Ctrl-C, or until a video has ended and the recorder has all of it. Returns what
    was wrong with a video, or nothing. NotationError when there is no such source or the broker's
    address is none.
    """
    broker_address(plan.broker_url)
    name, folder = plan.name, plan.folder
    stop = threading.Event()
    folder.mkdir(parents=True, exist_ok=True)
    ticks = agent_ticks(folder)
    opened = open_source(plan.source, ticks, fills=True)  # here: what is no source ends the command

    is_video = isinstance(opened, VideoFile)
    policy = LookPolicy(still_frames=STILL_FRAMES, still_ms=STILL_MS)
    if is_video:
        policy = replace(policy, frozen_ms=0)  # a film is what it is

    def make(outlet: Outlet) -> BoardCamera:
        return BoardCamera(
            name,
            PacedSource(opened, ticks, is_video=is_video, speed=plan.speed),
            Eyes(plan.tiles),
            EvidenceFolder(folder / "evidence" / name),
            outlet,
            ticks,
            policy=policy,
            reach=Reach(),
        )

    def mqtt(of: str, will: Will) -> Bus:
        return MqttBus(plan.broker_url, of, will=will)

    def end(number: int, _frame: FrameType | None) -> None:
        _LOG.info("ending on %s", signal.Signals(number).name)
        stop.set()

    before = {number: signal.signal(number, end) for number in (signal.SIGTERM, signal.SIGINT)}
    runner = DeviceRunner(name, plan.venue, folder, make, mqtt, ticks=ticks)
    try:
        _LOG.info("watching %s as %s of venue %s", opened.name, name, plan.venue)
        runner.start()
        while not stop.wait(_BEAT_S):
            runner.beat(ticks())
            if runner.health().condition is Condition.ENDED and runner.has_sent_all:
                break
    finally:
        runner.stop()
        for number, handler in before.items():
            signal.signal(number, handler)
    return opened.fault if isinstance(opened, VideoFile) and not stop.is_set() else ""
