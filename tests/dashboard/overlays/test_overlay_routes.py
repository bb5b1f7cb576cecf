"""Overlays over HTTP and WebSocket: slots, fields, racks, delay, health."""

import json
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from dashboard.app import Settings, create_app
from dashboard.auth.access import Access, Role
from dashboard.live.messages.merge_patch import patched
from dashboard.live.scenes import SCENES
from dashboard.overlays.fields import FIELDS
from dashboard.web.overlays import look_of
from recorder.domain.game import Withdrawn
from recorder.domain.observations import (
    Acted,
    ClockAct,
    ClockChanged,
    ClockPressed,
    RackCounted,
    RackSeen,
    RackTyped,
    Side,
    TurnAct,
)
from recorder.domain.tile_text import read_tiles
from tests.dashboard.auth.roles import roles_of
from tests.dashboard.auth.test_guard import routes
from tests.dashboard.table_writer import TableWriter, look_at
from tests.dashboard.test_app import next_of
from tests.eventually import eventually

pytestmark = pytest.mark.slow

BASE = "http://127.0.0.1:8015"
SOCKETS = "ws://127.0.0.1:8015/ws"
SECRET, POINTS = "ZEPHYR", 98_765_432
"""What no random name and no instant can hold by accident."""


def client_of(folder: Path, delay_ms: int = 0) -> TestClient:
    """A browser of sorts at a dashboard."""
    access = Access(
        director_token="director-key-1", commentator_token="commentator-1", delay_ms=delay_ms
    )
    settings = Settings(log=folder / "log.db", access=access, slots=folder / "slots.json")
    return TestClient(create_app(settings), base_url=BASE, follow_redirects=False)


@pytest.fixture
def table(write_table: Callable[[int], TableWriter]) -> TableWriter:
    """A table whose game began an hour ago."""
    writer = write_table(time.time_ns() // 1_000_000 - 3_600_000)
    writer.start(("Anna Lindqvist", "Ben"))
    return writer


@pytest.fixture
def client(tmp_path: Path, table: TableWriter) -> Iterator[TestClient]:
    """At a dashboard without delay that follows the table's log."""
    with client_of(tmp_path) as client:
        follow(client)
        yield client


def follow(client: TestClient) -> None:
    """Wait until the log has been read."""
    eventually(lambda: client.get("/healthz").json()["log"] == "following", "it follows the log")


def until(told: Any, wanted: Any) -> None:
    eventually(lambda: told() == wanted, str(wanted))


def asked_again(socket: Any) -> dict[str, Any]:
    """The frame of a snapshot that was asked for: what was on its way may be older."""
    socket.send_json({"type": "snapshot?"})
    frame: dict[str, Any] = next_of(socket, "snapshot")["frame"]
    return frame


def field(client: TestClient, name: str, slot: str = "featured") -> str:
    answer = client.get(f"/o/{slot}/field/{name}.txt")
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    return answer.text


def test_every_field_is_text_and_json(client: TestClient, table: TableWriter) -> None:
    """The same words in both forms; what is not known is empty."""
    table.play(0, "8D ZEPHYr")
    table.play(1, "F6 CO.Y")
    until(lambda: field(client, "turn"), "2")
    assert field(client, "combined_names") == "Anna Lindqvist \u2013 Ben"
    assert field(client, "last_play") == "Ben: F6 CO(P)Y +17 (17)"
    assert field(client, "score") == "\u2007\u200764 \u2013 17\u2007\u2007"
    assert (field(client, "blank1"), field(client, "blank2")) == ("R", "")
    assert field(client, "bag_count") == "77"
    assert field(client, "p1_clock") == "25:00"
    assert field(client, "p1_record") == ""
    assert "AAAAAAAAA" in field(client, "unseen_tiles")
    told = client.get("/o/table-1/fields.json").json()
    assert list(told) == list(FIELDS)
    assert all(told[name] == field(client, name) for name in FIELDS)


def test_unknown_fields_and_slots_are_named(client: TestClient) -> None:
    assert "combined_names" in client.get("/o/featured/field/colour.txt").text
    wrong = client.get("/o/nothing/score")
    assert wrong.status_code == 404
    assert "featured" in wrong.text
    assert client.get("/o/featured/nothing").status_code == 404


def test_a_slot_that_was_pointed_elsewhere_moves_its_pages(
    client: TestClient, table: TableWriter
) -> None:
    """The open page gets the other table as a snapshot; a slot that is gone clears it."""
    other = TableWriter(table.log, at=table.at, table=2)
    other.start(("Cleo", "Dan"), game="g2")
    client.get("/enter/director-key-1")
    assert client.post("/api/slots/main", json={"table": 1}).json()["shows"] == 1
    until(lambda: field(client, "p1_name", "table-2"), "Cleo")
    with client.websocket_connect(f"{SOCKETS}/slot/main") as socket:
        assert next_of(socket, "snapshot")["frame"]["players"][0]["name"] == "Anna Lindqvist"
        assert client.post("/api/slots/main", json={"follow": "dan"}).json()["shows"] == 2
        assert next_of(socket, "snapshot")["frame"]["players"][0]["name"] == "Cleo"
        other.play(0, "8D ZEPHYR")
        assert next_of(socket, "patch")["patch"]["turns"] == 1
        assert client.delete("/api/slots/main").json() == {"removed": "main", "streaming": 1}
        assert next_of(socket, "snapshot")["frame"] is None
    refused = client.post("/api/slots/main", json={"rule": "worst"})
    assert refused.status_code == 422
    assert "closest" in refused.text


def test_only_the_director_points_slots(client: TestClient) -> None:
    assert client.post("/api/slots/main", json={"table": 2}).status_code == 401
    assert client.delete("/api/slots/main").status_code == 401
    assert client.get("/api/overlays").status_code == 401
    told = client.get("/api/slots").json()
    assert told["director"] is False
    assert [one["name"] for one in told["slots"]] == ["featured"]


def test_whoever_points_a_slot_hears_at_which_tables_there_is_a_game(
    client: TestClient, table: TableWriter
) -> None:
    """A slot of a table that is not there is clear, and the builder can say so."""
    table.play(0, "8D ZEPHYR")
    until(lambda: client.get("/api/slots").json()["tables"], [1])


def test_a_patched_frame_is_the_frame(client: TestClient, table: TableWriter) -> None:
    """Who applies each patch has what is fetched whole; the last play was none before."""
    with client.websocket_connect(f"{SOCKETS}/table/1") as socket:
        frame = next_of(socket, "snapshot")["frame"]
        table.play(0, "8D ZEPHYR")
        assert "last_play" not in frame
        frame = patched(frame, next_of(socket, "patch")["patch"])
        assert frame["last_play"]["word"] == "ZEPHYR"
        assert frame == client.get("/api/table/1/frame").json()


def test_racks_come_only_with_their_key(client: TestClient, table: TableWriter) -> None:
    """By message, never by address; a wrong key and another table's get the public frame."""
    table.observe(
        RackSeen(
            side=Side.LEFT,
            letters=read_tiles("AEIQ?"),
            slots=read_tiles("AEIQ?"),
            confidence=0.6,
            doubtful=(4,),
        ),
        "rack-1",
    )
    table.observe(RackCounted(side=Side.RIGHT, places="###....", confidence=1), "rack-2")
    client.get("/enter/director-key-1")
    keys = {
        scope: client.post("/api/tokens", json={"label": "x", "scope": scope}).json()["token"]
        for scope in ("racks:table-1", "racks:table-2")
    }
    client.cookies.clear()
    with client.websocket_connect(f"{SOCKETS}/table/1?key={keys['racks:table-1']}") as socket:
        assert "racks" not in next_of(socket, "snapshot")["frame"]
        for key in ("wrong-wrong-wrong", keys["racks:table-2"]):
            socket.send_json({"type": "key", "key": key})
            socket.send_json({"type": "snapshot?"})
            assert "racks" not in next_of(socket, "snapshot")["frame"]
        socket.send_json({"type": "key", "key": keys["racks:table-1"]})
        until(lambda: asked_again(socket).get("racks"), ["AEI#?", "###"])
        accounts = client.app.state.guard.accounts  # type: ignore[attr-defined]
        for token in accounts.tokens():
            accounts.revoke(token["id"])
        until(lambda: asked_again(socket).get("racks"), None)


def test_racks_can_be_opened_for_a_slot(client: TestClient, table: TableWriter) -> None:
    """By the director's will, for that slot alone; texts and JSON never have them."""
    table.observe(
        RackSeen(side=Side.LEFT, letters=read_tiles("QXZ"), slots=read_tiles("QXZ"), confidence=1),
        "rack-1",
    )
    client.get("/enter/director-key-1")
    client.post("/api/slots/open", json={"table": 1, "racks": True})
    with client.websocket_connect(f"{SOCKETS}/slot/open") as socket:
        until(lambda: asked_again(socket).get("racks"), ["QXZ", None])
    with client.websocket_connect(f"{SOCKETS}/slot/featured") as socket:
        assert "racks" not in next_of(socket, "snapshot")["frame"]
    for path in ("/o/open/fields.json", "/api/table/1/frame", "/o/open/racks"):
        assert "QXZ" not in client.get(path).text


def test_a_typed_rack_is_on_air_where_racks_are_and_goes_with_the_turn(
    client: TestClient, table: TableWriter
) -> None:
    """In a slot that was opened for racks, and nowhere else; a stale one would be a lie."""
    table.observe(RackTyped(side=Side.LEFT, letters=read_tiles("QXZ?")), "phone-racks-1")
    table.observe(RackTyped(side=Side.RIGHT, letters=read_tiles("AB")), "phone-racks-1")
    client.get("/enter/director-key-1")
    client.post("/api/slots/open", json={"table": 1, "racks": True})
    with client.websocket_connect(f"{SOCKETS}/slot/featured") as socket:
        assert "QXZ" not in str(next_of(socket, "snapshot"))
    with client.websocket_connect(f"{SOCKETS}/slot/open") as socket:
        until(lambda: asked_again(socket).get("racks"), ["QXZ?", "AB"])
        pressed = ClockPressed(side=Side.LEFT, left_ms=1, right_ms=2, running=Side.RIGHT)
        table.observe(pressed, "clock-1")
        until(lambda: asked_again(socket).get("racks"), [None, "AB"])
        table.observe(RackTyped(side=Side.RIGHT, letters=read_tiles("")), "phone-racks-1")
        until(lambda: asked_again(socket).get("racks"), [None, None])


def test_a_hold_is_told_until_it_is_over(client: TestClient, table: TableWriter) -> None:
    """Who holds and for how long; words of acceptance, a challenge's end or a press end it."""

    def call() -> Any:
        told = client.get("/api/table/1/frame").json().get("call")
        return told and (told["player"], told["kind"])

    table.play(0, "8D ZEPHYR", points=66)
    table.observe(Acted(side=Side.RIGHT, act=TurnAct.HOLD), "pad")
    until(call, (1, "hold"))
    assert field(client, "call") == "hold by Ben"
    table.observe(Acted(side=Side.RIGHT, act=TurnAct.ACCEPT), "pad")
    until(call, None)
    table.observe(Acted(side=Side.RIGHT, act=TurnAct.CHALLENGE), "pad")
    until(call, (1, "challenge"))
    table.record(Withdrawn(0, 66))
    until(call, None)


def test_a_page_that_reports_is_listed_for_the_director(client: TestClient) -> None:
    """Scene, slot, frames a second, its last frame and its age."""
    client.get("/enter/director-key-1")
    with client.websocket_connect(
        f"{SOCKETS}/slot/featured", headers={"user-agent": "x OBS/31.0 y"}
    ) as socket:
        next_of(socket, "snapshot")
        socket.send_json({"type": "ping", "t": 1, "scene": "full", "seq": 1, "fps": 59.9})
        next_of(socket, "pong")
        (page,) = client.get("/api/overlays").json()["overlays"]
    expected = {"scene": "full", "slot": "featured", "table": 1, "seq": 1, "fps": 60, "obs": True}
    assert {key: page[key] for key in expected} == expected
    assert (page["behind"], page["stale"], page["racks"]) == (False, False, False)
    assert page["age_ms"] < 2000
    until(lambda: client.get("/api/overlays").json()["overlays"], [])


def test_options_that_make_no_sense_are_passed_over() -> None:
    """A typing error in OBS must not take a picture off the air."""
    told = {"theme": "x", "scale": "nan", "hide": "last,all", "align": "top,up", "player": "3"}
    look = look_of({**told, "bg": "red"})
    assert (look["theme"], look["scale"], look["hide"]) == ("studio", "1", "last")
    assert (look["align"], look["player"], look["backdrop"]) == ("top", "", "transparent")
    assert look_of({"bg": "00ff00"})["backdrop"] == "#00ff00"
    assert [look_of({"scale": text})["scale"] for text in ("99", "0", "x")] == ["4", "0.2", "1"]


def test_no_public_route_lets_an_undelayed_byte_out(tmp_path: Path, table: TableWriter) -> None:
    """Every page, text and JSON that needs no key, and every public WebSocket, is late."""
    table.at = time.time_ns() // 1_000_000 - 1000
    assert table.state is not None
    table.observe(look_at(table.state, {"8D": "Z", "8E": "E"}))
    table.play(0, f"8D {SECRET}", points=POINTS)
    table.observe(
        RackSeen(side=Side.LEFT, letters=read_tiles("QXZ"), slots=read_tiles("QXZ"), confidence=1),
        "rack-1",
    )
    table.observe(Acted(side=Side.RIGHT, act=TurnAct.HOLD), "pad")
    adjust = ClockChanged(act=ClockAct.ADJUST, left_ms=1, right_ms=2, running=Side.LEFT)
    table.observe(adjust, "clock-1")
    with client_of(tmp_path, delay_ms=600_000) as client:
        follow(client)
        client.get("/enter/director-key-1")
        client.post("/api/slots/open", json={"table": 1, "racks": True})
        client.cookies.clear()
        asked = 0
        for route in routes(client):
            path = str(getattr(route, "path", ""))
            if roles_of(route) != {Role.VIEWER} or path.endswith(("/events", ".ndjson")):
                continue
            for name in FIELDS if "{name}" in path else ("",):
                for scene in SCENES if "{scene}" in path else ("",):
                    address = path.replace("{table}", "1").replace("{slot}", "open")
                    answer = client.get(address.replace("{name}", name).replace("{scene}", scene))
                    asked += 1
                    for byte in (SECRET, "QXZ", str(POINTS), '"call":{'):
                        made_up = byte == '"call":{' and path.startswith("/api/sample/")
                        assert made_up or byte not in answer.text, (path, byte)
        assert asked > len(FIELDS)
        for path in ("table/1", "slot/open", "slot/table-1"):
            with client.websocket_connect(f"{SOCKETS}/{path}") as socket:
                frame = next_of(socket, "snapshot")["frame"]
                assert frame["scores"] == []
                assert frame.keys().isdisjoint({"forming", "call"})
                assert frame.get("racks", [None, None]) == [None, None]
                assert "running" not in frame["clock"]
        with client.websocket_connect(f"{SOCKETS}/watch/1") as socket:
            watched = next_of(socket, "snapshot")["frame"]
            assert watched.keys() - frame.keys() == {"sheet"}
            assert watched.keys().isdisjoint({"racks", "forming", "call"})
            assert watched["sheet"] == {}
        with client.websocket_connect(f"{SOCKETS}/watch") as socket:
            (glimpse,) = next_of(socket, "snapshot")["frame"]["tables"].values()
            assert "last_play" not in glimpse
            assert [player["score"] for player in glimpse["players"]] == [0, 0]


def test_events_tell_all_fields_then_what_changed(tmp_path: Path, table: TableWriter) -> None:
    """Server-sent events for integrators, over a real connection; late like everything public."""
    from recorder.bus.broker import free_port
    from tests.browser.conftest import Server

    server = Server(tmp_path / "log.db", free_port())
    server.start()
    try:
        with urllib.request.urlopen(server.url("/o/featured/events"), timeout=60) as answer:
            assert answer.headers["content-type"].startswith("text/event-stream")
            first = read_event(answer)
            assert set(first) == set(FIELDS)
            threading.Timer(0.2, table.play, (0, "8D ZEPHYR")).start()
            assert read_event(answer)["last_word"] == "ZEPHYR"
    finally:
        server.kill()


def read_event(answer: Any) -> dict[str, str]:
    """The fields of the next event that has any and is not of an empty slot."""
    while True:
        line = answer.readline().decode()
        assert line, "the stream ended"
        if line.startswith("data: ") and len(told := json.loads(line[6:])) > 1:
            return dict(told)
