"""What keeps a recorder from recording is said first where people look, and nobody is accused."""

import io
import json
import os
import re
import resource
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, redirect_stdout
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np
import paho.mqtt.client as mqtt
import pytest

import tilecast
from calibration.venue.programs_file import read_keys
from devices.lab.scenes.table_scene import demo_scene
from recorder.bus.broker import find_mosquitto
from tests.eventually import BUSY_S, eventually
from tests.foreign_clock import PahoClock
from tests.rehearsal.cameras import MAKERS, lens_in, slow_to_open, switched_on
from tests.rehearsal.hall import Hall, open_hall

pytestmark = [pytest.mark.broker, pytest.mark.further]

PLACES = ("start", "status", "venue --check", "doctor", "director's page", "/healthz")
SET_UPS = {
    "a full disk": "disk: the disk is full",
    "an access list without the camera": "rights of cam-1: the broker's access list forbids it",
    "the password of another set-up": "broker for table-1: its password is not the one that",
    "keys of last year": "broker for dashboard: its password is not the one that",
    "pages for this machine alone": "pages: this machine alone reaches them",
    "a folder of another machine": "pages: links and codes name an address that this machine does",
    "a clock with a wrong password": "broker: it refused somebody whose name or password is wrong",
}
"""What is wrong, and the words by which every place names it, with what helps behind a colon."""
NEAR_BY = "127.0.0.9"
"""For the broker this is another machine."""


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
    text = text.replace("max_queued_bytes 33554432", "max_queued_bytes 1000000000")
    file.write_text(text.replace("memory_limit 209715200", "memory_limit 104857600"))


@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hall]:
    """A venue with everything wrong of ``SET_UPS``, from its start on."""
    if find_mosquitto() is None or not hasattr(os, "geteuid") or os.geteuid() != 0:
        pytest.skip("needs Mosquitto, and to be root: a small disk is mounted")
    with ExitStack() as stack:
        folder = tmp_path_factory.mktemp("broken") / "hall"

        def spoil(folder: Path) -> None:
            disk = folder / "table-1"
            disk.mkdir(exist_ok=True)
            mount = ["mount", "-t", "tmpfs", "-o", "size=30m", "none", str(disk)]
            if subprocess.run(mount, check=False, capture_output=True).returncode:
                pytest.skip("no disk may be mounted here")
            stack.callback(subprocess.run, ["umount", "-l", str(disk)], check=True)
            edit(folder / "table-1.toml", r"table-1:[^@]+@", "table-1:old-password@")
            edit(folder / "broker" / "acl", r"topic (write|read) .*/cam-1/.*\n", "")
            edit(
                folder / "programs.toml",
                r"options = \[",
                'options = ["--allow-host", "192.0.2.7", ',
            )

        hall = open_hall(stack, folder, "--clock", "mqtt", "--camera", "0", edit=spoil)
        edit(folder / "keys.env", r"console:[^@]+@", "console:last-years@")
        client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2)
        client.username_pw_set("clock-1", "wrong")
        client.connect("127.0.0.1", hall.broker_port, bind_address=NEAR_BY)
        while client.loop(0.1) is mqtt.MQTTErrorCode.MQTT_ERR_SUCCESS:
            """Until it is refused."""
        yield hall


def edit(file: Path, was: str, now: str) -> None:
    """Change all places of a file that a pattern fits."""
    text, count = re.subn(was, now, file.read_text("utf-8"))
    assert count, was
    file.write_text(text, "utf-8")


@pytest.fixture(scope="module")
def said(broken: Hall) -> dict[str, list[str]]:
    """What each place says of the broken venue, once its own screen has had time to."""

    def is_all_said() -> bool:
        return all(
            any(line.startswith(named) for line in at_start(broken)) for named in SET_UPS.values()
        )

    eventually(is_all_said, "all is said by the venue itself")
    return everywhere(broken)


def at_start(broken: Hall) -> list[str]:
    """What the venue's own screen says of what needs somebody."""
    return [line.partition(" you    ")[2] for line in broken.said()]


def everywhere(broken: Hall, *, may_be_well: bool = False) -> dict[str, list[str]]:
    """What each place says of a venue that runs, as lines."""
    answers = (0, 1) if may_be_well else (1,)
    with redirect_stdout(io.StringIO()) as status:
        assert tilecast.main(["status", str(broken.folder), "--wait", "2"]) in answers
    with redirect_stdout(io.StringIO()) as check:
        tilecast.main(["venue", str(broken.folder), "--check"])
    words = ["doctor", "venue", str(broken.folder), "--wait", "2", "--json"]
    with redirect_stdout(io.StringIO()) as doctor:
        assert tilecast.main(words) in answers, doctor.getvalue()
    findings = json.loads(doctor.getvalue())["findings"]
    health = asked(broken, "/healthz")
    assert may_be_well or health["ok"] is False
    return {
        "start": at_start(broken),
        "status": status.getvalue().splitlines(),
        "venue --check": check.getvalue().splitlines(),
        "doctor": [f"{one['what']}: {one['words']}" for one in findings if one["grade"] != "well"],
        "director's page": director_reads(broken),
        "/healthz": health["findings"],
    }


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("setup", SET_UPS)
def test_what_is_wrong_is_named_everywhere(
    setup: str, place: str, said: dict[str, list[str]]
) -> None:
    """By one list, with what helps; the public reads the cause alone."""
    named = [line for line in said[place] if line.startswith(SET_UPS[setup])]
    assert len(named) == 1, said[place]
    has_remedy = ": " in named[0].removeprefix(SET_UPS[setup].partition(": ")[0] + ": ")
    assert has_remedy is (place != "/healthz")


@pytest.mark.parametrize("place", PLACES)
def test_nobody_is_sent_to_end_our_own_programs(place: str, said: dict[str, list[str]]) -> None:
    """The venue's agent has the port and the camera, its broker the other port."""
    assert not [line for line in said[place] if re.search(r"\bend\b|\bstop\b|in use", line)]


def test_a_camera_that_is_not_there_is_named_everywhere(hall: Hall) -> None:
    """Though ``init`` took the usual number for it: nothing is plugged in here."""
    eventually(lambda: any("cam-1: lost" in line for line in hall.said()), "it is looked for")
    for place, lines in everywhere(hall).items():
        named = [line for line in lines if line.startswith("cam-1: ")]
        assert named, (place, lines)
        assert place == "/healthz" or "plug" in named[0]


@pytest.mark.parametrize("kind", ["http", "rtsp"])
def test_a_camera_is_not_called_lost_while_it_opens_and_black_everywhere(
    kind: str, tmp_path: Path
) -> None:
    """It needs six seconds, then it is black, in one sentence with what helps; then it is well."""
    if find_mosquitto() is None:
        pytest.skip("Mosquitto is not installed: apt install mosquitto")
    with ExitStack() as stack:
        lens = stack.enter_context(lens_in(tmp_path, 0.3))
        picture = demo_scene("english", 3).frame(1)
        lens.show(np.full_like(picture, 4))
        url = lens.url
        if kind == "rtsp":
            if missing := MAKERS["rtsp"].needs():
                pytest.skip(missing)
            url = stack.enter_context(switched_on(MAKERS["rtsp"], lens, tmp_path))
        place = urlsplit(url)
        port = stack.enter_context(slow_to_open(int(place.port or 0), 6.0))
        source = place._replace(netloc=f"127.0.0.1:{port}").geturl()
        hall = open_hall(stack, tmp_path / "hall", "--clock", "none", "--camera", source)
        black = "cam-1: the picture is black"
        for place_asked, lines in everywhere(hall, may_be_well=True).items():
            said = [line for line in lines if line.startswith("cam-1: ")]
            assert all(" late: " in line or black in line for line in said), (place_asked, said)
        eventually(lambda: any(black in line for line in hall.said()), "it is said at the start")
        for place_asked, lines in everywhere(hall).items():
            (named,) = [line for line in lines if line.startswith(black)]
            assert place_asked == "/healthz" or "take the cap off, put a lamp on" in named
        before = len(hall.said())
        lens.show(picture)
        eventually(lambda: any("fixed        cam-1" in line for line in hall.said()[before:]))
        eventually(lambda: not accused(hall, "cam-1"))
        for place_asked, lines in everywhere(hall, may_be_well=True).items():
            said = [line for line in lines if line.startswith("cam-1: ")]
            if place_asked != "start":  # it has been told that it is fixed
                assert all(" late: " in line for line in said), (place_asked, said)


def asked(hall: Hall, path: str) -> Any:
    address = f"http://127.0.0.1:{hall.page_port}{path}"
    with urllib.request.urlopen(address, timeout=BUSY_S) as answer:
        return json.load(answer)


def accused(hall: Hall, what: str) -> list[str]:
    """What ``/healthz`` says of it."""
    return [str(line) for line in asked(hall, "/healthz")["findings"] if line.startswith(what)]


def director_reads(hall: Hall) -> list[str]:
    key = read_keys(hall.folder)["TILECAST_DIRECTOR_TOKEN"]
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
    browser.open(f"http://127.0.0.1:{hall.page_port}/enter/{key}", timeout=BUSY_S).close()
    with browser.open(f"http://127.0.0.1:{hall.page_port}/api/desk", timeout=BUSY_S) as answer:
        desk = json.load(answer)
    devices = [one for one in desk["devices"] if one["grade"] != "well"]
    return desk["faults"] + [f"{one['name']}: {one['says']}: {one['remedy']}" for one in devices]


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
        assert not accused(hall, "recorder")
        recorder, before = hall.pid_of("record"), len(hall.said())
        free = resource.prlimit(recorder, resource.RLIMIT_FSIZE, (1, resource.RLIM_INFINITY))
        clock.press("L")

        def is_said() -> bool:
            return any("recorder: cannot store" in line for line in hall.said()[before:])

        eventually(is_said, "the cause is said")
        eventually(lambda: accused(hall, "recorder"), "and to monitors")
        time.sleep(12)  # long enough for a clock to be accused
        assert str(hall.folder) not in str(asked(hall, "/healthz"))
        resource.prlimit(recorder, resource.RLIMIT_FSIZE, free)
        eventually(lambda: not clock.waiting(), "what waited is stored")
        eventually(lambda: any("fixed        recorder" in line for line in hall.said()), "said")
        eventually(lambda: not accused(hall, "recorder"))
        lines = hall.said()[before:]
        assert not [line for line in lines if line.startswith("needs you    clock")]


def test_a_broker_out_of_memory_is_said_first_and_when_it_is_over(
    hall: Hall, capsys: pytest.CaptureFixture[str]
) -> None:
    """On ``tilecast venue``, ``tilecast status``, the director's page and ``/healthz``."""
    cause, before = "the broker is running out of memory", len(hall.said())
    topic = "tc/v1/main/up/clock-1/raw/picture"
    assert not any(cause in line for line in director_reads(hall))
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
        eventually(lambda: any(cause in found for found in asked(hall, "/healthz")["findings"]))
        eventually(lambda: any(cause in line for line in director_reads(hall)))
        (named,) = (line for line in director_reads(hall) if cause in line)
        assert "more than 60 MB" in named
        assert "at 100 MB" in named
        assert tilecast.main(["status", str(hall.folder)]) == 1
        assert cause in capsys.readouterr().out.splitlines()[0]
    eventually(lambda: any("fixed        recorder" in line for line in hall.said()[before:]))
    eventually(lambda: not accused(hall, "recorder"))
