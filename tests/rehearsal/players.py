"""Two players at a table: they lay what the photographs show and press when it lies."""

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field

from recorder.domain.game import Withdrawn
from recorder.log.port import Row
from tests.eventually import eventually
from tests.rehearsal.cameras import Lens, on_the_table
from tests.rehearsal.clocks import TableClock
from tests.rehearsal.hall import Hall
from tests.rehearsal.photographs import PhotographedTurn

LOOK_S, THOUGHT_S, QUICK_S, REACH_S = 30.0, 3.0, 1.5, 0.3
"""So long a look may take, a turn without tiles takes, the quickest player thinks, and a hand needs
from the last tile to the clock."""

Jolt = Callable[[], object]


@dataclass(frozen=True, slots=True)
class Outage:
    """Lasts so long, in which players take so many turns and look at nothing but the board."""

    lasts_s: float
    turns: int
    happens: Callable[[], AbstractContextManager[object]]


@dataclass(slots=True)
class PlayedTable:
    """A table at which a game is played: what is above the board, and beside it."""

    hall: Hall
    lens: Lens
    clock: TableClock
    number: int = 1
    _read_to: int = 0
    _looks: list[Row] = field(default_factory=list)

    def play(
        self,
        turns: Sequence[PhotographedTurn],
        jolts: Mapping[int, Jolt] | None = None,
        outages: Mapping[int, Outage] | None = None,
    ) -> None:
        """All turns; jolts and outages come before the turn of that number (from 0) is laid."""
        eventually(self._has_looked, "the camera is there")
        if not turns[0].squares:  # the photograph before the first tiles: an empty board
            self.lens.show(on_the_table(turns[0].picture))
            eventually(self._new_looks, "the camera sees the empty board")
        self.clock.start()
        number = 0
        while number < len(turns):
            if jolt := (jolts or {}).get(number):
                jolt()
            if outage := (outages or {}).get(number):
                unseen = turns[number : number + outage.turns]
                with outage.happens():
                    for turn in unseen:
                        self._take(turn, outage.lasts_s / outage.turns)
                number += len(unseen)
            else:
                self._take(turns[number])
                number += 1
        eventually(lambda: not self.clock.waiting(), "the clock's events are stored")

    def _take(self, turn: PhotographedTurn, lasts_s: float | None = None) -> None:
        """One turn; of one that takes so long nobody waits to be seen."""
        time.sleep(QUICK_S if lasts_s is None else lasts_s / 2)
        if isinstance(turn.event, Withdrawn):
            self._take_back(turn, lasts_s)
        else:
            self._lay(turn, lasts_s)
            time.sleep(REACH_S)
            self.clock.press("LR"[turn.event.player])

    def _lay(self, turn: PhotographedTurn, lasts_s: float | None) -> None:
        before = len(self._new_looks())
        self.lens.show(on_the_table(turn.picture))
        if lasts_s is not None:
            time.sleep(max(0.0, lasts_s / 2 - REACH_S))
            return
        end = time.monotonic() + (LOOK_S if turn.squares else THOUGHT_S)
        while time.monotonic() < end and not self._is_seen(turn.squares, before):
            time.sleep(0.1)

    def _take_back(self, turn: PhotographedTurn, lasts_s: float | None) -> None:
        """A challenge: the clock is held, the tiles are taken off, the same player goes on."""
        self.clock.hold()
        self._lay(turn, lasts_s)
        self.clock.go_on()

    def _has_looked(self) -> bool:
        return any(row.type in ("board.seen", "board.not_seen") for row in self.hall.read_log())

    def _is_seen(self, squares: frozenset[int], before: int) -> bool:
        if not squares:
            return False
        for look in self._new_looks()[before:]:
            data = look.body["data"]
            said = {change["square"] for change in data.get("changes", ())}
            if squares <= said or not before:  # the first tells no change
                return True
        return False

    def _new_looks(self) -> list[Row]:
        for row in self.hall.read_log(self._read_to + 1):
            self._read_to = row.seq
            if row.type == "board.seen" and row.table == self.number:
                self._looks.append(row)
        return self._looks
