"""The letters of a tile set among all that the eyes can see on a square (``SEEN``)."""

from recorder.domain.observations import SEEN, read_symbol
from recorder.domain.tiles import TileSet


def symbols_of(tile_set: TileSet) -> tuple[str, ...]:
    """The letters of a set that the eyes can read, in the order of its alphabet."""
    return tuple(text for text in map(str, tile_set.letters) if text in SEEN)


def count_of(tile_set: TileSet, symbol: str) -> int:
    """How many tiles of the set show a symbol."""
    return tile_set.count(read_symbol(symbol))
