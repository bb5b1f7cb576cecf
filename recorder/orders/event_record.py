"""The event in the record: what the rows of a log say of it, and what an order would change."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from recorder.declared.codec import Json
from recorder.domain.event.divisions import EventDivision, PlayerRound
from recorder.domain.event.orders import EventOrder
from recorder.domain.event.placing import Placing, placings
from recorder.domain.event.register import Register, extended, refusal, register_of
from recorder.domain.notices import CodedText
from recorder.domain.record import EventOrdered, Kind, OrderRefused
from recorder.log.port import NewRow, Row
from recorder.orders.event_rules import fault_of_rules, rules_of
from recorder.wire.event_orders import EVENT_ORDER_TYPES, encode_event_order

EVENT_TABLE = 0
"""The table of rows that are about no table."""


def event_register(rows: Iterable[Row]) -> Register:
    """The event as the rows of a log have it."""
    ruled = (row for row in rows if row.kind is Kind.RULED and row.type in EVENT_ORDER_TYPES)
    says = (row.says for row in ruled)
    return register_of(said.order for said in says if isinstance(said, EventOrdered))


class EventDesk:
    """The event as the rows of a log make it, row by row; ``register`` is how it stands."""

    def __init__(self) -> None:
        self._rows: dict[str, int] = {}
        self.register = register_of(())

    def take(self, row: Row) -> None:
        """Take in a row of the log, whatever it is about."""
        if row.kind is Kind.RULED and row.type in EVENT_ORDER_TYPES:
            said = row.says
            if isinstance(said, EventOrdered):
                self._rows[said.order.id] = row.seq
                self.register = extended(self.register, said.order)

    def row_of(self, order: EventOrder) -> int | None:
        """The row of an order that was given before, word for word; None: it is new."""
        return self._rows.get(order.id) if order in self.register.orders else None


@dataclass(frozen=True, slots=True)
class RankChange:
    """A player whom an order puts elsewhere, with both places."""

    division: str
    before: Placing
    after: Placing


@dataclass(frozen=True, slots=True, kw_only=True)
class EventPreview:
    """What an order would do; ``reason`` says why it cannot.

    ``paired`` are the rounds, by division, that were paired from what the order changes: they
    stay as they are published. ``left_out`` are orders that would no longer fit.
    """

    reason: CodedText | None
    ranks: tuple[RankChange, ...] = ()
    paired: tuple[tuple[str, int], ...] = ()
    left_out: tuple[tuple[EventOrder, CodedText], ...] = ()


Unmet = Callable[[EventOrder], CodedText | None]
"""Why what an order needs is not there: a table, a file. Who has none of them asks nobody."""


def _asks_nobody(order: EventOrder) -> CodedText | None:  # noqa: ARG001 - Unmet's
    return None


def why_not(register: Register, order: EventOrder, unmet: Unmet = _asks_nobody) -> CodedText | None:
    """Why an order cannot be carried out now; None: it can."""
    return refusal(register, order) or fault_of_rules(order.act) or unmet(order)


def event_preview(
    register: Register, order: EventOrder, unmet: Unmet = _asks_nobody
) -> EventPreview:
    """What an order would do to standings and to what is paired already."""
    reason = why_not(register, order, unmet)
    if reason is not None:
        return EventPreview(reason=reason)
    after = register_of((*register.orders, order))
    before = {division.name: division for division in register.event.divisions}
    ranks: list[RankChange] = []
    paired: list[tuple[str, int]] = []
    for division in after.event.divisions:
        was = before.get(division.name)
        if was is None or was == division:
            continue
        ranks += _rank_changes(was, division)
        first = _first_changed_result(was, division)
        if first is not None and division.paired_rounds > first:
            paired += [(division.name, n) for n in range(first + 1, division.paired_rounds + 1)]
    new = after.left_out[len(register.left_out) :]
    return EventPreview(reason=None, ranks=tuple(ranks), paired=tuple(paired), left_out=new)


def _rank_changes(was: EventDivision, division: EventDivision) -> list[RankChange]:
    """Players whose place, wins or spread differ after the last round that has results."""
    last = max(was.scored_rounds, division.scored_rounds)
    old = {row.number: row for row in placings(rules_of(was), was, last)}
    return [
        RankChange(division.name, old[row.number], row)
        for row in placings(rules_of(division), division, last)
        if row.number in old and _place(old[row.number]) != _place(row)
    ]


def _place(row: Placing) -> tuple[object, ...]:
    return (row.rank, row.wins, row.losses, row.spread)


def _first_changed_result(was: EventDivision, division: EventDivision) -> int | None:
    """The first round in which a score changes that was there before."""
    old = was.by_number
    changed = (
        round_
        for player in division.players
        if player.number in old
        for round_, seen in enumerate(old[player.number].rounds, start=1)
        if (seen.score, seen.margin) != (None, None)
        and (seen.score, seen.margin) != _counted(player.in_round(round_))
    )
    return min(changed, default=None)


def _counted(line: PlayerRound) -> tuple[int | None, int | None]:
    return line.score, line.margin


def event_row(
    register: Register, order: EventOrder, at: int, unmet: Unmet = _asks_nobody
) -> NewRow:
    """The row of an order: carried out, or refused with the reason."""
    reason = why_not(register, order, unmet)
    if reason is None:
        return NewRow.saying(EventOrdered(order=order), table=EVENT_TABLE, game="", at=at)
    type_name, asked = encode_event_order(order)
    says = OrderRefused(order=type_name, reason=reason, asked=asked, id=order.id, who=order.who)
    return NewRow.saying(says, table=EVENT_TABLE, game="", at=at)


def preview_json(preview: EventPreview) -> Json:
    """A preview as JSON values; the reason is a code with its values."""
    return {
        "ok": preview.reason is None,
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
        "paired": [{"division": name, "round": round_} for name, round_ in preview.paired],
        "left_out": [order.id for order, _ in preview.left_out],
    }
