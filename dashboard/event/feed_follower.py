"""Follows the feed of a program that pairs: asks for it again and again, and gives orders for it.

What the feed has and the event has not becomes orders by ``feed``; what the event has and the feed
has not is kept as results to be typed into that program. A feed that cannot be read, or that ends
in its middle, changes nothing and is said.
"""

import logging
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from dashboard.director.orders import OrderLine
from dashboard.event.view import EventView
from recorder.declared.codec import Json
from recorder.domain.errors import DeviceError, TilecastError
from recorder.domain.event.following import acts_to_follow, results_to_give_back
from recorder.domain.event.orders import EnterResult, EventAct, EventOrder
from recorder.feeds.results_back import result_lines
from recorder.feeds.source import read_feed
from recorder.own_thread import OwnThread
from recorder.texts.telling import with_text
from recorder.wire.event_orders import decode_event_order, encode_event_order

if TYPE_CHECKING:
    from recorder.domain.event.register import Register

EVERY_S = 10.0
_PATIENCE_S = 5.0
_log = logging.getLogger(__name__)


class FeedFollower(OwnThread):
    """Follows one feed. ``source``: a file or an address, as ``tilecast event`` reads it.

    ``now`` gives milliseconds since 1970, for the names of orders.
    """

    def __init__(
        self, source: str, event: EventView, line: OrderLine, now: Callable[[], int]
    ) -> None:
        super().__init__("feed", _PATIENCE_S)
        self._source = source
        self._event, self._line, self._now = event, line, now
        self._fault = self._unfit = ""
        self._refused: tuple[Register | None, dict[EventAct, str]] = (None, {})
        self.back: tuple[EnterResult, ...] = ()

    def as_json(self) -> Json:
        """What the director's page shows."""
        return {"source": self._source, "fault": self._fault, "lines": result_lines(self.back)}

    def _work(self) -> None:
        while not self._ends.wait(EVERY_S):
            try:
                self.look()
            except Exception as fault:  # noqa: BLE001 - it is asked for again; nobody else would
                _log.exception("the feed is not followed")
                self._fault = f"a fault of ours: {fault}"

    def look(self) -> None:
        """Ask once, and give what orders it takes."""
        try:
            feed = read_feed(self._source)
            if feed.whole:
                event = self._event.register.event
                self._give(tuple(acts_to_follow(event, feed.event)))
                self.back = results_to_give_back(event, feed.event)
            self._fault = self._unfit if feed.whole else str(feed.faults[-1])
        except (TilecastError, OSError) as fault:
            self._fault = str(getattr(fault, "strerror", None) or fault)

    def _give(self, acts: Sequence[EventAct]) -> None:
        """Orders one by one; where one is not answered, the rest waits for another look.

        One that was refused is not given again while the event stands as it does.
        """
        self._unfit, began, register = "", self._now(), self._event.register
        if self._refused[0] is not register:
            self._refused = register, {}
        for number, act in enumerate(acts):
            if act in self._refused[1]:
                self._unfit = self._refused[1][act]
                continue
            order = EventOrder(id=f"feed-{began}-{number}", who="feed", act=act, agreed=True)
            try:
                order = decode_event_order(*encode_event_order(order))
            except DeviceError as fault:  # what no order can say stops no other
                self._unfit = str(fault)
                continue
            reply = self._line.give_event(order)
            if reply is None:
                return
            if not reply["ok"]:
                self._unfit = self._refused[1][act] = _why(reply)


def _why(reply: Json) -> str:
    reason = reply["reason"]
    return with_text(reason, "refusal")["text"] if reason else "refused"
