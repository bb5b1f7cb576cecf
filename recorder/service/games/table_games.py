"""Which game is on at each table, and when the next one of the event begins there.

A table goes from game to game without a restart: a pairing that is published waits for it, and
begins once the table is free and its board is bare, or once its clocks are started at full time.
Who sits there is what the event says until the result is in. Earlier games can be had again from
the log. Makes rows; stores none, and knows no bus.
"""

import re
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from heapq import merge
from typing import TYPE_CHECKING

from recorder.domain.errors import DeviceError
from recorder.domain.event.seating import (
    Pairing,
    SeatedGame,
    Seating,
    is_settled,
    players_touched,
    seating,
)
from recorder.domain.observations import (
    BoardSeen,
    ClockAct,
    ClockChanged,
    ClockPressed,
)
from recorder.domain.reading.looks import is_clear
from recorder.domain.record import GameStarted, Observed
from recorder.domain.row_kind import Kind
from recorder.log.port import EventLog, NewRow, Row
from recorder.orders.event_record import EVENT_TABLE, EventDesk, event_of_log
from recorder.service.games.beginning import (
    is_bare,
    is_full,
    is_laid,
    is_played,
    is_untouched,
    left_player,
)
from recorder.service.games.division_settings import DivisionSettings
from recorder.service.games.table_at_hand import KnownGame, TableAtHand
from recorder.service.timekeeping import CLOCK_TYPES
from recorder.table.game_recorder import TablePlan
from recorder.table.guarded import GuardedGameRecorder
from recorder.tilesets import tile_set_of
from recorder.wire.envelope import Envelope
from recorder.wire.observations import decode_observation
from recorder.wire.row_heads import STARTED_TYPE

if TYPE_CHECKING:
    from recorder.domain.event.divisions import Event

AT_HAND_MS = 600_000
"""So long a game that is settled is kept at hand; then it is read from the log when asked for."""
MOST_EARLIER = 8
"""Earlier games that are kept at hand; others are read from the log again when asked for."""
_MOST_OF_NAME = 20


class TableGames:
    """The games of a recorder's tables; rows are taken in the order of the log."""

    def __init__(
        self,
        tables: Iterable[TablePlan],
        store: EventLog,
        event: EventDesk,
        settings: DivisionSettings,
    ) -> None:
        self._tables = {
            plan.started.table: TableAtHand(plan, GuardedGameRecorder(plan)) for plan in tables
        }
        self._store, self._event, self._settings = store, event, settings
        self._earlier: OrderedDict[tuple[int, str], GuardedGameRecorder] = OrderedDict()
        self._newest, self._recalling = 0, False
        self._settled_by: Event | None = None
        self._seated: tuple[Event | None, Seating] = (None, Seating({}, {}))

    def __iter__(self) -> Iterator[int]:
        return iter(self._tables)

    def on(self, table: int) -> GuardedGameRecorder:
        """The game recorder of a table; KeyError where the recorder has no such table."""
        self._wake(self._tables[table])
        return self._tables[table].present

    def precompute_reading(self, table: int) -> bool:
        """Weigh a table's newest look for the press that may come; False if there is none."""
        return not self.sleeps(table) and self.on(table).precompute_reading()

    def sleeps(self, table: int) -> bool:
        """Whether the game at a table is settled, and nothing of it is kept at hand."""
        return self._tables[table].asleep

    def _wake(self, table: TableAtHand) -> None:
        """Read the present game from the log, if it is not at hand."""
        if table.asleep:
            table.asleep = False
            for row in self._taken_of(table.setup.started.table, table.game):
                table.present.take(row)

    def _taken_of(self, table: int, game: str) -> Iterator[Row]:
        """The rows of a game that were taken; what else the log has by now is still to come."""
        rows = self._store.of_game(table, game)
        return (row for row in rows if row.seq <= self._newest)

    def recall(self) -> Iterator[Row]:
        """Note what games the log has; the rows to take in now, in the order of the log.

        Earlier games are not read, nor is a present one folded that is settled.
        """
        for row in self._store.beginnings():
            table = self._tables.get(row.table)
            if table is not None and isinstance(row.says, GameStarted):
                self._note(table, row, row.says)
        known = event_of_log(self._store)
        tile_sets = (tile_set_of(table.setup.started) for table in self._tables.values())
        self._settings.recall((order for order in known.orders), tile_sets)
        streams = [self._store.of_game(EVENT_TABLE, "")]
        for number, table in self._tables.items():
            if table.latest is not None:
                pairing = table.latest.pairing
                if table.game != table.latest.game:
                    table.present = GuardedGameRecorder(self._plan(table.setup, table.latest))
                table.asleep = pairing is not None and is_settled(known.event, pairing)
                streams.append(self._store.of_game(number, table.game))
            streams.append(self._store.of_game(number, "", table.first))
        self._recalling = True
        yield from merge(*streams, key=lambda row: row.seq)
        self._recalling, self._newest = False, self._store.head()

    def find(self, table: int, game: str) -> GuardedGameRecorder | None:
        """A game of a table by its name, of which "" is the present one; None without a game."""
        found = self._tables.get(table)
        if found is None or (not game and found.present.plan.waits):
            return None
        return self._from_log(table, game) or self.on(table)

    def place(self, table: int, at_ms: int | None = None) -> str:
        """The game at a table, now or at a moment; "" between games.

        What a device sends late belongs to the game that was on then.
        """
        found = self._tables.get(table)
        if found is None or found.present.plan.waits:
            return ""
        present = found.present.plan.started.game
        if at_ms is not None and at_ms < found.games[present].began_ms:
            begun = [name for name, game in found.games.items() if game.began_ms <= at_ms]
            return begun[-1] if begun else present
        since_ms = found.settled_ms
        return "" if since_ms is not None and (at_ms is None or at_ms >= since_ms) else present

    def take(self, row: Row) -> bool:
        """Take in a row of the log; whether it is of what is on at its table."""
        table = self._tables.get(row.table)
        if table is None:
            if row.table == EVENT_TABLE and row.kind is Kind.RULED:
                self._settle(row.at)
            self._newest = max(self._newest, row.seq)
            return False
        if row.type == STARTED_TYPE and isinstance(row.says, GameStarted):
            self._begin(table, row, row.says)
        if row.type == "board.seen" and isinstance(row.says, Observed):
            seen = row.says.what
            if isinstance(seen, BoardSeen) and is_clear(seen):
                table.look = seen
        is_present = row.game == table.present.plan.started.game
        recorder = table.present if is_present else self._earlier.get((row.table, row.game))
        if is_present and not self._recalling:
            self._wake(table)
        if recorder is not None and not (is_present and table.asleep):
            recorder.take(row)
        self._newest = max(self._newest, row.seq)
        return row.game == self.place(row.table)

    def _settle(self, at_ms: int) -> None:
        """Note at which tables the game that was on is settled by now, or is not any more."""
        event, before = self._event.register.event, self._settled_by
        self._settled_by = event
        touched = players_touched(before, event)
        for table in self._tables.values():
            pairing = table.present.plan.started.pairing
            if pairing is not None and pairing is table.judged:
                players = touched.get(pairing.division)
                if players is not None and pairing.pair.isdisjoint(players):
                    continue
            table.judged = pairing
            if pairing is None or not is_settled(event, pairing):
                table.settled_ms = None
                if not self._recalling:
                    self._wake(table)
            elif table.settled_ms is None:
                table.settled_ms = at_ms

    def _note(self, table: TableAtHand, row: Row, started: GameStarted) -> KnownGame:
        known = table.games.pop(started.game, None) or KnownGame(row.at, row.seq, None)
        known.pairing = started.pairing
        table.games[started.game], table.latest = known, started
        return known

    def _begin(self, table: TableAtHand, row: Row, started: GameStarted) -> None:
        known = self._note(table, row, started)
        table.settled_ms = table.judged = None
        if started.game == table.present.plan.started.game:
            return
        again = self._from_log(row.table, started.game) if known.first != row.seq else None
        self._earlier.pop((row.table, started.game), None)
        table.present = again or GuardedGameRecorder(self._plan(table.setup, started))
        table.asleep = False

    def _from_log(self, table: int, game: str) -> GuardedGameRecorder | None:
        """An earlier game as its rows have it."""
        key = (table, game)
        known = self._tables[table].games.get(game)
        if known is None or game == self._tables[table].present.plan.started.game:
            return None
        if key not in self._earlier:
            mine = list(self._taken_of(table, game))
            began = next(row.says for row in mine if isinstance(row.says, GameStarted))
            recorder = GuardedGameRecorder(self._plan(self._tables[table].setup, began))
            for row in mine:
                recorder.take(row)
            self._earlier[key] = recorder
        self._earlier.move_to_end(key)
        while len(self._earlier) > MOST_EARLIER:
            self._earlier.popitem(last=False)
        return self._earlier[key]

    def opening(self, now: int) -> list[NewRow]:
        """The rows of the games that begin with the recorder: those that its file names again."""
        rows = []
        for table in self._tables.values():
            setup = table.setup
            if not setup.waits and setup.started.game not in table.games:
                table.present = GuardedGameRecorder(setup)
            if not table.present.plan.waits and not table.asleep:
                rows += table.present.opening(now)
        return rows

    def due(self, number: int, now: int) -> list[NewRow]:
        """The row that begins the next game of a table, or says better who plays there."""
        table = self._tables[number]
        if table.settled_ms is not None and now - table.settled_ms > AT_HAND_MS:
            table.lie_down()
        same = self._same_game(number)
        if same is not None:
            return self._restated(table, same, table.present.plan.started.left_player, now)
        if self._is_free(table) and is_bare(table.look):
            return self._begun(table, table.setup.started.left_player, now)
        return []

    def may_begin(self, number: int, event: Envelope) -> bool:
        """Whether a game may begin with an event: ``before`` shows, once all before it is taken."""
        return self._start_in(number, event) is not None

    def _start_in(self, number: int, event: Envelope) -> ClockPressed | ClockChanged | None:
        """What a clock says as it starts, where a game waits for its table or for its start.

        At full time it begins the game; on a bare board it starts one that is on at any time.
        """
        if event.type not in CLOCK_TYPES or not self._games_at(number):
            return None
        try:
            said = decode_observation(event.type, event.data)
        except DeviceError:
            return None
        if isinstance(said, ClockChanged) and said.act is not ClockAct.RESET:
            return None
        if not isinstance(said, ClockPressed | ClockChanged):
            return None
        same = self._same_game(number)
        table = self._tables[number]
        begins = table.present.plan.started if same is not None else self._next(table)
        if begins is None:
            return None
        is_on = same is not None and is_untouched(table.present) and not is_laid(table.look)
        return said if is_on or is_full(said, begins) else None

    def before(self, number: int, event: Envelope, at_ms: int) -> list[NewRow]:
        """What begins with something that a clock says, ahead of it: a game, or who sits where.

        Whose time runs first moves first, or is the one who is waited for (LATE-2).
        """
        said = self._start_in(number, event)
        if said is None:
            return []
        table = self._tables[number]
        same = self._same_game(number)
        if same is not None and is_untouched(table.present):
            left = left_player(said, table.present.plan.started, table.present.absent)
            return self._restated(table, same, left, at_ms)
        left = left_player(said, table.setup.started)
        is_over = is_played(table.present) and not is_laid(table.look)
        return self._begun(table, left, at_ms) if is_over or self._is_free(table) else []

    def _seats(self) -> Seating:
        """Who plays where, from the event as it is."""
        event = self._event.register.event
        if self._seated[0] is not event:
            self._seated = (event, seating(event))
        return self._seated[1]

    def _games_at(self, number: int) -> tuple[SeatedGame, ...]:
        """The games that wait at a table."""
        return self._seats().waiting.get(number, ())

    def _same_game(self, number: int) -> SeatedGame | None:
        """What the event says of the game that is on, while it has no result."""
        pairing = self._tables[number].present.plan.started.pairing
        if pairing is None:
            return None
        games = self._games_at(number)
        here = (game for game in games if not game.by_hand)
        return next((game for game in here if game.pairing.place == pairing.place), None)

    def _is_free(self, table: TableAtHand) -> bool:
        """Whether nothing is left to play or to settle of the game that was on last."""
        started = table.present.plan.started
        if table.present.plan.waits:
            return True
        if started.pairing is None:
            return table.present.confirmed() > 0
        game = self._seats().game(started.pairing)
        if game is None or game.table != started.table:
            return game is not None or is_untouched(table.present)
        return table.settled_ms is not None

    def _begun(self, table: TableAtHand, left_player: int, at_ms: int) -> list[NewRow]:
        """The row of the next game of a table; one that is resumed goes on as it was left."""
        started = self._next(table)
        if started is None:
            return []
        known = table.games.get(started.game)
        earlier = None if known is None else self._from_log(started.table, started.game)
        says = started if earlier else replace(started, left_player=left_player)
        return [_row(says, at_ms)]

    def _next(self, table: TableAtHand) -> GameStarted | None:
        """How the next game of a table begins that was not on there yet, or that is resumed."""
        present = table.present.plan.started.game
        begun = {known.pairing.place: name for name, known in table.games.items() if known.pairing}
        for game in self._games_at(table.setup.started.table):
            if game.by_hand:
                return None  # the table is taken, and what is on it began elsewhere
            name = begun.get(game.pairing.place, "")
            if name and name == present:
                continue
            earlier = self._from_log(table.setup.started.table, name) if name else None
            if earlier is not None:
                began = earlier.plan.started
                return replace(began, players=game.players, pairing=game.pairing)
            division = self._event.register.event.division(game.pairing.division)
            return replace(
                self._settings.begin(table.setup.started, division),
                game=name or self._new_name(game.pairing, table.setup.started.table),
                players=game.players,
                pairing=game.pairing,
            )
        return None

    def _restated(
        self, table: TableAtHand, same: SeatedGame, left_player: int, at_ms: int
    ) -> list[NewRow]:
        """The beginning of the game that is on once more, where the event or the clock say else."""
        started = table.present.plan.started
        says = replace(started, players=same.players, pairing=same.pairing, left_player=left_player)
        return [] if says == started else [_row(says, at_ms)]

    def serve(self, devices_at: Callable[[int], dict[str, str]]) -> None:
        """Other devices serve the tables from now on."""
        for number, table in self._tables.items():
            devices = devices_at(number)
            if devices != dict(table.setup.devices):
                table.setup = replace(table.setup, devices=devices)
                table.present.plan = replace(table.present.plan, devices=devices)

    def _plan(self, setup: TablePlan, started: GameStarted) -> TablePlan:
        """A table's plan with another game; its GCG stands beside that of the setup."""
        gcg = None if setup.gcg is None else setup.gcg.with_name(f"{started.game}.gcg")
        if started.game == setup.started.game:
            gcg = setup.gcg
        words = self._settings.words_of(started, setup.words)
        return replace(setup, started=started, gcg=gcg, words=words, waits=False)

    def _new_name(self, pairing: Pairing, table: int) -> str:
        """A name that no other game has, as ``A-round-2-table-7``."""
        division = re.sub(r"[^A-Za-z0-9_-]+", "", pairing.division)[:_MOST_OF_NAME] or "event"
        name = f"{division}-round-{pairing.round}-table-{table}"
        if pairing.attempt > 1:
            name += f"-again-{pairing.attempt}"
        taken = {name for known in self._tables.values() for name in known.games}
        twins = (f"{name}-{number}" for number in range(2, len(taken) + 3))
        return name if name not in taken else next(twin for twin in twins if twin not in taken)


def _row(started: GameStarted, at_ms: int) -> NewRow:
    return NewRow.saying(started, table=started.table, game=started.game, at=at_ms)
