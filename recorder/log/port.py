"""The record: an append-only, hash-chained list of rows.

The port knows nothing of SQLite, MQTT or the game's rules; a row's ``body`` is JSON that
``recorder.wire`` reads. Nothing is ever amended: a correction is a later row.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

from recorder.contiguity import MessageKey
from recorder.declared.json_objects import canonical_json
from recorder.domain.errors import RecorderError
from recorder.domain.limits import BIGGEST_INTEGER
from recorder.domain.row_kind import Kind
from recorder.wire.row_heads import (
    ROW_VERSION,
    device_ms_of,
    device_of,
    picture_of,
    received_of,
    type_of,
)

if TYPE_CHECKING:  # read where somebody asks what a row says: the event alone loads no game
    from recorder.domain.record import Sender, Statement


class UnfitRowError(RecorderError):
    """A row that no log can ever store: to try again would be to try for ever."""


class LogGoneError(RecorderError):
    """Another file has the name of the one that is written: nothing stored now would last."""


class DamagedLogError(RecorderError):
    """The store gives other rows than were written, or none: nothing is stored on top of that."""


class ForeignPartsError(RecorderError):
    """The file of a log has a part that no log has, or one of its own parts reads otherwise."""


GENESIS = "0" * 64
"""What stands as the hash before the first row."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewRow:
    """A row to be appended. ``at`` is milliseconds since 1970; ``game`` is "" before a game.

    ``refs`` are the numbers of earlier rows that this one rests on. ``key`` is given for
    observations: the same key is stored once.
    """

    table: int
    game: str
    kind: Kind
    at: int
    body: Mapping[str, Any]
    refs: tuple[int, ...] = ()
    key: MessageKey | None = None

    @classmethod
    def saying(
        cls,
        says: "Statement",
        *,
        table: int,
        game: str,
        at: int,
        refs: tuple[int, ...] = (),
    ) -> "NewRow":
        """The row that says this."""
        from recorder.domain.record import kind_of
        from recorder.wire.rows import write_row

        body, kind = write_row(says), kind_of(says)
        return cls(table=table, game=game, kind=kind, at=at, body=body, refs=refs)

    def sent_by(self, sender: "Sender") -> "NewRow":
        """The same row as somebody sent it; what a device has numbered is stored once."""
        from recorder.wire.rows import sender_body

        key = (sender.dev, sender.boot, sender.seq) if sender.boot else None
        return replace(self, body={**self.body, **sender_body(sender)}, key=key)


@dataclass(frozen=True, kw_only=True)
class Row(NewRow):
    """A row of the record as it is stored; ``seq`` counts from 1 without gaps.

    ``body`` is what is stored and hashed; ``says`` is what it says, read once, when first asked.
    """

    seq: int
    v: int
    prev_hash: str
    hash: str

    @property
    def type(self) -> str:
        """What it is called, such as ``board.seen``; shows whether ``says`` is worth reading."""
        return type_of(self.kind, self.body)

    @property
    def device(self) -> str:
        """Who sent it: a device, or the recorder itself; empty where nobody is named."""
        return device_of(self.body)

    @property
    def device_ms(self) -> int:
        """The device's own time of it, in its milliseconds; 0 where it did not say."""
        return device_ms_of(self.body)

    @property
    def received(self) -> int:
        """When the recorder had it, in milliseconds since 1970; what it says may be older."""
        return max(self.at, received_of(self.body))

    @property
    def picture(self) -> str:
        """The SHA-256 of the picture that its device keeps as evidence; empty without one."""
        return picture_of(self.body)

    @cached_property
    def says(self) -> "Statement":
        """What the row says; ``Unreadable`` where this program cannot read it."""
        from recorder.wire.rows import read_row

        return read_row(self.kind, self.body, self.refs, v=self.v)


class EventLog(Protocol):
    """Where rows go. One writer; the methods of one object are called from one thread at a time."""

    def append(self, rows: Sequence[NewRow]) -> list[Row | None]:
        """Store all rows or none; on return they are durable.

        The answer has one entry per row given, in order: the row as stored, or None where its key
        was stored before (or stands twice in the batch). With nothing stored: UnfitRowError for a
        row that can never be stored, LogGoneError where the store is another one now, any other
        RecorderError for what may pass, such as a full disk.
        """

    def read_from(self, seq: int, limit: int | None = None) -> Iterator[Row]:
        """Rows in order, starting with number ``seq``."""

    def of_game(self, table: int, game: str, seq: int = 1) -> Iterator[Row]:
        """The rows of one game at a table in order, from number ``seq``; ``game`` "": of none."""

    def of_sender(self, dev: str, boot: str, type_name: str) -> Iterator[Row]:
        """The rows of a type that hold what one boot of a device has said, in order."""

    def beginnings(self) -> Iterator[Row]:
        """The rows that begin a game, or say again how one began, in order."""

    def head(self) -> int:
        """The number of the last row, 0 when there is none."""

    def verify(self, after: int = 0, many: int | None = None) -> int | None:
        """The first number at which the chain does not hold (or a row is missing), else None.

        With ``after`` the rows that follow that one, which must be there, and is not looked at;
        with ``many`` that many of them. Without either the store itself is looked at as well:
        DamagedLogError where it is ``unsound``, so what is proven is what is read.
        """

    def unsound(self) -> str:
        """What is wrong with the store itself, such as a damaged page or index; empty if sound.

        ``verify`` proves the rows in their order; only a sound store also finds each of them by
        game and by sender. Reads all of it.
        """

    def stored(self, key: MessageKey) -> Row | None:
        """The row that was stored under a key; None without one."""

    def pass_over(self, key: MessageKey) -> None:
        """Count a number as dealt with though no row holds it, as long as the log is open."""

    def contiguous(self, dev: str, boot: str, *, floor: int = 0) -> int:
        """The highest N such that keys ``(dev, boot, floor+1..N)`` are all stored.

        ``floor`` is what the device no longer has because a recorder acknowledged it (heartbeat:
        ``seq_high - outbox``). Without it a new log would wait for ever for numbers that an
        earlier log took. It is remembered as long as the log is open.
        """

    def missing(
        self, dev: str, boot: str, *, upto: int, after: int | None
    ) -> tuple[int, int, int] | None:
        """First, last and count of the numbers from ``after`` + 1 to ``upto`` that never came.

        None when there are none. With ``after`` None: beyond the highest that was stored, and none
        where nothing of that boot was. Numbers below what ``contiguous`` has given are dealt with.
        """

    def close(self) -> None:
        """Let go of files. Closing twice is harmless."""


def chain(prev_hash: str, seq: int, new: NewRow) -> Row:
    """The row that follows ``prev_hash`` as number ``seq``. Raises UnfitRowError if it is none."""
    _refuse_unfit(seq, new)
    body_text = body_json(new)
    fields = _hashed_fields(seq=seq, v=ROW_VERSION, new=new, body_text=body_text)
    return Row(
        seq=seq,
        table=new.table,
        game=new.game,
        kind=new.kind,
        v=ROW_VERSION,
        at=new.at,
        body=json.loads(body_text),
        refs=tuple(new.refs),
        key=new.key,
        prev_hash=prev_hash,
        hash=row_hash(prev_hash, fields),
    )


def chained(
    rows: Sequence[NewRow], seq: int, prev_hash: str, has: Callable[[MessageKey], bool]
) -> list[Row | None]:
    """The rows as they would follow number ``seq``; None for one whose key is known.

    Raises UnfitRowError if one of them can never be stored.
    """
    following: list[Row | None] = []
    taken: set[MessageKey] = set()
    for new in rows:
        if new.key is not None and (new.key in taken or has(new.key)):
            following.append(None)
            continue
        taken |= {new.key} if new.key is not None else set()
        row = chain(prev_hash, seq + 1, new)
        seq, prev_hash = row.seq, row.hash
        following.append(row)
    return following


def _refuse_unfit(seq: int, new: NewRow) -> None:
    numbers = [new.table, new.at, *new.refs, *([] if new.key is None else [new.key[2]])]
    if any(type(number) is not int or not 0 <= number <= BIGGEST_INTEGER for number in numbers):
        raise UnfitRowError(f"row {seq}: table, at, refs and key take whole numbers, got {numbers}")
    if any(not 1 <= ref < seq for ref in new.refs):
        raise UnfitRowError(f"row {seq}: refs {new.refs} must name earlier rows")


def body_json(new: NewRow) -> str:
    """The canonical text of a row's body. Raises UnfitRowError when it is not plain JSON."""
    try:
        return canonical_json(dict(new.body))
    except (TypeError, ValueError, RecursionError) as err:
        raise UnfitRowError(f"{new.kind.value} row for table {new.table}: body: {err}") from err


def row_hash(prev_hash: str, fields: Sequence[Any]) -> str:
    """SHA-256 over the previous hash and the canonical JSON of the row's fields."""
    return hashlib.sha256((prev_hash + canonical_json(list(fields))).encode("ascii")).hexdigest()


def _hashed_fields(*, seq: int, v: int, new: NewRow, body_text: str) -> list[Any]:
    dev, boot, number = new.key or (None, None, None)
    refs = list(new.refs)
    kind = new.kind.value
    head = [seq, new.table, new.game, kind, v, new.at]
    return [*head, body_text, refs, dev, boot, number]


def row_holds(prev_hash: str, seq: int, row: Row) -> bool:
    """Whether ``row`` is number ``seq``, follows ``prev_hash`` and has its content's hash."""
    if row.seq != seq or row.prev_hash != prev_hash or not 1 <= row.v <= ROW_VERSION:
        return False
    fields = _hashed_fields(seq=seq, v=row.v, new=row, body_text=body_json(row))
    return row.hash == row_hash(prev_hash, fields)


def first_broken(rows: Iterable[Row]) -> int | None:
    """The first number at which rows, read from the beginning, do not form the chain."""
    prev_hash = GENESIS
    for seq, row in enumerate(rows, start=1):
        if not row_holds(prev_hash, seq, row):
            return seq
        prev_hash = row.hash
    return None
