"""Events of the game as ``(type, data)``, for log rows and the bus, and back.

Players are 0 and 1; points are whole and, where they are taken off, positive. The codec checks
form only: whether an event can have happened is for ``recorder.domain.game.apply`` to say.
"""

import re
from collections.abc import Callable, Mapping
from typing import assert_never

from recorder.domain.board import Square, name_across, parse_square
from recorder.domain.errors import DeviceError, NotationError
from recorder.domain.game import (
    CONCEDED_BY,
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
    TimePenalty,
    Withdrawn,
)
from recorder.domain.laying_faults import LayingFault
from recorder.domain.plays import parse_placement
from recorder.domain.record import GameStarted
from recorder.wire.fields import Fields, Json
from recorder.wire.topics import MOST_TABLES

STARTED_TYPE = "game.started"
_TILES = re.compile(r"(?:[^\W\d_]|\?){0,100}")
_TILE = re.compile(r"[^\W\d_]|\?")
_WORD = re.compile(r"(?:[^\W\d_]|[?.]){1,15}")
_POSITION = re.compile(r"[0-9]{1,2}[A-O]|[A-O][0-9]{1,2}")
_GAME = re.compile(r"[A-Za-z0-9._-]{1,64}")
_TILE_SET = re.compile(r"[a-z][a-z0-9_-]{0,31}")
_RULES = re.compile(r"[a-z][a-z0-9_]{0,31}")
_PARAMETER = re.compile(r"[a-z0-9_]{1,40}(?:\.[a-z0-9_]{1,60}){1,3}")
_HOW = re.compile("|".join(CONCEDED_BY))
_SHA256 = re.compile(r"[0-9a-f]{64}")
_MOST_POINTS = 100_000
_LONGEST_START_MS = 24 * 3600 * 1000
_Points = ChallengeBonus | EndRackPoints | EndRackPenalty | TimePenalty | Penalty | Conceded


def encode_started(started: GameStarted) -> tuple[str, Json]:
    """The type name and the JSON object of a game's beginning; what is empty is left out."""
    rules: Json = {
        "overrides": dict(started.overrides),
        "confirmed": list(started.confirmed),
        "rules_checksum": started.rules_checksum,
        "words": list(started.words),
    }
    return STARTED_TYPE, {
        "game": started.game,
        "table": started.table,
        "players": list(started.players),
        "tile_set": started.tile_set,
        "rules": started.rules,
        "starts_ms": list(started.starts_ms),
        "left_player": started.left_player,
        **{name: value for name, value in rules.items() if value},
    }


def decode_started(data: Json) -> GameStarted:
    """A game's beginning from its JSON object. Raises DeviceError naming the field at fault."""
    fields = Fields(data, STARTED_TYPE)
    first, second = fields.texts("players", count=2, most=80)
    first_ms, second_ms = fields.integers("starts_ms", count=2)
    if not (0 <= first_ms <= _LONGEST_START_MS and 0 <= second_ms <= _LONGEST_START_MS):
        raise fields.fault("starts_ms", f"two times within 0..{_LONGEST_START_MS}")
    return GameStarted(
        game=fields.matching("game", _GAME),
        table=fields.integer("table", 1, MOST_TABLES),
        players=(first, second),
        tile_set=fields.matching("tile_set", _TILE_SET),
        rules=fields.matching("rules", _RULES),
        starts_ms=(first_ms, second_ms),
        left_player=fields.integer("left_player", 0, 1),
        overrides=_overrides(fields),
        confirmed=fields.texts("confirmed", most=160) if fields.has("confirmed") else (),
        rules_checksum=(
            fields.matching("rules_checksum", _SHA256) if fields.has("rules_checksum") else ""
        ),
        words=_words(fields),
    )


def _words(fields: Fields) -> tuple[str, str] | tuple[()]:
    """Name and checksum of a word list."""
    if not fields.has("words"):
        return ()
    name, checksum = fields.texts("words", count=2, most=200)
    if not _SHA256.fullmatch(checksum):
        raise fields.fault("words", "the name of a list and its SHA-256")
    return name, checksum


def _overrides(fields: Fields) -> Json:
    """Parameters by name; whether there are such and what they can be, the rule sets know."""
    overrides = fields.object("overrides") if fields.has("overrides") else {}
    if not all(_PARAMETER.fullmatch(name) for name in overrides):
        raise fields.fault("overrides", "an object of values by parameter")
    return overrides


def encode_event(event: GameEvent) -> tuple[str, Json]:
    """The type name and the JSON object of a game event."""
    match event:
        case Played(placement=placement, score=score, rack=rack):
            name = "played"
            where: Json = {"position": placement.position, "word": placement.word}
            rest = {**where, "score": score, "rack": rack}
        case IllegallyPlayed():
            name, rest = "illegal", _illegal_data(event)
        case Exchanged(count=count, tiles=tiles, rack=rack):
            name, rest = "exchanged", {"count": count, "tiles": tiles, "rack": rack}
        case Passed(rack=rack):
            name, rest = "passed", {"rack": rack}
        case NoPlay():
            name, rest = "no_play", {}
        case Withdrawn(score=score):
            name, rest = "withdrawn", {"score": score}
        case _:
            name, rest = _points_data(event)
    return f"game.{name}", {"player": event.player, **rest}


def _illegal_data(event: IllegallyPlayed) -> Json:
    data: Json = {
        "laid": {name_across(sq): tile for sq, tile in event.tiles},
        "faults": [fault.value for fault in event.faults],
        "score": event.score,
        "rack": event.rack,
    }
    return data | ({"lifted": [*map(name_across, event.lifted)]} if event.lifted else {})


def _points_data(event: _Points) -> tuple[str, Json]:
    """Events that are about points only: the name, and the fields beside the player."""
    match event:
        case ChallengeBonus(points=points):
            return "challenge_bonus", {"points": points}
        case EndRackPoints(points=points, tiles=tiles):
            return "end_rack_points", {"points": points, "tiles": tiles}
        case EndRackPenalty(points=points, tiles=tiles):
            return "end_rack_penalty", {"points": points, "tiles": tiles}
        case TimePenalty(points=points):
            return "time_penalty", {"points": points}
        case Penalty(points=points, reason=reason):
            return "penalty", {"points": points, "reason": reason}
        case Conceded(margin=margin, how=how):
            return "conceded", {"margin": margin, "how": how}
        case _:
            assert_never(event)


def decode_event(type_name: str, data: Json) -> GameEvent:
    """The event of that type. Raises DeviceError naming an unknown type or a bad field."""
    decode = EVENT_TYPES.get(type_name)
    if decode is None:
        raise DeviceError(f"unknown event type {type_name!r}")
    return decode(Fields(data, type_name))


def _player(fields: Fields) -> int:
    return fields.integer("player", 0, 1)


def _points(fields: Fields) -> int:
    return fields.integer("points", 0, _MOST_POINTS)


def _score(fields: Fields) -> int:
    return fields.integer("score", 0, _MOST_POINTS)


def _tiles(fields: Fields, name: str) -> str:
    return fields.matching(name, _TILES) if fields.has(name) else ""


def _played(fields: Fields) -> Played:
    text = f"{fields.matching('position', _POSITION)} {fields.matching('word', _WORD)}"
    try:
        placement = parse_placement(text)
    except NotationError as err:
        raise DeviceError(f"game.played: {err}") from err
    return Played(_player(fields), placement, _score(fields), _tiles(fields, "rack"))


def _illegal(fields: Fields) -> IllegallyPlayed:
    known = {fault.value for fault in LayingFault}
    faults = fields.texts("faults", most=20)
    if not faults or not known.issuperset(faults):
        raise fields.fault("faults", f"some of {', '.join(sorted(known))}")
    tiles = read_tiles(fields, "laid")
    if not tiles:
        raise fields.fault("laid", "one tile or more")
    return IllegallyPlayed(
        player=_player(fields),
        tiles=tiles,
        faults=tuple(map(LayingFault, faults)),
        score=_score(fields),
        rack=_tiles(fields, "rack"),
        lifted=read_squares(fields, "lifted"),
    )


def read_tiles(fields: Fields, name: str) -> tuple[tuple[Square, str], ...]:
    """Tiles by the names of their squares, in the order of the squares; empty where none is."""
    tiles: list[tuple[Square, str]] = []
    for where, tile in (fields.object(name) if fields.has(name) else {}).items():
        if not (isinstance(tile, str) and _TILE.fullmatch(tile)):
            raise fields.fault(name, f"one letter or ? for {where}")
        tiles.append((_square(fields, name, where), tile))
    if len({sq for sq, _ in tiles}) < len(tiles):
        raise fields.fault(name, "one tile for each square")
    return tuple(sorted(tiles))


def read_squares(fields: Fields, name: str) -> tuple[Square, ...]:
    """Squares by name, in their order; empty where none is."""
    names = fields.texts(name, most=3) if fields.has(name) else ()
    return tuple(sorted(_square(fields, name, one) for one in names))


def _square(fields: Fields, name: str, text: str) -> Square:
    try:
        return parse_square(text)[0]
    except NotationError as err:
        raise fields.fault(name, f"squares as 8H ({err})") from err


def _exchanged(fields: Fields) -> Exchanged:
    count = fields.integer("count", 1, 100)
    return Exchanged(_player(fields), count, _tiles(fields, "tiles"), _tiles(fields, "rack"))


def _conceded(fields: Fields) -> Conceded:
    margin = fields.integer("margin", 0, _MOST_POINTS)
    return Conceded(_player(fields), margin, fields.matching("how", _HOW))


EVENT_TYPES: Mapping[str, Callable[[Fields], GameEvent]] = {
    "game.played": _played,
    "game.illegal": _illegal,
    "game.exchanged": _exchanged,
    "game.passed": lambda f: Passed(_player(f), _tiles(f, "rack")),
    "game.no_play": lambda f: NoPlay(_player(f)),
    "game.withdrawn": lambda f: Withdrawn(_player(f), _score(f)),
    "game.challenge_bonus": lambda f: ChallengeBonus(_player(f), _points(f)),
    "game.end_rack_points": lambda f: EndRackPoints(_player(f), _points(f), _tiles(f, "tiles")),
    "game.end_rack_penalty": lambda f: EndRackPenalty(_player(f), _points(f), _tiles(f, "tiles")),
    "game.time_penalty": lambda f: TimePenalty(_player(f), _points(f)),
    "game.penalty": lambda f: Penalty(_player(f), _points(f), f.text("reason", most=200)),
    "game.conceded": _conceded,
}
"""Every type of game event and how it is read."""
