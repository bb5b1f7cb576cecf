"""One table at the recorder: its fold, the orders about it, its recorded turns, its live GCG.

Takes rows of the log, gives rows for the log. Knows no bus and no clock of its own. What holds is
what the sensors said, with the orders laid over it (``recorder.domain.rulings.game_as_ruled``), so
that a restart and an undone order come to the same record.
"""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from recorder.declared.codec import Json
from recorder.domain.errors import RecorderError
from recorder.domain.instruments import DeviceRole
from recorder.domain.lexicon import WordList
from recorder.domain.limits import MOST_OF_TYPE, MOST_ORDERS
from recorder.domain.notices import CodedText, coded
from recorder.domain.noticing.clocks import Alarm
from recorder.domain.observations import (
    BoardSeen,
    CameraExchanged,
    ClockChanged,
    ClockPressed,
    Observation,
)
from recorder.domain.orders import Absent, AdjustClock, Order, Seated, TableOrder, Undo
from recorder.domain.procedures.at_table import standing_procedures
from recorder.domain.procedures.table_facts import TableFacts
from recorder.domain.reading.challenge_verdicts import with_verdicts
from recorder.domain.reading.table_fold import Stamped, at_press, precompute_reading
from recorder.domain.reading.table_state import PrecomputedReading, TableState
from recorder.domain.record import (
    Corrected,
    Draft,
    GameStarted,
    NoticeGiven,
    NoticeOver,
    Observed,
    OrderCarriedOut,
    ProcedureOver,
    ProcedureStands,
    Recorded,
    Unreadable,
)
from recorder.domain.recorded_turns import RecordedTurns
from recorder.domain.row_kind import Kind
from recorder.domain.rulings.corrections import OrderRefusedError
from recorder.domain.rulings.game_as_ruled import RuledGame
from recorder.domain.rulings.in_force import Ruling, game_ended_by, in_force, seated_left
from recorder.domain.rulings.resolve import Situation, resolve
from recorder.domain.rulings.signatures import confirmed_by
from recorder.domain.tile_account.lost_sensors import TileSensors
from recorder.domain.tile_account.watch import Watched
from recorder.log.port import NewRow, Row
from recorder.rulesets import RuleSet, rules_of_game
from recorder.table.alarms import table_alarms
from recorder.table.allowance import Allowance
from recorder.table.conclusions import Conclusions
from recorder.table.folded import FoldedTable, opened_table
from recorder.table.live_gcg import LiveGcg, gcg_text
from recorder.table.notices import RecordedNotices
from recorder.table.order_rows import (
    OrderOutcome,
    carried_out,
    compared,
    order_preview,
    refused,
    repeated,
)
from recorder.table.ordered_clock import clock_after
from recorder.table.procedures import RecordedProcedures
from recorder.table.reconcile import to_record
from recorder.tilesets import tile_set_of
from recorder.wire.orders import encode_order

log = logging.getLogger("tilecast.recorder")

_LATE_MS = 2_000
"""What comes so long after it was said was kept while a line was cut; to read a look takes less."""
_NEXT_COMES_MS = 1_000
"""So soon after one of them comes the next, where a device has kept more."""
_EXPLAINING = (BoardSeen, ClockChanged, ClockPressed)
"""What may explain a board. What a sensor sends all the time, by a clock that is slow, is not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TablePlan:
    """A game at a table: who plays, which devices serve it (name to role), where its GCG goes.

    ``words`` is the list that advises on challenges, None without one. ``waits``: no game is on
    yet, ``started`` only says how one is played here; who plays comes from the event.
    """

    started: GameStarted
    devices: Mapping[str, str]
    gcg: Path | None = None
    words: WordList | None = None
    waits: bool = False


class GameRecorder:
    """The recording of one game at one table."""

    def __init__(self, plan: TablePlan) -> None:
        self.plan = plan
        self.tile_set = tile_set_of(plan.started)
        self.recorded = RecordedTurns()
        self.concluded = Conclusions(rules_of_game(plan.started), plan.words)
        self._opened_ms: int | None = None
        self._said_left: int | None = None
        self._changed = False
        self._sensors = TileSensors()
        self._looks: dict[str, set[int]] = {}
        self._said_row = 0
        self._live_gcg = LiveGcg(plan.gcg)
        self._notices = RecordedNotices()
        self._procedures = RecordedProcedures()
        self._watched = Watched()
        self._alarm_ms: int | None = None
        self._catches_up_ms = 0
        self._read = self._read_of = self._news_of = self._opened_table()
        self.folded = FoldedTable(self._read)
        self._allowance = Allowance()
        self._ahead: PrecomputedReading | None = None

    @property
    def rules(self) -> RuleSet:
        """The rule set by which the game is played."""
        return self.concluded.rules

    @property
    def state(self) -> TableState:
        """The table as folded so far; what came since the last time is folded now, once."""
        return self.folded.state

    @property
    def read(self) -> TableState:
        """The same with the turn just ended read before its look has come, where that is sure."""
        if self._read_of is not self.state:
            self._read_of, self._read = self.state, at_press(self.state, self._ahead)
        return self._read

    def precompute_reading(self) -> bool:
        """Weigh the newest look for the press that may come, while there is time; False if done."""
        if self._ahead is not None and self._ahead.fits(self.state, self.state.clock.now.running):
            return False
        ahead = precompute_reading(self.state)
        self._ahead = ahead or self._ahead  # a press that waits still has use for it
        return ahead is not None

    def take(self, row: Row) -> None:
        """Account for one row of the log that belongs to this table and game."""
        if row.game != self.plan.started.game:
            return
        match row.says:
            case Observed(what=what):
                self._observe(row, what)
            case OrderCarriedOut() as says:
                self._rule(row, says)
            case GameStarted() as started:
                self._opened_ms = self._opened_ms or row.at
                self._said_left = started.left_player
                self._go_by(started)
                if started.pairing is not None:
                    self._seat(started)
            case NoticeGiven() | NoticeOver():
                self._notices.take(row)
            case ProcedureStands() | ProcedureOver():
                self._procedures.take(row)
            case Recorded() | Corrected():
                self._take_recorded(row)
            case Unreadable(type=type_name, fault=fault) if row.kind is not Kind.OBSERVED:
                log.error("row %d (%s) cannot be read: %s", row.seq, type_name, fault)

    def _take_recorded(self, row: Row) -> None:
        """Account for a turn of the record, as it is recorded or corrected."""
        self._said_row, self._live_gcg.due = row.seq, True
        try:
            self.recorded.take(row)
        except RecorderError as fault:
            self.doubt(str(fault))

    def doubt(self, fault: str) -> None:
        """Note something of this table's record that is to be looked into."""
        log.error("table %d: %s", self.plan.started.table, fault)

    def _opened_table(self) -> TableState:
        """The table before anything has happened."""
        return opened_table(self.plan.started, self.tile_set, self.rules)

    def _go_by(self, began: GameStarted) -> None:
        """A game keeps the rules under which it began, as every page that reads its log does."""
        rules_then = rules_of_game(began)
        if rules_then != self.rules and rules_then.checksum() != self.rules.checksum():
            self.concluded.go_by(rules_then)
            self._read = self._read_of = self._news_of = self._opened_table()
            self.folded.open_as(self._read)
            rules = (began.rules_in_force, self.plan.started.rules_in_force)
            log.warning(
                "game %s keeps its rules, %s; the file names others, %s", began.game, *rules
            )

    def _seat(self, started: GameStarted) -> None:
        """Take over who plays and who sits where, as event, clock and director say by now."""
        left_player = seated_left(self.concluded.rulings, started.left_player)
        started = replace(started, left_player=left_player)
        turned = started.left_player != self.plan.started.left_player
        self.plan = replace(self.plan, started=started)
        self._live_gcg.due = True
        if turned:
            self.folded.open_as(self._opened_table())
            self._read = self._read_of = self.folded.opening
            self.concluded.go_by(self.rules)
            self.concluded.sense_anew()
            for stamped in self.folded.taken:
                self._sense(stamped)
            self._changed = True

    @property
    def absent(self) -> frozenset[int]:
        """The players of whom a director has said that they are not there when the game is due."""
        acts = (ruling.order.act for ruling in in_force(self.concluded.rulings))
        return frozenset(act.player for act in acts if isinstance(act, Absent))

    def confirmed(self) -> int:
        """The row by which the result of an ended game is confirmed as it is; 0: it is not."""
        rulings = self.concluded.rulings
        ended = (
            self.state.clock.stop_row is not None or game_ended_by(in_force(rulings)) is not None
        )
        return confirmed_by(rulings, changed=self._said_row) if ended else 0

    def opening(self, at: int) -> list[NewRow]:
        """The row that begins the game, unless the log has it already."""
        return [] if self._opened_ms is not None else self._drafted([(self.plan.started, ())], at)

    def pending_rows(self, at: int) -> list[NewRow]:
        """The rows that bring the record up to what the fold now says, and what there is to notice.

        A draw that may still be going on is looked at again, whatever has changed, and so is a
        clock when an alarm about it has become due.
        """
        self.folded.pass_to(at)
        if self.plan.waits or not self._has_news(at):
            return []
        self._changed, self._news_of = False, self.state
        watched = self._watched = self.concluded.watched(self.read, at)
        facts = self._facts(at)
        has_camera = DeviceRole.BOARD_CAMERA in self.plan.devices.values()
        alarms = table_alarms(facts, watched, has_camera=has_camera)
        noticed = [
            *self.concluded.noticed(self.read, watched),
            *(alarm.notice for alarm in alarms if self._is_due(alarm, at)),
        ]
        past = self._notices.past(noticed)
        procedures = standing_procedures(replace(facts, notices=noticed, past=past))
        times = [
            self.folded.time_ends_ms or 0,
            *(self._told_ms(alarm) for alarm in alarms),
            *(procedure.until_ms or 0 for procedure in procedures),
            *(step.until_ms or 0 for procedure in procedures for step in procedure.steps),
        ]
        self._alarm_ms = min((time_ms for time_ms in times if time_ms > at), default=None)
        return self._drafted(
            [
                *self._seat_again(),
                *to_record(self.recorded, with_verdicts(facts.game.groups, self.plan.words)),
                *self._notices.to_say(noticed),
                *self._procedures.to_say(procedures),
            ],
            at,
        )

    def _drafted(self, new: Sequence[Draft], at: int) -> list[NewRow]:
        table, game = self.plan.started.table, self.plan.started.game
        return [NewRow.saying(says, table=table, game=game, at=at, refs=refs) for says, refs in new]

    def _seat_again(self) -> list[Draft]:
        """The beginning of the game once more, where a director says better who sits where."""
        started = self.plan.started
        return [] if self._said_left in (None, started.left_player) else [(started, ())]

    def _has_news(self, at: int) -> bool:
        """Whether a row has come, an alarm is due, or time alone shows more of a draw."""
        is_due = self._alarm_ms is not None and at >= self._alarm_ms
        if is_due or self._changed or self.state is not self._news_of:
            return True
        drawing = self._watched.drawing
        return drawing and self.concluded.watched(self.read, at) != self._watched

    def _is_due(self, alarm: Alarm, at: int) -> bool:
        stays = alarm.stays and self._notices.holds(alarm.notice)
        return stays or self._told_ms(alarm) <= at

    def _told_ms(self, alarm: Alarm) -> int:
        """When an alarm is reported.

        While a device sends what it has kept, the next may explain it.
        """
        return max(alarm.at_ms, self._catches_up_ms)

    def fresh_rows(self, at: int) -> list[NewRow]:
        """The same, of what has come since the last time alone: time may bring more."""
        return self.pending_rows(at) if self._changed or self.state is not self._news_of else []

    def _facts(self, at: int) -> TableFacts:
        """What alarms and procedures are worked out from, but for what is noticed."""
        return TableFacts(
            game=self.ruled(),
            table=self.read,
            rules=self.rules,
            rulings=in_force(self.concluded.rulings),
            given=self.concluded.rulings,
            sensed=self.concluded.sensed,
            now_ms=at,
            opened_ms=self._opened_ms,
            listed=self.plan.words,
            lexicon=next(iter(self.plan.started.words), ""),
        )

    @property
    def due_ms(self) -> int | None:
        """When time alone may bring news (0: at any time); None where only a row can.

        A draw may go on, the end of a turn waits for a look, an alarm about the clock comes due.
        """
        return 0 if self._watched.drawing or self.state.look_due is not None else self._alarm_ms

    def ruled(self) -> RuledGame:
        """The game as it holds: what was seen and said, with all orders."""
        return self.concluded.ruled(self.read)

    def judge(self, asked: TableOrder, *, seq: int, at: int) -> OrderOutcome:
        """What becomes of an order that is stored as row ``seq``: applied, refused, repeated.

        Nothing is changed here: that is done when the row is taken.
        """
        earlier = next(
            (known for known in self.concluded.rulings if known.order.id == asked.order.id), None
        )
        if earlier is not None:
            if earlier.asked == asked:
                return repeated(asked, earlier.seq)
            return self._refused(asked, coded("id_taken", row=earlier.seq))
        if len(self.concluded.rulings) >= MOST_ORDERS:
            return self._refused(asked, coded("too_many_orders", most=MOST_ORDERS))
        if asked.game and asked.game != self.plan.started.game:
            playing = self.plan.started.game
            reason = coded("other_game", table=asked.table, playing=playing, game=asked.game)
            return self._refused(asked, reason)
        try:
            ruling, _ = self._resolved(asked.order, seq=seq, at_ms=at)
        except OrderRefusedError as refusal:
            return self._refused(asked, refusal.why)
        before_ms = 0
        if isinstance(ruling.order.act, AdjustClock):
            before_ms = self.state.clock.now.believed_at(at)[ruling.order.act.player]
        return OrderOutcome(
            says=carried_out(ruling, asked, before_ms),
            refs=(ruling.group,) if 0 < ruling.group < seq else (),
            clock=clock_after(ruling, self.concluded.rulings, self.state.clock.now, at),
        )

    def _resolved(self, order: Order, *, seq: int, at_ms: int) -> tuple[Ruling, RuledGame]:
        """The ruling that an order becomes, and the game with it, read again where seats change."""
        ruling, after = resolve(order, self._situation(), seq=seq, at_ms=at_ms)
        rulings, started = [*self.concluded.rulings, ruling], self.plan.started
        if seated_left(rulings, started.left_player) == started.left_player:
            return ruling, after
        twin = GameRecorder(replace(self.plan, gcg=None))
        twin.concluded.rulings, twin._sensors = rulings, self._sensors
        twin.concluded.go_by(self.rules)
        for stamped in self.folded.taken:
            twin.folded.put(stamped)
        twin._seat(started)
        return ruling, twin.ruled()

    def _refused(self, asked: TableOrder, reason: CodedText) -> OrderOutcome:
        type_name, data = encode_order(asked)
        return refused(data, type_name, reason)

    def preview(self, asked: TableOrder, *, seq: int, at: int) -> Json:
        """What an order would do if it were row ``seq``; nothing is recorded."""
        try:
            _, after = self._resolved(asked.order, seq=seq, at_ms=at)
        except OrderRefusedError as refusal:
            totals = self.ruled().state.scores
            return order_preview(refusal.why, totals, totals)
        return compared(self.recorded, after.groups, self.tile_set)

    def _situation(self) -> Situation:
        return Situation(
            table=self.read,
            rulings=self.concluded.rulings,
            rules=self.rules,
            recorded=self.recorded,
            now=self.ruled(),
            story=self.concluded.story(self.read),
            noticed=self._notices.given,
        )

    def _rule(self, row: Row, says: OrderCarriedOut) -> None:
        """Account for an order that is applied; one that was refused changes nothing."""
        self.concluded.rulings.append(Ruling.of(says, seq=row.seq, at_ms=row.at))
        self._changed = True
        if isinstance(says.order.order.act, Seated | Undo) or says.order.order.supersedes:
            self._seat(self.plan.started)

    def _observe(self, row: Row, observation: Observation) -> None:
        """Take an observation in at its time; it is folded when somebody asks."""
        if not self._allowance.takes(row):
            if self._allowance.is_news(row):
                said = f"{row.device} has said {row.type} {MOST_OF_TYPE} times in this game"
                self.doubt(f"{said}; more of it is stored and not read")
            return
        if isinstance(observation, CameraExchanged):
            self.folded.leave_out(self._looks.pop(observation.device, set()))
            self._changed = True
        if row.type.startswith("board."):
            self._looks.setdefault(row.device, set()).add(row.seq)
        if isinstance(observation, _EXPLAINING) and row.received - row.at >= _LATE_MS:
            self._catches_up_ms = row.received + _NEXT_COMES_MS
        stamped = Stamped(seq=row.seq, at_ms=row.at, observation=observation, hash=row.hash)
        self._sensors.hear(row.device, observation)
        self._sense(stamped)
        self.folded.put(stamped)

    def _sense(self, seen: Stamped) -> None:
        """Account for what a sensor says of tiles."""
        for report in self._sensors.reports(seen, self.folded.opening.clock.now.player):
            self.concluded.sense(report)
            self._changed = True

    def write_gcg(self) -> None:
        """Replace the live GCG, if the record has changed since it was written."""
        self._live_gcg.write(self.gcg)

    def gcg(self) -> str:
        """The game as recorded, as GCG text."""
        return gcg_text(self.plan.started.players, self.tile_set, self.recorded.events)
