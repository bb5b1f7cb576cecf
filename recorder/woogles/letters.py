"""Tiles as Woogles writes them: one byte each, by the order of a letter distribution.

In a rack 0 is a blank and n the nth letter. On the board 0 is an empty square and 128 + n a blank
that stands for the nth letter. In a play 0 is a tile that was there before.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from recorder.domain.errors import NotationError
from recorder.domain.tiles import BLANK, EMPTY, Tile, TileSet

AS_BLANK = 0x80
"""Added to a letter's number where a blank stands for it."""

_DISTRIBUTIONS: Mapping[str, str] = MappingProxyType(
    {
        "english": "?2 A9 B2 C2 D4 E12 F2 G3 H2 I9 J1 K1 L4 M2 N6 O8 P2 Q1 R6 S4 T6 U4 V2 W2 X1 Y2"
        " Z1",
        "catalan": "?2 A12 B2 C3 Ç1 D3 E13 F1 G2 H1 I8 J1 L4 L·L1 M3 N6 NY1 O5 P2 QU1 R8 S8 T5 U4"
        " V1 X1 Z1",
        "french": "?2 A9 B2 C2 D3 E15 F2 G2 H2 I8 J1 K1 L5 M3 N6 O6 P2 Q1 R6 S6 T6 U6 V2 W1 X1 Y1"
        " Z1",
        "german": "?2 A5 Ä1 B2 C2 D4 E15 F2 G3 H4 I6 J1 K2 L3 M4 N9 O3 Ö1 P1 Q1 R6 S7 T6 U6 Ü1 V1"
        " W1 X1 Y1 Z1",
        "norwegian": "?2 A7 B3 C1 D5 E9 F4 G4 H3 I5 J2 K4 L5 M3 N6 O4 P2 Q0 R6 S6 T6 U3 V3 W1 X0"
        " Y1 Ü0 Z0 Æ1 Ä0 Ø2 Ö0 Å2",
        "polish": "?2 A9 Ą1 B2 C3 Ć1 D3 E7 Ę1 F1 G2 H2 I8 J2 K3 L3 Ł2 M3 N5 Ń1 O6 Ó1 P3 R4 S4 Ś1"
        " T3 U2 W4 Y4 Z5 Ź1 Ż1",
        "slovene": "?2 A10 B2 C1 Č1 D4 E11 F1 G2 H1 I9 J4 K3 L4 M2 N7 O8 P2 Q0 R6 S6 Š1 T4 U2 V4"
        " W0 X0 Y0 Z2 Ž1",
        "spanish": "?2 A12 B2 C4 [CH]1 D5 E12 F1 G2 H2 I6 J1 L4 [LL]1 M2 N5 Ñ1 O9 P2 Q1 R5 [RR]1"
        " S6 T4 U5 V1 X1 Y1 Z1",
    }
)
"""Label and number of every tile, the blank first, in the order that gives the bytes."""


@dataclass(frozen=True, slots=True)
class Distribution:
    """A letter distribution of theirs: the labels by byte, 0 the blank, and how many of each."""

    name: str
    labels: tuple[str, ...]
    counts: tuple[int, ...]

    def letter(self, label: str) -> int:
        """The byte of an undesignated tile; NotationError for one that the set has not."""
        try:
            return self.labels.index(label)
        except ValueError:
            raise NotationError(f"Woogles has no tile {label!r} in its set {self.name!r}") from None

    def tile(self, tile: Tile) -> int:
        """The byte of a tile on the board. NotationError for a blank whose letter is unknown."""
        if tile is BLANK:
            raise NotationError("Woogles needs the letter of every blank on the board")
        return self._labelled(tile) | (AS_BLANK if tile.is_blank else 0)

    def _labelled(self, tile: Tile) -> int:
        """The byte of a tile's label, which they write in brackets in some languages."""
        bracketed = f"[{tile.label}]"
        return self.letter(bracketed if bracketed in self.labels else tile.label)

    def rack(self, tiles: Iterable[Tile]) -> bytes:
        """A rack, in the order of the bytes; every blank is 0."""
        return bytes(sorted(0 if tile.is_blank else self._labelled(tile) for tile in tiles))

    def played(self, word: Iterable[Tile]) -> bytes:
        """The main word of a play; 0 for a tile that was there before."""
        return bytes(0 if tile is EMPTY else self.tile(tile) for tile in word)

    def text(self, tiles: bytes, nothing: str = "?") -> str:
        """The tiles as people read them: a blank's letter in lower case; ``nothing`` for 0."""
        return "".join(self.label(letter, nothing) for letter in tiles)

    def label(self, letter: int, nothing: str = "?") -> str:
        """One tile as people read it; a byte that means nothing here is shown as a number."""
        number = letter & ~AS_BLANK
        if not letter:
            return nothing
        if not 0 < number < len(self.labels):
            return f"<{letter}>"
        label = self.labels[number]
        return label.lower() if letter & AS_BLANK else label

    def unseen(self, board: bytes, *racks: bytes) -> Counter[int]:
        """How many tiles of each byte are neither on the board nor on these racks."""
        left = Counter(dict(enumerate(self.counts)))
        left.subtract(0 if square & AS_BLANK else square for square in board if square)
        for rack in racks:
            left.subtract(rack)
        return left


def sorted_tiles(tiles: Counter[int]) -> bytes:
    """Tiles as bytes, in order; numbers below 1 count as none."""
    return bytes(sorted(tiles.elements()))


@cache
def distribution(name: str) -> Distribution:
    """The distribution of a name; NotationError names those that are known."""
    if name not in _DISTRIBUTIONS:
        raise NotationError(
            f"Woogles has no tiles called {name!r} that Tilecast knows: {', '.join(_DISTRIBUTIONS)}"
        )
    words = _DISTRIBUTIONS[name].split()
    labels = tuple(word.rstrip("0123456789") for word in words)
    counts = tuple(int(word.removeprefix(label)) for word, label in zip(words, labels, strict=True))
    return Distribution(name, labels, counts)


def distribution_of(tile_set: TileSet) -> Distribution:
    """The distribution that has the tiles of a set of ours; NotationError where it differs."""
    theirs = distribution(tile_set.name)
    for label, count in zip(theirs.labels, theirs.counts, strict=True):
        ours = tile_set.count(BLANK if label == "?" else Tile(label.strip("[]")))
        if ours != count:
            raise NotationError(
                f"tile set {tile_set.name}: Woogles counts {count} of {label},"
                f" here there are {ours}; its games cannot have these tiles"
            )
    return theirs
