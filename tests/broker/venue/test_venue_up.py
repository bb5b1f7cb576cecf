"""A venue made by ``tilecast init`` and run by ``tilecast venue``: one start, several looks.

The short form of ``make rehearsal``: Mosquitto as Debian ships it, a stream and a clock of others.
"""

import json
import os
import shutil
import signal
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import cv2
import pytest

import tilecast
from calibration.venue.programs_file import read_keys
from devices.lab.game_script import faces
from devices.lab.scenes.styles import demo_style
from devices.lab.scenes.table_scene import TableScene
from recorder.bus.broker import find_mosquitto
from recorder.domain.board import EMPTY_BOARD, Board
from recorder.domain.game import Played
from recorder.domain.plays import parse_placement
from recorder.domain.scoring import score
from recorder.tilesets import load_tile_set
from tests.eventually import eventually
from tests.foreign_clock import PahoClock
from tests.rehearsal.account import account
from tests.rehearsal.cameras import Lens, lens_in, on_the_table
from tests.rehearsal.clocks import NetworkedClock
from tests.rehearsal.hall import Hall, open_hall
from tests.rehearsal.photographs import PhotographedTurn
from tests.rehearsal.players import PlayedTable

pytestmark = pytest.mark.broker


PLAYS = ("8D FABLE", "F8 .RISK", "10E V.EW", "12F .NOW")


@pytest.fixture(scope="module")
def camera(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lens]:
    """A stream that shows the bare board until something else is laid."""
    folder = tmp_path_factory.mktemp("lens")
    with lens_in(folder) as camera:
        camera.show(on_the_table(photograph(folder, EMPTY_BOARD)))
        yield camera


@pytest.fixture(scope="module")
def hall(camera: Lens, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hall]:
    """Made and started as somebody would at a terminal."""
    if find_mosquitto() is None:
        pytest.skip("needs mosquitto")
    with ExitStack() as stack:
        folder = tmp_path_factory.mktemp("venue") / "hall"
        yield open_hall(stack, folder, "--clock", "mqtt", "--camera", camera.url)


def photograph(folder: Path, board: Board) -> Path:
    """A picture of a board, as a camera above it takes it."""
    scene = TableScene(demo_style(), 5)
    scene.board = faces(board)
    file = folder / f"{len(list(folder.iterdir()))}.png"
    cv2.imwrite(str(file), scene.frame(1))
    return file


def test_a_game_is_recorded(hall: Hall, camera: Lens, tmp_path: Path) -> None:
    """A stream of others, a clock of others, passwords of init: every play, every score."""
    board, turns = EMPTY_BOARD, list[PhotographedTurn]()
    for number, text in enumerate(PLAYS):
        laid = parse_placement(text)
        played = Played(number % 2, laid, score(board, laid, load_tile_set("english")))
        board = board.place(laid.new_tiles())
        picture = photograph(tmp_path, board)
        turns.append(PhotographedTurn(picture, frozenset(laid.new_tiles()), played))
    events = [turn.event for turn in turns]
    with PahoClock(hall.clock_url(), "main", "clock-1", tmp_path / "flash") as clock:
        PlayedTable(hall, camera, NetworkedClock(clock)).play(turns)
        eventually(lambda: account("", events, hall.read_log(), 1, "english").is_exact)
    assert len(hall.rows("clock.press")) == len(PLAYS)
    assert hall.frame()["last_play"]["position"] == "12F"


def test_the_pages_answer_and_the_directors_link_opens(hall: Hall) -> None:
    """With the key of ``keys.env``; the key is in nothing that the program said."""
    opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
    base, key = f"http://127.0.0.1:{hall.page_port}", read_keys(hall.folder)
    for path in ("/healthz", "/o/featured/full", f"/enter/{key['TILECAST_DIRECTOR_TOKEN']}"):
        with opener.open(f"{base}{path}", timeout=60) as page:
            assert page.status == 200, path
    assert key["TILECAST_DIRECTOR_TOKEN"] not in "\n".join(hall.said())


def test_what_dies_is_started_again(hall: Hall, tmp_path: Path) -> None:
    """The recorder killed: it is reported, and presses are stored as before."""
    before = len(hall.rows("clock.press"))
    os.kill(hall.pid_of("record"), signal.SIGKILL)
    eventually(lambda: any("recorder     died: killed" in line for line in hall.said()), "told")
    with PahoClock(hall.clock_url(), "main", "clock-1", tmp_path / "flash") as clock:
        clock.press("R")
        eventually(lambda: len(hall.rows("clock.press")) == before + 1, "the recorder is back")


def test_status_names_every_device_with_its_remedy(
    hall: Hall, camera: Lens, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The clock is well, with its version and its queue; the camera that is not there is named."""
    camera.close()
    with PahoClock(hall.clock_url(), "main", "clock-1", tmp_path / "flash") as clock:
        eventually(clock.client.is_connected, "the clock is there")
        found: dict[str, Any] = {}

        def asked() -> bool:
            assert tilecast.main(["status", str(hall.folder), "--json"]) == 1
            found.update(json.loads(capsys.readouterr().out))
            grades = {one["name"]: one["grade"] for one in found["devices"]}
            return grades["clock-1"] == "well" and grades["cam-1"] == "ill"

        eventually(asked, "the clock is well, the camera gone")
    assert found["recorder"]["state"] == "ready"
    camera, clock_1, assistant = found["devices"]
    assert (assistant["grade"], assistant["says"]) == ("well", "nobody is typing racks")
    assert (camera["name"], camera["grade"]) == ("cam-1", "ill")
    assert "no frames come" in camera["says"]
    assert "table-1.toml" in camera["remedy"]
    assert (clock_1["version"], clock_1["waiting"]) == ("1", 0)
    assert tilecast.main(["status", str(hall.folder / "venue.toml")]) == 1
    assert "plug it in" in capsys.readouterr().out
    eventually(lambda: any(line.startswith("needs you    cam-1") for line in hall.said()), "told")


def test_a_second_venue_on_its_ports_is_refused(
    hall: Hall, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the remedy, before anything is started."""
    files = shutil.ignore_patterns("*.sock", "record")
    second = shutil.copytree(hall.folder, tmp_path / "second", ignore=files)
    assert tilecast.main(["venue", str(second), "--check"]) == 1
    said = capsys.readouterr().err
    assert f"port {hall.broker_port + 1}: " in said  # clocks have the port that was asked for
    assert "systemctl disable --now mosquitto" in said


def test_the_end_leaves_nothing_behind(hall: Hall) -> None:
    """SIGTERM: status 0, no process of the venue, no listener."""
    assert len(hall.processes()) >= 5
    hall.process.terminate()
    assert hall.process.wait(60) == 0
    assert hall.processes() == []
    assert tilecast.main(["venue", str(hall.folder), "--check"]) == 0
