"""Whether a program of compose.yaml is at work, for its health check: exit status 0 or 1.

``python healthy.py recorder recorder-1`` or ``python healthy.py device cam-1``: the broker in
``TILECAST_MQTT_URL`` keeps what they last said of themselves, and their will when they are gone.
"""

import os
import queue
import secrets
import sys

from recorder.bus.mqtt import MqttBus
from recorder.bus.port import Message
from recorder.domain.errors import DeviceError
from recorder.wire import (
    Presence,
    RecorderTopic,
    Up,
    UpChannel,
    decode_device_state,
    decode_recorder_state,
)

WITHIN_S = 4.0


def main(arguments: list[str]) -> int:
    """Ask the broker for the state that is kept."""
    kind, name, *rest = arguments
    said = state(kind, name, rest[0] if rest else "main")
    sys.stdout.write(f"{name}: {said}\n")
    return 0 if said == Presence.READY.value else 1


def state(kind: str, name: str, venue: str) -> str:
    """The state in a word, or what is wrong."""
    is_device = kind == "device"
    topic = Up(venue, name, UpChannel.STATE) if is_device else RecorderTopic(venue, name)
    decode = decode_device_state if is_device else decode_recorder_state
    inbox = queue.Queue[Message]()
    with MqttBus(os.environ["TILECAST_MQTT_URL"], f"healthy-{secrets.token_hex(3)}") as bus:
        bus.subscribe(str(topic), inbox.put)
        try:
            message = inbox.get(timeout=WITHIN_S)
            message.ack()
            return decode(message.payload).state.value
        except queue.Empty:
            return f"has said nothing of itself within {WITHIN_S:g} s"
        except DeviceError as fault:
            return str(fault)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
