"""What the camera above a table sees, served by cameras of other makers.

``Lens`` is the picture; it serves itself as MJPEG, as phone apps do. The others take theirs from
it and serve it by programs that are not ours: ``motion`` (MJPEG again), Python's own file server
(a picture per request), GStreamer's RTSP server (H.264).
"""

import itertools
import os
import shutil
import socket
import socketserver
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from recorder.bus.broker import free_port
from tests.eventually import eventually
from tests.rehearsal.hall import listens
from tests.served import Quiet, serving

WIDTH, HEIGHT = 1296, 1008
"""Streams have one size: photographs are laid onto a table of it."""


class Lens:
    """Shows a picture until another is laid under it; knocked, it looks from elsewhere."""

    def __init__(self, folder: Path, every_s: float = 0.1) -> None:
        self.file = folder / "shot.jpg"
        self.is_knocked = False
        self._shown = bare_table()
        self.show(self._shown)
        self._ended = threading.Event()
        lens = self

        class Handler(Quiet):
            def answer(self) -> None:
                self.send_response(200)
                self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
                self.end_headers()
                with suppress(OSError):
                    for nth in itertools.count():
                        if lens._ended.wait(every_s):
                            break
                        jpeg = lens.jpegs[nth % len(lens.jpegs)]
                        head = f"Content-Type: image/jpeg\r\nContent-Length: {len(jpeg)}"
                        self.wfile.write(f"--frame\r\n{head}\r\n\r\n".encode() + jpeg + b"\r\n")

        self._served = ExitStack()
        self.url = self._served.enter_context(serving(Handler)) + "/video"
        """Its address, for a camera's ``source``."""

    def show(self, picture: NDArray[np.uint8]) -> None:
        self._shown = picture
        seen = knocked(picture) if self.is_knocked else picture
        # No two pictures of a camera are the same.
        self.jpegs = [
            cv2.imencode(".jpg", seen, (cv2.IMWRITE_JPEG_QUALITY, quality))[1].tobytes()
            for quality in range(95, 87, -1)
        ]
        written = self.file.with_suffix(".new")
        written.write_bytes(self.jpegs[0])
        written.replace(self.file)

    def knock(self) -> None:
        """Somebody moves the camera; it stays so."""
        self.is_knocked = True
        self.show(self._shown)

    def close(self) -> None:
        self._ended.set()
        self._served.close()


@contextmanager
def lens_in(folder: Path, every_s: float = 0.1) -> Iterator[Lens]:
    """A lens that gives a picture so often, and ends with the block."""
    lens = Lens(folder, every_s)
    try:
        yield lens
    finally:
        lens.close()


@contextmanager
def slow_to_open(port: int, seconds: float) -> Iterator[int]:
    """The port of another way to a camera, on which each first word waits so long."""

    def carry(here: socket.socket, there: socket.socket, wait_s: float = 0.0) -> None:
        with suppress(OSError):
            while sent := here.recv(65536):
                time.sleep(wait_s)
                there.sendall(sent)
                wait_s = 0.0
        for line in (here, there):
            with suppress(OSError):
                line.shutdown(socket.SHUT_RDWR)

    class Way(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            with socket.create_connection(("127.0.0.1", port)) as camera:
                back = threading.Thread(target=carry, args=(camera, self.request))
                back.start()
                carry(self.request, camera, seconds)
                back.join()

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Way) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        yield server.server_address[1]
        server.shutdown()
        thread.join()


def bare_table() -> NDArray[np.uint8]:
    """What is seen before the first tile: a grey table, no board."""
    return np.full((HEIGHT, WIDTH, 3), 96, np.uint8)


def on_the_table(photograph: Path) -> NDArray[np.uint8]:
    """A photograph in the middle of the picture, made smaller where it does not fit."""
    image = cv2.imread(str(photograph))
    assert image is not None, photograph
    scale = min(1.0, HEIGHT / image.shape[0], WIDTH / image.shape[1])
    if scale < 1:
        image = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    table = bare_table()
    height, width = image.shape[:2]
    top, left = (HEIGHT - height) // 2, (WIDTH - width) // 2
    table[top : top + height, left : left + width] = image
    return table


def knocked(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The same table from a camera that was moved: shifted, turned by two degrees."""
    turn = cv2.getRotationMatrix2D((WIDTH / 2, HEIGHT / 2), 2.0, 0.97)
    turn[:, 2] += (25, -12)
    seen = cv2.warpAffine(picture, turn, (WIDTH, HEIGHT), borderValue=(96, 96, 96))
    return seen.astype(np.uint8)


@dataclass(frozen=True, slots=True)
class Maker:
    """A camera of another maker: what it needs of this machine, and how it is switched on."""

    what: str
    needs: Callable[[], str]
    serve: "Callable[[Lens, Path], tuple[list[str], str, int]]"


class Camera:
    """A camera of another maker above the table: its address, its switch."""

    def __init__(self, maker: Maker, lens: Lens, folder: Path) -> None:
        self._command, self.address, self._port = maker.serve(lens, folder)
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None

    def on(self) -> None:
        file = self._folder / f"camera-{self._port}.log"
        with file.open("ab") as output:
            process = subprocess.Popen(
                self._command, cwd=self._folder, stdout=output, stderr=output
            )
        self._process = process
        what = f"{self._command[0]} serves"
        eventually(lambda: listens(self._port) or process.poll() is not None, what)
        assert process.poll() is None, file.read_text("utf-8")

    def off(self) -> None:
        """Nothing is at its address."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait(20)


@contextmanager
def camera_on(maker: Maker, lens: Lens, folder: Path) -> Iterator[Camera]:
    """The camera runs, until the block ends."""
    camera = Camera(maker, lens, folder)
    try:
        camera.on()
        yield camera
    finally:
        camera.off()


@contextmanager
def switched_on(maker: Maker, lens: Lens, folder: Path) -> Iterator[str]:
    """The camera runs; its address, for a camera's ``source``."""
    with camera_on(maker, lens, folder) as camera:
        yield camera.address


_MOTION = """\
daemon off
setup_mode off
log_level 4
netcam_url {source}
width {width}
height {height}
framerate 10
emulate_motion off
picture_output off
movie_output off
locate_motion_mode off
text_left
text_right
stream_port {port}
stream_localhost on
stream_maxrate 10
stream_quality 90
webcontrol_port 0
"""


def _motion(lens: Lens, folder: Path) -> tuple[list[str], str, int]:
    port, file = free_port(), folder / "motion.conf"
    text = _MOTION.format(source=lens.url, width=WIDTH, height=HEIGHT, port=port)
    file.write_text(text, "utf-8")
    command = ["motion", "-n", "-c", str(file)]
    return command, f"http://127.0.0.1:{port}/", port


def _file_server(lens: Lens, _folder: Path) -> tuple[list[str], str, int]:
    port = free_port()
    served = ["--bind", "127.0.0.1", "--directory", str(lens.file.parent), str(port)]
    command = [sys.executable, "-m", "http.server", *served]
    return command, f"http://127.0.0.1:{port}/shot.jpg", port


# A camera that is too busy leaves pictures out; without the queue it would be ever later.
_RTSP = """
import gi
gi.require_version("Gst", "1.0")
gi.require_version("GstRtspServer", "1.0")
from gi.repository import GLib, Gst, GstRtspServer
Gst.init(None)
server = GstRtspServer.RTSPServer(address="127.0.0.1", service="{port}")
factory = GstRtspServer.RTSPMediaFactory(shared=True)
factory.set_launch("( souphttpsrc location={source} is-live=true do-timestamp=true ! multipartdemux"
    " ! queue leaky=downstream max-size-buffers=1"
    " ! jpegdec ! videorate ! video/x-raw,framerate=8/1 ! videoconvert"
    " ! x264enc tune=zerolatency speed-preset=superfast bitrate=6000 key-int-max=16"
    " ! rtph264pay name=pay0 pt=96 )")
server.get_mount_points().add_factory("/board", factory)
server.attach(None)
GLib.MainLoop().run()
"""
_SYSTEM_PYTHON = "/usr/bin/python3"
"""GStreamer's bindings belong to Debian's own Python."""


def _gstreamer(lens: Lens, folder: Path) -> tuple[list[str], str, int]:
    port, file = free_port(), folder / "rtsp.py"
    file.write_text(_RTSP.format(source=lens.url, port=port), "utf-8")
    return [_SYSTEM_PYTHON, str(file)], f"rtsp://127.0.0.1:{port}/board", port


def _needs_motion() -> str:
    return "" if shutil.which("motion") else "apt install motion"


_ELEMENTS = ("souphttpsrc", "multipartdemux", "jpegdec", "x264enc", "rtph264pay")
_HAS_RTSP = f"""
import gi
gi.require_version("GstRtspServer", "1.0")
from gi.repository import Gst, GstRtspServer
Gst.init(None)
assert all(Gst.ElementFactory.find(name) for name in {_ELEMENTS})
"""


def _needs_gstreamer() -> str:
    words = [_SYSTEM_PYTHON, "-c", _HAS_RTSP]
    found = (
        os.access(_SYSTEM_PYTHON, os.X_OK)
        and not subprocess.run(words, check=False, capture_output=True).returncode
    )
    packages = "gir1.2-gst-rtsp-server-1.0 python3-gi gstreamer1.0-plugins-good"
    return "" if found else f"apt install {packages} gstreamer1.0-plugins-ugly"


def _needs_nothing() -> str:
    return ""


MAKERS = {
    "mjpeg": Maker("MJPEG by motion", _needs_motion, _motion),
    "snapshot": Maker("snapshots by http.server", _needs_nothing, _file_server),
    "rtsp": Maker("H.264 over RTSP by GStreamer", _needs_gstreamer, _gstreamer),
}
