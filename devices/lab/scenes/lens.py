"""A camera above the table: where points of the board fall, and what the sensor makes of light.

Board units: x = column 0..15, y = row 0..15, heights in squares above the board. Knows nothing
of boards, tiles or games; pure given a numpy Generator.
"""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from devices.pictures import Image
from devices.vision.geometry.pose import Floats


@dataclass(frozen=True, slots=True, kw_only=True)
class SceneCamera:
    """A pinhole camera that looks at a point of the board.

    ``width``, ``height``, ``focal_px`` in pixels; ``distance`` and ``target`` in squares;
    ``tilt_deg`` from the vertical, ``azimuth_deg`` the side that it stands on, ``turn_deg``
    how far the camera is rolled, so that the board is turned clockwise in the picture.
    ``board_turn_deg`` (clockwise, about its middle) and then ``board_shift`` (squares of the
    board before it was turned) are what a turntable and a knock do: the camera stays.
    """

    width: int = 1280
    height: int = 960
    focal_px: float = 1500.0
    distance: float = 28.0
    tilt_deg: float = 0.0
    azimuth_deg: float = 90.0
    turn_deg: float = 0.0
    target: tuple[float, float] = (7.5, 7.5)
    board_turn_deg: float = 0.0
    board_shift: tuple[float, float] = (0.0, 0.0)

    def homography(self, height: float = 0.0) -> Floats:
        """Board units at this height (squares above the board) to pixels, 3 x 3 float64."""
        tilt, azimuth, turn = np.radians([self.tilt_deg, self.azimuth_deg, self.turn_deg])
        # The z axis points into the board, so that x right, y down, z away is right-handed.
        away = np.array(
            [np.sin(tilt) * np.cos(azimuth), np.sin(tilt) * np.sin(azimuth), -np.cos(tilt)]
        )
        target = np.array([*self.target, 0.0])
        centre = target + self.distance * away
        right = np.cross([0.0, 1.0, 0.0], -away)
        right /= np.linalg.norm(right)
        down = np.cross(-away, right)
        cos, sin = np.cos(turn), np.sin(turn)
        axes = np.stack([cos * right - sin * down, sin * right + cos * down, -away])
        inner = np.array(
            [
                [self.focal_px, 0.0, self.width / 2],
                [0.0, self.focal_px, self.height / 2],
                [0.0, 0.0, 1.0],
            ]
        )
        column = axes @ -centre - height * axes[:, 2]
        fixed = inner @ np.stack([axes[:, 0], axes[:, 1], column], axis=1)
        matrix: Floats = fixed @ self._board_on_table()
        scaled: Floats = matrix / matrix[2, 2]
        return scaled

    def _board_on_table(self) -> Floats:
        """Board units to where the board lay before it was turned and pushed."""
        turn, middle = np.radians(self.board_turn_deg), 7.5
        cos, sin = np.cos(turn), np.sin(turn)
        across, down = self.board_shift
        return np.array(
            [
                [cos, -sin, middle - cos * middle + sin * middle + across],
                [sin, cos, middle - sin * middle - cos * middle + down],
                [0.0, 0.0, 1.0],
            ]
        )

    def project(self, points: npt.ArrayLike, height: float = 0.0) -> Floats:
        """Pixels of points [N, 2] in board units at this height."""
        flat = np.asarray(points, dtype=np.float64).reshape(-1, 1, 2)
        mapped = cv2.perspectiveTransform(flat, self.homography(height))
        return np.asarray(mapped, dtype=np.float64).reshape(-1, 2)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sensor:
    """What lens and sensor do to the light. The defaults leave the picture almost as it is.

    ``blur_px`` Gaussian sigma, ``motion_px`` length and ``motion_deg`` direction of a shake,
    ``gain`` and ``gamma`` exposure, ``cast`` gain per channel (BGR), ``noise`` standard
    deviation in grey levels, ``sharpen`` strength, ``jpeg`` quality (0: no compression).
    """

    blur_px: float = 0.0
    motion_px: float = 0.0
    motion_deg: float = 0.0
    gain: float = 1.0
    gamma: float = 1.0
    saturation: float = 1.0
    cast: tuple[float, float, float] = (1.0, 1.0, 1.0)
    noise: float = 0.0
    sharpen: float = 0.0
    jpeg: int = 0


def _shake(image: npt.NDArray[np.uint8], sensor: Sensor) -> Image:
    length = max(3, round(sensor.motion_px) | 1)
    kernel = np.zeros((length, length), np.float32)
    angle = np.radians(sensor.motion_deg)
    reach = np.array([np.cos(angle), np.sin(angle)]) * length / 2
    middle = np.array([length // 2, length // 2])
    start, end = np.rint(middle - reach).astype(int), np.rint(middle + reach).astype(int)
    cv2.line(kernel, start.tolist(), end.tolist(), 1.0, 1, cv2.LINE_AA)
    return np.asarray(cv2.filter2D(image, -1, kernel / kernel.sum()), dtype=np.uint8)


def _tone_table(sensor: Sensor, channel: int) -> Image:
    levels = np.arange(256) / 255.0
    lit = np.clip(levels * sensor.gain * sensor.cast[channel], 0.0, 1.0) ** sensor.gamma
    return np.rint(lit * 255).astype(np.uint8)


def expose(image: Image, sensor: Sensor, rng: np.random.Generator) -> Image:
    """The picture that the sensor delivers from the ideal one (BGR, same size)."""
    out = image
    if sensor.blur_px > 0.2:
        out = np.asarray(cv2.GaussianBlur(out, (0, 0), sensor.blur_px), dtype=np.uint8)
    if sensor.motion_px >= 2:
        out = _shake(out, sensor)
    if (sensor.gain, sensor.gamma, *sensor.cast) != (1.0,) * 5:
        table = np.stack([_tone_table(sensor, channel) for channel in range(3)], axis=-1)
        out = np.asarray(cv2.LUT(out, table[None]), dtype=np.uint8)
    if sensor.saturation != 1.0:
        grey = cv2.cvtColor(cv2.cvtColor(out, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
        mixed = cv2.addWeighted(out, sensor.saturation, grey, 1.0 - sensor.saturation, 0.0)
        out = np.asarray(mixed, dtype=np.uint8)
    if sensor.noise > 0:
        out = _add_noise(out, sensor.noise, rng)
    if sensor.sharpen > 0:
        soft = cv2.GaussianBlur(out, (0, 0), 1.5)
        mixed = cv2.addWeighted(out, 1.0 + sensor.sharpen, soft, -sensor.sharpen, 0.0)
        out = np.asarray(mixed, dtype=np.uint8)
    if sensor.jpeg:
        _, data = cv2.imencode(".jpg", out, [cv2.IMWRITE_JPEG_QUALITY, sensor.jpeg])
        out = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), dtype=np.uint8)
    return out


def _add_noise(image: Image, sigma: float, rng: np.random.Generator) -> Image:
    """Sensor noise; a tile of noise laid at random offsets, as drawing it again costs 30 ms."""
    side = 256
    grain = rng.normal(0.0, sigma, (side, side, 3)).astype(np.float32)
    height, width = image.shape[:2]
    down, across = rng.integers(0, side, 2)
    repeat = (height // side + 2, width // side + 2, 1)
    full = np.tile(grain, repeat)[down : down + height, across : across + width]
    return np.asarray(cv2.add(image, full, dtype=cv2.CV_8U), dtype=np.uint8)
