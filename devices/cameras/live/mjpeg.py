"""A stream of JPEGs in one HTTP answer (``multipart/x-mixed-replace``), as phone apps serve it.

Only bytes are read here: they are taken off the line as they come, and decoded by the one who wants
one, so that a busy machine never finds old pictures waiting in a queue. Must not know what frames
are for.
"""

import base64
import contextlib
import http.client
import select
import socket
import time
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import SplitResult, unquote, urlsplit

_TIMEOUT_S, _ANSWER_S, _WHOLE_S = 5.0, 12.0, 10.0
_MOST_BYTES = 64 * 1024 * 1024
_MOST_LINE, _MOST_LINES = 8192, 100


@dataclass(frozen=True, slots=True)
class MjpegPart:
    """One picture's bytes; ``time_s`` is what its server says of when it was taken, None if not."""

    jpeg: bytes
    time_s: float | None


class MjpegStream:
    """One answer that is open. OSError and HTTPException tell that it has ended."""

    def __init__(self, line: socket.socket, answer: http.client.HTTPResponse) -> None:
        self._socket, self._answer = line, answer

    def parts(self) -> Iterator[MjpegPart]:
        """Each picture as it comes, until the stream ends."""
        boundary = self._boundary()
        while True:
            length, time_s = self._head()
            if length is None:
                yield MjpegPart(self._until(boundary), time_s)
            else:
                yield MjpegPart(self._exactly(length), time_s)
                boundary = self._boundary()

    def has_more(self) -> bool:
        """Whether newer bytes have come already: what was read is not the newest picture."""
        return bool(select.select([self._socket], [], [], 0)[0])

    def hang_up(self) -> None:
        """End a read that waits, from any thread."""
        with contextlib.suppress(OSError):  # it is gone already
            self._socket.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Let go of the connection."""
        self._answer.close()
        self._socket.close()

    def _boundary(self) -> bytes:
        line = self._line()
        while not line.startswith(b"--"):
            line = self._line()
        return line

    def _head(self) -> tuple[int | None, float | None]:
        """What stands before a picture: its bytes, its time."""
        length, time_s = None, None
        for _ in range(_MOST_LINES):
            name, _, value = self._line().strip().partition(b":")
            if not name:
                return length, time_s
            with contextlib.suppress(ValueError):
                match name.lower():
                    case b"content-length":
                        length = int(value)
                    case b"x-timestamp":
                        time_s = float(value)
        raise http.client.HTTPException("no picture follows its head")

    def _line(self) -> bytes:
        line = self._answer.readline(_MOST_LINE)
        if not line:
            raise http.client.HTTPException("the stream has ended")
        return line

    def _exactly(self, length: int) -> bytes:
        if not 0 <= length <= _MOST_BYTES:
            raise http.client.HTTPException(f"{length} bytes for one picture")
        data, end = bytearray(), time.monotonic() + _WHOLE_S
        while len(data) < length:
            new = self._answer.read1(min(65536, length - len(data)))
            if not new or time.monotonic() > end:
                raise http.client.HTTPException(f"no whole picture within {_WHOLE_S:g} s")
            data += new
        return bytes(data)

    def _until(self, boundary: bytes) -> bytes:
        """The bytes of a picture whose length nobody said: up to the next boundary.

        That line is read then, and the next head follows.
        """
        data, end = bytearray(), time.monotonic() + _WHOLE_S
        while (line := self._line()).strip() != boundary.strip():
            data += line
            if len(data) > _MOST_BYTES or time.monotonic() > end:
                raise http.client.HTTPException("no end of a picture")
        return bytes(data).rstrip(b"\r\n")


def open_mjpeg(address: str) -> MjpegStream | None:
    """The stream at an http(s) address; None where something else is. OSError: nobody is there."""
    parts = urlsplit(address)
    made = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    try:
        connection = made(parts.hostname or "", parts.port, timeout=_TIMEOUT_S)
        connection.connect()
        line = connection.sock  # which the connection forgets where the answer ends it
        line.settimeout(_ANSWER_S)  # some start their camera only now
        connection.request("GET", target, headers=basic_proof(parts))
        answer = connection.getresponse()
        line.settimeout(_TIMEOUT_S)
    except (ValueError, http.client.HTTPException) as fault:
        raise OSError(f"no answer: {fault!r}") from fault
    kind = (answer.getheader("Content-Type") or "").lower()
    if answer.status == http.client.OK and kind.startswith("multipart/"):
        return MjpegStream(line, answer)
    answer.close()
    connection.close()
    return None


def basic_proof(parts: SplitResult) -> dict[str, str]:
    """The header that proves who asks, by the name and password of an address; none without."""
    if parts.username is None:
        return {}
    secret = f"{unquote(parts.username)}:{unquote(parts.password or '')}".encode()
    return {"Authorization": f"Basic {base64.b64encode(secret).decode()}"}
