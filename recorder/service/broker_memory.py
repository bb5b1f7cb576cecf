"""Whether the broker's memory is nearly full, as Mosquitto itself reports it.

A broker that reports nothing, such as the demo's, is never said to be full.
"""

from recorder.bus.broker import MEMORY_LIMIT
from recorder.bus.port import Message

_NEARLY_FULL = MEMORY_LIMIT * 6 // 10
"""Bytes. One client that reads nothing accounts for 32 MB at most, an idle hall for a few."""
_SAID = (
    f"the broker is running out of memory: it holds more than {_NEARLY_FULL >> 20} MB, mostly for"
    " programs or devices that have stopped reading, and drops messages at"
    f" {MEMORY_LIMIT >> 20} MB. Restart what hangs or floods; devices keep their events meanwhile"
)


class BrokerMemory:
    """What was last heard of the broker's memory. ``hear`` is for any thread."""

    def __init__(self) -> None:
        self.fault = ""
        """What is wrong and what helps, the cause before the colon; empty while there is room."""

    def hear(self, message: Message) -> None:
        """The number of bytes that the broker has taken, as text."""
        message.ack()
        digits = message.payload[:20]
        self.fault = _SAID if digits.isdigit() and int(digits) > _NEARLY_FULL else ""
