"""What may go wrong with a picture of a board: named, seeded changes of a good photograph.

Digital changes: the camera's own exposure and white balance take no part, so a real camera in
the same light delivers something milder. Pure; knows nothing of how pictures are read.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType

import cv2
import numpy as np
import numpy.typing as npt

from calibration.lab.eyes.turned_tiles import turn_tiles
from devices.lab.scenes.hands import Arm, Glare, add_glare, draw_arm, light_gradient
from devices.lab.scenes.lens import Sensor, expose
from devices.lab.scenes.scene import cover_of
from devices.pictures import Image
from devices.vision.geometry.pose import Pose
from devices.vision.geometry.tile_plane import tops_of
from recorder.domain.board import SQUARES


@dataclass(frozen=True, slots=True, eq=False)
class Shot:
    """A photograph, where its board lies, and the 225 symbols that it shows.

    ``cover`` [225] is the part of every square that is hidden by something.
    """

    image: Image
    pose: Pose
    symbols: str
    seed: int
    cover: npt.NDArray[np.float32]


Change = Callable[[Shot], Shot]


def undisturbed(image: Image, pose: Pose, symbols: str, seed: int) -> Shot:
    """A photograph as it was taken."""
    return Shot(image, pose, symbols, seed, np.zeros(SQUARES, np.float32))


def _sense(shot: Shot, sensor: Sensor) -> Shot:
    rng = np.random.default_rng([shot.seed, 1])
    return replace(shot, image=expose(shot.image, sensor, rng))


def _hard_shadow(shot: Shot, light: float) -> Shot:
    """The shadow of an edge lies aslant over half of the board; in it this much light is left."""
    rng = np.random.default_rng([shot.seed, 2])
    angle = rng.uniform(0.0, 2 * np.pi)
    along, across = (
        np.array([np.cos(angle), np.sin(angle)]),
        np.array([-np.sin(angle), np.cos(angle)]),
    )
    middle = shot.pose.project(np.array([7.5, 7.5]) + rng.uniform(-2.0, 2.0, 2))
    far = 4.0 * max(shot.image.shape)
    points = [middle - far * along, middle + far * along]
    points += [points[1] + far * across, points[0] + far * across]
    mask = np.zeros(shot.image.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.rint(points).astype(np.int32), 255, cv2.LINE_AA)
    factor = 1.0 - (1.0 - light) / 255 * mask.astype(np.float32)
    lit = np.rint(shot.image * factor[..., None])
    return replace(shot, image=lit.astype(np.uint8))


def _gradient(shot: Shot, low: float, high: float) -> Shot:
    image = shot.image.copy()
    light_gradient(image, low, high, np.random.default_rng([shot.seed, 3]).uniform(0, 2 * np.pi))
    return replace(shot, image=image)


def _glare(shot: Shot, strength: float) -> Shot:
    """A lamp mirrored on the board, about five squares wide with soft edges."""
    rng = np.random.default_rng([shot.seed, 4])
    across, down = shot.pose.project(rng.uniform(4.0, 11.0, 2))
    reach = 2.5 * shot.pose.square_px()
    image = shot.image.copy()
    glare = Glare(at=(across, down), axes=(reach, reach), turn_deg=0.0, strength=strength)
    add_glare(image, glare)
    return replace(shot, image=image)


def _hand(shot: Shot, tip: float) -> Shot:
    """An arm from the board's lower edge; its finger tips this many squares up from there."""
    rng = np.random.default_rng([shot.seed, 5])
    column = rng.uniform(5.0, 10.0)
    elbow = shot.pose.project([column + rng.uniform(-4.0, 4.0), 22.0])
    fingers = shot.pose.project([column, 15.0 - tip])
    width = 3.2 * shot.pose.square_px()
    arm = Arm(elbow=(elbow[0], elbow[1]), tip=(fingers[0], fingers[1]), width=width)
    image = shot.image.copy()
    mask = draw_arm(image, arm, rng)
    tops = tops_of(image, shot.pose)
    return replace(shot, image=image, cover=cover_of(mask, tops).ravel())


def _moved(shot: Shot, matrix: npt.NDArray[np.float64], size: tuple[int, int]) -> Shot:
    """The picture through a homography of the picture's plane."""
    image = cv2.warpPerspective(
        shot.image, matrix, size, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE
    )
    pose = Pose(matrix @ shot.pose.homography, shot.pose.score)
    return replace(shot, image=np.asarray(image, np.uint8), pose=pose)


def _quarters(shot: Shot, count: int) -> Shot:
    """The board seen from another side: the whole picture turned, nothing lost."""
    image = np.ascontiguousarray(np.rot90(shot.image, -count))
    return replace(shot, image=image)


def _aslant(shot: Shot, degrees: float) -> Shot:
    """The camera turned about its axis; the picture made larger, so that nothing is cut off."""
    height, width = shot.image.shape[:2]
    turn = np.radians(degrees)
    cos, sin = abs(np.cos(turn)), abs(np.sin(turn))
    size = (round(width * cos + height * sin), round(width * sin + height * cos))
    matrix = np.eye(3)
    matrix[:2] = cv2.getRotationMatrix2D((width / 2, height / 2), degrees, 1.0)
    matrix[0, 2] += (size[0] - width) / 2
    matrix[1, 2] += (size[1] - height) / 2
    return _moved(shot, matrix, size)


def _keystone(shot: Shot, part: float) -> Shot:
    """The upper edge of the picture shorter by this part: the camera tilted."""
    height, width = shot.image.shape[:2]
    whole = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    inset = part * width / 2
    seen = whole + np.array([[inset, 0], [-inset, 0], [0, 0], [0, 0]], np.float32)
    matrix = cv2.getPerspectiveTransform(whole, seen).astype(np.float64)
    return _moved(shot, matrix, (width, height))


def _small(shot: Shot, longest: int) -> Shot:
    factor = longest / max(shot.image.shape)
    image = cv2.resize(shot.image, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    return replace(shot, image=np.asarray(image, np.uint8), pose=shot.pose.scaled(factor))


def _tiles(shot: Shot, degrees: float, every: int = 1) -> Shot:
    """Tiles turned in place, each about its own middle."""
    squares = [square for square, symbol in enumerate(shot.symbols) if symbol != "."][::every]
    return replace(shot, image=turn_tiles(shot.image, shot.pose, shot.symbols, squares, degrees))


def _all_upside_down(shot: Shot) -> Shot:
    """What then lies there is the board of the player opposite, with other words on it."""
    return replace(_tiles(shot, 180.0), symbols=shot.symbols[::-1])


def _cast(blue: float, green: float, red: float) -> Change:
    return partial(_sense, sensor=Sensor(cast=(blue, green, red)))


DISTURBANCES: MappingProxyType[str, Change] = MappingProxyType(
    {
        "none": lambda shot: shot,
        **{
            f"brightness x{gain}": partial(_sense, sensor=Sensor(gain=gain))
            for gain in (0.25, 0.5, 1.6, 2.0)
        },
        **{
            f"blur {sigma} px": partial(_sense, sensor=Sensor(blur_px=sigma)) for sigma in (1, 2, 3)
        },
        **{f"noise {sigma}": partial(_sense, sensor=Sensor(noise=sigma)) for sigma in (15, 25)},
        "cast blue x.85 red x1.1": _cast(0.85, 1.0, 1.1),
        "cast warm": _cast(0.75, 1.0, 1.15),
        "cast tungsten": _cast(0.5, 0.85, 1.25),
        "cast green": _cast(0.85, 1.15, 0.85),
        "cast cold": _cast(1.2, 1.0, 0.8),
        **{f"hard shadow {part:.0%}": partial(_hard_shadow, light=part) for part in (0.5, 0.3)},
        "light falls off 1.2 to .5": partial(_gradient, low=0.5, high=1.2),
        **{f"glare +{level}": partial(_glare, strength=level) for level in (90, 160)},
        "hand at the edge": partial(_hand, tip=3.0),
        "hand over the centre": partial(_hand, tip=9.0),
        **{f"board turned {90 * count}": partial(_quarters, count=count) for count in (1, 2)},
        **{f"camera turned {angle}": partial(_aslant, degrees=angle) for angle in (3, 8, 15)},
        **{f"keystone {part:.0%}": partial(_keystone, part=part) for part in (0.04, 0.1, 0.2)},
        "jpeg quality 30": partial(_sense, sensor=Sensor(jpeg=30)),
        "500 pixels wide": partial(_small, longest=500),
        **{
            f"tiles turned {angle}": partial(_tiles, degrees=angle) for angle in (5, 10, 15, 20, 30)
        },
        "tiles turned 180": _all_upside_down,
        "each fifth tile turned 180": partial(_tiles, degrees=180.0, every=5),
    }
)
"""By name, in the order of the table."""
