"""The event in the record: what the rows of a log say of it, and what an order would change."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from recorder.declared.codec import Json
from recorder.domain.event.consequences import consequences, doubts, root_act
from recorder.domain.event.divisions import EventDivision
from recorder.domain.event.orders import EventOrder
from recorder.domain.event.placing import Placing, rankings
from recorder.domain.event.register import (
    Register,
    extended,
    is_again,
    refusal,
    register_of,
    settled,
)
from recorder.domain.notices import CodedText, coded
from recorder.domain.row_kind import Kind
from recorder.log.port import EventLog, NewRow, Row
from recorder.orders.event_rules import fault_of_rules, rules_of
from recorder.wire.coded_text import encode_coded
from recorder.wire.event_orders import encode_event_order, order_of_row, row_of_order

EVENT_TABLE = 0
"""The table of rows that are about no table."""


def event_register(rows: Iterable[Row]) -> Register:
    """The event as the rows of a log have it."""
    ruled = (order_of_row(row.body) for row in rows if row.kind is Kind.RULED)
    return register_of(order for order in ruled if order is not None)


def event_of_log(log: EventLog) -> Register:
    """The event that a log holds; none of the tables' rows are read for it."""
    return event_register(log.of_game(EVENT_TABLE, ""))


class EventDesk:
    """The event as the rows of a log make it, row by row; ``register`` is how it stands."""

    def __init__(self) -> None:
        self._rows: dict[str, tuple[int, EventOrder]] = {}
        self.register = register_of(())

    def take(self, row: Row) -> None:
        """Take in a row of the log, whatever it is about."""
        order = order_of_row(row.body) if row.kind is Kind.RULED else None
        if order is not None:
            self._rows[order.id] = row.seq, order
            self.register = extended(self.register, order)

    def row_of(self, order: EventOrder) -> int | None:
        """The row of an order that was given before, word for word; None: it is new."""
        seq, given = self._rows.get(order.id, (0, order))
        return seq if seq and is_again(given, order) else None


@dataclass(frozen=True, slots=True)
class RankChange:
    """A player whom an order puts elsewhere, with both places."""

    division: str
    before: Placing
    after: Placing


@dataclass(frozen=True, slots=True, kw_only=True)
class EventPreview:
    """What an order would do; ``reason`` says why it cannot.

    ``changes`` is what else it changes, which has to be agreed to: people, results, rounds, and
    pairings that were made from them. ``left_out`` are orders that would no longer fit.
    """

    reason: CodedText | None
    ranks: tuple[RankChange, ...] = ()
    changes: tuple[CodedText, ...] = ()
    left_out: tuple[EventOrder, ...] = ()


Unmet = Callable[[EventOrder], CodedText | None]
"""Why what an order needs is not there: a table, a file. Who has none of them asks nobody."""


def _asks_nobody(order: EventOrder) -> CodedText | None:  # noqa: ARG001 - Unmet's
    return None


Against = Callable[[EventOrder], Iterable[CodedText]]
"""What the tables have recorded that speaks against an order, to be agreed to as well."""


def _has_no_tables(order: EventOrder) -> Iterable[CodedText]:  # noqa: ARG001 - Against's
    return ()


def why_not(
    register: Register,
    order: EventOrder,
    unmet: Unmet = _asks_nobody,
    against: Against = _has_no_tables,
) -> CodedText | None:
    """Why an order cannot be applied now; None: it can."""
    reason = refusal(register, order) or unmet(order) or fault_of_rules(order.act)
    if reason is not None or order.agreed:
        return reason
    preview = _consequences(register, _after(register, order), order, against)
    count = len(preview.changes) + len(preview.left_out)
    return coded("event_unseen", count=count) if count else None


def _after(register: Register, order: EventOrder) -> Register:
    return extended(register, settled(register, order))


def consequences_of(register: Register, order: EventOrder) -> EventPreview:
    """What an order changes beside standings; nothing where it does not fit."""
    if refusal(register, order) is not None:
        return EventPreview(reason=None)
    return _consequences(register, _after(register, order), order)


def _consequences(
    register: Register, after: Register, order: EventOrder, against: Against = _has_no_tables
) -> EventPreview:
    """What an order changes beside standings."""
    known = {left.id for left, _ in register.left_out}
    return EventPreview(
        reason=None,
        changes=(
            *doubts(register.event, order.act),
            *against(order),
            *consequences(register.event, after.event, root_act(order, register.orders)),
        ),
        left_out=tuple(left for left, _ in after.left_out if left.id not in known),
    )


def event_preview(
    register: Register,
    order: EventOrder,
    unmet: Unmet = _asks_nobody,
    against: Against = _has_no_tables,
) -> EventPreview:
    """What an order would do to standings and to what is paired already."""
    reason = why_not(register, replace(order, agreed=True), unmet)
    if reason is not None:
        return EventPreview(reason=reason)
    after = _after(register, order)
    before = {division.name: division for division in register.event.divisions}
    ranks: list[RankChange] = []
    for division in after.event.divisions:
        was = before.get(division.name)
        if was is None or was == division:
            continue
        ranks += _rank_changes(was, division)
    return replace(_consequences(register, after, order, against), ranks=tuple(ranks))


def _rank_changes(was: EventDivision, division: EventDivision) -> list[RankChange]:
    """Players whose place, wins or spread differ after the last round that has results."""
    last = max(was.scored_rounds, division.scored_rounds)
    old = {row.number: row for row in rankings(rules_of(was), was, last)}
    return [
        RankChange(division.name, old[row.number], row)
        for row in rankings(rules_of(division), division, last)
        if row.number in old and _place(old[row.number]) != _place(row)
    ]


def _place(row: Placing) -> tuple[object, ...]:
    return (row.rank, row.wins, row.losses, row.spread)


def judged_row(
    register: Register,
    order: EventOrder,
    at: int,
    unmet: Unmet = _asks_nobody,
    against: Against = _has_no_tables,
) -> tuple[NewRow, CodedText | None]:
    """The row of an order, and why it is refused; None: it is applied."""
    reason = why_not(register, order, unmet, against)
    if reason is None:
        body = row_of_order(settled(register, order))
        return NewRow(table=EVENT_TABLE, game="", kind=Kind.RULED, at=at, body=body), None
    from recorder.domain.record import OrderRefused

    type_name, asked = encode_event_order(order)
    refused = OrderRefused(order=type_name, reason=reason, asked=asked, id=order.id, who=order.who)
    return NewRow.saying(refused, table=EVENT_TABLE, game="", at=at), reason


def preview_json(preview: EventPreview) -> Json:
    """A preview as JSON values; the reason is a code with its values."""
    return {
        "ok": preview.reason is None,
        "reason": None if preview.reason is None else encode_coded(preview.reason),
        "ranks": [
            {
                "division": change.division,
                "id": change.after.number,
                "name": change.after.name,
                "rank": [change.before.rank, change.after.rank],
                "wins": [float(change.before.wins), float(change.after.wins)],
                "spread": [change.before.spread, change.after.spread],
            }
            for change in preview.ranks
        ],
        "changes": [encode_coded(change) for change in preview.changes],
        "left_out": [order.id for order in preview.left_out],
    }
