"""Figures in the Prometheus form and a program's health, over HTTP at an address of their own.

``GET /metrics``, and ``GET /healthz``: 200 while the program does its work, 503 while it does not,
with the reason as JSON. Neither has a name of a player, a rack or a key; anyone who reaches the
address reads them, so it is one of this machine unless somebody says otherwise.
"""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from prometheus_client import CollectorRegistry
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest

from recorder.operations.options import ListenAddress


@dataclass(frozen=True, slots=True)
class Health:
    """Whether a program does its work, and what is wrong where it does not.

    ``standby``: its work is to wait for another's end.
    """

    wrong: str = ""
    standby: bool = False

    @property
    def status(self) -> HTTPStatus:
        """What a supervisor is answered."""
        return HTTPStatus.SERVICE_UNAVAILABLE if self.wrong else HTTPStatus.OK

    def as_json(self) -> bytes:
        """``{"ok": true, "wrong": "", "standby": false}``."""
        said = {"ok": not self.wrong, "wrong": self.wrong, "standby": self.standby}
        return json.dumps(said).encode()


@contextmanager
def monitored(
    address: ListenAddress, registry: CollectorRegistry, health: Callable[[], Health]
) -> Iterator[int]:
    """Serve figures and health while the block runs; gives the port.

    ``health`` is called on a thread of the server. OSError when the port is taken.
    """

    class Answers(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            """Answer one of the two addresses."""
            if self.path == "/metrics":
                self._say(HTTPStatus.OK, CONTENT_TYPE_LATEST, generate_latest(registry))
            elif self.path == "/healthz":
                now = health()
                self._say(now.status, "application/json", now.as_json())
            else:
                self._say(HTTPStatus.NOT_FOUND, "text/plain", b"/metrics or /healthz\n")

        def _say(self, status: HTTPStatus, kind: str, text: bytes) -> None:
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(text)))
            self.send_header("Cache-Control", "no-store")
            self.end_headers()
            self.wfile.write(text)

        def log_message(self, *_: object) -> None:
            """Scrapes every few seconds are no news."""

    with _Server((address.host, address.port), Answers) as server:
        thread = threading.Thread(target=server.serve_forever, name="monitor", daemon=True)
        thread.start()
        try:
            yield server.server_address[1]
        finally:
            server.shutdown()
            thread.join()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
