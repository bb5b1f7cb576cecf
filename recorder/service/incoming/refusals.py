"""What the record keeps of messages that are not taken: once of each kind, in the sender's name.

Of the rest of a kind only the number counts as dealt with, where it will never be taken: it must
not come again for ever. Makes rows; stores none.
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from recorder.bus.port import Message
from recorder.contiguity import MessageKey
from recorder.domain.errors import DeviceError
from recorder.log.port import EventLog, NewRow, Row
from recorder.service.incoming.admission import Admission, MessageRefusedError, Refusal
from recorder.service.incoming.event_rows import contradiction, refused_row
from recorder.wire.topics import Up, parse_topic

_MOST_SAID = 500

log = logging.getLogger("tilecast.recorder")


@dataclass(frozen=True, slots=True)
class Refusals:
    """``place_of`` gives table and game of a device, ``wall_ms`` milliseconds since 1970."""

    admission: Admission
    place_of: Callable[[str], tuple[int, str]]
    store: EventLog
    wall_ms: Callable[[], int]

    def of_message(self, message: Message, fault: MessageRefusedError, at: int) -> list[NewRow]:
        """The row of a message that was not admitted; none for the second of its kind."""
        if not fault.is_news:
            if fault.key is not None:
                self.store.pass_over(fault.key)
            return []
        log.warning("refused (%s): %s", fault.reason, str(fault)[:_MOST_SAID])
        table, game = self.place_of(_device(message))
        row = refused_row(
            fault.reason, str(fault), topic=message.topic, payload=message.payload,
            table=table, game=game, at=at, key=fault.key,
        )  # fmt: skip
        return [row]

    def unfit(self, draft: NewRow, fault: str) -> NewRow:
        """What is stored in place of a row that no log can store."""
        self.admission.counts[Refusal.UNFIT] += 1
        log.error("refused (unfit): %s", fault[:_MOST_SAID])
        device = draft.key[0] if draft.key else ""
        return self._row(Refusal.UNFIT, fault, device, draft.key)

    def contradictions(
        self, drafts: Sequence[NewRow], stored: Sequence[Row | None]
    ) -> list[NewRow]:
        """Of two messages under one number the first is kept; that there were two is reported."""
        rows = []
        for draft, row in zip(drafts, stored, strict=True):
            before = self.store.stored(draft.key) if row is None and draft.key else None
            fault = None if before is None else contradiction(draft, before)
            if fault is None or draft.key is None:
                continue
            if self.admission.count(draft.key[0], Refusal.CONTRADICTED):
                log.warning("refused (contradicted): %s", fault)
                rows.append(self._row(Refusal.CONTRADICTED, fault, draft.key[0]))
        return rows

    def _row(
        self, reason: Refusal, fault: str, device: str, key: MessageKey | None = None
    ) -> NewRow:
        table, game = self.place_of(device)
        return refused_row(reason, fault, table=table, game=game, at=self.wall_ms(), key=key)


def _device(message: Message) -> str:
    """Who sent a message, by its topic; empty for a topic of nobody."""
    try:
        topic = parse_topic(message.topic)
    except DeviceError:
        return ""
    return topic.device if isinstance(topic, Up) else ""
