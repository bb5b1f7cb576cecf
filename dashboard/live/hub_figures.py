"""The dashboard's figures for Prometheus, and whether it follows the log: of pages, not of games.

The hub lives on the event loop; who asks from another thread is answered there.
"""

import asyncio
from collections.abc import Callable, Iterator
from typing import TypeVar

from prometheus_client import CollectorRegistry
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from dashboard.live.hub import Hub

WITHIN_S = 2.0
"""An event loop that does not answer for so long serves nobody."""

_Answer = TypeVar("_Answer")


class HubFigures(Collector):
    """The figures of one hub, once its loop runs (``begin``)."""

    def __init__(self, hub: Hub) -> None:
        self.registry = CollectorRegistry()
        self._hub = hub
        self._loop: asyncio.AbstractEventLoop | None = None
        self.registry.register(self)

    def begin(self) -> None:
        """The hub runs on this event loop from now on."""
        self._loop = asyncio.get_running_loop()

    @property
    def wrong(self) -> str:
        """What keeps the pages from being right, for a supervisor; empty while nothing does."""
        try:
            following, broken = self._asked(lambda: (self._hub.following, self._hub.broken))
        except TimeoutError:
            return f"the server has not answered itself within {WITHIN_S:g} s"
        if broken is not None:
            return f"row {broken} of the log does not hold"
        return "" if following else "the log is not followed to its end yet"

    def collect(self) -> Iterator[Metric]:
        """See ``Collector``; nothing before the loop runs."""
        if self._loop is None:
            return
        for name, (text, value) in self._asked(self._gauges).items():
            yield GaugeMetricFamily(name, text, value=float(value))

    def _gauges(self) -> dict[str, tuple[str, int]]:
        hub, pages = self._hub, self._hub.overlays()
        behind, stale = (sum(page[how] for page in pages) for how in ("behind", "stale"))
        return {
            "tilecast_log_followed": ("1 while all rows of the log are shown", hub.following),
            "tilecast_log_broken": ("1 once a row did not hold", hub.broken is not None),
            "tilecast_pages": ("Open pages of every kind", hub.viewers()),
            "tilecast_overlays": ("Open overlays, 60 at most", len(pages)),
            "tilecast_overlays_behind": ("Overlays without the newest frame", behind),
            "tilecast_overlays_stale": ("Overlays that were not heard lately", stale),
        }

    def _asked(self, ask: Callable[[], _Answer]) -> _Answer:
        """What ``ask`` gives on the event loop. TimeoutError when that does not answer."""
        if self._loop is None:
            raise TimeoutError("the server has not begun yet")

        async def answer() -> _Answer:
            return ask()

        return asyncio.run_coroutine_threadsafe(answer(), self._loop).result(WITHIN_S)
