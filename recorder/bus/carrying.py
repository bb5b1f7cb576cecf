"""Whether a broker carries what one says to another: an access list may drop either side's part.

Mosquitto takes a subscription that its list forbids, and sends nothing: only a message that was
really said shows it.
"""

import queue
from dataclasses import dataclass

from recorder.bus.mqtt import MqttBus
from recorder.bus.port import Message

_AGAIN_S = 0.5


@dataclass(frozen=True, slots=True)
class Caller:
    """Who comes to the broker: the address with name and password, and the name without digits."""

    url: str
    name: str


def carries(speaker: Caller, listener: Caller, topic: str, payload: bytes, within_s: float) -> bool:
    """Whether ``listener`` hears what ``speaker`` says on a topic; False also if none gets in."""
    heard: queue.SimpleQueue[bytes] = queue.SimpleQueue()

    def hear(message: Message) -> None:
        message.ack()
        heard.put(message.payload)

    with MqttBus(listener.url, listener.name) as ear, MqttBus(speaker.url, speaker.name) as mouth:
        ear.subscribe(topic, hear)
        for _ in range(round(within_s / _AGAIN_S)):
            if ear.is_connected and mouth.is_connected:
                mouth.publish(topic, payload)
            try:
                while heard.get(timeout=_AGAIN_S) != payload:
                    pass
            except queue.Empty:
                continue
            return True
    return False
