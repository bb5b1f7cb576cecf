"""Slips as pixels: printed, written on by a pen that shakes, and photographed askew.

Everything random comes from the generator handed in, so that a picture can be made again.
"""

import random
from dataclasses import dataclass

import cv2
import numpy as np

from devices.lab.scenes.lettering import Face, stamp
from devices.pictures import Image
from devices.vision.beside.slip_layout import (
    BLANKS,
    BOX_MM,
    CAP_MM,
    HEADING_MM,
    HEIGHT_MM,
    MARKER_CORNERS_MM,
    MARKER_MM,
    WIDTH_MM,
    Alphabet,
    Cell,
    alphabet_of,
    cells,
    smaller,
)
from devices.vision.finding.markers import DICTIONARY
from devices.vision.geometry.pose import Floats
from recorder.domain.tiles import TileSet

_PX_PER_MM = 10.0
_PEN_MM = 0.6
_INKS = ((120, 40, 25), (30, 30, 30), (40, 30, 140))
"""Blue, black and red ballpoint, BGR."""


class PrintedSlip:
    """A slip and what is written on it. ``image`` is BGR, ``px_per_mm`` to the millimetre."""

    def __init__(self, image: Image, alphabet: Alphabet, chance: random.Random) -> None:
        self.image, self.alphabet = image.copy(), alphabet
        self._chance = chance
        self._px = image.shape[1] / WIDTH_MM
        self._ink = chance.choice(_INKS)

    def circle(self, blank: int, letter: str, *, sloppy: bool = False) -> None:
        """Go round a letter; sloppily: off its middle, uneven, and not closed."""
        cell, chance = self._cell(blank, letter), self._chance
        off = 1.2 if sloppy else 0.4
        x, y = cell.x + chance.uniform(-off, off), cell.y + chance.uniform(-off, off)
        wide, high = chance.uniform(4.0, 4.9), chance.uniform(4.0, 4.8)
        start = chance.uniform(0, 2 * np.pi)
        angles = start + np.linspace(0, 2 * np.pi * (0.86 if sloppy else 1.04), 60)
        shake = 0.35 if sloppy else 0.12
        drift = np.cumsum([chance.gauss(0, shake / 6) for _ in angles])
        path = np.stack(
            [x + (wide + drift) * np.cos(angles), y + (high + drift) * np.sin(angles)], axis=1
        )
        self._stroke(path)

    def cross_out(self, blank: int, letter: str) -> None:
        """Two strokes over a letter."""
        cell = self._cell(blank, letter)
        for turn in (1.0, -1.0):
            ends = np.array([[-3.4, -3.0 * turn], [3.4, 3.0 * turn]])
            self._stroke(ends + np.array([cell.x, cell.y]))

    def scribble(self, blank: int, letter: str) -> None:
        """Blacken a letter."""
        cell, chance = self._cell(blank, letter), self._chance
        across = np.linspace(-3.5, 3.5, 40)
        down = [chance.uniform(2.2, 3.2) * (-1) ** step for step in range(40)]
        self._stroke(np.stack([cell.x + across, cell.y + np.array(down)], axis=1))

    def write_words(self, words: str) -> None:
        """Challenged words, by hand, in their box."""
        left, top, _, height = BOX_MM
        at = (round((left + 4) * self._px), round((top + 0.6 * height) * self._px))
        cv2.putText(
            self.image, words, at, cv2.FONT_HERSHEY_SCRIPT_SIMPLEX, self._px / 7, self._ink, 3
        )

    def _cell(self, blank: int, letter: str) -> Cell:
        return next(
            c for c in cells(self.alphabet.letters) if (c.blank, c.letter) == (blank, letter)
        )

    def _stroke(self, path_mm: Floats) -> None:
        points = np.round(path_mm * self._px * 16).astype(np.int32)
        thick = max(1, round(_PEN_MM * self._px))
        cv2.polylines(self.image, [points], isClosed=False, color=self._ink, thickness=thick,
                      lineType=cv2.LINE_AA, shift=4)  # fmt: skip


def printed(tile_set: TileSet, chance: random.Random) -> PrintedSlip:
    """An empty slip as it comes out of the printer."""
    alphabet = alphabet_of(tile_set)
    size = (round(HEIGHT_MM * _PX_PER_MM), round(WIDTH_MM * _PX_PER_MM))
    black = np.zeros(size, np.uint8)
    face = Face("sans", 400)
    for cell in cells(alphabet.letters):
        mask = face.mask(cell.letter, smaller(cell.letter) * CAP_MM * _PX_PER_MM)
        # Umlauts stand on the same line as the others: their dots rise above the middle.
        rise = (mask.shape[0] - smaller(cell.letter) * CAP_MM * _PX_PER_MM) / 2
        stamp(black, mask, (cell.x * _PX_PER_MM, cell.y * _PX_PER_MM - rise))
    for blank in range(BLANKS):
        mask = face.mask("BLANK", 2.5 * _PX_PER_MM)
        stamp(black, mask, (30 * _PX_PER_MM, HEADING_MM[blank] * _PX_PER_MM))
    left, top, width, height = (round(mm * _PX_PER_MM) for mm in BOX_MM)
    cv2.rectangle(black, (left, top), (left + width, top + height), 100, 2)
    dictionary = cv2.aruco.getPredefinedDictionary(DICTIONARY)
    side = round(MARKER_MM * _PX_PER_MM)
    for place, (x, y) in enumerate(MARKER_CORNERS_MM):
        marker = cv2.aruco.generateImageMarker(dictionary, alphabet.first_marker + place, side)
        at = np.s_[round(y * _PX_PER_MM) :, round(x * _PX_PER_MM) :]
        black[at][:side, :side] = 255 - np.asarray(marker)
    paper = cv2.cvtColor(255 - black, cv2.COLOR_GRAY2BGR)
    return PrintedSlip(np.asarray(paper, np.uint8), alphabet, chance)


@dataclass(frozen=True, slots=True, kw_only=True)
class Photo:
    """How the slip is photographed: longest side in pixels, and what spoils it."""

    size: tuple[int, int] = (1280, 960)
    slant: float = 0.0
    turn_deg: float = 0.0
    blur_px: float = 0.6
    shadow: float = 0.0
    noise: float = 2.0
    brightness: float = 0.85


def photographed(slip: PrintedSlip, photo: Photo, chance: random.Random) -> Image:
    """The slip on a table, as a camera sees it. BGR."""
    width, height = photo.size
    table = np.full((height, width, 3), (62, 88, 110), np.uint8)
    page = slip.image
    ends = np.array(
        [[0, 0], [page.shape[1], 0], [page.shape[1], page.shape[0]], [0, page.shape[0]]]
    )
    scale = 0.92 * min(height / page.shape[0], width / page.shape[1])
    scale *= 1.0 if abs(photo.turn_deg) < 10 else 0.8
    angle = np.deg2rad(photo.turn_deg)
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    corners = (ends - ends.mean(axis=0)) * scale @ turn + [width / 2, height / 2]
    corners += [[chance.uniform(-1, 1) * photo.slant * width / 2 for _ in "xy"] for _ in corners]
    homography = cv2.getPerspectiveTransform(ends.astype(np.float32), corners.astype(np.float32))
    seen = cv2.warpPerspective(page, homography, (width, height), flags=cv2.INTER_AREA)
    there = cv2.warpPerspective(np.full(page.shape[:2], 255, np.uint8), homography, (width, height))
    picture = np.where(there[..., None] > 127, seen, table).astype(np.float64) * photo.brightness
    if photo.shadow:
        # A hard edge across the slip, at any angle.
        rows, columns = np.mgrid[0:height, 0:width]
        way = chance.uniform(0, np.pi)
        side = (columns - width / 2) * np.cos(way) + (rows - height / 2) * np.sin(way)
        picture[side > chance.uniform(-0.1, 0.1) * width] *= 1 - photo.shadow
    if photo.blur_px:
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), photo.blur_px), np.float64)
    grain = np.random.default_rng(chance.randrange(2**32)).normal(0, photo.noise, picture.shape)
    return np.clip(picture + grain, 0, 255).astype(np.uint8)
