"""A game to GCG text that every reader of the field accepts.

Strict where the reader is tolerant: UTF-8, LF, composed letters (NFC), a rack in every line that
other programs want one in, a sign on every score, no pragma of our own. What GCG cannot say is
said in notes.
"""

import unicodedata
from collections.abc import Sequence

from recorder.domain.game import (
    ChallengeBonus,
    Conceded,
    EndRackPenalty,
    EndRackPoints,
    Exchanged,
    GameEvent,
    GameState,
    IllegallyPlayed,
    NoPlay,
    Passed,
    Penalty,
    Played,
    TimePenalty,
    Unseen,
    Withdrawn,
    apply,
    new_game,
)
from recorder.domain.plays import Fault, placement_faults
from recorder.domain.scoring import score
from recorder.domain.tile_text import write_tiles
from recorder.domain.tiles import BLANK, Tiles, TileSet, face
from recorder.gcg.model import (
    EXCESS_NOTE,
    UNDECIDED_NOTE,
    UNKNOWN_RACK,
    GcgGame,
    GcgMove,
    agreed_note,
    is_agreed_note,
)
from recorder.gcg.plain_moves import plain_moves

_HEADER_ORDER = ("title", "description", "id", "lexicon")
BLANK_NOTE = "a blank of unknown letter is written ?"


def write_gcg(game: GcgGame) -> str:
    """The text of a GCG file: every event as played, agreed scores as agreed.

    Unknown racks are filled with what is certain: the tiles played or exchanged; for a pass, an
    undecided turn or a bonus the rack that the player is seen with next; else UNKNOWN.
    RecorderError when the events cannot have happened one after the other. Illegal layings as
    ``plain_moves`` has them.
    """
    lines = _header(game)
    moves = [move for _, move in plain_moves(game)]
    state = new_game(game.tile_set)
    for index, move in enumerate(moves):
        after = apply(state, move.event)
        if not isinstance(move.event, Conceded):  # GCG has no line for it: its note says it
            lines.append(
                _event_line(game, move.event, _rack_text(moves, index, game.tile_set), after)
            )
        lines += [f"#note {_one_line(note)}" for note in notes_of(state, move)]
        state = after
    lines += [
        f"#rack{seat + 1} {write_tiles(rack, game.tile_set)}"
        for seat, rack in enumerate(game.racks)
        if rack
    ]
    return unicodedata.normalize("NFC", "\n".join(lines)) + "\n"


def _header(game: GcgGame) -> list[str]:
    lines = ["#character-encoding UTF-8"]
    texts = [(key, _one_line(text)) for key, text in game.pragmata]
    for wanted in _HEADER_ORDER:
        lines += [f"#{key} {text}" for key, text in texts if key == wanted and text]
    if game.tile_set.name != "english":
        lines.append(f"#tile-distribution {game.tile_set.name}")
    for seat, nick in enumerate(nicks(game), start=1):
        lines.append(f"#player{seat} {nick} {_one_line(game.players[seat - 1].name) or nick}")
    return lines


def _one_line(text: str) -> str:
    return " ".join(text.split())


def nicks(game: GcgGame) -> tuple[str, str]:
    """The nicknames, without blanks and colons, and never the same for both."""
    first, second = (
        "_".join(player.nick.replace(":", " ").split()) or f"player{seat}"
        for seat, player in enumerate(game.players, start=1)
    )
    return first, second if second != first else f"{second}_2"


def _event_line(game: GcgGame, event: GameEvent, rack: str, after: GameState) -> str:
    body, points = body_of(event, game.tile_set)
    start = f">{nicks(game)[event.player]}:"
    return f"{start} {rack} {body} {points:+d} {after.scores[event.player]}"


def body_of(event: GameEvent, tile_set: TileSet | None = None) -> tuple[str, int]:
    """What stands between the rack and the running total; ``tile_set`` as for ``write_tiles``."""
    match event:
        case Played():
            placement = event.placement
            body = f"{placement.position} {write_tiles(placement.word, tile_set)}", event.score
        case Exchanged():
            body = f"-{write_tiles(event.tiles, tile_set) or event.count}", 0
        case Passed() | NoPlay() | IllegallyPlayed() | Unseen():  # ``plain_moves`` leaves none
            body = "-", 0
        case Withdrawn():
            body = "--", -event.score
        case ChallengeBonus():
            body = "(challenge)", event.points
        case EndRackPoints():
            body = f"({write_tiles(event.tiles, tile_set)})", event.points
        case EndRackPenalty():
            body = f"({write_tiles(event.tiles, tile_set)})", -event.points
        case TimePenalty() | Penalty():  # no reader knows other points taken off; a note tells
            body = "(time)", -event.points
        case Conceded():
            body = "", 0
    return body


def _rack_text(moves: Sequence[GcgMove], index: int, tile_set: TileSet) -> str:
    """The rack as the line has it, or what other programs want where nobody knows it."""
    wanted = isinstance(moves[index].event, Exchanged | Withdrawn | Passed | NoPlay)
    rack = moves[index].rack or rack_of(moves, index)
    return write_tiles(rack, tile_set) or (UNKNOWN_RACK if wanted else "")


def rack_of(moves: Sequence[GcgMove], index: int) -> Tiles:
    """The rack to write where the line itself knows none; empty where nobody knows it."""
    event = moves[index].event
    match event:
        case Played():
            laid = (face(tile) for tile in event.placement.new_tiles().values())
            rack = event.rack or tuple(sorted(laid))
        case IllegallyPlayed() | Unseen():
            rack = event.rack or tuple(sorted(map(face, event.laid.values())))
        case Exchanged():
            rack = event.rack or event.tiles
        case Withdrawn():
            rack = _rack_of_play(moves, index)
        case Passed():
            rack = event.rack or _next_rack(moves, index)
        case NoPlay():  # written as a pass, with the rack of a pass; its note says what it is
            rack = _next_rack(moves, index)
        case ChallengeBonus():
            rack = _next_rack(moves, index)
        case EndRackPenalty():
            rack = event.tiles
        case EndRackPoints() | TimePenalty() | Penalty() | Conceded():
            rack = ()
    return rack


def _rack_of_play(moves: Sequence[GcgMove], index: int) -> Tiles:
    """The rack of the play that is taken back here."""
    player = moves[index].event.player
    for back in range(index - 1, -1, -1):
        event = moves[back].event
        if isinstance(event, Played) and event.player == player:
            return moves[back].rack or rack_of(moves, back)
    return ()


def _next_rack(moves: Sequence[GcgMove], index: int) -> Tiles:
    """The tiles that the player is seen with next; empty when that is never reported."""
    player = moves[index].event.player
    for later in range(index + 1, len(moves)):
        event = moves[later].event
        if isinstance(event, EndRackPoints) and event.player != player:
            return event.tiles
        if event.player != player or isinstance(event, TimePenalty | Penalty):
            continue
        known = moves[later].rack
        if known or isinstance(event, Played | Exchanged | EndRackPenalty):
            return known or rack_of(moves, later)
    return ()


def notes_of(state: GameState, move: GcgMove) -> list[str]:
    """The notes of a move, with those that say what the line itself cannot."""
    event = move.event
    kept = (note for note in move.notes if not is_agreed_note(note))
    notes = [note for note in kept if note not in (UNDECIDED_NOTE, EXCESS_NOTE)]
    own = []
    if isinstance(event, NoPlay):
        own.append(UNDECIDED_NOTE)
    if isinstance(event, Penalty):
        own.append(f"penalty, not overtime: {_one_line(event.reason) or 'ruled by the director'}")
    if isinstance(event, Conceded):
        own.append(f"player {event.player + 1} lost by {event.how}, margin {event.margin}")
    if isinstance(event, Played):
        computed = score(state.board, event.placement, state.tile_set)
        if computed != event.score:
            own.append(agreed_note(event.score, computed))
        if Fault.NOT_IN_SUPPLY & placement_faults(state.board, event.placement, state.tile_set):
            own.append(EXCESS_NOTE)
        if BLANK in event.placement.word and BLANK_NOTE not in notes:
            own.append(BLANK_NOTE)
    return own + notes
