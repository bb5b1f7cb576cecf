"""Whether a picture is a mirror image, as webcam software shows people themselves.

The premium layout is its own mirror image, so a mirrored board is found and read as well as it
can be; only its letters tell. Knows nothing of where the board lies.
"""

import numpy as np

from devices.pictures import Image
from devices.vision.squares.net import LETTER_CLASSES, TURNED_CLASS, SquareNet, shipped_net
from devices.vision.squares.squares import SquareReading, cut_crops
from recorder.domain.board import SQUARES
from recorder.domain.observations import SEEN

_TILE_SEEN = float(np.log(0.5))
_MOST = 20
"""So many tiles, from all over the board, are enough to ask."""
_CAP = 3.0
"""Nats that one tile may say: a smudge must not outweigh three letters."""
_MIRRORED = 4.0
"""Real pictures of two letters and more stay below 0, mirrored ones of a word exceed it."""
_CLEAR = 0.6
"""Nats per tile that letters in the mirror may be worse: a wrong grid makes no sense either way."""
MIRRORED = "the picture is mirrored: switch mirroring off in the camera's settings"

_EMPTY, _COVERED = SEEN.index("."), SEEN.index("#")


def mirror_evidence(
    image: Image, reading: SquareReading, net: SquareNet | None = None
) -> tuple[float, int]:
    """How much better (nats) the letters read in a mirror, and how many tiles were asked.

    Negative for a picture that is no mirror image; near zero when only letters like A, O and T
    are there, which look the same in a mirror.
    """
    net = shipped_net() if net is None else net
    log_probs = reading.log_probs.reshape(SQUARES, -1)
    rest = np.logaddexp(log_probs[:, _EMPTY], log_probs[:, _COVERED])
    tiles = np.flatnonzero((rest < _TILE_SEEN) & reading.read.ravel())
    tiles = tiles[:: len(tiles) // _MOST + 1]
    if len(tiles) == 0:
        return 0.0, 0
    crops = cut_crops(image, reading.tops, tiles)
    flipped = np.ascontiguousarray(crops[:, :, ::-1])
    both = net.judge(np.concatenate([crops, flipped])).log_chances
    ways = np.stack([both[:, LETTER_CLASSES].max(axis=1), *both[:, TURNED_CLASS:].T], axis=1)
    ways = np.maximum(ways, -_CAP)
    as_seen, in_mirror = ways[: len(tiles)].sum(axis=0), ways[len(tiles) :].sum(axis=0)
    if in_mirror.max() < -_CLEAR * len(tiles):
        return min(float(in_mirror.max() - as_seen.max()), 0.0), len(tiles)
    return float(in_mirror.max() - as_seen.max()), len(tiles)


def mirror_fault(image: Image, reading: SquareReading, net: SquareNet | None = None) -> str:
    """What to tell people when the picture is mirrored, or nothing; blurred letters do not say."""
    if reading.sharpness is not None and reading.sharpness.is_blurred:
        return ""
    evidence, _ = mirror_evidence(image, reading, net)
    if evidence < _MIRRORED:
        return ""
    return MIRRORED
