"""Figures and health of a recorder, read over HTTP as Prometheus and a supervisor read them."""

import argparse
import asyncio
import json
import logging
import re
import socket
import urllib.error
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from prometheus_client import CollectorRegistry
from prometheus_client.parser import text_string_to_metric_families

from dashboard.live.hub import Hub
from dashboard.live.hub_figures import HubFigures
from recorder.domain.errors import RecorderError
from recorder.lab.memory_log import MemoryEventLog
from recorder.log.port import NewRow, Row
from recorder.operations.monitor import Health, monitored
from recorder.operations.options import ListenAddress, read_address
from recorder.operations.process_logs import JsonLines
from tests.event.event_hall import EventHall
from tests.eventually import eventually


def scraped(port: int) -> dict[str, float]:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=60) as answer:
        assert answer.headers["Cache-Control"] == "no-store"
        text = answer.read().decode()
    return {
        "-".join([sample.name, *sample.labels.values()]): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def health(port: int) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=60) as answer:
            return answer.status, json.load(answer)["wrong"]
    except urllib.error.HTTPError as refusal:
        with refusal:
            return refusal.code, json.load(refusal)["wrong"]


class FullLog(MemoryEventLog):
    """A log that can be made to refuse, as a full disk does."""

    full = False

    def append(self, rows: "list[NewRow]") -> list[Row | None]:  # type: ignore[override]
        """As usual, or not at all."""
        if self.full:
            raise RecorderError("no space left on device")
        return super().append(rows)


@pytest.fixture
def hall(tmp_path: Path) -> EventHall:
    """A hall of two tables, whose recorder has no thread yet."""
    return EventHall(tmp_path, FullLog(), tables=2)


@pytest.fixture
def port(hall: EventHall) -> Iterator[int]:
    figures = hall.recorder.figures
    serving = monitored(
        ListenAddress("127.0.0.1", 0), figures.registry, lambda: Health(figures.wrong)
    )
    with serving as number:
        yield number


def test_a_turn_is_in_the_figures(hall: EventHall, port: int) -> None:
    """Events, acknowledgements, the time from press to row, and the rows that are there."""
    before = scraped(port)
    assert before["tilecast_events_total-stored"] == 0
    assert before["tilecast_broker_connected"] == 1
    for name in ("Ashdown, Vera", "Brok, Ilse"):
        hall.orders(f"player A {name}")
    hall.orders("round A 1 1:1-2")
    hall.show(1)
    hall.play(1, "8G HAND")
    after = scraped(port)
    assert after["tilecast_events_total-stored"] == hall.recorder.counters.stored > 5
    assert after["tilecast_acknowledgement_seconds_count"] >= 5
    assert after["tilecast_press_to_row_seconds_count"] == 1
    assert after["tilecast_press_to_row_seconds_sum"] < 5
    assert after["tilecast_log_rows"] == hall.log.head()
    assert (after["tilecast_games-memory"], after["tilecast_games-disk"]) == (2, 0)
    assert after["tilecast_queue_messages"] == after["tilecast_tables_behind"] == 0


def test_health_says_what_keeps_it_from_recording(hall: EventHall, port: int) -> None:
    """503 before it records, 200 while it does, 503 with the reason while its log is full."""
    assert health(port) == (503, "the recording thread has ended")
    hall.recorder._thread.start()
    assert health(port) == (200, "")
    assert isinstance(hall.log, FullLog)
    hall.log.full = True
    try:
        hall.devices.publish("tc/v1/hall/up/clock-1/ev", b"{}")
        eventually(lambda: health(port)[0] == 503)
        assert health(port)[1].startswith("the log refuses to store: ")
        assert "no space left on device" in health(port)[1]
        assert scraped(port)["tilecast_log_refusing"] == 1
    finally:
        hall.log.full = False
    eventually(lambda: health(port) == (200, ""))
    hall.recorder.stop()
    assert health(port)[0] == 503


def test_an_address_is_this_machine_unless_it_says_more() -> None:
    """A port alone is not reached from outside; what is none is refused in words."""
    assert read_address("9101") == ListenAddress("127.0.0.1", 9101)
    assert read_address("10.0.0.5:9101") == ListenAddress("10.0.0.5", 9101)
    assert read_address("[::1]:0") == ListenAddress("::1", 0)
    with pytest.raises(argparse.ArgumentTypeError, match="a port is a number"):
        read_address("10.0.0.5")


def test_other_addresses_are_not_found(port: int) -> None:
    """Nothing else is served there."""
    with pytest.raises(urllib.error.HTTPError) as refusal:
        urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=60)
    with refusal.value:
        assert refusal.value.code == 404


def test_a_taken_port_is_named() -> None:
    """The program ends with the reason."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = ListenAddress("127.0.0.1", taken.getsockname()[1])
        serving = monitored(address, CollectorRegistry(), Health)
        with pytest.raises(OSError, match="in use"):
            serving.__enter__()


def test_a_log_line_for_machines_is_one_object() -> None:
    """Whatever the message says; a fault has its traceback."""
    info = (RecorderError, RecorderError("no\nspace"), None)
    record = logging.LogRecord("tilecast", logging.ERROR, "", 0, "%s of ½", ("a\nb",), info)
    line = JsonLines().format(record)
    said = json.loads(line)
    assert "\n" not in line
    assert (said["level"], said["logger"], said["text"]) == ("error", "tilecast", "a\nb of ½")
    assert "RecorderError: no\nspace" in said["fault"]


def test_the_dashboard_to_import_asks_for_figures_that_there_are(port: int) -> None:
    """Every figure of the recorder or the dashboard that Grafana's file names, and no other."""
    text = (Path(__file__).parents[3] / "docker" / "grafana.json").read_text(encoding="utf-8")
    asked = set(re.findall(r"tilecast_[a-z_]+", text)) - {"tilecast"}
    recorder = {name.split("-")[0] for name in scraped(port)}
    hub = HubFigures(Hub(0, lambda: 0))

    async def pages() -> set[str]:
        hub.begin()
        found = await asyncio.to_thread(lambda: list(hub.registry.collect()))
        return {sample.name for family in found for sample in family.samples}

    # In a thread of its own: the browser's tests leave a loop running in this one.
    with ThreadPoolExecutor(1) as apart:
        assert asked <= recorder | apart.submit(lambda: asyncio.run(pages())).result()
    assert {"tilecast_overlays_behind", "tilecast_press_to_row_seconds_bucket"} <= asked
