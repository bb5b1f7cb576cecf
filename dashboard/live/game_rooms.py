"""Every game of the log by its name, and directors' channels for those that are not on any more.

The games that are on at their tables have the hub's own channels. An earlier one is read from the
log when somebody opens it, and follows what is ordered about it from then on. All but the reading
runs on the event loop.
"""

import asyncio
from collections import OrderedDict
from dataclasses import dataclass

from dashboard.live.log_follower import Batch, DelayLine
from dashboard.live.messages.channel import Channel
from dashboard.live.sensor_state import SensorState
from dashboard.live.views import director_model
from recorder.declared.codec import Json
from recorder.domain.event.seating import Pairing
from recorder.domain.record import GameStarted
from recorder.log.places import LogPlace, open_log_reader, shown_place
from recorder.log.port import DamagedLogError, Row
from recorder.projections.broadcast import Projection
from recorder.projections.timeline import Timeline
from recorder.texts import names_shown
from recorder.wire.row_heads import STARTED_TYPE

MOST_OPEN = 16
"""Earlier games that are kept though nobody looks at them."""
Key = tuple[int, str]
"""A table and the name of a game there."""


@dataclass(slots=True)
class _Span:
    """The rows of a game: the first and the last, among those of other games, and how many."""

    first: int
    last: int
    started: GameStarted
    rows: int = 0


class _Room:
    """One earlier game, as the director's page of it is drawn."""

    def __init__(self, table: int) -> None:
        self.channel = Channel()
        self._live = Projection(table)
        self._timeline, self._senses = Timeline(table), SensorState(table)

    def take(self, row: Row) -> None:
        for fold in (self._live, self._timeline, self._senses):
            fold.advance(row)

    def publish(self) -> None:
        model = director_model(self._live.frame(), self._live, self._timeline, self._senses)
        self.channel.publish(self._live.epoch, model["log"]["seq"], model)


class GameRooms:
    """The games of a log; rows are taken in their order."""

    def __init__(self, log: LogPlace) -> None:
        self._log = log
        self._spans: dict[Key, _Span] = {}
        self._rooms: OrderedDict[Key, _Room] = OrderedDict()

    def take(self, batch: Batch) -> None:
        """Take in rows that followed."""
        if batch.anew:
            self._spans.clear()
            self._rooms.clear()
        for row in batch.rows:
            self._take(row)

    def _take(self, row: Row) -> None:
        key = (row.table, row.game)
        if row.type == STARTED_TYPE and isinstance(row.says, GameStarted):
            before = self._spans.get(key)
            first, rows = (before.first, before.rows) if before else (row.seq, 0)
            self._spans[key] = _Span(first, row.seq, row.says, rows)
        if key in self._spans:
            self._spans[key].last = row.seq
            self._spans[key].rows += 1
        if key in self._rooms:
            self._rooms[key].take(row)
            self._rooms[key].publish()

    def listed(self) -> list[Json]:
        """Every game: its table and name, the players, and what it is of the event."""
        return [
            {
                "table": table,
                "game": game,
                "players": list(names_shown(span.started.players)),
                "round": span.started.pairing.round if span.started.pairing else None,
                "division": span.started.pairing.division if span.started.pairing else "",
            }
            for (table, game), span in self._spans.items()
        ]

    def pairing_of(self, table: int, game: str) -> Pairing | None:
        """What a game is of the event; None for a game of its own, or one that is not there."""
        span = self._spans.get((table, game))
        return span.started.pairing if span is not None else None

    def last_row(self, table: int, game: str, upto: int) -> int:
        """The last row of a game up to that row, as far as is known without reading; 0 without."""
        span = self._spans.get((table, game))
        return 0 if span is None else min(span.last, upto)

    def rows(self, table: int, game: str) -> list[Row]:
        """The rows of a game, read from the log; none of one that it does not have.

        DamagedLogError where the log finds fewer by game than it had when it was followed.
        """
        span = self._spans.get((table, game))
        if span is None:
            return []
        last, many = span.last, span.rows
        with open_log_reader(self._log) as reader:
            found = [row for row in reader.of_game(table, game, span.first) if row.seq <= last]
        if len(found) != many:
            raise DamagedLogError(
                f"{shown_place(self._log)} is damaged: it finds {len(found)} of the {many} rows of"
                f" this game; see tilecast log verify"
            )
        return found

    def public_game(self, table: int, game: str, upto: int, delay_ms: int) -> Projection:
        """A game as the public has it: what was corrected in time is right from the start.

        ``upto`` is the last public row of the table. Raises as ``rows`` does.
        """
        fold, line = Projection(table), DelayLine(delay_ms)
        for row in self.rows(table, game):
            line.put(row)
        for row, as_of in line.upto(upto):
            fold.advance(row, as_of=as_of)
        return fold

    async def channel(self, table: int, game: str) -> Channel | None:
        """The director's channel of a game; None where the log has no such game there."""
        key = (table, game)
        while key in self._spans and key not in self._rooms:
            rows = await asyncio.to_thread(self.rows, table, game)
            if rows and rows[-1].seq == self._spans[key].last:
                self._open(key, rows)
        if key not in self._rooms:
            return None
        self._rooms.move_to_end(key)
        return self._rooms[key].channel

    def _open(self, key: Key, rows: list[Row]) -> None:
        room = self._rooms[key] = _Room(key[0])
        for row in rows:
            room.take(row)
        room.publish()
        empty = [known for known, other in self._rooms.items() if not other.channel.viewers]
        for known in empty[: max(0, len(self._rooms) - MOST_OPEN)]:
            if known != key:
                del self._rooms[known]
