"""Every order that a director can give, each accepted: those of one table, those of the event.

``NOT_DRIVEN`` names the types of order that are left out, and why; all others are here.
"""

from collections.abc import Callable, Iterator
from typing import Any

TABLE = 2
"""Its clock is not there: nothing happens at it but what is ordered."""
NOT_DRIVEN = {
    "event.cameras": "it needs looks of a camera at two tables, and this venue has none at one",
    "event.words": "it names a file of the recorder's folder, and this venue has none",
}


def table_orders(entry: Callable[[], int]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Types with their own fields; ``entry`` shows in which row the last play stands now."""
    zephyr, oyes = _play(0, "8D", "ZEPHYR"), _play(1, "H7", "OYES")
    yield "order.absent", {"player": 0, "due_s": 60}
    yield "order.arrived", {"player": 0}
    yield "order.seats", {"player": 1}
    yield "order.insert", {"entry": 0, "event": zephyr}
    yield "order.split", {"entry": entry(), "turns": [zephyr]}
    yield "order.correct", {"entry": entry(), "score": 71}
    yield "order.challenge", {"entry": entry(), "outcome": "stands", "bonus": 5}
    yield "order.insert", {"entry": entry(), "event": oyes}
    yield "order.accept", {"entry": entry()}
    yield "order.remove", {"entry": entry()}
    yield "order.clock", {"player": 0, "left_ms": 431_000}
    yield "order.ruling", {"text": "LATETEXT", "rule": "END-8"}
    yield "order.note", {"text": "LATETEXT"}
    yield "order.procedure.begin", {"key": "late", "code": "spill", "steps": 3}
    yield "order.procedure.step", {"key": "late", "step": 0}
    yield "order.procedure.time", {"key": "late", "step": 1}
    yield "order.procedure.close", {"key": "late"}
    yield "order.concede", {"player": 0, "margin": 50, "how": "resignation"}
    yield "order.undo", {"order": "late-17-order.concede"}
    yield "order.end", {}
    yield "order.end_racks", {"points": []}
    yield "order.time_penalty", {"player": 0, "points": 20}
    yield "order.sign", {"player": 0}
    yield "order.banner", {"text": "LATETEXT"}


EVENT_ORDERS = (
    ("event.about", "about name LATENAME"),
    ("event.player", "player L LATENAME One"),
    ("event.player", "player L LATENAME Two"),
    ("event.player", "player L LATENAME Three"),
    ("event.player_changed", "change L 1 name LATENAME Won"),
    ("event.left", "left L 3"),
    ("event.returned", "returned L 3"),
    ("event.checked_in", "here L 3"),
    ("event.players_moved", "move L all to L"),
    ("event.rules", "rules L naspa"),
    ("event.round", "round L 1 7:1-2 bye 3"),
    ("event.moved", "table L 1 1 8"),
    ("event.first", "first L 1 2"),
    ("event.adjourned", "adjourn L 1 1"),
    ("event.resumed", "resume L 1 1"),
    ("event.claimed", "claim L 1 1 431 380"),
    ("event.penalty", "penalty L 1 1 -20"),
    ("event.forfeit", "noshow L 1 1"),
    ("event.replay", "replay L 1 1"),
    ("event.device", "device clock-2 none"),
    ("event.device", "device clock-2 2 clock"),
    ("event.result", "result L 1 1 431 2 380"),
    ("event.about", "about date LATEDATE"),
    ("event.arranged", "tables L 7-12"),
    ("event.arranged", "times L 2026-11-28 10:00"),
    ("event.undo", "undo late-event-22"),
)


def _play(player: int, position: str, word: str) -> dict[str, Any]:
    data = {"player": player, "score": 0, "rack": "", "position": position, "word": word}
    return {"type": "game.played", "data": data}
