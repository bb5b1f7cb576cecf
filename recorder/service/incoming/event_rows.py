"""Rows of what arrives: an event as it came, a message that is not taken, two that contradict.

Says what is stored, and in whose name; must not know the bus or how a log stores.
"""

from dataclasses import replace

from recorder.contiguity import MessageKey
from recorder.domain.limits import MOST_TOPIC
from recorder.domain.record import MessageRefused
from recorder.domain.row_kind import Kind
from recorder.log.port import NewRow, Row
from recorder.service.incoming.admission import Refusal
from recorder.wire.envelope import Envelope
from recorder.wire.rows import MESSAGE_REFUSED_TYPE

_MOST_FAULT = 500
_MOST_SHOWN = 200


def observed_row(event: Envelope, *, table: int, game: str, at: int, received_ms: int) -> NewRow:
    """An event as it came; ``received`` stands in it where it was earlier than it came in."""
    body = {
        "type": event.type,
        "data": event.data,
        "dev": event.dev,
        "boot": event.boot,
        "seq": event.seq,
        "t": event.t_ms,
    }
    if received_ms != at:
        body["received"] = received_ms
    return NewRow(table=table, game=game, kind=Kind.OBSERVED, at=at, body=body, key=event.key)


def refused_row(  # noqa: PLR0913 - each is named where it is given
    reason: Refusal,
    fault: str,
    *,
    topic: str = "",
    payload: bytes = b"",
    table: int,
    game: str,
    at: int,
    key: MessageKey | None = None,
) -> NewRow:
    """A message that cannot be taken is kept as such, and how it began.

    With its key it is dealt with: its device may forget it.
    """
    text = payload[:_MOST_SHOWN].decode("utf-8", "replace")
    says = MessageRefused(
        topic=topic[:MOST_TOPIC], code=reason, fault=fault[:_MOST_FAULT], text=text
    )
    row = NewRow.saying(says, table=table, game=game, at=at)
    if key is None:
        return row
    dev, boot, seq = key
    return replace(row, body={**row.body, "dev": dev, "boot": boot, "seq": seq}, key=key)


def contradiction(new: NewRow, stored: Row) -> str | None:
    """What is reported where one number of a device came with two contents.

    None for a repetition.
    """
    if new.key is None or all(new.body.get(name) == stored.body.get(name) for name in _SAID):
        return None
    device, boot, number = new.key
    if stored.body.get("type") == MESSAGE_REFUSED_TYPE:
        return None
    return (
        f"{device} said two things under boot {boot} number {number}: row {stored.seq} holds"
        f" {stored.type}, and now {new.body['type']} came; two devices of one name, or one that"
        " speaks for another; the first is kept, though that proves nothing"
    )


_SAID = ("type", "data", "t")
