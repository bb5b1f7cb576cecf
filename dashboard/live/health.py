"""How the open overlay pages are: what each says of itself with its pings. Pure.

A page on air never shows that something is wrong; the director's page does.
"""

from collections.abc import Mapping
from typing import Any

from dashboard.live.scenes import SCENES
from recorder.declared.codec import Json
from recorder.frames.desk import OverlayHealth

STALE_MS = 2500
"""A page that was not heard for so long is stale: it pings three times in that time."""
_MOST_FPS = 1000


def heard(before: Mapping[str, Any], message: Mapping[str, Any], now: int) -> Json:
    """What is known of a page after one more ping; ``now`` in milliseconds since 1970."""
    fps = message.get("fps")
    seq, scene = message.get("seq"), message.get("scene")
    return {
        **before,
        "since": before.get("since", now),
        "at": now,
        "scene": scene if scene in SCENES else "other",
        "seq": seq if isinstance(seq, int) else -1,
        "fps": min(_MOST_FPS, round(fps)) if isinstance(fps, int | float) else None,
        "shown": message.get("shown") is not False,
    }


def health_of(known: Mapping[str, Any], table: int, newest: int, now: int) -> OverlayHealth:
    """One page as the director reads it.

    ``slot`` (empty where the address names a table), ``scene``, ``table``, ``seq`` of its last
    frame, ``behind`` (whether the channel has a newer one), ``fps`` (frames a second while
    something moves, None while nothing does), ``shown`` (whether OBS shows the source), ``racks``
    (whether it gets them), ``obs``, ``since`` and ``age_ms`` of its last ping, ``stale``.
    """
    age_ms = max(0, now - int(known["at"]))
    return {
        "slot": known.get("slot", ""),
        "scene": known["scene"],
        "table": table,
        "seq": known["seq"],
        "behind": known["seq"] < newest,
        "fps": known["fps"],
        "shown": known["shown"],
        "racks": bool(known.get("racks")),
        "obs": bool(known.get("obs")),
        "since": known["since"],
        "age_ms": age_ms,
        "stale": age_ms > STALE_MS,
    }
