"""A director's console, a real Mosquitto, a recorder on a real log: orders and their answers."""

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from dashboard.app import Settings, create_app
from dashboard.auth.access import Access
from dashboard.director.orders import OrderLine
from recorder.bus.broker import BrokerHandle, find_mosquitto, start_broker
from recorder.bus.mqtt import MqttBus
from recorder.bus.outbox import Outbox
from recorder.domain.game import Passed
from recorder.domain.notices import coded
from recorder.domain.orders import (
    BEGINNING,
    Act,
    EntryName,
    Insert,
    Order,
    Remove,
    TableOrder,
    Undo,
)
from recorder.domain.row_kind import Kind
from recorder.lab.comparison import recorded_events
from recorder.log.opening import wall_ms
from recorder.log.sqlite import SqliteEventLog
from recorder.orders.client import OrderClient
from recorder.service.recorder import Recorder
from recorder.version import build_version
from recorder.wire.control import Presence
from recorder.wire.envelope import Envelope, encode_envelope
from recorder.wire.orders import encode_order
from recorder.wire.seals import sealed
from recorder.wire.topics import Up, UpChannel
from tests.eventually import eventually
from tests.recorder.session_table import VENUE, plan, recorded

PAGE = "http://127.0.0.1:8015"
pytestmark = [
    pytest.mark.broker,
    pytest.mark.skipif(find_mosquitto() is None, reason="needs a real Mosquitto"),
]


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[BrokerHandle]:
    """A real Mosquitto on a free port."""
    handle = start_broker("mosquitto", workdir=tmp_path / "broker")
    yield handle
    handle.stop()


def told(id_: str, act: Act) -> TableOrder:
    return TableOrder(table=1, order=Order(id=id_, who="Dora", act=act))


def name_of_log(folder: Path) -> str:
    """The hash of its first row."""
    return recorded(folder)[0].hash


def record(running: ExitStack, folder: Path, url: str, key: bytes = b"") -> Recorder:
    """A recorder on the folder's log, until ``running`` ends."""
    store = running.enter_context(SqliteEventLog(folder / "log.db"))
    table = replace(plan(folder / "live.gcg"), console_key=key)
    recorder = Recorder(table, MqttBus(url, "recorder-r1"), store, wall_ms)
    recorder.start()
    running.callback(recorder.stop)
    return recorder


def test_orders_travel_are_answered_and_survive_a_recorder_that_was_down(
    tmp_path: Path, broker: BrokerHandle
) -> None:
    """Previewed, given, refused; given while nobody records, and stored once all the same."""
    with ExitStack() as running:
        outbox = Outbox(tmp_path / "console.db", "console")
        running.callback(outbox.close)
        bus = running.enter_context(MqttBus(broker.url, "console"))
        console = running.enter_context(OrderClient(outbox, bus, VENUE))
        missed = told("o1", Insert(after=BEGINNING, event=Passed(0)))
        with ExitStack() as recording:
            record(recording, tmp_path, broker.url)
            preview = console.preview(missed, timeout_s=60)
            assert [line["kind"] for line in preview["changes"][0]["after"]] == ["pass"]
            first = console.give(missed, timeout_s=60)
            assert first.ok
            again = console.give(missed, timeout_s=60)
            assert (again.ok, again.row) == (True, first.row)
            nothing = console.give(told("o2", Remove(entry=EntryName(999))), timeout_s=60)
            assert nothing.reason == coded("no_such_entry", entry="999")
        assert console.give(told("o3", Undo(order="o1")), timeout_s=0.2) is None
        assert outbox.depth == 1
        with ExitStack() as recording:
            record(recording, tmp_path, broker.url)
            late = console.give(told("o3", Undo(order="o1")), timeout_s=60)
            assert late.ok
    rows = recorded(tmp_path)
    ruled = [row for row in rows if row.kind is Kind.RULED]
    kinds = [row.body["type"] for row in ruled]
    assert kinds[:3] == ["order.insert", "order.repeated", "order.refused"]
    assert kinds.count("order.undo") == 1
    assert recorded_events(rows) == ()


def test_an_order_without_the_consoles_seal_is_nobodys(
    tmp_path: Path, broker: BrokerHandle
) -> None:
    """Anyone who reaches the broker as the console rules nothing, and takes none of its numbers."""
    key = bytes(range(32))
    order = told("o1", Insert(after=BEGINNING, event=Passed(0)))
    with ExitStack() as running:
        recorder = record(running, tmp_path, broker.url, key)
        true_outbox = Outbox(tmp_path / "console.db", "console", seal_key=key)
        running.callback(true_outbox.close)
        boot = true_outbox.boot
        bus = running.enter_context(MqttBus(broker.url, "console"))
        type_name, data = encode_order(replace(order, order=replace(order.order, id="forged")))
        forged = Envelope(dev="console", boot=boot, seq=1, t_ms=1, type=type_name, data=data)
        log = name_of_log(tmp_path)
        other_key = sealed(forged, b"x" * 32, log)
        true_outbox.seal_for(log)
        console = running.enter_context(OrderClient(true_outbox, bus, VENUE))
        eventually(lambda: console.preview(order), "the recorder listens")
        for envelope in (forged, other_key, replace(other_key, seal="0" * 64)):
            bus.publish(str(Up(VENUE, "console", UpChannel.EVENT)), encode_envelope(envelope))
        eventually(lambda: recorder.counters.refused == 3, "all three are refused")
        answer = console.give(order, timeout_s=60)
        assert answer.ok
    rows = recorded(tmp_path)
    assert [row.body["data"]["id"] for row in rows if row.kind is Kind.RULED] == ["o1"]
    (refused,) = [row for row in rows if row.type == "recorder.refused"]
    assert refused.body["data"]["code"] == "forged"


@pytest.mark.further
def test_an_order_that_was_heard_counts_in_no_other_log(
    tmp_path: Path, broker: BrokerHandle
) -> None:
    """One event's orders, repeated by anyone who heard them, rule nothing in the next one's log.

    The dashboard moves on to the new log by itself, and the order that waited goes into that.
    """
    key, heard = bytes(range(32)), list[bytes]()
    topic = str(Up(VENUE, "console", UpChannel.EVENT))
    settings = Settings(
        log=tmp_path / "log.db",
        access=Access(director_token="director-key-1", commentator_token="commentator-1"),
        broker=broker.url,
        venue=VENUE,
        console_key=key,
    )

    def ruled() -> list[str]:
        rows = [row for row in recorded(tmp_path) if row.kind is Kind.RULED]
        return [row.body["data"]["id"] for row in rows]

    with ExitStack() as running:
        bus = running.enter_context(MqttBus(broker.url, "stranger"))
        bus.subscribe(topic, lambda message: heard.append(message.payload))
        page = running.enter_context(TestClient(create_app(settings), base_url=PAGE))
        page.get("/enter/director-key-1")

        def add(name: str, player: str) -> str:
            given = {"id": name, "words": f"player A {player} 1840"}
            return str(page.post("/api/event/order", json=given).json()["state"])

        assert add("w1", "Brok, Ilse") == "waiting"
        with ExitStack() as recording:
            record(recording, tmp_path, broker.url, key)
            eventually(lambda: ruled() == ["w1"], "it is sent once there is a log")
            assert add("w2", "Caro, Mateo") == "accepted"
        of_last_week = set(heard)
        assert len(of_last_week) == 2
        for file in tmp_path.glob("log.db*"):
            if file.suffix != ".orders":
                file.rename(file.with_name(f"last-week-{file.name}"))
        with ExitStack() as recording:
            recorder = record(recording, tmp_path, broker.url, key)
            eventually(lambda: add("w3", "Dahl, Ina") == "accepted", "the desk is in the new log")
            for message in of_last_week:
                bus.publish(topic, message)
            eventually(lambda: recorder.counters.refused >= 2, "both are refused")
            assert ruled() == ["w3"]


def test_a_log_of_an_earlier_release_takes_orders(tmp_path: Path, broker: BrokerHandle) -> None:
    """Its first row is any row; the seal names it by that."""
    key = bytes(range(32))
    with ExitStack() as recording:
        record(recording, tmp_path, broker.url)
    with ExitStack() as running:
        record(running, tmp_path, broker.url, key)
        outbox = Outbox(tmp_path / "console.db", "console", seal_key=key)
        running.callback(outbox.close)
        outbox.seal_for(name_of_log(tmp_path))
        bus = running.enter_context(MqttBus(broker.url, "console"))
        console = running.enter_context(OrderClient(outbox, bus, VENUE))
        answer = console.give(told("o1", Insert(after=BEGINNING, event=Passed(0))), timeout_s=60)
        assert answer.ok
    assert recorded(tmp_path)[0].type != "log.begun"


def test_the_dashboard_knows_which_build_of_the_recorder_runs(
    tmp_path: Path, broker: BrokerHandle
) -> None:
    """From the recorder's retained state, anyone who started first; and that it has ended."""
    line = OrderLine(broker.url, VENUE, "console", tmp_path / "console.db")
    line.open()
    with ExitStack() as running:
        running.callback(line.close)
        with ExitStack() as recording:
            record(recording, tmp_path, broker.url)
            eventually(lambda: "r1" in line.state().recorders, "the recorder is heard")
            told = line.state().recorders["r1"]
            assert (told.state, told.version) == (Presence.READY, build_version())
        eventually(
            lambda: line.state().recorders["r1"].state is not Presence.READY, "its end is heard"
        )


def test_a_director_keeps_the_event_from_the_page(tmp_path: Path, broker: BrokerHandle) -> None:
    """In words, through dashboard, broker and recorder, to the page that everybody sees."""
    keys = Access(director_token="director-key-1", commentator_token="commentator-1")
    settings = Settings(log=tmp_path / "log.db", access=keys, broker=broker.url, venue=VENUE)
    with ExitStack() as running:
        record(running, tmp_path, broker.url)
        page = running.enter_context(TestClient(create_app(settings), base_url=PAGE))
        page.get("/enter/director-key-1")
        words = ("player A Brok, Ilse 1840", "player A Caro, Mateo 1722", "round A 1 1:2-1")
        for number, order in enumerate((*words, "result A 1 2 380 1 431")):
            given = {"id": f"w{number}", "words": order}
            assert page.post("/api/event/order", json=given).json()["state"] == "accepted"
        corrected = {"id": "w9", "words": "result A 1 2 480 1 431"}
        found = page.post("/api/event/order/preview", json=corrected).json()
        assert {change["name"]: change["rank"] for change in found["ranks"]} == {
            "Brok, Ilse": [1, 2],
            "Caro, Mateo": [2, 1],
        }
        refused = page.post("/api/event/order", json={"id": "w5", "words": words[2]}).json()
        assert refused["state"] == "refused"
        assert "has results" in refused["reason"]["text"]
        eventually(lambda: "431" in page.get("/event/data.json").text, "the page has the result")
