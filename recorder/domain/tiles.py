"""Tiles and tile sets: what is printed on a tile, what it counts, and how many there are.

A tile on the board is one character: ``"A"`` a letter tile, ``"a"`` a blank that stands for A,
``"?"`` a blank whose letter nobody knows, ``"."`` no tile. Letters need not be A to Z: the tile
set says which letters exist. This module knows neither squares nor turns.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType

from recorder.domain.errors import NotationError

EMPTY = "."
BLANK = "?"
RACK_SIZE = 7
_VOWELS = frozenset("AEIOUÄÖÜ")
_ALIKE_UPSIDE_DOWN = frozenset("HIMNOQSWXZÖ")
_ALIKE_ON_THEIR_SIDE = _ALIKE_UPSIDE_DOWN | frozenset("CEU")


def is_blank(tile: str) -> bool:
    """Whether a tile is a blank, with or without a known letter.

    >>> is_blank("a"), is_blank("?"), is_blank("A")
    (True, True, False)
    """
    return tile == BLANK or tile.islower()


def face(tile: str) -> str:
    """The physical tile: the letter printed on it, ``"?"`` for every blank.

    >>> face("Q"), face("q"), face("?")
    ('Q', '?', '?')
    """
    return BLANK if tile == BLANK or tile.islower() else tile


def shows_its_way(letter: str, degrees: int) -> bool:
    """Whether a letter turned so far (90, 180, 270) looks like no letter that lies upright.

    An N on its side is a Z, an M upside down a W: only the small print tells them apart.

    >>> shows_its_way("A", 180), shows_its_way("M", 180), shows_its_way("E", 180)
    (True, False, True)
    >>> shows_its_way("E", 90), shows_its_way("?", 180)
    (False, False)
    """
    alike = _ALIKE_UPSIDE_DOWN if degrees == 180 else _ALIKE_ON_THEIR_SIDE
    return letter.isalpha() and letter not in alike


@dataclass(frozen=True, slots=True)
class TileSet:
    """How many tiles of each kind there are and what they count (EQUIP-1).

    ``counts`` includes the blank (``"?"``); ``values`` and ``letters`` (in the order of the
    alphabet) do not. Raises NotationError when the three disagree.
    """

    name: str
    counts: Mapping[str, int]
    values: Mapping[str, int]
    letters: str
    total: int = field(init=False)

    def __post_init__(self) -> None:
        if set(self.values) != set(self.letters) or len(set(self.letters)) != len(self.letters):
            raise NotationError(f"tile set {self.name}: values and letters name different tiles")
        if set(self.counts) != {*self.letters, BLANK}:
            raise NotationError(f"tile set {self.name}: counts must name every letter and '?'")
        if min(self.counts.values()) < 0 or min(self.values.values()) < 0:
            raise NotationError(f"tile set {self.name}: negative count or value")
        object.__setattr__(self, "counts", MappingProxyType(dict(self.counts)))
        object.__setattr__(self, "values", MappingProxyType(dict(self.values)))
        object.__setattr__(self, "total", sum(self.counts.values()))

    def __hash__(self) -> int:
        return hash((self.name, self.letters))

    def count(self, letter: str) -> int:
        """How many tiles with this face the set has; 0 for a letter that is not in it."""
        return self.counts.get(letter, 0)

    def value(self, tile: str) -> int:
        """What a tile counts before premiums; blanks and tiles not in the set count 0 (SCORE-2)."""
        return self.values.get(tile, 0)

    def points(self, tiles: str) -> int:
        """The sum of the values of some tiles, as on a rack at the end (END-3)."""
        return sum(self.value(tile) for tile in tiles)

    @property
    def vowels(self) -> str:
        """The vowels among the letters, in the order of the alphabet (Y counts as a consonant)."""
        return "".join(letter for letter in self.letters if letter in _VOWELS)


def unseen(tile_set: TileSet, board_cells: str, racks: Iterable[str] = ()) -> dict[str, int]:
    """How many tiles of each face are neither on the board nor on the racks given.

    Keys: every letter in the order of the alphabet, then ``"?"``. A number below 0 means that
    more such tiles were seen than the set has; a face that the set lacks is added with its
    negative number. Nothing is cut at 0, so that the sum is always the tile account.
    """
    return dict(_unseen(tile_set, board_cells + "".join(racks)))


@lru_cache(maxsize=2048)
def _unseen(tile_set: TileSet, seen: str) -> Mapping[str, int]:
    """Asked of the same boards again and again, by everything that looks at a game's turns."""
    left = {letter: tile_set.counts[letter] for letter in (*tile_set.letters, BLANK)}
    for tile, count in Counter(seen).items():
        if tile != EMPTY:
            left[face(tile)] = left.get(face(tile), 0) - count
    return left
