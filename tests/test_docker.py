"""What ``docker/`` says agrees with the program; containers themselves are not run here."""

import os
import sqlite3
import subprocess
import sys
import time
from contextlib import ExitStack, closing
from pathlib import Path

from recorder.broker import mosquitto_config, start_broker
from recorder.domain.errors import RecorderError
from recorder.eventlog import Kind
from recorder.eventlog_sqlite import SqliteEventLog
from recorder.record_file import read_record_file

ROOT = Path(__file__).parents[1]
DOCKER = ROOT / "docker"
OF_THE_PLACE = {"user", "listener", "persistence_location"}
"""Settings that depend on where the broker runs."""


def settings(text: str) -> set[str]:
    """The settings of a Mosquitto configuration that do not depend on the place."""
    lines = [line.strip() for line in text.splitlines()]
    return {
        line for line in lines if line and line[0] != "#" and line.split()[0] not in OF_THE_PLACE
    }


def test_the_broker_of_the_containers_has_our_settings():
    """Mosquitto's defaults drop messages; the container's broker has the settings of our child."""
    ours = mosquitto_config(1883, Path("/"))
    assert settings((DOCKER / "mosquitto.conf").read_text(encoding="utf-8")) == settings(ours)


def test_the_recorder_of_the_containers_takes_its_file():
    """The file records the simulated table's devices into the shared volume."""
    plan = read_record_file(DOCKER / "venue.toml")
    assert plan.folder == Path("/record")
    assert plan.broker == "mqtt://broker"
    assert set(plan.plan.tables[0].devices) == {"cam-1", "clock-1"}


def test_images_copy_all_that_is_installed():
    """Every package and file that the wheel is made of is copied into the image."""
    dockerfile = (DOCKER / "Dockerfile").read_text(encoding="utf-8")
    let_in = (DOCKER / "Dockerfile.dockerignore").read_text(encoding="utf-8").splitlines()
    for name in (
        "recorder",
        "devices",
        "dashboard",
        "calibration",
        "tilecast.py",
        "pyproject.toml",
    ):
        assert f"COPY {name} " in dockerfile or f" {name} " in dockerfile, name
        assert f"!{name}" in let_in


def test_the_simulated_table_is_recorded_by_the_recorder_of_the_containers(tmp_path: Path):
    """Script and recorder's file, moved to this machine, give a log with looks and presses."""
    with start_broker("amqtt", workdir=tmp_path / "broker") as broker, ExitStack() as running:
        text = (DOCKER / "venue.toml").read_text(encoding="utf-8")
        text = text.replace("mqtt://broker", broker.url).replace(
            "/record", str(tmp_path / "record")
        )
        venue = tmp_path / "venue.toml"
        venue.write_text(text, encoding="utf-8")
        here = {"TILECAST_MQTT_URL": broker.url, "TILECAST_TABLE_FOLDER": str(tmp_path)}
        start(running, "-m", "tilecast", "record", str(venue))
        start(running, str(DOCKER / "simulated_table.py"), "60", **here)
        log = tmp_path / "record" / "tilecast.db"
        wanted, heard = {"board.seen", "clock.press"}, set[str]()
        deadline = time.monotonic() + 40
        while not wanted <= heard:
            assert time.monotonic() < deadline, f"the log has {heard} only"
            time.sleep(0.2)
            heard = types_in(log)


def start(running: ExitStack, *arguments: str, **environment: str) -> None:
    """Start a program of ours; it is asked to end when the test does, and must end well."""
    command = [sys.executable, *arguments]
    program = subprocess.Popen(
        command, cwd=ROOT, env={**os.environ, **environment}, stderr=subprocess.DEVNULL
    )

    def end() -> None:
        program.terminate()
        assert program.wait(20) == 0, command

    running.callback(end)


def types_in(log: Path) -> set[str]:
    """What has been observed so far; nothing while the recorder is still laying the log out."""
    try:
        with closing(SqliteEventLog.open_reader(log)) as reader:
            rows = list(reader.read_from(1))
    except (RecorderError, sqlite3.OperationalError):
        return set()
    return {row.body["type"] for row in rows if row.kind is Kind.OBSERVED}
