"""A short game with doubts, a withdrawal and an unchanged board, for trying orders on it."""

import copy
from functools import cache

from recorder.domain.observations import (
    BoardSeen,
    ClockAct,
    ClockChanged,
    ClockPressed,
    Observation,
    Side,
)
from recorder.domain.orders import Act, Order, TableOrder
from recorder.domain.record import GameStarted
from recorder.domain.row_kind import Kind
from recorder.lab.memory_log import MemoryEventLog
from recorder.log.port import NewRow, Row
from recorder.table.game_recorder import GameRecorder, TablePlan
from recorder.wire.observations import encode_observation
from tests.looks import Beliefs, look
from tests.recorder.folded_twin import twin_of

CORNERS = ((0.0, 0.0), (900.0, 0.0), (900.0, 900.0), (0.0, 900.0))
EMPTY = "..............."
HAND = """
...............
...............
......HAND.....
"""
HAND_CAT = """
...............
...............
......HAND.....
.....CAT.......
"""
HANDY_CAT = """
...............
...............
......HANDY....
.....CAT.......
"""
UNSURE: Beliefs = {"8J": {"D": 0.45, "O": 0.4}}
STARTED = GameStarted(
    game="g1",
    table=1,
    players=("Ada", "Ben"),
    tile_set="english",
    rules="wespa4",
    starts_ms=(1_500_000, 1_500_000),
    left_player=0,
    confirmed=("endgame", "overtime", "six_zero"),
)


class OrderGame:
    """A game recorder with its log in memory; ``give`` is what a console does."""

    def __init__(self, started: GameStarted = STARTED) -> None:
        self.log = MemoryEventLog()
        self.game_recorder = GameRecorder(TablePlan(started=started, devices={}))
        self.at = 1_000_000
        self.orders = 0
        self.append(self.game_recorder.opening(self.at))

    def append(self, drafts: list[NewRow]) -> list[Row]:
        """Store rows and fold them, as the recorder does."""
        rows = [row for row in self.log.append(drafts) if row is not None]
        for row in rows:
            self.game_recorder.take(row)
        return rows

    def see(self, observation: Observation) -> None:
        self.at += 1000
        type_name, data = encode_observation(observation)
        body = {"type": type_name, "data": data, "dev": "d"}
        row = NewRow(table=1, game="g1", kind=Kind.OBSERVED, at=self.at, body=body)
        self.append([row])
        self.append(self.game_recorder.pending_rows(self.at))

    def press(self, side: Side, running: Side) -> None:
        pressed = ClockPressed(side=side, left_ms=900_000, right_ms=900_000, running=running)
        self.see(pressed)

    def turn(self, side: Side, board: str, beliefs: Beliefs | None = None) -> None:
        """The half of a side is pressed, and then a board is seen."""
        self.press(side, Side.LEFT if side is Side.RIGHT else Side.RIGHT)
        self.show(board, beliefs)

    def stop_clock(self, *, left_ms: int = 900_000, right_ms: int = 900_000) -> None:
        act = ClockChanged(
            act=ClockAct.PAUSE, left_ms=left_ms, right_ms=right_ms, running=Side.NONE
        )
        self.see(act)

    def show(self, board: str, beliefs: Beliefs | None = None) -> None:
        self.see(
            BoardSeen(
                frame=f"f{self.at}",
                squares=look(board, beliefs),
                corners=CORNERS,
                pose_score=0.9,
                turn_margin=20.0,
                covered=0.0,
                still_ms=50,
            )
        )

    def told(self, act: Act, supersedes: str = "") -> TableOrder:
        self.orders += 1
        order = Order(id=f"o{self.orders}", who="Dora", act=act, supersedes=supersedes)
        return TableOrder(table=1, order=order)

    def give(self, told: TableOrder) -> str:
        """Give an order; the code and values of the reason when it was refused, else empty."""
        self.at += 1000
        outcome = self.game_recorder.judge(told, seq=self.log.head() + 1, at=self.at)
        ordered = NewRow.saying(outcome.says, table=1, game="g1", at=self.at, refs=outcome.refs)
        self.append([ordered])
        self.append(self.game_recorder.pending_rows(self.at))
        return str(outcome.reason or "")

    def rows(self) -> list[Row]:
        return list(self.log.read_from(1))

    def drafts(self) -> list[NewRow]:
        """The whole log, to be stored in another one."""
        return [
            NewRow(
                table=row.table,
                game=row.game,
                kind=row.kind,
                at=row.at,
                body=row.body,
                refs=row.refs,
            )
            for row in self.rows()
        ]

    def copied(self) -> "OrderGame":
        """The same game once more, without weighing its looks again."""
        twin = copy.copy(self)
        twin.log, twin.game_recorder = MemoryEventLog(), GameRecorder(self.game_recorder.plan)
        twin.game_recorder.folded = twin_of(self.game_recorder.folded)
        twin.log.append(self.drafts())
        for row in self.rows():
            if row.kind is not Kind.OBSERVED:
                twin.game_recorder.take(row)
        return twin


@cache
def played() -> OrderGame:
    """HAND or HANO, CAT, an unchanged board, CAT again; look at it and copy it, no more."""
    game = OrderGame()
    game.turn(Side.RIGHT, EMPTY)
    game.turn(Side.LEFT, HAND, UNSURE)
    game.turn(Side.RIGHT, HAND_CAT)
    game.turn(Side.LEFT, HAND_CAT)
    game.at += 30_000  # who sends the clock back at once has not passed
    game.turn(Side.RIGHT, HAND_CAT)
    game.turn(Side.LEFT, HANDY_CAT)
    return game
