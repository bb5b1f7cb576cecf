"""The networks that read squares: crops in, log chances of a tile set's symbols out. Pure arrays.

They were trained on rendered scenes only (``calibration.lab.eyes.eyes_training``). A network's file
names what it knows: the letters of many tile sets and a glyph of none; one that names nothing knows
``SYMBOLS``. All know letters turned by 90, 180 and 270 degrees clockwise. Another network reads the
values that are printed on tiles. What they say is weighed by the tile set of the event: a letter
whose value is not the one that is seen gives way.
"""

import json
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import cv2
import numpy as np
import numpy.typing as npt
from onnxruntime import InferenceSession, SessionOptions

from devices.vision.set_symbols import symbols_of
from recorder.domain.observations import BLANK_SYMBOL, SEEN, SYMBOLS, read_symbol
from recorder.domain.tiles import TileSet

CROP_PX = 40
CLASSES = len(SEEN) + 3
"""What a reading tells apart: what can be seen, and a letter turned by one to three quarters."""
TURNED_CLASS = len(SEEN)
LETTER_CLASSES = np.array([number for number, text in enumerate(SEEN) if text not in ".?#"])
_BLANK = SEEN.index(BLANK_SYMBOL)

NO_VALUE, MOST_VALUE = 0, 10
VALUES = MOST_VALUE + 1
"""Printed values: none to be seen, 1 to 10."""
LABELS_KEY, FOREIGN = "labels", "foreign"
"""Where a network's file names its classes, and the one of a glyph that no set has."""
WEIGHTS = ("tiles.onnx", "tiles-2.onnx")
VALUE_WEIGHTS = "values.onnx"

Crops = npt.NDArray[np.uint8]
Float32s = npt.NDArray[np.float32]

_SURE = float(np.log(0.99))
_FARTHEST = 0.4
_SLIP = 0.02
"""How often a value is read wrong: by no more does it speak against a letter."""
_FOREIGN_BLANK = 0.5
"""A glyph of no set is a tile whose letter nobody knows: never sure, so the square is doubtful."""
_WITHOUT_ACCENT = {"Ł": "L", "Ø": "O"}


def as_planes(crops: Crops) -> Float32s:
    """What a network takes: [N, 3, 40, 40] of 0 to 255. What it scales is in the network itself."""
    return np.ascontiguousarray(crops.transpose(0, 3, 1, 2), np.float32)


def log_softmax(scores: Float32s) -> Float32s:
    """Scores [N, classes] as natural logarithms of probabilities."""
    shifted_scores = scores - scores.max(axis=1, keepdims=True)
    total = np.log(np.exp(shifted_scores).sum(axis=1, keepdims=True))
    logs: Float32s = shifted_scores - total
    return logs


@dataclass(frozen=True, slots=True, eq=False)
class Opinion:
    """The networks' answer on crops: ``log_chances`` [N, CLASSES], what is seen, and three turns.

    ``shifts`` [N, 2] is where the middle of a tile seems to lie, off the middle of the crop, in
    squares (x, y); it means something only where a tile is. ``foreign`` [N] is how probable a
    letter is that the tile set does not have.
    """

    log_chances: Float32s
    shifts: Float32s
    foreign: Float32s


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What a network's outputs mean, in their order: its labels, three turns, the middle.

    ``labels`` are symbols or letters of one or more characters, perhaps ``FOREIGN``.
    """

    labels: tuple[str, ...] = tuple(SYMBOLS)

    @property
    def classes(self) -> int:
        """How many outputs are classes: labels and turns."""
        return len(self.labels) + 3

    @property
    def outputs(self) -> int:
        """How many outputs there are in all."""
        return self.classes + 2


def _loaded(content: bytes) -> InferenceSession:
    options = SessionOptions()
    options.intra_op_num_threads = cv2.getNumThreads()
    # Looks come seconds apart: threads that spin for the next one would cost a core.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return InferenceSession(content, options, providers=["CPUExecutionProvider"])


def knowledge_of(net: InferenceSession) -> Knowledge:
    """What the file of a network names as its knowledge."""
    named = net.get_modelmeta().custom_metadata_map.get(LABELS_KEY)
    return Knowledge() if named is None else Knowledge(tuple(json.loads(named)))


class _SetWeights:
    """How the classes of a network become the symbols of one tile set."""

    def __init__(self, known: Knowledge, tile_set: TileSet | None) -> None:
        letters = (*SYMBOLS[2:-1],) if tile_set is None else symbols_of(tile_set)
        self.known = known
        shown = [label if len(label) == 1 else f"[{label}]" for label in known.labels]
        shared = [text for text in shown if text in {*letters, *".?#"}]
        self.columns = np.array([shown.index(text) for text in shared], dtype=np.intp)
        self.symbols = np.array([SEEN.index(text) for text in shared], dtype=np.intp)
        self.letters = np.array([SEEN.index(letter) for letter in letters], dtype=np.intp)
        self.strange = [
            (number, self._plain(text, letters))
            for number, text in enumerate(shown)
            if text not in shared
        ]
        values = [
            0 if tile_set is None else tile_set.value(read_symbol(SEEN[k])) for k in self.letters
        ]
        printed = [1 <= value <= MOST_VALUE for value in values]
        self.valued = self.letters[printed]
        self.values = np.array([v for v, is_known in zip(values, printed, strict=True) if is_known])

    @staticmethod
    def _plain(text: str, letters: Sequence[str]) -> int | None:
        """The letter of the set that this one is but for its accent: A for Ä."""
        plain = _WITHOUT_ACCENT.get(text, unicodedata.normalize("NFD", text)[0])
        return SEEN.index(plain) if len(text) == 1 and plain in letters else None

    def weighed(self, scores: Float32s) -> Opinion:
        """The opinion that a network's outputs [N, outputs] are."""
        known = self.known
        chances = np.exp(log_softmax(scores[:, : known.classes]))
        result = np.zeros((len(chances), CLASSES), np.float32)
        result[:, self.symbols] = chances[:, self.columns]
        result[:, TURNED_CLASS:] = chances[:, known.classes - 3 :]
        foreign = np.zeros(len(chances), np.float32)
        for number, plain in self.strange:
            part = chances[:, number]
            if plain is None:
                foreign += part
            else:
                # A smudge over an A is no Ä, but a clear Ä is no A.
                result[:, plain] += part * (1.0 - part)
                foreign += part * part
        result[:, _BLANK] += _FOREIGN_BLANK * foreign
        result[:, self.letters] += (1.0 - _FOREIGN_BLANK) / len(self.letters) * foreign[:, None]
        logs = log_softmax(np.log(result + np.float32(1e-12)))
        return Opinion(logs, np.clip(scores[:, -2:], -_FARTHEST, _FARTHEST), foreign)

    def with_values(self, log_chances: Float32s, scores: Float32s) -> Float32s:
        """Log chances in which letters of other values than the one that is seen give way."""
        if len(self.valued) == 0:
            return log_chances
        printed = np.exp(log_softmax(scores))
        seen = printed[:, 1:] + printed[:, :1] / MOST_VALUE
        most = seen.max(axis=1, keepdims=True)
        result = log_chances.copy()
        result[:, self.valued] += np.log((seen[:, self.values - 1] + _SLIP) / (most + _SLIP))
        none = printed[:, NO_VALUE]
        result[:, _BLANK] += np.log((none + _SLIP) / (np.maximum(none, most[:, 0]) + _SLIP))
        return log_softmax(result)


class SquareNet:
    """One network or two with their weights. May be called from several threads.

    Networks that began apart are wrong in different places: where the first one is not sure, the
    second one judges too, and both count alike.
    """

    def __init__(
        self,
        *weights: bytes | InferenceSession,
        values: bytes | InferenceSession | None = None,
        tile_set: TileSet | None = None,
    ) -> None:
        """``weights`` are contents of one or two ONNX files that know the same, or loaded ones.

        ``values`` is the network that reads values. Without it or without ``tile_set`` values say
        nothing; without ``tile_set`` all letters of ``SYMBOLS`` are possible. Raises onnxruntime's
        exceptions where it cannot read one. As many threads as OpenCV has.
        """
        self._nets = [_loaded(net) if isinstance(net, bytes) else net for net in weights]
        self._values = _loaded(values) if isinstance(values, bytes) else values
        self._known = knowledge_of(self._nets[0])
        self._set = _SetWeights(self._known, tile_set)

    def of_set(self, tile_set: TileSet) -> "SquareNet":
        """The same networks, weighed by another tile set."""
        return SquareNet(*self._nets, values=self._values, tile_set=tile_set)

    def judge(self, crops: Crops) -> Opinion:
        """The opinion on crops [N, 40, 40, 3]."""
        if len(crops) == 0:
            return self._set.weighed(np.zeros((0, self._known.outputs), np.float32))
        planes = as_planes(crops)
        scores = _scores(self._nets[0], planes)
        unsure = np.flatnonzero(log_softmax(scores[:, : self._known.classes]).max(axis=1) < _SURE)
        if len(unsure) and len(self._nets) > 1:
            scores[unsure] = (scores[unsure] + _scores(self._nets[1], planes[unsure])) / 2
        return self._set.weighed(scores)

    def with_values(self, log_chances: Float32s, figures: Crops) -> Float32s:
        """Log chances [N, CLASSES] of upright tiles, weighed by the values in ``figures``.

        ``figures`` [N, 40, 40, 3] are their corners, as ``cut_figures`` cuts them.
        """
        if self._values is None or len(figures) == 0:
            return log_chances
        return self._set.with_values(log_chances, _scores(self._values, as_planes(figures)))


def _scores(net: InferenceSession, planes: Float32s) -> Float32s:
    """What a network answers, [N, outputs]."""
    (answer,) = net.run(None, {net.get_inputs()[0].name: planes})
    scores: Float32s = np.array(answer, dtype=np.float32).reshape(len(planes), -1)
    return scores


@cache
def shipped_net() -> SquareNet:
    """The networks that ship with the program, loaded once per process."""
    folder = files("devices.vision").joinpath("weights")
    tiles = (folder.joinpath(name).read_bytes() for name in WEIGHTS)
    return SquareNet(*tiles, values=folder.joinpath(VALUE_WEIGHTS).read_bytes())
