"""The eyes as a whole: a picture in, a board out, or a reason in words."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.lab.eyes_cli import register_eyes_report
from devices.lab.scenes.hands import Arm
from devices.lab.scenes.lens import SceneCamera, Sensor
from devices.lab.scenes.scene import Scene, render
from devices.lab.scenes.styles import demo_style
from devices.lab.scenes.table_scene import TableScene
from devices.pictures import Image
from devices.vision.cli import register_read
from devices.vision.eyes import Eyes
from devices.vision.geometry.pose import Pose, corner_errors
from devices.vision.look import BoardReading, board_seen, square_costs, sure_from
from devices.vision.squares.net import Crops, Opinion, SquareNet, shipped_net
from recorder.commands.command_line import CommandParser
from recorder.domain.observations import SEEN, BoardNotSeen, BoardSeen, order_for
from recorder.domain.tile_text import read_tile, write_tiles
from recorder.domain.tiles import TileSet
from recorder.tilesets import load_tile_set
from tests.cases import first_of

pytestmark = pytest.mark.pixels

ROWS = (
    *["..............."] * 4,
    "......B........",
    "......R........",
    "......E........",
    "...FLUKE.......",
    "...............",
    *["..............."] * 6,
)
CAMERA = SceneCamera(distance=34, tilt_deg=10)


def _picture(camera: SceneCamera = CAMERA, rows: Sequence[str] = ROWS) -> tuple[Image, Pose]:
    scene = Scene(style=demo_style(), rows=rows, camera=camera, sensor=Sensor(noise=3.0), seed=5)
    image, truth = render(scene)
    return image, Pose(truth.homography)


@pytest.fixture(scope="module")
def eyes() -> Eyes:
    """Eyes for the English set."""
    return Eyes("english")


@pytest.mark.parametrize("tiles", first_of(1, ["polish", "spanish", "catalan", "norwegian"]))
def test_every_letter_of_other_alphabets_is_read(tiles: str):
    """All letters of a set side by side, two blanks beside them, as a camera shows them."""
    tile_set = load_tile_set(tiles)
    letters = [*map(str, tile_set.letters), "?", "?", *"." * 30][:45]
    rows = [*ROWS[:1] * 6, *("".join(letters[at : at + 15]) for at in (0, 15, 30)), *ROWS[:1] * 6]
    image, _ = render(Scene(style=demo_style(tiles), rows=rows, camera=CAMERA, seed=5))
    seen = board_seen(Eyes(tiles).read(image), "frame 1", 0)
    assert isinstance(seen, BoardSeen)
    assert write_tiles(seen.squares.symbols[90:135]) == "".join(letters)
    assert seen.squares.order == order_for(tile_set)


@pytest.mark.parametrize("turn", first_of(1, [263, 0, 90, 180]))
def test_the_board_reads_the_same_from_every_side_of_the_table(eyes: Eyes, turn: int):
    """A picture taken from the other player's side gives the same rows and the same A1."""
    image, truth = _picture(SceneCamera(distance=38, tilt_deg=10, turn_deg=turn))
    look = eyes.read(image)
    assert look.found, look.reason
    assert look.rows == ROWS
    assert look.pose is not None
    assert corner_errors(look.pose, truth).max() < 0.15


def test_a_look_after_another_reads_what_has_changed_and_says_what_a_first_one_does():
    """Nobody has moved board or camera: two new tiles are read, and a camera's noise is no change.

    Where the light has changed all of it is read.
    """
    asked: list[int] = []

    class CountingNet(SquareNet):
        def judge(self, crops: Crops) -> Opinion:
            asked.append(len(crops))
            return super().judge(crops)

        def of_set(self, tile_set: TileSet) -> SquareNet:
            return CountingNet(*self._nets, values=self._values, tile_set=tile_set)

    net = shipped_net()
    eyes = Eyes("english", CountingNet(*net._nets, values=net._values))
    scene = TableScene(demo_style(), 1)
    scene.board = list(ROWS)
    first = eyes.read(scene.frame(1))
    assert max(asked) == 225
    asked.clear()
    scene.board = [*ROWS[:8], ".........BY....", *ROWS[9:]]
    now = scene.frame(2)
    second = eyes.read(now, prior=first)
    assert sum(asked) < 60
    alone = eyes.read(now)
    assert second.rows == alone.rows == tuple(scene.board)
    assert np.abs(second.confidence - alone.confidence).max() < 0.05
    asked.clear()
    assert eyes.read(cv2.convertScaleAbs(now, alpha=0.7), prior=second).rows == alone.rows
    assert max(asked) == 225


@pytest.mark.further
def test_what_earlier_looks_taught_weighs_and_never_confirms_itself(eyes: Eyes):
    """The empty board, seen once, tells bare from blank later; what was read teaches nothing.

    Read again and again, a picture says what it said the first time; an earlier look that took
    every square for a tile, or none, changes no likelihood of the next one.
    """
    empty, _ = _picture(rows=["..............."] * 15)
    played, _ = _picture(rows=(*ROWS[:7], "...FLUKE?......", *ROWS[8:]))
    alone, taught = eyes.read(played), eyes.read(played, prior=eyes.read(empty))
    blank, bare = (SEEN.index(symbol) for symbol in "?.")
    assert taught.log_probs[7, 8, blank] > np.log(0.95)
    assert not np.array_equal(alone.log_probs[..., bare], taught.log_probs[..., bare])
    second = eyes.read(played, prior=taught)
    third = eyes.read(played, prior=second)
    for again in (second, third):
        assert np.allclose(np.exp(again.log_probs), np.exp(taught.log_probs), atol=0.02)
    for symbol in "E.":
        lying = np.full_like(taught.log_probs, -20.0)
        lying[..., SEEN.index(symbol)] = 0.0
        believed = eyes.read(played, prior=replace(taught, log_probs=lying))
        assert believed.rows == taught.rows
        assert np.array_equal(believed.log_probs, second.log_probs)


@pytest.mark.further
def test_a_table_that_was_seen_empty_is_read_better_and_a_wrong_reading_no_worse(eyes: Eyes):
    """All triple word squares are covered but one: is there a blank on it? Alone, none knows.

    Seen empty before, the board shows both ways. A reading that was wrong does not grow surer of
    itself when its own picture is read again after it.
    """
    covered = ("E......A......I", *["." * 15] * 6, "O.............N", *["." * 15] * 6)
    shown = {symbol: (*covered, f"R......{symbol}......T") for symbol in "?."}
    pictures = {symbol: _picture(rows=rows)[0] for symbol, rows in shown.items()}
    seen_empty = eyes.read(_picture(rows=["." * 15] * 15)[0])
    alone = {symbol: eyes.read(picture) for symbol, picture in pictures.items()}
    taught = {symbol: eyes.read(picture, prior=seen_empty) for symbol, picture in pictures.items()}

    def right(looks: Mapping[str, BoardReading], symbol: str) -> float:
        return float(np.exp(looks[symbol].log_probs[14, 7, SEEN.index(symbol)]))

    assert right(alone, "?") < sure_from("?"), "a blank that one picture alone does not show"
    assert right(taught, "?") > 0.95
    assert min(right(alone, "."), right(taught, ".")) > 0.95
    again = alone["?"]
    for _ in range(2):
        again = eyes.read(pictures["?"], prior=again)
    assert right({"?": again}, "?") > right(alone, "?") - 0.02


def test_a_blank_on_the_centre_stays_while_letters_come(eyes: Eyes):
    """Letters with their ink are darker than it; it is no star for that."""
    scene = TableScene(demo_style(), 1)
    down = zip((2, 3, 4, 5, 6, 8), "PIVOTD", strict=True)
    crossed = {row: f"........{letter}......" for row, letter in down}
    first = [("." * 15)] * 7 + [".......?ETABLE."] + ["." * 15] * 7
    prior = None
    for rows in (first, [crossed.get(row, line) for row, line in enumerate(first)]):
        scene.board = rows
        prior = eyes.read(scene.frame(1), prior=prior)
        assert prior.rows == tuple(rows)


def test_corners_by_hand_replace_the_search(eyes: Eyes):
    """The given top-left names the board's side.

    Letters that lie otherwise are read and reported.
    """
    image, truth = _picture()
    look = eyes.read(image, corners=truth.corners())
    assert look.found
    assert look.rows == ROWS
    turned = eyes.read(image, corners=truth.rotated(1).corners())
    assert (look.turned, turned.turned) == (0, 3)
    assert turned.rows == ROWS
    crossed = (truth.corners()[1], truth.corners()[0], *truth.corners()[2:])
    refused = eyes.read(image, corners=crossed)
    assert not refused.found
    assert "clockwise" in refused.reason


@pytest.mark.parametrize(
    ("image", "word"),
    [
        (np.zeros((720, 1280, 3), np.uint8), "black"),
        (np.full((720, 1280, 3), 128, np.uint8), "one colour"),
        (np.full((64, 64, 3), 128, np.uint8), "too small"),
        (np.zeros((720, 1280), np.uint8), "colour"),
        (cv2.resize(_picture()[0], (240, 180), interpolation=cv2.INTER_AREA), "board"),
    ],
    ids=["black", "lens cap", "thumbnail", "grey", "tiny board"],
)
def test_a_picture_without_a_readable_board_gets_a_reason(eyes: Eyes, image: Image, word: str):
    """No board is said in words, never as an empty board."""
    look = eyes.read(image)
    assert not look.found
    assert word in look.reason
    seen = board_seen(look, "frame 1", 0)
    assert seen == BoardNotSeen(frame="frame 1", reason=look.reason)


@pytest.mark.further
def test_a_wrong_grid_is_given_away_by_its_squares(eyes: Eyes, monkeypatch: pytest.MonkeyPatch):
    """However well a grid scored: where most squares make no sense there is no look."""
    words = tuple("QUARTZFLAMINGOS"[row:] + "QUARTZFLAMINGOS"[:row] for row in range(15))
    image, truth = _picture(rows=words)
    corners = np.asarray(truth.corners()) + 0.55 * truth.square_px()
    beside = Pose.from_corners(corners, score=0.9)
    monkeypatch.setattr("devices.vision.eyes.locate", lambda *_, **__: beside)
    look = eyes.read(image)
    assert not look.found
    assert "cannot be read" in look.reason


def test_a_look_becomes_an_observation(eyes: Eyes):
    """The costs carry every square's best symbol and the corners those of the field."""
    look = eyes.read(_picture()[0])
    seen = board_seen(look, "frame 7", 400, "ab12")
    assert isinstance(seen, BoardSeen)
    assert (seen.frame, seen.still_ms, seen.picture) == ("frame 7", 400, "ab12")
    costs = square_costs(look)
    assert write_tiles(costs.symbols) == "".join(ROWS)
    assert costs.cost(7 * 15 + 3, read_tile("F")) < 1.0
    assert costs.cost(7 * 15 + 3, read_tile("Q")) > 3.0


def _run(*arguments: str) -> int:
    parser = CommandParser()
    commands = parser.add_subparsers()
    register_read(commands)
    register_eyes_report(commands.add_parser("eyes").add_subparsers())
    args = parser.parse_args(arguments)
    status: int = args.run(args)
    return status


def test_read_prints_one_json_document(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """Every field that others rely on is there, and nothing else is on standard output."""
    image, truth = _picture()
    path = tmp_path / "board.png"
    cv2.imwrite(str(path), image)
    assert _run("read", str(path), "--json") == 0
    document = json.loads(capsys.readouterr().out)
    assert document["found"] is True
    assert document["rows"] == list(ROWS)
    assert np.shape(document["confidence"]) == (15, 15)
    assert corner_errors(Pose.from_corners(document["corners"]), truth).max() < 0.15
    assert {"score", "doubtful", "racks", "ms"} <= document.keys()
    assert document["ms"].keys() == {"locate", "read", "total"}  # racks are not looked for unasked
    missing = tmp_path / "missing.jpg"
    assert _run("read", str(path), str(missing), "--json") == 1
    captured = capsys.readouterr()
    first, second = json.loads(captured.out)
    assert (first["file"], first["rows"]) == (str(path), document["rows"])
    assert second == {"file": str(missing)}
    assert "missing.jpg" in captured.err


def test_read_names_the_file_that_shows_no_board(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    """Status 1, the reason on standard error, and JSON that says found: false."""
    path = tmp_path / "table.png"
    cv2.imwrite(str(path), np.full((400, 600, 3), 90, np.uint8))
    assert _run("read", str(path), "--json") == 1
    captured = capsys.readouterr()
    assert json.loads(captured.out)["found"] is False
    assert "table.png" in captured.err
    (tmp_path / "notes.txt").write_text("no picture")
    assert _run("read", str(tmp_path / "notes.txt")) == 1
    assert "notes.txt" in capsys.readouterr().err
    assert _run("read", str(tmp_path / "missing.jpg")) == 1
    assert "missing.jpg" in capsys.readouterr().err


def _write_sample(
    folder: Path, name: str, rows: Sequence[str], *, image: Image, truth: Pose
) -> None:
    cv2.imwrite(str(folder / f"{name}.png"), image)
    corners = [list(corner) for corner in truth.corners()]
    sample = {"image": f"{name}.png", "rows": list(rows), "corners_tl_tr_br_bl": corners,
              "group": "demo"}  # fmt: skip
    (folder / f"{name}.json").write_text(json.dumps(sample), encoding="utf-8")


@pytest.mark.further
def test_the_report_counts_boards_squares_and_mistakes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    """A right truth, a truth that is wrong on one square, and a picture without a board."""
    image, truth = _picture()
    _write_sample(tmp_path, "right", ROWS, image=image, truth=truth)
    wrong = (*ROWS[:7], "...FLAKE.......", *ROWS[8:])
    _write_sample(tmp_path, "wrong", wrong, image=image, truth=truth)
    _write_sample(tmp_path, "bare", ROWS, image=np.full_like(image, 90), truth=truth)
    sheet = tmp_path / "sheet.png"
    assert _run("eyes", "report", str(tmp_path), "--json", "--sheet", str(sheet)) == 0
    document = json.loads(capsys.readouterr().out)
    total = document["total"]
    assert document["groups"]["demo"] == total
    assert (total["boards"], total["found"], total["exact"]) == (3, 2, 1)
    assert (total["squares"], total["wrong"]) == (675, 226)
    assert total["tiles"] == 24
    assert total["tiles_wrong"] == 9
    assert total["located"] == total["upright"] == 2
    assert total["corner_error_median"] < 0.1
    drawn = cv2.imread(str(sheet))
    assert drawn.std() > 5


def test_the_report_reads_frames_with_a_truth(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """A lower-case blank counts as a blank, and what is visible goes before what is known."""
    image, _ = _picture()
    cv2.imwrite(str(tmp_path / "one.png"), image)
    known = [*ROWS[:7], "...FLUKEs......", *ROWS[8:]]
    frames = [{"image": "one.png", "board": known, "board_visible": list(ROWS)}, {"image": None}]
    truth = {"game": "g", "tile_set": "english", "frames": frames}
    (tmp_path / "truth.json").write_text(json.dumps(truth), encoding="utf-8")
    assert _run("eyes", "report", str(tmp_path), "--json") == 0
    document = json.loads(capsys.readouterr().out)
    assert document["groups"]["g"]["exact"] == 1
    assert document["total"]["corner_error_median"] is None


def test_what_a_hand_half_hides_is_not_read_as_something_else(eyes: Eyes):
    """Squares at the rim of an arm are covered or right; none becomes a blank."""
    arm = Arm(elbow=(760.0, 1100.0), tip=(660.0, 700.0), width=110.0)
    scene = Scene(
        style=demo_style(), rows=ROWS, camera=CAMERA, sensor=Sensor(noise=3.0), arms=(arm,), seed=5
    )
    image, truth = render(scene)
    look = eyes.read(image)
    assert len(truth.covered) > 5
    pairs = zip("".join(look.rows), "".join(ROWS), strict=True)
    assert all(read in {true, "#"} for read, true in pairs)
