"""One table at the recorder: its fold, its ledger, its live GCG.

Takes rows of the log, gives rows for the log. Knows no bus and no clock of its own.
"""

import logging
import os
from bisect import bisect
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from recorder.domain.errors import DeviceError, TilecastError
from recorder.domain.table import Stamped, TableState, open_table, take
from recorder.eventlog import Kind, NewRow, Row
from recorder.gcg import GcgGame, GcgMove, GcgPlayer, write_gcg
from recorder.ledger import Ledger
from recorder.tilesets import load_tile_set
from recorder.wire import (
    STARTED_TYPE,
    GameStarted,
    Json,
    decode_observation,
    encode_started,
)

log = logging.getLogger("tilecast.recorder")


@dataclass(frozen=True, slots=True, kw_only=True)
class TablePlan:
    """A game at a table: who plays, which devices serve it (name to role), where its GCG goes."""

    started: GameStarted
    devices: Mapping[str, str]
    gcg: Path | None = None


class Desk:
    """The recording of one game at one table."""

    def __init__(self, plan: TablePlan) -> None:
        self.plan = plan
        self.tile_set = load_tile_set(plan.started.tile_set)
        self.ledger = Ledger()
        self._opened = False
        self._changed = False
        self._gcg_failed = False
        self._opening = open_table(
            self.tile_set,
            starts_ms=plan.started.starts_ms,
            left_player=plan.started.left_player,
        )
        self._taken: list[Stamped] = []
        self._states: list[TableState] = []

    @property
    def state(self) -> TableState:
        """The table as folded so far."""
        return self._states[-1] if self._states else self._opening

    def take(self, row: Row) -> None:
        """Account for one row of the log that belongs to this table and game."""
        if row.game != self.plan.started.game:
            return
        if row.kind is Kind.OBSERVED:
            self._observe(row)
        elif row.kind is Kind.RECORDED and row.body["type"] == STARTED_TYPE:
            self._opened = True
        else:
            self.ledger.take(row)
            self._write_gcg()

    def opening(self, at: int) -> list[NewRow]:
        """The row that begins the game, unless the log has it already."""
        if self._opened:
            return []
        type_name, data = encode_started(self.plan.started)
        body: Json = {"type": type_name, "data": data, "log_odds": None, "doubt": None, "group": 0}
        return [self._new(body, at)]

    def news(self, at: int) -> list[NewRow]:
        """The rows that bring the record up to what the fold now says."""
        if not self._changed:
            return []
        self._changed = False
        started = self.plan.started
        return self.ledger.rows(self.state.story(), table=started.table, game=started.game, at=at)

    def _observe(self, row: Row) -> None:
        """Fold an observation in at its time, and whatever is later once more after it.

        A device that was cut off sends late what it saw in time: a clock's presses belong before
        the looks that were taken after them.
        """
        try:
            observation = decode_observation(row.body["type"], row.body["data"])
        except DeviceError:
            return
        stamped = Stamped(seq=row.seq, at_ms=row.at, observation=observation)
        place = bisect(self._taken, _moment(stamped), key=_moment)
        self._taken.insert(place, stamped)
        state = self._states[place - 1] if place else self._opening
        before = self.state
        del self._states[place:]
        for one in self._taken[place:]:
            state = take(state, one)
            self._states.append(state)
        self._changed = self._changed or self.state is not before

    def _new(self, body: Json, at: int) -> NewRow:
        started = self.plan.started
        return NewRow(table=started.table, game=started.game, kind=Kind.RECORDED, at=at, body=body)

    def _write_gcg(self) -> None:
        """Replace the live GCG in one step: a crash leaves the old file or the new one.

        The log is the record; a file that cannot be written (full disk, no folder) is said once
        and stops nothing.
        """
        if self.plan.gcg is None:
            return
        part = self.plan.gcg.with_name(self.plan.gcg.name + ".part")
        try:
            part.write_text(self.gcg(), encoding="utf-8")
            os.replace(part, self.plan.gcg)  # noqa: PTH105 - named after the guarantee it gives
        except (OSError, TilecastError) as fault:
            if not self._gcg_failed:
                log.error("%s cannot be written: %s; recording goes on", self.plan.gcg, fault)  # noqa: TRY400 - the reason is the message
            self._gcg_failed = True
        else:
            self._gcg_failed = False

    def gcg(self) -> str:
        """The game as recorded, as GCG text."""
        started = self.plan.started
        first, second = started.players
        game = GcgGame(
            players=(_gcg_player(first), _gcg_player(second)),
            tile_set=self.tile_set,
            moves=tuple(GcgMove(event) for event in self.ledger.events),
        )
        return write_gcg(game)


def _moment(stamped: Stamped) -> tuple[int, int]:
    """The order of the fold: by time, then as they arrived."""
    return stamped.at_ms, stamped.seq


def _gcg_player(name: str) -> GcgPlayer:
    return GcgPlayer(nick="_".join(name.split()), name=name)
