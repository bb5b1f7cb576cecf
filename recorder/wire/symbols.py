"""The symbols of a camera: named once in its info, and by a code in each of its looks.

A row of the log names them in full again, so that it can be read by itself.
"""

import zlib
from collections.abc import Mapping

from recorder.declared.codec import Json
from recorder.domain.board import SQUARES
from recorder.domain.observations import STANDARD_ORDER, SquareCosts
from recorder.domain.tile_text import write_tiles
from recorder.domain.tiles import Tiles
from recorder.wire.observations import decode_costs, encode_costs, read_order

LOOK_TYPE = "board.seen"


def symbols_code(order: Tiles) -> str:
    """What a look calls the symbols that its camera's info names: eight hexadecimal digits."""
    return f"{zlib.crc32(write_tiles(order).encode()):08x}"


def with_code(type_name: str, data: Json) -> Json:
    """What a camera says, as it travels: a code in place of its symbols."""
    named, _, packed = str(data.get("squares", "")).rpartition(" ")
    if type_name != LOOK_TYPE or not named:
        return data
    return {**data, "squares": f"{symbols_code(read_order(named))} {packed}"}


def order_of_look(data: Mapping[str, object], named: Tiles | None) -> Tiles | None:
    """The symbols of a look's costs; None where it goes by others than those ``named`` in info.

    DeviceError where it names what no symbols can be.
    """
    squares = data.get("squares")
    said = squares.rpartition(" ")[0] if isinstance(squares, str) else ""
    if not said:
        return STANDARD_ORDER
    if len(said) > len("01234567"):
        return read_order(said)
    return named if named is not None and said == symbols_code(named) else None


def for_the_record(data: Json, order: Tiles, wanted: Tiles) -> Json:
    """A look with its costs in the order of ``wanted``, which are symbols of the event's tiles.

    Symbols that the camera does not know are left out. DeviceError where the costs cannot be read.
    """
    said, _, packed = str(data.get("squares", "")).rpartition(" ")
    kept = tuple(symbol for symbol in wanted if symbol in order)
    if kept == order and said in ("", write_tiles(order)):
        return data
    given = decode_costs(f"{write_tiles(order)} {packed}")
    columns = [order.index(symbol) for symbol in kept]
    costs = bytes(
        given.costs[square * len(order) + column] for square in range(SQUARES) for column in columns
    )
    return {**data, "squares": encode_costs(SquareCosts(costs, kept))}
