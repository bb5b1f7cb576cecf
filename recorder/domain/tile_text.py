"""Tiles as text, and back: the one place where a tile has a notation.

``A`` is a letter tile, ``a`` a blank that plays A, ``?`` a blank without a known letter, ``.`` no
tile. A label of several characters is in brackets: ``CA[LL]E``, ``[ll]`` for a blank that plays it.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Annotated

from recorder.domain.errors import NotationError
from recorder.domain.limits import AsText
from recorder.domain.tiles import BLANK, EMPTY, Tile, Tiles, TileSet

LETTER = r"[^\W\d_]|\[[^\[\]]{2,3}\]"
"""The pattern of one letter tile or named blank."""
CAPITAL = r"[^\W\d_a-zß-öø-ÿ]|\[[^\[\]a-zß-öø-ÿ]{2,3}\]"
"""The pattern of one letter tile; ``read_capitals`` refuses what small letters it lets in."""
_PART = re.compile(r"\[(?P<inside>[^\[\]]*)\]|.", re.DOTALL)


def write_tiles(tiles: Iterable[Tile], tile_set: TileSet | None = None) -> str:
    """The notation of some tiles; for readers of a set, tiles side by side are not one label of it.

    >>> write_tiles((Tile("C"), Tile("A"), Tile("LL", is_blank=True), EMPTY, BLANK))
    'CA[ll].?'
    """
    texts = [tile.text for tile in tiles]
    if tile_set is not None and tile_set.longest > 1:
        for at, text in enumerate(texts):
            if text[0] != "[" and _label_at("".join(texts[at:]), 0, tile_set) > len(text):
                texts[at] = f"[{text}]"
    return "".join(texts)


def plain_text(tiles: Iterable[Tile]) -> str:
    """Some tiles as people write the word: labels side by side, small letters for blanks."""
    return write_tiles(tiles).replace("[", "").replace("]", "")


def label_text(tile: Tile) -> str:
    """What is read on one tile: its label, small letters for a blank, ``?`` without a letter."""
    return tile.text.strip("[]")


def read_tiles(text: str, tile_set: TileSet | None = None) -> Tiles:
    """The tiles of a text; NotationError where it is none.

    Without a tile set every character outside brackets is a tile. With one, the longest label
    that fits is read first (``LL`` before ``L``). Not checked: whether the set has the letters.

    >>> [str(tile) for tile in read_tiles("CA[LL]e")]
    ['C', 'A', '[LL]', 'e']
    """
    return tuple(map(read_tile, tile_parts(text, tile_set)))


def tile_parts(text: str, tile_set: TileSet | None = None) -> Iterator[str]:
    """The texts of single tiles in a text, which may not be tiles; see ``read_tiles``."""
    at = 0
    while at < len(text):
        part = _PART.match(text, at)
        end = at + 1 if part is None else part.end()
        if tile_set is not None and text[at] != "[":
            end = at + _label_at(text, at, tile_set)
        yield text[at:end]
        at = end


def _label_at(text: str, at: int, tile_set: TileSet) -> int:
    """How many characters the longest label of a set has that begins there, at least 1."""
    for length in range(tile_set.longest, 1, -1):
        label = text[at : at + length]
        capital = label.upper()
        if label in (capital, capital.lower()) and Tile(capital) in tile_set.counts:
            return len(label)
    return 1


def read_tile(text: str) -> Tile:
    """One tile; NotationError where the text is none.

    >>> read_tile("q"), read_tile("[ch]"), read_tile("CH")
    (Tile('Q', is_blank=True), Tile('CH', is_blank=True), Tile('CH'))
    """
    known = _READ.get(text)
    if known is None:
        known = _read_tile(text)
        if len(_READ) < _MOST_READ:
            _READ[text] = known
    return known


_READ: dict[str, Tile] = {".": EMPTY, "?": BLANK}
_MOST_READ = 1000


def _read_tile(text: str) -> Tile:
    label = text[1:-1] if text[:1] == "[" and text[-1:] == "]" else text
    capital = label.upper()
    is_one = len(capital) == len(label) and label in (capital, capital.lower())
    if not label or not is_one or not label.replace("·", "").isalpha():
        raise NotationError(
            f"{text!r} is not a tile (write A, a for a blank, [CH] for a label of several letters)"
        )
    return Tile(capital, is_blank=label != capital)


def typed_rack(text: str, tile_set: TileSet) -> Tiles | None:
    """The tiles that somebody typed, small or capital, with ``?`` for a blank; None if not tiles.

    Only tiles of the set count; spaces may part them. Labels may stand with or without brackets.
    """
    try:
        tiles = read_tiles(text.upper().replace(" ", ""), tile_set)
    except NotationError:
        return None
    return tiles if all(tile in tile_set.counts for tile in tiles) else None


def typed_words(words: Iterable[str], tile_set: TileSet) -> tuple[Tiles, ...]:
    """The words that somebody typed, small or capital; empty for one that no tiles can spell."""
    return tuple(typed_rack(word, tile_set) or () for word in words)


def typed_letter(text: str, tile_set: TileSet) -> Tile:
    """The one letter that somebody typed, small or capital; ``EMPTY`` if it is none of the set."""
    tiles = typed_rack(text, tile_set) or ()
    return tiles[0] if len(tiles) == 1 else EMPTY


TileText = Annotated[Tile, AsText(rf"{LETTER}|\?", read_tile, str)]
"""A tile in a message: a letter, a named blank, or ``?``."""


def read_capitals(text: str) -> Tiles:
    """The letter tiles and unnamed blanks of a text; NotationError for a blank that is named."""
    tiles = read_tiles(text)
    if any(tile.is_blank and tile is not BLANK for tile in tiles):
        raise NotationError(f"{text!r} must be in capitals")
    return tiles


def _named_letter(text: str) -> Tile:
    return read_capitals(text)[0] if text else EMPTY


def _letter_text(tile: Tile) -> str:
    return str(tile) if tile else ""


NamedLetter = Annotated[Tile, AsText(f"(?:{CAPITAL})?", _named_letter, _letter_text)]
"""The letter that somebody names, as a letter tile; ``EMPTY`` where none is named."""
TilesText = Annotated[Tiles, AsText(rf"(?:{LETTER}|\?){{0,100}}", read_tiles, write_tiles)]
"""Tiles side by side in a message."""
