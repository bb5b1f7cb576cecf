"""The simulated table, frame by frame: a fixed camera over a board that plays and turns.

Keeps what does not change between frames, so that a frame with only a moving hand costs little.
The same calls with the same seeds give the same pixels.
"""

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

import cv2
import numpy as np

from devices.lab.scenes.hands import Arm, Glare, draw_arm
from devices.lab.scenes.lens import SceneCamera, Sensor, expose
from devices.lab.scenes.scene import (
    Layers,
    Light,
    Oddly,
    Truth,
    cover_of,
    draw_layers,
    lay_tiles,
    light_up,
    project_layers,
    truth_of,
)
from devices.lab.scenes.styles import Colour, Style, demo_style
from devices.pictures import Image
from recorder.domain.board import EMPTY_BOARD
from recorder.domain.observations import Corners

if TYPE_CHECKING:
    from collections.abc import Sequence

Hand = tuple[float, int, Colour]

_LAYER_PX = 52
_NOISE_SIDE = 509


class TableScene:
    """A table seen from a tripod, 1280 x 960 unless the camera says otherwise.

    ``board`` (15 strings), ``oddly`` (tiles that lie otherwise), ``hand`` (progress 0 = just
    outside the picture .. 1 = over the target, target square, colour of the sleeve; or None),
    ``far_arm`` (the hand is that of the player at the upper edge of the picture),
    ``turn_deg`` (turntable, clockwise), ``shift`` (a push across the table, in squares), ``light``,
    ``sensor``, ``noise`` (in levels) and ``camera`` may be set between frames.
    """

    def __init__(self, style: Style, seed: int, camera: SceneCamera | None = None) -> None:
        self.board: Sequence[str] = EMPTY_BOARD.rows()
        self.oddly = Oddly()
        self.hand: Hand | None = None
        self.far_arm = False
        self.turn_deg = 0.0
        self.shift = (0.0, 0.0)
        self.light = Light(low=0.9, high=1.03, angle=0.8)
        self.sensor = Sensor(blur_px=0.7)
        self.noise = 2.0
        self.camera = camera or SceneCamera(tilt_deg=8.0, focal_px=1560.0, distance=36.0)
        self._style = style
        self._seed = seed
        self._layers: Layers = draw_layers(style, self.board, _LAYER_PX, seed)
        self._laid: object = (tuple(self.board), self.oddly)
        self._quarters = 0
        self._still: tuple[object, Image] | None = None
        self._bright: tuple[Image, Image] | None = None
        self._taken: tuple[object, Image] | None = None

    def reflect(self, at: tuple[float, float] | None) -> None:
        """Mirror a lamp at this place (0..1 across and down the picture), or no longer."""
        glares: tuple[Glare, ...] = ()
        if at is not None:
            width, height = self.camera.width, self.camera.height
            spot = (at[0] * width, at[1] * height)
            square = self.camera.focal_px / self.camera.distance
            glares = (Glare(at=spot, axes=(2.6 * square, 1.4 * square), turn_deg=20, strength=210),)
        self.light = replace(self.light, glares=glares)

    def expose(self, gain: float) -> None:
        """Let in so much light; 1 is as at the start. Nothing else of the sensor changes."""
        self.sensor = replace(self.sensor, gain=gain)

    @property
    def corners(self) -> Corners:
        """Where the field lies in pixels, clockwise from the top-left of the board's lettering."""
        truth = truth_of(self._camera_now(), self._style, self.board, self._seed)
        top_left, top_right, bottom_right, bottom_left = (
            (float(x), float(y)) for x, y in truth.corners
        )
        return top_left, top_right, bottom_right, bottom_left

    def turn_tiles(self, quarters: int) -> None:
        """Lay all tiles turned against the board's lettering, so many quarters clockwise.

        ``board`` stays as the letters read; the truth's corners are those of the lettering.
        """
        self._quarters = quarters
        self._laid = ()

    def _camera_now(self) -> SceneCamera:
        return replace(self.camera, board_turn_deg=self.turn_deg, board_shift=self.shift)

    def _projected(self) -> Image:
        """The table without hand and noise; drawn again only when board, pose or light change."""
        laid = (tuple(self.board), self.oddly)
        if laid != self._laid:
            tops = lay_tiles(self._style, laid[0], _LAYER_PX, self._seed, self.oddly)
            tops = np.ascontiguousarray(np.rot90(tops, -self._quarters))
            self._layers = replace(self._layers, tops=tops)
            self._laid = laid
        camera = self._camera_now()
        key = (laid, camera, id(self.light), self._quarters)
        if self._still is None or self._still[0] != key:
            image = project_layers(self._style, self._layers, camera, self.light)
            self._still = (key, image)
        return self._still[1]

    def _lit(self) -> Image:
        """The same in the light that falls on it: so it lies in most pictures."""
        still = self._projected()
        if self._bright is None or self._bright[0] is not still:
            image = still.copy()
            light_up(image, self.light)
            self._bright = (still, image)
        return self._bright[1]

    def frame(self, noise_seed: int) -> Image:
        """The picture (BGR) that the camera delivers now."""
        if self.sensor.noise:
            return self.frame_with_truth(noise_seed)[0]
        light, laid = id(self.light), (tuple(self.board), self.oddly, self._quarters)
        key = (laid, self._camera_now(), light, self.sensor, self.hand, self.far_arm)
        if self._taken is None or self._taken[0] != key:
            rng = self._chance(noise_seed)  # not asked: without noise a sensor has no chance in it
            self._taken = (key, expose(self._covered()[0], self.sensor, rng))
        return self._noisy(self._taken[1], self._chance(noise_seed))

    def frame_with_truth(self, noise_seed: int) -> tuple[Image, Truth]:
        """The picture and what is true about it."""
        image, mask = self._covered()
        truth = truth_of(self._camera_now(), self._style, self.board, self._seed)
        if mask is not None:
            truth = replace(truth, cover=cover_of(mask, truth.top_homography))
        rng = self._chance(noise_seed)
        image = expose(image, self.sensor, rng)
        return self._noisy(image, rng), truth

    def _chance(self, noise_seed: int) -> np.random.Generator:
        return np.random.default_rng([self._seed, noise_seed])

    def _covered(self) -> tuple[Image, Image | None]:
        """The table in its light with the hand over it, and what the hand hides."""
        if self.hand is None:
            return self._lit().copy(), None
        image = self._projected().copy()
        arm = self._arm(self.hand, self._camera_now())
        mask = draw_arm(image, arm, np.random.default_rng(self._seed))
        light_up(image, self.light)
        return image, mask

    def _arm(self, hand: Hand, camera: SceneCamera) -> Arm:
        """The arm of the player at the lower edge of the picture, or at the upper one."""
        progress, square, sleeve = hand
        row, col = divmod(square, 15)
        goal = camera.project([[col + 0.5, row + 0.5]])[0]
        width = 2.2 * camera.focal_px / camera.distance
        away = np.array([0.8 * width, 0.9 * camera.height])
        start = np.array([camera.width * 0.55, camera.height + 2.2 * width])
        if self.far_arm:
            start, away = np.array([camera.width * 0.45, -2.2 * width]), -away
        tip = start + progress * (goal - start)
        elbow = tip + away
        return Arm(
            elbow=(float(elbow[0]), float(elbow[1])),
            tip=(float(tip[0]), float(tip[1])),
            width=width,
            sleeve=sleeve,
        )

    def _noisy(self, image: Image, rng: np.random.Generator) -> Image:
        height, width = image.shape[:2]
        down, across = rng.integers(0, _NOISE_SIDE, 2)
        brighter, darker = (
            part[down : down + height, across : across + width]
            for part in _grain_of(self._seed, self.noise)
        )
        return np.asarray(cv2.subtract(cv2.add(image, brighter), darker), dtype=np.uint8)


@lru_cache(maxsize=4)
def _grain_of(seed: int, sigma: float) -> tuple[Image, Image]:
    """Noise as two pictures to add and to take away, large enough to look into anywhere.

    Read only: a scene of the same seed gets the same two.
    """
    rng = np.random.default_rng([seed, 3])
    grain = rng.normal(0.0, sigma, (_NOISE_SIDE, _NOISE_SIDE, 3))
    whole = np.rint(grain)
    brighter, darker = (np.clip(part, 0, 255).astype(np.uint8) for part in (whole, -whole))
    return _tiled(brighter), _tiled(darker)


def _tiled(grain: Image) -> Image:
    return np.tile(grain, (6, 6, 1))[: 5 * _NOISE_SIDE]


def demo_scene(tile_set: str, seed: int) -> TableScene:
    """The demo's table: pictures as small as the eyes read surely, for ten are drawn a second."""
    camera = SceneCamera(width=960, height=720, tilt_deg=8.0, focal_px=1170.0, distance=36.0)
    return TableScene(demo_style(tile_set), seed, camera)
