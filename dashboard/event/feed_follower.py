"""Follows the feed of a program that pairs: asks for it again and again, and gives orders for it.

What the feed has and the event has not becomes orders by ``feed``; what the event has and the feed
has not is kept as results to be typed into that program. A feed that cannot be read, or that ends
in its middle, changes nothing and is said.
"""

import threading
from collections.abc import Callable, Sequence

from dashboard.director.orders import OrderLine
from dashboard.event.view import EventView
from recorder.domain.errors import TilecastError
from recorder.domain.event.following import acts_to_follow, results_to_give_back
from recorder.domain.event.orders import EnterResult, EventAct, EventOrder
from recorder.feeds.results_back import result_lines
from recorder.feeds.source import read_feed
from recorder.wire import Json
from recorder.wire.event_orders import decode_event_order, encode_event_order

EVERY_S = 10.0


class FeedFollower:
    """Follows one feed. ``source``: a file or an address, as ``tilecast event`` reads it.

    ``now`` gives milliseconds since 1970, for the names of orders.
    """

    def __init__(
        self, source: str, event: EventView, line: OrderLine, now: Callable[[], int]
    ) -> None:
        self._source = source
        self._event, self._line, self._now = event, line, now
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._follow, name="feed", daemon=True)
        self._fault = ""
        self.back: tuple[EnterResult, ...] = ()

    def start(self) -> None:
        """Begin to ask, on a thread of its own."""
        self._thread.start()

    def stop(self) -> None:
        """Ask no more."""
        self._ended.set()
        if self._thread.is_alive():
            self._thread.join()

    def as_json(self) -> Json:
        """What the director's page shows."""
        return {"source": self._source, "fault": self._fault, "lines": result_lines(self.back)}

    def _follow(self) -> None:
        while not self._ended.wait(EVERY_S):
            self.look()

    def look(self) -> None:
        """Ask once, and give what orders it takes."""
        try:
            feed = read_feed(self._source)
            if feed.whole:
                event = self._event.register.event
                self._give(tuple(acts_to_follow(event, feed.event)))
                self.back = results_to_give_back(event, feed.event)
            self._fault = "" if feed.whole else str(feed.faults[-1])
        except (TilecastError, OSError) as fault:
            self._fault = str(getattr(fault, "strerror", None) or fault)

    def _give(self, acts: Sequence[EventAct]) -> None:
        """Orders one by one; where one is not answered, the rest waits for another look."""
        began = self._now()
        for number, act in enumerate(acts):
            order = EventOrder(id=f"feed-{began}-{number}", who="feed", act=act)
            order = decode_event_order(*encode_event_order(order))
            if self._line.give_event(order) is None:
                return
