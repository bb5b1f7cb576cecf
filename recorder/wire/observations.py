"""Observations as ``(type, data)`` for the envelope, and back.

What travels is likelihoods and times, never pixels: a picture is named by its hash.
"""

import base64
import binascii
import re
import zlib
from collections.abc import Callable, Mapping
from typing import cast

from recorder.domain.board import SQUARES
from recorder.domain.errors import DeviceError
from recorder.domain.observations import (
    SYMBOLS,
    Acted,
    Announced,
    BoardNotSeen,
    BoardSeen,
    BoardStirred,
    ClockAct,
    ClockChanged,
    ClockPressed,
    Corners,
    DeviceBack,
    DeviceLost,
    Observation,
    RackSeen,
    Say,
    Side,
    SquareChange,
    SquareCosts,
    TurnAct,
)
from recorder.wire.fields import LONGEST_MS, Fields, Json
from recorder.wire.sensors import SENSED_TYPES, encode_sensed
from recorder.wire.topics import NAME

_COST_BYTES = SQUARES * len(SYMBOLS)
_SHOWN = re.compile(f"[{re.escape(SYMBOLS)}]")
_PICTURE = re.compile(r"([0-9a-f]{64})?")
_RACK = re.compile(r"[A-ZÄÖÜ?]{0,8}")
_SLOTS = re.compile(r"([A-ZÄÖÜ?](\.{0,4}[A-ZÄÖÜ?]){0,7})?")
_LETTER = re.compile(r"[A-ZÄÖÜ]")


def encode_observation(observation: Observation) -> tuple[str, Json]:
    """The type name and the JSON object of an observation."""
    told: tuple[str, Json]
    match observation:
        case BoardSeen() | BoardNotSeen() | BoardStirred():
            told = _encode_board(observation)
        case ClockPressed(side=side):
            told = "clock.press", {"side": side.value, **_times_data(observation)}
        case ClockChanged(act=act):
            told = "clock.change", {"act": act.value, **_times_data(observation)}
        case Announced(side=side, say=say, count=count):
            told = "table.announced", {"side": side.value, "say": say.value, "count": count}
        case Acted():
            told = "table.acted", _acted_data(observation)
        case RackSeen():
            told = "rack.seen", _rack_seen_data(observation)
        case DeviceLost(device=device, reason=reason):
            told = "device.lost", {"device": device, "reason": reason}
        case DeviceBack(device=device):
            told = "device.back", {"device": device}
        case _:
            told = encode_sensed(observation)
    return told


def _encode_board(told: BoardSeen | BoardNotSeen | BoardStirred) -> tuple[str, Json]:
    match told:
        case BoardSeen():
            return "board.seen", _board_seen_data(told)
        case BoardNotSeen(frame=frame, reason=reason, picture=picture):
            return "board.not_seen", {"frame": frame, "reason": reason, "picture": picture}
        case BoardStirred(frame=frame):
            return "board.stirred", {"frame": frame}


def decode_observation(type_name: str, data: Json) -> Observation:
    """The observation of that type. Raises DeviceError naming an unknown type or a bad field."""
    decode = OBSERVATION_TYPES.get(type_name)
    if decode is None:
        raise DeviceError(f"unknown observation type {type_name!r}")
    return decode(Fields(data, type_name))


def encode_costs(squares: SquareCosts) -> str:
    """Square costs as base64 of their zlib-compressed bytes."""
    return base64.b64encode(zlib.compress(squares.costs, 6)).decode("ascii")


def decode_costs(text: str) -> SquareCosts:
    """Square costs from their text. Unpacks no more than they need, however long the text."""
    unpack = zlib.decompressobj()
    try:
        costs = unpack.decompress(base64.b64decode(text, validate=True), _COST_BYTES + 1)
    except (binascii.Error, zlib.error) as err:
        raise DeviceError(f"square costs are not base64 of zlib: {err}") from err
    if len(costs) != _COST_BYTES or not unpack.eof:
        raise DeviceError(f"square costs must unpack to {_COST_BYTES} bytes")
    return SquareCosts(costs)


def _board_seen_data(seen: BoardSeen) -> Json:
    turned = {} if seen.letters_turned is None else {"letters_turned": seen.letters_turned}
    return {
        "frame": seen.frame,
        "squares": encode_costs(seen.squares),
        "corners": [[x, y] for x, y in seen.corners],
        "pose_score": seen.pose_score,
        "turn_margin": seen.turn_margin,
        "covered": seen.covered,
        "still_ms": seen.still_ms,
        "picture": seen.picture,
        "since": seen.since,
        "changes": [_change_data(change) for change in seen.changes],
        "hidden": list(seen.hidden),
        "moving": seen.moving,
        **turned,
    }


def _change_data(change: SquareChange) -> Json:
    return {
        "square": change.square,
        "was": change.was,
        "now": change.now,
        "confidence": change.confidence,
    }


def _change(fields: Fields) -> SquareChange:
    return SquareChange(
        square=fields.integer("square", 0, 224),
        was=fields.matching("was", _SHOWN),
        now=fields.matching("now", _SHOWN),
        confidence=fields.number("confidence", 0, 1),
    )


def _squares(fields: Fields, name: str) -> tuple[int, ...]:
    squares = fields.integers(name)
    if len(squares) > SQUARES or not all(0 <= square < SQUARES for square in squares):
        raise fields.fault(name, "squares from 0 to 224")
    return squares


def _board_seen(fields: Fields) -> BoardSeen:
    return BoardSeen(
        frame=fields.text("frame"),
        squares=decode_costs(fields.text("squares", most=20_000)),
        corners=cast("Corners", fields.points("corners", count=4)),
        pose_score=fields.number("pose_score", 0, 1),
        turn_margin=fields.number("turn_margin"),
        covered=fields.number("covered", 0, 1),
        still_ms=fields.integer("still_ms", 0),
        picture=fields.matching("picture", _PICTURE),
        # Messages from before these fields existed lie in logs, and are read for ever.
        since=fields.text("since") if fields.has("since") else "",
        changes=tuple(
            _change(Fields(one, "board.seen changes"))
            for one in (fields.objects("changes", most=SQUARES) if fields.has("changes") else ())
        ),
        hidden=_squares(fields, "hidden") if fields.has("hidden") else (),
        moving=fields.flag("moving") if fields.has("moving") else False,
        letters_turned=_turned(fields) if fields.has("letters_turned") else None,
    )


def _turned(fields: Fields) -> int:
    degrees = fields.integer("letters_turned", 0, 270)
    if degrees % 90:
        raise fields.fault("letters_turned", "0, 90, 180 or 270")
    return degrees


def _board_not_seen(fields: Fields) -> BoardNotSeen:
    return BoardNotSeen(
        frame=fields.text("frame"),
        reason=fields.text("reason", least=1),
        picture=fields.matching("picture", _PICTURE),
    )


def _times_data(clock: ClockPressed | ClockChanged) -> Json:
    return {
        "left_ms": clock.left_ms,
        "right_ms": clock.right_ms,
        "running": clock.running.value,
    }


def _clock_press(fields: Fields) -> ClockPressed:
    side = fields.choice("side", Side)
    if side is Side.NONE:
        raise fields.fault("side", "L or R: one half of the clock was pressed")
    return ClockPressed(
        side=side,
        left_ms=fields.integer("left_ms", -LONGEST_MS, LONGEST_MS),
        right_ms=fields.integer("right_ms", -LONGEST_MS, LONGEST_MS),
        running=fields.choice("running", Side),
    )


def _clock_change(fields: Fields) -> ClockChanged:
    return ClockChanged(
        act=fields.choice("act", ClockAct),
        left_ms=fields.integer("left_ms", -LONGEST_MS, LONGEST_MS),
        right_ms=fields.integer("right_ms", -LONGEST_MS, LONGEST_MS),
        running=fields.choice("running", Side),
    )


def _table_announced(fields: Fields) -> Announced:
    side, say = fields.choice("side", Side), fields.choice("say", Say)
    if side is Side.NONE:
        raise fields.fault("side", "L or R: the player of one half said it")
    count = fields.integer("count", say.counts[0], say.counts[-1])
    return Announced(side=side, say=say, count=count)


def _acted_data(acted: Acted) -> Json:
    data: Json = {"side": acted.side.value, "act": acted.act.value, "count": acted.count}
    return {**data, "letter": acted.letter} if acted.letter else data


def _table_acted(fields: Fields) -> Acted:
    side, act = fields.choice("side", Side), fields.choice("act", TurnAct)
    if side is Side.NONE:
        raise fields.fault("side", "L or R: one of the players did it")
    letter = fields.matching("letter", _LETTER) if fields.has("letter") else ""
    if bool(letter) != (act is TurnAct.BLANK):
        raise fields.fault("letter", "a capital letter with a blank, and with nothing else")
    count = fields.integer("count", act.counts[0], act.counts[-1])
    return Acted(side=side, act=act, count=count, letter=letter)


def _rack_seen_data(seen: RackSeen) -> Json:
    return {
        "side": seen.side.value,
        "letters": seen.letters,
        "slots": seen.slots,
        "count": seen.count,
        "confidence": seen.confidence,
        "picture": seen.picture,
        "doubtful": list(seen.doubtful),
    }


def _rack_seen(fields: Fields) -> RackSeen:
    side = fields.choice("side", Side)
    if side is Side.NONE:
        raise fields.fault("side", "L or R: a rack is one player's")
    letters = fields.matching("letters", _RACK)
    slots = fields.matching("slots", _SLOTS)
    if slots.replace(".", "") != letters:
        raise fields.fault("slots", "the letters with '.' for gaps between them")
    fields.integer("count", len(letters), len(letters))
    doubtful = fields.integers("doubtful") if fields.has("doubtful") else ()
    if not set(doubtful) <= set(range(1, len(letters) + 1)):
        raise fields.fault("doubtful", "numbers of tiles, counted from 1")
    return RackSeen(
        side=side,
        letters=letters,
        slots=slots,
        confidence=fields.number("confidence", 0, 1),
        picture=fields.matching("picture", _PICTURE),
        doubtful=doubtful,
    )


def _board_stirred(fields: Fields) -> BoardStirred:
    return BoardStirred(frame=fields.text("frame"))


def _device_lost(fields: Fields) -> DeviceLost:
    return DeviceLost(device=fields.matching("device", NAME), reason=fields.text("reason"))


def _device_back(fields: Fields) -> DeviceBack:
    return DeviceBack(device=fields.matching("device", NAME))


OBSERVATION_TYPES: Mapping[str, Callable[[Fields], Observation]] = {
    "board.seen": _board_seen,
    "board.not_seen": _board_not_seen,
    "board.stirred": _board_stirred,
    "clock.press": _clock_press,
    "clock.change": _clock_change,
    "table.announced": _table_announced,
    "table.acted": _table_acted,
    "rack.seen": _rack_seen,
    **SENSED_TYPES,
    "device.lost": _device_lost,
    "device.back": _device_back,
}
"""Every type of observation and how it is read."""
