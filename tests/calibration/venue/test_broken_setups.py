"""Set-ups with one fault each: the doctor names it with what helps, and accuses no sound one."""

import functools
import io
import json
import os
import pty
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import pytest

import tilecast
from recorder.bus.broker import find_mosquitto
from recorder.texts import LANGUAGE
from tests.calibration.venue.broken_setups import (
    BROKEN,
    CAMERA,
    CLOCK,
    SOUND,
    Setup,
    World,
    world_in,
)
from tests.rehearsal.troubles import WallClock

pytestmark = pytest.mark.broker

PAGE = Path(__file__).parents[3] / "docs" / "broken-setups.md"
NOBODY = 65534
Ask = Callable[[Setup], tuple[int, list[dict[str, Any]]]]


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    if find_mosquitto() is None or shutil.which("openssl") is None:
        pytest.skip("needs mosquitto and openssl")
    with world_in(tmp_path_factory.mktemp("world")) as world:
        yield world


def findings(words: list[str]) -> tuple[int, list[dict[str, Any]]]:
    """The status, and what was found ill; a file that cannot be read is one finding."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        status = tilecast.main([*words, "--json"])
    if not out.getvalue():
        return status, [{"what": "file", "grade": "ill", "words": err.getvalue().strip()}]
    found = json.loads(out.getvalue())["findings"]
    return status, [one for one in found if one["grade"] in ("ill", "weak", "bad")]


def accused_in(found: list[dict[str, Any]]) -> list[str]:
    """What is at fault beside that no venue runs here: its broker, its recorder."""
    off = ("probe event", "strangers", "broker for recorder", "broker for dashboard")
    mine = [one for one in found if one["what"] not in off]
    written = ("name of", "table of", "venue of", "kind of", "tiles of")
    hall = [one["words"] for one in mine if one["what"].startswith(written)]
    return hall or [one["words"] for one in mine]


@pytest.fixture(scope="module")
def ask(world: World) -> Ask:
    """What the doctor says of a set-up; asked once."""

    @functools.cache
    def asked(setup: Setup) -> tuple[int, list[dict[str, Any]]]:
        return findings(setup.make(world))

    return asked


@pytest.mark.parametrize("setup", BROKEN, ids=lambda setup: setup.what)
def test_a_broken_setup_is_named(setup: Setup, ask: Ask) -> None:
    """Its cause, what helps, and nothing else is accused; no password is shown."""
    status, found = ask(setup)
    accused = accused_in(found)
    assert status == 1
    assert len(accused) == 1, found
    assert setup.named in accused[0]
    assert ": " in accused[0], "what helps comes after the cause"
    assert "right-password" not in str(found)


@pytest.mark.further
@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("dark", "das Bild ist schwarz: die Kappe abnehmen, eine Lampe anmachen"),
        ("locked", "sie verlangt Namen und Passwort (401): in ihrer Adresse"),
        ("frozen", "sie liefert immer dasselbe Bild, sie hängt: neu starten"),
    ],
)
def test_a_camera_is_accused_in_the_language_of_the_program(
    source: str, words: str, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the venue's other programs speak."""
    monkeypatch.setenv(LANGUAGE, "german")
    _, found = findings(world.table(CAMERA.format(source=world.camera(source))))
    assert words in str(found)


@pytest.mark.parametrize("setup", SOUND, ids=lambda setup: setup.what)
def test_a_sound_setup_is_not_accused(setup: Setup, ask: Ask) -> None:
    """Nothing is ill, and the status says so."""
    assert ask(setup) == (0, [])


def test_a_broker_with_an_access_list_passes_all_that_the_doctor_tries(world: World) -> None:
    """Large messages and kept ones too; that no recorder runs here is all that is said."""
    _, found = findings(["doctor", "--broker", world.broker("sound"), "--venue", "main"])
    assert {check["what"] for check in found} <= {"probe event", "strangers"}


@pytest.mark.further
@pytest.mark.skipif(not WallClock.library(), reason="needs libfaketime: apt install faketime")
def test_a_machine_whose_clock_is_behind_does_not_trust_a_new_certificate(
    world: World, tmp_path: Path
) -> None:
    """Its date is named, and not another authority; on time the same certificate is sound."""
    clock = WallClock(tmp_path)
    for ahead_s, said in ((0, ""), (-3600, "not valid yet: is this machine's date right?")):
        clock.set(ahead_s)
        words = [sys.executable, "-m", "tilecast", *world.table(broker=world.private("tls"))]
        ended = subprocess.run(
            [*words, "--json"],
            env={**os.environ, **clock.environment()},
            capture_output=True,
            check=False,
            text=True,
        )
        found = json.loads(ended.stdout)["findings"]
        ill = [one["words"] for one in found if one["grade"] == "ill"]
        assert len(ill) == bool(said), ended.stdout
        assert said in "".join(ill)


def test_a_port_in_use_and_one_without_rights_are_named(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The program that has it by name; the group that is missing. A free one is sound."""
    master, slave = pty.openpty()
    port = os.ttyname(slave)
    words = world.table(CLOCK.format(port=port))
    assert findings(words) == (0, [])
    with subprocess.Popen(["sleep", "60"], stdin=slave) as other:
        status, (found,) = findings(words)
        monkeypatch.setenv(LANGUAGE, "german")
        _, (in_german,) = findings(words)
        monkeypatch.delenv(LANGUAGE)
        other.kill()
    assert f"wird von sleep ({other.pid}) benutzt" in in_german["words"]
    assert (status, f"in use by sleep ({other.pid})" in found["words"]) == (1, True)
    agent = [sys.executable, "-c", "import time; time.sleep(60)", "tilecast", "agent"]
    with subprocess.Popen(agent, stdin=slave) as ours:
        assert findings(words) == (0, []), "an agent of ours has it by right"
        ours.kill()
    Path(port).chmod(0)
    is_root = os.geteuid() == 0
    try:
        if is_root:
            os.seteuid(NOBODY)
        from devices.link.complaint import port_complaint

        assert "usermod -aG dialout" in port_complaint(port)
    finally:
        if is_root:
            os.seteuid(0)
        os.close(master)
        os.close(slave)


def test_a_full_disk_and_a_folder_of_another_are_named(world: World, tmp_path: Path) -> None:
    """A disk of 64 KiB where we may mount one; a folder that nobody may write."""
    (tmp_path / "file").write_text("")
    status, found = findings(world.table(folder=f"{tmp_path / 'file'}/agent"))
    assert (status, found) == (0, []), "the nearest folder above it counts"
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "none", str(disk)]
    if os.geteuid() != 0 or subprocess.run(mount, check=False, capture_output=True).returncode:
        pytest.skip("only root may mount a small disk")
    try:
        status, (found_one,) = findings(world.table(folder=str(disk)))
    finally:
        subprocess.run(["umount", str(disk)], check=True)
    assert (status, "the disk is full" in found_one["words"]) == (1, True)


def test_the_page_of_the_documents_says_what_the_doctor_says(world: World, ask: Ask) -> None:
    """Each set-up with the doctor's own words; ``TILECAST_WRITE=1`` writes the page again."""
    rows = []
    for setup in BROKEN:
        _, found = ask(setup)
        rows.append(f"| {setup.what} | {_settled(accused_in(found)[0], world)} |")
    head = PAGE.read_text("utf-8").partition("| set-up |")[0]
    page = f"{head}| set-up | `tilecast doctor` says |\n|---|---|\n" + "\n".join(rows) + "\n"
    if os.environ.get("TILECAST_WRITE"):
        PAGE.write_text(page, "utf-8")
    assert PAGE.read_text("utf-8") == page


def _settled(words: str, world: World) -> str:
    """Without what differs from machine to machine."""
    words = words.replace(f"{world.folder}/", "")
    words = re.sub(r"table-\d+\.toml", "table-1.toml", re.sub(r"hall-\d+", "hall", words))
    return re.sub(r"(port |127\.0\.0\.1:)\d+", r"\g<1>1883", words).replace("|", "\\|")
