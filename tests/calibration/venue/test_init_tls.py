"""``tilecast init --tls --elsewhere``: certificates, and a folder for a machine of its own."""

import http.client
import json
import os
import re
import shutil
import socket
import ssl
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import paho.mqtt.client as paho
import pytest
from paho.mqtt.enums import CallbackAPIVersion

import tilecast
from calibration.venue.programs_file import read_keys, read_programs_file
from devices.agent_process.table_file import read_table_file
from devices.firmware.main import _private
from recorder.bus.broker import find_mosquitto, free_port
from recorder.bus.mqtt import takes
from recorder.bus.refusal import why_refused
from tests.eventually import eventually
from tests.rehearsal.hall import listens

pytestmark = pytest.mark.broker

PORT = 28883
WORDS = ("--tls", "--tables", "2", "--elsewhere", "2", "--clock", "mqtt", "--address", "127.0.0.1")


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A venue of two tables, one elsewhere; its broker runs."""
    mosquitto = find_mosquitto()
    if mosquitto is None or shutil.which("openssl") is None:
        pytest.skip("needs mosquitto and openssl")
    folder = tmp_path_factory.mktemp("tls") / "hall"
    words = ["init", str(folder), "--yes", "--json", *WORDS, "--camera", "0"]
    before = os.umask(0o022)
    assert tilecast.main([*words, "--broker-port", str(PORT)]) == 0
    os.umask(before)
    config = folder / "broker" / "mosquitto.conf"
    text = config.read_text("utf-8")
    ports = set[int]()
    while len(ports) < text.count("\nlistener "):
        ports.add(free_port())
    text = re.sub(r"(?<=\nlistener )\d+", lambda _: str(ports.pop()), text)
    config.write_text(text, "utf-8")
    errors_file = folder / "broker" / "errors"
    with (
        errors_file.open("w") as errors,
        subprocess.Popen(
            [str(mosquitto), "-c", "broker/mosquitto.conf"], cwd=folder, stderr=errors
        ) as broker,
    ):
        eventually(lambda: listens(listener(folder, 0)) or broker.poll() is not None)
        assert broker.poll() is None, errors_file.read_text("utf-8")
        yield folder
        broker.terminate()


def listener(hall: Path, number: int) -> int:
    """The port of a listener: of our own programs, of clocks, of agents elsewhere."""
    text = (hall / "broker" / "mosquitto.conf").read_text("utf-8")
    return int(re.findall(r"^listener (\d+)", text, re.MULTILINE)[number])


def test_an_agent_elsewhere_speaks_for_its_table_alone(hall: Path, tmp_path: Path) -> None:
    """By the folder that was carried to it, wherever that lies; nobody without a certificate."""
    carried = tmp_path / "stick"
    shutil.copytree(hall / "machines" / "table-2", carried)
    assert "tilecast agent table-2.toml" in (carried / "README.txt").read_text("utf-8")
    url = read_table_file(carried / "table-2.toml").broker_url
    assert f"127.0.0.1:{PORT + 2}?certs={carried}/tls&as=table-2" in url
    url = url.replace(f":{PORT + 2}", f":{listener(hall, 2)}")
    eventually(lambda: why_refused(url, "cam-2", 5) == "", "the broker takes it")
    assert takes(url, "cam-2", "tc/v1/main/up/cam-2/raw/doctor", 10) is True
    assert takes(url, "cam-2", "tc/v1/main/up/cam-1/raw/doctor", 10) is False
    nobody = f"mqtts://127.0.0.1:{listener(hall, 2)}?certs={hall}/broker/tls&as=broker"
    assert why_refused(nobody, "x", 5) != ""  # a server's certificate is no client's
    assert "mqtts://" in why_refused(f"mqtt://127.0.0.1:{listener(hall, 2)}", "x", 5)


def test_a_networked_clock_is_who_its_certificate_says(hall: Path) -> None:
    """Its file names no password; the reference firmware reads its certificate."""
    given = json.loads((hall / "clocks" / "clock-1.json").read_text("utf-8"))
    folder = hall / "clocks" / "clock-1"
    assert "broker_password" not in given
    paths = {key: str(folder / given[key]) for key in ("authority", "certificate", "key")}
    assert isinstance(_private({**given, **paths})["ssl"], ssl.SSLContext)
    url = f"mqtts://127.0.0.1:{listener(hall, 1)}?certs={folder}&as=clock-1"
    eventually(lambda: why_refused(url, "clock-1", 5) == "", "the broker takes it")
    assert takes(url, "clock-2", "tc/v1/main/up/clock-1/raw/doctor", 10) is True
    assert takes(url, "clock-2", "tc/v1/main/up/clock-2/raw/doctor", 10) is False


def test_a_clocks_name_is_taken_from_nobody(hall: Path) -> None:
    """Who shows one clock's certificate and another's client id comes in by their own name."""
    port = listener(hall, 1)

    def shows(name: str, client_id: str) -> paho.Client:
        folder = hall / "clocks" / name
        client = paho.Client(CallbackAPIVersion.VERSION2, client_id=client_id)
        files = [str(next(folder.glob(kind))) for kind in ("ca.crt", f"{name}.crt", f"{name}.key")]
        client.tls_set(*files)
        client.connect("127.0.0.1", port)
        client.loop_start()
        eventually(client.is_connected, "the broker takes it")
        return client

    lost: list[str] = []
    clock = shows("clock-1", "clock-1")
    clock.on_disconnect = lambda *_: lost.append("clock-1")
    thief = shows("clock-2", "clock-1")
    clock.publish("tc/v1/main/up/clock-1/raw/doctor", b"x", 1).wait_for_publish(20)
    assert (lost, thief.is_connected()) == ([], True)
    twin = shows("clock-1", "whatever")  # the same clock again: that one replaces itself
    eventually(lambda: lost)
    for client in (clock, thief, twin):
        client.disconnect()
        client.loop_stop()


def test_the_pages_are_over_tls_and_over_nothing_else(hall: Path) -> None:
    """As the venue's file starts them: the authority vouches, cookies go over TLS alone."""
    programs, port = read_programs_file(hall), free_port()
    options = [*programs.dashboard.options, "--port", str(port), "--log", "record/tilecast.db"]
    command = [sys.executable, "-m", "tilecast", "dashboard", *options]
    keys = {**os.environ, **read_keys(hall)}
    with subprocess.Popen(command, cwd=hall, env=keys, stderr=subprocess.DEVNULL) as dashboard:
        trusted = ssl.create_default_context(cafile=hall / "authority" / "ca.crt")
        try:
            eventually(lambda: answers(port), "it listens")
            page = http.client.HTTPSConnection("127.0.0.1", port, context=trusted)
            page.request("GET", f"/enter/{keys['TILECAST_DIRECTOR_TOKEN']}")
            with page.getresponse() as entered:
                cookie = str(entered.headers["set-cookie"])
            assert "secure" in cookie.lower()
            page.request("GET", "/api/desk", headers={"Cookie": cookie.partition(";")[0]})
            with page.getresponse() as shown:
                assert shown.status == 200
            page.close()
            stranger = http.client.HTTPSConnection("127.0.0.1", port)
            with pytest.raises(ssl.SSLCertVerificationError):
                stranger.request("GET", "/healthz")  # nobody vouches for it elsewhere
            clear = http.client.HTTPConnection("127.0.0.1", port)
            clear.request("GET", "/healthz")
            with pytest.raises((http.client.HTTPException, OSError)):
                clear.getresponse()
            clear.close()
        finally:
            dashboard.terminate()


def answers(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def test_what_runs_here_is_this_machines_alone(hall: Path) -> None:
    """The pages over TLS, the agent of table 1; the authority's key is its owner's."""
    programs = read_programs_file(hall)
    assert programs.agents.files == ("table-1.toml",)
    cert, key = programs.dashboard.options[-2:]
    ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(hall / cert, hall / key)
    assert "https://127.0.0.1:8015/" in (hall / "links.html").read_text("utf-8")
    assert {file.stat().st_mode & 0o077 for file in hall.rglob("*.key")} == {0}
    assert {file.name for file in (hall / "machines").rglob("*.key")} == {"table-2.key"}


def test_tls_needs_an_address_and_a_table_elsewhere_must_be_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for words, named in {
        ("--tls", "--address", "none"): "--address names this machine",
        ("--elsewhere", "3", "--address", "127.0.0.1"): "--elsewhere names a table, 1 to 1",
    }.items():
        assert tilecast.main(["init", str(tmp_path / "hall"), "--yes", *words]) == 1
        assert named in capsys.readouterr().err
    assert [*tmp_path.iterdir()] == []
