"""Orders in the log: the rows that they become, how these are read, and what an order would do.

A row says what was ordered and, so that a restart comes to the same record, what the order was
about when it was given. Orders that were refused have a row too, with the reason.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from recorder.domain.errors import DeviceError, RecorderError
from recorder.domain.game import GameEvent, new_game
from recorder.domain.observations import ClockChanged
from recorder.domain.reading.turns import Group
from recorder.domain.rulings.in_force import Ruling
from recorder.domain.rulings.resolve import Book
from recorder.domain.tiles import TileSet
from recorder.log.port import Row
from recorder.projections.sheet import SheetLine, next_line
from recorder.wire import (
    ORDER_REFUSED_TYPE,
    ORDER_REPEATED_TYPE,
    Json,
    TableOrder,
    decode_event,
    decode_order,
    encode_event,
    encode_order,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderOutcome:
    """What becomes of an order: the body of its row, the rows it rests on, and why not, if not.

    ``row`` is the row of the order when it was recorded before. ``clock`` is what the clock shows
    because of it, None when it changes no clock.
    """

    body: Json
    refs: tuple[int, ...] = ()
    reason: str = ""
    row: int = 0
    clock: ClockChanged | None = None


def ruled_body(ruling: Ruling, asked: TableOrder) -> Json:
    """The body of a row for an order that is carried out."""
    told = TableOrder(table=asked.table, order=ruling.order, game=asked.game)
    type_name, data = encode_order(told)
    body: Json = {"type": type_name, "data": data}
    _, data_asked = encode_order(asked)
    if data_asked != data:
        body["asked"] = data_asked
    if ruling.edits_turn:
        own = ruling.group == ruling.seq
        body |= {"group": 0 if own else ruling.group, "part": ruling.part}
        body |= {"basis": _typed(ruling.basis), "doubted": ruling.doubted}
    if ruling.reading:
        body["reading"] = _typed(ruling.reading)
    return body


def refused(told: Mapping[str, Any], type_name: str, reason: str) -> OrderOutcome:
    """An order that is not carried out; ``told`` is its object as it came."""
    data = {"order": type_name, "reason": reason, "asked": dict(told)}
    for name in ("id", "who"):
        if isinstance(told.get(name), str):
            data[name] = told[name]
    return OrderOutcome(body={"type": ORDER_REFUSED_TYPE, "data": data}, reason=reason)


def repeated(asked: TableOrder, row: int) -> OrderOutcome:
    """An order that came again: it counts once, by its first row."""
    data = {"id": asked.order.id, "who": asked.order.who, "row": row}
    return OrderOutcome(body={"type": ORDER_REPEATED_TYPE, "data": data}, refs=(row,), row=row)


def ruling_of(row: Row) -> Ruling | None:
    """The ruling in a row of kind *ruled*; None for one that was refused or cannot be read."""
    body = row.body
    try:
        told = decode_order(str(body["type"]), dict(body["data"]))
    except DeviceError:
        return None
    edits = "group" in body
    return Ruling(
        seq=row.seq,
        at_ms=row.at,
        order=told.order,
        group=(int(body["group"]) or row.seq) if edits else 0,
        part=int(body.get("part", 0)),
        basis=_events(body.get("basis", ())),
        reading=_events(body.get("reading", ())),
        doubted=bool(body.get("doubted", False)),
    )


def asked_of(row: Row) -> TableOrder:
    """The order in a row that ``ruling_of`` can read, as it was given."""
    return decode_order(str(row.body["type"]), dict(row.body.get("asked", row.body["data"])))


def _typed(events: Sequence[GameEvent]) -> list[Json]:
    return [dict(zip(("type", "data"), encode_event(one), strict=True)) for one in events]


def _events(told: Sequence[Mapping[str, Any]]) -> tuple[GameEvent, ...]:
    return tuple(decode_event(str(one["type"]), dict(one["data"])) for one in told)


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One turn before and after an order; ``entries`` name what it consists of now."""

    entries: tuple[str, ...]
    before: tuple[SheetLine, ...]
    after: tuple[SheetLine, ...]
    doubts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """What an order would do, or why it would be refused. Nothing is recorded for it."""

    reason: str
    totals_before: tuple[int, int]
    totals_after: tuple[int, int]
    changes: tuple[Change, ...] = ()

    def as_json(self) -> Json:
        """The preview as plain JSON values; see docs/wire.md."""
        return {
            "ok": not self.reason,
            "reason": self.reason,
            "totals": {"before": list(self.totals_before), "after": list(self.totals_after)},
            "changes": [
                {
                    "entries": list(change.entries),
                    "before": [line.as_json() for line in change.before],
                    "after": [line.as_json() for line in change.after],
                    "doubts": list(change.doubts),
                }
                for change in self.changes
            ],
        }


def compared(book: Book, after: Sequence[Group], tile_set: TileSet) -> Preview:
    """The record as it is beside the turns as they would be."""
    names: dict[int, list[str]] = {}
    events: dict[int, list[GameEvent]] = {}
    for name, place in book.places.items():
        names.setdefault(place.group, []).append(str(name))
        events.setdefault(place.group, []).append(place.event)
    before, was = _lines(events, tile_set)
    then, totals = _lines({group.ref: list(group.events) for group in after}, tile_set)
    doubts = {group.ref: group.firm for group in after}
    order = [*(group.ref for group in after), *(ref for ref in before if ref not in then)]
    changes = [
        Change(
            entries=tuple(names.get(ref, ())),
            before=tuple(before.get(ref, ())),
            after=tuple(then.get(ref, ())),
            doubts=doubts.get(ref, ()),
        )
        for ref in order
        if _bare(before.get(ref, ())) != _bare(then.get(ref, ())) or doubts.get(ref)
    ]
    return Preview(reason="", totals_before=was, totals_after=totals, changes=tuple(changes))


def _bare(lines: Sequence[SheetLine]) -> list[tuple[object, ...]]:
    """What a line says of its own turn: not its number, not the totals."""
    return [
        (one.player, one.kind, one.score, one.position, one.word, one.count, one.tiles)
        for one in lines
    ]


def _lines(
    turns: Mapping[int, Sequence[GameEvent]], tile_set: TileSet
) -> tuple[dict[int, list[SheetLine]], tuple[int, int]]:
    """The lines of the sheet by turn, and the totals."""
    state, number = new_game(tile_set), 0
    found: dict[int, list[SheetLine]] = {}
    for ref, events in turns.items():
        found[ref] = []
        for event in events:
            try:
                state, line = next_line(state, event, number)
            except RecorderError:  # a record from before, which does not fit; its doubt says so
                continue
            number = line.n
            found[ref].append(line)
    return found, state.scores
