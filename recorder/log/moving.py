"""A log copied from one kind of place to another, a file or a database: every row with its hash."""

from contextlib import closing

from recorder.domain.errors import RecorderError
from recorder.log.anchors import Anchor
from recorder.log.copies import head_of
from recorder.log.places import LogPlace, open_log, open_log_reader
from recorder.log.port import EventLog, Row

_AT_ONCE = 500


def copy_log(source: LogPlace, target: LogPlace) -> Anchor | None:
    """Copy a log that is whole to a place that has none; the head of both.

    RecorderError when the target has rows, when the source is not whole, or when a row would get
    another hash there.
    """
    with closing(open_log_reader(source)) as old:
        broken = old.verify()
        if broken is not None:
            raise RecorderError(
                f"row {broken} of the log to copy was changed, or one before it is missing"
            )
        head = head_of(old)
        with closing(open_log(target)) as new:
            if new.head():
                raise RecorderError("there already is a log: a copy does not replace it")
            batch: list[Row] = []
            for row in old.read_from(1):
                batch.append(row)
                if len(batch) == _AT_ONCE or (head is not None and row.seq == head.seq):
                    _append(new, batch)
                    batch = []
                if head is not None and row.seq == head.seq:
                    break  # what is written meanwhile is not part of it
    return head


def _append(log: EventLog, rows: list[Row]) -> None:
    before = log.head()
    stored = log.append(rows)
    for row, again in zip(rows, stored, strict=True):
        if again is None or again.hash != row.hash:
            raise RecorderError(
                f"row {row.seq} is of an old version, which this release cannot copy; the copy is"
                f" not whole after row {before}: drop it"
            )
