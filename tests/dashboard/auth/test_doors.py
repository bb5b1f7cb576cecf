"""What anybody may ask of a dashboard: bodies, sockets, floods, connections that say nothing."""

import asyncio
import logging
import socket
import threading
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from logging.handlers import MemoryHandler
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from fastapi.testclient import TestClient
from starlette.types import Message, Receive, Scope, Send
from starlette.websockets import WebSocketDisconnect

from dashboard.app import Settings, create_app
from dashboard.auth.access import Access, same_origin
from dashboard.live.health import heard
from dashboard.web import doors
from dashboard.web.door_protocol import DoorProtocol, FewRepeats
from dashboard.web.doors import Doors, Pool
from recorder.domain.errors import NotationError
from tests.asynchronous import finish
from tests.cases import first_of
from tests.eventually import PATIENCE_S, eventually

pytestmark = pytest.mark.slow

BASE = "http://127.0.0.1:8015"
WS = BASE.replace("http", "ws")
DIRECTOR = "director-key-1"
POST = b"POST /login HTTP/1.1\r\nHost: 127.0.0.1\r\n"


@pytest.fixture
def client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    """A browser of sorts, at a dashboard with little room."""
    access = Access(director_token=DIRECTOR, commentator_token="commentator-1")
    monkeypatch.setattr(doors, "ANONYMOUS", Pool(sockets=5, from_one=4, burst=60, a_second=20))
    monkeypatch.setattr(doors, "SPECTATORS", Pool(sockets=3, from_one=2, burst=60, a_second=20))
    app = create_app(Settings(log=tmp_path / "log.db", access=access))
    with TestClient(app, base_url=BASE, follow_redirects=False) as client:
        yield client


def test_a_crowd_at_the_overlays_keeps_nobody_out_who_is_known(client: TestClient) -> None:
    """Tables and slots, real or not, draw on one pool; who is signed in has another."""
    with ExitStack() as crowd:
        for path in ("/ws/table/1", "/ws/slot/featured", "/ws/slot/x1", "/ws/slot/x2"):
            crowd.enter_context(client.websocket_connect(WS + path))
        with pytest.raises(WebSocketDisconnect):
            crowd.enter_context(client.websocket_connect(f"{WS}/ws/slot/x3"))
        client.get(f"/enter/{DIRECTOR}")
        director = crowd.enter_context(client.websocket_connect(f"{WS}/ws/director/1"))
        assert director.receive_json()["type"] == "hello"
    client.cookies.clear()
    with client.websocket_connect(f"{WS}/ws/table/1") as again:
        assert again.receive_json()["type"] == "hello"


def test_a_crowd_at_home_keeps_no_overlay_dark(client: TestClient) -> None:
    """Spectators have a pool of their own, whether they are signed in or not."""
    client.get(f"/enter/{DIRECTOR}")
    with ExitStack() as crowd:
        for path in ("/ws/watch", "/ws/watch/1"):
            crowd.enter_context(client.websocket_connect(WS + path))
        with pytest.raises(WebSocketDisconnect):
            crowd.enter_context(client.websocket_connect(f"{WS}/ws/watch/2"))
        overlay = crowd.enter_context(client.websocket_connect(f"{WS}/ws/table/1"))
        assert overlay.receive_json()["type"] == "hello"


async def _nothing(_: Message) -> None:
    pass


class Crowd:
    """Overlay pages that stay open behind one door, each at an address."""

    def __init__(self, stack: ExitStack) -> None:
        async def page(_scope: Scope, _receive: Receive, _send: Send) -> None:
            self.opened += 1
            await asyncio.Event().wait()

        self.opened = 0
        self.doors = Doors(page, lambda _: False)
        self._loop = asyncio.new_event_loop()
        # A thread of its own: a browser's test may have left its loop running in this one.
        self._thread = stack.enter_context(ThreadPoolExecutor(1))
        stack.callback(self._close)
        self._tasks: list[asyncio.Task[None]] = []

    def opens(self, address: str) -> bool:
        """Whether one more at that address gets a seat."""

        async def receive() -> Message:
            return {"type": "websocket.connect"}

        async def begin() -> None:
            scope = {
                "type": "websocket",
                "path": "/ws/table/9",
                "headers": [],
                "client": (address, 1),
            }
            self._tasks.append(asyncio.ensure_future(self.doors(scope, receive, _nothing)))
            await asyncio.sleep(0)

        before = self.opened
        self._run(begin())
        return self.opened > before

    def leave(self) -> None:
        """The page that came last is closed."""
        self._run(self._end([self._tasks.pop()]))

    def _close(self) -> None:
        self._run(self._end(self._tasks))
        self._loop.close()

    async def _end(self, tasks: list[asyncio.Task[None]]) -> None:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _run(self, work: Coroutine[Any, Any, None]) -> None:
        self._thread.submit(self._loop.run_until_complete, work).result()


def test_strangers_keep_no_overlay_dark(monkeypatch: pytest.MonkeyPatch) -> None:
    """They take every seat of theirs; OBS on this machine, and one that was there, come back."""
    now = [1000.0]
    monkeypatch.setattr(doors.time, "monotonic", lambda: now[0])
    with ExitStack() as stack:
        crowd = Crowd(stack)
        assert crowd.opens("192.168.1.20")
        now[0] += 120
        crowd.leave()
        held = [crowd.opens(f"10.0.{n}.1") for n in range(4) for _ in range(100)]
        assert held.count(True) == 400
        assert not crowd.opens("10.0.9.1")
        assert not crowd.opens("127.0.2.9"), "not where OBS on this machine comes from"
        assert crowd.opens("127.0.0.1")
        assert crowd.opens("::1")
        assert crowd.opens("192.168.1.20")


def test_a_network_of_strangers_counts_as_one() -> None:
    """A /24, a /64: however many addresses of it somebody has; phones of a hall count singly."""
    with ExitStack() as stack:
        crowd = Crowd(stack)
        assert sum(crowd.opens(f"8.8.4.{n % 250}") for n in range(120)) == 100
        assert sum(crowd.opens(f"2a00:1450:4001::{n:x}") for n in range(120)) == 100
        assert sum(crowd.opens(f"192.168.1.{n}") for n in range(120)) == 120


def test_a_flood_of_messages_waits_its_turn() -> None:
    """While one page floods, the others get theirs: what comes too fast is taken slowly."""
    taken: list[float] = []

    async def page(_scope: Scope, receive: Receive, _send: Send) -> None:
        while True:
            await receive()
            taken.append(asyncio.get_running_loop().time())

    async def flood() -> None:
        async def receive() -> Message:
            return {"type": "websocket.receive", "text": '{"type":"snapshot?"}'}

        door = Doors(page, lambda _: False, Pool(sockets=1, from_one=1, burst=10, a_second=1000))
        scope = {"type": "websocket", "headers": [], "client": ("192.0.2.1", 1)}
        task = asyncio.create_task(door(scope, receive, _nothing))
        while len(taken) < 60:  # noqa: ASYNC110 - other work, which gets its turn
            await asyncio.sleep(0)
        task.cancel()

    finish(flood(), PATIENCE_S)
    assert taken[59] - taken[10] >= 0.04


def test_whoever_leaves_in_the_middle_of_a_body_is_asked_nothing_more() -> None:
    """What is behind the doors would take it for a fault of its own, and write a trace."""
    asked = []
    parts = iter([{"type": "http.request", "body": b"na", "more_body": True}])

    async def page(scope: Scope, receive: Receive, _send: Send) -> None:
        asked.append((scope, await receive()))

    async def receive() -> Message:
        return next(parts, {"type": "http.disconnect"})

    scope = {"type": "http", "path": "/login", "headers": [], "client": ("192.0.2.1", 1)}
    finish(Doors(page, lambda _: False)(scope, receive, _nothing), PATIENCE_S)
    assert asked == []


@pytest.mark.parametrize(
    "text",
    ["[" * 4000, '{"type":"ping","t":NaN}', '{"type":"ping","scene":"full","fps":Infinity}',
     '{"type":"ping","scene":"full","fps":1e999}', '{"type":"ping","t":' + "9" * 4000 + "}"],
)  # fmt: skip
@pytest.mark.parametrize("path", first_of(1, ["/ws/table/1", "/ws/director/1"]))
def test_a_message_that_is_no_json_is_passed_over(
    client: TestClient, path: str, text: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Its socket goes on, and no traceback is written."""
    client.get(f"/enter/{DIRECTOR}")
    with client.websocket_connect(WS + path) as page:
        page.send_text(text)
        page.send_text('{"type":"ping","t":7}')
        while (answer := page.receive_json())["type"] != "pong":
            pass
    assert answer["t"] == 7
    assert "Traceback" not in caplog.text


def test_a_page_says_no_texts_to_the_director() -> None:
    known = heard({}, {"scene": "CALL +44 555 NOW", "fps": 60}, 1)
    assert known["scene"] == "other"


@pytest.mark.parametrize("kind", ["text/plain", "text/plain;charset=UTF-8", "multipart/form-data"])
def test_a_post_that_no_page_of_ours_sends_is_refused(client: TestClient, kind: str) -> None:
    """Another site's form can send these with nobody asked; ours send JSON or a sign-in."""
    client.get(f"/enter/{DIRECTOR}")
    answer = client.post("/api/slots/x", content=b'{"table":1}', headers={"content-type": kind})
    assert answer.status_code == 403
    assert same_origin({"origin": "http://a", "host": "a"})
    assert same_origin({"origin": "https://a", "host": "a"}, clear=False)
    assert not same_origin({"origin": "http://a", "host": "a"}, clear=False)


@pytest.mark.parametrize(
    ("director", "commentator", "why"),
    [
        ("the-same-key-1", "the-same-key-1", "different keys"),
        ("aaaaaaaaaaaaaa", "commentator-1", "of them different"),
        ("director/key-1", "commentator-1", "part of a link"),
        ("director key-1", "commentator-1", "part of a link"),
        ("director#key-1", "commentator-1", "part of a link"),
    ],
)
def test_a_key_that_opens_too_much_or_no_link_is_refused(
    director: str, commentator: str, why: str
) -> None:
    with pytest.raises(NotationError, match=why):
        Access(director_token=director, commentator_token=commentator)


@pytest.fixture
def port(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """Where a dashboard serves on its own protocol, with little patience."""
    monkeypatch.setattr(DoorProtocol, "head_s", 0.3)
    monkeypatch.setattr(DoorProtocol, "most_from_one", 5)
    monkeypatch.setattr(doors, "BODY_S", 0.3)
    access = Access(director_token=DIRECTOR, commentator_token="commentator-1")
    app = create_app(Settings(log=tmp_path / "log.db", access=access))
    config = uvicorn.Config(app, http=DoorProtocol, log_level="critical", port=0)
    listener = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    eventually(lambda: server.started)
    yield int(listener.getsockname()[1])
    server.should_exit = True
    thread.join()
    listener.close()


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        (b"", b""),
        (b"GET / HTTP/1.1\r\nHost: 127", b""),
        (POST + b"Content-Length: 9\r\n\r\nname", b" 408 "),
        (
            b"POST /login HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000000000\r\n\r\n",
            b" 413 ",
        ),
    ],
    ids=["silent", "half a head", "half a body", "a body to come"],
)
def test_half_a_request_is_not_waited_for(port: int, said: bytes, answer: bytes) -> None:
    """A connection that does not say what it wants is closed."""
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S) as caller:
        caller.sendall(said)
        heard_back = b""
        while part := _received(caller):
            heard_back += part
    assert answer in heard_back[:40]


@pytest.mark.parametrize(
    ("said", "gets_in"),
    [(b"", True), (b"GET / HT", True), (POST + b"Content-Length: 9\r\n\r\nname", False)],
    ids=["silent", "half a head", "half a body"],
)
def test_one_address_gets_its_share_of_connections(
    port: int, monkeypatch: pytest.MonkeyPatch, said: bytes, *, gets_in: bool
) -> None:
    """Who asks for nothing makes room for who does; where all are busy, anyone who leaves does."""
    monkeypatch.setattr(DoorProtocol, "head_s", PATIENCE_S)
    monkeypatch.setattr(doors, "BODY_S", PATIENCE_S)
    ask = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
    with ExitStack() as crowd:
        for _ in range(5):
            caller = socket.create_connection(("127.0.0.1", port))
            crowd.enter_context(caller).sendall(said)
        eventually(lambda: DoorProtocol.counted["127.0.0.1"] == 5)
        with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S) as late:
            assert (b" 200 " in _asked(late, ask)) is gets_in
    eventually(lambda: not DoorProtocol.counted)
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S) as again:
        assert b" 200 " in _asked(again, ask)


def test_bad_requests_fill_no_log(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """One line a minute, anyone who sends how many; the next one has the number of the others."""
    now_s = [1000.0]
    said = logging.getLogger("uvicorn.error")
    monkeypatch.setattr(DoorProtocol, "repeats", FewRepeats(lambda: now_s[0]))
    heard_here = MemoryHandler(1000)
    monkeypatch.setattr(said, "filters", [])
    said.addHandler(heard_here)
    said.setLevel(logging.WARNING)

    def ask(request: bytes) -> None:
        with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S) as caller:
            assert _asked(caller, request)

    try:
        for _ in range(20):
            ask(b"\x00\r\n\r\n")
            ask(
                b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: x\r\n"
                b"Connection: upgrade\r\n\r\n"
            )
        lines = [record.getMessage() for record in heard_here.buffer]
        assert len(lines) == len(set(lines)) <= 3
        now_s[0] += 61
        ask(b"\x00\r\n\r\n")
    finally:
        said.removeHandler(heard_here)
    assert "19 more" in heard_here.buffer[-1].getMessage()


def _asked(caller: socket.socket, request: bytes) -> bytes:
    try:
        caller.sendall(request)
    except OSError:
        return b""
    return _received(caller)


def _received(caller: socket.socket) -> bytes:
    try:
        return caller.recv(4096)
    except ConnectionResetError:
        return b""
