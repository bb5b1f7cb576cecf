"""Orders as they come in from directors' consoles: stored as ruled or as refused, and answered.

A console is a device: what it says comes in numbered envelopes and is acknowledged once stored.
Only the consoles that the recorder knows of may give orders; those of others are refused.
"""

import logging
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from recorder.bus.port import Bus, Message
from recorder.declared.codec import Json
from recorder.domain.errors import DeviceError
from recorder.domain.event.orders import EventOrder
from recorder.domain.instruments import CLOCK_ROLES
from recorder.domain.notices import CodedText, coded
from recorder.domain.observations import ClockChanged
from recorder.domain.orders import TableOrder
from recorder.domain.record import Observed, OrderRepeated, Sender
from recorder.log.port import EventLog, NewRow, Row
from recorder.orders.event_record import (
    EVENT_TABLE,
    Against,
    EventDesk,
    Unmet,
    event_preview,
    judged_row,
    preview_json,
)
from recorder.orders.exchanged_cameras import exchanged_rows
from recorder.orders.filled_in import filled_in
from recorder.table.game_recorder import GameRecorder
from recorder.table.guarded import GuardedGameRecorder
from recorder.table.order_rows import OrderOutcome, refused
from recorder.texts.telling import coded_text
from recorder.wire.coded_text import encode_coded
from recorder.wire.control import Command, encode
from recorder.wire.envelope import Envelope
from recorder.wire.event_orders import EVENT_ORDER_TYPES, decode_event_order
from recorder.wire.orders import (
    OrderReply,
    decode_order,
    decode_question,
    encode_answer,
    encode_reply,
)
from recorder.wire.topics import Audience, Down, DownChannel, Table, Up, UpChannel, parse_topic

MOST_LATE = 1_000
"""More orders of tables that are behind are dropped, and their consoles send them again."""

log = logging.getLogger("tilecast.recorder")


def order_rows(
    game_recorder: GameRecorder, outcome: OrderOutcome, *, seq: int, at: int, by: str
) -> list[NewRow]:
    """The row of an order as number ``seq``, and what is observed of the clock that it sets.

    They belong into one transaction: half an order must not be stored.
    """
    started = game_recorder.plan.started
    table, game = started.table, started.game
    ruled = NewRow.saying(outcome.says, table=table, game=game, at=at, refs=outcome.refs)
    if outcome.clock is None:
        return [ruled]
    seen = NewRow.saying(Observed(outcome.clock), table=table, game=game, at=at, refs=(seq,))
    return [ruled, seen.sent_by(Sender(dev=by))]


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderIntake:
    """Takes the orders of a recorder.

    ``names`` are the devices that may give them. ``games`` finds a game by table and name, "" being
    the one that is on, and None where there is no such table or no game. ``append`` stores rows
    and folds them, ``follow`` stores what follows for a game, ``store`` is for reading alone.
    ``is_behind`` says that a table has rows that wait to be folded; an order about such a
    table waits with them. ``unmet`` says of an order about the event what it still needs,
    ``against`` what the tables have recorded against it; ``folder`` holds files of rules.
    """

    venue: str
    recorder: str
    names: Collection[str]
    games: Callable[[int, str], GuardedGameRecorder | None]
    bus: Bus
    append: Callable[[Sequence[NewRow]], list[Row | None]]
    follow: Callable[[GuardedGameRecorder, int], None]
    store: EventLog
    event: EventDesk
    is_behind: Callable[[int], bool]
    unmet: Unmet
    against: Against
    folder: Path | None
    _late: list[tuple[Envelope, int]] = field(default_factory=list, init=False)

    def waits(self, event: Envelope, at: int) -> bool:
        """Whether an order waits for its table to be folded; ``late`` gives it back then.

        It is not stored meanwhile, so nobody is informed that it was.
        """
        table = event.data.get("table")
        if not isinstance(table, int) or event.type in EVENT_ORDER_TYPES:
            return False
        others_wait = any(late.data.get("table") == table for late, _ in self._late)
        is_late = others_wait or self.is_behind(table)
        if is_late and len(self._late) < MOST_LATE:
            self._late.append((event, at))
        return is_late

    def late(self) -> list[tuple[Envelope, int]]:
        """The orders that have waited, with when they came; to be taken again."""
        late, self._late[:] = list(self._late), []
        return late

    def take(self, event: Envelope, at: int) -> bool:
        """Store an order that came in an envelope; False when its key was stored before."""
        if event.type in EVENT_ORDER_TYPES:
            return self._take_about_event(event, at)
        table, game = event.data.get("table"), event.data.get("game", "")
        game_recorder: GuardedGameRecorder | None = None
        if isinstance(table, int) and isinstance(game, str):
            game_recorder = self.games(table, game)
        outcome, seq = self._judged(event, game_recorder, at), self.store.head() + 1
        sender = Sender(dev=event.dev, boot=event.boot, seq=event.seq, t_ms=event.t_ms)
        if game_recorder is not None:
            rows = order_rows(game_recorder, outcome, seq=seq, at=at, by=self.recorder)
        else:
            rows = [NewRow.saying(outcome.says, table=0, game="", at=at)]
        rows[0] = rows[0].sent_by(sender)
        stored = self.append(rows)[0]
        if game_recorder is not None and outcome.reason is None:
            self.follow(game_recorder, at)
        if outcome.reason is not None:
            log.warning("order refused: %s", coded_text(outcome.reason, "refusal"))
        if game_recorder is not None:
            if outcome.clock is not None:
                self._tell_clocks(game_recorder, outcome.clock, seq)
            # One that was stored before is answered again: the answer got lost, perhaps.
            row = stored.seq if stored is not None else 0
            self._answer(event, game_recorder, outcome.row or row, outcome.reason)
        return stored is not None

    def _take_about_event(self, event: Envelope, at: int) -> bool:
        """The same of an order about the event; the answer goes to the console alone."""
        sender = Sender(dev=event.dev, boot=event.boot, seq=event.seq, t_ms=event.t_ms)
        rows, reason = self._event_rows(event, at)
        stored = self.append([rows[0].sent_by(sender), *rows[1:]])[0]
        seq = 0 if stored is None else stored.seq
        if reason is not None:
            log.warning("order refused: %s", coded_text(reason, "refusal"))
        name = event.data.get("id")
        if event.dev in self.names and isinstance(name, str):
            coded_reason = None if reason is None else encode_coded(reason)
            said = {"ok": reason is None, "row": seq, "reason": coded_reason}
            self._publish_answer(event.dev, name[:64], said)
        return stored is not None

    def _event_rows(self, event: Envelope, at: int) -> tuple[list[NewRow], CodedText | None]:
        """The row of an order about the event, what follows from it, and why it is refused."""
        try:
            order = decode_event_order(event.type, event.data)
        except DeviceError as fault:
            reason = coded("malformed", detail=str(fault))
            says = refused(event.data, event.type, reason).says
            return [NewRow.saying(says, table=EVENT_TABLE, game="", at=at)], reason
        first = self.event.row_of(order)
        if first is not None:
            again = OrderRepeated(id=order.id, who=order.who, row=first)
            return [NewRow.saying(again, table=EVENT_TABLE, game="", at=at)], None
        order, missing = filled_in(order, self.folder, self.store)
        row, why = judged_row(
            self.event.register,
            order,
            at,
            lambda known: missing or self.unmet(known),
            self.against,
        )
        if why is not None:
            return [row], why
        seq = self.store.head() + 1
        return [row, *exchanged_rows(order, self.store, seq=seq, at=at, by=self.recorder)], None

    def _publish_answer(self, device: str, name: str, said: Json) -> None:
        answer = Down(self.venue, device, DownChannel.ANSWER)
        self.bus.publish(str(answer), encode_answer(name, said))

    def _judged(self, event: Envelope, game_recorder: GameRecorder | None, at: int) -> OrderOutcome:
        """What becomes of an order."""
        if event.dev not in self.names:
            return refused(event.data, event.type, self._no_console(event.dev))
        try:
            asked = decode_order(event.type, event.data)
        except DeviceError as fault:
            return refused(event.data, event.type, coded("malformed", detail=str(fault)))
        if game_recorder is None:
            return refused(event.data, event.type, coded("no_such_table", table=asked.table))
        # What was seen by now comes first: the order is judged by the record as it is.
        self.append(game_recorder.fresh_rows(at))
        return game_recorder.judge(asked, seq=self.store.head() + 1, at=at)

    def answer(self, message: Message, at: int) -> None:
        """Say what an order would do. Raises DeviceError when the question cannot be read."""
        topic = parse_topic(message.topic)
        if not isinstance(topic, Up) or topic.channel is not UpChannel.ASK:
            return
        name, asked = decode_question(message.payload)
        if topic.device not in self.names:
            found = _unasked(self._no_console(topic.device))
        elif isinstance(asked, EventOrder):
            asked, missing = filled_in(asked, self.folder, self.store)
            preview = event_preview(
                self.event.register,
                asked,
                lambda known: missing or self.unmet(known),
                self.against,
            )
            found = preview_json(preview)
        else:
            found = self._preview(asked, at)
        self._publish_answer(topic.device, name, found)

    def _preview(self, asked: TableOrder, at: int) -> Json:
        game_recorder = self.games(asked.table, asked.game)
        if game_recorder is None:
            return _unasked(coded("no_such_table", table=asked.table))
        if self.is_behind(asked.table):
            return _unasked(coded("table_behind", table=asked.table))
        self.append(game_recorder.fresh_rows(at))
        return game_recorder.preview(asked, seq=self.store.head() + 1, at=at)

    def _no_console(self, device: str) -> CodedText:
        return coded("no_console", device=device, consoles=", ".join(sorted(self.names)))

    def _tell_clocks(self, game_recorder: GameRecorder, clock: ClockChanged, seq: int) -> None:
        """Have the table's clocks show the adjusted times; one that cannot goes on with its own."""
        times = {"left_ms": clock.left_ms, "right_ms": clock.right_ms}
        command = encode(Command(id=f"adjust-{seq}", cmd="set", args=times))
        for device, role in game_recorder.plan.devices.items():
            if role in CLOCK_ROLES:
                self.bus.publish(str(Down(self.venue, device, DownChannel.COMMAND)), command)

    def _answer(
        self, event: Envelope, game_recorder: GameRecorder, row: int, reason: CodedText | None
    ) -> None:
        """Say what became of an order, to consoles only."""
        name = event.data.get("id")
        if event.dev in self.names and isinstance(name, str):
            reply = OrderReply(id=name[:64], ok=reason is None, row=row, reason=reason)
            table = game_recorder.plan.started.table
            topic = Table(self.venue, Audience.INTERNAL, table, "order")
            self.bus.publish(str(topic), encode_reply(reply))


def _unasked(reason: CodedText) -> Json:
    """The answer to a question that no game can be asked."""
    return {"ok": False, "reason": encode_coded(reason)}
