"""Cameras that need seconds before their first picture: they are waited for, and nothing is ill."""

import socket
import threading
import time
from collections.abc import Iterator

import cv2
import numpy as np
import pytest

from devices.cameras.camera import open_source
from devices.cameras.complaint import camera_complaint
from devices.ports import Ticks
from tests.served import Quiet, serving

pytestmark = pytest.mark.slow
SLOW_S = 6.5


class _Slow(Quiet):
    """It starts its camera only when somebody asks."""

    def answer(self) -> None:
        time.sleep(SLOW_S)
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=next")
        self.end_headers()
        dice = np.random.default_rng(1)
        try:
            while True:
                picture = dice.integers(60, 200, (120, 160, 3), np.uint8)
                jpeg = bytes(cv2.imencode(".jpg", picture)[1])
                self.wfile.write(b"--next\r\nContent-Type: image/jpeg\r\n")
                self.wfile.write(b"Content-Length: %d\r\n\r\n%s\r\n" % (len(jpeg), jpeg))
                time.sleep(0.1)
        except OSError:
            return


@pytest.fixture
def address() -> Iterator[str]:
    with serving(_Slow) as root:
        yield f"{root}/video"


def test_a_stream_that_needs_six_seconds_is_read_and_never_called_lost(address: str, ticks: Ticks):
    """As the agent reads it: no word of a lost camera, then its pictures."""
    source, said = open_source(address, ticks), set[str]()
    try:
        end = time.monotonic() + 30
        while (frame := source.read(0.2)) is None and time.monotonic() < end:
            said.add(source.lost)
        assert frame is not None
        assert said == {""}
    finally:
        source.close()


def test_an_rtsp_server_that_answers_after_six_seconds_is_asked_for_its_answer(ticks: Ticks):
    """It refuses the path then, and that is what is said."""
    answer = b"RTSP/1.0 404 Not Found\r\nCSeq: 1\r\n\r\n"
    with socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(target=_answers_late, args=(server, answer), daemon=True).start()
        port = server.getsockname()[1]
        complaint = camera_complaint(f"rtsp://127.0.0.1:{port}/board", ticks)
    assert "it has nothing at this path (404)" in complaint


def _answers_late(server: socket.socket, answer: bytes) -> None:
    line, _ = server.accept()
    with line:
        line.recv(1024)
        time.sleep(SLOW_S)
        line.sendall(answer)
