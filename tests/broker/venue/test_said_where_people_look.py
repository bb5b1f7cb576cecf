"""A log that cannot be written is said first where people look, and nobody else is accused."""

import json
import resource
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

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
        yield open_hall(stack, folder, "--clock", "mqtt", "--tables", "1")


def asked(hall: Hall, path: str, cookie: str = "") -> Any:
    """What the dashboard answers."""
    headers = {"Cookie": cookie} if cookie else {}
    request = urllib.request.Request(f"http://127.0.0.1:{hall.page_port}{path}", headers=headers)
    with urllib.request.urlopen(request, timeout=20) as answer:
        return json.load(answer)


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
        accused = [line for line in hall.said()[before:] if line.startswith("missing      clock")]
        assert accused == []
