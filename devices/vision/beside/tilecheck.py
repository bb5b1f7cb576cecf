"""All tiles laid out after the game (rulebook EQUIP-8): are any missing or too many?

The tiles lie in squares, 10 x 10 or four of 5 x 5, face up, face down, or both. Letters are read
and compared with the set; tiles that show none are counted only, since a blank and a tile that
lies face down look the same. What is not sure is named as such.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from devices.pictures import Image
from devices.vision.beside.rack_slots import sides
from devices.vision.beside.tile_grids import SIDE, TileGrid, grids_of_letters, grids_of_seams
from devices.vision.geometry.pose import Floats, Pose, apply_homography, moved_by
from devices.vision.set_symbols import count_of, symbols_of
from devices.vision.squares.faces import apart, face_colours
from devices.vision.squares.net import (
    CROP_PX,
    LETTER_CLASSES,
    Crops,
    Float32s,
    Opinion,
    SquareNet,
    log_softmax,
    shipped_net,
)
from devices.vision.squares.squares import SQUARE_PX, cut_crops
from recorder.domain.observations import BLANK_SYMBOL, COVERED_SYMBOL, EMPTY_SYMBOL, SEEN
from recorder.domain.tiles import TileSet

_WORKING_SIDES = (1000, 700, 1400)
_LEAST_TILES, _LEAST_LETTERS = 20, 6
"""So many places make a block of tiles, and so many letters make it one that lies face up."""
_MOST_BLOCKS = 4
_LEAST_PATCH = 10
"""Where no letter helps, fewer plain places than that side by side are no block of tiles."""
_ENOUGH = 0.9
"""Of the set's tiles: no further sizes of the picture are looked at."""
_PLAIN_WORTH = 0.3
_FITS = 3
_GLANCES = ((0.0, 0.0), (0.06, 0.04), (-0.06, -0.04), (0.05, -0.05), (-0.05, 0.05))
"""Looks at every letter, moved by (x, y) in tiles: O and Q differ by little."""
_PERHAPS = 0.1
"""A place where the first look gives every letter less is not looked at again."""
_SURE, _READ = 0.8, 0.4
_SOME_LETTER, _TURNED = 0.6, 0.7
"""Probability of a letter whichever side is up; the most that is said of one that lies turned."""
_LIKE_A_TILE = 22.0
_PLAIN_SPREAD = 12.0
_SEAM, _SEAM_SHARE = 6.0, 0.2
"""Grey levels of a seam between tiles, and how much of a tile's rim it takes."""
_NOT_FOUND = (
    "no tiles that lie in rows are found, face up or face down:"
    " lay them side by side, 10 x 10 or four times 5 x 5, and fill the picture"
)
_NOT_TOLD_APART = (
    "the tiles cannot be told from the ground they lie on: lay them on another colour, and see that"
    " nothing of one colour with them is beside them"
)
_MOST = 1.1
"""No more of a set's tiles than that lie there: beyond it, bare ground was counted."""
_OTHER_TILE = 0.6
"""Tiles of two blocks are at least so many tiles apart."""
_COVERED = SEEN.index(COVERED_SYMBOL)
_OFF = np.abs(np.arange(CROP_PX) - (CROP_PX - 1) / 2) / SQUARE_PX
_REACH = np.maximum(_OFF[:, None], _OFF[None, :])
"""How far each pixel of a crop is from its middle, in tiles, along rows or columns."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TileCheck:
    """What lies there. ``rows`` are the tiles as they read, "." where none lies, block by block.

    "?" shows no letter: a blank, or any tile face down; ``face_down`` are those beyond the blanks
    of the set. ``expected`` is how many tiles the set has. ``missing`` and ``extra`` count
    against the set by letter, where any letter is seen; what is missing may lie face down.
    ``doubtful`` are (row, column, letter, probability) of tiles that should be looked at. Not
    ``found``: ``reason`` says why.
    """

    found: bool
    reason: str = ""
    rows: tuple[str, ...] = ()
    total: int = 0
    expected: int = 0
    letters: dict[str, int] = field(default_factory=dict)
    missing: dict[str, int] = field(default_factory=dict)
    extra: dict[str, int] = field(default_factory=dict)
    face_down: int = 0
    doubtful: tuple[tuple[int, int, str, float], ...] = ()

    @property
    def count_is_right(self) -> bool:
        """Whether as many tiles lie there as the set has, whatever they are."""
        return self.found and self.total == self.expected

    @property
    def is_complete(self) -> bool:
        """Whether the set is there as it should be, every tile surely read."""
        return self.count_is_right and not (
            self.missing or self.extra or self.doubtful or self.face_down
        )


@dataclass(frozen=True, slots=True, eq=False)
class _Block:
    """Tiles in one grid: their places, symbols, how sure, and middles in px."""

    places: npt.NDArray[np.int64]
    symbols: tuple[str, ...]
    sure: Floats
    middles: Floats
    pitch: float

    @property
    def worth(self) -> float:
        """The letters, and a part of the other tiles."""
        plain = self.symbols.count(BLANK_SYMBOL)
        return len(self.symbols) - (1.0 - _PLAIN_WORTH) * plain

    def touches(self, other: "_Block") -> bool:
        gaps = self.middles[:, None] - other.middles[None]
        nearest = np.hypot(gaps[..., 0], gaps[..., 1]).min(axis=1)
        return bool((nearest < _OTHER_TILE * max(self.pitch, other.pitch)).mean() > 0.1)

    def is_like(self, other: "_Block") -> bool:
        return 0.8 < self.pitch / other.pitch < 1.25


def check_tiles(image: Image, tile_set: TileSet, *, net: SquareNet | None = None) -> TileCheck:
    """Count and read the tiles in a BGR picture of all tiles laid out."""
    net = (shipped_net() if net is None else net).of_set(tile_set)
    reader = _Reader(image, net)
    best: list[_Block] = []
    for find in (grids_of_letters, grids_of_seams):
        for side in _WORKING_SIDES:
            blocks = reader.blocks(find(image, side, _MOST_BLOCKS), tile_set.total)
            if _worth(blocks) > _worth(best):
                best = blocks
            if _worth(best) >= _ENOUGH * tile_set.total:
                break
        if _worth(best) >= 0.4 * tile_set.total:
            break  # seams are sought only where letters show too little
    if not best:
        return TileCheck(found=False, expected=tile_set.total, reason=_NOT_FOUND)
    check = _compared(best, tile_set)
    if check.total > _MOST * tile_set.total:
        return TileCheck(found=False, expected=tile_set.total, reason=_NOT_TOLD_APART)
    return check


def _worth(blocks: Sequence[_Block]) -> float:
    """How many tiles these blocks explain; a grid that lies askew finds many that show nothing."""
    return sum(block.worth for block in blocks)


@dataclass(frozen=True, slots=True, eq=False)
class _View:
    """All places of a grid, cut out and judged once."""

    grid: Floats
    crops: Crops
    opinion: Opinion

    def fitted(self) -> Floats | None:
        """The grid moved to where its letters lie, which takes in a few more at its edges."""
        letters = self.opinion.log_chances[:, LETTER_CLASSES].max(axis=1)
        lying = np.flatnonzero(np.exp(letters) > _SURE)
        if len(lying) < _LEAST_LETTERS:
            return None
        shifts = self.opinion.shifts[lying]
        middles = np.stack([lying % SIDE, lying // SIDE], axis=1) + 0.5
        if len(lying) >= _LEAST_TILES:
            seen = apply_homography(self.grid, middles + shifts)
            within = 0.15 * Pose(self.grid).square_px()
            fitted: Any = cv2.findHomography(middles, seen, cv2.RANSAC, within)[0]
            if fitted is not None:
                return np.asarray(fitted, dtype=np.float64)
        across, down = np.median(shifts, axis=0)
        return np.asarray(self.grid @ moved_by(across, down))


@dataclass(frozen=True, slots=True, eq=False)
class _Reader:
    """Reads blocks of tiles in one picture."""

    image: Image
    net: SquareNet

    def blocks(self, grids: Sequence[TileGrid], enough: int) -> list[_Block]:
        """Blocks that share no tile and have tiles of one size, the largest first."""
        found: list[_Block] = []
        for grid in grids:
            block = self._block(grid)
            if len(block.places) >= _LEAST_TILES:
                found.append(block)
            if block.worth >= _ENOUGH * enough:
                break
        kept: list[_Block] = []
        for block in sorted(found, key=lambda block: block.worth, reverse=True):
            apart_ = not any(block.touches(other) for other in kept)
            if len(kept) < _MOST_BLOCKS and apart_ and (not kept or block.is_like(kept[0])):
                kept.append(block)
        return kept

    def _block(self, grid: TileGrid) -> _Block:
        view, chances = self._upright(grid.homography)
        homography, everywhere = view.grid, view.crops
        self._turn_back(view, chances)
        best, sure = chances.argmax(axis=1), np.exp(chances.max(axis=1))
        is_letter = np.isin(best, LETTER_CLASSES) & (sure > _READ)
        seen = is_letter & (sure > _SURE)
        if seen.sum() >= _LEAST_LETTERS:
            colours = face_colours(everywhere)
            typical = np.median(colours[seen], axis=0)
            known = seen
        else:
            is_letter[:] = seen[:] = False
            known = np.zeros(SIDE * SIDE, dtype=bool)
            known[self._same_places(grid, homography)] = True
            colours = face_colours(everywhere, whole=True)
            typical = np.median(colours[known], axis=0) if known.any() else colours[0]
        like = np.array([_unlike(colour, typical) < _LIKE_A_TILE for colour in colours])
        if not seen.any():
            like[like] = _are_plain_with_seams(everywhere[like])
            known = like = _grown(known & like, like)
        bounds = _bounds(known)
        plain = ~is_letter & like & bounds & (best != _COVERED)
        places = np.flatnonzero(plain | (is_letter & bounds & (like | (sure > _SURE))))
        symbols = tuple(SEEN[best[k]] if is_letter[k] else BLANK_SYMBOL for k in places)
        turned = TileGrid(homography, places)
        return _Block(places, symbols, sure[places], turned.middles()[places], turned.pitch())

    def _turn_back(self, view: _View, chances: Float32s) -> None:
        """Read letters that lie turned, in place; they stay doubtful."""
        ways = np.exp(sides(view.opinion.log_chances))
        unread = chances[:, LETTER_CLASSES].max(axis=1) < np.log(_READ)
        for place in np.flatnonzero(unread & (ways.sum(axis=1) > _SOME_LETTER)):
            quarters = int(ways[place].argmax())
            crop = np.ascontiguousarray(np.rot90(view.crops[place], quarters))
            back = log_softmax(self.net.judge(crop[None]).log_chances[:, : len(SEEN)])[0]
            letter = LETTER_CLASSES[int(back[LETTER_CLASSES].argmax())]
            if back[letter] > np.log(_READ):
                chances[place] = np.minimum(back, np.log(_TURNED))

    def _same_places(self, grid: TileGrid, turned: Floats) -> npt.NDArray[np.int64]:
        """The taken places of a grid in the same grid turned by quarters."""
        middles = grid.middles()[grid.taken]
        gaps = middles[:, None] - TileGrid(turned, grid.taken).middles()[None]
        nearest: npt.NDArray[np.int64] = np.hypot(gaps[..., 0], gaps[..., 1]).argmin(axis=1)
        return nearest

    def _view(self, grid: Floats) -> _View:
        crops = cut_crops(self.image, grid, np.arange(SIDE * SIDE))
        return _View(grid, crops, self.net.judge(crops))

    def _upright(self, grid: Floats) -> tuple[_View, Float32s]:
        """The grid turned so that its letters stand upright, and the log chances of the set."""
        view = self._view(grid)
        votes = np.exp(sides(view.opinion.log_chances)).sum(axis=0)
        if votes.max() < _LEAST_LETTERS:
            return view, log_softmax(view.opinion.log_chances[:, : len(SEEN)])
        if quarters := int(votes.argmax()):
            view = self._view(Pose(grid).rotated(quarters).homography)
        for _ in range(_FITS):
            fitted = view.fitted()
            if fitted is None:
                break  # too few letters to fit by; another try sees the same
            view = self._view(fitted)
        first = view.opinion.log_chances
        total = first[:, : len(SEEN)] * np.float32(len(_GLANCES))
        places = np.flatnonzero(np.exp(first[:, LETTER_CLASSES].max(axis=1)) > _PERHAPS)
        if len(places) < _LEAST_LETTERS:
            return view, log_softmax(total / np.float32(0.6 * len(_GLANCES)))
        total[places] = first[places, : len(SEEN)]
        for across, down in _GLANCES[1:]:
            crops = cut_crops(self.image, view.grid @ moved_by(across, down), places)
            total[places] += self.net.judge(crops).log_chances[:, : len(SEEN)]
        return view, log_softmax(total / np.float32(0.6 * len(_GLANCES)))


def _compared(blocks: Sequence[_Block], tile_set: TileSet) -> TileCheck:
    rows: list[str] = []
    doubtful: list[tuple[int, int, str, float]] = []
    for block in sorted(blocks, key=lambda block: tuple(block.middles.min(axis=0)[::-1])):
        down, across = np.divmod(block.places, SIDE)
        top, left = int(down.min()), int(across.min())
        lines = [[EMPTY_SYMBOL] * int(across.max() - left + 1) for _ in range(np.ptp(down) + 1)]
        for row, col, symbol, sure in zip(
            down - top, across - left, block.symbols, block.sure, strict=True
        ):
            lines[row][col] = symbol
            if symbol != BLANK_SYMBOL and sure < _SURE:
                place = (len(rows) + int(row) + 1, int(col) + 1)
                doubtful.append((*place, symbol, round(float(sure), 3)))
        rows += ["".join(line) for line in lines]
    counts = Counter(symbol for block in blocks for symbol in block.symbols)
    plain, blanks = counts[BLANK_SYMBOL], count_of(tile_set, BLANK_SYMBOL)
    any_read = len(counts) > (plain > 0)
    faces = (*BLANK_SYMBOL * (plain < blanks), *symbols_of(tile_set)) if any_read else ()
    of_set = {f: count_of(tile_set, f) for f in faces}
    gone = {f: count - counts[f] for f, count in of_set.items() if counts[f] < count}
    extra = {f: counts[f] - count for f, count in of_set.items() if counts[f] > count}
    return TileCheck(
        found=True,
        rows=tuple(rows),
        total=sum(counts.values()),
        expected=tile_set.total,
        letters=dict(sorted(counts.items())),
        missing=gone,
        extra=extra,
        face_down=max(0, plain - blanks) if any_read else plain,
        doubtful=tuple(doubtful),
    )


def _unlike(colour: Floats, typical: Floats) -> float:
    """How unlike two faces are: a lamp to one side changes their light more than their colour."""
    return max(apart(colour, typical), float(abs(colour[0] - typical[0])) * 0.6)


def _are_plain_with_seams(crops: Crops) -> npt.NDArray[np.bool_]:
    """Which patches are of one colour and have an edge where a tile would end, [N]."""
    if len(crops) == 0:
        return np.zeros(0, dtype=bool)
    tall = cv2.cvtColor(crops.reshape(-1, CROP_PX, 3), cv2.COLOR_BGR2LAB)
    light = tall[..., 0].reshape(crops.shape[:3]).astype(np.float64)
    inside, rim = light[:, _REACH < 0.22], light[:, (_REACH > 0.42) & (_REACH < 0.58)]
    spread = inside.std(axis=1)
    clear = np.maximum(_SEAM, 3.0 * spread)
    middle = np.median(inside, axis=1)
    seams = (np.abs(rim - middle[:, None]) > clear[:, None]).mean(axis=1)
    found: npt.NDArray[np.bool_] = (spread < _PLAIN_SPREAD) & (seams > _SEAM_SHARE)
    return found


def _grown(known: npt.NDArray[np.bool_], like: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """The places that lie in one patch with known ones, of patches that can be a block."""
    for _ in range(SIDE):
        known = like & (known | _bounds(known))
    count, patches = cv2.connectedComponents(
        known.reshape(SIDE, SIDE).astype(np.uint8), connectivity=4
    )
    sizes = np.bincount(patches.ravel(), minlength=count)
    grown: npt.NDArray[np.bool_] = known & (sizes[patches] >= _LEAST_PATCH).ravel()
    return grown


def _bounds(seen: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Places within the blocks: with tiles on at least two of the eight places around."""
    field_ = seen.reshape(SIDE, SIDE).astype(np.float32)
    around = cv2.filter2D(field_, -1, np.ones((3, 3), np.float32), borderType=cv2.BORDER_CONSTANT)
    near: npt.NDArray[np.bool_] = (around - field_ >= 2).ravel() | (seen & (around.ravel() > 1))
    return near
