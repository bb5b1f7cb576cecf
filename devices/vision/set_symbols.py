"""The letters of a tile set as far as the eyes have symbols for them.

The networks know the 32 ``SYMBOLS``; this is where a tile set meets them.
"""

from recorder.domain.observations import SYMBOLS, read_symbol
from recorder.domain.tiles import TileSet


def symbols_of(tile_set: TileSet) -> str:
    """The letters of a set that the eyes can read, in the order of its alphabet."""
    return "".join(text for text in map(str, tile_set.letters) if text in SYMBOLS)


def count_of(tile_set: TileSet, symbol: str) -> int:
    """How many tiles of the set show a symbol."""
    return tile_set.count(read_symbol(symbol))
