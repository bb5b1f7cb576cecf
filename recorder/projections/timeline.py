"""What the director reads: every statement of the record, its doubts, and what it rests on.

Not for the public: it holds doubts, runners-up and the state of the devices.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from recorder.domain.errors import DeviceError
from recorder.domain.telling import describe
from recorder.eventlog import Kind, Row
from recorder.wire import EVENT_TYPES, STARTED_TYPE, decode_event, decode_started

Json = dict[str, Any]

_DEVICE_TYPES = frozenset({"device.lost", "device.back"})


class Timeline:
    """One table's story and its devices, folded row by row. A new game begins a new story."""

    def __init__(self, table: int) -> None:
        self.table = table
        self._items: dict[int, Json] = {}
        self._devices: dict[str, Json] = {}
        self._last_seq = 0
        self._last_at = 0

    def advance(self, row: Row) -> None:
        """One more row of the log; rows of other tables only count for the log's head."""
        self._last_seq, self._last_at = row.seq, row.at
        if row.table != self.table:
            return
        if row.kind is Kind.OBSERVED:
            self._observe(row)
        else:
            self._state(row)

    def items(self) -> list[Json]:
        """The entries, oldest first. See ``timeline``."""
        return list(self._items.values())

    def devices(self) -> dict[str, Json]:
        """By device: the time and type of its newest message, and why it is lost, if it is."""
        return {name: dict(state) for name, state in self._devices.items()}

    def log(self) -> Json:
        """The head of the log: number and time of its newest row."""
        return {"seq": self._last_seq, "at": self._last_at}

    def _observe(self, row: Row) -> None:
        kind, data = str(row.body.get("type")), row.body.get("data", {})
        device = str(row.body.get("dev", ""))
        if kind in _DEVICE_TYPES:
            device = str(data.get("device", device))
            lost = str(data.get("reason", "no answer")) if kind == "device.lost" else None
            self._devices.setdefault(device, {})["lost"] = lost
            text = f"{device} lost: {lost}" if lost is not None else f"{device} is back"
            self._add(row, kind, text)
        state = self._devices.setdefault(device, {})
        state.update(type=kind, at=row.at, seq=row.seq)
        state.setdefault("lost", None)
        if kind == "board.not_seen":
            state["reason"] = str(data.get("reason", ""))
        else:
            state.pop("reason", None)

    def _state(self, row: Row) -> None:
        kind = str(row.body.get("type", "correction" if row.kind is Kind.CORRECTED else ""))
        if kind == STARTED_TYPE:
            self._items.clear()
        item = self._add(row, kind, _text(kind, row.body))
        item["doubt"] = _doubt(row.body.get("doubt"))
        item["log_odds"] = row.body.get("log_odds")
        if row.kind is Kind.CORRECTED:
            item["supersedes"] = row.body.get("supersedes")
            item["reason"] = str(row.body.get("reason", ""))
            superseded = self._items.get(int(row.body.get("supersedes", 0)))
            if superseded is not None:
                superseded["superseded_by"] = row.seq

    def _add(self, row: Row, kind: str, text: str) -> Json:
        item: Json = {
            "seq": row.seq,
            "at": row.at,
            "kind": row.kind.value,
            "type": kind,
            "text": text,
            "player": _player(row.body),
            "refs": list(row.refs),
            "doubt": None,
            "log_odds": None,
            "superseded_by": None,
        }
        self._items[row.seq] = item
        return item


def timeline(rows: Iterable[Row]) -> list[Json]:
    """The director's entries after these rows of one table, oldest first.

    Each has ``seq, at, kind, type, text, player, refs, doubt, log_odds, superseded_by``; a doubt
    has ``reasons``, ``squares`` and ``alternatives`` (``text`` and ``log_odds`` of each).
    """
    story: Timeline | None = None
    for row in rows:
        if story is None:
            story = Timeline(row.table)
        story.advance(row)
    return [] if story is None else story.items()


def _text(kind: str, body: Mapping[str, Any]) -> str:
    try:
        if kind == STARTED_TYPE:
            started = decode_started(dict(body.get("data", {})))
            return f"{started.players[0]} against {started.players[1]}, {started.tile_set} tiles"
        if kind in EVENT_TYPES:
            return describe(decode_event(kind, dict(body.get("data", {}))))
        if kind == "correction":
            return _texts(body.get("events", ())) or "taken out of the record"
    except DeviceError as err:
        return f"not readable: {err}"
    return kind


def _texts(events: Iterable[Mapping[str, Any]]) -> str:
    parts = (
        describe(decode_event(str(one.get("type")), dict(one.get("data", {})))) for one in events
    )
    return ", then ".join(parts)


def _doubt(doubt: Mapping[str, Any] | None) -> Json | None:
    if not doubt:
        return None
    alternatives = []
    for one in doubt.get("alternatives", ()):
        try:
            text = _texts(one.get("events", ())) or "no event"
        except DeviceError as err:
            text = f"not readable: {err}"
        alternatives.append({"text": text, "log_odds": one.get("log_odds")})
    return {
        "reasons": [str(reason) for reason in doubt.get("reasons", ())],
        "squares": [str(name) for name in doubt.get("squares", ())],
        "alternatives": alternatives,
    }


def _player(body: Mapping[str, Any]) -> int | None:
    data = body.get("data")
    if isinstance(data, Mapping):
        player = data.get("player")
        return player if player in (0, 1) else None
    events = body.get("events") or [{}]
    return events[0].get("data", {}).get("player") if isinstance(events, list) else None
