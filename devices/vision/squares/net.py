"""The networks that read squares: crops in, log chances out. Pure arrays.

They were trained on rendered scenes only (``calibration.training.eyes_training``); their classes
are the 32 ``SYMBOLS`` and a letter turned by 90, 180 and 270 degrees clockwise.
"""

import threading
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import cv2
import numpy as np
import numpy.typing as npt

from recorder.domain.observations import SYMBOLS

CROP_PX = 40
CLASSES = len(SYMBOLS) + 3
TURNED_CLASS = len(SYMBOLS)
LETTER_CLASSES = np.arange(2, len(SYMBOLS) - 1)
WEIGHTS = ("tiles.onnx", "tiles-2.onnx")

Crops = npt.NDArray[np.uint8]
Float32s = npt.NDArray[np.float32]

_DARKEST_CONTRAST = 12.0
_SURE = float(np.log(0.99))
_FARTHEST = 0.4


def normalised(crops: Crops) -> Float32s:
    """What the network takes: [N, 3, 40, 40], every crop at mean 0 and contrast about 1."""
    planes = crops.transpose(0, 3, 1, 2).astype(np.float32)
    flat = planes.reshape(len(crops), -1)
    mean = flat.mean(axis=1)
    spread = np.sqrt(np.maximum((flat * flat).mean(axis=1) - mean * mean, 0.0))
    flat -= mean[:, None]
    flat /= (spread + _DARKEST_CONTRAST)[:, None]
    return planes


def log_softmax(scores: Float32s) -> Float32s:
    """Scores [N, classes] as natural logarithms of probabilities."""
    shifted_scores = scores - scores.max(axis=1, keepdims=True)
    total = np.log(np.exp(shifted_scores).sum(axis=1, keepdims=True))
    logs: Float32s = shifted_scores - total
    return logs


@dataclass(frozen=True, slots=True, eq=False)
class Opinion:
    """The network's answer on crops: ``log_chances`` [N, 35], the symbols and three turns.

    ``shifts`` [N, 2] is where the middle of a tile seems to lie, off the middle of the crop, in
    squares (x, y); it means something only where a tile is.
    """

    log_chances: Float32s
    shifts: Float32s


class SquareNet:
    """One network or two with their weights. May be called from several threads, one at a time.

    Networks that began apart are wrong in different places: where the first one is not sure, the
    second one judges too, and both count alike.
    """

    def __init__(self, *weights: bytes) -> None:
        """``weights`` are contents of one or two ONNX files; cv2.error if OpenCV reads one not."""
        self._nets = [
            cv2.dnn.readNetFromONNX(np.frombuffer(content, np.uint8)) for content in weights
        ]
        self._lock = threading.Lock()

    def judge(self, crops: Crops) -> Opinion:
        """The opinion on crops [N, 40, 40, 3]."""
        if len(crops) == 0:
            return Opinion(np.zeros((0, CLASSES), np.float32), np.zeros((0, 2), np.float32))
        planes = normalised(crops)
        with self._lock:
            scores = self._scores(0, planes)
            unsure = np.flatnonzero(log_softmax(scores[:, :CLASSES]).max(axis=1) < _SURE)
            if len(unsure) and len(self._nets) > 1:
                kept = np.ascontiguousarray(planes[unsure])
                scores[unsure] = (scores[unsure] + self._scores(1, kept)) / 2
        shifts = np.clip(scores[:, CLASSES:], -_FARTHEST, _FARTHEST)
        return Opinion(log_softmax(scores[:, :CLASSES]), shifts)

    def _scores(self, number: int, planes: Float32s) -> Float32s:
        """What one network answers, [N, 37]: scores of the classes, and two of the middle."""
        net = self._nets[number]
        net.setInput(planes)
        scores: Float32s = np.array(net.forward(), dtype=np.float32).reshape(len(planes), -1)
        return scores


@cache
def shipped_net() -> SquareNet:
    """The networks that ship with the program, loaded once per process."""
    folder = files("devices.vision").joinpath("weights")
    return SquareNet(*(folder.joinpath(name).read_bytes() for name in WEIGHTS))
