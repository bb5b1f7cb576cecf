"""A camera's server: a stream of JPEGs that goes on with its last picture, stalls, or hangs up."""

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from devices.pictures import Image, encode_jpeg
from tests.served import Quiet, serving


class PictureStream:
    """Pictures, in order: the first one until ``once`` holds. ``given``: all have been.

    Then the last one comes again and again, or (``stalls``) nothing more, on an open connection.
    """

    def __init__(
        self, pictures: Iterable[Image], *, stalls: bool, once: Callable[[], bool]
    ) -> None:
        self.jpegs, self.stalls = [encode_jpeg(picture) for picture in pictures], stalls
        self.once = once
        self.given, self.ended = threading.Event(), threading.Event()
        self.address = ""

    def __iter__(self) -> Iterator[bytes]:
        while not (self.once() or self.ended.is_set()):
            yield self.jpegs[0]
        if not self.given.is_set():
            yield from self.jpegs
        self.given.set()
        while not self.ended.is_set():
            if self.stalls:
                self.ended.wait()
            yield self.jpegs[-1]


@contextmanager
def streaming(
    pictures: Iterable[Image],
    *,
    every_s: float = 0.1,
    stalls: bool = False,
    once: Callable[[], bool] = lambda: True,
) -> Iterator[PictureStream]:
    stream = PictureStream(pictures, stalls=stalls, once=once)

    class Answer(Quiet):
        def answer(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=cut")
            self.end_headers()
            due = time.monotonic()
            try:
                for jpeg in stream:
                    head = f"--cut\r\nContent-Length: {len(jpeg)}\r\n\r\n"
                    self.wfile.write(head.encode() + jpeg + b"\r\n")
                    due = max(due + every_s, time.monotonic())
                    stream.ended.wait(due - time.monotonic())
            except OSError:
                return  # whoever asked has hung up

    with serving(Answer) as address:
        stream.address = f"{address}/video"
        try:
            yield stream
        finally:
            stream.ended.set()
