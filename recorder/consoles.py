"""Orders as they come in from directors' consoles: stored as ruled or as refused, and answered.

A console is a device: what it says comes in numbered envelopes and is acknowledged once stored.
Only the consoles that the recorder was told of may give orders; those of others are refused.
"""

import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from recorder.bus import Bus, Message
from recorder.desk import Desk
from recorder.domain.errors import DeviceError
from recorder.domain.observations import ClockChanged
from recorder.eventlog import Kind, NewRow, Row
from recorder.orders import Verdict, refused
from recorder.wire import (
    Audience,
    Command,
    Down,
    DownChannel,
    Envelope,
    Json,
    OrderReply,
    Table,
    TableOrder,
    Up,
    UpChannel,
    decode_order,
    decode_question,
    encode,
    encode_answer,
    encode_observation,
    encode_reply,
    parse_topic,
)

CLOCK_ROLES = ("clock", "phone-clock", "serial-clock", "mqtt-clock")
"""Roles of devices that are told when a director adjusts a clock."""

log = logging.getLogger("tilecast.recorder")


def order_row(desk: Desk, verdict: Verdict, at: int) -> NewRow:
    """The row of an order that came from no console."""
    started = desk.plan.started
    return NewRow(
        table=started.table,
        game=started.game,
        kind=Kind.RULED,
        at=at,
        body=verdict.body,
        refs=verdict.refs,
    )


def adjusted_row(order: Row, clock: ClockChanged, by: str) -> NewRow:
    """What is observed of a clock that an order has adjusted."""
    type_name, data = encode_observation(clock)
    return NewRow(
        table=order.table,
        game=order.game,
        kind=Kind.OBSERVED,
        at=order.at,
        body={"type": type_name, "data": data, "dev": by},
        refs=(order.seq,),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Consoles:
    """Takes the orders of a recorder.

    ``names`` are the devices that may give them. ``append`` stores rows and folds them, ``head``
    is the number of the newest row.
    """

    venue: str
    recorder: str
    names: Collection[str]
    desks: Mapping[int, Desk]
    bus: Bus
    append: Callable[[Sequence[NewRow]], list[Row | None]]
    head: Callable[[], int]

    def take(self, event: Envelope, at: int) -> bool:
        """Store an order that came in an envelope; False when its key was stored before."""
        try:
            asked = decode_order(event.type, event.data)
        except DeviceError as fault:
            return self._store(event, at, None, refused(event.data, event.type, str(fault)))
        desk = self.desks.get(asked.table)
        if event.dev not in self.names:
            reason = f"{event.dev} is no console of this recorder; orders come from {self._named()}"
            return self._store(event, at, asked, refused(event.data, event.type, reason))
        if desk is None:
            reason = f"table {asked.table} is not recorded here"
            return self._store(event, at, asked, refused(event.data, event.type, reason))
        # What was seen by now comes first, so that the order is judged by the record as it is.
        self.append(desk.news(at))
        return self._store(event, at, asked, desk.judge(asked, seq=self.head() + 1, at=at))

    def answer(self, message: Message, at: int) -> None:
        """Say what an order would do. Raises DeviceError when the question cannot be read."""
        topic = parse_topic(message.topic)
        if not isinstance(topic, Up) or topic.channel is not UpChannel.ASK:
            return
        name, asked = decode_question(message.payload)
        desk = self.desks.get(asked.table)
        if topic.device not in self.names:
            found: Json = {"ok": False, "reason": f"{topic.device} is no console of this recorder"}
        elif desk is None:
            found = {"ok": False, "reason": f"table {asked.table} is not recorded here"}
        else:
            self.append(desk.news(at))
            found = desk.preview(asked, seq=self.head() + 1, at=at).as_json()
        answer = Down(self.venue, topic.device, DownChannel.ANSWER)
        self.bus.publish(str(answer), encode_answer(name, found))

    def _named(self) -> str:
        return ", ".join(sorted(self.names)) or "nobody"

    def _store(self, event: Envelope, at: int, asked: TableOrder | None, verdict: Verdict) -> bool:
        table = asked.table if asked is not None else 0
        desk = self.desks.get(table)
        body = {**verdict.body, "dev": event.dev, "boot": event.boot, "seq": event.seq}
        new = NewRow(
            table=table,
            game=desk.plan.started.game if desk is not None else "",
            kind=Kind.RULED,
            at=at,
            body={**body, "t": event.t_ms},
            refs=verdict.refs,
            key=event.key,
        )
        (row,) = self.append([new])
        if row is None:  # sent again: the answer got lost, perhaps
            self._answer(event, table, verdict.row, verdict)
            return False
        if verdict.reason:
            log.warning("order refused: %s", verdict.reason)
        elif desk is not None and not verdict.row:
            self._carry_out(desk, row, at)
        self._answer(event, table, verdict.row or row.seq, verdict)
        return True

    def _carry_out(self, desk: Desk, row: Row, at: int) -> None:
        """What follows beside the record: the clock."""
        clock = desk.clock_after(row, at)
        if clock is None:
            return
        self.append([adjusted_row(row, clock, self.recorder)])
        self._tell_clocks(desk, clock, row.seq)

    def _tell_clocks(self, desk: Desk, clock: ClockChanged, seq: int) -> None:
        """Have the table's clocks show the adjusted times; one that cannot goes on with its own."""
        times = {"left_ms": clock.left_ms, "right_ms": clock.right_ms}
        command = encode(Command(id=f"adjust-{seq}", cmd="adjust", args=times))
        for device, role in desk.plan.devices.items():
            if role in CLOCK_ROLES:
                self.bus.publish(str(Down(self.venue, device, DownChannel.COMMAND)), command)

    def _answer(self, event: Envelope, table: int, row: int, verdict: Verdict) -> None:
        if table == 0:
            return
        told = event.data.get("id")
        reply = OrderReply(
            id=told if isinstance(told, str) else "",
            ok=not verdict.reason,
            row=row,
            reason=verdict.reason,
        )
        topic = Table(self.venue, Audience.INTERNAL, table, "order")
        self.bus.publish(str(topic), encode_reply(reply))
