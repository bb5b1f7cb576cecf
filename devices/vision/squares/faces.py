"""What tiles look like beside their letters: colours of faces, and tiles that show no letter.

A tile without a letter is a blank or lies face down; nobody can tell which of the two. It is known
by looking like its neighbours from edge to edge, or by a mark (a sticker, a logo) on a square of
its size. Bare wood of a rack in the colour of the tiles must not be taken for one.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from devices.pictures import Image
from devices.vision.geometry.pose import Floats
from devices.vision.squares.net import CROP_PX, Crops
from devices.vision.squares.squares import SQUARE_PX

_FAR = 26.0
"""Two colours further apart than that (Lab, light counting a third) are of different things."""
_OTHER_CHROMA = 13.0
"""Tiles of one set differ less in colour between board and rack; print on a box differs more."""
_ENOUGH_FACES = 4
_INKED = 30.0
WIDE = 1.3
"""How much wider than usual the crops are in which edges of tiles are looked for."""
_LIKE_EDGE_TO_EDGE, _LIKE_INSIDE = 9.0, 5.5
_PLAIN_SPREAD, _MARK_SPREAD = 9.0, 20.0
_UNLIKE_AROUND = 20.0


@dataclass(frozen=True, slots=True, eq=False)
class Faces:
    """What tiles of this table look like: Lab colours of letter tiles and of blanks, [n, 3]."""

    letters: Floats
    blanks: Floats

    @property
    def are_known(self) -> bool:
        """Whether the board shows enough tiles to know their colour."""
        return len(self.letters) >= _ENOUGH_FACES

    def fit(self, colours: Floats) -> bool:
        """Whether these are the tiles of the board. True where the board shows too few."""
        if not self.are_known:
            return True
        here, typical = np.median(colours, axis=0), np.median(self.letters, axis=0)
        chroma = float(np.hypot(*(here - typical)[1:]))
        return chroma < _OTHER_CHROMA and apart(here, typical) < _FAR

    def has_blank_like(self, colour: Floats) -> bool:
        """Whether a blank of that colour lies on the board."""
        return any(apart(colour, blank) < _FAR for blank in self.blanks)


NO_FACES = Faces(np.zeros((0, 3)), np.zeros((0, 3)))


def apart(colour: Floats, other: Floats) -> float:
    """How unlike two Lab colours are; light counts a third, for racks lean back."""
    return float(np.hypot(*(colour - other)[1:]) + abs(colour[0] - other[0]) / 3)


def face_colours(crops: Crops, *, whole: bool = False) -> Floats:
    """The Lab colour of every tile beside its letter (or of its ``whole`` middle), [N, 3]."""
    ring = _ring(0.0, 0.3) if whole else _ring(0.3, 0.43)
    if len(crops) == 0:
        return np.zeros((0, 3))
    tall = cv2.cvtColor(crops.reshape(-1, CROP_PX, 3), cv2.COLOR_BGR2LAB)
    found: Floats = np.median(tall.reshape(crops.shape)[:, ring].astype(np.float64), axis=1)
    return found


def inked(crops: Crops) -> float:
    """Which share of the rims around letters is print, in the median tile, 0..1.

    Letters keep clear of the rim of their tile; those of printed words come near each other.
    """
    ring = _ring(0.3, 0.47)
    shares = []
    for crop in crops:
        rim = _lab(crop)[ring]
        off = rim - np.median(rim, axis=0)
        shares.append(float((np.hypot(off[:, 1], off[:, 2]) + np.abs(off[:, 0]) > _INKED).mean()))
    return float(np.median(shares)) if shares else 0.0


def edge_profile(crops: Crops) -> Floats:
    """The Lab colours from above to below along the sides of letter tiles, [CROP_PX, 3].

    From crops that are ``WIDE``; the sides hold no letter, the digit is outvoted.
    """
    across = np.abs(_places())
    sides = (across > 0.34) & (across < 0.44)
    profiles = [np.median(_lab(crop)[:, sides], axis=1) for crop in crops]
    found: Floats = np.median(profiles, axis=0)
    return found


def has_sides(crop: Image, profile: Floats) -> bool:
    """Whether the sides of a ``WIDE`` crop are those of a tile, from above to below.

    A rack is often of the tiles' colour, but not as high as they are.
    """
    across = np.abs(_places())
    unlike = _unlike(crop, (across > 0.34) & (across < 0.44), profile)
    return bool(unlike[across < 0.8].mean() < _LIKE_EDGE_TO_EDGE)


def is_plain(crop: Image, profile: Floats) -> bool:
    """Whether the middle of a ``WIDE`` crop is that of a tile without letter and mark."""
    here = np.abs(_places())
    unlike = _unlike(crop, here < 0.28, profile)
    inside = _lab(crop)[here < 0.25][:, here < 0.25, 0]
    return bool(
        unlike[here < 0.8].mean() < _LIKE_EDGE_TO_EDGE
        and unlike[here < 0.3].mean() < _LIKE_INSIDE
        and inside.std() < _PLAIN_SPREAD
    )


def _unlike(crop: Image, columns: Floats, profile: Floats) -> Floats:
    """How unlike the profile these columns are, from above to below, [CROP_PX]."""
    off = np.median(_lab(crop)[:, columns], axis=1) - profile
    found: Floats = np.hypot(off[:, 1], off[:, 2]) + np.abs(off[:, 0]) / 3
    return found


def mark_colour(crop: Image, face: Floats) -> Floats | None:
    """The Lab colour of a mark on a blank in a ``WIDE`` crop, or None when there is none.

    A mark is a patch of one colour, unlike a tile's ``face`` and unlike all four of its sides.
    """
    lab, here = _lab(crop), _places()
    core, beyond = np.abs(here) < 0.22, 0.72
    patch = lab[core][:, core]
    colour = np.median(patch.reshape(-1, 3), axis=0)
    if patch[..., 0].std() > _MARK_SPREAD or apart(colour, face) < _FAR:
        return None
    around = [lab[here < -beyond][:, core], lab[here > beyond][:, core]]
    around += [lab[core][:, here < -beyond], lab[core][:, here > beyond]]
    sides = [np.median(side.reshape(-1, 3), axis=0) for side in around]
    found: Floats = colour
    return found if min(apart(colour, side) for side in sides) > _UNLIKE_AROUND else None


def _places() -> Floats:
    """Where the pixels of a ``WIDE`` crop lie, in tiles from its middle."""
    found: Floats = (np.arange(CROP_PX) - (CROP_PX - 1) / 2) / SQUARE_PX * WIDE
    return found


def _ring(inner: float, outer: float) -> Floats:
    off = np.abs(np.arange(CROP_PX) - (CROP_PX - 1) / 2) / SQUARE_PX
    reach = np.maximum(off[:, None], off[None, :])
    found: Floats = (reach >= inner) & (reach < outer)
    return found


def _lab(crop: Image) -> Floats:
    found: Floats = cv2.cvtColor(crop, cv2.COLOR_BGR2LAB).astype(np.float64)
    return found
