"""What has come in and is not stored yet: a line for every table, taken from in turn.

A table whose devices flood fills its own line alone. What no line has room for is refused; the
devices send it again.
"""

import threading
from collections import deque
from typing import Generic, TypeVar

from recorder.bus.port import Message
from recorder.domain.errors import DeviceError
from recorder.wire import Up, UpChannel, parse_topic

MOST_IN_LINE = 10_000

_Item = TypeVar("_Item")


class Inbox(Generic[_Item]):
    """Lines by table. Any thread puts in, one takes out."""

    def __init__(self) -> None:
        self._lines: dict[int, deque[_Item]] = {}
        self._waiting = threading.Condition()

    def put(self, table: int, item: _Item) -> bool:
        """Add to a table's line; False where it is full."""
        with self._waiting:
            line = self._lines.setdefault(table, deque())
            if len(line) >= MOST_IN_LINE:
                return False
            line.append(item)
            self._waiting.notify()
            return True

    def take(self, most: int, wait_s: float = 0.0) -> list[_Item]:
        """One of each line in turn, up to ``most``; nothing where nothing comes in ``wait_s``."""
        with self._waiting:
            self._waiting.wait_for(lambda: bool(self._lines), wait_s)
            taken: list[_Item] = []
            while self._lines and len(taken) < most:
                for table in list(self._lines)[: most - len(taken)]:
                    # At the end of the round it is put back behind the others.
                    line = self._lines.pop(table)
                    taken.append(line.popleft())
                    if line:
                        self._lines[table] = line
            return taken

    def __len__(self) -> int:
        with self._waiting:
            return sum(map(len, self._lines.values()))


def sender_of(message: Message) -> Up | None:
    """Whose message it is and what kind; None of a topic that no device has."""
    try:
        topic = parse_topic(message.topic)
    except DeviceError:
        return None
    return topic if isinstance(topic, Up) else None


def is_event(message: Message) -> bool:
    """Whether a message is an event, which is stored; the others pass."""
    sender = sender_of(message)
    return sender is not None and sender.channel is UpChannel.EVENT
