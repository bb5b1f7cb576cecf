"""Illegal layings and unseen turns in moves that every program of the field can follow.

The field's formats know plays in one line, and nothing else that puts tiles on a board. An illegal
laying is written as such a play where it lies in one line, legal or not; as several, with passes of
the opponent between them, where it does not; as a pass where its tiles are gone again. The board
and the totals are right after each; a note says what really happened, and our own reader takes a
laying in one line back from it.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from recorder.domain.board import Board, Direction, Square, name_across, parse_square
from recorder.domain.errors import NotationError
from recorder.domain.game import (
    GameState,
    IllegallyPlayed,
    Passed,
    Played,
    TilesBySquare,
    Unseen,
    Withdrawn,
    apply,
    new_game,
)
from recorder.domain.laying_faults import LayingFault
from recorder.domain.plays import placement_in_line, placement_of, run_through
from recorder.domain.tile_text import read_tile
from recorder.domain.tiles import Tile, face
from recorder.gcg.model import GcgGame, GcgMove

SAME_TURN_NOTE = "no turn: the tiles before and after it were laid in one"
_NOTE = re.compile(
    r"illegal laying \((?P<faults>[a-z_ ]+)\): "
    r"(?P<tiles>\S+=(?:\S|\[\S+\])(?: \S+=(?:\S|\[\S+\]))*)"
    r"(?:; came off: (?P<lifted>\S+(?: \S+)*))?"
)


def plain_moves(game: GcgGame) -> list[tuple[int, GcgMove]]:
    """The moves of a game without illegal layings, each with the place of the one it stands for.

    RecorderError when the events cannot have happened one after the other.
    """
    state, found, skip = new_game(game.tile_set), list[tuple[int, GcgMove]](), False
    for at, move in enumerate(game.moves):
        event = move.event
        if not skip and isinstance(event, IllegallyPlayed | Unseen):
            after = game.moves[at + 1].event if at + 1 < len(game.moves) else None
            plain = list(_plain(state, event, after))
            own = tuple(note for note in move.notes if not _NOTE.fullmatch(note))
            notes = (note_of(event), *own)
            plain[0] = replace(plain[0], rack=move.rack, notes=notes)
            found += [(at, plain_move) for plain_move in plain]
            skip = isinstance(after, Withdrawn) and isinstance(plain[0].event, Passed)
        elif not skip:
            found.append((at, move))
        else:
            skip = False
        state = apply(state, event)
    return found


def _plain(state: GameState, event: IllegallyPlayed | Unseen, after: object) -> Iterator[GcgMove]:
    lying = event.lying
    placement = placement_in_line(state.board, lying)
    if placement is not None:
        yield GcgMove(Played(event.player, placement, event.score, event.rack))
        return
    if not lying or isinstance(after, Withdrawn):
        rack = event.rack or tuple(sorted(map(face, event.laid.values())))
        yield GcgMove(Passed(event.player, rack))
        return
    board = state.board
    for number, part in enumerate(_lines(board, lying)):
        if number:
            yield GcgMove(Passed(1 - event.player), notes=(SAME_TURN_NOTE,))
        score = 0 if number else event.score
        yield GcgMove(Played(event.player, placement_of(board, part), score))
        board = board.place(part)


def _lines(board: Board, lying: Mapping[Square, Tile]) -> Iterator[dict[Square, Tile]]:
    """The tiles line by line, the line with most of them first."""
    after, left = board.place(lying), dict(lying)
    while left:
        runs = [run_through(after, sq, direction) for sq in left for direction in Direction]
        longest = max(runs, key=lambda run: sum(sq in left for sq in run))
        yield {sq: left.pop(sq) for sq in longest if sq in left}


def _written(tiles: TilesBySquare) -> str:
    return " ".join(f"{name_across(sq)}={tile}" for sq, tile in tiles)


def note_of(event: IllegallyPlayed | Unseen) -> str:
    """The note under an illegal laying or unseen turns: what they were, and all their tiles."""
    if isinstance(event, Unseen):
        return f"{event.turns} turns not seen: {_written(event.tiles)}"
    faults = " ".join(fault.value for fault in event.faults)
    tiles = _written(event.tiles)
    gone = f"; came off: {' '.join(map(name_across, event.lifted))}" if event.lifted else ""
    return f"illegal laying ({faults}): {tiles}{gone}"


def illegal_as_noted(text: str, move: GcgMove) -> IllegallyPlayed | None:
    """The laying that a note reports the move before it; None where it shows no such thing.

    Nor where the move shows other tiles than stayed on the board: then it is a part of a laying.
    """
    note, event = _NOTE.fullmatch(text), move.event
    if note is None or not isinstance(event, Played | Passed):
        return None
    try:
        laying = IllegallyPlayed(
            player=event.player,
            tiles=tuple(sorted(map(_tile, note["tiles"].split()))),
            faults=tuple(map(LayingFault, note["faults"].split())),
            score=event.score if isinstance(event, Played) else 0,
            rack=event.rack,
            lifted=tuple(sorted(parse_square(name)[0] for name in (note["lifted"] or "").split())),
        )
    except (NotationError, ValueError):
        return None
    shown = event.laid if isinstance(event, Played) else {}
    return laying if laying.lying == shown else None


def squares_noted(text: str) -> frozenset[Square]:
    """The squares of a laying that a note reports; none where it reports no such thing."""
    note = _NOTE.fullmatch(text)
    try:
        return frozenset(_tile(tile)[0] for tile in note["tiles"].split()) if note else frozenset()
    except NotationError:
        return frozenset()


def _tile(text: str) -> tuple[Square, Tile]:
    name, _, tile = text.partition("=")
    return parse_square(name)[0], read_tile(tile)
