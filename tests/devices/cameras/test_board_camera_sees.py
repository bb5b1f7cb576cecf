"""Pixels in, observations out: a drawn table behind HTTP, the real gate and the real eyes."""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from devices.cameras.board_camera import BoardCamera
from devices.cameras.camera import open_source
from devices.cameras.camera_device import CameraParts
from devices.cameras.evidence import EvidenceFolder
from devices.cameras.profile import CalibrationProfile, save_profile
from devices.cameras.readers import open_eyes
from devices.lab.memory_ports import MemoryOutlet
from devices.lab.scenes.styles import demo_style
from devices.lab.scenes.table_scene import TableScene
from devices.pictures import encode_jpeg
from devices.ports import Ticks
from recorder.domain.board import EMPTY_BOARD, parse_square
from recorder.domain.instruments import BoardStill
from recorder.domain.observations import BoardNotSeen, BoardSeen, BoardStirred
from recorder.domain.tile_text import read_tile, write_tiles
from recorder.domain.tiles import BLANK
from recorder.wire.control import Command
from tests.served import snapshots

pytestmark = pytest.mark.pixels

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
        self.scene.board = rows

    def picture(self) -> bytes:
        if self.happenings:
            self.happenings.pop(0)()
        self.pictures += 1
        return encode_jpeg(self.scene.frame(self.pictures))


@pytest.fixture
def drawn() -> Iterator[tuple[DrawnTable, str]]:
    table = DrawnTable()
    with snapshots(table.picture) as address:
        yield table, address


def _rows(seen: object) -> tuple[str, ...]:
    """The letters seen. Whether a blank lies on a bare star is tested where the eyes are."""
    assert isinstance(seen, BoardSeen), seen
    board = write_tiles(seen.squares.symbols).replace("?", ".")
    return tuple(board[start : start + 15] for start in range(0, 225, 15))


def test_two_plays_are_seen_in_pixels(drawn: tuple[DrawnTable, str], tmp_path: Path, ticks: Ticks):
    """Empty board, a hand that comes and goes twice, the board turned in between, a look asked."""
    table, address = drawn
    outlet = MemoryOutlet()
    evidence = EvidenceFolder(tmp_path / "evidence")
    parts = CameraParts("cam-1", open_source(address, ticks), evidence, outlet, ticks)
    camera = BoardCamera(parts, open_eyes("english"))

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


class Watched:
    """A drawn table with the real camera, gate and eyes before it; looks come as they are said."""

    def __init__(self, table: DrawnTable, address: str, folder: Path, ticks: Ticks) -> None:
        self.table, self.outlet = table, MemoryOutlet()
        source, evidence = open_source(address, ticks), EvidenceFolder(folder)
        parts = CameraParts("cam-1", source, evidence, self.outlet, ticks)
        self.camera = BoardCamera(parts, open_eyes("english"))

    def looks(self, frames: int, *, asked: bool = False) -> list[BoardSeen]:
        """What is said while so many pictures are taken."""
        before = len(self.outlet.observed)
        if asked:
            self.camera.command(Command(id="look", cmd="look"))
        for _ in range(frames):
            self.camera.step(2.0)
        said = [seen for _, seen in self.outlet.observed[before:]]
        assert all(isinstance(seen, BoardSeen | BoardStirred | BoardStill) for seen in said), said
        return [seen for seen in said if isinstance(seen, BoardSeen)]

    def stop(self) -> None:
        stop = threading.Event()
        stop.set()
        self.camera.run(stop)


@pytest.fixture
def watched(
    drawn: tuple[DrawnTable, str], tmp_path: Path, ticks: Ticks
) -> Iterator[tuple[DrawnTable, Watched]]:
    watched = Watched(*drawn, tmp_path / "evidence", ticks)
    yield drawn[0], watched
    watched.stop()


def _told(seen: BoardSeen) -> dict[int, str]:
    """The changes as ``was > now``, without blanks on bare stars."""
    assert all(change.confidence > 0.5 for change in seen.changes)
    return {
        change.square: f"{change.was}{change.now}"
        for change in seen.changes
        if BLANK not in (change.was, change.now)
    }


@pytest.mark.further
def test_what_is_new_and_what_is_gone_is_told(watched: tuple[DrawnTable, Watched]):
    """A play, the board turned, a play more, and taken back: each look says what changed."""
    table, camera = watched
    (first,) = camera.looks(3)
    assert (first.since, first.changes, first.hidden, first.moving) == ("", (), (), False)
    table.lay(WINDY)
    (windy,) = camera.looks(3)
    assert windy.since == first.frame
    assert _told(windy) == {7 * 15 + 3 + n: f".{letter}" for n, letter in enumerate("WINDY")}
    table.lay(SWIM)
    table.scene.turn_deg = 180.0
    (swim,) = camera.looks(3)
    assert swim.since == windy.frame
    assert _told(swim) == {6 * 15 + 3: ".S", 8 * 15 + 3: ".I", 9 * 15 + 3: ".M"}
    table.lay(WINDY)
    (taken_back,) = camera.looks(3)
    assert _told(taken_back) == {6 * 15 + 3: "S.", 8 * 15 + 3: "I.", 9 * 15 + 3: "M."}
    (again,) = camera.looks(1, asked=True)
    assert (again.since, again.changes) == (taken_back.frame, ())


@pytest.mark.further
def test_what_a_resting_hand_hides_is_neither_new_nor_gone(watched: tuple[DrawnTable, Watched]):
    """Squares under a hand are hidden; a tile laid meanwhile is reported when the hand is gone."""
    table, camera = watched
    table.lay(SWIM)
    (before,) = camera.looks(3)
    table.hand(1.0)
    (hand,) = camera.looks(3, asked=True)[-1:]
    under = {square for square in hand.hidden if SWIM[square // 15][square % 15] != "."}
    assert under
    assert hand.covered > 0.05
    assert not {change.square for change in hand.changes} & set(hand.hidden)
    assert not any(
        change.now == read_tile(".") for change in hand.changes if change.confidence > 0.9
    )
    table.lay((*SWIM[:8], "...IT..........", *SWIM[9:]))
    table.hand(None)
    (after,) = camera.looks(3)[-1:]
    assert after.hidden == ()
    new = {square: told for square, told in _told(after).items() if told[0] == "."}
    assert new == {8 * 15 + 4: ".T"}
    assert before.frame != after.since


@pytest.mark.further
def test_a_look_that_could_not_wait_says_that_something_moved(
    watched: tuple[DrawnTable, Watched], ticks: Ticks
):
    """Nothing is compared with it afterwards: half a picture is no memory."""
    table, camera = watched
    table.lay(WINDY)
    (before,) = camera.looks(3)
    camera.camera.command(Command(id="look", cmd="look"))
    waited_until = ticks() + 30_000
    moving: list[BoardSeen] = []
    while not moving and ticks() < waited_until:
        table.hand(0.4 + 0.1 * (table.pictures % 3))
        moving = camera.looks(1)
    assert (moving[0].moving, moving[0].since) == (True, before.frame)
    table.hand(None)
    (after,) = camera.looks(3, asked=True)[-1:]
    assert (after.moving, after.since) == (False, before.frame)


def test_a_profile_tells_where_to_look(tmp_path: Path):
    """With given corners nothing is searched; a picture of another size is refused by reason."""
    scene = TableScene(demo_style(), seed=4)
    scene.board = WINDY
    image, _ = scene.frame_with_truth(1)
    found = open_eyes("english").read(image)
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
