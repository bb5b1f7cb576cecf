"""How well a lattice of colours fits the premium layout, when no colour is known before.

A colour speaks for a class of squares (plain, double and triple letter, double and triple word)
when many squares of the class show it and few others do. Tiles lie on every class alike, so
their colour speaks for none, and any colour scheme will do. The layout looks the same from all
four sides: which side is up is not decided here.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from devices.vision.geometry.pose import Floats
from recorder.domain.board import SIZE, STANDARD_PREMIUMS, Premium

Classes = npt.NDArray[np.int64]

_ORDER = (
    Premium.NONE,
    Premium.DOUBLE_LETTER,
    Premium.TRIPLE_LETTER,
    Premium.DOUBLE_WORD,
    Premium.TRIPLE_WORD,
)
PREMIUM_CLASSES = len(_ORDER)
_LIGHTNESS_SHARE = 0.3
"""Lightness says less than colour: light falls unevenly on a table."""
_RADII = (5.0, 9.0, 15.0)
"""How far apart (Lab, 8 bit) colours of one class may lie: the best of the three counts."""
_NEARLY_BEST = 0.02
"""Radii that fit as well, but for this, count as well: which one wins may hang on a speck."""
_IDLE_AGREEMENT, _FINE_AGREEMENT = 0.17, 0.54
"""Wrong grids agree up to 0.33 with some picture; below this a score has to stay low."""
_CHANCE = 0.28
_FULL = 0.88
"""What a wrong and a perfect placement reach before the scale is made 0..1."""


@cache
def class_grid() -> Classes:
    """The class 0..4 of every square as [15, 15], read-only: plain, DL, TL, DW, TW."""
    index = [_ORDER.index(premium) for premium in STANDARD_PREMIUMS]
    classes = np.array(index, dtype=np.int64).reshape(SIZE, SIZE)
    classes.flags.writeable = False
    return classes


def square_centres() -> Floats:
    """The centres of the squares in board units as [15, 15, 2]."""
    half = np.arange(SIZE) + 0.5
    return np.stack(np.meshgrid(half, half), axis=-1)


@dataclass(frozen=True, slots=True, eq=False)
class LayoutFit:
    """How a window of 15 x 15 colours agrees with the layout.

    ``score`` is 0..1, whatever tiles lie there, so it compares pictures. ``agreement`` 0..1
    falls with every tile, and cannot be raised by a grid that makes squares look covered: it
    compares grids in one picture. ``belongs`` [15, 15] marks the squares that show the colour
    of their class, so are probably empty.
    """

    score: float
    agreement: float
    belongs: npt.NDArray[np.bool_]


def fit_layout(whole: Floats, quarters: Sequence[Floats] = ()) -> LayoutFit:
    """Fit the layout to Lab colours [15, 15, 3] (8-bit scale) of the squares.

    ``quarters`` are the colours in the four quarters of every square. A grid that is off by half
    a square still shows its colours in most squares' middle, but not in all four quarters: the
    worst of them pulls the scores down.
    """
    vote = _Vote(np.stack([whole, *quarters]))
    raw = vote.raw()
    even = 1.0
    if len(raw) > 1:
        even = float(np.clip((raw[1:].min() / max(raw[0], 1e-6) - 0.4) / 0.45, 0.0, 1.0))
    agreement = float(raw[0]) * even
    enough = max(0.0, (agreement - _IDLE_AGREEMENT) / (_FINE_AGREEMENT - _IDLE_AGREEMENT))
    score = min(float(vote.scores()[0]) * even, enough)
    return LayoutFit(score, agreement, vote.belongs(0))


def window_scores(windows: Floats) -> Floats:
    """The fit of each window [n, 15, 15, 3] of Lab colours to the layout, 0..1 as [n].

    Tiles lower these: they compare windows of one picture, not pictures.
    """
    return _Vote(windows).raw()


@dataclass(frozen=True, slots=True, eq=False)
class _Ballot:
    """Who votes: every premium square and some plain ones, class by class."""

    squares: npt.NDArray[np.int64]
    """The voters' places among the 225 squares."""
    classes: npt.NDArray[np.int64]
    """The class of each voter, rising."""
    first: npt.NDArray[np.int64]
    """The first voter of each class."""
    members: Floats
    """Which squares are of which class, [225, 5] of 0 and 1."""
    sizes: Floats
    """How many squares each class has, [5]."""

    @staticmethod
    @cache
    def of_the_layout() -> "_Ballot":
        """The one ballot there is."""
        flat = class_grid().reshape(-1)
        voting = np.flatnonzero((flat > 0) | (np.arange(flat.size) % 4 == 1))
        squares = voting[np.argsort(flat[voting], kind="stable")]
        first = np.searchsorted(flat[squares], np.arange(PREMIUM_CLASSES))
        members = (flat[:, None] == np.arange(PREMIUM_CLASSES)).astype(np.float32)
        return _Ballot(squares, flat[squares], first, members, members.sum(axis=0))


class _Vote:
    """Every voter puts up its colour for its class."""

    def __init__(self, windows: Floats) -> None:
        self._ballot = _Ballot.of_the_layout()
        voters = self._ballot.squares
        colours = windows.reshape(len(windows), -1, 3).astype(np.float32)
        colours *= np.array((_LIGHTNESS_SHARE, 1.0, 1.0), dtype=np.float32)
        squares = (colours * colours).sum(axis=-1)
        self._gaps = colours[:, voters] @ colours.transpose(0, 2, 1)
        self._gaps *= -2.0
        self._gaps += squares[:, voters, None]
        self._gaps += squares[:, None, :]
        self.speaks: list[Floats] = []
        self._open_shares: list[Floats] = []
        self._ratios = np.stack([self._ratio(radius) for radius in range(len(_RADII))])

    def belongs(self, window: int) -> npt.NDArray[np.bool_]:
        """The squares [15, 15] of a window that show their class's best colour."""
        radius = int(self.best_radius()[window])
        near = self.near(radius)[window]
        found = np.zeros(SIZE * SIZE, dtype=bool)
        for index in range(PREMIUM_CLASSES):
            rows = np.flatnonzero(self._ballot.classes == index)
            speaker = rows[np.argmax(self.speaks[radius][window, rows])]
            found |= self._ballot.members[:, index].astype(bool) & near[speaker]
        return found.reshape(SIZE, SIZE)

    def near(self, radius: int) -> npt.NDArray[np.bool_]:
        """Which squares show the colour of which voter, [n, voters, 225]."""
        result: npt.NDArray[np.bool_] = self._gaps < _RADII[radius] ** 2
        return result

    def best_radius(self) -> npt.NDArray[np.int64]:
        """The radius at which each window fits best."""
        best: npt.NDArray[np.int64] = self._ratios.argmax(axis=0)
        return best

    def raw(self) -> Floats:
        """The share of premium squares that are told from the rest by their colour."""
        result: Floats = self._ratios.max(axis=0)
        return result

    def scores(self) -> Floats:
        """The fit of each window, 0..1, as if no tile lay on it."""
        whole = self._ratios / np.clip(np.stack(self._open_shares), 0.5, 1.0)
        best = np.where(self._ratios >= self.raw() - _NEARLY_BEST, whole, 0.0).max(axis=0)
        result: Floats = np.clip((best - _CHANCE) / (_FULL - _CHANCE), 0.0, 1.0)
        return result

    def _ratio(self, radius: int) -> Floats:
        """The share of premium squares told from the rest within one radius, [n]."""
        ballot = self._ballot
        counts = self.near(radius).astype(np.float32) @ ballot.members
        inside = counts[:, np.arange(len(ballot.classes)), ballot.classes]
        own = ballot.sizes[ballot.classes]
        speaks = inside / own - (counts.sum(axis=-1) - inside) / (SIZE * SIZE - own)
        self.speaks.append(speaks)
        best = np.maximum.reduceat(speaks, ballot.first, axis=1)[:, 1:].clip(0.0)
        self._open_shares.append((inside / own)[:, : ballot.first[1]].max(axis=1))
        result: Floats = (best * ballot.sizes[1:]).sum(axis=1) / ballot.sizes[1:].sum()
        return result
