"""A networked clock with a bad quartz, for half an hour; nothing is waited for."""

from pathlib import Path

import pytest

from recorder.bus.port import Message
from recorder.domain.recorded_turns import RecordedTurns
from recorder.domain.row_kind import Kind
from recorder.lab.comparison import event_text
from recorder.lab.memory_bus import MemoryBus
from recorder.log.sqlite import SqliteEventLog
from recorder.service.recorder import Recorder
from tests.cases import first_of
from tests.foreign_clock import ForeignClock
from tests.recorder.session_table import VENUE, Table, board, plan, recorded

pytestmark = pytest.mark.slow  # plays for half an hour of the clock's time

PAIRS = ("EA", "TO", "IN", "ER", "AT", "NO", "IE", "RA", "OT", "EN", "SI", "LU", "DE", "GO", "RE")
ROWS = (8, 9, 10, 11, 12, 13, 14, 15, 7, 6, 5, 4, 3, 2, 1)
PLAYS = [f"{row}G {pair}" for row, pair in zip(ROWS, PAIRS, strict=True)]
THOUGHT_S = 120
LAST_TILE_MS = 400
"""From a look at the first tile to the second one."""


class Evening:
    """A recorder, a camera whose time is right, and a stranger's clock with a pace of its own."""

    def __init__(self, folder: Path, ppm: int) -> None:
        self.table, self._heard = Table(), list[Message]()
        ears, bus = (MemoryBus(self.table.broker, at_once=True) for _ in range(2))
        ears.start()
        ears.subscribe(f"tc/v1/{VENUE}/down/clock/+", self._heard.append)
        self.store = SqliteEventLog(folder / "log.db")
        self.recorder = Recorder(
            plan(folder / "live.gcg"), bus, self.store, lambda: 1_000_000 + self.table.now_ms
        )
        self.recorder.open()
        pace = 1 + ppm / 1e6
        self.clock = ForeignClock(
            VENUE, "clock", folder / "flash", now_s=lambda: self.table.now_ms / 1000 * pace
        )
        self.clock.connected(
            lambda topic, payload, qos, *, retained: self.table.bus.publish(
                topic, payload, qos=qos, retain=retained
            )
        )

    def settle(self) -> None:
        """What was said is taken in, and the clock hears the answers."""
        self.recorder.catch_up()
        while self._heard:
            message = self._heard.pop(0)
            self.clock.hear(message.topic, message.payload)
            self.recorder.catch_up()

    def think(self, seconds: int) -> None:
        """Time goes by; the clock beats."""
        for _ in range(seconds):
            self.table.now_ms += 1000
            self.clock.step()
            self.settle()

    def show(self, *words: str) -> None:
        """The camera sees a board, 100 ms later."""
        self.table.show(board(*words))
        self.settle()

    def press(self, side: str) -> None:
        self.clock.press(side)
        self.settle()

    def play(self) -> None:
        self.think(10)
        self.show()
        self.press("R")
        for number, play in enumerate(PLAYS):
            self.think(THOUGHT_S)
            self.show(*PLAYS[:number], play[:-1])
            self.table.now_ms += LAST_TILE_MS
            self.show(*PLAYS[: number + 1])
            self.table.now_ms += 100
            self.press("LR"[number % 2])
            self.show(*PLAYS[: number + 1])
        self.recorder.stop()
        self.store.close()
        self.table.bus.stop()


@pytest.mark.parametrize("ppm", first_of(1, [-735, 735]))
def test_a_clock_with_a_bad_quartz_changes_no_turn(tmp_path: Path, ppm: int) -> None:
    """Without comparing its time it is 1.3 s off at the end, more than a tile is laid in."""
    Evening(tmp_path, ppm).play()
    rows, game = recorded(tmp_path), RecordedTurns()
    for row in rows:
        game.take(row)
    assert [event_text(event).split()[1:3] for event in game.events] == [
        play.split() for play in PLAYS
    ]
    assert not [row for row in rows if row.kind is Kind.CORRECTED or row.body.get("doubt")]
