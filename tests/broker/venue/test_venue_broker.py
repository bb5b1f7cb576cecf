"""The broker of ``docker/`` with its certificates and rights, as in the containers, on this host.

Its own configuration file, its own script for certificates and its own access list; only places
and the port are replaced. The rest of the containers runs against it: table, recorder, health.
"""

import os
import shutil
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from signal import SIGTERM
from typing import TYPE_CHECKING

import pytest

from recorder.bus.broker import find_mosquitto, free_port
from recorder.bus.mqtt import MqttBus
from recorder.domain.errors import NotationError, RecorderError
from recorder.domain.row_kind import Kind
from recorder.log.sqlite import SqliteEventLog
from tests.eventually import eventually
from tests.programs import Program

if TYPE_CHECKING:
    from recorder.bus.port import Message

pytestmark = pytest.mark.broker

ROOT = Path(__file__).parents[3]
DOCKER = ROOT / "docker"
WITHIN_S = 60.0


def certificates(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = ["bash", str(DOCKER / "certificates.sh"), str(folder), *arguments]
    # What it gives away by chown in a container stays ours here, root or not.
    mine = {"BROKER_UID": str(os.getuid()), "CLIENT_UID": str(os.getuid())}
    return subprocess.run(
        command, env={**os.environ, **mine}, capture_output=True, text=True, check=False
    )


class Venue:
    """A broker with the configuration of the containers, and the certificates of a venue."""

    def __init__(self, folder: Path) -> None:
        self.tls, self.port = folder / "tls", free_port()
        done = certificates(
            self.tls, "make", "broker:broker", "recorder:recorder", "table:cam-1,clock-1",
            "dashboard:console", "office:doctor",
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        data = folder / "data"
        data.mkdir()
        text = (DOCKER / "mosquitto.conf").read_text(encoding="utf-8")
        for there, here in {
            "listener 8883": f"listener {self.port} 127.0.0.1",
            "/mosquitto/tls": str(self.tls / "broker"),
            "/mosquitto/config": str(DOCKER),
            "/mosquitto/data": str(data),
        }.items():
            assert there in text
            text = text.replace(there, here)
        if os.geteuid() == 0:
            text = "user root\n" + text  # or it could not read what is root's here
        self._config = folder / "mosquitto.conf"
        self._config.write_text(text, encoding="utf-8")
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        mosquitto = find_mosquitto()
        assert mosquitto is not None
        self._process = subprocess.Popen(
            [str(mosquitto), "-c", str(self._config)], stderr=subprocess.DEVNULL
        )
        eventually(self._listens, "the broker does not listen")

    def _listens(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def stop(self) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.wait(WITHIN_S)

    def url(self, who: str, name: str = "") -> str:
        """The broker's address for the certificates of one folder."""
        shown = f"&as={name}" if name else ""
        return f"mqtts://127.0.0.1:{self.port}?certs={self.tls / who}{shown}"


@pytest.fixture(scope="module")
def venue(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Venue]:
    """A running broker of a venue, for all tests of a file: its keys take seconds to make."""
    if find_mosquitto() is None or shutil.which("openssl") is None:
        pytest.skip("needs mosquitto and openssl")
    venue = Venue(tmp_path_factory.mktemp("venue"))
    venue.start()
    yield venue
    venue.stop()


def healthy(url: str, *arguments: str) -> int:
    """The exit status of the containers' health check."""
    command = [sys.executable, str(DOCKER / "healthy.py"), *arguments]
    env = {**os.environ, "TILECAST_MQTT_URL": url}
    return subprocess.run(command, cwd=ROOT, env=env, check=False, capture_output=True).returncode


def start(running: ExitStack, *arguments: str, **environment: str) -> None:
    """Start a program of ours; it is asked to end when the test does, and must end well."""
    command = [sys.executable, *arguments]
    program = subprocess.Popen(
        command, cwd=ROOT, env={**os.environ, **environment}, stderr=subprocess.DEVNULL
    )

    def end() -> None:
        program.terminate()
        assert program.wait(60) == 0, command

    running.callback(end)


def types_in(log: Path) -> set[str]:
    """What has been observed so far; nothing while the recorder is still laying the log out."""
    try:
        with closing(SqliteEventLog.open_reader(log)) as reader:
            rows = list(reader.read_from(1))
    except (RecorderError, sqlite3.OperationalError):
        return set()
    return {row.body["type"] for row in rows if row.kind is Kind.OBSERVED}


class Listener:
    """A connection with a certificate that keeps what it hears."""

    def __init__(self, stack: ExitStack, url: str, name: str, topic: str = "") -> None:
        self.heard: list[Message] = []
        self.bus = MqttBus(url, name)
        if topic:
            self.bus.subscribe(topic, self.heard.append)
        stack.enter_context(self.bus)
        eventually(lambda: self.bus.is_connected, f"{name} is not let in")

    def topics(self) -> list[str]:
        return [message.topic for message in self.heard]


def test_a_device_speaks_for_itself_alone(venue: Venue) -> None:
    """Events and states of others, and what tables publish, do not get through."""
    with ExitStack() as stack:
        url = venue.url("recorder", "recorder")
        recorder = Listener(stack, url, "recorder", "tc/v1/main/up/#")
        everybody = Listener(stack, url, "hall", "tc/v1/main/pub/#")
        camera = Listener(stack, venue.url("table"), "cam-1").bus
        camera.publish("tc/v1/main/up/clock-1/ev", b"forged")
        camera.publish("tc/v1/main/pub/table/1/state", b"forged")
        camera.publish("tc/v1/main/up/cam-1/ev", b"true")
        eventually(lambda: bool(recorder.heard), "nothing came through")
        assert recorder.topics() == ["tc/v1/main/up/cam-1/ev"]
        assert everybody.topics() == []


def test_a_device_hears_what_it_is_told_and_nothing_else(venue: Venue) -> None:
    """Neither commands to others nor what is for the director; the console hears that."""
    with ExitStack() as stack:
        camera = Listener(stack, venue.url("table"), "cam-1", "#")
        console = Listener(stack, venue.url("dashboard"), "console", "tc/v1/main/int/#")
        recorder = Listener(stack, venue.url("recorder", "recorder"), "recorder").bus
        recorder.publish("tc/v1/main/down/clock-1/cmd", b"press")
        recorder.publish("tc/v1/main/int/table/1/alert", b"doubt")
        recorder.publish("tc/v1/main/down/cam-1/cmd", b"look")
        eventually(lambda: bool(camera.heard and console.heard), "nothing came through")
        assert camera.topics() == ["tc/v1/main/down/cam-1/cmd"]
        assert console.topics() == ["tc/v1/main/int/table/1/alert"]


def test_the_doctor_comes_through_the_access_list(venue: Venue) -> None:
    """All that it tries is its own to say and hear."""
    command = [
        sys.executable,
        "-m",
        "tilecast",
        "doctor",
        "--broker",
        venue.url("office", "doctor"),
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert "round trip" in done.stdout
    assert "an access list forbids it" not in done.stdout
    assert "no recorder is there" in done.stdout


# What refuses a handshake leaves paho's socket to the garbage collector.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_nobody_gets_in_without_a_right_certificate_and_says_so_once(
    venue: Venue, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Unencrypted, without a certificate, with a revoked one or another's; others get in.

    Refused by the broker or refusing it, a device says why in its log, once.
    """
    certificates(venue.tls, "make", "lost:cam-9")
    kept, other = tmp_path / "kept", tmp_path / "other" / "table"
    shutil.copytree(venue.tls / "lost", kept)
    assert certificates(venue.tls, "revoke", "cam-9").returncode == 0
    certificates(tmp_path / "other", "make", "table:cam-8")
    venue.stop()
    venue.start()
    tries = {
        f"mqtt://127.0.0.1:{venue.port}": "cam-1",
        f"mqtts://127.0.0.1:{venue.port}": "cam-1",
        f"mqtts://127.0.0.1:{venue.port}?certs={kept}": "cam-9",
        f"mqtts://127.0.0.1:{venue.port}?certs={other}": "cam-8",
    }
    refused = [MqttBus(url, name) for url, name in tries.items()]

    def said(about: Path) -> list[str]:
        return [text for text in caplog.messages if str(about) in text]

    with ExitStack() as stack:
        for bus in refused:
            stack.enter_context(bus)
        Listener(stack, venue.url("table"), "cam-1")
        eventually(lambda: said(kept) and said(other), "both say why")
        time.sleep(2.5)  # another try or two
        assert not any(bus.is_connected for bus in refused)
        (revoked,), (foreign,) = said(kept), said(other)
    assert "revoked" in revoked
    assert "self-signed certificate in certificate chain" in foreign


def test_the_script_keeps_what_there_is_and_refuses_twins(venue: Venue) -> None:
    """Run again it makes what is missing; a name in use and a name never made are refused."""
    before = (venue.tls / "table" / "cam-1.crt").read_bytes()
    again = certificates(venue.tls, "make", "table:cam-1,cam-2")
    assert (again.returncode, again.stdout) == (0, "made table/cam-2\n")
    assert (venue.tls / "table" / "cam-1.crt").read_bytes() == before
    assert (venue.tls / "table" / "cam-2.key").stat().st_mode & 0o077 == 0
    twin = certificates(venue.tls, "make", "table-2:cam-1")
    assert twin.returncode == 1
    assert "another has this name" in twin.stderr
    unknown = certificates(venue.tls, "revoke", "cam-7")
    assert unknown.returncode == 1
    assert "cam-1" in unknown.stderr
    assert certificates(venue.tls, "make", "Table 7").returncode == 2


def test_a_missing_certificate_is_named(tmp_path: Path) -> None:
    """The file, and where it is written how to make it; an unknown option likewise."""
    with pytest.raises(NotationError, match=r"cam-1: .*ca\.crt.*docs/docker\.md"):
        MqttBus(f"mqtts://127.0.0.1?certs={tmp_path}", "cam-1")
    with pytest.raises(NotationError, match=r"cert is not known.*certs=FOLDER"):
        MqttBus("mqtts://127.0.0.1?cert=x", "cam-1")
    with pytest.raises(NotationError, match="certs is not known"):
        MqttBus("mqtt://127.0.0.1?certs=x", "cam-1")


@pytest.mark.further
def test_the_simulated_table_is_recorded_over_certificates(venue: Venue, tmp_path: Path) -> None:
    """Script, recorder's file and health checks of the containers, moved to this machine.

    The last of the tests: what it says of its devices the broker keeps.
    """
    with ExitStack() as running:
        text = (DOCKER / "venue.toml").read_text(encoding="utf-8")
        there = "mqtts://broker?certs=/tls&as=recorder"
        assert there in text
        text = text.replace('"/record"', f'"{tmp_path / "record"}"')
        file = tmp_path / "venue.toml"
        file.write_text(text.replace(there, venue.url("recorder", "recorder")), encoding="utf-8")
        here = {"TILECAST_MQTT_URL": venue.url("table"), "TILECAST_TABLE_FOLDER": str(tmp_path)}
        recorder = Program("record", str(file))
        running.callback(recorder.end, SIGTERM)
        start(running, str(DOCKER / "simulated_table.py"), "60", **here)
        log = tmp_path / "record" / "tilecast.db"
        wanted = {"board.seen", "clock.press"}
        eventually(lambda: wanted <= types_in(log), "no looks and presses in the log", 60)
        assert healthy(venue.url("recorder", "recorder"), "recorder", str(file)) == 0
        assert healthy(venue.url("table", "cam-1"), "device", "cam-1") == 0
        other = tmp_path / "other.toml"
        other.write_text('[recorder]\nname = "recorder-2"\n', encoding="utf-8")
        assert healthy(venue.url("recorder", "recorder"), "recorder", str(other)) == 1
