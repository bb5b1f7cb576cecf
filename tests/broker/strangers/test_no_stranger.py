"""At a broker: nobody is thrown out by a client id; a stranger who gets in is reported."""

import json
import subprocess
from pathlib import Path

import paho.mqtt.client as paho
import pytest
from paho.mqtt.enums import CallbackAPIVersion

import tilecast
from devices.agent_process.table_file import example
from recorder.bus.address import shown_url, without_proof
from recorder.bus.broker import BrokerHandle, find_mosquitto, free_port
from recorder.bus.exposure import is_here, open_to_others, open_warning, own_addresses
from recorder.bus.mqtt import MqttBus
from recorder.bus.refusal import why_refused
from tests.eventually import eventually


@pytest.mark.broker
def test_nobody_is_thrown_out_by_a_client_that_takes_its_name(broker: BrokerHandle) -> None:
    """A broker ends the older of two clients of one id; ours is not to be guessed."""
    reasons: list[str] = []
    with MqttBus(broker.url, "recorder-recorder-1") as bus:
        bus.on_connection(lambda _, reason: reasons.append(reason))
        eventually(lambda: bus.is_connected)
        thief = paho.Client(CallbackAPIVersion.VERSION2, client_id="recorder-recorder-1")
        host, _, port = broker.url.removeprefix("mqtt://").partition(":")
        thief.connect(host, int(port))
        thief.loop_start()
        eventually(thief.is_connected)
        echoed: list[bytes] = []
        bus.subscribe("x/y", lambda message: echoed.append(message.payload))
        eventually(lambda: bus.publish("x/y", b"still here") or echoed)
        thief.disconnect()
        thief.loop_stop()
    assert not [reason for reason in reasons if "lost" in reason]


@pytest.mark.broker
def test_the_doctor_does_not_call_an_open_broker_ok(
    broker: BrokerHandle, capsys: pytest.CaptureFixture[str]
) -> None:
    """Here only this machine reaches it, which is weak; on a network it would be bad."""
    tilecast.main(["doctor", "--broker", broker.url, "--venue", "empty", "--json"])
    found = json.loads(capsys.readouterr().out)["findings"]
    (strangers,) = [finding for finding in found if finding["what"] == "strangers"]
    assert strangers["grade"] == "weak"
    assert "every program on this machine" in strangers["words"]


@pytest.mark.broker
@pytest.mark.parametrize("listens", ["127.0.0.1", "0.0.0.0"])
def test_a_broker_of_this_machine_that_others_get_into_is_told_of(
    tmp_path: Path, listens: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its address says 127.0.0.1, and its listener lets the whole hall in."""
    mosquitto, port = find_mosquitto(), free_port()
    if mosquitto is None or not own_addresses():
        pytest.skip("needs Mosquitto (apt install mosquitto) and a network")
    conf = tmp_path / "mosquitto.conf"
    conf.write_text(f"listener {port} {listens}\nallow_anonymous true\n")
    url = f"mqtt://127.0.0.1:{port}"
    with subprocess.Popen([mosquitto, "-c", str(conf)], stderr=subprocess.DEVNULL) as broker:
        try:
            eventually(lambda: not why_refused(url, "", 1.0))
            is_open = listens == "0.0.0.0"
            assert bool(open_to_others(url)) is is_open
            if is_open:
                tilecast.main(["doctor", "--broker", url, "--venue", "empty", "--json"])
                found = json.loads(capsys.readouterr().out)["findings"]
                (grade,) = (each["grade"] for each in found if each["what"] == "strangers")
                assert grade == "bad"
        finally:
            broker.terminate()


@pytest.mark.parametrize(
    ("url", "lacks"),
    [
        ("mqtt://127.0.0.1:1883", ""),
        ("mqtt://localhost", ""),
        ("mqtts://venue.example?certs=/tls", ""),
        ("mqtts://hall:secret@venue.example", ""),
        ("mqtt://venue.example", "without certificates or passwords"),
        ("mqtt://hall:secret@venue.example", "without TLS"),
        ("mqtts://venue.example", "without certificates or passwords"),
        ("mqtt://192.168.1.5:1883", "without certificates or passwords"),
        ("mqtt://127.venue.example", "without certificates or passwords"),
    ],
)
def test_a_broker_that_is_open_to_the_network_is_warned_of(url: str, lacks: str) -> None:
    """At every start; and no message has its password."""
    warning = open_warning(url)
    assert bool(warning) == bool(lacks)
    assert lacks in warning
    assert "secret" not in warning + shown_url(url) + without_proof(url)
    assert is_here(url) == ("127.0.0.1" in url or "localhost" in url)


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("mqtt://venue.example", "WARNING: mqtt://venue.example is reached over the network"),
        ("mqtt://hall:secret@venue.example", "without TLS"),
        ("mqtt://127.0.0.1:1883", ""),
    ],
)
def test_an_agent_warns_of_a_broker_that_is_open(
    tmp_path: Path, url: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Anyone who sets a table up reads it, not only who starts the recorder."""
    (tmp_path / "table.toml").write_text(example().replace("mqtt://127.0.0.1:1883", url))
    tilecast.main(["agent", "--check", str(tmp_path / "table.toml")])
    heard = capsys.readouterr().err
    assert ("WARNING" in heard) is bool(said)
    assert said in heard
    assert "secret" not in heard
