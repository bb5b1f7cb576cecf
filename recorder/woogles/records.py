"""Records in the JSON forms of the field, read as GCG is: GameHistory, and the document of Woogles.

Both are turned into the lines of a GCG file, so that one reader judges all. A fault's line is then
the number of its event, 0 for the header.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from recorder.declared.codec import Json
from recorder.declared.json_objects import parse_json
from recorder.domain.board import COLUMNS
from recorder.domain.errors import NotationError
from recorder.domain.tiles import TileSet
from recorder.gcg import GcgFault, GcgGame, read_gcg
from recorder.gcg.history import LOST_CHALLENGE_NOTE
from recorder.woogles import shapes
from recorder.woogles.document import game_document
from recorder.woogles.letters import Distribution, distribution
from recorder.woogles.wanted import wanted_game

_HUMP = re.compile(r"(?<=[a-z0-9])([A-Z])")
_LOST = {shapes.RESIGNED: "resignation", "TIMED_OUT": "overtime"}


def read_record(data: bytes, *, tile_set: TileSet | None = None) -> GcgGame:
    """The game in a file of any of these forms; faults as ``read_gcg`` has them, and no exception.

    What is JSON and no record has one fault, ``unreadable``.
    """
    if not data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        return read_gcg(data, tile_set=tile_set)
    try:
        lines = _lines(_snake(parse_json(data.decode("utf-8-sig"))))
        text, events = "\n".join(line.text for line in lines), [line.event for line in lines]
    except (NotationError, ValueError) as fault:
        nothing = read_gcg("", tile_set=tile_set)
        return replace(nothing, faults=(GcgFault(1, "unreadable", str(fault)),))
    game = read_gcg(text, tile_set=tile_set)

    def number(line: int) -> int:
        return events[line - 1] if 0 < line <= len(events) else 0

    return replace(
        game,
        moves=tuple(replace(move, line=number(move.line)) for move in game.moves),
        faults=tuple(replace(fault, line=number(fault.line)) for fault in game.faults),
    )


def document_of(game: GcgGame) -> Json:
    """The game as Woogles keeps it. NotationError where its tiles have no letters there."""
    texts = dict(game.pragmata)
    wanted = wanted_game(game.tile_set, game.events, with_racks=True)
    if wanted.waits:
        raise NotationError(wanted.waits)
    lexicon = texts.get("lexicon", "").split()
    blank = shapes.blank_document(
        texts.get("id", ""),
        game.names,
        lexicon[0] if lexicon else "",
        wanted.distribution.name,
        "DOUBLE",
    )
    return game_document(wanted, blank)


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of GCG, and the number of the event that it is of."""

    text: str
    event: int = 0


def _snake(value: Any) -> Any:
    """Names as the interface has them: some programs write ``playedTiles``."""
    if isinstance(value, dict):
        return {_HUMP.sub(r"_\1", key).lower(): _snake(part) for key, part in value.items()}
    return [_snake(part) for part in value] if isinstance(value, list) else value


def _lines(record: Any) -> list[_Line]:
    if not isinstance(record, dict) or not isinstance(record.get("events"), list):
        raise NotationError("JSON, but not the record of a game: it has no events")
    players = record.get("players")
    if not isinstance(players, list) or len(players) != 2:
        raise NotationError("only records of two players can be read")
    nicks = [_nick(player, seat) for seat, player in enumerate(players)]
    if nicks[0] == nicks[1]:
        nicks = [f"{nick}_{seat}" for seat, nick in enumerate(nicks, 1)]
    letters = str(record.get("letter_distribution") or "english").lower()
    header = ["#character-encoding UTF-8"]
    if record.get("lexicon"):
        header.append(f"#lexicon {record['lexicon']}")
    if letters != "english":
        header.append(f"#tile-distribution {letters}")
    for seat, (nick, player) in enumerate(zip(nicks, players, strict=True), 1):
        full = player.get("real_name") or player.get("full_name") or nick
        header.append(f"#player{seat} {nick} {' '.join(str(full).split())}")
    bytes_of = distribution(letters) if isinstance(record.get("board"), dict) else None
    found = [_Line(text) for text in header]
    for number, said in enumerate(record["events"], 1):
        if not isinstance(said, dict):
            raise NotationError(f"event {number} is not an object")
        event = _event(said, bytes_of, nicks, players)
        found += [_Line(text, number) for text in event]
    return found


def _nick(player: object, seat: int) -> str:
    nick = player.get("nickname") if isinstance(player, dict) else None
    return "_".join(str(nick or f"player{seat + 1}").replace(":", " ").split())


def _event(
    said: Json, letters: Distribution | None, nicks: list[str], players: list[Json]
) -> Iterator[str]:
    """The lines of one event: itself, and its notes."""
    seat = _seat(said, players)
    if letters is not None:
        said = _as_text(said, letters)
    kind = said.get("type", shapes.PLAY)
    if isinstance(kind, int) and 0 <= kind < len(shapes.EVENT_TYPES):
        kind = shapes.EVENT_TYPES[kind]
    rack, total = _word(said, "rack"), _number(said, "cumulative")
    body, points = _body(str(kind), said)
    if body:
        kept = rack if kind not in (shapes.END_POINTS, shapes.END_PENALTY) else ""
        yield " ".join(f">{nicks[seat]}: {kept} {body} {points:+d} {total}".split())
    notes = [str(said.get("note") or "")]
    if kind == shapes.LOST_TURN:
        notes.append(LOST_CHALLENGE_NOTE)
    if kind == shapes.EXCHANGE and body == "-":
        notes.append("an exchange of tiles that nobody knows")
    if kind in _LOST:
        notes.append(f"player {seat + 1} lost by {_LOST[str(kind)]}")
    yield from (f"#note {' '.join(note.split())}" for note in notes if note.strip())


def _seat(said: Json, players: list[Json]) -> int:
    """Whose event it is; older records name the player."""
    nick = said.get("nickname")
    names = [player.get("nickname") for player in players]
    seat = names.index(nick) if nick in names else said.get("player_index", 0)
    if seat not in (0, 1):
        raise NotationError(f"player_index: {seat!r} is not a player")
    return int(seat)


def _as_text(said: Json, letters: Distribution) -> Json:
    """An event of a document with its tiles as text."""
    event = shapes.read_event(said)
    return {
        **said,
        "rack": letters.text(event.rack),
        "played_tiles": letters.text(event.tiles, nothing="."),
        "exchanged": letters.text(event.tiles),
        "type": event.kind,
    }


def _body(kind: str, said: Json) -> tuple[str, int]:
    """The text between the rack and the total, and the points."""
    rack = _word(said, "rack")
    if kind == shapes.PLAY:
        return f"{_position(said)} {_word(said, 'played_tiles')}", _number(said, "score")
    if kind == shapes.EXCHANGE:
        tiles = _word(said, "exchanged")
        return f"-{tiles}", 0
    bodies = {
        shapes.PASS: ("-", 0),
        shapes.LOST_TURN: ("-", 0),
        shapes.RETURNED: ("--", -_number(said, "lost_score")),
        shapes.BONUS: ("(challenge)", _number(said, "bonus")),
        shapes.END_POINTS: (f"({rack})", _number(said, "end_rack_points")),
        shapes.END_PENALTY: (f"({rack})", -_number(said, "lost_score")),
        shapes.TIME_PENALTY: ("(time)", -_number(said, "lost_score")),
    }
    if kind not in bodies and kind not in _LOST:
        raise NotationError(f"{kind!r} is not a known event")
    return bodies.get(kind, ("", 0))


def _position(said: Json) -> str:
    written = _word(said, "position")
    if written:
        return written
    row, column = _number(said, "row"), _number(said, "column")
    if not (0 <= row < len(COLUMNS) and 0 <= column < len(COLUMNS)):
        raise NotationError(f"row {row}, column {column} is not a square")
    down = said.get("direction") in (1, "VERTICAL")
    return f"{COLUMNS[column]}{row + 1}" if down else f"{row + 1}{COLUMNS[column]}"


def _word(said: Json, name: str) -> str:
    value = said.get(name, "")
    if not isinstance(value, str) or any(char in value for char in "\r\n"):
        raise NotationError(f"{name}: a text on one line is expected, not {value!r}"[:120])
    return "".join(value.split())


def _number(said: Json, name: str) -> int:
    value = said.get(name, 0)
    if isinstance(value, bool) or not isinstance(value, int):
        raise NotationError(f"{name}: a whole number is expected, not {json.dumps(value)[:40]}")
    return value
