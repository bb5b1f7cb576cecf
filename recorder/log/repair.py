"""A log whose file is damaged, written again from the rows that can be read.

A row counts if its own hash holds and no later row contradicts it. It keeps its number, and up to
the first that is lost its hash: noted heads up to there still agree. Each lost number becomes a row
that says so (``RowLost``). The damaged file is renamed and otherwise left as it was.

Not promised: rows behind the last that can be read are one lost row, whatever their number.
"""

import json
import shutil
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any

from recorder.damaged import SQLITE_FAULTS, free_name, put_aside
from recorder.declared.json_objects import canonical_json
from recorder.domain.errors import RecorderError
from recorder.domain.notices import CodedText, coded
from recorder.domain.record import RowLost
from recorder.domain.row_kind import Kind
from recorder.log.anchors import Anchor, AnchorFile
from recorder.log.columns import COLUMNS, hash_of_columns
from recorder.log.copies import head_of, remove_log, write_columns
from recorder.log.port import GENESIS, DamagedLogError
from recorder.log.sqlite import SqliteEventLog
from recorder.wire.row_heads import ROW_VERSION
from recorder.wire.rows import write_row

_PAGE = 500
_LEAST_ROW_BYTES = 160
"""A row has two hashes of 64 digits, and more."""
_PAGE_BYTES = 4096
_SEQ, _AT, _PREV_HASH, _HASH = 0, 5, 11, 12
_FRESH, _PATCHED = ".repaired", ".patched"

Columns = tuple[Any, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Repaired:
    """What a repair did: where the damaged file is now, rows kept and lost, the head."""

    aside: Path
    kept: int
    lost: int
    head: Anchor | None

    @property
    def warning(self) -> CodedText:
        """What a director must know of it."""
        code = "log_lost_rows" if self.lost else "log_rewritten"
        return coded(code, lost=self.lost, kept=self.kept, aside=str(self.aside))


def damage_of(log: Path) -> str:
    """What is wrong with the file of a log, with the remedy; empty if it is sound or not there.

    RecorderError for what is no file of a log, such as a folder.
    """
    _finish(log)
    if not log.exists() or not log.stat().st_size:
        return ""
    try:
        with SqliteEventLog.open_reader(log) as reader:
            return reader.unsound()
    except DamagedLogError as fault:
        return str(fault)
    except RecorderError:
        if log.is_file() and log.stat().st_size <= _PAGE_BYTES:
            return ""  # the power went while it was made: its writer makes the rest
        raise


def repair_if_damaged(log: Path, anchors: AnchorFile) -> Repaired | None:
    """Repair a log that nobody writes where its file is damaged; None where it is not."""
    return repair(log, anchors) if damage_of(log) else None


def repair(log: Path, anchors: AnchorFile) -> Repaired:
    """Write a log again that nobody writes, and put the damaged file aside.

    RecorderError where not one row can be read and no head was ever noted: then it is no log.
    """
    noted = max(anchors.read(), key=lambda anchor: anchor.seq, default=None)
    rows = _best_reading(log)
    if not rows and noted is None:
        raise RecorderError(
            f"{log}: not a Tilecast log: none of its rows can be read. Move it away, or put a copy"
            " back (tilecast log restore)"
        )
    last = max(rows[-1][_SEQ] if rows else 0, noted.seq if noted else 0)
    head = noted.hash if noted and noted.seq == last else rows[-1][_HASH] if rows else ""
    aside = free_name(log, "damaged")
    says = RowLost(file=aside.name, rows=last, head=head)
    fresh = log.with_name(f"{log.name}{_FRESH}")
    remove_log(fresh)
    written_rows = write_columns(fresh, _numbered(rows, canonical_json(write_row(says)), last))
    lost = written_rows - len(rows)
    with SqliteEventLog.open_reader(fresh) as written:
        if written.verify() is not None:
            raise RecorderError(f"{fresh}: was written incorrectly; check the disk and try again")
        whole = head_of(written)
    put_aside(log, aside)
    fresh.replace(log)
    if lost and anchors.path.exists():
        anchors.begin_anew()
    if whole is not None:
        anchors.note(whole)
    return Repaired(aside=aside, kept=len(rows), lost=lost, head=whole)


def _finish(log: Path) -> None:
    """Put a repaired log in its place where the machine stopped between the two renames."""
    fresh = log.with_name(f"{log.name}{_FRESH}")
    if not log.exists() and fresh.exists():
        with SqliteEventLog.open_reader(fresh) as written:
            is_whole = written.verify() is None
        if is_whole:
            put_aside(log, free_name(log, "damaged"))  # a -wal that was left would be read into it
            fresh.replace(log)


def _best_reading(log: Path) -> list[Columns]:
    """The rows that hold. Where SQLite reads none, its first page is tried as a new log has it."""
    rows = _held(list(_readable(log)))
    if rows:
        return rows
    patched = log.with_name(f"{log.name}{_PATCHED}")
    remove_log(patched)
    try:
        shutil.copyfile(log, patched)
        wal = log.with_name(f"{log.name}-wal")
        if wal.exists():
            shutil.copyfile(wal, patched.with_name(f"{patched.name}-wal"))
        _renew_first_page(patched)
        return _held(list(_readable(patched)))
    finally:
        remove_log(patched)


def _renew_first_page(log: Path) -> None:
    """Give a file the first page that every log of this release begins with."""
    model = log.with_name(f"{log.name}-model")
    remove_log(model)
    try:
        SqliteEventLog(model).close()
        page = bytearray(model.read_bytes()[:_PAGE_BYTES])
    finally:
        remove_log(model)
    page[28:32] = (log.stat().st_size // _PAGE_BYTES).to_bytes(4, "big")
    page[92:96] = page[24:28]  # or SQLite would not go by that size
    page[32:40] = bytes(8)  # nothing is known to be free
    with log.open("r+b") as file:
        file.write(page)


def _readable(log: Path) -> Iterator[Columns]:
    """Every row that SQLite still finds by its number, in order, whether it holds or not."""
    wal = log.with_name(f"{log.name}-wal")
    size = log.stat().st_size + (wal.stat().st_size if wal.exists() else 0)
    most, seq = size // _LEAST_ROW_BYTES, 1
    name = f"{log.absolute().as_uri()}?mode=ro"
    with closing(sqlite3.connect(name, uri=True, isolation_level=None)) as file:
        while seq <= most:
            rows = _read(file, f">= ? ORDER BY seq LIMIT {_PAGE}", seq) or (
                _read(file, ">= ? ORDER BY seq LIMIT 1", seq) or _read(file, "= ?", seq)
            )
            yield from rows
            seq = rows[-1][_SEQ] + 1 if rows else seq + 1


def _read(file: sqlite3.Connection, which: str, seq: int) -> list[Columns]:
    """Rows whose numbers go up; none where SQLite fails."""
    sql = f"SELECT {COLUMNS} FROM event NOT INDEXED WHERE seq {which}"  # noqa: S608
    try:
        found = file.execute(sql, (seq,)).fetchall()
    except SQLITE_FAULTS:
        return []
    rows: list[Columns] = []
    for row in found:
        if row[_SEQ] < (rows[-1][_SEQ] + 1 if rows else seq):
            break
        rows.append(row)
    return rows


def _held(rows: Sequence[Columns]) -> list[Columns]:
    """The rows whose hash is that of their content, and that the next one does not contradict."""
    held = [row for row in rows if _holds(row)]
    return [
        row
        for row, after in zip_longest(held, held[1:])
        if after is None or after[_SEQ] != row[_SEQ] + 1 or after[_PREV_HASH] == row[_HASH]
    ]


def _holds(row: Columns) -> bool:
    with suppress(ValueError, TypeError, RecursionError):
        return bool(hash_of_columns(row[_PREV_HASH], row) == row[_HASH])
    return False


def _numbered(rows: Sequence[Columns], lost_body: str, last: int) -> Iterator[Columns]:
    """The rows with their numbers, a lost row in each gap, and one behind them if more were there.

    From the first lost row on every hash is another one.
    """
    digest, seq, at_ms = GENESIS, 0, 0
    for row in rows:
        while seq + 1 < row[_SEQ]:
            seq += 1
            lost = _lost(seq, row[_AT], lost_body, digest)
            digest = lost[_HASH]
            yield lost
        seq, at_ms = row[_SEQ], row[_AT]
        digest_now = hash_of_columns(digest, row)
        yield (*row[:_PREV_HASH], digest, digest_now)
        digest = digest_now
    if seq < last:
        yield _lost(seq + 1, at_ms, lost_body, digest)


def _lost(seq: int, at_ms: int, body: str, prev_hash: str) -> Columns:
    head = (seq, 0, "", Kind.OBSERVED.value, ROW_VERSION, at_ms, body, json.dumps([]))
    row = (*head, None, None, None, prev_hash, "")
    return (*row[:_HASH], hash_of_columns(prev_hash, row))
