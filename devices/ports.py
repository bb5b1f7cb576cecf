"""What devices are to the agent, and links to devices: protocols only.

Must not know serial ports, cameras, brokers or the game. Times are the agent's own milliseconds
(monotonic, since some fixed moment): a clock of one's own, handed in as ``Ticks``.
"""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from recorder.domain.observations import Observation
from recorder.wire.control import Command, DeviceInfo

Ticks = Callable[[], int]
"""The agent's milliseconds. Handed in, so that tests and simulations can own time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Received:
    """Bytes as they came in, and when."""

    at_ms: int
    data: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkLost:
    """The line went away (unplugged, refused, port gone)."""

    at_ms: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkBack:
    """The line is open, at the start as well as after a loss."""

    at_ms: int


LinkNews = Received | LinkLost | LinkBack


class ByteLink(Protocol):
    """Bytes to and from one device. Looks after its own connection."""

    @property
    def name(self) -> str:
        """What the user called it, for messages."""

    def news(self, timeout_s: float) -> LinkNews | None:
        """The next thing that happened, in order, or None after ``timeout_s``."""

    def write(self, data: bytes) -> bool:
        """Send; False when the line is down (nothing is kept for later)."""

    def close(self) -> None:
        """Let go of the line and of every thread."""


class Condition(StrEnum):
    """How a device is."""

    STARTING = "starting"
    READY = "ready"
    LOST = "lost"
    ENDED = "ended"


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceHealth:
    """How a device is, and why in a few words for the director."""

    condition: Condition
    detail: str = ""
    battery_percent: int | None = None


class Outlet(Protocol):
    """Where a device's findings go. Everything observed is on disk when ``observe`` returns."""

    @property
    def boot(self) -> str:
        """Under which the observations are numbered."""

    @property
    def seq_high(self) -> int:
        """The number of the newest observation, 0 before the first."""

    def observe(self, observation: Observation, at_ms: int) -> int:
        """Number and keep an observation made at ``at_ms``; its sequence number."""

    def respond(self, command_id: str, error: str = "") -> None:
        """Answer a command: done, or the reason why not."""

    def raw(self, kind: str, payload: bytes) -> None:
        """Show something that no record rests on (a picture); may be lost."""


class Device(Protocol):
    """One device at a table, run by its own thread."""

    @property
    def name(self) -> str:
        """Its name on the bus."""

    def info(self) -> DeviceInfo:
        """What it is, as far as known by now."""

    def health(self) -> DeviceHealth:
        """How it is. May be called from any thread."""

    def command(self, command: Command) -> None:
        """Take a command to be answered through the outlet. May be called from any thread."""

    def run(self, stop: threading.Event) -> None:
        """Work until ``stop`` is set or the source has ended; leave nothing open."""
