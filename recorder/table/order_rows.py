"""Orders in the log: what the rows say that they become, and what an order would do.

A row says what was ordered and, so that a restart comes to the same record, what the order was
about when it was given. Orders that were refused have a row too, with the reason.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from recorder.declared.codec import Json
from recorder.domain.errors import RecorderError
from recorder.domain.game import new_game
from recorder.domain.notices import CodedText
from recorder.domain.observations import ClockChanged
from recorder.domain.orders import TableOrder
from recorder.domain.record import OrderAim, OrderCarriedOut, OrderRefused, OrderRepeated
from recorder.domain.recorded_turns import RecordedTurns
from recorder.domain.rulings.in_force import Ruling
from recorder.domain.tiles import TileSet
from recorder.domain.turns import Turn
from recorder.projections.sheet import SheetLine, next_line
from recorder.wire.coded_text import encode_coded


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderOutcome:
    """What becomes of an order: what its row says, the rows it rests on, and why not, if not.

    ``row`` is the row of the order when it was recorded before. ``clock`` is what the clock shows
    because of it, None when it changes no clock.
    """

    says: OrderCarriedOut | OrderRefused | OrderRepeated
    refs: tuple[int, ...] = ()
    reason: CodedText | None = None
    row: int = 0
    clock: ClockChanged | None = None


def carried_out(ruling: Ruling, asked: TableOrder, before_ms: int = 0) -> OrderCarriedOut:
    """What the row of an order says that is applied."""
    aim = OrderAim(reading=ruling.reading, before_ms=before_ms)
    if ruling.edits_turn:
        aim = replace(
            aim,
            group=0 if ruling.group == ruling.seq else ruling.group,
            part=ruling.part,
            basis=ruling.basis,
            doubted=ruling.doubted,
        )
    return OrderCarriedOut(order=replace(asked, order=ruling.order), asked=asked, aim=aim)


def refused(data: Mapping[str, Any], type_name: str, reason: CodedText) -> OrderOutcome:
    """An order that is not applied; ``data`` is its object as it came."""
    name, who = (data.get(field) for field in ("id", "who"))
    says = OrderRefused(
        order=type_name,
        reason=reason,
        asked=data,
        id=name if isinstance(name, str) else "",
        who=who if isinstance(who, str) else "",
    )
    return OrderOutcome(says=says, reason=reason)


def repeated(asked: TableOrder, row: int) -> OrderOutcome:
    """An order that came again: it counts once, by its first row."""
    says = OrderRepeated(id=asked.order.id, who=asked.order.who, row=row)
    return OrderOutcome(says=says, refs=(row,), row=row)


def order_preview(
    reason: CodedText | None,
    before: tuple[int, int],
    after: tuple[int, int],
    changes: Sequence[Json] = (),
) -> Json:
    """What an order would do, or why it would be refused, as JSON values; see docs/wire.md.

    ``before`` and ``after`` are the totals.
    """
    return {
        "ok": reason is None,
        "reason": None if reason is None else encode_coded(reason),
        "totals": {"before": list(before), "after": list(after)},
        "changes": list(changes),
    }


def compared(recorded: RecordedTurns, after: Sequence[Turn], tile_set: TileSet) -> Json:
    """The record as it is beside the turns as they would be; ``entries`` name a turn's now."""
    names = {turn.ref: list(map(str, turn.entries)) for turn in recorded.turns}
    before, was = _lines(recorded.turns, tile_set)
    then, totals = _lines(after, tile_set)
    doubts = {group.ref: group.firm for group in after}
    order = [*(group.ref for group in after), *(ref for ref in before if ref not in then)]
    changes = [
        {
            "entries": names.get(ref, []),
            "before": [line.as_json() for line in before.get(ref, ())],
            "after": [line.as_json() for line in then.get(ref, ())],
            "doubts": [encode_coded(doubt) for doubt in doubts.get(ref, ())],
        }
        for ref in order
        if _bare(before.get(ref, ())) != _bare(then.get(ref, ())) or doubts.get(ref)
    ]
    return order_preview(None, was, totals, changes)


def _bare(lines: Sequence[SheetLine]) -> list[tuple[object, ...]]:
    """What a line says of its own turn: not its number, not the totals."""
    return [
        (line.player, line.kind, line.score, line.position, line.word, line.count, line.tiles)
        for line in lines
    ]


def _lines(
    turns: Iterable[Turn], tile_set: TileSet
) -> tuple[dict[int, list[SheetLine]], tuple[int, int]]:
    """The lines of the sheet by turn, and the totals."""
    state, number = new_game(tile_set), 0
    found: dict[int, list[SheetLine]] = {}
    for turn in turns:
        found[turn.ref] = []
        for event in turn.events:
            try:
                state, line = next_line(state, event, number)
            except RecorderError:  # a record from before, which does not fit; its doubt says so
                continue
            number = line.n
            found[turn.ref].append(line)
    return found, state.scores
