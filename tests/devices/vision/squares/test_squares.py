"""Reading squares on rendered tables, for which the truth is exact."""

from collections.abc import Sequence
from dataclasses import replace
from importlib.resources import files

import cv2
import numpy as np
import pytest

from calibration.lab.eyes.turned_tiles import turn_tiles
from devices.lab.scenes.hands import Arm, Glare
from devices.lab.scenes.lens import SceneCamera, Sensor
from devices.lab.scenes.lettering import Face
from devices.lab.scenes.scene import Light, Scene, Truth, render
from devices.lab.scenes.styles import demo_style
from devices.lab.scenes.variety import random_rows, random_scene
from devices.pictures import Image
from devices.vision.geometry.pose import Pose
from devices.vision.squares.colours import settle_blanks
from devices.vision.squares.net import WEIGHTS, Opinion, SquareNet
from devices.vision.squares.squares import (
    SQUARE_PX,
    SquareReading,
    _without_figures,
    cut_crops,
    read_squares,
)
from recorder.domain.board import Premium
from recorder.domain.observations import SEEN
from tests.cases import first_of

pytestmark = pytest.mark.pixels

ROWS = (
    "ABCDEFGHIJKLMNO",
    "P.............Q",
    "R.?...........S",
    "T.............U",
    "V...........?.W",
    "X.............Y",
    "Z.............Ä",
    "Ö.....QUEEN...Ü",
    *["..............."] * 6,
    "HINZSXMWOE.....",
)


def _look(
    camera: SceneCamera | None = None, rows: Sequence[str] = ROWS, arms: tuple[Arm, ...] = ()
) -> tuple[Image, Pose, Truth]:
    """A picture of the demo's German board, its pose, and the truth."""
    scene = Scene(
        style=demo_style("german"),
        rows=rows,
        camera=camera or SceneCamera(distance=36, tilt_deg=8),
        sensor=Sensor(noise=3.0),
        arms=arms,
    )
    image, truth = render(scene)
    return image, Pose(truth.homography), truth


def _settled(image: Image, pose: Pose) -> SquareReading:
    return settle_blanks(image, pose, read_squares(image, pose))[0]


def _wrong(reading: SquareReading, truth: Truth) -> int:
    pairs = zip("".join(reading.best()), "".join(truth.rows), strict=True)
    return sum(read != true for read, true in pairs)


@pytest.mark.parametrize("tilt", first_of(1, [40, 0, 20]))
def test_every_letter_and_blank_of_the_demo_board_is_read(tilt: int):
    """From above and from the side, the demo's board is read without an error."""
    image, pose, truth = _look(SceneCamera(distance=36, tilt_deg=tilt, azimuth_deg=70))
    assert _settled(image, pose).best() == truth.rows


def test_asking_for_some_squares_gives_what_a_full_reading_gives():
    """The quick reading of changed squares agrees with the full one and asks nothing else."""
    image, pose, _ = _look()
    asked = [0, 16, 32, 112, 224]
    full, part = read_squares(image, pose), read_squares(image, pose, squares=asked)
    assert np.flatnonzero(part.read.ravel()).tolist() == asked
    for square in asked:
        row, col = divmod(square, 15)
        gap = np.abs(np.exp(full.log_probs[row, col]) - np.exp(part.log_probs[row, col]))
        assert gap.max() < 0.1
    assert np.allclose(np.exp(part.log_probs[5, 5]), 1 / len(SEEN))


def test_squares_under_a_hand_are_read_as_covered():
    """Most squares of which nothing can be seen are called covered, not empty."""
    arms = (Arm(elbow=(900, 1100), tip=(640, 420), width=150),)
    image, pose, truth = _look(arms=arms)
    best = "".join(read_squares(image, pose).best())
    hidden = [square for square in truth.covered if truth.cover.ravel()[square] > 0.9]
    assert len(hidden) > 8
    assert sum(best[square] == "#" for square in hidden) >= 0.8 * len(hidden)


def test_a_grid_that_is_a_tenth_of_a_square_off_still_reads():
    """The small errors of a located grid cost at most one square."""
    image, pose, truth = _look()
    for shift in ((0.1, 0.0), (-0.07, 0.07), (0.0, -0.1)):
        move = np.array([[1, 0, shift[0]], [0, 1, shift[1]], [0, 0, 1.0]])
        assert _wrong(_settled(image, Pose(pose.homography @ move)), truth) <= 1


def test_blanks_in_the_colour_of_a_premium_square_are_told_by_the_boards_own_colours():
    """On a board of ivory squares, ivory blanks are found and bare squares stay bare."""
    style = demo_style("german")
    board = replace(style.board, ground=(170, 205, 222), shape="square")
    rows = list(ROWS)
    scene = Scene(style=replace(style, board=board), rows=rows, camera=SceneCamera(distance=36))
    image, truth = render(scene)
    assert _wrong(_settled(image, Pose(truth.homography)), truth) <= 2


def test_an_earlier_reference_serves_when_this_frame_shows_no_square_of_a_kind():
    """The colours of a kind seen in an earlier frame are kept while tiles hide that kind."""
    image, pose, _ = _look(rows=["..............."] * 15)
    _, reference = settle_blanks(image, pose, read_squares(image, pose))
    full = ["ABCDEFGHIJKLMNO"] * 15
    image, pose, _ = _look(rows=full)
    _, kept = settle_blanks(image, pose, read_squares(image, pose), reference)
    assert set(kept.kinds) == set(reference.kinds)
    assert len(reference.kinds) == 5


@pytest.mark.parametrize("boards", first_of(1, [3, 12]))
def test_boards_and_tiles_that_were_never_rendered_before_are_read(boards: int):
    """Boards drawn by lot, in good light: nearly all squares are read."""
    faces = [Face("sans", weight) for weight in (500, 700, 800)]
    wrong = total = 0
    for number in range(boards):
        scene = random_scene(np.random.default_rng([77, number]), faces)
        known = random_rows(np.random.default_rng([78, number]))
        clear = replace(
            scene,
            rows=known,
            sheets=(),
            sensor=Sensor(noise=2.0),
            arms=(),
            light=replace(scene.light, glares=()),
        )
        image, truth = render(clear)
        wrong += _wrong(_settled(image, Pose(truth.homography)), truth)
        total += 225
    assert wrong < 0.05 * total


def test_a_blank_with_a_white_sticker_on_a_white_board_is_a_blank():
    """Not the sticker's colour counts, but the ring of tile around it."""
    style = demo_style("german")
    board = replace(style.board, ground=(235, 240, 240), line=(60, 60, 60))
    tiles = replace(style.tiles, face_colour=(45, 60, 110), ink=(200, 220, 235), side=(30, 40, 80))
    tiles = replace(tiles, mark="sticker", mark_colour=(240, 242, 242))
    image, truth = render(Scene(style=replace(style, board=board, tiles=tiles), rows=ROWS, seed=2))
    best = "".join(_settled(image, Pose(truth.homography)).best())
    assert [best[2 * 15 + 2], best[4 * 15 + 12]] == ["?", "?"]


def test_light_that_falls_off_makes_no_blanks():
    """Half as much light at one side turns no bare square into a blank."""
    scene = Scene(
        style=demo_style("german"),
        rows=ROWS,
        camera=SceneCamera(distance=36),
        light=Light(low=0.45, high=1.1, angle=0.6),
    )
    image, truth = render(scene)
    assert _wrong(_settled(image, Pose(truth.homography)), truth) == 0


def test_what_is_not_surely_read_is_judged_by_both_networks():
    """Two opinions, which count alike, where the first is not sure; the first alone where it is."""
    folder = files("devices.vision").joinpath("weights")
    both, *single = (
        SquareNet(*(folder.joinpath(name).read_bytes() for name in names))
        for names in (WEIGHTS, WEIGHTS[:1], WEIGHTS[1:])
    )
    image, pose, _ = _look()
    crops = cut_crops(image, pose.homography, np.arange(225))
    opinion, (first, second) = both.judge(crops), (net.judge(crops) for net in single)
    best = first.log_chances.max(axis=1)
    sure, unsure = best > np.log(0.9999), best < np.log(0.98)
    assert sure.any()
    assert unsure.any()
    np.testing.assert_allclose(opinion.log_chances[sure], first.log_chances[sure], atol=1e-5)
    mean = (first.log_chances + second.log_chances)[unsure] / 2
    mean -= np.logaddexp.reduce(mean, axis=1, keepdims=True)
    same = opinion.log_chances[unsure].argmax(axis=1) == mean.argmax(axis=1)
    assert same.mean() > 0.9


@pytest.mark.parametrize("degrees", first_of(1, [-25, 30, 20]))
def test_tiles_laid_askew_are_straightened(degrees: float):
    """A sloppy hand turns tiles by up to thirty degrees; they are read all the same."""
    rows = [*["..............."] * 3, ".M.U.N.D.H.E.R.", *["..............."] * 11]
    image, pose, truth = _look(rows=rows)
    symbols = "".join(truth.rows)
    laid = [square for square in range(225) if symbols[square] != "."]
    askew = turn_tiles(image, pose, symbols, laid, degrees)
    assert read_squares(askew, pose).best() == truth.rows


def test_a_tile_upside_down_among_upright_ones_is_read():
    """Three tiles lie the wrong way round and are the letters that they are."""
    image, pose, truth = _look()
    symbols = "".join(truth.rows)
    over = [0, 7 * 15 + 8, 2 * 15 + 14]
    reading = read_squares(turn_tiles(image, pose, symbols, over, 180.0), pose)
    assert [reading.best()[square // 15][square % 15] for square in over] == ["A", "E", "S"]
    # An S looks the same from both sides.
    assert {square: reading.lying.flat[square] for square in over} == {0: 2, over[1]: 2, over[2]: 0}
    assert np.count_nonzero(reading.lying) == 2


def test_a_reflection_over_empty_squares_makes_no_blanks():
    """A lamp mirrored on the board brightens bare squares; no blank tile lies there."""
    light = Light(glares=(Glare(at=(640, 640), axes=(95, 95), turn_deg=0, strength=150),))
    camera = SceneCamera(distance=36)
    scene = Scene(style=demo_style("german"), rows=ROWS, camera=camera, light=light)
    image, truth = render(scene)
    assert "?" not in "".join(_settled(image, Pose(truth.homography)).best()[8:])


@pytest.mark.parametrize("turns", first_of(1, [1, 0, 2, 3]))
def test_words_printed_on_premium_squares_are_no_turned_tiles(turns: int):
    """Print that runs in any direction is not taken for a tile that lies turned."""
    style = demo_style("german")
    words = {
        Premium.TRIPLE_WORD: ("TRIPLE", "WORD", "SCORE"),
        Premium.DOUBLE_WORD: ("DOUBLE", "WORD", "SCORE"),
        Premium.TRIPLE_LETTER: ("TRIPLE", "LETTER", "SCORE"),
        Premium.DOUBLE_LETTER: ("2X", "LETTER"),
    }
    board = replace(style.board, words=words, word_turns=turns, word_size=0.18)
    scene = Scene(style=replace(style, board=board), rows=ROWS, camera=SceneCamera(distance=30))
    image, truth = render(scene)
    assert _settled(image, Pose(truth.homography)).best() == truth.rows


class _SeesNoLetter:
    """In the place of the networks: whatever it is shown is bare."""

    looks = 0

    def judge(self, crops: Image) -> Opinion:
        self.looks += len(crops)
        chances = np.full((len(crops), len(SEEN)), -20.0, np.float32)
        chances[:, SEEN.index(".")] = 0.0
        zeros = np.zeros(len(crops), np.float32)
        return Opinion(log_chances=chances, shifts=np.zeros((len(crops), 2)), foreign=zeros)


def test_a_look_in_which_the_letter_itself_was_painted_over_says_nothing() -> None:
    """An O that was taken for the figure of its tile stays the O that it was, unsure as it was."""
    side = 15 * SQUARE_PX
    picture = np.full((side, side, 3), 90, np.uint8)
    left, top = 7 * SQUARE_PX, 7 * SQUARE_PX
    cv2.rectangle(picture, (left + 1, top + 1), (left + 26, top + 26), (190, 220, 235), -1)
    cv2.rectangle(picture, (left + 6, top + 5), (left + 10, top + 22), (20, 20, 20), -1)
    cv2.circle(picture, (left + 18, top + 18), 4, (20, 20, 20), -1)
    tops = np.eye(3)
    tops[0, 0] = tops[1, 1] = SQUARE_PX
    chances = np.full((1, len(SEEN)), -12.0, np.float32)
    chances[0, SEEN.index("O")], chances[0, SEEN.index("D")] = np.log(0.7), np.log(0.3)
    net = _SeesNoLetter()
    asked, shifts = np.array([7 * 15 + 7]), np.zeros((1, 2), np.float32)
    after = _without_figures(picture, tops, chances, asked, shifts, net)  # type: ignore[arg-type]
    assert net.looks > 0
    assert after == pytest.approx(chances)
