"""The supervised broker: found, configured, ready, restarted, gone with its parent."""

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from recorder.bus.broker import (
    MEMORY_LIMIT,
    find_mosquitto,
    free_port,
    greets,
    memory_limit_of,
    mosquitto_config,
    serves,
    start_broker,
)
from recorder.domain.errors import NotationError, RecorderError
from tests.eventually import eventually

pytestmark = pytest.mark.broker

OWNER = """
import sys, time
from pathlib import Path
from recorder.bus.broker import start_broker
handle = start_broker(sys.argv[1], workdir=Path(sys.argv[2]))
print(handle.pid, handle.url.rpartition(":")[2], flush=True)
time.sleep(60)
"""


CTRL_C = """
import logging, os, signal, sys, time
from pathlib import Path
from recorder.bus.broker import greets, start_broker
logging.basicConfig(stream=sys.stdout)
signal.signal(signal.SIGINT, lambda *_: None)
with start_broker(sys.argv[1], workdir=Path(sys.argv[2])) as handle:
    before = handle.pid
    os.killpg(0, signal.SIGINT)
    time.sleep(0.3)
    print("the same", handle.pid == before, greets(int(handle.url.rpartition(":")[2])))
"""


@pytest.fixture(params=[pytest.param("mosquitto", marks=pytest.mark.broker), "amqtt"])
def kind(request: pytest.FixtureRequest) -> str:
    """Each broker that we run ourselves."""
    if request.param == "mosquitto" and find_mosquitto() is None:
        pytest.skip("Mosquitto is not installed: apt install mosquitto")
    return str(request.param)


def port_of(url: str) -> int:
    """The port in a broker's address."""
    return int(url.rpartition(":")[2])


def test_a_broker_is_ready_when_it_is_handed_over(kind: str, tmp_path: Path):
    """The first CONNECT succeeds, on loopback, and after stop nobody answers."""
    with start_broker(kind, workdir=tmp_path) as handle:
        assert handle.kind == kind
        assert handle.url.startswith("mqtt://127.0.0.1:")
        assert greets(port_of(handle.url))
        assert ("demo broker" in handle.banner) == (kind == "amqtt")
    assert not greets(port_of(handle.url))
    assert handle.pid is None
    handle.stop()


def test_ctrl_c_at_the_terminal_leaves_the_broker_to_us(kind: str, tmp_path: Path):
    """A terminal sends it to all of its programs: those that end write to the broker until then."""
    command = [sys.executable, "-c", CTRL_C, kind, str(tmp_path)]
    ended = subprocess.run(
        command, capture_output=True, text=True, check=True, start_new_session=True
    )
    assert ended.stdout == "the same True True\n"


@pytest.mark.skipif(find_mosquitto() is None, reason="Mosquitto is not installed")
def test_a_broker_that_lets_nobody_in_serves_all_the_same(tmp_path: Path):
    """A venue's own broker: who waits for its greeting waits in vain."""
    port = free_port()
    config = tmp_path / "mosquitto.conf"
    config.write_text(f"listener {port} 127.0.0.1\nallow_anonymous false\n", "utf-8")
    with subprocess.Popen([str(find_mosquitto()), "-c", str(config)]) as broker:
        try:
            eventually(lambda: serves(port), "it answers")
            assert not greets(port)
        finally:
            broker.kill()
    assert not serves(port)


def test_a_killed_broker_is_started_again(kind: str, tmp_path: Path):
    """The same address answers again within seconds, from a new process."""
    with start_broker(kind, workdir=tmp_path) as handle:
        first = handle.pid
        assert first is not None
        os.kill(first, signal.SIGKILL)
        eventually(lambda: handle.pid not in {None, first} and greets(port_of(handle.url)))


def test_the_broker_dies_with_its_parent(kind: str, tmp_path: Path):
    """Even kill -9 of the owner leaves no broker behind."""
    command = [sys.executable, "-c", OWNER, kind, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as owner:
        pid, port = map(int, owner.stdout.readline().split())
        assert greets(port)
        owner.kill()
    eventually(lambda: not greets(port))
    eventually(lambda: not is_running(pid))


def is_running(pid: int) -> bool:
    """Whether a process runs (one that only waits to be collected does not)."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="ascii")
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"


def test_a_port_that_is_taken_is_said_clearly(kind: str, tmp_path: Path):
    """Also when another broker listens there, which would answer in place of our own."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(RecorderError, match=f"port {port} for the broker"):
            start_broker(kind, workdir=tmp_path, port=port)


def test_a_broker_that_cannot_start_is_quoted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """The error carries its last words and names its log."""
    monkeypatch.setattr("recorder.bus.broker.find_mosquitto", lambda: Path("/bin/false"))
    with pytest.raises(RecorderError, match=r"ended with status 1.*mosquitto\.log"):
        start_broker("mosquitto", workdir=tmp_path)


@pytest.mark.parametrize("wanted", ["rabbit", "", "http://venue.example"])
def test_an_unknown_broker_is_refused(tmp_path: Path, wanted: str):
    """The message lists what may be said instead."""
    with pytest.raises(NotationError, match="mosquitto, amqtt or mqtt://"):
        start_broker(wanted, workdir=tmp_path)


def test_auto_takes_mosquitto_only_where_it_is_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Without it the demo broker runs and says so; asking for it by name is an error."""
    monkeypatch.setattr("recorder.bus.broker.find_mosquitto", lambda: None)
    with start_broker("auto", workdir=tmp_path) as handle:
        assert handle.kind == "amqtt"
        assert "apt install mosquitto" in handle.banner
    with pytest.raises(RecorderError, match="apt install mosquitto"):
        start_broker("mosquitto", workdir=tmp_path)


@pytest.mark.broker
def test_mosquitto_listens_on_loopback_only_and_keeps_its_files(tmp_path: Path):
    """Nothing but 127.0.0.1 is bound, and persistence can really be written."""
    if find_mosquitto() is None:
        pytest.skip("Mosquitto is not installed: apt install mosquitto")
    with start_broker("mosquitto", workdir=tmp_path) as handle:
        config = (tmp_path / "mosquitto.conf").read_text(encoding="utf-8")
        assert f"listener {port_of(handle.url)} 127.0.0.1" in config
        assert config.count("listener") == 1
    assert (tmp_path / "mosquitto.db").exists()


def test_the_limit_of_a_broker_is_read_where_it_is_written(tmp_path: Path):
    """Of the first file that is there; without one nobody claims to know it."""
    conf, missing = tmp_path / "mosquitto.conf", tmp_path / "elsewhere" / "mosquitto.conf"
    assert memory_limit_of(missing, conf) is None
    conf.write_text(mosquitto_config(free_port(), tmp_path), encoding="utf-8")
    assert memory_limit_of(missing, conf) == MEMORY_LIMIT
    conf.write_text("memory_limit 104857600\n", encoding="utf-8")
    assert memory_limit_of(missing, conf) == 100 << 20
    conf.write_text("# memory_limit 104857600\n", encoding="utf-8")
    assert memory_limit_of(missing, conf) is None
