"""Racks: a row of up to eight tiles beside the board, or in a picture of its own.

Letters that stand in a line at even steps are candidates; the network of the squares judges the
tiles around them, slanted and leaning back as tiles on a rack are. What is not surely a rack is
not reported: the bag, loose tiles, a legend or the name of the game must never become one.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from devices.vision.glyphs import LONGEST, UNIT_PX, Glyphs, find_glyphs, find_runs
from devices.vision.look import Look, RackLook
from devices.vision.pose import Floats, Image, apply_homography
from devices.vision.slots import Line, crops_of, fitted, judge_places, line_of
from devices.vision.squares import (
    CROP_PX,
    LETTER_CLASSES,
    SQUARE_PX,
    Crops,
    Float32s,
    SquareNet,
    cut_crops,
    shipped_net,
)
from devices.vision.tile_plane import TILE_HEIGHT, guess_camera
from recorder.domain.observations import BLANK_SYMBOL, SYMBOLS
from recorder.domain.tiles import TileSet

_OUTSIDE = 0.3
"""Squares beyond the field where a rack may begin."""
_WIDEST_LEVEL = 2400.0
_LEVELS = 6
_LEVEL_STEP = 1.5
_MOST_RUNS = 14
_SURE, _LIKELY = 0.9, 0.6
_MEAN = 0.9
_GAPS = 2
"""Places without a tile between the first and the last; print has more."""
_ENDS = (1.0, 1.2, 1.4, 1.6, 1.8, 2.0, 2.25, 2.5)
_GAP = 1.25
_GLANCES = ((0.0, 0.0, 1.0), (0.05, 0.04, 0.95), (-0.05, -0.04, 1.06), (0.05, -0.04, 1.0))
_BLANK = SYMBOLS.index(BLANK_SYMBOL)
_FAR = 26.0
"""Two colours further apart than that (Lab, light counting a third) are of different things."""
_ENOUGH_FACES = 4


@dataclass(frozen=True, slots=True, eq=False)
class Faces:
    """What tiles of this table look like: Lab colours of letter tiles and of blanks, [n, 3]."""

    letters: Floats
    blanks: Floats

    def fit(self, colours: Floats) -> bool:
        """Whether these are the tiles of the board. True where the board shows too few."""
        if len(self.letters) < _ENOUGH_FACES:
            return True
        typical = np.median(self.letters, axis=0)
        return _apart(np.median(colours, axis=0), typical) < _FAR


@dataclass(frozen=True, slots=True, eq=False)
class _Found:
    line: Line
    places: tuple[float, ...]
    chances: Float32s
    colours: Floats


def read_racks(
    image: Image,
    tile_set: TileSet,
    *,
    look: Look | None = None,
    least: int = 3,
    net: SquareNet | None = None,
) -> tuple[RackLook, ...]:
    """The racks in a BGR picture, the surest first.

    ``look`` is what was read of the board in the same picture: racks lie outside its field, with
    tiles of its size and colour. Without it racks of any size are found, of which the tiles take
    at least 16 px. Rows of fewer than ``least`` letters are not reported.
    """
    net = shipped_net() if net is None else net
    faces = Faces(np.zeros((0, 3)), np.zeros((0, 3)))
    if look is not None and look.pose is not None:
        faces = board_faces(image, look)
    reader = _Reader(image, tile_set, faces, least, net)
    found: list[_Found] = []
    for factor in _factors(image, look):
        had_some = bool(found)
        glyphs = _outside(_glyphs_at(image, factor), look, factor)
        found += reader.judge(glyphs, factor)
        if had_some:
            break  # one more look at twice the size, which finds what the first one missed
    return tuple(_as_look(rack) for rack in _apart_from_each_other(found))


def _factors(image: Image, look: Look | None) -> list[float]:
    """At which sizes of the picture tiles may be about ``UNIT_PX`` wide."""
    if look is not None and look.pose is not None:
        return [UNIT_PX / look.pose.square_px()]
    longest = float(max(image.shape[:2]))
    first = min(_WIDEST_LEVEL, 2.0 * longest)
    sizes = [first / _LEVEL_STEP**level for level in range(_LEVELS)]
    # Small pictures first: they cost little, and a rack that fills the picture is the usual one.
    return [size / longest for size in reversed(sizes) if size >= 3 * UNIT_PX]


def _glyphs_at(image: Image, factor: float) -> Glyphs:
    way = cv2.INTER_AREA if factor < 1.0 else cv2.INTER_CUBIC
    return find_glyphs(cv2.resize(image, None, fx=factor, fy=factor, interpolation=way))


def _outside(glyphs: Glyphs, look: Look | None, factor: float) -> Glyphs:
    """The glyphs that do not lie on the field of the board."""
    if look is None or look.pose is None or len(glyphs) == 0:
        return glyphs
    at = apply_homography(np.linalg.inv(look.pose.scaled(factor).homography), glyphs.centres)
    kept = np.flatnonzero(((at < -_OUTSIDE) | (at > 15 + _OUTSIDE)).any(axis=1))
    return Glyphs(
        glyphs.centres[kept],
        glyphs.lengths[kept],
        tuple(glyphs.outlines[index] for index in kept),
        glyphs.strengths[kept],
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Reader:
    """Judges runs of letters in one picture."""

    image: Image
    tile_set: TileSet
    faces: Faces
    least: int
    net: SquareNet

    def judge(self, glyphs: Glyphs, factor: float) -> list[_Found]:
        found: list[_Found] = []
        used: set[int] = set()
        for run in find_runs(glyphs, least=self.least)[:_MOST_RUNS]:
            if len(used & set(run.members)) > 1:
                continue
            line, cap = line_of(glyphs, run)
            rack = self._rack(line.scaled(1 / factor), run.slots, cap / factor)
            if rack is not None:
                found.append(rack)
                used |= set(run.members)
        return found

    def _rack(self, line: Line, slots: Sequence[int], cap_px: float) -> _Found | None:
        line, side, score = fitted(self.image, line, slots, cap_px, self.net)
        if side % 2 or score < _LIKELY:
            return None
        places = sorted(float(-slot if side == 2 else slot) for slot in slots)
        places = [place for place in places if self._letter(line, place) > _LIKELY]
        if not places:
            return None
        places = self._filled(line, places)
        chances = self._look_well(line, places)
        crops = crops_of(self.image, line, places)
        rack = _Found(line, tuple(places), chances, face_colours(crops))
        return self._with_blanks(rack) if self._is_rack(rack) else None

    def _letter(self, line: Line, place: float) -> float:
        return float(np.exp(self._chances(line, [place])[0, LETTER_CLASSES].max()))

    def _filled(self, line: Line, places: list[float]) -> list[float]:
        """The places with letters that the runs missed, between and beyond."""
        filled = [places[0]]
        for place in places[1:]:
            while place - filled[-1] > 1.6 and self._letter(line, filled[-1] + 1) > _LIKELY:
                filled.append(filled[-1] + 1)
            filled.append(place)
        for direction in (-1, 1):
            while len(filled) < LONGEST + 1:
                end = filled[0] if direction < 0 else filled[-1]
                beyond = self._next(line, end, direction)
                if beyond is None:
                    break
                filled = sorted([*filled, beyond])
        return filled

    def _next(self, line: Line, end: float, direction: int) -> float | None:
        tried = [end + direction * step for step in _ENDS]
        opinion = judge_places(self.image, line, tried, self.net)
        letters = np.exp(opinion.log_chances[:, LETTER_CLASSES].max(axis=1))
        centred = np.abs(opinion.shifts[:, 0]) < 0.16
        good = np.flatnonzero((letters > 0.8) & centred)
        return tried[int(good[0])] if len(good) else None

    def _look_well(self, line: Line, places: Sequence[float]) -> Float32s:
        """Log chances [n, 32] of the set's own symbols, from several glances."""
        total = sum(
            self._chances(line.moved(across, down), places, scale)
            for across, down, scale in _GLANCES
        )
        return _normalised(np.asarray(total, np.float32) / np.float32(2.5))

    def _chances(self, line: Line, places: Sequence[float], scale: float = 1.0) -> Float32s:
        opinion = judge_places(self.image, line, places, self.net, scale)
        chances = opinion.log_chances.copy()
        strange = [k for k in LETTER_CLASSES if SYMBOLS[k] not in self.tile_set.letters]
        chances[:, strange] = -60.0
        return _normalised(chances)[:, : len(SYMBOLS)]

    def _is_rack(self, rack: _Found) -> bool:
        best = np.exp(rack.chances[:, LETTER_CLASSES].max(axis=1))
        letters = [SYMBOLS[LETTER_CLASSES[k]] for k in rack.chances[:, LETTER_CLASSES].argmax(1)]
        if len(best) > LONGEST or (best > _SURE).sum() < self.least or best.mean() < _MEAN:
            return False
        span = round(rack.places[-1] - rack.places[0]) + 1
        if span > len(best) + min(_GAPS, max(0, len(best) - 3)) or len(set(letters)) * 2 < len(
            letters
        ):
            return False
        if any(n > self.tile_set.count(letter) for letter, n in Counter(letters).items()):
            return False
        places = np.array([self.tile_set.letters.index(letter) for letter in letters])
        if len(letters) > 2 and (np.abs(np.diff(places)) == 1).all():
            return False  # the letters along the edge of a board
        return self.faces.fit(rack.colours)

    def _with_blanks(self, rack: _Found) -> _Found:
        """The rack with blank tiles, between its letters and at its ends."""
        first, last = rack.places[0], rack.places[-1]
        inner = [
            left + step
            for left, right in zip(rack.places, rack.places[1:], strict=False)
            for step in range(1, round(right - left))
        ]
        places = list(rack.places)
        blanks = [place for place in inner if self._is_blank(rack, place)]
        for start, direction in ((first, -1), (last, 1)):
            place = start + direction
            while len(places) + len(blanks) < LONGEST and self._is_blank(rack, place):
                blanks.append(place)
                place += direction
        blanks = blanks[: self.tile_set.count(BLANK_SYMBOL)]
        if not blanks:
            return rack
        chances = np.full((len(blanks), len(SYMBOLS)), np.log(0.2 / (len(SYMBOLS) - 1)), np.float32)
        chances[:, _BLANK] = np.log(0.8)
        order = np.argsort([*places, *blanks])
        return replace(
            rack,
            places=tuple(np.array([*places, *blanks])[order].tolist()),
            chances=np.concatenate([rack.chances, chances])[order],
        )

    def _is_blank(self, rack: _Found, place: float) -> bool:
        crops = crops_of(self.image, rack.line, [place])
        colour = face_colours(crops, whole=True)[0]
        chance = float(np.exp(self._chances(rack.line, [place])[0, _BLANK]))
        typical = np.median(rack.colours, axis=0)
        if chance > 0.8 and _apart(colour, typical) < 0.5 * _FAR:
            return True
        if _apart(colour, typical) < _FAR or not len(self.faces.blanks):
            return False
        known = min(_apart(colour, blank) for blank in self.faces.blanks)
        return known < _FAR and _spread(crops[0]) < _FAR


def board_faces(image: Image, look: Look) -> Faces:
    """The colours of the tiles that surely lie on the board."""
    assert look.pose is not None
    tops = guess_camera(look.pose, (image.shape[1], image.shape[0])).plane(look.pose, TILE_HEIGHT)
    chances = np.exp(look.log_probs.reshape(225, -1))
    letters = np.flatnonzero(chances[:, LETTER_CLASSES].max(axis=1) > _SURE)
    blanks = np.flatnonzero(chances[:, _BLANK] > _SURE)
    return Faces(
        face_colours(cut_crops(image, tops, letters)),
        face_colours(cut_crops(image, tops, blanks), whole=True),
    )


def face_colours(crops: Crops, *, whole: bool = False) -> Floats:
    """The Lab colour of every tile beside its letter (or of its ``whole`` middle), [N, 3]."""
    if len(crops) == 0:
        return np.zeros((0, 3))
    lab = [cv2.cvtColor(crop, cv2.COLOR_BGR2LAB).astype(np.float64) for crop in crops]
    off = np.abs(np.arange(CROP_PX) - (CROP_PX - 1) / 2) / SQUARE_PX
    ring = np.maximum(off[:, None], off[None, :])
    ring = ring < 0.3 if whole else (ring > 0.3) & (ring < 0.43)
    return np.array([np.median(picture[ring], axis=0) for picture in lab])


def _spread(crop: Image) -> float:
    inner = slice(CROP_PX // 2 - SQUARE_PX // 4, CROP_PX // 2 + SQUARE_PX // 4)
    lab = cv2.cvtColor(crop[inner, inner], cv2.COLOR_BGR2LAB)
    return float(lab[..., 0].std())


def _apart(one: Floats, other: Floats) -> float:
    """How unlike two Lab colours are; light counts a third, for racks lean back."""
    return float(np.hypot(*((one - other) * (1 / 3, 1, 1))[1:]) + abs(one[0] - other[0]) / 3)


def _normalised(chances: Float32s) -> Float32s:
    result: Float32s = chances - np.logaddexp.reduce(chances, axis=1, keepdims=True)
    return result


def _apart_from_each_other(found: list[_Found]) -> list[_Found]:
    """Of racks that lie on each other, the one with the most and surest letters."""
    kept: list[_Found] = []
    for rack in sorted(found, key=lambda rack: -float(np.exp(rack.chances.max(axis=1)).sum())):
        middles = np.array([rack.line.middle(place) for place in rack.places])
        size = float(np.hypot(*rack.line.step(0.0)))
        if not any(_touch(other, middles, size) for other in kept):
            kept.append(rack)
    return kept


def _touch(rack: _Found, middles: Floats, size: float) -> bool:
    there = np.array([rack.line.middle(place) for place in rack.places])
    gaps = np.hypot(*(there[:, None] - middles[None]).transpose(2, 0, 1))
    return bool(gaps.min() < 0.7 * size)


def _as_look(rack: _Found) -> RackLook:
    best = rack.chances.argmax(axis=1)
    letters = [SYMBOLS[index] for index in best]
    slots = letters[0]
    for number, letter in enumerate(letters[1:], start=1):
        step = rack.places[number] - rack.places[number - 1]
        slots += "." * (max(1, round(step - 1)) if step >= _GAP else 0) + letter
    outline = rack.line.corners(rack.places[0], rack.places[-1])
    return RackLook(
        letters="".join(letters),
        slots=slots,
        confidence=tuple(round(float(p), 4) for p in np.exp(rack.chances.max(axis=1))),
        corners=tuple((round(float(x), 2), round(float(y), 2)) for x, y in outline),
    )
