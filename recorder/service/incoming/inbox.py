"""What has come in and is not stored yet: a line for every table, taken from in turn.

A table whose devices flood fills its own line alone. What no line has room for is refused; the
devices send it again.
"""

import threading
from collections import Counter, deque
from collections.abc import Callable
from typing import Generic, TypeVar

from recorder.bus.port import Message
from recorder.domain.errors import DeviceError
from recorder.wire.topics import Up, UpChannel, parse_topic

MOST_IN_LINE = 10_000
MOST_OF_ONE, MOST_BYTES_OF_ONE = 20, 64 * 1024
"""What is taken of one table at a time: for so long the others wait while it is stored."""

_Item = TypeVar("_Item")


class Inbox(Generic[_Item]):
    """Lines by table. Any thread puts in, one takes out; ``size`` gives the bytes of an item."""

    def __init__(self, size: Callable[[_Item], int] = lambda _item: 0) -> None:
        self._size = size
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
        """One of each line in turn, up to ``most``; nothing where nothing comes in ``wait_s``.

        Of one line no more than its share: what is stored together, all tables wait for.
        """
        with self._waiting:
            self._waiting.wait_for(lambda: bool(self._lines), wait_s)
            taken: list[_Item] = []
            many: Counter[int] = Counter()
            size: Counter[int] = Counter()
            in_turn = list(self._lines)
            while in_turn and len(taken) < most:
                for table in in_turn[: most - len(taken)]:
                    # At the end of the round it is put back behind the others.
                    line = self._lines.pop(table)
                    item = line.popleft()
                    taken.append(item)
                    many[table] += 1
                    size[table] += self._size(item)
                    if line:
                        self._lines[table] = line
                in_turn = [
                    table
                    for table in self._lines
                    if many[table] < MOST_OF_ONE and size[table] < MOST_BYTES_OF_ONE
                ]
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
