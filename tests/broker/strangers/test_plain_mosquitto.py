"""Mosquitto as a venue may have it: as Debian ships it, with passwords, without rights."""

import json
import logging
import os
import subprocess
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

import tilecast
from devices.agent_process import hearing
from devices.agent_process.device_runner import DeviceRunner
from recorder.bus.broker import find_mosquitto, free_port
from recorder.bus.mqtt import MqttBus
from recorder.uptime import uptime_ms
from tests.devices.agent.test_device_runner import Lamp
from tests.eventually import eventually

pytestmark = pytest.mark.broker

DEBIAN = "persistence false\nlog_dest none\n"
"""Without our own lines Mosquitto hands out twenty messages before it waits for answers."""
RIGHTS = "topic readwrite tc/v1/#\ntopic deny tc/v1/+/up/lamp-1/#\n"


@contextmanager
def mosquitto(folder: Path, more: str) -> Iterator[str]:
    program = find_mosquitto()
    if program is None:
        pytest.skip("Mosquitto is not installed: apt install mosquitto")
    port = free_port()
    root = "user root\n" if os.geteuid() == 0 else ""
    config = folder / "mosquitto.conf"
    config.write_text(f"{root}listener {port} 127.0.0.1\n{DEBIAN}{more}", encoding="utf-8")
    with subprocess.Popen([program, "-c", str(config)]) as child:
        try:
            yield f"127.0.0.1:{port}"
        finally:
            child.terminate()


def examined(capsys: pytest.CaptureFixture[str], *options: str) -> dict[str, tuple[str, str]]:
    """What the doctor finds: grade and words by what was tried."""
    tilecast.main(["doctor", "--venue", "hall", "--json", *options])
    findings = json.loads(capsys.readouterr().out)["findings"]
    return {one["what"]: (one["grade"], one["words"]) for one in findings}


def accepts(url: str, **_: object) -> bool:
    """Whether a broker takes a client; it may have to start first."""
    with closing(_Stopping(MqttBus(url, "waiter"))) as waiter:
        eventually(lambda: waiter.bus.is_connected)
    return True


class _Stopping:
    def __init__(self, bus: MqttBus) -> None:
        self.bus = bus
        bus.start()

    def close(self) -> None:
        self.bus.stop()


def test_mosquitto_as_debian_ships_it_is_not_accused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Twenty messages on their way at most: enough for anyone who acknowledges."""
    with mosquitto(tmp_path, "allow_anonymous true\n") as place:
        accepts(f"mqtt://{place}")
        found = examined(capsys, "--broker", f"mqtt://{place}")
    tried = ("round trip", "packet size", "retained messages", "will", "redelivery at QoS 1")
    assert {what: found[what][0] for what in tried} == dict.fromkeys(tried, "ok"), found


def test_a_refused_password_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with mosquitto(tmp_path, "allow_anonymous false\n") as place:
        found: dict[str, tuple[str, str]] = {}

        def refused() -> bool:
            found.update(examined(capsys, "--broker", f"mqtt://cam-1:secret@{place}"))
            return "refused" in found["connection"][1]

        eventually(refused)
    assert found["connection"][0] == "bad"
    assert "name or the password" in found["connection"][1]
    assert "secret" not in str(found)


def test_an_access_list_that_drops_what_a_device_says_is_told(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """By the agent, which nobody answers, and by the doctor, by name."""
    monkeypatch.setattr(hearing, "UNHEARD_MS", 0)
    monkeypatch.setattr("recorder.commands.trials.doctor.ANSWER_S", 2.0)
    (tmp_path / "acl").write_text(RIGHTS, encoding="utf-8")
    lines = f"allow_anonymous true\nacl_file {tmp_path / 'acl'}\n"
    with mosquitto(tmp_path, lines) as place:
        url = f"mqtt://{place}"
        accepts(url)
        found = examined(capsys, "--broker", url, "--device", "lamp-1")
        other = examined(capsys, "--broker", url, "--device", "lamp-2")
        runner = DeviceRunner(
            *("lamp-1", "hall", tmp_path, Lamp, lambda name, will: MqttBus(url, name, will=will)),
            ticks=uptime_ms,
        )
        runner.start()
        try:
            with caplog.at_level(logging.WARNING):
                eventually(lambda: runner.beat(uptime_ms()) or "no recorder answers" in caplog.text)
        finally:
            runner.stop()
    assert found["rights of lamp-1"][0] == "bad"
    assert "tc/v1/hall/up/lamp-1/" in found["rights of lamp-1"][1]
    assert other["rights of lamp-2"][0] == "ok"
    assert caplog.text.count("lamp-1: no recorder answers") == 1


def test_a_bus_stops_whose_thread_ends_at_that_moment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its client looks for the thread and joins it; in between the thread is let end."""
    ours, current = threading.get_ident(), threading.current_thread
    with mosquitto(tmp_path, "allow_anonymous true\n") as place:
        bus = MqttBus(f"mqtt://{place}", "quick")
        client = bus._client

        def once_it_has_ended() -> threading.Thread:
            if threading.get_ident() == ours and client._thread_terminate:
                eventually(lambda: client._thread is None, "the thread ends")
            return current()

        bus.start()
        eventually(lambda: bus.is_connected, "it is connected")
        monkeypatch.setattr(threading, "current_thread", once_it_has_ended)
        bus.stop()
        assert not bus.is_connected
