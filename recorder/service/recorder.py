"""The recorder at work: bus -> log -> fold -> log -> bus. One writer, for one or more tables.

Threads of the bus only put messages on a queue. The writer drains it, stores everything in one
transaction, and only then acknowledges: delivered means committed. What a table's fold concludes
is appended the same way. A log that refuses (disk full) stops the acknowledgements, not the
devices: they keep their events until it accepts again. What can never be stored is kept as refused
and stops nobody; a table whose fold is slow gets its slice of the time, one whose fold breaks says
so.
"""

import logging
import math
import threading
import time
from collections.abc import Callable, Sequence

from recorder.bus.broker import HEAP_TOPIC
from recorder.bus.port import Bus, Message
from recorder.declared.json_objects import dump_object
from recorder.domain.limits import ROW_BYTES
from recorder.domain.observations import CameraDoubted, ClockDoubted, Observation
from recorder.domain.record import Observed, Sender
from recorder.domain.row_kind import Kind
from recorder.log.port import EventLog, NewRow, Row, UnfitRowError
from recorder.orders.event_record import EVENT_TABLE, EventDesk
from recorder.orders.intake import OrderIntake
from recorder.service.acknowledgements import Acknowledgements
from recorder.service.alerts import alert_of
from recorder.service.broker_memory import BrokerMemory
from recorder.service.camera_places import CameraPlaces
from recorder.service.device_tables import DeviceTables
from recorder.service.figures.recorder_figures import Parts, RecorderFigures
from recorder.service.games.against_record import against_record
from recorder.service.games.division_settings import DivisionSettings
from recorder.service.games.game_results import result_rows
from recorder.service.games.look_requests import LookRequests
from recorder.service.games.snapshots import GameSnapshots
from recorder.service.games.table_games import TableGames
from recorder.service.incoming.admission import Admission, MessageRefusedError, Refusal
from recorder.service.incoming.event_rows import observed_row
from recorder.service.incoming.hearing import Hearing
from recorder.service.incoming.inbox import Inbox, is_event
from recorder.service.incoming.missing_numbers import MissingNumbers
from recorder.service.incoming.refusals import Refusals
from recorder.service.incoming.watching import Watching
from recorder.service.log_writer import LogWriter
from recorder.service.plan import Counters, RecorderPlan
from recorder.service.presence import Presences, missed
from recorder.service.record_time import RecordTime
from recorder.service.retained_status import SpokenState
from recorder.service.shares import MessageShares
from recorder.service.timekeeping import SYNC_TYPE, ClockWatch, Times
from recorder.service.visits import ROUND_SLICES, SLICE_S, Visits
from recorder.service.whereabouts import Whereabouts
from recorder.table.guarded import GuardedGameRecorder
from recorder.texts.telling import device_doubt_text, device_news_text, time_set_text
from recorder.wire.control import Presence
from recorder.wire.envelope import Envelope
from recorder.wire.orders import is_order
from recorder.wire.topics import RecorderTopic

_GOODBYE_S = 30
"""So long what has arrived may take to be read at the end; the rest is read at the next start."""
MOST_IN_ONE_COMMIT = 500
IDLE_S = 0.1
MOST_BEHIND = 50
"""An order about a table of which more rows wait to be folded waits with them."""

log = logging.getLogger("tilecast.recorder")

Received = tuple[int, Message]


class Recorder:
    """Records the tables of a plan until stopped.

    ``wall_ms`` gives milliseconds since 1970, ``ticks_ms`` and ``base_ms`` as in ``RecordTime``.
    After ``start`` the log belongs to the recorder's own thread; it is not closed here.
    """

    def __init__(
        self,
        plan: RecorderPlan,
        bus: Bus,
        store: EventLog,
        wall_ms: Callable[[], int],
        *,
        ticks_ms: Callable[[], int] | None = None,
        base_ms: int | None = None,
    ) -> None:
        self.counters = Counters()
        self._plan, self._bus, self._store = plan, bus, store
        self.time = RecordTime(wall_ms, ticks_ms, base_ms)
        self._inbox: Inbox[Received] = Inbox(lambda received: len(received[1].payload))
        self._stopping = threading.Event()
        self._writer = LogWriter(store, self._stopping)
        self._event = EventDesk()
        self._settings = DivisionSettings(plan.lists)
        self._devices = DeviceTables(plan)
        self.tables = plan.tables
        self._games = TableGames(self.tables, store, self._event, self._settings)
        self._snapshots = GameSnapshots(plan.snapshots, self._games)
        self._visits = Visits()
        self._times = Times(lambda dev, boot: store.of_sender(dev, boot, SYNC_TYPE))
        self._whereabouts = Whereabouts(self._devices, self._games, self._times)
        roles = self._devices.roles
        sets, table = plan.tile_sets, self._devices.table
        self._admission = Admission(
            roles, plan.consoles, plan.console_key, lambda device: sets.get(table(device))
        )
        self._messages = MessageShares(frozenset({*roles, *plan.consoles}))
        self._hearing = Hearing(
            plan.venue, self._devices, self._messages, self._inbox, self.time.now, bus
        )
        self._refusals = Refusals(self._admission, self._whereabouts.of, store, wall_ms)
        self._clocks = ClockWatch(plan.unchecked_clocks)
        self._places = CameraPlaces()
        topic = RecorderTopic(plan.venue, plan.recorder)
        self.spoken = SpokenState(bus, topic, self.time.now, plan.expected)
        self._memory = BrokerMemory(plan.broker_memory)
        self._answers = Acknowledgements(plan.venue, bus, store)
        self._presences = Presences(missed(roles))
        self._missing = MissingNumbers()
        self._looks = LookRequests(plan.venue, bus)
        self._orders = OrderIntake(
            venue=plan.venue,
            recorder=plan.recorder,
            names=plan.consoles,
            games=self._games.find,
            bus=bus,
            append=self._append,
            follow=self._follow,
            store=store,
            event=self._event,
            is_behind=self._is_behind,
            unmet=lambda order: self._settings.unmet(order, plan.tile_sets),
            against=lambda order: against_record(
                order.act, self._event.register.event, lambda table: self._games.find(table, "")
            ),
            folder=plan.lists,
        )
        self._watching = Watching(
            self._presences, self._messages, self._admission, self._answers, self._missing,
            self.counters, self._orders.answer,
        )  # fmt: skip
        self._thread = threading.Thread(target=self._run, name="recorder", daemon=True)
        parts = (self._writer, self._games, self._visits, self._presences, bus, store)
        self.figures = RecorderFigures(Parts(self.counters, self._inbox, self._thread, *parts))

    def start(self) -> None:
        """Fold the log as it is, then record what arrives."""
        self.open()
        self._visits.share(len(self.tables))
        self._thread.start()

    def open(self) -> None:
        """The same without a thread: what arrives waits until somebody calls ``catch_up``."""
        for row in self._games.recall():
            self._remember(row)
            self._clocks.take(row)
            self._places.recall(row)
        if self.time.begin():
            self._times = Times()
        now = self.time.now()
        self._admission.begin(self._store, self._append, now)
        self._append(self._games.opening(now))
        self._snapshots.begin()
        for table in self._games:
            if not self._games.sleeps(table):
                self._games.on(table).write_gcg()
        self._tell_time()
        self._hearing.begin()
        self.spoken.listen()
        self._bus.subscribe(HEAP_TOPIC, self._memory.hear)
        self._bus.on_connection(self._connection_changed)
        self._bus.start()

    def stop(self) -> None:
        """Store what has arrived, say goodbye, end the thread."""
        self._stopping.set()
        self._visits.at_end(_GOODBYE_S)
        if self._thread.ident is None:
            self.catch_up()
        else:
            self._thread.join(timeout=2 * _GOODBYE_S)
        self._snapshots.end()
        if self._bus.is_connected:
            self.spoken.say(Presence.DISCONNECTED)
        self._hearing.end()
        self._bus.stop()

    @property
    def fault(self) -> str:
        """What keeps devices from being recorded now, with what helps; empty where nothing does."""
        return self._writer.fault or self._memory.fault

    @property
    def is_running(self) -> bool:
        """Whether the recording thread lives; False after a fault that it could not handle."""
        return self._thread.is_alive()

    def _connection_changed(self, connected: bool, reason: str) -> None:  # noqa: FBT001 - the bus's signature
        if not connected:
            if not self._stopping.is_set():
                log.warning("broker lost (%s); devices keep their events until it is back", reason)
            return
        log.info("broker connected")
        self._presences.listens(self.time.now())
        self._devices.tell(self._bus, self._devices.names)
        self.spoken.say(Presence.READY)

    def _run(self) -> None:
        while not self._stopping.is_set() or len(self._inbox) or self._visits.waits:
            self.figures.turned()
            wait_s = 0.0 if self._visits.waits else IDLE_S
            self._take_in(self._inbox.take(MOST_IN_ONE_COMMIT, wait_s), SLICE_S)
            is_idle = not len(self._inbox) and not self._visits.waits
            # One alone: then see what has arrived.
            if is_idle and not any(map(self._games.precompute_reading, self._visits.unweighed())):
                self._snapshots.keep()

    def _is_behind(self, table: int) -> bool:
        if table not in set(self._games):
            return False
        if self._games.sleeps(table):
            self._visits.stirred(table)  # to answer, its game is read and folded first
        return self._visits.is_behind(table) or self._games.on(table).folded.waits > MOST_BEHIND

    def catch_up(self) -> None:
        """Take in, without a thread of its own, all that has arrived and what the time brings."""
        self._take_in(self._inbox.take(MOST_IN_ONE_COMMIT))
        while len(self._inbox):
            self._take_in(self._inbox.take(MOST_IN_ONE_COMMIT))

    def _take_in(self, batch: Sequence[Received], slice_s: float = math.inf) -> None:
        others = [heard for heard in batch if not is_event(heard[1])]
        for _, message in others:
            self._watching.learn(message)
        self._store_events([heard for heard in batch if is_event(heard[1])])
        self._watch(others)
        self._tell_time()
        now, began_s = self.time.now(), time.monotonic()
        due = self._visits.due(now)
        for place, table in enumerate(due):
            if time.monotonic() - began_s > ROUND_SLICES * slice_s:
                self._visits.put_off(due[place:])
                break
            with self._visits.working(table):
                self._visit(table, now, slice_s)
        for event, at in self._orders.late():
            self._take_orders([(event, at)])
            self._answers.say(event.dev, event.boot)

    def _visit(self, table: int, now: int, slice_s: float) -> None:
        """Fold what was stored of a table for a slice of time, and store what follows from it."""
        if self._games.sleeps(table):
            self._append(self._games.due(table, now))
            return
        game_recorder, enough_s = self._games.on(table), time.monotonic() + slice_s
        if not game_recorder.fold_on(lambda: time.monotonic() > enough_s):
            self._visits.cut_short(table)
            return
        self._follow(game_recorder, now)
        self._append(self._games.due(table, now))
        self._looks.ask(game_recorder, now)
        self._visits.later(table, game_recorder.due_ms)

    def _follow(self, game_recorder: GuardedGameRecorder, now: int) -> None:
        """What follows from what was stored of a game: its news, its GCG, its result."""
        self._append_news(game_recorder, now)
        game_recorder.write_gcg()
        self._append(result_rows(game_recorder, self._event.register, now))

    def _store_events(self, batch: Sequence[Received]) -> None:
        """Commit the events of a batch, then acknowledge them to the broker and the devices."""
        if not batch:
            return
        drafts: list[NewRow] = []
        kept: list[bool] = []
        orders: list[tuple[Envelope, int]] = []
        devices: set[tuple[str, str]] = set()
        for received_ms, message in batch:
            try:
                event = self._admission.admit(
                    message.topic, message.payload, is_old=message.retained
                )
            except MessageRefusedError as fault:
                self.counters.refused += 1
                drafts += self._refusals.of_message(message, fault, received_ms)
                devices |= {fault.key[:2]} if fault.key else set()
                continue
            if self._whereabouts.is_open(event, received_ms):
                continue
            devices.add((event.dev, event.boot))
            self._presences.spoke(event.dev)
            if is_order(event.type):
                orders.append((event, received_ms))
                continue
            at = self._times.at(event, received_ms)
            table = self._devices.table(event.dev, at)
            if self._games.may_begin(table, event):
                kept += self._commit(drafts)
                drafts = []
                self._append(self._games.before(table, event, at))
            drafts.append(self._observed(event, at, received_ms))
        kept += self._commit(drafts)
        self._count(kept)
        self._take_orders(orders)
        for _, message in batch:
            message.ack()
        for device, boot in devices:
            self._answers.say(device, boot)
        self.figures.acknowledged([at for at, _ in batch], self.time.now())

    def _take_orders(self, orders: Sequence[tuple[Envelope, int]]) -> None:
        """Take orders whose tables are folded; the others wait."""
        ready = [(event, at) for event, at in orders if not self._orders.waits(event, at)]
        self._count([self._orders.take(event, at) for event, at in ready])

    def _count(self, kept: Sequence[bool]) -> None:
        self.counters.stored += sum(kept)
        self.counters.doubled += len(kept) - sum(kept)

    def _commit(self, drafts: Sequence[NewRow]) -> list[bool]:
        """Store what devices said; for each whether it is new."""
        stored = self._remembered(self._writer.append_fit(drafts, self._refusals.unfit))
        self._append(self._refusals.contradictions(drafts, stored))
        return [row is not None for row in stored]

    def _observed(self, event: Envelope, at: int, received_ms: int) -> NewRow:
        table, game = self._whereabouts.of(event.dev, at)
        return observed_row(event, table=table, game=game, at=at, received_ms=received_ms)

    def _append_news(self, game_recorder: GuardedGameRecorder, now: int) -> None:
        """What a table's fold concludes; what of it no log can store is that table's doubt."""
        rows = game_recorder.pending_rows(now)
        at_table = self._devices.at_table(game_recorder.plan.started.table)
        size = sum(len(dump_object(dict(row.body))) + ROW_BYTES for row in rows)
        self._messages.follows(at_table, size, now / 1000)
        try:
            self._append(rows)
        except UnfitRowError as fault:
            log.error("table %d: %s", game_recorder.plan.started.table, fault)  # noqa: TRY400 - the reason is the message
            if self._admission.count(f"table {game_recorder.plan.started.table}", Refusal.UNFIT):
                self._append([game_recorder.fault_row(str(fault), now)])

    def _append(self, drafts: Sequence[NewRow]) -> list[Row | None]:
        """Store rows, waiting for as long as the log refuses, and fold them."""
        return self._remembered(self._writer.append(drafts)) if drafts else []

    def _remembered(self, stored: list[Row | None]) -> list[Row | None]:
        new = [row for row in stored if row is not None]
        for row in new:
            self._remember(row)
            self.figures.take(row, self.time.now())
            if (alert := alert_of(row, self._plan.venue)) is not None:
                self._bus.publish(*alert)
        self._doubt_devices(new)
        return stored

    def _doubt_devices(self, rows: Sequence[Row]) -> None:
        """What clocks have just said and cannot be right, and which cameras see another table."""
        doubts: list[ClockDoubted | CameraDoubted] = []
        for row in rows:
            doubts += self._clocks.take(row)
            doubts += self._places.take(row)
        for doubt in doubts:
            log.warning("%s", device_doubt_text(doubt))
        now = self.time.now()
        self._append([self._noted(doubt, doubt.device, now) for doubt in doubts])

    def _remember(self, row: Row) -> None:
        self._times.remember(row)
        self._event.take(row)
        is_present = self._games.take(row)
        if is_present and row.kind is Kind.OBSERVED:
            self.time.take(row)
            self._presences.take(row)
        if row.kind is Kind.OBSERVED:
            self._missing.take(row)
        # An order about the event may concern any table.
        is_ruled = row.table == EVENT_TABLE and row.kind is Kind.RULED
        if is_ruled:
            # Cameras that were exchanged have been where they are since the games began.
            self._follow_devices(0 if row.type == "event.cameras" else row.at)
        for table in self._games if is_ruled else {row.table} & set(self._games):
            self._visits.stirred(table)

    def _follow_devices(self, at_ms: int) -> None:
        """Go by the orders about devices as they are now."""
        moved = self._devices.follow(self._event.register.event.devices, at_ms)
        if moved:
            self._games.serve(self._devices.at_table)
            self._messages.known = frozenset({*self._devices.roles, *self._plan.consoles})
            self._presences.watch(missed(self._devices.roles), moved, self.time.now())
            if self._bus.is_connected:
                self._devices.tell(self._bus, moved)

    def _watch(self, batch: Sequence[Received]) -> None:
        """Heartbeats and states: who is lost, who is back; and what consoles ask."""
        self._hearing.go_by_shares()
        for change in self._watching.news(batch, self._times, self.time.now):
            log.warning("%s", device_news_text(change))
            self._append([self._noted(change, change.device, self.time.now())])

    def _tell_time(self) -> None:
        """That the wall clock was set, at every table that has a game on."""
        for table, news in self.time.news(self._games):
            log.warning("table %d: %s", table, time_set_text(news))
            self._append([self._noted(news, table, self.time.now())])

    def _noted(self, news: Observation, where: int | str, now: int) -> NewRow:
        """What the recorder itself observes at a table, or of a device."""
        table = self._devices.table(where) if isinstance(where, str) else where
        game = self._games.place(table)
        row = NewRow.saying(Observed(news), table=table, game=game, at=now)
        return row.sent_by(Sender(dev=self._plan.recorder))
