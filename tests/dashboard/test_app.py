"""The dashboard over HTTP and WebSocket, with a real log behind it."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from dashboard.app import Settings, create_app
from dashboard.auth.access import Access
from dashboard.live.scenes import SCENES
from recorder.domain.game import Passed
from recorder.texts import LANGUAGE
from tests.dashboard.table_writer import TableWriter, look_at
from tests.eventually import eventually

pytestmark = pytest.mark.slow

BASE = "http://127.0.0.1:8015"
SOCKETS = "ws://127.0.0.1:8015/ws"


def access(delay_ms: int = 0) -> Access:
    return Access(
        director_token="director-key-1", commentator_token="commentator-1", delay_ms=delay_ms
    )


@pytest.fixture
def table(write_table: Callable[[int], TableWriter]) -> TableWriter:
    """A table whose log the dashboard follows, an hour old."""
    return write_table(time.time_ns() // 1_000_000 - 3_600_000)


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    """A browser of sorts, at a dashboard without delay."""
    app = create_app(Settings(log=tmp_path / "log.db", access=access()))
    with TestClient(app, base_url=BASE, follow_redirects=False) as client:
        yield client


def wait_until(client: TestClient, state: str) -> None:
    eventually(lambda: client.get("/healthz").json()["log"] == state, f"the log is {state}")


def next_of(socket: Any, kind: str) -> dict[str, Any]:
    while True:
        message: dict[str, Any] = socket.receive_json()
        if message["type"] == kind:
            return message


def test_health_tells_whether_the_log_is_there(client: TestClient, tmp_path: Path) -> None:
    """Before there is a log the dashboard waits, and says so."""
    assert client.get("/healthz").json()["log"] == "waiting"
    writer = TableWriter(tmp_path / "log.db", at=1)
    wait_until(client, "following")
    writer.log.close()


def test_every_scene_is_transparent_from_its_first_byte(client: TestClient) -> None:
    """The page names scene and theme in its root element and has no style of its own."""
    for scene in SCENES:
        page = client.get(f"/overlay/{scene}?theme=paper&table=3")
        assert page.status_code == 200, scene
        head = page.text.split("<head>")[0]
        assert f'data-scene="{scene}"' in head
        assert 'data-theme="paper"' in head, scene
        assert 'data-table="3"' in head, scene
        assert "background" not in page.text, scene
        assert "<script>" not in page.text, scene


def test_unknown_scenes_and_tables_are_named_as_such(client: TestClient) -> None:
    """A wrong address says what there is; a theme that is not there falls back."""
    wrong = client.get("/overlay/ticker")
    assert wrong.status_code == 404
    assert "full" in wrong.text
    assert client.get("/overlay/full?table=0").status_code == 404
    assert 'data-theme="studio"' in client.get("/overlay/full?theme=%22%3E%3Cscript%3E").text


def test_pages_bear_a_strict_policy_and_are_not_kept(client: TestClient) -> None:
    """Scripts come from here only; pages are fresh, versioned files may be kept for ever."""
    page = client.get("/overlay/full")
    assert "default-src 'self'" in page.headers["content-security-policy"]
    assert "script-src" not in page.headers["content-security-policy"]
    assert page.headers["cache-control"] == "no-store"
    version = page.text.split('data-assets="')[1].split('"')[0]
    script = client.get(f"/static/{version}/js/overlay/page.js")
    assert script.status_code == 200
    assert "immutable" in script.headers["cache-control"]
    assert script.headers["content-type"].startswith("text/javascript")
    module = client.get(f"/static/{version}/vendor/preact/preact.mjs")
    assert "javascript" in module.headers["content-type"]


def test_a_foreign_host_name_is_refused(client: TestClient) -> None:
    """A name that somebody else's DNS points here opens nothing."""
    assert client.get("/", headers={"host": "evil.example"}).status_code == 400


def test_a_table_page_gets_its_frame_and_an_echo(client: TestClient, table: TableWriter) -> None:
    """Hello, a snapshot, changes as they are written, and an answer to every ping."""
    table.start()
    wait_until(client, "following")
    with client.websocket_connect(f"{SOCKETS}/table/1") as socket:
        hello = next_of(socket, "hello")
        assert hello["assets"] in client.get("/overlay/full").text
        assert next_of(socket, "snapshot")["frame"]["players"][0]["name"] == "Anna"
        table.play(0, "8D ZEPHYR")
        assert next_of(socket, "patch")["patch"]["turns"] == 1
        socket.send_json({"type": "ping", "t": 12.5})
        pong = next_of(socket, "pong")
        assert pong["t"] == 12.5
        assert abs(pong["now"] - time.time_ns() // 1_000_000) < 2000
        socket.send_text("not json")
        socket.send_json({"type": "snapshot?"})
        assert next_of(socket, "snapshot")["frame"]["turns"] == 1


@pytest.mark.parametrize("path", ["table", "commentator", "director"])
def test_a_page_of_another_site_cannot_connect(client: TestClient, path: str) -> None:
    """The WebSocket of a page from elsewhere is closed before it is opened."""
    client.get("/enter/director-key-1")
    foreign = {"origin": "https://evil.example"}
    with (
        pytest.raises(WebSocketDisconnect),
        client.websocket_connect(f"{SOCKETS}/{path}/1", headers=foreign),
    ):
        pass
    own = {"origin": BASE}
    with client.websocket_connect(f"{SOCKETS}/{path}/1", headers=own) as socket:
        assert next_of(socket, "hello")


def test_the_director_page_needs_a_session(client: TestClient, table: TableWriter) -> None:
    """Without a key: a form. With it: a cookie that scripts cannot read, and a clean address."""
    assert client.get("/director").status_code == 401
    with pytest.raises(WebSocketDisconnect), client.websocket_connect(f"{SOCKETS}/director/1"):
        pass
    answer = client.get("/enter/director-key-1?table=4")
    assert answer.status_code == 303
    assert answer.headers["location"] == "/director?table=4"
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "samesite=lax" in cookie.lower()
    assert "director-key-1" not in cookie
    assert client.get("/director").status_code == 200
    table.start()
    wait_until(client, "following")
    with client.websocket_connect(f"{SOCKETS}/director/1") as socket:
        assert next_of(socket, "snapshot")["frame"]["timeline"]


def test_evidence_opens_for_the_director_only(client: TestClient, table: TableWriter) -> None:
    """A row can be opened; a look at the board is written out to be read."""
    table.start()
    assert table.state is not None
    seen = table.observe(look_at(table.state, {"8H": "A"}))
    assert client.get(f"/api/row/{seen.seq}").status_code == 401
    client.get("/enter/director-key-1")
    shown = client.get(f"/api/row/{seen.seq}").json()
    assert shown["board"][7] == ".......A......."
    assert "squares" not in shown["body"]["data"]
    assert client.get("/api/row/999").status_code == 404


def test_a_delay_keeps_the_newest_from_every_public_address(
    tmp_path: Path, table: TableWriter
) -> None:
    """Zero undelayed bytes: not by page, socket, frame or health; the commentator's key sees it."""
    table.start()
    table.at = time.time_ns() // 1_000_000 - 1000
    table.play(0, "8D ZEPHYR")
    app = create_app(Settings(log=tmp_path / "log.db", access=access(600_000)))
    with TestClient(app, base_url=BASE, follow_redirects=False) as client:
        wait_until(client, "following")
        with client.websocket_connect(f"{SOCKETS}/table/1") as socket:
            assert next_of(socket, "snapshot")["frame"]["turns"] == 0
            table.record(Passed(1))
            socket.send_json({"type": "snapshot?"})
            assert "ZEPHYR" not in str(next_of(socket, "snapshot"))
        assert client.get("/api/table/1/frame").json()["turns"] == 0
        assert "seq" not in client.get("/healthz").json()
        assert client.get("/commentator").status_code == 401
        assert client.get("/enter/commentator-1").status_code == 303
        with client.websocket_connect(f"{SOCKETS}/commentator/1") as socket:
            assert "ZEPHYR" in str(next_of(socket, "snapshot")["frame"]["sheet"])


def test_a_phone_that_asks_to_join_reads_the_language_of_the_program(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The title, and what its script will say."""
    assert "<title>Ask to join</title>" in client.get("/join").text
    monkeypatch.setenv(LANGUAGE, "german")
    page = client.get("/join").text
    assert 'lang="de"' in page
    assert "<title>Um Aufnahme bitten</title>" in page
    assert "Die Turnierleitung ist gefragt." in page
