"""The head of a log, kept outside it: shows that its end was cut, or that all was written again.

A hash chain proves that no row was changed before the last; it cannot prove which row is the last,
nor that nobody computed the whole chain again. A file of heads beside the log shows accidents and
hasty hands; the same heads on paper, on a director's page or on another machine show the rest.
"""

import re
from dataclasses import dataclass
from pathlib import Path

from recorder.domain.errors import RecorderError
from recorder.log.port import DamagedLogError, EventLog
from recorder.systems import open_to_append, read_file

_DIGITS = 12
_LINE = re.compile(r"([1-9][0-9]{0,15}) ([0-9a-f]{64}) ([0-9]{1,16})", re.ASCII)
_MOST_BYTES = 64_000_000
"""A head a minute for a year."""


@dataclass(frozen=True, slots=True)
class Anchor:
    """Row ``seq`` had the hash ``hash``, or one that begins so, at ``at_ms`` since 1970."""

    seq: int
    hash: str
    at_ms: int = 0

    @property
    def code(self) -> str:
        """``412-3f9a-77c1-22b0``: the row, and the first 48 bits of its hash."""
        parts = (self.hash[at : at + 4] for at in range(0, _DIGITS, 4))
        return "-".join([str(self.seq), *parts])

    def complaint(self, log: EventLog) -> str | None:
        """Why a log is not the one that had this head, or None."""
        row = next(log.read_from(self.seq, 1), None)
        if row is None or row.seq != self.seq:
            return f"row {self.seq} was there once ({self.code}), and the log ends at {log.head()}"
        if not row.hash.startswith(self.hash):
            return f"row {self.seq} is different: {self.code} was noted of it"
        return None


def read_code(code: str) -> Anchor:
    """The head that a code names. RecorderError when it is none."""
    seq, *parts = code.strip().lower().split("-")
    digits = "".join(parts)
    is_hex = len(digits) == _DIGITS and not set(digits) - set("0123456789abcdef")
    if not seq.isdecimal() or not int(seq[:16]) > 0 or not is_hex:
        raise RecorderError(f"{code!r} is not a log code such as 412-3f9a-77c1-22b0")
    return Anchor(int(seq[:16]), digits)


class AnchorFile:
    """Heads of a log, one a line: ``seq hash at_ms``. The last is the newest."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self) -> list[Anchor]:
        """All heads, the oldest first; a line that is damaged is passed over.

        RecorderError where something lies there that is no file of heads.
        """
        try:
            text = read_file(self.path).decode("ascii", "replace")
        except FileNotFoundError:
            return []
        except OSError as fault:
            raise RecorderError(
                f"the noted heads in {self.path} cannot be read: {fault.strerror}; check the file"
                " and its permissions"
            ) from fault
        found = (_LINE.fullmatch(line) for line in text.splitlines())
        return [Anchor(int(line[1]), line[2], int(line[3])) for line in found if line]

    def note(self, anchor: Anchor) -> None:
        """Add a head. OSError when the file cannot be written."""
        with open_to_append(self.path) as file:
            file.write(f"{anchor.seq} {anchor.hash} {anchor.at_ms}\n".encode("ascii"))

    def begin_anew(self) -> Path:
        """Put the heads of a log that is gone aside; where they are now."""
        number = 1
        while (aside := self.path.with_name(f"{self.path.name}.gone-{number}")).exists():
            number += 1
        self.path.replace(aside)
        return aside


def broken_text(row: int) -> str:
    """How a row is called at which the chain does not hold."""
    return f"row {row} was changed, or one before it is missing"


def complaint(log: EventLog, anchors: list[Anchor]) -> str | None:
    """What is wrong with a log: its rows, the store itself, or a noted head; or None."""
    try:
        return chain_complaint(log, anchors)
    except DamagedLogError as fault:
        return str(fault)


def chain_complaint(log: EventLog, anchors: list[Anchor], after: int = 0) -> str | None:
    """What is wrong with a log, by its own chain or by a head that was noted; or None.

    Of the chain only what follows row ``after``.
    """
    broken = log.verify(after)
    if broken is not None:
        return broken_text(broken)
    for anchor in reversed(anchors):  # the newest knows most
        found = anchor.complaint(log)
        if found is not None:
            return found
    return None
