"""An access list that keeps a camera from hearing: agent, recorder, status and doctor name it."""

import io
import json
from collections.abc import Iterator
from contextlib import ExitStack, redirect_stdout
from pathlib import Path
from typing import Any

import pytest

import tilecast
from devices.lab.scenes.styles import demo_style
from devices.lab.scenes.table_scene import TableScene
from recorder.bus.broker import find_mosquitto
from tests.eventually import eventually
from tests.rehearsal.cameras import lens_in
from tests.rehearsal.hall import Hall, open_hall

pytestmark = [pytest.mark.broker, pytest.mark.further]
DEAF = "topic read tc/v1/main/down/cam-1/#\n"
"""The line of ``tilecast init`` that lets the camera hear."""


def _forbid_hearing(folder: Path) -> None:
    file = folder / "broker" / "acl"
    lines = file.read_text("utf-8")
    assert DEAF in lines
    file.write_text(lines.replace(DEAF, ""), "utf-8")


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hall]:
    """A venue that runs, whose camera may speak and not hear."""
    if find_mosquitto() is None:
        pytest.skip("needs mosquitto")
    folder = tmp_path_factory.mktemp("deaf")
    with ExitStack() as stack:
        camera = stack.enter_context(lens_in(folder, 0.3))
        camera.show(TableScene(demo_style(), 5).frame(1))
        words = ("--clock", "phone", "--camera", camera.url)
        yield open_hall(stack, folder / "hall", *words, edit=_forbid_hearing)


def logged(hall: Hall, program: str) -> str:
    """What a program of the venue has written."""
    return (hall.folder / "logs" / f"{program}.log").read_text("utf-8")


def said_by(*words: str) -> Any:
    """The document that a command prints."""
    out = io.StringIO()
    with redirect_stdout(out):
        tilecast.main([*words, "--json"])
    return json.loads(out.getvalue())


def test_the_agent_says_what_it_may_lack(hall: Hall) -> None:
    """It hears nobody, and names both halves of the list."""
    eventually(lambda: "no recorder answers" in logged(hall, "table-1"), within_s=60)
    assert "what it is sent (below down/cam-1/)" in logged(hall, "table-1")


def test_the_recorder_says_that_it_is_not_heard(hall: Hall) -> None:
    """It has the event, and the device goes on holding it."""
    eventually(lambda: "cam-1 does not receive" in logged(hall, "recorder"), within_s=60)
    assert "tc/v1/main/down/cam-1/#" in logged(hall, "recorder")


def test_status_names_the_list(hall: Hall) -> None:
    """Not a recorder that does not take what the device says."""

    def camera() -> Any:
        devices = said_by("status", str(hall.folder))["devices"]
        return next(device for device in devices if device["name"] == "cam-1")

    eventually(lambda: "does not receive the recorder" in camera()["says"], within_s=60)
    assert "access list" in camera()["remedy"]


def test_the_doctor_names_the_line(hall: Hall) -> None:
    """By both its ways: of the venue, and of the one device."""
    found = said_by("doctor", "venue", str(hall.folder))["findings"]
    (words,) = [one["words"] for one in found if one["what"] == "hearing of cam-1"]
    assert "forbids it to read tc/v1/main/down/cam-1/#" in words
    url = _address(hall.folder / "table-1.toml")
    found = said_by("doctor", "--broker", url, "--device", "cam-1")["findings"]
    heard = {one["what"]: one for one in found}
    assert heard["rights of cam-1"]["grade"] == "ok"
    assert heard["hearing of cam-1"]["grade"] != "ok"
    assert "tc/v1/main/down/cam-1/" in heard["hearing of cam-1"]["words"]


def _address(file: Path) -> str:
    line = next(line for line in file.read_text("utf-8").splitlines() if line.startswith("url"))
    return line.partition('"')[2].rstrip('"')
