"""Web servers of tests: cameras, apps and sites on this machine, each at a free port."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from http.server import BaseHTTPRequestHandler, SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path


class Quiet(BaseHTTPRequestHandler):
    """Answers requests, each by ``answer``, without a word on the test's output."""

    def do_GET(self) -> None:
        self.answer()

    def do_POST(self) -> None:
        self.answer()

    def answer(self) -> None:
        """Read what there is to read, and answer."""
        raise NotImplementedError

    def log_message(self, *_: object) -> None:
        """Say nothing."""

    def give(self, body: bytes, status: int = 200, **heads: str) -> None:
        """Answer with a body, its length and other headers (``Content_Type`` for a hyphen)."""
        self.send_response(status)
        for name, value in {**heads, "Content_Length": str(len(body))}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)


class QuietFiles(SimpleHTTPRequestHandler):
    """Serves the files of a folder, as quietly."""

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def serving(handler: Callable[..., BaseHTTPRequestHandler]) -> Iterator[str]:
    """The address, without a path, of a server that ends with the block."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    # An answer that somebody is still waiting for holds nothing up.
    server.daemon_threads, server.block_on_close = True, False
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@contextmanager
def serving_files(folder: Path) -> Iterator[str]:
    """The address of a server of a folder's files, without a slash at its end."""
    with serving(partial(QuietFiles, directory=str(folder))) as address:
        yield address


@contextmanager
def snapshots(picture: Callable[[], bytes]) -> Iterator[str]:
    """The address of a camera that answers every request with the JPEG that ``picture`` gives."""

    class Camera(Quiet):
        def answer(self) -> None:
            with suppress(OSError):
                self.give(picture())

    with serving(Camera) as address:
        yield f"{address}/shot.jpg"
