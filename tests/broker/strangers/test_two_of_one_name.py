"""Two agents of one name at one venue, from two folders.

Reported by all, taken back, nothing lost.
"""

import json
import shutil
from contextlib import ExitStack, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

import tilecast
from dashboard.director.orders import OrderLine
from devices.lab.peers.serial_peer import SerialPeer
from recorder.bus.broker import BrokerHandle
from recorder.domain.observations import Side
from recorder.log.sqlite import SqliteEventLog
from tests.broker.test_recorder_at_work import running, venue_file
from tests.eventually import eventually

pytestmark = pytest.mark.broker
AGENT = """
[broker]
url = "{url}"
[[device]]
kind = "serial-clock"
name = "clock-1"
port = "{port}"
"""


def agent_file(folder: Path, url: str, clock: SerialPeer) -> Path:
    folder.mkdir()
    file = folder / "table.toml"
    file.write_text(AGENT.format(url=url, port=clock.path), "utf-8")
    return file


def status(venue: Path) -> dict[str, Any]:
    """What ``tilecast status`` says of the clock."""
    said = StringIO()
    with redirect_stdout(said):
        tilecast.main(["status", str(venue), "--json"])
    (device,) = json.loads(said.getvalue())["devices"]
    found: dict[str, Any] = device
    return found


def presses(log: Path) -> list[tuple[str, int]]:
    with SqliteEventLog.open_reader(log) as reader:
        rows = list(reader.read_from(1))
    return [(row.key[1], row.key[2]) for row in rows if row.key and row.type == "clock.press"]


@pytest.mark.further
def test_a_second_agent_of_one_name_is_told_by_all_and_taken_back(
    tmp_path: Path, broker: BrokerHandle
) -> None:
    """By the director's desk, the status and both agents; each press of both is stored once."""
    venue = venue_file(tmp_path, broker.url)
    logs = [tmp_path / name for name in ("first", "second", "recorder")]
    with ExitStack() as on:
        clocks = [SerialPeer(f"C{number}") for number in (1, 2)]
        for clock in clocks:
            on.callback(clock.close)
        files = [
            agent_file(tmp_path / f"machine-{number}", broker.url, clock)
            for number, clock in enumerate(clocks)
        ]
        desk = OrderLine(broker.url, "main", "console", tmp_path / "console.outbox")
        desk.open()
        on.callback(desk.close)
        on.enter_context(running("record", str(venue), said=logs[2]))
        on.enter_context(running("agent", str(files[0]), said=logs[0]))

        def code() -> str:
            return " ".join(found.finding.code for found in desk.devices())

        eventually(lambda: code() in {"ready", "says"}, "one alone is well")
        eventually(lambda: status(venue)["grade"] == "well", "for the status too")
        with running("agent", str(files[1]), said=logs[1]):
            eventually(lambda: code() == "twofold", "the desk tells of the second")
            found: dict[str, Any] = {}

            def is_told() -> bool:
                found.update(status(venue))
                return (found["code"], found["grade"]) == ("twofold", "ill")

            eventually(is_told, "the status too")  # on a busy machine it may hear one alone
            assert "stop one of the two agents that use clock-1" in found["remedy"]
            for log in logs[:2]:
                eventually(
                    lambda log=log: "another device speaks as clock-1" in log.read_text("utf-8"),  # type: ignore[misc]
                    "each agent tells",
                )
            for clock in clocks:
                for side in (Side.RIGHT, Side.LEFT):
                    clock.press(side)
                    clock.advance(1000)
            eventually(lambda: len(presses(tmp_path / "tilecast.db")) == 4, "all are stored")
            eventually(lambda: all(clock.outbox == 0 for clock in clocks), "and confirmed")
        eventually(lambda: code() in {"ready", "says"}, "it is taken back at the desk")
        eventually(lambda: status(venue)["grade"] == "well", "and in the status")
        eventually(
            lambda: "no other client uses the name clock-1 any more" in logs[0].read_text("utf-8"),
            "the agent that is left says so",
        )
        stored = presses(tmp_path / "tilecast.db")
        assert len(set(stored)) == len(stored) == 4


@pytest.mark.further
def test_two_agents_with_one_outbox_say_what_is_lost_and_what_helps(
    tmp_path: Path, broker: BrokerHandle
) -> None:
    """A folder was copied with its outbox to a second machine: same name, same boot and numbers."""
    venue = venue_file(tmp_path, broker.url)
    with ExitStack() as on:
        clocks = [SerialPeer(f"C{number}") for number in (1, 2)]
        for clock in clocks:
            on.callback(clock.close)
        files = [
            agent_file(tmp_path / f"machine-{number}", broker.url, clock)
            for number, clock in enumerate(clocks)
        ]
        said = tmp_path / "recorder"
        on.enter_context(running("record", str(venue), said=said))
        eventually(lambda: "broker connected" in said.read_text("utf-8"), "it records")
        before = tmp_path / "before"
        with running("agent", str(files[0]), said=before):
            eventually(lambda: "clock C1" in before.read_text("utf-8"), "it has its clock")
            clocks[0].press(Side.RIGHT)
            eventually(lambda: len(presses(tmp_path / "tilecast.db")) == 1, "it is stored")
        (outbox,) = files[0].parent.rglob("clock-1.outbox")
        copied = files[1].parent / outbox.relative_to(files[0].parent)
        copied.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(outbox, copied)
        logs = [tmp_path / name for name in ("first", "second")]
        for file, log in zip(files, logs, strict=True):
            on.enter_context(running("agent", str(file), said=log))
        for log in logs:
            eventually(
                lambda log=log: "delete the copy's .outbox file" in log.read_text("utf-8"),  # type: ignore[misc]
                "each agent tells",
            )
