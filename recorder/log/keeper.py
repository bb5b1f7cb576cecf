"""The log's proof while it is recorded: verified at and after the start, its head noted.

Knows nothing of what rows say.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass, field

from recorder.domain.errors import RecorderError
from recorder.domain.notices import CodedText, coded
from recorder.log.anchors import Anchor, AnchorFile, broken_text, chain_complaint
from recorder.log.copies import head_of
from recorder.log.port import EventLog

NOTED_EVERY_S = 60
PROVEN_FIRST = 10_000
"""So many of the last rows, at least, are proven before anything is recorded."""
_AT_ONCE = 500

log = logging.getLogger("tilecast.recorder")


@dataclass(slots=True)
class LogKeeper:
    """Keeps the heads of one log in a file."""

    anchors: AnchorFile
    repaired: CodedText | None = field(default=None, init=False)
    """What a repair of this log has done since the start; None without one."""
    _noted: int = field(default=0, init=False)
    _failed: bool = field(default=False, init=False)
    _unproven: int = field(default=0, init=False)

    def check(self, store: EventLog) -> CodedText | None:
        """Whether the log is the one that was written here; a warning about it, None without one.

        Of a long log the end is proven, from a head that was noted on; the rest by ``prove``.

        RecorderError, with the remedies, for a log that is not whole or another one. One that is
        gone is said, and heads that are: somebody may have put them away.
        """
        noted = self.anchors.read()
        if noted and store.head() == 0:
            aside = self.anchors.begin_anew()
            last = noted[-1]
            return coded("log_gone", rows=last.seq, head=last.code, aside=str(aside))
        rest = [anchor.seq for anchor in noted if anchor.seq < store.head() - PROVEN_FIRST]
        self._unproven = max(rest, default=0)
        wrong = chain_complaint(store, noted, self._unproven)
        if wrong is not None:
            raise self._not_as_written(wrong)
        self._noted = noted[-1].seq if noted else 0
        head = head_of(store)
        if head is not None and not noted:
            return coded("heads_gone", rows=head.seq, path=str(self.anchors.path), head=head.code)
        return None

    def prove(self, log: EventLog, is_enough: Callable[[], bool]) -> None:
        """Prove what ``check`` left for later, a little at a time. RecorderError as there."""
        for after in range(0, self._unproven, _AT_ONCE):
            if is_enough():
                return
            broken = log.verify(after, _AT_ONCE)
            if broken is not None:
                raise self._not_as_written(broken_text(broken))
        self._unproven = 0

    def _not_as_written(self, wrong: str) -> RecorderError:
        return RecorderError(
            f"the log is not as it was written: {wrong}. Nothing is recorded on top of that,"
            " and devices keep their events. See: tilecast log verify. Then put a copy back"
            f" (tilecast log restore), or go on without the rows that do not hold (tilecast log"
            f" repair). Where the log is right and the noted heads are not, move"
            f" {self.anchors.path} away"
        )

    def note(self, store: EventLog, at_ms: int) -> Anchor | None:
        """Note the head if it has moved; a file that cannot be written is said once."""
        head = head_of(store, at_ms)
        if head is None or head.seq == self._noted:
            return head
        self._noted = head.seq
        try:
            self.anchors.note(head)
        except OSError as fault:
            if not self._failed:
                log.error("%s cannot be written: %s; recording goes on", self.anchors.path, fault)  # noqa: TRY400 - the reason is the message
            self._failed = True
        return head
