"""Whether a program of compose.yaml is at work, for its health check: exit status 0 or 1.

``python healthy.py recorder venue.toml`` or ``python healthy.py device cam-1 [VENUE]``: the broker
in ``TILECAST_MQTT_URL`` keeps what they last said of themselves, and their will when they are gone.
The file says which recorder it is, at which venue. ``python healthy.py pages 8015``: the dashboard
of this machine answers, with TLS or without.
"""

import contextlib
import http
import http.client
import os
import queue
import secrets
import ssl
import sys
import tomllib
from pathlib import Path

from recorder.bus.mqtt import MqttBus
from recorder.bus.port import Message
from recorder.domain.errors import DeviceError
from recorder.wire.control import Presence, decode_device_state, decode_recorder_state
from recorder.wire.topics import RecorderTopic, Up, UpChannel

WITHIN_S = 4.0
PAGES_WITHIN_S = 2.0


def main(arguments: list[str]) -> int:
    """Ask the broker for the state that is kept, or the dashboard for an answer."""
    kind, name, *rest = arguments
    venue = rest[0] if rest else "main"
    if kind == "recorder":
        name, venue = recorder_in(Path(name))
    said = pages(int(name)) if kind == "pages" else state(kind, name, venue)
    sys.stdout.write(f"{name}: {said}\n")
    return 0 if said == Presence.READY.value else 1


def recorder_in(file: Path) -> tuple[str, str]:
    """Name and venue in a recorder's file, or what they are when left out.

    Nothing else of it is read: the whole reader costs a second of processor time, each time.
    """
    said = tomllib.loads(file.read_text(encoding="utf-8"))
    name = said.get("recorder", {}).get("name", "recorder-1")
    return name, said.get("venue", {}).get("name", "main")


def pages(port: int) -> str:
    """Whether the dashboard answers; whose name is in its certificate is not looked at."""
    anyone = ssl.create_default_context()
    anyone.check_hostname, anyone.verify_mode = False, ssl.CERT_NONE
    here, within_s = "127.0.0.1", PAGES_WITHIN_S
    said = ""
    for line in (
        http.client.HTTPConnection(here, port, timeout=within_s),
        http.client.HTTPSConnection(here, port, timeout=within_s, context=anyone),
    ):
        with contextlib.closing(line):
            try:
                line.request("GET", "/healthz")
                status = line.getresponse().status
            except (OSError, http.client.HTTPException) as fault:
                said = f"no answer: {fault}"
            else:
                return Presence.READY.value if status == http.HTTPStatus.OK else f"answers {status}"
    return said


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
