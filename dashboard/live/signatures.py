"""Who has signed the result: what a director has noted, as far as the note holds.

A signature is a note in the record (``order.note``), so that every director sees it, after a reload
and years later; undone, it is none. What was corrected after it was not signed: it is ``stale``.
"""

import re
from collections.abc import Sequence

from recorder.wire import Json

_SIGNED = re.compile(r"note: result slip signed by player ([12])\b")


def signatures(items: Sequence[Json]) -> list[Json | None]:
    """By player, of the timeline's items: ``order`` (an id), ``row``, ``at``, ``who``, ``stale``.

    None where nothing was noted, or where the note was undone. The newest note counts.
    """
    found: list[Json | None] = [None, None]
    changed = max((one["seq"] for one in items if one["entries"] or "supersedes" in one), default=0)
    for item in items:
        order = item.get("order", {})
        told = _SIGNED.match(item["text"])
        if told is None or not order.get("in_force"):
            continue
        found[int(told[1]) - 1] = {
            "order": order["id"],
            "row": item["seq"],
            "at": item["at"],
            "who": order["who"],
            "stale": item["seq"] < changed,
        }
    return found
