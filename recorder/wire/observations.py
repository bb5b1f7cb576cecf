"""Observations as ``(type, data)`` for the envelope, and back.

What travels is likelihoods and times, never pixels: a picture is named by its hash. What each
holds, and how far it may go, its class in ``recorder.domain.observations`` says.
"""

import base64
import binascii
import zlib
from typing import Annotated

from recorder.declared.codec import Codec, Kinds, RuleFault
from recorder.declared.field_types import converted, type_of_field
from recorder.domain.board import SQUARES
from recorder.domain.errors import DeviceError, NotationError
from recorder.domain.instruments import (
    BagLifted,
    BagReturned,
    BagWeighed,
    BoardStill,
    EventsMissing,
    ReachedIn,
    SlipEntry,
    SlipMark,
    SlipSeen,
)
from recorder.domain.limits import Long
from recorder.domain.notices import CodedText
from recorder.domain.observations import (
    COVERED,
    MOST_SYMBOLS,
    STANDARD_ORDER,
    Acted,
    Announced,
    BoardNotSeen,
    BoardSeen,
    BoardStirred,
    CameraDoubted,
    CameraExchanged,
    ClockChanged,
    ClockDoubted,
    ClockPressed,
    ClockSynced,
    DeviceBack,
    DeviceLost,
    Observation,
    RackCounted,
    RackSeen,
    RackTyped,
    SquareCosts,
    TimeSet,
    TurnAct,
    read_symbols,
)
from recorder.domain.tile_text import write_tiles
from recorder.domain.tiles import EMPTY, Tiles
from recorder.wire.coded_text import coded_or_words


def encode_costs(squares: SquareCosts) -> str:
    """Square costs as base64 of their zlib-compressed bytes, behind symbols that are not usual."""
    text = base64.b64encode(zlib.compress(squares.costs, 6)).decode("ascii")
    return text if squares.order == STANDARD_ORDER else f"{write_tiles(squares.order)} {text}"


def decode_costs(text: str) -> SquareCosts:
    """Square costs from their text. Unpacks no more than they need, however long the text."""
    named, _, packed = text.rpartition(" ")
    order = read_order(named) if named else STANDARD_ORDER
    unpack, size = zlib.decompressobj(), SQUARES * len(order)
    try:
        costs = unpack.decompress(base64.b64decode(packed, validate=True), size + 1)
    except (binascii.Error, ValueError, zlib.error) as err:
        raise DeviceError(f"square costs are not base64 of zlib: {err}") from err
    if len(costs) != size or not unpack.eof:
        raise DeviceError(f"square costs must unpack to {size} bytes")
    return SquareCosts(costs, order)


def read_order(text: str) -> Tiles:
    """The symbols that a camera names, in the order of its costs. DeviceError if it cannot be."""
    try:
        order = read_symbols(text)
    except NotationError as err:
        raise DeviceError(f"symbols {text!r}: {err}") from err
    if len(set(order)) < len(order) or not {EMPTY, COVERED} <= set(order):
        raise DeviceError(f"symbols {text!r} must name . and #, and each of them once")
    if len(order) > MOST_SYMBOLS:
        raise DeviceError(f"{len(order)} symbols, at most {MOST_SYMBOLS}")
    return order


def _counted(said: Announced) -> RuleFault | None:
    return _count_within(said.count, said.say.counts)


def _acted(acted: Acted) -> RuleFault | None:
    if bool(acted.letter) != (acted.act is TurnAct.BLANK):
        wanted = "a capital letter with a blank, and with nothing else"
        return RuleFault("letter", wanted, acted.letter)
    return _count_within(acted.count, acted.act.counts)


def _count_within(count: int, counts: range) -> RuleFault | None:
    if count in counts:
        return None
    return RuleFault("count", f"a whole number {counts[0]}..{counts[-1]}", count)


def _rack(seen: RackSeen) -> RuleFault | None:
    if tuple(filter(None, seen.slots)) != seen.letters:
        return RuleFault("slots", "the letters with '.' for gaps between them", seen.slots)
    if not set(seen.doubtful) <= set(range(1, seen.count + 1)):
        return RuleFault("doubtful", "numbers of tiles, counted from 1", seen.doubtful)
    return None


def _bag(weighed: BagWeighed) -> RuleFault | None:
    """What is in the bag cannot be less than nothing; what was taken out can."""
    if weighed.tiles is None or weighed.tiles.count >= 0:
        return None
    return RuleFault("tiles count", "a whole number 0..200", weighed.tiles.count)


def _slip_entry(entry: SlipEntry) -> RuleFault | None:
    if (entry.mark is SlipMark.LETTER) == bool(entry.letter):
        return None
    return RuleFault("letter", "a letter with the mark 'letter', else empty", entry.letter)


_COSTS = converted(type_of_field(Annotated[str, Long(0, 20_000)]), decode_costs, encode_costs)
OBSERVATION_TYPES: Kinds[Observation] = Kinds(
    "observation type",
    Codec(
        BoardSeen,
        "board.seen",
        spared=["letters_turned", "turned_tiles"],
        types={SquareCosts: _COSTS},
    ),
    Codec(BoardNotSeen, "board.not_seen"),
    Codec(BoardStirred, "board.stirred"),
    Codec(BoardStill, "board.still"),
    Codec(ReachedIn, "board.reached"),
    Codec(ClockPressed, "clock.press"),
    Codec(ClockChanged, "clock.change"),
    Codec(Announced, "table.announced", rule=_counted),
    Codec(Acted, "table.acted", spared=["letter"], rule=_acted),
    Codec(RackSeen, "rack.seen", derived=["count"], rule=_rack),
    Codec(RackCounted, "rack.count", derived=["count"]),
    Codec(RackTyped, "rack.typed"),
    Codec(BagWeighed, "bag.weight", rule=_bag),
    Codec(BagLifted, "bag.lifted"),
    Codec(BagReturned, "bag.returned"),
    Codec(SlipSeen, "slip.seen", types={SlipEntry: Codec(SlipEntry, rule=_slip_entry)}),
    Codec(ClockSynced, "time.sync"),
    Codec(ClockDoubted, "clock.doubt", types={CodedText: coded_or_words()}),
    Codec(CameraDoubted, "camera.doubt"),
    Codec(CameraExchanged, "camera.exchanged"),
    Codec(TimeSet, "time.set"),
    Codec(DeviceLost, "device.lost", types={CodedText: coded_or_words()}),
    Codec(DeviceBack, "device.back"),
    Codec(EventsMissing, "device.missing"),
)
"""Every type of observation and how it is read and written."""
encode_observation, decode_observation = OBSERVATION_TYPES.of, OBSERVATION_TYPES.value
