"""The games of a log as late as everybody sees them, for those that pass them on."""

import logging
import sqlite3
import time
from collections.abc import Callable, Iterator

from dashboard.live.game_rooms import GameRooms
from dashboard.live.log_follower import Batch, DelayLine
from dashboard.woogles.mirror import OurGame
from recorder.backoff import Backoff
from recorder.domain.errors import TilecastError
from recorder.log.places import LogPlace
from recorder.log.port import Row
from recorder.projections.broadcast import Projection
from recorder.tilesets import tile_set_of
from recorder.wire.row_heads import STARTED_TYPE
from recorder.woogles.lexica import challenge_rule_of

_PAUSES = Backoff(1.0, 60.0)
_log = logging.getLogger(__name__)


class PublicTables:
    """Every table of a log. ``now`` is the record's time in milliseconds since 1970."""

    def __init__(
        self, log: LogPlace, delay_ms: int, now: Callable[[], int], tables: frozenset[int]
    ) -> None:
        self._delay_ms, self._now, self._wanted = delay_ms, now, tables
        self._rooms = GameRooms(log)
        self._tables: dict[int, _Table] = {}
        self.is_current = False

    def take(self, batch: Batch) -> None:
        """Rows that followed; another log begins from nothing."""
        if batch.anew:
            self._tables.clear()
            self.is_current = False
        self._rooms.take(batch)
        for row in batch.rows:
            if row.table and (not self._wanted or row.table in self._wanted):
                self._table(row.table).put(row)
        self.is_current = self.is_current or batch.caught_up

    def changed(self) -> Iterator[OurGame]:
        """The games that have changed by now, each as it is."""
        if not self.is_current:
            return
        for table in self._tables.values():
            yield from table.released(self._now())

    def _table(self, number: int) -> "_Table":
        if number not in self._tables:
            self._tables[number] = _Table(number, self._delay_ms, self._rooms)
        return self._tables[number]


class _Table:
    """One table: what waits for the delay, and what the public knows."""

    def __init__(self, number: int, delay_ms: int, rooms: GameRooms) -> None:
        self._number, self._delay_ms, self._rooms = number, delay_ms, rooms
        self._line = DelayLine(delay_ms)
        self._public = Projection(number)
        self._earlier: set[str] = set()
        """Games of which more has become public since another is on at the table."""
        self._failures, self._again = 0, 0.0

    def put(self, row: Row) -> None:
        self._line.put(row)

    def released(self, now: int) -> Iterator[OurGame]:
        changed = False
        for row, as_of in self._line.due(now):
            if row.type == STARTED_TYPE and changed:
                yield from self._game(self._public)
            self._public.advance(row, as_of=as_of)
            changed = True
            if row.game not in ("", self._shown):
                self._earlier.add(row.game)
        for public in self._corrected():
            yield from self._game(public)
        if changed:
            yield from self._game(self._public)

    @property
    def _shown(self) -> str:
        return "" if self._public.started is None else self._public.started.game

    def _corrected(self) -> list[Projection]:
        """The earlier games, read from the log again; where it cannot be read, later."""
        found: list[Projection] = []
        if not self._earlier or time.monotonic() < self._again:
            return found
        upto = self._public.seq
        try:
            for game in sorted(self._earlier):
                found.append(self._rooms.public_game(self._number, game, upto, self._delay_ms))
                self._earlier.discard(game)
            self._failures = 0
        except (TilecastError, OSError, sqlite3.Error):
            self._failures += 1
            self._again = time.monotonic() + _PAUSES.after(self._failures)
            _log.exception("a corrected game of table %d is not read again yet", self._number)
        return found

    def _game(self, public: Projection) -> Iterator[OurGame]:
        started, state = public.started, public.state
        if started is None or state is None:
            return
        pairing = started.pairing
        first, second = (rack or "" for rack in public.racks.on_air())
        yield OurGame(
            game=started.game,
            table=self._number,
            players=started.players,
            tile_set=tile_set_of(started),
            events=state.events,
            racks=(first, second),
            place=None if pairing is None else (pairing.division, pairing.round),
            challenge=challenge_rule_of(public.challenge_system),
            over=public.is_over,
        )
