"""A link and an outlet in memory: what scenarios and tests deliver, and what devices say."""

import queue
from dataclasses import dataclass, field

from devices.ports import LinkBack, LinkLost, LinkNews, Received, Ticks
from recorder.domain.observations import Observation


class MemoryLink:
    """A link whose far side is the caller: ``deliver`` bytes, look at ``written``."""

    def __init__(self, name: str = "memory", ticks: Ticks = lambda: 0) -> None:
        self.name = name
        self.written = bytearray()
        self._ticks = ticks
        self._news: queue.Queue[LinkNews] = queue.Queue()
        self._up = False

    def connect(self) -> None:
        """The far side is plugged in."""
        self._up = True
        self._news.put(LinkBack(at_ms=self._ticks()))

    def disconnect(self, reason: str = "unplugged") -> None:
        """The far side is pulled out."""
        self._up = False
        self._news.put(LinkLost(at_ms=self._ticks(), reason=reason))

    def deliver(self, data: bytes) -> None:
        """The far side sends."""
        self._news.put(Received(at_ms=self._ticks(), data=data))

    def news(self, timeout_s: float) -> LinkNews | None:
        """See ``ByteLink``."""
        try:
            return self._news.get(timeout=timeout_s) if timeout_s > 0 else self._news.get_nowait()
        except queue.Empty:
            return None

    def write(self, data: bytes) -> bool:
        """See ``ByteLink``."""
        if self._up:
            self.written += data
        return self._up

    def close(self) -> None:
        """See ``ByteLink``."""
        self._up = False


@dataclass(slots=True)
class MemoryOutlet:
    """An outlet that keeps everything in lists, in order."""

    observed: list[tuple[int, Observation]] = field(default_factory=list)
    responses: list[tuple[str, str]] = field(default_factory=list)
    raws: list[tuple[str, bytes]] = field(default_factory=list)
    boot: str = "00000000"

    @property
    def seq_high(self) -> int:
        """See ``Outlet``."""
        return len(self.observed)

    def observe(self, observation: Observation, at_ms: int) -> int:
        """See ``Outlet``."""
        self.observed.append((at_ms, observation))
        return len(self.observed)

    def respond(self, command_id: str, error: str = "") -> None:
        """See ``Outlet``."""
        self.responses.append((command_id, error))

    def raw(self, kind: str, payload: bytes) -> None:
        """See ``Outlet``."""
        self.raws.append((kind, payload))
