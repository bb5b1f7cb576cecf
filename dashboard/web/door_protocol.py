"""HTTP as uvicorn speaks it, for those alone who say what they want within a few seconds.

A connection that never finishes the head of its request holds a descriptor; some hundreds of them
would hold them all. Limits of bodies and sockets: ``dashboard.web.doors``.
"""

import asyncio
import logging
from collections import Counter
from typing import Any, ClassVar

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from recorder.operations.process_logs import FewAlike

HEAD_S = 10.0
"""From a connection's first moment, or a request's first byte, to the end of its head."""
MOST_FROM_ONE = 150
MOST_IN_ALL = 400
"""Connections that are no sockets; a process has 1,024 descriptors where nobody raised that."""


class FewRepeats(FewAlike):
    """Few of a warning that strangers can cause by bad requests; errors always pass."""

    def kind(self, record: logging.LogRecord) -> object:
        """The line of the program that says it."""
        return None if record.levelno >= logging.ERROR else (record.pathname, record.lineno)


class DoorProtocol(H11Protocol):
    """One connection; it counts, for its address and in all, until it is lost or is a socket."""

    head_s: ClassVar[float] = HEAD_S
    most_from_one: ClassVar[int] = MOST_FROM_ONE
    counted: ClassVar[Counter[str]] = Counter()
    there: ClassVar[dict["DoorProtocol", None]] = {}
    repeats: ClassVar[FewRepeats] = FewRepeats()

    def __init__(self, *settings: Any, **options: Any) -> None:
        super().__init__(*settings, **options)
        self.logger.addFilter(self.repeats)
        self._deadline: asyncio.TimerHandle | None = None
        self._counts = ""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Count it; close it where there are too many, or where it says nothing whole in time."""
        super().connection_made(transport)
        self._counts = self.client[0] if self.client else "-"
        self.counted[self._counts] += 1
        too_many = self.counted[self._counts] > self.most_from_one
        if (too_many or self.counted.total() > MOST_IN_ALL) and not self._make_room():
            transport.abort()
        else:
            self.there[self] = None
            self._await_head()

    def _make_room(self) -> bool:
        """End the oldest connection of this address that asks for nothing; False: all are busy.

        Else anyone who opens many and says nothing would keep out all behind the same address.
        """
        mine = (other for other in self.there if other._counts == self._counts)  # noqa: SLF001 - it is one of us
        idle = next((other for other in mine if _says_nothing(other)), None)
        if idle is None:
            return False
        idle.transport.abort()
        idle._forget()  # noqa: SLF001 - it is one of us
        return True

    def data_received(self, data: bytes) -> None:
        """See uvicorn; a head that is whole stops the clock, the next one has its own time."""
        super().data_received(data)
        if self.conn.their_state is h11.IDLE and not self.transport.is_closing():
            self._await_head()
        else:
            self._await_nothing()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """See uvicorn; from here on it is counted among the sockets."""
        self._await_nothing()
        self._forget()
        super().handle_websocket_upgrade(event)

    def connection_lost(self, exc: Exception | None) -> None:
        """See uvicorn."""
        self._await_nothing()
        self._forget()
        super().connection_lost(exc)

    def _await_head(self) -> None:
        if self._deadline is None:
            self._deadline = self.loop.call_later(self.head_s, self.transport.abort)

    def _await_nothing(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _forget(self) -> None:
        if self._counts:
            self.counted[self._counts] -= 1
            if not self.counted[self._counts]:
                del self.counted[self._counts]
            self._counts = ""
            self.there.pop(self, None)


def _says_nothing(connection: DoorProtocol) -> bool:
    """Whether it has not said what it wants, or has had its answer."""
    return connection.conn.their_state is h11.IDLE and connection.conn.our_state is h11.IDLE
