"""Two more tables of the chaos: one with a camera that fails, one whose devices cost too much."""

import itertools
import random
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import Self

import cv2
import numpy as np

from devices.cameras.camera_device import LookPolicy
from devices.lab.scenes.styles import demo_style
from devices.lab.scenes.table_scene import TableScene
from devices.pictures import encode_jpeg
from recorder.bus.mqtt import MqttBus
from recorder.bus.outbox import Outbox, OutboxSender
from recorder.domain.errors import RecorderError
from recorder.domain.observations import (
    SYMBOLS,
    BoardNotSeen,
    BoardSeen,
    ClockAct,
    ClockChanged,
    ClockPressed,
    Observation,
    Side,
    SquareCosts,
)
from recorder.domain.record import Observed
from recorder.log.places import LogPlace, open_log_reader
from recorder.log.port import Row
from recorder.wire.observations import encode_observation
from tests.bench.chaos.mischief import TOLD_WITHIN_S, wait_until
from tests.served import snapshots

LONGEST_CALM_S = 120.0
CAMERA, BUSY_CAMERA, BUSY_CLOCK = "cam-4", "cam-5", "clock-5"
_FLOOD_S = 4
_PICTURES = 12
_WARM_PICTURES = 80
"""So many of a lively camera, and it is known that it has noise."""


class LogTail:
    """The rows of a log, as they come; nothing while it cannot be read."""

    def __init__(self, log: LogPlace) -> None:
        self._log, self._next = log, 1

    def news(self) -> list[Row]:
        """Those since it was asked last."""
        with suppress(RecorderError, OSError), open_log_reader(self._log) as reader:
            rows = list(reader.read_from(self._next))
            self._next += len(rows)
            return rows
        return []


class FailingCamera:
    """A camera over a table: its server can give one picture for ever, or black ones."""

    def __init__(self) -> None:
        scene = TableScene(demo_style(), 5)
        lively = [encode_jpeg(scene.frame(number)) for number in range(_PICTURES)]
        black = encode_jpeg(np.zeros_like(cv2.imdecode(np.frombuffer(lively[0], np.uint8), 1)))
        self._pictures = itertools.cycle(lively)
        self.given = 0
        self.only: bytes | None = None
        """What it gives instead of what it sees."""
        self.black, self.last = black, lively[0]
        self._served = ExitStack()
        self.url = self._served.enter_context(snapshots(self._picture))
        """Its address, for a camera's ``source``."""

    def _picture(self) -> bytes:
        self.given, self.last = self.given + 1, self.only or next(self._pictures)
        return self.last

    def close(self) -> None:
        self._served.close()


def is_told(camera: FailingCamera, log: LogPlace, how: str) -> bool | None:
    """Whether the log says of a frozen or black camera that it is so, and then that it sees again.

    Each within ``TOLD_WITHIN_S`` of when it can be known: that it has frozen after ten seconds.
    None where it does not see at first: what was done before is not over.
    """
    tail, given = LogTail(log), camera.given
    tail.news()
    looks: list[BoardSeen | BoardNotSeen] = []

    def last_is(kind: type[BoardSeen | BoardNotSeen]) -> Callable[[], bool]:
        def holds() -> bool:
            for row in tail.news():
                match row.says:
                    case Observed(what=BoardSeen() | BoardNotSeen() as look) if (
                        row.device == CAMERA
                    ):
                        looks.append(look)
            return bool(looks) and isinstance(looks[-1], kind)

        return holds

    sees = last_is(BoardSeen)
    warm = given + _WARM_PICTURES
    if not wait_until(lambda: sees() and camera.given >= warm, LONGEST_CALM_S):
        return None
    camera.only = camera.black if how == "black" else camera.last
    known_s = 0 if how == "black" else LookPolicy().frozen_ms / 1000
    is_said = wait_until(last_is(BoardNotSeen), known_s + TOLD_WITHIN_S)
    wanted = "black" if how == "black" else "has frozen"
    is_said = is_said and isinstance(looks[-1], BoardNotSeen) and wanted in str(looks[-1].reason)
    camera.only = None
    return is_said and wait_until(sees, TOLD_WITHIN_S)


class BusyTable:
    """A clock and a camera that say far more than they should, each look a riddle."""

    def __init__(self, url: str, folder: Path) -> None:
        self._chance = random.Random(5)
        self._running = ExitStack()
        self._outboxes: dict[str, Outbox] = {}
        for name in (BUSY_CAMERA, BUSY_CLOCK):
            outbox = self._running.enter_context(closing(Outbox(folder / f"{name}.outbox", name)))
            bus = MqttBus(url, name)
            self._running.enter_context(OutboxSender(outbox, bus, "main"))
            self._running.enter_context(bus)
            self._outboxes[name] = outbox
        self._left = {Side.LEFT: 1_500_000, Side.RIGHT: 1_500_000}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._running.close()

    def flood(self, seconds: float) -> None:
        """For so long a press and 40 looks every quarter of a second."""
        self._say(BUSY_CLOCK, self._clock(ClockChanged, Side.LEFT))
        end = time.monotonic() + seconds
        sides = itertools.cycle((Side.RIGHT, Side.LEFT))
        while time.monotonic() < end:
            self._say(BUSY_CLOCK, self._clock(ClockPressed, next(sides)))
            for _ in range(40):
                self._say(BUSY_CAMERA, self._riddle())
            time.sleep(0.25)

    def flood_watched(
        self, is_behind: Callable[[], bool], are_heard: Callable[[], bool]
    ) -> tuple[bool, bool]:
        """Flood for some seconds: whether it is reported, and others are heard in time.

        It is asked for meanwhile, for a quick machine has read all of it soon after.
        """
        with ThreadPoolExecutor(1) as watching:
            is_told = watching.submit(wait_until, is_behind, _FLOOD_S + TOLD_WITHIN_S)
            self.flood(_FLOOD_S)
            in_time = are_heard()
            return is_told.result(), in_time

    def _clock(
        self, kind: type[ClockChanged | ClockPressed], side: Side
    ) -> ClockChanged | ClockPressed:
        self._left[side] -= 1000
        left, right = self._left.values()
        if kind is ClockChanged:
            act = ClockAct.RESUME
            return ClockChanged(act=act, left_ms=left, right_ms=right, running=side)
        other = Side.LEFT if side is Side.RIGHT else Side.RIGHT
        return ClockPressed(side=side, left_ms=left, right_ms=right, running=other)

    def _riddle(self) -> BoardSeen:
        width = len(SYMBOLS)
        faces = bytes(self._chance.choices(range(40), k=225 * width))
        return BoardSeen(
            frame=f"f{self._outboxes[BUSY_CAMERA].last_seq + 1}",
            squares=SquareCosts(faces),
            corners=((0.0, 0.0), (900.0, 0.0), (900.0, 900.0), (0.0, 900.0)),
            pose_score=0.9,
            turn_margin=20.0,
            covered=0.0,
            still_ms=200,
        )

    def _say(self, device: str, observation: Observation) -> None:
        type_name, data = encode_observation(observation)
        self._outboxes[device].put(type_name, data, time.monotonic_ns() // 1_000_000)
