"""A sensor that talks TCC1 all the time and keeps nothing: the part that all such drivers share.

What such a sensor measures lasts (a weight, tiles on a rack), so a lost line harms nothing and no
line is numbered or asked for again. Must not know what the lines mean.
"""

import logging
import queue
import threading
from abc import ABC, abstractmethod

from devices.framing import Body, Damage, Frame, Hello, LineReader
from devices.ports import (
    ByteLink,
    Condition,
    DeviceHealth,
    LinkBack,
    LinkLost,
    Outlet,
    Received,
    Ticks,
)
from recorder.domain.errors import DeviceError
from recorder.wire import Command, DeviceInfo

_LOG = logging.getLogger(__name__)

_WAIT_S = 0.1
_SILENT_MS = 3_000
_NOISE_LOG_EVERY_MS = 60_000


class SerialSensor(ABC):
    """A device: a byte link, and lines of which the newest says it all."""

    kind: str
    """As the table file names it."""
    says: str
    """The kind of line that it lives by, for messages."""
    commands: tuple[str, ...]
    """What it can be told."""

    def __init__(self, name: str, link: ByteLink, outlet: Outlet, ticks: Ticks) -> None:
        self._name, self._link = name, link
        self._outlet, self._ticks = outlet, ticks
        self._reader = LineReader()
        self._commands: queue.SimpleQueue[Command] = queue.SimpleQueue()
        self._hello = Hello(firmware="unknown", model="tcc1")
        self._lost = "not connected yet"
        self._started_ms = ticks()
        self._heard_ms: int | None = None
        self._damaged = 0
        self._noise_logged_ms: int | None = None

    @property
    def name(self) -> str:
        """See ``Device``."""
        return self._name

    @property
    def damaged_lines(self) -> int:
        """How many lines were refused so far: above a few an hour the cable is at fault."""
        return self._damaged

    def info(self) -> DeviceInfo:
        """See ``Device``."""
        return DeviceInfo(
            kind=self.kind,
            model=self._hello.model,
            firmware=self._hello.firmware,
            capabilities=self.commands,
        )

    def health(self) -> DeviceHealth:
        """See ``Device``."""
        heard_ms = self._started_ms if self._heard_ms is None else self._heard_ms
        is_silent = self._ticks() - heard_ms > _SILENT_MS
        if self._lost:
            detail = f"{self._link.name}: {self._lost}"
        elif self._heard_ms is None or is_silent:
            detail = f"{self._link.name} is open but gives no {self.says} lines (TCC1, 115200 8N1?)"
        else:
            return DeviceHealth(condition=Condition.READY, detail=self._complaint())
        is_young = self._heard_ms is None and not is_silent
        return DeviceHealth(
            condition=Condition.STARTING if is_young else Condition.LOST, detail=detail
        )

    def command(self, command: Command) -> None:
        """See ``Device``."""
        self._commands.put(command)

    def run(self, stop: threading.Event) -> None:
        """See ``Device``. Closes the link at the end."""
        try:
            while not stop.is_set():
                self.step(_WAIT_S)
        finally:
            self._link.close()

    def step(self, timeout_s: float) -> None:
        """Work off one piece of news, or wait for it; then the commands."""
        match self._link.news(timeout_s):
            case Received(at_ms=at_ms, data=data):
                for line in self._reader.feed(data):
                    self._line(line, at_ms)
            case LinkLost(reason=reason):
                self._lost = reason
                self._reader = LineReader()
            case LinkBack():
                self._lost = ""
        while not self._commands.empty():
            self._obey(self._commands.get())

    @abstractmethod
    def _hear(self, body: Body, at_ms: int) -> bool:
        """Take a line; False when it is none of this sensor's."""

    @abstractmethod
    def _do(self, command: Command) -> None:
        """Carry out a command; DeviceError says why it cannot be."""

    def _complaint(self) -> str:
        """What is wrong although lines come in; empty when nothing is."""
        return ""

    def _line(self, line: Frame | Damage, at_ms: int) -> None:
        if isinstance(line, Damage):
            self._note_damage(line, at_ms)
        elif isinstance(line.body, Hello):
            self._hello = line.body
        elif self._hear(line.body, at_ms):
            self._heard_ms = at_ms

    def _obey(self, command: Command) -> None:
        if command.cmd not in self.commands:
            known = ", ".join(self.commands)
            error = f"a {self.kind} knows {known}, not {command.cmd!r}"
            self._outlet.respond(command.id, error)
            return
        try:
            self._do(command)
        except DeviceError as err:
            self._outlet.respond(command.id, str(err))
        else:
            self._outlet.respond(command.id)

    def _note_damage(self, damage: Damage, at_ms: int) -> None:
        self._damaged += 1
        last_ms = self._noise_logged_ms
        if last_ms is None or at_ms - last_ms >= _NOISE_LOG_EVERY_MS:
            self._noise_logged_ms = at_ms
            _LOG.warning(
                "%s: damaged line on %s (%d so far): %s: %r",
                *(self._name, self._link.name, self._damaged, damage.reason, damage.raw),
            )
