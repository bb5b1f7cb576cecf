"""The score sheet: the events that hold, line by line, with words and running totals."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from recorder.domain.board import Board, name_across
from recorder.domain.game import (
    TURNS,
    ChallengeBonus,
    Conceded,
    EndRackPenalty,
    EndRackPoints,
    Exchanged,
    GameEvent,
    GameState,
    IllegallyPlayed,
    Laid,
    NoPlay,
    Passed,
    Penalty,
    Played,
    TimePenalty,
    Unseen,
    Withdrawn,
    apply,
)
from recorder.domain.plays import Placement, placement_in_line
from recorder.domain.scoring import words_formed, words_laid
from recorder.domain.tile_text import write_tiles
from recorder.domain.turns import TurnEnd
from recorder.frames.public import LaidLine, Line, LineKind, PublicLine
from recorder.projections.framed import framed

LAID_KINDS = frozenset({"play", "illegal", "unseen"})
"""Turns that put tiles on the board."""
TURN_KINDS = LAID_KINDS | {"exchange", "pass", "no_play"}


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetLine:
    """One line of the sheet. ``score`` is signed; ``n`` is the number of the turn it belongs to.

    ``ended`` is how its turn ended: the time that it took, both clocks, and the racks.
    ``word`` is written as placed (``"."`` for a tile already there), ``words`` are whole words
    with the main one first, ``squares`` the new tiles' names, or those that a play taken back has
    left bare; all empty where nothing was placed.
    Of an illegal laying, ``squares`` and ``tiles`` are what stays on the board, ``faults`` what was
    wrong; it has ``position`` and ``word`` only where its tiles lie in one line.
    """

    n: int
    player: int
    kind: LineKind
    score: int
    totals: tuple[int, int]
    position: str = ""
    word: str = ""
    words: tuple[str, ...] = ()
    squares: tuple[str, ...] = ()
    count: int = 0
    tiles: str = ""
    faults: tuple[str, ...] = ()
    ended: TurnEnd | None = None

    def in_public(self) -> "SheetLine":
        """The line as everybody may see it: that a laying was illegal is a finding, no fact."""
        return replace(self, kind="play", faults=()) if self.kind == "illegal" else self

    def laid(self) -> LaidLine:
        """What every page gets of a line."""
        return framed(LaidLine, self)

    def as_public(self) -> PublicLine:
        """The line as everybody may see it."""
        public = framed(PublicLine, self.in_public())
        if self._timed is not None and self._timed.spent_ms is not None:
            public["spent_ms"] = self._timed.spent_ms
        return public

    def as_json(self) -> Line:
        """The line as directors and commentators get it."""
        whole = framed(Line, self, total=self.totals[self.player])
        timed = self._timed
        if timed is not None and timed.spent_ms is not None:
            whole["spent_ms"] = timed.spent_ms
        if timed is not None and timed.clocks is not None:
            whole["clocks"] = list(timed.clocks)
        return whole

    @property
    def _timed(self) -> TurnEnd | None:
        """How its turn ended, where the line is the turn itself and not what followed from it."""
        return self.ended if self.kind in TURN_KINDS else None


def next_line(before: GameState, event: GameEvent, turn: int) -> tuple[GameState, SheetLine]:
    """The position after an event and its line; ``turn`` counts the turns before it.

    Raises RecorderError when the event cannot have happened on this board.
    """
    after = apply(before, event)
    number = turn + 1 if isinstance(event, TURNS) else turn
    line = _line(before, event, number, after.scores)
    return after, line


def _line(before: GameState, event: GameEvent, n: int, totals: tuple[int, int]) -> SheetLine:
    kind, score = _kind_and_score(event)
    line = SheetLine(n=n, player=event.player, kind=kind, score=score, totals=totals)
    match event:
        case Played(placement=placement):
            words = tuple(write_tiles(word.tiles) for word in words_formed(before.board, placement))
            return replace(line, words=words, **_where(placement))
        case IllegallyPlayed():
            return _illegal(before.board, event, line)
        case Withdrawn():
            return _withdrawn(before, event, line)
        case Exchanged(count=count) | Unseen(turns=count):
            return replace(line, count=count, **_tiles(event))
        case EndRackPoints(tiles=tiles) | EndRackPenalty(tiles=tiles):
            return replace(line, tiles=write_tiles(tiles))
        case _:
            return line


def _illegal(board: Board, event: IllegallyPlayed, line: SheetLine) -> SheetLine:
    placement = placement_in_line(board, event.laid)
    return replace(
        line,
        words=tuple(write_tiles(word.tiles) for word in words_laid(board, event.laid)),
        position="" if placement is None else placement.position,
        word="" if placement is None else write_tiles(placement.word),
        **_tiles(event),
        faults=tuple(fault.value for fault in event.faults),
    )


def _tiles(event: Laid | Exchanged) -> dict[str, Any]:
    if isinstance(event, Exchanged):
        return {}
    return {
        "squares": tuple(map(name_across, event.lying)),
        "tiles": write_tiles(event.lying.values()),
    }


def _withdrawn(before: GameState, event: Withdrawn, line: SheetLine) -> SheetLine:
    """What was taken back; ``squares`` are those that are bare again."""
    last, board = before.standing[-1], before.board
    off = tuple(map(name_across, event.off(last)))
    if isinstance(last, IllegallyPlayed):
        line = replace(_illegal(board.remove(last.lying), last, line), tiles="", faults=())
    elif isinstance(last, Played):
        word = write_tiles(board[sq] for sq in last.placement.squares())
        line = replace(line, words=(word,), **_where(last.placement))
    return replace(line, squares=off)


_KINDS: Mapping[type, LineKind] = MappingProxyType(
    {
        Played: "play",
        IllegallyPlayed: "illegal",
        Unseen: "unseen",
        Withdrawn: "withdraw",
        Exchanged: "exchange",
        Passed: "pass",
        NoPlay: "no_play",
        ChallengeBonus: "challenge",
        EndRackPoints: "end_rack",
        EndRackPenalty: "end_rack_penalty",
        TimePenalty: "time",
        Penalty: "penalty",
        Conceded: "conceded",
    }
)


def _kind_and_score(event: GameEvent) -> tuple[LineKind, int]:
    """The kind of line and its signed score."""
    kind = _KINDS[type(event)]
    match event:
        case Played(score=score) | IllegallyPlayed(score=score):
            return kind, score
        case Withdrawn(score=score):
            return kind, -score
        case ChallengeBonus(points=points) | EndRackPoints(points=points):
            return kind, points
        case EndRackPenalty(points=points) | TimePenalty(points=points) | Penalty(points=points):
            return kind, -points
        case _:
            return kind, 0


def _where(placement: Placement) -> dict[str, Any]:
    return {
        "position": placement.position,
        "word": write_tiles(placement.word),
        "squares": tuple(name_across(sq) for sq in placement.new_tiles()),
    }
