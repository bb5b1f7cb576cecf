"""A row as the columns of a table hold it, in a file and in a database alike."""

import json
from collections.abc import Iterable
from typing import Any, LiteralString

from recorder.domain.errors import RecorderError
from recorder.log.port import GENESIS, ROW_VERSION, Kind, Row, row_hash
from recorder.wire import canonical_json

COLUMNS: LiteralString = (
    'seq, "table", game, kind, v, at, body, refs, dev, boot, number, prev_hash, hash'
)


def columns_of(row: Row) -> tuple[Any, ...]:
    """What is stored of a row: its body as the text that was hashed."""
    head = (row.seq, row.table, row.game, row.kind.value, row.v, row.at)
    texts = (canonical_json(dict(row.body)), json.dumps(row.refs))
    return (*head, *texts, *(row.key or (None, None, None)), row.prev_hash, row.hash)


def row_from(values: tuple[Any, ...]) -> Row:
    """A row as stored. Raises RecorderError when its JSON or kind has been damaged."""
    seq, table, game, kind, v, at, body, refs, dev, boot, number, prev_hash, digest = values
    try:
        return Row(
            seq=seq,
            table=table,
            game=game,
            kind=Kind(kind),
            v=v,
            at=at,
            body=json.loads(body),
            refs=tuple(json.loads(refs)),
            key=None if dev is None else (dev, boot, number),
            prev_hash=prev_hash,
            hash=digest,
        )
    except (ValueError, TypeError) as err:
        raise RecorderError(f"row {seq} of the log is damaged: {err}") from err


def first_not_holding(
    stored: Iterable[tuple[Any, ...]], after: int = 0, prev_hash: str = GENESIS
) -> int | None:
    """The first number at which the columns, read on from a row, do not form the chain.

    Every row's text counts as it is stored. A row that cannot be read back breaks it as well.
    """
    wanted = after + 1
    try:
        for seq, *said, body, refs, dev, boot, number, prev, digest in stored:
            fields = [seq, *said, body, json.loads(refs), dev, boot, number]
            follows = (seq, prev) == (wanted, prev_hash) and 1 <= said[3] <= ROW_VERSION
            if not follows or digest != row_hash(prev_hash, fields):
                return wanted
            prev_hash, wanted = digest, wanted + 1
    except (RecorderError, ValueError, TypeError):
        return wanted
    return None
