"""What of a new row the director's topic has at once: doubts, notices, clocks; nothing public."""

from typing import TYPE_CHECKING

from recorder.declared.json_objects import canonical_json
from recorder.domain.record import Corrected, Recorded
from recorder.log.port import Row
from recorder.table.notices import told_aloud
from recorder.wire.topics import Audience, Table

if TYPE_CHECKING:
    from recorder.declared.codec import Json


def alert_of(row: Row, venue: str) -> tuple[str, bytes] | None:
    """Topic and message of what the director is to know of a row at once; None for most."""
    aloud = told_aloud(row)
    if aloud is not None:
        said: Json = {"type": row.type, "data": row.body["data"], "text": aloud}
    elif isinstance(row.says, Recorded | Corrected) and row.says.turn.doubt is not None:
        said = {"doubt": row.body["doubt"]}
    else:
        return None
    topic = Table(venue, Audience.INTERNAL, row.table, "alert")
    return str(topic), canonical_json({"v": 1, "seq": row.seq, **said}).encode()
