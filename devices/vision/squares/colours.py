"""Blank tile or empty square: settled against the board's own colours.

A plain red tile looks like a red square, so the network's crop cannot decide alone. Squares that
are surely empty tell what each kind of premium looks like in this light; tiles that are surely
letters tell what a face looks like. A stored ``Reference`` of an emptier board fills the gaps.
Only the balance of empty and blank is moved; a confident letter stays what it is.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from devices.pictures import Image
from devices.vision.geometry.from_above import by_square, from_above
from devices.vision.geometry.pose import Pose
from devices.vision.squares.net import LETTER_CLASSES, Float32s
from devices.vision.squares.shadow_lights import PLAIN, TwoLights, two_lights
from devices.vision.squares.squares import SquareReading
from recorder.domain.board import CENTRE, SQUARES, STANDARD_PREMIUMS, Premium
from recorder.domain.observations import SEEN

Lab = npt.NDArray[np.float32]

_EMPTY = SEEN.index(".")
_BLANK = SEEN.index("?")
_CELL_PX = 16
_OFF_MIDDLE = np.abs(np.arange(_CELL_PX) - (_CELL_PX - 1) / 2) / _CELL_PX
_RING = np.maximum(_OFF_MIDDLE[:, None], _OFF_MIDDLE[None, :])
_RING = (_RING > 0.30) & (_RING < 0.42)
"""Where a square shows its own colour: inside its rim, around a letter, star or sticker."""
_SURE = float(np.log(0.9))
_LIKELY = float(np.log(0.7))
_ENOUGH = 5
_ENOUGH_FOR_LIGHT = 40
_RARE = 1.5
"""Nats against a blank: two among a hundred bare squares, where training saw one in five."""
_LEAST_NOISE = 5.0
"""Grey levels of Lab within which two colours count as the same."""
_STRONGEST = 9.0
_MUCH_LIKE, _QUITE_UNLIKE = -3.0, -6.0
"""Log likelihoods of a colour from which it is a tile's, and up to which it is not a square's.

A blank is lighter than letters with their ink: on rendered boards up to 2.9 below the best. Bare
centre squares, of those and of photographs, lie within 1.5 of their kind.
"""
_TAIL = 2.2
_STRANGE = -_TAIL * float(np.log1p(3.0**2 / 2))
_LIGHTNESS = 0.6
"""Shadows change lightness more than hue: lightness counts less."""
_OFF_ITS_KIND = 12.0
"""Grey levels of Lab from which a bare square is held against how its neighbours look."""


@dataclass(frozen=True, slots=True)
class Reference:
    """What the empty board looks like: middle Lab colour and spread of each kind of square."""

    kinds: Mapping[Premium, tuple[Lab, float]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class SquareColours:
    """Typical colours of all squares, [225, 3] Lab: of the board and at the height of the tiles.

    ``lights`` are those colours in each light that a square may lie in: one, or two near the rim
    of a shadow.
    """

    ground: Lab
    tops: Lab
    lights: tuple[tuple[Lab, Lab], ...]


def measure_colours(image: Image, pose: Pose, reading: SquareReading) -> SquareColours:
    """The colours of all squares, evened out for shadows and light that falls off."""
    rings = _rings(image, pose.homography), _rings(image, reading.tops)
    shade = two_lights(np.median(rings[0], axis=1), _bare(reading))
    factors = [np.ones(SQUARES, np.float32)] if shade is None else [shade.own, shade.other]
    measured = [(_middle(rings[0], factor), _middle(rings[1], factor)) for factor in factors]
    light = _fall_off(measured[0][0], _bare(reading) & PLAIN)
    evened = tuple((ground - light, tops - light) for ground, tops in measured)
    return SquareColours(*evened[0], evened)


def lights_of(image: Image, pose: Pose, reading: SquareReading) -> TwoLights | None:
    """The lights of all squares where the board lies in two, as its bare squares show them."""
    return two_lights(np.median(_rings(image, pose.homography), axis=1), _bare(reading))


def _bare(reading: SquareReading) -> npt.NDArray[np.bool_]:
    """Squares that show neither a letter nor a hand."""
    log_probs = reading.log_probs.reshape(SQUARES, -1)
    together = np.logaddexp(log_probs[:, _EMPTY], log_probs[:, _BLANK])
    bare: npt.NDArray[np.bool_] = (together > _LIKELY) & reading.read.ravel()
    return bare


def _fall_off(ground: Lab, bare: npt.NDArray[np.bool_]) -> Lab:
    """How much each square differs from the middle of the board by its place alone, [225, 3].

    A curved surface is fitted to squares of the plain kind; stains and glare are given little
    weight. Zero where too few squares are bare.
    """
    if bare.sum() < _ENOUGH_FOR_LIGHT:
        return np.zeros_like(ground)
    rows, cols = np.divmod(np.arange(SQUARES), 15)
    x, y = (cols - 7) / 7.5, (rows - 7) / 7.5
    terms = np.stack([np.ones(SQUARES), x, y, x * y, x * x, y * y], axis=1)
    weights = np.ones(int(bare.sum()))
    shape: npt.NDArray[Any] = np.zeros((6, 3))
    for _ in range(4):
        scaled = terms[bare] * weights[:, None]
        shape = np.linalg.lstsq(scaled, ground[bare] * weights[:, None], rcond=None)[0]
        off = np.linalg.norm(ground[bare] - terms[bare] @ shape, axis=1)
        weights = 1.0 / (1.0 + (off / _LEAST_NOISE) ** 2)
    light = terms @ shape
    return np.asarray(light - np.median(light[bare], axis=0), dtype=np.float32)


def _rings(image: Image, homography: npt.NDArray[np.float64]) -> npt.NDArray[np.float32]:
    """The pixels that show each square's own colour, BGR, [225, n, 3]."""
    cells = by_square(from_above(image, homography, _CELL_PX), _CELL_PX)
    return np.asarray(cells[:, :, _RING].reshape(SQUARES, -1, 3), dtype=np.float32)


def _middle(rings: npt.NDArray[np.float32], factor: npt.NDArray[np.float32]) -> Lab:
    """The middle Lab colours of squares as they would look where the light is 1, [225, 3]."""
    lit = np.clip(np.rint(rings / factor[:, None, None]), 0, 255).astype(np.uint8)
    lab = cv2.cvtColor(lit, cv2.COLOR_BGR2LAB).astype(np.float32) - (0, 128, 128)
    return np.asarray(np.median(lab, axis=1) * (_LIGHTNESS, 1, 1), dtype=np.float32)


def _sure(reading: SquareReading, symbol: int) -> npt.NDArray[np.bool_]:
    log_probs = reading.log_probs.reshape(SQUARES, -1)
    found: npt.NDArray[np.bool_] = (log_probs[:, symbol] > _SURE) & reading.read.ravel()
    return found


def _typical(colours: Lab) -> tuple[Lab, float]:
    middle = np.median(colours, axis=0)
    spread = float(np.median(np.linalg.norm(colours - middle, axis=1))) * 1.5
    return middle.astype(np.float32), max(spread, _LEAST_NOISE)


def learn_reference(
    colours: SquareColours, reading: SquareReading, earlier: Reference | None = None
) -> Reference:
    """What empty squares look like; kinds that show too few keep what was known.

    A square counts unless it shows a letter or a hand: there are two blanks at most, so the
    median of a kind is the board's own colour even when the network takes squares for blanks.
    """
    bare = _bare(reading)
    kinds = dict(earlier.kinds) if earlier is not None else {}
    for premium in Premium:
        of_kind = np.array([p is premium for p in STANDARD_PREMIUMS])
        of_kind[CENTRE] = False
        of_kind &= bare
        if of_kind.sum() < _ENOUGH:
            of_kind &= _sure(reading, _EMPTY)
            if premium in kinds or not of_kind.any():
                continue
        kinds[premium] = _typical(colours.ground[of_kind])
    return Reference(kinds)


def _face_colour(colours: SquareColours, reading: SquareReading) -> tuple[Lab, float] | None:
    letters = np.logaddexp.reduce(reading.log_probs.reshape(SQUARES, -1)[:, LETTER_CLASSES], axis=1)
    tiles = (letters > _SURE) & reading.read.ravel()
    return _typical(colours.tops[tiles]) if tiles.sum() >= 2 else None


def _closeness(colours: Lab, typical: tuple[Lab, float]) -> Float32s:
    """Log likelihood, up to a constant, with tails wide enough for shadow and glare."""
    middle, spread = typical
    distance = np.linalg.norm(colours - middle, axis=1) / spread
    return np.asarray(-_TAIL * np.log1p(distance**2 / 2), dtype=np.float32)


def _best(closenesses: Sequence[Float32s]) -> Float32s:
    return np.asarray(np.max(closenesses, axis=0), dtype=np.float32)


def _in_local_light(colours: Lab, reference: Reference, bare: npt.NDArray[np.bool_]) -> Lab:
    """The colours less what two bare neighbours show too: a reflection, or a shadow's rim.

    A blank lies among squares of their usual colour, so it stays as strange as it is; two blanks
    side by side vouch for each other once only.
    """
    off = np.full((17, 17, 3), np.inf, np.float32)
    inner = off[1:-1, 1:-1].reshape(SQUARES, 3).copy()
    for premium, (middle, _) in reference.kinds.items():
        of_kind = np.array([p is premium for p in STANDARD_PREMIUMS]) & bare
        inner[of_kind] = colours[of_kind] - middle
    off[1:-1, 1:-1] = inner.reshape(15, 15, 3)
    result = colours.copy()
    for square in np.flatnonzero(np.isfinite(inner[:, 0])):
        row, col = divmod(int(square), 15)
        if np.linalg.norm(inner[square]) < _OFF_ITS_KIND:
            continue
        around = np.delete(off[row : row + 3, col : col + 3].reshape(9, 3), 4, axis=0)
        around = around[np.isfinite(around[:, 0])]
        if len(around) < 2:
            continue
        left = np.linalg.norm(around - inner[square], axis=1)
        second = around[np.argsort(left)[1]]
        if np.linalg.norm(inner[square] - second) < 0.65 * np.linalg.norm(inner[square]):
            result[square] = colours[square] - second
    return result


def settle_blanks(
    image: Image, pose: Pose, reading: SquareReading, earlier: Reference | None = None
) -> tuple[SquareReading, Reference]:
    """The reading with empty and blank weighed by colour, and what the board looks like now.

    ``earlier`` is the reference of an earlier frame of the same table. Where neither this
    frame nor an earlier one knows the kind of square, nothing changes. Where no tile shows a
    face, only what looks strange for its kind may be a blank.
    """
    colours = measure_colours(image, pose, reading)
    reference = learn_reference(colours, reading, earlier)
    face = _face_colour(colours, reading)
    log_probs = reading.log_probs.reshape(SQUARES, -1).copy()
    as_tile = np.full(SQUARES, _STRANGE, np.float32)
    if face is not None:
        as_tile = _best([_closeness(tops, face) for _, tops in colours.lights])
    standing_tiles = [ground for ground, _ in colours.lights]
    standing_tiles[0] = _in_local_light(colours.ground, reference, _bare(reading))
    for premium, typical in reference.kinds.items():
        of_kind = np.array([p is premium for p in STANDARD_PREMIUMS])
        as_ground = _best([_closeness(ground, typical) for ground in standing_tiles])
        evidence = -_RARE + np.clip(as_tile - as_ground, -_STRONGEST, _STRONGEST)
        # The star may look unlike its kind: only what looks much like a tile may be a blank there.
        if as_tile[CENTRE] < _MUCH_LIKE or as_ground[CENTRE] > _QUITE_UNLIKE:
            evidence[CENTRE] = min(float(evidence[CENTRE]), 0.0)
        _move_balance(log_probs, evidence, of_kind & reading.read.ravel())
    return replace(reading, log_probs=log_probs.reshape(15, 15, -1)), reference


def _move_balance(log_probs: Float32s, evidence: Float32s, squares: npt.NDArray[np.bool_]) -> None:
    """Shift log odds of blank against empty; what both share together stays the same."""
    pair = log_probs[:, [_EMPTY, _BLANK]]
    together = np.logaddexp(pair[:, 0], pair[:, 1])
    moved = pair + np.stack([-evidence / 2, evidence / 2], axis=1)
    moved += (together - np.logaddexp(moved[:, 0], moved[:, 1]))[:, None]
    rows = np.flatnonzero(squares)
    log_probs[rows, _EMPTY], log_probs[rows, _BLANK] = moved[rows, 0], moved[rows, 1]
