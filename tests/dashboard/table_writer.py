"""A table whose record is written row by row, as a recorder would, into a real SQLite log."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from recorder.domain.board import parse_square
from recorder.domain.game import GameEvent, GameState, Played, apply, new_game
from recorder.domain.observations import SYMBOLS, BoardSeen, SquareCosts, read_symbol
from recorder.domain.plays import parse_placement
from recorder.domain.record import GameStarted
from recorder.domain.row_kind import Kind
from recorder.domain.scoring import score
from recorder.log.port import NewRow, Row
from recorder.log.sqlite import SqliteEventLog
from recorder.tilesets import load_tile_set
from recorder.wire.events import STARTED, encode_event
from recorder.wire.observations import encode_observation

OPENING = (
    "8D ZEPHYR", "F6 CO.Y", "6F .AVE", "I6 .A.N", "9I .OBLE", "M9 .LF",
    "11K OA.", "K11 .TTEr", "15H STI.", "H12 GNU.",
)  # fmt: skip
"""Plays that fit an empty board one after the other; lower case is a blank."""


class TableWriter:
    """Writes the rows of one table. Times go on by a second a row unless ``at`` is given."""

    def __init__(self, log: SqliteEventLog | Path, *, at: int, table: int = 1) -> None:
        self.log = SqliteEventLog(log) if isinstance(log, Path) else log
        self.table = table
        self.at = at
        self.game = ""
        self.number = 0
        self.state: GameState | None = None
        self.rows: list[Row] = []

    def start(self, names: tuple[str, str] = ("Anna", "Ben"), **rest: Any) -> Row:
        """A game begins; 25 minutes each and player 1 on the left unless given otherwise."""
        settings: dict[str, Any] = {
            "game": "g1",
            "tile_set": "english",
            "starts_ms": (1_500_000, 1_500_000),
            "left_player": 0,
            "rules": "wespa1",
        }
        started = GameStarted(table=self.table, players=names, **{**settings, **rest})
        self.game = started.game
        self.state = new_game(load_tile_set(started.tile_set))
        body = {"type": "game.started", "data": STARTED.write(started)}
        return self.write(Kind.RECORDED, body)

    def play(self, player: int, text: str, *, points: int | None = None, **rest: Any) -> Row:
        """A placement, scored unless ``points`` says otherwise."""
        placement = parse_placement(text)
        if points is None:
            points = score(self.state.board, placement, self.state.tile_set)
        return self.record(Played(player, placement, points), **rest)

    def record(self, event: GameEvent, *, doubt: Any = None, refs: Sequence[int] = ()) -> Row:
        assert self.state is not None
        self.state = apply(self.state, event)
        type_name, data = encode_event(event)
        body = {"type": type_name, "data": data, "log_odds": 9.5, "doubt": doubt}
        return self.write(Kind.RECORDED, body, refs=tuple(refs))

    def correct(self, seq: int, *events: GameEvent) -> Row:
        encoded = [dict(zip(("type", "data"), encode_event(one), strict=True)) for one in events]
        body = {"supersedes": seq, "events": encoded, "reason": "seen again", "doubt": None}
        return self.write(Kind.CORRECTED, body, refs=(seq,))

    def observe(self, observation: Any, dev: str = "board-1") -> Row:
        type_name, data = encode_observation(observation)
        self.number += 1
        key = (f"{dev}.{self.table}", "boot", self.number)
        body = {"type": type_name, "data": data, "dev": dev, "boot": "boot", "seq": self.number}
        return self.write(Kind.OBSERVED, {**body, "t": 0}, key=key)

    def write(self, kind: Kind, body: dict[str, Any], **rest: Any) -> Row:
        self.at += 1000
        new = NewRow(table=self.table, game=self.game, kind=kind, at=self.at, body=body, **rest)
        (row,) = self.log.append([new])
        assert row is not None
        self.rows.append(row)
        return row


def look(rows: Sequence[str], **rest: Any) -> BoardSeen:
    """A sure look at a board drawn as 15 rows (``.`` empty, ``?`` blank tile, ``#`` covered)."""
    cells = "".join(rows)
    costs = bytearray(b"\xc0" * (len(cells) * len(SYMBOLS)))
    for sq, symbol in enumerate(cells):
        costs[sq * len(SYMBOLS) + SYMBOLS.index(symbol)] = 0
    settings: dict[str, Any] = {"covered": 0.0, "pose_score": 0.9, "turn_margin": 30.0}
    settings["corners"] = ((0, 0), (1, 0), (1, 1), (0, 1))
    return BoardSeen(
        frame="f",
        squares=SquareCosts(bytes(costs)),
        still_ms=500,
        **{**settings, **rest},
    )


def look_at(state: GameState, new: dict[str, str], **rest: Any) -> BoardSeen:
    """A look at the accepted board with some more tiles on it, by square name."""
    board = state.board.place(
        {parse_square(name)[0]: read_symbol(tile) for name, tile in new.items()}
    )
    rows = ["".join("?" if tile.islower() else tile for tile in row) for row in board.rows()]
    return look(rows, **rest)
