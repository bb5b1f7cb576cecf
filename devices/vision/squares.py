"""Reading squares: crops on the plane of the tile tops, and the network's opinion on each.

Pure arrays. The network was trained on rendered scenes only (``calibration.eyes_training``);
its outputs are the 32 ``SYMBOLS`` and a letter turned by 90, 180 and 270 degrees clockwise.
"""

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import cv2
import numpy as np
import numpy.typing as npt

from devices.vision.pose import Floats, Image, Pose
from devices.vision.tile_plane import TILE_HEIGHT, guess_camera
from recorder.domain.observations import SYMBOLS

CROP_PX = 40
CROP_SPAN = 1.4
"""Squares along one side of a crop: the tile and the rims of its neighbours."""
CLASSES = len(SYMBOLS) + 3
TURNED_CLASS = len(SYMBOLS)
LETTER_CLASSES = np.arange(2, len(SYMBOLS) - 1)

Crops = npt.NDArray[np.uint8]
Float32s = npt.NDArray[np.float32]

_DARKEST_CONTRAST = 12.0


def cut_crops(image: Image, homography: Floats, squares: Sequence[int] | npt.NDArray[np.intp]) -> Crops:
    """The crops [N, 40, 40, 3] of these squares, through a homography of their plane.

    Large pictures are reduced first where a crop has more pixels in the picture than it keeps,
    so that nothing aliases.
    """
    crops = np.empty((len(squares), CROP_PX, CROP_PX, 3), np.uint8)
    image, homography = _reduced(image, homography)
    step = CROP_SPAN / CROP_PX
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    for index, square in enumerate(squares):
        row, col = divmod(int(square), 15)
        shift = 0.5 - CROP_SPAN / 2 + 0.5 * step
        local = np.array([[step, 0, col + shift], [0, step, row + shift], [0, 0, 1.0]])
        cv2.warpPerspective(
            image, homography @ local, (CROP_PX, CROP_PX), crops[index], flags,
            cv2.BORDER_REPLICATE,
        )  # fmt: skip
    return crops


def _reduced(image: Image, homography: Floats) -> tuple[Image, Floats]:
    wanted = CROP_PX / CROP_SPAN
    actual = Pose(homography).square_px()
    if actual < 1.5 * wanted:
        return image, homography
    factor = 1.2 * wanted / actual
    height, width = image.shape[:2]
    size = (max(1, round(width * factor)), max(1, round(height * factor)))
    small = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    across, down = size[0] / width, size[1] / height
    scale = np.array(
        [[across, 0, (across - 1) / 2], [0, down, (down - 1) / 2], [0, 0, 1.0]]
    )
    return small, scale @ homography


def normalised(crops: Crops) -> Float32s:
    """What the network takes: [N, 3, 40, 40], every crop at mean 0 and contrast about 1."""
    planes = crops.transpose(0, 3, 1, 2).astype(np.float32)
    flat = planes.reshape(len(crops), -1)
    mean = flat.mean(axis=1)
    spread = np.sqrt(np.maximum((flat * flat).mean(axis=1) - mean * mean, 0.0))
    flat -= mean[:, None]
    flat /= (spread + _DARKEST_CONTRAST)[:, None]
    return planes


@dataclass(frozen=True, slots=True, eq=False)
class SquareReading:
    """What the network says of the squares, as natural logarithms of probabilities.

    ``log_probs`` [15, 15, 32] in the order of ``SYMBOLS``, given that letters stand upright in
    the pose. ``turns`` [15, 15, 4]: that a letter stands upright, or lies turned by 90, 180,
    270 degrees clockwise (``pose.rotated(k)`` makes the k-th upright). ``read`` [15, 15] tells
    which squares were asked; the others hold a uniform answer. ``tops`` is the homography of
    the plane that was read.
    """

    log_probs: Float32s
    turns: Float32s
    read: npt.NDArray[np.bool_]
    tops: Floats

    def best(self) -> tuple[str, ...]:
        """The likeliest symbol of every square, as 15 strings."""
        best = self.log_probs.argmax(axis=2)
        return tuple("".join(SYMBOLS[index] for index in row) for row in best)


def _log_softmax(scores: Float32s) -> Float32s:
    shifted_scores = scores - scores.max(axis=1, keepdims=True)
    total = np.log(np.exp(shifted_scores).sum(axis=1, keepdims=True))
    logs: Float32s = shifted_scores - total
    return logs


class SquareNet:
    """The network with its weights. May be called from several threads, one at a time."""

    def __init__(self, weights: bytes) -> None:
        """``weights`` is the ONNX file's content; cv2.error if OpenCV cannot read it."""
        self._net = cv2.dnn.readNetFromONNX(np.frombuffer(weights, np.uint8))
        self._lock = threading.Lock()

    def log_chances(self, crops: Crops) -> Float32s:
        """Log probabilities [N, 35] of crops [N, 40, 40, 3]: the symbols, then three turns."""
        if len(crops) == 0:
            return np.zeros((0, CLASSES), np.float32)
        with self._lock:
            self._net.setInput(normalised(crops))
            scores = np.array(self._net.forward(), dtype=np.float32)
        return _log_softmax(scores.reshape(len(crops), CLASSES))


@cache
def shipped_net() -> SquareNet:
    """The network that ships with the program, loaded once per process."""
    return SquareNet(files("devices.vision").joinpath("weights", "tiles.onnx").read_bytes())


def read_squares(
    image: Image,
    pose: Pose,
    *,
    squares: Sequence[int] | None = None,
    tile_lift: float | None = None,
    net: SquareNet | None = None,
) -> SquareReading:
    """Read the squares of a located board (all of them, or only ``squares``).

    ``image`` is BGR. ``tile_lift`` is how high above the board to look, in parts of a usual
    tile's height (0: on the board; None: 1). The pose is taken as it is: a wrong grid or a
    wrong side up gives confident nonsense, which its score and ``turns`` reveal.
    """
    net = shipped_net() if net is None else net
    asked = np.arange(225) if squares is None else np.asarray(squares, dtype=np.intp)
    camera = guess_camera(pose, (image.shape[1], image.shape[0]))
    tops = camera.plane(pose, TILE_HEIGHT * (1.0 if tile_lift is None else tile_lift))
    chances = net.log_chances(cut_crops(image, tops, asked))
    return reading_of(chances, asked, tops)


def reading_of(chances: Float32s, asked: npt.NDArray[np.intp], tops: Floats) -> SquareReading:
    """Arrange log probabilities [N, 35] of the asked squares as a reading."""
    log_probs = np.full((225, len(SYMBOLS)), -np.log(len(SYMBOLS)), np.float32)
    turns = np.full((225, 4), -np.log(4.0), np.float32)
    read = np.zeros(225, bool)
    read[asked] = True
    log_probs[asked] = _log_softmax(chances[:, : len(SYMBOLS)])
    upright = np.logaddexp.reduce(chances[:, LETTER_CLASSES], axis=1, keepdims=True)
    turns[asked] = np.concatenate([upright, chances[:, TURNED_CLASS:]], axis=1)
    shape = (15, 15)
    return SquareReading(
        log_probs.reshape(*shape, -1), turns.reshape(*shape, 4), read.reshape(shape), tops
    )
