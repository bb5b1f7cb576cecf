"""The event as the public may know it: late by the delay, and as it was put right in time."""

from recorder.domain.event.orders import (
    EnterResult,
    EventAct,
    EventOrder,
    ForfeitGame,
    PublishRound,
    UndoEventOrder,
)
from recorder.domain.event.register import Register, extended, register_of
from recorder.domain.row_kind import Kind
from recorder.log.port import Row
from recorder.wire.event_orders import order_of_row

_Subject = tuple[object, ...]
"""What an order says something of, where a later one about it replaces the first."""


class LateOrders:
    """The orders of an event, each public after the delay.

    An order leaves together with those that undo it, or say the same thing otherwise, if they came
    before it was due: what is known to be wrong is never shown. All are folded in the order of the
    log, so that in the end the public has the event as it is.
    """

    def __init__(self, delay_ms: int) -> None:
        self._delay_ms = delay_ms
        self._rows: list[tuple[int, EventOrder]] = []
        self._out = 0
        self._ahead: set[int] = set()
        self._register = register_of(())

    def take(self, row: Row) -> None:
        """Take in a row of the log; one that is no order that holds says nothing."""
        order = order_of_row(row.body) if row.kind is Kind.RULED else None
        if order is not None:
            self._rows.append((row.received, order))

    def register_at(self, now: int) -> Register:
        """The event that is public at a time."""
        begun = self._out
        while self._out < len(self._rows) and self._is_due(self._rows[self._out][0], now):
            self._ahead |= self._repairs_of(self._out)
            self._out += 1
        if self._out > begun:
            was_ahead, self._ahead = bool(self._ahead), {n for n in self._ahead if n >= self._out}
            self._register = self._folded(begun, in_order=not was_ahead)
        return self._register

    def _is_due(self, received: int, now: int) -> bool:
        """Without a delay everything is at once, whatever the recorder's clock says."""
        return not self._delay_ms or received + self._delay_ms <= now

    def _folded(self, begun: int, *, in_order: bool) -> Register:
        """All that is out; where nothing is ahead of its turn, what is new is folded on."""
        if in_order:
            register = self._register
            for _, order in self._rows[begun : self._out]:
                register = extended(register, order)
            return register
        orders = [order for _, order in self._rows]
        ahead = [orders[n] for n in sorted(self._ahead)]
        register = register_of((*orders[: self._out], *ahead))
        unfit = {order.id for order, _ in register.left_out} & {order.id for order in ahead}
        if not unfit:
            return register
        # It needs what is not out yet: it waits for its own time.
        self._ahead = {n for n in self._ahead if orders[n].id not in unfit}
        return self._folded(begun, in_order=False)

    def _repairs_of(self, number: int) -> set[int]:
        """Orders that came while this one waited and leave it undone, or replaced."""
        received, order = self._rows[number]
        if not self._delay_ms:
            return set()
        ids, subjects, found = {order.id}, {_subject(order.act)} - {None}, set[int]()
        for later in range(number + 1, len(self._rows)):
            at, other = self._rows[later]
            if at > received + self._delay_ms:
                break
            undoes = isinstance(other.act, UndoEventOrder) and other.act.order in ids
            if undoes or _subject(other.act) in subjects:
                ids.add(other.id)
                found.add(later)
        return found


def _subject(act: EventAct) -> _Subject | None:
    """The round, or the game of a round, of which a later order takes the place of an earlier."""
    match act:
        case EnterResult(first=first, second=second) if second:
            return act.division, act.round, frozenset((first, second))
        case EnterResult(first=first):
            return act.division, act.round, first
        case ForfeitGame(number=number, other=other):
            return act.division, act.round, frozenset((number, other))
        case PublishRound():
            return act.division, act.round
    return None
