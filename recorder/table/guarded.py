"""A game recorder whose faults are its own table's doubt: the other tables go on.

What a program error, or input that nobody thought of, does to one fold is said in a row of that
table, and in the process' log with its traceback. The observation that the fold broke at is left
out; it stays in the log, so that a fixed release reads it, and takes back what was said.
"""

import logging
from collections.abc import Callable
from typing import TypeVar

from recorder.declared.codec import Json
from recorder.domain.notices import coded
from recorder.domain.orders import TableOrder
from recorder.domain.record import MessageRefused, NoticeOver
from recorder.domain.row_kind import Kind
from recorder.log.port import NewRow, Row
from recorder.recent import Recent
from recorder.table.game_recorder import GameRecorder, TablePlan
from recorder.table.order_rows import OrderOutcome, order_preview, refused
from recorder.wire.orders import encode_order

FAULT_CODE = "fault"
_MOST_SENDERS = 10_000
"""Of so many rows it is known who sent them: more than a game has, and no flood takes memory."""
_MOST_TOLD = 100

_Result = TypeVar("_Result")
log = logging.getLogger("tilecast.recorder")


class GuardedGameRecorder(GameRecorder):
    """The same as a GameRecorder, but nothing that it does raises."""

    def __init__(self, plan: TablePlan) -> None:
        super().__init__(plan)
        self._told_faults: set[str] = set()
        self._untold: list[tuple[str, int]] = []
        self._left_out: set[int] = set()
        self._standing: dict[int, tuple[str, int]] = {}
        self._senders = Recent[int, str](_MOST_SENDERS)

    def take(self, row: Row) -> None:
        """See GameRecorder; a row that it cannot take is left out."""
        match row.says:
            case MessageRefused(code=code, fault=fault) if code == FAULT_CODE:
                if row.game == self.plan.started.game:
                    self._standing[row.seq] = fault, row.refs[0] if row.refs else 0
            case NoticeOver(row=over):
                self._standing.pop(over, None)
        if row.kind is Kind.OBSERVED:
            self._senders[row.seq] = row.device
        self._guarded(lambda: super(GuardedGameRecorder, self).take(row), f"row {row.seq}")

    def opening(self, at: int) -> list[NewRow]:
        """See GameRecorder."""
        return self._guarded(lambda: super(GuardedGameRecorder, self).opening(at), "opening") or []

    def fold_on(self, is_enough: Callable[[], bool]) -> bool:
        """Fold what waits until ``is_enough``; whether all is folded. What breaks is left out."""
        while True:
            done = self._guarded(lambda: self.folded.fold_on(is_enough), "the fold")
            if done is not None:
                return done

    def pending_rows(self, at: int) -> list[NewRow]:
        """See GameRecorder; with a row for every new fault, and for one that is fixed."""
        self.fold_on(lambda: False)
        rows = self._guarded(
            lambda: super(GuardedGameRecorder, self).pending_rows(at), "the record"
        )
        mended = [] if rows is None else self._mended(at)
        untold, self._untold = self._untold, []
        faults = [self.fault_row(fault, at, left_out) for fault, left_out in untold]
        return [*faults, *mended, *(rows or [])]

    def _mended(self, at: int) -> list[NewRow]:
        """What an earlier run said of faults that this one does not have."""
        over = [
            seq
            for seq, (fault, left_out) in self._standing.items()
            if fault not in self._told_faults and left_out not in self._left_out
        ]
        started = self.plan.started
        return [
            NewRow.saying(
                NoticeOver(row=seq), table=started.table, game=started.game, at=at, refs=(seq,)
            )
            for seq in over
        ]

    def fresh_rows(self, at: int) -> list[NewRow]:
        """See GameRecorder."""
        self.fold_on(lambda: False)
        fresh = super().fresh_rows
        return self._guarded(lambda: fresh(at), "the record") or []

    def fault_row(self, fault: str, at: int, left_out: int = 0) -> NewRow:
        """What a fault of this table's record is called in the log; the row that was left out."""
        self._told_faults.add(fault)
        refs = (left_out,) if left_out else ()
        says = MessageRefused(code=FAULT_CODE, fault=fault)
        started = self.plan.started
        return NewRow.saying(says, table=started.table, game=started.game, at=at, refs=refs)

    def precompute_reading(self) -> bool:
        """See GameRecorder."""
        return bool(self._guarded(super().precompute_reading, "weighing ahead"))

    def judge(self, asked: TableOrder, *, seq: int, at: int) -> OrderOutcome:
        """See GameRecorder; an order that it cannot judge is refused."""
        judge = super().judge
        found = self._guarded(lambda: judge(asked, seq=seq, at=at), f"order {asked.order.id}")
        if found is not None:
            return found
        type_name, data = encode_order(asked)
        return refused(data, type_name, coded("table_fault"))

    def preview(self, asked: TableOrder, *, seq: int, at: int) -> Json:
        """See GameRecorder."""
        preview = super().preview
        found = self._guarded(lambda: preview(asked, seq=seq, at=at), f"order {asked.order.id}")
        if found is not None:
            return found
        return order_preview(coded("table_fault"), (0, 0), (0, 0))

    def confirmed(self) -> int:
        """See GameRecorder."""
        return self._guarded(super().confirmed, "the result") or 0

    def write_gcg(self) -> None:
        """See GameRecorder."""
        self._guarded(super().write_gcg, "the GCG")

    @property
    def due_ms(self) -> int | None:
        """See GameRecorder."""
        return self._guarded(lambda: super(GuardedGameRecorder, self).due_ms, "the time")

    def _guarded(self, work: Callable[[], _Result], what: str) -> _Result | None:
        try:
            return work()
        except Exception as fault:  # noqa: BLE001 - whatever one table does, the others are recorded
            self._note(fault, what)
            return None

    def _note(self, fault: Exception, what: str) -> None:
        culprit, left_out = self.folded.drop_culprit(), 0
        if culprit is not None:
            left_out = culprit.seq
            self._left_out.add(left_out)
            sender = self._senders.get(left_out, "")
            what = f"row {left_out} of {sender} ({type(culprit.observation).__name__})"
        text = f"{what} broke the record of this table: {type(fault).__name__}: {str(fault)[:200]}"
        if self._is_news(text, left_out):
            log.error("table %d: %s", self.plan.started.table, text, exc_info=fault)

    def doubt(self, fault: str) -> None:
        """See GameRecorder; once, as a row."""
        if self._is_news(fault):
            super().doubt(fault)

    def _is_news(self, text: str, left_out: int = 0) -> bool:
        if text in self._told_faults or len(self._told_faults) >= _MOST_TOLD:
            return False
        self._told_faults.add(text)
        if not any(text == fault for fault, _ in self._standing.values()):
            self._untold.append((text, left_out))
        return True
