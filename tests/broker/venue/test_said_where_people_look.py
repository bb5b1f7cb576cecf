"""What keeps a recorder from recording is said first where people look, and nobody is accused."""

import json
import resource
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import paho.mqtt.client as mqtt
import pytest

import tilecast
from calibration.venue.programs_file import read_keys
from recorder.bus.broker import find_mosquitto
from tests.eventually import eventually
from tests.foreign_clock import PahoClock
from tests.rehearsal.hall import Hall, open_hall

pytestmark = pytest.mark.broker


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hall]:
    """A venue with one table and a networked clock."""
    if find_mosquitto() is None:
        pytest.skip("Mosquitto is not installed: apt install mosquitto")
    with ExitStack() as stack:
        folder = tmp_path_factory.mktemp("said") / "hall"
        words = ("--clock", "mqtt", "--tables", "1")
        yield open_hall(stack, folder, *words, edit=one_client_may_fill_the_broker)


def one_client_may_fill_the_broker(folder: Path) -> None:
    """Else it would take seven that do not read."""
    file = folder / "broker" / "mosquitto.conf"
    text = file.read_text("utf-8")
    file.write_text(text.replace("max_queued_bytes 33554432", "max_queued_bytes 1000000000"))


def asked(hall: Hall, path: str) -> Any:
    """What the dashboard answers."""
    with urllib.request.urlopen(f"http://127.0.0.1:{hall.page_port}{path}", timeout=20) as answer:
        return json.load(answer)


def director_reads(hall: Hall) -> list[str]:
    """What the director's page has on top."""
    key = read_keys(hall.folder)["TILECAST_DIRECTOR_TOKEN"]
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
    browser.open(f"http://127.0.0.1:{hall.page_port}/enter/{key}", timeout=20).close()
    with browser.open(f"http://127.0.0.1:{hall.page_port}/api/desk", timeout=20) as answer:
        return [recorder["fault"] for recorder in json.load(answer)["recorders"]]


@contextmanager
def connected(url: str) -> Iterator[mqtt.Client]:
    """A program at the broker, whose messages go out and come in while its ``loop`` is called."""
    place = urlsplit(url)
    client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2)
    client.username_pw_set(place.username, place.password)
    client.connect(str(place.hostname), place.port or 1883)
    try:
        yield client
    finally:
        client.disconnect()


def test_a_full_disk_is_said_first_and_nothing_else_is_accused(hall: Hall, tmp_path: Path) -> None:
    """On ``tilecast venue`` and ``/healthz``; when there is room it is said that it is right."""
    with PahoClock(hall.clock_url(), "main", "clock-1", tmp_path / "flash") as clock:
        clock.press("R")
        eventually(lambda: not clock.waiting(), "the first press is stored")
        assert asked(hall, "/healthz")["ok"] is True
        recorder, before = hall.pid_of("record"), len(hall.said())
        free = resource.prlimit(recorder, resource.RLIMIT_FSIZE, (1, resource.RLIM_INFINITY))
        clock.press("L")

        def is_said() -> bool:
            return any("recorder: cannot store" in line for line in hall.said()[before:])

        eventually(is_said, "the cause is said")
        eventually(lambda: asked(hall, "/healthz")["ok"] is False, "and to monitors")
        time.sleep(12)  # long enough for a clock to be accused
        assert "record" not in str(asked(hall, "/healthz").get("fault")).replace("recorder", "")
        resource.prlimit(recorder, resource.RLIMIT_FSIZE, free)
        eventually(lambda: not clock.waiting(), "what waited is stored")
        eventually(lambda: any("fixed        recorder" in line for line in hall.said()), "said")
        eventually(lambda: asked(hall, "/healthz")["ok"] is True)
        accused = [line for line in hall.said()[before:] if line.startswith("needs you    clock")]
        assert accused == []


def test_a_broker_out_of_memory_is_said_first_and_when_it_is_over(
    hall: Hall, capsys: pytest.CaptureFixture[str]
) -> None:
    """On ``tilecast venue``, ``tilecast status``, the director's page and ``/healthz``."""
    cause, before = "the broker is running out of memory", len(hall.said())
    topic = "tc/v1/main/up/clock-1/raw/picture"
    assert director_reads(hall) == [""]
    with connected(hall.recorder_url()) as deaf:
        deaf.subscribe(topic, qos=1)
        for _ in range(20):
            deaf.loop(0.1)
        with connected(hall.clock_url()) as loud:
            for _ in range(150):
                loud.publish(topic, bytes(1_000_000), qos=1)
            while loud.loop(0.1) is mqtt.MQTTErrorCode.MQTT_ERR_SUCCESS:
                """Until the broker takes no more, and drops the connection."""
        eventually(lambda: any(cause in line for line in hall.said()[before:]), "it is said")
        eventually(lambda: asked(hall, "/healthz").get("fault", "").startswith(cause))
        eventually(lambda: director_reads(hall)[0].startswith(cause))
        assert tilecast.main(["status", str(hall.folder)]) == 1
        assert cause in capsys.readouterr().out.splitlines()[0]
    eventually(lambda: any("fixed        recorder" in line for line in hall.said()[before:]))
    eventually(lambda: asked(hall, "/healthz")["ok"] is True)
