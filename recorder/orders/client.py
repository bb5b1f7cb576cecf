"""The sending side of orders: a console with its outbox, which waits for what the recorder says.

An order is on the console's disk before it travels and stays there until the recorder has stored
it, so that neither a lost connection nor a crash loses or doubles it.
"""

import threading
import time
from collections.abc import Callable
from functools import partial
from typing import Self

from recorder.bus.outbox import Outbox, OutboxSender
from recorder.bus.port import Bus, Message
from recorder.declared.codec import Json
from recorder.declared.json_objects import parse_object
from recorder.domain.errors import DeviceError
from recorder.domain.event.orders import EventOrder
from recorder.domain.orders import TableOrder
from recorder.wire.control import encode
from recorder.wire.event_orders import encode_event_order
from recorder.wire.orders import OrderReply, decode_reply, encode_order, encode_question
from recorder.wire.topics import (
    Audience,
    Down,
    DownChannel,
    Table,
    Up,
    UpChannel,
    parse_topic,
    table_filter,
)

ASK_AGAIN_S = 0.5
MOST_ANSWER_BYTES = 256 * 1024


class OrderClient:
    """A director's console on a bus; any thread may give orders.

    Start the bus outside. The name must be one that the recorder takes orders from (``consoles``
    in its file).
    """

    def __init__(self, outbox: Outbox, bus: Bus, venue: str) -> None:
        self._outbox, self._bus, self._venue = outbox, bus, venue
        self._sender = OutboxSender(outbox, bus, venue)
        self._heard = threading.Condition()
        self._replies: dict[str, OrderReply | Json | None] = {}
        self._asked = 0
        bus.subscribe(table_filter(venue, Audience.INTERNAL), self._on_reply)
        answers = str(Down(venue, outbox.device, DownChannel.ANSWER))
        bus.subscribe(answers, self._on_answer)

    def __enter__(self) -> Self:
        self._sender.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._sender.stop()

    def give(self, order: TableOrder, *, timeout_s: float = 5.0) -> OrderReply | None:
        """Give an order and wait for what became of it.

        None when no recorder has answered in time: the order is kept and goes on being sent; the
        same one given again (same id) counts once.
        """
        type_name, data = encode_order(order)
        send = partial(self._send, type_name, data)
        reply = self._wait(order.order.id, send, timeout_s, again=None)
        return reply if isinstance(reply, OrderReply) else None

    def give_event(self, order: EventOrder, *, timeout_s: float = 5.0) -> Json | None:
        """Give an order about the event: ``{"ok", "row", "reason"}``, or None as with ``give``."""
        type_name, data = encode_event_order(order)
        reply = self._wait(order.id, partial(self._send, type_name, data), timeout_s, again=None)
        return reply if isinstance(reply, dict) else None

    def _send(self, type_name: str, data: Json) -> None:
        """Put an order on the disk, and say that something waits."""
        now = time.monotonic_ns() // 1_000_000
        self._outbox.put(type_name, data, now)
        beat = str(Up(self._venue, self._outbox.device, UpChannel.HEARTBEAT))
        self._bus.publish(beat, encode(self._outbox.heartbeat(now)), qos=0)

    def preview(self, order: TableOrder | EventOrder, *, timeout_s: float = 5.0) -> Json | None:
        """What an order would do (see ``Preview`` in docs/wire.md); nothing is recorded.

        None when no recorder has answered in time.
        """
        with self._heard:
            self._asked += 1
            name = order.id if isinstance(order, EventOrder) else order.order.id
            question = f"q{self._asked}-{name}"[:64]
        topic = str(Up(self._venue, self._outbox.device, UpChannel.ASK))
        payload = encode_question(question, order)

        def ask() -> None:
            self._bus.publish(topic, payload)

        reply = self._wait(question, ask, timeout_s, again=ask)
        return reply if isinstance(reply, dict) else None

    def _wait(
        self,
        name: str,
        send: Callable[[], None],
        timeout_s: float,
        *,
        again: Callable[[], None] | None,
    ) -> OrderReply | Json | None:
        """Send, and wait for the reply of that name; ``again`` repeats what no outbox holds."""
        deadline = time.monotonic() + timeout_s
        with self._heard:
            self._replies[name] = None
        send()
        with self._heard:
            while self._replies[name] is None and (left := deadline - time.monotonic()) > 0:
                self._heard.wait(min(left, ASK_AGAIN_S))
                if again is not None and self._replies[name] is None:
                    again()
            return self._replies.pop(name)

    def _on_reply(self, message: Message) -> None:
        message.ack()
        try:
            topic = parse_topic(message.topic)
            if isinstance(topic, Table) and topic.channel == "order":
                reply = decode_reply(message.payload)
                self._note(reply.id, reply)
        except DeviceError:
            return

    def _on_answer(self, message: Message) -> None:
        message.ack()
        try:
            answer = parse_object(message.payload, "answer", most_bytes=MOST_ANSWER_BYTES)
        except DeviceError:
            return
        self._note(str(answer.get("id")), answer)

    def _note(self, name: str, reply: OrderReply | Json) -> None:
        with self._heard:
            if name in self._replies:
                self._replies[name] = reply
                self._heard.notify_all()
