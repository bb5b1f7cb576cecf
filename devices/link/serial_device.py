"""A device on a byte link: the part that all drivers of such devices share.

Must not know what the bytes mean; lines of TCC1 are for ``LineDevice``, and what they say is for
the drivers built on these two.
"""

import logging
import queue
import threading
from abc import ABC, abstractmethod
from contextlib import closing

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
from devices.tcc1.framing import Damage, LineReader, TccFrame
from devices.tcc1.messages import Hello
from devices.words import port_fault
from recorder.wire.control import Command, DeviceInfo

_LOG = logging.getLogger(__name__)

_WAIT_S = 0.1
_NOISE_LOG_EVERY_MS = 60_000


class SerialDevice(ABC):
    """A device: a byte link, what came over it, and when it was last heard of."""

    kind: str
    """As the table file names it."""
    mute: str
    """The code for an open line that shows nothing of it."""
    says: str = ""
    """The kind of line that it lives by, for messages."""
    silent_ms = 3_000
    """Unheard for so long it is lost."""

    def __init__(self, name: str, link: ByteLink, outlet: Outlet, ticks: Ticks) -> None:
        self.name, self._link = name, link
        self._outlet, self._ticks = outlet, ticks
        self._commands: queue.SimpleQueue[Command] = queue.SimpleQueue()
        self._lost = port_fault("not_yet")
        self._started_ms = ticks()
        self._heard_ms: int | None = None
        self._renew()

    @abstractmethod
    def info(self) -> DeviceInfo:
        """See ``Device``."""

    def health(self) -> DeviceHealth:
        """See ``Device``."""
        heard_ms = self._started_ms if self._heard_ms is None else self._heard_ms
        is_silent = self._ticks() - heard_ms > self.silent_ms
        if self._lost:
            detail = f"{self._link.name}: {self._lost}"
        elif self._heard_ms is None or is_silent:
            detail = port_fault(self.mute, port=self._link.name, lines=self.says)
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
        with closing(self._link):
            while not stop.is_set():
                self.step(_WAIT_S)

    def step(self, timeout_s: float) -> None:
        """Work off one piece of news, or wait for it; then the commands, then what is due."""
        match self._link.news(timeout_s):
            case Received(at_ms=at_ms, data=data):
                self._feed(data, at_ms)
            case LinkLost(reason=reason):
                self._lost = reason
                self._renew()
            case LinkBack():
                self._lost = ""
                self._greet()
        while not self._commands.empty():
            self._obey(self._commands.get())
        self._do_what_is_due()

    @abstractmethod
    def _renew(self) -> None:
        """Forget half a message: what comes next has a beginning of its own."""

    @abstractmethod
    def _feed(self, data: bytes, at_ms: int) -> None:
        """Take bytes; set ``_heard_ms`` where they show that the device is there."""

    @abstractmethod
    def _obey(self, command: Command) -> None:
        """Carry out a command, or refuse it; answer it either way."""

    def _greet(self) -> None:  # noqa: B027 most have nothing to say
        """The line is open, at the start or again."""

    def _do_what_is_due(self) -> None:  # noqa: B027 most wait to be told
        """What goes by time and not by news."""

    def _complaint(self) -> str:
        """What is wrong although the device is heard; empty when nothing is."""
        return ""


class LineDevice(SerialDevice):
    """A device that talks TCC1: numbered or not, its lines are framed and checked."""

    commands: tuple[str, ...]
    """What can be sent to it."""

    def __init__(self, name: str, link: ByteLink, outlet: Outlet, ticks: Ticks) -> None:
        super().__init__(name, link, outlet, ticks)
        self._hello = Hello(firmware="unknown", model="tcc1")
        self.damaged_lines = 0
        """How many lines were refused so far: above a few an hour the cable is at fault."""
        self._noise_logged_ms: int | None = None

    def info(self) -> DeviceInfo:
        """See ``Device``."""
        return DeviceInfo(
            kind=self.kind,
            model=self._hello.model,
            firmware=self._hello.firmware,
            capabilities=self.commands,
        )

    @abstractmethod
    def _line(self, frame: TccFrame, at_ms: int) -> None:
        """Take a line that came through whole; a greeting is noted already."""

    def _renew(self) -> None:
        self._reader = LineReader()

    def _feed(self, data: bytes, at_ms: int) -> None:
        for line in self._reader.feed(data):
            if isinstance(line, Damage):
                self._note_damage(line, at_ms)
                continue
            if isinstance(line.body, Hello):
                self._hello = line.body
            self._line(line, at_ms)

    def _note_damage(self, damage: Damage, at_ms: int) -> None:
        self.damaged_lines += 1
        last_ms = self._noise_logged_ms
        if last_ms is None or at_ms - last_ms >= _NOISE_LOG_EVERY_MS:
            self._noise_logged_ms = at_ms
            _LOG.warning(
                "%s: damaged line on %s (%d so far): %s: %r",
                self.name,
                self._link.name,
                self.damaged_lines,
                damage.reason,
                damage.raw,
            )
