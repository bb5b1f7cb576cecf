"""A feed, or something else, from an address: only from where it may lead, and within a time.

The server may be anybody's. What it sends is data or a sentence, and leads this machine nowhere.
"""

import contextlib
import socket
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from functools import partial
from http.client import HTTPConnection, HTTPException, HTTPMessage, HTTPResponse, HTTPSConnection
from typing import IO, Any
from urllib.parse import urlsplit

from recorder.domain.errors import NotationError

PATIENCE_S = 10.0
WHOLE_S = 30.0
"""So long an answer may take from its first byte to its last."""
_PORTS = {"http": 80, "https": 443}


def fetched(address: str, most_bytes: int) -> bytes:
    """What lies at an http(s) address, up to a byte more than ``most_bytes``.

    NotationError says why it cannot be had: no answer, not in time, or it leads elsewhere.
    """
    ends = time.monotonic() + WHOLE_S
    try:
        with opened(address, _is_same_server) as answer:
            content: bytes = answer.read(most_bytes + 1)
    except urllib.error.HTTPError as err:
        err.close()
        raise NotationError(f"the server answers {err.code} {err.reason}") from err
    except (OSError, HTTPException, ValueError) as err:
        if time.monotonic() < ends:
            why = getattr(err, "reason", None) or err
            raise NotationError(f"cannot be fetched: {why or type(err).__name__}") from err
    if time.monotonic() >= ends:
        raise NotationError(f"the server has not sent all of it in {WHOLE_S:g} s")
    return content


@contextlib.contextmanager
def opened(address: str, may_lead: Callable[[str, str], bool]) -> Iterator[HTTPResponse]:
    """The answer of an http(s) address; it is hung up on after ``WHOLE_S`` in all.

    ``may_lead`` says of an address and one that it redirects to whether that may be asked. OSError,
    HTTPException or ValueError when there is none.
    """
    endings: list[threading.Timer] = []
    opener = urllib.request.build_opener(_OpensInTime(endings), _FollowsWithin(may_lead))
    try:
        with opener.open(address, timeout=PATIENCE_S) as answer:
            yield answer
    finally:
        for ending in endings:
            ending.cancel()


class _FollowsWithin(urllib.request.HTTPRedirectHandler):
    """Follows a redirect from one address to another where a rule allows it, and says where not.

    Anyone who keeps a server cannot make this machine ask others that it alone can reach.
    """

    def __init__(self, may_lead: Callable[[str, str], bool]) -> None:
        self._may_lead = may_lead

    def http_error_302(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage
    ) -> HTTPResponse | None:
        try:
            answer: HTTPResponse | None = super().http_error_302(req, fp, code, msg, headers)
        except (OSError, ValueError):
            fp.close()
            raise
        return answer

    http_error_301 = http_error_303 = http_error_307 = http_error_308 = http_error_302

    def redirect_request(
        self,
        req: urllib.request.Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: HTTPMessage,
        newurl: str,
    ) -> urllib.request.Request | None:
        if not self._may_lead(req.full_url, newurl):
            raise urllib.error.URLError(f"it leads to {newurl[:200]}; name that address instead")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _is_same_server(before: str, after: str) -> bool:
    """The same host, with or without ``www.``, and the same port; or its TLS, not back from it."""
    was, is_ = urlsplit(before), urlsplit(after)
    if _bare(was.hostname) != _bare(is_.hostname):
        return False
    ports = (was.port or _PORTS[was.scheme], is_.port or _PORTS.get(is_.scheme))
    turns_safe = (was.scheme, is_.scheme) == ("http", "https") and ports == (80, 443)
    return turns_safe or (was.scheme == is_.scheme and ports[0] == ports[1])


def _bare(host: str | None) -> str:
    return (host or "").removeprefix("www.")


class _EndsInTime(HTTPConnection):
    """Hangs up when an answer takes too long in all: each byte of one that drips comes in time."""

    endings: list[threading.Timer]

    def connect(self) -> None:
        super().connect()
        ending = threading.Timer(WHOLE_S, _hang_up, [self.sock])
        ending.daemon = True
        ending.start()
        self.endings.append(ending)


class _EndsInTimeTls(_EndsInTime, HTTPSConnection):
    pass


class _OpensInTime(urllib.request.HTTPSHandler, urllib.request.HTTPHandler):
    def __init__(self, endings: list[threading.Timer]) -> None:
        super().__init__()
        self._endings = endings

    def http_open(self, req: urllib.request.Request) -> HTTPResponse:
        return self.do_open(partial(_ending, _EndsInTime, self._endings), req)

    def https_open(self, req: urllib.request.Request) -> HTTPResponse:
        return self.do_open(partial(_ending, _EndsInTimeTls, self._endings), req)


def _ending(
    kind: type[_EndsInTime], endings: list[threading.Timer], host: str, **options: Any
) -> _EndsInTime:
    line = kind(host, **options)
    line.endings = endings
    return line


def _hang_up(line: socket.socket) -> None:
    with contextlib.suppress(OSError):  # it is closed already
        line.shutdown(socket.SHUT_RDWR)
