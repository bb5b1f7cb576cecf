"""A feed from an address: from that server alone, and within a time.

The server may be anybody's. What it sends is data or a sentence, and leads this machine nowhere.
"""

import contextlib
import socket
import threading
import time
import urllib.error
import urllib.request
from http.client import HTTPConnection, HTTPException, HTTPMessage, HTTPResponse, HTTPSConnection
from typing import IO
from urllib.parse import urlsplit

from recorder.domain.errors import NotationError

PATIENCE_S = 10.0
WHOLE_S = 30.0
"""So long an answer may take from its first byte to its last."""


def fetched(address: str, most_bytes: int) -> bytes:
    """What lies at an http(s) address, up to a byte more than ``most_bytes``.

    NotationError says why it cannot be had: no answer, not in time, or it leads elsewhere.
    """
    opener = urllib.request.build_opener(_HttpHandler, _HttpsHandler, _SameServer)
    ends = time.monotonic() + WHOLE_S
    try:
        with opener.open(address, timeout=PATIENCE_S) as answer:
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


class _SameServer(urllib.request.HTTPRedirectHandler):
    """Follows a redirect on the server that was named, or to its like with or without ``www.``.

    Whoever keeps that server cannot make this machine ask others that it alone can reach.
    """

    def redirect_request(
        self,
        req: urllib.request.Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: HTTPMessage,
        newurl: str,
    ) -> urllib.request.Request | None:
        before, after = urlsplit(req.full_url), urlsplit(newurl)
        is_there = _bare(after.hostname) == _bare(before.hostname)
        if after.scheme not in ("http", "https") or not is_there:
            raise urllib.error.URLError(f"it leads to {newurl[:200]}; name that address instead")
        if after.port not in (before.port, None):
            raise urllib.error.URLError(f"it leads to {newurl[:200]}; name that address instead")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _bare(host: str | None) -> str:
    return (host or "").removeprefix("www.")


class _EndsInTime(HTTPConnection):
    """Hangs up when an answer takes too long in all: each byte of one that drips comes in time."""

    def connect(self) -> None:
        super().connect()
        ending = threading.Timer(WHOLE_S, _hang_up, [self.sock])
        ending.daemon = True
        ending.start()


class _EndsInTimeTls(_EndsInTime, HTTPSConnection):
    pass


class _HttpHandler(urllib.request.HTTPHandler):
    def http_open(self, req: urllib.request.Request) -> HTTPResponse:
        return self.do_open(_EndsInTime, req)


class _HttpsHandler(urllib.request.HTTPSHandler):
    def https_open(self, req: urllib.request.Request) -> HTTPResponse:
        return self.do_open(_EndsInTimeTls, req)


def _hang_up(line: socket.socket) -> None:
    with contextlib.suppress(OSError):  # it is closed already
        line.shutdown(socket.SHUT_RDWR)
