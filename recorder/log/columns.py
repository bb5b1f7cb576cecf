"""A row as the columns of a table hold it, in a file and in a database alike."""

import json
from collections.abc import Iterable, Sequence
from typing import Any, LiteralString

from recorder.declared.json_objects import canonical_json
from recorder.domain.errors import RecorderError
from recorder.domain.row_kind import Kind
from recorder.log.port import GENESIS, DamagedLogError, Row, row_hash
from recorder.wire.row_heads import ROW_VERSION

COLUMNS: LiteralString = (
    'seq, "table", game, kind, v, at, body, refs, dev, boot, number, prev_hash, hash'
)


def columns_of(row: Row) -> tuple[Any, ...]:
    """What is stored of a row: its body as the text that was hashed."""
    head = (row.seq, row.table, row.game, row.kind.value, row.v, row.at)
    texts = (canonical_json(dict(row.body)), json.dumps(row.refs))
    return (*head, *texts, *(row.key or (None, None, None)), row.prev_hash, row.hash)


def row_from(values: tuple[Any, ...]) -> Row:
    """A row as stored. Raises DamagedLogError when a column has been damaged."""
    seq, table, game, kind, v, at, body, refs, dev, boot, number, prev_hash, digest = values
    try:
        says, rests_on = json.loads(body), [] if refs == "[]" else json.loads(refs)
        _refuse_types((table, v, at, *rests_on), (game, prev_hash, digest), says)
        return Row(
            seq=seq,
            table=table,
            game=game,
            kind=Kind(kind),
            v=v,
            at=at,
            body=says,
            refs=tuple(rests_on),
            key=None if dev is None else (dev, boot, number),
            prev_hash=prev_hash,
            hash=digest,
        )
    except (ValueError, TypeError, RecursionError) as err:
        raise DamagedLogError(f"row {seq} of the log is damaged: {err}") from err


def _refuse_types(numbers: Iterable[Any], texts: Iterable[Any], says: object) -> None:
    """TypeError where a damaged file has another type in a column."""
    if {*map(type, numbers)} != {int} or {*map(type, texts)} != {str} or type(says) is not dict:
        raise TypeError("a column has another type")


def first_not_holding(
    stored: Iterable[tuple[Any, ...]], after: int = 0, prev_hash: str = GENESIS
) -> int | None:
    """The first number at which the columns, read on from a row, do not form the chain.

    Every row's text counts as it is stored. A row that cannot be read back breaks it as well.
    """
    wanted = after + 1
    try:
        for seq, *said, body, refs, dev, boot, number, prev, digest in stored:
            follows = (seq, prev) == (wanted, prev_hash) and 1 <= said[3] <= ROW_VERSION
            columns = (seq, *said, body, refs, dev, boot, number, prev, digest)
            if not follows or digest != hash_of_columns(prev_hash, columns):
                return wanted
            prev_hash, wanted = digest, wanted + 1
    except (RecorderError, ValueError, TypeError, RecursionError):
        return wanted
    return None


def hash_of_columns(prev_hash: str, columns: Sequence[Any]) -> str:
    """The hash that a row with these columns has behind ``prev_hash``.

    ValueError, TypeError or RecursionError for columns that no row has.
    """
    *head, body, refs, dev, boot, number, _, _ = columns
    return row_hash(prev_hash, [*head, body, json.loads(refs), dev, boot, number])
