"""Tiles and tile sets: what is printed on a tile, what it counts, and how many there are.

A tile is a value with a label of one or more characters (``A``, ``CH``, ``L·L``), and it is a
letter tile or a blank that plays this label. ``EMPTY`` is no tile, ``BLANK`` a blank without a
known letter. A tile set is an ordered list of faces. How tiles are written as text is for
``recorder.domain.tile_text``; this module knows neither squares nor turns.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final, Self

from recorder.domain.errors import NotationError

RACK_SIZE = 7
MOST_FACES = 60
LONGEST_LABEL = 3
"""Characters of the longest label: L·L."""
_ALIKE_UPSIDE_DOWN = frozenset("HIMNOQSWXZÖ")
_ALIKE_ON_THEIR_SIDE = _ALIKE_UPSIDE_DOWN | frozenset("CEU")


class Tile:
    """A tile by its ``label``, and whether it ``is_blank``. There is one object for each.

    Two tiles are equal when they are the same object: boards are compared and hashed often.
    ``str()`` gives the notation: ``A``, ``a`` for a blank, ``[CH]``, ``[ch]``.

    >>> Tile("CH") is Tile("CH"), Tile("A") == Tile("A", is_blank=True)
    (True, False)
    >>> str(Tile("CH", is_blank=True)), str(BLANK), str(EMPTY)
    ('[ch]', '?', '.')
    """

    __slots__ = ("_order", "is_blank", "label", "text")
    label: str
    is_blank: bool
    text: str

    def __new__(cls, label: str, *, is_blank: bool = False) -> Self:
        """The one tile with this label; "" is no tile, or a blank without a known letter."""
        known = _TILES.get((label, is_blank))
        if known is None:
            known = _TILES.setdefault((label, is_blank), cls._made(label, is_blank=is_blank))
        return known  # type: ignore[no-any-return]

    @classmethod
    def _made(cls, label: str, *, is_blank: bool) -> Self:
        made = object.__new__(cls)
        written = label.lower() if is_blank else label
        made.label, made.is_blank = label, is_blank
        made.text = f"[{written}]" if len(label) > 1 else written or ("?" if is_blank else ".")
        made._order = (label or made.text, is_blank)
        return made

    _order: tuple[str, bool]

    def __reduce__(self) -> tuple[object, ...]:
        return _tile, (self.label, self.is_blank)

    def __bool__(self) -> bool:
        """Whether it is a tile at all: ``EMPTY`` is false."""
        return self is not EMPTY

    def __lt__(self, other: "Tile") -> bool:
        return self._order < other._order

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Tile({self.label!r}{', is_blank=True' if self.is_blank else ''})"


_TILES: dict[tuple[str, bool], Any] = {}


def _tile(label: str, is_blank: bool) -> Tile:  # noqa: FBT001 - as pickle calls it
    return Tile(label, is_blank=is_blank)


Tiles = tuple[Tile, ...]
"""Tiles side by side: a word, a rack, a board."""
EMPTY: Final = Tile("")
BLANK: Final = Tile("", is_blank=True)


def face(tile: Tile) -> Tile:
    """The physical tile: the one with its label printed on it, ``BLANK`` for every blank.

    >>> str(face(Tile("Q"))), str(face(Tile("Q", is_blank=True))), str(face(BLANK))
    ('Q', '?', '?')
    """
    return BLANK if tile.is_blank else tile


def unnamed(tile: Tile) -> Tile:
    """The letter tile with the label of a tile, a blank or not: what a word list looks at.

    >>> unnamed(Tile("Q", is_blank=True)), unnamed(BLANK) is BLANK
    (Tile('Q'), True)
    """
    return Tile(tile.label) if tile.label else tile


def as_blank(tile: Tile) -> Tile:
    """The blank that plays the label of a tile, ``BLANK`` for one without a letter.

    >>> as_blank(Tile("Q")), as_blank(BLANK) is BLANK
    (Tile('Q', is_blank=True), True)
    """
    return Tile(tile.label, is_blank=True)


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
class Face:
    """What is printed on a kind of tile: its label, value, and how many of them there are."""

    label: str
    value: int
    count: int
    is_vowel: bool = False


@dataclass(frozen=True, slots=True)
class TileSet:
    """The faces of a set in the order of its alphabet, and its ``blanks`` (EQUIP-1).

    Raises NotationError for a label that comes twice or cannot be written, for a value below 0, a
    count below 1, and for a set without vowels: the analysis and the vowel count rest on them.
    """

    name: str
    faces: tuple[Face, ...]
    blanks: int = 2
    letters: Tiles = field(init=False, repr=False, compare=False)
    """The letter tiles, in the order of the alphabet."""
    counts: Mapping[Tile, int] = field(init=False, repr=False, compare=False)
    """How many there are of each letter and of ``BLANK``."""
    values: Mapping[Tile, int] = field(init=False, repr=False, compare=False)
    vowels: Tiles = field(init=False, repr=False, compare=False)
    total: int = field(init=False, repr=False, compare=False)
    longest: int = field(init=False, repr=False, compare=False)
    """Characters of the longest label."""
    _hash: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        wrong = next(filter(None, map(fault_of_face, self.faces)), "")
        labels = [face.label for face in self.faces]
        twice = next((label for label, count in Counter(labels).items() if count > 1), "")
        if twice:
            wrong = f"the label {twice} comes twice"
        elif self.blanks < 0:
            wrong = "blanks must be 0 or more"
        elif not any(face.is_vowel for face in self.faces):
            wrong = "no face is a vowel"
        if wrong:
            raise NotationError(f"tile set {self.name}: {wrong}")
        by_label = {Tile(face.label): face for face in self.faces}
        counts = {tile: face.count for tile, face in by_label.items()}
        counts[BLANK] = self.blanks
        kept = (
            ("letters", tuple(by_label)),
            ("counts", MappingProxyType(counts)),
            ("values", MappingProxyType({tile: face.value for tile, face in by_label.items()})),
            ("vowels", tuple(tile for tile, face in by_label.items() if face.is_vowel)),
            ("total", sum(counts.values())),
            ("longest", max(map(len, labels))),
            ("_hash", hash((self.name, self.faces, self.blanks))),
        )
        for name, value in kept:
            object.__setattr__(self, name, value)

    def __hash__(self) -> int:
        return self._hash

    def count(self, letter: Tile) -> int:
        """How many tiles with this face the set has; 0 for a letter that is not in it."""
        return self.counts.get(letter, 0)

    def value(self, tile: Tile) -> int:
        """What a tile counts before premiums; blanks and tiles not in the set count 0 (SCORE-2)."""
        return self.values.get(tile, 0)

    def points(self, tiles: Iterable[Tile]) -> int:
        """The sum of the values of some tiles, as on a rack at the end (END-3)."""
        return sum(self.value(tile) for tile in tiles)

    def has(self, tile: Tile) -> bool:
        """Whether a tile, a blank by the letter it plays, can be one of this set."""
        return tile is BLANK or Tile(tile.label) in self.values


def fault_of_face(face: Face) -> str:
    """What is wrong with a face by itself; empty where nothing is.

    A label is capital letters, joined by a middle dot or not, and its small letters, which stand
    for a blank, are as many.
    """
    label = face.label
    letters = label.replace("·", "")
    small = label.lower()
    written = letters.isalpha() and label == label.upper() and small.upper() == label != small
    if not written or not 1 <= len(label) == len(small) <= LONGEST_LABEL:
        return (
            f"the label {label!r} must be 1 to {LONGEST_LABEL} capital letters (a middle dot may"
            " join them)"
        )
    if face.count < 1:
        return f"the count of {label} must be 1 or more; leave out a letter that is not in the set"
    return f"the value of {label} must be 0 or more" if face.value < 0 else ""


def unseen(
    tile_set: TileSet, board_cells: Tiles, racks: Iterable[Iterable[Tile]] = ()
) -> dict[Tile, int]:
    """How many tiles of each face are neither on the board nor on the racks given.

    Keys: every letter in the order of the alphabet, then ``BLANK``. A number below 0 means that
    more such tiles were seen than the set has; a face that is not in the set is added with its
    negative number. Nothing is cut at 0, so that the sum is always the tile account.
    """
    return dict(_unseen(tile_set, (*board_cells, *(tile for rack in racks for tile in rack))))


@lru_cache(maxsize=2048)
def _unseen(tile_set: TileSet, seen: Tiles) -> Mapping[Tile, int]:
    """Asked of the same boards again and again, by everything that looks at a game's turns."""
    left = dict(tile_set.counts)
    for tile, count in Counter(seen).items():
        if tile is not EMPTY:
            left[face(tile)] = left.get(face(tile), 0) - count
    return left
