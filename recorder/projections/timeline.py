"""What the director reads: every statement of the record, its doubts, and what it rests on.

Not for the public: it holds doubts, runners-up, orders and the state of the devices. A page that
gives orders finds in it all that an order names: entries, candidates, ids.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from recorder.domain.board import name_across
from recorder.domain.errors import DeviceError
from recorder.domain.game import GameEvent, Played
from recorder.domain.reading.describe import describe, describe_act, describe_all
from recorder.domain.rulings.in_force import Ruling, in_force
from recorder.log.port import Kind, Row
from recorder.wire import (
    EVENT_TYPES,
    NOTICE_OVER_TYPE,
    NOTICE_TYPE,
    ORDER_REFUSED_TYPE,
    ORDER_REPEATED_TYPE,
    STARTED_TYPE,
    decode_event,
    decode_order,
    decode_started,
    encode_event,
)

Json = dict[str, Any]

_DEVICE_TYPES = frozenset({"device.lost", "device.back"})


class Timeline:
    """One table's story and its devices, folded row by row. A new game begins a new story."""

    def __init__(self, table: int) -> None:
        self.table = table
        self._items: dict[int, Json] = {}
        self._of_turn: dict[int, list[int]] = {}
        self._pictures: dict[int, Json] = {}
        self._rulings: list[Ruling] = []
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
        elif row.kind is Kind.RULED:
            self._order(row)
        else:
            self._state(row)

    def items(self) -> list[Json]:
        """The items, oldest first. See ``timeline``."""
        counting = {ruling.order.id for ruling in in_force(self._rulings)}
        told = []
        for item in self._items.values():
            now = dict(item)
            if "order" in item:
                now["order"] = {**item["order"], "in_force": item["order"]["id"] in counting}
            if item["doubt"] is not None:
                now["doubt"] = self._with_candidates(item)
            told.append(now)
        return told

    def _with_candidates(self, item: Json) -> Json:
        """A doubt with all readings of its turn: 0 is the one that stands."""
        alone = item["superseded_by"] is not None or not item["group"]
        turn = [item["seq"]] if alone else self._of_turn[item["group"]]
        held = [
            entry
            for one in map(self._items.__getitem__, turn)
            if alone or one["superseded_by"] is None
            for entry in one["entries"]
        ]
        stands = {
            "candidate": 0,
            "log_odds": None,
            "text": ", then ".join(entry["text"] for entry in held) or "no event",
            "events": [
                {key: value for key, value in entry.items() if key not in {"entry", "part"}}
                for entry in held
            ],
        }
        return {**item["doubt"], "candidates": [stands, *item["doubt"]["candidates"]]}

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
        elif kind == "clock.doubt":
            device = str(data.get("device", device))
            self._add(row, kind, f"{device} cannot be right: {data.get('detail', '')}")
        if data.get("picture"):
            self._pictures[row.seq] = {
                "row": row.seq,
                "device": device,
                "type": kind,
                "frame": str(data.get("frame", "")),
                "picture": str(data["picture"]),
            }
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
            self._begin_anew()
        item = self._add(row, kind, _text(kind, row.body))
        item["group"] = row.body.get("group", 0)
        item["doubt"] = _doubt(row.body.get("doubt"))
        item["log_odds"] = row.body.get("log_odds")
        item["entries"] = _entries(row)
        item["facts"] = dict(row.body.get("facts", {}))
        if kind == NOTICE_TYPE:
            item["notice"] = dict(row.body["data"])
        elif kind == NOTICE_OVER_TYPE and row.body["data"]["row"] in self._items:
            self._items[row.body["data"]["row"]]["superseded_by"] = row.seq
        item["orders"] = [
            dict(self._items[seq]["order"], row=seq)
            for seq in row.body.get("ruled", ())
            if "order" in self._items.get(seq, {})
        ]
        item["pictures"] = [self._pictures[ref] for ref in row.refs if ref in self._pictures]
        if row.kind is Kind.CORRECTED:
            item["supersedes"] = row.body.get("supersedes")
            item["reason"] = str(row.body.get("reason", ""))
            self._supersede(row)
        self._of_turn.setdefault(item["group"], []).append(row.seq)

    def _begin_anew(self) -> None:
        self._items.clear()
        self._of_turn.clear()
        self._rulings.clear()

    def _supersede(self, row: Row) -> None:
        """A correction of a turn's first row stands for the turn; of another one, for that."""
        supersedes = int(row.body.get("supersedes", 0))
        turn = self._of_turn.get(row.body.get("group", 0), [])
        heads = [seq for seq in turn if self._items[seq].get("supersedes") == supersedes]
        for seq in (supersedes, *heads):
            if seq in self._items:
                self._items[seq]["superseded_by"] = row.seq

    def _order(self, row: Row) -> None:
        kind, data = str(row.body.get("type")), row.body.get("data", {})
        if kind == ORDER_REPEATED_TYPE:
            return
        order: Json = {"id": str(data.get("id", "")), "who": str(data.get("who", ""))}
        if kind == ORDER_REFUSED_TYPE:
            text = f"refused: {data.get('reason', '')}"
        else:
            try:
                told = decode_order(kind, dict(data))
            except DeviceError as err:
                self._add(row, kind, f"not readable: {err}")
                return
            self._rulings.append(Ruling(seq=row.seq, at_ms=row.at, order=told.order))
            text = describe_act(told.order.act)
            order["ends"] = told.order.ends
        order |= {"type": kind, "text": text}
        item = self._add(row, kind, text)
        item |= {"order": order, "group": row.body.get("group", 0)}

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
            "group": 0,
            "entries": [],
            "facts": {},
            "orders": [],
            "pictures": [],
        }
        self._items[row.seq] = item
        return item


def timeline(rows: Iterable[Row]) -> list[Json]:
    """The director's items after these rows of one table, oldest first.

    Each has ``seq, at, kind, type, text, player, refs, doubt, log_odds, superseded_by``, and
    ``group`` (the turn), ``entries`` (the events of this row: ``entry`` and ``part`` as orders name
    them, ``type``, the event's fields, ``squares``, ``text``), ``facts``, ``orders`` (those that
    shaped the turn) and ``pictures`` (of the looks it rests on). A doubt has ``reasons``,
    ``squares`` and ``candidates``: number, ``events``, ``text`` and ``log_odds`` of each, 0 being
    the one that stands; ``alternatives`` are the others. An order has ``order``: ``id``, ``who``,
    ``type``, ``text``, ``ends`` (the order that it ends) and ``in_force``.
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
        if kind in (NOTICE_TYPE, NOTICE_OVER_TYPE):
            return _notice_text(kind, body["data"])
        if kind in EVENT_TYPES:
            return describe(decode_event(kind, dict(body.get("data", {}))))
        if kind == "correction":
            return _texts(body.get("events", ())) or "taken out of the record"
    except DeviceError as err:
        return f"not readable: {err}"
    return kind


def _notice_text(kind: str, data: Mapping[str, Any]) -> str:
    if kind == NOTICE_OVER_TYPE:
        return f"no longer so: row {data['row']}"
    return f"{data['notice']}: {data['sentence']}"


def _texts(events: Iterable[Mapping[str, Any]]) -> str:
    return describe_all(_decoded(one) for one in events)


def _decoded(told: Mapping[str, Any]) -> GameEvent:
    return decode_event(str(told.get("type")), dict(told.get("data", {})))


def _event_json(event: GameEvent) -> Json:
    """An event with all that a page shows of it."""
    type_name, data = encode_event(event)
    squares = event.placement.new_tiles() if isinstance(event, Played) else ()
    return {
        "type": type_name,
        **data,
        "squares": [name_across(sq) for sq in squares],
        "text": describe(event),
    }


def _entries(row: Row) -> list[Json]:
    """The events of a row, each with the name under which an order finds it."""
    told = row.body.get("events", ()) if row.kind is Kind.CORRECTED else [row.body]
    try:
        events = [_decoded(one) for one in told if str(one.get("type")) in EVENT_TYPES]
    except DeviceError:
        return []
    return [
        {"entry": row.seq, "part": part, **_event_json(event)} for part, event in enumerate(events)
    ]


def _doubt(doubt: Mapping[str, Any] | None) -> Json | None:
    if not doubt:
        return None
    candidates = []
    for number, one in enumerate(doubt.get("alternatives", ()), 1):
        try:
            events = [_decoded(told) for told in one.get("events", ())]
            text = describe_all(events) or "no event"
        except DeviceError as err:
            events, text = [], f"not readable: {err}"
        candidates.append(
            {
                "candidate": number,
                "log_odds": one.get("log_odds"),
                "text": text,
                "events": [_event_json(event) for event in events],
            }
        )
    others = [{"text": one["text"], "log_odds": one["log_odds"]} for one in candidates]
    return {
        "reasons": [str(reason) for reason in doubt.get("reasons", ())],
        "squares": [str(name) for name in doubt.get("squares", ())],
        "alternatives": others,
        "candidates": candidates,
    }


def _player(body: Mapping[str, Any]) -> int | None:
    data = body.get("data")
    if isinstance(data, Mapping):
        player = data.get("player")
        return player if player in (0, 1) else None
    events = body.get("events") or [{}]
    return events[0].get("data", {}).get("player") if isinstance(events, list) else None
