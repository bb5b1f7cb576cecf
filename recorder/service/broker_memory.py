"""Whether the broker's memory is nearly full, as Mosquitto itself reports it.

A broker that reports nothing, such as the demo's, is never said to be full.
"""

from recorder.bus.broker import MEMORY_LIMIT
from recorder.bus.port import Message

_KNOWN = "drops messages at {} MB"
_UNKNOWN = (
    "nothing here says at how many MB it drops messages or its machine runs out (memory_limit in"
    " its configuration)"
)


class BrokerMemory:
    """What was last heard of the broker's memory. ``hear`` is for any thread.

    ``limit`` in bytes; where it is None, that of a broker of ours is the measure.
    """

    def __init__(self, limit: int | None) -> None:
        self.fault = ""
        """What is wrong and what helps, the cause before the colon; empty while there is room."""
        self._nearly_full = (limit or MEMORY_LIMIT) * 6 // 10
        end = _KNOWN.format(limit >> 20) if limit else _UNKNOWN
        self._said = (
            "the broker is running out of memory: it holds more than"
            f" {self._nearly_full >> 20} MB, mostly for programs or devices that have stopped"
            f" reading, and {end}. Restart what hangs or floods; devices keep their events"
            " meanwhile"
        )

    def hear(self, message: Message) -> None:
        """The number of bytes that the broker has taken, as text."""
        message.ack()
        digits = message.payload[:20]
        is_nearly_full = digits.isdigit() and int(digits) > self._nearly_full
        self.fault = self._said if is_nearly_full else ""
