"""The networks that read squares: crops in, log chances out. Pure arrays.

They were trained on rendered scenes only (``calibration.lab.eyes.eyes_training``); their classes
are the 32 ``SYMBOLS`` and a letter turned by 90, 180 and 270 degrees clockwise.
"""

from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import cv2
import numpy as np
import numpy.typing as npt
from onnxruntime import InferenceSession, SessionOptions

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
    """One network or two with their weights. May be called from several threads.

    Networks that began apart are wrong in different places: where the first one is not sure, the
    second one judges too, and both count alike.
    """

    def __init__(self, *weights: bytes) -> None:
        """``weights`` are contents of one or two ONNX files.

        Raises onnxruntime's exceptions where it cannot read one. As many threads as OpenCV has.
        """
        options = SessionOptions()
        options.intra_op_num_threads = cv2.getNumThreads()
        # Looks come seconds apart: threads that spin for the next one would cost a core.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        self._nets = [
            InferenceSession(content, options, providers=["CPUExecutionProvider"])
            for content in weights
        ]

    def judge(self, crops: Crops) -> Opinion:
        """The opinion on crops [N, 40, 40, 3]."""
        if len(crops) == 0:
            return Opinion(np.zeros((0, CLASSES), np.float32), np.zeros((0, 2), np.float32))
        planes = normalised(crops)
        scores = self._scores(0, planes)
        unsure = np.flatnonzero(log_softmax(scores[:, :CLASSES]).max(axis=1) < _SURE)
        if len(unsure) and len(self._nets) > 1:
            scores[unsure] = (scores[unsure] + self._scores(1, planes[unsure])) / 2
        shifts = np.clip(scores[:, CLASSES:], -_FARTHEST, _FARTHEST)
        return Opinion(log_softmax(scores[:, :CLASSES]), shifts)

    def _scores(self, number: int, planes: Float32s) -> Float32s:
        """What one network answers, [N, 37]: scores of the classes, and two of the middle."""
        net = self._nets[number]
        (answer,) = net.run(None, {net.get_inputs()[0].name: planes})
        scores: Float32s = np.array(answer, dtype=np.float32).reshape(len(planes), -1)
        return scores


@cache
def shipped_net() -> SquareNet:
    """The networks that ship with the program, loaded once per process."""
    folder = files("devices.vision").joinpath("weights")
    return SquareNet(*(folder.joinpath(name).read_bytes() for name in WEIGHTS))
