"""A table that plays a game by itself: a snapshot camera over HTTP and a clock on a pty.

This is what stands below the drivers. It gives pixels to the one who fetches them and bytes to
the one who opens the line, and nothing else. The script moves on by one frame each time the camera
is read, so a slow reader slows the game down and misses nothing.
"""

import http.server
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Self

import cv2

from devices.lab.game_script import (
    LONGEST_THOUGHT_S,
    Announce,
    Call,
    Expose,
    Happening,
    LiftBag,
    MoveBoard,
    PressClock,
    Reflect,
    ResetClock,
    RunDown,
    Show,
    StartClock,
    StopClock,
    Think,
    TurnTiles,
    Wait,
)
from devices.lab.instruments import Instruments
from devices.lab.peers.clock_firmware import ClockFace
from devices.lab.peers.serial_peer import SerialPeer
from devices.lab.scenes.table_scene import TableScene
from recorder.domain.observations import Corners, Side

JPEG_QUALITY = 90
START_MS = 25 * 60_000
SLEEVES = ((120, 70, 40), (60, 60, 150))
SIDES = (Side.LEFT, Side.RIGHT)
DRAW_S = 1.0
"""No hand is out of the bag again any sooner; the quickest players take two or three."""


def table_clock(*, drift_ppm: float = 0.0) -> SerialPeer:
    """A clock with 25 minutes for each; a good quartz drifts by less than 50 ppm."""
    face = ClockFace(left_ms=START_MS, right_ms=START_MS)
    return SerialPeer(face=face, speed=1.0, drift_ppm=drift_ppm)


class SimulatedTable:
    """Plays a script once, as fast as its camera is read; the first player sits on the left.

    ``speed`` shortens thinking: the players' clocks lose the full time, the wall clock only its
    ``speed``-th part. ``finished`` is set when the last frame was fetched; the camera goes on
    showing the final board.
    """

    def __init__(
        self,
        script: Iterator[Happening],
        scene: TableScene,
        *,
        speed: float = 1.0,
        port: int = 0,
        instruments: Instruments | None = None,
        clock: SerialPeer | None = None,
    ) -> None:
        if speed < 1:
            raise ValueError(f"speed must be at least 1, not {speed}")
        self.finished = threading.Event()
        self.started = threading.Event()
        self._script = script
        self._scene = scene
        self._speed = speed
        self._lock = threading.Lock()
        self._frames_left = 0
        self._think_until = 0.0
        self._number = 0
        self.clock = clock or table_clock()
        self.instruments = instruments
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", port), _handler(self))
        self._thread = threading.Thread(target=self._server.serve_forever, name="simulated camera")
        self._thread.start()

    @property
    def camera_view(self) -> tuple[tuple[int, int], Corners]:
        """Width and height of its pictures, and where the field lies in them."""
        camera = self._scene.camera
        return (camera.width, camera.height), self._scene.corners

    @property
    def camera_url(self) -> str:
        """Where the camera's pictures are fetched, one frame per request."""
        return f"{self.base_url}/snapshot.jpg"

    @property
    def base_url(self) -> str:
        """Below it other cameras' pictures are fetched; they move nothing on."""
        return f"http://127.0.0.1:{self._server.server_port}"

    def more_devices_toml(self, folder: Path) -> str:
        """Entries of an agent's file for its instruments, if it has any.

        ``folder`` is for what they refer to.
        """
        if self.instruments is None:
            return ""
        return self.instruments.devices_toml(folder, self.base_url)

    def jpeg(self) -> bytes:
        """The next frame as the camera delivers it."""
        with self._lock:
            self._move_on()
            self._number += 1
            image = self._scene.frame(self._number)
        _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
        return data.tobytes()

    def _move_on(self) -> None:
        """Act out the script up to the next frame that somebody can see."""
        self.started.set()
        if time.monotonic() < self._think_until:
            return
        while self._frames_left == 0:
            happening = next(self._script, None)
            if happening is None:
                self.finished.set()
                return
            if self._act(happening):
                return
        self._frames_left -= 1

    def _act(self, happening: Happening) -> bool:
        """Do one thing; true when a frame is due before the next."""
        match happening:
            case Show(frames=frames, rows=rows, hand=hand, target=target, player=player):
                self._scene.board = rows
                self._scene.hand = None if hand is None else (hand, target, SLEEVES[player])
                self._frames_left = frames
                return False
            case Think(seconds=seconds):
                # Who thinks for half an hour is not waited for.
                waited = min(seconds, LONGEST_THOUGHT_S) / self._speed
                self.clock.advance(round(1000 * (seconds - waited)))
                self._think_until = time.monotonic() + waited
                return True
            case Wait(seconds=seconds):
                self._think_until = time.monotonic() + seconds
                return True
            case LiftBag() if self.instruments is not None:
                self.instruments.act(happening)
                self._think_until = time.monotonic() + DRAW_S
                return True
            case _ if not self._at_clock(happening):
                self._change(happening)
        return False

    def _at_clock(self, happening: Happening) -> bool:
        """Do what is done at the clock and the scorer's box beside it; whether it was that."""
        match happening:
            case PressClock(player=player):
                self.clock.press(SIDES[player])
            case StopClock():
                self.clock.pause()
            case StartClock():
                self.clock.resume()
            case ResetClock():
                self.clock.reset()
            case Announce(player=player, say=say, count=count):
                self.clock.say(SIDES[player], say, count)
            case Call(player=player, act=act):
                self.clock.act(SIDES[player], act)
            case RunDown(seconds=seconds):
                face = self.clock.face
                left = face.left_ms if face.running is Side.LEFT else face.right_ms
                self.clock.advance(max(0, left - round(1000 * seconds)))
            case _:
                return False
        return True

    def _change(self, happening: Happening) -> None:
        """What the camera sees otherwise, or the other instruments feel, if there are any."""
        match happening:
            case MoveBoard(turn_deg=turn_deg, shift=shift):
                self._scene.turn_deg, self._scene.shift = turn_deg, shift
            case Reflect(at=at):
                self._scene.reflect(at)
            case Expose(gain=gain):
                self._scene.expose(gain)
            case TurnTiles(quarters=quarters):
                self._scene.turn_tiles(quarters)
            case _ if self.instruments is not None:
                self.instruments.act(happening)

    def close(self) -> None:
        """Switch camera and clock off."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
        self.clock.close()
        if self.instruments is not None:
            self.instruments.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _handler(table: SimulatedTable) -> type[http.server.BaseHTTPRequestHandler]:
    class Camera(http.server.BaseHTTPRequestHandler):
        """Answers every request with the next frame."""

        protocol_version = "HTTP/1.1"

        def handle(self) -> None:
            """Serve one connection; anyone who reads may go away in the middle of a frame."""
            with suppress(ConnectionError):
                super().handle()

        def do_GET(self) -> None:
            """Send a frame of the board, or of what another camera sees."""
            beside = None if table.instruments is None else table.instruments.jpeg(self.path)
            data = beside or table.jpeg()
            self.send_response(http.HTTPStatus.OK)
            self.send_header("Content-Type", "image/jpeg")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class names it so
            """Say nothing: a line per frame helps nobody."""

    return Camera
