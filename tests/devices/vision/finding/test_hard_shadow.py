"""A board in a hard shadow: found, letters, blanks and bare squares reported, hands still hands."""

from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pytest

from devices.lab.scenes.hands import Arm
from devices.lab.scenes.lens import SceneCamera
from devices.lab.scenes.scene import Light, Scene, Truth, render
from devices.lab.scenes.styles import demo_style
from devices.pictures import Image
from devices.vision.geometry.pose import Pose
from devices.vision.squares.colours import settle_blanks
from devices.vision.squares.occlusion import out_of_the_shadow
from devices.vision.squares.shadow_lights import PLAIN, shade_ratio, two_lights
from devices.vision.squares.shadow_rims import read_at_rims
from devices.vision.squares.squares import SquareReading, read_squares
from recorder.domain.board import CENTRE
from recorder.domain.observations import SEEN
from tests.cases import first_of

pytestmark = pytest.mark.pixels

ROWS = (
    *["..............."] * 7,
    "...?.QUEEN?....",
    *["..............."] * 4,
    "?..............",
    "...............",
    ".............?.",
)
EMPTY, COVERED = SEEN.index("."), SEEN.index("#")
CAMERA = SceneCamera(distance=36)


def _half_plane(angle: float) -> npt.NDArray[np.int32]:
    """Half of the picture, its rim through the middle of the board."""
    along, across = (
        np.array([np.cos(angle), np.sin(angle)]),
        np.array([-np.sin(angle), np.cos(angle)]),
    )
    middle, far = np.array([CAMERA.width / 2, CAMERA.height / 2]), 4000.0
    ends = np.stack([middle - far * along, middle + far * along])
    return np.rint(np.concatenate([ends, ends[::-1] + far * across])).astype(np.int32)


def _shaded(
    left: float, rows: tuple[str, ...] = ROWS, arms: tuple[Arm, ...] = (), angle: float = 0.5
) -> tuple[Image, Pose, Truth]:
    """The demo's board with this much light left over one half of it."""
    light = Light(shadows=((_half_plane(angle), 1.0 - left, 0.0),))
    image, truth = render(
        Scene(style=demo_style(), rows=rows, camera=CAMERA, light=light, arms=arms)
    )
    return image, Pose(truth.homography), truth


def _seeming_covered(reading: SquareReading, squares: list[int]) -> SquareReading:
    """The reading with these squares taken for covered, as the rim of a shadow once was."""
    log_probs = reading.log_probs.reshape(225, -1).copy()
    log_probs[squares] = np.log(0.05 / (len(SEEN) - 1))
    log_probs[squares, COVERED] = np.log(0.95)
    return replace(reading, log_probs=log_probs.reshape(15, 15, -1))


def _best(reading: SquareReading) -> str:
    return "".join(reading.best())


@pytest.mark.parametrize("left", [0.5, 0.3])
def test_blanks_and_bare_squares_are_told_apart_in_light_and_in_shadow(left: float):
    """Half the board in a hard shadow: every blank is one, and no bare square becomes one."""
    image, pose, truth = _shaded(left)
    settled, _ = settle_blanks(image, pose, read_squares(image, pose))
    read, shown = _best(settled), "".join(truth.rows)
    assert {s for s in range(225) if read[s] == "?"} == {s for s in range(225) if shown[s] == "?"}


ROUND_LETTERS = tuple("OQEUBOQEUBOQEUB" if row % 2 else "." * 15 for row in range(15))
"""What the rim of a shadow makes another letter of, on a board full of them."""


def _letters_wrong(reading: SquareReading, truth: Truth) -> int:
    pairs = zip("".join(truth.rows), _best(reading), strict=True)
    return sum(shown not in (".", read) for shown, read in pairs)


@pytest.mark.further
@pytest.mark.parametrize("ways", first_of(1, [2, 5]))
def test_letters_that_a_rim_crosses_are_read_as_if_in_one_light(ways: int):
    """The rim lies aslant over the board in several ways; an O with a rim is no Q, a U no Ü."""
    before = after = 0
    for angle in (0.4, 2.4, 0.6, 0.8, 1.0)[:ways]:
        image, pose, truth = _shaded(0.3, ROUND_LETTERS, angle=angle)
        reading = read_squares(image, pose)
        before += _letters_wrong(reading, truth)
        after += _letters_wrong(read_at_rims(image, pose, reading), truth)
    assert after == 0 < before


def test_a_bare_square_under_the_rim_of_a_shadow_is_not_covered():
    """What looks like the rim of a sleeve but has its square's colours in two lights is bare."""
    image, pose, truth = _shaded(0.4)
    reading, shown = read_squares(image, pose), "".join(truth.rows)
    columns = [pose.project([[c + 0.5, r + 0.5]])[0] for r in range(15) for c in range(15)]
    middle = np.array([CAMERA.width / 2, CAMERA.height / 2])
    away = (np.array(columns) - middle) @ np.array([-np.sin(0.5), np.cos(0.5)])
    rim = [
        int(s)
        for s in np.flatnonzero(np.abs(away) < 0.4 * pose.square_px())
        if shown[s] == "." and s != CENTRE
    ]
    assert len(rim) > 6
    settled = out_of_the_shadow(image, pose.homography, _seeming_covered(reading, rim))
    assert {_best(settled)[square] for square in rim} == {"."}


def test_a_hand_in_a_shadow_stays_a_hand():
    """Skin is not the colour of any square, in no light."""
    width, height = CAMERA.width, CAMERA.height
    arm = Arm(elbow=(width * 0.5, height * 1.2), tip=(width * 0.5, height * 0.45), width=90.0)
    image, pose, truth = _shaded(0.4, arms=(arm,))
    cover = truth.cover.ravel()
    touched, under = np.flatnonzero(cover > 0.1).tolist(), np.flatnonzero(cover > 0.8).tolist()
    assert len(under) >= 6
    seeming = _seeming_covered(read_squares(image, pose), touched)
    settled = out_of_the_shadow(image, pose.homography, seeming)
    assert {_best(settled)[square] for square in under} == {"#"}


def test_in_one_light_nothing_is_taken_for_a_shadow():
    """Without a shadow, what seems covered stays so, whatever its colour."""
    image, truth = render(Scene(style=demo_style(), rows=ROWS, camera=CAMERA))
    pose = Pose(truth.homography)
    seeming = _seeming_covered(read_squares(image, pose), [31, 32, 33])
    assert out_of_the_shadow(image, pose.homography, seeming) is seeming


def test_two_lights_are_known_from_the_plain_squares():
    """Each square's light, and near the rim the other one; a gentle fall-off is one light."""
    colours = np.full((225, 3), 120.0, np.float32)
    cols = np.arange(225) % 15
    colours[cols < 6] *= 0.4
    bare = np.ones(225, bool)
    lights = two_lights(colours, bare)
    assert np.allclose(lights.own, np.where(cols < 6, 0.4, 1.0), atol=0.01)
    assert (lights.other != lights.own)[(cols == 5) | (cols == 6)].mean() > 0.8
    assert np.array_equal(
        lights.own[(cols < 4) | (cols > 7)], lights.other[(cols < 4) | (cols > 7)]
    )
    gentle = 120.0 * np.linspace(0.4, 1.0, 15, dtype=np.float32)[cols]
    assert two_lights(np.stack([gentle] * 3, axis=1), bare) is None
    assert shade_ratio(colours[PLAIN][:20]) is None


def test_a_blank_on_the_centre_is_a_blank_and_the_star_is_none():
    """The star's square is compared like the others where it looks just like a tile."""
    middle = list(ROWS)
    middle[7] = "......Q?EEN...."
    for rows, wanted in ((tuple(middle), "?"), (("...............",) * 15, ".")):
        image, truth = render(Scene(style=demo_style(), rows=rows, camera=CAMERA))
        pose = Pose(truth.homography)
        assert _best(settle_blanks(image, pose, read_squares(image, pose))[0])[CENTRE] == wanted
