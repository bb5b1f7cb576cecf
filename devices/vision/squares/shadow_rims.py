"""Squares that the rim of a hard shadow crosses, read as they would look in one light.

Along the rim every pixel falls by the same factor, ink and face alike; no stroke of a letter does
that. The line with such a fall is sought in each crop near the rim; a line that goes on in crops
beside it is the rim, and what lies on its dark side is lit.
"""

from dataclasses import dataclass, replace
from functools import cache

import cv2
import numpy as np
import numpy.typing as npt

from devices.pictures import Image
from devices.vision.geometry.pose import Pose
from devices.vision.squares.colours import lights_of
from devices.vision.squares.net import CROP_PX, Crops, Float32s, SquareNet, shipped_net
from devices.vision.squares.shadow_lights import TwoLights
from devices.vision.squares.squares import SQUARE_PX, SquareReading, bare_as_before, cut_crops
from recorder.domain.board import SQUARES
from recorder.domain.observations import SEEN

Maps = npt.NDArray[np.intp]
Bits = npt.NDArray[np.bool_]

_ANGLES = 48
_OFFSETS = np.arange(-16.0, 16.5, 1.0)
_ALONG = np.arange(-20.0, 20.5, 1.0)
_ASIDE = 2.0
"""Pixels of a crop from a line to where its two sides are compared."""
_LEAST_LONG = 14
"""Pixels of a line within a crop below which it says nothing."""
_ROUGH, _LIKE = 0.5, 0.2
"""Nats by which the fall may vary along a rim, while it is sought and when it is found."""
_AS_BETWEEN_SQUARES = 0.4
"""Nats by which it may differ from the fall between lit and shaded squares."""
_RIM, _SUPPORT, _GOES_ON = 0.25, 0.9, 0.25
"""The part of a line that must fall alike: where the rim is sought, of the lines that go on from it
together, and where the rim is known."""
_ALONG_EDGES = 0.6
_SAME_TURN, _SAME_PLACE = 2, 4.0
"""Steps of the angle and pixels by which the rim may bend from crop to crop."""
_FACING = 0.4
"""Cosine between the way into the dark as squares show it and as the rim does, at least."""
_BESIDE = 2.3 * SQUARE_PX
_BLACK = 1.5
"""Grey levels that even black has."""
_FINER_TURNS = np.array([-0.5, 0.0, 0.5])
_FINER_OFFSETS = np.arange(-2.0, 2.1, 0.5)
_SOFT_PX = np.array([0.25, 0.6, 1.2])
_BAND_PX = 4.0
"""Steps of the angle, pixels, and softness (px) of the rims that are tried about a found one."""
_CLOSER = 3
"""Pixels left out on all sides in the second, narrower look."""
_ALIKE = 0.85


@dataclass(frozen=True, slots=True, eq=False)
class _Lines:
    """The likeliest rim in each crop.

    ``angle`` is the step of its normal, which points into the dark; ``offset`` how far it lies from
    the middle of the crop along that (px); ``alike`` the part of it that falls alike, by ``fall``.
    """

    angle: Maps
    offset: Float32s
    alike: Float32s
    fall: Float32s


def read_at_rims(
    image: Image, pose: Pose, reading: SquareReading, net: SquareNet | None = None
) -> SquareReading:
    """The reading with squares at the rim of a hard shadow read again, lit.

    Boards in one light, and squares where no rim is found, are left as they are.
    """
    lights = lights_of(image, pose, reading)
    return reading if lights is None else _read_lit(image, reading, lights, net or shipped_net())


def _read_lit(
    image: Image, reading: SquareReading, lights: TwoLights, net: SquareNet
) -> SquareReading:
    near = _near_the_rim(lights)
    near = near[reading.read.ravel()[near]]
    crops = cut_crops(image, reading.tops, near)
    fall = float(-np.log(lights.own.min()))
    lines = _continued(crops, near, _sought(crops, fall, _towards_the_dark(lights)[near]))
    found = np.flatnonzero(lines.alike > _GOES_ON)
    if len(found) == 0:
        return reading
    lit = np.stack([_lit(crops[index], lines, int(index)) for index in found])
    inner = lit[:, _CLOSER:-_CLOSER, _CLOSER:-_CLOSER]
    closer = np.stack([cv2.resize(crop, (CROP_PX, CROP_PX)) for crop in inner]).astype(np.uint8)
    looks = net.judge(lit).log_chances + net.judge(closer).log_chances
    looks = looks[:, : len(SEEN)] / np.float32(2 * _ALIKE)
    looks -= np.logaddexp.reduce(looks, axis=1, keepdims=True)
    log_probs = reading.log_probs.reshape(SQUARES, -1).copy()
    log_probs[near[found]] = bare_as_before(looks, log_probs[near[found]])
    return replace(reading, log_probs=log_probs.reshape(15, 15, -1))


def _near_the_rim(lights: TwoLights) -> Maps:
    """Squares beside one that is lit otherwise."""
    shaded = (lights.own < 1).reshape(15, 15).astype(np.uint8)
    around = np.ones((3, 3), np.uint8)
    return np.flatnonzero(cv2.dilate(shaded, around) != cv2.erode(shaded, around))


def _towards_the_dark(lights: TwoLights) -> Float32s:
    """Where the shadow lies, seen from each square, as a direction (x, y), [225, 2]."""
    soft = cv2.GaussianBlur(lights.own.reshape(15, 15), (0, 0), 1.0)
    down, across = np.gradient(-soft)
    towards = np.stack([across.ravel(), down.ravel()], axis=1)
    length = np.maximum(np.linalg.norm(towards, axis=1, keepdims=True), 1e-6)
    return np.asarray(towards / length, dtype=np.float32)


def _sought(crops: Crops, fall: float, towards: Float32s) -> _Lines:
    """The likeliest rim in each of the crops, whatever their neighbours show."""
    ones, others, valid = _sides()
    turn = 2 * np.pi * np.arange(_ANGLES) / _ANGLES
    facing = towards @ np.stack([np.cos(turn), np.sin(turn)]) > _FACING
    long = valid.sum(axis=2) >= _LEAST_LONG
    best = np.empty(len(crops), np.intp)
    alike, usual = np.empty((2, len(crops)), np.float32)
    for index, level in enumerate(_levels(crops)):
        some = np.flatnonzero(facing[index])
        share, falls = _share_alike(level[ones[some]] - level[others[some]], valid[some], fall)
        share *= long[some] * _as_edges_go(some)[:, None]
        at = int(share.argmax())
        alike[index], usual[index] = share.flat[at], falls.flat[at]
        best[index] = some[at // len(_OFFSETS)] * len(_OFFSETS) + at % len(_OFFSETS)
    angle, place = np.divmod(best, len(_OFFSETS))
    return _Lines(angle, _OFFSETS[place].astype(np.float32), alike, usual)


def _as_edges_go(angles: Maps) -> Float32s:
    """What lines at these angles count: less when they run as the edges of tiles do."""
    quarter = _ANGLES // 4
    off = (angles + quarter // 2) % quarter - quarter // 2
    weight: Float32s = np.where(np.abs(off) <= 1, _ALONG_EDGES, 1.0).astype(np.float32)
    return weight


def _levels(crops: Crops) -> Float32s:
    """How bright the pixels are in each colour, in nats, [N, 1600, 3]."""
    levels: Float32s = np.log(crops.astype(np.float32) + _BLACK).reshape(len(crops), -1, 3)
    return levels


def _share_alike(falls: Float32s, valid: Bits, fall: float) -> tuple[Float32s, Float32s]:
    """The part of each line [..., along, 3] that falls alike by about ``fall``; by how much."""
    usual = np.full((*falls.shape[:-2], 1, 1), fall, np.float32)
    share = usual[..., 0, 0]
    for like in (_ROUGH, _LIKE, _LIKE):
        weight = np.exp(-0.5 * ((falls - usual) ** 2).mean(axis=-1) / like**2) * valid
        total = weight.sum(axis=-1)
        share = total / np.maximum(valid.sum(axis=-1), 1)
        seen = (weight * falls.mean(axis=-1)).sum(axis=-1) / (total + 1e-6)
        usual = seen[..., None, None]
    share = share * (np.abs(usual[..., 0, 0] - fall) < _AS_BETWEEN_SQUARES)
    return share.astype(np.float32), usual[..., 0, 0].astype(np.float32)


def _continued(crops: Crops, squares: Maps, lines: _Lines) -> _Lines:
    """The rim in each crop as the crops around it show it; ``alike`` is 0 where they show none."""
    ones, others, valid = _sides()
    rows, cols = np.divmod(squares, 15)
    middles = np.stack([cols, rows], axis=1) * float(SQUARE_PX)
    turn = 2 * np.pi * lines.angle / _ANGLES
    normal = np.stack([np.cos(turn), np.sin(turn)], axis=1)
    foot = middles + lines.offset[:, None] * normal
    apart = np.hypot(*(middles[:, None] - middles[None]).transpose(2, 0, 1))
    bend = np.abs(
        (lines.angle[:, None] - lines.angle[None] + _ANGLES // 2) % _ANGLES - _ANGLES // 2
    )
    away = np.abs(((foot[None] - foot[:, None]) * normal[:, None]).sum(axis=2))
    agree = (bend <= _SAME_TURN) & (away < _SAME_PLACE) & (apart < _BESIDE) & (apart > 0)
    support = (agree * lines.alike[None]).sum(axis=1)
    good = np.flatnonzero((lines.alike > _RIM) & (support > _SUPPORT))
    angle, offset = lines.angle.copy(), lines.offset.copy()
    alike, fall = np.zeros_like(lines.alike), lines.fall.copy()
    levels = _levels(crops)
    for index in range(len(squares)):
        for known in good[apart[index, good] < _BESIDE]:
            place = float(((foot[known] - middles[index]) * normal[known]).sum())
            steps = np.flatnonzero(np.abs(_OFFSETS - place) < _SAME_PLACE)
            if len(steps) == 0:
                continue
            angles = (lines.angle[known] + np.arange(-1, 2)) % _ANGLES
            pick = np.ix_(angles, steps)
            falls = levels[index][ones[pick]] - levels[index][others[pick]]
            share, usual = _share_alike(falls, valid[pick], float(lines.fall[known]))
            share = share * (valid[pick].sum(axis=2) >= _LEAST_LONG // 2)
            best = int(share.argmax())
            if share.flat[best] > alike[index]:
                alike[index], fall[index] = share.flat[best], usual.flat[best]
                angle[index] = angles[best // len(steps)]
                offset[index] = _OFFSETS[steps[best % len(steps)]]
    return _Lines(angle, offset, alike, fall)


def _lit(crop: Image, lines: _Lines, index: int) -> Image:
    """The crop with what lies beyond the rim as bright as it would be before it.

    Of a few rims about the one that was found, soft ones among them, the one is taken that leaves
    the least of an edge.
    """
    line = (np.arange(CROP_PX) - (CROP_PX - 1) / 2).astype(np.float32)
    turn = 2 * np.pi * (lines.angle[index] + _FINER_TURNS) / _ANGLES
    away = np.cos(turn)[:, None, None] * line + np.sin(turn)[:, None, None] * line[:, None]
    beyond = away[:, None] - (lines.offset[index] + _FINER_OFFSETS)[:, None, None]
    band = np.abs(away[len(turn) // 2] - lines.offset[index]) < _BAND_PX
    gains = _gain(beyond[:, :, None], lines.fall[index])
    levels = np.log(crop.astype(np.float32).mean(axis=2) + _BLACK) + np.log(gains)
    edges = np.abs(np.diff(levels, axis=3, append=levels[..., -1:, :]))
    edges += np.abs(np.diff(levels, axis=4, append=levels[..., -1:]))
    left = edges[..., band].sum(axis=3)
    gain = gains.reshape(-1, CROP_PX, CROP_PX)[int(left.argmin())]
    return np.asarray(np.clip(np.rint(crop * gain[..., None]), 0, 255), dtype=np.uint8)


def _gain(beyond: Float32s, fall: float) -> Float32s:
    """By how much to brighten pixels so far beyond a rim, for each of the softnesses."""
    soft = beyond / _SOFT_PX[:, None, None]
    shade = 1.0 / (1.0 + np.exp(-np.clip(soft, -30.0, 30.0)))
    gain: Float32s = (1.0 / (1.0 - (1.0 - np.exp(-fall)) * shade)).astype(np.float32)
    return gain


@cache
def _sides() -> tuple[Maps, Maps, Bits]:
    """Pixels on the bright and the dark side of all lines, [angle, offset, along]; which exist."""
    turns = 2 * np.pi * np.arange(_ANGLES) / _ANGLES
    x, y = np.cos(turns)[:, None, None], np.sin(turns)[:, None, None]
    sides = []
    valid = np.ones((_ANGLES, len(_OFFSETS), len(_ALONG)), dtype=bool)
    for aside in (-_ASIDE, _ASIDE):
        out = _OFFSETS[None, :, None] + aside
        across = np.rint(x * out - y * _ALONG + (CROP_PX - 1) / 2).astype(np.intp)
        down = np.rint(y * out + x * _ALONG + (CROP_PX - 1) / 2).astype(np.intp)
        valid &= (across >= 0) & (across < CROP_PX) & (down >= 0) & (down < CROP_PX)
        sides.append(np.clip(down, 0, CROP_PX - 1) * CROP_PX + np.clip(across, 0, CROP_PX - 1))
    return sides[0], sides[1], valid
