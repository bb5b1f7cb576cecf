"""The games of a log as late as everybody sees them, for those that pass them on."""

from collections.abc import Callable, Iterator

from dashboard.live.log_follower import Batch, DelayLine
from dashboard.woogles.mirror import OurGame
from recorder.log.port import Row
from recorder.projections.broadcast import Projection
from recorder.tilesets import tile_set_of
from recorder.wire.row_heads import STARTED_TYPE
from recorder.woogles.lexica import challenge_rule_of


class PublicTables:
    """Every table of a log. ``now`` is the record's time in milliseconds since 1970."""

    def __init__(self, delay_ms: int, now: Callable[[], int], tables: frozenset[int]) -> None:
        self._delay_ms, self._now, self._wanted = delay_ms, now, tables
        self._tables: dict[int, _Table] = {}
        self.is_current = False

    def take(self, batch: Batch) -> None:
        """Rows that followed; another log begins from nothing."""
        if batch.anew:
            self._tables.clear()
            self.is_current = False
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
            self._tables[number] = _Table(number, self._delay_ms)
        return self._tables[number]


class _Table:
    """One table: what waits for the delay, and what the public knows."""

    def __init__(self, number: int, delay_ms: int) -> None:
        self._number = number
        self._line = DelayLine(delay_ms)
        self._public = Projection(number)

    def put(self, row: Row) -> None:
        self._line.put(row)

    def released(self, now: int) -> Iterator[OurGame]:
        changed = False
        for row, as_of in self._line.due(now):
            if row.type == STARTED_TYPE and changed:
                yield from self._game()
            self._public.advance(row, as_of=as_of)
            changed = True
        if changed:
            yield from self._game()

    def _game(self) -> Iterator[OurGame]:
        started, state = self._public.started, self._public.state
        if started is None or state is None:
            return
        pairing = started.pairing
        first, second = (rack or "" for rack in self._public.racks.on_air())
        yield OurGame(
            game=started.game,
            table=self._number,
            players=started.players,
            tile_set=tile_set_of(started),
            events=state.events,
            racks=(first, second),
            place=None if pairing is None else (pairing.division, pairing.round),
            challenge=challenge_rule_of(self._public.challenge_system),
            over=self._public.is_over,
        )
