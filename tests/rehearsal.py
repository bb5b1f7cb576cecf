"""A venue made by ``tilecast init``, run by ``tilecast venue``, and played at with parts of others.

Mosquitto as Debian ships it; a camera that is an MJPEG stream over HTTP; a clock of a stranger, by
``docs/clock-protocol.md`` alone. ``python -m tests.rehearsal FOLDER...`` plays the games of folders
of photographs with a ``truth.json`` (``make rehearsal``); ``tests/broker/test_venue_up.py`` is the
short form, with a rendered game.
"""

import argparse
import http.server
import json
import re
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Sequence
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import cv2
import numpy as np

from recorder.bus.broker import free_port
from recorder.log.port import Row
from recorder.log.sqlite import SqliteEventLog
from tests.eventually import eventually
from tests.foreign_clock import PahoClock

LOOK_S, THOUGHT_S = 30.0, 3.0
"""So long a look at the board may take, and so long a turn without tiles takes."""
_PROGRAM = (sys.executable, "-m", "tilecast")


class MjpegCamera:
    """Serves one picture after the other as a stream, as phone apps and network cameras do."""

    def __init__(self) -> None:
        self.jpeg = b""
        self._ended = threading.Event()
        camera = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self) -> None:  # the name is the standard library's
                self.send_response(200)
                self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
                self.end_headers()
                with suppress(OSError):
                    while not camera._ended.wait(0.1):
                        head = f"Content-Type: image/jpeg\r\nContent-Length: {len(camera.jpeg)}"
                        part = f"--frame\r\n{head}\r\n\r\n".encode() + camera.jpeg + b"\r\n"
                        self.wfile.write(part)

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever)
        self._thread.start()

    @property
    def url(self) -> str:
        """Its address, for a camera's ``source``."""
        return f"http://127.0.0.1:{self._server.server_port}/video"

    def close(self) -> None:
        """Pull its plug."""
        self._ended.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


@dataclass(frozen=True, slots=True)
class Hall:
    """A venue that runs: its folder, its process, its ports, what it says."""

    folder: Path
    process: "subprocess.Popen[bytes]"
    broker_port: int
    page_port: int

    def said(self) -> list[str]:
        """The lines that it has said so far."""
        return (self.folder.parent / "said").read_text("utf-8").splitlines()

    def clock_url(self, password: str = "") -> str:
        """The broker as the clock reaches it, by the file for the clock."""
        told: dict[str, Any] = json.loads((self.folder / "clocks" / "clock-1.json").read_text())
        proof = f"{told['user']}:{password or told['broker_password']}"
        return f"mqtt://{proof}@127.0.0.1:{self.broker_port}"

    def recorder_url(self) -> str:
        """The broker as the recorder reaches it."""
        found = re.search(r'url = "(.+)"', (self.folder / "venue.toml").read_text("utf-8"))
        assert found is not None
        return found[1]

    def rows(self, kind: str) -> list[Row]:
        """All rows of a type in the log."""
        with closing(SqliteEventLog.open_reader(self.folder / "record" / "tilecast.db")) as log:
            return [row for row in log.read_from(1) if row.type == kind]

    def frame(self) -> dict[str, Any]:
        """What the public sees of table 1."""
        address = f"http://127.0.0.1:{self.page_port}/api/table/1/frame"
        with urllib.request.urlopen(address, timeout=20) as answer:
            frame: dict[str, Any] = json.load(answer)
        return frame


def open_hall(stack: ExitStack, folder: Path, *words: str) -> Hall:
    """Make a venue and start it, as somebody would at a terminal; it ends with ``stack``."""
    broker, page = free_port(), free_port()
    ports = ("--broker-port", str(broker), "--dashboard-port", str(page))
    usual = ("--yes", "--clock", "mqtt", "--no-pads", "--address", "none")
    command = [*_PROGRAM, "init", str(folder), *usual, *ports, *words]
    subprocess.run(command, check=True, capture_output=True)
    with (folder.parent / "said").open("wb") as output:
        process = subprocess.Popen([*_PROGRAM, "venue", str(folder)], stdout=output, stderr=output)
    stack.callback(process.wait, 60)
    stack.callback(process.terminate)
    hall = Hall(folder, process, broker, page)
    wanted = {"broker", "recorder", "dashboard", "table-1"}

    def runs() -> bool:
        assert process.poll() is None, hall.said()
        return wanted <= {line.split()[0] for line in hall.said() if line.endswith(" runs")}

    eventually(runs, "the programs run")
    return hall


@dataclass(frozen=True, slots=True)
class Turn:
    """A picture of the board after a turn, and the squares (row by row from 0) that it filled."""

    jpeg: bytes
    squares: frozenset[int] = frozenset()


def play(hall: Hall, camera: MjpegCamera, clock: PahoClock, turns: Sequence[Turn]) -> None:
    """Lay each turn's tiles, and press when the camera has them: no player is quicker than that."""
    with clock.lock:
        clock.clock.running = "L"
        clock.clock.change("resume")
    for number, turn in enumerate(turns):
        before = len(hall.rows("board.seen"))
        camera.jpeg = turn.jpeg
        _wait(hall, turn.squares, before)
        clock.press("LR"[number % 2])
    eventually(lambda: not clock.waiting(), "the clock's events are stored")


def _wait(hall: Hall, squares: frozenset[int], before: int) -> None:
    """Until a look tells of the squares; where none is new, as long as a player thinks."""
    end = time.monotonic() + (LOOK_S if squares else THOUGHT_S)
    while time.monotonic() < end:
        for look in hall.rows("board.seen")[before:]:
            data = look.body["data"]
            said = {change["square"] for change in data.get("changes", ())}
            if squares and (squares <= said or not data.get("since")):  # the first tells no change
                return
        time.sleep(0.05)


def rehearse(folder: Path) -> bool:
    """Play the game of a folder of photographs and say how it was recorded; whether rightly."""
    truth = json.loads((folder / "truth.json").read_text("utf-8"))
    turns = [
        Turn((folder / frame["image"]).read_bytes(), _new_squares(frame["play"]))
        for frame in truth["frames"]
        if frame["in_game"] and frame["play"]
    ]
    final = tuple(truth["replay"]["final"])
    with ExitStack() as stack:
        place = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        camera = stack.enter_context(MjpegCamera())
        camera.jpeg = _bare()
        words = ("--camera", camera.url, "--tiles", truth["tile_set"])
        hall = open_hall(stack, place / "hall", *words)
        clock = PahoClock(hall.clock_url(), "main", "clock-1", place / "flash")
        with clock:
            play(hall, camera, clock, turns)
            end = time.monotonic() + 30
            while scores(hall) != final and time.monotonic() < end:
                time.sleep(0.5)
        recorded, presses = scores(hall), len(hall.rows("clock.press"))
    said = f"{recorded} recorded, {final} by the photographs, {presses} presses stored"
    sys.stdout.write(f"{folder.name}: {len(turns)} turns, {said}\n")
    sys.stdout.flush()
    return recorded == final and presses == len(turns)


def _new_squares(laid: dict[str, Any]) -> frozenset[int]:
    """Those that a turn filled; a play that was taken back has none of its own."""
    names = laid.get("new") or {}
    return frozenset((int(name[1:]) - 1) * 15 + "ABCDEFGHIJKLMNO".index(name[0]) for name in names)


def _bare() -> bytes:
    """What the camera sees before the first tile: a grey table, no board."""
    return cv2.imencode(".jpg", np.full((960, 1280, 3), 96, np.uint8))[1].tobytes()


def scores(hall: Hall) -> tuple[int, ...]:
    """Both scores as the public sees them."""
    return tuple(player["score"] for player in hall.frame()["players"])


def main() -> int:
    """Play all folders named; 1 when a game was recorded otherwise than its photographs say."""
    parser = argparse.ArgumentParser(prog="python -m tests.rehearsal", description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path, help="with photographs and truth.json")
    played = [rehearse(folder) for folder in parser.parse_args().folders]
    return 0 if all(played) else 1


if __name__ == "__main__":
    raise SystemExit(main())
