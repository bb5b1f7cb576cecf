"""What viewers at home cost, on paper: bytes, requests and money from what one of them takes. Pure.

An hour of one table. Sockets are held by dashboards; a cache answers pages that ask, and itself
asks a dashboard once a second, however many stand behind it.
"""

from dataclasses import dataclass
from typing import Any

MOST_SOCKETS = 600
"""Pages at home that one dashboard holds (``dashboard.web.doors``)."""
ASKED_EVERY_S = 2.0
"""So often a page without a socket asks (``static/js/watch/polled.js``)."""
HOUR_S = 3600
STEPS = (100, 1_000, 10_000, 100_000)


@dataclass(frozen=True, slots=True)
class Taken:
    """What one viewer takes, in bytes on the wire, heads included.

    ``visit``: the page with all that it loads. ``update``: a play over a socket. ``frame``: a whole
    public frame, compressed. ``unchanged``: the answer that nothing has changed. ``idle_a_second``:
    what a socket takes without a play, its pings.
    """

    visit: int
    update: float
    frame: int
    unchanged: int
    idle_a_second: float


@dataclass(frozen=True, slots=True)
class Prices:
    """What a CDN asks, in any money: for a gigabyte, for a million requests."""

    gigabyte: float
    million: float


def on_paper(taken: Taken, plays_an_hour: float, prices: Prices, viewers: int) -> dict[str, Any]:
    """An hour of one table for so many, both ways."""
    socket = taken.visit + plays_an_hour * taken.update + HOUR_S * taken.idle_a_second
    asks = HOUR_S / ASKED_EVERY_S
    changed = min(plays_an_hour, asks)
    asking = taken.visit + changed * taken.frame + (asks - changed) * taken.unchanged
    gigabytes = viewers * asking / 1e9
    return {
        "viewers": viewers,
        "sockets": {
            "dashboards": -(-viewers // MOST_SOCKETS),
            "gigabytes": round(viewers * socket / 1e9, 3),
            "megabits_at_a_play": round(viewers * taken.update * 8 / 1e6, 2),
        },
        "cache": {
            "gigabytes": round(gigabytes, 3),
            "requests_a_second": round(viewers / ASKED_EVERY_S),
            "of_them_to_the_dashboard": min(1.0, round(viewers / ASKED_EVERY_S, 2)),
            "cost": round(gigabytes * prices.gigabyte + viewers * asks / 1e6 * prices.million, 2),
        },
    }
