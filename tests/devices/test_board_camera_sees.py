"""Pixels in, observations out: a drawn table behind HTTP, the real gate and the real eyes."""

import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from devices.board_camera import BoardCamera
from devices.camera import open_source
from devices.evidence import EvidenceFolder
from devices.pictures import encode_jpeg
from devices.ports import MemoryOutlet, Ticks
from devices.profile import CalibrationProfile, save_profile
from devices.sight import open_eyes
from devices.sim.styles import demo_style
from devices.sim.table_scene import TableScene
from recorder.domain.board import EMPTY_BOARD, parse_square
from recorder.domain.observations import BoardNotSeen, BoardSeen
from recorder.wire import Command

EMPTY = EMPTY_BOARD.rows()
WINDY = tuple("...WINDY......." if row == 7 else line for row, line in enumerate(EMPTY))
SWIM = tuple(
    line[:3] + letter + line[4:]
    for line, letter in zip(WINDY, "......S" + WINDY[7][3] + "IM.....", strict=True)
)


class DrawnTable:
    """The scene, and what happens at it: one step before each picture."""

    def __init__(self) -> None:
        self.scene = TableScene(demo_style(), seed=4)
        self.happenings: list[Callable[[], None]] = []
        self.pictures = 0

    def hand(self, progress: float | None) -> None:
        """The arm of the player, or none."""
        square = parse_square("8D")[0]
        self.scene.hand = None if progress is None else (progress, square, (90, 60, 40))

    def lay(self, rows: tuple[str, ...]) -> None:
        """What lies on the board."""
        self.scene.board = rows

    def picture(self) -> bytes:
        """The next one."""
        if self.happenings:
            self.happenings.pop(0)()
        self.pictures += 1
        return encode_jpeg(self.scene.frame(self.pictures))


@pytest.fixture
def drawn() -> Iterator[tuple[DrawnTable, str]]:
    """A table, and the address of its camera."""
    table = DrawnTable()

    class Camera(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            jpeg = table.picture()
            self.send_response(200)
            self.send_header("Content-Length", str(len(jpeg)))
            self.end_headers()
            self.wfile.write(jpeg)

        def log_message(self, *_: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Camera)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    yield table, f"http://127.0.0.1:{server.server_port}/shot.jpg"
    server.shutdown()
    server.server_close()
    thread.join()


def _rows(seen: object) -> tuple[str, ...]:
    """The letters seen. Whether a blank lies on a bare star is tested where the eyes are."""
    assert isinstance(seen, BoardSeen), seen
    board = "".join(seen.squares.best(square) for square in range(225)).replace("?", ".")
    return tuple(board[start : start + 15] for start in range(0, 225, 15))


def test_two_plays_are_seen_in_pixels(drawn: tuple[DrawnTable, str], tmp_path: Path, ticks: Ticks):
    """Empty board, a hand that comes and goes twice, the board turned in between, a look asked."""
    table, address = drawn
    outlet = MemoryOutlet()
    camera = BoardCamera(
        "cam-1",
        open_source(address, ticks),
        open_eyes("english"),
        EvidenceFolder(tmp_path / "evidence"),
        outlet,
        ticks,
    )

    def rest() -> None:
        table.hand(None)

    def play(rows: tuple[str, ...]) -> None:
        steps = [0.2, 0.7, 1.0, 0.9, 0.4]
        table.happenings += [lambda progress=step: table.hand(progress) for step in steps]
        table.happenings.insert(3, lambda: table.lay(rows))
        table.happenings += [rest, rest]
        before = table.pictures
        while table.happenings or table.pictures < before + 9:
            camera.step(2.0)

    for _ in range(3):
        camera.step(2.0)
    play(WINDY)
    table.scene.turn_deg = 180.0
    for _ in range(3):
        camera.step(2.0)
    play(SWIM)
    camera.command(Command(id="look-1", cmd="look"))
    camera.step(2.0)
    stop = threading.Event()
    stop.set()
    camera.run(stop)
    boards = [_rows(seen) for _, seen in outlet.observed if isinstance(seen, BoardSeen)]
    unlike = [board for number, board in enumerate(boards) if board not in boards[:number]]
    assert unlike == [EMPTY, WINDY, SWIM]
    assert [seen for _, seen in outlet.observed if isinstance(seen, BoardNotSeen)] == []
    assert boards[-1] == SWIM
    assert outlet.responses == [("look-1", "")]


def test_a_profile_tells_where_to_look(tmp_path: Path):
    """With given corners nothing is searched; a picture of another size is refused by reason."""
    scene = TableScene(demo_style(), seed=4)
    scene.board = WINDY
    image, _ = scene.frame_with_truth(1)
    found = open_eyes("english").read(image)
    assert found.pose is not None
    height, width = image.shape[:2]
    profile = CalibrationProfile(
        source="0",
        tile_set="english",
        image_size=(width, height),
        corners=found.pose.corners(),
        residual_px=0.5,
    )
    save_profile(profile, tmp_path / "cam.json")
    eyes = open_eyes("english", str(tmp_path / "cam.json"))
    assert eyes.read(image).rows == WINDY
    other = eyes.read(image[: height - 2])
    assert not other.found
    assert "calibrate again" in other.reason
