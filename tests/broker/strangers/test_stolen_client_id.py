"""At the broker of ``docker/``: a device with its own certificate takes other client ids."""

from contextlib import ExitStack
from pathlib import Path

import paho.mqtt.client as paho
import pytest
from paho.mqtt.enums import CallbackAPIVersion

from recorder.bus.mqtt import MqttBus
from recorder.wire.control import Ack, decode_ack
from recorder.wire.topics import Down, DownChannel, Up, UpChannel
from tests.broker.test_recorder_at_work import press, running, venue_file
from tests.broker.venue.test_venue_broker import Venue
from tests.broker.venue.test_venue_broker import venue as venue  # noqa: PLC0414 - a fixture
from tests.eventually import eventually

pytestmark = pytest.mark.broker
TAKEN = ("recorder-recorder-1", "recorder-1", "recorder", "console", "clock-1")


def thief(venue: Venue, client_id: str) -> paho.Client:
    """The camera's certificate, by the name of another."""
    client = paho.Client(CallbackAPIVersion.VERSION2, client_id=client_id)
    folder = venue.tls / "table"
    client.tls_set(str(folder / "ca.crt"), str(folder / "cam-1.crt"), str(folder / "cam-1.key"))
    client.connect("127.0.0.1", venue.port)
    client.loop_start()
    return client


def test_a_certificate_throws_nobody_out_by_taking_a_client_id(
    venue: Venue, tmp_path: Path
) -> None:
    """Under each name it gets in, and recorder, clock and console stay: each press is stored."""
    lost: list[str] = []
    acks: list[Ack] = []
    said = tmp_path / "said"
    file = venue_file(tmp_path, venue.url("recorder", "recorder"))
    with ExitStack() as on:
        clock = on.enter_context(MqttBus(venue.url("table"), "clock-1"))
        console = on.enter_context(MqttBus(venue.url("dashboard"), "console"))
        clock.subscribe(
            str(Down("main", "clock-1", DownChannel.ACK)),
            lambda message: acks.append(decode_ack(message.payload)),
        )
        on.enter_context(running("record", str(file), said=said))
        eventually(lambda: "broker connected" in said.read_text("utf-8"), "it records")
        eventually(lambda: clock.is_connected and console.is_connected, "both are let in")
        for bus in (clock, console):
            bus.on_connection(lambda _, reason: lost.append(reason))
        for number, client_id in enumerate(TAKEN, start=1):
            client = thief(venue, client_id)
            on.callback(client.loop_stop)
            on.callback(client.disconnect)
            eventually(client.is_connected, f"{client_id} is let in, with a right certificate")
            clock.publish(str(Up("main", "clock-1", UpChannel.EVENT)), press(number))
            eventually(lambda n=number: n in [ack.upto for ack in acks], f"press {number}")  # type: ignore[misc]
    assert not [reason for reason in lost if "lost" in reason]
    assert "broker lost" not in said.read_text("utf-8")
