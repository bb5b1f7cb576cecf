"""Events of the game as ``(type, data)``, for log rows and the bus, and back.

Players are 0 and 1; points are whole and, where they are taken off, positive. The codec checks
form only: whether an event can have happened is for ``recorder.domain.game.apply`` to say.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from recorder.declared.codec import Codec, Json, Kinds, RuleFault
from recorder.declared.field_types import FieldType, converted, type_of_field
from recorder.domain.board import Square, name_across, parse_square
from recorder.domain.errors import NotationError
from recorder.domain.game import (
    ChallengeBonus,
    Conceded,
    EndRackPenalty,
    EndRackPoints,
    Exchanged,
    GameEvent,
    IllegallyPlayed,
    NoPlay,
    Passed,
    Penalty,
    Played,
    TilesBySquare,
    TimePenalty,
    Unseen,
    Withdrawn,
)
from recorder.domain.laying_faults import LayingFault
from recorder.domain.limits import Like, Long, OneOf
from recorder.domain.plays import Placement, parse_placement
from recorder.domain.record import GameStarted
from recorder.domain.tile_text import LETTER, TileText, write_tiles
from recorder.domain.tiles import Tile
from recorder.wire.row_heads import STARTED_TYPE


@dataclass(frozen=True, slots=True)
class _Laid:
    """A placement as two fields of its object."""

    position: Annotated[str, Like("[0-9]{1,2}[A-O]|[A-O][0-9]{1,2}")]
    word: Annotated[str, Like(rf"(?:{LETTER}|[?.]){{1,15}}")]


PLACEMENT: Codec[Placement] = Codec(
    _Laid,
    made=lambda laid: parse_placement(f"{laid.position} {laid.word}"),
    taken=lambda placement: {"position": placement.position, "word": write_tiles(placement.word)},
)
"""Where the tiles of a play go: ``position`` and ``word``, beside the other fields."""


def _tiles(named: Mapping[str, Tile]) -> TilesBySquare:
    """Tiles by the names of their squares, in the order of the squares."""
    tiles = {parse_square(name)[0]: tile for name, tile in named.items()}
    if len(tiles) < len(named):
        raise NotationError("a square is named twice")
    return tuple(sorted(tiles.items()))


def _named(tiles: TilesBySquare) -> dict[str, str]:
    return {name_across(square): str(tile) for square, tile in tiles}


def _squares(names: tuple[str, ...]) -> tuple[Square, ...]:
    return tuple(sorted(parse_square(name)[0] for name in names))


def _illegal(laid: IllegallyPlayed) -> RuleFault | None:
    if not laid.tiles:
        return RuleFault("laid", "one tile or more", {})
    if not laid.faults:
        return RuleFault("faults", f"some of {', '.join(LayingFault)}", [])
    return None


BY_SQUARE: Mapping[Any, FieldType] = {
    TilesBySquare: converted(type_of_field(Mapping[str, TileText]), _tiles, _named),
    tuple[Square, ...]: converted(
        type_of_field(tuple[Annotated[str, Long(2, 3)], ...]),
        _squares,
        lambda squares: [*map(name_across, squares)],
    ),
}
"""Squares are named as 8H is, tiles stand by them."""
STARTED: Codec[GameStarted] = Codec(
    GameStarted,
    STARTED_TYPE,
    spared=[
        "overrides",
        "confirmed",
        "rules_checksum",
        "settings",
        "words",
        "pairing",
        "own_tiles",
    ],
)
EVENT_TYPES: Kinds[GameEvent] = Kinds(
    "event type",
    Codec(Played, "game.played", inline={"placement": PLACEMENT}),
    Codec(
        IllegallyPlayed,
        "game.illegal",
        renamed={"tiles": "laid"},
        spared=["lifted"],
        types=BY_SQUARE,
        rule=_illegal,
    ),
    Codec(
        Unseen,
        "game.unseen",
        renamed={"tiles": "laid"},
        spared=["turns", "from_ms", "to_ms", "is_least"],
        types=BY_SQUARE,
    ),
    Codec(Exchanged, "game.exchanged"),
    Codec(Passed, "game.passed"),
    Codec(NoPlay, "game.no_play"),
    Codec(Withdrawn, "game.withdrawn", spared=["left"], types=BY_SQUARE),
    Codec(ChallengeBonus, "game.challenge_bonus"),
    Codec(EndRackPoints, "game.end_rack_points"),
    Codec(EndRackPenalty, "game.end_rack_penalty"),
    Codec(TimePenalty, "game.time_penalty"),
    Codec(Penalty, "game.penalty"),
    Codec(Conceded, "game.conceded", spared=["scores"]),
)
"""Every type of game event and how it is read and written."""
encode_event, decode_event = EVENT_TYPES.of, EVENT_TYPES.value


_END_TYPES = ("game.end_rack_points", "game.end_rack_penalty")


@dataclass(frozen=True, slots=True)
class _Typed:
    """An event inside another message."""

    type: Annotated[str, OneOf(tuple(EVENT_TYPES), "a type of event")]
    data: Json


@dataclass(frozen=True, slots=True)
class _TypedEnd:
    """One of the two that count tiles left."""

    type: Annotated[str, OneOf(_END_TYPES, " or ".join(_END_TYPES))]
    data: Json


def _typed(event: GameEvent) -> Json:
    type_name, data = encode_event(event)
    return {"type": type_name, "data": data}


EVENT: Codec[GameEvent] = Codec(
    _Typed,
    made=lambda typed: decode_event(typed.type, typed.data),
    taken=_typed,
)
"""Any event of the game as ``type`` and ``data``."""
END_EVENT: Codec[GameEvent] = Codec(
    _TypedEnd,
    made=lambda typed: decode_event(typed.type, typed.data),
    taken=_typed,
)
"""The same of points for tiles left."""
