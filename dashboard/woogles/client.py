"""The link to Woogles: one request at a time as Connect takes it, so many a second at most.

The key is sent in a header of each request and is in nothing that is said, logged or stored here.
"""

import http.client
import json
import os
import socket
import ssl
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from recorder.declared.json_objects import parse_json
from recorder.domain.errors import DeviceError, NotationError
from recorder.systems import read_file
from recorder.woogles.shapes import Call

ADDRESS = "https://woogles.io/api"
KEY_VARIABLE = "WOOGLES_API_KEY"
ANSWER_WITHIN_S = 15.0
_MOST_BYTES = 4_000_000
_IDLE_S = 45.0
_KEY_LENGTH = range(8, 257)
_TRY_LATER = frozenset({408, 425, 429, 502, 503, 504})


class RefusedError(NotationError):
    """Their server answered, and did not do it. ``code`` is Connect's, ``message`` theirs."""

    def __init__(self, code: str, message: str, method: str) -> None:
        super().__init__(f"Woogles refused {method}: {message or code}")
        self.code, self.message, self.method = code, message, method


class UnreachableError(DeviceError):
    """No answer that can be used: try again, ``after_s`` from now at the earliest."""

    def __init__(self, why: str, after_s: float = 0.0) -> None:
        super().__init__(why)
        self.after_s = after_s


@dataclass(frozen=True, slots=True)
class ApiKey:
    """An API key; what is printed of it is never the key."""

    secret: str = field(repr=False)

    def __str__(self) -> str:
        return "the key"


def read_key(file: Path | None) -> ApiKey:
    """The key in a file, or in the environment. NotationError when there is none to use."""
    if file is None:
        text, where = os.environ.get(KEY_VARIABLE, ""), f"${KEY_VARIABLE}"
        if not text:
            raise NotationError(
                f"no API key: put it in a file (--key-file FILE) or in {where}; woogles.io shows"
                " it under Settings, API"
            )
    else:
        where = str(file)
        try:
            text = read_file(file).decode("ascii", "replace")
            open_to_others = os.name == "posix" and file.stat().st_mode & 0o077
        except OSError as fault:
            raise NotationError(f"{file}: the key cannot be read: {fault.strerror}") from fault
        if open_to_others:
            raise NotationError(f"{file}: others may read the key; run: chmod 600 {file}")
    secret = text.strip()
    if len(secret) not in _KEY_LENGTH or not secret.isascii() or not secret.isalnum():
        raise NotationError(f"{where}: an API key is one word of letters and digits")
    return ApiKey(secret)


class Pace:
    """At most so many calls a second over all threads; each waits for its turn."""

    def __init__(self, a_second: float) -> None:
        self._gap = 1.0 / a_second
        self._lock = threading.Lock()
        self._next = 0.0

    def turn(self) -> None:
        """Come back when the next call may be made."""
        with self._lock:
            now = time.monotonic()
            at = max(now, self._next)
            self._next = at + self._gap
        if at > now:
            time.sleep(at - now)


class Woogles:
    """Their service at an address. Any thread may ask; each has a connection of its own."""

    def __init__(
        self, address: str, key: ApiKey, pace: Pace, patience_s: float = ANSWER_WITHIN_S
    ) -> None:
        parts = urlsplit(address)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise NotationError(f"{address}: an address such as {ADDRESS} is expected")
        self._local = parts.hostname in ("localhost", "127.0.0.1", "::1")
        if parts.scheme == "http" and not self._local:
            raise NotationError(f"{address}: the key is sent over https only")
        self._parts, self._key, self._pace, self._patience_s = parts, key, pace, patience_s
        self._tls = ssl.create_default_context() if parts.scheme == "https" else None
        self._own = threading.local()

    @property
    def site(self) -> str:
        """The address of the site, for people."""
        return f"{self._parts.scheme}://{self._parts.netloc}"

    def ask(self, call: Call) -> object:
        """The answer to a request, as JSON values.

        RefusedError when they refuse, UnreachableError when there is no answer that can be used.
        """
        self._pace.turn()
        body = json.dumps(call.body, ensure_ascii=False).encode()
        status, after, content = self._exchanged(call, body)
        if status in _TRY_LATER:
            raise UnreachableError(f"Woogles answers {status} to {call.method}", after)
        try:
            said = parse_json(content.decode())
        except ValueError as fault:
            raise UnreachableError(
                f"Woogles answers {status} to {call.method}, and no JSON"
            ) from fault
        if status == http.HTTPStatus.OK:
            return said
        code = said.get("code") if isinstance(said, dict) else None
        if not isinstance(code, str):
            raise UnreachableError(f"Woogles answers {status} to {call.method}")
        if code in ("unavailable", "deadline_exceeded", "resource_exhausted"):
            raise UnreachableError(f"Woogles is not available ({code})", after)
        raise RefusedError(code, self._plain(said.get("message")), call.method)

    def _plain(self, message: object) -> str:
        """What they say, on one line and never with the key in it."""
        text = " ".join(str(message or "").split())[:200]
        return text.replace(self._key.secret, "(the key)")

    def _exchanged(self, call: Call, body: bytes) -> tuple[int, float, bytes]:
        headers = {
            "Content-Type": "application/json",
            "Connect-Protocol-Version": "1",
            "X-Api-Key": self._key.secret,
            "User-Agent": "Tilecast",
        }
        path = f"{self._parts.path.rstrip('/')}/{call.path}"
        fresh = not getattr(self._own, "open", False)
        try:
            return self._once(path, body, headers)
        except (OSError, http.client.HTTPException) as fault:
            self.close()
            # A connection that was kept may have been closed by them meanwhile: nothing was done.
            if fresh or call.writes or isinstance(fault, TimeoutError):
                raise UnreachableError(self._why(fault)) from fault
        try:
            return self._once(path, body, headers)
        except (OSError, http.client.HTTPException) as fault:
            self.close()
            raise UnreachableError(self._why(fault)) from fault

    def _once(self, path: str, body: bytes, headers: dict[str, str]) -> tuple[int, float, bytes]:
        link = self._link()
        link.request("POST", path, body, headers)
        with link.getresponse() as answer:
            content = answer.read(_MOST_BYTES + 1)
            if len(content) > _MOST_BYTES:
                self.close()
                raise UnreachableError(f"Woogles sends more than {_MOST_BYTES} bytes")
            return answer.status, _seconds(answer.headers.get("Retry-After")), content

    def _link(self) -> http.client.HTTPConnection:
        now = time.monotonic()
        if getattr(self._own, "open", False) and now - self._own.used > _IDLE_S:
            self.close()  # they hang up after 90 seconds, maybe while we ask
        self._own.used = now
        if not getattr(self._own, "open", False):
            host, port = self._parts.hostname or "", self._parts.port
            if self._tls is None:
                made = http.client.HTTPConnection(host, port, timeout=self._patience_s)
            else:
                made = http.client.HTTPSConnection(
                    host, port, timeout=self._patience_s, context=self._tls
                )
            made.connect()
            made.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._own.link, self._own.open = made, True
        link: http.client.HTTPConnection = self._own.link
        return link

    def close(self) -> None:
        """Hang up the connection of this thread."""
        if getattr(self._own, "open", False):
            self._own.open = False
            self._own.link.close()

    def _why(self, fault: Exception) -> str:
        if isinstance(fault, TimeoutError):
            return f"{self._parts.hostname} has not answered in {self._patience_s:g} s"
        if isinstance(fault, socket.gaierror):
            return f"{self._parts.hostname} is not found: is this machine on the internet?"
        if isinstance(fault, ssl.SSLError):
            return f"{self._parts.hostname}: the secure connection failed ({fault.reason})"
        said = getattr(fault, "strerror", None) or str(fault) or type(fault).__name__
        return f"{self._parts.hostname} cannot be reached: {said}"


def _seconds(text: str | None) -> float:
    """A Retry-After in seconds; 0 for a date, or for nothing."""
    return min(600.0, float(text)) if text is not None and text.strip().isdecimal() else 0.0
