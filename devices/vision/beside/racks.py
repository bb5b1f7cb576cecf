"""Racks: a row of up to eight tiles beside the board, or in a picture of its own.

Letters that stand in a line at even steps are candidates; the network of the squares judges the
tiles around them, slanted and leaning back as tiles on a rack are. What is not surely a rack is
not reported: the bag, loose tiles, a legend or the name of the game must never become one.

Tiles count even when they show no letter: "?" is a blank or lies face down. One that lies turned
is read as it is when turned back. Both are less than sure, and so flagged.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from devices.pictures import Image, resized
from devices.vision.beside.rack_slots import Line, crops_of, fitted, judge_places, line_of, sides
from devices.vision.finding.glyphs import LONGEST, UNIT_PX, Glyphs, find_glyphs, find_runs
from devices.vision.geometry.pose import Floats, apply_homography
from devices.vision.geometry.tile_plane import tops_of
from devices.vision.look import BoardReading, RackLook
from devices.vision.set_symbols import count_of, symbols_of
from devices.vision.squares.faces import (
    NO_FACES,
    WIDE,
    Faces,
    edge_profile,
    face_colours,
    has_sides,
    inked,
    is_plain,
    mark_colour,
)
from devices.vision.squares.net import (
    LETTER_CLASSES,
    TURNED_CLASS,
    Float32s,
    SquareNet,
    shipped_net,
)
from devices.vision.squares.squares import cut_crops
from recorder.domain.board import SQUARES
from recorder.domain.observations import BLANK_SYMBOL, SEEN
from recorder.domain.tiles import TileSet

_OUTSIDE = 0.3
"""Squares beyond the field where a rack may begin."""
_WIDEST_LEVEL = 2400.0
_LEVELS = 6
_LEVEL_STEP = 1.5
_FURTHER_AWAY = 1.35
"""A rack beyond a tilted board, or lower than it, shows its tiles smaller by that."""
_MOST_RUNS = 14
_SURE, _LIKELY = 0.9, 0.6
_MEAN = 0.9
_GAPS = 2
_MOST_WITHOUT = 1
"""Tiles among the letters of a rack that cannot be read; print has more."""
"""Places without a tile between the first and the last; print has more."""
_ENDS = (1.0, 1.2, 1.4, 1.6, 1.8, 2.0, 2.25, 2.5)
_GAP = 0.2
"""Tiles that touch measure up to 0.15 of a tile more or less."""
_GLANCES = ((0.0, 0.0, 1.0), (0.05, 0.04, 0.95), (-0.05, -0.04, 1.06), (0.05, -0.04, 1.0))
_BLANK = SEEN.index(BLANK_SYMBOL)
_MOST_INK = 0.45
"""Print on the rims of tiles reaches 0.3, around letters of a printed word it is above 0.55."""
_SURELY_TURNED, _TURNED, _SURE_BLANK = 0.9, 0.5, 0.8
_PLAIN_TILE, _MARKED_TILE, _KNOWN_MARK, _TURNED_TILE = 0.5, 0.8, 0.9, 0.7
"""How probable what is said of a tile without letter, with a mark, with one that a blank on the
board has, and of a turned letter can be at most; below ``SURE`` it is flagged."""


@dataclass(frozen=True, slots=True, eq=False)
class _Found:
    line: Line
    places: tuple[float, ...]
    chances: Float32s
    colours: Floats
    is_print: bool = False
    """Letters, surely read, that cannot be tiles: what else is read of them is no rack either."""


def read_racks(
    image: Image,
    tile_set: TileSet,
    *,
    look: BoardReading | None = None,
    least: int = 3,
    net: SquareNet | None = None,
) -> tuple[RackLook, ...]:
    """The racks in a BGR picture, the surest first.

    ``look`` is what was read of the board in the same picture: racks lie outside its field, with
    tiles of its size and colour. Without it racks of any size are found, of which the tiles take
    at least 16 px. Rows of fewer than ``least`` letters are not reported.
    """
    net = (shipped_net() if net is None else net).of_set(tile_set)
    faces = NO_FACES
    if look is not None and look.pose is not None:
        faces = board_faces(image, look)
    reader = _Reader(image, tile_set, faces, least, net)
    found: list[_Found] = []
    for factor in _factors(image, look, faces):
        had_some = any(not rack.is_print for rack in found)
        glyphs = _outside(find_glyphs(resized(image, factor)), look, factor)
        found += reader.judge(glyphs, factor)
        has_some = any(not rack.is_print for rack in found)
        if had_some or (has_some and look is not None):
            break  # alone, one more look at twice the size, which finds what the first one missed
    apart = _apart_from_each_other(found)
    return tuple(_as_look(rack) for rack in apart if not rack.is_print)


def _factors(image: Image, look: BoardReading | None, faces: Faces) -> list[float]:
    """At which sizes of the picture tiles may be about ``UNIT_PX`` wide."""
    if look is not None and look.pose is not None:
        first = UNIT_PX / look.pose.square_px()
        # Smaller ones are sought only where their colours can tell them from print.
        return [first, _FURTHER_AWAY * first] if faces.are_known else [first]
    longest = float(max(image.shape[:2]))
    first = min(_WIDEST_LEVEL, 2.0 * longest)
    sizes = [first / _LEVEL_STEP**level for level in range(_LEVELS)]
    # Small pictures first: they cost little, and a rack that fills the picture is the usual one.
    return [size / longest for size in reversed(sizes) if size >= 3 * UNIT_PX]


def _outside(glyphs: Glyphs, look: BoardReading | None, factor: float) -> Glyphs:
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
        places = [place for place in places if self._is_tile(line, place)]
        if not places:
            return None
        places = self._filled(line, places)
        chances = self._look_well(line, places)
        crops = crops_of(self.image, line, places)
        if inked(crops) > _MOST_INK:
            return None
        rack = _Found(line, tuple(places), chances, face_colours(crops))
        if not self._is_surely_read(rack):
            return None
        if self._is_print(rack):
            return replace(rack, is_print=True)
        return self._settled(self._with_plain_tiles(rack)) if self.faces.fit(rack.colours) else None

    def _is_tile(self, line: Line, place: float) -> bool:
        """Whether a letter stands there, whichever side of it is up."""
        opinion = judge_places(self.image, line, [place], self.net).log_chances
        return float(np.exp(np.logaddexp.reduce(sides(opinion)[0]))) > _LIKELY

    def _turned(self, line: Line, place: float) -> Float32s | None:
        """Log chances [32] of the letter on a tile that surely lies turned, else None."""
        crop = crops_of(self.image, line, [place])
        ways = sides(self.net.judge(crop).log_chances)[0]
        quarters = int(ways.argmax())
        if not quarters or np.exp(ways[quarters]) < _TURNED:
            return None
        back = np.ascontiguousarray(np.rot90(crop, quarters, axes=(1, 2)))
        opinion = self.net.judge(back)
        letters = _symbols_alone(opinion.log_chances)[0, LETTER_CLASSES]
        best = int(letters.argmax())
        is_read = np.exp(letters[best]) > _LIKELY
        return _saying(LETTER_CLASSES[best], _TURNED_TILE) if is_read else _saying(_BLANK, 0.5)

    def _filled(self, line: Line, places: list[float]) -> list[float]:
        """The places with letters that the runs missed, between and beyond."""
        filled = [places[0]]
        for place in places[1:]:
            while place - filled[-1] > 1.6 and self._is_tile(line, filled[-1] + 1):
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
        turned = np.exp(opinion.log_chances[:, TURNED_CLASS:].max(axis=1))
        centred = np.abs(opinion.shifts[:, 0]) < 0.16
        good = np.flatnonzero(((letters > 0.8) | (turned > _SURELY_TURNED)) & centred)
        return tried[int(good[0])] if len(good) else None

    def _look_well(self, line: Line, places: Sequence[float]) -> Float32s:
        """Log chances [n, 32] of the set's own symbols, from several glances."""
        total = sum(
            self._chances(line.moved(across, down), places, scale)
            for across, down, scale in _GLANCES
        )
        chances = _normalised(np.asarray(total, np.float32) / np.float32(2.5))
        for number, place in enumerate(places):
            turned = self._turned(line, place)
            if turned is not None:
                chances[number] = turned
        return chances

    def _chances(self, line: Line, places: Sequence[float], scale: float = 1.0) -> Float32s:
        opinion = judge_places(self.image, line, places, self.net, scale)
        return _symbols_alone(opinion.log_chances)

    def _is_surely_read(self, rack: _Found) -> bool:
        best = np.exp(rack.chances[:, LETTER_CLASSES].max(axis=1))
        # A tile that lies turned may show no letter that can be read.
        without = rack.chances.argmax(axis=1) == _BLANK
        if without.sum() <= _MOST_WITHOUT:
            best = best[~without]
        span = round(rack.places[-1] - rack.places[0]) + 1 - int(len(without) - len(best))
        is_dense = span <= len(best) + min(_GAPS, max(0, len(best) - 3))
        return is_dense and (best > _SURE).sum() >= self.least and best.mean() >= _MEAN

    def _is_print(self, rack: _Found) -> bool:
        """Whether tiles of the set cannot stand so: too many, too many alike, or an alphabet."""
        letters = [SEEN[LETTER_CLASSES[k]] for k in rack.chances[:, LETTER_CLASSES].argmax(1)]
        counts = Counter(letters)
        if len(letters) > LONGEST or len(counts) * 2 < len(letters):
            return True
        if any(n > count_of(self.tile_set, letter) for letter, n in counts.items()):
            return True
        places = np.array([symbols_of(self.tile_set).index(letter) for letter in letters])
        # The letters along the edge of a board.
        return len(letters) > 2 and bool((np.abs(np.diff(places)) == 1).all())

    def _with_plain_tiles(self, rack: _Found) -> _Found:
        """The rack with the tiles that show no letter, between the others and at the ends."""
        inner = [
            left + step
            for left, right in zip(rack.places, rack.places[1:], strict=False)
            for step in range(1, round(right - left))
        ]
        found = [tile for place in inner if (tile := self._plain_tile(rack, place))]
        for end, direction in ((rack.places[0], -1), (rack.places[-1], 1)):
            place = end
            while len(rack.places) + len(found) < LONGEST:
                tile = self._plain_tile(rack, place + direction)
                if tile is None:
                    break
                found.append(tile)
                place = tile[0]
        if not found:
            return rack
        places = np.array([*rack.places, *(place for place, _ in found)])
        plain = np.stack([_saying(_BLANK, sure) for _, sure in found])
        order = np.argsort(places)
        return replace(
            rack,
            places=tuple(places[order].tolist()),
            chances=np.concatenate([rack.chances, plain])[order],
        )

    def _plain_tile(self, rack: _Found, place: float) -> tuple[float, float] | None:
        """Where a tile without a letter lies about there, and how surely it is a blank."""
        face = np.median(rack.colours, axis=0)
        tried = [place, place - 0.1, place + 0.1]
        crops = crops_of(self.image, rack.line, tried, WIDE)
        for at, crop in zip(tried, crops, strict=True):
            colour = mark_colour(crop, face)
            if colour is not None:
                return at, _KNOWN_MARK if self.faces.has_blank_like(colour) else _MARKED_TILE
        profile = edge_profile(crops_of(self.image, rack.line, rack.places, WIDE))
        if is_plain(crops[0], profile):
            return place, _PLAIN_TILE
        is_blank = np.exp(self._chances(rack.line, [place])[0, _BLANK]) > _SURE_BLANK
        return (place, _MARKED_TILE) if is_blank and has_sides(crops[0], profile) else None

    def _settled(self, rack: _Found) -> _Found:
        """The places moved to where the letters stand: steps between tiles are seldom even."""
        shifts = judge_places(self.image, rack.line, rack.places, self.net).shifts[:, 0]
        lettered = rack.chances.argmax(axis=1) != _BLANK
        moved = np.array(rack.places) + np.where(lettered, np.clip(shifts, -0.3, 0.3), 0.0)
        return replace(rack, places=tuple(moved.tolist()))


def _saying(symbol: int, probability: float) -> Float32s:
    """Log chances [32] of one symbol with this probability, all others alike."""
    rest = np.log((1.0 - probability) / (len(SEEN) - 1))
    chances = np.full(len(SEEN), rest, np.float32)
    chances[symbol] = np.log(probability)
    return chances


def board_faces(image: Image, look: BoardReading) -> Faces:
    """The colours of the tiles that surely lie on the board."""
    assert look.pose is not None
    tops = tops_of(image, look.pose)
    chances = np.exp(look.log_probs.reshape(SQUARES, -1))
    letters = np.flatnonzero(chances[:, LETTER_CLASSES].max(axis=1) > _SURE)
    blanks = np.flatnonzero(chances[:, _BLANK] > _SURE)
    return Faces(
        face_colours(cut_crops(image, tops, letters)),
        face_colours(cut_crops(image, tops, blanks), whole=True),
    )


def _symbols_alone(log_chances: Float32s) -> Float32s:
    """Log chances [N, 32] of the symbols, as if nothing lay turned."""
    return _normalised(log_chances[:, : len(SEEN)])


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
    letters = [SEEN[index] for index in best]
    steps = np.diff(rack.places)
    touching = steps[steps < 1.0 + _GAP]
    slots = letters[0]
    for letter, step in zip(letters[1:], steps, strict=True):
        gap = step / (np.median(touching) if len(touching) else 1.0) - 1.0
        # A dot for each tile that would fit in, one for a smaller gap.
        slots += "." * (max(1, int(gap + _GAP)) if gap > _GAP else 0) + letter
    outline = rack.line.corners(rack.places[0], rack.places[-1])
    return RackLook(
        letters="".join(letters),
        slots=slots,
        confidence=tuple(round(float(p), 4) for p in np.exp(rack.chances.max(axis=1))),
        corners=tuple((round(float(x), 2), round(float(y), 2)) for x, y in outline),
    )
