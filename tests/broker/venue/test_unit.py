"""The unit of ``docs/venue.md``, as systemd would start it: its line, its environment, its walls.

No systemd runs here. Its own checker reads the unit; the line is run with what the unit allows: a
read-only file system but for the hall, no home, no more rights, and files for their owner alone.
"""

import configparser
import os
import re
import shutil
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

import tilecast
from recorder.bus.broker import find_mosquitto, free_port
from tests.eventually import eventually

pytestmark = pytest.mark.broker

PAGE = Path(__file__).parents[3] / "docs" / "venue.md"
PROGRAM = Path(sys.executable).parent / "tilecast"
WALLS = """\
set -e
mount --make-rprivate /
mount --bind "$1" "$1"
for place in $(awk '{print $2}' /proc/mounts | sort -r); do
    case $place in
        /proc*|/sys*|/dev*|"$1") ;;
        *) mount -o remount,bind,ro "$place" 2>/dev/null || true ;;
    esac
done
if touch "$1/../written" 2>/dev/null; then exit 97; fi
shift
cd /
umask 0077
exec env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/nonexistent \\
    setpriv --no-new-privs "$@"
"""
"""ProtectSystem=strict, ReadWritePaths=, UMask=0077, NoNewPrivileges=, and the environment."""


def unit(hall: Path) -> str:
    """The unit of the page with its three places adapted, as it says."""
    found = re.search(r"```ini\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    text = found[1]
    for there, here in {
        "/opt/tilecast/.venv/bin/tilecast": str(PROGRAM),
        "/srv/tilecast/hall": str(hall),
        "User=tilecast": "User=root",
    }.items():
        assert there in text
        text = text.replace(there, here)
    return text


def test_systemd_finds_no_fault_with_the_unit(tmp_path: Path) -> None:
    """Neither an unknown setting nor a program that is not there."""
    checker = shutil.which("systemd-analyze")
    if checker is None:
        pytest.skip("needs systemd-analyze: apt install systemd")
    file = tmp_path / "tilecast.service"
    file.write_text(unit(tmp_path / "hall"), "utf-8")
    done = subprocess.run(
        [checker, "verify", "--man=no", str(file)], check=False, capture_output=True, text=True
    )
    assert (done.returncode, str(file) in done.stderr) == (0, False), done.stderr


def test_systemd_never_gives_the_venue_up(tmp_path: Path) -> None:
    """A port that is not free yet fails in a second; five starts in ten seconds are its limit."""
    settings = configparser.ConfigParser(strict=False, interpolation=None)
    settings.read_string(unit(tmp_path))
    assert settings["Service"]["Restart"] == "on-failure"
    assert float(settings["Service"]["RestartSec"]) * 5 > 10


@pytest.mark.further
def test_the_units_line_runs_a_venue_behind_its_walls(tmp_path: Path) -> None:
    """All programs run, the pages answer, nothing is readable for others; it ends on order."""
    tools = [shutil.which(name) for name in ("unshare", "setpriv", "awk")]
    if find_mosquitto() is None or os.geteuid() != 0 or None in tools:
        pytest.skip("needs mosquitto, unshare, setpriv, and root for the walls")
    hall, page = tmp_path / "hall", free_port()
    usual = ("--yes", "--no-pads", "--clock", "phone", "--address", "none", "--json")
    camera = ("--camera", f"http://127.0.0.1:{free_port()}/shot.jpg")
    ports = ("--broker-port", str(free_port()), "--dashboard-port", str(page))
    assert tilecast.main(["init", str(hall), *usual, *camera, *ports]) == 0
    settings = configparser.ConfigParser(strict=False, interpolation=None)
    settings.read_string(unit(hall))
    line = settings["Service"]["ExecStart"].split()
    said = (tmp_path / "said").open("wb")
    with (
        said,
        subprocess.Popen(
            ["unshare", "-m", "sh", "-c", WALLS, "walls", str(hall), *line],
            stdout=said,
            stderr=said,
        ) as process,
    ):
        try:
            output = tmp_path / "said"
            runs = {"broker", "recorder", "dashboard", "table-1"}

            def running() -> bool:
                assert process.poll() is None, output.read_text("utf-8")
                lines = output.read_text("utf-8").splitlines()
                return runs <= {line.split()[0] for line in lines if line.endswith(" runs")}

            eventually(running, "the programs run", 240)
            with urllib.request.urlopen(f"http://127.0.0.1:{page}/healthz", timeout=60) as answer:
                assert answer.status == 200
        finally:
            process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0
    open_to_others = [file for file in hall.rglob("*") if file.stat().st_mode & 0o077]
    assert open_to_others == []
